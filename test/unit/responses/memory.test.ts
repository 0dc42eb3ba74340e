import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { IRouter, Request, Response } from 'express';
import { ResponseCache } from '../../../src/responses/cache.js';
import {
  type CachedResponse,
  EndpointHandler,
  type EndpointHandlerDependencies,
} from '../../../src/responses/endpoint-handler.js';
import { mount } from '../../../src/responses/respond.js';
import { ENDPOINTS } from '../../../src/endpoints.js';
import { type Directory, type Station, StationIndex } from '../../../src/stations/directory.js';
import { Providers } from '../../../src/stations/provider-choice.js';
import { callerNamed } from '../../support/caller.js';
import { itInCi, range } from '../../support/runner/range.js';
import { skip } from '../../support/runner/skip.js';

// Weighs what the service keeps in memory between requests.

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

type Handler = (request: Request, response: Response) => Promise<void>;

const STATISTICS = {
  verification_pairs: 1234,
  preliminary_pairs: 12,
  error_sum: -3456,
  abs_error_sum: 45_678,
  square_error_sum: '1234567',
  abs_error_percentiles: [210, 455, 610],
  pairs_by_day: [1, 2, 3],
  preliminary_pairs_by_day: [0, 0, 1],
};

const stationsOf = (count: number): Station[] =>
  Array.from({ length: count }, (_, index) => {
    const station_id = `K${String(index).padStart(3, '0')}`;
    return {
      ...{ station_id, city_name: `City number ${index}`, country: 'US', latitude: 41, longitude: -87 },
      ...{ timezone: 'America/Chicago', day_boundary: 'civil', climate_zone: 'Dfa', data_active: true },
      ...{ aliases: [`Alias of ${index}`], external_ids: { icao: station_id, iata: '' } },
      reported_in: 'whole_fahrenheit',
    };
  });

/** The endpoints, without HTTP, on a store that gives every question the same rows. */
function serve(stations: number, cacheBytes: number) {
  const handlers = new Map<string, Handler>();
  const router = {
    get(path: string, handler: Handler) {
      handlers.set(path, handler);
    },
  } as unknown as IRouter;
  const responses = new ResponseCache<CachedResponse>(cacheBytes);
  const indexes: WeakRef<StationIndex>[] = [];
  let version = '0';
  let minute = 0;
  let current: Directory;
  const load = (): void => {
    version = `${Number(version) + 1}`;
    current = {
      stations: new StationIndex(stationsOf(stations)),
      providers: new Providers([]),
      asOf: undefined,
      timeline: 'k7q2',
    };
    indexes.push(new WeakRef(current.stations));
  };
  load();
  const dependencies: EndpointHandlerDependencies = {
    store: {
      query: ({ statement: { text } }) => {
        const row = /GROUP BY station_id/.test(text)
          ? { station_id: 'K001', unique_days: 3 }
          : { date: '2024-03-18' };
        const count = /GROUP BY (station_id|target_date)/.test(text) ? 90 : 1;
        return Promise.resolve(Array.from({ length: count }, () => ({ ...STATISTICS, ...row })) as never);
      },
      queryUnparsed: () => Promise.reject(new Error('no question is that long')),
    },
    dataVersion: {
      current: () => Promise.resolve({ key: version, timeline: 'k7q2', finishedLoad: 0 }),
    },
    directory: { at: () => Promise.resolve(current) },
    workers: { run: () => Promise.reject(new Error('no question is that long')) },
    responses,
    metrics: { countResponse: () => {}, measureQuery: () => {} },
    clock: () => new Date(Date.UTC(2024, 2, 20, 12, minute)),
  };
  const mounted = ENDPOINTS.map((endpoint) => new EndpointHandler(endpoint, dependencies));
  mount(router, '', mounted, { remember: () => {} });
  const get = async (path: string, query: string): Promise<void> => {
    const accepts = (types: string[]): string | undefined => types[0];
    const request = { url: `${path}?${query}`, headers: {}, params: {}, accepts } as unknown as Request;
    const response = {
      hasHeader: () => false,
      once: () => response,
      writeHead: () => response,
      end: () => response,
      locals: { caller: callerNamed('test') },
    } as unknown as Response;
    const handler = handlers.get(path);
    if (handler === undefined) throw new Error(`${path}: no endpoint is mounted there`);
    await handler(request, response);
  };
  return { responses, indexes, load, get, nextMinute: () => (minute += 1) };
}

