import { LEAD_TIME_BUCKETS, SAME_DAY } from '../statistics/time/lead-time.js';
import { integer } from '../api/parameters.js';
import type { Parameter, Schema } from './tool.js';

// The parameters that tools share, in the words of the API (D37), short: every host reads the list before a question.

export const text = (description: string): Schema => ({ type: 'string', description });

export const oneOf = (words: readonly string[], description?: string, fallback?: string): Schema => ({
  enum: words,
  ...(fallback !== undefined && { default: fallback }),
  ...(description !== undefined && { description }),
});

export const whole = (minimum: number, maximum: number, fallback?: number, description?: string): Schema => ({
  type: 'integer',
  minimum,
  maximum,
  ...(fallback !== undefined && { default: fallback }),
  ...(description !== undefined && { description }),
});

const day = (description: string): Schema => ({ type: 'string', format: 'date', description });

export const PLACE = text('Station: ICAO id, IATA code, city or alias');

export const PLACE_OR_ALL = text('Station: ICAO id, IATA code, city or alias; all stations without it');

export const METRIC: Parameter = { schema: oneOf(['high', 'low'], 'Daily high or low', 'high') };

/** The days of a question; the API says how bounds and length go together. */
export const WINDOW_DAYS: Record<string, Parameter> = {
  days: { schema: whole(1, 365, 90, 'Length of the window, to today or to a bound') },
  date_from: { schema: day('First target date') },
  date_to: { schema: day('Last target date') },
};

export const OTHER_WINDOW: Record<string, Parameter> = {
  other_date_from: { schema: day('of=windows: first day of the other window') },
  other_date_to: { schema: day('Last day of it') },
};

export const TARGET_DATE: Parameter = { schema: day('Day of the forecast; today (UTC) without it') };

/** Whose forecasts, of which lead, by which data, in which unit. */
export const FILTERS: Record<string, Parameter> = {
  provider: { schema: text('Who issued the forecasts (see data_status)') },
  lead_time_bucket: {
    schema: text(`Lead times: ${[...LEAD_TIME_BUCKETS, SAME_DAY].join(', ')}, by commas`),
  },
  as_of: { schema: text('Data of a past load: v412, a date or an instant') },
};

export const TEMP_UNIT: Parameter = { schema: oneOf(['fahrenheit', 'celsius'], undefined, 'fahrenheit') };

/** The most rows of an answer. */
export const limit = (most: number, fallback: number): Parameter => ({
  schema: whole(1, most, fallback, 'Most rows'),
  own: integer(1, most, fallback, ''),
});
