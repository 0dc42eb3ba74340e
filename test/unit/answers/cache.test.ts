import { expect } from 'chai';
import fc from 'fast-check';
import { AnswerCache } from '../../../src/answers/cache.js';

const MB = 1024 * 1024;
const answer = (bytes: number): { bytes: number } => ({ bytes });

describe('the cache of answers', () => {
  it('given an answered question, then the cache finds its answer, and no other', async () => {
    const answers = new AnswerCache(MB);
    const first = answer(10);
    expect(await answers.ask('a', () => Promise.resolve(first))).to.deep.equal({
      answer: first,
      shared: false,
    });
    expect(answers.find('a')).to.equal(first);
    expect(answers.find('b')).to.equal(undefined);
  });

  for (const maxBytes of [MB, 0]) {
    it(`given ${maxBytes} bytes and 100 equal questions at once, then one works and all get its answer`, async () => {
      const answers = new AnswerCache(maxBytes);
      let worked = 0;
      const work = async (): Promise<{ bytes: number }> => {
        worked += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
        return answer(10);
      };
      const results = await Promise.all(Array.from({ length: 100 }, () => answers.ask('a', work)));
      expect(worked).to.equal(1);
      expect(new Set(results.map((each) => each.answer)).size).to.equal(1);
      expect(results.filter(({ shared }) => shared)).to.have.lengthOf(99);
    });

    it(`given ${maxBytes} bytes and a failure, then it reaches all waiters, and the next question starts new work`, async () => {
      const answers = new AnswerCache(maxBytes);
      const failing = async (): Promise<{ bytes: number }> => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        throw new Error('gone');
      };
      const results = await Promise.allSettled([1, 2, 3].map(() => answers.ask('a', failing)));
      expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected']);
      expect(answers.find('a')).to.equal(undefined);
      expect((await answers.ask('a', () => Promise.resolve(answer(1)))).shared).to.equal(false);
    });
  }

  describe('given a question of two clients, who may leave during the work', () => {
    let answers: AnswerCache<{ bytes: number }>;
    let finish: (answer: { bytes: number }) => void;
    let signals: AbortSignal[];
    let clients: AbortController[];

    /** Work that ends when the test says so, or with an error when the last waiter leaves. */
    const work = (signal: AbortSignal): Promise<{ bytes: number }> =>
      new Promise((resolve, reject) => {
        signals.push(signal);
        finish = resolve;
        signal.addEventListener('abort', () => reject(new Error('abandoned')));
      });
    const ask = (client: number) => answers.ask('a', work, clients[client]?.signal);

    beforeEach(() => {
      answers = new AnswerCache(MB);
      signals = [];
      clients = [new AbortController(), new AbortController()];
    });

    for (const leaves of [0, 1]) {
      it(`when ${leaves === 0 ? 'the first' : 'the second'} leaves, then the work goes on for the other`, async () => {
        const asked = [ask(0), ask(1)];
        clients[leaves]?.abort();
        expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false]);
        finish(answer(3));
        expect(await asked[1 - leaves]).to.deep.include({ answer: { bytes: 3 } });
        expect(answers.find('a')).to.deep.equal({ bytes: 3 });
      });
    }

    it('when both leave, then the work aborts, and a third request starts a new one', async () => {
      const asked = [ask(0), ask(1)];
      for (const client of clients) client.abort();
      const third = answers.ask('a', work);
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true, false]);
      const results = await Promise.allSettled(asked);
      expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
      const fourth = answers.ask('a', work);
      finish(answer(4));
      expect(await third).to.deep.equal({ answer: { bytes: 4 }, shared: false });
      expect(await fourth).to.deep.equal({ answer: { bytes: 4 }, shared: true });
    });

    it('when the only one has left before it asks, then the work aborts', async () => {
      clients[0]?.abort();
      expect(await ask(0).catch((error: Error) => error.message)).to.equal('abandoned');
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);
    });

    it('when both leave after the answer, then nothing happens', async () => {
      const asked = ask(0);
      finish(answer(5));
      await asked;
      for (const client of clients) client.abort();
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false]);
      expect(answers.find('a')).to.deep.equal({ bytes: 5 });
    });
  });

  it('given no bytes, then the cache keeps nothing', async () => {
    const answers = new AnswerCache(0);
    await answers.ask('a', () => Promise.resolve(answer(10)));
    expect([answers.find('a'), answers.bytes]).to.deep.equal([undefined, 0]);
  });

  it('given an answer larger than a quarter of the cache, then it is not kept, and evicts no other', async () => {
    const answers = new AnswerCache(MB);
    await answers.ask('small', () => Promise.resolve(answer(1000)));
    await answers.ask('large', () => Promise.resolve(answer(MB / 4 + 1)));
    expect(answers.find('large')).to.equal(undefined);
    expect(answers.find('small')).not.to.equal(undefined);
  });

  it('given any answers, then their bytes, with those of their keys, never exceed the maximum', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.string(), fc.nat(30_000)), { maxLength: 60 }), async (asked) => {
        const answers = new AnswerCache(100_000);
        for (const [key, bytes] of asked) {
          await answers.ask(key, () => Promise.resolve(answer(bytes)));
          expect(answers.bytes).to.be.at.most(100_000);
        }
        const kept = new Map(asked.filter(([key]) => answers.find(key) !== undefined));
        const sum = [...kept.keys()].reduce(
          (total, key) => total + key.length + (answers.find(key)?.bytes ?? 0),
          0,
        );
        expect(sum).to.be.at.most(answers.bytes);
      }),
    );
  });
});
