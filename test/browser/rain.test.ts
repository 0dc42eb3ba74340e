import { expect } from 'chai';
import { findViolations, Visit } from '../support/browser.js';
import { listen, type Listening, withPage } from '../support/dashboard.js';
import { loadLines } from '../support/ingest/feeds.js';
import { openTestStore } from '../support/store.js';

// Guards the page of a chance of rain in a window of hours: how often it rained of each chance is counted here by hand, and the page
// offers what the store has, and asks for nothing else.

const STATIONS = [
  'KORD,Chicago,US,41.98,-87.9,America/Chicago,Dfa,true,,',
  'KSEA,Seattle,US,47.44,-122.3,America/Los_Angeles,Csb,true,,',
];
const IDS = ['KORD', 'KSEA'];
const HOUR = 3_600_000;
const FIRST = Date.parse('2026-05-01T00:00:00Z');
const WINDOWS = 80;
/** The chances that are forecast, in turn. */
const CHANCES = [10, 30, 60, 90];

const text = (instant: number): string => new Date(instant).toISOString();
const windows = Array.from({ length: WINDOWS }, (_each, at) => {
  const chance = CHANCES[at % CHANCES.length]!;
  // Three of ten windows with a chance of 30% are wet, and four of ten with 60%.
  const wet = chance === 60 ? 4 : chance / 10;
  return {
    ends: FIRST + (at + 1) * 12 * HOUR,
    chance,
    isWet: Math.floor(at / CHANCES.length) % 10 < wet,
  };
});

const FEEDS = {
  stations: STATIONS,
  hours: [
    'station_id,at,temp_f,precip_in',
    ...IDS.flatMap((id) =>
      windows.flatMap(({ ends, isWet }) =>
        Array.from({ length: 12 }, (_each, hour) => {
          const at = text(ends - (hour + 1) * HOUR + 53 * 60_000);
          return `${id},${at},,${isWet && hour === 4 ? '0.07' : '0'}`;
        }),
      ),
    ),
  ],
  hourly_forecasts: [
    'station_id,issued_at,valid_at,temp_f,precip_chance_12h',
    ...IDS.flatMap((id) =>
      windows.map(({ ends, chance }) => `${id},${text(ends - 20 * HOUR)},${text(ends)},,${chance}`),
    ),
  ],
};

describe('the dashboard, given chances of rain in windows of hours', () => {
  withPage(() => {});
  let service: Listening;
  let visit: Visit;

  before(async () => {
    const store = await openTestStore();
    await loadLines(store, FEEDS);
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
