import type { Expression, Source } from './expression.js';

// Quantities and variables: what is measured in which units, and what is forecast and observed, one number of a station and a period.
// Each is declared here alone: a new variable, such as wind speed, is one more entry. Feeds, parameters, metadata, SQL, units, thresholds
// and texts follow, and so do docs, clients, dashboards and the page. They ask for its period, score and quantity, never for its name.

/**
 * A unit in whole numbers: hundredths of it, times `times`, by `over`, plus `zero`, are steps: hundredths of its quantity's unit, in
 * which the store has whole ones.
 */
export interface Scale {
  times: number;
  over: number;
  zero: number;
  /** One of it, steps. */
  size: number;
}

const scale = (times = 1, over = 1, zero = 0): Scale => ({ times, over, zero, size: (100 * times) / over });

/** Systems of units that a request may name (D72). */
export const SYSTEMS = ['us', 'metric', 'si'] as const;
export type System = (typeof SYSTEMS)[number];

interface Quantity {
  /** The unit of its steps and of responses, and that of responses in Celsius, if it has degrees. */
  unit: string;
  celsius?: string;
  /** The units that a request may choose, by the words that end names of columns. */
  words?: Readonly<Record<string, string>>;
  /** Its unit in each system: of several the first in which feeds have the variable, as snow in cm and rain in mm. */
  systems?: Readonly<Record<System, readonly [string, ...string[]]>>;
  /** All units of it that feeds or responses have. */
  units: Readonly<Record<string, Scale>>;
  /** The largest size of errors that a request may name. */
  largestError: number;
  /** Amounts, mostly 0 and seldom large, are judged in classes: the first number of each, by unit (D74). */
  classes?: Readonly<Record<string, readonly number[]>>;
  /** Whether values of days add up to that of a month. */
  isSummed?: true;
  /** How a forecast is wrong that is above what was observed, and below. */
  sides: readonly [above: string, below: string];
}

const SIDES = ['high', 'low'] as const;

const UNITS_OF = {
  temperature: {
    unit: '°F',
    celsius: '°C',
    units: { '°F': scale(), '°C': scale(9, 5, 3200) },
    words: { f: '°F', c: '°C' },
    systems: { us: ['°F'], metric: ['°C'], si: ['°C'] },
    largestError: 50,
    sides: ['warm', 'cold'],
  },
  /** Its zero is never moved. */
  difference: {
    unit: '°F',
    celsius: '°C',
    units: { '°F': scale(), '°C': scale(9, 5) },
    largestError: 50,
    sides: SIDES,
  },
  degree_days: {
    unit: '°F·day',
    celsius: '°C·day',
    units: { '°F·day': scale(), '°C·day': scale(9, 5) },
    largestError: 50,
    isSummed: true,
    sides: SIDES,
  },
  percent: { unit: '%', units: { '%': scale(), '1': scale(100) }, largestError: 100, sides: SIDES },
  /** A mile is 1,609.344 m, a nautical mile 1,852 m. */
  speed: {
    unit: 'kt',
    units: { kt: scale(), mph: scale(50292, 57875), 'm/s': scale(900, 463), 'km/h': scale(250, 463) },
    words: { kt: 'kt', mph: 'mph', ms: 'm/s', kmh: 'km/h' },
    systems: { us: ['mph'], metric: ['km/h'], si: ['m/s'] },
    largestError: 100,
    sides: SIDES,
  },
  length: {
    unit: 'inches',
    units: { inches: scale(), mm: scale(5, 127), cm: scale(50, 127) },
    words: { in: 'inches', mm: 'mm', cm: 'cm' },
    systems: { us: ['inches'], metric: ['mm', 'cm'], si: ['mm', 'cm'] },
    largestError: 50,
    classes: {
      inches: [0, 0.01, 0.1, 0.25, 0.5, 1],
      mm: [0, 0.2, 1, 2, 5, 10, 25],
      cm: [0, 0.1, 1, 2.5, 5, 10, 25],
    },
    isSummed: true,
    sides: SIDES,
  },
} as const satisfies Record<string, Quantity>;

export type QuantityName = keyof typeof UNITS_OF;

