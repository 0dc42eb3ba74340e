import { z } from 'zod';
import { defineGroup } from '../../api/groups.js';
import { temperatureUnit } from '../../api/params/temperature-unit.js';
import type { Threshold } from '../../api/params/thresholds.js';
import { SCALES, type Unit } from '../../variables/units.js';
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

const USUAL: Record<Unit, number> = { fahrenheit: 3, celsius: 2 };
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
          `with temp_unit=celsius; default: ${USUAL.fahrenheit} °F or ${USUAL.celsius} °C`,
      }),
    ...temperatureUnit.parameters,
  },
  read:
    ({ threshold, temp_unit }) =>
    (): Threshold => {
      const degrees = threshold ?? USUAL[temp_unit];
      const hundredths = Math.round(degrees * 100);
      return { degrees, hundredths: (hundredths * SCALES[temp_unit].size) / 100 };
    },
  cacheKey: ({ degrees }: Threshold) => degrees,
});
