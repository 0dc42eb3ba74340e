import { expect } from 'chai';
import { startChromium, stopChromium, Visit } from '../support/browser.js';
import { killPrograms, Program, until } from '../support/process.js';
import { temporaryFolder } from '../support/store.js';
import { itIsWholeInEachTab } from '../support/sweep.js';

/** All that the first view takes on the wire. */
const MOST_BYTES = 60_000;
const MOST_REQUESTS = 6;
/** The heights of the first view, px. */
const MOST_HIGH = [
  [1280, 1800],
  [390, 2600],
] as const;
/** Web Vitals call 0.1 good. */
const MOST_SHIFT = 0.02;
const VISITS = 3;

interface Entry {
  name: string;
  startTime: number;
  responseEnd: number;
  transferSize: number;
}

describe('the dashboard of make demo', function () {
  this.timeout(600_000);
  let url: string;
  let key: string;

  before(startChromium);
  before(async () => {
    // Its folder is ./data/demo, whatever the settings say.
    const demo = new Program('demo', [], { PORT: '0' }, temporaryFolder());
    const [, found = '', secret = ''] = await until(() => {
      if (demo.hasEnded) throw new Error(`the demo ended: ${demo.stdout}`);
      return /(http:\S+)\/#key=(fas_\S+)/.exec(demo.stdout) ?? undefined;
    }, 400_000);
    url = found;
    key = secret;
  });
  after(killPrograms);
  after(stopChromium);

  it('shows first data after one request, with 6 requests and 60 kB in all, and nothing moves', async () => {
    const first: number[] = [];
    // The first visit of all is that of a server which has answered nothing yet: it counts, too.
    for (let visits = 0; visits < VISITS; visits += 1) {
      const visit = await Visit.begin(url);
      const { page } = visit;
      await page.addInitScript(
        `globalThis.shift = 0; new PerformanceObserver((list) => { for (const each of list.getEntries()) if (!each.hadRecentInput) globalThis.shift += each.value; }).observe({ type: 'layout-shift', buffered: true });`,
      );
      await page.goto(`${url}/#key=${key}`);
      await page.waitForSelector('body:not(:has([aria-busy=true])) #by-lead-time');
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate<number>('globalThis.shift')).to.be.at.most(MOST_SHIFT);
      const shown = await page.evaluate<number>(`performance.getEntriesByName('first-data')[0].startTime`);
      first.push(shown);
      const entries = await page.evaluate<Entry[]>(
        `JSON.parse(JSON.stringify([...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]))`,
      );
      const asked = entries.filter(({ name }) => name.includes('/api/'));
      const answered = asked[0]?.responseEnd ?? NaN;
      const before = asked.filter(({ startTime }) => startTime < answered);
      expect(before.map(({ name }) => new URL(name).pathname)).to.deep.equal(['/api/v1/accuracy/summary']);
      expect(asked.length).to.be.at.most(MOST_REQUESTS);
      const bytes = entries.reduce((sum, { transferSize }) => sum + transferSize, 0);
      if (visits === 0) console.log(`      ${asked.length} requests, ${bytes} bytes`);
      expect(bytes).to.be.within(1, MOST_BYTES);
      for (const [width, most] of MOST_HIGH) {
        await visit.resize(width);
        expect(await page.evaluate<number>('document.documentElement.scrollHeight')).to.be.at.most(most);
      }
      expect(visit.faults).to.deep.equal([]);
      await visit.end();
    }
    const median = first.toSorted((a, b) => a - b)[(VISITS - 1) / 2] ?? NaN;
    console.log(
      `      first data after ${Math.round(median)} ms (median of ${first.map((ms) => Math.round(ms)).join(', ')})`,
    );
  });

  itIsWholeInEachTab(() => ({ url, key }), { test: 0, ci: 5, stress: Infinity });
});
