import { mock } from 'node:test';
import { expect } from 'chai';
import { type WorkerLimits, Workers, type WorkFor } from '../../../src/responses/workers.js';
import {
  QueryAbandoned,
  QueryTimeout,
  QueryTooLarge,
  StoreOverloaded,
} from '../../../src/store/store-errors.js';
import { failureOf } from '../../support/failure.js';
import { until } from '../../support/process.js';
import { itInCi } from '../../support/runner/range.js';

// Guards the bounds of worker threads, and that one ends whose answer nobody waits for.

const STUB = new URL(import.meta.resolve('../../support/stub-worker.js'));

describe('worker threads', function () {
  let workers: Workers;
  let charged: number[];
  let faults: unknown[];
  const open = (limits: Partial<WorkerLimits> = {}, file = STUB): void => {
    workers = new Workers(file, (error) => faults.push(error), {
      threads: 1,
      waiting: 4,
      heapMb: 256,
      maxMs: 50_000,
      ...limits,
    });
  };
  const ask = (question: object, asker: Partial<WorkFor> = {}) =>
    workers.run(
      {
        ...{ operationId: '', named: undefined, params: question as never, now: new Date() },
        version: { key: '1', timeline: 'k7q2', finishedLoad: 1 },
      },
      {
        ...{ name: 'a', signal: new AbortController().signal },
        read: () => Promise.reject(new Error('nothing is read')),
        charge: (workMs) => charged.push(workMs),
        ...asker,
      },
    );
  /** A question that goes on for ever, once it is at work. */
  const goesOn = async () => {
    const client = new AbortController();
    const counts = new Int32Array(new SharedArrayBuffer(4));
    const asked = failureOf(ask({ does: 'goes on', counts }, { signal: client.signal }));
    await until(() => Promise.resolve(counts[0]! > 0 ? true : undefined));
    return { client, counts, asked };
  };
  beforeEach(() => {
    charged = [];
    faults = [];
  });
  afterEach(() => workers.close());

  it('given an answer, then the caller is charged for the time of the worker', async () => {
    open();
    const { body, verified } = await ask({ does: 'answers' });
    expect({ text: body.toString(), verified, charged }).to.deep.equal({
      ...{ text: '{}', verified: true, charged: [7] },
    });
  });

  it('given a client that leaves, then its worker ends, its time is charged, and the next is answered', async () => {
    open();
    const { client, counts, asked } = await goesOn();
    client.abort();
    expect(await asked).to.be.instanceOf(QueryAbandoned);
    expect(charged).to.have.lengthOf(1);
    await ask({ does: 'answers' });
    const [count] = counts;
    await ask({ does: 'answers' });
    expect(counts[0]).to.equal(count);
  });

  itInCi('given an answer that takes too long, then it is a QueryTimeout', async () => {
    open({ maxMs: 500 });
    expect(await failureOf(ask({ does: 'goes on', counts: new Int32Array(1) }))).to.be.instanceOf(
      QueryTimeout,
    );
  });

  itInCi('given a question that has waited for another, then its wait counts against its time', async () => {
    open();
    const { client, asked } = await goesOn();
    const counts = new Int32Array(new SharedArrayBuffer(4));
    const waited = failureOf(ask({ does: 'goes on', counts }, { name: 'b' }));
    const now = performance.now.bind(performance);
    const clock = mock.method(performance, 'now', () => now() + 50_000);
    try {
      client.abort();
      await asked;
      const isAtWork = until(() => counts[0]! > 0 || undefined).then(() => 'at work');
      expect(await Promise.race([waited, isAtWork])).to.be.instanceOf(QueryTimeout);
    } finally {
      clock.mock.restore();
    }
  });

  itInCi(
    'given more memory than a worker may have, then it is a QueryTooLarge, and the next is answered',
    async () => {
      open({ heapMb: 24 });
      expect(await failureOf(ask({ does: 'hoards' }))).to.be.instanceOf(QueryTooLarge);
      await ask({ does: 'answers' });
    },
  );

  itInCi(
    'given a fault of the program, then its error is told, and the next question is answered',
    async () => {
      open();
      expect(await failureOf(ask({ does: 'breaks' }))).to.have.property('message', 'broken');
      await ask({ does: 'answers' });
    },
  );

  itInCi(
    'given workers that cannot start, then the fault is told, and the question is a QueryTimeout',
    async () => {
      open({ maxMs: 500 }, new URL('./missing.ts', STUB));
      expect(await failureOf(ask({ does: 'answers' }))).to.be.instanceOf(QueryTimeout);
      await until(() => (faults.length > 0 ? true : undefined)); // on a busy machine, after the question
      expect(String(faults[0])).to.match(/ERR_MODULE_NOT_FOUND|Cannot find module/);
    },
  );

  itInCi('given more questions than may wait, then the last of them is refused at once', async () => {
    open({ waiting: 1 });
    const { client, asked } = await goesOn();
    const waiting = ask({ does: 'answers' });
    const refused = await failureOf(ask({ does: 'answers' }));
    expect(refused).to.be.instanceOf(StoreOverloaded);
    expect(refused.message).to.equal('2 queries are waiting'); // not that one has waited for long
    client.abort();
    await Promise.all([asked, waiting]);
  });
});
