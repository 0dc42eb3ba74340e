import { expect } from 'chai';
import type {
  AccuracySummaryResponse as Summary,
  ReliabilityOfChancesResponse as Chances,
} from '../../clients/typescript/src/generated.js';
import { VARIABLE_NAMES, type VariableName, VARIABLES } from '../../src/variables/variables.js';
import { findViolations, Visit } from './browser.js';
import { type Range, range } from './runner/range.js';

// Looks at all tabs of all variables of a store as its page has them, and compares its sentences with its responses.

const TABS = ['How good?', 'Where?', 'Which provider?', 'How likely?', 'What happened?'];

/** Widths and colours. Axe and the width of the page meet what is folded away in one of each. */
const LOOKS = [
  { width: 1280, colorScheme: 'light', isOpen: false },
  { width: 390, colorScheme: 'dark', isOpen: true },
  { width: 1280, colorScheme: 'dark', isOpen: true },
  { width: 390, colorScheme: 'light', isOpen: false },
] as const;
type Look = (typeof LOOKS)[number];

/** The sizes of rows of panels that end before the page does. */
const GAPS = `(() => {
  const { right } = document.querySelector('#panels').getBoundingClientRect();
  const rows = Map.groupBy([...document.querySelectorAll('.panel:not([hidden])')].map((each) => each.getBoundingClientRect()), ({ top }) => Math.round(top));
  return [...rows.values()].flatMap((row) => Math.max(...row.map((each) => each.right)) < right - 2 ? [row.length] : []);
})()`;

/** All words of the page, also folded ones and those for screen readers. */
const WORDS = `[document.title, document.querySelector('main').textContent,
  ...[...document.querySelectorAll('main :is([aria-label], [title])')].map((each) => [each.getAttribute('aria-label'), each.getAttribute('title')].join(' '))]`;

/** A page that shows all that it will, or that there is no store to show. */
const SETTLED = '#message, body:not(:has([aria-busy=true]:not([hidden]))) #headline[aria-busy=false]';

