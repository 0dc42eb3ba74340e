import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { chromium } from 'playwright-core';
import { Listening } from '../support/listen.js';
import { startTestService } from '../support/service.js';
import { openTestStore } from '../support/store.js';

// Debian's chromium; CHROMIUM names another.
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

describe('GET /docs in a browser', () => {
  it('given a key, then a request can be tried, and nothing is asked of others or refused by the policy', async function () {
    this.timeout(180_000);
    if (!existsSync(CHROMIUM)) {
      console.log(`      skipped: there is no ${CHROMIUM}`);
      this.skip();
    }
    const service = await startTestService(await openTestStore());
    const server = await Listening.start(service);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
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
      await browser.close();
      await server.stop();
    }
  });
});
