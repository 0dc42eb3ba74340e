import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { readConfig } from '../src/config.js';
import { runCommand } from '../src/operator-fault.js';
import { openStore } from '../src/store/engine/open.js';
import { makeExamples } from './examples/make.js';

// npm run examples: writes src/openapi/examples.ts anew, from the package's folder

const FILE = 'src/openapi/examples.ts';

await runCommand(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forecast-accuracy-examples-'));
  const { store, close } = await openStore(readConfig({ DATA_DIR: folder }), 'command');
  try {
    const text = `// Written by npm run examples: what the service answers over the sample data. A test holds it to that.

/** What an operation answers. */
export interface Example {
  request: string;
  /** What has been left out of a long answer. */
  excerpt?: string;
  json: unknown;
  csv?: string;
}

export interface Examples {
  /** By operationId. */
  answers: Record<string, Example>;
  /** By error code. */
  errors: Record<string, { request: string; body: unknown }>;
}

export const EXAMPLES: Examples = ${JSON.stringify(await makeExamples(store, folder))};
`;
    await writeFile(FILE, await format(text, { ...(await resolveConfig(FILE)), parser: 'typescript' }));
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
});
