import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { z } from 'zod';
import { readConfig } from '../config.js';
import { UserError } from '../lib/user-error.js';
import { sql } from '../queries/sql.js';
import { formatVerifierKey } from '../seals/formats/signed-note.js';
import { originOf } from '../seals/seal-log.js';
import { errorCode } from '../store/store-errors.js';
import { withStore } from '../store/engine/open.js';
import { TIMELINE } from '../store/timeline.js';

// npm run seal -- init

const seal = new Command('seal').description('Sign the log of versions');
export default seal;

seal
  .command('init')
  .description(
    'make the key that signs checkpoints, in the new file that SEAL_KEY_FILE names, and print its verifier key',
  )
  .action(async () => {
    const config = readConfig(process.env);
    const { keyFile, origin } = config.seals;
    if (keyFile === undefined) throw new UserError('SEAL_KEY_FILE: must name the new file of the key');
    const key = generateKeyPairSync('ed25519').privateKey;
    const timeline = await withStore(config, (store) =>
      store.queryOne(sql.rows(z.object({ timeline: z.string() }))`SELECT (${TIMELINE}) AS timeline`),
    );
    writeKey(keyFile, key.export({ type: 'pkcs8', format: 'pem' }).toString());
    console.log(
      `${keyFile} has the key: keep a copy where no backup of the data is, and start the server with SEAL_KEY_FILE`,
    );
    console.log(formatVerifierKey({ name: originOf({ origin }, timeline.timeline), key }));
  });

function writeKey(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const code = errorCode(error);
    throw new UserError(
      code === 'EEXIST'
        ? `SEAL_KEY_FILE: ${file} is there already; remove it to make another key, which is another log`
        : `SEAL_KEY_FILE: cannot write ${file} (${code}); name a file in a folder that is there`,
      { cause: error },
    );
  }
}
