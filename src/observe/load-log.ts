import type { Logger } from 'pino';
import { z } from 'zod';
import { bind, sql } from '../queries/sql.js';
import type { Store } from '../store/store.js';

// A look takes 2 ms. Without a timer, the first request of the morning would log a load of the night.
const LOOK_EVERY_MS = 2000;

const count = z.int().min(0).default(0);

/** As much of a load's report as a line of the log tells. */
const report = z.object({
  outcome: z.string().optional(),
  error: z.string().optional(),
  reason: z.string().optional(),
  feeds: z.record(z.string(), z.object({ rows_read: count, rows_rejected: count })).default({}),
  pairs_added: count,
  pairs_withdrawn: count,
  seconds: z.number().optional(),
});

const endedLoad = z.object({
  load_id: z.number(),
  event: z.enum(['finished', 'failed']),
  report: z
    .string()
    .transform((text) => JSON.parse(text) as unknown)
    .pipe(report.catch(report.parse({}))), // of a later version: the load is told all the same
});

const LAST_ENDED = sql.rows(endedLoad.pick({ load_id: true }))`
  SELECT max(load_id) AS load_id
  FROM loads
  WHERE event IN ('finished', 'failed')`;

/** Logs each load that ends, in any process: one line with its load_id, rows and pairs. */
export class LoadLog {
  #lastLoadId: number | undefined;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: Pick<Store, 'query'>,
    private readonly logger: Logger,
  ) {}

  /** Looks every 2 s until stop(). */
  start(): this {
    const look = (): void => void this.look();
    look();
    this.#timer = setInterval(look, LOOK_EVERY_MS).unref();
    return this;
  }

  /** Resolves when the look under way has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  /** Logs what has ended since the last look; the first one only finds out where that begins. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look()
      .catch(() => {}) // health and metrics report a store that is away; the next look catches up
      .finally(() => (this.#looking = undefined)));
  }

  async #look(): Promise<void> {
    if (this.#lastLoadId === undefined) {
      const [last] = await this.store.query(LAST_ENDED);
      this.#lastLoadId = last?.load_id ?? 0;
      return;
    }
    const loads = await this.store.query(
      sql.rows(endedLoad)`SELECT load_id, event, report
      FROM loads
      WHERE event IN ('finished', 'failed') AND load_id > ${bind({ load_id: this.#lastLoadId }, 'UInt32')}
      ORDER BY load_id`,
    );
    this.#lastLoadId = loads.at(-1)?.load_id ?? this.#lastLoadId;
    for (const { load_id, event, report } of loads) {
      const { feeds, ...counts } = report;
      const feedCounts = Object.values(feeds);
      const line = {
        load_id,
        rows_read: feedCounts.reduce((sum, { rows_read }) => sum + rows_read, 0),
        rows_rejected: feedCounts.reduce((sum, { rows_rejected }) => sum + rows_rejected, 0),
        ...counts,
      };
      if (event === 'finished') this.logger.info(line, 'load finished');
      else this.logger.warn(line, 'load failed');
    }
  }
}
