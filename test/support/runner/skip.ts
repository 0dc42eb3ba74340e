import { appendFileSync } from 'node:fs';

/** Skips a test or a suite, and says why: on the terminal, and to TEST_SKIPS_FILE, whose reasons `.ci/run` names at its end. */
export function skip(context: Mocha.Context, reason: string): never {
  console.log(`      skipped: ${reason}`);
  const { TEST_SKIPS_FILE } = process.env;
  if (TEST_SKIPS_FILE !== undefined) appendFileSync(TEST_SKIPS_FILE, `${reason}\n`);
  return context.skip();
}
