import { z } from 'zod';
import type { Sources } from '../api/endpoint.js';
import { defineGroup } from '../api/groups.js';
import { andOfStations, ofMetric, ofProvider, ofVersion } from '../queries/conditions.js';
import { stationClocks } from '../queries/local-days.js';
import { Reports } from '../queries/report-rows.js';
import { reports } from '../queries/reports.js';
import { bind, sql } from '../queries/sql.js';
import { formatDate } from '../statistics/time/calendar.js';
import { localMidnight } from '../statistics/time/local-midnight.js';
import { SCALES, type Unit, wholeDegree } from '../variables/units.js';
import { hourOfDay } from './intraday/intraday-params.js';
import { getLeadRange } from './lead-of-forecast.js';
import type { Lead } from './probability-params.js';
import { reliabilityFields } from './reliability-record.js';
import { type TrainingQuery, type TrainingSpan, verifiedOnly } from './training/archive.js';
import type { Range } from './training/predictive.js';
import { ScoreTable } from './training/probability-scores.js';
import { NO_MOMENT_MS, ofTrainingDays } from './training/training-cases.js';

// The reliability of sealed odds (D82): what was said before a day and recorded before it, and nothing that is computed afterwards.

/** Whether a request is of sealed odds alone. */
export const sealed = defineGroup({
  parameters: {
    ...hourOfDay.parameters,
    sealed: z
      .enum(['true', 'false'], 'must be true or false')
      .transform((text) => text === 'true')
      .default(false)
      .meta({
        type: 'boolean',
        description:
          'true: scores only odds that were sealed before their day began, as they were said then; of a station day ' +
          'those of the latest forecast in lead_time_bucket, as said last. crps_f, pit and the other methods need more than was said',
      }),
  },
  read({ sealed, hour, lead_hours }) {
    if (!sealed || (hour ?? lead_hours) === undefined) return () => sealed;
    const message = 'is of odds said before their day, by lead_time_bucket; leave out hour and lead_hours';
    return [{ parameter: 'sealed', message }];
  },
});

export const sealedSinceRecord = z
  .object({
    version: z.int().min(1).meta({ description: 'The version that has them', example: 412 }),
    recorded_at: z.iso.datetime().meta({ description: 'When its seal was made, UTC' }),
  })
  .meta({
    description: 'With sealed: the first sealed odds of the subject, of any lead time; null without any',
  });

interface SealedQuery extends TrainingQuery {
  level: number;
  unit: Unit;
}

const ofSubject = (params: SealedQuery) => sql`${ofMetric(params)} AND ${ofProvider(params)}
    AND unit = ${bind({ unit: params.unit }, 'String')} AND ${ofVersion(params.asOf?.version)}${andOfStations(params.station)}`;

const sealedRow = z.object({
  station_id: z.string(),
  day: z.number(),
  load_id: z.number(),
  issued_ms: z.number(),
  odds: z.array(z.object({ from: z.number().nullable(), to: z.number().nullable(), millionths: z.number() })),
});
type SealedRow = z.infer<typeof sealedRow>;

/** The sealed odds of some days, of a lead time; the latest forecast comes last, and of one forecast what was said last. */
const sealedOfDays = (params: SealedQuery, bucket: string, days: TrainingSpan) => sql.rows(sealedRow)`
  SELECT station_id, toUInt16(target_date) AS day, load_id, toUnixTimestamp64Milli(issued_at) AS issued_ms, odds
  FROM sealed_odds
  WHERE ${ofSubject(params)} AND ${ofTrainingDays(days)} AND lead_time_bucket = ${bind({ bucket }, 'String')}
  ORDER BY station_id, day, issued_ms, load_id`;

/** The first load of such odds, and their lead times. */
const sealedSince = (params: SealedQuery) => sql.rows(
  z.object({ first: z.number(), buckets: z.array(z.string()) }),
)`
  SELECT min(load_id) AS first, arraySort(groupUniqArray(lead_time_bucket)) AS buckets
  FROM sealed_odds
  WHERE ${ofSubject(params)}`;

