import { expect } from 'chai';
import { z } from 'zod';
import { audit } from '../../../src/ingest/audit.js';
import type { FeedName } from '../../../src/feeds/feeds.js';
import type { LoadReport } from '../../../src/ingest/load-report.js';
import type { LoadOptions } from '../../../src/ingest/load.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { FEEDS, rows, sizes } from '../../support/ingest/loads.js';
import { range } from '../../support/runner/range.js';
import { openWorld, resetTo, type World } from '../../support/worlds.js';

// Loads of what stands beside the pairs: normals, distributions, and reports within the day (D56). A load that dies at any
// of its writes: test/fault-injection/dying-loads.test.ts.

const OBSERVED: World = [{ stations: FEEDS.stations, observations: FEEDS.observations }];

/** The feed that brings each kind, and its rows that stand in a version of the data, a line each. */
const KINDS = {
  normals: {
    feed: 'normals',
    standing: `SELECT concat_ws(' ', station_id, month_day, metric, toString(argMax(normal, load_id))) AS line
      FROM normals
      WHERE load_id <= {version: UInt32}
      GROUP BY metric, station_id, month_day
      HAVING NOT argMax(withdrawn, load_id)
      ORDER BY station_id, month_day, metric`,
  },
  distributions: {
    feed: 'forecasts',
    standing: `SELECT concat_ws(' ', metric, formatDateTime(issued_at, '%FT%R'),
        arrayStringConcat(arrayMap(each -> concat_ws('=', each.level, each.value), argMax(distribution, load_id)), ' ')) AS line
      FROM distributions
      WHERE load_id <= {version: UInt32}
      GROUP BY metric, provider, station_id, target_date, issued_at
      HAVING NOT argMax(withdrawn, load_id)
      ORDER BY metric, issued_at`,
  },
  hours: {
    feed: 'hours',
    standing: `SELECT trimRight(concat_ws(' ', station_id, formatDateTime(at, '%FT%R'),
        arrayStringConcat(arrayMap(each -> ifNull(toString(each), '-'), [said.1, said.2, said.3, said.4]), ' '), said.5)) AS line
      FROM (
        SELECT station_id, at, argMax(reading, load_id) AS said
        FROM hours
        WHERE load_id <= {version: UInt32}
        GROUP BY station_id, at
        HAVING NOT argMax(withdrawn, load_id)
      )
      ORDER BY station_id, at`,
  },
} as const satisfies Record<string, { feed: FeedName; standing: string }>;
type Kind = keyof typeof KINDS;

/** A load: its lines, what becomes of its rows (and how many are contradicted, the first of them at line 2), and what stands then. */
interface Step {
  lines: readonly string[];
  become: readonly [rows_new: number, rows_corrected: number, rows_unchanged: number];
  contradicted?: number;
  /** As before, if not given: then no table grows. */
  standing?: readonly string[];
  unit?: 'celsius';
}

/** Some days of a year, a blank and a leap day among them. */
const NORMALS = ['KORD,01-05,32.1,18.4,', 'KORD,02-28,40,,', 'KORD,02-29,,25.55,', 'EGLL,01-05,46.9,36,'];
const ALL_NORMALS = [
  ...['EGLL 01-05 high 46.9', 'EGLL 01-05 low 36', 'KORD 01-05 high 32.1', 'KORD 01-05 low 18.4'],
  ...['KORD 02-28 high 40', 'KORD 02-29 low 25.55'],
];
const AT = '2026-01-04T18:00:00Z,2026-01-05';
/** Two issuances of Chicago: with standard deviations and quantiles of 5, 10, 20 and 25 %, and of the low alone. */
const DISTRIBUTIONS = [
  `KORD,${AT},31,18,nbm,,2,3.25,28,29.5,,29.5`,
  'KORD,2026-01-05T00:00:00Z,2026-01-05,32.5,19,nbm,,,1,,,,',
];
const WITHOUT = DISTRIBUTIONS.map((line) => line.replace(/nbm,.*/, 'nbm,,,,,,,'));
const ALL_DISTRIBUTIONS = [
  ...['high 2026-01-04T18:00 0=2 5=28 10=29.5 25=29.5', 'low 2026-01-04T18:00 0=3.25'],
  'low 2026-01-05T00:00 0=1',
];
const REPORTS = [
  'KORD,2026-01-05T17:51:00Z,30.2,31.1,24.08,0.02,OVC,',
  'KORD,2026-01-05T18:51:00Z,31,,,,bkn,',
  'EGLL,2026-01-05T11:20:00+01:00,41,,,,,',
];
const ALL_REPORTS = [
  'EGLL 2026-01-05T10:20 41 - - -',
  'KORD 2026-01-05T17:51 30.2 31.1 24.08 0.02 OVC',
  'KORD 2026-01-05T18:51 31 - - - BKN',
];

