import { z } from 'zod';
import { defineGroup } from '../../api/groups.js';
import { temperatureUnit } from '../../api/params/temperature-unit.js';
import type { Threshold } from '../../api/params/thresholds.js';
import { SCALES, toSteps, type Unit } from '../../variables/units.js';
import { type ComparedProviders, comparedProviders, leadTimesBy } from '../compare-params.js';

// The groups of a request about departures: forecasts of one provider that are far from those of the others.

const GROUPS = ['provider', 'station', 'lead_time_bucket', 'month'] as const;

export type DivergenceGroup = (typeof GROUPS)[number];

export const leadTimesDiffer = leadTimesBy(
  GROUPS,
  'provider',
  'without provider those of all together, months are of the target date. With lead_time_bucket a station day counts once ' +
    'in each lead time, otherwise once, with the latest forecast of each provider',
);

/** Two or more providers, none of them a reference. */
export const divergingProviders = defineGroup({
  parameters: { providers: comparedProviders.parameters.providers },
  read: ({ providers }, context) => comparedProviders.read({ providers, reference: undefined }, context),
  cacheKey: ({ names }: ComparedProviders) => names,
});

/** Three of the store's unit, or the nearest whole number of another: 2 °C. */
const getUsual = (unit: Unit): number => Math.round((3 * SCALES[unit].over) / SCALES[unit].times);
const [MIN_GAP, MAX_SKILLS] = [0.5, 30];
const THRESHOLD = `must be a number from ${MIN_GAP} to ${MAX_SKILLS}, with two decimals at most`;

/** How far a forecast is from the others to depart from them. */
export const departure = defineGroup({
  parameters: {
    threshold: z
      .string()
      .regex(/^\d{1,2}(\.\d{1,2})?$/, THRESHOLD)
      .transform(Number)
      .refine((degrees) => degrees >= MIN_GAP && degrees <= MAX_SKILLS, THRESHOLD)
      .optional()
      .meta({
        type: 'number',
        minimum: MIN_GAP,
        maximum: MAX_SKILLS,
        description:
          "The difference from the median of the other providers' forecasts at which a forecast departs from them, °F, or °C " +
          `with temp_unit=celsius; default: ${getUsual('fahrenheit')} °F or ${getUsual('celsius')} °C`,
      }),
    ...temperatureUnit.parameters,
  },
  read:
    ({ threshold, temp_unit }) =>
    (): Threshold => {
      const degrees = threshold ?? getUsual(temp_unit);
      return { degrees, hundredths: toSteps(Math.round(degrees * 100), { ...SCALES[temp_unit], zero: 0 }) };
    },
  cacheKey: ({ degrees }: Threshold) => degrees,
});