// The size of an object depends on the runtime: the figures are those of Node 20.
const isMeasured = process.versions.node.startsWith('20.');

describe('the memory that answers take', function () {
  before(function () {
    if (!isMeasured) skip(this, 'the figures of memory are those of Node 20');
  });

  for (const [what, path, format, count] of range({ test: 0, ci: 2, stress: 4 }, [
    ['short answers', '/accuracy/summary', 'json', 1500],
    ['short answers as CSV', '/accuracy/summary', 'csv', 3000],
    ['answers of 9 kB as CSV', '/accuracy/by-date', 'csv', 700],
    ['answers of 24 kB', '/accuracy/by-date', 'json', 350],
  ] as const)) {
    it(`given ${what}, then the bytes that the cache counts are within 25 % of their memory`, async () => {
      const { responses, get } = serve(1, 1e9);
      const ask = async (of: string, from: number, to: number): Promise<void> => {
        for (let each = from; each < to; each += 1) {
          const start = new Date(Date.UTC(2000, 0, 1 + each)).toISOString().slice(0, 10);
          await get(of, `format=${format}&date_from=${start}&days=1`);
        }
      };
      /** When there is no more to collect: bytes outside the heap are freed later. */
      const weigh = async (): Promise<number> => {
        let least = Infinity;
        for (let still = 0; still < 3; still += 1) {
          collectGarbage();
          await new Promise((resolve) => setTimeout(resolve, 20));
          const { heapUsed, external } = process.memoryUsage();
          if (heapUsed + external < least - 20_000) still = 0;
          least = Math.min(least, heapUsed + external);
        }
        return least;
      };
      await ask('/accuracy/summary', 0, 900); // fills the list of kept questions
      await ask(path, 900, 1000);
      const [before, counted] = [await weigh(), responses.bytes];
      await ask(path, 1000, 1000 + count);
      expect((responses.bytes - counted) / ((await weigh()) - before)).to.be.within(0.8, 1.25);
    });
  }

  itInCi('given a new minute, then questions of the last one, which nobody finds, are let go', async () => {
    const { get, nextMinute } = serve(50, 100_000);
    const paths = ['/accuracy/summary', '/accuracy/by-date', '/accuracy/by-lead-time', '/accuracy/by-city'];
    const heap = async (): Promise<number> => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    for (let days = 1; days <= 365; days += 1) for (const path of paths) await get(path, `days=${days}`);
    const before = await heap();
    nextMinute();
    for (const path of paths) await get(path, 'days=1');
    expect(before - (await heap()), 'bytes').to.be.greaterThan(1_000_000);
  });

  itInCi(
    'given 20 versions of the data and many kept questions, then one station index stays in memory',
    async () => {
      const { indexes, load, get } = serve(50, 1_000_000);
      for (let each = 0; each < 20; each += 1) {
        for (let station = 0; station < 5; station += 1) {
          for (const endpoint of ['summary', 'by-date', 'by-lead-time', 'by-city']) {
            await get(`/accuracy/${endpoint}`, `station_id=K0${each % 5}${station}`);
            await get(`/accuracy/${endpoint}`, `days=${each * 5 + station + 1}`);
          }
          await get('/stations/metadata', `format=${station % 2 === 0 ? 'json' : 'csv'}`);
        }
        load();
      }
      await new Promise((resolve) => setTimeout(resolve, 10)); // a WeakRef keeps its target for the rest of the slice
      collectGarbage();
      expect(indexes.filter((index) => index.deref() !== undefined)).to.have.length(1);
    },
  );
});
