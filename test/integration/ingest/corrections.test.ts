import { basename } from 'node:path';
import { expect } from 'chai';
import { z } from 'zod';
import { audit } from '../../../src/ingest/audit.js';
import type { LoadReport } from '../../../src/ingest/load-report.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { until } from '../../support/process.js';
import { openTestStore } from '../../support/store.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { describeInCi } from '../../support/runner/range.js';

// Effects of later rows and later loads on the pairs of a station. Each case has a station of its own, so that a few loads
// hold all of them; the ledger keeps what every load did.

/** The rows of one load about a station, and those that it adds to the ledger. */
interface Said {
  /** The feed, the cells behind the station_id (of a station: zone, boundary of its days, withdrawn), and what becomes of the row. */
  rows: string[];
  ledger: string[];
}

const FEEDS = ['stations', 'forecasts', 'observations'] as const;
type Feed = (typeof FEEDS)[number];

const CHICAGO = 'stations America/Chicago,,';
const EVENING = '2026-01-04T18:00:00Z,2026-01-05';
const MIDNIGHT = '2026-01-05T00:00:00Z,2026-01-05';
const EARLY = 'preliminary,2026-01-06T06:00:00Z,';
const VERIFIED = 'verified,2026-01-08T06:00:00Z,';
const FORECAST = `forecasts ${EVENING},31,,,`;

const said = (rows: string[], ...ledger: string[]): Said => ({ rows, ledger });
/** A station comes, by default with a forecast of 31 on the evening before and 30 observed. */
const first = (rows: string[], ...ledger: string[]): Said => said([`${CHICAGO} -> new`, ...rows], ...ledger);
const FORECAST_COMES = `${FORECAST} -> new`;
const OBSERVED = `observations 2026-01-05,30,,${EARLY} -> new`;
const STANDS = '+ high 12-24h 31 - 30 preliminary';
const GOES = '- high 12-24h 31 - 30 preliminary';
const FIRST = first([FORECAST_COMES, OBSERVED], STANDS);
const FIRST_VERIFIED = first(
  [FORECAST_COMES, `observations 2026-01-05,30,,${VERIFIED} -> new`],
  '+ high 12-24h 31 - 30 verified',
);

