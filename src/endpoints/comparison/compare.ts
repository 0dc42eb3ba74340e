import { z } from 'zod';
import type { Counted } from '../../relations/station-days.js';
import { paired, pairedOf } from '../../statistics/comparison/difference.js';
import { pairedCasesRow, pairedCasesSql } from '../../relations/paired-cases.js';
import { ALL_BUCKETS, leadTimeBucket } from '../../statistics/time/lead-time.js';
import { defineAccuracy } from '../../api/accuracy.js';
import { CASES_GROUPS, casesOf } from '../../api/cases.js';
import { ownParameters } from '../../api/groups.js';
import { comparedProviders, leadTimesCompared } from '../../api/questions/comparison.js';
import { stationsOfCity } from '../../api/questions/stations.js';

const { group_by } = leadTimesCompared.parameters;

/** GET /api/v1/accuracy/compare (D35). */
export const compare = defineAccuracy({
  paths: ['/accuracy/compare'],
  operationId: 'getComparison',
  summary: 'Providers compared',
  description:
    'Providers against one of them, the reference, on the station days that both have, with the latest forecast of each: ' +
    'differences with their intervals, wins, and what was left out. One record per provider other than the reference or, ' +
    'with group_by=lead_time_bucket, per lead time and provider. `verdict` says whether these days show a difference.',
  groups: {
    ...CASES_GROUPS,
    station: stationsOfCity,
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
    total_records: z
      .int()
      .min(0)
      .meta({ description: 'Station days behind the answer: those of all records' }),
    reason: z.string().nullable().meta({ description: 'Why no station day is compared; null where any is' }),
  },

  async answer(question, { query }) {
    const { scope, knowledge, bound } = casesOf(question);
    const { names } = question.provider;
    const isByLeadTime = question.own.group_by === 'lead_time_bucket';
    const counted: Counted = isByLeadTime ? 'in_each_lead_time' : 'once';
    const rows = await query(
      pairedCasesSql(scope, knowledge, counted),
      { ...bound, providers: names },
      pairedCasesRow,
      question.station === undefined ? 'long' : undefined,
    );
    const data = [...new Set(rows.map(({ slot }) => slot))].flatMap((slot) => {
      const lead_time_bucket = isByLeadTime ? ALL_BUCKETS[slot - 1] : question.leadTimes.buckets[0];
      const ofSlot = rows.filter((row) => row.slot === slot);
      const leadHours = Number.parseInt(lead_time_bucket ?? '') || 0; // same-day has none
      return pairedOf(ofSlot, leadHours, question.level).map((record, at) => ({
        ...(isByLeadTime && { lead_time_bucket }),
        provider: names[(ofSlot[at]?.provider_place ?? 1) - 1],
        reference: names[0],
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
