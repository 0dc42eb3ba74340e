import { sampleRecord } from '../api/records/pair.js';
import { z } from 'zod';
import { accuracyEndpoint } from '../api/accuracy.js';
import { basisOfPairs } from '../api/accuracy-metadata.js';
import { count, STATION } from '../api/fields.js';
import { ownParameters } from '../api/groups.js';
import { flag, InvalidParamsError } from '../api/parameters.js';
import { ci } from '../api/params/common.js';
import { stationInPath } from '../api/params/station-params.js';
import { stats, uncertainty } from '../api/records/stats.js';
import { leadTimeBucketFilter, type PairQuery } from '../queries/conditions.js';
import { pairs } from '../queries/station-days.js';
import { byDayRow, statisticsByDay } from '../queries/sums.js';
import { raw, sql } from '../queries/sql.js';
import { mapCooperatively } from '../lib/yield-to-event-loop.js';
import { statsByDay } from '../statistics/by-day.js';
import { localTime } from '../statistics/time/calendar.js';
import { loadSummary } from './summary.js';
import { instantText } from '../queries/issuances.js';
import { HOUR_MS } from '../statistics/time/calendar.js';
import { VARIABLES } from '../variables/variables.js';

/** The most pairs that `include_raw` returns; more are an error, never cut silently. */
const MAX_SAMPLE_RECORDS = 50_000;

/** Pairs in one row of the engine: one row of them all is parsed in a piece of 100 ms. */
const SAMPLES_IN_ROW = 1000;

/**
 * The statistics of a station and the pairs themselves, from one scan of the ledger: with two statements, a load that
 * reconciles between them would make the total and the rows disagree. Each row has the statistics, and some of the pairs.
 */
const withSamples = (params: PairQuery, level: number | undefined) => sql.rows(withSamplesRow)`
  SELECT * EXCEPT (all_samples), samples
  FROM (
    SELECT ${statisticsByDay(params, level)},
      arraySort(sample -> (sample.1, sample.2, sample.3), groupArray(${raw(`${MAX_SAMPLE_RECORDS}`)})((
        target_date, toUnixTimestamp64Milli(issued_at), lead_ms / 3600000,
        lead_time_bucket, forecast, actual, error, observation_status
      ))) AS all_samples
    FROM (
      SELECT
        target_date, issued_at, lead_ms, lead_time_bucket, forecast, actual, error, observation_status, error_hundredths,
        toInt64(1) AS pair_count, toInt64(observation_status = 'preliminary') AS preliminary_pair_count
      FROM ${pairs(params)}
      WHERE lead_time_bucket IN ${leadTimeBucketFilter(params)}
      GROUP BY
        target_date, issued_at, lead_ms, lead_time_bucket, forecast, actual, error, observation_status, error_hundredths
      HAVING sum(sign) != 0
    )
  )
  LEFT ARRAY JOIN arrayMap(
    before -> arraySlice(all_samples, before + 1, ${raw(`${SAMPLES_IN_ROW}`)}), range(0, length(all_samples), ${raw(`${SAMPLES_IN_ROW}`)})
  ) AS samples
  ORDER BY samples`;

const record = z
  .object({
    ...STATION,
    stats,
    sample_size: count('Verification pairs in the window'),
    uncertainty: uncertainty.optional(),
    sample_records: z.array(sampleRecord).optional().meta({
      description:
        'With include_raw=true: the pairs, by target_date and issued_at, and pairs of hours then by valid_at',
    }),
  })
  .meta({ id: 'StationAccuracy' });

const SAMPLE = sampleRecord.shape;

const withSamplesRow = byDayRow.extend({
  samples: z.array(
    z.tuple([
      SAMPLE.target_date,
      z.number(),
      SAMPLE.lead_time_hours,
      SAMPLE.lead_time_bucket,
      SAMPLE.forecast,
      SAMPLE.actual,
      SAMPLE.error,
      SAMPLE.observation_status,
    ]),
  ),
});

