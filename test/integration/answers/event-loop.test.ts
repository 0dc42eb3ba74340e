import { expect } from 'chai';
import { addHours, addProvider, LAST_DAY, makeData, type Shape } from '../../../scripts/bench/data.js';
import { DOWNLOADS, ENDPOINTS } from '../../../src/endpoints/index.js';
import { addDays } from '../../../src/statistics/time/calendar.js';
import type { Store } from '../../../src/store/store.js';
import { Listening } from '../../support/listen.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { ClientThread, longestPiece, unmeasurable } from '../../support/turns.js';

// While one answer is made, others wait for their turns. The garbage collector has its own pieces, and JavaScript that is
// not compiled yet is slow: of some askings of one question, the one with the shortest pieces counts.

const MOST_MS = 30;
const ASKINGS = range({ test: 3, ci: 6 });
const SHAPE: Shape = { stations: 164, days: range({ test: 61, ci: 366 }), grain: 0.01 };

const STATION = 'K00077';
const YEAR = `date_from=${addDays(LAST_DAY, -365)}&date_to=${LAST_DAY}`;
const BOTH = 'providers=default,other';
const MOST = 'limit=50000';

/** The dearest questions of each path below /api/v1; those of one line are about the same. */
const QUESTIONS: Record<string, string[]> = {
  '/accuracy/by-date': [YEAR, `${YEAR}&format=csv&show_preliminary=true`],
  '/accuracy/by-date/:station_id': [YEAR],
  '/accuracy/by-station/:station_id': [
    `${YEAR}&include_raw=true&ci=0.95`,
    `${YEAR}&include_raw=true&format=csv`,
  ],
  '/accuracy/summary': [`${YEAR}&ci=0.95`],
  '/accuracy/by-lead-time': [`${YEAR}&ci=0.95&align=matched&select=latest`, `${YEAR}&ci=0.95`],
  '/accuracy/by-city': [`${YEAR}&ci=0.95`, `${YEAR}&ci=0.95&known_at=${addDays(LAST_DAY, 1)}`],
  '/accuracy/by-weather-regime': [`${YEAR}&ci=0.95`],
  '/accuracy/hit-rate': [`${YEAR}&ci=0.95`],
  '/accuracy/by-bucket/:station_id': [`${YEAR}&range_width=1`],
  '/accuracy/revision-stats': [YEAR, `${YEAR}&station_id=${STATION}&include_steps=true`],
  '/accuracy/exceedance': [YEAR],
  '/accuracy/exceedance-summary': [YEAR],
  '/accuracy/events': [`${YEAR}&thresholds=32,50,90&group_by=station`],
  '/accuracy/error-distribution': [`${YEAR}&bin_width=0.5&group_by=forecast`],
  '/accuracy/spread-skill': [YEAR],
  '/accuracy/peak-timing/:station_id': [`${YEAR}&group_by=month`],
  '/accuracy/bias-correction': [YEAR, `${YEAR}&window=365&station_id=${STATION}`],
  '/accuracy/sample-size': [YEAR],
  '/accuracy/update-frequency': [YEAR],
  '/accuracy/freshness': [''],
  '/accuracy/compare': [`${YEAR}&${BOTH}&group_by=station,lead_time_bucket`],
  '/accuracy/skill': [
    `${YEAR}&reference=climatology`,
    `${YEAR}&reference=climatology&station_id=${STATION}`,
    `${YEAR}&reference=recent&group_by=station`,
  ],
  '/probability': [
    `forecast=70&target_date=${LAST_DAY}&window=365&station_id=${STATION}&lead_hours=20`,
    `${BOTH}&target_date=${LAST_DAY}&window=365&station_id=${STATION}&lead_hours=20`,
  ],
  '/probability/reliability': [
    `${YEAR}&window=365`,
    `${YEAR}&window=365&station_id=${STATION}`,
    `${YEAR}&${BOTH}`,
    `date_from=${addDays(LAST_DAY, -59)}&date_to=${LAST_DAY}&hour=9`,
  ],
  '/data/forecast-actual': [
    `${YEAR}&${MOST}`,
    `${YEAR}&${MOST}&format=csv`,
    `${YEAR}&${MOST}&temp_unit=celsius`,
  ],
  '/data/forecasts': [`forecast_for_date=${LAST_DAY}&versions=all&${MOST}`],
  '/data/observations': [`${YEAR}&versions=all&${MOST}`],
  '/data/hours': [`start_time=${addDays(LAST_DAY, -60)}&end_time=${LAST_DAY}&${MOST}`],
  '/data/run-stats': [`start_time=${addDays(LAST_DAY, -60)}&end_time=${LAST_DAY}`],
  '/stations/metadata': ['', 'format=csv'],
  '/providers': [''],
  '/loads': ['limit=500'],
  '/usage': [''],
  '': [''],
  '/export/pairs': [`${YEAR}&format=csv`, `${YEAR}&format=ndjson`, `${YEAR}&format=parquet`],
};

/** Calls of tools, as a client of MCP sends them. */
const CALLS: Record<string, Record<string, unknown>> = {
  find_stations: {},
};

describe('the event loop', function () {
  this.timeout(900_000);
  let store: Store;
  let service: TestService;
  let listening: Listening;
  let client: ClientThread;

  before(async function () {
    if (unmeasurable !== undefined) this.skip();
    store = await openTestStore();
    await makeData(store, SHAPE);
    await addProvider(store, SHAPE.days);
    await addHours(store, SHAPE);
    service = await startTestService(store, { cacheBytes: 0, now: `${addDays(LAST_DAY, 1)}T18:00:00Z` });
    listening = await Listening.start(service);
    client = new ClientThread();
  });
  after(async () => {
    await client?.end();
    await listening?.stop();
    await store?.close();
  });

  it('is asked about at every URL', () => {
    const paths = [...ENDPOINTS.flatMap(({ paths }) => paths), ...DOWNLOADS.map(({ path }) => path)];
    expect(Object.keys(QUESTIONS).sort()).to.include.members(paths.filter((p) => p !== '/'));
  });

  for (const [path, queries] of Object.entries(QUESTIONS)) {
    it(`given ${path}, then it is held for at most ${MOST_MS} ms in one piece`, async () => {
      for (const query of queries) {
        const url = `${listening.url}/api/v1${path.replace(':station_id', STATION)}?${query}`;
        const headers = { authorization: `Bearer ${service.key}` };
        const pieces: number[] = [];
        let bytes = 0;
        const t = performance.now();
        for (let asking = 0; asking < ASKINGS && !(Math.min(...pieces) <= MOST_MS); asking += 1) {
          let answer = { status: 0, bytes: 0 };
          pieces.push(await longestPiece(async () => (answer = await client.ask({ url, headers }))));
          expect(answer.status, url).to.equal(200);
          bytes = answer.bytes;
        }
        if (process.env.SHOW)
          console.log(
            Math.min(...pieces)
              .toFixed(0)
              .padStart(5),
            pieces.map((p) => p.toFixed(0)).join(' '),
            `${path}?${query}`,
            bytes,
            ((performance.now() - t) / ASKINGS).toFixed(0) + 'ms each',
          );
        else expect(Math.min(...pieces), `${path}?${query}`).to.be.at.most(MOST_MS);
      }
    });
  }
});
void CALLS;
