import { z } from 'zod';
import { accuracyEndpoint } from '../../api/accuracy.js';
import { computeBasis } from '../../api/accuracy-metadata.js';
import {
  requestedByGroups,
  CASES_GROUPS,
  fieldsOfGroup,
  GROUP_BY,
  GROUP_FIELDS,
  TOTAL_CASES,
} from '../../api/cases.js';
import { difference, score, toHundredths, toTenths } from '../../api/kinds.js';
import { count, numberOrNull, providerName, shareOrNull } from '../../api/fields.js';
import { ownParameters } from '../../api/groups.js';
import { metric, issuedHours, leadTimesFrom } from '../../api/params/common.js';
import { separateStations } from '../../api/params/station-params.js';
import { bounds } from '../../api/records/rates.js';
import { sum } from '../../statistics/statistics.js';
import { casesWithDistributions, countedCases } from './distribution-cases.js';
import { LEVELS, STANDARD_QUANTILES } from '../../statistics/quantiles.js';
import { maxDegrees } from '../../statistics/uncertainty/intervals.js';
import { studentT } from '../../statistics/uncertainty/student-t.js';
import { DistributionScores, findMode, NOMINALS, shapeLevel, SHAPES } from './distribution-scores.js';
import { separateProviders } from '../probability-params.js';

/** Measured, of a station day, and of a record. */
const WORK_MS = { day: 0.0002, record: 0.2 };

const normal = z
  .object({
    cases: count('All cases of the record'),
    crps_from_quantiles: score().meta({ description: 'Its CRPS' }),
    difference: z
      .object({
        value: score().meta({ description: 'In degrees of the request' }),
        low: numberOrNull('Lower bound; null with fewer than 14 days, or without spread', score),
        high: numberOrNull('Upper bound; likewise', score),
        p_value: shareOrNull(
          'Probability of a difference so large if both were equally good, to 0.0001; likewise',
        ),
      })
      .meta({ description: "The provider's CRPS less its own; negative: the provider is better" }),
  })
  .meta({
    description:
      'The forecast dressed by a normal of the mean and standard deviation of the errors of these very days',
  });

const record = z
  .object({
    provider: providerName,
    ...GROUP_FIELDS,
    cases: count('Station days whose forecast has a distribution of these levels, and an observation'),
    days: count('Calendar days with such a case'),
    levels: z.array(z.int()).meta({
      description:
        'The levels of the quantiles, %: those that most cases have; all 13 for a standard deviation alone',
    }),
    coverage: z
      .array(
        z.object({
          level: z.int().meta({ description: 'The level of the quantile, %' }),
          observed: shareOrNull(
            'Share of the observations below the quantile, to 0.0001; one that is equal counts in part',
          ),
          low: shareOrNull('Lower bound of it; null with fewer than 14 days'),
          high: shareOrNull('Upper bound of it; null with fewer than 14 days'),
          verdict: z
            .enum(['holds', 'too_low', 'too_high'])
            .nullable()
            .meta({
              description:
                'holds: right, the interval includes the level and is narrow enough to say so (15 points at most to either side); ' +
                'too_low, too_high: the quantile is so; null where it cannot be told yet',
            }),
          pinball: score().meta({
            description: 'Mean quantile loss, in degrees of the request, to 0.000001; 0 is best',
          }),
        }),
      )
      .meta({ description: 'By level, ascending' }),
    intervals: z
      .array(
        z.object({
          nominal: z.int().meta({ description: 'Nominal probability of the central interval, %' }),
          covered: shareOrNull('Share of the observations inside, to 0.0001; one at an end counts in part'),
          ...bounds('covered'),
          mean_width: difference().meta({ description: 'Mean width, in degrees of the request' }),
        }),
      )
      .meta({ description: 'Those of 50, 80 and 90% that the levels allow' }),
    pit: z.object({
      counts: z.array(toHundredths()).meta({
        description:
          'Cases below the first level, between neighbouring ones and above the last, to 0.01; a tie counts for each of these that it touches, in parts',
      }),
      expected: z
        .array(toTenths())
        .meta({ description: 'How many there would be if the distribution were right' }),
    }),
    shape: z
      .enum(SHAPES)
      .nullable()
      .meta({
        description:
          'Its shape: flat, or the significant problem at the level of confidence: too_narrow (U), too_wide, too_warm, too_cold; null with ' +
          'fewer than 14 days',
      }),
    crps_from_quantiles: numberOrNull(
      'Continuous ranked probability score, in degrees of the request, to 0.000001: 2 times the mean of pinball over the levels. Compare it between equal levels only',
      score,
    ),
    spread_to_error: numberOrNull(
      'Root of the mean variance over the root of the mean squared error, bias removed: 1 is right, below 1 the provider is ' +
        'overconfident. Quantiles have the variance of a normal through the outermost ones; null with one level',
      toHundredths,
    ),
    against: z.object({ normal }).meta({ description: 'Another distribution for the same forecasts' }),
  })
  .meta({ id: 'DistributionScores' });

