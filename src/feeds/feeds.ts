import { FIRST_DATE, LAST_DATE } from '../statistics/time/calendar.js';
import { SKIES } from '../variables/declarations.js';
import {
  getWindowHours,
  METRICS,
  VARIABLE_NAMES,
  type VariableName,
  VARIABLES,
} from '../variables/variables.js';
import {
  type Column,
  defineColumn,
  distributionColumns,
  temperatureColumn,
  variableColumn,
} from './columns.js';
import {
  calendarDate,
  degrees,
  fullHour,
  INSTANT,
  instant,
  matching,
  MONTH_DAY,
  monthDay,
  remembered,
  timeZone,
} from './values.js';

// The feeds. Each is declared here alone, by the columns of its files: headers, cells, messages and docs follow.

/** The feeds of temperatures within the day. */
export const HOURLY_FEEDS = ['hours', 'hourly_forecasts'] as const;
export type HourlyFeed = (typeof HOURLY_FEEDS)[number];

/** The feeds of values at a station, in the order in which a load reads them. */
export const VALUE_FEEDS = ['forecasts', 'observations', 'normals', ...HOURLY_FEEDS] as const;
export type ValueFeed = (typeof VALUE_FEEDS)[number];

export const FEED_NAMES = ['stations', ...VALUE_FEEDS] as const;
export type FeedName = (typeof FEED_NAMES)[number];

/** The files that a load may be given: those of each feed, and of members, which become forecasts. */
export const FILE_KINDS = [...FEED_NAMES, 'members'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

interface Feed {
  /** The columns of its files; a header must name the first of them. */
  columns: readonly Column[];
  /** The names of its values, those of variables and others, without distributions. A row without any value says nothing. */
  variables: readonly string[];
  others: readonly string[];
  /** The column of the day or the instant of a value. */
  valid: string;
  /** The event of an instant that cannot be ahead of the clock; a report is of a day that has begun, and if verified is over. */
  happened?: { what: string; column: string; isOfDay?: true };
}

const NAME = 'a name of 1 to 100 characters';
// No controls, and no code points that are no characters: XML has no way to write U+FFFE, and a chart is XML.
const NAME_PATTERN = /^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]{1,100}$/u;
const ZONE_PATTERN = /^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]{0,40}$/u;

type Rest = Parameters<typeof defineColumn<string>>[3];

/** A column of texts of a form; letters of either case may do. */
const texts = (
  name: string,
  form: string,
  pattern: RegExp,
  rest: Rest = {},
  fold = (text: string): string => text,
): Column => defineColumn(name, form, (text) => matching(fold(text), name, form, pattern), rest);

/** A column whose cells are read once each: feeds of values repeat them. */
const remember = (column: Column): Column => ({ ...column, read: remembered(column.read) });

const upper = (text: string): string => text.toUpperCase();
const lower = (text: string): string => text.toLowerCase();

const REQUIRED = { isRequired: true } as const;
const KEY = { role: 'key', isRequired: true } as const;

const station = texts(
  'station_id',
  '3 to 24 of A-Z, 0-9 and -, beginning with a letter or digit',
  /^[A-Z0-9][A-Z0-9-]{2,23}$/,
  { ...KEY, synonyms: ['icao'] },
  upper,
);

const provider = remember(
  texts(
    'provider',
    '1 to 32 of a-z, 0-9 and -, beginning with a letter or digit',
    /^([a-z0-9][a-z0-9-]{0,31})?$/,
    { role: 'key' },
  ),
);

const status = (rest: Rest): Column =>
  remember(
    texts('status', 'preliminary or verified', /^(preliminary|verified)$/, { kind: 'status', ...rest }),
  );

const date = (name: string): Column =>
  defineColumn(name, `a date, YYYY-MM-DD, within ${FIRST_DATE}..${LAST_DATE}`, calendarDate, {
    ...KEY,
    kind: 'date',
  });

const time = (name: string): Column => defineColumn(name, INSTANT, instant, { ...KEY, kind: 'instant' });

const FLAG = 'true, false or blank';
const isTrue = (text: string, name: string): boolean =>
  matching(lower(text), name, FLAG, /^(true|false|)$/) === 'true';

const withdrawn = defineColumn('withdrawn', FLAG, (text, name) => (isTrue(text, name) ? 'true' : ''));

const coordinate = (name: string, farthest: number, synonyms: readonly string[] = []): Column<number> =>
  defineColumn(
    name,
    `a decimal number within -${farthest}..${farthest}`,
    (text) => degrees(text, name, farthest),
    { ...REQUIRED, synonyms },
  );

const splitAliases = (text: string, name: string): string[] =>
  text
    .split('|')
    .map((alias) => alias.trim())
    .filter((alias) => alias !== '')
    .map((alias) => matching(alias, name, NAME, NAME_PATTERN));

