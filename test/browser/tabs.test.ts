import { expect } from 'chai';
import { Visit } from '../support/browser.js';
import { eachVisit, type Listening } from '../support/dashboard.js';

// Guards the tabs: what is asked for and when, the ways to open one, and the place that the page begins with.

const CHICAGO = { latitude: 41.9, longitude: -87.6 };

describe('the tabs of the dashboard', function () {
  this.timeout(300_000);
  let service: Listening;
  let visit: Visit;
  let requested: string[];

  eachVisit((begun) => ({ service, visit } = begun));
  beforeEach(() => {
    requested = [];
    visit.page.on('request', (request) => {
      const [, path] = /\/api\/v1\/([^?]*)/.exec(request.url()) ?? [];
      if (path !== undefined) requested.push(path);
    });
  });

  const search = (): string => new URL(visit.page.url()).search;
  const chosen = (): Promise<string> => visit.text('[role=tab][aria-selected=true]');
  const focused = (): Promise<string> => visit.evaluate('the focus', 'document.activeElement.id');
  /** Takes the paths that have been requested since the last time. */
  const takeRequested = (): string[] => requested.splice(0).sort();

  it('given the first view, then it takes six requests, and one of them before the headline', async () => {
    await visit.open('', service.key);
    expect(requested[0]).to.equal('accuracy/summary');
    expect(takeRequested()).to.deep.equal([
      ...['accuracy/by-date', 'accuracy/by-lead-time', 'accuracy/freshness', 'accuracy/summary'],
      ...['providers', 'stations/metadata'],
    ]);
  });

  it('given a tab, then it alone asks, and one that was open before asks for nothing', async () => {
    await visit.open('', service.key);
    takeRequested();
    await visit.show('where');
    expect(takeRequested()).to.deep.equal(['accuracy/by-city']);
    await visit.show('good');
    await visit.page.goBack();
    await visit.settled();
    expect(await chosen()).to.equal('Where?');
    expect(takeRequested()).to.deep.equal([]);
    await visit.open('?view=happened', service.key);
    expect(takeRequested()).to.not.include('accuracy/by-lead-time').and.not.include('accuracy/by-city');
  });

  it('when a pointer or the focus comes near, then its responses come, and the tab stays', async () => {
    await visit.open('', service.key);
    takeRequested();
    for (const [come, path] of [
      [() => visit.page.hover('#tab-where'), 'accuracy/by-city'],
      [() => visit.page.focus('#tab-provider'), 'accuracy/compare'],
    ] as const) {
      const response = visit.page.waitForResponse(`**/${path}?*`);
      await come();
      await response;
    }
    expect(await chosen()).to.equal('How good?');
    await visit.page.waitForLoadState('networkidle');
    takeRequested();
    await visit.show('where');
    expect(takeRequested()).to.deep.equal([]);
  });

  it('given the keyboard, then arrows move the focus, Enter and Space open, and axe has its roles', async () => {
    await visit.open('?days=30', service.key);
    await visit.page.focus('#tab-good');
    for (const [key, id] of [
      ['ArrowRight', 'tab-where'],
      ['End', 'tab-happened'],
      ['ArrowRight', 'tab-good'],
      ['ArrowLeft', 'tab-happened'],
      ['Home', 'tab-good'],
      ['ArrowRight', 'tab-where'],
    ] as const) {
      await visit.page.keyboard.press(key);
      expect(await focused(), key).to.equal(id);
    }
    expect(await chosen()).to.equal('How good?');
    await visit.page.keyboard.press('Enter');
    await visit.settled();
    expect(search()).to.equal('?days=30&view=where');
    expect(await visit.page.getAttribute('[role=tabpanel]', 'aria-labelledby')).to.equal('tab-where');
    expect(await focused()).to.equal('tab-where');
    await visit.page.keyboard.press('ArrowRight');
    await visit.page.keyboard.press('Space');
    await visit.settled();
    expect(search()).to.equal('?days=30&view=provider');
    expect(await visit.page.locator('[role=tab][tabindex="0"]').count()).to.equal(1);
  });

  it('given back, forward, a reload and a copied address, then the tab and the choices stay', async () => {
    await visit.open('?metric=low', service.key);
    await visit.show('provider');
    const sentence = await visit.text('#headline-title');
    await visit.page.goBack();
    await visit.settled();
    expect([search(), await chosen()]).to.deep.equal(['?metric=low', 'How good?']);
    const entries = await visit.page.evaluate<number>('history.length');
    await visit.show('good');
    expect(await visit.page.evaluate('history.length')).to.equal(entries);
    await visit.page.goForward();
    await visit.page.reload();
    await visit.settled();
    expect([search(), await chosen()]).to.deep.equal(['?metric=low&view=provider', 'Which provider?']);
    const other = await Visit.begin(service.url);
    await other.open(search(), service.key);
    expect(await other.text('#headline-title')).to.equal(sentence);
    expect(await other.text('[role=tab][aria-selected=true]')).to.equal('Which provider?');
    await other.end();
  });

  it('given an address of before, then it opens the tab that it is about', async () => {
    for (const [address, tab] of [
      ['?metric=low&station_id=KORD', 'How good?'],
      ['?station_id=KORD&threshold=85', 'How likely?'],
      ['?map=us', 'Where?'],
    ] as const) {
      await visit.open(address, service.key);
      expect([search(), await chosen()]).to.deep.equal([address, tab]);
    }
    await visit.page.goto(`${visit.url}/?days=30#ranking`);
    await visit.settled();
    expect(await chosen()).to.equal('Where?');
    await visit.page.goto(`${visit.url}/?view=nothing`);
    await visit.page.waitForSelector('#message >> text=unknown words: view=nothing');
  });

  it('given a click on Near me, then the nearest station is shown; without the place, the page stays', async () => {
    await visit.page.addInitScript(`
      const { geolocation } = navigator;
      globalThis.looks = 0;
      const look = geolocation.getCurrentPosition.bind(geolocation);
      geolocation.getCurrentPosition = (...all) => { globalThis.looks += 1; look(...all); };`);
    await visit.open('', service.key);
    await visit.page.click('.near');
    await visit.page.waitForSelector('.near >> text=Not found');
    expect(search()).to.equal('');
    const context = visit.page.context();
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation(CHICAGO);
    await visit.page.reload();
    await visit.settled();
    expect(await visit.page.evaluate('looks'), 'without a click').to.equal(0);
    await visit.page.click('.near');
    await visit.page.waitForURL('**/?station_id=KORD');
    await visit.settled();
    expect(await visit.text('#headline-title')).to.contain('for Chicago');
  });

  it('given a station of the last visit, then a bare address opens it, and any other is as it says', async () => {
    await visit.open('', service.key);
    await visit.chooseStation('KORD');
    await visit.settled();
    // The entry before is of all stations still, also when it is loaded again.
    await visit.page.goBack();
    await visit.page.reload();
    await visit.settled();
    expect(await visit.text('#headline-title')).to.contain('at all stations');
    const { page } = visit;
    for (const [address, opened] of [
      ['', '?station_id=KORD'],
      ['?days=30', '?days=30'],
      ['?station_id=EGLL', '?station_id=EGLL'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(`${visit.url}/${address}`);
      await visit.settled();
      expect(search()).to.equal(opened);
    }
    await page.evaluate(`localStorage.setItem('forecast-accuracy-place', 'GONE')`);
    await page.goto('about:blank');
    await page.goto(`${visit.url}/`);
    await page.waitForSelector('#headline-title >> text=at all stations');
    expect([search(), await page.evaluate('localStorage.length')]).to.deep.equal(['', 0]);
  });

  it('given no JavaScript, then one line says what to do', async () => {
    const plain = await Visit.begin(service.url, { javaScriptEnabled: false });
    await plain.page.goto(service.url);
    expect(await plain.text('noscript')).to.equal(
      'Turn on JavaScript to see the charts, or read the same numbers in the API.',
    );
    await plain.end();
  });
});
