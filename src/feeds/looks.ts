import type { CellColumn } from '../variables/declarations.js';
import { findSpeedUnit, isSpeed } from './speed-steps.js';

// The looks of columns that are wrong although each cell is within its limits: another unit, sentinels (numbers that stand for a
// missing value), and hardly possible values. unit-check.ts has the one rule that uses these.

/** Values of one column that are judged together, without sentinels: as the file has them, in the order of its rows. */
export interface ColumnValues {
  values: readonly number[];
  /** The month of each, 1 to 12. */
  months: readonly number[];
  /** The latitude of the station, or of the one that is nearest to the equator; degrees north. */
  latitude: number;
}

export interface ColumnLook {
  /** Numbers that archives write for a missing value, and that lie within the limits of the column. */
  sentinels: readonly number[];
  /** Such a number is one where all other values of its station are so far away; so is one that is written in finer steps than these. */
  distance: number;
  /** A value above this is looked at in whatever row it stands. */
  beyond?: number;
  /** More is hardly possible; it is believed where two other rows of the station have a third as much. */
  highest?: number;
  unit: string;
  /** Which values are judged together: each station has a climate of its own. */
  by: 'provider' | 'station';
  /** Few values of each station are judged together with those of others. */
  isPooled: boolean;
  /** Words for the operator where the values are in another unit: what may be wrong, and the way out. Else undefined. */
  findOtherUnit: (of: ColumnValues) => string | undefined;
}

/** The way out where something is so. */
const when =
  (isSo: (of: ColumnValues) => boolean, wayOut: string): ColumnLook['findOtherUnit'] =>
  (of) =>
    isSo(of) ? wayOut : undefined;

/** Values of a season that say something of its climate. */
const MIN_OF_SEASON = 5;

/** Whether a month is one of the northern summer, 1 June to 31 August, or is half a year from it. */
const isSummer = (month: number, latitude: number, from = 6): boolean => {
  const north = latitude >= 0 ? month : ((month + 5) % 12) + 1;
  return north >= from && north <= 8;
};

const isWinter = (month: number, latitude: number): boolean => isSummer(((month + 5) % 12) + 1, latitude);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean of the values of some months; undefined where they are too few. */
function seasonMean({ values, months }: ColumnValues, isOf: (month: number) => boolean): number | undefined {
  const ofSeason = values.filter((_, at) => isOf(months[at]!));
  return ofSeason.length < MIN_OF_SEASON ? undefined : mean(ofSeason);
}

/** Up to here highs of warm seasons are above 46 °F, but for summits of 5,000 m; Fuji's, at 35.4°, are below in June. */
const SUBTROPICS = 34.5;

/** The lowest means of warm seasons, °F. */
interface WarmFloor {
  subtropics: number;
  to40: number;
  to60: number;
}

/**
 * Whether temperatures in °F are rather in °C: so cold in the tropics, or in summer up to 60° of latitude, is no station. El Alto, at
 * 4,060 m, has mean highs of 54 °F in July, Fuji 46 °F. The Jungfraujoch, at 3,580 m, has highs of 37 °F and lows of 28 °F.
 */
function areRatherCelsius(of: ColumnValues, below: WarmFloor): boolean {
  const { latitude } = of;
  const distance = Math.abs(latitude);
  const isWarm = (month: number): boolean =>
    distance <= 25 || (distance <= 60 && isSummer(month, latitude, distance <= SUBTROPICS ? 6 : 7));
  const level = seasonMean(of, isWarm);
  return (
    level !== undefined &&
    level < below[distance <= SUBTROPICS ? 'subtropics' : distance <= 40 ? 'to40' : 'to60']
  );
}

/** The highest means of values in °C, of all seasons and of winters, by the distance from the equator in degrees. */
interface WarmCeiling {
  all: (distance: number) => number;
  winter: (distance: number) => number;
}

/** Whether temperatures in °C are rather in °F: no place has such a mean. */
function areRatherFahrenheit(of: ColumnValues, above: WarmCeiling): boolean {
  const distance = Math.abs(of.latitude);
  const all = seasonMean(of, () => true);
  const winter = seasonMean(of, (month) => isWinter(month, of.latitude));
  return (
    (all !== undefined && all > above.all(distance)) ||
    (winter !== undefined && winter > above.winter(distance))
  );
}

/** The part of a look that is a column's own. */
type OwnLook = Partial<ColumnLook>;

const inFahrenheit = (below: WarmFloor): OwnLook => ({
  findOtherUnit: when((of) => areRatherCelsius(of, below), 'are they in °C? Name the columns so'),
});

const inCelsius = (above: WarmCeiling): OwnLook => ({
  findOtherUnit: when((of) => areRatherFahrenheit(of, above), 'are they in °F? Name the columns so'),
});

/** A mean above 50 °C is nowhere, and above 33 °C or 27 °C in no winter from 25° and 35° of latitude on. */
const IN_CELSIUS = inCelsius({
  all: (distance) => (distance >= 55 ? 33 : distance >= 45 ? 42 : 50),
  winter: (distance) => (distance >= 35 ? 27 : distance >= 25 ? 33 : Infinity),
});

