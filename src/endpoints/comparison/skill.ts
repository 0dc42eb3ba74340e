import { z } from 'zod';
import { daysOfReference, referenceOf, REFERENCES } from '../../accuracy/comparison/references.js';
import { Reports, reportsRow, reportsSql } from '../../accuracy/comparison/reports.js';
import {
  addForecasts,
  dayBeginnings,
  daysBeginRow,
  daysBeginSql,
  forecastsRow,
  forecastsSql,
  skill,
  SkillSums,
} from '../../accuracy/comparison/skill.js';
import { dayNumber } from '../../accuracy/time/calendar.js';
import { bucketOfLead, leadTimeBucket } from '../../accuracy/time/lead-time.js';
import { defineAccuracy } from '../../api/accuracy.js';
import { CASES_GROUPS, casesOf, recordsOf } from '../../api/cases.js';
import { ownParameters } from '../../api/groups.js';
import { word } from '../../api/parameters.js';
import { leadTimesFrom } from '../../api/question.js';
import { stationsOfCity } from '../../api/stations.js';

/** GET /api/v1/accuracy/skill (D34). */
export const skillAgainstReference = defineAccuracy({
  paths: ['/accuracy/skill'],
  operationId: 'getSkill',
  summary: 'Skill against a simple reference',
  description:
    'How much less the forecasts err than a forecast without skill, made only of what had been reported when the forecast ' +
    'was issued. Station days count in each lead time with the latest forecast in it or, with another group_by, once with ' +
    'the latest of all lead times asked for. The longer the lead, the older the reference: read skill beside reference_mae.',
  groups: {
    ...CASES_GROUPS,
    station: stationsOfCity,
    leadTimes: leadTimesFrom,
    own: ownParameters({
      reference: word(
        REFERENCES,
        'persistence: the latest day that had been reported, of the 60 before the target date; recent: the mean of the ' +
          "latest 30 such days; climatology: the mean of the station's own days within 7 of the same day of earlier years, " +
          'at least 30 of at least three years',
      ).default('persistence'),
      group_by: word(
        ['lead_time_bucket', 'station', 'none'],
        'One record per lead time, per station, or a single one',
      ).default('lead_time_bucket'),
    }),
  },
  record: z
    .object({
      lead_time_bucket: leadTimeBucket.optional().meta({ description: 'With group_by=lead_time_bucket' }),
      station_id: z.string().optional().meta({ description: 'With group_by=station', example: 'KORD' }),
      city_name: z.string().optional().meta({ description: 'With group_by=station', example: 'Chicago' }),
      reference: z.enum(REFERENCES),
      ...skill.shape,
    })
    .meta({ id: 'Skill' }),
  many: true,
  asked: ({ own }) => ({
    lead_time_bucket: own.group_by === 'lead_time_bucket',
    station_id: own.group_by === 'station',
    city_name: own.group_by === 'station',
  }),
  metadata: {
    total_records: z
      .int()
      .min(0)
      .meta({ description: 'Station days of all records, with and without reference' }),
  },

  async answer(question, { query, directory }) {
    const { window, own, level } = question;
    const { scope, bound } = casesOf(question);
    const { days, bound: ofDays } = daysOfReference(own.reference, window);
    const turn = question.station === undefined ? 'long' : undefined;
    const isByStation = own.group_by === 'station';
    const counted = own.group_by === 'lead_time_bucket' ? 'in_each_lead_time' : 'once';
    const [stations, reported, zones] = await Promise.all([
      query(forecastsSql(scope, counted), bound, forecastsRow, turn),
      query(reportsSql(scope, days), { ...bound, ...ofDays }, reportsRow, turn),
      query(daysBeginSql, bound, daysBeginRow),
    ]);
    const reports = new Map(reported.map((row) => [row.station_id, row]));
    const reference = referenceOf(own.reference);
    const firstDay = dayNumber(window.period_start);
    const beginsOf = dayBeginnings(zones);
    const sums = new Map<string, SkillSums>();
    const sumsOf = (group: string): SkillSums => {
      const found = sums.get(group) ?? new SkillSums(window.days_analyzed);
      sums.set(group, found);
      return found;
    };
    if (own.group_by === 'none') sumsOf('ALL');
    if (own.group_by === 'lead_time_bucket' && stations.length > 0)
      question.leadTimes.buckets.forEach(sumsOf);
    await recordsOf(stations, (row) => {
      const ofStation = new Reports(reports.get(row.station_id));
      const ofAll =
        own.group_by === 'lead_time_bucket' ? undefined : sumsOf(isByStation ? row.station_id : 'ALL');
      addForecasts(
        row,
        beginsOf(row),
        (day, issued_ms) => reference(ofStation, firstDay + day, issued_ms),
        (lead_ms) => ofAll ?? sumsOf(bucketOfLead(lead_ms)),
      );
    });
    const data = await recordsOf([...sums], ([group, found]) => ({
      ...(own.group_by === 'lead_time_bucket' && { lead_time_bucket: group }),
      ...(isByStation && { station_id: group, city_name: directory.stations.cityName(group) }),
      reference: own.reference,
      ...found.skill(level),
    }));
    const total_records = data.reduce(
      (total, { cases, cases_without_reference }) => total + cases + cases_without_reference,
      0,
    );
    return {
      data,
      metadata: { total_records },
      verified: total_records > 0 && stations.every(({ preliminary }) => preliminary === 0),
    };
  },
});
