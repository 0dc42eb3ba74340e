import { expect } from 'chai';
import { StoreUnavailable } from '../../src/store/store-errors.js';
import type { Store } from '../../src/store/store.js';
import { startChromium, stopChromium, Visit } from '../support/browser.js';
import { type Listening, listen, sampleService, sampleWorld } from '../support/dashboard.js';
import { plusDays } from '../support/plain/oracle.js';
import { loadLines } from '../support/ingest/feeds.js';
import type { TestServiceOptions } from '../support/service.js';
import { openTestStore } from '../support/store.js';

const WRONG_KEY = `fas_abcdefgh_${'x'.repeat(43)}`;

/** Twenty days, up to June 13, of one station that is some hours behind UTC, and its forecasts that are 2 °F too high. */
const DAYS = Array.from({ length: 20 }, (_, day) => plusDays('2026-05-25', day));
const ONE_STATION = {
  stations: ['BGGH,Nuuk,GL,64.19,-51.67,America/Nuuk,ET,true,,GOH'],
  forecasts: DAYS.map((date) => `BGGH,${plusDays(date, -1)}T12:00:00Z,${date},42,30`),
  observations: DAYS.map((date) => `BGGH,${date},40,30,verified,${plusDays(date, 1)}T12:00:00Z`),
};