const CASES: readonly (readonly [what: string, kind: Kind, ...steps: Step[]])[] = [
  [
    'given normals, when they come again in another order, then corrections and withdrawals, then blanks say nothing, and versions before stay',
    'normals',
    { lines: NORMALS, become: [4, 0, 0], standing: ALL_NORMALS },
    { lines: [...NORMALS].reverse(), become: [0, 0, 4] },
    {
      lines: ['KORD,01-05,33,18.4,', 'KORD,02-28,,29,', 'EGLL,01-05,,,true', 'EGLL,07-01,,,true'],
      become: [1, 2, 1],
      standing: [
        ...['KORD 01-05 high 33', 'KORD 01-05 low 18.4', 'KORD 02-28 high 40', 'KORD 02-28 low 29'],
        'KORD 02-29 low 25.55',
      ],
    },
  ],
  [
    'given normals that contradict each other, then the later counts, and the first is told',
    'normals',
    {
      lines: ['KORD,07-04,84,66,', 'KORD,07-05,84,66,', 'KORD,07-04,85,66,'],
      become: [2, 0, 1],
      contradicted: 1,
      standing: ['high 85', 'low 66']
        .map((each) => `KORD 07-04 ${each}`)
        .concat('KORD 07-05 high 84', 'KORD 07-05 low 66'),
    },
  ],
  [
    'given distributions, when they come again in another order or are left out, then nothing is new; others correct, and versions before stay',
    'distributions',
    { lines: WITHOUT, become: [2, 0, 0], standing: [] },
    { lines: DISTRIBUTIONS, become: [2, 0, 0], standing: ALL_DISTRIBUTIONS },
    { lines: [...DISTRIBUTIONS].reverse(), become: [0, 0, 2] },
    { lines: WITHOUT, become: [0, 0, 2] },
    {
      lines: [`KORD,${AT},31,18,nbm,,2.5,3.25,28,29.5,,29.5`, DISTRIBUTIONS[1]!],
      become: [0, 1, 1],
      standing: ['high 2026-01-04T18:00 0=2.5 5=28 10=29.5 25=29.5', ...ALL_DISTRIBUTIONS.slice(1)],
    },
  ],
  [
    'given a distribution, when one of fewer levels comes, then it replaces all of it; one whose quantiles fall leaves the standard deviation',
    'distributions',
    { lines: DISTRIBUTIONS, become: [2, 0, 0], standing: ALL_DISTRIBUTIONS },
    {
      lines: [`KORD,${AT},31,18,nbm,,,3.25,28.5,,,`],
      become: [0, 1, 0],
      standing: ['high 2026-01-04T18:00 5=28.5', ...ALL_DISTRIBUTIONS.slice(1)],
    },
    {
      lines: [`KORD,${AT},31,18,nbm,,4,3.25,28.5,28,,`],
      become: [0, 1, 0],
      standing: ['high 2026-01-04T18:00 0=4', ...ALL_DISTRIBUTIONS.slice(1)],
    },
  ],
  [
    'given distributions, when their forecast is corrected, then they stay; when it is withdrawn, then they go, and do not come back with it',
    'distributions',
    { lines: DISTRIBUTIONS, become: [2, 0, 0], standing: ALL_DISTRIBUTIONS },
    { lines: [`KORD,${AT},33,18,nbm,,,,,,,`], become: [0, 1, 0], standing: ALL_DISTRIBUTIONS },
    { lines: [`KORD,${AT},,,nbm,true,,,,,,`], become: [0, 1, 0], standing: ALL_DISTRIBUTIONS.slice(2) },
    {
      lines: [`KORD,${AT},31,18,nbm,,,3,,,,`],
      become: [1, 0, 0],
      standing: ['low 2026-01-04T18:00 0=3', ALL_DISTRIBUTIONS[2]!],
    },
  ],
  [
    'given rows that contradict each other in a distribution alone, then the later counts, and the first is told',
    'distributions',
    {
      lines: [`KORD,${AT},31,18,nbm,,2,3.25,28,29.5,29.5,29.5`, ...DISTRIBUTIONS],
      become: [2, 0, 1],
      contradicted: 1,
      standing: ALL_DISTRIBUTIONS,
    },
  ],
  [
    'given distributions in °C, then standard deviations are kept as differences in °F, and quantiles as temperatures',
    'distributions',
    {
      lines: [`KORD,${AT},-0.5,-7.78,nbm,,1,2.5,-2,-1.5,,0`],
      become: [1, 0, 0],
      standing: ['high 2026-01-04T18:00 0=1.8 5=28.4 10=29.3 25=32', 'low 2026-01-04T18:00 0=4.5'],
      unit: 'celsius',
    },
  ],
  [
    'given reports, when they come again in another order or in °C, then nothing is new; one is replaced as a whole, and versions before stay',
    'hours',
    { lines: REPORTS, become: [3, 0, 0], standing: ALL_REPORTS },
    { lines: [...REPORTS].reverse(), become: [0, 0, 3] },
    { lines: ['KORD,2026-01-05T17:51Z,-1,-0.5,-4.4,0.02,OVC,'], become: [0, 0, 1], unit: 'celsius' },
    {
      lines: [
        'KORD,2026-01-05T17:51:00Z,30.2,,,,OVC,',
        'KORD,2026-01-05T18:51:00Z,,,,,,',
        'EGLL,2026-01-05T10:20:00Z,99,,,,,true',
        'EGLL,2026-01-05T12:20:00Z,,,,,,true',
      ],
      become: [0, 2, 2],
      standing: ['KORD 2026-01-05T17:51 30.2 - - - OVC', ALL_REPORTS[2]!],
    },
  ],
  [
    'given two reports of one instant, then the later counts, and the first is told',
    'hours',
    {
      lines: ['KORD,2026-01-05T17:51:00Z,30,,,,,', 'KORD,2026-01-05T17:51:00Z,31,,,,,'],
      become: [1, 0, 1],
      contradicted: 1,
      standing: ['KORD 2026-01-05T17:51 31 - - -'],
    },
  ],
];

