import { addDays, formatDate, DAY_MS, HOUR_MS } from '../../../../src/statistics/time/calendar.js';
import type { FeedLine, StationPlace, Span } from '../../../../src/collect/source.js';
import { forecastOf, type Lateness, type StubSource, USUAL } from '../world.js';

// The National Blend as mos.py tells of it. A run is there from its issue on, 75 minutes after its hour; NBS has an extreme from
// 12 hours ahead to 72, NBE from 24 to 204.

const REACH = { NBS: { first: 12, last: 72 }, NBE: { first: 24, last: 204 } } as const;
type Model = keyof typeof REACH;
const ISSUED_AFTER_MS = 75 * 60_000;
const NBE_SINCE = Date.parse('2020-07-23T00:00:00Z');
/** From version 4.0 on the extremes are in `txn`. */
const TXN_SINCE = Date.parse('2020-09-30T00:00:00Z');

/** The standard deviation of every extreme since then. */
const SPREAD_F = 2;

/** All runs of a day: those that the archive keeps, and one more, as of the days before a clean-up. */
const hoursOf = (date: string): number[] =>
  date < '2020-02-26'
    ? [0, 7, 12, 15, 19]
    : date < '2026-05-05'
      ? [1, 7, 13, 15, 19]
      : date === '2026-05-05'
        ? [12, 15, 18]
        : [0, 6, 12, 15, 18];

function runsOf(
  { from_ms, to_ms }: Span,
  now_ms: number,
  station_id: string,
  lateness: Lateness = USUAL,
): number[] {
  const runs: number[] = [];
  for (let day = Math.floor(from_ms / DAY_MS); day * DAY_MS < to_ms; day += 1)
    runs.push(...hoursOf(formatDate(day)).map((hour) => day * DAY_MS + hour * HOUR_MS));
  return runs.filter(
    (run) =>
      run >= from_ms && run < to_ms && run + ISSUED_AFTER_MS + lateness('iem-nbm', station_id, run) <= now_ms,
  );
}

const isWithin = (model: Model, run_ms: number, valid_ms: number): boolean => {
  const { first, last } = REACH[model];
  const ahead = (valid_ms - run_ms) / HOUR_MS;
  return ahead >= first && ahead <= last && (model === 'NBS' || run_ms >= NBE_SINCE);
};

/** When a maximum and a minimum of a date stand in the text: 00Z of the next date, and 12Z. */
const maximumAt = (date: string): number => Date.parse(`${addDays(date, 1)}T00:00:00Z`);
const minimumAt = (date: string): number => Date.parse(`${date}T12:00:00Z`);

/** The rows that a collector must make of the runs of a span, by run and date. */
export function nbmForecasts(
  { station_id }: StationPlace,
  span: Span,
  now_ms: number,
  lateness?: Lateness,
): FeedLine[] {
  return runsOf(span, now_ms, station_id, lateness)
    .filter((run) => new Date(run).getUTCHours() !== 15)
    .flatMap((run) => {
      const issued_ms = run + ISSUED_AFTER_MS;
      const first = new Date(run).toISOString().slice(0, 10);
      return Array.from({ length: 12 }, (_, days) => addDays(first, days - 1)).flatMap((date): FeedLine[] => {
        const has = (valid_ms: number): boolean =>
          isWithin('NBS', run, valid_ms) || isWithin('NBE', run, valid_ms);
        const { high_f, low_f } = forecastOf('nbm', station_id, issued_ms, date);
        const high = has(maximumAt(date)) ? `${high_f}` : '';
        const low = has(minimumAt(date)) ? `${low_f}` : '';
        if (high === '' && low === '') return [];
        const issued_at = `${new Date(issued_ms).toISOString().slice(0, 19)}Z`;
        const spread = (value: string): string => (value === '' || run < TXN_SINCE ? '' : `${SPREAD_F}`);
        const spreads = { high_sd_f: spread(high), low_sd_f: spread(low) };
        const values = { high_f: high, low_f: low, ...spreads };
        return [{ station_id, issued_at, target_date: date, ...values, provider: 'nbm' }];
      });
    });
}

const COLUMNS =
  'runtime,ftime,model,n_x,tmp,dpt,wdr,wsp,p06,p12,q06,t06_1,t06_2,cig,vis,sky,gst,station,txn,xnd,tsd'.split(
    ',',
  );

