import { expect } from 'chai';
import { addHours, addProvider, LAST_DAY, makeData, type Shape } from '../../../scripts/bench/data.js';
import { DOWNLOADS, ENDPOINTS } from '../../../src/endpoints.js';
import { addDays } from '../../../src/statistics/time/calendar.js';
import type { Store } from '../../../src/store/store.js';
import { Listening } from '../../support/listen.js';
import { TOOLS } from '../../../src/mcp/tools/index.js';
import { itInCi, range } from '../../support/runner/range.js';
import { skip } from '../../support/runner/skip.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { ClientThread, longestSlice, unmeasurable } from '../../support/slices.js';

// While one answer is made, others wait for their slices. The collector of garbage has slices of its own, and JavaScript that
// is not compiled yet is slow: of some askings of a question, the one with the shortest slices counts.

const MOST_MS = 30;
const MOST_ASKINGS = 16;
// In `make ci` more days than fill a page; in `make torture` those of a year. Data of that size take `make test` too long.
const SHAPE: Shape = { stations: 164, days: range({ test: 0, ci: 40, torture: 366 }), grain: 0.01 };

const STATION = 'K00077';
const WINDOW = { date_from: addDays(LAST_DAY, -365), date_to: LAST_DAY };
const YEAR = `date_from=${addDays(LAST_DAY, -365)}&date_to=${LAST_DAY}`;
const BOTH = 'providers=default,other';
const MOST = 'limit=50000';

