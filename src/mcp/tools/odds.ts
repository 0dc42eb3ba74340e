import { describeReliability, type ProbabilityBin } from '../../statistics/uncertainty/judge.js';
import { blendedProviders, events, lead } from '../../probability/probability-params.js';
import { FILTERS, METRIC, passed, PLACE, TARGET_DATE, UNITS } from '../tool-parameters.js';
import { MAX_SMALL, getRequestFields } from '../tool-rows.js';
import { started, type StationOfCall } from '../station-search.js';
import { makeRequest, same, type Tool, type Values } from '../tool.js';

interface Probability extends Record<string, unknown> {
  station_id: string;
  target_date: string;
  /** null by day_so_far, as the range. */
  lead_time_bucket: string | null;
  lead_range: { nearest_lead_hours: number | null } | null;
  issued_at: string | null;
  so_far?: { hour: number; day_begins_at: string } | null;
  thresholds?: unknown[];
  brackets?: unknown[];
  reason: string | null;
}

type Bin = ProbabilityBin & { forecasts: number };

/** Fields of the calibration that stand beside its bins. */
const SCORES = ['cases', 'days', 'brier', 'crps_f', 'crps_c', 'reliability', 'level'];

/** GET /probability with its calibration beside it (D36). */
export const probabilityTool: Tool = {
  name: 'odds',
  title: 'Odds of a temperature',
  description:
    'Says how likely the high or low of a day reaches thresholds, or falls into brackets (whole degrees), given the stored ' +
    'forecast or one of your own, and the day so far. `calibration` says how reliable such odds were here: ' +
    'always give both.',
  parameters: {
    place: PLACE,
    target_date: TARGET_DATE,
    metric: METRIC,
    thresholds: passed(events.parameters.thresholds, 'Whole degrees: 80,85.'),
    brackets: passed(events.parameters.brackets, 'Ranges: 80-81,82-83,..79,90..'),
    forecast: passed(lead.parameters.forecast, 'Your forecast, in place of the stored one.'),
    lead_time_bucket: passed(lead.parameters.lead_time_bucket, 'Lead time of that forecast.'),
    lead_hours: passed(
      lead.parameters.lead_hours,
      'Its lead, up to 720. Without both, from now to target_date.',
    ),
    provider: FILTERS.provider,
    providers: passed(blendedProviders.parameters.providers, 'Several, by commas, as one forecast.'),
    as_of: FILTERS.as_of,
    units: UNITS,
  },
  required: ['place'],
  more: {
    calibration: { type: 'object', description: 'verdict, brier, and bins: forecast and observed.' },
    odds: { type: 'object', description: 'Forecast, training and quantiles.' },
  },
  row: 'One for each threshold (at_or_above with low, high) and bracket (from_f, to_f, probability).',

  plan: (values) => [loadProbability(values)],

  async handle(values, [response], ask, place) {
    const hints = hintsOfReadings(response!.data as Probability);
    const found = hints.length === 0 ? response! : await ask(loadProbability(values, { so_far: 'ignore' }));
    const { thresholds = [], brackets = [], ...estimate } = found.data as Probability;
    const judged = await ask(loadReliability(values, estimate));
    const { bins, ...scores } = judged.data as { bins: Bin[]; cases: number };
    hints.push(...hintsOfDay(values, estimate, place));
    const { hint } = (found.metadata ?? {}) as { hint?: string };
    if (hint !== undefined) hints.push(hint);
    if (estimate.reason !== null) hints.push(`No probabilities: ${estimate.reason}`);
    if (scores.cases < MAX_SMALL) {
      hints.push(
        `Too few past forecasts to say whether the odds are reliable: ${scores.cases} of this station and lead time in the last 90 days`,
      );
    }
    const { target_date, forecast_f, forecast_c, issued_at, lead_time_bucket } = estimate;
    const lead_hours = getLeadHours(estimate);
    return {
      params: {
        ...getRequestFields(found),
        ...{ target_date, forecast_f, forecast_c, issued_at, lead_time_bucket, lead_hours },
      },
      more: {
        odds: estimate,
        calibration: {
          verdict: calibrationVerdict(bins),
          ...Object.fromEntries(Object.entries(scores).filter(([name]) => SCORES.includes(name))),
          bins: bins.filter(({ forecasts }) => forecasts > 0),
        },
      },
      rows: [...thresholds, ...brackets],
      hints,
    };
  },
};

/** Why the readings of the day are of no use, so that the stored forecast alone counts. */
function hintsOfReadings({ so_far, reason, issued_at }: Probability): string[] {
  if (!so_far || reason === null || issued_at === null) return [];
  const hints = [`Readings of the day do not count: ${reason}`];
  if (issued_at >= so_far.day_begins_at)
    hints.push(`The forecast issued at ${issued_at} does not count either, because the day had begun`);
  return hints;
}

/** A day that has begun has readings, and these odds use none. */
function hintsOfDay(
  { as_of }: Values,
  { so_far, target_date }: Probability,
  place: StationOfCall | undefined,
): string[] {
  const startedText = as_of === undefined && !so_far ? started(target_date, place) : undefined;
  if (startedText === undefined) return [];
  return target_date < place!.today
    ? [`${startedText}: forecasts_for_day has what was observed`]
    : [`${startedText}, and these odds use none of its readings`];
}

const getLeadHours = ({ lead_range }: Probability): number | null => lead_range?.nearest_lead_hours ?? null;

/** The reliability of forecasts like one: of its hour of the day, or its lead time. */
function loadReliability(values: Values, estimate: Probability) {
  const { station_id, so_far, lead_time_bucket } = estimate;
  const lead_hours = getLeadHours(estimate);
  const [name, value] = so_far
    ? ['hour', so_far.hour]
    : lead_hours === null
      ? ['lead_time_bucket', lead_time_bucket]
      : ['lead_hours', lead_hours];
  return makeRequest(
    '/probability/reliability',
    values,
    same('metric', 'provider', 'providers', 'as_of', 'units'),
    { station_id, [name]: String(value) },
  );
}

/** @param more parameters that the tool does not have */
const loadProbability = (values: Values, more: Record<string, string> = {}) =>
  makeRequest(
    '/probability',
    values,
    { ...same(...Object.keys(probabilityTool.parameters)), place: 'station_id' },
    more,
  );

/** Whether the probabilities were reliable, as the dashboard says it. */
const calibrationVerdict = (bins: readonly ProbabilityBin[]): string =>
  describeReliability(bins, (share) => `${Math.round(share * 100)}%`) ?? 'unknown';
