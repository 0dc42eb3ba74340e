import { z } from 'zod';
import { accuracyEndpoint } from '../api/accuracy.js';
import { computeBasis } from '../api/accuracy-metadata.js';
import { TOTAL_CASES } from '../api/cases.js';
import { count } from '../api/fields.js';
import { defineGroup, ownParameters } from '../api/groups.js';
import { percentage, share } from '../api/kinds.js';
import { word } from '../api/parameters.js';
import { chanceVariable, ci, issuedHours, leadTimesFrom } from '../api/params/common.js';
import { chanceChoices } from '../api/params/variable-choices.js';
import { stationsTogether } from '../api/params/station-params.js';
import { rates } from '../api/records/rates.js';
import type { PairQuery } from '../queries/conditions.js';
import { latestForecasts } from '../queries/latest-forecasts.js';
import { dayOfWindow } from '../queries/sums.js';
import { NOTHING, sql } from '../queries/sql.js';
import { sum } from '../statistics/statistics.js';
import { computeConsistencyBar } from '../statistics/uncertainty/consistency-bar.js';
import { DailySums } from '../statistics/uncertainty/daily-sums.js';
import { CHANCE_NAMES } from '../variables/variables.js';

/** A bin of chances, %; the last one has 100 as well. */
const BIN = 10;

/** The cases of each bin and day. @param hasBars by chance, hundredths of a percent, too */
const binnedCases = (params: PairQuery, hasBars: boolean) => sql.rows(binRow)`
  SELECT
    toUInt8(least(intDiv(forecast_hundredths, 1000), 9)) AS bin, ${dayOfWindow(params.window)} AS day,
    sum(case_count) AS cases, sumIf(case_count, actual_hundredths > 0) AS wet,
    sum(case_count * forecast_hundredths) AS chance_sum, sum(preliminary_case_count) AS preliminary${
      hasBars ? sql`, sumMap([toInt32(forecast_hundredths)], [case_count]) AS by_chance` : NOTHING
    }
  FROM ${latestForecasts(params)}
  GROUP BY bin, day
  HAVING cases != 0
  ORDER BY bin, day`;

const binRow = z.object({
  bin: z.number(),
  day: z.number(),
  cases: z.number(),
  wet: z.number(),
  chance_sum: z.number(),
  preliminary: z.number(),
  by_chance: z.tuple([z.array(z.number()), z.array(z.number())]).optional(),
});

const bar = (which: string) =>
  share()
    .optional()
    .meta({
      description:
        `With ci: ${which.toLowerCase()} end of the consistency bar (Bröcker and Smith 2007), the range of observed_share if the chances ` +
        'are reliable and cases do not depend on each other. Hours and neighbouring stations do: then the bar is too short, and the interval is right',
    });

const record = z
  .object({
    chance_low: z.number().meta({ description: 'The lowest chance of the bin, %' }),
    chance_high: z
      .number()
      .meta({ description: 'The first chance above it, %; of the last bin 100, which is in it' }),
    cases: count('Station days with a chance in the bin; with a variable of hours, windows'),
    wet_days: count('Those of them that were wet; with a variable of hours, windows too'),
    mean_chance: percentage().meta({ description: 'Mean of the chances, %, to 0.01' }),
    ...rates({ observed_share: 'wet_days of cases' }),
    consistency_low: bar('Lower'),
    consistency_high: bar('Upper'),
  })
  .meta({ id: 'ChanceReliability' });

/** The level of confidence of a request, and whether it names one. */
const LEVEL = {
  level: defineGroup({ parameters: ci.parameters, read: (given) => () => given.ci ?? 0.95 }),
  hasBars: defineGroup({
    parameters: {
      ci: ci.parameters.ci.meta({
        description:
          'Confidence level of the intervals, default 0.95; if it is given, consistency bars are added',
      }),
    },
    read: (given) => () => given.ci !== undefined,
  }),
};

/** GET /api/v1/accuracy/by-bucket (D68, D77): the reliability table of Murphy and Winkler (1977, Appl. Stat. 26:41). */
export const byChance = accuracyEndpoint({
  paths: ['/accuracy/by-bucket'],
  operationId: 'getReliabilityOfChances',
  summary: 'How often it was wet, by the chance that was forecast',
  description:
    'How often it was wet when a chance of so much was forecast: one record per bin of 10% that has a case. Of reliable forecasts, ' +
    'the share that was wet is the chance. A day or a window of hours counts once, with the latest forecast of the lead times asked for.',
  example: { query: `metric=${CHANCE_NAMES[0]}&bucket=forecast&date_from=2026-09-01&date_to=2026-09-30` },
  groups: {
    ...LEVEL,
    station: stationsTogether,
    leadTimes: leadTimesFrom,
    issuedHours,
    metric: chanceVariable,
    choices: chanceChoices,
    own: ownParameters({
      bucket: word(['forecast'], 'What the bins are of: the chance that was forecast').default('forecast'),
    }),
  },
  record,
  requested: ({ hasBars }) => ({ consistency_low: hasBars, consistency_high: hasBars }),
  totalRecords: TOTAL_CASES,

  recompute: {
    sql: new URL('by-chance.recompute.sql', import.meta.url),
    values: ({ hasBars }) => ({ bars: hasBars }),
  },

  async handle({ level, hasBars, ...params }, { query }) {
    const rows = await query(binnedCases(params, hasBars), params.station === undefined ? 'long' : undefined);
    const bins = [...new Set(rows.map(({ bin }) => bin))];
    const data = bins.map((bin) => {
      const ofBin = rows.filter((row) => row.bin === bin);
      const sample = DailySums.empty(0, params.window.days_analyzed, ['observed_share']);
      for (const { day, cases, wet } of ofBin) {
        sample.cases[day]! += cases;
        sample.sums.observed_share[day]! += wet;
      }
      return {
        chance_low: bin * BIN,
        chance_high: (bin + 1) * BIN,
        cases: sample.count,
        wet_days: sample.total('observed_share'),
        mean_chance: sum(ofBin.map(({ chance_sum }) => chance_sum)) / sample.count / 100,
        ...sample.rates(level, 'observed_share'),
        ...(hasBars && barOf(ofBin, level)),
      };
    });
    const total = sum(rows.map(({ cases }) => cases));
    return { data, basis: computeBasis(total, sum(rows.map(({ preliminary }) => preliminary))) };
  },
});

/** The consistency bar of the rows of a bin. */
function barOf(rows: readonly z.infer<typeof binRow>[], level: number) {
  const counts = new Map<number, number>();
  for (const { by_chance: [probabilities, cases] = [[], []] } of rows)
    for (const [at, chance] of probabilities.entries())
      counts.set(chance, (counts.get(chance) ?? 0) + cases[at]!);
  const { low, high } = computeConsistencyBar(counts, level);
  return { consistency_low: low, consistency_high: high };
}
