import { SENTINELS_F } from '../../feeds/forms.js';

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
  /** A provider writes all its chances in one unit. Other values are judged by station: each has a climate of its own. */
  by: 'provider' | 'station';
  /** Few values of each station are judged together with those of others. */
  isPooled: boolean;
  /** Whether the values are in another unit. */
  isOtherUnit: (of: ColumnValues) => boolean;
  /** Words for the operator: what may be wrong, and the way out. */
  wayOut: string;
}

/** Ends of the range, as in SENTINELS_F; a row of nines is no temperature in °C. */
const SENTINELS_C = [0, -90, 60];

/** Values of a season that say something of its climate. */
const MIN_OF_SEASON = 5;

/** Whether a month is one of the northern summer, 1 June to 31 August, or is half a year from it. */
const isSummer = (month: number, latitude: number, from = 6): boolean => {
  const north = latitude >= 0 ? month : ((month + 5) % 12) + 1;
  return north >= from && north <= 8;
};

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

/**
 * Whether temperatures in °C are rather in °F: a mean above 50 °C is nowhere, and above 33 °C or 27 °C in no winter from 25° and 35° of
 * latitude on.
 */
function areRatherFahrenheit(of: ColumnValues): boolean {
  const distance = Math.abs(of.latitude);
  const all = seasonMean(of, () => true);
  const winter = seasonMean(of, (month) => isSummer(((month + 5) % 12) + 1, of.latitude));
  return (
    (all !== undefined && all > (distance >= 55 ? 33 : distance >= 45 ? 42 : 50)) ||
    (winter !== undefined && distance >= 25 && winter > (distance >= 35 ? 27 : 33))
  );
}

/** A look of temperatures; those of a station are in one unit. */
const temperature = (below: WarmFloor, isCelsius: boolean): ColumnLook => ({
  sentinels: isCelsius ? SENTINELS_C : SENTINELS_F,
  distance: isCelsius ? 22 : 40,
  unit: isCelsius ? '°C' : '°F',
  by: 'station',
  isPooled: false,
  isOtherUnit: (of) => (isCelsius ? areRatherFahrenheit(of) : areRatherCelsius(of, below)),
  wayOut: isCelsius ? 'are they in °F? Name the columns so' : 'are they in °C? Name the columns so',
});

const HIGH: WarmFloor = { subtropics: 46, to40: 39, to60: 31 };
const AT_HOURS: WarmFloor = { subtropics: 36, to40: 34, to60: 26 };
/** Lows of El Alto are as low as those of plains in °C. */
const LOW: WarmFloor = { subtropics: 16, to40: 26, to60: 22 };

/** Standard deviations have no climate: one in °C is that of a better forecast in °F. */
const DEVIATION: ColumnLook = {
  sentinels: [9.9, 9.99],
  distance: 3,
  unit: '°',
  by: 'station',
  isPooled: false,
  isOtherUnit: () => false,
  wayOut: '',
};

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

/**
 * Whether amounts in mm are rather in inches: small, in steps of 0.01, of which gauges of mm have none, a fifth of them too small for
 * these and a fifth not. Snow of the poles is as little, and models write it so.
 */
function areInches({ values, latitude }: ColumnValues): boolean {
  const amounts = values.filter((value) => value > 0);
  if (amounts.length < MIN_AMOUNTS || Math.abs(latitude) > 60) return false;
  const share = (isSo: (amount: number) => boolean): number => amounts.filter(isSo).length / amounts.length;
  const level = mean(amounts);
  return (
    share((each) => isMultiple(each, 0.01)) === 1 &&
    share((each) => isMultiple(each, 0.1) || isMultiple(each, 0.254, 0.006)) < 0.5 &&
    share((each) => each >= 0.2) >= 0.2 &&
    share((each) => each < 0.2) >= 0.2 &&
    level > 0.1 &&
    level < 0.8 &&
    Math.max(...amounts) < 8
  );
}

const INCHES_OF_DAYS: ColumnLook = {
  sentinels: [9.9, 9.99],
  distance: 4,
  beyond: 15,
  highest: 15,
  unit: 'inches',
  by: 'station',
  isPooled: true,
  isOtherUnit: areMillimetres(OF_DAYS),
  wayOut: 'are they in mm? Name the column precip_mm',
};

/** The same of hours: a feed of these has no column of mm. The record of an hour is 12 inches. */
const INCHES_OF_HOURS: ColumnLook = {
  ...INCHES_OF_DAYS,
  distance: 2,
  beyond: 6,
  highest: 6,
  isOtherUnit: areMillimetres(OF_HOURS),
  wayOut: 'are they in mm? Divide them by 25.4',
};

const MILLIMETRES: ColumnLook = {
  sentinels: [99, 99.9, 99.99, 999, 999.9, 999.99],
  distance: 40,
  beyond: 381,
  highest: 381,
  unit: 'mm',
  by: 'station',
  isPooled: true,
  isOtherUnit: (of) => areInches(of) || areTooMuch(toInches(of.values), of.latitude, OF_DAYS),
  wayOut: 'are they in inches, or tenths of mm? Name the column precip_in, or divide them by 10',
};

const toInches = (values: readonly number[]): number[] =>
  values.filter((value) => value > 0).map((value) => value / 25.4);

const PROBABILITIES: ColumnLook = {
  sentinels: [9.99, 99, 99.9, 99.99],
  distance: 50,
  beyond: 1, // one such value says that the others are percents
  unit: '%',
  by: 'provider',
  isPooled: false,
  // 0 and 1 alone may be percents of a desert.
  isOtherUnit: ({ values }) =>
    values.every((value) => value <= 1) && values.some((value) => value > 0 && value < 1),
  wayOut: 'are they probabilities of 0 to 1? Name the column precip_probability',
};

/** The looks by the name of a column in a file; quantiles are compared with their forecast (staged-summary.ts). */
export const LOOKS: Readonly<Record<'daily' | 'hourly', Partial<Record<string, ColumnLook>>>> = {
  daily: {
    high_f: temperature(HIGH, false),
    low_f: temperature(LOW, false),
    high_c: temperature(HIGH, true),
    low_c: temperature(LOW, true),
    high_sd_f: DEVIATION,
    low_sd_f: DEVIATION,
    high_sd_c: DEVIATION,
    low_sd_c: DEVIATION,
    precip_in: INCHES_OF_DAYS,
    precip_mm: MILLIMETRES,
    precip_chance: PROBABILITIES,
  },
  hourly: {
    temp_f: temperature(AT_HOURS, false),
    max_6h_f: temperature(AT_HOURS, false),
    min_6h_f: temperature(LOW, false),
    temp_c: temperature(AT_HOURS, true),
    max_6h_c: temperature(AT_HOURS, true),
    min_6h_c: temperature(LOW, true),
    precip_in: INCHES_OF_HOURS,
  },
};
