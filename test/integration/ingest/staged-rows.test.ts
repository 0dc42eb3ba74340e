import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import {
  DISTRIBUTIONS,
  getRequiredNames,
  getColumnNames,
  VALUE_FEEDS,
  type ValueFeed,
} from '../../../src/feeds/feeds.js';
import type { StationFact } from '../../../src/feeds/stations.js';
import { type Cells, makeReader } from '../../../src/ingest/read/feed-rows.js';
import { LoadClock } from '../../../src/ingest/read/load-clock.js';
import { readFeed } from '../../../src/ingest/read/read.js';
import { Rejection } from '../../../src/feeds/values.js';
import { stageFeeds } from '../../../src/ingest/stage/stage.js';
import { clearStaging, stagedBy } from '../../../src/ingest/stage/staging-tables.js';
import { raw, sql } from '../../../src/queries/sql.js';
import type { Store } from '../../../src/store/store.js';
import { itInCi, range } from '../../support/runner/range.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';
import { words } from '../../support/words.js';

// No other test holds that staging has each value as it was judged: at the ends of its range, and in each form of its column.

const LOAD_ID = 7;
const known = new Map(
  ['KORD', 'EGLL', 'X1234567'].map((id) => [
    id,
    {
      station_id: id,
      timezone: 'Europe/London',
      day_boundary: 'civil',
      reported_in: '',
      aliases: [] as string[],
    } as StationFact,
  ]),
);
const NOW = new Date('2150-01-01T00:00:00Z');

/** The values of a row, as text. */
const OF_HOURS = words('dew_point humidity cloud_cover wind_speed wind_gust wet_12h wet_6h');
const STAGED = {
  forecasts: `metric, provider, station_id, target_date, issued_at, if(withdrawn, 'withdrawn', toString(forecast))`,
  observations: `metric, station_id, target_date, observation_status, observed_at, if(withdrawn, 'withdrawn', toString(actual))`,
  normals: `metric, station_id, month_day, if(withdrawn, 'withdrawn', toString(normal))`,
  hours: `station_id, at, if(withdrawn, 'withdrawn', concat_ws(' ', ${words(
    'temp_f max_6h_f min_6h_f precip_in',
  )
    .map((name) => `ifNull(toString(reading.${name}), '-')`)
    .join()}, reading.sky, reading.status, ${OF_HOURS.map(
    (name) => `if(mapContains(reading.others, '${name}'), toString(reading.others['${name}']), '-')`,
  ).join()}))`,
  hourly_forecasts: `metric, provider, station_id, valid_at, issued_at, if(withdrawn, 'withdrawn', toString(forecast))`,
};
const STATES = words('dew_point_f humidity_pct cloud_pct wind_kt gust_kt');
const byVariable = (columns: readonly string[]): Record<string, string> =>
  Object.fromEntries(columns.map((column, at) => [OF_HOURS[at]!, column]));
const CHANCES = words('precip_chance_12h precip_chance_6h');
const OF_DAYS = {
  precip: 'precip_in',
  snowfall: 'snow_in',
  max_wind: 'max_wind_kt',
  max_gust: 'max_gust_kt',
};
/** The distribution of a row is a value of its own. */
const DISTRIBUTION = `metric, provider, station_id, target_date, issued_at, if(withdrawn, '[]', toString(distribution))`;

const stagedRow = z.object({ fact: z.string(), row_number: z.number(), load_id: z.number() });

