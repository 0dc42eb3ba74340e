import { z } from 'zod';
import { isCalendarDate } from '../accuracy/calendar.js';
import { type Bindings, bindingsOf, type Scope } from '../accuracy/histograms.js';
import { type AskedWindow, resolveWindow, type Window } from '../accuracy/window.js';
import { type Context, InvalidParameters, type ParameterFault, type Understood } from './endpoint.js';
import { format, integer } from './parameters.js';
import type { Station } from '../stations/directory.js';

// What the accuracy endpoints have in common: the parameters that make up a question, and the metadata of an answer.

const date = (description: string) =>
  z
    .string()
    .refine(isCalendarDate, 'must be a calendar date, YYYY-MM-DD, from 1970-01-01 to 2149-06-06')
    .optional()
    .meta({ format: 'date', description });

const name = (description: string) => z.string().optional().meta({ description });

/** The parameters of every accuracy endpoint. */
export const QUESTION_PARAMETERS = {
  days: integer(1, 365, 90, 'Length of the window in days, where its bounds do not give it'),
  date_from: date('First day of the window'),
  date_to: date('Last day of the window'),
  metric: z
    .enum(['high', 'low'], 'must be one of high, low')
    .default('high')
    .meta({ description: 'Daily high or daily low' }),
  format,
};

/** The parameters that restrict a question to one station. */
export const STATION_PARAMETERS = {
  station_id: name('Restrict to one station: ICAO identifier, IATA code, city name or alias'),
  city: name('Restrict to the station of a city: city name or alias'),
};

/** The metadata that every accuracy endpoint answers with. */
export const COMMON_METADATA = {
  generated_at: z.iso.datetime().meta({ description: 'When the answer was made, UTC' }),
  days_analyzed: z.int().min(1).meta({ description: 'Days in the window, both ends included' }),
  period_start: z.iso.date().meta({ description: 'First day of the window' }),
  period_end: z.iso.date().meta({ description: 'Last day of the window' }),
  query_time_ms: z.int().min(0).meta({ description: 'Time of the query in milliseconds' }),
};

export const TOTAL_RECORDS = z.int().min(0).meta({ description: 'Verification pairs behind the answer' });

export const ERROR_CONVENTION = z.literal('forecast_minus_actual').meta({
  description: 'Error = forecast - actual: a negative mean error means that forecasts were too low',
});

interface AskedQuestion {
  days: number;
  date_from?: string | undefined;
  date_to?: string | undefined;
  metric: 'high' | 'low';
  station_id?: string | undefined;
  city?: string | undefined;
}

/** A question, understood: which metric, days and station. */
export interface Question extends Understood {
  metric: 'high' | 'low';
  window: Window;
  station: Station | undefined;
  scope: Scope;
  /** The values that errorsOf() binds. */
  bindings: Bindings;
}

/** The fault of a window whose bounds are each valid (D3). */
export function checkWindow(values: Partial<AskedWindow>, today: string): ParameterFault[] {
  const { days, date_from, date_to } = values;
  // A bound that has a fault of its own is no key here, while one that was not given is an undefined one.
  if (!('date_from' in values) || !('date_to' in values)) return [];
  const bothGiven = date_from !== undefined && date_to !== undefined;
  if (days === undefined && !bothGiven) return [];
  const window = resolveWindow({ days: days ?? 1, date_from, date_to }, today);
  return 'message' in window ? [window] : [];
}

/** Parameters that say in many ways what the window and the station say in one; `format` has no part in an answer. */
const RESOLVED = new Set(['days', 'date_from', 'date_to', 'station_id', 'city', 'format']);

/**
 * Understands a question whose parameters have been checked. Those of an endpoint's own are a part of its identity as
 * they are.
 * @throws InvalidParameters when its path, station_id and city name different stations (D15)
 * @throws UnknownStation, AmbiguousCity
 */
export function readQuestion(asked: AskedQuestion, context: Context): Question {
  const window = resolveWindow(asked, context.today);
  if ('message' in window) throw new InvalidParameters([window]);
  const station = readStation(asked, context);
  const { metric } = asked;
  const own = Object.entries(asked).filter(([name]) => !RESOLVED.has(name));
  const bindings = { ...bindingsOf(metric, window), ...(station && { station_id: station.station_id }) };
  return {
    metric,
    window,
    station,
    scope: station === undefined ? 'network' : 'station',
    bindings,
    identity: { metric, ...window, station_id: station?.station_id, ...Object.fromEntries(own) },
  };
}

/** The station that a request names, in whatever ways. @throws InvalidParameters, UnknownStation, AmbiguousCity (D15) */
export function readStation(
  asked: Pick<AskedQuestion, 'station_id' | 'city'>,
  { stations, pathStation }: Context,
): Station | undefined {
  const ways: [parameter: string, name: string | undefined, find: (name: string) => Station][] = [
    ['station_id', pathStation, (text) => stations.byStation(text)],
    ['station_id', asked.station_id, (text) => stations.byStation(text)],
    ['city', asked.city, (text) => stations.byCity(text)],
  ];
  let station: Station | undefined;
  for (const [parameter, text, find] of ways) {
    if (text === undefined) continue;
    const found = find(text);
    if (station !== undefined && station.station_id !== found.station_id) {
      const message = `means ${found.station_id}, but the request also names ${station.station_id}; give one of them`;
      throw new InvalidParameters([{ parameter, message }]);
    }
    station = found;
  }
  return station;
}

/** Whether there are pairs, and all of them rest on verified observations (D6). */
export function allVerified(
  rows: readonly { verification_pairs: number; preliminary_pairs: number }[],
): boolean {
  return (
    rows.some(({ verification_pairs }) => verification_pairs > 0) &&
    rows.every(({ preliminary_pairs }) => preliminary_pairs === 0)
  );
}

/** The common metadata of an answer that an endpoint knows itself. */
export function windowMetadata({ window }: Question): Record<string, unknown> {
  const { days_analyzed, period_start, period_end } = window;
  return { days_analyzed, period_start, period_end };
}

/** What `format=csv` says of a question (D17): the first columns of every row, and the words of the file name. */
export function csvOf(question: Question): { constants: Record<string, string>; fileNameParts: string[] } {
  const { metric, window, station } = question;
  const { period_start, period_end } = window;
  return {
    constants: { metric, period_start, period_end },
    fileNameParts: [...(station ? [station.station_id] : []), metric, period_start, period_end],
  };
}
