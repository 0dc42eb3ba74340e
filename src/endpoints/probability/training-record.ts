import { z } from 'zod';
import { count, numberOrNull } from '../../api/fields.js';
import { PROBABILITY_KAPPA, TRAINING_WINDOW } from '../../statistics/probability/training.js';
import type { Training } from '../../api/questions/probability.js';
import { rounded, sum, tenThousandths } from '../../statistics/statistics.js';
import { HOUR_MS } from '../../statistics/time/calendar.js';
import type { Learned } from './training.js';

const hours = (description: string) => z.number().nullable().meta({ description });

/** What a probability was learned from. */
export const trainingRecord = z
  .object({
    from: z.iso.date().meta({ description: 'First possible training day' }),
    to: z.iso
      .date()
      .meta({ description: 'Last possible training day: later days cannot be known at issuance' }),
    station_days: count("The station's days with a forecast at the lead time and a reported observation"),
    network_days: count('The same for all stations; rare events rest on these days'),
    weight_station: z.number().meta({
      description: "Weight of the station's days in the mixture, 0 to 1; the rest is the network's",
    }),
    mean_lead_hours: hours(
      'Mean lead time of the training forecasts, weighted like their days, hours; null without any',
    ),
    min_lead_hours: hours('The shortest lead time of them, hours'),
    max_lead_hours: hours('The longest lead time of them, hours'),
    bias_f: z
      .number()
      .nullable()
      .meta({ description: "Mean error of the station's days, °F; null without any" }),
    std_dev_f: numberOrNull('Population standard deviation of their errors, °F; null without any'),
    window: z.int().meta({ description: 'Number of days from `from` to `to`' }),
  })
  .meta({ id: 'ProbabilityTraining' });

/** That more days than usual are learned from, where the request says nothing of them; null where it is not so. */
export const widened = (window: number, { training }: { training: Training }): string | null =>
  training.window !== undefined || window <= TRAINING_WINDOW.usual
    ? null
    : `${TRAINING_WINDOW.usual} days have too few station days, so ${window} are learned from; window=${TRAINING_WINDOW.usual} keeps to these`;

/** Hints as the one of a record; null without any. */
export const joined = (hints: readonly string[]): string | null =>
  hints.length === 0 ? null : hints.join('. ');

export const widerHint = z
  .string()
  .nullable()
  .meta({ description: 'That more days than usual are learned from, as there are few stations; else null' });

export function trainingOf(learned: Learned): z.infer<typeof trainingRecord> {
  const { from, to, window, stationErrors, network, leads } = learned;
  const days = stationErrors.length;
  const mean = sum(stationErrors) / days;
  const variance = sum(stationErrors.map((error) => (error - mean) ** 2)) / days;
  const hoursOf = (ms: number | undefined): number | null =>
    ms === undefined ? null : rounded(ms / HOUR_MS);
  return {
    from,
    to,
    station_days: days,
    network_days: network.days,
    weight_station: tenThousandths(days / (days + PROBABILITY_KAPPA)) ?? 0,
    mean_lead_hours: hoursOf(leads?.mean),
    min_lead_hours: hoursOf(leads?.shortest),
    max_lead_hours: hoursOf(leads?.longest),
    bias_f: days === 0 ? null : rounded(mean / 100),
    std_dev_f: days === 0 ? null : rounded(Math.sqrt(variance) / 100),
    window,
  };
}
