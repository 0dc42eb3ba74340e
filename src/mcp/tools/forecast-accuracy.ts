import type { ApiResponse, Query } from '../../responses/local-client.js';
import { flag, integer, word } from '../../api/parameters.js';
import { separateStations } from '../../api/params/station-params.js';
import { thresholds } from '../../api/params/thresholds.js';
import {
  FILTERS,
  limit,
  own,
  passed,
  PLACE_OR_ALL,
  REGION,
  UNITS,
  VARIABLE,
  WET_AT,
  WINDOW_DAYS,
} from '../tool-parameters.js';
import {
  biasVerdict,
  concise,
  isEmpty,
  getRequestFields,
  readRows,
  warnings,
  whyEmpty,
} from '../tool-rows.js';
import { CHANCE_NAMES, HOURLY_NAMES, type VariableName, VARIABLES } from '../../variables/variables.js';
import { LEAD_TIME_BUCKETS } from '../../statistics/time/lead-time.js';
import { makeRequest, same, type Tool, type Values } from '../tool.js';

const MAX_ROWS = 400;

/** Parameters of the same name in the API, which refuses those that an endpoint does not take. */
const NAMES = same(
  ...['metric', 'wet_at', 'units', 'sort_by', 'min_samples', 'thresholds'],
  ...Object.keys({ ...WINDOW_DAYS, ...FILTERS, ...REGION }),
);

/** The endpoint for a composition, what it takes further, and what it is always asked for. */
const REQUESTS = {
  none: { path: '/accuracy/summary', place: 'station_id', always: { ci: '0.95' } },
  date: { path: '/accuracy/by-date', place: 'station_id', always: {} },
  week: { path: '/accuracy/by-date', place: 'station_id', always: { group_by: 'week' } },
  month: { path: '/accuracy/by-date', place: 'station_id', always: { group_by: 'month' } },
  season: { path: '/accuracy/by-date', place: 'station_id', always: { group_by: 'season' } },
  year: { path: '/accuracy/by-date', place: 'station_id', always: { group_by: 'year' } },
  lead_time: { path: '/accuracy/by-lead-time', place: 'station_id', always: { ci: '0.95' } },
  lead_hour: {
    path: '/accuracy/by-hour',
    place: 'station_id',
    always: { ci: '0.95', group_by: 'lead_hour' },
  },
  local_hour: {
    path: '/accuracy/by-hour',
    place: 'station_id',
    always: { ci: '0.95', group_by: 'local_hour' },
  },
  station: { path: '/accuracy/by-city', place: 'stations', always: { ci: '0.95' } },
  city: { path: '/accuracy/by-city', place: 'city', always: { ci: '0.95' } },
  threshold: { path: '/accuracy/exceedance', place: 'station_id', always: {} },
  event: { path: '/accuracy/events', place: 'stations', always: { group_by: 'lead_time_bucket' } },
  chance: { path: '/accuracy/by-bucket', place: 'station_id', always: { bucket: 'forecast' } },
  revisions: { path: '/accuracy/revision-stats', place: 'stations', always: {} },
  distribution: { path: '/accuracy/distribution', place: 'stations', always: {} },
} satisfies Record<string, { path: string; place: string; always: Query }>;

type By = keyof typeof REQUESTS;
const BY = Object.keys(REQUESTS) as [By, ...By[]];

const getBy = ({ by }: Values) => by as By;

/** The variables of endpoints that do not take all; the first of them in place of another one. */
const VARIABLES_OF: Partial<Record<string, readonly VariableName[]>> = {
  '/accuracy/by-hour': HOURLY_NAMES,
  '/accuracy/by-bucket': CHANCE_NAMES,
};

const isInTime = (by: By): boolean => REQUESTS[by].path === '/accuracy/by-date';

