import {
  FEED_COLUMNS,
  type FeedColumn,
  type ForecastFact,
  type Metric,
  type ObservationFact,
} from './feeds.js';
import { type Header, LONGEST_LINE } from './read-feed.js';

// Nearly all rows of a feed are written in one plain way. One regular expression knows such a row at 0.15 µs, and the
// engine can take its cells as they stand; reading it cell by cell in JavaScript takes 15 µs. What is written in any
// other way, good or bad, is judged there. So each form here takes less than the rules of values.ts, never more.

// A date of 1970..2099 that is real in every year; 29 February is looked up.
const DATE =
  '(?:19[7-9]\\d|20\\d\\d)-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))';
const INSTANT = `${DATE}T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?Z`;
const TEMPERATURE = '(?:-?(?:1[0-4]\\d|\\d{1,2})(?:\\.\\d{1,2})?)?'; // up to 149.99 °F, of 0.01 °F, or blank
const STATION_ID = '[A-Z0-9]{3,8}';
const STATUS = 'preliminary|verified';

export type ValueFeed = 'forecasts' | 'observations';

const FORMS: Partial<Record<FeedColumn, string>> = {
  station_id: STATION_ID,
  issued_at: INSTANT,
  observed_at: INSTANT,
  target_date: DATE,
  date: DATE,
  high_f: TEMPERATURE,
  low_f: TEMPERATURE,
  status: STATUS,
};

/** A row as the engine takes it: the cells of the feed's columns, in their order. */
export interface PlainRow {
  stationId: string;
  cells: string;
  /** Where the next line begins. */
  end: number;
}

/** Finds the plain rows of a file with this header. */
export function plainRows(
  feed: ValueFeed,
  { names, positions }: Header,
): (text: string, at: number) => PlainRow | undefined {
  const columns: readonly FeedColumn[] = FEED_COLUMNS[feed];
  const forms = names.map((_, position) => {
    const column = columns[positions.indexOf(position)];
    return column === undefined ? '[^,"\\x00-\\x1f]*' : `(${FORMS[column] ?? '(?!)'})`;
  });
  const line = new RegExp(`${forms.join(',')}\\r?(?:\\n|$)`, 'y');
  // The groups of the columns: the first column to stand in the file is group 1.
  const [station = 0, ...others] = positions.map(
    (one) => 1 + positions.filter((other) => other < one).length,
  );
  return (text, at) => {
    line.lastIndex = at;
    const found = line.exec(text);
    if (found === null || line.lastIndex - at > LONGEST_LINE) return undefined;
    const stationId = found[station] ?? '';
    let cells = stationId;
    for (const group of others) cells += `,${found[group] ?? ''}`;
    return { stationId, cells, end: line.lastIndex };
  };
}

/** What a forecast row says, as a plain row; nothing when it says nothing. */
export function plainForecast(facts: readonly ForecastFact[]): string | undefined {
  if (facts[0] === undefined) return undefined;
  const [, stationId, targetDate, issuedAt] = facts[0];
  return [stationId, issuedAt, targetDate, value(facts, 'high'), value(facts, 'low')].join(',');
}

/** What an observation row says, as a plain row; nothing when it says nothing. */
export function plainObservation(facts: readonly ObservationFact[]): string | undefined {
  if (facts[0] === undefined) return undefined;
  const [, stationId, date, status, observedAt] = facts[0];
  return [stationId, date, value(facts, 'high'), value(facts, 'low'), status, observedAt].join(',');
}

function value(facts: readonly (ForecastFact | ObservationFact)[], metric: Metric): string {
  return `${facts.find(([one]) => one === metric)?.at(-1) ?? ''}`;
}
