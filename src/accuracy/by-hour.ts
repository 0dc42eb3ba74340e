import { z } from 'zod';
import { accuracyEndpoint } from '../api/accuracy.js';
import { basisOfPairs, TOTAL_RECORDS } from '../api/accuracy-metadata.js';
import { ownParameters } from '../api/groups.js';
import { word } from '../api/parameters.js';
import { ci, hourlyVariable } from '../api/params/common.js';
import { hourlyChoices } from '../api/params/variable-choices.js';
import { stationsTogether } from '../api/params/station-params.js';
import { stats, uncertainty } from '../api/records/stats.js';
import type { PairQuery } from '../queries/conditions.js';
import { errorsByLeadHour, errorsOfPairs } from '../queries/error-counts.js';
import { fromWhere } from '../queries/relation.js';
import { bind, raw, sql, type Statement } from '../queries/sql.js';
import { byDayRow, statisticsByDay } from '../queries/sums.js';
import type { Directory } from '../stations/directory.js';
import { statsByDay } from '../statistics/by-day.js';
import { DAY_MS, HOUR_MS } from '../statistics/time/calendar.js';
import { civilOffset, listOffsets } from '../statistics/time/zone-offsets.js';
import { errorChart } from './charts/error-chart.js';

const GROUPS = ['lead_hour', 'valid_hour', 'local_hour'] as const;
type HourGroup = (typeof GROUPS)[number];

/** From an instant on the clock of a station is so far ahead of UTC, both in ms. */
type StationOffset = [station_id: string, from_ms: number, offset_ms: number];

/** The offsets of the clocks of the stations of a request, over all instants that may be of its days. */
function stationOffsets(
  { station, window }: Pick<PairQuery, 'station' | 'window'>,
  { stations }: Directory,
): StationOffset[] {
  const [first_ms, last_ms] = [
    Date.parse(window.period_start) - DAY_MS,
    Date.parse(window.period_end) + 2 * DAY_MS,
  ];
  const wanted =
    station === undefined
      ? stations.all
      : [station].flat().map(({ station_id }) => stations.byStation(station_id));
  const zones = new Map(
    wanted.map(({ timezone }) => [timezone, listOffsets(civilOffset(timezone), first_ms, last_ms)]),
  );
  return wanted.flatMap(({ station_id, timezone }) =>
    (zones.get(timezone) ?? []).map(({ from_ms, offset_ms }): StationOffset => [
      station_id,
      from_ms,
      offset_ms,
    ]),
  );
}

/** The hour of an instant, Unix ms, on a clock that is so far ahead of UTC. */
const hourOf = (instant: Statement): Statement =>
  sql`toUInt16(positiveModulo(intDiv(${instant} + ${raw(`${DAY_MS}`)}, ${raw(`${HOUR_MS}`)}), 24))`;

/** The pairs of a request with the hour on the clock of their station. The engine converts only in a constant zone. */
function errorsByLocalHour(params: PairQuery, offsets: readonly StationOffset[]): Statement {
  const [ids, from, ahead] = [0, 1, 2].map((at) => offsets.map((offset) => offset[at]!));
  return sql`(
    SELECT pair.*, ${hourOf(sql`valid_ms + ahead_ms`)} AS hour
    FROM (SELECT *, toUnixTimestamp64Milli(local_midnight) AS valid_ms ${fromWhere(errorsOfPairs(params))}) AS pair
    ASOF INNER JOIN (
      SELECT offset.1 AS station_id, offset.2 AS from_ms, offset.3 AS ahead_ms
      FROM (
        SELECT arrayJoin(arrayZip(
          ${bind({ offset_ids: ids as string[] }, 'Array(String)')}, ${bind({ offset_from: from as number[] }, 'Array(Int64)')},
          ${bind({ offset_ahead: ahead as number[] }, 'Array(Int64)')}
        )) AS offset
      )
    ) AS clock ON clock.station_id = pair.station_id AND pair.valid_ms >= clock.from_ms
  )`;
}

const byHours = (errors: Statement, params: PairQuery, level: number | undefined) => sql.rows(row)`
  SELECT hour, ${statisticsByDay(params, level)}
  FROM ${errors}
  GROUP BY hour
  HAVING verification_pairs != 0
  ORDER BY hour`;

const row = byDayRow.extend({ hour: z.number() });

/** The errors of a request by hour, for use after FROM. */
const errorsBy: Record<HourGroup, (params: PairQuery, directory: Directory) => Statement> = {
  lead_hour: (params) => sql`(SELECT *, lead_hour AS hour ${fromWhere(errorsByLeadHour(params))})`,
  valid_hour: (params) =>
    sql`(SELECT *, ${hourOf(sql`toUnixTimestamp64Milli(local_midnight)`)} AS hour ${fromWhere(errorsOfPairs(params))})`,
  local_hour: (params, directory) => errorsByLocalHour(params, stationOffsets(params, directory)),
};

const AXES = {
  lead_hour: 'lead time',
  valid_hour: 'hour of the day, UTC',
  local_hour: 'hour of the day on the clock of the station',
} as const;

/** GET /api/v1/accuracy/by-hour. */
export const byHour = accuracyEndpoint({
  paths: ['/accuracy/by-hour'],
  operationId: 'getAccuracyByHour',
  summary: 'Accuracy by hour',
  description:
    'Forecasts of an hour, or of a window that ends with it: one record per hour with a pair, ascending. It is the lead time in whole ' +
    'hours, or the hour of the day.',
  example: { query: 'city=Chicago&date_from=2026-09-01&date_to=2026-09-30', keep: 3 },
  groups: {
    metric: hourlyVariable,
    choices: hourlyChoices,
    station: stationsTogether,
    ci,
    own: ownParameters({
      group_by: word(
        GROUPS,
        'lead_hour: whole hours from issuance to the hour; valid_hour: the hour of the day, UTC; local_hour: on the clock of the ' +
          'station, at +05:30 the hour that has begun',
      ).default('lead_hour'),
    }),
  },
  record: z
    .object({
      hour: z.int().min(0).meta({ description: 'Of lead time, or of the day, 0 to 23', example: 6 }),
      stats,
      uncertainty: uncertainty.optional(),
    })
    .meta({ id: 'HourAccuracy' }),
  requested: ({ ci }) => ({ uncertainty: ci !== undefined }),
  totalRecords: TOTAL_RECORDS,

  charts: {
    'chart.svg': (records, params) =>
      errorChart(
        params,
        AXES[params.own.group_by],
        'names',
        records.map(({ hour, stats }) => ({ at: String(hour), stats })),
      ),
  },

  recompute: {
    sql: new URL('by-hour.recompute.sql', import.meta.url),
    values: ({ own: { group_by }, station, window }, directory) => ({
      separate: 'hour',
      group_by,
      offsets: group_by === 'local_hour' ? stationOffsets({ station, window }, directory) : undefined,
    }),
  },

  async handle(params, { query, directory }) {
    const { ci, own } = params;
    const rows = await query(byHours(errorsBy[own.group_by](params, directory), params, ci));
    return {
      data: rows.map((each) => ({ hour: each.hour, ...statsByDay(each, params.metric, ci) })),
      basis: basisOfPairs(rows),
      fileNameParts: [`by-${own.group_by.replace('_', '-')}`],
    };
  },
});
