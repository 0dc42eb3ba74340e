import { z } from 'zod';
import { accuracyEndpoint } from '../../api/accuracy.js';
import { basisOfDays } from '../../api/accuracy-metadata.js';
import { requestedByGroups, CASES_GROUPS, fieldsOfGroup, GROUP_BY, GROUP_FIELDS } from '../../api/cases.js';
import { exactTemperature, ofVariable, toTenThousandths } from '../../api/kinds.js';
import { count, numberOrNull } from '../../api/fields.js';
import { ownParameters } from '../../api/groups.js';
import { issuedHours, leadTimesFrom } from '../../api/params/common.js';
import { separateStations } from '../../api/params/station-params.js';
import {
  DIRECTIONS,
  listOfNumbers,
  type ThresholdEvents,
  thresholdEvents,
  thresholdRows,
} from '../../api/params/thresholds.js';
import { bounds, rate } from '../../api/records/rates.js';
import type { PairQuery } from '../../queries/conditions.js';
import { GROUP_KEY, type Grouping } from '../../queries/grouped-cases.js';
import { latestForecasts } from '../../queries/latest-forecasts.js';
import { dayOfWindow } from '../../queries/sums.js';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import { computeEconomicValue, EVENT_RATES, eventScores, eventTables } from './contingency.js';
import { sum } from '../../statistics/statistics.js';
import { numbers } from '../../queries/long-lists.js';

/**
 * The cases of each group by day and by the places of forecast and actual among the thresholds: how many are at or below a
 * temperature or, where events are at or below thresholds, below it. Ten events then take no more numbers than one.
 */
const eventCases = (params: PairQuery, { direction, thresholds }: ThresholdEvents, by: Grouping) => {
  const reaches = raw(direction === 'at_or_above' ? '>=' : '>');
  const given = bind({ thresholds: thresholds.map(({ hundredths }) => hundredths) }, 'Array(Int32)');
  const getPlace = (hundredths: Statement): Statement =>
    sql`arrayCount(threshold -> ${hundredths} ${reaches} threshold, ${given})`;
  return sql.rows(eventsRow)`
  SELECT
    group_key, groupArray(day) AS days, groupArray(forecast_place) AS forecast_places,
    groupArray(actual_place) AS actual_places, groupArray(case_sum) AS cases,
    groupUniqArrayIf(day, preliminary != 0) AS preliminary_days
  FROM (
    SELECT
      ${GROUP_KEY[by]} AS group_key, ${dayOfWindow(params.window)} AS day,
      ${getPlace(raw('forecast_hundredths'))} AS forecast_place, ${getPlace(raw('actual_hundredths'))} AS actual_place,
      sum(case_count) AS case_sum, sum(preliminary_case_count) AS preliminary
    FROM ${latestForecasts(params, by === 'lead_time_bucket' ? 'in_each_lead_time' : 'once')}
    GROUP BY group_key, day, forecast_place, actual_place
    HAVING case_sum != 0
  )
  GROUP BY group_key
  ORDER BY group_key`;
};

const eventsRow = z.object({
  group_key: z.coerce.string(),
  days: numbers,
  forecast_places: numbers,
  actual_places: numbers,
  cases: numbers,
  preliminary_days: numbers,
});

const score = (description: string) =>
  numberOrNull(`${description}, to 0.0001; null as a ratio of nothing`, toTenThousandths);

const bound = (which: string, name: string) =>
  numberOrNull(
    `${which} bound of ${name}; null with days in fewer than 6 weeks, where it hangs on one of them, or without spread`,
    toTenThousandths,
  );

const costLoss = listOfNumbers('0?\\.\\d{1,6}', 'numbers above 0 and below 1', (each) => each > 0)
  .optional()
  .meta({
    type: 'string',
    description:
      'Ratios of the cost of protection to the loss that it prevents, above 0 and below 1, separated by commas: each ' +
      'record then has the relative economic value for one of them',
    example: '0.1,0.2',
  });

const valueBound = (which: string) =>
  numberOrNull(
    `With cost_loss: ${which.toLowerCase()} bound of economic_value, by days; null below 14 days, or without spread`,
    toTenThousandths,
  ).optional();

/** Measured, of a day of a group and threshold. */
const WORK_MS = 0.0009;

