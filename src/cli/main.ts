#!/usr/bin/env node
import { Command } from 'commander';
import { runCommand } from '../operator-fault.js';
import { VERSION } from '../version.js';
import { demoCommand } from './demo.js';
import { keysCommand } from './keys.js';
import { loadCommand } from './load.js';
import { migrateCommand } from './migrate.js';
import { moveCommand } from './move.js';
import { serveCommand } from './serve.js';
import { verifyCommand } from './verify.js';

// forecast-accuracy <command>: all that an operator runs.

await runCommand(async () => {
  const program = new Command('forecast-accuracy')
    .description(
      'Forecast Accuracy Service. Settings come from the environment; docs/operating.md lists them.',
    )
    .version(VERSION);
  for (const command of [
    loadCommand,
    keysCommand,
    migrateCommand,
    verifyCommand,
    moveCommand,
    serveCommand,
    demoCommand,
  ])
    program.addCommand(command);
  await program.parseAsync();
});
