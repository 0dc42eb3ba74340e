import type { ApiAnswer, Query } from '../../answers/questions.js';
import type { ParameterFault } from '../../api/parameters.js';
import { flag, word } from '../../api/parameters.js';
import { comparedProviders } from '../../api/questions/comparison.js';
import { station } from '../../api/questions/stations.js';
import {
  FILTERS,
  limit,
  METRIC,
  OTHER_WINDOW,
  own,
  passed,
  PLACE_OR_ALL,
  TEMP_UNIT,
  WINDOW_DAYS,
} from '../parameters.js';
import { concise, warnings, whyEmpty, isEmpty, rowsOf, sizeOf, FEW, questionOf } from '../rows.js';
import { type ToolQuestion, queryOf, same, type Tool, type ToolAnswer, type Values } from '../tool.js';

const OF = ['providers', 'reference', 'windows', 'places'] as const;
type Of = (typeof OF)[number];

const BY = ['none', 'lead_time', 'station'] as const;
type By = (typeof BY)[number];

/** What every question of a comparison takes. */
const COMMON = same('metric', 'temp_unit', ...Object.keys(FILTERS));
const WINDOW_NAMES = same(...Object.keys(WINDOW_DAYS));

const GROUPS: Record<By, string> = { none: 'none', lead_time: 'lead_time_bucket', station: 'station' };

const ofOf = ({ of }: Values): Of | undefined => of as Of | undefined;
const byOf = ({ by }: Values): By => by as By;

export const compareForecasts: Tool = {
  name: 'compare',
  title: 'Compare forecasts',
  description:
    'Is one better? of=providers: against a reference provider on the days both have; verdict says. ' +
    'of=reference: skill against persistence, recent or climatology. of=windows (this month against last year) and ' +
    'of=places: two accuracies with intervals and their difference, second less first.',
  parameters: {
    of: own(word(OF, '').optional()),
    by: own(word(BY, '').default('none'), 'station: reference and windows alone'),
    place: PLACE_OR_ALL,
    other_place: passed(station.parameters.station_id, 'of=places: the second'),
    metric: METRIC,
    ...WINDOW_DAYS,
    ...OTHER_WINDOW,
    ...FILTERS,
    temp_unit: TEMP_UNIT,
    providers: passed(
      comparedProviders.parameters.providers,
      'of=providers: names by commas; all without it',
    ),
    reference: passed(
      comparedProviders.parameters.reference,
      'of=providers: one of them; of=reference: persistence (default), recent, climatology',
    ),
    worst_first: own(flag(false, ''), 'by=station: largest MAE first'),
    limit: limit(200, 30),
  },
  required: ['of'],
  row: 'One per comparison',
  decides: 'of',

  plan(values) {
    const of = ofOf(values);
    if (of === undefined) return [];
    const questions =
      of === 'places' ? ofPlaces(values) : of === 'windows' ? ofWindows(values) : [paired(of, values)];
    return [...faultsOf(of, values), ...questions];
  },

  async answer(values, answers, ask) {
    const [first, second] = answers as [ApiAnswer, ApiAnswer | undefined];
    const limit = values.limit as number;
    const isNothing = answers.every((each) => rowsOf(each).length === 0 || isEmpty(each));
    const nothing = isNothing ? [whyEmpty(await ask({ path: '/providers', query: {} }), first)] : [];
    if (second !== undefined) return ofTwo(values, first, second, nothing);
    const records = rowsOf(first);
    const shown = records.slice(0, limit);
    const hints = isNothing ? nothing : warnings(first, 'station days');
    if (records.length === 0) hints.push('To compare providers there must be two of them: see data_status');
    if (shown.length < records.length) hints.push(`${shown.length} of ${records.length} rows: raise limit`);
    return { question: questionOf(first), rows: shown, total_rows: records.length, hints };
  },
};

/** Which parameters belong to which comparison: what belongs to another one is a fault, not left out. */
const OWN: Readonly<Record<string, readonly Of[]>> = {
  providers: ['providers'],
  reference: ['providers', 'reference'],
  provider: ['reference', 'windows', 'places'],
  other_place: ['places'],
  other_date_from: ['windows'],
  other_date_to: ['windows'],
};

function faultsOf(of: Of, values: Values): ParameterFault[] {
  const faults = Object.entries(OWN).flatMap(([parameter, modes]) =>
    values[parameter] !== undefined && !modes.includes(of)
      ? [{ parameter, message: `has no meaning with of=${of}; it is for of=${modes.join(', ')}` }]
      : [],
  );
  const by = byOf(values);
  if (by === 'station' && (of === 'providers' || of === 'places'))
    faults.push({ parameter: 'by', message: `station has no meaning with of=${of}; take none or lead_time` });
  if (values.worst_first === true && (by !== 'station' || of !== 'windows'))
    faults.push({ parameter: 'worst_first', message: 'is for of=windows with by=station' });
  const needed = { windows: ['other_date_from', 'other_date_to'], places: ['place', 'other_place'] };
  for (const parameter of of === 'windows' || of === 'places' ? needed[of] : [])
    if (values[parameter] === undefined) faults.push({ parameter, message: `is missing: of=${of} needs it` });
  return faults;
}