const dayBoundary = texts('day_boundary', 'civil, standard or blank', /^(civil|standard|)$/, {}, lower);

/** The columns of stations, which have other values than texts as well. */
export const STATION_COLUMNS: readonly Column<string | number | boolean | string[]>[] = [
  station,
  texts('city_name', NAME, NAME_PATTERN, { ...REQUIRED, synonyms: ['name'] }),
  texts('country', 'an ISO 3166 code of two letters', /^[A-Z]{2}$/, REQUIRED, upper),
  coordinate('latitude', 90),
  coordinate('longitude', 180, ['lng']),
  defineColumn('timezone', 'a time zone of the IANA database', timeZone, { ...REQUIRED, synonyms: ['tz'] }),
  texts('climate_zone', 'at most 40 characters', ZONE_PATTERN),
  defineColumn('data_active', FLAG, (text, name) => isTrue(text || 'true', name)),
  defineColumn('aliases', NAME, splitAliases),
  texts('iata', 'three letters or blank', /^([A-Z]{3})?$/, {}, upper),
  { ...dayBoundary, read: (text, name) => dayBoundary.read(text, name) || 'civil' },
  defineColumn('withdrawn', FLAG, isTrue),
  texts(
    'reported_in',
    'whole_fahrenheit, whole_celsius or blank',
    /^(whole_fahrenheit|whole_celsius|)$/,
    {},
    lower,
  ),
];

/** The variables of which each file of days, or of hours, has a column, with the names of others for it. */
const ALWAYS: Partial<Record<VariableName, readonly string[]>> = {
  high: ['temp', 'tmax', 'max'],
  low: ['tmin', 'min'],
  temperature: [],
};

/** One column of each name, of the variables of all that have it. */
const joinEqual = (columns: readonly Column[]): Column[] =>
  columns.flatMap((column) => {
    const equal = columns.filter(({ name }) => name === column.name);
    return equal[0] === column ? { ...column, variables: equal.flatMap(({ variables }) => variables) } : [];
  });

/** The columns of the variables of a period: those that each file has, and the others. */
function columnsOf(
  period: 'day' | 'hour',
  side: 'forecast' | 'observation',
  role: Column['role'] = 'value',
): { always: Column[]; others: Column[] } {
  const find = (isRequired: boolean): Column[] =>
    joinEqual(
      VARIABLE_NAMES.flatMap((name) =>
        VARIABLES[name].period === period && name in ALWAYS === isRequired
          ? (variableColumn(name, side, {
              isRequired,
              role: isRequired ? 'value' : role,
              synonyms: ALWAYS[name] ?? [],
            }) ?? [])
          : [],
      ),
    );
  return { always: find(true), others: find(false) };
}

const OF_DAYS = {
  forecast: columnsOf('day', 'forecast', 'stated'),
  observation: columnsOf('day', 'observation'),
};
const OF_HOURS = { forecast: columnsOf('hour', 'forecast'), observation: columnsOf('hour', 'observation') };

const DISTRIBUTION_COLUMNS = OF_DAYS.forecast.always.map(distributionColumns);

const sky = remember(
  texts(
    'sky',
    `${SKIES.join(', ')} or blank`,
    new RegExp(`^(${SKIES.join('|')}|)$`),
    { role: 'value' },
    upper,
  ),
);

/** The columns of amounts in reports, by the hours of each. */
export const AMOUNT_COLUMNS: Readonly<Record<string, string>> = Object.fromEntries(
  OF_HOURS.observation.others.flatMap(({ name, variables }) =>
    variables.flatMap((variable) => {
      const hours = getWindowHours(variable);
      return hours === undefined ? [] : [[`${hours}`, name]];
    }),
  ),
);
const WINDOW_HOURS = Object.keys(AMOUNT_COLUMNS);

/** The hours of the amount that a row has under the name of that of one hour. */
const precipHours = remember(
  texts('precip_hours', `${WINDOW_HOURS.join(', ')} or blank`, new RegExp(`^(${WINDOW_HOURS.join('|')}|)$`)),
);

function defineFeed(valid: string, columns: readonly Column[], happened?: Feed['happened']): Feed {
  const isOther = ({ role, kind, variables }: Column): boolean =>
    role === 'value' && kind !== 'status' && variables.length === 0;
  const ofVariables = columns.flatMap(({ name, variables }) => variables.map(() => name));
  return {
    columns,
    variables: ofVariables,
    others: columns.filter(isOther).map(({ name }) => name),
    valid,
    happened,
  };
}

