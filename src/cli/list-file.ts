import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { open, realpath, rename } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { UserError } from '../lib/user-error.js';
import { statOrNone } from './same-file.js';

/**
 * A CSV file that a command writes beside its work. A full disk ends the file, not the work. Its name gets it when it is
 * complete, so a program that reads the last one sees no half of it.
 */
export class ListFile<Row extends object> {
  #error: NodeJS.ErrnoException | undefined;

  private constructor(
    private readonly option: string,
    private readonly file: string,
    private readonly paths: { temporary: string; target: string },
    private readonly lines: ReturnType<typeof stringify>,
    private readonly isWritten: Promise<void>,
  ) {
    isWritten.catch((error: unknown) => {
      this.#error = error as NodeJS.ErrnoException;
      lines.destroy(); // wakes a write that waits
    });
    lines.on('error', () => {}); // close() tells the error of the file itself
  }

  /** @throws UserError when the file cannot be opened */
  static async open<Row extends object>(
    option: string,
    file: string,
    columns: readonly (keyof Row & string)[],
  ): Promise<ListFile<Row>> {
    const cannotWrite = (error: NodeJS.ErrnoException): never => {
      throw new UserError(`${option}: cannot write ${file} (${error.code})`);
    };
    const found = await statOrNone(file).catch(cannotWrite);
    // A pipe and a terminal have no other name, and a link stays one.
    const target = found === undefined ? file : await realpath(file).catch(cannotWrite);
    const isRegular = found?.isFile() ?? true;
    const temporary = isRegular ? `${target}.${randomBytes(4).toString('hex')}.new` : target;
    const mode = isRegular && found !== undefined ? Number(found.mode) & 0o777 : 0o666;
    const handle = await open(temporary, isRegular ? 'wx' : 'w', mode).catch(cannotWrite);
    // As in responses: rows of a feed may have been written by anybody.
    const lines = stringify({ header: true, columns: [...columns], escape_formulas: true });
    const isWritten = finished(lines.pipe(handle.createWriteStream()));
    return new ListFile<Row>(option, file, { temporary, target }, lines, isWritten);
  }

  /** Writes a row, unless an earlier one could not be written. */
  readonly write = async (row: Row): Promise<void> => {
    if (this.#error !== undefined || this.lines.destroyed) return;
    if (!this.lines.write(row))
      await Promise.race([once(this.lines, 'drain'), this.isWritten]).catch(() => {});
  };

  /** Completes the file. @returns one line that says why it is not whole, if it is not */
  async close(): Promise<string | undefined> {
    if (!this.lines.destroyed) this.lines.end();
    await this.isWritten.catch(() => {});
    const { temporary, target } = this.paths;
    if (temporary !== target) {
      await rename(temporary, target).catch((error: NodeJS.ErrnoException) => (this.#error ??= error));
    }
    if (this.#error === undefined) return undefined;
    return `${this.option}: ${this.file} is incomplete because it cannot be written (${this.#error.code ?? this.#error.message})`;
  }
}
