import { expect } from 'chai';
import { contract } from '../../../support/contract/shared.js';
import { WINDOW } from '../../../support/contract/data.js';
import { PARAMETERS, PATHS, urlOf } from '../../../support/contract/interface.js';
import { isInCi, range } from '../../../support/runner/range.js';

type Period = [start: string, end: string, days: number];

const WINDOWS: [given: string, query: string, period: Period][] = [
  ['nothing', '', ['2023-12-22', '2024-03-20', 90]],
  ['days=1', 'days=1', ['2024-03-20', '2024-03-20', 1]],
  ['days=4', 'days=4', ['2024-03-17', '2024-03-20', 4]],
  ['days=365', 'days=365', ['2023-03-22', '2024-03-20', 365]],
  ['both bounds', WINDOW, ['2024-03-16', '2024-03-19', 4]],
  ['both bounds on one day', 'date_from=2024-03-18&date_to=2024-03-18', ['2024-03-18', '2024-03-18', 1]],
  ['both bounds and days, which is ignored', `${WINDOW}&days=365`, ['2024-03-16', '2024-03-19', 4]],
  ['a window that lies ahead', 'date_from=2030-01-01&date_to=2030-01-02', ['2030-01-01', '2030-01-02', 2]],
  ['date_from alone', 'date_from=2024-01-01', ['2024-01-01', '2024-03-30', 90]],
  ['date_from and days, over a 29 February', 'date_from=2024-02-28&days=3', ['2024-02-28', '2024-03-01', 3]],
  ['date_to alone', 'date_to=2024-03-30', ['2024-01-01', '2024-03-30', 90]],
  ['date_to and days', 'date_to=2024-03-01&days=3', ['2024-02-28', '2024-03-01', 3]],
  ['date_to, 90 days after time begins', 'date_to=1970-03-31', ['1970-01-01', '1970-03-31', 90]],
  ['the very first day', 'date_from=1970-01-01&days=1', ['1970-01-01', '1970-01-01', 1]],
  ['date_from, 90 days before time ends', 'date_from=2149-03-09', ['2149-03-09', '2149-06-06', 90]],
  ['the very last day', 'date_to=2149-06-06&days=1', ['2149-06-06', '2149-06-06', 1]],
  // 2014 to 2023 are 3,652 days, and 8 of January 2024.
  ['3,660 days', 'date_from=2014-01-01&date_to=2024-01-08', ['2014-01-01', '2024-01-08', 3660]],
];

const IMPOSSIBLE: [given: string, query: string, parameter: string, names: RegExp][] = [
  ['date_from after date_to', 'date_from=2024-03-19&date_to=2024-03-18', 'date_from', /2024-03-18|date_to/],
  ['3,661 days', 'date_from=2014-01-01&date_to=2024-01-09', 'date_from', /3,?660/],
  ['all of time', 'date_from=1970-01-01&date_to=2149-06-06', 'date_from', /3,?660/],
  ['date_to, 89 days after time begins', 'date_to=1970-03-30', 'date_to', /1970-01-01/],
  ['two days up to the first', 'date_to=1970-01-01&days=2', 'date_to', /1970-01-01/],
  ['date_from, 89 days before time ends', 'date_from=2149-03-10', 'date_from', /2149-06-06/],
  ['two days from the last', 'date_from=2149-06-06&days=2', 'date_from', /2149-06-06/],
];

/** Endpoints that work through each day of their window take no more days. */
const MOST_DAYS: Record<string, number> = {
  '/api/v1/probability/reliability': 366,
  '/api/v1/accuracy/bias-correction': 366,
};

// Guards the days that a question is about, on every endpoint that has windows: what its bounds and `days`
// make of them, that metadata say so, and which cannot be.
describe('the window of every endpoint that has one', () => {
  /** All of them for the summary, and for the others, which read their windows in the same way, the ends. */
  const some = <Item>(template: string, items: readonly Item[]): Item[] =>
    template.endsWith('/summary') ? [...items] : range({ test: 2, ci: 3, stress: Infinity }, items);

  const taking = PATHS.filter((path) => 'days' in PARAMETERS[path]! && !path.includes('/export/'));
  const ofOwnDays = Object.keys(MOST_DAYS);
  const summary = taking.filter((path) => path.endsWith('/summary'));
  for (const template of isInCi ? taking : [...summary, ...ofOwnDays]) {
    const most = MOST_DAYS[template] ?? Infinity;

    it(`given ${template}, then bounds and days make the window that metadata say`, async () => {
      const windows = WINDOWS.filter(([, , [, , days]]) => days <= most);
      for (const [given, query, [start, end, days]] of some(template, windows)) {
        const written = await contract.tag(urlOf(template, `date_from=${start}&date_to=${end}`));
        expect(await contract.tag(urlOf(template, query)), given).to.equal(written);
        if (!template.endsWith('/summary') && query !== WINDOW && query !== '') continue;
        const { period_start, period_end, days_analyzed } = (await contract.ok(urlOf(template, query)))
          .metadata;
        expect([period_start, period_end, days_analyzed], given).to.deep.equal([start, end, days]);
      }
    });

    it(`given ${template} and a window that cannot be, then a bound is the one fault, and it says why`, async () => {
      for (const [given, query, parameter, message] of some(template, IMPOSSIBLE)) {
        const [fault, ...others] = await contract.faults(urlOf(template, query));
        expect([fault?.parameter, others], given).to.deep.equal([parameter, []]);
        expect(fault?.message, given).to.match(message);
      }
      // Another bad parameter is told as well; of a bad days the bounds are no excuse.
      const told = async (query: string): Promise<string[]> =>
        (await contract.faults(urlOf(template, query))).map(({ parameter }) => parameter);
      const reversed = 'date_from=2024-03-19&date_to=2024-03-18';
      expect(await told(`format=xml&${reversed}`)).to.have.members(['format', 'date_from']);
      expect(await told(`days=0&${reversed}`)).to.have.members(['days', 'date_from']);
      expect(await told(`days=366&${WINDOW}`)).to.deep.equal(['days']);
    });

    if (most === Infinity) continue;
    it(`given ${template} and more days than one answer works through, then it is refused`, async () => {
      const [fault] = await contract.faults(urlOf(template, 'date_from=2022-01-01&date_to=2023-01-02'));
      expect(fault?.message).to.match(/window of 367 days; .* at most 366/);
    });
  }
});
