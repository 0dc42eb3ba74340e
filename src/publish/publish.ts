import type { Store } from '../store/store.js';
import { numberText } from '../lib/text.js';
import { UserError } from '../lib/user-error.js';
import type { SealSigner } from '../seals/seal-log.js';
import { VERSION } from '../lib/version.js';
import { type CopyFacts, CopyFolder } from './copy-folder.js';
import { copyLog } from './copy-log.js';
import { withLocalService } from './local-service.js';
import { pageFiles, readmeText } from './copy-page.js';
import { eachMonth, exportOfMonth, pairsFile, readFromCopy } from './pairs.js';
import { type PageAsks, type Parameters, ResponseFiles, toQuery } from './response-files.js';

// `forecast-accuracy publish`: the responses that the page asks for, as files.

type Offers = CopyFacts['offers'];

export interface PublishOptions {
  metrics: string[];
  /** Windows. */
  days: string[];
  /** The stations beside all of them together; each if not given. */
  stations?: string[] | undefined;
  /** The units of each view; empty for that of the station. */
  units: string[];
  /** Whether the copy has the pairs as Parquet, and scripts that read them. */
  pairs: boolean;
  /** The service that has the rest. */
  fullService?: string | undefined;
  maxFiles: number;
  /** Who signs the log of versions; nobody if not given. */
  seals?: SealSigner;
  now: Date;
  signal?: AbortSignal;
}

/** How often data may change while they are copied. */
const MAX_CHANGES = 3;

/** Measured: 11 to 12 responses of a view, some of them shared, its script, and half a badge and a chart. */
const FILES_OF_VIEW = 13.6;

const count = ({ length }: readonly string[], name: string): string =>
  `${numberText(length)} ${name}${length === 1 ? '' : 's'}`;

/** The page's own requests, bundled for Node by `npm run page`. As a plain string: types need no bundle. */
const PAGE_ASKS: string = '#publish/asks.js';

/**
 * Writes a copy of some views into a folder: responses, pairs, scripts, badges, charts and the page.
 * @throws UserError with the folder as it was
 */
export async function publish(
  store: Store,
  path: string,
  defaultProvider: string | undefined,
  options: PublishOptions,
): Promise<CopyFacts & ReturnType<CopyFolder['getTotals']>> {
  const folder = await CopyFolder.open(path, options.now);
  const page = (await import(PAGE_ASKS)) as PageAsks;
  try {
    return await withLocalService({ store, defaultProvider, ...options }, async (ask) => {
      const files = new ResponseFiles(ask, page, folder, options);
      const offers = await chooseOffers(files, options);
      const first = await copyData(files, page, offers, options);
      await copyLog(ask, folder, store);
      const facts = await folder.finish(files.version, async (release) => {
        const facts = await describeCopy(files, release, offers, options);
        for (const [name, content] of pageFiles(facts, first)) await folder.write(name, content);
        await folder.write('README.txt', readmeText(facts, options.pairs));
        return facts;
      });
      return { ...facts, ...folder.getTotals() };
    });
  } catch (error) {
    folder.discard();
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'ENOENT'].includes(code)) throw error;
    throw new UserError(`DIR: cannot write ${path} (${code}); its copy is as it was`, { cause: error });
  }
}

/** @throws UserError where a copy of the options would be impossible, or too large */
async function chooseOffers(
  files: ResponseFiles,
  { metrics, days, units, stations, maxFiles }: PublishOptions,
): Promise<Offers> {
  const { data: known } = await files.get('providers');
  const all = (await files.get('stations/metadata')).data.map(({ station_id }) => String(station_id));
  if (known.length === 0 || all.length === 0)
    throw new UserError('there are no stations with forecasts; load feeds first');
  const missing = stations?.find((each) => !all.includes(each));
  if (missing !== undefined) throw new UserError(`--stations: there is no station ${missing}`);
  const station_id = stations ?? all;
  const provider = known
    .toSorted((a, b) => Number(b.is_default) - Number(a.is_default))
    .map((each) => String(each.provider));
  const kinds = { place: ['', ...station_id], metric: metrics, provider, window: days };
  const parts = Object.entries(units.length > 1 ? { ...kinds, unit: units } : kinds);
  const views = parts.reduce((product, [, { length }]) => product * length, 1);
  const about = numberText(Math.round((views * FILES_OF_VIEW) / 100) * 100);
  if (views * FILES_OF_VIEW > maxFiles)
    throw new UserError(
      `this copy would have about ${about} files (${parts.map(([kind, names]) => count(names, kind)).join(' x ')}), more than ${maxFiles}; name fewer --stations or --days, or more with --max-files`,
    );
  // The page begins with units of the USA where it has several, and so with the first view.
  return { metric: metrics, days, provider, units: units.toSorted((a, b) => b.localeCompare(a)), station_id };
}

