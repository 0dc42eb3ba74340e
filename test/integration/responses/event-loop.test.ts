import { expect } from 'chai';
import { addHours, addProvider, LAST_DAY, makeData, type Shape } from '../../../scripts/bench/data.js';
import { DOWNLOADS, ENDPOINTS } from '../../../src/endpoints.js';
import { TOOLS } from '../../../src/mcp/tools/index.js';
import { addDays } from '../../../src/statistics/time/calendar.js';
import { SERVING } from '../../../src/store/engine/open.js';
import type { Store } from '../../../src/store/store.js';
import { Listening } from '../../support/listen.js';
import { ClientThread, longestPiece, unmeasurable } from '../../support/pieces.js';
import { describeInCi, itInCi, itInStressTier, range } from '../../support/runner/range.js';
import { skip } from '../../support/runner/skip.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { AT_LENGTH } from '../../support/stress/stress.js';
import { CALLS, narrowed, urlsOf } from '../../support/widest.js';

// While one response is made, others wait: for a piece of its work at most. JavaScript that is not compiled yet is slow, and
// other work of the machine slows any, but nothing makes one short: a request is sent again until its piece is short. A piece
// that is long by itself is long each time. `make stress` has every endpoint and tool on the data that the service is built
// for; `make ci` the widest of each kind, and twice the bound, as a piece of 30 ms took 31 on a busy machine.

const MAX_MS = AT_LENGTH ? 30 : 60;
const ROUNDS = range({ test: 0, ci: 3, stress: 5 });
const SHAPE: Shape = AT_LENGTH
  ? { stations: 2000, days: 365, grain: 1 }
  : { stations: 164, days: 14, grain: 0.01 };
/** Windows: the first that is not refused. */
const WINDOWS = [365, 180, 90, 60, 30, 14, 7];

const FORMATS = [
  ...ENDPOINTS.map(({ paths }) => ({ paths, formats: ['json', 'csv'] })),
  ...DOWNLOADS.map(({ path }) => ({ paths: [path], formats: ['csv', 'ndjson', 'parquet'] })),
];

/** The requests of `make ci`: a row for each station, lists, and all formats of the export. */
const WIDEST = ['/accuracy/by-city', '/data/suspects', '/export/pairs'];
const WIDEST_TOOLS = ['forecast_accuracy', 'forecast_pairs'];

const FOR_MCP = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

describeInCi('the event loop', function () {
  this.timeout(3_600_000);
  const table: string[] = [];
  let store: Store;
  let service: TestService;
  let listening: Listening;
  let client: ClientThread;

  before(async function () {
    if (unmeasurable !== undefined) skip(this, unmeasurable);
    store = await openTestStore({ ...SERVING, queryTimeoutSeconds: 120 }); // on a busy machine too
    await makeData(store, SHAPE);
    await addProvider(store, SHAPE.days);
    await addHours(store, SHAPE);
    await startService();
    client = new ClientThread();
  });
  after(async () => {
    if (AT_LENGTH) console.log(`      > longest pieces, ms:\n${table.join('\n')}`);
    await client?.end();
    await stopService();
    await store?.close();
  });

  const startService = async (of = store): Promise<void> => {
    // It keeps no answers, so that each is made; a worker gives way to all else of a busy machine.
    service = await startTestService(of, {
      ...{ cacheBytes: 0, now: `${addDays(LAST_DAY, 1)}T18:00:00Z`, workerLimits: { maxMs: 600_000 } },
    });
    listening = await Listening.start(service);
  };
  const stopService = async (): Promise<void> => {
    await listening?.stop();
    await service?.app.close();
  };

  const ask = (path: string, body?: string): Promise<number | string> =>
    client.ask({
      url: `${listening.url}${path}`,
      headers: { authorization: `Bearer ${service.key}`, ...(body !== undefined && FOR_MCP) },
      ...(body !== undefined && { body }),
    });

  /** Expects short pieces of some requests, once all have been measured. @param prepare what goes before each */
  const expectShortPieces = async (
    requests: Iterable<[path: string, body?: string]>,
    prepare?: () => Promise<void>,
  ): Promise<void> => {
    const long: string[] = [];
    for (const [path, body] of requests) {
      const pieces: number[] = [];
      let shortest = Infinity;
      while (shortest > MAX_MS && pieces.length < ROUNDS) {
        await prepare?.();
        pieces.push(await longestPiece(async () => expect(await ask(path, body), path).to.equal(200)));
        shortest = Math.min(...pieces);
      }
      const name = `${path} ${body ?? ''}`;
      table.push(`${Math.round(shortest).toString().padStart(6)}  ${name}`);
      if (shortest > MAX_MS) long.push(`${name}: ${pieces.map(Math.round).join(', ')} ms`);
    }
    expect(long).to.deep.equal([]);
  };

  /** A URL with as many days as are answered. */
  const widest = async (url: string): Promise<string> => {
    for (const days of WINDOWS) {
      const found = narrowed(url, days);
      if ((await ask(found)) !== 400) return found;
    }
    return url;
  };

  for (const { paths, formats } of FORMATS) {
    for (const path of paths.filter((each) => AT_LENGTH || WIDEST.includes(each))) {
      itInCi(`given /api/v1${path}, then no piece holds it for more than ${MAX_MS} ms`, async () => {
        const urls = urlsOf(path)
          .slice(0, AT_LENGTH ? Infinity : 1)
          .flatMap((url) => formats.map((format) => `${url}&format=${format}`));
        const requests: [string][] = [];
        for (const url of urls) requests.push([await widest(url)]);
        await expectShortPieces(requests);
      });
    }
  }

  itInCi('given a station with as many pairs as an answer may have, then so it is', async () => {
    const days = 2083; // 49,992 pairs
    const long = await openTestStore({ ...SERVING, queryTimeoutSeconds: 120 });
    await makeData(long, { stations: 1, days, grain: 0.01 });
    await stopService();
    await startService(long);
    const window = `date_from=${addDays(LAST_DAY, 1 - days)}&date_to=${LAST_DAY}`;
    const asked = `/api/v1/accuracy/by-station/K00000?${window}&include_raw=true&ci=0.95`;
    const forms = range({ test: 0, ci: 1, stress: 3 }, ['', '&temp_unit=celsius', '&format=csv']);
    await expectShortPieces(forms.map((more): [string] => [asked + more]));
    await stopService();
    await startService();
    await long.close();
  });

  for (const [name, given] of CALLS.filter(([name]) => AT_LENGTH || WIDEST_TOOLS.includes(name))) {
    itInCi(`given a call of ${name}, then so it is`, async () => {
      const params = { name, arguments: given };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      await expectShortPieces([['/mcp', body]]);
    });
  }

  itInStressTier('given every other page as the first request, then so it is', async () => {
    const pages = [
      '/',
      '/docs',
      '/openapi.json',
      '/llms.txt',
      '/api/v1/health',
      '/healthz',
      '/readyz',
      '/metrics',
    ];
    const restart = async (): Promise<void> => {
      await stopService();
      await startService();
    };
    await expectShortPieces(
      pages.map((path) => [path]),
      restart,
    );
  });
});

describe('the requests that may hold the event loop', () => {
  it('given all endpoints and tools, then each is among them', () => {
    const paths = FORMATS.flatMap(({ paths }) => paths);
    expect(paths.filter((path) => urlsOf(path).length === 0)).to.deep.equal([]);
    expect(paths).to.include.members(WIDEST);
    expect(CALLS.map(([name]) => name)).to.have.members(TOOLS.map(({ name }) => name));
  });
});