/** Rows at fault: the line, and why it is rejected. */
const FAULTS: Record<Kind, readonly (readonly [line: string, reason: string])[]> = {
  normals: [
    ['KZZZ,01-05,30,20,', 'unknown station: KZZZ'],
    ['KORD,02-30,30,20,', 'bad month_day: "02-30" is not a day, MM-DD'],
    ['KORD,09-02,warm,20,', 'temperature is not a number: high_f="warm"'],
    ['KORD,09-03,30', 'missing column: low_f'],
  ],
  distributions: [
    [`KORD,${AT},31,18,nbm,,-1,,,,,`, 'standard deviation outside 0..50 °F: high_sd_f="-1"'],
    [`KORD,${AT},31,18,nbm,,,50.01,,,,`, 'standard deviation outside 0..50 °F: low_sd_f="50.01"'],
    [`KORD,${AT},31,,nbm,,,2,,,,`, 'distribution without its temperature: low_sd_f=2'],
    [`KORD,${AT},,18,nbm,,,,,30,,`, 'distribution without its temperature: high_p10_f=30'],
    [`KORD,${AT},31,18,nbm,,,,30,141,,`, 'temperature outside -130..140 °F: high_p10_f="141"'],
    [`KORD,${AT},31,18,nbm,,M,,,,,`, 'standard deviation is not a number: high_sd_f="M"'],
  ],
  hours: [
    ['KZZZ,2026-01-05T17:51:00Z,30,,,,,', 'unknown station: KZZZ'],
    [
      'KORD,2026-01-05T17:51:00,30,,,,,',
      'bad time: "2026-01-05T17:51:00" is not ISO 8601 with an offset or Z',
    ],
    ['KORD,2026-01-05T17:51:00Z,warm,,,,,', 'temperature is not a number: temp_f="warm"'],
    ['KORD,2026-01-05T17:51:00Z,30,,,-1,,', 'precipitation outside 0..50 inches: precip_in="-1"'],
    ['KORD,2026-01-05T17:51:00Z,30,,,,cloudy,', 'bad sky: "CLOUDY"'],
    ['KORD,2026-03-05T17:51:00Z,30,,,,,', 'temperature measured in the future'],
  ],
};