const record = z
  .object({
    ...GROUP_FIELDS,
    threshold: ofVariable(exactTemperature()).meta({ description: 'The threshold, °F' }),
    direction: z.enum(DIRECTIONS).meta({ description: 'Which side of the threshold is the event' }),
    cases: count('Station days with a forecast of these lead times and an observation (n)'),
    hits: count('Those on which the event was forecast and observed (a)'),
    false_alarms: count('Those on which it was forecast alone (b)'),
    misses: count('Those on which it was observed alone (c)'),
    correct_negatives: count('Those on which it was neither (d)'),
    base_rate: rate('How often the event was observed: (a+c)/n'),
    forecast_rate: rate('How often it was forecast: (a+b)/n'),
    frequency_bias: score('How many times as often it was forecast as observed: (a+b)/(a+c)'),
    pod: rate('Probability of detection: hits of the events observed, a/(a+c)'),
    far: rate('False alarm ratio: false alarms of the events forecast, b/(a+b)'),
    pofd: rate('Probability of false detection: false alarms of the days without the event, b/(b+d)'),
    success_ratio: rate('Hits of the events forecast: a/(a+b)'),
    csi: rate('Critical success index: hits of the events forecast or observed, a/(a+b+c)'),
    ets: score(
      'Equitable threat score: csi without the hits of chance (r), (a-r)/(a+b+c-r) with r = (a+b)(a+c)/n: 1 is perfect, ' +
        '0 is chance',
    ),
    hss: score('Heidke skill score: 2(ad-bc)/((a+c)(c+d)+(a+b)(b+d)): 1 is perfect, 0 is chance'),
    sedi: numberOrNull(
      'Symmetric extremal dependence index (Ferro and Stephenson 2011), which stays comparable as events become rare: 1 ' +
        'is perfect, 0 is chance, to 0.0001; null if a, b, c or d is 0',
      toTenThousandths,
    ),
    cost_loss: z
      .number()
      .optional()
      .meta({ description: 'With cost_loss: the cost of protection over the loss that it prevents' }),
    economic_value: score(
      'With cost_loss: relative economic value (Richardson 2000), the part of the possible saving that the forecasts ' +
        'bring: 1 is perfect, 0 or less is no better than to protect always or never',
    ).optional(),
    ...bounds(...EVENT_RATES),
    frequency_bias_low: bound('Lower', 'frequency_bias'),
    frequency_bias_high: bound('Upper', 'frequency_bias'),
    ets_low: bound('Lower', 'ets'),
    ets_high: bound('Upper', 'ets'),
    hss_low: bound('Lower', 'hss'),
    hss_high: bound('Upper', 'hss'),
    economic_value_low: valueBound('Lower'),
    economic_value_high: valueBound('Upper'),
  })
  .meta({ id: 'EventScores' });

const VALUE_FIELDS = ['cost_loss', 'economic_value', 'economic_value_low', 'economic_value_high'] as const;

/** GET /api/v1/accuracy/events. */
export const eventAccuracy = accuracyEndpoint({
  paths: ['/accuracy/events'],
  operationId: 'getEvents',
  summary: 'Events forecast and observed',
  description:
    'How well forecasts predict an event: a temperature at or beyond a threshold, such as a frost ' +
    '(metric=low&thresholds=32) or a hot day. A day counts once, with the latest forecast of the lead times asked ' +
    'for, as a hit, a false alarm, a miss or a correct negative. One record per threshold, ascending, and with cost_loss ' +
    'one for each ratio; with group_by those of each group in turn. Without such a day the list is empty.',
  example: { query: 'metric=low&date_from=2026-09-01&date_to=2026-09-30&thresholds=50' },
  groups: {
    ...CASES_GROUPS,
    station: separateStations,
    leadTimes: leadTimesFrom,
    issuedHours,
    events: thresholdEvents,
    own: ownParameters({
      group_by: GROUP_BY,
      cost_loss: costLoss,
    }),
  },
  record,
  requested: ({ own: { group_by, cost_loss } }) => ({
    ...requestedByGroups(group_by),
    ...Object.fromEntries(VALUE_FIELDS.map((name) => [name, cost_loss !== undefined])),
  }),
  totalRecords: count('Station days behind the response, with group_by those of all groups'),
  hasCoverage: true,

  estimatedCpuMs: ({ window, station, leadTimes, events, own }, { stations }) => {
    const ofStation = own.group_by === 'station' ? (station?.length ?? stations.all.length) : 1;
    const groups = own.group_by === 'lead_time_bucket' ? leadTimes.buckets.length : ofStation;
    return groups * window.days_analyzed * events.thresholds.length * WORK_MS;
  },

  recompute: {
    sql: new URL('events.recompute.sql', import.meta.url),
    needsStations: true,
    values: ({ events, own }) => ({
      direction: events.direction,
      thresholds: thresholdRows(events.thresholds),
      ...own,
    }),
  },

  async handle(params, { query, directory }) {
    const { window, level, own } = params;
    const { direction, thresholds } = params.events;
    const { group_by, cost_loss } = own;
    const rows = await query(
      eventCases(params, params.events, group_by),
      params.station === undefined ? 'long' : undefined,
    );
    const events = rows.flatMap((row) => thresholds.map(({ degrees }, at) => ({ row, degrees, at })));
    const data = events.flatMap(({ row, degrees, at }) => {
      const isEvent = (place: number): boolean => place > at === (direction === 'at_or_above');
      const tables = eventTables(row, isEvent, window);
      const scores = {
        ...fieldsOfGroup(group_by, row.group_key, directory),
        threshold: degrees,
        direction,
        ...eventScores(tables, window, level),
      };
      return (
        cost_loss?.map((ratio) => ({
          ...scores,
          cost_loss: ratio,
          ...computeEconomicValue(tables, ratio, level),
        })) ?? [scores]
      );
    });
    const total_records = sum(rows.map(({ cases }) => sum(cases)));
    const days = new Set(rows.flatMap((row) => row.days)).size;
    const preliminaryDays = new Set(rows.flatMap((row) => row.preliminary_days)).size;
    return {
      data,
      basis: basisOfDays(total_records, days, preliminaryDays),
    };
  },
});
