import { expect } from 'chai';
import type { Store } from '../../src/store/store.js';
import type { FeedLines } from './ingest/feeds.js';
import { plusDays } from './plain/oracle.js';
import { Random } from './random.js';
import { startTestService } from './service.js';

// Shared by tests of backups: data, and all that the API answers from them.

const FIRST = '2026-03-01';
const DAYS = 20;

/** Feeds of a thousand pairs of eight stations, which follow from a seed. */
export function randomFeeds(seed: number): FeedLines {
  const random = new Random(seed);
  const stations = ['EGLL', 'KATL', 'KBOS', 'KDEN', 'KLAX', 'KMIA', 'KORD', 'KSEA'];
  const value = (): string => (40 + 8 * random.gaussian()).toFixed(2);
  const days = stations.flatMap((id) =>
    Array.from({ length: DAYS }, (_, day) => [id, plusDays(FIRST, day)] as const),
  );
  return {
    stations: stations.map((id) => `${id},City of ${id},US,40,-90,America/Chicago,Dfa,true,,`),
    forecasts: days.flatMap(([id, day]) =>
      [3, 20, 50, 90].map(
        (hours) =>
          `${id},${new Date(Date.parse(day) - hours * 3_600_000).toISOString()},${day},${value()},${value()}`,
      ),
    ),
    observations: days
      .filter(() => random.below(8) > 0)
      .map(
        ([id, day]) =>
          `${id},${day},${value()},${value()},${random.of(['verified', 'preliminary'])},${plusDays(day, 2)}T00:00:00Z`,
      ),
  };
}

const WINDOWS = ['date_from=2024-03-01&date_to=2024-03-31', `date_from=${FIRST}&date_to=2026-04-30`];
const QUESTIONS = ['by-city', 'by-date', 'by-lead-time', 'hit-rate', 'by-station/KORD'];

/** Answers of the service from a store, as it is or as it was at a version, without their moment. */
export async function answersOf(store: Store, version?: number): Promise<Record<string, string>> {
  const service = await startTestService(store, { now: '2026-06-01T00:00:00Z', cacheBytes: 0 });
  const paths = WINDOWS.flatMap((window) =>
    version === undefined
      ? QUESTIONS.map((question) => `accuracy/${question}?metric=low&${window}`)
      : [
          `accuracy/by-city?${window}&as_of=v${version}`,
          `export/pairs?format=csv&${window}&as_of=v${version}`,
        ],
  );
  const found: Record<string, string> = {};
  for (const path of paths) {
    const { status, text } = await service.get(`/api/v1/${path}`);
    expect(status, path).to.equal(200);
    found[path] = text.replace(/"(generated_at|timeline|query_time_ms)":("[^"]*"|\d+)/g, '');
  }
  return found;
}