/** A line of the archive, all values as numbers; undefined is blank. */
type Row = Record<string, string | number | undefined>;

function rowAt(model: Model, { station_id }: StationPlace, run_ms: number, valid_ms: number): Row {
  const extreme = extremeAt(model, station_id, run_ms, valid_ms);
  const time = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  return {
    runtime: time(run_ms),
    ftime: time(valid_ms),
    model,
    [run_ms < TXN_SINCE ? 'n_x' : 'txn']: extreme,
    xnd: run_ms < TXN_SINCE || extreme === undefined ? undefined : SPREAD_F,
    tmp: 55,
    dpt: 50,
    wdr: 210,
    wsp: 6,
    p06: chanceAt(run_ms, valid_ms, 6),
    p12: chanceAt(run_ms, valid_ms, 12),
    cig: -88,
    vis: 100,
    sky: 70,
    gst: 12,
    station: station_id,
  };
}

/** The chance of so many hours: as many percent, of each window of 00Z, 06Z and so on that begins after the run. */
const chanceAt = (run_ms: number, valid_ms: number, hours: number): number | undefined =>
  valid_ms % (hours * HOUR_MS) === 0 && valid_ms - hours * HOUR_MS >= run_ms ? hours : undefined;

/** Where both have a value the one of NBE is a degree more: a collector takes that of NBS. */
function extremeAt(model: Model, station_id: string, run_ms: number, valid_ms: number): number | undefined {
  if (!isWithin(model, run_ms, valid_ms)) return undefined;
  const date = new Date(valid_ms - 12 * HOUR_MS).toISOString().slice(0, 10);
  const isHigh = valid_ms === maximumAt(date);
  if (!isHigh && valid_ms !== minimumAt(new Date(valid_ms).toISOString().slice(0, 10))) return undefined;
  const target = isHigh ? date : new Date(valid_ms).toISOString().slice(0, 10);
  const { high_f, low_f } = forecastOf('nbm', station_id, run_ms + ISSUED_AFTER_MS, target);
  const other = model === 'NBE' && isWithin('NBS', run_ms, valid_ms) ? 1 : 0;
  return (isHigh ? high_f : low_f) + other;
}

/** As pandas writes a table: columns without any value are left out, and those with a gap are of floats. */
function csv(rows: readonly Row[]): string {
  const columns = COLUMNS.filter((name) => rows.length === 0 || rows.some((row) => row[name] !== undefined));
  const withGaps = new Set(columns.filter((name) => rows.some((row) => row[name] === undefined)));
  const cell = (name: string, value: string | number | undefined): string =>
    value === undefined
      ? ''
      : typeof value === 'number' && withGaps.has(name)
        ? value.toFixed(1)
        : `${value}`;
  return [columns, ...rows.map((row) => columns.map((name) => cell(name, row[name])))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');
}

/** The archive of model output of IEM: NBS every 3 hours, NBE every 12. */
export const iemNbm: StubSource = (url, now_ms, places, lateness) => {
  if (url.pathname !== '/cgi-bin/request/mos.py') return undefined;
  const asked = (name: string): string => url.searchParams.get(name) ?? '';
  const model = asked('model') === 'NBE' ? 'NBE' : 'NBS';
  const place = places.find((one) => one.station_id === asked('station') && one.wfo !== '');
  // Both bounds are inclusive.
  const span = { from_ms: Date.parse(asked('sts')), to_ms: Date.parse(asked('ets')) + 1 };
  const runs = place === undefined ? [] : runsOf(span, now_ms, place.station_id, lateness);
  const rows = runs
    .filter((run) => model === 'NBS' || run >= NBE_SINCE)
    .flatMap((run) => {
      const step = (model === 'NBS' ? 3 : 12) * HOUR_MS;
      const [begin, end] = [run + (model === 'NBS' ? 5 : 24) * HOUR_MS, run + REACH[model].last * HOUR_MS];
      const first = Math.ceil(begin / step) * step;
      const times = Array.from(
        { length: Math.floor((end - first) / step) + 1 },
        (_, at) => first + at * step,
      );
      return place === undefined ? [] : times.map((valid) => rowAt(model, place, run, valid));
    });
  return { status: 200, body: csv(rows), headers: { 'content-type': 'text/plain' } };
};
