import { type DateSpan, ofDates } from '../queries/conditions.js';
import { type HourlyFact, INSTANT_OF, ofUtcDates } from '../queries/hourly-temperatures.js';
import { bind, raw, sql, type Statement } from '../queries/sql.js';

// The lines of sealed facts (docs/seals.md): each fact as a JSON array of its table and its values, written out here, so that no line
// depends on how a version of the engine prints a value. Times are ms since 1970 UTC, values are whole hundredths of the unit of the
// store, and the last member is 1 where the row takes the fact back.

/** The number of the format of lines and leaves. It rises when a line gets another form. */
export const SEAL_FORMAT = 1;

/** Expressions that concat() joins; those of texts as they stand begin with a quote. */
type Parts = readonly string[];

const text = (column: string): Parts => [`'"'`, `toString(${column})`, `'"'`];
/** A text that may have quotes in it: of stations alone. */
const freeText = (column: string): Parts => [
  `'"'`,
  String.raw`replaceAll(replaceAll(toString(${column}), '\\', '\\\\'), '"', '\\"')`,
  `'"'`,
];
const instant = (column: string): Parts => [`toString(toUnixTimestamp64Milli(${column}))`];
const hundredths = (column: string): Parts => [`toString(toInt32(${column} * 100))`];
const orNull = (column: string): Parts => [`ifNull(toString(toInt32(${column} * 100)), 'null')`];
const wholeOrNull = (column: string): Parts => [`ifNull(toString(${column}), 'null')`];
const flag = (column: string): Parts => [`if(${column}, '1', '0')`];
const tuple = (first: Parts, ...others: Parts[]): Parts => [
  `'['`,
  ...first,
  ...others.flatMap((each) => [`','`, ...each]),
  `']'`,
];
const list = (items: string, item: Parts): Parts => [
  `'['`,
  `arrayStringConcat(arrayMap(item -> ${join(item)}, ${items}), ',')`,
  `']'`,
];

/** concat() of these, with texts beside each other in one: a line of 8 values then takes a quarter less. */
function join(parts: Parts): string {
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.startsWith(`'`) && last?.startsWith(`'`))
      joined.splice(-1, 1, last.slice(0, -1) + part.slice(1));
    else joined.push(part);
  }
  return `concat(${joined.join(', ')})`;
}

/** The facts that are sealed: what stands in a line after the name of the table, and the date that a line is of, if any. */
const SEALED_FACTS = {
  forecasts: {
    line: [
      ...['metric', 'provider', 'station_id', 'target_date'].map(text),
      instant('issued_at'),
      hundredths('forecast'),
    ],
    day: 'target_date',
  },
  distributions: {
    line: [
      ...['metric', 'provider', 'station_id', 'target_date'].map(text),
      instant('issued_at'),
      list('distribution', tuple(['toString(item.level)'], hundredths('item.value'))),
    ],
    day: 'target_date',
  },
  observations: {
    line: [
      ...['metric', 'station_id', 'target_date', 'observation_status'].map(text),
      instant('observed_at'),
      hundredths('actual'),
    ],
    day: 'target_date',
  },
  hourly_forecasts: {
    line: [
      ...['metric', 'provider', 'station_id'].map(text),
      instant('valid_at'),
      instant('issued_at'),
      hundredths('forecast'),
    ],
    day: 'toDate(valid_at)',
  },
  hours: {
    line: [
      text('station_id'),
      instant('at'),
      ...['temp_f', 'max_6h_f', 'min_6h_f', 'precip_in'].map((name) => orNull(`reading.${name}`)),
      text('reading.sky'),
      text('reading.status'),
      // By name: a map has no order.
      list(
        'arraySort(arrayZip(mapKeys(reading.others), mapValues(reading.others)))',
        tuple(text('item.1'), hundredths('item.2')),
      ),
    ],
    day: 'toDate(at)',
  },
  sealed_odds: {
    line: [
      ...['metric', 'provider', 'station_id', 'target_date', 'lead_time_bucket'].map(text),
      instant('issued_at'),
      text('unit'),
      ['toString(data_version)'],
      list('odds', tuple(wholeOrNull('item.from'), wholeOrNull('item.to'), ['toString(item.millionths)'])),
    ],
    day: 'target_date',
  },
  normals: {
    line: [...['metric', 'station_id', 'month_day'].map(text), hundredths('normal')],
    day: undefined,
  },
  stations: {
    line: [
      ...['station_id', 'city_name', 'country'].map(freeText),
      ...['latitude', 'longitude'].map((name) => [`toString(${name})`]),
      ...['timezone', 'climate_zone'].map(freeText),
      flag('data_active'),
      list('aliases', freeText('item')),
      ...['iata', 'day_boundary', 'reported_in'].map(freeText),
    ],
    day: undefined,
  },
} as const;

export type SealedFeed = keyof typeof SEALED_FACTS;
export const SEALED_FEEDS = Object.keys(SEALED_FACTS) as SealedFeed[];

/** Whether a feed has dates; the facts of another are sealed as one month, `all`. */
export const isDated = (feed: SealedFeed): boolean => SEALED_FACTS[feed].day !== undefined;

/** An expression of the line of a fact. */
export const lineOf = (feed: SealedFeed): Statement =>
  raw(
    join([
      `'["${feed}"'`,
      ...[...SEALED_FACTS[feed].line, flag('withdrawn')].flatMap((value) => [`','`, ...value]),
      `']'`,
    ]),
  );

/** An expression of the date of a fact, to group by; blank in a feed without dates. */
export const dateOf = (feed: SealedFeed): Statement => raw(SEALED_FACTS[feed].day ?? `''`);

/** An expression of that date as text. */
export const dayOf = (feed: SealedFeed): Statement => sql`toString(${dateOf(feed)})`;

/** The facts of these dates, as a condition. */
export const ofDays = (feed: SealedFeed, span: DateSpan): Statement =>
  feed in INSTANT_OF ? ofUtcDates(feed as HourlyFact, span) : ofDates(span);

/**
 * The facts that a version added, as a condition: killed and failed loads leave facts, which the next load that finishes settles.
 * @param after the version before, 0 for none
 */
export const addedBy = ({ version, after }: { version: number; after: number }): Statement =>
  sql`load_id > ${bind({ after }, 'UInt32')} AND load_id <= ${bind({ version }, 'UInt32')}`;
