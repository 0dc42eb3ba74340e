import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findViolations, startChromium, stopChromium, Visit } from '../support/browser.js';
import { Listening } from '../support/listen.js';
import { range } from '../support/runner/range.js';
import { startTestService, type TestService } from '../support/service.js';
import { openWorld, type World } from '../support/worlds.js';

const NOW = '2026-10-12T15:00:00Z';

const STATION = 'EGLL';

/** A stream without an end, and answers that count the requests before them. */
const OWN_EACH_TIME = ['/api/v1/events', '/api/v1/usage'];

/** A text without its times. */
const steady = (text: string): string =>
  text.replaceAll(/"(generated_at|local_generated_at|timestamp|query_time_ms)":("[^"]*"|\d+)/g, '"$1":0');

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

interface Parameter {
  in: string;
  schema: { type?: string };
}

interface OpenApi {
  paths: Operations;
  components: { parameters: Record<string, Parameter> };
}

type Operations = Record<
  string,
  { get: { operationId: string; tags: string[]; parameters?: ({ $ref: string } | Parameter)[] } }
>;

/** Few operations that have each kind of parameter that the document knows among them, and each tag; and the odds. */
function withEachKind({ paths, components }: OpenApi): Operations {
  const kindsOf = ({ get: { tags, parameters = [] } }: Operations[string]): string[] => [
    ...tags,
    ...parameters.map((each) => {
      const { in: place, schema } =
        '$ref' in each ? components.parameters[each.$ref.split('/').at(-1)!]! : each;
      return JSON.stringify([place, schema.type, 'enum' in schema, 'default' in schema, 'example' in schema]);
    }),
  ];
  const left = new Set(Object.values(paths).flatMap(kindsOf));
  const chosen = Object.fromEntries(Object.entries(paths).filter(([path]) => path.endsWith('/probability')));
  for (const [path, operation] of Object.entries(paths).toSorted(
    ([, one], [, other]) => kindsOf(other).length - kindsOf(one).length,
  ))
    if (kindsOf(operation).some((kind) => left.delete(kind))) {
      chosen[path] = operation;
      for (const kind of kindsOf(operation)) left.delete(kind);
    }
  return chosen;
}

describe('GET /docs in a browser', function () {
  this.timeout(900_000);
  before(startChromium);
  after(stopChromium);

  // One page for all: it takes some seconds of processor to draw its operations.
  let server: Listening;
  let service: TestService;
  let page: Page;
  const faults: string[] = [];
  const hosts = new Set<string>();

  before(async () => {
    service = await startTestService(await openWorld(WORLD), { now: NOW });
    server = await Listening.start(service);
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
    await page.locator('.modal-ux input').fill(service.key);
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

  it('given an operation that is open, then axe finds nothing, at any width', async () => {
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await findViolations(page), `${width} px`).to.deep.equal([]);
    }
  });

  // `make stress` goes through every operation, seconds of processor each.
  it('given each kind of parameter, Execute without a change asks the bare URL and shows what curl gets', async () => {
    const document = (await service.get('/openapi.json')).body as OpenApi;
    const chosen = range({ test: 0, ci: 0, stress: 1 }) > 0 ? document.paths : withEachKind(document);
    const asked: Record<string, string> = {};
    const bare: Record<string, string> = {};
    for (const [path, { get }] of Object.entries(chosen)) {
      const url =
        path.replace('{station_id}', STATION) +
        (path.endsWith('/probability') ? `?station_id=${STATION}` : '');
      bare[path] = `200 ${url}`;
      const block = page.locator(`#operations-${get.tags[0]}-${get.operationId}`);
      if ((await block.locator('.execute').count()) === 0)
        await block.locator('.opblock-summary-control').click();
      const answered = page.waitForResponse((response) => response.url().includes('/api/v1'));
      await block.locator('.execute').click();
      const response = await answered;
      asked[path] = `${response.status()} ${response.url().slice(server.url.length)}`;
      if (OWN_EACH_TIME.includes(path)) continue;
      const { text } = await service.get(url).buffer(true);
      expect(steady(await response.text()), path).to.equal(steady(text));
      await block.locator('.opblock-summary-control').click(); // an open one is drawn anew with each that follows
    }
    expect(asked).to.deep.equal(bare);
    expect(Object.keys(asked)).to.have.length.at.least(8);
  });
});
