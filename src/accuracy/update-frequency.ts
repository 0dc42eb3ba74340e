import { z } from 'zod';
import { gapHours, findGaps, instantText } from '../queries/issuances.js';
import { DAY_MS } from '../statistics/time/calendar.js';
import { accuracyEndpoint, ISSUANCES_BY_UTC_DAY } from '../api/accuracy.js';
import { unverified } from '../api/accuracy-metadata.js';
import { count, STATION } from '../api/fields.js';
import { toHundredths } from '../api/kinds.js';
import { readIssuances } from '../api/issuance-list.js';
import { metric, everyLeadTime } from '../api/params/common.js';
import { separateStations } from '../api/params/station-params.js';

/** GET /api/v1/accuracy/update-frequency: how often forecasts are issued. */
export const updateFrequency = accuracyEndpoint({
  paths: ['/accuracy/update-frequency'],
  operationId: 'getUpdateFrequency',
  summary: 'How often forecasts are issued',
  description:
    'The issuances for each station on the days of a window (UTC days here), by station_id. An issuance is an ' +
    'instant at which any forecast of the metric was issued for one of the next 31 days, verified or not.',
  example: { query: 'date_from=2026-09-01&date_to=2026-09-30', keep: 2 },
  subject: ISSUANCES_BY_UTC_DAY,
  groups: { metric, station: separateStations, leadTimes: everyLeadTime },
  record: z
    .object({
      ...STATION,
      issuances: z.int().min(1),
      issuances_per_day: toHundredths().meta({ description: 'Over all days of the window' }),
      median_gap_hours: gapHours('Median time between successive issuances'),
      max_gap_hours: gapHours('Longest such time'),
      avg_gap_hours: gapHours('Mean of these times'),
      last_issued_at: z.iso.datetime().meta({ description: 'The last issuance of the window, UTC' }),
    })
    .meta({ id: 'UpdateFrequency' }),
  totalRecords: count('Issuances of all records'),

  async handle(params, { query, directory }) {
    const { window, metric, knownAt = Infinity } = params;
    const first_ms = Date.parse(window.period_start);
    const last_ms = Math.min(knownAt, Date.parse(window.period_end) + DAY_MS - 1);
    const which = { metrics: [metric], first_ms, last_ms };
    const { rows, total_records } = await readIssuances(params, which, { query });
    return {
      data: rows.map((each) => {
        const { median, max, avg } = findGaps(each);
        return {
          station_id: each.station_id,
          city_name: directory.stations.cityName(each.station_id),
          issuances: each.issuances,
          issuances_per_day: each.issuances / window.days_analyzed,
          median_gap_hours: median,
          max_gap_hours: max,
          avg_gap_hours: avg,
          last_issued_at: instantText(each.last_issued_ms),
        };
      }),
      basis: unverified(total_records),
    };
  },
});
