import { type DateSpan, ofDates } from '../queries/conditions.js';
import { type HourlyFact, INSTANT_OF, ofUtcDates } from '../queries/hourly-temperatures.js';
import { bind, raw, sql, type Statement } from '../queries/sql.js';

// The lines of sealed facts (docs/seals.md): the values of a fact with | between them, written out here, so that no line depends on how a
// version of the engine prints a value. Times are ms since 1970 UTC, values are whole hundredths of the unit of the store, free texts are
// percent-encoded (RFC 3986), and the last value is 1 where the row takes the fact back.

/** The number of the format of lines and leaves. It rises when a line gets another form. */
export const SEAL_FORMAT = 1;

const instant = (column: string): string => `toString(toUnixTimestamp64Milli(${column}))`;
const hundredths = (column: string): string => `toString(toInt32(${column} * 100))`;
const orNull = (column: string): string => `ifNull(${hundredths(column)}, 'null')`;
const freeText = (column: string): string => `encodeURLComponent(${column})`;
const flag = (column: string): string => `if(${column}, '1', '0')`;
const list = (items: string, item: string): string =>
  `arrayStringConcat(arrayMap(item -> ${item}, ${items}), ';')`;
const joined = (...values: string[]): string => `concat(${values.join(`, ':', `)})`;

/** The facts that are sealed: the values of a line without the last one, and the date that a fact is of, if any. */
const SEALED_FACTS = {
  forecasts: {
    values: ['toString(metric)', 'provider', 'station_id', instant('issued_at'), hundredths('forecast')],
    day: 'target_date',
  },
  distributions: {
    values: [
      ...['toString(metric)', 'provider', 'station_id', instant('issued_at')],
      list('distribution', joined('toString(item.level)', hundredths('item.value'))),
    ],
    day: 'target_date',
  },
  observations: {
    values: [
      ...['toString(metric)', 'station_id', 'toString(observation_status)'],
      ...[instant('observed_at'), hundredths('actual')],
    ],
    day: 'target_date',
  },
  hourly_forecasts: {
    values: [
      ...['toString(metric)', 'provider', 'station_id'],
      ...[instant('valid_at'), instant('issued_at'), hundredths('forecast')],
    ],
    day: 'toDate(valid_at)',
  },
  hours: {
    values: [
      ...['station_id', instant('at')],
      ...['temp_f', 'max_6h_f', 'min_6h_f', 'precip_in'].map((name) => orNull(`reading.${name}`)),
      ...[freeText('reading.sky'), 'toString(reading.status)'],
      // By name: a map has no order.
      list(
        'arraySort(arrayZip(mapKeys(reading.others), mapValues(reading.others)))',
        joined('toString(item.1)', hundredths('item.2')),
      ),
    ],
    day: 'toDate(at)',
  },
  sealed_odds: {
    values: [
      // The providers of a blend have commas between them, and a line must need no quotes in CSV.
      ...['toString(metric)', freeText('provider'), 'station_id', 'toString(lead_time_bucket)'],
      ...[instant('issued_at'), 'toString(unit)', 'toString(data_version)'],
      list(
        'odds',
        joined(
          `ifNull(toString(item.from), 'null')`,
          `ifNull(toString(item.to), 'null')`,
          'toString(item.millionths)',
        ),
      ),
    ],
    day: 'target_date',
  },
  normals: {
    values: ['toString(metric)', 'station_id', 'toString(month_day)', hundredths('normal')],
    day: undefined,
  },
  stations: {
    values: [
      ...['station_id', freeText('city_name'), freeText('country')],
      ...['toString(latitude)', 'toString(longitude)'],
      ...[freeText('timezone'), freeText('climate_zone'), flag('data_active')],
      list('aliases', freeText('item')),
      ...['iata', 'day_boundary', 'reported_in'].map((name) => freeText(`toString(${name})`)),
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
  raw(`concat(${[...SEALED_FACTS[feed].values, flag('withdrawn')].join(`, '|', `)})`);

/** An expression of the date of a fact, to group by; blank in a feed without dates. */
export const dateOf = (feed: SealedFeed): Statement => raw(SEALED_FACTS[feed].day ?? `''`);

/** An expression of that date as text. */
export const dayOf = (feed: SealedFeed): Statement => sql`toString(${dateOf(feed)})`;

/** The facts of these dates, as a condition. */
export const ofDays = (feed: SealedFeed, span: DateSpan): Statement =>
  feed in INSTANT_OF ? ofUtcDates(feed as HourlyFact, span) : ofDates(span);

/** The facts that a version added, as a condition: killed and failed loads leave facts, which the next load that finishes settles. */
export const addedBy = (version: number): Statement => sql`
  load_id <= ${bind({ version }, 'UInt32')}
  AND load_id > (SELECT max(load_id) FROM loads WHERE event = 'finished' AND load_id < ${bind({ version }, 'UInt32')})`;

/** The rows of these SELECTs together. */
export const joinSelects = (selects: readonly Statement[]): Statement =>
  selects.reduce((all, next) => sql`${all} UNION ALL ${next}`);
