import { Command } from 'commander';
import { runCommand } from '../lib/user-error.js';
import { VERSION } from '../lib/version.js';

// forecast-accuracy <command>: all that an operator runs.

const COMMANDS = {
  load: () => import('./load-command.js'),
  keys: () => import('./keys-command.js'),
  migrate: () => import('./migrate-command.js'),
  verify: () => import('./verify.js'),
  move: () => import('./move-command.js'),
  backup: () => import('./backup-command.js'),
  restore: () => import('./restore-command.js'),
  serve: () => import('./serve.js'),
  collect: () => import('./collect.js'),
  here: () => import('./here.js'),
  mcp: () => import('./mcp.js'),
  seal: () => import('./seal-command.js'),
  publish: () => import('./publish-command.js'),
  demo: () => import('./demo.js'),
};

await runCommand(async () => {
  const program = new Command('forecast-accuracy')
    .description(
      'Forecast Accuracy Service. Settings come from the environment; docs/settings.md lists them.',
    )
    .version(VERSION);
  // All of them take 0.1 s longer to read than one.
  const [, , name = ''] = process.argv;
  const read = Object.hasOwn(COMMANDS, name)
    ? [COMMANDS[name as keyof typeof COMMANDS]]
    : Object.values(COMMANDS);
  for (const { default: command } of await Promise.all(read.map((each) => each())))
    program.addCommand(command);
  await program.parseAsync();
});