/** Texts of good cells by column; those of quantiles are in order with any of their levels. */
const instants = words(
  '1970-01-01T00:00Z 2149-12-31T23:59:59.999Z 2025-02-28T23:30:00.5-06:00 2025-06-30T12:00:00Z',
);
const dates = words('1970-01-01 2149-06-06 2024-02-29 2025-07-01');
const degrees = ['', ...words('-130 140 0 -0.004 71.235 -71.235 99.99 31')];
const amounts = ['', ...words('0 50 49.995 1.005 0.01')];
const percents = ['', ...words('0 100 33.335 0.004 70')];
/** The columns of the values of a feed, by variable. */
const COLUMNS: Record<ValueFeed, Record<string, string>> = {
  forecasts: { high: 'high_f', low: 'low_f', wet_day: 'precip_chance', ...OF_DAYS },
  observations: { high: 'high_f', low: 'low_f', wet_day: 'precip_in', ...OF_DAYS },
  normals: { high: 'high_f', low: 'low_f' },
  hours: byVariable([...STATES, 'precip_12h_in', 'precip_6h_in']),
  hourly_forecasts: {
    temperature: 'temp_f',
    ...byVariable([...STATES, ...CHANCES]),
    wet_1h: 'precip_chance_1h',
  },
};
const TEXTS: Record<string, readonly string[]> = {
  station_id: ['KORD', 'egll', 'X1234567'],
  issued_at: instants,
  at: instants,
  valid_at: words('1970-01-01T00:00Z 2149-12-31T23:00:00Z 2025-02-28T23:00:00-06:00 2025-06-30T17:30+05:30'),
  observed_at: ['2149-06-07T00:00Z', '2149-12-31T23:59:59.999Z'],
  target_date: dates,
  date: dates,
  month_day: words('02-29 01-01 12-31'),
  high_f: degrees,
  low_f: degrees,
  temp_f: degrees,
  max_6h_f: degrees,
  min_6h_f: degrees,
  high_sd_f: amounts,
  low_sd_f: amounts,
  ...Object.fromEntries(words('precip_in precip_6h_in precip_12h_in').map((name) => [name, amounts])),
  precip_hours: ['', '1'], // 6 and 12: test/unit/ingest/feeds.test.ts
  precip_chance: percents,
  ...Object.fromEntries([...CHANCES, 'precip_chance_1h'].map((name) => [name, percents])),
  humidity_pct: percents,
  cloud_pct: percents,
  snow_in: amounts,
  dew_point_f: degrees,
  ...Object.fromEntries(words('wind_kt gust_kt max_wind_kt max_gust_kt').map((name) => [name, amounts])),
  sky: ['', 'CLR', 'vv'],
  status: ['preliminary', 'verified'],
  provider: ['', '0', 'gfs-mos', 'a'.repeat(32)],
  withdrawn: ['', '', '', 'false', 'true'],
};
for (const { columns } of DISTRIBUTIONS)
  for (const { name, level } of columns) if (level !== undefined) TEXTS[name] = ['', `${level / 2 - 19.75}`];

/** A file of good rows, with all columns of its feed, in any order. */
function feedFile(feed: ValueFeed): fc.Arbitrary<string> {
  const columns = getColumnNames(feed).filter((column) => column !== 'member');
  return fc.shuffledSubarray([...columns], { minLength: columns.length }).chain((names) => {
    const row = fc.tuple(...names.map((name) => fc.constantFrom(...TEXTS[name]!)));
    return fc
      .array(row, { minLength: 300, maxLength: 300 })
      .map((rows) => [names, ...rows].map((cells) => cells.join()).join('\n'));
  });
}

/** The values of a row, in the words of STAGED. */
function factsOf(feed: ValueFeed, cells: Cells): string[] {
  const isWithdrawn = cells.withdrawn === 'true';
  if (feed === 'hours') {
    const { temp_f, max_6h_f, min_6h_f, precip_in, sky = '', status = '' } = cells;
    const textOf = (cell = ''): string => (cell === '' ? '-' : `${Number(cell)}`);
    const values = [temp_f, max_6h_f, min_6h_f, precip_in].map(textOf);
    const others = Object.values(COLUMNS.hours).map((column) => textOf(cells[column]));
    if (!isWithdrawn && sky === '' && [...values, ...others].every((value) => value === '-')) return [];
    const said = isWithdrawn ? ['withdrawn'] : [...values, sky, status, ...others];
    return [[cells.station_id, cells.at, ...said].join(' ')];
  }
  const ofVariables = Object.entries(COLUMNS[feed]).sort(([one], [other]) => (one < other ? -1 : 1));
  return ofVariables.flatMap(([metric, column]) => {
    const cell = cells[column] ?? '';
    if (cell === '' && !isWithdrawn) return [];
    const value = isWithdrawn ? 'withdrawn' : `${Number(cell)}`;
    const { station_id, date, status, observed_at, month_day, target_date, issued_at, valid_at } = cells;
    if (feed === 'observations') return [[metric, station_id, date, status, observed_at, value].join(' ')];
    if (feed === 'normals') return [[metric, station_id, month_day, value].join(' ')];
    const provider = (cells.provider ?? '') === '' ? 'default' : cells.provider;
    if (feed === 'hourly_forecasts')
      return [[metric, provider, station_id, valid_at, issued_at, value].join(' ')];
    const { columns = [] } = DISTRIBUTIONS.find(({ temperature }) => temperature === `${metric}_f`) ?? {};
    const levels = columns.flatMap(({ name, level = 0 }) =>
      cells[name] && !isWithdrawn ? [`(${level},${Number(cells[name])})`] : [],
    );
    const key = [metric, provider, station_id, target_date, issued_at].join(' ');
    return [`${key} ${value}`, ...(levels.length > 0 || isWithdrawn ? [`${key} [${levels.join()}]`] : [])];
  });
}

