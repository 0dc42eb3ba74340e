import { readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

/** Seconds of processor, user and system, of this process and of the children that have ended (these on Linux alone). */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + childrenSeconds();
}

/** Seconds of processor of the children that have ended: those of one count when it has, all at once. */
export function childrenSeconds(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    return ((fields[13] ?? 0) + (fields[14] ?? 0)) / TICKS_A_SECOND;
  } catch {
    return 0;
  }
}