describe('a load of what stands beside the pairs', () => {
  let store: Store;

  before(async () => {
    store = await openWorld(OBSERVED);
  });
  afterEach(() => resetTo(store, OBSERVED));
  after(() => store.close());

  const load = (
    kind: Kind,
    lines: readonly string[],
    { unit, ...options }: LoadOptions & Pick<FeedLines, 'unit'> = {},
  ): Promise<LoadReport> =>
    loadLines(
      store,
      { [KINDS[kind].feed]: lines, columns: 'all', ...(unit && { unit }) },
      { now: new Date('2026-02-01T00:00:00Z'), ...options },
    );
  const standing = async (kind: Kind, version = 1_000_000): Promise<string[]> => {
    const found = await store.query(
      sql.rows(z.object({ line: z.string() }))`${raw(KINDS[kind].standing, { version })}`,
    );
    return found.map(({ line }) => line);
  };

  const audited = new Set<Kind>();
  // `make test` has one or two of each kind; their statements are alike.
  for (const [what, kind, ...steps] of range({ test: 1, ci: Infinity }, CASES)) {
    it(what, async () => {
      const versions = new Map<number, readonly string[]>();
      let now: readonly string[] = [];
      for (const [at, { lines, become, contradicted = 0, standing: then, unit }] of steps.entries()) {
        const before = await sizes(store);
        const { load_id, outcome, feeds, pairs_added } = await load(kind, lines, { ...(unit && { unit }) });
        const { first_contradicted, ...counts } = feeds[KINDS[kind].feed];
        const expected = { ...rows(...become, 0), rows_contradicted: contradicted, first_contradicted: null };
        expect({ ...counts, first_contradicted: null }, `load ${at}`).to.deep.equal(expected);
        expect(first_contradicted?.line).to.equal(contradicted === 0 ? undefined : 2);
        expect(outcome).to.equal('complete');
        if (kind !== 'distributions') expect(pairs_added, 'no pair comes of them').to.equal(0);
        if (then === undefined) expect(await sizes(store), `load ${at}`).to.deep.equal(before);
        now = then ?? now;
        versions.set(load_id, now);
        for (const [version, was] of versions)
          expect(await standing(kind, version), `load ${at}`).to.deep.equal(was);
      }
      // The statements of a kind are alike.
      if (audited.has(kind)) return;
      audited.add(kind);
      expect(await audit(store)).to.deep.equal([]);
    });
  }

  for (const [kind, faults] of range(
    { test: 1, ci: Infinity },
    Object.entries(FAULTS) as [Kind, (typeof FAULTS)[Kind]][],
  )) {
    it(`given rows of ${kind} at fault, then each is told with its line; with --strict nothing goes in`, async () => {
      const good = { normals: NORMALS, distributions: DISTRIBUTIONS, hours: REPORTS }[kind];
      const lines = [...faults.map(([line]) => line), ...good];
      const before = await sizes(store);
      expect(await load(kind, lines, { strict: true })).to.include({ outcome: 'failed' });
      expect(await sizes(store)).to.deep.equal(before);
      const told: string[] = [];
      await load(kind, lines, {
        onRejected: ({ line, reason, detail }) =>
          Promise.resolve(void told.push(`${line} ${reason}: ${detail}`)),
      });
      expect(told).to.have.lengthOf(faults.length);
      for (const [at, [, reason]] of faults.entries())
        expect(told[at]?.startsWith(`${at + 2} ${reason}`), `${told[at]} is not ${reason}`).to.equal(true);
      const all = { normals: ALL_NORMALS, distributions: ALL_DISTRIBUTIONS, hours: ALL_REPORTS }[kind];
      expect(await standing(kind)).to.deep.equal(all);
    });
  }
});
