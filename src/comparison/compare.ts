import { z } from 'zod';
import { accuracyEndpoint } from '../api/accuracy.js';
import { computeBasis } from '../api/accuracy-metadata.js';
import { CASES_GROUPS } from '../api/cases.js';
import {
  difference,
  squareDifference,
  toHundredths,
  toMillionths,
  toTenThousandths,
  toTenths,
} from '../api/kinds.js';
import { count, differenceOrNull, numberOrNull, shareOrNull, WITH_BRIER } from '../api/fields.js';
import { ownParameters } from '../api/groups.js';
import { issuedHours } from '../api/params/common.js';
import { comparedProviders, leadTimesBy } from './compare-params.js';
import { separateStations } from '../api/params/station-params.js';
import { bounds } from '../api/records/rates.js';
import { refusedCells, refusedGroups, workOfCells } from './cells.js';
import { hintOfLeads } from './leads.js';
import { explainNothingShared, lastDays } from './nothing-shared.js';
import { cell, CELL_GROUPS, pairedCases } from './paired-cases.js';
import { adjustedTests, computePaired, makeTest, VERDICTS } from './difference.js';
import { sum } from '../statistics/statistics.js';
import { VARIABLES } from '../variables/variables.js';

const leadTimesCompared = leadTimesBy(
  CELL_GROUPS,
  'none',
  'months and seasons are of the target date, a season of all years together. With lead_time_bucket, or of hours lead_hour, ' +
    'a station day or hour counts once in each lead time, otherwise once, with the latest forecast of each provider',
);
const { group_by } = leadTimesCompared.parameters;

const p = (description: string) => shareOrNull(`${description}, to 0.0001`);

const interval = (description: string, unit: string, kind: () => z.ZodNumber) =>
  z
    .object({
      value: numberOrNull(`${unit}; null without cases`, kind),
      low: numberOrNull(`${unit}; null with fewer than 14 days, or without spread`, kind),
      high: numberOrNull(`${unit}; likewise`, kind),
      std_error: numberOrNull(`Standard error, ${unit}; likewise`, kind),
      n_eff: numberOrNull(
        'Effective sample size: this many independent cases would leave it equally uncertain; likewise',
        toTenths,
      ),
    })
    .meta({ description: `${description}, with its interval; negative: the provider errs less` });

/** A provider beside its reference; what is in °F is at full precision. */
const paired = z.object({
  verdict: z.enum(VERDICTS).meta({
    description:
      "better or worse: the provider's MAE is significantly smaller or larger than the reference's (the interval of " +
      'mae_difference, before rounding, is on one side of 0); not_significant: the interval includes 0, or there are too ' +
      'few days for one',
  }),
  identical: z.boolean().meta({
    description:
      'All forecasts of the two are within 0.1 °F of each other, as in °F and in tenths of °C: one source under two names. Nothing is ' +
      'tested: there are no intervals, and all cases are ties',
  }),
  cases: count('Station days with a forecast of both'),
  days: count('Calendar days with such a case'),
  mae_difference: interval("The provider's MAE minus the reference's", '°F', difference),
  mse_difference: interval(
    "The provider's mean square error minus the reference's",
    '°F², with temp_unit=celsius °C²',
    squareDifference,
  ),
  brier_difference: interval(
    "The provider's Brier score minus the reference's",
    'in units of 1',
    toMillionths,
  )
    .optional()
    .meta({ description: `${WITH_BRIER}; \`verdict\` and the test are of this difference then` }),
  brier_score: numberOrNull(`${WITH_BRIER}: the provider's Brier score`, toMillionths).optional(),
  reference_brier_score: numberOrNull(`${WITH_BRIER}: the reference's`, toMillionths).optional(),
  mean_error: differenceOrNull(
    "The provider's mean error, °F; without cases this and the next seven are null",
  ),
  reference_mean_error: differenceOrNull("The reference's mean error, on the same cases"),
  mae: differenceOrNull("The provider's MAE, °F"),
  reference_mae: differenceOrNull("The reference's MAE, °F"),
  rmse: differenceOrNull("The provider's RMSE, °F"),
  reference_rmse: differenceOrNull("The reference's RMSE, °F"),
  mean_lead_hours: numberOrNull("Mean lead time of the provider's forecasts, hours", toHundredths),
  reference_mean_lead_hours: numberOrNull("Mean lead time of the reference's forecasts, hours", toHundredths),
  wins: count('Cases in which the provider has the smaller error'),
  losses: count('Cases in which it has the larger error'),
  ties: count('Cases in which both have the same error; all of them where identical'),
  win_rate: numberOrNull('wins / (wins + losses), to 0.0001; null without either', toTenThousandths),
  ...bounds('win_rate'),
  dm_statistic: numberOrNull(
    'Diebold-Mariano: mae_difference / its standard error; null if it has no interval',
    toHundredths,
  ),
  dm_degrees_of_freedom: count(
    "Degrees of freedom of Student's t, for the statistic and the intervals; 0 with too few days",
  ),
  dm_p_value: p('Probability of a statistic at least this far from 0 if the two were equally good'),
  dm_p_value_fdr: p(
    'dm_p_value adjusted for all tests of the response, so that of the records called significant at most that share is ' +
      'expected to be false alarms (Benjamini and Hochberg)',
  ),
  significant: z.boolean().meta({
    description:
      'dm_p_value_fdr, before rounding, is at most 1 - ci: significant also when all tests of the response are counted',
  }),
  provider_only_cases: count('Station days left out because only the provider has a forecast'),
  reference_only_cases: count('Station days left out because only the reference has a forecast'),
  hint: z
    .string()
    .nullable()
    .meta({
      description:
        'With mean lead times that differ by 3 h or more: which of the two has older forecasts, because part of the ' +
        'difference is then age, not skill; else null',
    }),
});

