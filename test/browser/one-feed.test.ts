import { expect } from 'chai';
import { Visit } from '../support/browser.js';
import { listen, type Listening, withPage } from '../support/dashboard.js';
import { loadLines } from '../support/ingest/feeds.js';
import { HOURS, STATIONS } from '../support/page-worlds.js';
import { openTestStore } from '../support/store.js';

// Guards that a store of one feed opens on what it has: highs, with which the page begins, would be a dead end.

describe('the dashboard, given a store of one feed', () => {
  withPage(() => {});
  let service: Listening;
  let visit: Visit;

  before(async () => {
    const store = await openTestStore();
    await loadLines(store, HOURS);
    service = await listen(store);
  });
  beforeEach(async () => (visit = await Visit.begin(service.url)));
  afterEach(async () => {
    expect(visit.faults).to.deep.equal([]);
    await visit.end();
  });
  after(() => service.stop());

  it('when it is opened, then it begins with the variable that has pairs', async () => {
    await visit.open('', service.key);
    await visit.page.waitForURL('**/?metric=temperature*');
    await visit.page.waitForSelector('#headline-title >> text=missed by 1.20 °F');
  });

  it('when another one is chosen, then it stays, and offers the one that has pairs', async () => {
    await visit.open('?metric=low', service.key);
    expect(await visit.text('#headline-title')).to.contain('There are no');
    expect(await visit.text('#headline button')).to.equal(
      'Show the temperature at an hour, to Fri, May 29, 2026',
    );
    await visit.page.click('#headline button');
    await visit.page.waitForSelector('#headline-title >> text=missed by 1.20 °F');
  });

  it('given highs of another station alone, when a tab is opened, then the chosen variable stays', async () => {
    const store = await openTestStore();
    await loadLines(store, {
      ...HOURS,
      stations: STATIONS,
      forecasts: ['KSEA,2026-05-27T00:00:00Z,2026-05-28,60,50'],
      observations: ['KSEA,2026-05-28,62,49,verified,2026-05-29T12:00:00Z,'],
    });
    const other = await listen(store);
    const own = await Visit.begin(other.url);
    await own.open('?metric=high&station_id=KORD', other.key);
    await own.show('where');
    expect(await own.text('#headline-title')).to.contain(
      'There are no forecasts of the daily high for Chicago',
    );
    expect(await own.text('#headline button')).to.contain('Show the temperature at an hour');
    await own.end();
    await other.stop();
  });
});