type PlainUnits<Each> = Each extends { celsius: string }
  ? never
  : Each extends { units: infer Units }
    ? keyof Units
    : never;
/** The units of what has no degrees. */
export type PlainUnit = PlainUnits<(typeof UNITS_OF)[QuantityName]>;
export const QUANTITIES: Readonly<Record<QuantityName, Quantity>> = UNITS_OF;

/** Values that a day or an hour can have. */
export interface ValueLimits {
  lowest: number;
  highest: number;
}

/** A column of values in feeds. */
export interface CellColumn {
  name: string;
  /** One of its quantity. */
  unit: string;
  /** Range check: values of a feed outside are rejected, in the unit. */
  limits: ValueLimits;
  /** Numbers within the limits that archives write for a missing value. */
  sentinels: readonly number[];
  /** A text that is 0 as well, in capitals. */
  trace?: 'T';
  /** Less than its quantity's unit by this is 0. */
  minOver?: number;
}

/** A column in the unit of responses, and those in other units that a file may have instead. */
export type Columns = readonly [CellColumn, ...CellColumn[]];

interface Stored {
  /** The number by which tables have it: it never changes, and no other variable gets it. */
  code: number;
}

/** Feeds have its forecasts and its observations under one name: those of a day, or of hours. */
interface Observed extends Stored {
  columns: Columns;
  /** Which report of hours counts: the nearest within half an hour, unless it is the one that says most in the hour that ends there (D71). */
  match?: 'highest of the hour';
  /** The value of a report that says the sky alone. */
  bySky?: Readonly<Record<Sky, number>>;
}

/** The ways to round the mean of a high and a low: to a step, or to whole degrees as the NWS has it. */
export const MEANS = ['exact', 'nws'] as const;

/** The choices that a request has of a variable, by their parameters (D73): amounts and temperatures are steps. */
export interface Choices {
  /** The least amount of a wet day. */
  wet_at?: number;
  /** The base of degree days. */
  base?: number;
  /** Highs and lows above it count as it, those below the base as the base. */
  cap?: number;
  method?: (typeof MEANS)[number];
}
type Chosen = Required<Choices>;

/** A value that follows from two others of the day, with the choices of its variable. */
interface Derivation {
  from: readonly [Source, Source];
  value: (chosen: Chosen) => Expression;
}

/** A chance is forecast, and an amount is observed: the outcome is 100 from the amount `wet_at` on, else 0. */
export interface Chance extends Stored {
  chance: Columns;
  amount: Columns;
  /** Both are of so many hours that end at the hour of the forecast; without, they are of a day (D76). */
  window_hours?: 1 | 6 | 12;
}

/** The field of a score in statistics of errors; the smaller, the better. */
export type ScoreName = 'mae' | 'brier_score';

export interface Variable {
  /** As lists of choices name it. */
  label: string;
  /** As texts have it after a word: `MAE of highs`, `daily highs`. */
  plural: string;
  quantity: QuantityName;
  /** Values of a period; choices are grouped by it. */
  period: 'day' | 'hour';
  /** The measure of its forecasts, which alone ranks them. By MAE, chances of 0 or 100 would win. */
  score: ScoreName;
  definition: string;
  /** Names that other services have for it. */
  otherNames?: readonly string[];
  /** Another one of its row that it is not below, but for so many steps of rounding. */
  notBelow?: readonly [name: string, rounding: number];
  /** The event of a request without thresholds, by the unit of the response. */
  usual: { thresholds: Readonly<Record<string, number>>; direction: 'at_or_above' | 'at_or_below' };
  of: Observed | Derivation | Chance;
  /** Its choices without any in a request, and the definition of the variable with some. */
  choices?: { defaults: Choices; define: (chosen: Chosen) => string };
}

/**
 * The columns of a temperature. The records of the World Meteorological Organization are -128.6 °F (Vostok, 1983) and 134 °F (Furnace
 * Creek, 1913). Sentinels are the ends of the range too; a row of nines is no temperature in °C.
 */
export const temperatures = (name: string): Columns => [
  {
    name: `${name}_f`,
    unit: '°F',
    limits: { lowest: -130, highest: 140 },
    sentinels: [0, 99, 99.9, 99.99, -99, -99.9, -99.99, 140, -130],
  },
  { name: `${name}_c`, unit: '°C', limits: { lowest: -90, highest: 60 }, sentinels: [0, -90, 60] },
];

