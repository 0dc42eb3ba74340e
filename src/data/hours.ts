import { z } from 'zod';
import { temperature } from '../api/kinds.js';
import { defineEndpoint } from '../api/endpoint.js';
import { numberOrNull, STATION } from '../api/fields.js';
import type { Params } from '../api/groups.js';
import { instants } from '../api/params/instants.js';
import { page, PAGE_METADATA, makePage, getVersion } from '../api/params/row-pages.js';
import {
  STATIONS_METADATA,
  stationsInMetadata,
  stationsInName,
  stationsTogether,
} from '../api/params/station-params.js';
import { temperatureUnit, UNIT_METADATA, unitMetadata } from '../api/params/temperature-unit.js';
import { asOf } from '../api/params/as-of.js';
import { andOfStations } from '../queries/conditions.js';
import { factsOfVersion, currentFacts } from '../queries/facts.js';
import { SKIES } from '../variables/declarations.js';
import { instantText } from '../queries/issuances.js';
import { bind, sql } from '../queries/sql.js';
import { mapCooperatively } from '../lib/yield-to-event-loop.js';

const groups = {
  station: stationsTogether,
  instants: instants(2),
  asOf,
  unit: temperatureUnit,
  page: page(1000),
};

const hoursSql = (
  { station, instants: { first_ms, last_ms }, page }: Params<typeof groups>,
  version: number,
) => sql.rows(row)`
  SELECT
    station_id, toUnixTimestamp64Milli(at) AS at_ms, reading_f.temp_f AS temp_f, reading_f.max_6h_f AS max_6h_f,
    reading_f.min_6h_f AS min_6h_f, reading_f.precip_in AS precip_in, nullIf(toString(reading_f.sky), '') AS sky
  FROM ${currentFacts(
    'hours',
    sql`at BETWEEN fromUnixTimestamp64Milli(${bind({ first_ms }, 'Int64')}) AND fromUnixTimestamp64Milli(${bind({ last_ms }, 'Int64')})
      AND ${factsOfVersion(version)}${andOfStations(station)}`,
  )}
  ORDER BY at, station_id
  LIMIT ${bind({ limit: page.limit + 1 }, 'UInt32')} OFFSET ${bind({ offset: page.skip }, 'UInt64')}`;

const row = z.object({
  station_id: z.string(),
  at_ms: z.number(),
  temp_f: z.number().nullable(),
  max_6h_f: z.number().nullable(),
  min_6h_f: z.number().nullable(),
  precip_in: z.number().nullable(),
  sky: z.enum(SKIES).nullable(),
});

const degrees = (description: string) => temperature().nullable().meta({ description });

/** GET /api/v1/data/hours (D56): temperatures within the day, as they were loaded. */
export const hours = defineEndpoint({
  paths: ['/data/hours'],
  operationId: 'getHours',
  summary: 'Temperatures within the day',
  description:
    'The reports between two instants, both included, by time and station_id: hourly ones and any special ones between. ' +
    'Pages work as in /data/forecast-actual.',
  example: { query: 'city=Chicago&start_time=2026-09-30T12:00:00Z&end_time=2026-09-30T18:00:00Z', keep: 2 },
  groups,
  record: z
    .object({
      ...STATION,
      at: z.iso.datetime().meta({ description: 'When it was measured, UTC' }),
      temp_f: degrees('°F; null if the report has none'),
      max_6h_f: degrees(
        'Highest of the six hours before, °F; null if the report has none. Reported at midnight, it is of the day that ends then',
      ),
      min_6h_f: degrees('Lowest of them'),
      precip_in: numberOrNull('Precipitation of the hour, inches; null if the report has none'),
      sky: z.enum(SKIES).nullable().meta({
        description:
          'Cover of the sky: clear, few, scattered, broken, overcast, or vertical visibility; null if not reported',
      }),
    })
    .meta({ id: 'HourlyReport' }),
  metadata: {
    start_time: z.iso.datetime(),
    end_time: z.iso.datetime(),
    ...PAGE_METADATA,
    ...STATIONS_METADATA,
    ...UNIT_METADATA,
  },

  async handle(params, { query, directory }) {
    const { station, instants, asOf, unit, page } = params;
    const version = await getVersion(page, asOf, query);
    const found = await query(hoursSql(params, version), 'long');
    const { rows, metadata, headers } = makePage(found, page, version);
    const [start_time, end_time] = [instantText(instants.first_ms), instantText(instants.last_ms)];
    return {
      data: await mapCooperatively(rows, ({ station_id, at_ms, ...each }) => ({
        station_id,
        city_name: directory.stations.cityName(station_id),
        at: instantText(at_ms),
        ...each,
      })),
      metadata: {
        start_time,
        end_time,
        ...metadata,
        ...stationsInMetadata(station),
        ...unitMetadata(unit),
      },
      csvConstants: unitMetadata(unit),
      headers,
      fileNameParts: [...stationsInName(station), start_time.slice(0, 10), end_time.slice(0, 10)],
    };
  },
});
