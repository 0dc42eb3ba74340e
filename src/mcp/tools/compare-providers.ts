import type { ApiResponse } from '../../responses/local-client.js';
import { type ParamIssue, flag, word } from '../../api/parameters.js';
import { comparedProviders } from '../../comparison/compare-params.js';
import { station } from '../../api/params/station-params.js';
import {
  FILTERS,
  limit,
  OTHER_WINDOW,
  own,
  passed,
  PLACE_OR_ALL,
  REGION,
  UNITS,
  VARIABLE,
  WINDOW_DAYS,
} from '../tool-parameters.js';
import {
  asKnown,
  getVariable,
  type KnownBounds,
  concise,
  MAX_SMALL,
  isEmpty,
  getRequestFields,
  readRows,
  getSize,
  warnings,
  whyEmpty,
} from '../tool-rows.js';
import {
  makeRequest,
  same,
  textOfTools,
  type Tool,
  type ToolResponse,
  type ToolRequest,
  type Values,
} from '../tool.js';
import type { ScoreName } from '../../variables/declarations.js';
import { VARIABLES } from '../../variables/variables.js';
import { judgeDifference } from '../../statistics/orientation.js';
import { rounded, sum } from '../../statistics/statistics.js';
import { addDays, dayNumber } from '../../statistics/time/calendar.js';
import type { Window } from '../../statistics/time/window.js';
import { dayClusters, meanInterval, type Uncertainty } from '../../statistics/uncertainty/intervals.js';
import { welchReach } from '../../statistics/uncertainty/welch.js';

const OF = ['providers', 'reference', 'windows', 'places'] as const;
type Of = (typeof OF)[number];

const BY = [
  ...(['none', 'lead_time', 'station', 'month', 'season', 'country', 'climate_zone'] as const),
  'divergence',
] as const;
type By = (typeof BY)[number];

/** Parameters that always go to the API, because it knows which comparison takes which. */
const COMMON = same(
  ...['metric', 'units', 'providers', 'reference'],
  ...Object.keys({ ...FILTERS, ...REGION }),
);
const WINDOW_NAMES = same(...Object.keys(WINDOW_DAYS));
const OTHER_WINDOW_NAMES = same(...Object.keys(OTHER_WINDOW));

const getOf = ({ of }: Values): Of | undefined => of as Of | undefined;
const getBy = ({ by }: Values): By => by as By;

export const compareForecasts: Tool = {
  name: 'compare',
  title: 'Compare forecasts',
  description:
    'Says which of two is better, and whether that may be chance. of=providers compares providers on the days that both ' +
    'have. of=reference takes persistence or climatology. of=windows (this month and last year) ' +
    'and of=places compare the second with the first.',
  parameters: {
    of: own(word(OF, '').optional()),
    by: own(
      word(BY, '').default('none'),
      'station is not for of=places; month and what follows are for of=providers.',
    ),
    place: PLACE_OR_ALL,
    other_place: passed(station.parameters.station_id, 'The second place of of=places.', 'names'),
    ...REGION,
    metric: VARIABLE,
    ...WINDOW_DAYS,
    ...OTHER_WINDOW,
    ...FILTERS,
    units: UNITS,
    providers: passed(
      comparedProviders.parameters.providers,
      'Names for of=providers, separated by commas. Without it, all.',
    ),
    reference: passed(
      comparedProviders.parameters.reference,
      'For of=providers one of them; for of=reference persistence (default) or climatology.',
    ),
    worst_first: own(flag(false, ''), 'With by=station, the largest MAE comes first.'),
    limit: limit(200, 30),
  },
  required: ['of'],
  row:
    `One for each comparison. verdict: better or worse (by MAE, of chances by the Brier score: the provider, the forecasts or the second), ` +
    'not_significant (chance) or unknown (no interval). By divergence, share_true: 1 the provider was right, 0 the others.',
  decides: 'of',

  plan(values) {
    const of = getOf(values);
    if (of === undefined) return [];
    const requests =
      of === 'places' ? ofPlaces(values) : of === 'windows' ? ofWindows(values) : [paired(of, values)];
    return [...findIssues(of, values), ...requests];
  },

  async handle(values, found, ask, place) {
    const [first] = found as [ApiResponse];
    const isOneWindow = getOf(values) === 'windows' && found.length === 1;
    const responses = isOneWindow ? [first, await ask(ofWindowBefore(values, first))] : found;
    const lacks = describeLack(first);
    if (responses.every(isEmpty) && (lacks.length === 0 || values.lead_time_bucket !== undefined))
      lacks.push(await whyEmpty(ask, first, place));
    const { params, rows, hints } = responses.length > 1 ? ofTwo(values, responses) : ofOne(first);
    const shown = rows.slice(0, values.limit as number);
    const cut = shown.length < rows.length ? [`${shown.length} of ${rows.length} rows: raise limit`] : [];
    return { params, rows: shown, total_rows: rows.length, hints: [...lacks, ...hints, ...cut] };
  },
};

