import { numberText } from '../lib/text.js';
import type { Progress } from '../ingest/load-tally.js';

/** Between lines of a load where there is no terminal. */
const LOAD_LINE_EVERY_MS = 5000;

/** The longest that a command says nothing while it works. */
const MAX_QUIET_MS = 20_000;

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/** Says how far a command is: on a terminal in one line that is written over, elsewhere in a line each. */
class ProgressLine {
  #isOpen = false;

  constructor(private readonly stderr: Terminal) {}

  write(line: string): void {
    this.stderr.write(this.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
    this.#isOpen = this.stderr.isTTY;
  }

  /** The line stays, and the next one stands below it. */
  keep(): void {
    this.#close('\n');
  }

  erase(): void {
    this.#close('\r\x1b[K');
  }

  #close(end: string): void {
    if (this.#isOpen) this.stderr.write(end);
    this.#isOpen = false;
  }
}

/**
 * Shows how far a load is: on a terminal at once, elsewhere in a line every 5 s, so that a load of less says nothing. A
 * line comes as well while one statement takes longer than that.
 * @returns what receives each progress; `end` to end with
 */
export function showLoadProgress(
  stderr: Terminal = process.stderr,
  now: () => number = () => performance.now(),
): ((progress: Progress) => void) & { end: () => void } {
  const line = new ProgressLine(stderr);
  let current: Progress | undefined;
  let [started, updated] = [0, 0];
  const write = (): void => {
    if (current !== undefined)
      line.write(loadLine(current, (updated - started) / 1000, (now() - started) / 1000));
  };
  const timer = setInterval(write, LOAD_LINE_EVERY_MS);
  const update = (progress: Progress): void => {
    if (progress.step !== current?.step) {
      line.keep();
      started = now();
    }
    current = progress;
    updated = now();
    if (stderr.isTTY) write();
  };
  const end = (): void => {
    clearInterval(timer);
    line.keep();
    current = undefined;
  };
  return Object.assign(update, { end });
}

/** The step, the rows of a file and how many a second were read in `reading_s`, the share, and the duration. */
function loadLine({ step, rows, share }: Progress, reading_s: number, seconds: number): string {
  const speed =
    rows === undefined
      ? ''
      : `${numberText(rows)} rows, ${numberText(Math.round(rows / Math.max(0.001, reading_s)))} rows/s, `;
  return `${step}: ${speed}${Math.round(share * 100)}%, ${numberText(Math.round(seconds))} s`;
}

export interface ProgressLog {
  (line: string): void;
  /** The work that the last line speaks of is over: nothing comes again. */
  end: () => void;
  close: () => void;
}

/**
 * Shows each line at once. While the work goes on and says nothing, the last one comes again with its age. Its timer
 * holds the process, until it is closed.
 */
export function showProgress(): ProgressLog {
  const progress = new ProgressLine(process.stderr);
  let last: { line: string; at_ms: number } | undefined = { line: 'the start', at_ms: performance.now() };
  const timer = setInterval(() => {
    if (last === undefined) return;
    progress.write(`${Math.round((performance.now() - last.at_ms) / 1000)} s after: ${last.line}`);
  }, MAX_QUIET_MS);
  const log = (line: string): void => {
    last = { line, at_ms: performance.now() };
    timer.refresh();
    progress.write(line);
  };
  const end = (): void => {
    progress.erase();
    last = undefined;
  };
  return Object.assign(log, { end, close: () => clearInterval(timer) });
}