/**
 * The columns of a speed. The highest mean of ten minutes at a station is 150 kt or so, the highest gust 220 kt (Barrow Island, 1996).
 * Archives write a missing one as nines.
 */
const speeds = (name: string, highestKt: number): Columns => [
  { name: `${name}_kt`, unit: 'kt', limits: { lowest: 0, highest: highestKt }, sentinels: NINES },
  { name: `${name}_mph`, unit: 'mph', limits: speedLimits(highestKt, 1.151), sentinels: NINES },
  { name: `${name}_ms`, unit: 'm/s', limits: speedLimits(highestKt, 0.5144), sentinels: NINES },
  { name: `${name}_kmh`, unit: 'km/h', limits: speedLimits(highestKt, 1.852), sentinels: NINES },
];

const NINES = [99, 99.9, 99.99];
const speedLimits = (highestKt: number, perKt: number): ValueLimits => ({
  lowest: 0,
  highest: Math.floor(highestKt * perKt),
});

/** Below 0.2 mm an amount is 0: archives write a trace as 0.005 or 0.0001 inch (D68). */
const OF_PRECIPITATION = { minOver: 127 } as const;

/** The columns of the precipitation of a day. The record is 1,825 mm (D68). */
const PRECIPITATION: Columns = [
  {
    ...{ name: 'precip_in', unit: 'inches', limits: { lowest: 0, highest: 80 }, sentinels: [9.9, 9.99] },
    ...{ trace: 'T', ...OF_PRECIPITATION },
  },
  {
    ...{ name: 'precip_mm', unit: 'mm', limits: { lowest: 0, highest: 2000 } },
    ...{ sentinels: [99, 99.9, 99.99, 999, 999.9, 999.99], trace: 'T', ...OF_PRECIPITATION },
  },
];

/** How much of the sky is covered, from none to all; VV where only a vertical visibility is told. */
export const SKIES = ['CLR', 'FEW', 'SCT', 'BKN', 'OVC', 'VV'] as const;
export type Sky = (typeof SKIES)[number];

/**
 * Middles of the eighths that each word stands for: 0, 1 to 2, 3 to 4, 5 to 7, and 8, by the Federal Meteorological Handbook No. 1
 * (2019, chapter 9). A sky that is obscured counts as covered there.
 */
const COVERED_PERCENT: Readonly<Record<Sky, number>> = {
  CLR: 0,
  FEW: 19,
  SCT: 44,
  BKN: 75,
  OVC: 100,
  VV: 100,
};

const [MEAN_WIND_KT, GUST_KT] = [200, 250];

/** The columns of the amount of a window that ends with its report. The most in an hour is 12 inches, in twelve 45 (D56). */
const windowAmounts = (name: string): Columns => [
  {
    ...{ name: `${name}_in`, unit: 'inches', limits: { lowest: 0, highest: 50 }, sentinels: [9.9, 9.99] },
    ...{ trace: 'T', ...OF_PRECIPITATION },
  },
  {
    ...{ name: `${name}_mm`, unit: 'mm', limits: { lowest: 0, highest: 1270 } },
    ...{ sentinels: [99, 99.9, 99.99, 999, 999.9, 999.99], trace: 'T', ...OF_PRECIPITATION },
  },
];

/** The columns of a chance; the words of a window follow. */
const chanceColumns = (window: string): Columns => [
  {
    name: `precip_chance${window}`,
    unit: '%',
    limits: { lowest: 0, highest: 100 },
    sentinels: [9.99, 99, 99.9, 99.99],
  },
  { name: `precip_probability${window}`, unit: '1', limits: { lowest: 0, highest: 1 }, sentinels: [] },
];

const HIGH_AND_LOW = ['high', 'low'] as const;
// The NWS rounds the mean of whole degrees once: a half goes up.
const meanOf = (high: Expression, low: Expression, method?: Choices['method']): Expression =>
  method === 'nws' ? ['*', 100, ['over', 200, ['+', high, low]]] : ['over', 2, ['+', high, low]];
const MEAN = meanOf('high', 'low');

