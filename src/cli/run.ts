import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { runCommand } from '../operator-fault.js';

/**
 * Runs a command on the arguments of the process, where the command's own file was started: npm scripts start the files
 * one by one, and `forecast-accuracy` imports them all.
 * @param file import.meta.url of the command's file
 */
export async function runWhenStarted(file: string, command: Command): Promise<void> {
  const [, started] = process.argv;
  if (started === undefined || realpathSync(started) !== fileURLToPath(file)) return;
  await runCommand(async () => {
    await command.parseAsync();
  });
}