/**
 * Writes the responses, figures and pairs, all of one version of the data.
 * @returns the response that the page shows first
 */
export async function copyData(
  files: ResponseFiles,
  page: PageAsks,
  offers: Offers,
  options: Pick<PublishOptions, 'pairs'>,
): Promise<string> {
  for (let changes = 0; ;) {
    for (const view of listViews(offers)) {
      await page.askForView(view, files);
      files.throwIfFailed();
    }
    await copyFigures(files, page, offers);
    if (options.pairs) await copyPairs(files);
    if (await files.areOfOneVersion()) return [...files.summaries.keys()][0]!;
    changes += 1;
    if (changes === MAX_CHANGES)
      throw new UserError(
        `the data changed ${MAX_CHANGES} times while they were copied; publish between loads`,
      );
  }
}

function* listViews({ metric, days, provider, units, station_id }: Offers): Generator<Parameters> {
  for (const station of ['', ...station_id])
    for (const system of units.length === 0 ? [''] : units)
      for (const of of metric)
        for (const [at, name] of provider.entries())
          for (const window of days) {
            const subject = { station_id: station, metric: of, provider: at === 0 ? '' : name };
            yield { ...subject, days: window, units: system };
          }
}

/** Badges and charts of the default provider, at paths that outlive a version of the data. */
async function copyFigures(
  files: ResponseFiles,
  { escapeName }: PageAsks,
  { metric: metrics, days: [days = ''], station_id: ids }: Offers,
): Promise<void> {
  for (const metric of metrics)
    for (const station_id of ['', ...ids]) {
      const name = `${metric}/${escapeName(station_id || 'all_stations')}`;
      const query = toQuery({ metric, days, station_id });
      await files.write(`badges/${name}.json`, `accuracy/summary/badge.json?${query}`);
      await files.write(`charts/${name}.svg`, `accuracy/by-date/chart.svg?${query}`);
    }
}

/** For each summary a script, and the pairs of the months that it reads. */
async function copyPairs(files: ResponseFiles): Promise<void> {
  const { data: providers } = await files.get('providers');
  for (const [summary, given] of files.summaries) {
    const { provider, period_start, period_end } = (await files.get('accuracy/summary', given)).metadata!;
    const known = providers.find((each) => each.provider === provider);
    const [first, last] = [String(known?.first_target_date), String(known?.last_target_date)];
    // A month without a pair has no file.
    const months = [...eachMonth(period_start, period_end)].filter(
      (month) => first.slice(0, 7) <= month && month <= last.slice(0, 7),
    );
    for (const month of months)
      await files.write(
        pairsFile(provider, month),
        `export/pairs?${toQuery(exportOfMonth(provider, month))}`,
      );
    const name = `recompute/${summary.replace(/json$/, 'sql')}`;
    const read = months.map((month) => pairsFile(provider, month));
    const path = `accuracy/summary/recompute.sql?${toQuery(given)}`;
    if (read.length > 0) await files.write(name, path, (script) => readFromCopy(script, name, read));
  }
}

interface Source {
  attribution: string | null;
  last_success_at: string | null;
}

async function describeCopy(
  files: ResponseFiles,
  folder: string,
  offers: Offers,
  { now, fullService }: PublishOptions,
): Promise<CopyFacts> {
  const { sources } = (await files.get('accuracy/freshness')).data as unknown as { sources: Source[] };
  const used = sources.filter(({ last_success_at }) => last_success_at !== null);
  return {
    format: 1,
    service: VERSION,
    data_version: files.version,
    timeline: files.timeline,
    generated_at: now.toISOString(),
    folder,
    offers,
    providers: (await files.get('providers')).data,
    attribution: [...new Set(used.flatMap(({ attribution }) => attribution ?? []))],
    ...(fullService !== undefined && { full_service: fullService }),
  };
}