export const FEEDS: Readonly<Record<ValueFeed, Feed>> = {
  forecasts: defineFeed(
    'target_date',
    [
      ...[station, time('issued_at'), date('target_date'), ...OF_DAYS.forecast.always, provider, withdrawn],
      ...DISTRIBUTION_COLUMNS.map(([deviation]) => deviation),
      ...DISTRIBUTION_COLUMNS.flatMap(([, ...quantiles]) => quantiles),
      ...[...OF_DAYS.forecast.others, remember(texts('member', NAME, NAME_PATTERN))],
    ],
    { what: 'forecast issued', column: 'issued_at' },
  ),
  observations: defineFeed(
    'date',
    [
      ...[station, date('date'), ...OF_DAYS.observation.always, status(KEY), time('observed_at'), withdrawn],
      ...OF_DAYS.observation.others,
    ],
    { what: 'observation reported', column: 'observed_at', isOfDay: true },
  ),
  normals: defineFeed('month_day', [
    ...[station, defineColumn('month_day', MONTH_DAY, monthDay, KEY), ...OF_DAYS.observation.always],
    withdrawn,
  ]),
  hours: defineFeed(
    'at',
    [
      ...[station, time('at'), ...OF_HOURS.observation.always],
      ...[temperatureColumn('max_6h'), temperatureColumn('min_6h'), sky, withdrawn],
      ...[status({ role: 'value' }), ...OF_HOURS.observation.others, precipHours],
    ],
    { what: 'temperature measured', column: 'at' },
  ),
  hourly_forecasts: defineFeed(
    'valid_at',
    [
      ...[station, time('issued_at')],
      defineColumn('valid_at', `a full hour of UTC, ${INSTANT}`, fullHour, { ...KEY, kind: 'instant' }),
      ...[...OF_HOURS.forecast.always, provider, withdrawn, ...OF_HOURS.forecast.others],
    ],
    { what: 'forecast issued', column: 'issued_at' },
  ),
};

/** @throws TypeError where the feed has no such column */
export function getColumn(feed: ValueFeed, name: string): Column {
  const found = FEEDS[feed].columns.find((each) => each.name === name);
  if (found === undefined) throw new TypeError(`${feed} has no column ${name}`);
  return found;
}

/** All columns of a feed; a header must name the first of them. */
export const getColumns = (feed: FeedName): readonly Column<unknown>[] =>
  feed === 'stations' ? STATION_COLUMNS : FEEDS[feed].columns;

/** Their names. */
export const getColumnNames = (feed: FeedName): string[] => getColumns(feed).map(({ name }) => name);

/** The names of those that a header must have. */
export const getRequiredNames = (feed: FeedName): string[] =>
  getColumns(feed)
    .filter(({ isRequired }) => isRequired)
    .map(({ name }) => name);

/** The distribution of a temperature: the columns of its standard deviation and its quantiles, in the order of LEVELS. */
export interface Distribution {
  temperature: string;
  columns: readonly Column[];
}

/** The distributions of which there are columns. */
export const getDistributions = (columns: readonly Column[]): Distribution[] =>
  OF_DAYS.forecast.always
    .map(({ name }) => ({ temperature: name, columns: columns.filter(({ of }) => of === name) }))
    .filter((distribution) => distribution.columns.length > 0);

/** The distributions of the temperatures of a day. */
export const DISTRIBUTIONS: readonly Distribution[] = getDistributions(FEEDS.forecasts.columns);

/** The columns of a feed with the values of a variable, each in the unit that is kept. */
export const valueColumns = (feed: ValueFeed): readonly { variable: VariableName; column: string }[] =>
  FEEDS[feed].columns.flatMap(({ variables, name }) =>
    variables.map((variable) => ({ variable, column: name })),
  );

/** The columns of the key of a feed's rows, in the order in which they are read. */
export const keyColumns = (feed: ValueFeed): readonly { column: string; kind: Column['kind'] }[] =>
  FEEDS[feed].columns.flatMap(({ role, name, kind }) => (role === 'key' ? [{ column: name, kind }] : []));

/** The column of a feed with the values of a variable that the feed has. */
export const columnOf = (feed: ValueFeed, name: VariableName): string =>
  valueColumns(feed).find(({ variable }) => variable === name)!.column;

/** The temperatures of a report: at its instant, and the extremes of six hours. */
export const READING_TEMPERATURES = ['temp_f', 'max_6h_f', 'min_6h_f'] as const;

/** The numbers of a report that have an element of their own in `hours.reading`. Other variables of hours are in its map, by their names. */
export const READING_NUMBERS = [...READING_TEMPERATURES, 'precip_in'] as const;

/** The columns of the highest and the lowest temperature of a day. */
export const [HIGH, LOW] = METRICS.map((name) => columnOf('observations', name)) as [string, string];
