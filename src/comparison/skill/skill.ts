import { z } from 'zod';
import { referencedChoices } from '../../api/params/variable-choices.js';
import { accuracyEndpoint } from '../../api/accuracy.js';
import { computeBasis } from '../../api/accuracy-metadata.js';
import { CASES_GROUPS, splitWindow, tooManyDays } from '../../api/cases.js';
import { count, differenceOrNull, leadTimeBucket, numberOrNull, WITH_BRIER } from '../../api/fields.js';
import type { Sources } from '../../api/endpoint.js';
import { ownParameters } from '../../api/groups.js';
import { word } from '../../api/parameters.js';
import { toHundredths, toMillionths, toTenThousandths } from '../../api/kinds.js';
import { leadTimesFrom, referencedVariable } from '../../api/params/common.js';
import { separateStations } from '../../api/params/station-params.js';
import { rate } from '../../api/records/rates.js';
import type { PairQuery } from '../../queries/conditions.js';
import { sql } from '../../queries/sql.js';
import { caseColumns } from '../../queries/case-columns.js';
import { normals, outcomes, reports } from '../../queries/reports.js';
import type { ChosenStation } from '../../stations/choice.js';
import type { Directory } from '../../stations/directory.js';
import { derivedNormals, normalsByDay, orNormal } from './normals.js';
import {
  computeReach,
  daysOfReference,
  getReference,
  REFERENCES,
  type ReferenceForecast,
  type ReferenceName,
} from './references.js';
import { addSkill, computeBrierSkill, computeSkill, noSkill } from './skill-scores.js';
import { derivedReports, Reports } from '../../queries/report-rows.js';
import { outcomesByHour } from './window-outcomes.js';
import { CERTAIN } from '../../statistics/brier.js';
import { getDerivation, getSources, type VariableName, VARIABLES } from '../../variables/variables.js';
import { addDays, DAY_MS, dayNumber, HOUR_MS } from '../../statistics/time/calendar.js';
import { bucketOfLead, type LeadTimeBucket } from '../../statistics/time/lead-time.js';
import { sum } from '../../statistics/statistics.js';

/** Station days of a statement. */
const AT_ONCE = 60_000;

const NO_NORMALS = normalsByDay(undefined);

/** Measured, of a station day. */
const WORK_MS = 0.006;

/** Station days of a response: some seconds' work. Climatology reads up to 30 days of other years for each. */
const MAX_SKILLS: Record<ReferenceName, number> = { persistence: 800_000, climatology: 200_000 };

/** How many values of a day a variable has. */
const valuesOfDay = (metric: VariableName): number => (VARIABLES[metric].period === 'hour' ? 24 : 1);

const isChance = (metric: VariableName): boolean => VARIABLES[metric].score === 'brier_score';

const stationsIn = (station: readonly ChosenStation[] | undefined, { stations }: Directory): number =>
  station?.length ?? stations.all.length;

const skillShare = () => toTenThousandths(z.number().max(1));

const skillScore = (description: string) =>
  z
    .object({
      value: numberOrNull('To 0.0001; null if the reference has no error to compare with', skillShare),
      low: numberOrNull('Null with fewer than 14 days', skillShare),
      high: numberOrNull('Likewise', skillShare),
    })
    .meta({
      description: `${description}: 1 is perfect, 0 as good as the reference, below 0 worse; with its interval`,
    });

/** How much less forecasts err than a reference. */
const skill = z.object({
  cases: count('Station days with a forecast, an observation and a reference'),
  cases_without_reference: count(
    'Cases left out because too little had been reported when the forecast was issued',
  ),
  days: count('Calendar days with a case'),
  mae: differenceOrNull('MAE of the forecasts, °F; null without cases'),
  reference_mae: differenceOrNull('MAE of the reference on the same cases, °F'),
  skill_mae: skillScore('1 - the sum of absolute errors / that of the reference'),
  msess: skillScore('1 - the sum of squared errors / that of the reference'),
  within_3_rate: rate('Forecasts off by at most 3 °F of the cases'),
  reference_within_3_rate: rate('References off by at most 3 °F of the cases'),
  mean_reference_lag_days: numberOrNull(
    "Mean distance of the reference's days from the target date, in days; null without cases, and for climatology, " +
      'which uses other years',
    toHundredths,
  ),
  brier_score: numberOrNull(`${WITH_BRIER}: the Brier score of the forecasts`, toMillionths).optional(),
  reference_brier_score: numberOrNull(
    `${WITH_BRIER}: that of the reference on the same cases`,
    toMillionths,
  ).optional(),
  brier_skill_score: skillScore(`${WITH_BRIER}: 1 - the Brier score / that of the reference`).optional(),
});

const BRIER_FIELDS = ['brier_score', 'reference_brier_score', 'brier_skill_score'] as const;