/** Providers have a verdict of the API; a reference has its skill, by the same words. */
function ofOne(response: ApiResponse): ToolResponse {
  const rows = readRows(response).map((record) => {
    const skill = record.skill_mae as KnownBounds | undefined;
    if (skill !== undefined)
      return { ...record, verdict: asKnown(skill, judgeDifference('skill_mae', skill)) };
    return { ...record, ...verdictOfProvider(record) };
  });
  return {
    params: getRequestFields(response),
    rows,
    hints: [...agesIn(rows), ...warnings(response, 'station days')],
  };
}

/** The verdict of the API on a provider, which does not tell a tie from too few days. */
function verdictOfProvider({ verdict, identical, brier_difference, mae_difference }: Fields): Fields {
  if (verdict !== 'not_significant' || identical === true) return {};
  return { verdict: asKnown((brier_difference ?? mae_difference) as KnownBounds | undefined, verdict) };
}

/** A hint on the age of forecasts, where the mean leads of two providers differ. */
function agesIn(rows: readonly Record<string, unknown>[]): string[] {
  const found = rows.flatMap(({ hint }) => (typeof hint === 'string' ? [hint] : []));
  if (found.length <= 1) return found;
  return [
    `${found.length} of ${rows.length} rows compare older forecasts with younger ones, as their hint says: give it beside the verdict`,
  ];
}

const NO_CLIMATOLOGY =
  'no normal of the day is loaded, and the station has fewer than 30 values of at least three earlier years. Load normals ' +
  'or a longer history, or take reference=persistence';
const NOTHING_RECENT = 'too little of the 60 days before had been reported when the forecast was issued';

/** The lack of a comparison apart from pairs: common days of two providers, or the data of a reference. */
function describeLack(response: ApiResponse): string[] {
  const { reason } = response.metadata ?? {};
  if (typeof reason === 'string')
    return [`${textOfTools(reason)}. data_status shows how far each provider reaches`];
  const records = readRows(response) as {
    reference: string;
    cases: number;
    cases_without_reference?: number;
  }[];
  const without = sum(records.map((each) => each.cases_without_reference ?? 0));
  const all = without + sum(records.map(({ cases }) => cases));
  if (without === 0) return [];
  const lack = records[0]?.reference === 'climatology' ? NO_CLIMATOLOGY : NOTHING_RECENT;
  return [`${without} of ${all} station days have no reference, and do not count: ${lack}`];
}

function findIssues(of: Of, values: Values): ParamIssue[] {
  const issues: ParamIssue[] = [];
  const by = getBy(values);
  if ((by === 'station' && of === 'places') || (!isOfAll(by) && of !== 'providers'))
    issues.push({ parameter: 'by', message: `${by} has no meaning with of=${of}; take none or lead_time` });
  if (values.worst_first === true && (by !== 'station' || of !== 'windows'))
    issues.push({ parameter: 'worst_first', message: 'is for of=windows with by=station' });
  const needed = of === 'places' ? ['place', 'other_place'] : isOfOtherWindow(of, values) ? OTHER_BOUNDS : [];
  for (const parameter of needed)
    if (values[parameter] === undefined)
      issues.push({ parameter, message: `is missing, but of=${of} needs it; give it` });
  return issues;
}

const OTHER_BOUNDS = Object.keys(OTHER_WINDOW);

/** Whether a call says anything of the second window. */
const isOfOtherWindow = (of: Of, values: Values): boolean =>
  of === 'windows' && OTHER_BOUNDS.some((name) => values[name] !== undefined);

function paired(of: 'providers' | 'reference', values: Values): ToolRequest {
  const other = { ...OTHER_WINDOW_NAMES, ...same('other_place') };
  const names = { place: 'station_id', ...COMMON, ...WINDOW_NAMES, ...other };
  if (of === 'providers' && getBy(values) === 'divergence')
    return makeRequest('/accuracy/divergence', values, names, { group_by: 'provider' });
  const path = of === 'providers' ? '/accuracy/compare' : '/accuracy/skill';
  const by = of === 'reference' && !isOfAll(getBy(values)) ? 'none' : getBy(values); // an error by itself
  return makeRequest(path, values, names, { group_by: by === 'lead_time' ? 'lead_time_bucket' : by });
}

