import { join } from 'node:path';
import { writeSample } from '../../src/sample/generate.js';
import { run } from './process.js';
import { fileArguments, LOAD } from './programs.js';
import { temporaryFolder } from './store.js';

const DAYS = 3;

/**
 * Loads a part of the sample where a demo that is started in this folder has its data: it keeps them, and loads what has come
 * since. All 400 days, which test/browser/demo.test.ts has, take 24 s of processor.
 */
export async function prepareDemo(folder: string): Promise<void> {
  const feeds = await writeSample(temporaryFolder(), new Date().toISOString(), DAYS);
  const files = Object.fromEntries(Object.entries(feeds).map(([feed, file]) => [feed, [file]]));
  const { code, stderr } = await run(LOAD, fileArguments(files), { DATA_DIR: join(folder, 'data/demo') });
  if (code !== 0) throw new Error(stderr);
}