/** GET /api/v1/accuracy/by-station/:station_id (section 4.2 of the interface). */
export const byStation = accuracyEndpoint({
  paths: ['/accuracy/by-station/:station_id'],
  operationId: 'getAccuracyByStation',
  summary: 'Accuracy of one station',
  description:
    'The statistics of one station over a window and, with include_raw=true, the pairs behind them.',
  example: { station: 'Chicago', query: 'date_from=2026-09-30&date_to=2026-09-30&include_raw=true', keep: 2 },
  groups: {
    station: stationInPath,
    ci,
    own: ownParameters({ include_raw: flag(false, 'Include sample_records, the single verification pairs') }),
  },
  record,
  isSingle: true,
  requested: ({ own, ci, metric }) => ({
    uncertainty: ci !== undefined,
    sample_records: own.include_raw,
    valid_at: VARIABLES[metric].period === 'hour',
  }),
  metadata: {
    local_generated_at: z.iso
      .datetime({ offset: true })
      .meta({ description: "generated_at in the station's local time, with its UTC offset" }),
    station_timezone: z.string().meta({ example: 'America/Chicago' }),
  },

  recompute: {
    sql: new URL('by-station.recompute.sql', import.meta.url),
    values: ({ own }) => own,
  },

  async handle(params, { query, now }) {
    const { station_id, city_name, timezone } = params.station;
    const { ci, own } = params;
    const rows = own.include_raw ? await query(withSamples(params, ci), 'long') : undefined;
    const [found] = rows ?? (await query(loadSummary(params, ci)));
    const { stats, uncertainty } = statsByDay(found, params.metric, ci);
    if (own.include_raw && stats.verification_pairs > MAX_SAMPLE_RECORDS)
      throw tooMany(stats.verification_pairs);
    return {
      data: {
        station_id,
        city_name,
        stats,
        sample_size: stats.verification_pairs,
        ...(uncertainty && { uncertainty }),
        ...(rows && {
          sample_records: await mapCooperatively(
            readSamples(rows),
            VARIABLES[params.metric].period === 'hour' ? toHourRecord : toSampleRecord,
          ),
        }),
      },
      metadata: {
        local_generated_at: localTime(now, timezone),
        station_timezone: timezone,
      },
      basis: basisOfPairs(found ? [found] : []),
    };
  },
});

function* readSamples(rows: readonly z.infer<typeof withSamplesRow>[]): Generator<Sample> {
  for (const { samples } of rows) yield* samples;
}

function tooMany(pairs: number): InvalidParamsError {
  const message = `would return ${pairs} pairs, at most ${MAX_SAMPLE_RECORDS} are allowed; narrow the window with date_from and date_to`;
  return new InvalidParamsError([{ parameter: 'include_raw', message }]);
}

type Sample = z.infer<typeof withSamplesRow>['samples'][number];

/** The record of a pair of an hour, with `valid_at`. */
function toHourRecord(sample: Sample): z.infer<typeof sampleRecord> {
  const [, issued_at_ms, lead_time_hours] = sample;
  const { target_date, ...record } = toSampleRecord(sample);
  return {
    target_date,
    valid_at: instantText(issued_at_ms + Math.round(lead_time_hours * HOUR_MS)),
    ...record,
  };
}

function toSampleRecord([
  target_date,
  issued_at_ms,
  lead_time_hours,
  lead_time_bucket,
  forecast,
  actual,
  error,
  observation_status,
]: Sample): z.infer<typeof sampleRecord> {
  return {
    target_date,
    issued_at: instantText(issued_at_ms),
    // To 0.0001 h: a second short of a bucket's bound must not read as the bound.
    lead_time_hours: Math.round(lead_time_hours * 1e4) / 1e4,
    lead_time_bucket,
    forecast,
    actual,
    error,
    observation_status,
  };
}
