import { QUANTITIES } from '../../variables/declarations.js';
import {
  DEGREE_UNITS,
  getScale,
  getUsualThreshold,
  hasDegrees,
  toSteps,
  writeWithUnit,
} from '../../variables/units.js';
import { defineGroup } from '../groups.js';
import { listText, word } from '../parameters.js';
import { variable } from './common.js';
import { OF_DEGREE_DAYS, readChoices } from './variable-choices.js';
import { validateErrorSizes, validateValues, writeLimits } from './value-limits.js';
import { VARIABLE_NAMES, type VariableName, VARIABLES } from '../../variables/variables.js';
import { temperatureUnit } from './temperature-unit.js';

const MAX_THRESHOLDS = 10;

/** A size of errors, or a temperature. */
export interface Threshold {
  /** In the unit of the request. */
  degrees: number;
  /** Whole hundredths of a °F: errors or temperatures are beyond them if they are beyond the threshold. */
  hundredths: number;
}

/**
 * The schema of a list of numbers: ascending, each once.
 * @param number what one looks like, as a regular expression
 */
export function listOfNumbers(number: string, numbers: string, isAllowed = (_each: number): boolean => true) {
  const issue = `must be 1 to ${MAX_THRESHOLDS} ${numbers}, with commas between them`;
  return listText()
    .regex(new RegExp(`^${number}(,${number})*$`), issue)
    .transform((text) => text.split(',').map((each) => Number(each) + 0))
    .refine((found) => found.length <= MAX_THRESHOLDS && found.every(isAllowed), issue)
    .transform((found) => [...new Set(found)].sort((a, b) => a - b));
}

/** Thresholds as the scripts of recompute.sql list them: as requested, and in whole hundredths of a °F. */
export const thresholdRows = (thresholds: readonly Threshold[]): number[][] =>
  thresholds.map(({ degrees, hundredths }) => [degrees, hundredths]);

/** @param wholeFahrenheit makes whole hundredths of a °F of those of the request's unit */
const parseThresholds = (
  degrees: readonly number[],
  wholeFahrenheit: (hundredths: number) => number,
): Threshold[] =>
  // Without what binary fractions add: 2.55 times 100 is 254.99999999999997.
  degrees.map((each) => ({ degrees: each, hundredths: wholeFahrenheit(Math.round(each * 1e8) / 1e6) }));

/** The sizes of errors of variables without degrees. */
const OTHER_SIZES = VARIABLE_NAMES.filter((name) => !hasDegrees(name))
  .map((name) => {
    const { plural, quantity } = VARIABLES[name];
    return `; of ${plural} ${writeWithUnit(`0 to ${QUANTITIES[quantity].largestError}`, name, 'fahrenheit')}`;
  })
  .join('');

/** A list of sizes of errors, in the unit of the request; ascending, each once. */
export function thresholds(fallback: string) {
  return defineGroup({
    parameters: {
      thresholds: listOfNumbers('\\d{1,3}(\\.\\d+)?', 'numbers of 0 or more')
        .prefault(fallback)
        .meta({
          type: 'string',
          default: fallback,
          description:
            `Sizes of errors, °F, or in the unit of the request: 1 to ${MAX_THRESHOLDS} numbers from 0 to ${QUANTITIES.temperature.largestError}, ` +
            `separated by commas${OTHER_SIZES}`,
          example: '2.5,5,10',
        }),
      ...variable.parameters,
      ...temperatureUnit.parameters,
    },
    read({ thresholds, metric, temp_unit }) {
      const issue = validateErrorSizes('thresholds', thresholds, { metric, temp_unit });
      if (issue !== undefined) return [issue];
      // Errors are whole hundredths of a °F, so what is above 1.8 of them is above 1, and none is lost between.
      const scale = { ...getScale(temp_unit, metric), zero: 0 };
      const found = parseThresholds(thresholds, (hundredths) => Math.floor(toSteps(hundredths, scale)));
      return (): readonly Threshold[] => found;
    },
    cacheKey: (found) => found.map(({ degrees }) => degrees),
  });
}

export const DIRECTIONS = ['at_or_above', 'at_or_below'] as const;

/** The events of a request: temperatures at a threshold or beyond it, one event for each threshold. */
export interface ThresholdEvents {
  direction: (typeof DIRECTIONS)[number];
  thresholds: readonly Threshold[];
}

/** The threshold of each variable without one. */
const USUAL = VARIABLE_NAMES.map((name) => {
  const { plural } = VARIABLES[name];
  const texts = DEGREE_UNITS.map((unit) => writeWithUnit(getUsualThreshold(name, unit), name, unit));
  return `${[...new Set(texts)].join(' or ')} for ${plural}`;
}).join(', ');

/** The limits of each variable. */
const LIMITS = VARIABLE_NAMES.map(
  (name) => `${writeLimits(name, 'fahrenheit')} for ${VARIABLES[name].plural}`,
).join(', ');

/**
 * Temperatures are whole hundredths of a °F: the nearest one that is at the threshold or beyond it. Other values are kept to a step that is
 * coarser than those of feeds in mm or m/s: a threshold is rounded as they are, so that 10 mm is an event of 10 mm or more (0.39 inch).
 */
const roundThreshold = (metric: VariableName, direction: ThresholdEvents['direction']) =>
  !hasDegrees(metric) ? Math.round : direction === 'at_or_above' ? Math.ceil : Math.floor;

/** The events by which a request judges forecasts, their thresholds in its unit. */
export const thresholdEvents = defineGroup({
  parameters: {
    thresholds: listOfNumbers('-?\\d{1,3}(\\.\\d+)?', 'numbers below 1000')
      .optional()
      .meta({
        type: 'string',
        description:
          `Values of the metric, °F, or in the unit of the request: 1 to ${MAX_THRESHOLDS} numbers, separated by commas, within ` +
          `the limits of the metric: ${LIMITS}; default: ${USUAL}`,
        example: '90,95,100',
      }),
    direction: word(
      DIRECTIONS,
      'Which side of a threshold is the event; default: at_or_below for lows, else at_or_above',
    ).optional(),
    ...OF_DEGREE_DAYS,
    ...variable.parameters,
    ...temperatureUnit.parameters,
  },
  read({ metric, temp_unit, base, cap, method, ...given }) {
    const { usual } = VARIABLES[metric];
    const { thresholds = [getUsualThreshold(metric, temp_unit)], direction = usual.direction } = given;
    const choices = readChoices({ base, cap, method }, metric);
    const issue = validateValues('thresholds', thresholds, { metric, temp_unit, choices });
    if (issue !== undefined) return [issue];
    const round = roundThreshold(metric, direction);
    const found = parseThresholds(thresholds, (hundredths) =>
      round(toSteps(hundredths, getScale(temp_unit, metric))),
    );
    return (): ThresholdEvents => ({ direction, thresholds: found });
  },
  cacheKey: ({ direction, thresholds }: ThresholdEvents) => [
    direction,
    ...thresholds.map(({ degrees }) => degrees),
  ],
});
