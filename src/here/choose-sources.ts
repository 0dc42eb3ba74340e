import { toSource } from '../collect/files/file-source.js';
import { dayFeedOf, type SourceFile } from '../collect/files/source-file.js';
import type { RunReport } from '../collect/pass/run-report.js';
import type { PublicSource } from '../collect/source.js';
import { CODE_SOURCES } from '../collect/sources/index.js';
import { sum } from '../statistics/statistics.js';
import { DAY_MS, formatDate } from '../statistics/time/calendar.js';
import type { Here } from './place.js';

// The sources that `here` asks, how far back, and what it says of them.

/** How far back the first start reads. */
const PAST_MS = 30 * DAY_MS;
/** The past of runs, which are a request each, 14 a day. */
const PAST_RUNS_MS = 3 * DAY_MS;

const dateAt = (ms: number): string => formatDate(Math.floor(ms / DAY_MS));

/**
 * Pure. All sources of the operator, and the shipped ones that are free without a key. Shipped files bring forecasts alone:
 * observations are those of the airport, or of its owner.
 * @returns with the first date to read
 */
export function chooseHereSources(
  { place, since_ms, target: { is_own } }: Pick<Here, 'place' | 'since_ms' | 'target'>,
  { files, own }: { files: readonly SourceFile[]; own: ReadonlySet<string> },
): { sources: PublicSource[]; from: string } {
  const runsFrom = dateAt(since_ms - PAST_RUNS_MS);
  const isFree = ({ name, kind, local, ...file }: SourceFile): boolean =>
    own.has(name) || (dayFeedOf(kind) === 'forecasts' && !local && !JSON.stringify(file).includes('{key:'));
  const fromFiles = files.filter(isFree).map((file) => {
    const source = toSource(file);
    const isLong = file.runs !== undefined && source.earliest < runsFrom;
    return isLong ? { ...source, earliest: runsFrom } : source;
  });
  const ofAirports = is_own ? [] : CODE_SOURCES.filter(({ isOff }) => isOff !== true);
  const sources = [...ofAirports, ...fromFiles].filter((source) => source.serves(place));
  return { sources, from: dateAt(since_ms - PAST_MS) };
}

/** A line for each source that was asked and brought no response, with its reason; then those that did. */
export function formatHere({ sources, seconds }: Pick<RunReport, 'sources' | 'seconds'>): string {
  const requested = sources.filter(({ requests }) => sum(Object.values(requests)) > 0);
  const came = requested.filter(({ requests }) => requests.ok > 0);
  return [
    ...requested
      .filter((source) => !came.includes(source))
      .map(({ source, failure }) => `nothing from ${source}: ${failure}`),
    `collected in ${seconds} s: ${came.map(({ source }) => source).join(', ') || 'nothing new'}`,
  ].join('\n');
}
