import { addDays, dateAt, DAY_MS, HOUR_MS } from '../../../../src/statistics/time/calendar.js';
import type { FeedLine, Span, StationPlace } from '../../../../src/collect/source.js';
import { forecastOf, hashed, type StubPlace, type StubSource, USUAL } from '../world.js';

// The probabilistic text of the National Blend, one for all stations. A run of 13Z is there 75 minutes after its hour. Its
// first column is the minimum 23 hours ahead, its last the maximum 227 hours ahead.

const ISSUED_AFTER_MS = 75 * 60_000;
const AHEAD_HOURS = Array.from({ length: 18 }, (_, at) => 23 + 12 * at);
/** The probabilities of the quantiles by their rows, and how many standard deviations from the mean each is. */
const QUANTILES: readonly (readonly [row: string, column: string, times: number])[] = [
  ['TXNP1', 'p10', -1.28],
  ['TXNP2', 'p25', -0.67],
  ['TXNP5', 'p50', 0],
  ['TXNP7', 'p75', 0.67],
  ['TXNP9', 'p90', 1.28],
];

type Kind = 'high' | 'low';

/** The values of an extreme, by row: the mean is the forecast of the world, its standard deviation 1 to 5. */
function valuesOf(station_id: string, issued_ms: number, date: string, kind: Kind): Record<string, number> {
  const mean = forecastOf('nbp', station_id, issued_ms, date)[`${kind}_f`];
  const spread = 1 + Math.floor(5 * hashed(`nbp ${station_id} ${issued_ms} ${date} ${kind}`));
  const quantiles = QUANTILES.map(([row, , times]) => [row, mean + Math.round(times * spread)] as const);
  return { TXNMN: mean, TXNSD: spread, ...Object.fromEntries(quantiles) };
}

/** The extreme of a column, in the Americas. */
function extremeOf(valid_ms: number): { kind: Kind; date: string } {
  const isMaximum = valid_ms % DAY_MS === 0;
  const date = dateAt(valid_ms);
  return isMaximum ? { kind: 'high', date: addDays(date, -1) } : { kind: 'low', date };
}

/** The rows that a collector must make of the runs of a span. */
export function nbpForecasts({ station_id }: StationPlace, { from_ms, to_ms }: Span): FeedLine[] {
  const first = Math.floor(from_ms / DAY_MS) * DAY_MS + 13 * HOUR_MS;
  const runs = Array.from(
    { length: Math.ceil((to_ms - from_ms) / DAY_MS) + 1 },
    (_, at) => first + at * DAY_MS,
  );
  return runs
    .filter((run) => run >= from_ms && run < to_ms)
    .flatMap((run) => {
      const issued_ms = run + ISSUED_AFTER_MS;
      const dates = new Set(AHEAD_HOURS.map((ahead) => extremeOf(run + ahead * HOUR_MS).date));
      return [...dates].map((target_date) => {
        const cells = (kind: Kind): FeedLine => {
          const values = valuesOf(station_id, issued_ms, target_date, kind);
          return {
            [`${kind}_f`]: `${values.TXNMN}`,
            [`${kind}_sd_f`]: `${values.TXNSD}`,
            ...Object.fromEntries(QUANTILES.map(([row, name]) => [`${kind}_${name}_f`, `${values[row]}`])),
          };
        };
        const issued_at = `${new Date(issued_ms).toISOString().slice(0, 19)}Z`;
        return {
          ...{ station_id, issued_at, target_date, ...cells('high'), ...cells('low') },
          provider: 'nbp',
        };
      });
    });
}

/** A row of the text; a day's columns are parted from those of the next by a bar. */
const rowOf = (name: string, cells: readonly string[], run_ms: number): string =>
  ` ${name.padEnd(5)}` +
  cells
    .map((cell, at) => {
      const isFirstOfDay = (run_ms + (AHEAD_HOURS[at] ?? 0) * HOUR_MS) % DAY_MS === 0;
      return `${isFirstOfDay ? '|' : ' '}${cell.padStart(3)}`;
    })
    .join('');

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const dayOf = (ms: number): string =>
  ` ${DAYS[new Date(ms).getUTCDay()]} ${`${new Date(ms).getUTCDate()}`.padStart(2, '0')}`;

/** The part of a station. */
function nbpPart(station_id: string, run_ms: number): string {
  const issued_ms = run_ms + ISSUED_AFTER_MS;
  const run = new Date(run_ms);
  const [date, hour] = [
    `${run.getUTCMonth() + 1}/${`${run.getUTCDate()}`.padStart(2, '0')}/${run.getUTCFullYear()}`,
    `${run.getUTCHours()}`.padStart(2, '0'),
  ];
  const valid = AHEAD_HOURS.map((ahead) => run_ms + ahead * HOUR_MS);
  const columns = valid.map((valid_ms) => {
    const extreme = extremeOf(valid_ms);
    return valuesOf(station_id, issued_ms, extreme.date, extreme.kind);
  });
  const rows: [string, string[]][] = [
    ['UTC', valid.map((valid_ms) => new Date(valid_ms).toISOString().slice(11, 13))],
    ['FHR', AHEAD_HOURS.map(String)],
    ...['TXNMN', 'TXNSD', ...QUANTILES.map(([row]) => row)].map((name): [string, string[]] => [
      name,
      columns.map((values) => `${values[name]}`),
    ]),
    ['WSPP5', valid.map(() => '7')],
    ['Q24P9', valid.map(() => '101')],
  ];
  return [
    ` ${station_id.padEnd(7)} NBM V5.0 NBP GUIDANCE    ${date}  ${hour}00 UTC`,
    `   ${[...new Set(valid.map(dayOf))].join('|')}| `,
    ...rows.map(([name, cells]) => rowOf(name, cells, run_ms)),
    ' '.repeat(74),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

const NO_SUCH_KEY =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>';

/** NOAA's archive of the blend: a text stands under the date and hour of its run. */
export const noaaNbp: StubSource = (url, now_ms, places, lateness = USUAL) => {
  const [, year, month, day, hour] =
    /^\/blend\.(\d{4})(\d\d)(\d\d)\/(\d\d)\/text\/blend_nbptx\.t\4z$/.exec(url.pathname) ?? [];
  if (year === undefined) return undefined;
  const run_ms = Date.parse(`${year}-${month}-${day}T${hour}:00Z`);
  const there_ms = run_ms + ISSUED_AFTER_MS + lateness('noaa-nbp', '', run_ms);
  if (there_ms > now_ms) return { status: 404, body: NO_SUCH_KEY };
  // Sites without an airport come first, under numbers.
  const stations = [
    '086092',
    ...places.filter(({ wfo }: StubPlace) => wfo !== '').map((one) => one.station_id),
  ];
  const parts = [...stations.sort(), 'PTKK'].map((id) => nbpPart(id, run_ms));
  return { status: 200, body: ['1\n', `${' '.repeat(74)}\n`, ...parts].join('') };
};
