/** The longest that a command says nothing while it works. */
const MOST_QUIET_MS = 20_000;

export interface Progress {
  (line: string): void;
  /** What was told is over: nothing goes on. */
  end: () => void;
  close: () => void;
}

/**
 * One line on a terminal, overwritten by the next; else a line each. While the work goes on and says nothing, the last one
 * comes again with its age. Its timer holds the process, until it is closed.
 */
export function showProgress(): Progress {
  const { isTTY } = process.stderr;
  let isOpen = false;
  let last: { line: string; at_ms: number } | undefined = { line: 'the start', at_ms: performance.now() };
  const write = (line: string): void => {
    process.stderr.write(isTTY ? `\r\x1b[K${line}` : `${line}\n`);
    isOpen = isTTY;
  };
  const timer = setInterval(() => {
    if (last === undefined) return;
    write(`${Math.round((performance.now() - last.at_ms) / 1000)} s after: ${last.line}`);
  }, MOST_QUIET_MS);
  const tell = (line: string): void => {
    last = { line, at_ms: performance.now() };
    timer.refresh();
    write(line);
  };
  const end = (): void => {
    if (isOpen) process.stderr.write('\r\x1b[K');
    isOpen = false;
    last = undefined;
  };
  return Object.assign(tell, { end, close: () => clearInterval(timer) });
}
