import { expect } from 'chai';
import { join } from 'node:path';
import { backup } from '../../../src/backup/backup.js';
import { restore } from '../../../src/backup/restore.js';
import { createKey, revokeKey } from '../../../src/access/keys.js';
import { beginLoad, finishLoad } from '../../../src/ingest/load.js';
import { recordEvent } from '../../../src/ingest/settle.js';
import type { Store } from '../../../src/store/store.js';
import { recordCollected, SOURCE } from '../../support/collect/collected.js';
import { TestListener } from '../../support/events/listener.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { FEEDS } from '../../support/ingest/loads.js';
import { Listening } from '../../support/listen.js';
import { until } from '../../support/process.js';
import { startTestService, type TestService, type TestServiceOptions } from '../../support/service.js';
import { openTestStore, temporaryFolder, withMethod } from '../../support/store.js';

// Guards GET /api/v1/events: each event once and in order, whoever breaks off and comes back; and what streams may cost.

const EVENTS = '/api/v1/events';
const QUICK = { lookMs: 20 };

const ALARM = {
  kind: 'frozen',
  provider: 'nimbus',
  station_id: null,
  metric: null,
  since: '2026-01-05',
  message: 'nimbus: 2 of 2 stations repeat the values of 2 issuances',
};

/** A service that listens, and those who listen to it. */
class Streams {
  readonly #listeners: TestListener[] = [];

  private constructor(
    readonly service: TestService,
    private readonly listening: Listening,
  ) {}

  static async on(store: Store, options: TestServiceOptions = {}): Promise<Streams> {
    const service = await startTestService(store, { eventTimes: QUICK, ...options });
    return new Streams(service, await Listening.start(service));
  }

  async open(
    query = '',
    { key = this.service.key, ...headers }: Record<string, string> = {},
  ): Promise<TestListener> {
    const listener = await TestListener.open(
      `${this.listening.url}${EVENTS}${query}`,
      key === '' ? undefined : key,
      headers,
    );
    this.#listeners.push(listener);
    return listener;
  }

  /** The status and the error of a stream that is refused. */
  async refused(
    query = '',
    headers: Record<string, string> = {},
  ): Promise<[number, { code: string; message: string }]> {
    const { text, response } = await (await this.open(query, headers)).ends();
    const { error } = JSON.parse(text) as { error: { code: string; message: string } };
    return [response.statusCode ?? 0, error];
  }

