import { METRICS } from '../variables/variables.js';
import { z } from 'zod';
import { temperature } from '../api/kinds.js';
import { andIssuedIn, andOfStations } from '../queries/conditions.js';
import { factsOfVersion } from '../queries/facts.js';
import { instantText } from '../queries/issuances.js';
import { stationClocks } from '../queries/local-days.js';
import { findLeadTimeBucket } from '../statistics/time/lead-time.js';
import { localDay } from '../statistics/time/local-midnight.js';
import { defineEndpoint } from '../api/endpoint.js';
import { providerName, STATION, leadTimeBucket } from '../api/fields.js';
import { page, PAGE_METADATA, makePage, getVersion } from '../api/params/row-pages.js';
import {
  anyMetric,
  ISSUED_HOURS_METADATA,
  issuedHours,
  issuedHoursMetadata,
  provider,
} from '../api/params/common.js';
import {
  STATIONS_METADATA,
  stationsInName,
  stationsInMetadata,
  stationsTogether,
} from '../api/params/station-params.js';
import { temperatureUnit, UNIT_METADATA, unitMetadata } from '../api/params/temperature-unit.js';
import { asOf, targetDate, versions } from '../api/params/as-of.js';
import type { Params } from '../api/groups.js';
import { bind, NOTHING, sql } from '../queries/sql.js';
import { mapCooperatively } from '../lib/yield-to-event-loop.js';

const groups = {
  station: stationsTogether,
  targetDate,
  metric: anyMetric,
  provider,
  issuedHours,
  versions,
  asOf,
  unit: temperatureUnit,
  page: page(100),
};

const forecastsSql = (
  { station, targetDate, metric, provider, issuedHours, versions, page }: Params<typeof groups>,
  version: number,
) => sql.rows(row)`
  SELECT
    station_id, metric, toUnixTimestamp64Milli(issued_at) AS issued_ms, if(withdrawn, NULL, forecast) AS forecast_f,
    load_id, toUInt8(load_id != latest_load_id) AS superseded
  FROM (
    SELECT
      station_id, metric, issued_at, forecast, withdrawn, load_id,
      max(load_id) OVER (PARTITION BY metric, station_id, issued_at) AS latest_load_id
    FROM forecasts
    WHERE metric IN ${bind({ metrics: metric ? [metric] : METRICS }, 'Array(String)')}
      AND provider = ${bind({ provider: provider.name }, 'String')} AND target_date = ${bind({ target_date: targetDate }, 'Date')}
      AND ${factsOfVersion(version)}${andOfStations(station)}${andIssuedIn(issuedHours)}
  )
  ${versions === 'all' ? NOTHING : sql`WHERE load_id = latest_load_id AND NOT withdrawn`}
  ORDER BY metric, station_id, issued_at, load_id
  LIMIT ${bind({ limit: page.limit + 1 }, 'UInt32')} OFFSET ${bind({ offset: page.skip }, 'UInt64')}`;

const row = z.object({
  station_id: z.string(),
  metric: z.enum(METRICS),
  issued_ms: z.number(),
  forecast_f: z.number().nullable(),
  load_id: z.number(),
  superseded: z.number(),
});

/** GET /api/v1/data/forecasts: forecast values as they were loaded. */
export const forecasts = defineEndpoint({
  paths: ['/data/forecasts'],
  operationId: 'getForecasts',
  summary: 'Forecasts for a day',
  description:
    'The forecast values for one target date, observed or not, by metric (high, then low), station_id and ' +
    'issued_at; with versions=all, also those that a later load corrected or withdrew. Pages work as in ' +
    '/data/forecast-actual.',
  example: { query: 'city=Chicago&forecast_for_date=2026-09-30&limit=2' },
  groups,
  record: z
    .object({
      ...STATION,
      metric: z.enum(METRICS),
      target_date: z.iso.date(),
      issued_at: z.iso.datetime().meta({ description: 'When the forecast was issued, UTC' }),
      lead_time_hours: z
        .number()
        .meta({ description: 'Hours from issuance to the start of target_date at the station' }),
      lead_time_bucket: leadTimeBucket
        .nullable()
        .meta({ description: 'Lead-time bucket; same-day once the day has begun, null once it has ended' }),
      forecast_f: temperature().nullable().meta({ description: '°F; null if the load withdrew it' }),
      load_id: z.int().min(1).meta({ description: 'The load that brought it' }),
      superseded: z.boolean().meta({ description: 'Whether a later load corrected or withdrew it' }),
    })
    .meta({ id: 'Forecast' }),
  metadata: {
    forecast_for_date: z.iso.date(),
    ...PAGE_METADATA,
    ...STATIONS_METADATA,
    provider: providerName,
    ...ISSUED_HOURS_METADATA,
    ...UNIT_METADATA,
  },

  async handle(params, { query, directory }) {
    const { station, targetDate, metric, provider, asOf, unit, page } = params;
    const version = await getVersion(page, asOf, query);
    const [found, stations] = await Promise.all([
      query(forecastsSql(params, version), 'long'),
      query(stationClocks({ version })),
    ]);
    const days = new Map(
      stations.map((each) => [each.station_id, localDay(targetDate, each.timezone, each.day_boundary)]),
    );
    const { rows, metadata, headers } = makePage(found, page, version);
    return {
      data: await mapCooperatively(rows, ({ issued_ms, superseded, ...each }) => {
        const day = days.get(each.station_id) ?? { begins_ms: NaN, ends_ms: NaN };
        return {
          station_id: each.station_id,
          city_name: directory.stations.cityName(each.station_id),
          metric: each.metric,
          target_date: targetDate,
          issued_at: instantText(issued_ms),
          lead_time_hours: Math.floor((day.begins_ms - issued_ms + 180) / 360) / 1e4,
          lead_time_bucket: findLeadTimeBucket(issued_ms, day),
          forecast_f: each.forecast_f,
          load_id: each.load_id,
          superseded: superseded === 1,
        };
      }),
      metadata: {
        forecast_for_date: targetDate,
        ...metadata,
        ...stationsInMetadata(station),
        provider: provider.name,
        ...issuedHoursMetadata(params.issuedHours),
        ...unitMetadata(unit),
      },
      csvConstants: unitMetadata(unit),
      headers,
      fileNameParts: [
        ...stationsInName(station),
        ...(provider.isDefault ? [] : [provider.name]),
        ...(metric === undefined ? [] : [metric]),
        targetDate,
      ],
    };
  },
});