/** Words that stand for a value that is missing, or for an error of the page. */
const NO_WORDS = /undefined|\bnull\b|NaN|Infinity|\[object|Something went wrong/;

/** A value of a response with so many digits: half away from zero, by its decimal digits. */
const write = (value: number, digits: number): string =>
  (Math.round(Number(`${value}e${digits}`)) / 10 ** digits).toFixed(digits);

/** The responses of a visit, by the last part of their paths, the latest of each. */
type Responses = Map<string, unknown>;

/** A variable's tabs, each in one line of what is wrong with it. */
async function findFaults(visit: Visit, looks: readonly Look[], name: VariableName, responses: Responses) {
  const faults: string[] = [];
  const note = (where: string, found: readonly string[]): void => {
    faults.push(...found.map((each) => `${where}: ${each}`));
  };
  note('headline', await findFalseSentences(visit, name, responses));
  const tabs = await visit.tabs();
  for (const tab of tabs.length === 0 ? [''] : tabs) {
    if (tab !== '') await visit.show(tab);
    for (const look of looks) note(`${tab} ${JSON.stringify(look)}`, await lookAt(visit, look));
    const words = await visit.evaluate<string[]>('the words', WORDS);
    note(
      tab,
      words.filter((each) => NO_WORDS.test(each)),
    );
    note(tab, await visit.page.locator('.panel-error').allInnerTexts());
  }
  note('faults', visit.faults);
  return { faults, views: Math.max(1, tabs.length) * looks.length };
}

async function lookAt(visit: Visit, { width, colorScheme, isOpen }: Look): Promise<string[]> {
  await visit.page.emulateMedia({ colorScheme });
  await visit.resize(width);
  await visit.evaluate(
    'the details',
    `document.querySelectorAll('details').forEach((each) => { each.open = ${isOpen}; })`,
  );
  const wide = await visit.evaluate<number>('the width', 'document.documentElement.scrollWidth');
  const gaps = await visit.evaluate<number[]>('the rows', `document.querySelector('#panels') ? ${GAPS} : []`);
  return [
    ...(wide > width ? [`${wide} px wide`] : []),
    ...gaps.map((panels) => `a row of ${panels} ends early`),
    ...(await findViolations(visit.page)),
  ];
}

/** Sentences about all pairs that their response does not bear. */
async function findFalseSentences(visit: Visit, name: VariableName, responses: Responses): Promise<string[]> {
  if (await visit.page.isVisible('#message')) return findLacking(visit, [['#message-title', 'No data yet']]);
  const { data } = responses.get('summary') as Summary;
  const expected: [selector: string, text: string][] = [];
  const expect = (selector: string, text: string): void => void expected.push([selector, text]);
  const tabs = await visit.page.locator('[role=tab]').allInnerTexts();
  if (data.verification_pairs === 0) {
    expect('#headline-title', 'There are no ');
    return [...tabs, ...(await findLacking(visit, expected))];
  }
  for (const tab of TABS)
    if (!tabs.includes(tab)) expect('#lacks', `“${tab}” ${tab === 'Which provider?' ? 'needs ' : ''}`);
  expect('#leads', ` over ${data.verification_pairs.toLocaleString('en-US')} forecasts`);
  const { low, high } = data.uncertainty?.mean_error ?? { low: null, high: null };
  const isKnown = low !== null && high !== null;
  const isBiased = isKnown && (low > 0 || high < 0);
  expect('#meaning', isBiased ? 'They ran too ' : isKnown ? 'They lean neither way' : 'Whether they lean');
  if (VARIABLES[name].score === 'mae') {
    expect('#headline-title', ` missed by ${write(data.mae!, 2)} `);
    expect('#meaning', `Half came within ${write(data.abs_error_p50!, 1)} `);
    expect('#meaning', `nine in ten within ${write(data.abs_error_p90!, 1)} `);
  } else {
    const bins = (responses.get('by-bucket') as Chances).data;
    const [, cases = ''] = /Said for ([\d,]+) /.exec(await visit.text('#meaning')) ?? [];
    const bin = bins.find((each) => each.cases.toLocaleString('en-US') === cases);
    const share = bin?.observed_share ?? data.base_rate;
    expect('#headline-title', ` ${Math.round(100 * share!)} of 100`);
  }
  return findLacking(visit, expected);
}

async function findLacking(visit: Visit, expected: readonly [string, string][]): Promise<string[]> {
  const found = await Promise.all(
    expected.map(async ([selector, text]) => {
      const whole = await visit.wholeText(selector);
      return whole.includes(text) ? [] : [`${selector} lacks "${text}": ${whole}`];
    }),
  );
  return found.flat();
}

/**
 * A test of each variable of a store, or of some: all of its tabs are whole in both colours, on a phone and on a desk.
 * @param service that of the suite, which answers with the key
 * @param own a variable that the store has, which comes first
 */
export function itIsWholeInEachTab(
  service: () => { url: string; key: string },
  counts: Range,
  own: VariableName = 'high',
): void {
  let views = 0;
  after(() => console.log(`      ${views} views`));
  for (const [at, name] of range(counts, [...new Set([own, ...VARIABLE_NAMES])]).entries())
    it(`given ${name}, then each tab is whole, and says what its responses say`, async () => {
      const looks = range({ test: 2, ci: 2, stress: LOOKS.length });
      const { url, key } = service();
      const visit = await Visit.begin(url);
      const responses: Responses = new Map();
      visit.page.on('response', async (response) => {
        const path = new URL(response.url()).pathname;
        if (response.ok() && path.includes('/api/'))
          responses.set(path.replace(/.*\//, ''), await response.json());
      });
      await visit.page.goto(`${url}/?metric=${name}#key=${key}`);
      await visit.page.waitForSelector(SETTLED);
      const found = await findFaults(
        visit,
        at % 2 === 0 ? LOOKS.slice(0, looks) : LOOKS.slice(-looks),
        name,
        responses,
      );
      views += found.views;
      await visit.end();
      expect(found.faults).to.deep.equal([]);
    });
}
