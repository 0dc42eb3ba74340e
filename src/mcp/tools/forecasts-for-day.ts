import type { ApiAnswer } from '../../responses/local-client.js';
import { FARTHEST_HORIZON } from '../../probability/training/training.js';
import { localTime } from '../../statistics/time/calendar.js';
import { FILTERS, METRIC, PLACE, TARGET_DATE, TEMP_UNIT } from '../parameters.js';
import { lessOf, questionOf, rowsOf } from '../rows.js';
import { begun } from '../stations.js';
import { questionFor, same, type Tool, type Values } from '../tool.js';

type Forecast = { issued_at: string } & Record<'lead_time_hours' | 'forecast_f' | 'forecast_c', number>;

/** More than a forecast an hour for half a year. */
const MOST_ISSUED = '5000';

const { provider, as_of } = FILTERS;
const NAMES = { ...same('metric', 'as_of', 'temp_unit'), place: 'station_id' };
const NAMES_OF_FORECASTS = { ...NAMES, provider: 'provider' };

/** The providers whose latest forecast of a day that has not ended is far from the others. */
async function departuresOf(
  day: string,
  values: Values,
  ask: Parameters<Tool['answer']>[2],
  place: Parameters<Tool['answer']>[3],
) {
  if (place === undefined || day < place.today) return [];
  const asked = questionFor('/data/departures', values, NAMES, { limit: MOST_ISSUED });
  return rowsOf(await ask(asked)).filter(({ target_date }) => target_date === day);
}

/** GET /data/forecasts, /data/observations, /data/departures and /accuracy/bias-correction for one day at one station. */
export const forecastsForDay: Tool = {
  name: 'forecasts_for_day',
  title: 'Forecasts and observation of one day',
  description:
    'Shows how the forecast of one day changed from issuance to issuance, what was observed (also without any forecast), and ' +
    'the last forecast less its usual error: `corrected`, whose verdict says whether such corrections pay.',
  parameters: {
    place: PLACE,
    target_date: TARGET_DATE,
    metric: METRIC,
    provider,
    as_of,
    temp_unit: TEMP_UNIT,
  },
  required: ['place'],
  row: 'One for each issuance, the latest first. change_f: from the one before; error_f: from `observed`.',

  plan(values) {
    const names = { ...NAMES_OF_FORECASTS, target_date: 'forecast_for_date' };
    return [questionFor('/data/forecasts', values, names, { metric: 'high', limit: MOST_ISSUED })];
  },

  async answer(values, [answer], ask, place) {
    const { forecast_for_date, ...question } = questionOf(answer as ApiAnswer);
    const day = String(forecast_for_date);
    const { metric = 'high' } = values;
    const unit = values.temp_unit === 'celsius' ? 'c' : 'f';
    const ofDay = { metric: String(metric), date_from: day, date_to: day };
    const [observed = null] = rowsOf(await ask(questionFor('/data/observations', values, NAMES, ofDay)));
    const issued = rowsOf(answer as ApiAnswer) as Forecast[];
    const last = issued.findLast(({ lead_time_hours }) => lead_time_hours >= 0);
    const hints: string[] = [];
    const isBegun = observed?.status === 'verified' ? undefined : begun(day, place);
    if (isBegun !== undefined) hints.push(`${isBegun}: nothing that is reported of it is final`);
    if (issued.length === 0) hints.push('No forecast for this day; data_status shows how far they reach');
    let corrected: Record<string, unknown> | null = null;
    if (last !== undefined && last.lead_time_hours <= FARTHEST_HORIZON) {
      const ofLast = {
        forecast_for_date: day,
        forecast_temp: String(last[`forecast_${unit}`]),
        lead_hours: String(last.lead_time_hours),
        known_at: last.issued_at, // it learns what could be known then, as odds do
      };
      const path = '/accuracy/bias-correction';
      const { data } = await ask(questionFor(path, values, NAMES_OF_FORECASTS, ofLast));
      const { out_of_sample, ...correction } = data as { out_of_sample: { note: string } };
      corrected = { ...correction, ...out_of_sample };
      hints.push(`Of \`corrected\`: ${out_of_sample.note}`);
    }
    const departures = await departuresOf(day, values, ask, place);
    const rows = issued.map(
      ({ issued_at, lead_time_hours, [`forecast_${unit}` as const]: forecast }, at) => ({
        issued_at,
        issued_local: localTime(new Date(issued_at), place?.timezone ?? 'UTC').slice(0, 16),
        lead_time_hours,
        [`forecast_${unit}`]: forecast,
        [`change_${unit}`]: lessOf(forecast, issued[at - 1]?.[`forecast_${unit}`]),
        [`error_${unit}`]: lessOf(forecast, observed?.[`actual_${unit}`]),
      }),
    );
    return {
      question: { ...question, target_date: day, metric },
      rows: rows.reverse(),
      hints,
      more: { observed, corrected, ...(departures.length > 0 && { departures }) },
    };
  },
};
