import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { backup } from '../../../src/backup/backup.js';
import { dataTables, rowCounts } from '../../../src/backup/tables.js';
import { readConfig } from '../../../src/config.js';
import { withStore } from '../../../src/store/engine/open.js';
import type { Store } from '../../../src/store/store.js';
import { VERSION } from '../../../src/lib/version.js';
import { type FeedLines, loadLines } from '../ingest/feeds.js';
import { sampleSince } from '../ingest/sample.js';
import { temporaryFolder } from '../store.js';
import {
  answersTo,
  BACKUP_FILE,
  FIXTURES,
  FOLDER_FILE,
  type PastResponses,
  RESPONSES_FILE,
} from './fixture.js';

// npm run upgrade-fixture: keeps data of this version in test/fixtures/, a folder per version, for later ones to open. Run it
// once for each release, as its last commit: a later build cannot make what this one wrote.

const FIRST = '2026-08-20';
const SECOND = '2026-09-15';
const NEXT = '2026-10-01';
const TODAY = '2026-10-05';

/** Clocks that change on other days, days that begin at other hours, and a unit that stations report in. */
const STATIONS: Record<string, string> = {
  KORD: 'civil,,whole_fahrenheit',
  KDEN: 'standard,,',
  KSEA: ',,',
  EGLL: 'civil,,whole_celsius',
};

const cell = (line: string, column: number): string => line.split(',')[column] ?? '';
const withCell = (line: string, column: number, value: string): string =>
  line.split(',').with(column, value).join(',');

/** Four loads: without the last two weeks; these, and normals; corrections and withdrawals; the last days. */
function loads(): [FeedLines, FeedLines, FeedLines, FeedLines] {
  const sample = sampleSince(FIRST, TODAY);
  const isOf = (line: string): boolean => cell(line, 0) in STATIONS;
  const stations = sample
    .stations!.filter(isOf)
    .map((line) => `${line.replace(/,,,$/, '')},${STATIONS[cell(line, 0)]}`);
  const [forecasts, observations, hours] = [sample.forecasts, sample.observations, sample.hours].map(
    (lines) => lines!.filter(isOf),
  ) as [string[], string[], string[]];
  const within = (from: string, to: string): FeedLines => {
    const isWithin = (column: number) => (line: string) =>
      cell(line, column) >= from && cell(line, column) < to;
    return {
      columns: 'all',
      forecasts: forecasts.filter(isWithin(2)),
      observations: observations.filter(isWithin(1)),
      hours: hours.filter(isWithin(1)),
    };
  };
  const normals = Array.from({ length: 365 }, (_, day) => {
    const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(5, 10);
    const high = 30 + Math.min(day, 365 - day) / 4;
    return `KORD,${date},${high},${high - 15},`;
  });
  const corrected = (line: string): string => withCell(line, 3, `${Number(cell(line, 3)) + 1}`);
  const third = within('2026-09-20', '2026-09-23');
  return [
    { ...within(FIRST, SECOND), stations },
    { ...within(SECOND, NEXT), normals },
    {
      columns: 'all',
      forecasts: third.forecasts!.map((line, at) =>
        at % 3 === 0 ? withCell(corrected(line), 6, '') : withCell(line, 6, 'true'),
      ),
      observations: third
        .observations!.filter((_, at) => at % 2 === 0)
        .map((line) => withCell(line, 6, 'true')),
    },
    within(NEXT, '2027-01-01'),
  ];
}

const WINDOW = 'date_from=2026-08-25&date_to=2026-10-02';
const ONE = `station_id=KORD&${WINDOW}`;