const PATHS = { none: 'summary', lead_time: 'by-lead-time', station: 'by-city', date: 'by-date' };

/** Groups that every comparison may have; the rest are for providers. */
const isOfAll = (by: By): by is keyof typeof PATHS & By => by in PATHS;

/** The accuracy of one side, as forecast_accuracy has it. */
const side = (values: Values, by: By | 'date', names: Record<string, string>): ToolRequest =>
  makeRequest(
    `/accuracy/${by === 'date' || isOfAll(by) ? PATHS[by] : PATHS.date}`,
    values,
    { ...COMMON, ...names },
    by === 'date' ? {} : { ci: '0.95' },
  );

/** Both places, and their days where the test is one of days. */
function ofPlaces(values: Values): ToolRequest[] {
  const by = getBy(values);
  const wanted = by === 'none' ? (['none', 'date'] as const) : [by];
  return wanted.flatMap((each) =>
    ['place', 'other_place'].map((place) =>
      side(values, each, { [place]: 'station_id', ...WINDOW_NAMES, ...OTHER_WINDOW_NAMES }),
    ),
  );
}

/** Both windows; the first alone where the second is that before it, whose days follow from its response. */
function ofWindows(values: Values): ToolRequest[] {
  const by = getBy(values);
  const place = by === 'station' ? 'stations' : 'station_id';
  const first = side(values, by, { place, ...WINDOW_NAMES, ...same('other_place') });
  if (!isOfOtherWindow('windows', values)) return [first];
  return [first, side(values, by, { place, other_date_from: 'date_from', other_date_to: 'date_to' })];
}

/** The request about the window before another, as long as that. */
function ofWindowBefore(values: Values, response: ApiResponse): ToolRequest {
  const { period_start, days_analyzed } = getWindow(response);
  const [other_date_from, other_date_to] = [-days_analyzed, -1].map((days) => addDays(period_start, days));
  return ofWindows({ ...values, other_date_from, other_date_to })[1]!;
}

type Fields = Record<string, unknown>;

const KEYS = ['station_id', 'lead_time_bucket'];
const getKey = (row: Fields): string => JSON.stringify(KEYS.map((name) => row[name]));

type Mean = 'mean_error' | 'mae' | 'brier_score';

/** The score by which two sides are judged, and the field of its difference. */
const scoreOf = (response: ApiResponse): ScoreName => VARIABLES[getVariable(response)].score;

/** A mean of the second less that of the first, and how far this is known. */
type Difference = KnownBounds & { value: number | null };

const LEVEL = 0.95;

const getWindow = ({ metadata }: ApiResponse) => metadata as unknown as Window;

/** The test that fits two responses; those of places compared by their days are followed by these. */
function makeTest([first, second, ...days]: readonly ApiResponse[], of: Of | undefined) {
  if (days.length > 0) return 'paired_by_day';
  const [one, other] = [getWindow(first!), getWindow(second!)];
  const isDistinct = one.period_end < other.period_start || other.period_end < one.period_start;
  return isDistinct || of === 'places' ? 'welch' : 'none';
}

function computeDifference(name: Mean, sides: readonly Fields[], isTested: boolean): Difference {
  const [first, second] = sides.map(concise);
  const [of, than] = [second?.[name], first?.[name]];
  const value = typeof of === 'number' && typeof than === 'number' ? roundMean(name, of - than) : null;
  const [one, other] = sides.map((side) => {
    const { uncertainty } = side;
    const { degrees_of_freedom } = uncertainty as Uncertainty;
    const std_error = getStdError(name, side);
    return std_error === null ? undefined : { degrees_of_freedom, std_error };
  });
  if (!isTested || value === null || !one || !other) return { value, low: null, high: null };
  const reach = welchReach(LEVEL, one, other);
  return { value, low: roundMean(name, value - reach), high: roundMean(name, value + reach) };
}

/** The standard error of a mean: a value that is rounded to 0 may be nearly half a hundredth. A Brier score has it from RMSE. */
function getStdError(name: Mean, side: Fields): number | null {
  const { mean_error, mae, rmse } = side.uncertainty as Uncertainty;
  const { std_error } = { mean_error, mae, brier_score: rmse }[name];
  if (std_error === null) return null;
  const known = Math.max(std_error, 0.005);
  // brier_score = rmse² / 10,000
  return name === 'brier_score' ? (2 * Number(concise(side).rmse) * known) / 10_000 : known;
}