const BRIER_FIELDS = ['brier_difference', 'brier_score', 'reference_brier_score'] as const;

/** GET /api/v1/accuracy/compare. */
export const compare = accuracyEndpoint({
  paths: ['/accuracy/compare'],
  operationId: 'getComparison',
  summary: 'Providers compared',
  description:
    'Compares providers with one of them, the reference, on the station days that both have, with the latest ' +
    'forecast of each: differences with their intervals, wins, and what was left out. One record per provider ' +
    'other than the reference, with group_by in each cell: a scorecard. `verdict` says whether the difference of a ' +
    'record is significant by itself, `significant` whether it is so among all records.',
  example: { query: 'city=Chicago&date_from=2026-09-01&date_to=2026-09-30' },
  groups: {
    ...CASES_GROUPS,
    station: separateStations,
    provider: comparedProviders,
    leadTimes: leadTimesCompared,
    issuedHours,
    own: ownParameters({ group_by }),
  },
  record: z
    .object({
      ...cell.shape,
      provider: z.string().meta({ example: 'other' }),
      reference: z
        .string()
        .meta({ description: 'The provider that it is compared with', example: 'default' }),
      ...paired.shape,
    })
    .meta({ id: 'ProviderComparison' }),
  requested: ({ own: { group_by }, metric }) => ({
    ...Object.fromEntries(BRIER_FIELDS.map((name) => [name, VARIABLES[metric].score === 'brier_score'])),
    lead_time_bucket: group_by.includes('lead_time_bucket'),
    lead_hour: group_by.includes('lead_hour'),
    month: group_by.includes('month'),
    season: group_by.includes('season'),
    country: group_by.includes('country'),
    climate_zone: group_by.includes('climate_zone'),
    station_id: group_by.includes('station'),
    city_name: group_by.includes('station'),
  }),
  totalRecords: count('Station days behind the response: those of all records'),
  metadata: {
    cells: count('Records with a test, for which p-values are adjusted'),
    significant_cells: count('Those of them that are `significant`'),
    reason: z.string().nullable().meta({ description: 'Why no station day is compared; null if any is' }),
  },

  validate: (params, directory) => refusedGroups(params) ?? refusedCells(params, directory),
  estimatedCpuMs: (params, directory) => workOfCells(params, directory),

  recompute: {
    sql: new URL('compare.recompute.sql', import.meta.url),
    needsStations: true,
    values({ provider, station, own: { group_by } }, { stations }) {
      const chosen = station?.map(({ station_id }) => stations.byStation(station_id)) ?? stations.all;
      return {
        reference: provider.names[0],
        others: provider.names.slice(1),
        places: chosen.map(({ station_id, country, climate_zone }) => [station_id, country, climate_zone]),
        by_place: group_by.includes('country') || group_by.includes('climate_zone'),
        by_lead_time: group_by.includes('lead_time_bucket'),
        first: group_by[0],
        ...Object.fromEntries(group_by.map((group) => [`by_${group}`, true])),
      };
    },
  },

  async handle(params, { query, directory }) {
    const { level } = params;
    const { names } = params.provider;
    const rows = await query(
      pairedCases(params, params.own.group_by),
      params.station === undefined ? 'long' : undefined,
    );
    const score = VARIABLES[params.metric].score === 'brier_score' ? 'square' : 'abs';
    const tests = adjustedTests(rows.map((row) => makeTest(row, score)));
    const data = rows.map((found, at) => {
      const { provider_place, station_id } = found;
      const [provider, reference] = [names[provider_place - 1]!, names[0]!];
      const difference = computePaired(found, tests[at], level, score);
      return {
        ...cell.parse(found),
        ...(station_id !== undefined && { city_name: directory.stations.cityName(station_id) }),
        provider,
        reference,
        ...difference,
        hint: hintOfLeads(
          provider,
          reference,
          difference.mean_lead_hours,
          difference.reference_mean_lead_hours,
        ),
      };
    });
    const total_records = sum(rows.map(({ cases }) => cases));
    return {
      data,
      metadata: {
        cells: tests.filter((test) => test !== undefined).length,
        significant_cells: data.filter(({ significant }) => significant).length,
        reason:
          total_records > 0
            ? null
            : explainNothingShared(params, params.own.group_by, await query(lastDays(params))),
      },
      basis: computeBasis(total_records, sum(rows.map(({ preliminary_cases }) => preliminary_cases))),
    };
  },
});
