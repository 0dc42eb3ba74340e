import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startChromium, stopChromium, Visit } from '../support/browser.js';
import { Listening } from '../support/listen.js';
import { startTestService } from '../support/service.js';
import { openWorld, type World } from '../support/worlds.js';

const NOW = '2026-10-12T15:00:00Z';

/** Neither the station nor the provider of the examples. */
const WORLD: World = [
  {
    columns: 'all',
    stations: ['EGLL,London,GB,51.5,-0.5,Europe/London,Cfb,true,,LHR,,'],
    forecasts: [
      'EGLL,2026-10-09T15:00:00Z,2026-10-10,60,50,met,',
      'EGLL,2026-10-11T15:00:00Z,2026-10-12,62,51,met,',
    ],
    observations: ['EGLL,2026-10-10,61,49,verified,2026-10-11T13:00:00Z,'],
  },
];

describe('GET /docs in a browser', function () {
  this.timeout(900_000);
  before(startChromium);
  after(stopChromium);

  // One page for all: it takes some seconds of processor to draw its operations.
  let server: Listening;
  let key: string;
  let page: Page;
  const faults: string[] = [];
  const hosts = new Set<string>();

  before(async () => {
    const service = await startTestService(await openWorld(WORLD), { now: NOW });
    server = await Listening.start(service);
    ({ key } = service);
    ({ page } = await Visit.begin(server.url));
    page.setDefaultTimeout(240_000);
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (asked) => hosts.add(new URL(asked.url()).host));
    await page.goto(`${server.url}/docs`);
    await page.locator('.opblock').first().waitFor();
  });
  after(() => server.stop());

  async function authorize(): Promise<void> {
    await page.locator('.btn.authorize').first().click();
    await page.locator('.modal-ux input').fill(key);
    const filled = page.waitForResponse((response) => response.url().includes('/data/forecasts'));
    await page.locator('.modal-btn.auth.authorize').click();
    await page.locator('.btn-done').click();
    await (await filled).finished();
  }

  it('given a key, then a request can be tried, and nothing is asked of others or refused by the policy', async () => {
    const summary = page.locator('#operations-Accuracy-getAccuracySummary');
    await summary.locator('.opblock-summary-control').click();
    // The example, before anything is asked.
    await summary.locator('.example', { hasText: '"verification_pairs": 598' }).first().waitFor();
    await authorize();
    const answered = page.waitForResponse((response) => response.url().includes('/accuracy/summary'));
    await summary.locator('.execute').click();
    expect((await answered).url()).to.equal(`${server.url}/api/v1/accuracy/summary`);
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
  });

  it('given an operation, then Execute without a change asks the bare URL, of a station of this service where it needs one', async () => {
    const asked: string[] = [];
    for (const operation of ['Probability-getProbability', 'Accuracy-getPeakTiming']) {
      const block = page.locator(`#operations-${operation}`);
      await block.locator('.opblock-summary-control').click();
      const answered = page.waitForResponse(
        (response) => response.request().headers().authorization !== undefined,
      );
      await block.locator('.execute').click();
      const response = await answered;
      asked.push(`${response.status()} ${response.url().slice(server.url.length)}`);
    }
    expect(asked).to.deep.equal([
      '200 /api/v1/probability?station_id=EGLL',
      '200 /api/v1/accuracy/peak-timing/EGLL',
    ]);
  });
});