/** GET /api/v1/accuracy/skill. */
export const skillAgainstReference = accuracyEndpoint({
  paths: ['/accuracy/skill'],
  operationId: 'getSkill',
  summary: 'Skill against a simple reference',
  description:
    'How much smaller the errors are than those of a simple reference, which uses only what had been reported when ' +
    'the forecast was issued. A station day counts in each lead time with the latest forecast in it or, with ' +
    'another group_by, once with the latest of all lead times asked for. The longer the lead, the older the ' +
    'reference: read skill together with reference_mae. The reference of a window of hours uses windows that end at the same hour of ' +
    'the day, UTC.',
  example: { query: 'date_from=2026-09-01&date_to=2026-09-30' },
  groups: {
    metric: referencedVariable,
    choices: referencedChoices,
    ...CASES_GROUPS,
    station: separateStations,
    leadTimes: leadTimesFrom,
    own: ownParameters({
      reference: word(
        REFERENCES,
        'persistence: the latest reported of the 60 days before the target date; ' +
          "climatology: the station's normal of the day if one is loaded, else the mean of its own days within 7 " +
          'of the same day in the 30 years before (at least 30 days in at least three years), of chances how often it was wet',
      ).default('persistence'),
      group_by: word(
        ['lead_time_bucket', 'station', 'none'],
        'One record per lead time, one per station, or a single one',
      ).default('lead_time_bucket'),
    }),
  },
  record: z
    .object({
      lead_time_bucket: leadTimeBucket.optional().meta({ description: 'With group_by=lead_time_bucket' }),
      station_id: z.string().optional().meta({ description: 'With group_by=station', example: 'KORD' }),
      city_name: z.string().optional().meta({ description: 'With group_by=station', example: 'Chicago' }),
      reference: z.enum(REFERENCES),
      cases_with_normals: z
        .int()
        .min(0)
        .optional()
        .meta({
          description:
            "With reference=climatology: cases whose reference is the station's normal; the others use its own earlier " +
            'years',
        }),
      ...skill.shape,
    })
    .meta({ id: 'Skill' }),
  requested: ({ own, metric }) => ({
    lead_time_bucket: own.group_by === 'lead_time_bucket',
    station_id: own.group_by === 'station',
    city_name: own.group_by === 'station',
    cases_with_normals: own.reference === 'climatology',
    ...Object.fromEntries(BRIER_FIELDS.map((name) => [name, isChance(metric)])),
  }),
  totalRecords: count('Station days of all records, with and without reference'),
  metadata: {
    reason: z
      .string()
      .nullable()
      .optional()
      .meta({ description: `${WITH_BRIER}: why no case has a reference; null if any has, or without cases` }),
  },

  validate: ({ window, station, own, metric }, directory) =>
    tooManyDays(
      window,
      stationsIn(station, directory),
      Math.floor(MAX_SKILLS[own.reference] / valuesOfDay(metric)),
    ),

  estimatedCpuMs: ({ window, station, metric }, directory) =>
    stationsIn(station, directory) * window.days_analyzed * valuesOfDay(metric) * WORK_MS,

  async handle(params, { query, directory }) {
    const { window, own, level } = params;
    const priority = params.station === undefined ? 'long' : undefined;
    const isByStation = own.group_by === 'station';
    const isByLeadTime = own.group_by === 'lead_time_bucket';
    const first_day = dayNumber(window.period_start);
    const referenceOf = await readReferences(params, query, priority);
    const sums = new Map<string, ReturnType<typeof noSkill>>();
    const getSums = (group: string) => {
      const found = sums.get(group) ?? noSkill(window.days_analyzed);
      sums.set(group, found);
      return found;
    };
    if (own.group_by === 'none') getSums('ALL');
    let preliminary = 0;
    const valuesAtOnce = Math.floor(AT_ONCE / valuesOfDay(params.metric));
    for (const part of splitWindow(window, stationsIn(params.station, directory), valuesAtOnce)) {
      const counted = isByLeadTime ? 'in_each_lead_time' : 'once';
      const stations = await query(caseColumns(params, counted, part, true), priority);
      if (isByLeadTime && stations.length > 0) params.leadTimes.buckets.forEach(getSums);
      for (const { station_id, ...cases } of stations) {
        const expected = referenceOf(station_id);
        const whole = isByLeadTime ? undefined : getSums(isByStation ? station_id : 'ALL');
        preliminary += sum(cases.preliminary);
        for (const [at, count] of cases.counts.entries()) {
          const [day, actual, lead] = [cases.days[at]!, cases.actuals[at]!, cases.leads[at]!];
          const found = expected(first_day + day, cases.begins![at]!, lead);
          const error = cases.forecasts[at]! - actual;
          addSkill(whole ?? getSums(bucketOfLead(lead)), day, error, actual, found, count);
        }
      }
    }
    const groups = isByStation ? [...sums].sort(([a], [b]) => (a < b ? -1 : 1)) : [...sums];
    const data = groups.map(([group, found]) => {
      const skill = computeSkill(found, level);
      return {
        ...(isByLeadTime && { lead_time_bucket: group as LeadTimeBucket }),
        ...(isByStation && { station_id: group, city_name: directory.stations.cityName(group) }),
        reference: own.reference,
        ...(own.reference === 'climatology' && { cases_with_normals: found.total('normals') }),
        ...skill,
        ...(isChance(params.metric) && computeBrierSkill(found, skill)),
      };
    });
    const cases = sum(data.map((each) => each.cases + each.cases_without_reference));
    const isWithoutReference = cases > 0 && data.every((each) => each.cases === 0);
    const metadata = isChance(params.metric)
      ? { reason: isWithoutReference ? TOO_LITTLE_OBSERVED[own.reference] : null }
      : {};
    return { data, metadata, basis: computeBasis(cases, preliminary) };
  },
});

