import { z } from 'zod';
import { accuracyEndpoint, OBSERVATIONS } from '../../api/accuracy.js';
import { unverified } from '../../api/accuracy-metadata.js';
import { TOTAL_CASES } from '../../api/cases.js';
import { count, differenceOrNull, shareOrNull, STATION } from '../../api/fields.js';
import { toHundredths } from '../../api/kinds.js';
import { ownParameters } from '../../api/groups.js';
import { word } from '../../api/parameters.js';
import { metric, everyLeadTime } from '../../api/params/common.js';
import { stationInPath } from '../../api/params/station-params.js';
import { peaksOfDays } from './day-hours.js';
import { peakTiming } from './peaks.js';

const TIMING = {
  sample_count: count('Days with enough reports: those behind the numbers'),
  median_peak_hour: z.int().min(0).max(23).nullable().meta({
    description: 'Hour of median_peak_time_local, 0 to 23; null without days',
  }),
  median_peak_time_local: z.string().nullable().meta({
    description:
      'Median time of the high (low), in local standard time all year; of two in the middle the earlier',
    example: '14:51',
  }),
  peak_time_distribution: z.record(z.string(), toHundredths()).meta({
    description:
      'Percentage of the days, 0 to 100, to 0.01, by the hour of local standard time in which it came, as 14:00; CSV ' +
      'has it as JSON in one cell',
    example: { '13:00': 25, '14:00': 75 },
  }),
  share_by_hour: z
    .array(
      z.object({
        hour: z.int().min(1).max(24).meta({
          description:
            'Hours since the day of the station began; 24 is its end, also of a day of 23 or 25 hours',
        }),
        days: count('Days with enough reports by then'),
        share_reached: shareOrNull(
          'Share of them on which the high (low), as a whole degree, had been reached by then, to 0.0001',
        ),
        mean_rise_f: differenceOrNull('Mean rise still to come, °F; of lows the fall, at most 0'),
      }),
    )
    .meta({ description: 'What had come by the end of each hour of the day' }),
};

/** GET /api/v1/accuracy/peak-timing/:station_id. */
export const peakTimingOfStation = accuracyEndpoint({
  paths: ['/accuracy/peak-timing/:station_id'],
  operationId: 'getPeakTiming',
  summary: 'When the high or the low comes',
  description:
    'At what time of the day the high (metric=low: the low) came at a station, from the reports within the day (feed `hours`). A ' +
    'day of 23, 24 or 25 hours counts if at most two of them lack a report and the newest is at most 70 minutes before ' +
    'its end. The time is that of the first report with the highest temperature; where the maximum of a 6-hour group ' +
    'is above all reports, that of the highest report of these six hours.',
  example: { station: 'KORD', query: 'date_from=2026-09-01&date_to=2026-09-30' },
  subject: OBSERVATIONS,
  groups: {
    metric,
    station: stationInPath,
    leadTimes: everyLeadTime,
    own: ownParameters({
      group_by: word(
        ['none', 'month'],
        'month: add by_month, of each calendar month; CSV has it instead of the whole window',
      ).default('none'),
    }),
  },
  record: z
    .object({
      ...STATION,
      station_timezone: z.string().meta({ example: 'America/Chicago' }),
      ...TIMING,
      by_month: z
        .array(z.object({ month: z.iso.date().meta({ description: 'Its first day' }), ...TIMING }))
        .optional()
        .meta({ description: 'With group_by=month: the same of each calendar month that has a day' }),
    })
    .meta({ id: 'PeakTiming' }),
  isSingle: true,
  requested: ({ own: { group_by } }) => ({
    ...Object.fromEntries(Object.keys(TIMING).map((name) => [name, group_by === 'none'])),
    by_month: group_by === 'month',
  }),
  totalRecords: TOTAL_CASES,

  async handle({ own, ...params }, { query }) {
    const { station_id, city_name, timezone } = params.station;
    const days = await query(peaksOfDays(params));
    const months = [...new Set(days.map(({ target_date }) => `${target_date.slice(0, 7)}-01`))];
    return {
      data: {
        station_id,
        city_name,
        station_timezone: timezone,
        ...peakTiming(days, timezone),
        ...(own.group_by === 'month' && {
          by_month: months.map((month) => ({
            month,
            ...peakTiming(
              days.filter(({ target_date }) => target_date.startsWith(month.slice(0, 7))),
              timezone,
            ),
          })),
        }),
      },
      basis: unverified(days.length),
      fileNameParts: own.group_by === 'none' ? [] : ['by-month'],
    };
  },
});
