import { z } from 'zod';
import { localTime } from '../accuracy/calendar.js';
import { leadTimeBucket } from '../accuracy/lead-time.js';
import { daysWithPairs } from '../accuracy/histograms.js';
import { stats, statisticsOf, toStats } from '../accuracy/statistics.js';
import { defineEndpoint, InvalidParameters } from '../api/endpoint.js';
import { flag } from '../api/parameters.js';
import {
  allVerified,
  checkWindow,
  COMMON_METADATA,
  csvOf,
  ERROR_CONVENTION,
  QUESTION_PARAMETERS,
  readQuestion,
  windowMetadata,
} from '../api/question.js';
import { summaryRow, summarySql } from './summary.js';

/** The most pairs that `include_raw` returns; more is an error, never a silent cut (D13). */
export const MAX_SAMPLE_RECORDS = 50_000;

const sampleRecordsSql = `
  SELECT
    target_date,
    toUnixTimestamp64Milli(issued_at) AS issued_at_ms,
    dateDiff('millisecond', issued_at, local_midnight) / 3600000 AS lead_time_hours,
    lead_time_bucket, forecast, actual, error, observation_status
  FROM pairs
  WHERE metric = {metric: String} AND provider = {provider: String} AND station_id = {station_id: String}
    AND target_date BETWEEN {period_start: Date} AND {period_end: Date}
    AND lead_time_bucket IN {lead_time_buckets: Array(String)}
  GROUP BY target_date, issued_at, local_midnight, lead_time_bucket, forecast, actual, error, observation_status
  HAVING sum(sign) != 0
  ORDER BY target_date, issued_at
  LIMIT ${MAX_SAMPLE_RECORDS + 1}`;

export const sampleRecord = z
  .object({
    target_date: z.iso.date(),
    issued_at: z.iso.datetime().meta({ description: 'When the forecast was issued, UTC' }),
    lead_time_hours: z
      .number()
      .min(0)
      .meta({ description: 'Hours from issuance to local midnight of target_date' }),
    lead_time_bucket: leadTimeBucket,
    forecast: z.number().meta({ description: '°F' }),
    actual: z.number().meta({ description: '°F' }),
    error: z.number().meta({ description: 'forecast - actual, °F' }),
    observation_status: z.enum(['verified', 'preliminary']),
  })
  .meta({ id: 'SampleRecord', description: 'One verification pair' });

const sampleRow = sampleRecord.omit({ issued_at: true }).extend({ issued_at_ms: z.number() });

const aggregate = z.object({
  station_id: z.string().meta({ example: 'KORD' }),
  city_name: z.string().meta({ example: 'Chicago' }),
  stats,
  sample_size: z.int().min(0).meta({ description: 'Verification pairs in the window' }),
});

const record = aggregate
  .extend({
    sample_records: z
      .array(sampleRecord)
      .optional()
      .meta({ description: 'With include_raw=true: the pairs, by target_date and issued_at' }),
  })
  .meta({ id: 'StationAccuracy' });

const parameters = {
  ...QUESTION_PARAMETERS,
  include_raw: flag(false, 'Include sample_records, the single pairs'),
};

/** GET /api/v1/accuracy/by-station/:station_id (section 4.2 of the interface, D13). */
export const byStation = defineEndpoint({
  paths: ['/accuracy/by-station/:station_id'],
  operationId: 'getAccuracyByStation',
  summary: 'Accuracy of one station',
  description:
    'The statistics of one station over a window and, with include_raw=true, the pairs behind them.',
  parameters,
  check: checkWindow,
  record,
  many: false,
  csvRecord: ({ include_raw }) => (include_raw ? record : aggregate),
  metadata: z.object({
    ...COMMON_METADATA,
    local_generated_at: z.iso
      .datetime({ offset: true })
      .meta({ description: 'generated_at in local time of the station, with its UTC offset' }),
    station_id: z.string(),
    station_timezone: z.string().meta({ example: 'America/Chicago' }),
    error_convention: ERROR_CONVENTION,
  }),

  question: readQuestion,

  async answer(question, { include_raw }, store) {
    const { station, bindings } = question;
    if (station === undefined) throw new Error('by-station has a station in its path');
    const { station_id, city_name, timezone } = station;
    const [found] = await store.query(summarySql('station'), bindings, summaryRow);
    const total = found?.verification_pairs ?? 0;
    if (include_raw && total > MAX_SAMPLE_RECORDS) {
      const message = `would return ${total} pairs, at most ${MAX_SAMPLE_RECORDS} are allowed; narrow the window with date_from and date_to`;
      throw new InvalidParameters([{ parameter: 'include_raw', message }]);
    }
    const samples = include_raw ? await store.query(sampleRecordsSql, bindings, sampleRow) : undefined;
    return {
      data: {
        station_id,
        city_name,
        stats: toStats(statisticsOf(found, daysWithPairs(found?.pairs_by_day ?? []))),
        sample_size: total,
        ...(samples && {
          sample_records: samples.map(({ target_date, issued_at_ms, lead_time_hours, ...sample }) => ({
            target_date,
            issued_at: new Date(issued_at_ms).toISOString().replace('.000Z', 'Z'),
            // To 0.0001 h, so that a second short of a bucket's bound does not read as the bound.
            lead_time_hours: Math.round(lead_time_hours * 1e4) / 1e4,
            ...sample,
          })),
        }),
      },
      metadata: {
        ...windowMetadata(question),
        local_generated_at: (now: Date) => localTime(now, timezone),
        station_id,
        station_timezone: timezone,
        error_convention: 'forecast_minus_actual',
      },
      verified: allVerified(found ? [found] : []),
      csv: csvOf(question),
    };
  },
});
