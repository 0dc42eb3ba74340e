import { z } from 'zod';
import { defineAccuracy } from '../../api/accuracy.js';
import { CASES_GROUPS } from '../../api/cases.js';
import { difference, squareDifference } from '../../api/degrees.js';
import { count, differenceOrNull, numberOrNull } from '../../api/fields.js';
import { ownParameters } from '../../api/groups.js';
import { comparedProviders, leadTimesCompared } from '../../api/questions/comparison.js';
import { stationsApart } from '../../api/questions/stations.js';
import { bounds } from '../../api/records/rates.js';
import { pairedCases } from '../../relations/paired-cases.js';
import { pairedCasesRow, pairedOf, VERDICTS } from '../../statistics/comparison/difference.js';
import { ALL_BUCKETS, leadTimeBucket } from '../../statistics/time/lead-time.js';

const { group_by } = leadTimesCompared.parameters;

const p = (description: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: `${description}, to 0.0001` });

const interval = (description: string, unit: string, kind: () => z.ZodNumber) =>
  z
    .object({
      value: kind()
        .nullable()
        .meta({ description: `${unit}; null without cases` }),
      low: kind()
        .nullable()
        .meta({ description: `${unit}; null with fewer than 14 days, or without spread` }),
      high: kind()
        .nullable()
        .meta({ description: `${unit}; likewise` }),
      std_error: kind()
        .nullable()
        .meta({ description: `Standard error, ${unit}; likewise` }),
      n_eff: numberOrNull(
        'Effective sample size: this many independent cases would leave it equally uncertain; likewise',
      ),
    })
    .meta({ description: `${description}, with its interval; negative: the provider errs less` });

/** A provider beside its reference; what is in °F is at full precision. */
const paired = z.object({
  verdict: z.enum(VERDICTS).meta({
    description:
      "better or worse: the provider's MAE is significantly smaller or larger than the reference's (the interval of " +
      'mae_difference, before rounding, is on one side of 0); not_shown: the interval includes 0, or there are too ' +
      'few days for one',
  }),
  identical: z.boolean().meta({
    description:
      'All forecasts of the two are the same: one source under two names, and no difference to test',
  }),
  cases: count('Station days with a forecast of both'),
  days: count('Calendar days with such a case'),
  mae_difference: interval("The provider's MAE minus the reference's", '°F', difference),
  mse_difference: interval(
    "The provider's mean square error minus the reference's",
    '°F², with temp_unit=celsius °C²',
    squareDifference,
  ),
  mean_error: differenceOrNull(
    "The provider's mean error, °F; without cases this and the next seven are null",
  ),
  reference_mean_error: differenceOrNull("The reference's mean error, on the same cases"),
  mae: differenceOrNull("The provider's MAE, °F"),
  reference_mae: differenceOrNull("The reference's MAE, °F"),
  rmse: differenceOrNull("The provider's RMSE, °F"),
  reference_rmse: differenceOrNull("The reference's RMSE, °F"),
  mean_lead_hours: numberOrNull("Mean lead time of the provider's forecasts, hours"),
  reference_mean_lead_hours: numberOrNull("Mean lead time of the reference's forecasts, hours"),
  wins: count('Cases in which the provider has the smaller error'),
  losses: count('Cases in which it has the larger error'),
  ties: count('Cases in which both have the same error'),
  win_rate: numberOrNull('wins / (wins + losses), to 0.0001; null without either'),
  ...bounds('win_rate'),
  dm_statistic: numberOrNull(
    'Diebold-Mariano: mae_difference / its standard error; null if it has no interval',
  ),
  dm_degrees_of_freedom: count(
    "Degrees of freedom of Student's t, for the statistic and the intervals; 0 with too few days",
  ),
  dm_p_value: p('Probability of a statistic at least this far from 0 if the two were equally good'),
  dm_p_value_holm: p('dm_p_value adjusted (Holm) for the number of providers compared with the reference'),
  hln_statistic: numberOrNull(
    'Diebold-Mariano with the correction of Harvey, Leybourne and Newbold, over daily means, for comparison with ' +
      'other programs: overconfident if days are correlated; null if its variance is not positive',
  ),
  hln_horizon_days: count('The horizon it assumes: the days of the shortest lead time, plus one'),
  hln_p_value: p('Its two-sided p'),
  provider_only_cases: count('Station days left out because only the provider has a forecast'),
  reference_only_cases: count('Station days left out because only the reference has a forecast'),
});

/** GET /api/v1/accuracy/compare (D35). */
export const compare = defineAccuracy({
  paths: ['/accuracy/compare'],
  operationId: 'getComparison',
  summary: 'Providers compared',
  description:
    'Compares providers with one of them, the reference, on the station days that both have, with the latest ' +
    'forecast of each: differences with their intervals, wins, and what was left out. One record per provider ' +
    'other than the reference or, with group_by=lead_time_bucket, per lead time and provider. `verdict` says ' +
    'whether the difference is significant.',
  example: { query: 'city=Chicago&date_from=2026-09-01&date_to=2026-09-30' },
  groups: {
    ...CASES_GROUPS,
    station: stationsApart,
    provider: comparedProviders,
    leadTimes: leadTimesCompared,
    own: ownParameters({ group_by }),
  },
  record: z
    .object({
      lead_time_bucket: leadTimeBucket.optional().meta({ description: 'With group_by=lead_time_bucket' }),
      provider: z.string().meta({ example: 'other' }),
      reference: z
        .string()
        .meta({ description: 'The provider that it is compared with', example: 'default' }),
      ...paired.shape,
    })
    .meta({ id: 'ProviderComparison' }),
  many: true,
  asked: ({ own }) => ({ lead_time_bucket: own.group_by === 'lead_time_bucket' }),
  metadata: {
    total_records: count('Station days behind the answer: those of all records'),
    reason: z.string().nullable().meta({ description: 'Why no station day is compared; null if any is' }),
  },

  async answer(question, { query }) {
    const { names } = question.provider;
    const isByLeadTime = question.own.group_by === 'lead_time_bucket';
    const rows = await query(
      pairedCases(question, isByLeadTime ? 'in_each_lead_time' : 'once'),
      pairedCasesRow,
      question.station === undefined ? 'long' : undefined,
    );
    const data = [...new Set(rows.map(({ slot }) => slot))].flatMap((slot) => {
      const lead_time_bucket = isByLeadTime ? ALL_BUCKETS[slot - 1] : question.leadTimes.buckets[0];
      const ofSlot = rows.filter((row) => row.slot === slot);
      const leadHours = Number.parseInt(lead_time_bucket ?? '') || 0; // same-day has none
      return pairedOf(ofSlot, leadHours, question.level).map((record, at) => ({
        ...(isByLeadTime && { lead_time_bucket }),
        provider: names[ofSlot[at]!.provider_place - 1]!,
        reference: names[0]!,
        ...record,
      }));
    });
    const total_records = rows.reduce((total, { cases }) => total + cases, 0);
    const { buckets } = question.leadTimes;
    return {
      data,
      metadata: {
        total_records,
        reason:
          total_records > 0
            ? null
            : `No station day of the window has forecasts of two providers in ${buckets.join(', ')}: ` +
              'group_by=lead_time_bucket shows which lead times have them, and lead=0 takes all',
      },
      verified: total_records > 0 && rows.every((row) => row.preliminary_cases === 0),
    };
  },
});
