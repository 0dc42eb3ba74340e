import type { DayScope } from '../../queries/conditions.js';
import {
  DAY_HOURS_COLUMNS,
  dayHoursDifference,
  nearDates,
  reportsNear,
} from '../../queries/hourly-temperatures.js';
import { type Histogram, HISTOGRAMS } from '../../queries/histograms.js';
import { OF_DAYS, OF_HOURS, ofDayScope } from '../../queries/conditions.js';
import { raw, sql, type Statement } from '../../queries/sql.js';
import { histogramDifference } from './histogram-difference.js';
import { dayDifference, hourDifference, LEDGER_COLUMNS, type Shortcuts } from './ledger-difference.js';

/** A table that follows from others: a load inserts what it lacks, an audit counts that. */
export interface DerivedTable {
  name: string;
  follows: 'facts' | 'ledger';
  /** The columns that the difference fills, in its order. */
  columns: Statement;
  /** The rows that it lacks for station days. Inserted again, it adds nothing. */
  difference: (days: DayScope, loadId: number, shortcuts?: Shortcuts) => Statement;
}

/** One that follows from facts. */
export interface DerivedFromFacts extends DerivedTable {
  /** The facts of station days, for use after FROM. */
  makeFacts: (days: DayScope) => Statement;
  /** The variable of a fact, where a difference of fewer of them takes less time. */
  metric?: Statement;
  /** Which rows of the table follow from these facts, as a condition; all without. */
  ofKind?: Statement;
}

export const STATION_DAYS: DerivedFromFacts = {
  name: 'station_days',
  follows: 'facts',
  columns: LEDGER_COLUMNS,
  difference: dayDifference,
  ofKind: OF_DAYS,
  makeFacts: (days) => sql`forecasts WHERE ${ofDayScope(days)}`,
};

/** The rows of the same table that are of hours. */
export const STATION_HOURS: DerivedFromFacts = {
  ...STATION_DAYS,
  difference: hourDifference,
  ofKind: OF_HOURS,
  metric: raw('metric'),
  makeFacts: ({ span }) => sql`hourly_forecasts WHERE ${nearDates(span, 'hourly_forecasts')}`,
};

export const STATION_DAY_HOURS: DerivedFromFacts = {
  name: 'station_day_hours',
  follows: 'facts',
  columns: DAY_HOURS_COLUMNS,
  difference: (days, loadId, shortcuts) => dayHoursDifference(days, loadId, shortcuts?.haveOneVersion),
  makeFacts: (days) => sql`hours WHERE ${reportsNear(days)}`,
};

const derivedFromLedger = (histogram: Histogram): DerivedTable => ({
  name: histogram.table,
  follows: 'ledger',
  columns: raw(`${histogram.key.join(', ')}, pair_count, preliminary_pair_count`),
  difference: ({ span }) => histogramDifference(histogram, span),
});

/** In the order in which they are reconciled. */
export const DERIVED_TABLES: readonly DerivedTable[] = [
  STATION_DAYS,
  STATION_HOURS,
  STATION_DAY_HOURS,
  ...HISTOGRAMS.map(derivedFromLedger),
];
