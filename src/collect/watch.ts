import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import type { PassReport } from './pass/report.js';
import type { Collector } from './collector.js';
import { runPass } from './pass.js';
import type { PublicSource } from './source.js';

// Passes by the schedules of the sources, one after the other, until the signal says stop.

/** How long after a pass that failed it is tried again. */
const REST_AFTER_FAULT_MS = 300_000;

const LONGEST_JITTER_MS = 600_000;

/** How much later than its schedule an installation asks, ms: each at another moment, the same one each time. */
export function jitterOf(...installation: readonly string[]): number {
  const digest = createHash('sha256').update(JSON.stringify(installation)).digest();
  return Math.floor((digest.readUInt32BE() / 2 ** 32) * LONGEST_JITTER_MS);
}

export interface Watching {
  jitter_ms: number;
  onPass: (report: PassReport) => void;
  /** Nothing is asked until then, Unix ms. */
  onWait?: (until_ms: number) => void;
  onFault: (error: unknown) => void;
}

/**
 * A pass over all sources, then one whenever a schedule is due. Sources that come due during a pass are in the next one.
 * A pass that fails is tried again.
 */
export async function watch(
  collector: Collector,
  { jitter_ms, onPass, onWait, onFault }: Watching,
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
  const nextOf = ({ cron, since_ms }: (typeof schedules)[number]): number =>
    (cron.nextRun(new Date(since_ms))?.getTime() ?? Infinity) + jitter_ms;
  let due = new Map<PublicSource, number>(sources.map((source) => [source, source.overlap_ms]));
  while (!signal.aborted) {
    try {
      if (due.size > 0) onPass(await runPass(collector, due));
      due = new Map();
      const next_ms = Math.min(...schedules.map(nextOf));
      onWait?.(next_ms);
      await clock.sleep(next_ms - clock.now(), signal);
    } catch (error) {
      if (signal.aborted) return;
      onFault(error);
      await clock.sleep(REST_AFTER_FAULT_MS, signal).catch(() => {});
    }
    const now = clock.now();
    for (const schedule of schedules.filter((one) => nextOf(one) <= now)) {
      due.set(schedule.source, Math.max(due.get(schedule.source) ?? 0, schedule.overlap_ms));
      schedule.since_ms = now - jitter_ms;
    }
  }
}
