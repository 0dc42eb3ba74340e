import { z } from 'zod';
import { exactDifference } from '../api/kinds.js';
import { count, numberOrNull } from '../api/fields.js';
import type { Scale } from '../variables/declarations.js';
import type { DailySums } from '../statistics/uncertainty/daily-sums.js';
import { makeVerdict } from '../statistics/uncertainty/intervals.js';
import { MIN_DAYS } from '../statistics/uncertainty/judge.js';

const VERDICTS = {
  improves: 'The correction improves the forecasts: the interval of the gain is above 0',
  not_significant:
    'The correction makes no significant difference: the interval of the gain includes 0, or there are too few days',
  worsens: 'The correction worsens the forecasts: the interval of the gain is below 0',
} as const;

/** The note where no interval is known: `not_significant` is then no finding. */
const NOTE_WITHOUT_INTERVAL = `Whether the correction improves the forecasts cannot be told yet: it needs ${MIN_DAYS} days`;

/** A verdict, and the sentence that it stands for. */
export const verdictFields = <Verdict extends string>(verdicts: Readonly<Record<Verdict, string>>) => ({
  verdict: z.enum(Object.keys(verdicts) as [Verdict, ...Verdict[]]).meta({
    description: Object.entries<string>(verdicts)
      .map(([name, text]) => `${name}: ${text}`)
      .join('. '),
  }),
  note: z.string().meta({ description: 'The verdict as a sentence' }),
});

const fahrenheit = (description: string) => numberOrNull(`${description}, °F`, exactDifference);

/** The effect of the correction on past forecasts, each by the data known when it was issued. */
export const outOfSample = z
  .object({
    cases: count('Station days of the window with a forecast of the lead time'),
    days: count('Target dates with a case'),
    mae_raw: fahrenheit('Mean absolute error of the forecasts; null without cases'),
    mae_corrected: fahrenheit('Mean absolute error of the corrected forecasts'),
    gain: z
      .object({
        value: fahrenheit('mae_raw - mae_corrected: below 0 if the correction made forecasts worse'),
        low: fahrenheit('Lower end of its interval, by target day; null below 14 days'),
        high: fahrenheit('Upper end of it'),
      })
      .meta({ description: 'To 0.001' }),
    ...verdictFields(VERDICTS),
  })
  .meta({ id: 'OutOfSample' });

export function computeOutOfSample(
  raw: DailySums<'mae'>,
  corrected: DailySums<'mae'>,
  level: number,
  { size }: Scale,
): z.infer<typeof outOfSample> {
  /** Hundredths of a °F as degrees, to 0.001: gains are below 0.1. */
  const thousandths = (hundredths: number | null): number | null =>
    hundredths === null || Number.isNaN(hundredths)
      ? null
      : Math.round((hundredths / (size / 100)) * 10) / 1000 + 0;
  const { value, low, high } = raw.difference('mae', corrected, level);
  const verdict = makeVerdict({ low, high }, 'worsens', 'improves');
  return {
    cases: raw.count,
    days: raw.clusters.days,
    mae_raw: thousandths(raw.total('mae') / raw.count),
    mae_corrected: thousandths(corrected.total('mae') / raw.count),
    gain: { value: thousandths(value), low: thousandths(low), high: thousandths(high) },
    verdict,
    note: low === null ? NOTE_WITHOUT_INTERVAL : VERDICTS[verdict],
  };
}
