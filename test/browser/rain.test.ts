import { expect } from 'chai';
import { findViolations, Visit } from '../support/browser.js';
import { listen, type Listening, withPage } from '../support/dashboard.js';
import { loadLines } from '../support/ingest/feeds.js';
import { RAIN } from '../support/page-worlds.js';
import { openTestStore } from '../support/store.js';

// Guards the page of a chance of rain in a window of hours: how often it rained of each chance is counted here by hand, and the page
// offers what the store has, and asks for nothing else.

describe('the dashboard, given chances of rain in windows of hours', () => {
  withPage(() => {});
  let service: Listening;
  let visit: Visit;

  before(async () => {
    const store = await openTestStore();
    await loadLines(store, RAIN);
    service = await listen(store);
  });
  beforeEach(async () => (visit = await Visit.begin(service.url, { reducedMotion: 'reduce' })));
  afterEach(async () => {
    expect(visit.faults).to.deep.equal([]);
    await visit.end();
  });
  after(() => service.stop());

  it('when it is opened, then it says how often it rained, of windows, and offers nothing without rows', async () => {
    const asked: string[] = [];
    visit.page.on('request', (request) => asked.push(request.url()));
    await visit.open('', service.key);
    await visit.page.waitForURL('**/?metric=wet_12h*');
    await visit.settled();
    expect(await visit.text('#headline-title')).to.match(
      /when forecasts of the chance of rain in 12 hours at all stations said 10%, it rained 10 of 100 times\.$/,
    );
    expect(await visit.text('#meaning')).to.match(/^Said for 40 station-windows, and it rained in /);
    expect(await visit.text('#headline')).to.not.contain('Brier');
    expect(await visit.wholeText('#leads'))
      .to.match(/Brier score.* 0\.\d{3} .*over 160/)
      .and.contain('of the windows of 12 hours were wet');
    expect(
      (await visit.rows('#reliability table')).map((cells) => [...cells.slice(0, 2), cells[3]]),
    ).to.deep.equal([
      ['10%', '10%', '40'],
      ['30%', '30%', '40'],
      ['60%', '40%', '40'],
      ['90%', '90%', '40'],
    ]);
    expect(await visit.text('#reliability .caveat')).to.contain('A window of 12 hours counts once');
    expect(await visit.text('#by-hour h2')).to.equal('Brier score by hour');
    expect(await visit.page.locator('select[name=metric]').count()).to.equal(0);
    expect(await visit.text('#panels')).not.to.match(/wet day|of 100 days/);
    // Highs are asked for first, and then the variable that has pairs.
    const metrics = asked
      .map((url) => new URL(url).searchParams.get('metric'))
      .filter((each) => each !== null);
    expect([...new Set(metrics)]).to.deep.equal(['high', 'wet_12h']);
  });

  it('given a region, then the chances are of its stations, and it says so', async () => {
    await visit.open('?metric=wet_12h&country=US', service.key);
    expect(await visit.text('#reliability .caveat')).to.contain('at stations in the United States.');
  });

  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280])
      it(`in ${colorScheme} colours, ${width} px wide, then axe finds nothing, and nothing is scrolled sideways`, async () => {
        await visit.page.emulateMedia({ colorScheme });
        await visit.resize(width);
        await visit.open('?metric=wet_12h', service.key);
        expect(await findViolations(visit.page)).to.deep.equal([]);
        expect(await visit.page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(width);
      });
});
