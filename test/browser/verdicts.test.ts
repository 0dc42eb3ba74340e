import { expect } from 'chai';
import { Visit } from '../support/browser.js';
import { eachVisit, listen, type Listening, sampleWorld } from '../support/dashboard.js';
import { describeInCi, itInCi, range } from '../support/runner/range.js';
import { openTestStore } from '../support/store.js';

// Guards that the page says one thing at a time: no two statements that cannot both be true, and no panel that waits for
// another.

const STATIONS = ['', 'KORD', 'KJFK', 'KSEA', 'EGLL', 'YSSY', 'VIDP', 'PANC'];

/** Questions as visitors choose them: station, metric, days, provider and unit, by a generator with a seed. */
const QUESTIONS = Array.from({ length: 40 }, (_, at) => {
  let state = 7919 * (at + 1);
  const pick = (values: readonly string[]): string => {
    state = (1103515245 * state + 12345) % 2 ** 31;
    return values[Math.floor((state / 2 ** 31) * values.length)]!;
  };
  return new URLSearchParams({
    station_id: pick(STATIONS),
    metric: pick(['high', 'low']),
    days: pick(['7', '30', '90', '365']),
    provider: pick(['', 'made-up-coarse']),
    temp_unit: pick(['', 'celsius', 'fahrenheit']),
  }).toString();
});

/** The words of the page as those of its panels that are there, tab by tab. */
async function readVerdicts(visit: Visit): Promise<(panel: string) => string> {
  const texts: Record<string, string> = {};
  for (const tab of await visit.tabs()) {
    await visit.show(tab);
    Object.assign(
      texts,
      await visit.page.evaluate<Record<string, string>>(
        `Object.fromEntries([...document.querySelectorAll('#headline-title, #meaning, #leads, .panel:not([hidden]) .verdict, #misses li:first-child .number, #ranking tr:has([aria-pressed=true]), #ranking [aria-pressed=true], #ranking tr:has([aria-pressed=true]) .chip, #map svg')].map((each) => [(each.closest('.panel')?.id ?? each.id) + ' ' + each.tagName + (each.className === 'number' ? '' : each.title ? ' title' : ''), each.getAttribute('aria-label') ?? (each.title || each.textContent.replace(/\\s+/g, ' ').trim())]))`,
      ),
    );
  }
  return (panel) => texts[panel] ?? '';
}

const signOf = (words: string): number =>
  /too warm|too high/.test(words) ? 1 : /too cold|too low/.test(words) ? -1 : 0;

describe('the verdicts of the dashboard', function () {
  this.timeout(300_000);
  let service: Listening;
  let visit: Visit;

  eachVisit((begun) => ({ service, visit } = begun));

  for (const question of range({ test: 0, ci: 6, stress: 40 }, QUESTIONS)) {
    it(`given ${question}, then panels that speak of the same thing agree`, async () => {
      await visit.open(`?${question}`, service.key);
      await expectAgreement(visit);
    });
  }

  // Few days, and none: what is not known yet is where a page says too much.
  describeInCi('with three weeks of data', () => {
    let weeks: Listening;

    before(async () => (weeks = await listen(await sampleWorld(21))));
    after(() => weeks.stop());

    for (const question of range({ test: 0, ci: 3, stress: 20 }, QUESTIONS)) {
      it(`given ${question}, then panels that speak of the same thing agree`, async () => {
        const own = await Visit.begin(weeks.url);
        await own.open(`?${question}`, weeks.key);
        await expectAgreement(own);
        expect(own.faults).to.deep.equal([]);
        await own.end();
      });
    }
  });

  itInCi('given a store without data, then it says so, and nothing else', async () => {
    const empty = await listen(await openTestStore());
    const own = await Visit.begin(empty.url);
    for (const question of range(
      { test: 0, ci: 3, stress: 40 },
      // An empty store has neither stations nor providers to ask for.
      QUESTIONS.filter((each) => each.startsWith('station_id=&') && each.includes('&provider=&')),
    )) {
      await own.page.goto('about:blank');
      await own.page.goto(`${empty.url}/?${question}#key=${empty.key}`);
      await own.page.waitForSelector('#message >> text=No data yet');
      expect(await own.page.locator('.verdict, #meaning, #headline').count()).to.equal(0);
    }
    expect(own.faults).to.deep.equal([]);
    await own.end();
    await empty.stop();
  });

  it('given any answer that does not come, then only its own panel waits', async () => {
    for (const [path, own, question] of [
      ['**/probability/reliability?*providers*', 'blend', 'provider'],
      ['**/accuracy/divergence?*', 'departures', 'provider'],
      ['**/data/suspects?*', 'suspects', 'happened'],
      ['**/probability/reliability?*', 'reliability', 'likely'],
      ['**/accuracy/events?*', 'events', 'likely'],
    ] as const) {
      await visit.page.route(path, () => {});
      await visit.page.goto(`${service.url}/?station_id=EGLL&view=${question}#key=${service.key}`);
      await visit.page.waitForSelector(`.panel[aria-busy=false] ~ .panel, .panel ~ .panel[aria-busy=false]`);
      await visit.page.waitForSelector(`#panels:not(:has(.panel:not(#${own})[aria-busy=true]))`);
      expect(await visit.page.getAttribute(`#${own}`, 'aria-busy')).to.equal('true');
      await visit.page.unroute(path);
    }
  });
});

