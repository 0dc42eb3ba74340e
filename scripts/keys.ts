import { Command } from 'commander';
import { readConfig } from '../src/config.js';
import { createKey, readKeys, revokeKey } from '../src/http/keys.js';
import { runCommand } from '../src/operator-fault.js';

// npm run keys -- create --name NAME | list | revoke ID

await runCommand(async () => {
  const { apiKeysFile } = readConfig(process.env);
  const program = new Command('keys').description('API keys; a running server takes up changes at once');

  program
    .command('create')
    .description('make a key; it is shown this once, as the last line')
    .requiredOption('--name <name>', 'who or what uses it')
    .action(async ({ name }: { name: string }) => {
      const { key, record } = await createKey(apiKeysFile, name);
      console.log(
        `key ${record.id} for ${name}, kept as a hash in ${apiKeysFile}; this is the only time it is shown:`,
      );
      console.log(key);
    });

  program
    .command('list')
    .description('list the keys')
    .action(() => {
      const keys = readKeys(apiKeysFile);
      if (keys.length === 0) console.log(`no keys in ${apiKeysFile}`);
      for (const { id, name, created_at, revoked_at } of keys) {
        console.log(
          `${id}  created ${created_at}  ${revoked_at ? `revoked ${revoked_at}` : 'valid'}  ${name}`,
        );
      }
    });

  program
    .command('revoke <id>')
    .description('make a key invalid')
    .action(async (id: string) => {
      if (await revokeKey(apiKeysFile, id)) {
        console.log(`key ${id} is revoked`);
        return;
      }
      console.error(`there is no valid key ${id}; npm run keys -- list shows them`);
      process.exitCode = 1;
    });

  await program.parseAsync();
});
