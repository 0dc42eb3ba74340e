import { Command, InvalidArgumentError } from 'commander';
import { commandText } from '../lib/user-error.js';
import { readConfig } from '../config.js';
import { createKey, MAX_RATE_LIMIT, MAX_ROWS_LIMIT, readKeys, revokeKey } from '../auth/keys.js';

// npm run keys -- create --name NAME [--rate-limit-per-minute N] [--rows-per-minute N] | list | revoke ID

const limitUpTo =
  (max: number) =>
  (text: string): number => {
    if (!/^\d{1,10}$/.test(text) || Number(text) > max) {
      throw new InvalidArgumentError(`It must be a whole number from 0 (no limit) to ${max}.`);
    }
    return Number(text);
  };

const keys = new Command('keys').description('Manage API keys; a running server applies changes at once');
export default keys;

keys
  .command('create')
  .description('create a key and print it, only this once, as the last line')
  .requiredOption('--name <name>', 'who or what uses it')
  .option(
    '--rate-limit-per-minute <n>',
    'requests a minute, 0 for no limit (default: RATE_LIMIT_PER_MINUTE of the server)',
    limitUpTo(MAX_RATE_LIMIT),
  )
  .option(
    '--rows-per-minute <n>',
    'rows read a minute, 0 for no limit (default: ROWS_PER_MINUTE of the server)',
    limitUpTo(MAX_ROWS_LIMIT),
  )
  .action(async ({ name, rateLimitPerMinute, rowsPerMinute }: CreateOptions) => {
    const { apiKeysFile } = readConfig(process.env);
    const { key, record } = await createKey(apiKeysFile, name, {
      ...(rateLimitPerMinute !== undefined && { rate_limit_per_minute: rateLimitPerMinute }),
      ...(rowsPerMinute !== undefined && { rows_per_minute: rowsPerMinute }),
    });
    console.log(
      `key ${record.id} for ${name}, kept as a hash in ${apiKeysFile}; this is the only time it is shown:`,
    );
    console.log(key);
  });

keys
  .command('list')
  .description('list the keys')
  .action(() => {
    const { apiKeysFile } = readConfig(process.env);
    const records = readKeys(apiKeysFile);
    if (records.length === 0) console.log(`no keys in ${apiKeysFile}`);
    for (const { id, name, created_at, revoked_at, rate_limit_per_minute, rows_per_minute } of records) {
      const state = revoked_at ? `revoked ${revoked_at}` : 'valid';
      const rate = limitText(rate_limit_per_minute, '') + limitText(rows_per_minute, ' rows');
      console.log(`${id}  created ${created_at}  ${state}${rate}  ${name}`);
    }
  });

keys
  .command('revoke <id>')
  .description('revoke a key')
  .action(async (id: string) => {
    if (await revokeKey(readConfig(process.env).apiKeysFile, id)) {
      console.log(`key ${id} is revoked`);
      return;
    }
    console.error(`${id}: not a valid key; ${commandText('keys', 'list')} lists all keys`);
    process.exitCode = 1;
  });

interface CreateOptions {
  name: string;
  rateLimitPerMinute?: number;
  rowsPerMinute?: number;
}

/** A limit of a key in a list, where it has one. */
function limitText(limit: number | undefined, unit: string): string {
  if (limit === undefined) return '';
  return `  ${limit === 0 ? `no limit${unit && ` of${unit}`}` : `${limit}${unit} a minute`}`;
}