describe('the dashboard, and what stands in its way', function () {
  this.timeout(300_000);
  let visit: Visit;
  let service: Listening;
  /** The service of this test alone. */
  let own: Listening | undefined;

  before(startChromium);
  after(stopChromium);

  const begin = async (isPublic = false): Promise<void> => {
    service = await sampleService(isPublic);
    visit = await Visit.begin(service.url);
  };
  const beginOwn = async (store: Store, options: TestServiceOptions = {}): Promise<void> => {
    service = own = await listen(store, options);
    visit = await Visit.begin(service.url);
  };
  afterEach(async () => {
    const { faults } = visit;
    await visit.end();
    await own?.stop();
    own = undefined;
    expect(faults).to.deep.equal([]);
  });

  const message = (): Promise<string> => visit.text('#message');
  const waitFor = (text: string): Promise<void> =>
    visit.page.waitForSelector(`#message >> text=${text}`).then(() => {});

  describe('given a service that answers without a key (D60)', () => {
    beforeEach(() => begin(true));

    it('then it shows the numbers, and neither asks for a key nor sends one', async () => {
      const keys: (string | undefined)[] = [];
      visit.page.on('request', (request) => {
        if (request.url().includes('/api/')) keys.push(request.headers().authorization);
      });
      await visit.page.goto(visit.url);
      await visit.settled();
      expect(await visit.text('#headline-title')).to.contain('missed by');
      expect(await visit.page.isVisible('#forget')).to.equal(false);
      expect(new Set(keys)).to.deep.equal(new Set([undefined]));
    });

    it('when a link brings a key, then it is used until it is forgotten, and the numbers stay', async () => {
      await visit.open('', service.key);
      await visit.page.click('#forget');
      await visit.settled();
      expect(await visit.page.evaluate(`sessionStorage.length`)).to.equal(0);
      expect(await visit.text('#headline-title')).to.contain('missed by');
    });
  });

  describe('given no key', () => {
    beforeEach(() => begin());

    it('then it tells what it is and asks for one, and asks nothing of the API', async () => {
      const asked: string[] = [];
      visit.page.on('request', (request) => asked.push(request.url()));
      await visit.page.goto(visit.url);
      await waitFor('How good are the temperature forecasts?');
      expect(await visit.page.evaluate(`document.activeElement.id`)).to.equal('key');
      expect(asked.filter((url) => url.includes('/api/'))).to.deep.equal([]);
    });

    it('when a wrong one is entered, then it says so, keeps nothing, and a right one is welcome', async () => {
      await visit.page.goto(visit.url);
      for (const wrong of [WRONG_KEY, 'nonsense', 'schlüssel✓']) {
        await visit.page.fill('#key', wrong);
        await visit.page.keyboard.press('Enter');
        await waitFor('This key is not valid');
        expect(await visit.page.evaluate(`sessionStorage.length`)).to.equal(0);
        expect(await visit.page.getAttribute('#key', 'aria-invalid')).to.equal('true');
      }
      await visit.page.fill('#key', ` ${service.key} `);
      await visit.page.keyboard.press('Enter');
      await visit.settled();
      expect(await visit.text('#headline-title')).to.contain('missed by');
    });

    it('when a link brings one, then the address loses it, and only this tab keeps it', async () => {
      await visit.open('?days=30', service.key);
      expect(visit.page.url()).to.equal(`${visit.url}/?days=30`);
      await visit.page.reload();
      await visit.settled();
      const elsewhere = await visit.page.evaluate<string>(
        `JSON.stringify([localStorage, document.cookie, history.state, document.documentElement.outerHTML])`,
      );
      expect(elsewhere).not.to.contain(service.key);
      const other = await visit.page.context().newPage();
      await other.goto(visit.url);
      await other.waitForSelector('#key');
    });

    it('when a link brings one to a tab that is open already, then it is used', async () => {
      await visit.page.goto(visit.url);
      await waitFor('API key');
      await visit.page.evaluate(`location.hash = 'key=${service.key}'`);
      await visit.settled();
      expect(visit.page.url()).not.to.contain('fas_');
    });

    it('when it is to be forgotten, then it is', async () => {
      await visit.open('', service.key);
      await visit.page.click('#forget');
      await waitFor('API key');
      await visit.page.reload();
      await waitFor('API key');
    });
  });

  it('given a window without data, then it says so, and leads to the last days that have some', async () => {
    await begin();
    await visit.open('?date_from=2001-01-01&date_to=2001-01-31', service.key);
    expect(await visit.text('#headline-title')).to.equal(
      'There are no made-up-fine forecasts of the daily high at all stations to compare in Jan 1 – 31, 2001.',
    );
    expect(await visit.page.locator('.panel:visible').count()).to.equal(0);
    await visit.page.click('text=Show the last 90 days with data, to Sun, Jun 14, 2026');
    await visit.settled();
    expect(await visit.text('#headline-title'))
      .to.contain('In Mar 17 – Jun 14, 2026, made-up-fine')
      .and.contain('missed by');
  });

  it('given a window where time begins, then there is no period before it to compare with, and no fault', async () => {
    await begin();
    await visit.open('?date_from=1970-01-01&date_to=1970-01-31', service.key);
    expect(await visit.text('#headline-title')).to.contain('to compare in Jan 1 – 31, 1970');
  });

  for (const [given, search, title, detail] of [
    ['a station that nobody knows', '?station_id=NOWHERE', 'No such station', 'Unknown station "NOWHERE"'],
    [
      'a metric that there is not',
      '?metric=medium',
      'This cannot be shown',
      'metric must be one of high, low, mean, range, hdd, cdd',
    ],
    [
      'dates the wrong way round',
      '?date_from=2026-02-01&date_to=2026-01-01',
      'This cannot be shown',
      'date_from',
    ],
  ] as const) {
    it(`given ${given} in the URL, then it says what the API says, and leads back`, async () => {
      await begin();
      await visit.page.goto(`${visit.url}/${search}#key=${service.key}`);
      await waitFor(title);
      expect(await message()).to.contain(detail);
      await visit.page.click('text=Show all stations, last 90 days');
      await visit.settled();
      expect(visit.page.url()).to.equal(`${visit.url}/`);
    });
  }

  it('given too many requests, then it counts down what the API asks for, and goes on by itself', async () => {
    await beginOwn(await sampleWorld(), { rateLimitPerMinute: 20 });
    await visit.page.clock.install();
    await visit.page.goto(`${visit.url}/#key=${service.key}`);
    await visit.settled();
    const headers = { authorization: `Bearer ${service.key}` };
    while ((await fetch(`${visit.url}/api/v1/providers`, { headers })).status !== 429);
    await visit.page.selectOption('select[name=metric]', 'low');
    await waitFor('Too many requests for a moment');
    expect(await message()).to.match(
      /More than 20 requests in a minute with this key.*Trying again in \d+ s/,
    );
    // The server's minute cannot be hurried, so that it is over is told by an answer of its own.
    await visit.page.unrouteAll();
    const second = await sampleService();
    await visit.page.route('**/api/v1/**', async (route) => {
      const url = route.request().url().replace(visit.url, second.url);
      await route.fulfill({
        response: await route.fetch({ url, headers: { authorization: `Bearer ${second.key}` } }),
      });
    });
    await visit.page.clock.runFor(61_000);
    await visit.settled();
    expect(await visit.text('#headline-title')).to.contain('daily low');
  });

  it('given data out of reach, then it says so and when it tries again, and a click tries at once', async () => {
    const store = await sampleWorld();
    let away = true;
    const flaky = new Proxy(store, {
      get(target, name) {
        if (away && name === 'query')
          return () => Promise.reject(new StoreUnavailable('connection refused by db-3'));
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    await beginOwn(flaky);
    await visit.page.goto(`${visit.url}/#key=${service.key}`);
    await waitFor('The data cannot be reached');
    expect(await message())
      .to.match(/Trying again in \d s/)
      .and.not.contain('db-3');
    away = false;
    await visit.page.click('text=Try again');
    await visit.settled();
    expect(await visit.text('#headline-title')).to.contain('missed by');
  });

  it('given a service that is gone, then it says that, and comes back when the service does', async () => {
    await begin();
    await visit.open('', service.key);
    await visit.page.route('**/api/**', (route) => route.abort());
    await visit.page.selectOption('select[name=metric]', 'low');
    await waitFor('The service cannot be reached');
    await visit.page.unrouteAll();
    await visit.page.click('text=Try again');
    await visit.settled();
    expect(await visit.text('#headline-title')).to.contain('daily low');
  });

  it('given an update of the service meanwhile, then the page says that it is incomplete, and reloads', async () => {
    await begin();
    await visit.page.route('**/states.json', (route) => route.fulfill({ status: 404, body: '{}' }));
    await visit.open('?view=where', service.key);
    await visit.page.getByRole('radio', { name: 'United States' }).check({ force: true });
    await visit.settled();
    expect(await visit.text('#map .panel-error')).to.contain('This page is incomplete');
    expect(await visit.text('#headline-title')).to.contain('missed by');
    await visit.page.unrouteAll();
    await visit.page.click('text=Reload the page');
    await visit.settled();
    expect(await visit.page.locator('#map [data-station]').count()).to.equal(5);
  });

  it('given one answer that fails, then its panel alone says so, and asks again when told to', async () => {
    await begin();
    await visit.page.route('**/probability/reliability?*', (route) =>
      route.fulfill({ status: 500, body: '{}' }),
    );
    await visit.open('?view=likely', service.key);
    expect(await visit.text('#reliability')).to.contain('Something went wrong');
    expect(await visit.page.locator('.panel-error').count()).to.equal(1);
    await visit.page.unrouteAll();
    await visit.page.click('#reliability >> text=Try again');
    await visit.settled();
    expect(await visit.rows('#reliability table')).not.to.be.empty;
  });

  for (const station of ['', '?station_id=KORD'])
    for (const [what, pattern] of [
      ['the summary', '**/accuracy/summary?*'],
      ['the list of providers', '**/api/v1/providers?*'],
      ['the sources', '**/accuracy/freshness'],
    ] as const)
      it(`given ${what} that does not come${station && ' for a station'}, then the page keeps all that came`, async () => {
        await begin();
        await visit.page.route(pattern, (route) => route.abort());
        await visit.open(station, service.key);
        expect(await visit.page.isVisible('#message')).to.equal(false);
        expect(await visit.rows('#by-lead-time table')).to.have.length(6);
        await visit.show('where');
        expect(await visit.rows('#ranking table')).not.to.be.empty;
        if (what !== 'the summary') {
          expect(await visit.text('#headline-title')).to.contain('missed by');
          return;
        }
        expect(await visit.text('#headline'))
          .to.contain('The summary could not be loaded.')
          .and.contain('The service cannot be reached');
        await visit.page.unrouteAll();
        await visit.page.click('#headline >> text=Try again');
        await visit.settled();
        expect(await visit.text('#headline-title')).to.contain('missed by');
      });

  it('given one station alone, then the page names it and never says all stations', async () => {
    const store = await openTestStore();
    await loadLines(store, ONE_STATION);
    await beginOwn(store, { now: '2026-06-15T00:30:00Z' });
    await visit.open('', service.key);
    expect(await visit.text('#headline-title')).to.contain('for Nuuk missed by 2.00 °F');
    expect(await visit.stations.inputValue()).to.equal('Nuuk (BGGH)');
    await visit.stations.click();
    expect(await visit.page.getByRole('listbox').getByRole('option').allInnerTexts()).to.deep.equal([
      'Nuuk (BGGH) Greenland, GOH',
    ]);
    await visit.page.keyboard.press('Escape');
    await visit.show('likely');
    expect(await visit.text('#odds')).not.to.contain('Choose a station');
    // In Nuuk it is the 14th still.
    await visit.open('?station_id=BGGH', service.key);
    await visit.page.waitForSelector('#meaning >> text=Latest day: yesterday');
  });

  it('given words in the address that mean nothing here, then it refuses them, and has a way on', async () => {
    await begin();
    await visit.page.goto(`${visit.url}/?town=Chicago&days=30#key=${service.key}`);
    await visit.page.waitForSelector('#message');
    expect(await visit.text('#message')).to.match(/unknown words: town\. Known: .*station_id, city/);
    await visit.page.getByRole('button', { name: 'Show all stations' }).click();
    await visit.settled();
    expect(await visit.text('#headline-title')).to.contain('at all stations');
  });

  it('given a service without any data, then it tells how they get in', async () => {
    await beginOwn(await openTestStore());
    await visit.page.goto(`${visit.url}/#key=${service.key}`);
    await waitFor('No data yet');
    expect(await message())
      .to.contain('npm run load')
      .and.contain('--observations observations.csv');
    await visit.page.setViewportSize({ width: 360, height: 700 });
    const isCut = `[...document.querySelectorAll('#message pre')].some((each) => each.scrollWidth > each.clientWidth)`;
    expect(await visit.page.evaluate(isCut)).to.equal(false);
    expect(await visit.page.getAttribute('#message a', 'href')).to.equal('docs');
  });

  it('given answers that take long, then the page says that it asks, and shows no old number as new', async () => {
    await begin();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await visit.page.route('**/api/**', async (route) => {
      await held;
      await route.continue();
    });
    await visit.page.goto(`${visit.url}/#key=${service.key}`);
    await visit.page.waitForSelector('#headline[aria-busy=true]');
    expect(await visit.text('#headline-title')).to.equal('Loading…');
    // Changed before the first answer: that answer must not win.
    await visit.page.selectOption('select[name=metric]', 'low');
    release();
    await visit.settled();
    expect(await visit.text('#headline-title')).to.contain('daily low');
  });
});
