import { METRICS } from '../variables/variables.js';
import { z } from 'zod';
import { type Rows, sql } from '../queries/sql.js';

/** The kinds of alarms. */
const ALARM_KINDS = ['stale', 'identical', 'leak', 'suspect'] as const;

/** An alarm of a load: a provider that stands still, repeats another or knows the observations, or observations to look at. It changes no number. */
const alarm = z
  .object({
    kind: z.enum(ALARM_KINDS).meta({
      description:
        'stale: new issuances repeat the values of the one before; identical: all forecasts of 30 days equal, to 0.1 °F, those of ' +
        'another provider; leak: of 30 days, 98% of the forecasts made before the day equal its observation; ' +
        'suspect: observations that /data/suspects lists',
    }),
    provider: z.string().nullable().meta({ description: 'null for observations' }),
    station_id: z.string().nullable().meta({ description: 'null for the whole network' }),
    metric: z.enum(METRICS).nullable().meta({ description: 'null where both metrics are meant' }),
    since: z.iso
      .date()
      .meta({ description: 'First day: of the issuances if stale, else of the target dates' }),
    message: z.string().meta({
      description: 'The figures behind it, in a sentence',
      example:
        'nws: 162 of 164 stations repeat the values of 2 issuances; at most 4 did in the 60 days before',
    }),
  })
  .meta({ id: 'Alarm' });
export type Alarm = z.infer<typeof alarm>;

/** A report may have alarms of a kind that this build does not know; they are left out. */
const knownAlarms = z
  .array(alarm.nullable().catch(null))
  .transform((list) => list.filter((each) => each !== null));

/** The findings of a load, in its report; missing in one that brought no forecast and no pair. */
export const watchReport = z.object({
  /** Alarms that hold after the load. */
  alarms: knownAlarms,
  /** Alarms that did not hold before it. */
  raised: knownAlarms,
  /** Alarms that held before it, and no longer do. */
  cleared: knownAlarms,
});
export type WatchReport = z.infer<typeof watchReport>;

/** Alarms as a report has them, in JSON. */
export const alarmsOfReport = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(knownAlarms);

/** A SELECT of the alarms that hold: one row, or none before the first watch. */
export const LATEST_ALARMS = sql`
    SELECT JSONExtractRaw(report, 'watch', 'alarms') AS alarms
    FROM loads
    WHERE event = 'finished' AND JSONHas(report, 'watch')
    ORDER BY load_id DESC
    LIMIT 1`;

const alarmsRow = z.object({ alarms: alarmsOfReport });

/** The alarms that hold. @throws what the query throws */
export async function readAlarms(
  query: (rows: Rows<z.infer<typeof alarmsRow>>) => Promise<z.infer<typeof alarmsRow>[]>,
): Promise<Alarm[]> {
  const [last] = await query(sql.rows(alarmsRow)`${LATEST_ALARMS}`);
  return last?.alarms ?? [];
}
