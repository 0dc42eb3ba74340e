import { join } from 'node:path';
import { expect } from 'chai';
import { publish } from '../../src/publish/publish.js';
import { findViolations, startChromium, stopChromium, Visit } from '../support/browser.js';
import { type Listening, NOW, sampleService, sampleWorld } from '../support/dashboard.js';
import { FILE_HOSTS, type FileHost } from '../support/file-hosts.js';
import { itInCi, range } from '../support/runner/range.js';
import { skip } from '../support/runner/skip.js';
import { temporaryFolder } from '../support/store.js';

// Guards that a copy has a file for all that its page asks for, and that the page says what the live one says.

const PATH = 'any/sub-path';
const STATIONS = ['KORD', 'EGLL', 'XXSS'];
const PANELS = '#headline, .panel:not([hidden]), #lacks, footer';

/** All views that the copy offers, as search parts. */
const VIEWS = ['', ...STATIONS].flatMap((station_id) =>
  ['high', 'low'].flatMap((metric) =>
    ['', 'made-up-coarse'].map((provider) => {
      const words = { station_id, metric: metric === 'high' ? '' : metric, provider };
      const given = Object.entries(words).filter(([, value]) => value !== '');
      return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
    }),
  ),
);

describe('a copy of the dashboard, below a sub-path of a host of files', function () {
  this.timeout(600_000);
  let live: Listening;
  let root: string;
  let host: FileHost;
  let url: string;
  let missing: string[];

  before(startChromium);
  before(async () => {
    const store = await sampleWorld();
    live = await sampleService(true);
    root = temporaryFolder();
    await publish(store, join(root, PATH), undefined, {
      ...{ metrics: ['high', 'low'], days: ['90'], stations: STATIONS, units: [], pairs: false },
      ...{ maxFiles: 1000, now: new Date(NOW), fullService: 'https://example.org/fas' },
    });
    host = (await FILE_HOSTS.node!(root))!;
    url = `${host.url}/${PATH}`;
  });
  after(() => host?.stop());
  after(stopChromium);

  const visit = async (
    options: Parameters<typeof Visit.begin>[1],
    look: (visit: Visit) => Promise<void>,
    at = url,
  ) => {
    missing = [];
    const begun = await Visit.begin(at, options);
    begun.page.on('response', (response) => {
      if (response.status() >= 400) missing.push(response.url());
    });
    await look(begun);
    expect([...begun.faults, ...missing]).to.deep.equal([]);
    await begun.end();
  };
  /** The texts of all panels, tab by tab. */
  const textsOf = async (visit: Visit): Promise<Record<string, string>> => {
    const texts: Record<string, string> = {};
    await visit.page.click('#seal summary');
    await visit.page.waitForSelector('#seal p');
    for (const tab of await visit.tabs()) {
      await visit.show(tab);
      const found = await visit.page
        .locator(PANELS)
        .evaluateAll((all: { id: string; innerText: string }[]) =>
          Object.fromEntries(
            all.map(({ id, innerText }) => [id || 'footer', innerText.replace(/\s+/g, ' ')]),
          ),
        );
      Object.assign(texts, found);
    }
    return texts;
  };

  for (const [at, view] of range({ test: 2, ci: 3, stress: Infinity }, VIEWS).entries())
    it(`given the view ${view || 'of all stations'}, then no file is missing, and it says what the live page says`, async () => {
      const look = {
        colorScheme: at % 2 === 0 ? 'light' : 'dark',
        viewport: { width: at % 2 === 0 ? 1280 : 390, height: 900 },
      } as const;
      let copied: Record<string, string> = {};
      await visit(look, async (copy) => {
        await copy.open(view, '');
        expect(await copy.text('#copy')).to.equal('A copy of 15 Jun 2026, 12:00 UTC. The full service');
        copied = await textsOf(copy);
        expect(copied.footer).to.match(/Version v\d+, sealed: checkpoint \d+ \S{8}…, verify it\./);
        expect(await findViolations(copy.page)).to.deep.equal([]);
      });
      const page = await Visit.begin(live.url, look);
      await page.open(view, '');
      const shown = await textsOf(page);
      await page.end();
      expect(Object.keys(shown).filter((id) => id !== 'odds')).to.have.members(Object.keys(copied));
      for (const [panel, text] of Object.entries(copied))
        expect(withoutDifferences(text), panel).to.equal(withoutDifferences(shown[panel]!));
    });

  // A test of test/integration/publish asks each host for each file.
  for (const program of ['nginx', 'python3'])
    itInCi(`given ${program} as host, then a view has all of its files`, async function () {
      const other = await FILE_HOSTS[program]!(root);
      if (other === undefined) skip(this, `no ${program}: no page is seen on it`);
      const look = { viewport: { width: 390, height: 900 } };
      const shown = await visit(look, (copy) => copy.open('?metric=low', ''), `${other.url}/${PATH}`).catch(
        (error: Error) => error,
      );
      await other.stop();
      expect(shown).to.equal(undefined);
    });

  it('given another view, then it is not in this copy, which names the full service', async () => {
    await visit({}, async ({ page }) => {
      for (const search of ['?station_id=KJFK', '?days=7', '?country=US', '?provider=none']) {
        await page.goto(`${url}/${search}`);
        expect(await page.innerText('#message')).to.include('Not in this copy');
        const link = await page.getAttribute('#message a', 'href');
        expect(link).to.equal(`https://example.org/fas/${search}`);
      }
      await page.goto(`${url}/?metric=hdd`);
      expect(await page.innerText('#controls select[name=metric] option:checked')).to.equal(
        'Heating degree days',
      );
      await page.click('#message button');
      await page.waitForSelector('#headline[aria-busy=false]');
    });
  });

  it('given stations without views, then the lists of all stations say so', async () => {
    await visit({}, async (copy) => {
      await copy.open('?view=where', '');
      for (const panel of ['#ranking', '#map'])
        expect(await copy.text(panel)).to.match(
          /\d of these \d+ stations have no link: this copy lacks their views\. The full service/,
        );
    });
  });

  it('given a copy that begins with lows, then it opens on them, and so does its link to the service', async () => {
    await publish(await sampleWorld(), join(root, 'lows'), undefined, {
      ...{ metrics: ['low', 'high'], days: ['30', '90'], stations: [], units: [], pairs: false },
      ...{ maxFiles: 1000, now: new Date(NOW), fullService: 'https://example.org/fas' },
    });
    await visit(
      {},
      async (copy) => {
        await copy.open('', '');
        expect(await copy.text('#headline')).to.include('the daily low');
        const link = await copy.page.getAttribute('#copy a', 'href');
        expect(link).to.equal('https://example.org/fas/?metric=low&days=30');
      },
      `${host.url}/lows`,
    );
  });

  it('given words that a live page would resolve, then the copy shows their view', async () => {
    await visit({}, async (copy) => {
      await copy.open('?station_id=kord&provider=made-up-fine', '');
      expect(await copy.text('#headline')).to.include('made-up-fine forecasts of the daily high for Chicago');
      expect(await copy.page.locator('#controls legend').count()).to.equal(0);
      const metrics = copy.page.locator('#controls select[name=metric] option');
      expect(await metrics.allInnerTexts()).to.deep.equal(['Daily high', 'Daily low']);
      await copy.stations.click();
      // All together, Chicago, London, and the one with a hostile name: no other station, and no country.
      expect(await copy.page.locator('#station_id-list li').allInnerTexts()).to.have.lengthOf(4);
    });
  });
});

/** A text without its time, and without what needs a service. */
const withoutDifferences = (text: string): string =>
  text
    .replace(/(yesterday|today|\d+ days ago), |(Click|Tap) a day to see it alone\./, '')
    .replaceAll(/of (today|Jun 15) (and|or) later/g, '')
    .replace(/Days at or (above|below), °[CF]/, '')
    .replace(/Only the stations within … .*? (?=[±−+?] )/, '')
    .replace(/\d+ of these \d+ stations have no link: this copy lacks their views\. The full service/, '')
    .replace(/ CSV$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