/** The versions from a load on, with the time of their leaf, ms. Versions that were sealed late are older than any odds. */
const versionsSince = (first: number, asOf: TrainingQuery['asOf']) => sql.rows(
  z.object({ version: z.number(), recorded_ms: z.number() }),
)`
  SELECT
    load_id AS version,
    toUnixTimestamp64Milli(parseDateTime64BestEffort(JSONExtractString(JSONExtractString(report, 'seal'), 'recorded_at'), 3, 'UTC')) AS recorded_ms
  FROM loads
  WHERE event = 'finished' AND JSONHas(report, 'seal') AND load_id >= ${bind({ first }, 'UInt32')} AND ${ofVersion(asOf?.version)}
  ORDER BY version`;

const UNKNOWN = { value: null, low: null, high: null };

/** Scores the sealed odds of some days against the values that are known of them. */
export async function sealedReliability(
  params: SealedQuery,
  lead: Lead,
  days: TrainingSpan,
  { query }: Pick<Sources, 'query'>,
) {
  const { level, unit, asOf, knownAt = NO_MOMENT_MS } = params;
  const [since] = await query(sealedSince(params));
  const [versions, rows, clocks, observed] = await Promise.all([
    query(versionsSince(since?.first ?? 0, asOf)),
    query(sealedOfDays(params, lead.bucket, days), 'long'),
    query(stationClocks(asOf, params.station)),
    query(reports(params, ofTrainingDays(days)), 'long'),
  ]);
  // A load that did not finish left its odds to the next one.
  const loads = [...new Set([since?.first ?? 0, ...rows.map(({ load_id }) => load_id)])];
  const versionOf = new Map(loads.map((load) => [load, versions.find(({ version }) => version >= load)]));
  const clockOf = new Map(clocks.map((each) => [each.station_id, each]));
  const said = new Map<string, SealedRow>();
  for (const each of rows) {
    const clock = clockOf.get(each.station_id);
    const { recorded_ms = Infinity } = versionOf.get(each.load_id) ?? {};
    if (clock && recorded_ms < localMidnight(formatDate(each.day), clock.timezone, clock.day_boundary))
      said.set(`${each.station_id} ${each.day}`, each);
  }
  const options = { verifiedOnly: verifiedOnly(params) };
  const reportsOf = new Map(observed.map((row) => [row.station_id, new Reports(row, options)]));
  const scores = new ScoreTable(days.first, days.last - days.first + 1, ['sealed']);
  let arePartitions = true;
  for (const { station_id, day, odds: ranges } of said.values()) {
    const actual = reportsOf.get(station_id)?.known(day, knownAt);
    if (actual === undefined) continue;
    arePartitions &&= isPartition(ranges);
    scores.add(day, wholeDegree(actual, SCALES[unit]), ranges, { sealed: asPredictive(ranges) });
  }
  const first = since && since.first > 0 ? versionOf.get(since.first) : undefined;
  const fields = {
    lead_time_bucket: lead.bucket,
    lead_range: getLeadRange(lead),
    ...reliabilityFields(scores, {}, level),
    crps_f: UNKNOWN,
    ...(!arePartitions && { log_score: UNKNOWN }),
    pit: [],
    sealed_since: first
      ? { version: first.version, recorded_at: new Date(first.recorded_ms).toISOString() }
      : null,
  };
  return { fields, hint: hintOf(fields, lead.bucket, since?.buckets ?? []) };
}

const isPartition = (ranges: readonly Range[]): boolean =>
  ranges[0]?.from === null &&
  ranges.at(-1)?.to === null &&
  ranges.every(({ from }, at) => at === 0 || from === (ranges[at - 1]?.to ?? NaN) + 1);

/** The probabilities of the ranges that were sealed; nothing is known of any other degree. */
function asPredictive(ranges: SealedRow['odds']) {
  const of = (range: Range): number => (ranges.find((each) => each === range)?.millionths ?? NaN) / 1e6;
  return { lowest: Infinity, highest: -Infinity, upTo: () => NaN, of };
}

function hintOf(
  { cases, sealed_since }: { cases: number; sealed_since: object | null },
  bucket: string,
  buckets: readonly string[],
): string {
  if (sealed_since === null)
    return 'There are no sealed odds of this subject and version yet: the operator seals those of coming days with seal odds';
  if (cases > 0)
    return 'crps_f, pit and other methods need the whole distribution, but what was sealed are the odds of some ranges';
  return `No day of the window with sealed odds of ${bucket} has an observation; lead times of sealed odds: ${buckets.join(', ')}`;
}
