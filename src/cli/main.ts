#!/usr/bin/env node
import { Command } from 'commander';
import { runCommand } from '../operator-fault.js';
import { VERSION } from '../version.js';
import { demo } from './demo.js';
import { keys } from './keys.js';
import { migrate } from './migrate.js';
import { serve } from './serve.js';
import { verify } from './verify.js';

// forecast-accuracy <command>: all that an operator runs.

await runCommand(async () => {
  const program = new Command('forecast-accuracy')
    .description(
      'Forecast Accuracy Service. Settings come from the environment; docs/operating.md lists them.',
    )
    .version(VERSION);
  for (const command of [keys, migrate, verify, serve, demo]) program.addCommand(command);
  await program.parseAsync();
});
