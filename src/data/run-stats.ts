import { METRICS } from '../variables/variables.js';
import { z } from 'zod';
import { gapHours, findGaps, instantText } from '../queries/issuances.js';
import { defineEndpoint } from '../api/endpoint.js';
import { count, providerName } from '../api/fields.js';
import { readIssuances } from '../api/issuance-list.js';
import { instants } from '../api/params/instants.js';
import { ISSUED_HOURS_METADATA, issuedHours, issuedHoursMetadata, provider } from '../api/params/common.js';
import {
  STATIONS_METADATA,
  separateStations,
  stationsInName,
  stationsInMetadata,
} from '../api/params/station-params.js';
import { asOf } from '../api/params/as-of.js';

/** GET /api/v1/data/run-stats: update-frequency between two instants, under the names of its clients. */
export const runStats = defineEndpoint({
  paths: ['/data/run-stats'],
  operationId: 'getRunStats',
  summary: 'Issuances of forecasts between two instants',
  description:
    'The issuances for each station between two instants, by station_id. An issuance is an instant at which any ' +
    'forecast, high or low, was issued for one of the next 31 days, verified or not.',
  example: { query: 'start_time=2026-09-01&end_time=2026-09-30', keep: 2 },
  groups: { asOf, station: separateStations, provider, issuedHours, instants: instants(90) },
  record: z
    .object({
      city: z.string().meta({ example: 'Chicago' }),
      station_id: z.string().meta({ example: 'KORD' }),
      forecast_count: z.int().min(1).meta({ description: 'Issuances' }),
      oldest_forecast: z.iso.datetime().meta({ description: 'The first issuance, UTC' }),
      max_hours: gapHours('Longest time between successive issuances'),
      avg_hours: gapHours('Mean of these times'),
      median_hours: gapHours('Median of these times'),
    })
    .meta({ id: 'RunStats' }),
  metadata: {
    start_time: z.iso.datetime(),
    end_time: z.iso.datetime(),
    total_records: count('Issuances of all records'),
    ...STATIONS_METADATA,
    provider: providerName,
    ...ISSUED_HOURS_METADATA,
  },

  async handle(params, { query, directory }) {
    const {
      station,
      provider,
      instants: { first_ms, last_ms },
    } = params;
    const which = { metrics: METRICS, first_ms, last_ms };
    const { rows, total_records } = await readIssuances(params, which, { query });
    return {
      data: rows.map((each) => {
        const { median, max, avg } = findGaps(each);
        return {
          city: directory.stations.cityName(each.station_id),
          station_id: each.station_id,
          forecast_count: each.issuances,
          oldest_forecast: instantText(each.first_issued_ms),
          max_hours: max,
          avg_hours: avg,
          median_hours: median,
        };
      }),
      metadata: {
        start_time: instantText(first_ms),
        end_time: instantText(last_ms),
        total_records,
        ...stationsInMetadata(station),
        provider: provider.name,
        ...issuedHoursMetadata(params.issuedHours),
      },
      fileNameParts: [
        ...stationsInName(station),
        ...[first_ms, last_ms].map((ms) => instantText(ms).slice(0, 10)),
      ],
    };
  },
});
