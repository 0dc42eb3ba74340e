import { z } from 'zod';
import type { Unit } from '../../statistics/units.js';
import { defineGroup } from '../groups.js';
import { temperatureUnit } from './temperature-unit.js';

const MOST_THRESHOLDS = 10;
const HIGHEST = 50;

const FAULT = `must be 1 to ${MOST_THRESHOLDS} numbers from 0 to ${HIGHEST} with at most 2 decimals, with commas between them`;

/** A size of errors. */
export interface Threshold {
  /** In the unit of the question. */
  degrees: number;
  /** Whole hundredths of a °F: the errors above it are those above the threshold. */
  hundredths: number;
}

/** A list of sizes of errors, in the unit of the question; ascending, each once. */
export function thresholds(fallback: string) {
  return defineGroup({
    parameters: {
      thresholds: z
        .string()
        .regex(/^\d{1,2}(\.\d{1,2})?(,\d{1,2}(\.\d{1,2})?)*$/, FAULT)
        .transform((text) => text.split(',').map((number) => Math.round(Number(number) * 100)))
        .refine(
          (found) => found.length <= MOST_THRESHOLDS && found.every((each) => each <= HIGHEST * 100),
          FAULT,
        )
        .prefault(fallback)
        .meta({
          type: 'string',
          default: fallback,
          description:
            `Sizes of errors, °F, or °C with temp_unit=celsius: 1 to ${MOST_THRESHOLDS} numbers from 0 to ${HIGHEST}, ` +
            'separated by commas',
          example: '2.5,5,10',
        }),
      ...temperatureUnit.parameters,
    },
    read({ thresholds, temp_unit }) {
      const found = [...new Set(thresholds)]
        .sort((a, b) => a - b)
        .map((each) => ({ degrees: each / 100, hundredths: inFahrenheit(each, temp_unit) }));
      return (): readonly Threshold[] => found;
    },
    identity: (found) => found.map(({ hundredths }) => hundredths),
  });
}

/** Errors are whole hundredths of a °F, so what is above 1.8 of them is above 1, and none is lost between. */
const inFahrenheit = (hundredths: number, unit: Unit): number =>
  unit === 'celsius' ? Math.floor((hundredths * 9) / 5) : hundredths;
