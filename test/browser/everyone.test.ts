import { expect } from 'chai';
import { findViolations, Visit } from '../support/browser.js';
import { type Listening, withPage } from '../support/dashboard.js';

const STATES: [name: string, prepare: (visit: Visit, key: string) => Promise<void>][] = [
  ['asking for a key', async ({ page, url }) => void (await page.goto(url))],
  [
    'refusing a key',
    async ({ page, url }) => {
      await page.goto(`${url}/#key=nonsense`);
      await page.waitForSelector('#key-error');
    },
  ],
  ['showing all stations', (visit, key) => visit.open('', key)],
  ['showing where', (visit, key) => visit.open('?station_id=KORD&metric=low&days=30&map=us', key)],
  ['showing the providers', (visit, key) => visit.open('?view=provider', key)],
  ['showing days of a station', (visit, key) => visit.open('?station_id=KORD&view=happened', key)],
  ['showing a year', (visit, key) => visit.open('?days=365', key)],
  [
    'showing Celsius of another provider',
    (visit, key) => visit.open('?temp_unit=celsius&provider=made-up-coarse', key),
  ],
  ['of a station whose day has begun', (visit, key) => visit.open('?station_id=EGLL&view=likely', key)],
  [
    'with the odds of another day',
    async (visit, key) => {
      await visit.open('?station_id=KORD&view=likely', key);
      await visit.page.locator('#odds select[name=target_date]').selectOption({ index: 1 });
      await visit.settled();
    },
  ],
  [
    'with words that it does not know',
    async ({ page, url }, key) => {
      await page.goto(`${url}/?station=KORD#key=${key}`);
      await page.waitForSelector('#message .actions');
    },
  ],
  [
    'with one panel that failed',
    async (visit, key) => {
      await visit.page.route('**/probability/reliability?*', (route) =>
        route.fulfill({ status: 500, body: '{}' }),
      );
      await visit.open('?view=likely', key);
    },
  ],
  [
    'on a slow network',
    async ({ page, url }, key) => {
      await page.route('**/api/**', () => {});
      await page.goto(`${url}/#key=${key}`);
      await page.waitForSelector('#headline[aria-busy=true]');
    },
  ],
  ['without data', (visit, key) => visit.open('?date_from=2001-01-01&date_to=2001-01-31', key)],
  [
    'telling a fault',
    async ({ page, url }, key) => {
      await page.goto(`${url}/?station_id=NOWHERE#key=${key}`);
      await page.waitForSelector('#message .actions');
    },
  ],
  [
    'with its tables open and a definition shown',
    async (visit, key) => {
      await visit.open('', key);
      await visit.page.evaluate(
        `document.querySelectorAll('details').forEach((each) => { each.open = true; })`,
      );
      await visit.page.locator('#leads button').first().focus();
    },
  ],
];

/** The rules of axe for what another width and other colours change. */
const DIFFERENT: ('color-contrast' | 'target-size')[] = ['color-contrast', 'target-size'];

describe('the dashboard, for everyone', function () {
  this.timeout(300_000);
  let service: Listening;

  withPage((started) => (service = started));

  // A state is reached once, 320 px wide, and then is shown wider. Axe tries all its rules at one width in light colours: every
  // other state at that of a phone, where elements are other ones. At the other width, in dark colours, it tries what differs there.
  for (const [at, [name, prepare]] of STATES.entries()) {
    it(`${name}: axe finds nothing in any colours, and nothing has to be scrolled sideways`, async () => {
      const visit = await Visit.begin(service.url, {
        colorScheme: at % 2 === 0 ? 'light' : 'dark',
        viewport: { width: 320, height: 800 },
        reducedMotion: 'reduce',
      });
      const { page } = visit;
      await prepare(visit, service.key);
      const overflow = (): Promise<number> =>
        visit.evaluate(
          'the width of the page',
          `document.documentElement.scrollWidth - document.documentElement.clientWidth`,
        );
      const findings = await findViolations(page, at % 2 === 0 ? undefined : DIFFERENT);
      const overflows = [await overflow()];
      for (const width of [390, 1280]) {
        await visit.resize(width);
        overflows.push(await overflow());
      }
      await page.emulateMedia({ colorScheme: at % 2 === 0 ? 'dark' : 'light' });
      findings.push(...(await findViolations(page, at % 2 === 0 ? DIFFERENT : undefined)));
      await visit.screenshot(name.replaceAll(' ', '-'));
      const { faults } = visit;
      await visit.end();
      expect(findings).to.deep.equal([]);
      expect(overflows.filter((each) => each > 0)).to.deep.equal([]);
      expect(faults).to.deep.equal([]);
    });
  }

  it('given less motion is wished for, then nothing moves', async () => {
    for (const [reducedMotion, duration] of [
      ['reduce', '0s'],
      ['no-preference', '0.2s'],
    ] as const) {
      const visit = await Visit.begin(service.url, { reducedMotion });
      await visit.open('', service.key);
      const moving = await visit.page.evaluate<string>(
        `(() => { const each = document.querySelector('#by-date'); each.setAttribute('aria-busy', 'true'); return getComputedStyle(each).transitionDuration; })()`,
      );
      expect(moving).to.equal(duration);
      await visit.end();
    }
  });
});
