import fc from 'fast-check';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../ingest/feeds.js';
import { type Range, range } from '../runner/range.js';
import { startTestService, type TestService, type TestServiceOptions } from '../service.js';
import { openTestStore } from '../store.js';
import { emptyStore, linesOf, type Load, type World, worlds } from './oracle.js';

/** How the worlds of a test are drawn. */
interface Drawing<More> {
  /** How many of them; where `make test` draws none, what stands for the test there is said beside it. */
  runs: Range;
  /** The same worlds come in each run. */
  seed?: number;
  /** Whether loads may contradict each other; they may, if not given. */
  conflicts?: boolean;
  /** Further values that are drawn with each world. */
  more?: fc.Arbitrary<More>;
}

/** A world, and stores that can be told of it. */
export class Given {
  #used = 0;

  constructor(
    readonly world: World,
    private readonly stores: Store[],
  ) {}

  /** A store that knows nothing, beside those that were asked for before. */
  async store(): Promise<Store> {
    const store = (this.stores[this.#used] ??= await openTestStore());
    this.#used += 1;
    await emptyStore(store);
    return store;
  }

  /** A service on a store that was told these loads, and nothing else. */
  async told(loads: readonly Load[], options: TestServiceOptions): Promise<TestService> {
    const store = await this.store();
    for (const load of loads) await loadLines(store, linesOf(load));
    return startTestService(store, options);
  }
}

/** A test that holds in random worlds: a failure names its seed, and the path to its world. */
export function itInWorlds<More = undefined>(
  title: string,
  { runs, seed = 20_260_131, conflicts = true, more }: Drawing<More>,
  check: (given: Given, more: More) => Promise<void>,
): void {
  const numRuns = range(runs);
  if (numRuns === 0) return;
  it(title, async function () {
    const stores: Store[] = [];
    try {
      await fc.assert(
        fc.asyncProperty(worlds({ conflicts }), more ?? fc.constant(undefined as More), (world, drawn) =>
          check(new Given(world, stores), drawn),
        ),
        // Shrinking ends in time to be reported.
        { numRuns, seed, interruptAfterTimeLimit: 400_000, includeErrorInReport: true },
      );
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });
}
