import type { Progress } from '../ingest/tally.js';

/** Between lines where there is no terminal. */
const PROGRESS_EVERY_MS = 5000;

/**
 * Tells how far a load is: on a terminal in one line that is written over, elsewhere in a line every 5 s, so that a load of
 * less tells nothing. A line comes as well while one statement takes longer than that.
 * @returns what is told; `end` to end with
 */
export function showLoadProgress(
  stderr: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  now: () => number = () => performance.now(),
): ((progress: Progress) => void) & { end: () => void } {
  let current: Progress | undefined;
  let [started, told] = [0, 0];
  const show = (): void => {
    if (current === undefined) return;
    const line = lineOf(current, (told - started) / 1000, (now() - started) / 1000);
    stderr.write(stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  };
  const timer = setInterval(show, PROGRESS_EVERY_MS);
  const tell = (progress: Progress): void => {
    if (progress.step !== current?.step) {
      if (current !== undefined && stderr.isTTY) stderr.write('\n');
      started = now();
    }
    current = progress;
    told = now();
    if (stderr.isTTY) show();
  };
  const end = (): void => {
    clearInterval(timer);
    if (current !== undefined && stderr.isTTY) stderr.write('\n');
    current = undefined;
  };
  return Object.assign(tell, { end });
}

/** What is done, the rows of a file and how many a second were read in `reading_s`, the share, and for how long. */
function lineOf({ step, rows, share }: Progress, reading_s: number, seconds: number): string {
  const number = (value: number): string => Math.round(value).toLocaleString('en-US');
  const speed =
    rows === undefined ? '' : `${number(rows)} rows, ${number(rows / Math.max(0.001, reading_s))} rows/s, `;
  return `${step}: ${speed}${Math.round(share * 100)} %, ${number(seconds)} s`;
}
