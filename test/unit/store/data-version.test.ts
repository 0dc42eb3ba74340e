import { expect } from 'chai';
import { DataVersion } from '../../../src/store/data-version.js';
import { StoreUnavailable } from '../../../src/store/store-errors.js';

/** A store whose `loads` table has so many events; readings are answered when the test says so, or at once. */
class FakeStore {
  writes = 0;
  events = 1;
  readings = 0;
  isGone = false;
  timeline = 'k7q2';
  held: (() => void)[] | undefined;

  async query<Row>(): Promise<Row[]> {
    this.readings += 1;
    const { events } = this; // what a statement sees is what was there when it began
    if (this.held !== undefined) await new Promise<void>((resolve) => this.held?.push(resolve));
    if (this.isGone) throw new StoreUnavailable('it is gone');
    return [
      {
        events,
        latest_ms: 1_700_000_000_000,
        finished_load: events - 1,
        started_load: events,
        restores: 0,
        timeline: this.timeline,
      },
    ] as Row[];
  }

  load(): void {
    this.events += 1;
    this.writes += 1;
  }
}

describe('the version of the data', () => {
  let store: FakeStore;
  let time: number;
  let version: DataVersion;

  beforeEach(() => {
    store = new FakeStore();
    time = 1_000_000;
    version = new DataVersion(store, () => time);
  });
  const key = async (): Promise<string> => (await version.current()).key;
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const refusal = async (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: unknown) => error);
  /** Lets a held reading end, and then the one that follows it. */
  const release = async (): Promise<void> => {
    store.held?.shift()?.();
    await settled();
    store.held?.shift()?.();
  };

  it('given events, then its key is their number and latest time, and it names the last finished load', async () => {
    store.events = 3;
    expect(await version.current()).to.deep.equal({
      key: `3-${(1_700_000_000_000).toString(36)}-k7q2`,
      timeline: 'k7q2',
      finishedLoad: 2,
    });
  });

  it('given another timeline, then its key is another, though number and times of the events are the same', async () => {
    const before = await key();
    store.timeline = 'x3m9';
    store.writes += 1;
    expect(await key()).not.to.equal(before);
  });

  it('given many who ask for the first time, and again within a second, then it is read once', async () => {
    const told = await Promise.all(Array.from({ length: 50 }, () => key()));
    expect(new Set(told).size).to.equal(1);
    time += 999;
    await key();
    expect(store.readings).to.equal(1);
  });

  it('given a load through this process, then nobody is told the version before it', async () => {
    const before = await key();
    store.load();
    expect(await key()).not.to.equal(before);
    expect(store.readings).to.equal(2);
  });

  it('given a load that ends while the version is read, then who asks afterwards gets a later one', async () => {
    store.held = [];
    const early = key();
    store.load();
    const late = key();
    await release();
    expect(await early).to.match(/^1-/);
    expect(await late).to.match(/^2-/);
  });

  it('given 1 to 5 s, then the known one answers at once, and one reading brings the next', async () => {
    await key();
    store.events += 1; // by another process
    time += 1500;
    store.held = [];
    const told = await Promise.all(Array.from({ length: 50 }, () => key()));
    expect(new Set(told)).to.deep.equal(new Set([told[0]]));
    expect(told[0]).to.match(/^1-/);
    expect(store.readings).to.equal(2);
    store.held.shift()?.();
    await settled();
    expect(await key()).to.match(/^2-/);
  });

  it('given 5 s and more, then the reading is waited for', async () => {
    await key();
    store.events += 1;
    time += 5000;
    expect(await key()).to.match(/^2-/);
  });

  it('given a reading that took 5 s, then it is too old for who came last', async () => {
    store.held = [];
    const first = key();
    time += 5000;
    const last = key();
    store.events += 1;
    await release();
    expect(await first).to.match(/^1-/);
    expect(await last).to.match(/^2-/);
  });

  it('given a store that has gone, then the known one holds for 5 s, and then the fault is told', async () => {
    const known = await key();
    store.isGone = true;
    for (const age of [500, 1500, 4999]) {
      time = 1_000_000 + age;
      expect(await key(), `${age} ms`).to.equal(known);
      await settled();
    }
    time = 1_005_000;
    expect(await refusal(key())).to.be.instanceOf(StoreUnavailable);
    store.isGone = false;
    expect(await key()).to.equal(known);
  });

  it('given a store that has gone after a write through it, then the fault is told at once', async () => {
    await key();
    store.isGone = true;
    store.writes += 1;
    expect(await refusal(key())).to.be.instanceOf(StoreUnavailable);
  });
});
