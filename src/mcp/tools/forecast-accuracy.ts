import type { ApiAnswer, Query } from '../../answers/questions.js';
import { flag, integer, word } from '../../api/parameters.js';
import { stationsOfCity } from '../../api/questions/stations.js';
import { thresholds } from '../../api/questions/thresholds.js';
import { FILTERS, limit, METRIC, own, passed, PLACE_OR_ALL, TEMP_UNIT, WINDOW_DAYS } from '../parameters.js';
import { concise, warnings, whyEmpty, isEmpty, rowsOf, questionOf } from '../rows.js';
import { queryOf, same, type Tool, type Values } from '../tool.js';

const BY = ['none', 'date', 'week', 'month', 'year', 'lead_time', 'station', 'city', 'threshold'] as const;
type By = (typeof BY)[number];

const MOST_ROWS = 400;

/** What every endpoint of these takes, with the place of a station. */
const COMMON = same('metric', 'days', 'date_from', 'date_to', 'temp_unit', ...Object.keys(FILTERS));
const OWN_OF_STATIONS = same('sort_by', 'min_samples');

/** The endpoint for a composition, what it takes further, and what it is always asked for. */
const QUESTIONS: Record<By, { path: string; place: string; always: Query }> = {
  none: { path: '/accuracy/summary', place: 'station_id', always: { ci: '0.95' } },
  date: { path: '/accuracy/by-date', place: 'station_id', always: {} },
  week: { path: '/accuracy/by-date', place: 'station_id', always: { group_by: 'week' } },
  month: { path: '/accuracy/by-date', place: 'station_id', always: { group_by: 'month' } },
  year: { path: '/accuracy/by-date', place: 'station_id', always: { group_by: 'year' } },
  lead_time: { path: '/accuracy/by-lead-time', place: 'station_id', always: { ci: '0.95' } },
  station: { path: '/accuracy/by-city', place: 'stations', always: { ci: '0.95' } },
  city: { path: '/accuracy/by-city', place: 'city', always: { ci: '0.95' } },
  threshold: { path: '/accuracy/exceedance', place: 'station_id', always: {} },
};

const byOf = ({ by }: Values) => by as By;

const isInTime = (by: By): boolean => by === 'date' || by === 'week' || by === 'month' || by === 'year';

export const forecastAccuracy: Tool = {
  name: 'forecast_accuracy',
  title: 'Forecast accuracy',
  description:
    'How accurate temperature forecasts were: bias (mean_error = forecast - actual, negative: too cold), MAE, RMSE over a ' +
    'window, composed by `by`. mean_error_95 is the 95 % interval: a bias is real where it leaves out 0. ' +
    'by=station with worst_first=true ranks places.',
  parameters: {
    place: passed(
      stationsOfCity.parameters.stations,
      `${PLACE_OR_ALL.schema.description as string}; several by commas with by=station`,
    ),
    by: own(word(BY, '').default('none'), 'threshold: how often errors exceed thresholds'),
    metric: METRIC,
    ...WINDOW_DAYS,
    ...FILTERS,
    temp_unit: TEMP_UNIT,
    sort_by: passed(word(['mae', 'rmse', 'mean_error', 'count', 'city'], ''), 'by=station'),
    worst_first: own(flag(false, ''), 'by=station: largest first, bias by its size'),
    min_samples: passed(integer(0, 1_000_000_000, 0, ''), 'by=station: leave out fewer pairs'),
    thresholds: passed(
      thresholds('1,2,3,5').parameters.thresholds,
      'by=threshold: sizes of errors by commas',
    ),
    limit: limit(MOST_ROWS, 50),
    detail: own(word(['concise', 'full'], '').default('concise')),
  },
  row: 'One per group: names, verification_pairs, mean_error, mae, rmse, intervals',
  decides: 'by',

  plan(values) {
    const by = byOf(values);
    const { path, place, always } = QUESTIONS[by];
    const { sort_by } = values;
    const misfit =
      by !== 'station' && by !== 'city'
        ? `has no meaning with by=${by}: it ranks stations`
        : sort_by === 'city' || sort_by === 'count'
          ? 'needs sort_by mae, rmse or mean_error'
          : undefined;
    const faults =
      values.worst_first === true && misfit !== undefined
        ? [{ parameter: 'worst_first', message: misfit }]
        : [];
    const query = {
      ...always,
      ...queryOf(values, { place, thresholds: 'thresholds', ...COMMON, ...OWN_OF_STATIONS }),
      ...(values.worst_first === true && misfit === undefined && sort_by === undefined && { sort_by: 'mae' }),
    };
    return [...faults, { path, query, names: { [place]: 'place', group_by: 'by' } }];
  },

  async answer(values, [answer], ask) {
    const found = answer as ApiAnswer;
    const by = byOf(values);
    const records = ordered(rowsOf(found), values);
    const most = values.limit as number;
    // Of a run of time the latest; of a ranking the first.
    const shown = isInTime(by) ? records.slice(-most) : records.slice(0, most);
    const hints =
      records.length === 0 || isEmpty(found)
        ? [whyEmpty(await ask({ path: '/providers', query: {} }), found)]
        : warnings(found);
    if (shown.length < records.length) {
      const narrower = isInTime(by) ? 'ask by=week or by=month' : 'narrow the question';
      hints.push(
        `${shown.length} of ${records.length} rows${isInTime(by) ? ', the latest' : ''}: raise limit, or ${narrower}`,
      );
    }
    return {
      question: questionOf(found),
      rows: values.detail === 'full' ? shown : shown.map(concise),
      total_rows: records.length,
      hints,
    };
  },
};

/** The records of the API in its order, or the worst first. */
function ordered(records: Record<string, unknown>[], { worst_first, sort_by }: Values) {
  if (worst_first !== true) return records;
  const sizeOf = ({ stats }: Record<string, unknown>): number =>
    Math.abs((stats as Record<string, number>)[(sort_by as string | undefined) ?? 'mae'] ?? 0);
  return records.toSorted((a, b) => sizeOf(b) - sizeOf(a));
}