  async stop(): Promise<void> {
    for (const listener of this.#listeners) listener.leave();
    await this.listening.stop();
    await this.service.app.close();
  }
}

describe('GET /api/v1/events', function () {
  this.timeout(60_000);
  let store: Store;
  let streams: Streams;
  let lineage: string;

  const nimbus = (day: number, high: number): string =>
    `EGLL,2026-01-0${day}T00:00:00Z,2026-01-0${day + 1},${high},19,nimbus,false`;

  // v1: two stations; v2: failed; v3: nimbus, with an alarm; v4: silent; v5: back, and the alarm is over.
  before(async () => {
    store = await openTestStore();
    await loadLines(store, FEEDS);
    await recordEvent(store, await beginLoad(store), 'failed', { reason: 'no use' });
    await loadLines(store, { columns: 'all', forecasts: [nimbus(4, 31), nimbus(5, 32)] });
    await beginLoad(store);
    await recordCollected(store, 4, [{ ...SOURCE, last_success_at: '2026-03-06T00:00:00Z' }]);
    const loadId = await beginLoad(store);
    await finishLoad(store, loadId, {
      outcome: 'complete',
      collected: {
        at: '2026-03-07T19:30:00Z',
        sources: [{ ...SOURCE, last_success_at: '2026-03-07T19:26:00Z' }],
      },
      watch: { alarms: [], raised: [ALARM, { ...ALARM, kind: 'suspect' }], cleared: [ALARM] },
    });
    streams = await Streams.on(store);
    lineage = (await (await streams.open()).hearsPlace()).slice(-4);
  });
  after(async () => {
    await streams.stop();
    await store.close();
  });

  const ALL = ['v1', 'v3', 'v4-1', 'v4', 'v5-1', 'v5-2', 'v5-3', 'v5-4', 'v5'];
  const ids = (names: readonly string[]): string[] =>
    names.map((name) => name.replace(/(?=-|$)/, `.${lineage}`));

  it('given all, then the events of every load that has finished come in order, and none of one that failed', async () => {
    const listener = await (await streams.open('?since=v0')).hears(ALL.length);
    expect(listener.ids).to.deep.equal(ids(ALL));
    expect(listener.events.map(({ event }) => event)).to.deep.equal(
      'version version source version alarm alarm clear source version'.split(' '),
    );
    const [first, second] = listener.events.map(({ data }) => data);
    expect(first).to.deep.include({
      ...{ version: 1, lineage, outcome: 'complete', providers: ['default'] },
      station_days: [{ provider: 'default', station_days: 1 }],
    });
    expect(second).to.deep.include({
      providers: ['nimbus'],
      station_days: [{ provider: 'nimbus', station_days: 2 }],
    });
    expect(listener.events[2]?.data).to.deep.include({ state: 'silent', source: 'iem-nbm', provider: 'nbm' });
    expect(listener.events[4]?.data).to.deep.include({ version: 5, ...ALARM });
    expect(listener.response.headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(listener.response.headers).not.to.have.any.keys('content-encoding', 'etag', 'content-length');
  });

  it('given a place between any two events, then the events after it come, each once', async () => {
    for (const [at, id] of ids(ALL).entries()) {
      const rest = ids(ALL).slice(at + 1);
      const resumed = await streams.open('?since=v0', { 'last-event-id': id });
      await resumed.hears(rest.length);
      expect(resumed.lastId, id).to.equal(rest.at(-1) ?? id);
      expect(resumed.ids, id).to.deep.equal(rest);
      resumed.leave();
      const since = await (await streams.open(`?since=${id}`)).hears(rest.length);
      expect(since.ids).to.deep.equal(rest);
      since.leave();
    }
  });

  it('given choices, then only their events come, and the place goes on', async () => {
    const chosen = {
      'kind=alarm,clear': ['v5-1', 'v5-2', 'v5-3'],
      'kind=source': ['v4-1', 'v5-4'],
      // Nobody has counted the station days of v4 and v5.
      'provider=nimbus': ['v3', 'v4', 'v5-1', 'v5-2', 'v5-3', 'v5'],
      'provider=default&kind=version': ['v1', 'v4', 'v5'],
      'station_id=LHR&kind=version': ['v3', 'v4', 'v5'],
      'stations=KORD,EGLL&kind=version': ['v1', 'v3', 'v4', 'v5'],
      'country=GB&provider=default&kind=version': ['v4', 'v5'],
    };
    for (const [query, names] of Object.entries(chosen)) {
      const listener = await streams.open(`?since=v0&${query}`);
      await until(() => (listener.lastId === `v5.${lineage}` ? true : undefined));
      expect(listener.ids, query).to.deep.equal(ids(names));
      listener.leave();
    }
  });

  it('given a load while somebody listens, then its events come within a second, and nobody else has them twice', async () => {
    const own = await Streams.on(store, { eventTimes: {} });
    const [early, chosen] = [await own.open(), await own.open('?kind=alarm')];
    await Promise.all([early.hearsPlace(), chosen.hearsPlace()]);
    await loadLines(store, { columns: 'all', forecasts: [nimbus(6, 33)] });
    const finished = performance.now();
    await early.hears(1);
    expect(performance.now() - finished).to.be.below(1000);
    expect(early.ids).to.deep.equal(ids(['v6']));
    await until(() => (chosen.lastId === `v6.${lineage}` ? true : undefined));
    const late = await (await own.open('?since=v5')).hears(1);
    await loadLines(store, { columns: 'all', forecasts: [nimbus(7, 34)] });
    for (const listener of [early, late])
      expect((await listener.hears(2)).ids).to.deep.equal(ids(['v6', 'v7']));
    expect(chosen.events).to.deep.equal([]);
    await own.stop();
  });

  it('given more loads than are read at once, then each comes once, whatever the place', async () => {
    const many = await openTestStore();
    const rows = Array.from({ length: 45 }, (_, at) => [at + 1, 'finished', [], '{}']);
    await many.insert('loads', ['load_id', 'event', 'forecast_providers', 'report'], rows);
    const own = await Streams.on(many);
    for (const place of [0, 1, 20, 24, 44]) {
      const listener = await (await own.open(`?since=v${place}`)).hears(45 - place);
      const versions = listener.events.map(({ data }) => data.version);
      expect(versions).to.deep.equal(rows.slice(place).map(([version]) => version));
      listener.leave();
    }
    await own.stop();
    await many.close();
  });

  it('given many who listen, then each load is read once; given nobody, then nothing is', async () => {
    const asked: string[] = [];
    const watched = withMethod(store, 'query', (rows, options) => {
      asked.push(rows.statement.text);
      return store.query(rows, options);
    });
    const own = await Streams.on(watched);
    const { key } = await createKey(own.service.keysFile, 'many', { event_streams: 0 });
    const listeners = await Promise.all(Array.from({ length: 30 }, () => own.open('?since=v0', { key })));
    for (const listener of listeners) await listener.hears(ALL.length);
    const reads = (): number => asked.filter((text) => text.includes('AS finished_ms')).length;
    expect(reads()).to.equal(1);
    await loadLines(store, { columns: 'all', forecasts: [nimbus(8, 35)] });
    for (const listener of listeners)
      await until(() => (listener.ids.includes(`v8.${lineage}`) ? true : undefined));
    expect(reads()).to.equal(2);
    for (const listener of listeners) listener.leave();
    await until(async () => {
      const before = asked.length;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return asked.length === before ? true : undefined;
    });
    await own.stop();
  });

  it('given heartbeats, then a comment comes, and a key that is revoked ends its stream', async () => {
    const own = await Streams.on(store, { eventTimes: { heartbeatMs: 30 } });
    const { key, record } = await createKey(own.service.keysFile, 'short');
    const [listener, other] = [await own.open('', { key }), await own.open()];
    await until(() => (/\n\n:\n\n:\n\n/.test(listener.text) ? true : undefined));
    await revokeKey(own.service.keysFile, record.id);
    await listener.ends();
    expect(listener.text).to.match(/\n\nretry: \d{4}\n\n$/);
    expect(other.hasEnded).to.be.false;
    await own.stop();
  });

  it('given as many streams as a key or an address may have, then another is a 429; when one leaves, there is room', async () => {
    const own = await Streams.on(store, { publicRead: { rateLimitPerMinute: 0, rowsPerMinute: 0 } });
    const { key: one } = await createKey(own.service.keysFile, 'one', { event_streams: 1 });
    const rows: [string, number, string][] = [
      [own.service.key, 5, 'This key'],
      [one, 1, 'This key'],
      ['', 2, 'This address'],
    ];
    for (const [key, most, whose] of rows) {
      const open = [];
      for (let stream = 0; stream < most; stream += 1) open.push(await own.open('', { key }));
      expect(await own.refused('', { key })).to.deep.equal([
        429,
        {
          code: 'RATE_LIMITED',
          message: `${whose} has ${most} streams of events open, and may have ${most}: close one, or ask for several kinds, providers and stations in one stream`,
        },
      ]);
      const refused = await own.open('', { key });
      expect(refused.response.headers['retry-after']).to.equal('15');
      open[0]?.leave();
      await until(async () => {
        const again = await own.open('', { key });
        return again.response.statusCode === 200 ? true : undefined;
      });
    }
    await own.stop();
  });

  it('given a server that stops, then every stream ends and says when to come back, and no other opens', async () => {
    const own = await Streams.on(store);
    const listeners = [await own.open(), await own.open('?since=v0')];
    await listeners[1]?.hears(ALL.length);
    own.service.app.endStreams();
    for (const listener of listeners) {
      await listener.ends();
      expect(listener.response.complete).to.be.true;
      expect(Number(/\n\nretry: (\d+)\n\n$/.exec(listener.text)?.[1])).to.be.within(1000, 5000);
    }
    expect((await own.refused())[0]).to.equal(503);
    await own.stop();
  });

  describe('what is refused', () => {
    const refusals: Record<
      string,
      [query: string, headers: Record<string, string>, status: number, message: RegExp]
    > = {
      'a version to come': [
        '?since=v99',
        {},
        400,
        /^since names v99, but no load of this number has finished; the last one before it is v\d+; GET/,
      ],
      'a load that failed': [
        '?since=v2',
        {},
        400,
        /^since names v2, but no load of this number has finished; the last one before it is v1; GET/,
      ],
      'another lineage': [
        '?since=v1',
        { 'last-event-id': 'v1.zzzz' },
        400,
        /^Last-Event-ID names lineage zzzz, but the data have lineage \w{4}, in which/,
      ],
      'another lineage before the first': ['?since=v0.zzzz', {}, 400, /^since names lineage zzzz/],
      'no version': [
        '?since=412',
        {},
        400,
        /^since must be a version such as v412 or v412\.k7q2, the id of an event, or v0/,
      ],
      'no version in the header': [
        '',
        { 'last-event-id': 'x' },
        400,
        /^Last-Event-ID must be a version such as/,
      ],
      'an unknown kind': [
        '?kind=version,news',
        {},
        400,
        /^kind must be one or several of version, alarm, clear, source, with/,
      ],
      'an unknown provider': ['?provider=nobody', {}, 404, /^Unknown provider "nobody"/],
      'an unknown station': ['?stations=KXXX', {}, 404, /^Unknown station "KXXX"/],
      CSV: ['?format=csv', {}, 400, /^format is not a parameter/],
      'no key': ['', { key: '' }, 401, /^This needs an API key/],
    };
    for (const [name, [query, headers, status, message]] of Object.entries(refusals)) {
      it(`given ${name}, then it is a ${status} that says why`, async () => {
        const [found, error] = await streams.refused(query, headers);
        expect(found, error.message).to.equal(status);
        expect(error.message).to.match(message);
      });
    }

    it('given HEAD, then it is a 405, and a tag makes no 304', async () => {
      const { service } = streams;
      const head = await service.request('head', EVENTS).set('Authorization', `Bearer ${service.key}`);
      expect([head.status, head.headers.allow]).to.deep.equal([405, 'GET']);
      const tagged = await streams.open('', { 'if-none-match': '*' });
      expect(tagged.response.statusCode).to.equal(200);
    });
  });

  it('given a restore while somebody listens, then its stream ends, and it is told that the data have another lineage', async () => {
    const [from, into] = [await openTestStore(), await openTestStore()];
    await loadLines(from, FEEDS);
    const folder = join(temporaryFolder(), 'full');
    await backup(from, folder);
    const own = await Streams.on(into);
    const listener = await own.open();
    expect(await listener.hearsPlace()).to.match(/^v0\.\w{4}$/);
    await restore(into, folder);
    await listener.ends();
    const [status, { message }] = await own.refused('', { 'last-event-id': listener.lastId });
    expect(status).to.equal(400);
    expect(message).to.match(/^Last-Event-ID names lineage/);
    await own.stop();
    await Promise.all([from.close(), into.close()]);
  });
});
