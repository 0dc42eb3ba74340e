import { EventEmitter } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Response } from 'express';
import { Accounts } from '../../../src/auth/accounts.js';
import type { Limits } from '../../../src/auth/limits.js';
import { EventFeed } from '../../../src/events/feed.js';
import type { QueryOptions, Store } from '../../../src/store/store.js';
import { TestListener } from '../../support/events/listener.js';
import { failureOf } from '../../support/failure.js';
import { until } from '../../support/process.js';

// Guards who gets an event and who pays for it, and that whoever has left, vanished or lost its key gives its place back.

/** Rows that the engine reads for an event, in two statements. */
const ROWS = 100;

/** A feed over HTTP whose loads the test makes. */
class TestFeed {
  finishedLoad = 1;
  timeline = 'k7q2';
  /** The sentence of the alarm that holds. */
  alarm = 'nws stands still';
  /** Readings of the version so far, and of events. */
  looks = 0;
  reads = 0;
  /** Set, no look ends before this does. */
  held: Promise<void> | undefined;
  limits: Limits = { rateLimitPerMinute: 0, rowsPerMinute: 0, eventStreams: 0 };
  isAdmitted = true;
  readonly responses: Response[] = [];
  readonly errors: unknown[] = [];
  readonly feed: EventFeed;
  readonly #server: Server;
  readonly #accounts = new Accounts(() => new Date());

