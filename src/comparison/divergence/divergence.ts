import { z } from 'zod';
import { dailyChoices } from '../../api/params/variable-choices.js';
import { accuracyEndpoint } from '../../api/accuracy.js';
import { computeBasis } from '../../api/accuracy-metadata.js';
import { CASES_GROUPS } from '../../api/cases.js';
import { count } from '../../api/fields.js';
import { ownParameters } from '../../api/groups.js';
import { dailyVariable, issuedHours } from '../../api/params/common.js';
import { separateStations } from '../../api/params/station-params.js';
import { sum } from '../../statistics/statistics.js';
import { weekOfDay } from '../../statistics/time/window.js';
import { refusedCells, workOfCells } from '../cells.js';
import { hintOfLeads } from '../leads.js';
import { explainNothingShared, lastDays } from '../nothing-shared.js';
import { cell } from '../paired-cases.js';
import { divergingCases, type DivergingCases } from './diverging-cases.js';
import { departure, divergingProviders, leadTimesDiffer } from './divergence-params.js';
import { computeDivergence, divergenceRecord } from './record.js';

const { group_by } = leadTimesDiffer.parameters;
const { lead_time_bucket, month, station_id, city_name } = cell.shape;

/** GET /api/v1/accuracy/divergence: what came of the forecasts that were far from the others. */
export const divergence = accuracyEndpoint({
  paths: ['/accuracy/divergence'],
  operationId: 'getDivergence',
  summary: 'Whom to trust when providers differ',
  description:
    'A forecast departs from those of the other providers if it is at least `threshold` from their median. How often each ' +
    'provider does so, how often it then came nearer to the observation than they, and how far the observation went its way ' +
    '(`share_true`): the latest forecasts of each station day that two providers have. /data/departures has the departures ' +
    'of days to come.',
  example: { query: 'country=US&date_from=2026-08-01&date_to=2026-09-30' },
  groups: {
    metric: dailyVariable,
    choices: dailyChoices,
    ...CASES_GROUPS,
    station: separateStations,
    provider: divergingProviders,
    leadTimes: leadTimesDiffer,
    issuedHours,
    threshold: departure,
    own: ownParameters({ group_by }),
  },
  record: z
    .object({
      provider: z.string().optional().meta({
        description:
          'With provider in group_by: the provider; otherwise the record is of each of them in turn',
        example: 'other',
      }),
      lead_time_bucket,
      month,
      station_id,
      city_name,
      ...divergenceRecord.shape,
      hint: z
        .string()
        .nullable()
        .meta({
          description:
            'With mean lead times that differ by 3 h or more: who has older forecasts, because part of the difference is ' +
            'then age, not skill; or that two providers together always have a share of 0.5; else null',
        }),
    })
    .meta({ id: 'Divergence' }),
  requested: ({ own: { group_by } }) => ({
    provider: group_by.includes('provider'),
    lead_time_bucket: group_by.includes('lead_time_bucket'),
    month: group_by.includes('month'),
    station_id: group_by.includes('station'),
    city_name: group_by.includes('station'),
  }),
  totalRecords: count('Station days behind the response, of each provider: those of all records'),
  metadata: {
    reason: z.string().nullable().meta({ description: 'Why no station day is counted; null if any is' }),
  },

  validate: (params, directory) => refusedCells(params, directory),
  estimatedCpuMs: (params, directory) => workOfCells(params, directory),

  async handle(params, { query, directory }) {
    const { level, threshold, window, own } = params;
    const rows = await query(
      divergingCases(params, own.group_by),
      params.station === undefined ? 'long' : undefined,
    );
    const cells = cellsOfRows(rows);
    const weekOf = weekOfDay(window);
    const data = cells.map((of) => {
      const { provider, ...place } = of[0]!;
      const found = computeDivergence(of, threshold.degrees, weekOf, level);
      return {
        ...(provider !== undefined && { provider }),
        ...cell.parse(place),
        ...(place.station_id !== undefined && { city_name: directory.stations.cityName(place.station_id) }),
        ...found,
        hint:
          provider === undefined
            ? params.provider.names.length === 2
              ? TWO_SIDES
              : null
            : hintOfLeads(provider, 'the others', found.mean_lead_hours, found.mean_lead_hours_of_others),
      };
    });
    const total_records = sum(data.map(({ station_days }) => station_days));
    return {
      data,
      metadata: {
        reason:
          total_records > 0
            ? null
            : explainNothingShared(params, own.group_by, await query(lastDays(params))),
      },
      basis: computeBasis(total_records, sum(rows.map(({ preliminary_cases }) => preliminary_cases))),
    };
  },
});

const TWO_SIDES =
  'Of two providers each departure counts from both sides, so share_true and nearer_rate are 0.5; add provider to group_by';

/** The rows of each cell, which come one after the other. */
function cellsOfRows(rows: readonly DivergingCases[]): DivergingCases[][] {
  const cells = new Map<string, DivergingCases[]>();
  for (const row of rows) {
    const key = [row.provider, row.station_id, row.lead_time_bucket, row.month].join();
    const found = cells.get(key);
    if (found === undefined) cells.set(key, [row]);
    else found.push(row);
  }
  return [...cells.values()];
}
