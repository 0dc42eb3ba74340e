import { parseUnits } from '../../api/requested-units.js';
import type { ApiResponse } from '../../responses/local-client.js';
import { FARTHEST_HORIZON } from '../../probability/training/training.js';
import { localTime } from '../../statistics/time/calendar.js';
import { FILTERS, METRIC, PLACE, TARGET_DATE, UNITS } from '../tool-parameters.js';
import { subtractRounded, getRequestFields, readRows } from '../tool-rows.js';
import { getUnitOf } from '../../variables/units.js';
import { started } from '../station-search.js';
import { makeRequest, same, type Tool, type Values } from '../tool.js';

type Forecast = { issued_at: string } & Record<'lead_time_hours' | 'forecast_f' | 'forecast_c', number>;

/** More than a forecast an hour for half a year. */
const MAX_ISSUED = '5000';

const { provider, as_of } = FILTERS;
const NAMES = { ...same('metric', 'as_of', 'units'), place: 'station_id' };
const NAMES_OF_FORECASTS = { ...NAMES, provider: 'provider' };

/** The providers whose latest forecast of a day that has not ended is far from the others. */
async function loadDepartures(
  day: string,
  values: Values,
  ask: Parameters<Tool['handle']>[2],
  place: Parameters<Tool['handle']>[3],
) {
  if (place === undefined || day < place.today) return [];
  const requested = makeRequest('/data/departures', values, NAMES, { limit: MAX_ISSUED });
  return readRows(await ask(requested)).filter(({ target_date }) => target_date === day);
}

/** GET /data/forecasts, /data/observations, /data/departures and /accuracy/bias-correction for one day at one station. */
export const forecastsForDay: Tool = {
  name: 'forecasts_for_day',
  title: 'Forecasts and observation of one day',
  description:
    'Shows how the forecast of one day changed from issuance to issuance, what was observed (also without any forecast), and ' +
    'the last forecast less its usual error: `corrected`, with a verdict: whether that improves forecasts.',
  parameters: {
    place: PLACE,
    target_date: TARGET_DATE,
    metric: METRIC,
    provider,
    as_of,
    units: UNITS,
  },
  required: ['place'],
  row: 'One for each issuance, the latest first. change_f: from the one before; error_f: from `observed`.',

  plan(values) {
    const names = { ...NAMES_OF_FORECASTS, target_date: 'forecast_for_date' };
    return [makeRequest('/data/forecasts', values, names, { metric: 'high', limit: MAX_ISSUED })];
  },

  async handle(values, [response], ask, place) {
    const { forecast_for_date, ...params } = getRequestFields(response as ApiResponse);
    const day = String(forecast_for_date);
    const { metric = 'high' } = values;
    const unit = getUnitOf('high', parseUnits(String(values.units)) ?? {}) === 'celsius' ? 'c' : 'f';
    const ofDay = { metric: String(metric), date_from: day, date_to: day };
    const [observed = null] = readRows(await ask(makeRequest('/data/observations', values, NAMES, ofDay)));
    const issued = readRows(response as ApiResponse) as Forecast[];
    const last = issued.findLast(({ lead_time_hours }) => lead_time_hours >= 0);
    const hints: string[] = [];
    const isIntraday = observed?.status === 'verified' ? undefined : started(day, place);
    if (isIntraday !== undefined) hints.push(`${isIntraday}: its readings are not final`);
    if (issued.length === 0) hints.push('No forecast for this day; data_status shows how far they reach');
    let corrected: Record<string, unknown> | null = null;
    if (last !== undefined && last.lead_time_hours <= FARTHEST_HORIZON) {
      const ofLast = {
        forecast_for_date: day,
        forecast_temp: String(last[`forecast_${unit}`]),
        lead_hours: String(last.lead_time_hours),
        known_at: last.issued_at, // it learns what could be known then, as probabilities do
      };
      const path = '/accuracy/bias-correction';
      const { data } = await ask(makeRequest(path, values, NAMES_OF_FORECASTS, ofLast));
      const { out_of_sample, ...correction } = data as { out_of_sample: { note: string } };
      corrected = { ...correction, ...out_of_sample };
      hints.push(`Of \`corrected\`: ${out_of_sample.note}`);
    }
    const departures = await loadDepartures(day, values, ask, place);
    const rows = issued.map(
      ({ issued_at, lead_time_hours, [`forecast_${unit}` as const]: forecast }, at) => ({
        issued_at,
        issued_local: localTime(new Date(issued_at), place?.timezone ?? 'UTC').slice(0, 16),
        lead_time_hours,
        [`forecast_${unit}`]: forecast,
        [`change_${unit}`]: subtractRounded(forecast, issued[at - 1]?.[`forecast_${unit}`]),
        [`error_${unit}`]: subtractRounded(forecast, observed?.[`actual_${unit}`]),
      }),
    );
    return {
      params: { ...params, target_date: day, metric },
      rows: rows.reverse(),
      hints,
      more: { observed, corrected, ...(departures.length > 0 && { departures }) },
    };
  },
};