const CASES: [what: string, ...loads: Said[]][] = [
  [
    'given a preliminary value, when the verified one is the same, then a verified pair replaces the preliminary one',
    FIRST,
    said([`observations 2026-01-05,30,,${VERIFIED} -> new`], GOES, '+ high 12-24h 31 - 30 verified'),
  ],
  [
    'given a verified value, when a preliminary one comes, however late, or a blank verified one, then the pair stays',
    FIRST_VERIFIED,
    said([
      'observations 2026-01-05,99,,preliminary,2026-02-01T06:00:00Z, -> new',
      'observations 2026-01-05,,,verified,2026-02-02T06:00:00Z, -> unchanged',
    ]),
  ],
  [
    'given two verified values observed at the same time, when the first is loaded again, then the latest load wins',
    FIRST_VERIFIED,
    said(
      [`observations 2026-01-05,29,,${VERIFIED} -> corrected`],
      '- high 12-24h 31 - 30 verified',
      '+ high 12-24h 31 - 29 verified',
    ),
    said(
      [`observations 2026-01-05,30,,${VERIFIED} -> corrected`],
      '- high 12-24h 31 - 29 verified',
      '+ high 12-24h 31 - 30 verified',
    ),
  ],
  [
    'given a preliminary value, when one comes that was observed earlier, then the later observation stands',
    FIRST,
    said(['observations 2026-01-05,29,,preliminary,2026-01-05T23:00:00Z, -> new']),
  ],
  [
    'given preliminary values, when the verified row has a blank low, then the preliminary low stands beside the verified high',
    first(
      [`forecasts ${EVENING},31,18,, -> new`, `observations 2026-01-05,30,17,${EARLY} -> new`],
      STANDS,
      '+ low 12-24h 18 - 17 preliminary',
    ),
    said([`observations 2026-01-05,30.25,,${VERIFIED} -> new`], GOES, '+ high 12-24h 31 - 30.25 verified'),
  ],
  [
    'given a forecast that is corrected, when it is corrected back, then the latest load counts',
    FIRST,
    said([`forecasts ${EVENING},35,,, -> corrected`], GOES, '+ high 12-24h 35 - 30 preliminary'),
    said([`${FORECAST} -> corrected`], '- high 12-24h 35 - 30 preliminary', STANDS),
  ],
  [
    'given a row that corrects one value and adds another, then it counts once, as corrected',
    first([FORECAST_COMES, `observations 2026-01-05,30,17,${EARLY} -> new`], STANDS),
    said(
      [`forecasts ${EVENING},32,20,, -> corrected`],
      GOES,
      '+ high 12-24h 32 - 30 preliminary',
      '+ low 12-24h 20 - 17 preliminary',
    ),
  ],
  [
    'given rows with blanks, with the instant in another offset, or with the number written otherwise, then they are unchanged',
    FIRST,
    said([
      `forecasts ${EVENING},,,, -> unchanged`,
      'forecasts 2026-01-04T12:00:00-06:00,2026-01-05,+31.00,,default,false -> unchanged',
      `observations 2026-01-05,,,${EARLY} -> unchanged`,
    ]),
  ],
  [
    'given rows of one key in a file with other values, then the last one wins, and the others are contradicted',
    first(
      [
        `forecasts ${EVENING},40,,, -> unchanged contradicted`,
        `forecasts ${EVENING},41,,, -> unchanged contradicted`,
        `forecasts ${EVENING},42,,, -> new`,
        `observations 2026-01-05,30,,${VERIFIED} -> unchanged contradicted`,
        `observations 2026-01-05,31,,${VERIFIED} -> new`,
      ],
      '+ high 12-24h 42 - 31 verified',
    ),
  ],
  [
    'given rows of one key with the same value, or with a blank later, then none is contradicted, and the value stays',
    first(
      [
        `forecasts ${EVENING},31,18,, -> new`,
        `forecasts ${EVENING},31.00,,, -> new`,
        `forecasts ${MIDNIGHT},32,,, -> new`,
        `forecasts ${MIDNIGHT},,,, -> unchanged`,
        OBSERVED,
      ],
      STANDS,
      '+ high 6-12h 32 - 30 preliminary',
    ),
  ],
  [
    'given a row of which a later one contradicts one value, then the other counts, and the row is new and contradicted',
    first(
      [
        `forecasts ${EVENING},40,20,, -> new contradicted`,
        FORECAST_COMES,
        `observations 2026-01-05,30,17,${EARLY} -> new`,
      ],
      STANDS,
      '+ low 12-24h 20 - 17 preliminary',
    ),
  ],
  [
    'given observations, when their forecasts come after them, then the pairs are the same',
    first([OBSERVED]),
    said([FORECAST_COMES], STANDS),
  ],
  [
    'given forecasts that name providers, then each has its own pairs, and a blank one is the default',
    first(
      [
        `forecasts ${EVENING},31,,nws, -> new`,
        `forecasts ${EVENING},32,,, -> new`,
        `forecasts ${EVENING},33,,gfs,false -> new`,
        OBSERVED,
      ],
      '+ high 12-24h 32 - 30 preliminary',
      '+ high 12-24h 33 - 30 preliminary of gfs',
      '+ high 12-24h 31 - 30 preliminary of nws',
    ),
  ],
  [
    'given a forecast that is withdrawn by its key alone, then its pair goes, and comes back when it is loaded again',
    FIRST,
    said([`forecasts ${EVENING},,,,true -> corrected`], GOES),
    said([FORECAST_COMES], STANDS),
  ],
  [
    'given a verified observation that is withdrawn, then the preliminary one stands again',
    first(
      [FORECAST_COMES, OBSERVED, `observations 2026-01-05,29,,${VERIFIED} -> new`],
      '+ high 12-24h 31 - 29 verified',
    ),
    said(
      [`observations 2026-01-05,,,${VERIFIED}true -> corrected`],
      '- high 12-24h 31 - 29 verified',
      STANDS,
    ),
  ],
  [
    'given a row that withdraws a value, when a later one of the load gives it again, then it stands, and that is told',
    FIRST,
    said([`forecasts ${EVENING},,,,true -> unchanged contradicted`, `${FORECAST} -> unchanged`]),
  ],
  [
    'given a station that moves to another zone and back, then the bucket of its pair goes with it',
    FIRST,
    said(
      ['stations America/New_York,, -> corrected', `forecasts ${MIDNIGHT},33,,, -> new`],
      GOES,
      '+ high 6-12h 31 - 30 preliminary',
      '+ high 0-6h 33 - 30 preliminary',
    ),
    said(
      [`${CHICAGO} -> corrected`],
      '- high 6-12h 31 - 30 preliminary',
      STANDS,
      '- high 0-6h 33 - 30 preliminary',
      '+ high 6-12h 33 - 30 preliminary',
    ),
  ],
  [
    'given another zone that lets the day begin before the forecast, then its pair moves to a bucket of its own, and comes back with the old zone',
    first([`forecasts ${MIDNIGHT},31,,, -> new`, OBSERVED], '+ high 6-12h 31 - 30 preliminary'),
    said(
      ['stations Asia/Kathmandu,, -> corrected'],
      '- high 6-12h 31 - 30 preliminary',
      '+ high same-day 31 - 30 preliminary',
    ),
    said(
      [`${CHICAGO} -> corrected`],
      '- high same-day 31 - 30 preliminary',
      '+ high 6-12h 31 - 30 preliminary',
    ),
  ],
  [
    'given a station that begins to count its days in standard time, then its lead times change in summer',
    first(
      [
        'forecasts 2026-07-04T05:30:00Z,2026-07-05,90,,, -> new',
        'forecasts 2026-07-04T23:30:00Z,2026-07-05,90,,, -> new',
        'observations 2026-07-05,88,,verified,2026-07-06T12:00:00Z, -> new',
      ],
      '+ high 12-24h 90 - 88 verified',
      '+ high 0-6h 90 - 88 verified',
    ),
    said(
      ['stations America/Chicago,standard, -> corrected'],
      '- high 12-24h 90 - 88 verified',
      '+ high 24-48h 90 - 88 verified',
      '- high 0-6h 90 - 88 verified',
      '+ high 6-12h 90 - 88 verified',
    ),
  ],
  [
    'given a station that is withdrawn by its id alone, also twice, then its pair goes, and comes back with its row',
    FIRST,
    said(['stations ,,true -> corrected', 'stations ,,true -> unchanged'], GOES),
    said([`${CHICAGO} -> corrected`], STANDS),
  ],
  [
    'given a station that comes several times in a file, then the last row wins, and the others are contradicted',
    FIRST,
    said([
      'stations Asia/Tokyo,, -> unchanged contradicted',
      'stations Asia/Kathmandu,, -> unchanged contradicted',
      `${CHICAGO} -> unchanged`,
    ]),
  ],
];

