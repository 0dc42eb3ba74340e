import type { ApiAnswer } from '../../answers/questions.js';
import { asOf } from '../../api/questions/versions.js';
import { provider } from '../../api/questions/common.js';
import { events, lead } from '../../api/questions/probability.js';
import { METRIC, passed, PLACE, TARGET_DATE } from '../parameters.js';
import { FEW, questionOf } from '../rows.js';
import { queryOf, same, type Tool } from '../tool.js';

interface Odds extends Record<string, unknown> {
  station_id: string;
  lead_time_bucket: string;
  lead_range: { nearest_lead_hours: number | null };
  thresholds?: unknown[];
  brackets?: unknown[];
  reason: string | null;
}

interface Bin {
  forecasts: number;
}

interface Calibration extends Record<string, unknown> {
  cases: number;
  bins: Bin[];
}

/** GET /probability with its calibration beside it (D36). */
export const odds: Tool = {
  name: 'odds',
  title: 'Odds of a temperature',
  description:
    'How likely the high or low of a day is at or above thresholds, or within brackets (whole °F), given the stored ' +
    'forecast or `forecast`; with `calibration`: how often such probabilities came true at this station. Tell both.',
  parameters: {
    place: PLACE,
    target_date: TARGET_DATE,
    metric: METRIC,
    thresholds: passed(events.parameters.thresholds, 'Whole °F by commas: 80,85'),
    brackets: passed(events.parameters.brackets, 'Ranges by commas: 80-81,82-83,..79,90..'),
    forecast: passed(lead.parameters.forecast, 'A forecast in °F, in place of the stored one'),
    lead_time_bucket: passed(lead.parameters.lead_time_bucket, 'Of that forecast'),
    lead_hours: passed(
      lead.parameters.lead_hours,
      'Its lead, up to 720; without both, from now to target_date',
    ),
    provider: passed(provider.parameters.provider, 'The provider that issued the forecasts'),
    as_of: passed(asOf.parameters.as_of, 'Data of a past load'),
  },
  required: ['place'],
  more: {
    calibration: { type: 'object', description: 'brier, bins: said against observed' },
    odds: { type: 'object', description: 'Forecast, training, quantiles' },
  },
  row: 'One per threshold (at_or_above, low, high) and bracket (from_f, to_f, probability)',

  plan(values) {
    return [
      {
        path: '/probability',
        query: queryOf(values, { ...same(...Object.keys(odds.parameters)), place: 'station_id' }),
        names: { station_id: 'place' },
      },
    ];
  },

  async answer(values, [answer], ask) {
    const found = answer as ApiAnswer;
    const { thresholds = [], brackets = [], ...said } = found.data as Odds;
    const { nearest_lead_hours: nearest } = said.lead_range;
    const judged = await ask({
      path: '/probability/reliability',
      query: {
        station_id: said.station_id,
        ...(nearest === null ? { lead_time_bucket: said.lead_time_bucket } : { lead_hours: String(nearest) }),
        ...queryOf(values, same('metric', 'provider', 'as_of')),
      },
    });
    const { cases, days, brier, crps_f, reliability, bins, level } = judged.data as Calibration;
    const hints: string[] = [];
    if (said.reason !== null) hints.push(`No probabilities: ${said.reason}`);
    if (cases < FEW) {
      hints.push(
        `Not shown to be calibrated: only ${cases} past forecasts of this station and lead time could be judged in the last 90 days`,
      );
    }
    return {
      question: questionOf(found),
      more: {
        odds: said,
        calibration: {
          cases,
          days,
          brier,
          crps_f,
          reliability,
          level,
          bins: bins.filter(({ forecasts }) => forecasts > 0),
        },
      },
      rows: [...thresholds, ...brackets],
      hints,
    };
  },
};
