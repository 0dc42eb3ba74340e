import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { FEEDS, NOW, WINDOW } from '../../support/contract/data.js';
import { type Answer, sent } from '../../support/contract/contract.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { until } from '../../support/process.js';
import { itInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService, type TestServiceOptions } from '../../support/service.js';
import { withMethod } from '../../support/store.js';
import { openWorld } from '../../support/worlds.js';

const API = '/api/v1';
const SUMMARY = `${API}/accuracy/summary?${WINDOW}`;
const SHORT = 'private, max-age=0, must-revalidate';
const LONG = 'private, max-age=3600';

/** The count of statements about pairs, which only answers need, in the wrapped stores. */
let asked = 0;
/** Holds such statements up, or fails them. */
let hold: () => Promise<void> = () => Promise.resolve();

/** Counts what answers ask of a store. */
const counted = (store: Store): Store =>
  withMethod(store, 'query', async (...given) => {
    if (!/_errors|FROM station_days/.test(given[0].statement.text)) return store.query(...given);
    asked += 1;
    await hold();
    return store.query(...given);
  });

describe('answers that are kept', () => {
  let store: Store;
  let service: TestService;
  let lead = 0;

  const start = async (options: TestServiceOptions = {}): Promise<TestService> =>
    startTestService(counted(store), { now: NOW, ...options });
  const get = async (path: string, headers: Record<string, string> = {}, at = service): Promise<Answer> =>
    sent(at.get(path).set(headers));
  const head = async (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    sent(service.request('head', path).set('Authorization', `Bearer ${service.key}`).set(headers));
  const pairsOf = ({ body }: Answer): number =>
    (body as { data: { verification_pairs: number } }).data.verification_pairs;
  /** Loads one more pair of KORD on 18 March. */
  const loadPair = async (): Promise<void> => {
    lead += 1;
    await loadLines(store, {
      forecasts: [`KORD,2024-03-17T01:00:${String(lead).padStart(2, '0')}Z,2024-03-18,51.00,`],
    });
  };
  const tagOf = async (path: string): Promise<string> => {
    const { status, headers, text } = await get(path);
    expect(status, `${path}: ${text}`).to.equal(200);
    return headers.etag ?? '';
  };
  const metric = async (source: string): Promise<number> => {
    const { text } = await get('/metrics');
    return Number(new RegExp(`^responses_total\\{source="${source}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  };

  before(async () => {
    store = await openWorld([FEEDS]);
  });
  // A new service has kept nothing.
  beforeEach(async () => {
    hold = () => Promise.resolve();
    service = await start();
    asked = 0;
  });
  after(async () => {
    await store.close();
  });

  describe('when a question is asked again', () => {
    it('then the store is asked once, and the bytes are the same', async () => {
      const first = await get(SUMMARY);
      const again = await get(SUMMARY);
      expect(asked).to.equal(1);
      expect(again.text).to.equal(first.text);
      expect(again.headers['content-length']).to.equal(String(Buffer.byteLength(again.text)));
      expect(first.headers['server-timing']).to.match(/^store;dur=\d+\.\d\d, rows;desc=[1-9]\d*$/);
      expect(again.headers['server-timing']).to.equal('cache;desc=hit');
      expect([await metric('miss'), await metric('hit')]).to.deep.equal([1, 1]);
      expect((await get('/metrics')).text).to.match(/^cache_bytes [1-9]\d+$/m);
    });

    it('then generated_at and local_generated_at are of the first time, and Age tells the seconds since', async () => {
      let now = '2024-03-20T15:30:00.123Z';
      const moving = await start({ now: () => new Date(now) });
      const path = `${API}/accuracy/by-station/KORD?${WINDOW}`;
      const first = await get(path, {}, moving);
      expect(first.headers).not.to.have.property('age');
      now = '2024-03-20T16:30:00.456Z';
      const { body, headers } = await get(path, {}, moving);
      expect(headers.age).to.equal('3600');
      expect(asked).to.equal(1);
      const { metadata } = body as { metadata: Record<string, unknown> };
      expect(metadata).to.include({
        generated_at: '2024-03-20T15:30:00.123Z',
        local_generated_at: '2024-03-20T10:30:00.123-05:00',
      });
      expect(Object.keys(metadata)[0]).to.equal('generated_at');
      expect(Object.keys(metadata).at(-1)).to.equal('query_time_ms');
    });

    it('as CSV, then the store is asked once, and the bytes are the same', async () => {
      const path = `${API}/accuracy/by-date?${WINDOW}&format=csv`;
      const first = await get(path);
      const again = await get(path);
      expect(asked).to.equal(1);
      expect(again.text).to.equal(first.text).and.to.contain('2024-03-');
      for (const name of ['content-type', 'content-disposition', 'content-length', 'etag']) {
        expect(again.headers[name], name).to.equal(first.headers[name]).and.to.be.a('string');
      }
      expect(again.headers['server-timing']).to.equal('cache;desc=hit');
    });

    it('with include_raw, then one statement gives the total and the pairs: no load can settle between', async () => {
      const { body } = await get(`${API}/accuracy/by-station/KORD?${WINDOW}&include_raw=true`);
      expect(asked).to.equal(1);
      const { data } = body as { data: { sample_size: number; sample_records: unknown[] } };
      expect(data.sample_records).to.have.length(data.sample_size);
    });

    it('by 100 at once, then the store is asked once, also when nothing is kept', async () => {
      for (const cacheBytes of [undefined, 0]) {
        asked = 0;
        const at = await start(cacheBytes === undefined ? {} : { cacheBytes });
        // The question for what is under way is itself one of those.
        hold = async () => {
          await until(async () => {
            const { text } = await get('/metrics', {}, at);
            return text.includes('\nhttp_requests_in_flight 101\n') || undefined;
          });
        };
        const answers = await Promise.all(Array.from({ length: 100 }, () => get(SUMMARY, {}, at)));
        expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
        expect(asked).to.equal(1);
      }
    });

    it('and the store failed before, then it is asked again', async () => {
      hold = () => Promise.reject(new Error('for once'));
      const failed = await get(SUMMARY);
      expect(failed.status).to.equal(500);
      expect(failed.headers).not.to.have.any.keys('etag', 'vary', 'server-timing');
      expect(failed.headers['cache-control']).to.equal('no-store');
      hold = () => Promise.resolve();
      expect((await get(SUMMARY)).status).to.equal(200);
      expect(asked).to.equal(2);
    });
  });

  describe('when data are loaded', () => {
    // The tag after a load, below, stands for it in `make test`.
    itInCi('then the next answer has them', async () => {
      const first = pairsOf(await get(SUMMARY));
      await loadPair();
      expect(pairsOf(await get(SUMMARY))).to.equal(first + 1);
    });

    it('while a question is under way, then the next one does not share its answer', async () => {
      const first = pairsOf(await get(SUMMARY));
      const path = `${SUMMARY}&station_id=KORD`;
      let release = (): void => {};
      let isHeld = (): void => {};
      const held = new Promise<void>((resolve) => (isHeld = resolve));
      hold = () =>
        new Promise((resolve) => {
          release = resolve;
          isHeld();
        });
      const underWay = get(path);
      await held;
      hold = () => Promise.resolve();
      await loadPair();
      const next = await get(path);
      release();
      const tags = [(await underWay).headers.etag, next.headers.etag];
      expect(tags[0]).not.to.equal(tags[1]);
      expect((await get(path)).headers.etag).to.equal(tags[1]);
      expect(pairsOf(await get(SUMMARY))).to.equal(first + 1);
    });

    it('then new stations are known, and the list of stations has them', async () => {
      const list = `${API}/stations/metadata`;
      const tag = await tagOf(list);
      expect((await get(list, { 'If-None-Match': tag })).status).to.equal(304);
      expect((await get(`${API}/accuracy/by-station/KDEN`)).status).to.equal(404);
      await loadLines(store, {
        stations: ['KDEN,Denver,US,39.8,-104.7,America/Denver,BSk,true,,DEN'],
      });
      expect((await get(`${API}/accuracy/by-station/KDEN`)).status).to.equal(200);
      expect((await get(list, { 'If-None-Match': tag })).text).to.contain('KDEN');
    });
  });

  // For 5 s: test/unit/store/data-version.test.ts, on a clock of its own.
  itInCi('when the store has gone, then what is kept answers for some time, and then it is 503', async () => {
    const closing = await openWorld([FEEDS]);
    const at = await startTestService(closing, { now: NOW });
    expect((await get(SUMMARY, {}, at)).status).to.equal(200);
    await closing.close();
    const statuses: number[] = [];
    while (statuses.at(-1) !== 503) {
      statuses.push((await get(SUMMARY, {}, at)).status);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(new Set(statuses)).to.deep.equal(new Set([200, 503]));
  });

  it('when the UTC date changes, then a rolling window is another question, and a written one is not', async () => {
    let now = '2024-03-20T23:59:59.999Z';
    service = await start({ now: () => new Date(now) });
    const rolling = `${API}/accuracy/summary?days=3`;
    const [before, written] = [await tagOf(rolling), await tagOf(SUMMARY)];
    now = '2024-03-21T00:00:00.000Z';
    const after = await get(rolling, { 'If-None-Match': before });
    expect(after.status).to.equal(200);
    expect(after.body).to.have.nested.include({
      'metadata.period_start': '2024-03-19',
      'metadata.period_end': '2024-03-21',
    });
    expect(await tagOf(SUMMARY)).to.equal(written);
  });

  describe('when a request is conditional', () => {
    it('with the right tag, then it is 304 without a body and without the store; after a load it is 200', async () => {
      const tag = await tagOf(SUMMARY);
      asked = 0;
      const known = await get(SUMMARY, { 'If-None-Match': `"other", ${tag}`, 'X-Request-Id': 'mine' });
      expect(known).to.include({ status: 304, text: '' });
      expect(known.headers).to.include({
        etag: tag,
        'cache-control': SHORT,
        vary: 'Authorization, Accept, Accept-Encoding',
        'x-request-id': 'mine',
        'x-content-type-options': 'nosniff',
      });
      expect(known.headers).not.to.have.any.keys('content-type', 'content-length', 'transfer-encoding');
      expect(await metric('not_modified')).to.equal(1);
      expect(asked).to.equal(0);
      await loadPair();
      const after = await get(SUMMARY, { 'If-None-Match': tag });
      expect(after.status).to.equal(200);
      expect(after.headers.etag).not.to.equal(tag);
    });

    itInCi('and nothing is kept, then it is 304 all the same', async () => {
      const tag = await tagOf(SUMMARY);
      const at = await start({ cacheBytes: 0 });
      asked = 0;
      expect((await get(SUMMARY, { 'If-None-Match': tag }, at)).status).to.equal(304);
      expect(asked).to.equal(0);
    });

    it('without a key, or with a bad parameter, then that counts first', async () => {
      const tag = await tagOf(SUMMARY);
      const stranger = await sent(service.request('get', SUMMARY).set('If-None-Match', tag));
      expect(stranger.status).to.equal(401);
      const bad = await get(`${SUMMARY}&days=0`, { 'If-None-Match': '*' });
      expect(bad.status).to.equal(400);
      expect(bad.headers['cache-control']).to.equal('no-store');
      expect(bad.headers).not.to.have.property('etag');
    });

    it('as HEAD, then it has the headers of GET and no body', async () => {
      for (const path of [SUMMARY, `${SUMMARY}&format=csv`, `${API}/stations/metadata`]) {
        await get(path); // both from the cache, so that they took as long
        const own = ({ headers }: Answer): object => ({ ...headers, date: '', 'x-request-id': '' });
        // superagent asks for it with a GET only.
        const same = { 'Accept-Encoding': 'gzip, deflate', 'X-Request-Id': 'same' };
        const [asGet, asHead] = [await get(path, same), await head(path, same)];
        expect(own(asHead), path).to.deep.equal(own(asGet));
        expect(asHead).to.include({ status: 200, text: '' });
        const tag = asGet.headers.etag ?? '';
        expect((await head(path, { 'If-None-Match': tag })).status, path).to.equal(304);
      }
    });
  });

  describe('the tag', () => {
    const SAME: string[][] = [
      [
        'summary',
        'summary?days=90',
        'summary?date_from=2023-12-22&date_to=2024-03-20',
        'summary?date_to=2024-03-20&days=90&metric=high&format=json',
        'summary/?city=',
      ],
      [
        'by-date/KORD?days=7',
        'by-date?station_id=kord&days=7',
        'by-date?city=Chicago&days=7',
        'by-date/windy%20city?days=7&city=chicago',
        'by-date/ORD?date_from=2024-03-14&days=7',
      ],
      ['by-city?days=7', 'by-city?days=7&sort_by=city', 'by-city?min_samples=0&days=7'],
      ['by-station/KORD', 'by-station/KORD?include_raw=false'],
    ];
    for (const [first = '', ...others] of SAME) {
      it(`given ${first} asked in other words, then it is the same, and the store is asked once`, async () => {
        const tag = await tagOf(`${API}/accuracy/${first}`);
        asked = 0;
        for (const other of others) expect(await tagOf(`${API}/accuracy/${other}`), other).to.equal(tag);
        expect(asked).to.equal(0);
      });
    }

    itInCi('given Accept for format, then JSON and CSV have their own, the same as by format', async () => {
      const [json, csv] = [await tagOf(SUMMARY), await tagOf(`${SUMMARY}&format=csv`)];
      expect(json).not.to.equal(csv);
      expect((await get(SUMMARY, { Accept: 'text/csv' })).headers.etag).to.equal(csv);
      expect((await get(SUMMARY, { Accept: '*/*' })).headers.etag).to.equal(json);
      expect((await get(SUMMARY, { Accept: 'text/csv', 'If-None-Match': json })).status).to.equal(200);
    });
  });

  describe('Cache-Control', () => {
    const LIFE: [what: string, query: string, life: string][] = [
      ['verified days that are long over', 'date_from=2024-03-16&date_to=2024-03-18&station_id=KORD', LONG],
      ['a day of a preliminary pair', 'date_from=2024-03-18&date_to=2024-03-18&station_id=KPDX', SHORT],
      ['verified pairs, up to yesterday', 'date_from=2024-03-18&date_to=2024-03-19&station_id=KPWM', SHORT],
      ['verified pairs, up to today', 'station_id=KPWM', SHORT],
      ['no pairs at all, long ago', 'date_from=2020-01-01&date_to=2020-01-31', SHORT],
    ];
    for (const [what, query, life] of LIFE) {
      it(`given ${what}, then an answer has ${life}, kept or not, and 304 has it, too`, async () => {
        for (const endpoint of range({ test: 1, ci: 4 }, ['summary', 'by-date', 'by-city', 'by-lead-time'])) {
          const path = `${API}/accuracy/${endpoint}?${query}`;
          const first = await get(path);
          const tag = first.headers.etag ?? '';
          const answers = [first, await get(path), await get(path, { 'If-None-Match': tag })];
          expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 304]);
          expect(answers.map(({ headers }) => headers['cache-control'])).to.deep.equal([life, life, life]);
        }
      });
    }

    itInCi(
      'given a closed window whose answer is not kept any more, then 304 has the short life',
      async () => {
        const path = `${API}/accuracy/summary?${LIFE[0]?.[1]}`;
        const tag = await tagOf(path);
        const at = await start({ cacheBytes: 0 });
        expect((await get(path, { 'If-None-Match': tag }, at)).headers['cache-control']).to.equal(SHORT);
      },
    );
  });
});