/** GET /api/v1/accuracy/distribution: whether a provider knows how sure it is. */
export const distribution = accuracyEndpoint({
  paths: ['/accuracy/distribution'],
  operationId: 'getDistribution',
  summary: 'Distributions of forecasts',
  description:
    'Some providers state a range beside a forecast, by quantiles or a standard deviation (columns high_p10_f and high_sd_f of the ' +
    'feed). Does 10% of the observations lie below their 10% quantile? Each station day counts once, with the latest ' +
    'forecast of the lead times asked for. One record for each provider, with group_by for each of its groups.',
  example: { query: 'date_from=2026-09-01&date_to=2026-09-30' },
  groups: {
    metric,
    ...CASES_GROUPS,
    station: separateStations,
    provider: separateProviders,
    leadTimes: leadTimesFrom,
    issuedHours,
    own: ownParameters({ group_by: GROUP_BY }),
  },
  record,
  requested: ({ own }) => requestedByGroups(own.group_by),
  totalRecords: TOTAL_CASES,
  metadata: {
    cases_without_distribution: count('Station days left out because their forecast has no distribution'),
    cases_of_other_levels: count(
      'Station days left out because their distribution has other levels than most',
    ),
    reason: z.string().nullable().meta({ description: 'Why no station day counts; null if any does' }),
  },

  estimatedCpuMs: ({ window, own, provider }, { stations }) => {
    const records = own.group_by === 'station' ? stations.all.length : 1;
    const providers = provider.names?.length ?? 1;
    return providers * (stations.all.length * window.days_analyzed * WORK_MS.day + records * WORK_MS.record);
  },

  recompute: {
    sql: new URL('distribution.recompute.sql', import.meta.url),
    values: ({ own, level, provider, window }) => ({
      group_by: own.group_by,
      provider: provider.name,
      levels: LEVELS,
      quantiles: STANDARD_QUANTILES,
      nominals: NOMINALS,
      shape_t: Array.from({ length: maxDegrees(window.days_analyzed) }, (_, at) =>
        studentT(shapeLevel(level), at + 1),
      ),
    }),
    needsStations: true,
    needsDistributions: true,
  },

  async handle(params, { query, directory }) {
    const { window, level, station, own } = params;
    const priority = station === undefined ? 'long' : undefined;
    const [all, [{ cases: total = 0 } = {}]] = await Promise.all([
      query(casesWithDistributions(params, own.group_by), priority),
      query(countedCases(params, own.group_by), priority),
    ]);
    const rows = findMode(all);
    const data = rows.map((row) => {
      const scores = new DistributionScores(row, window.days_analyzed, level, params.unit);
      return {
        provider: row.provider,
        ...fieldsOfGroup(own.group_by, row.group_key, directory),
        ...scoresRecord(scores, row.levels),
        against: { normal: scores.againstNormal() },
      };
    });
    const counted = sum(rows.map(({ cases }) => cases));
    const without = total - sum(all.map(({ cases }) => cases));
    return {
      data,
      metadata: {
        cases_without_distribution: without,
        cases_of_other_levels: total - without - counted,
        reason: counted > 0 ? null : total > 0 ? noDistribution(params.metric) : NO_CASE,
      },
      basis: computeBasis(counted, sum(rows.map(({ preliminary_cases }) => preliminary_cases))),
    };
  },
});

const scoresRecord = (scores: DistributionScores, levels: number[]) => ({
  cases: scores.count,
  days: scores.countOfDays,
  levels,
  coverage: scores.coverage(),
  intervals: scores.intervals(),
  pit: scores.pit(),
  shape: scores.shape(),
  crps_from_quantiles: scores.crps(),
  spread_to_error: scores.spreadToError(),
});

const NO_CASE = 'No station day of the window has a forecast of these lead times and an observation';

const noDistribution = (metric: string): string =>
  `No forecast of these station days has a distribution; feeds of forecasts have it in columns such as ${metric}_p10_f or ${metric}_sd_f`;
