// The variables: what is forecast and observed, one number of a station and a period. Each is declared here alone. Parameters,
// metadata, SQL, units, thresholds and texts follow from its declaration, and so do docs, clients, dashboards and the page.

/** How a value follows from the high and the low of a day, in whole hundredths of a °F. */
export interface Derivation {
  /** The sum of both, each times this. */
  high: 1;
  low: 1 | -1;
  /** Divided by this, halves up. */
  over: 1 | 2;
  /** Then how far it is below or above a base, at least 0. */
  base?: { side: 'below' | 'above'; hundredths: number };
}

/** The column of a variable that feeds have. */
interface FeedColumn {
  column: `${string}_f`;
  /** Values of a feed outside are rejected, °F. */
  plausible: { lowest: number; highest: number };
}

/** A variable of the feed of hourly forecasts, whose observations are reports within the day. */
interface OfHours {
  feed: 'hourly_forecasts';
}

/** A chance of the daily feeds, %. An amount is observed, and the day is 100 from `wet` hundredths of an inch, else 0. */
interface OfChance {
  chance: 'precip_chance';
  amount: 'precip_in';
  wet: number;
}

/** The events of a request without thresholds, °F and °C. */
interface UsualEvent {
  fahrenheit: number;
  celsius: number;
  direction: 'at_or_above' | 'at_or_below';
}

/** The field of a score in statistics of errors; the smaller, the better. */
export type ScoreName = 'mae' | 'brier_score';

interface Variable {
  /** As lists of choices name it. */
  label: string;
  /** As texts have it after a word: `MAE of highs`, `daily highs`. */
  plural: string;
  /** Values of a period; choices are grouped by it. */
  period: 'day' | 'hour';
  /** The unit of its values and errors, in °F. */
  unit: '°F' | '°F·day' | '%';
  /** In °C, a temperature has its zero moved, and a difference has not. A percentage has no degrees. */
  kind: 'temperature' | 'difference' | 'percentage';
  /** The measure of its forecasts, which alone ranks them. By MAE, chances of 0 or 100 would win. */
  score: ScoreName;
  definition: string;
  usual: UsualEvent;
  /** The column of a variable of the daily feeds; how one follows from them; the feed of any other. */
  of: FeedColumn | Derivation | OfHours | OfChance;
}

/** The limits of a temperature in a feed. */
const PLAUSIBLE = { lowest: -130, highest: 140 };

const MEAN = { high: 1, low: 1, over: 2 } as const;

/** The base of degree days in the climate reports of the USA, hundredths of a °F. */
const BASE = 6500;

const DECLARED = {
  high: {
    label: 'Daily high',
    plural: 'highs',
    period: 'day',
    unit: '°F',
    kind: 'temperature',
    score: 'mae',
    definition: 'the highest temperature of the day',
    usual: { fahrenheit: 90, celsius: 32, direction: 'at_or_above' },
    of: { column: 'high_f', plausible: PLAUSIBLE },
  },
  low: {
    label: 'Daily low',
    plural: 'lows',
    period: 'day',
    unit: '°F',
    kind: 'temperature',
    score: 'mae',
    definition: 'the lowest temperature of the day',
    usual: { fahrenheit: 32, celsius: 0, direction: 'at_or_below' },
    of: { column: 'low_f', plausible: PLAUSIBLE },
  },
  mean: {
    label: 'Daily mean',
    plural: 'means',
    period: 'day',
    unit: '°F',
    kind: 'temperature',
    score: 'mae',
    definition: '(high + low) / 2, to 0.01 °F, halves up',
    usual: { fahrenheit: 65, celsius: 18, direction: 'at_or_above' },
    of: MEAN,
  },
  range: {
    label: 'Diurnal range',
    plural: 'ranges',
    period: 'day',
    unit: '°F',
    kind: 'difference',
    score: 'mae',
    definition: 'high - low, the diurnal range',
    usual: { fahrenheit: 25, celsius: 14, direction: 'at_or_above' },
    of: { high: 1, low: -1, over: 1 },
  },
  hdd: {
    label: 'Heating degree days',
    plural: 'heating degree days',
    period: 'day',
    unit: '°F·day',
    kind: 'difference',
    score: 'mae',
    definition: 'max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees',
    usual: { fahrenheit: 20, celsius: 11, direction: 'at_or_above' },
    of: { ...MEAN, base: { side: 'below', hundredths: BASE } },
  },
  cdd: {
    label: 'Cooling degree days',
    plural: 'cooling degree days',
    period: 'day',
    unit: '°F·day',
    kind: 'difference',
    score: 'mae',
    definition: 'max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees',
    usual: { fahrenheit: 10, celsius: 5, direction: 'at_or_above' },
    of: { ...MEAN, base: { side: 'above', hundredths: BASE } },
  },
  temperature: {
    label: 'Temperature at an hour',
    plural: 'temperatures at hours',
    period: 'hour',
    unit: '°F',
    kind: 'temperature',
    score: 'mae',
    definition: 'the temperature at a full hour, UTC, by the nearest report within half an hour',
    usual: { fahrenheit: 32, celsius: 0, direction: 'at_or_below' },
    of: { feed: 'hourly_forecasts' },
  },
  wet_day: {
    label: 'Wet day',
    plural: 'chances of a wet day',
    period: 'day',
    unit: '%',
    kind: 'percentage',
    score: 'brier_score',
    definition:
      'the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0',
    usual: { fahrenheit: 50, celsius: 50, direction: 'at_or_above' },
    of: { chance: 'precip_chance', amount: 'precip_in', wet: 1 },
  },
} as const satisfies Record<string, Variable>;

