import { expect } from 'chai';
import { load } from '../../../src/ingest/load.js';
import { writeSample } from '../../../src/sample/generate.js';
import type { Store } from '../../../src/store/store.js';
import { readCsv } from '../../support/contract/cases.js';
import { Contract } from '../../support/contract/contract.js';
import { PARAMETERS, PATHS, urlOf } from '../../support/contract/interface.js';
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

// No other test holds the names of fields to the unit of the variable: _f and _c are of degrees, and a value without degrees has neither.
describe('the unit of a response, given each endpoint and each variable that it takes', () => {
  let store: Store;
  let contract: Contract;

  before(async () => {
    store = await openTestStore();
    const feeds = await writeSample(temporaryFolder(), NOW, 3);
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

  for (const path of PATHS.filter((each) => 'temp_unit' in PARAMETERS[each]!)) {
    const { metric, ...takes } = PARAMETERS[path]!;
    const asked = Object.entries(QUERY).filter(([name]) => name in takes);

    it(`${path}: then _f and _c are of degrees alone, and its unit is told`, async () => {
      // The first variable is in °F, and the last one in %.
      const names = range({ test: 2, ci: Infinity }, metric?.schema.enum ?? ['']);
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
      }
    });
  }
});