const HIGH: WarmFloor = { subtropics: 46, to40: 39, to60: 31 };
const AT_HOURS: WarmFloor = { subtropics: 36, to40: 34, to60: 26 };
/** Lows of El Alto are as low as those of plains in °C. */
const LOW: WarmFloor = { subtropics: 16, to40: 26, to60: 22 };
/** The Altiplano has mean dew points of 10 °F in July, the Pamir 28 °F, and the Jungfraujoch 27 °F. */
const DEW_POINT: WarmFloor = { subtropics: 5, to40: 22, to60: 15 };

/** No place has a mean dew point above 30 °C: the shores of the Persian Gulf have 28. Nor are winters, or places of the north, so humid. */
const DEW_POINT_IN_CELSIUS = inCelsius({
  all: (distance) => (distance >= 55 ? 20 : 30),
  winter: (distance) => (distance >= 35 ? 20 : Infinity),
});

/** Standard deviations have no climate: one in °C is that of a better forecast in °F. */
export const OF_DEVIATIONS: OwnLook = { distance: 3, findOtherUnit: () => undefined };

const isMultiple = (value: number, step: number, within = 1e-6): boolean =>
  Math.abs(value - Math.round(value / step) * step) < within;

/** Whether nearly all amounts are in steps that inches have not: tenths of mm, or hundredths of an inch converted. */
function areInStepsOfMm(amounts: readonly number[]): boolean {
  const inSteps = amounts.filter((each) => isMultiple(each, 0.1) || isMultiple(each, 0.254, 0.006));
  return inSteps.length >= 0.9 * amounts.length;
}

const MIN_AMOUNTS = 8;

/** Amounts in inches of wet days or hours: more than the wettest places have, as a mean. */
interface WetLimits {
  /** In steps of mm, of 3 amounts and of 5. */
  ofThree: number;
  ofFive: number;
  /** In any steps, of 8 amounts, from 35° of latitude on and in the tropics: a July of Cherrapunji has 4.4. */
  outer: number;
  tropics: number;
}
const OF_DAYS: WetLimits = { ofThree: 1.5, ofFive: 0.75, outer: 1.2, tropics: 6 };
const OF_HOURS: WetLimits = { ofThree: 0.6, ofFive: 0.3, outer: 0.8, tropics: 1 };

const areTooMuch = (amounts: readonly number[], latitude: number, limits: WetLimits): boolean =>
  amounts.length >= MIN_AMOUNTS && mean(amounts) > (Math.abs(latitude) > 35 ? limits.outer : limits.tropics);

const areMillimetres =
  (limits: WetLimits) =>
  ({ values, latitude }: ColumnValues): boolean => {
    const amounts = values.filter((value) => value > 0);
    if (areTooMuch(amounts, latitude, limits)) return true;
    const minMean = amounts.length >= 5 ? limits.ofFive : amounts.length >= 3 ? limits.ofThree : Infinity;
    return areInStepsOfMm(amounts) && mean(amounts) > minMean;
  };

const shareOf = (amounts: readonly number[], isSo: (amount: number) => boolean): number =>
  amounts.filter(isSo).length / amounts.length;

/** Whether amounts are in steps of 0.01, and hardly half of them in those that gauges of mm have. */
const areInStepsOfInches = (amounts: readonly number[]): boolean =>
  shareOf(amounts, (each) => isMultiple(each, 0.01)) === 1 &&
  shareOf(amounts, (each) => isMultiple(each, 0.1) || isMultiple(each, 0.254, 0.006)) < 0.5;

/**
 * Whether amounts in mm are rather in inches: small, in steps of 0.01, of which gauges of mm have none, a fifth of them too small for
 * these and a fifth not. Snow of the poles is as little, and models write it so.
 */
function areInches({ values, latitude }: ColumnValues): boolean {
  const amounts = values.filter((value) => value > 0);
  if (amounts.length < MIN_AMOUNTS || Math.abs(latitude) > 60) return false;
  const level = mean(amounts);
  return (
    areInStepsOfInches(amounts) &&
    shareOf(amounts, (each) => each >= 0.2) >= 0.2 &&
    shareOf(amounts, (each) => each < 0.2) >= 0.2 &&
    level > 0.1 &&
    level < 0.8 &&
    Math.max(...amounts) < 8
  );
}

const INCHES_OF_DAYS: OwnLook = {
  beyond: 15,
  highest: 15,
  isPooled: true,
  findOtherUnit: when(areMillimetres(OF_DAYS), 'are they in mm? Name the column precip_mm'),
};

/** The record of an hour is 12 inches. */
export const INCHES_OF_HOURS: OwnLook = {
  distance: 2,
  beyond: 6,
  highest: 6,
  findOtherUnit: when(areMillimetres(OF_HOURS), 'are they in mm? Name the column so'),
};

/**
 * Whether amounts of hours in mm are rather in inches: in steps of 0.01, which gauges of mm do not have, many below a tenth, and hardly
 * any of an inch.
 */