const inDegrees = (steps: number): string => `${steps / 100} °F`;
const ofMean = ({ method }: Pick<Chosen, 'method'>): string =>
  method === 'nws'
    ? 'of the mean in whole degrees, halves up'
    : 'of the mean to 0.01 °F, not of whole degrees';

type DegreeDays = Pick<Chosen, 'base' | 'method'>;
/** The base of degree days in the climate reports of the USA. */
const DEGREE_DAYS: DegreeDays = { base: 6500, method: 'exact' };
const defineHeating = (of: DegreeDays): string =>
  `max(0, ${inDegrees(of.base)} - mean), heating degree days, ${ofMean(of)}`;
const defineCooling = (of: DegreeDays): string =>
  `max(0, mean - ${inDegrees(of.base)}), cooling degree days, ${ofMean(of)}`;

/** The base and the cap of growing degree days of maize, 50 and 86 °F. */
const GROWING = { base: 5000, cap: 8600, method: 'exact' } as const;
const defineGrowing = (of: DegreeDays & Pick<Chosen, 'cap'>): string =>
  `max(0, mean - ${inDegrees(of.base)}), growing degree days, with high and low cut to ${of.base / 100} to ${inDegrees(of.cap)}, ${ofMean(of)}`;

const WET = { wet_at: 1 };
const inInches = ({ wet_at }: Pick<Chosen, 'wet_at'>): string =>
  wet_at === 1 ? '0.01 inch (0.2 mm)' : `${wet_at / 100} inch`;
const defineWetDay = (chosen: Pick<Chosen, 'wet_at'>): string =>
  `the chance of a wet day, one with ${inInches(chosen)} of precipitation or more; ` +
  'a wet day is observed as 100, any other as 0';

/** The chance of rain in a window of hours; services publish it for 12, 6 or 1. */
const wetWindow = <Code extends number, Hours extends 1 | 6 | 12>(code: Code, window_hours: Hours) => {
  const of = window_hours === 1 ? 'an hour' : `${window_hours} hours`;
  const define = (chosen: Pick<Chosen, 'wet_at'>): string =>
    `the chance that ${inInches(chosen)} of precipitation or more falls in the ${window_hours === 1 ? 'hour that ends' : `${window_hours} hours that end`} at a full hour, UTC; ` +
    'a wet one is observed as 100, any other as 0';
  return {
    label: `Rain in ${of}`,
    plural: `chances of rain in ${of}`,
    quantity: 'percent',
    period: 'hour',
    score: 'brier_score',
    definition: define(WET),
    otherNames: [`pop${window_hours}`, `p${`${window_hours}`.padStart(2, '0')}`],
    usual: { thresholds: { '%': 50 }, direction: 'at_or_above' },
    of: {
      code,
      window_hours,
      chance: chanceColumns(`_${window_hours}h`),
      amount: windowAmounts(window_hours === 1 ? 'precip' : `precip_${window_hours}h`),
    },
    choices: { defaults: WET, define },
  } as const;
};

