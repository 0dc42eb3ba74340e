import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createKey } from '../../src/auth/keys.js';
import { readConfig } from '../../src/config.js';
import { checkSeals } from '../../src/seals/compare-seals.js';
import { audit } from '../../src/ingest/audit.js';
import { FILE_KINDS } from '../../src/feeds/feeds.js';
import { openStore } from '../../src/store/engine/open.js';
import type { FeedFiles } from '../../src/ingest/stage/stage.js';
import type { Store } from '../../src/store/store.js';
import { type FeedLines, writeFeeds } from './ingest/feeds.js';
import type { Ended, Environment } from './process.js';
import { temporaryFolder } from './store.js';

// Shared by tests of the programs: feeds as arguments, keys, refusals, and a look into the engine of a server.

export const LOAD = 'load';
export const VERIFY = 'verify';

/** The arguments of a load of these lines. */
export function feedArguments(lines: FeedLines): string[] {
  return fileArguments(writeFeeds(lines));
}

/** The arguments of a load of these files. */
export function fileArguments(files: FeedFiles): string[] {
  return FILE_KINDS.flatMap((kind) =>
    (files[kind] ?? []).flatMap((file) => [`--${kind.replace('_', '-')}`, file]),
  );
}

/** A file that cannot be used where a folder or a keys file is needed. */
export function uselessFile(): string {
  const file = join(temporaryFolder(), 'a-file');
  writeFileSync(file, '{"keys": [');
  return file;
}

export async function newKey({ DATA_DIR = '' }: Environment, name = 'test'): Promise<string> {
  return (await createKey(join(DATA_DIR, 'api-keys.json'), name)).key;
}

export const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

/** Expects that a program refused: exit code 1, and one line on stderr that names what to look at. */
export function expectRefusal({ code, stdout, stderr }: Ended, named: string | RegExp): void {
  expect(stderr, `${code}: ${stdout}`).to.match(/^[^\n]+\n$/);
  if (typeof named === 'string') expect(stderr).to.contain(named);
  else expect(stderr).to.match(named);
  expect(stderr).not.to.match(/\bat .+:\d+:\d+|node:internal|Error:/);
  expect(stdout).not.to.contain('"listening"');
  expect(code).to.equal(1);
}

/** Works, from this process, on the store that a server has open. */
export async function beside<Result>(
  env: Environment,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { store, close } = await openStore(readConfig(env), 'command');
  try {
    return await work(store);
  } finally {
    await close();
  }
}

/** Expects that `npm run verify` would find nothing, beside a server; it saves the start of a program. */
export async function expectSound(env: Environment): Promise<void> {
  expect(await beside(env, audit)).to.deep.equal([]);
  expect(await beside(env, checkSeals)).to.deep.equal([]);
}
