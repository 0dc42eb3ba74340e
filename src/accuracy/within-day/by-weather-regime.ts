import { z } from 'zod';
import { accuracyEndpoint } from '../../api/accuracy.js';
import { basisOfPairs, TOTAL_RECORDS } from '../../api/accuracy-metadata.js';
import { metric, ci, leadTimesAndSameDay } from '../../api/params/common.js';
import { stationsTogether } from '../../api/params/station-params.js';
import { stats, uncertainty } from '../../api/records/stats.js';
import { errorsByWeather, WEATHERS } from './day-hours.js';
import { statsByDay } from '../../statistics/by-day.js';

const IN_THESE_HOURS = 'from 9 to 18 hours after the day began';

const DESCRIPTIONS = {
  precipitation: 'Days with a report of 0.01 inch of precipitation or more',
  cloudy: `Days without it, with 5/8 of the sky covered or more on average ${IN_THESE_HOURS}`,
  clear: `Days without it, with less of the sky covered ${IN_THESE_HOURS}`,
  unknown: `Days with temperatures of fewer than 12 hours, or with no report of precipitation, nor of the sky ${IN_THESE_HOURS}`,
};

/** GET /api/v1/accuracy/by-weather-regime. */
export const byWeatherRegime = accuracyEndpoint({
  paths: ['/accuracy/by-weather-regime'],
  operationId: 'getAccuracyByWeatherRegime',
  summary: 'Accuracy by the weather of the day',
  description:
    'One record per weather of the target date at the station, by the reports within the day (feed `hours`): ' +
    'precipitation, cloudy, clear, unknown. The weather is what came, and not what was forecast. If the window has no ' +
    'pair, there is no record.',
  example: { query: 'city=Chicago&date_from=2026-09-01&date_to=2026-09-30' },
  groups: { metric, station: stationsTogether, leadTimes: leadTimesAndSameDay, ci },
  record: z
    .object({
      weather_regime: z.enum(WEATHERS),
      label: z.string().meta({ example: 'Precipitation' }),
      description: z.string(),
      stats,
      uncertainty: uncertainty.optional(),
    })
    .meta({ id: 'WeatherAccuracy' }),
  requested: ({ ci }) => ({ uncertainty: ci !== undefined }),
  totalRecords: TOTAL_RECORDS,

  // As by-city: for all stations the ledger takes no longer than a histogram less what came later.
  async handle(params, { query }) {
    const { ci, station } = params;
    const rows = await query(errorsByWeather(params, ci), station ? 'short' : 'long');
    return {
      data: (rows.length === 0 ? [] : WEATHERS).map((each) => ({
        weather_regime: each,
        label: each.replace(/^./, (first) => first.toUpperCase()),
        description: DESCRIPTIONS[each],
        ...statsByDay(
          rows.find((row) => row.weather === each),
          params.metric,
          ci,
        ),
      })),
      basis: basisOfPairs(rows),
    };
  },
});