/** A question of each kind. */
const QUESTIONS = [
  `accuracy/summary?${WINDOW}`,
  `accuracy/summary?${WINDOW}&metric=low&ci=0.9&temp_unit=celsius`,
  `accuracy/summary?${ONE}&as_of=v1`,
  `accuracy/summary?${ONE}&as_of=v2&lead_time_bucket=same-day`,
  `accuracy/summary?${ONE}&known_at=2026-09-15T00:00:00Z`,
  `accuracy/by-date?${WINDOW}&group_by=week`,
  `accuracy/by-lead-time?${ONE}&align=matched&include_same_day=true`,
  `accuracy/by-city?${WINDOW}&metric=low`,
  `accuracy/by-station/KDEN?${WINDOW}&provider=made-up-coarse`,
  `accuracy/by-weather-regime?${ONE}`,
  `accuracy/by-bucket/KSEA?${WINDOW}`,
  `accuracy/hit-rate?${WINDOW}&temp_unit=celsius`,
  `accuracy/events?${WINDOW}&thresholds=70,80`,
  `accuracy/error-distribution?${WINDOW}`,
  `accuracy/revision-stats?${ONE}`,
  `accuracy/peak-timing/KORD?${WINDOW}`,
  `accuracy/compare?${WINDOW}`,
  `accuracy/divergence?${WINDOW}`,
  `accuracy/skill?${ONE}`,
  `accuracy/distribution?${WINDOW}&provider=made-up-fine&lead=24`,
  `accuracy/bias-correction?${ONE}&forecast_temp=75`,
  `accuracy/sample-size?${WINDOW}`,
  `accuracy/update-frequency?${ONE}`,
  'probability?station_id=KORD&forecast=75&lead_hours=20&target_date=2026-10-04',
  `probability/reliability?${ONE}`,
  `data/forecast-actual?${ONE}&limit=20`,
  'data/forecasts?station_id=EGLL&forecast_for_date=2026-09-20&versions=all',
  `data/observations?${ONE}&limit=20`,
  'data/hours?station_id=KORD&start_time=2026-09-20&end_time=2026-09-21',
  `data/suspects?${WINDOW}`,
  'data/run-stats?station_id=KORD&start_time=2026-09-19T00:00:00Z&end_time=2026-09-20T00:00:00Z',
  'export/pairs?station_id=EGLL&date_from=2026-09-01&date_to=2026-09-10&format=csv',
  'stations/metadata',
  'providers',
  'loads',
].map((question) => `/api/v1/${question}`);

/** @throws Error where a table has no row: then no fixture would tell that a change of it was forgotten */
async function refuseEmptyTables(store: Store): Promise<void> {
  const tables = (await dataTables(store)).filter(({ name }) => !/^(staged_|load_lock_)/.test(name));
  const counts = await rowCounts(
    store,
    tables.map(({ name }) => ({ name, engine: 'MergeTree' })),
  );
  const empty = Object.keys(counts).filter((name) => counts[name] === 0);
  if (empty.length > 0) throw new Error(`no row in ${empty.join(', ')}`);
}

async function pack(folder: string, file: string): Promise<void> {
  // In one order, of nobody.
  const flags = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner'];
  await promisify(execFile)('tar', [...flags, '-czf', file, '-C', folder, ...readdirSync(folder)]);
}

const target = join(FIXTURES, VERSION);
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const [data, saved] = [temporaryFolder(), temporaryFolder()];
const config = readConfig({ DATA_DIR: data });
const [first, second, third, next] = loads();
const answers = await withStore(config, async (store) => {
  for (const feeds of [first, second, third]) {
    const { outcome } = await loadLines(store, feeds);
    if (outcome !== 'complete') throw new Error(`a load: ${outcome}`);
  }
  await refuseEmptyTables(store);
  await backup(store, saved);
  return answersTo(store, QUESTIONS);
});
await pack(data, join(target, FOLDER_FILE));
await pack(saved, join(target, BACKUP_FILE));
const answersAfterNext = await withStore(config, async (store) => {
  await loadLines(store, next);
  return answersTo(store, QUESTIONS);
});
const past: PastResponses = { answers, next, answersAfterNext };
writeFileSync(join(target, RESPONSES_FILE), gzipSync(JSON.stringify(past), { level: 9 }));
console.log(`test/fixtures/${VERSION}: made`);