export const DECLARED = {
  high: {
    label: 'Daily high',
    plural: 'highs',
    quantity: 'temperature',
    period: 'day',
    score: 'mae',
    definition: 'the highest temperature of the day',
    otherNames: ['max', 'tmax', 'maximum'],
    notBelow: ['low', 0],
    usual: { thresholds: { '°F': 90, '°C': 32 }, direction: 'at_or_above' },
    of: { code: 1, columns: temperatures('high') },
  },
  low: {
    label: 'Daily low',
    plural: 'lows',
    quantity: 'temperature',
    period: 'day',
    score: 'mae',
    definition: 'the lowest temperature of the day',
    otherNames: ['min', 'tmin', 'minimum'],
    usual: { thresholds: { '°F': 32, '°C': 0 }, direction: 'at_or_below' },
    of: { code: 2, columns: temperatures('low') },
  },
  mean: {
    label: 'Daily mean',
    plural: 'means',
    quantity: 'temperature',
    period: 'day',
    score: 'mae',
    definition: '(high + low) / 2, to 0.01 °F, halves up',
    otherNames: ['average'],
    usual: { thresholds: { '°F': 65, '°C': 18 }, direction: 'at_or_above' },
    of: { from: HIGH_AND_LOW, value: () => MEAN },
  },
  range: {
    label: 'Diurnal range',
    plural: 'ranges',
    quantity: 'difference',
    period: 'day',
    score: 'mae',
    definition: 'high - low, the diurnal range',
    usual: { thresholds: { '°F': 25, '°C': 14 }, direction: 'at_or_above' },
    of: { from: HIGH_AND_LOW, value: () => ['-', 'high', 'low'] },
  },
  hdd: {
    label: 'Heating degree days',
    plural: 'heating degree days',
    quantity: 'degree_days',
    period: 'day',
    score: 'mae',
    definition: defineHeating(DEGREE_DAYS),
    usual: { thresholds: { '°F·day': 20, '°C·day': 11 }, direction: 'at_or_above' },
    of: {
      from: HIGH_AND_LOW,
      value: ({ base, method }) => ['max', 0, ['-', base, meanOf('high', 'low', method)]],
    },
    choices: { defaults: DEGREE_DAYS, define: defineHeating },
  },
  cdd: {
    label: 'Cooling degree days',
    plural: 'cooling degree days',
    quantity: 'degree_days',
    period: 'day',
    score: 'mae',
    definition: defineCooling(DEGREE_DAYS),
    usual: { thresholds: { '°F·day': 10, '°C·day': 5 }, direction: 'at_or_above' },
    of: {
      from: HIGH_AND_LOW,
      value: ({ base, method }) => ['max', 0, ['-', meanOf('high', 'low', method), base]],
    },
    choices: { defaults: DEGREE_DAYS, define: defineCooling },
  },
  gdd: {
    label: 'Growing degree days',
    plural: 'growing degree days',
    quantity: 'degree_days',
    period: 'day',
    score: 'mae',
    definition: defineGrowing(GROWING),
    otherNames: ['growing_degree_days'],
    usual: { thresholds: { '°F·day': 20, '°C·day': 11 }, direction: 'at_or_above' },
    of: {
      from: HIGH_AND_LOW,
      value: ({ base, cap, method }) => {
        const cut = (source: Source): Expression => ['max', base, ['min', cap, source]];
        // A mean of whole degrees may be below a base of tenths.
        return ['max', 0, ['-', meanOf(cut('high'), cut('low'), method), base]];
      },
    },
    choices: { defaults: GROWING, define: defineGrowing },
  },
  temperature: {
    label: 'Temperature at an hour',
    plural: 'temperatures at hours',
    quantity: 'temperature',
    period: 'hour',
    score: 'mae',
    definition: 'the temperature at a full hour, UTC, by the nearest report within half an hour',
    otherNames: ['temp'],
    notBelow: ['dew_point', 180],
    usual: { thresholds: { '°F': 32, '°C': 0 }, direction: 'at_or_below' },
    of: { code: 3, columns: temperatures('temp') },
  },
  dew_point: {
    label: 'Dew point at an hour',
    plural: 'dew points at hours',
    quantity: 'temperature',
    period: 'hour',
    score: 'mae',
    definition: 'the dew point at a full hour, UTC, by the nearest report within half an hour',
    otherNames: ['dewpoint', 'dwpt', 'dwpf'],
    usual: { thresholds: { '°F': 65, '°C': 18 }, direction: 'at_or_above' },
    of: { code: 5, columns: temperatures('dew_point') },
  },
  humidity: {
    label: 'Humidity at an hour',
    plural: 'relative humidities at hours',
    quantity: 'percent',
    period: 'hour',
    score: 'mae',
    definition: 'the relative humidity at a full hour, UTC, by the nearest report within half an hour',
    otherNames: ['rh', 'relh', 'relative_humidity'],
    usual: { thresholds: { '%': 90 }, direction: 'at_or_above' },
    of: {
      code: 6,
      columns: [{ name: 'humidity_pct', unit: '%', limits: { lowest: 0, highest: 100 }, sentinels: [] }],
    },
  },
  cloud_cover: {
    label: 'Clouds at an hour',
    plural: 'cloud covers at hours',
    quantity: 'percent',
    period: 'hour',
    score: 'mae',
    definition:
      'the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100',
    otherNames: ['cloud', 'clouds', 'cloudcover'],
    usual: { thresholds: { '%': 75 }, direction: 'at_or_above' },
    of: {
      code: 7,
      bySky: COVERED_PERCENT,
      columns: [{ name: 'cloud_pct', unit: '%', limits: { lowest: 0, highest: 100 }, sentinels: [] }],
    },
  },
  wind_speed: {
    label: 'Wind at an hour',
    plural: 'wind speeds at hours',
    quantity: 'speed',
    period: 'hour',
    score: 'mae',
    definition: 'the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0',
    otherNames: ['wind', 'windspeed', 'sknt'],
    usual: { thresholds: { kt: 15 }, direction: 'at_or_above' },
    of: { code: 8, columns: speeds('wind', MEAN_WIND_KT) },
  },
  wind_gust: {
    label: 'Gust at an hour',
    plural: 'gusts at hours',
    quantity: 'speed',
    period: 'hour',
    score: 'mae',
    definition:
      'the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair',
    otherNames: ['gust', 'gusts', 'gustspeed'],
    notBelow: ['wind_speed', 100],
    usual: { thresholds: { kt: 25 }, direction: 'at_or_above' },
    of: { code: 9, columns: speeds('gust', GUST_KT), match: 'highest of the hour' },
  },
  wet_day: {
    label: 'Wet day',
    plural: 'chances of a wet day',
    quantity: 'percent',
    period: 'day',
    score: 'brier_score',
    definition: defineWetDay(WET),
    otherNames: ['rain', 'pop'],
    usual: { thresholds: { '%': 50 }, direction: 'at_or_above' },
    of: {
      code: 4,
      chance: chanceColumns(''),
      amount: PRECIPITATION,
    },
    choices: { defaults: WET, define: defineWetDay },
  },
  wet_12h: wetWindow(14, 12),
  wet_6h: wetWindow(15, 6),
  wet_1h: wetWindow(16, 1),
  precip: {
    label: 'Precipitation of a day',
    plural: 'amounts of precipitation',
    quantity: 'length',
    period: 'day',
    score: 'mae',
    definition: 'the precipitation of the day; a trace, and all below 0.2 mm, is 0',
    otherNames: ['precipitation', 'rainfall', 'qpf', 'prcp'],
    usual: { thresholds: { inches: 0.1 }, direction: 'at_or_above' },
    of: { code: 10, columns: PRECIPITATION },
  },
  snowfall: {
    label: 'Snowfall of a day',
    plural: 'snowfalls of days',
    quantity: 'length',
    period: 'day',
    score: 'mae',
    definition: 'the depth of the snow that fell in the day; a trace is 0',
    otherNames: ['snow'],
    usual: { thresholds: { inches: 1 }, direction: 'at_or_above' },
    of: {
      code: 11,
      // The most of a day is 101 inches (Capracotta, 2015).
      columns: [
        {
          name: 'snow_in',
          unit: 'inches',
          limits: { lowest: 0, highest: 120 },
          sentinels: NINES,
          trace: 'T',
        },
        { name: 'snow_cm', unit: 'cm', limits: { lowest: 0, highest: 304 }, sentinels: NINES, trace: 'T' },
      ],
    },
  },
  max_wind: {
    label: 'Highest wind of a day',
    plural: 'highest winds of days',
    quantity: 'speed',
    period: 'day',
    score: 'mae',
    definition: 'the highest wind speed of the day, a mean of two or ten minutes as its service has it',
    otherNames: ['wspd_max', 'max_sknt'],
    usual: { thresholds: { kt: 20 }, direction: 'at_or_above' },
    of: { code: 12, columns: speeds('max_wind', MEAN_WIND_KT) },
  },
  max_gust: {
    label: 'Highest gust of a day',
    plural: 'highest gusts of days',
    quantity: 'speed',
    period: 'day',
    score: 'mae',
    definition: 'the highest wind gust of the day',
    otherNames: ['gust_max', 'peak_gust'],
    notBelow: ['max_wind', 100],
    usual: { thresholds: { kt: 30 }, direction: 'at_or_above' },
    of: { code: 13, columns: speeds('max_gust', GUST_KT) },
  },
} as const satisfies Record<string, Variable>;