function paired(of: 'providers' | 'reference', values: Values): ToolQuestion {
  const names = { place: 'station_id', ...COMMON, ...WINDOW_NAMES, ...same('providers', 'reference') };
  return {
    path: of === 'providers' ? '/accuracy/compare' : '/accuracy/skill',
    query: { ...queryOf(values, names), group_by: GROUPS[byOf(values)] },
    names: { station_id: 'place', group_by: 'by' },
  };
}

/** The accuracy of one side, as forecast_accuracy has it. */
function side(values: Values, place: string, own: Query, names: Record<string, string>): ToolQuestion {
  const by = byOf(values);
  const path = { none: 'summary', lead_time: 'by-lead-time', station: 'by-city' }[by];
  const station = by === 'station' ? 'stations' : 'station_id';
  return {
    path: `/accuracy/${path}`,
    query: { ci: '0.95', ...queryOf(values, { [place]: station, ...COMMON }), ...own },
    names: { [station]: place, ...names },
  };
}

function ofPlaces(values: Values): ToolQuestion[] {
  const window = queryOf(values, WINDOW_NAMES);
  return [side(values, 'place', window, {}), side(values, 'other_place', window, {})];
}

function ofWindows(values: Values): ToolQuestion[] {
  const other = { other_date_from: 'date_from', other_date_to: 'date_to' };
  return [
    side(values, 'place', queryOf(values, WINDOW_NAMES), {}),
    side(values, 'place', queryOf(values, other), { date_from: 'other_date_from', date_to: 'other_date_to' }),
  ];
}

type Fields = Record<string, unknown>;

const KEYS = ['station_id', 'lead_time_bucket'];
const keyOf = (row: Fields): string => JSON.stringify(KEYS.map((name) => row[name]));

/** Rows of two answers side by side, by station or lead time, with plain differences. */
function ofTwo(values: Values, first: ApiAnswer, second: ApiAnswer, nothing: string[]): ToolAnswer {
  const others = rowsOf(second);
  const byKey = new Map(others.map((row) => [keyOf(row), row]));
  // Two places have other ids, and one row each.
  const isKeyed = byOf(values) !== 'none';
  const records = rowsOf(first).map((row) => ({ row, other: isKeyed ? byKey.get(keyOf(row)) : others[0] }));
  const both = records.flatMap(({ row, other }) => (other === undefined ? [] : [{ row, other }]));
  const rows = both.map(({ row, other }) => pairOf(concise(row), concise(other)));
  const mae = ({ first }: (typeof rows)[number]): number => Number(first.mae ?? 0);
  const sorted = values.worst_first === true ? rows.toSorted((a, b) => mae(b) - mae(a)) : rows;
  const shown = sorted.slice(0, values.limit as number);
  const hints = [...nothing];
  const thin = both.filter(({ row, other }) => Math.min(sizeOf(row), sizeOf(other)) < FEW).length;
  if (nothing.length === 0 && thin > 0)
    hints.push(
      `${thin} of ${both.length} rows have a side with fewer than ${FEW} verification pairs: too few to judge by`,
    );
  const alone = Math.max(records.length, others.length) - both.length;
  if (alone > 0) hints.push(`${alone} rows left out: one side alone has pairs`);
  hints.push(
    'Intervals that do not overlap (intervals_overlap false) show a difference; those that do leave it open: it may be chance',
  );
  if (shown.length < sorted.length) hints.push(`${shown.length} of ${sorted.length} rows: raise limit`);
  return {
    question: { first: questionOf(first), second: questionOf(second) },
    rows: shown,
    total_rows: sorted.length,
    hints,
  };
}

function pairOf(first: Fields, second: Fields) {
  const names = Object.fromEntries(
    [...KEYS, 'city_name'].flatMap((name) => (name in first ? [[name, first[name]]] : [])),
  );
  const numbers = (row: Fields): Fields =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !(name in names)));
  return {
    ...names,
    first: numbers(first),
    second: numbers(second),
    difference: Object.fromEntries(
      ['mean_error', 'mae', 'rmse'].map((name) => [name, lessOf(second[name], first[name])]),
    ),
    intervals_overlap: Object.fromEntries(
      ['mean_error', 'mae'].map((name) => [name, overlap(first[`${name}_95`], second[`${name}_95`])]),
    ),
  };
}

/** To the 0.01 that both are given to. */
const lessOf = (a: unknown, b: unknown): number | null =>
  typeof a === 'number' && typeof b === 'number' ? Math.round((a - b) * 100) / 100 + 0 : null;

/** Whether two intervals share a point; null where one of them is not known. */
function overlap(one: unknown, other: unknown): boolean | null {
  const [low, high] = (one ?? []) as unknown[];
  const [otherLow, otherHigh] = (other ?? []) as unknown[];
  const isKnown = [low, high, otherLow, otherHigh].every((bound) => typeof bound === 'number');
  return isKnown
    ? (low as number) <= (otherHigh as number) && (otherLow as number) <= (high as number)
    : null;
}
