import { sampleRecord } from '../api/records/pair.js';
import { z } from 'zod';
import { accuracyEndpoint } from '../api/accuracy.js';
import { TOTAL_RECORDS, unverified } from '../api/accuracy-metadata.js';
import { STATION } from '../api/fields.js';
import { issuedHours } from '../api/params/common.js';
import { defineGroup } from '../api/groups.js';
import { word } from '../api/parameters.js';
import { page, PAGE_METADATA, makePage, getVersion } from '../api/params/row-pages.js';
import { stationsTogether } from '../api/params/station-params.js';
import { pairsByDate, pairsInOrder } from './export-pairs.js';
import type { RowOf } from '../queries/sql.js';
import { mapCooperatively } from '../lib/yield-to-event-loop.js';
import { sum } from '../statistics/statistics.js';
import { VARIABLES } from '../variables/variables.js';

const order = defineGroup({
  parameters: {
    sort_by: word(
      ['target_date', 'abs_error'],
      'target_date, then station_id and issued_at; or abs_error, the largest first, then as by target_date',
    ).default('target_date'),
  },
  read:
    ({ sort_by }) =>
    () =>
      sort_by,
});

/** GET /api/v1/data/forecast-actual: verification pairs, in pages. */
export const forecastActual = accuracyEndpoint({
  paths: ['/data/forecast-actual'],
  operationId: 'getForecastActual',
  summary: 'Forecasts with their observations',
  description:
    'The verification pairs of a window, by target_date, or the largest errors first. If there are more than limit, ' +
    'metadata.truncated is true, and metadata.next_cursor and the header X-Next-Cursor give the cursor of the next ' +
    'page. All pages have the data version of the first. /export/pairs returns all pairs at once, as a file.',
  example: { query: 'city=Chicago&limit=2&date_from=2026-09-01&date_to=2026-09-30' },
  groups: { station: stationsTogether, issuedHours, order, page: page(1000) },
  record: z
    .object({
      ...STATION,
      ...sampleRecord.shape,
    })
    .meta({ id: 'ForecastActual', description: 'One verification pair' }),
  requested: ({ metric }) => ({ valid_at: VARIABLES[metric].period === 'hour' }),
  totalRecords: TOTAL_RECORDS,
  metadata: PAGE_METADATA,

  recompute: {
    sql: new URL('forecast-actual.recompute.sql', import.meta.url),
    needsStations: true,
    values: ({ order, page }) => ({ sort_by: order, limit: page.limit, skip: page.skip }),
    version: ({ page }) => page.version,
  },

  async handle(params, { query, directory }) {
    const version = await getVersion(params.page, params.asOf, query);
    const requested = { ...params, version };
    const byDay = await query(pairsByDate(requested), 'long');
    const { limit, skip } = params.page;
    const isByError = params.order === 'abs_error';
    const days = isByError
      ? { first: params.window.period_start, last: params.window.period_end, offset: skip }
      : daysOfPage(byDay, skip, limit + 1);
    const found =
      days === undefined
        ? []
        : await query(
            pairsInOrder(
              { ...requested, window: { period_start: days.first, period_end: days.last } },
              { limit: limit + 1, offset: days.offset },
              'text',
              isByError,
            ),
            'long',
          );
    const { rows, metadata, headers } = makePage(found, params.page, version);
    return {
      data: await mapCooperatively(rows, ({ station_id, ...pair }) => ({
        station_id,
        city_name: directory.stations.cityName(station_id),
        ...pair,
      })),
      metadata,
      headers,
      basis: unverified(sum(byDay.map(({ pairs }) => pairs))),
    };
  },
});

/** The days that have the pairs after the first `skip`, up to `most` of them, and those to pass over; none behind the last. */
function daysOfPage(
  byDay: readonly RowOf<typeof pairsByDate>[],
  skip: number,
  max: number,
): { first: string; last: string; offset: number } | undefined {
  let before = 0;
  let found: { first: string; last: string; offset: number } | undefined;
  for (const { target_date, pairs } of byDay) {
    if (before >= skip + max) break;
    if (found !== undefined) found.last = target_date;
    else if (before + pairs > skip) found = { first: target_date, last: target_date, offset: skip - before };
    before += pairs;
  }
  return found;
}
