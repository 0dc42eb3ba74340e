import { addDays } from '../../../src/statistics/time/calendar.js';
import { LAST_DAY, OTHER_PROVIDER } from '../data.js';
import { inTurns, median } from '../measure.js';
import { ONE_STATION } from '../questions.js';
import type { Figure } from '../report.js';
import { request, type Server, type Service } from '../service.js';

// Asked: what costs more than the nine statistics, beside the plain question where there is one, in turns, nothing kept.

const WINDOW = `date_from=${addDays(LAST_DAY, -89)}&date_to=${LAST_DAY}`;

interface Asked {
  what: string;
  path: string;
  /** The question that it adds to, and how many times as long it may take. */
  plain?: { path: string; bound: number };
  /** How long it may take, ms. */
  within_ms?: number;
}

const askedOf = (version: number): Asked[] => [
  { what: 'network summary, ci', path: 'summary?ci=0.95', plain: { path: 'summary?', bound: 1.3 } },
  {
    what: 'station summary, ci',
    path: `summary?station_id=${ONE_STATION}&ci=0.95`,
    plain: { path: `summary?station_id=${ONE_STATION}`, bound: 1.3 },
  },
  {
    what: 'network by-lead-time, ci',
    path: 'by-lead-time?ci=0.95',
    plain: { path: 'by-lead-time?', bound: 1.3 },
  },
  { what: 'by-city, ci', path: 'by-city?ci=0.95', plain: { path: 'by-city?', bound: 1.5 } },
  {
    what: 'network summary, as_of',
    path: `summary?as_of=v${version}`,
    plain: { path: 'summary?', bound: 3 },
  },
  {
    what: 'station summary, as_of',
    path: `summary?station_id=${ONE_STATION}&as_of=v${version}`,
    plain: { path: `summary?station_id=${ONE_STATION}`, bound: 3 },
  },
  { what: 'summary of 60 stations around a point', path: 'summary?near=40,-90&radius_km=150', within_ms: 40 },
  { what: 'matched curve of the network', path: 'by-lead-time?align=matched', within_ms: 1000 },
  { what: 'hit-rate of all stations', path: 'hit-rate?', within_ms: 1000 },
  { what: 'by-bucket of a station', path: `by-bucket/${ONE_STATION}?`, within_ms: 1000 },
  {
    what: 'events of the network by lead time',
    path: 'events?group_by=lead_time_bucket&thresholds=80',
    within_ms: 150,
  },
  { what: 'revision-stats of all stations', path: 'revision-stats?', within_ms: 1000 },
  { what: 'two providers compared', path: `compare?providers=default,${OTHER_PROVIDER}`, within_ms: 1000 },
  {
    what: 'two providers compared by lead time',
    path: `compare?providers=default,${OTHER_PROVIDER}&group_by=lead_time_bucket`,
    within_ms: 1000,
  },
  {
    what: 'scorecard of two providers by lead time and month',
    path: `compare?providers=default,${OTHER_PROVIDER}&group_by=lead_time_bucket,month`,
    within_ms: 600,
  },
  { what: 'skill of the network by lead time', path: 'skill?', within_ms: 2000 },
  { what: 'skill of a station', path: `skill?station_id=${ONE_STATION}`, within_ms: 100 },
  {
    what: 'probability at a station',
    path: `probability?station_id=${ONE_STATION}&forecast=70&lead_hours=20&target_date=${addDays(LAST_DAY, 1)}`,
    within_ms: 60,
  },
  {
    what: 'probability at a station, of two providers as one',
    path: `probability?station_id=${ONE_STATION}&providers=default,${OTHER_PROVIDER}&lead_time_bucket=12-24h&target_date=${LAST_DAY}`,
    within_ms: 120,
  },
  {
    what: 'probability of a day that has begun',
    path: `probability?station_id=${ONE_STATION}&target_date=${LAST_DAY}&known_at=${LAST_DAY}T18:00:00Z`,
    within_ms: 150,
  },
  {
    what: 'reliability of days that had begun, 60 days of a station',
    path: `probability/reliability?hour=10&station_id=${ONE_STATION}&days=60&date_to=${LAST_DAY}`,
  },
  {
    what: 'reliability of days that had begun, 60 days of the network',
    path: `probability/reliability?hour=10&days=60&date_to=${LAST_DAY}`,
  },
  { what: 'peak timing of a station', path: `peak-timing/${ONE_STATION}?`, within_ms: 50 },
  { what: 'accuracy of the network by weather', path: 'by-weather-regime?', within_ms: 150 },
  { what: 'reliability of the network', path: 'probability/reliability?', within_ms: 1000 },
  { what: 'sample-size of all stations', path: 'sample-size?' },
  { what: 'update-frequency of all stations', path: 'update-frequency?' },
  { what: 'error-distribution of the network', path: 'error-distribution?' },
];

const urlOf = (path: string): string => {
  const url = `/api/v1/${path.startsWith('probability') ? '' : 'accuracy/'}${path}`;
  if (path.startsWith('probability?') || path.includes('days=')) return url; // its days follow from its target date, or are its own
  return `${url}${path.endsWith('?') ? '' : path.includes('?') ? '&' : '?'}${WINDOW}`;
};

const versionOf = async (service: Server): Promise<number> => {
  const { body } = await request(service, urlOf('summary?'));
  const { metadata } = JSON.parse(body.toString()) as { metadata: { data_version: number } };
  return metadata.data_version;
};

/** What is asked, and its URL. */
export async function askedUrls(service: Server): Promise<{ name: string; url: string }[]> {
  return askedOf(await versionOf(service)).map(({ what, path }) => ({ name: what, url: urlOf(path) }));
}

export async function measureAsked(service: Service, rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { what, path, plain, within_ms } of askedOf(await versionOf(service))) {
    process.stderr.write(`  ${what}\n`);
    const ask = (asked: string) => async (): Promise<number> => {
      const { status, total_ms } = await request(service, urlOf(asked));
      if (status !== 200) throw new Error(`${asked}: status ${status}`);
      return total_ms;
    };
    const measured = await inTurns({ asked: ask(path), plain: ask(plain?.path ?? path) }, rounds);
    const ms = median(measured.asked);
    figures.push({
      section: `asked: ${what}`,
      what: 'over HTTP',
      value: ms,
      unit: 'ms',
      ...(within_ms !== undefined && { bar: { sign: '<=', bound: within_ms } }),
    });
    if (plain === undefined) continue;
    const plain_ms = median(measured.plain);
    figures.push({
      section: `asked: ${what}`,
      what: 'against the plain question',
      value: ms / plain_ms,
      unit: '×',
      made_of: `${ms.toFixed(1)} and ${plain_ms.toFixed(1)} ms`,
      bar: { sign: '<=', bound: plain.bound },
    });
  }
  return figures;
}
