/** An error that an operator can mend. Its message is one line that names the setting or file, and the way out. */
export class UserError extends Error {}

/** Runs a command to its end. It prints the line of an error, and the stack of any other error, which is a bug; then the exit code is 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exitCode = 1;
  }
}

/** How an operator runs a command here: through npm where this program was started so, else by its own name, as in a container. */
export function commandText(command: string, args = ''): string {
  const { npm_lifecycle_event: script = 'npx' } = process.env;
  const [program, rest] = script === 'npx' ? ['forecast-accuracy', ' '] : ['npm run', ' -- '];
  return `${program} ${command}${args && rest}${args}`;
}
