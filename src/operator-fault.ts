/** A fault that an operator can mend. Its message is one line that names the setting or file, and the way out. */
export class OperatorFault extends Error {}

/** Runs a command to its end; a fault is told in its line, anything else is a bug and shows its stack. Exit code 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    console.error(error instanceof OperatorFault ? error.message : error);
    process.exitCode = 1;
  }
}
