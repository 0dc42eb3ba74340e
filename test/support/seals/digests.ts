import { createHash } from 'node:crypto';
import { z } from 'zod';
import { raw, sql } from '../../../src/queries/sql.js';
import type { Store } from '../../../src/store/store.js';

// The digests of docs/seals.md by other code than the service's: rows of tables as JSON, lines and hashes in JavaScript.

type Row = Record<string, unknown>;

const instant = (value: unknown): number => Date.parse(`${String(value).replace(' ', 'T')}Z`);
const hundredths = (value: unknown): number => Math.round(Number(value) * 100);
const texts = (row: Row, ...names: string[]): string[] => names.map((name) => String(row[name]));
/** RFC 3986: letters, digits and -_.~ stay. */
const encoded = (value: unknown): string =>
  encodeURIComponent(String(value)).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The values of a line before `withdrawn`, and the day of the row. */
const VALUES: Record<string, (row: Row) => { values: (string | number)[]; day: string }> = {
  forecasts: (row) => ({
    values: [
      ...texts(row, 'metric', 'provider', 'station_id'),
      instant(row.issued_at),
      hundredths(row.forecast),
    ],
    day: String(row.target_date),
  }),
  distributions: (row) => ({
    values: [
      ...texts(row, 'metric', 'provider', 'station_id'),
      instant(row.issued_at),
      (row.distribution as { level: number; value: number }[])
        .map(({ level, value }) => `${level}:${hundredths(value)}`)
        .join(';'),
    ],
    day: String(row.target_date),
  }),
  observations: (row) => ({
    values: [
      ...texts(row, 'metric', 'station_id', 'observation_status'),
      instant(row.observed_at),
      hundredths(row.actual),
    ],
    day: String(row.target_date),
  }),
  hourly_forecasts: (row) => ({
    values: [
      ...texts(row, 'metric', 'provider', 'station_id'),
      instant(row.valid_at),
      instant(row.issued_at),
      hundredths(row.forecast),
    ],
    day: String(row.valid_at).slice(0, 10),
  }),
  hours: (row) => {
    const reading = row.reading as Row;
    const { sky, status, others } = reading;
    return {
      values: [
        String(row.station_id),
        instant(row.at),
        ...['temp_f', 'max_6h_f', 'min_6h_f', 'precip_in'].map((name) =>
          reading[name] === null ? 'null' : hundredths(reading[name]),
        ),
        encoded(sky),
        String(status),
        Object.entries(others as Row)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, value]) => `${name}:${hundredths(value)}`)
          .join(';'),
      ],
      day: String(row.at).slice(0, 10),
    };
  },
  sealed_odds: (row) => ({
    values: [
      String(row.metric),
      encoded(row.provider),
      ...texts(row, 'station_id', 'lead_time_bucket'),
      instant(row.issued_at),
      String(row.unit),
      Number(row.data_version),
      (row.odds as { from: number | null; to: number | null; millionths: number }[])
        .map(({ from, to, millionths }) => `${from}:${to}:${millionths}`)
        .join(';'),
    ],
    day: String(row.target_date),
  }),
  normals: (row) => ({
    values: [...texts(row, 'metric', 'station_id', 'month_day'), hundredths(row.normal)],
    day: '',
  }),
  stations: (row) => ({
    values: [
      String(row.station_id),
      ...[row.city_name, row.country].map(encoded),
      Number(row.latitude),
      Number(row.longitude),
      ...[row.timezone, row.climate_zone].map(encoded),
      Number(row.data_active),
      (row.aliases as string[]).map(encoded).join(';'),
      ...[row.iata, row.day_boundary, row.reported_in].map(encoded),
    ],
    day: '',
  }),
};

export const TABLES = Object.keys(VALUES);

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** The rows of a table, with their load. */
export const readRows = (store: Store, table: string): Promise<Row[]> =>
  store.query(sql.rows(z.record(z.string(), z.unknown()))`SELECT * FROM ${raw(table)}`);

/** The line of a row. */
export const makeLine = (table: string, row: Row): string =>
  [...VALUES[table]!(row).values, Number(row.withdrawn)].join('|');

export const dayOfRow = (table: string, row: Row): string => VALUES[table]!(row).day;

export interface Month {
  feed: string;
  month: string;
  rows: number;
  root: string;
}

/** The months of lines, by feed. */
function makeMonths(lines: readonly { feed: string; day: string; line: string }[]): Month[] {
  const days = new Map<string, string[]>();
  for (const { feed, day, line } of lines)
    days.set(`${feed} ${day}`, [...(days.get(`${feed} ${day}`) ?? []), line]);
  const months = new Map<string, { rows: number; digests: Buffer[] }>();
  for (const [key, ofDay] of [...days].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [feed = '', day = ''] = key.split(' ');
    const name = `${feed} ${day === '' ? 'all' : day.slice(0, 7)}`;
    const month = months.get(name) ?? { rows: 0, digests: [] };
    months.set(name, month);
    month.rows += ofDay.length;
    month.digests.push(Buffer.from(day), sha256(ofDay.sort().join('\n')));
  }
  return [...months].map(([name, { rows, digests }]) => {
    const [feed = '', month = ''] = name.split(' ');
    return { feed, month, rows, root: sha256(Buffer.concat(digests)).toString('hex') };
  });
}

/** The months of the rows of these loads. */
export async function monthsOfLoads(store: Store, isAdded: (loadId: number) => boolean): Promise<Month[]> {
  const lines: { feed: string; day: string; line: string }[] = [];
  for (const feed of TABLES) {
    for (const row of await readRows(store, feed))
      if (isAdded(Number(row.load_id)))
        lines.push({ feed, day: dayOfRow(feed, row), line: makeLine(feed, row) });
  }
  return makeMonths(lines);
}
