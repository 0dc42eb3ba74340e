import { z } from 'zod';
import { temperature } from '../api/kinds.js';
import { andOfStations, ofDates } from '../queries/conditions.js';
import { asReported, factsOfVersion, isReportedIn, stationsOfVersion } from '../queries/facts.js';
import { instantText } from '../queries/issuances.js';
import { defineEndpoint } from '../api/endpoint.js';
import { STATION } from '../api/fields.js';
import { page, PAGE_METADATA, makePage, getVersion } from '../api/params/row-pages.js';
import { anyMetric, window } from '../api/params/common.js';
import { METRICS } from '../variables/variables.js';
import {
  STATIONS_METADATA,
  stationsInName,
  stationsInMetadata,
  stationsTogether,
} from '../api/params/station-params.js';
import { temperatureUnit, UNIT_METADATA, unitMetadata } from '../api/params/temperature-unit.js';
import { asOf, versions } from '../api/params/as-of.js';
import type { Params } from '../api/groups.js';
import { bind, NOTHING, sql } from '../queries/sql.js';
import { mapCooperatively } from '../lib/yield-to-event-loop.js';

const groups = {
  station: stationsTogether,
  window,
  metric: anyMetric,
  versions,
  asOf,
  unit: temperatureUnit,
  page: page(1000),
};

/** A value stands while no later load corrects it or takes it back; of those that stand, a verified one counts, then the latest. */
const observationsSql = (
  { station, window, metric, versions, page }: Params<typeof groups>,
  version: number,
) => sql.rows(row)`
  SELECT
    station_id, target_date, metric, if(withdrawn, NULL, ${asReported(sql`actual`, isReportedIn(stationsOfVersion(version)))}) AS actual_f, observation_status AS status,
    toUnixTimestamp64Milli(observed_at) AS observed_ms, load_id, is_current
  FROM (
    SELECT
      *, toUInt8(stands AND row_number() OVER (
        PARTITION BY metric, station_id, target_date ORDER BY stands DESC, observation_status DESC, observed_at DESC
      ) = 1) AS is_current
    FROM (
      SELECT
        station_id, target_date, metric, actual, observation_status, observed_at, load_id, withdrawn,
        NOT withdrawn AND load_id = max(load_id) OVER (
          PARTITION BY metric, station_id, target_date, observation_status, observed_at
        ) AS stands
      FROM observations
      WHERE metric IN ${bind({ metrics: metric ? [metric] : METRICS }, 'Array(String)')}
        AND ${ofDates({ first_date: window.period_start, last_date: window.period_end })}
        AND ${factsOfVersion(version)}${andOfStations(station)}
    )
  )
  ${versions === 'all' ? NOTHING : sql`WHERE is_current = 1`}
  ORDER BY target_date, metric, station_id, observed_at, observation_status, load_id
  LIMIT ${bind({ limit: page.limit + 1 }, 'UInt32')} OFFSET ${bind({ offset: page.skip }, 'UInt64')}`;

const STATUSES = ['preliminary', 'verified'] as const;

const row = z.object({
  station_id: z.string(),
  target_date: z.string(),
  metric: z.enum(METRICS),
  actual_f: z.number().nullable(),
  status: z.enum(STATUSES),
  observed_ms: z.number(),
  load_id: z.number(),
  is_current: z.number(),
});

/** GET /api/v1/data/observations: observed values as their stations report them (D63). */
export const observations = defineEndpoint({
  paths: ['/data/observations'],
  operationId: 'getObservations',
  summary: 'Observations of a window',
  description:
    'The observed value that forecasts of each day are compared with, by date, metric (high, then low) and ' +
    'station_id; with versions=all, every value that any load brought or withdrew. A value is the whole degree that it stands for, ' +
    'if its station has reported_in. Pages work as in ' +
    '/data/forecast-actual.',
  example: { query: 'city=Chicago&limit=2&date_from=2026-09-01&date_to=2026-09-30' },
  groups,
  record: z
    .object({
      ...STATION,
      date: z.iso.date(),
      metric: z.enum(METRICS),
      actual_f: temperature().nullable().meta({ description: '°F; null if the load withdrew it' }),
      status: z.enum(STATUSES),
      observed_at: z.iso.datetime().meta({ description: 'When it was reported, UTC' }),
      load_id: z.int().min(1).meta({ description: 'The load that brought it' }),
      current: z.boolean().meta({ description: 'Whether forecasts are compared with this value' }),
    })
    .meta({ id: 'Observation' }),
  metadata: {
    days_analyzed: z.int().min(1).meta({ description: 'Days in the window, both ends included' }),
    period_start: z.iso.date(),
    period_end: z.iso.date(),
    ...PAGE_METADATA,
    ...STATIONS_METADATA,
    ...UNIT_METADATA,
  },

  async handle(params, { query, directory }) {
    const { station, window, metric, asOf, unit, page } = params;
    const version = await getVersion(page, asOf, query);
    const { days_analyzed, period_start, period_end } = window;
    const found = await query(observationsSql(params, version), 'long');
    const { rows, metadata, headers } = makePage(found, page, version);
    return {
      data: await mapCooperatively(rows, ({ target_date, observed_ms, is_current, ...each }) => ({
        station_id: each.station_id,
        city_name: directory.stations.cityName(each.station_id),
        date: target_date,
        metric: each.metric,
        actual_f: each.actual_f,
        status: each.status,
        observed_at: instantText(observed_ms),
        load_id: each.load_id,
        current: is_current === 1,
      })),
      metadata: {
        days_analyzed,
        period_start,
        period_end,
        ...metadata,
        ...stationsInMetadata(station),
        ...unitMetadata(unit),
      },
      csvConstants: unitMetadata(unit),
      headers,
      fileNameParts: [
        ...stationsInName(station),
        ...(metric === undefined ? [] : [metric]),
        period_start,
        period_end,
      ],
    };
  },
});
