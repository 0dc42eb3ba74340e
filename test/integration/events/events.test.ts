import { expect } from 'chai';
import { createKey, revokeKey } from '../../../src/auth/keys.js';
import { beginLoad, finishLoad, recordEvent } from '../../../src/ingest/load-events.js';
import type { Store } from '../../../src/store/store.js';
import { TestListener } from '../../support/events/listener.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { FEEDS } from '../../support/ingest/loads.js';
import { Listening } from '../../support/listen.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { itInCi } from '../../support/runner/range.js';

// Guards GET /api/v1/events: the latest version, whatever the client has had, and then each new one; the feed behind it has
// tests of its own.

const EVENTS = '/api/v1/events';

const ALARM = {
  ...{
    kind: 'stale',
    provider: 'nimbus',
    station_id: null,
    metric: null,
    since: '2026-01-05',
  },
  message: 'nimbus: 2 of 2 stations repeat the values of 2 issuances',
};

describe('GET /api/v1/events', function () {
  let store: Store;
  let service: TestService;
  let listening: Listening;

  before(async () => {
    store = await openTestStore();
    service = await startTestService(store, {
      eventTimes: { lookMs: 20, heartbeatMs: 1000 },
      publicRead: { rateLimitPerMinute: 0, rowsPerMinute: 0 },
    });
    listening = await Listening.start(service);
  });
  after(async () => {
    service.app.endStreams();
    await listening.stop();
    await service.app.close();
    await store.close();
  });
  const open = (query = '', headers: Record<string, string> = {}, key = service.key): Promise<TestListener> =>
    TestListener.open(`${listening.url}${EVENTS}${query}`, key, headers);
  const idOf = (version: number, { ids }: TestListener): string => `v${version}.${ids[0]?.slice(-4)}`;

  it('given loads while somebody listens, then each comes as /loads has it, with the alarms that hold', async () => {
    const stream = await open();
    await loadLines(store, FEEDS);
    await stream.hears(1);
    await recordEvent(store, await beginLoad(store), 'failed', { reason: 'no use' });
    const watched = await beginLoad(store);
    await finishLoad(store, watched, {
      outcome: 'complete',
      watch: { alarms: [ALARM], raised: [ALARM], cleared: [] },
    });
    await stream.hears(2);
    const response = await service.get('/api/v1/loads');
    const { data, metadata } = response.body as {
      data: Record<string, unknown>[];
      metadata: { timeline: string };
    };
    const loads = [data[2], data[0]].map((load) => ({
      data_version: load?.version,
      ...{ finished_at: load?.finished_at, outcome: load?.outcome },
      ...{ pairs_added: load?.pairs_added, pairs_withdrawn: load?.pairs_withdrawn },
    }));
    expect(stream.ids).to.deep.equal([`v1.${metadata.timeline}`, `v3.${metadata.timeline}`]);
    expect(stream.events.map((event) => event.data)).to.deep.equal([
      { ...loads[0], alarms: [] },
      { ...loads[1], alarms: [ALARM.message] },
    ]);
    expect(stream.response.headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.response.headers).not.to.have.any.keys('content-encoding', 'etag', 'content-length');
    stream.leave();
  });

  itInCi(
    'given an id of any kind, then the latest version comes; given its own, only the next one',
    async () => {
      const { key } = await createKey(service.keysFile, 'many', { event_streams: 0 });
      const first = await (await open('', {}, key)).hears(1);
      const latest = idOf(3, first);
      const garbage = [
        'v0',
        idOf(0, first),
        idOf(1, first),
        idOf(99, first),
        'v3',
        'v3.zzzz',
        'v0-1',
        '-',
        '%',
      ];
      const long = 'x'.repeat(10_000);
      const streams = [first];
      for (const id of [...garbage, '', long]) {
        streams.push(await open('', { 'last-event-id': id }, key));
        streams.push(await open(`?lastEventId=${encodeURIComponent(id)}`, {}, key));
      }
      streams.push(await open(`?lastEventId=%ff%00&lastEventId=v1`, { 'last-event-id': 'é' }, key));
      for (const stream of streams) expect((await stream.hears(1)).ids).to.deep.equal([latest]);
      const known = [
        await open('', { 'last-event-id': latest }, key),
        await open(`?lastEventId=v1&lastEventId=${latest}`, {}, key),
        await open('?lastEventId=v1', { 'last-event-id': latest }, key),
      ];
      await loadLines(store, { forecasts: ['KORD,2026-01-04T00:00:00Z,2026-01-05,31,19'] });
      for (const stream of known) expect((await stream.hears(1)).ids).to.deep.equal([idOf(4, first)]);
      for (const stream of [...streams, ...known]) stream.leave();
    },
  );

  it('given a key that is revoked or owes rows, then its stream ends before the next event', async () => {
    const { key, record } = await createKey(service.keysFile, 'short');
    const { key: poor } = await createKey(service.keysFile, 'poor', { rows_per_minute: 1 });
    const stream = await (await open('', {}, key)).hears(1);
    await revokeKey(service.keysFile, record.id);
    await loadLines(store, { forecasts: ['KORD,2026-01-05T00:00:00Z,2026-01-06,31,19'] });
    expect((await stream.ends()).ids).to.have.lengthOf(1);
    await (await (await open('', {}, poor)).hears(1)).ends();
    const refused = await service.get(EVENTS).set('Authorization', `Bearer ${poor}`);
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers['retry-after'])).to.be.above(0);
  });

  itInCi('given an address without a key, then its third stream takes the place of the first', async () => {
    const streams = [];
    for (let open_ = 0; open_ < 3; open_ += 1)
      streams.push(await (await TestListener.open(`${listening.url}${EVENTS}`)).hears(1));
    expect((await streams[0]?.ends())?.retryMs).to.be.within(30_000, 60_000);
    expect(streams.map(({ hasEnded }) => hasEnded)).to.deep.equal([true, false, false]);
    for (const stream of streams) stream.leave();
  });

  it('given a parameter that it has not, then it is a 400 that says where to look', async () => {
    for (const name of ['since', 'kind', 'provider', 'stations', 'format']) {
      const response = await service.get(`${EVENTS}?${name}=v1`);
      expect(response.status).to.equal(400);
      expect((response.body as { error: { message: string } }).error.message).to.match(
        new RegExp(
          `^${name} is not a parameter: a stream takes only lastEventId.* /api/v1/loads\\?after=v412 lists`,
        ),
      );
    }
  });

  it('given HEAD, then it has the headers of a stream; given no key, then it is a 401', async () => {
    const authorization = `Bearer ${service.key}`;
    const head = await service.request('head', EVENTS).set('Authorization', authorization);
    expect([head.status, head.headers['content-type']]).to.deep.equal([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    const posted = await service.request('post', EVENTS).set('Authorization', authorization);
    expect([posted.status, posted.headers.allow]).to.deep.equal([405, 'GET, HEAD']);
    expect((await service.request('get', EVENTS).set('Authorization', 'Bearer x')).status).to.equal(401);
  });
});
