import { Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config.js';
import { createKey, MAX_RATE_LIMIT, readKeys, revokeKey } from '../access/keys.js';

// npm run keys -- create --name NAME [--rate-limit-per-minute N] | list | revoke ID

export const command = new Command('keys').description('API keys; a running server takes up changes at once');

command
  .command('create')
  .description('make a key; it is shown this once, as the last line')
  .requiredOption('--name <name>', 'who or what uses it')
  .option(
    '--rate-limit-per-minute <n>',
    'its own limit, 0 is none; without it RATE_LIMIT_PER_MINUTE of the server holds',
    rateLimit,
  )
  .action(async ({ name, rateLimitPerMinute }: { name: string; rateLimitPerMinute?: number }) => {
    const { apiKeysFile } = readConfig(process.env);
    const { key, record } = await createKey(apiKeysFile, name, rateLimitPerMinute);
    console.log(
      `key ${record.id} for ${name}, kept as a hash in ${apiKeysFile}; this is the only time it is shown:`,
    );
    console.log(key);
  });

command
  .command('list')
  .description('list the keys')
  .action(() => {
    const { apiKeysFile } = readConfig(process.env);
    const records = readKeys(apiKeysFile);
    if (records.length === 0) console.log(`no keys in ${apiKeysFile}`);
    for (const { id, name, created_at, revoked_at, rate_limit_per_minute: limit } of records) {
      const state = revoked_at ? `revoked ${revoked_at}` : 'valid';
      const rate = limit === undefined ? '' : `  ${limit === 0 ? 'no limit' : `${limit} a minute`}`;
      console.log(`${id}  created ${created_at}  ${state}${rate}  ${name}`);
    }
  });

command
  .command('revoke <id>')
  .description('make a key invalid')
  .action(async (id: string) => {
    if (await revokeKey(readConfig(process.env).apiKeysFile, id)) {
      console.log(`key ${id} is revoked`);
      return;
    }
    console.error(`there is no valid key ${id}; npm run keys -- list shows them`);
    process.exitCode = 1;
  });

function rateLimit(text: string): number {
  if (!/^\d{1,7}$/.test(text)) {
    throw new InvalidArgumentError(`It must be a whole number from 0 (no limit) to ${MAX_RATE_LIMIT}.`);
  }
  return Number(text);
}