function areInchesOfHours({ values }: ColumnValues): boolean {
  const amounts = values.filter((value) => value > 0);
  return (
    amounts.length >= MIN_AMOUNTS &&
    areInStepsOfInches(amounts) &&
    shareOf(amounts, (each) => each < 0.1) >= 0.3 &&
    shareOf(amounts, (each) => each >= 1) < 0.05
  );
}

export const MILLIMETRES_OF_HOURS: OwnLook = {
  beyond: 152,
  highest: 152,
  findOtherUnit: when(
    (of) => areInchesOfHours(of) || areTooMuch(toInches(of.values), of.latitude, OF_HOURS),
    'are they in inches, or tenths of mm? Name the column so, or divide them by 10',
  ),
};

const MILLIMETRES: OwnLook = {
  beyond: 381,
  highest: 381,
  isPooled: true,
  findOtherUnit: when(
    (of) => areInches(of) || areTooMuch(toInches(of.values), of.latitude, OF_DAYS),
    'are they in inches, or tenths of mm? Name the column precip_in, or divide them by 10',
  ),
};

const toInches = (values: readonly number[]): number[] =>
  values.filter((value) => value > 0).map((value) => value / 25.4);

/** Whether shares are parts of 1. 0 and 1 alone may be percents of a desert. */
const areParts = ({ values }: ColumnValues): boolean =>
  values.every((value) => value <= 1) && values.some((value) => value > 0 && value < 1);

/** A provider writes all its percents in one unit. */
const percents = (wayOut: string): OwnLook => ({
  by: 'provider',
  findOtherUnit: when(areParts, wayOut),
});

/** Chances in percent. @param inParts the column of probabilities */
export const getLookOfProbabilities = (inParts: string): OwnLook => ({
  ...percents(`are they probabilities of 0 to 1? Name the column ${inParts}`),
  beyond: 1, // one such value says that the others are percents; humidities and clouds are seldom below it
});

const MULTIPLY = 'are they parts of 1? Multiply them by 100';

/** So many days with snow say something of a mean; so many different depths are hardly all in steps of another unit by chance. */
const MIN_DEPTHS = 12;

const isMuchSnow = (values: readonly number[], max: number): boolean => {
  const depths = values.filter((value) => value > 0);
  return depths.length >= MIN_DEPTHS && mean(depths) > max;
};

/**
 * Whether depths of snow in inches are rather in cm: converted tenths of an inch, 0.7 cm for each mm of water, or too much. The deepest
 * means of winters are 7 inches (Thompson Pass, Sukayu); in whole inches hardly anyone measures.
 */
function areCentimetres({ values }: ColumnValues): boolean {
  const different = [...new Set(values)].filter((value) => value > 0);
  const areSteps = (step: number, within?: number): boolean =>
    different.every((each) => isMultiple(each, step, within));
  const isConverted = (areSteps(0.07) && !areSteps(0.1)) || areSteps(0.254, 0.051);
  return isMuchSnow(values, areSteps(1) ? 3 : 15) || (different.length >= MIN_DEPTHS && isConverted);
}

/** By the name of a column in a file. */
const OWN_LOOKS: Partial<Record<string, OwnLook>> = {
  high_f: inFahrenheit(HIGH),
  low_f: inFahrenheit(LOW),
  temp_f: inFahrenheit(AT_HOURS),
  max_6h_f: inFahrenheit(AT_HOURS),
  min_6h_f: inFahrenheit(LOW),
  precip_in: INCHES_OF_DAYS,
  precip_mm: MILLIMETRES,
  dew_point_f: inFahrenheit(DEW_POINT),
  dew_point_c: DEW_POINT_IN_CELSIUS,
  humidity_pct: percents(MULTIPLY),
  cloud_pct: percents(MULTIPLY),
  snow_in: {
    isPooled: true,
    findOtherUnit: when(areCentimetres, 'are they in cm, or mm? Name the column snow_cm'),
  },
  snow_cm: {
    isPooled: true,
    findOtherUnit: when(({ values }) => isMuchSnow(values, 40), 'are they in mm? Divide them by 10'),
  },
};

const speedLook = (unit: string): OwnLook => ({
  isPooled: true,
  findOtherUnit({ values }) {
    const found = findSpeedUnit(values, unit);
    return found && `are they in ${found}? Name the column so`;
  },
});

/** How far a sentinel is from all other values, by the unit of its column; else a quarter of its range. */
const DISTANCES: Partial<Record<string, number>> = { '°F': 40, '°C': 22, '%': 50, inches: 4, mm: 40 };

/** The look of a column of values; undefined where nothing is known of it. */
export function getLook(
  { name, unit, limits, sentinels }: CellColumn,
  more: OwnLook = {},
): ColumnLook | undefined {
  const own = {
    ...(unit === '°C' && IN_CELSIUS),
    ...(isSpeed(unit) && speedLook(unit)),
    ...OWN_LOOKS[name],
    ...more,
  };
  if (sentinels.length === 0 && own.findOtherUnit === undefined) return undefined;
  return {
    ...{
      sentinels,
      distance: DISTANCES[unit] ?? (limits.highest - limits.lowest) / 4,
      unit,
      by: 'station',
      isPooled: false,
    },
    ...{ findOtherUnit: () => undefined, ...own },
  };
}