/** To the grain that the API gives it in. */
const roundMean = (name: Mean, value: number | null): number | null =>
  name !== 'brier_score' ? rounded(value) : value === null ? null : Math.round(value * 1_000_000) / 1_000_000;

/** The mean over days that both have, each of which weighs the same, with the interval of means. */
function differenceByDay(name: Mean, responses: readonly ApiResponse[]): Difference {
  const { period_start, days_analyzed } = getWindow(responses[0]!);
  const [one = [], other = []] = responses.map(({ data }) => {
    const means = new Array<number | undefined>(days_analyzed).fill(undefined);
    for (const { date, stats } of data as { date: string; stats: Record<Mean, number> }[])
      means[dayNumber(date) - dayNumber(period_start)] = stats[name];
    return means;
  });
  const differences = one.map((mean, day) => (other[day] ?? NaN) - (mean ?? NaN));
  const counts = differences.map((each) => Number(!Number.isNaN(each)));
  const sums = differences.map((each) => each || 0);
  const unknown = { value: sum(counts) === 0 ? null : sum(sums) / sum(counts), low: null, high: null };
  const { value, low, high } = meanInterval(dayClusters(counts), sums, LEVEL) ?? unknown;
  return { value: roundMean(name, value), low: roundMean(name, low), high: roundMean(name, high) };
}

/** Rows of two responses side by side, by station or lead time, with their differences. */
function ofTwo(values: Values, responses: readonly ApiResponse[]): ToolResponse {
  const [first, second] = responses as [ApiResponse, ApiResponse];
  const [ones, others] = [readRows(first), readRows(second)];
  const test = makeTest(responses, getOf(values));
  const score = scoreOf(first);
  const difference = (name: Mean, ...sides: Fields[]): Difference =>
    test === 'paired_by_day'
      ? differenceByDay(name, responses.slice(2))
      : computeDifference(name, sides, test === 'welch');
  const byKey = new Map(others.map((row) => [getKey(row), row]));
  // Two places have other ids, and one row each.
  const isKeyed = getBy(values) !== 'none';
  const both = ones.flatMap((row) => {
    const other = isKeyed ? byKey.get(getKey(row)) : others[0];
    return other === undefined ? [] : [{ row, other }];
  });
  const rows = both.map(({ row, other }) =>
    makePair(row, other, score, difference('mean_error', row, other), difference(score, row, other)),
  );
  const scoreOfFirst = ({ first }: (typeof rows)[number]): number => Number(first[score] ?? 0);
  if (values.worst_first === true) rows.sort((a, b) => scoreOfFirst(b) - scoreOfFirst(a));
  const { period_start, period_end } = getWindow(second);
  const judged = getOf(values) === 'windows' ? `window (${period_start} to ${period_end})` : 'place';
  const hints = [
    `verdict is about the second ${judged}: better where its ${score === 'mae' ? 'MAE' : 'Brier score'} is lower than that of the first`,
  ];
  const sizes = both.map(({ row, other }) => [getSize(row), getSize(other)]);
  const thin = sizes.filter((each) => Math.max(...each) > 0 && Math.min(...each) < MAX_SMALL).length;
  if (thin > 0)
    hints.push(
      `${thin} of ${both.length} rows have a side with fewer than ${MAX_SMALL} verification pairs: too few to judge by`,
    );
  const alone = Math.max(ones.length, others.length) - both.length;
  if (alone > 0) hints.push(`${alone} rows left out: one side alone has pairs`);
  if (test === 'none')
    hints.push('The windows share days, so no test fits: choose windows without a common day');
  if (test === 'welch' && getOf(values) === 'places')
    hints.push('The test takes the places as unrelated: by=none compares them day by day');
  return { params: { first: getRequestFields(first), second: getRequestFields(second), test }, rows, hints };
}

function makePair(
  row: Fields,
  other: Fields,
  score: ScoreName,
  mean_error_difference: Difference,
  difference: Difference,
) {
  const [first, second] = [concise(row), concise(other)];
  const names = Object.fromEntries(
    [...KEYS, 'city_name'].flatMap((name) => (name in first ? [[name, first[name]]] : [])),
  );
  const numbers = (side: Fields): Fields =>
    Object.fromEntries(Object.entries(side).filter(([name]) => !(name in names)));
  return {
    ...names,
    first: numbers(first),
    second: numbers(second),
    mean_error_difference,
    [score === 'mae' ? 'mae_difference' : 'brier_difference']: difference,
    verdict: asKnown(difference, judgeDifference(score === 'mae' ? 'mae' : 'brier', difference)),
  };
}
