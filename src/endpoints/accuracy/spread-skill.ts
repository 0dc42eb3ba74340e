import { z } from 'zod';
import { defineAccuracy } from '../../api/accuracy.js';
import { CASES_GROUPS, inTurns, TOTAL_CASES } from '../../api/cases.js';
import { difference, score } from '../../api/degrees.js';
import type { Sources } from '../../api/endpoint.js';
import { count, numberOrNull } from '../../api/fields.js';
import { leadTimesFrom } from '../../api/questions/common.js';
import { stationsOfCity } from '../../api/questions/stations.js';
import { uncertainty } from '../../api/records/stats.js';
import type { RowsQuestion } from '../../relations/conditions.js';
import { casesWithSpreads, casesWithSpreadsRow } from '../../relations/spreads.js';
import { origins } from '../../statistics/probability/origins.js';
import { Scores } from '../../statistics/probability/scores.js';
import {
  NormalScores,
  type SpreadScores,
  spreadScores,
  SpreadSkill,
} from '../../statistics/probability/spread.js';
import { leadRange, MIN_NETWORK_DAYS, TRAINING_WINDOW } from '../../statistics/probability/training.js';
import { rounded, tenThousandths } from '../../statistics/statistics.js';
import { dayNumber } from '../../statistics/time/calendar.js';
import { ALL_BUCKETS, SAME_DAY } from '../../statistics/time/lead-time.js';
import { type Learner, readOrigins, withinReach } from '../probability/training.js';

const fahrenheit = (description: string) => difference().meta({ description: `${description}, °F` });

const record = z
  .object({
    spread_from_f: fahrenheit('Lower end of the spreads of these forecasts, included'),
    spread_to_f: fahrenheit('Upper end, not included'),
    cases: count('Station days whose forecast says such a spread'),
    days: count('Calendar days with such a case'),
    mean_spread: fahrenheit('Mean spread of the forecasts'),
    mean_error: fahrenheit('Mean error'),
    mae: fahrenheit('Mean absolute error'),
    rmse: fahrenheit('Root mean square error'),
    rmse_to_spread: numberOrNull(
      'rmse / mean_spread: above 1 the provider is surer than it should be; null where it says 0',
    ),
    uncertainty,
  })
  .meta({ id: 'SpreadSkill' });

const scoreOrNull = (description: string) => score().nullable().meta({ description });

const estimate = (description: string) =>
  z
    .object({
      value: scoreOrNull('The value, °F; null without cases'),
      low: scoreOrNull('Lower end of its interval, by target day; null below 14 days'),
      high: scoreOrNull('Upper end of it'),
    })
    .meta({ description });

const crps = z
  .object({
    cases: count(
      'Cases with a spread for which /probability has a distribution: same-day forecasts have none',
    ),
    days: count('Target days with such a case'),
    cases_without_training: count(
      `Cases left out because the network had fewer than ${MIN_NETWORK_DAYS} station days to learn from`,
    ),
    spread: estimate('Of a normal distribution around the forecast, whose standard deviation is the spread'),
    mixture: estimate(
      'Of the probabilities of /probability, from the errors known when the forecast was issued',
    ),
    difference: estimate('spread - mixture, on the same cases: below 0 if the spread is better'),
  })
  .meta({
    id: 'SpreadScores',
    description: 'Continuous ranked probability scores over whole °F, to 0.000001; 0 is best',
  });

