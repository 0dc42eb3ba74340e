import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import type { RunReport } from './pass/run-report.js';
import type { Collector } from './collector.js';
import { runOnce } from './pass.js';
import type { PublicSource } from './source.js';

// Passes by the schedules of the sources, one after the other, until the signal says stop.

/** How long after a pass that failed it is tried again. */
const COOLDOWN_MS = 300_000;

const LONGEST_JITTER_MS = 600_000;

/** How much later than its schedule an installation asks, ms: each at another moment, the same one each time. */
export function computeJitter(...installation: readonly string[]): number {
  const digest = createHash('sha256').update(JSON.stringify(installation)).digest();
  return Math.floor((digest.readUInt32BE() / 2 ** 32) * LONGEST_JITTER_MS);
}

export interface Watching {
  jitter_ms: number;
  onRun: (report: RunReport) => void;
  /** Nothing is asked until then, Unix ms. */
  onWait?: (until_ms: number) => void;
  onError: (error: unknown) => void;
}

/**
 * A pass over all sources, then one whenever a schedule is due. Sources that come due during a pass are in the next one.
 * A pass that fails is tried again.
 */
export async function watch(
  collector: Collector,
  { jitter_ms, onRun, onWait, onError }: Watching,
): Promise<void> {
  const { sources, clock, signal } = collector;
  const schedules = sources.flatMap((source) =>
    source.schedule.map(({ cron, overlap_ms }) => ({
      source,
      overlap_ms,
      cron: new Cron(cron, { timezone: 'UTC' }),
      /** Passes have covered all that came due until then. */
      since_ms: clock.now() - jitter_ms,
    })),
  );
  const getNext = ({ cron, since_ms }: (typeof schedules)[number]): number =>
    (cron.nextRun(new Date(since_ms))?.getTime() ?? Infinity) + jitter_ms;
  let due = new Map<PublicSource, number>(sources.map((source) => [source, source.overlap_ms]));
  while (!signal.aborted) {
    try {
      if (due.size > 0) onRun(await runOnce(collector, due));
      due = new Map();
      const next_ms = Math.min(...schedules.map(getNext));
      onWait?.(next_ms);
      await clock.sleep(next_ms - clock.now(), signal);
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
      await clock.sleep(COOLDOWN_MS, signal).catch(() => {});
    }
    const now = clock.now();
    for (const schedule of schedules.filter((one) => getNext(one) <= now)) {
      due.set(schedule.source, Math.max(due.get(schedule.source) ?? 0, schedule.overlap_ms));
      schedule.since_ms = now - jitter_ms;
    }
  }
}
