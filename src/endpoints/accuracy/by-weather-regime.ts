import { z } from 'zod';
import { allVerified, defineAccuracy, TOTAL_RECORDS, totalPairs } from '../../api/accuracy.js';
import { ci, leadTimesAndSameDay } from '../../api/questions/common.js';
import { stationsTogether } from '../../api/questions/stations.js';
import { stats, uncertainty } from '../../api/records/stats.js';
import { errorsByWeather } from '../../relations/day-hours.js';
import { byDayRow, statsByDay } from '../../statistics/by-day.js';

/** In the order of answers. */
const WEATHERS = ['precipitation', 'cloudy', 'clear', 'unknown'] as const;

const TEXTS = {
  precipitation: {
    label: 'Precipitation',
    description: 'Days of which any report tells of 0.01 inch of precipitation or more',
  },
  cloudy: {
    label: 'Cloudy',
    description:
      'Other days whose reports from 9 to 18 hours after the day began have 5/8 of the sky covered on average',
  },
  clear: { label: 'Clear', description: 'Other days whose reports of these hours have less of it covered' },
  unknown: {
    label: 'Unknown',
    description: 'Days with reports of fewer than 12 hours, or with neither precipitation nor a sky reported',
  },
} as const;

const weather = z.enum(WEATHERS);

/** GET /api/v1/accuracy/by-weather-regime (D58). */
export const byWeatherRegime = defineAccuracy({
  paths: ['/accuracy/by-weather-regime'],
  operationId: 'getAccuracyByWeatherRegime',
  summary: 'Accuracy by the weather of the day',
  description:
    'One record per weather of the target date at the station, as the reports within the day (feed `hours`) tell of it: ' +
    'precipitation, cloudy, clear, unknown. The weather is what came, and not what was forecast. If the window has no ' +
    'pair, there is no record.',
  example: { query: 'city=Chicago&date_from=2026-09-01&date_to=2026-09-30' },
  groups: { station: stationsTogether, leadTimes: leadTimesAndSameDay, ci },
  record: z
    .object({
      weather_regime: weather,
      label: z.string().meta({ example: 'Precipitation' }),
      description: z.string(),
      stats,
      uncertainty: uncertainty.optional(),
    })
    .meta({ id: 'WeatherAccuracy' }),
  many: true,
  asked: ({ ci }) => ({ uncertainty: ci !== undefined }),
  metadata: { total_records: TOTAL_RECORDS },

  // As by-city: for all stations the ledger takes no longer than a histogram less what came later.
  rewinds: ({ station }) => station !== undefined,

  async answer(question, { query }) {
    const { ci, station } = question;
    const statement = errorsByWeather(question, ci);
    const rows = await query(statement, byDayRow.extend({ weather }), station ? 'short' : 'long');
    return {
      data: (rows.length === 0 ? [] : WEATHERS).map((each) => ({
        weather_regime: each,
        ...TEXTS[each],
        ...statsByDay(
          rows.find((row) => row.weather === each),
          ci,
        ),
      })),
      metadata: { total_records: totalPairs(rows) },
      verified: allVerified(rows),
    };
  },
});
