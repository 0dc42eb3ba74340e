import { z } from 'zod';
import { toHundredths, toTenThousandths } from '../api/kinds.js';
import { count, differenceOrNull, numberOrNull } from '../api/fields.js';
import { PROBABILITY_KAPPA, type Training, TRAINING_WINDOW } from './training/training.js';
import { sum } from '../statistics/statistics.js';
import { HOUR_MS } from '../statistics/time/calendar.js';
import type { TrainingSample } from './training/archive.js';

const hours = (description: string) => numberOrNull(description, toHundredths);

/** The training of a probability. */
export const trainingRecord = z
  .object({
    from: z.iso.date().meta({ description: 'First possible training day' }),
    to: z.iso
      .date()
      .meta({ description: 'Last possible training day: later days cannot be known at issuance' }),
    station_days: count("The station's days with a forecast at the lead time and a reported observation"),
    network_days: count('The same for all stations; rare events rest on these days'),
    weight_station: toTenThousandths().meta({
      description: "Weight of the station's days in the mixture, 0 to 1; the rest is the network's",
    }),
    mean_lead_hours: hours(
      'Mean lead time of the training forecasts, weighted like their days, hours; null without any',
    ),
    min_lead_hours: hours('The shortest lead time of them, hours'),
    max_lead_hours: hours('The longest lead time of them, hours'),
    bias_f: differenceOrNull("Mean error of the station's days, °F; null without any"),
    std_dev_f: differenceOrNull('Population standard deviation of their errors, °F; null without any'),
  })
  .meta({ id: 'ProbabilityTraining' });

/** Remarks of the metadata on a response, where there are any. */
export const HINTS = {
  training_window: z
    .int()
    .optional()
    .meta({
      description: `Days learned from, where few stations need more than ${TRAINING_WINDOW.usual} and the request names no window`,
    }),
  hint: z
    .string()
    .optional()
    .meta({
      description:
        'What to know of the response, such as that the day has ended, that nothing of it is reported, that few own days count, ' +
        'or that the window or the lead is another than usual',
    }),
};

export const hinted = (
  hints: readonly string[],
  training_window: number,
  params: { training: Training },
): { training_window?: number; hint?: string } => {
  const isWider = params.training.window === undefined && training_window > TRAINING_WINDOW.usual;
  const { usual } = TRAINING_WINDOW;
  const wider = `${usual} days have too few station days, so ${training_window} are learned from; window=${usual} keeps to these`;
  const all = [...hints, ...(isWider ? [wider] : [])];
  return { ...(isWider && { training_window }), ...(all.length > 0 && { hint: all.join('. ') }) };
};

export function describeTraining(trained: TrainingSample): z.infer<typeof trainingRecord> {
  const { from, to, stationErrors, network, leads } = trained;
  const days = stationErrors.length;
  const mean = sum(stationErrors) / days;
  const variance = sum(stationErrors.map((error) => (error - mean) ** 2)) / days;
  const toHours = (ms: number | undefined): number | null => (ms === undefined ? null : ms / HOUR_MS);
  return {
    from,
    to,
    station_days: days,
    network_days: network.days,
    weight_station: days / (days + PROBABILITY_KAPPA),
    mean_lead_hours: toHours(leads?.mean),
    min_lead_hours: toHours(leads?.shortest),
    max_lead_hours: toHours(leads?.longest),
    bias_f: days === 0 ? null : mean / 100,
    std_dev_f: days === 0 ? null : Math.sqrt(variance) / 100,
  };
}