/** A variable that a request about pairs may name. */
export type VariableName = keyof typeof DECLARED;

/** A variable of the daily feeds: what their facts have. */
export type Metric = {
  [Name in VariableName]: (typeof DECLARED)[Name]['of'] extends FeedColumn ? Name : never;
}[VariableName];

export const VARIABLES: Readonly<Record<VariableName, Variable>> = DECLARED;
export const VARIABLE_NAMES = Object.keys(DECLARED) as [VariableName, ...VariableName[]];
export const METRICS = VARIABLE_NAMES.filter((name) => 'column' in VARIABLES[name].of) as ['high', 'low'];

/** The columns of the variables that feeds have. */
export const FEED_COLUMNS_OF: Readonly<Record<Metric, FeedColumn>> = {
  high: DECLARED.high.of,
  low: DECLARED.low.of,
};

/** The columns of a wet day's chance and amount, and the least amount that is wet, hundredths of an inch. */
export const WET_DAY: OfChance = DECLARED.wet_day.of;

/** How a variable follows from the high and the low; undefined for what feeds say. */
export function getDerivation(name: VariableName): Derivation | undefined {
  const { of } = VARIABLES[name];
  return 'over' in of ? of : undefined;
}

/** Whether its values are chances: then RMSE² is the Brier score. */
export const isChance = (name: VariableName): boolean => VARIABLES[name].kind === 'percentage';

/** The variables with rows in the ledger; the others follow from them. */
export const LEDGER_NAMES = VARIABLE_NAMES.filter((name) => getDerivation(name) === undefined) as [
  VariableName,
  ...VariableName[],
];

/** Whether its values are of hours: a day then has several. */
export const isHourly = (name: VariableName): name is HourlyName => VARIABLES[name].period === 'hour';

/** A variable with values of hours, or of degrees of days. */
export type HourlyName = {
  [Name in VariableName]: (typeof DECLARED)[Name]['period'] extends 'hour' ? Name : never;
}[VariableName];
export type DailyName = Exclude<VariableName, HourlyName | 'wet_day'>;
export const HOURLY_NAMES = VARIABLE_NAMES.filter(isHourly) as [HourlyName, ...HourlyName[]];
export const DAILY_NAMES = VARIABLE_NAMES.filter((name) => !isHourly(name) && !isChance(name)) as [
  DailyName,
  ...DailyName[],
];

/** The variables of the feeds that it follows from. */
export const getSources = (name: VariableName): readonly Metric[] =>
  getDerivation(name) === undefined ? [name as Metric] : METRICS;

/** The value of a day by its high and low, all whole hundredths of a °F. */
export function derive({ high, low, over, base }: Derivation, highs: number, lows: number): number {
  const combined = Math.floor((high * highs + low * lows) / over + 0.5);
  if (base === undefined) return combined;
  return Math.max(0, base.side === 'below' ? base.hundredths - combined : combined - base.hundredths);
}

/** The least and the greatest value that a day or an hour can have, in °F or %: those of a feed, or what follows from them. */
export function getValueLimits(name: VariableName): { lowest: number; highest: number } {
  const { of, kind } = VARIABLES[name];
  if (kind === 'percentage') return { lowest: 0, highest: 100 };
  if (!('over' in of)) return 'plausible' in of ? of.plausible : PLAUSIBLE;
  const [coldest, hottest] = [100 * PLAUSIBLE.lowest, 100 * PLAUSIBLE.highest];
  // No value is beyond those of the coldest, the hottest and the most uneven day.
  const values = [
    [coldest, coldest],
    [hottest, hottest],
    [hottest, coldest],
  ].map(([high, low]) => derive(of, high!, low!) / 100);
  return { lowest: Math.min(...values), highest: Math.max(...values) };
}
