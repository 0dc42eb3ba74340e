import { z } from 'zod';
import { defineGroup } from './groups.js';

const MOST_THRESHOLDS = 10;
const HIGHEST_F = 50;

const FAULT = `must be 1 to ${MOST_THRESHOLDS} numbers from 0 to ${HIGHEST_F} with at most 2 decimals, with commas between them`;

/** A list of sizes of errors in °F; its value is in hundredths, ascending, each once. */
export function thresholds(fallback: string) {
  return defineGroup({
    parameters: {
      thresholds: z
        .string()
        .regex(/^\d{1,2}(\.\d{1,2})?(,\d{1,2}(\.\d{1,2})?)*$/, FAULT)
        .transform((text) => text.split(',').map((number) => Math.round(Number(number) * 100)))
        .refine(
          (found) => found.length <= MOST_THRESHOLDS && found.every((each) => each <= HIGHEST_F * 100),
          FAULT,
        )
        .prefault(fallback)
        .meta({
          type: 'string',
          default: fallback,
          description: `Sizes of errors, °F: 1 to ${MOST_THRESHOLDS} numbers from 0 to ${HIGHEST_F}, with commas between them`,
          example: '2.5,5,10',
        }),
    },
    read({ thresholds = [] }) {
      const found = [...new Set(thresholds)].sort((a, b) => a - b);
      return () => found;
    },
    identity: (found: readonly number[]) => found,
  });
}
