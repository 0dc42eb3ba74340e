import { isInRange, leadRange } from './training/training.js';
import { dayNumber, HOUR_MS } from '../statistics/time/calendar.js';
import type { Unit } from '../variables/units.js';
import type { Sources } from '../api/endpoint.js';
import type { Lead, RequestedLead } from './probability-params.js';
import { leadFrom, rangeWords } from './lead-of-forecast.js';
import { type TargetDay, storedForecast } from './stored-forecast.js';
import { type TrainingSample, type TrainingQuery, trainFor } from './training/archive.js';

/** A request about one forecast. */
export interface PredictionQuery extends TrainingQuery {
  forecast: { given: number | undefined; target_date: string };
  lead: RequestedLead;
  unit: Unit;
}

/** A forecast, and what its probabilities follow from. */
export interface Prediction {
  lead: Lead;
  /** Hundredths of a °F. */
  forecast: number;
  /** Undefined for a forecast in the request. */
  issued_ms: number | undefined;
  trained: TrainingSample;
  /** Remarks for its reader. */
  hints: string[];
}

/** The forecast of one provider, or that of the request. @throws InvalidParamsError without either */
export async function readPrediction(
  params: PredictionQuery,
  day: TargetDay | undefined,
  sources: Pick<Sources, 'query'>,
): Promise<Prediction> {
  const { given, target_date } = params.forecast;
  const { bucket, lead_ms, moment_ms = NaN } = params.lead;
  const stored =
    given === undefined ? await storedForecast(params, target_date, day, params.lead, sources) : undefined;
  const lead =
    bucket === undefined || stored !== undefined
      ? leadFrom(stored?.issued_ms ?? moment_ms, target_date, day?.begins_ms ?? NaN)
      : { bucket, lead_ms };
  // A stored forecast is answered from what was known when it was issued, as reliability scores it.
  const knownAt = stored?.issued_ms ?? params.knownAt;
  const range = leadRange(lead.bucket, lead.lead_ms);
  const isOther =
    stored !== undefined &&
    bucket !== undefined &&
    !isInRange(lead.lead_ms ?? NaN, leadRange(bucket, lead_ms));
  return {
    lead,
    hints: isOther
      ? [
          `No forecast was issued ${rangeWords({ bucket, lead_ms })} the day: these odds are of the nearest one, issued ` +
            `${Math.round((lead.lead_ms ?? NaN) / HOUR_MS)} hours before, and learn from forecasts of its lead`,
        ]
      : [],
    forecast: stored?.forecast_hundredths ?? given ?? 0,
    issued_ms: stored?.issued_ms,
    trained: await trainFor({ ...params, knownAt }, range, dayNumber(target_date), sources),
  };
}