describe('rows in staging', () => {
  let store: Store;
  const file = join(temporaryFolder(), 'feed.csv');

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  /** The values of the rows of a feed, as each is judged by itself; a row that is rejected says nothing. */
  const judged = async (feed: ValueFeed): Promise<string[]> => {
    const context = { station: (id: string) => known.get(id), clock: new LoadClock(NOW), warn: () => {} };
    const facts: string[] = [];
    for await (const records of readFeed(feed, file))
      for (const record of records) {
        if ('rejection' in record) throw record.rejection;
        try {
          facts.push(...factsOf(feed, makeReader(feed, Object.keys(record.row))(record.row, context)));
        } catch (error) {
          if (!(error instanceof Rejection)) throw error; // a distribution without its temperature
        }
      }
    return facts;
  };
  const staged = async (feed: ValueFeed) => {
    await clearStaging(store);
    await stageFeeds(store, { [feed]: [file] }, known, LOAD_ID, { now: NOW });
    const facts = feed === 'forecasts' ? (['forecasts', 'distributions'] as const) : [feed];
    const rows = await store.query(
      sql.rows(stagedRow)`SELECT * FROM (${facts
        .map(
          (name, at) =>
            sql`SELECT concat_ws(' ', ${raw(name === 'distributions' ? DISTRIBUTION : STAGED[name])}) AS fact, row_number, load_id, ${raw(name === 'hours' ? "''" : 'toString(metric)')} AS metric, ${raw(`${at}`)} AS nth FROM ${stagedBy(LOAD_ID, name)}`,
        )
        .reduce((all, next) => sql`${all} UNION ALL ${next}`)}) ORDER BY row_number, metric, nth`,
    );
    for (const { load_id } of rows) expect(load_id).to.equal(LOAD_ID);
    return rows;
  };

  for (const feed of VALUE_FEEDS) {
    it(`given good cells of ${feed} in each form, then the engine has the values that were judged`, async () => {
      await fc.assert(
        fc.asyncProperty(feedFile(feed), async (text) => {
          writeFileSync(file, text);
          const expected = await judged(feed);
          expect(expected).to.have.length.above(100);
          expect((await staged(feed)).map(({ fact }) => fact)).to.deep.equal(expected);
        }),
        { numRuns: range({ test: 2, ci: 8, stress: 200 }), endOnFailure: true },
      );
    });
  }

  itInCi('given more rows than go to the engine at once, then each has its number', async () => {
    const rowCount = 120_000;
    const lines = Array.from(
      { length: rowCount },
      (_, at) => `KORD,2025-01-01T00:00:00Z,2025-01-02,${at % 100},`,
    );
    writeFileSync(file, [getRequiredNames('forecasts').join(), ...lines].join('\n'));
    const rows = await staged('forecasts');
    expect(rows).to.have.lengthOf(rowCount);
    expect(
      rows.every(({ row_number, fact }, at) => row_number === at + 2 && fact.endsWith(` ${at % 100}`)),
    ).to.equal(true);
  });
});