/** Why no case of a chance has a reference. */
const TOO_LITTLE_OBSERVED: Record<ReferenceName, string> = {
  persistence:
    'reference: nothing was observed in the 60 days before; load older amounts, or ask for a later window',
  climatology:
    'reference: fewer than 30 amounts were observed near the same day in three or more years before; load older amounts, or ask for reference=persistence',
};

/**
 * The forecast of a reference for a day, counted from 1970-01-01, as far as it was known a lead time before it begins. `begins_ms` of an
 * hour is its own instant, Unix ms.
 */
type StationReference = (day: number, begins_ms: number, lead_ms: number) => ReferenceForecast | undefined;

/** Reads the reports, and for climatology the normals, of a request. @returns the reference of a station */
async function readReferences(
  params: PairQuery & { own: { reference: ReferenceName } },
  query: Sources['query'],
  priority: 'long' | undefined,
): Promise<(station_id: string) => StationReference> {
  const { metric, choices, window, own } = params;
  if (VARIABLES[metric].period === 'hour') return readWindowReferences(params, query, priority);
  const sources = getSources(metric).map((source) => ({ ...params, metric: source }));
  const days = daysOfReference(own.reference, window);
  const [reported, loaded] = await Promise.all([
    Promise.all(sources.map((source) => query(reports(source, days), priority))),
    Promise.all(own.reference === 'climatology' ? sources.map((source) => query(normals(source))) : []),
  ]);
  const wetAt = choices?.wet_at ?? VARIABLES[metric].choices?.defaults.wet_at;
  const toOutcomes = (amounts: readonly number[]): readonly number[] =>
    wetAt === undefined ? amounts : amounts.map((amount) => (amount >= wetAt ? CERTAIN : 0));
  const reportsOf = reported.map(
    (rows) =>
      new Map(rows.map((row) => [row.station_id, { ...row, hundredths: toOutcomes(row.hundredths) }])),
  );
  const normalsOf = loaded.map((rows) => new Map(rows.map((row) => [row.station_id, row])));
  const reference = getReference(own.reference);
  const derivation = getDerivation(metric, choices);
  return (station_id) => {
    const [highs, lows] = reportsOf.map((rows) => new Reports(rows.get(station_id)));
    const [ofHighs = NO_NORMALS, ofLows = NO_NORMALS] = normalsOf.map((rows) =>
      normalsByDay(rows.get(station_id)),
    );
    const known = derivation ? derivedReports(highs!, lows!, derivation) : highs!;
    const expected = orNormal(reference, derivation ? derivedNormals(ofHighs, ofLows, derivation) : ofHighs);
    return (day, begins_ms, lead_ms) => expected(known, day, begins_ms - lead_ms);
  };
}

/** Reads the windows of hours that were observed. Their days are of UTC, the days of a request those of stations: one more on each side. */
async function readWindowReferences(
  params: PairQuery & { own: { reference: ReferenceName } },
  query: Sources['query'],
  priority: 'long' | undefined,
): Promise<(station_id: string) => StationReference> {
  const { window, own } = params;
  const days = { period_start: addDays(window.period_start, -1), period_end: addDays(window.period_end, 1) };
  const { reports_from: first_date, reports_to: last_date } = computeReach(own.reference, days);
  const found = await query(
    outcomes(params, { first_date, last_date }, daysOfReference(own.reference, days, sql`toDate(at)`)),
    priority,
  );
  const outcomesOf = new Map(found.map((row) => [row.station_id, row]));
  const reference = getReference(own.reference);
  return (station_id) => {
    const atHour = outcomesByHour(outcomesOf.get(station_id) ?? { hours: [], wet: [] });
    return (_, ends_ms, lead_ms) => {
      const reports = atHour(Math.floor(ends_ms / HOUR_MS) % 24);
      return reference(reports, Math.floor(ends_ms / DAY_MS), ends_ms - lead_ms);
    };
  };
}
