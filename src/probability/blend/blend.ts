import { z } from 'zod';
import { instantText } from '../../queries/issuances.js';
import type { Sources } from '../../api/endpoint.js';
import { differenceOrNull } from '../../api/fields.js';
import { temperature } from '../../api/kinds.js';
import { InvalidParamsError } from '../../api/parameters.js';
import { type Dropped, MIN_DATES, makePoint } from './weights.js';
import { partition } from '../training/predictive.js';
import { leadRange, MIN_NETWORK_DAYS } from '../training/training.js';
import { dayNumber } from '../../statistics/time/calendar.js';
import { SCALES } from '../../variables/units.js';
import { leadFrom, rangeWords } from '../lead-of-forecast.js';
import { type Prediction, readPrediction, type PredictionQuery } from '../prediction.js';
import { type TargetDay, storedForecasts } from '../stored-forecast.js';
import { trainBlend } from './blend-training.js';

/** Fields of a response about the providers that it blends. */
export const BLEND_FIELDS = {
  weights: z.record(z.string(), z.number().min(0).max(1)).optional().meta({
    description: 'With several providers: the weight of each that is blended, to 0.0001; they add up to 1',
  }),
  excluded: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'With several providers: why others are not blended' }),
  members: z
    .record(
      z.string(),
      z.object({
        forecast_f: temperature().meta({ description: 'Its forecast, °F' }),
        issued_at: z.iso.datetime().meta({ description: 'When it was issued, UTC' }),
        bias_f: differenceOrNull(
          'Its usual error at the station, which is taken off, °F; null for a provider that is left alone: its forecast counts as it is',
        ),
      }),
    )
    .optional()
    .meta({ description: 'With several providers: what is blended' }),
};

export type BlendFields = { forecast_f: number } & {
  [Name in keyof typeof BLEND_FIELDS]-?: NonNullable<z.infer<(typeof BLEND_FIELDS)[Name]>>;
};

interface Member {
  /** Hundredths of a °F, as the bias. */
  forecast: number;
  issued_ms: number;
  bias: number | null;
}

/** The forecasts of several providers as one; where only one of them can count, its own. */
export async function blendedPrediction(
  params: PredictionQuery,
  names: readonly string[],
  day: TargetDay | undefined,
  sources: Pick<Sources, 'query'>,
): Promise<Prediction & { blend: BlendFields }> {
  const { station, requested, range, missing, present } = await readForecasts(params, names, day, sources);
  const { blend, trained } = await trainBlend(
    { ...params, station },
    present.map(({ name }) => name),
    range,
    dayNumber(params.forecast.target_date),
    sources,
  );
  const members = blend.members.map((member) => present[member]!);
  const reasons = new Map(blend.dropped.map((each) => [present[each.provider]!.name, getReason(each)]));
  const excluded = names
    .filter((name) => !members.some((member) => member.name === name))
    .map((name) => [name, reasons.get(name) ?? missing] as const);
  const getFields = (forecast_f: number, values: readonly Member[]): BlendFields =>
    makeFields(
      forecast_f,
      members.map(({ name }) => name),
      blend.weights,
      values,
      excluded,
    );
  if (members.length === 1) {
    const found = await readPrediction({ ...params, provider: members[0]! }, day, sources);
    const alone = { ...found, issued_ms: found.issued_ms ?? NaN, bias: null };
    return { ...found, blend: getFields(found.forecast / 100, [alone]) };
  }
  // Data count as known at the last issuance, because there was no such blend before.
  const issued_ms = Math.max(...members.map((each) => each.issued_ms));
  const { own, ...found } = trained(issued_ms);
  const values = members.map((each) => each.forecast_hundredths);
  const point = makePoint(blend, own, values);
  const { size, zero } = SCALES[params.unit];
  return {
    lead: requested,
    forecast: point,
    issued_ms,
    trained: found,
    hints: [],
    blend: getFields(
      ((Math.round(((point - zero) * 10) / size) * size) / 10 + zero) / 100 + 0,
      members.map((each, member) => ({
        forecast: each.forecast_hundredths,
        issued_ms: each.issued_ms,
        bias: own.biases[member]!,
      })),
    ),
  };
}

/**
 * Reads the stored forecasts of the providers, all at one lead time.
 * @throws InvalidParamsError without a station, and where none of the providers has a forecast
 */
async function readForecasts(
  params: PredictionQuery,
  names: readonly string[],
  day: TargetDay | undefined,
  sources: Pick<Sources, 'query'>,
) {
  const { station, lead } = params;
  const { target_date } = params.forecast;
  if (station === undefined || day === undefined) {
    const message = 'names several, which needs a station for their stored forecasts; name one in the data';
    throw new InvalidParamsError([{ parameter: 'providers', message }]);
  }
  const { bucket, lead_ms, moment_ms = NaN } = lead;
  const requested =
    bucket === undefined ? leadFrom(moment_ms, target_date, day.begins_ms) : { bucket, lead_ms };
  const range = leadRange(requested.bucket, requested.lead_ms);
  const stored = await storedForecasts(params, names, target_date, day, range, sources);
  const missing = `no forecast for ${target_date} was issued ${rangeWords(requested)} it`;
  const present = names.flatMap((name, at) => (stored[at] === undefined ? [] : [{ name, ...stored[at] }]));
  if (present.length === 0) {
    const message = `name several, but ${missing} for ${station.station_id} by any of them; name others, or give another lead_hours`;
    throw new InvalidParamsError([{ parameter: 'providers', message }]);
  }
  return { station, requested, range, missing, present };
}

/** The fields of a response about its blend; weights and members are in the order of names. */
function makeFields(
  forecast_f: number,
  names: readonly string[],
  weights: readonly number[],
  members: readonly Member[],
  excluded: Iterable<readonly [string, string]>,
): BlendFields {
  const shares = partition(weights, 10_000, 0);
  return {
    forecast_f,
    weights: Object.fromEntries(shares.map((share, member) => [names[member]!, share])),
    excluded: Object.fromEntries(excluded),
    members: Object.fromEntries(
      members.map(({ forecast, issued_ms, bias }, member) => [
        names[member]!,
        { forecast_f: forecast / 100, issued_at: instantText(issued_ms), bias_f: bias && bias / 100 },
      ]),
    ),
  };
}

const getReason = ({ days, common }: Dropped): string =>
  `too few training days in common, ${common.days} on ${common.dates} dates where ${MIN_NETWORK_DAYS} on ${MIN_DATES} ` +
  `are needed; this provider has the fewest, ${days}`;