/** GET /api/v1/accuracy/spread-skill (D55): what it is worth how sure a provider says it is. */
export const spreadSkill = defineAccuracy({
  paths: ['/accuracy/spread-skill'],
  operationId: 'getSpreadSkill',
  summary: 'Errors by said spread',
  description:
    'Some providers say how sure a forecast is: its spread, a standard deviation (columns high_sd_f and low_sd_f of the feed). ' +
    'Does a larger spread come before larger errors, and of that size? One record for each whole degree of said spread: 2 °F ' +
    'is from 1.5 to 2.5. Each station day counts once, with the latest forecast of the lead times asked for. At most 366 days.',
  example: { query: 'date_from=2026-09-01&date_to=2026-09-30' },
  groups: { ...CASES_GROUPS, station: stationsOfCity, leadTimes: leadTimesFrom },
  record,
  many: true,
  metadata: {
    total_records: TOTAL_CASES,
    cases_without_spread: count('Station days left out because their forecast says no spread'),
    rank_correlation: numberOrNull(
      "Spearman's rank correlation of spread and absolute error, to 0.0001; null where either never varies",
    ),
    crps,
    reason: z.string().nullable().meta({ description: 'Why no station day counts; null if any does' }),
  },

  async answer(question, { query }) {
    const { window, level, station } = question;
    withinReach(window);
    const rows = await query(
      casesWithSpreads(question),
      casesWithSpreadsRow,
      station === undefined ? 'long' : undefined,
    );
    const skill = new SpreadSkill(window.days_analyzed);
    const said = ALL_BUCKETS.map((): SaidSpreads => new Map<string, Map<number, number>>());
    let cases = 0;
    await inTurns(rows, ({ station_id, days, slots, errors, spreads }) => {
      cases += days.length;
      for (const [at, spread] of spreads.entries()) {
        if (spread < 0) continue;
        skill.add(days[at]!, errors[at]!, spread);
        const ofLead = said[slots[at]! - 1]!;
        let ofStation = ofLead.get(station_id);
        if (ofStation === undefined) ofLead.set(station_id, (ofStation = new Map<number, number>()));
        ofStation.set(days[at]!, spread);
      }
    });
    const { scores, untrained } = await scoresOf(question, said, { query });
    return {
      data: skill.bins(level).map(({ from, to, uncertainty, ...bin }) => ({
        spread_from_f: from,
        spread_to_f: to,
        ...bin,
        rmse_to_spread: bin.mean_spread === 0 ? null : rounded(bin.rmse / bin.mean_spread),
        uncertainty,
      })),
      metadata: {
        total_records: skill.cases,
        cases_without_spread: cases - skill.cases,
        rank_correlation: tenThousandths(skill.rankCorrelation()),
        crps: crpsOf(scores, untrained),
        reason: skill.cases > 0 ? null : cases > 0 ? noSpread(question.metric) : NO_CASE,
      },
      verified: skill.cases > 0 && rows.every(({ preliminary }) => preliminary === 0),
    };
  },
});

/** The spreads of cases whose forecasts have one lead time: by station and day of the window, hundredths of a °F. */
type SaidSpreads = Map<string, Map<number, number>>;

type SpreadQuestion = Omit<Learner, 'station' | 'training'> & {
  window: RowsQuestion['window'] & { days_analyzed: number };
  station?: readonly { station_id: string }[] | undefined;
  level: number;
};

/** What /probability learns from unless it is told otherwise. */
const USUAL_TRAINING = { window: TRAINING_WINDOW.usual, verified_only: undefined };

/** Scores each case beside the mixture of its own lead time, which learns from forecasts like it. */
async function scoresOf(
  question: SpreadQuestion,
  said: readonly SaidSpreads[],
  { query }: Pick<Sources, 'query'>,
) {
  const { window, level, station, knownAt } = question;
  const days = { first: dayNumber(window.period_start), last: dayNumber(window.period_end) };
  const mixture = new Scores(days.first, window.days_analyzed);
  const normals = new NormalScores(days.first, window.days_analyzed);
  const learner = { ...question, station: undefined, training: USUAL_TRAINING };
  for (const [slot, ofLead] of said.entries()) {
    const bucket = ALL_BUCKETS[slot]!;
    if (ofLead.size === 0 || bucket === SAME_DAY) continue;
    const range = leadRange(bucket, undefined);
    const { histories, dayBegins } = await readOrigins(learner, range, days, { query });
    const asked = {
      ...{ ...range, ...days, window: USUAL_TRAINING.window, known_ms: knownAt },
      station_id: station?.length === 1 ? station[0]?.station_id : undefined,
    };
    await inTurns(origins(histories, asked, dayBegins), (each) =>
      each((found) => {
        const spread = ofLead.get(found.station_id)?.get(found.day - days.first);
        if (spread !== undefined && mixture.add(found)) normals.add(found, spread);
      }),
    );
  }
  return { scores: spreadScores(normals, mixture, level), untrained: mixture.untrained };
}

const NO_SCORE = { value: null, low: null, high: null };

const crpsOf = (scores: SpreadScores | undefined, cases_without_training: number): z.input<typeof crps> => ({
  cases: scores?.cases ?? 0,
  days: scores?.days ?? 0,
  cases_without_training,
  spread: scores?.spread ?? NO_SCORE,
  mixture: scores?.mixture ?? NO_SCORE,
  difference: scores?.difference ?? NO_SCORE,
});

const NO_CASE = 'No station day of the window has a forecast of these lead times and an observation';

const noSpread = (metric: string): string =>
  `No forecast of these station days says a spread: feeds of forecasts have it in the column ${metric}_sd_f, or ${metric}_sd_c`;
