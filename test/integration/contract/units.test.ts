import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { load } from '../../../src/ingest/load.js';
import { writeSample } from '../../../src/sample/generate.js';
import type { Store } from '../../../src/store/store.js';
import { VARIABLE_NAMES, VARIABLES } from '../../../src/variables/variables.js';
import { readCsv } from '../../support/contract/cases.js';
import { Contract } from '../../support/contract/contract.js';
import { PARAMETERS, PATHS, urlOf } from '../../support/contract/interface.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

type Leaf = [path: string, value: unknown];

const NOW = '2026-06-15T12:00:00Z';
const QUERY = { date_from: '2026-06-13', date_to: '2026-06-14', station_id: 'KORD', limit: '10' };
const VARYING = ['generated_at', 'query_time_ms'];

/** The fields of a value with their paths, however deep, without those that differ from one response to the next. */
const leavesOf = (value: unknown, path = ''): Leaf[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, each]): Leaf[] =>
        VARYING.includes(name) ? [] : leavesOf(each, `${path}.${name}`),
      )
    : [[path, value]];

/** Whether both are one temperature, or one difference, each rounded to 0.01. */
const isSame = (fahrenheit: unknown, celsius: unknown): boolean =>
  celsius === null
    ? fahrenheit === null
    : [0, 32].some((zero) => Math.abs(((Number(fahrenheit) - zero) * 5) / 9 - Number(celsius)) < 0.0079);

/** The units of each system, by that of responses without one, and how many of them that is: 1 kt is 1,852 m an hour. */
const SYSTEMS: Record<string, Record<string, readonly [unit: string, factor: number]>> = {
  us: { kt: ['mph', 1852 / 1609.344] },
  metric: { kt: ['km/h', 1.852], inches: ['mm', 25.4], snow: ['cm', 2.54] },
  si: { kt: ['m/s', 1.852 / 3.6], inches: ['mm', 25.4], snow: ['cm', 2.54] },
};

/** Endpoints that count what their thresholds, ranges or whole numbers of the unit decide: other days than in another unit. */
const COUNTED = /exceedance|events|error-distribution|by-bucket|hit-rate|divergence|departures/;

/** The name of a field wherever it stands, without the ending of degrees. */
const nameOf = (path: string): string => path.replace(/\.\d+/g, '').replace(/_[fc]$/, '');

/** The sums of amounts and degree days, which temperatures do not have. */
const IS_SUM = /\.sum_(forecast|actual)$/;

/** Adds to the lines of a feed the columns of further variables that it does not have. */
function addVariables(file: string, period: 'day' | 'hour'): void {
  const [header = '', ...lines] = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
  const columns = VARIABLE_NAMES.flatMap((name) => {
    const { of, period: own } = VARIABLES[name];
    return own === period && 'columns' in of ? of.columns.slice(0, 1) : [];
  }).filter(({ name }) => !header.split(',').includes(name));
  const random = new Random(7);
  const cellOf = (unit: string): string =>
    unit === '%' ? `${random.below(101)}` : `${random.below(unit === 'inches' ? 300 : 4000) / 100}`;
  const changed = lines.map((line) => [line, ...columns.map(({ unit }) => cellOf(unit))].join(','));
  const text = [[header, ...columns.map(({ name }) => name)].join(','), ...changed, ''].join('\n');
  writeFileSync(file, gzipSync(text));
}

