let current: Mocha.Runnable | undefined;

/** Remembers the test that begins. */
export function beginTest(test: Mocha.Runnable | undefined): void {
  current = test;
}

/**
 * Lets the test that runs begin once more if it fails, and says why. It is for faults of a tool of the tests alone: a
 * test that fails twice has failed.
 */
export function retryOnce(why: string): void {
  console.log(`      once more if it fails: ${why}`);
  current?.retries(1);
}
