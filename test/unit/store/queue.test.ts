import { expect } from 'chai';
import { QueryAbandoned, StoreOverloaded } from '../../../src/store/store-errors.js';
import { FairQueue, type QueuePlaces, type Waiting } from '../../../src/store/queue.js';
import { until } from '../../support/process.js';

/** Work that ends when it is told to, in a queue; what has begun and what was refused is noted by label. */
class Works {
  readonly begun: string[] = [];
  readonly refused: [label: string, error: unknown][] = [];
  readonly #ends = new Map<string, () => void>();
  readonly queue: FairQueue;

  constructor(places: QueuePlaces) {
    this.queue = new FairQueue(places);
  }

  /** Adds work of a name: `greedy 1` is of greedy. */
  async add(label: string, more: Waiting = {}): Promise<void> {
    const work = (): Promise<void> => {
      this.begun.push(label);
      return new Promise((resolve) => this.#ends.set(label, resolve));
    };
    this.queue.run(work, { name: label.split(' ')[0], ...more }).catch((error: unknown) => {
      this.refused.push([label, error]);
    });
    await settled();
  }

  async end(label: string): Promise<void> {
    this.#ends.get(label)?.();
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the queue of the store', () => {
  it('given one name alone, then it has all places', async () => {
    const works = new Works({ places: 3 });
    for (const label of ['a 1', 'a 2', 'a 3', 'a 4']) await works.add(label);
    expect(works.begun).to.deep.equal(['a 1', 'a 2', 'a 3']);
    await works.end('a 2');
    expect(works.begun.at(-1)).to.equal('a 4');
  });

  for (const [places, most] of [
    [2, 1],
    [4, 1],
    [8, 3],
  ] as const) {
    it(`given another name that has just asked, then a name has ${most} of ${places} places, and the other begins at once`, async () => {
      const works = new Works({ places });
      await works.add('modest 1');
      await works.end('modest 1');
      const greedy = Array.from({ length: places + 1 }, (_, at) => `greedy ${at + 1}`);
      for (const label of [...greedy, 'modest 2']) await works.add(label);
      expect(works.begun).to.deep.equal(['modest 1', ...greedy.slice(0, most), 'modest 2']);
    });
  }

  it('given a name with many in the queue, when another comes, then the next place is its own', async () => {
    for (const isLong of [false, true]) {
      const works = new Works({ places: 2, longPlaces: 1 });
      for (const label of ['greedy 1', 'greedy 2', 'greedy 3', 'greedy 4']) await works.add(label);
      await works.add('modest 1', { isLong });
      await works.end('greedy 1');
      expect(works.begun).to.deep.equal(['greedy 1', 'greedy 2', 'modest 1']);
    }
  });

  it('given names of which the same number runs, then each has the next place in turn', async () => {
    const works = new Works({ places: 1 });
    for (const label of ['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'c 1']) await works.add(label);
    for (const label of ['a 1', 'b 1', 'c 1', 'a 2', 'b 2', 'a 3']) await works.end(label);
    expect(works.begun).to.deep.equal(['a 1', 'b 1', 'c 1', 'a 2', 'b 2', 'a 3']);
  });

  it('given all places for long work are taken, then short work of the same name overtakes the rest of it', async () => {
    const works = new Works({ places: 3, longPlaces: 1 });
    for (const label of ['a 1', 'a 2']) await works.add(label, { isLong: true });
    await works.add('a 3');
    expect(works.begun).to.deep.equal(['a 1', 'a 3']);
    await works.end('a 1');
    expect(works.begun.at(-1)).to.equal('a 2');
  });

  it('given as many as may wait, when one more comes, then the last of the name with the most is refused', async () => {
    const works = new Works({ places: 1, maxWaiting: 3 });
    for (const label of ['greedy 1', 'greedy 2', 'greedy 3', 'greedy 4']) await works.add(label);
    expect(works.refused).to.be.empty;
    await works.add('greedy 5');
    await works.add('modest 1');
    expect(works.refused.map(([label]) => label)).to.deep.equal(['greedy 5', 'greedy 4']);
    for (const [, error] of works.refused) expect(error).to.be.instanceOf(StoreOverloaded);
    expect(works.queue.size).to.equal(3);
  });

  it('given one whose time is up, and one that nobody waits for, then they leave, and what runs goes on', async () => {
    const works = new Works({ places: 1 });
    const gone = new AbortController();
    await works.add('a 1', { signal: gone.signal, waitMs: 1 });
    await works.add('b 1', { waitMs: 1 });
    await works.add('c 1', { signal: gone.signal });
    gone.abort();
    await until(() => works.refused.length === 2 || undefined);
    expect(new Map(works.refused).get('b 1')).to.be.instanceOf(StoreOverloaded);
    expect(new Map(works.refused).get('c 1')).to.be.instanceOf(QueryAbandoned);
    let isIdle = false;
    const idle = works.queue.idle().then(() => (isIdle = true));
    await settled();
    expect(isIdle).to.be.false;
    await works.end('a 1');
    await idle;
  });
});