export const forecastAccuracy: Tool = {
  name: 'forecast_accuracy',
  title: 'Forecast accuracy',
  description:
    'Says how accurate forecasts were in a window: bias (mean_error = forecast - actual, negative: too ' +
    'cold), MAE and RMSE, of chances the Brier score, grouped by `by`. mean_error_95 is the 95% interval of the bias. by=station with ' +
    'worst_first=true ranks places.',
  parameters: {
    place: passed(
      separateStations.parameters.stations,
      `${PLACE_OR_ALL.schema.description as string} With by=station, several, by commas.`,
      'names',
    ),
    ...REGION,
    by: own(
      word(BY, '').default('none'),
      'lead_hour, local_hour: of hours; threshold: errors beyond thresholds; event: how often frost or heat was forecast (pod, far); chance: how often it rained, by the chance that was forecast; revisions: how ' +
        'forecasts change before the day; distribution: whether the ranges that a provider states are right.',
    ),
    metric: VARIABLE,
    wet_at: WET_AT,
    ...WINDOW_DAYS,
    ...FILTERS,
    units: UNITS,
    sort_by: passed(word(['mae', 'rmse', 'mean_error', 'count', 'city'], ''), 'With by=station.'),
    worst_first: own(flag(false, ''), 'With by=station, the largest comes first, a bias by its size.'),
    min_samples: passed(
      integer(0, 1_000_000_000, 0, ''),
      'With by=station, leaves out those with fewer pairs.',
    ),
    thresholds: passed(
      thresholds('1,2,3,5').parameters.thresholds,
      'With by=threshold, sizes of errors: 2,5; with by=event, temperatures.',
    ),
    limit: limit(MAX_ROWS, 50),
    detail: own(word(['concise', 'full'], '').default('concise')),
  },
  row: 'One for each group. verdict (where there is an interval): too_warm, too_cold (of others too_high, too_low), not_significant (the bias may be chance), or unknown (no interval: too few days).',
  decides: 'by',

  plan(values) {
    const by = getBy(values);
    const { path, place, always } = REQUESTS[by];
    const { sort_by } = values;
    const some = VARIABLES_OF[path];
    const metric = some?.find((name) => name === values.metric) ?? some?.[0];
    const params = makeRequest(path, { ...values, ...(metric && { metric }) }, { ...NAMES, place }, always);
    if (values.worst_first !== true) return [params];
    if (by !== 'station' && by !== 'city')
      return [{ parameter: 'worst_first', message: `ranks stations: leave it out of by=${by}` }, params];
    if (sort_by === 'city' || sort_by === 'count')
      return [{ parameter: 'worst_first', message: 'needs sort_by mae, rmse or mean_error' }, params];
    return [{ ...params, query: { sort_by: getOrder(values), ...params.query } }];
  },

  async handle(values, [response], ask, place) {
    const found = response as ApiResponse;
    const by = getBy(values);
    const records = ordered(readRows(found), values);
    const max = values.limit as number;
    // The latest of a run of time, but the first of a ranking.
    const shown = isInTime(by) ? records.slice(-max) : records.slice(0, max);
    const hints = isEmpty(found)
      ? [withoutDistribution(found) ?? (await whyEmpty(ask, found, place))]
      : warnings(found, OF_CASES.includes(by) ? 'station days' : undefined);
    if (PERIODS.includes(by) && shown.length > 0) hints.push(ofPeriods(by, shown));
    if (shown.length < records.length) {
      const narrower = isInTime(by) ? 'ask by=week or by=month' : 'narrow the request';
      hints.push(
        `${shown.length} of ${records.length} rows${isInTime(by) ? ', the latest' : ''}: raise limit, or ${narrower}`,
      );
    }
    return {
      params: { lead_time_buckets: LEAD_TIME_BUCKETS, ...getRequestFields(found) },
      rows: shown.map((row) => ({
        ...(values.detail === 'full' ? row : (CONCISE[by] ?? concise)(row)),
        ...biasVerdict(row, found),
      })),
      total_rows: records.length,
      hints,
    };
  },
};

/** Parts of the window that it may cut at either end. */
const PERIODS: readonly By[] = ['week', 'month', 'season', 'year'];

/** A sentence for rows without an interval, of which the first and the last may have few days. */
function ofPeriods(by: By, rows: readonly Row[]): string {
  const [first, last] = [rows[0], rows.at(-1)].map((row) => (row?.stats as Row).unique_days as number);
  return (
    `Rows by ${by} have no interval, and differences between them may be chance: ask compare with of=windows. ` +
    `Days with pairs: ${first} in the first ${by}, ${last} in the last`
  );
}

/** Fields of an event that show whether it was foreseen. */
const EVENT =
  /^(lead_time_bucket|threshold_[fc]|direction|cases|hits|false_alarms|misses|frequency_bias|ets|(pod|far|csi)(_low|_high)?)$/;

type Row = Record<string, unknown>;

/** Rows in short, where they have no statistics of errors. */
const CONCISE: Partial<Record<By, (row: Row) => Row>> = {
  event: (row) => Object.fromEntries(Object.entries(row).filter(([name]) => EVENT.test(name))),
  // The counts of the PIT and the levels are in the coverage.
  distribution: ({ pit: _pit, levels: _levels, coverage, ...row }) => ({
    ...row,
    coverage: (coverage as Row[]).map(({ pinball: _pinball, ...each }) => each),
  }),
};

/** Compositions whose records count station days. */
const OF_CASES: readonly By[] = ['revisions', 'event', 'chance', 'distribution'];

/** Why there is no distribution of station days that are there; undefined in any other response. */
const withoutDistribution = ({ metadata = {} }: ApiResponse): string | undefined =>
  Number(metadata.cases_without_distribution) > 0 ? String(metadata.reason) : undefined;

/** The order by the score of the variable: RMSE orders chances as the Brier score does. */
const getOrder = ({ metric }: Values): 'mae' | 'rmse' =>
  VARIABLES[(metric as VariableName | undefined) ?? 'high'].score === 'brier_score' ? 'rmse' : 'mae';

/** The records of the API in its order, or the worst first. */
function ordered(records: Record<string, unknown>[], values: Values) {
  if (values.worst_first !== true) return records;
  const getSize = ({ stats }: Record<string, unknown>): number =>
    Math.abs(
      (stats as Record<string, number>)[(values.sort_by as string | undefined) ?? getOrder(values)] ?? 0,
    );
  return records.toSorted((a, b) => getSize(b) - getSize(a));
}