const FOR_MCP = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** The dearest questions of each path below /api/v1. */
const QUESTIONS: Record<string, string[]> = {
  '/accuracy/by-date': [YEAR, `${YEAR}&format=csv&include_preliminary=true`],
  '/accuracy/by-date/:station_id': [YEAR],
  '/accuracy/by-station/:station_id': [
    `${YEAR}&include_raw=true&ci=0.95`,
    `${YEAR}&include_raw=true&format=csv`,
  ],
  '/accuracy/summary': [`${YEAR}&ci=0.95`],
  '/accuracy/by-lead-time': [`${YEAR}&ci=0.95&align=matched`, `${YEAR}&ci=0.95`],
  '/accuracy/by-city': [
    `${YEAR}&ci=0.95`,
    `date_from=${addDays(LAST_DAY, -29)}&date_to=${LAST_DAY}&known_at=${addDays(LAST_DAY, 1)}`,
  ],
  '/accuracy/by-weather-regime': [`${YEAR}&ci=0.95`],
  '/accuracy/hit-rate': [`${YEAR}&ci=0.95`],
  '/accuracy/by-bucket/:station_id': [`${YEAR}&range_width=1`],
  '/accuracy/revision-stats': [YEAR],
  '/accuracy/exceedance': [YEAR],
  '/accuracy/exceedance-summary': [YEAR],
  '/accuracy/events': [`${YEAR}&thresholds=32,50,90&group_by=station`],
  '/accuracy/error-distribution': [`${YEAR}&bin_width=0.5`],
  '/accuracy/distribution': [YEAR, `${YEAR}&group_by=station`],
  '/accuracy/peak-timing/:station_id': [`${YEAR}&group_by=month`],
  '/accuracy/bias-correction': [YEAR, `${YEAR}&window=365&station_id=${STATION}`],
  '/accuracy/sample-size': [YEAR],
  '/accuracy/update-frequency': [YEAR],
  '/accuracy/freshness': [''],
  '/accuracy/compare': [`${YEAR}&${BOTH}&group_by=station,lead_time_bucket`],
  '/accuracy/divergence': [`${YEAR}&${BOTH}&group_by=station,lead_time_bucket`, `${YEAR}&${BOTH}`],
  '/accuracy/skill': [
    `${YEAR}&reference=climatology`,
    `${YEAR}&reference=climatology&station_id=${STATION}`,
    `${YEAR}&reference=persistence&group_by=station`,
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
  '/data/departures': [`${BOTH}&threshold=0.5&${MOST}`],
  '/data/suspects': [`${YEAR}&${MOST}`],
  '/data/run-stats': [`start_time=${addDays(LAST_DAY, -60)}&end_time=${LAST_DAY}`],
  '/stations/metadata': ['', 'format=csv'],
  '/providers': [''],
  '/loads': ['limit=500'],
  '/usage': [''],
  '': [''],
  '/export/pairs': [`${YEAR}&format=csv`, `${YEAR}&format=ndjson`, `${YEAR}&format=parquet`],
};

/** The same of the tools of POST /mcp. */
const CALLS: [tool: string, given: Record<string, unknown>][] = [
  ['find_stations', { query: 'City', limit: 200 }],
  ['forecast_accuracy', { by: 'station', ...WINDOW, limit: 200 }],
  ['compare', { of: 'providers', by: 'station', ...WINDOW, limit: 200 }],
  ['odds', { place: STATION, target_date: LAST_DAY }],
  ['forecasts_for_day', { place: STATION, target_date: LAST_DAY }],
  ['forecast_pairs', { ...WINDOW, worst_first: true, limit: 200 }],
  ['data_status', {}],
];

describe('the event loop', function () {
  this.timeout(900_000);
  let store: Store;
  let service: TestService;
  let listening: Listening;
  let client: ClientThread;

  before(async function () {
    if (unmeasurable !== undefined) skip(this, unmeasurable);
    store = await openTestStore();
    await makeData(store, SHAPE);
    await addProvider(store, SHAPE.days);
    await addHours(store, SHAPE);
    // It keeps no answers, so that each is made.
    service = await startTestService(store, { cacheBytes: 0, now: `${addDays(LAST_DAY, 1)}T18:00:00Z` });
    listening = await Listening.start(service);
    client = new ClientThread();
  });
  after(async () => {
    await client?.end();
    await listening?.stop();
    await store?.close();
  });

  /** Expects that the slices of some asking of a question are short enough. */
  const expectShortPieces = async (path: string, body?: string): Promise<void> => {
    const headers = { authorization: `Bearer ${service.key}`, ...(body !== undefined && FOR_MCP) };
    const asked = { url: `${listening.url}${path}`, headers, ...(body !== undefined && { body }) };
    const slices: number[] = [];
    for (let asking = 0; asking < MOST_ASKINGS; asking += 1) {
      const slice = await longestSlice(async () => expect(await client.ask(asked), path).to.equal(200));
      slices.push(Math.round(slice));
      if (slice <= MOST_MS) return;
    }
    expect.fail(`${path} ${body ?? ''}: slices of ${slices.join(', ')} ms`);
  };

  for (const [path, queries] of Object.entries(QUESTIONS)) {
    itInCi(`given /api/v1${path}, then it is held for at most ${MOST_MS} ms in one slice`, async () => {
      for (const query of queries)
        await expectShortPieces(`/api/v1${path.replace(':station_id', STATION)}?${query}`);
    });
  }

  for (const [name, given] of CALLS) {
    itInCi(`given a call of ${name}, then so it is`, async () => {
      const params = { name, arguments: given };
      await expectShortPieces(
        '/mcp',
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      );
    });
  }

  itInCi('given every other page, then so it is, once it has been made', async () => {
    for (const path of ['/', '/docs', '/openapi.json', '/api/v1/health', '/healthz', '/readyz', '/metrics'])
      await expectShortPieces(path);
  });
});

describe('the questions that may hold the event loop', () => {
  it('given all endpoints and tools, then each is asked here', () => {
    const paths = [...ENDPOINTS.flatMap(({ paths }) => paths), ...DOWNLOADS.map(({ path }) => path)];
    expect(Object.keys(QUESTIONS)).to.have.members(paths.map((path) => path.replace(/^\/$/, '')));
    expect(CALLS.map(([name]) => name)).to.have.members(TOOLS.map(({ name }) => name));
  });
});
