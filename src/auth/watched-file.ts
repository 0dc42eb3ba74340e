import { statSync } from 'node:fs';

/**
 * The content of a file that may change at any time. Each use looks whether the file has changed, so a change counts at
 * once. Uses in one slice of the event loop share the look.
 */
export class WatchedFile<Content> {
  #content: Content | undefined;
  #version = '';
  #hasLooked = false;

  /** @param read of a file that is not there, too */
  constructor(
    private readonly file: string,
    private readonly read: (file: string) => Content,
    private readonly onUnreadable: (error: unknown) => void = () => {},
  ) {}

  /** Reads the file for the first time. @throws what `read` throws */
  open(): void {
    this.#version = this.#fileVersion();
    this.#content = this.read(this.file);
  }

  /** The content as of now; of a broken file, the last good one. */
  get content(): Content {
    this.#readChanges();
    if (this.#content === undefined) throw new Error(`${this.file} is not open`);
    return this.#content;
  }

  #readChanges(): void {
    if (this.#hasLooked) return;
    // Holds until this slice of the event loop ends. A look takes some µs, more than the rest of the check of a key.
    this.#hasLooked = true;
    setImmediate(() => (this.#hasLooked = false));
    const version = this.#fileVersion();
    if (version === this.#version) return;
    this.#version = version;
    try {
      this.#content = this.read(this.file);
    } catch (error) {
      // A broken file must neither lock every client out nor let every client in.
      this.onUnreadable(error);
    }
  }

  #fileVersion(): string {
    try {
      const found = statSync(this.file, { throwIfNoEntry: false });
      return found === undefined ? 'none' : `${found.mtimeMs} ${found.size} ${found.ino}`;
    } catch {
      return 'none';
    }
  }
}