// No other test holds the names of fields to the unit of the variable: _f and _c are of degrees, and a value without degrees has
// neither. Nor does another one ask each variable for each system of units.
describe('the unit of a response, given each endpoint and each variable that it takes', () => {
  let store: Store;
  let contract: Contract;

  before(async () => {
    store = await openTestStore();
    const feeds = await writeSample(temporaryFolder(), NOW, 3);
    for (const [feed, file] of Object.entries(feeds))
      if (feed !== 'stations') addVariables(file, feed.includes('hour') ? 'hour' : 'day');
    const files = Object.fromEntries(Object.entries(feeds).map(([feed, file]) => [feed, [file]]));
    expect((await load(store, files)).outcome).to.equal('complete');
    contract = await Contract.of(await startTestService(store, { now: NOW }));
  });
  after(() => store.close());

  async function read(path: string) {
    const { data, metadata } = await contract.ok<unknown>(path);
    const { header, rows } = await readCsv(contract, path);
    const { unit } = (metadata.variable ?? {}) as { unit?: string };
    const leaves = leavesOf({ data, metadata });
    return { leaves, names: [...leaves.map(([name]) => name), ...header], metadata, unit, header, rows };
  }

  type Response = Awaited<ReturnType<typeof read>>;

  /** Expects each number of the variable times a factor, once, in a response that says its unit. */
  function expectConverted(
    plain: Response,
    response: Response,
    { unit, factor, url, converted }: { unit: string; factor: number; url: string; converted: Set<string> },
  ): void {
    const column = response.header.indexOf('unit');
    expect([response.unit, ...response.rows.map((row) => row[column])], url).to.deep.equal([
      ...Array<string>(response.rows.length + 1).fill(unit),
    ]);
    if (COUNTED.test(url)) return;
    const before = Object.fromEntries(plain.leaves);
    expect(
      response.leaves.map(([field]) => field),
      url,
    ).to.deep.equal(plain.leaves.map(([field]) => field));
    for (const [field, value] of response.leaves.filter(([, each]) => typeof each === 'number')) {
      const isConverted = converted.has(nameOf(field)) || IS_SUM.test(field);
      const times = !isConverted ? 1 : field.includes('.mse_') ? factor ** 2 : factor;
      const expected = Number(before[field]) * times;
      // Both are rounded to 0.01.
      const margin = isConverted ? 0.00501 * (1 + times) : 0;
      expect(Math.abs(Number(value) - expected), `${url}: ${field}`).to.be.at.most(margin);
    }
  }

  for (const path of PATHS.filter((each) => 'temp_unit' in PARAMETERS[each]!)) {
    const { metric, ...takes } = PARAMETERS[path]!;
    const asked = Object.entries(QUERY).filter(([name]) => name in takes);

    it(`${path}: then _f and _c are of degrees alone, its unit is told, and each system converts once`, async () => {
      const names = range({ test: 3, ci: Infinity }, metric?.schema.enum ?? ['']);
      /** The fields that a unit converts, as those of degrees show. */
      const converted = new Set<string>();
      for (const name of names) {
        const query = [...asked, ...(name === '' ? [] : [['metric', name]])].map((pair) => pair.join('='));
        const url = urlOf(path, ...query);
        const [plain, celsius] = [await read(url), await read(urlOf(path, ...query, 'temp_unit=celsius'))];
        const unit = plain.unit ?? '°F';
        const units = [unit, unit.replace('°F', '°C')];
        for (const [at, response] of [plain, celsius].entries()) {
          expect(response.unit ?? units[at], url).to.equal(units[at]);
          const isCelsius = units[at]!.startsWith('°C');
          expect(response.metadata.temp_unit, url).to.equal(isCelsius ? 'celsius' : undefined);
          // A probability has a column of this name behind these: the unit in which the day is settled.
          const column = response.header.slice(0, 5).indexOf('unit');
          expect(column !== -1, `${url}: column unit`).to.equal(!['°F', '°C'].includes(units[at]!));
          if (column !== -1)
            for (const row of response.rows) expect(row[column], `${url}: unit`).to.equal(units[at]);
        }
        if (unit.startsWith('°')) {
          const before = Object.fromEntries(plain.leaves);
          for (const [field, value] of celsius.leaves)
            if (typeof value === 'number' && before[field] !== value) converted.add(nameOf(field));
          const values = Object.fromEntries(celsius.leaves);
          for (const [field, value] of celsius.leaves.filter(([each]) => each.endsWith('_c')))
            expect(isSame(values[field.replace(/_c$/, '_f')], value), `${url}: ${field}`).to.equal(true);
          expect(
            plain.names.filter((each) => each.endsWith('_c')),
            url,
          ).to.deep.equal([]);
        } else {
          expect(
            plain.names.filter((each) => /_[fc]$/.test(each)),
            `${url}, ${unit}`,
          ).to.deep.equal([]);
          expect([celsius.leaves, celsius.header, celsius.rows], url).to.deep.equal([
            ...[plain.leaves, plain.header, plain.rows],
          ]);
        }
        for (const [system, units] of Object.entries(SYSTEMS)) {
          const [own, factor] = units[name === 'snowfall' ? 'snow' : unit] ?? [undefined, 1];
          const response = await read(urlOf(path, ...query, `units=${system}`));
          const usual = unit.startsWith('°') && system !== 'us' ? celsius : plain;
          if (own === undefined)
            expect([response.leaves, response.rows], `${url}, ${system}`).to.deep.equal([
              usual.leaves,
              usual.rows,
            ]);
          else expectConverted(plain, response, { unit: own, factor, url: `${url}, ${system}`, converted });
        }
      }
    });
  }
});
