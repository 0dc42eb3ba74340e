import { expect } from 'chai';
import { startChromium, stopChromium, Visit } from '../support/browser.js';
import { Listening } from '../support/listen.js';
import { startTestService } from '../support/service.js';
import { openTestStore } from '../support/store.js';

describe('GET /docs in a browser', () => {
  before(startChromium);
  after(stopChromium);

  it('given a key, then a request can be tried, and nothing is asked of others or refused by the policy', async function () {
    this.timeout(180_000);
    const service = await startTestService(await openTestStore());
    const server = await Listening.start(service);
    try {
      const { page } = await Visit.begin(server.url);
      page.setDefaultTimeout(120_000);
      const faults: string[] = [];
      const hosts = new Set<string>();
      page.on('console', (message) => faults.push(message.text()));
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('request', (asked) => hosts.add(new URL(asked.url()).host));
      await page.goto(`${server.url}/docs`);
      const summary = page.locator('#operations-Accuracy-getAccuracySummary');
      await summary.locator('.opblock-summary-control').click();
      // The example, before anything is asked.
      await summary.locator('.example', { hasText: '"verification_pairs": 598' }).first().waitFor();
      await page.locator('.btn.authorize').first().click();
      await page.locator('.modal-ux input').fill(service.key);
      await page.locator('.modal-btn.auth.authorize').click();
      await page.locator('.btn-done').click();
      await summary.locator('.execute').click();
      const status = summary.locator('.live-responses-table tbody .response-col_status').first();
      await status.waitFor();
      expect(await status.textContent()).to.match(/^200/);
      expect(faults).to.deep.equal([]);
      hosts.delete(''); // data:
      expect([...hosts]).to.deep.equal([new URL(server.url).host]);
      // The table of definitions is whole: its rows have two cells.
      const rows = await page.locator('.information-container tbody tr').count();
      expect(rows).to.be.above(5);
      expect(await page.locator('.information-container tbody td').count()).to.equal(2 * rows);
    } finally {
      await server.stop();
    }
  });
});