/** All rows of a feed in the load of a number: the station, its cells, and what becomes of the row. */
function rowsOf(number: number, feed: Feed): { id: string; cells: string; become: string }[] {
  return CASES.flatMap(([, ...loads], index) =>
    (loads[number]?.rows ?? []).flatMap((row) => {
      const [, of, cells = '', become = ''] = /^(\w+) (.*) -> (.+)$/.exec(row) ?? [];
      return of === feed ? [{ id: idOf(index), cells, become }] : [];
    }),
  );
}

const idOf = (index: number): string => `K${100 + index}`;

/** The lines of all cases in their load of a number. */
function linesOf(number: number) {
  const lines = (feed: Feed): string[] => rowsOf(number, feed).map(({ id, cells }) => `${id},${cells}`);
  return {
    columns: 'all' as const,
    stations: rowsOf(number, 'stations').map(({ id, cells }) => {
      const [zone = '', boundary = '', withdrawn = ''] = cells.split(',');
      const place = zone === '' ? ',,,,' : 'City,US,41.96,-87.93,';
      return `${id},${place}${zone},,${zone && 'true'},,,${boundary},${withdrawn}`;
    }),
    forecasts: lines('forecasts'),
    observations: lines('observations'),
  };
}

describeInCi('given stations with pairs, and loads that correct them', function () {
  let store: Store;
  const reports: LoadReport[] = [];
  let knownAfterFirst = '';

  before(async () => {
    store = await openTestStore();
    for (const number of [0, 1, 2]) {
      reports.push(await loadLines(store, linesOf(number)));
      if (number > 0) continue;
      const [latest] = await store.query(
        sql.rows(
          z.object({ recorded_at: z.string() }),
        )`SELECT toString(max(recorded_at)) AS recorded_at FROM pairs`,
      );
      knownAfterFirst = latest?.recorded_at ?? '';
      // The next load is of a later millisecond.
      const isLater = sql.rows(
        z.object({ is_later: z.number() }),
      )`SELECT now64(3) > max(recorded_at) AS is_later FROM pairs`;
      await until(async () => (await store.query(isLater))[0]?.is_later || undefined);
    }
  });
  after(() => store.close());

  /** The rows that a load added to the ledger of a station. */
  const ledger = async (index: number, load: number): Promise<string[]> => {
    const rows = await store.query(
      sql.rows(z.object({ line: z.string() }))`${raw(
        `SELECT concat(concat_ws(' ', if(sign > 0, '+', '-'), metric, lead_time_bucket, forecast, '-', actual, observation_status),
          if(provider = 'default', '', concat(' of ', provider))) AS line
      FROM pairs WHERE station_id = {id: String} AND load_id = {load: UInt32}
      ORDER BY metric, issued_at, provider, sign`,
        { id: idOf(index), load },
      )}`,
    );
    return rows.map(({ line }) => line);
  };

  for (const [index, [what, ...loads]] of CASES.entries()) {
    it(what, async () => {
      for (const [number, said] of loads.entries()) {
        expect(await ledger(index, number + 1), `load ${number + 1}`).to.deep.equal(said.ledger);
      }
    });
  }

  it('when each has ended, then its report adds up what became of its rows and of the pairs', () => {
    for (const [number, report] of reports.entries()) {
      for (const feed of FEEDS) {
        const rows = rowsOf(number, feed);
        const are = (fate: string): number => rows.filter(({ become }) => become.includes(fate)).length;
        expect(report.feeds[feed], `${feed} of load ${number + 1}`).to.include({
          rows_read: rows.length,
          rows_new: are('new'),
          rows_corrected: are('corrected'),
          rows_unchanged: are('unchanged'),
          rows_contradicted: are('contradicted'),
          rows_rejected: 0,
        });
      }
      const changes = CASES.flatMap(([, ...loads]) => loads[number]?.ledger.map((line) => line[0]) ?? []);
      expect(report).to.include({
        outcome: 'complete',
        pairs_added: changes.filter((sign) => sign === '+').length,
        pairs_withdrawn: changes.filter((sign) => sign === '-').length,
      });
    }
  });

  it('when rows are contradicted, then the first is told with its file and line', () => {
    const place = (number: number, feed: Feed): string => {
      const first = reports[number]?.feeds[feed].first_contradicted;
      return first ? `${basename(first.file)}: ${linesOf(number)[feed][first.line - 2]}` : 'none';
    };
    const id = (what: string): string => idOf(CASES.findIndex(([title]) => title.startsWith(what)));
    const one = id('given rows of one key in a file with other values');
    expect(place(0, 'forecasts')).to.equal(`forecasts.csv: ${one},${EVENING},40,,,`);
    expect(place(0, 'observations')).to.equal(`observations.csv: ${one},2026-01-05,30,,${VERIFIED}`);
    expect(place(1, 'stations')).to.match(
      new RegExp(`^stations\\.csv: ${id('given a station that comes several times')},.*Asia/Tokyo`),
    );
  });

  it('when the ledger is read up to the time before a correction, then it says what was known then', async () => {
    const [known] = await store.query(
      sql.rows(
        z.object({ rows: z.number(), first: z.number(), all: z.number() }),
      )`${raw(`SELECT (SELECT count() FROM pairs WHERE recorded_at <= toDateTime64('${knownAfterFirst}', 3, 'UTC')) AS rows,
        (SELECT count() FROM pairs WHERE load_id = 1) AS first, (SELECT count() FROM pairs) AS all`)}`,
    );
    expect(known?.rows).to.equal(known?.first);
    expect(known?.rows).to.be.below(known?.all ?? 0);
  });

  it('when all have ended, then an audit finds nothing, and no work is left over', async () => {
    expect(await audit(store)).to.deep.equal([]);
    const [left] = await store.query(
      sql.rows(
        z.object({ rows: z.number() }),
      )`SELECT (SELECT count() FROM staged_stations) + (SELECT count() FROM staged_forecasts)
        + (SELECT count() FROM staged_observations) + (SELECT count() FROM unsettled) AS rows`,
    );
    expect(left).to.deep.equal({ rows: 0 });
  });

  it('when a station is corrected or withdrawn with a forecast for it, then its pairs stay, and it is told', async () => {
    const id = idOf(0);
    const renamed = await loadLines(store, {
      stations: [`${id},O’Hare,US,41.96,-87.93,America/Chicago,,true,,`],
    });
    expect(renamed.feeds.stations).to.include({ rows_corrected: 1 });
    expect(renamed).to.include({ pairs_added: 0, pairs_withdrawn: 0 });
    expect(renamed.notes).to.deep.equal([]);
    const moved = await loadLines(store, {
      stations: [`${id},O’Hare,US,41.96,-87.98,America/Chicago,,true,,`],
    });
    expect(moved.notes.map(({ feed, rows, first }) => [feed, rows, first.line, first.detail])).to.deep.equal([
      ['stations', 1, 2, `${id} to 41.96, -87.98, before at 41.96, -87.93`],
    ]);
    const names = 'SELECT city_name FROM current_stations WHERE station_id = {id: String}';
    expect(await store.query(sql.rows(z.unknown())`${raw(names, { id })}`)).to.deep.equal([
      { city_name: 'O’Hare' },
    ]);
    const { feeds, warnings } = await loadLines(store, {
      columns: 'all',
      stations: [`${id},,,,,,,,,,,true`, 'KZZZ,,,,,,,,,,,true'],
      forecasts: [`${id},2026-01-05T00:00:00Z,2026-01-06,33,,,`],
    });
    expect(feeds.stations).to.include({ rows_corrected: 1, rows_unchanged: 1 });
    expect(warnings.map(({ feed, reason, rows }) => [feed, reason, rows])).to.deep.equal([
      ['forecasts', 'station is withdrawn', 1],
    ]);
  });
});