  constructor(times: { lookMs?: number; heartbeatMs?: number } = {}) {
    const read = <Row>(row: Row, { reader }: QueryOptions): Row => {
      this.reads += 1;
      reader?.chargeRows(ROWS / 2);
      return row;
    };
    const report = { outcome: 'complete', pairs_added: 4, pairs_withdrawn: 0 };
    const store = {
      queryOne: (_: unknown, options: QueryOptions) =>
        Promise.resolve(read({ finished_ms: 1_700_000_000_000, report }, options)),
      query: (_: unknown, options: QueryOptions) =>
        Promise.resolve([read({ alarms: [{ message: this.alarm }] }, options)]),
    } as unknown as Pick<Store, 'query' | 'queryOne'>;
    const current = async () => {
      this.looks += 1;
      await this.held;
      return { key: '', timeline: this.timeline, finishedLoad: this.finishedLoad };
    };
    this.feed = new EventFeed({ store, dataVersion: { current }, lookMs: 5, ...times });
    this.#server = createServer((request, response) => {
      this.responses.push(response as Response);
      const client = {
        response: response as Response,
        caller: this.account(request.headers['x-key']),
        lastId: request.headers['last-event-id'] as string | undefined,
        isAdmitted: () => this.isAdmitted,
      };
      this.feed.open(client).catch((error: unknown) => {
        this.errors.push(error);
        response.writeHead(503).end();
      });
    });
  }

  account = (key: string | string[] = 'key') => this.#accounts.of({ id: String(key), name: '' }, this.limits);

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  open(headers: Record<string, string> = {}): Promise<TestListener> {
    return TestListener.open(this.url, undefined, headers);
  }

  /** Waits until nobody listens: then the feed reads nothing. */
  async rests(): Promise<void> {
    await until(() => this.responses.every(({ closed }) => closed) || undefined);
  }

  /** Rows that a key has been charged for. */
  rowsOf = (key = 'key'): number => this.account(key).usage().days[0]?.rows_read ?? 0;

  stop(): void {
    this.feed.close();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe('the feed of versions', () => {
  let feed: TestFeed;
  const started = async (times?: ConstructorParameters<typeof TestFeed>[0]): Promise<TestFeed> => {
    feed = await new TestFeed(times).start();
    return feed;
  };
  afterEach(() => feed.stop());

  it('given clients that leave before their streams begin, then none of them is counted', async () => {
    const { url, responses } = await started({ heartbeatMs: 60_000 });
    let release = (): void => {};
    feed.held = new Promise((resolve) => (release = resolve));
    for (let clients = 1; clients <= 3; clients += 1) {
      const headers = { 'last-event-id': 'v1.k7q2' }; // so nothing is sent that would find them gone
      const request = get(url, { agent: false, headers }).on('error', () => {});
      await until(() => responses[clients - 1]);
      request.destroy();
    }
    await until(() => (responses.every(({ destroyed }) => destroyed) ? true : undefined));
    release();
    await feed.rests();
    expect(responses.map(({ headersSent }) => headersSent)).to.deep.equal([false, false, false]);
  });

  it('given as many streams as a key may have, then the oldest gives way to the next, and comes back later', async () => {
    await started();
    feed.limits = { ...feed.limits, eventStreams: 2 };
    const streams = [];
    for (const key of ['one', 'other', 'one', 'one', 'one']) streams.push(await feed.open({ 'x-key': key }));
    for (const stream of [streams[0], streams[2]]) {
      await stream?.ends();
      expect(stream?.retryMs).to.be.within(30_000, 60_000);
    }
    feed.finishedLoad = 2;
    for (const at of [1, 3, 4])
      expect((await streams[at]?.hears(2))?.ids).to.deep.equal(['v1.k7q2', 'v2.k7q2']);
  });

  it('given twenty heartbeats, then a stream ends, and asks for another within seconds', async () => {
    await started({ heartbeatMs: 5 });
    const stream = await (await feed.open()).ends();
    expect(stream.text.match(/^:$/gm)).to.have.lengthOf(19);
    expect(stream.retryMs).to.be.within(1000, 5000);
    await feed.rests();
  });

  it('given a store without a load, then a stream has no id, and waits for the first', async () => {
    await started();
    feed.finishedLoad = 0;
    const stream = await feed.open({ 'last-event-id': 'v0' });
    feed.finishedLoad = 1;
    await stream.hears(1);
    expect(stream.text).to.match(/^retry: \d{4}\n\nid: v1\.k7q2\nevent: version\ndata: .+\n\n$/);
  });

  it('given a restore while somebody listens, then the version of the other timeline comes', async () => {
    await started();
    const stream = await (await feed.open()).hears(1);
    feed.timeline = 'x3m9';
    expect((await stream.hears(2)).ids).to.deep.equal(['v1.k7q2', 'v1.x3m9']);
  });

  it('given many who listen, then each event is read once, and they pay for it together', async () => {
    await started();
    const streams = [];
    for (const key of ['one', 'one', 'other']) streams.push(await feed.open({ 'x-key': key }));
    for (const stream of streams) await stream.hears(1);
    expect(feed.reads).to.equal(2);
    expect([feed.rowsOf('one'), feed.rowsOf('other')]).to.deep.equal([ROWS + ROWS / 2, Math.ceil(ROWS / 3)]);
    feed.finishedLoad = 2;
    for (const stream of streams) await stream.hears(2);
    expect(feed.reads).to.equal(4);
    expect(feed.rowsOf('other')).to.equal(2 * Math.ceil(ROWS / 3));
  });

  it('given a key that loses its rows, or is revoked, then its stream ends without another event', async () => {
    await started({ heartbeatMs: 60_000 });
    feed.limits = { ...feed.limits, rowsPerMinute: 10_000 };
    const [poor, rich] = [await feed.open({ 'x-key': 'poor' }), await feed.open({ 'x-key': 'rich' })];
    await Promise.all([poor.hears(1), rich.hears(1)]);
    feed.account('poor').chargeRows(1_000_000);
    feed.finishedLoad = 2;
    await Promise.all([poor.ends(), rich.hears(2)]);
    expect(poor.ids).to.deep.equal(['v1.k7q2']);
    feed.isAdmitted = false;
    feed.finishedLoad = 3;
    expect((await rich.ends()).ids).to.deep.equal(['v1.k7q2', 'v2.k7q2']);
  });

  it('given a reader that does not read, then it is cut off before events fill the memory; others have all', async () => {
    await started();
    feed.alarm = 'x'.repeat(1_000_000);
    const idle = await feed.open();
    idle.response.pause();
    let [bytes, waiting] = [0, 0];
    const reader = get(feed.url, { agent: false }, (response) =>
      response.on('data', (data: Buffer) => (bytes += data.length)),
    );
    reader.on('error', () => {});
    for (; feed.finishedLoad < 30; feed.finishedLoad += 1) {
      await until(() => (bytes >= feed.finishedLoad * 1_000_000 ? true : undefined));
      waiting = Math.max(waiting, feed.responses[0]?.writableLength ?? 0);
    }
    expect(feed.responses.map(({ destroyed }) => destroyed)).to.deep.equal([true, false]);
    expect(waiting).to.be.below(2_100_000);
  });

  it('given 2,000 streams of others, then one more is OVERLOADED, until one of them ends', async () => {
    await started({ heartbeatMs: 60_000, lookMs: 60_000 });
    const responses: EventEmitter[] = [];
    /** Opens a stream without a connection. */
    const open = (): Promise<void> => {
      const response = Object.assign(new EventEmitter(), {
        ...{ destroyed: false, writableEnded: false, writableLength: 0 },
        ...{ write: () => true, end: () => response, writeHead: () => response },
      });
      responses.push(response);
      return feed.feed.open({
        ...{ response: response as unknown as Response, lastId: 'v1.k7q2', isAdmitted: () => true },
        caller: feed.account(`key ${responses.length}`),
      });
    };
    for (let one = 0; one < 2000; one += 1) await open();
    expect(await failureOf(open())).to.have.property('code', 'OVERLOADED');
    responses[0]!.emit('close');
    await open();
  });

  it('given a server that stops, then every stream ends and says when to come back, and no other opens', async () => {
    await started();
    const stream = await feed.open();
    feed.feed.close();
    expect((await stream.ends()).retryMs).to.be.within(1000, 5000);
    expect(stream.response.complete).to.equal(true);
    expect((await feed.open()).response.statusCode).to.equal(503);
    expect(feed.errors).to.have.lengthOf(1);
  });
});