/** Expects that no two panels say what cannot both be true, and that no verdict is beside an interval that denies it. */
async function expectAgreement(visit: Visit): Promise<void> {
  const saidBy = await readVerdicts(visit);
  const [card = ''] =
    /(no significant bias|too warm|too cold|cannot be told yet)/.exec(saidBy('meaning P')) ?? [];

  // The error of one day, in two panels.
  const [worst] = /^[\d.]+ °[FC]/.exec(saidBy('by-date P')) ?? [];
  const [, miss] = /([\d.]+) °[FC]/.exec(saidBy('misses SPAN')) ?? [];
  if (worst !== undefined && miss !== undefined)
    expect(Math.abs(parseFloat(worst) - Number(miss)), 'the worst day').to.be.at.most(0.051);

  // The error and the bias of one station, in three panels.
  const row = saidBy('ranking TR');
  if (row !== '') {
    const [, mae] = /missed by (\S+) /.exec(saidBy('headline-title H2')) ?? [];
    expect(row, 'the ranking').to.contain(mae);
    if (card !== 'cannot be told yet')
      expect(signOf(saidBy('ranking SPAN title')), `the chip: ${card}`).to.equal(signOf(card));
  }

  // A range that sits too low is of forecasts that run cold.
  const [, place = ''] = /sits (too \w+)/.exec(saidBy('distribution P')) ?? [];
  if (place !== '' && signOf(card) !== 0) expect(signOf(place), `the range: ${card}`).to.equal(signOf(card));

  // A provider with the smaller error everywhere proves right, and the other one is not better in any cell.
  const [, better = ''] = /^(\S+) misses by [^;]* at every lead time\.$/.exec(saidBy('providers P')) ?? [];
  if (better !== '') {
    const [, right = better, doubt] =
      /proved right for ([\w-]+)(: could be chance)?/.exec(saidBy('departures P')) ?? [];
    if (doubt === undefined) expect(right, 'when providers differ').to.equal(better);
    expect(saidBy('scorecard P'), 'the scorecard').to.match(
      new RegExp(`^(${better} is better|None of|\\d+ of .* could be chance|Which .* cannot be told)`),
    );
  }

  // The map counts the stations that it colours.
  expect(saidBy('map svg')).to.contain(saidBy('map P'));

  // The bias has a side when its interval has one.
  const [, ...ends] = /95% interval: ([+−\d.]+) to ([+−\d.]+)/.exec(saidBy('leads DETAILS')) ?? [];
  const [low = 0, high = 0] = ends.map((end) => Number(end.replace('−', '-')));
  if (low * high > 0) expect(signOf(card), `the bias: ${low} to ${high}`).to.equal(Math.sign(low));
  if (low * high < 0) expect(card, `the bias: ${low} to ${high}`).to.equal('no significant bias');
}
