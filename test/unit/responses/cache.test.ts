import { expect } from 'chai';
import fc from 'fast-check';
import { ResponseCache } from '../../../src/responses/cache.js';

const MB = 1024 * 1024;
type Sized = { body: { length: number } };
const response = (length: number): Sized => ({ body: { length } });

describe('the response cache', () => {
  it('given an answered question, then the cache finds its answer, and no other', async () => {
    const responses = new ResponseCache(MB);
    const first = response(10);
    expect(await responses.compute('a', () => Promise.resolve(first))).to.deep.equal({
      response: first,
      source: 'miss',
    });
    expect(responses.get('a')).to.equal(first);
    expect(responses.get('b')).to.equal(undefined);
  });

  for (const maxBytes of [MB, 0]) {
    it(`given ${maxBytes} bytes and 100 equal questions at once, then one works and all get its answer`, async () => {
      const responses = new ResponseCache(maxBytes);
      let worked = 0;
      const work = async (): Promise<Sized> => {
        worked += 1;
        await new Promise(setImmediate);
        return response(10);
      };
      const results = await Promise.all(Array.from({ length: 100 }, () => responses.compute('a', work)));
      expect(worked).to.equal(1);
      expect(new Set(results.map((each) => each.response)).size).to.equal(1);
      expect(results.filter(({ source }) => source === 'coalesced')).to.have.lengthOf(99);
    });

    it(`given ${maxBytes} bytes and a failure, then it reaches all waiters, and the next question starts new work`, async () => {
      const responses = new ResponseCache(maxBytes);
      const failing = async (): Promise<Sized> => {
        await new Promise(setImmediate);
        throw new Error('gone');
      };
      const results = await Promise.allSettled([1, 2, 3].map(() => responses.compute('a', failing)));
      expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected']);
      expect(responses.get('a')).to.equal(undefined);
      expect((await responses.compute('a', () => Promise.resolve(response(1)))).source).to.equal('miss');
    });
  }

  describe('given a question of two clients, who may leave during the work', () => {
    let responses: ResponseCache<Sized>;
    let finish: (response: Sized) => void;
    let signals: AbortSignal[];
    let clients: AbortController[];

    /** Work that ends when the test says so, or with an error when the last waiter leaves. */
    const work = (signal: AbortSignal): Promise<Sized> =>
      new Promise((resolve, reject) => {
        signals.push(signal);
        finish = resolve;
        signal.addEventListener('abort', () => reject(new Error('abandoned')));
      });
    const ask = (client: number) => responses.compute('a', work, clients[client]?.signal);

    beforeEach(() => {
      responses = new ResponseCache(MB);
      signals = [];
      clients = [new AbortController(), new AbortController()];
    });

    for (const leaves of [0, 1]) {
      it(`when ${leaves === 0 ? 'the first' : 'the second'} leaves, then the work goes on for the other`, async () => {
        const asked = [ask(0), ask(1)];
        clients[leaves]?.abort();
        expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false]);
        finish(response(3));
        expect(await asked[1 - leaves]).to.deep.include({ response: response(3) });
        expect(responses.get('a')).to.deep.equal(response(3));
      });
    }

    it('when both leave, then the work aborts, and a third request starts a new one', async () => {
      const asked = [ask(0), ask(1)];
      for (const client of clients) client.abort();
      const third = responses.compute('a', work);
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true, false]);
      const results = await Promise.allSettled(asked);
      expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
      const fourth = responses.compute('a', work);
      finish(response(4));
      expect(await third).to.deep.equal({ response: response(4), source: 'miss' });
      expect(await fourth).to.deep.equal({ response: response(4), source: 'coalesced' });
    });

    it('when the only one has left before it asks, then the work aborts', async () => {
      clients[0]?.abort();
      expect(await ask(0).catch((error: Error) => error.message)).to.equal('abandoned');
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);
    });

    it('when both leave after the answer, then nothing happens', async () => {
      const asked = ask(0);
      finish(response(5));
      await asked;
      for (const client of clients) client.abort();
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false]);
      expect(responses.get('a')).to.deep.equal(response(5));
    });
  });

  it('given no bytes, then the cache keeps nothing', async () => {
    const responses = new ResponseCache(0);
    await responses.compute('a', () => Promise.resolve(response(10)));
    expect([responses.get('a'), responses.bytes]).to.deep.equal([undefined, 0]);
  });

  it('given an answer larger than a quarter of the cache, then it is not kept, and evicts no other', async () => {
    const responses = new ResponseCache(MB);
    await responses.compute('small', () => Promise.resolve(response(1000)));
    await responses.compute('large', () => Promise.resolve(response(MB / 4 + 1)));
    expect(responses.get('large')).to.equal(undefined);
    expect(responses.get('small')).not.to.equal(undefined);
  });

  it('given any responses, then their bytes, with those of their keys, never exceed the maximum', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.string(), fc.nat(30_000)), { maxLength: 60 }), async (asked) => {
        const responses = new ResponseCache(100_000);
        for (const [key, bytes] of asked) {
          await responses.compute(key, () => Promise.resolve(response(bytes)));
          expect(responses.bytes).to.be.at.most(100_000);
        }
        const kept = new Map(asked.filter(([key]) => responses.get(key) !== undefined));
        const sum = [...kept.keys()].reduce(
          (total, key) => total + key.length + (responses.get(key)?.body.length ?? 0),
          0,
        );
        expect(sum).to.be.at.most(responses.bytes);
      }),
    );
  });
});
