import { z } from 'zod';
import { accuracyEndpoint, basisOf } from '../../api/accuracy.js';
import { CASES_GROUPS, TOTAL_CASES } from '../../api/cases.js';
import { difference } from '../../api/degrees.js';
import type { Sources } from '../../api/endpoint.js';
import { count, numberOrNull } from '../../api/fields.js';
import { leadTimesFrom } from '../../api/questions/common.js';
import { stationsApart } from '../../api/questions/stations.js';
import { uncertainty } from '../../api/records/stats.js';
import type { RowsQuestion } from '../../relations/conditions.js';
import { casesWithSpreads } from './spreads.js';
import { historiesOf } from '../learning/history.js';
import { origins } from '../learning/origins.js';
import { type Reliability, reliabilityOf } from '../learning/reliability.js';
import { Scores } from '../learning/scores.js';
import { SpreadSkill } from './spread.js';
import { leadRange, MIN_NETWORK_DAYS } from '../learning/training.js';
import { tenThousandths, sum } from '../../statistics/statistics.js';
import { SCALES } from '../../statistics/units.js';
import { dayNumber } from '../../statistics/time/calendar.js';
import { ALL_BUCKETS, SAME_DAY } from '../../statistics/time/lead-time.js';
import { estimate, estimateOf, NO_COMPARISON, NO_SCORES } from '../reliability-record.js';
import { type Learner, readOrigins, windowOf, withinReach } from '../learning/learn.js';
import { inSlices } from '../../slices.js';

const fahrenheit = (description: string) => difference().meta({ description: `${description}, °F` });

/** Measured, of a station day. */
const WORK_MS = 0.008;

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

const crps = z
  .object({
    cases: count(
      'Cases with a spread for which /probability has a distribution: same-day forecasts have none',
    ),
    days: count('Target days with such a case'),
    cases_without_training: count(
      `Cases left out because the network had fewer than ${MIN_NETWORK_DAYS} station days to learn from`,
    ),
    spread_f: estimate(
      'Of a normal distribution around the forecast, whose standard deviation is the spread',
    ),
    mixture_f: estimate(
      'Of the probabilities of /probability, from the errors known when the forecast was issued',
    ),
    difference_f: estimate('mixture_f - spread_f, on the same cases: above 0 if the spread is better'),
  })
  .meta({
    id: 'SpreadScores',
    description: 'Continuous ranked probability scores over whole °F, and so in °F in any unit; 0 is best',
  });

/** GET /api/v1/accuracy/spread-skill: what it is worth how sure a provider says it is. */
export const spreadSkill = accuracyEndpoint({
  paths: ['/accuracy/spread-skill'],
  operationId: 'getSpreadSkill',
  summary: 'Errors by said spread',
  description:
    'Some providers say how sure a forecast is: its spread, a standard deviation (columns high_sd_f and low_sd_f of the feed). ' +
    'Does a larger spread come before larger errors, and of that size? One record for each whole degree of said spread: 2 °F ' +
    'is from 1.5 to 2.5. Each station day counts once, with the latest forecast of the lead times asked for. At most 366 days.',
  example: { query: 'date_from=2026-09-01&date_to=2026-09-30' },
  groups: { ...CASES_GROUPS, station: stationsApart, leadTimes: leadTimesFrom },
  record,
  many: true,
  totalRecords: TOTAL_CASES,
  metadata: {
    cases_without_spread: count('Station days left out because their forecast says no spread'),
    rank_correlation: numberOrNull(
      "Spearman's rank correlation of spread and absolute error, to 0.0001; null where either never varies",
    ),
    crps,
    reason: z.string().nullable().meta({ description: 'Why no station day counts; null if any does' }),
  },

  workMs: ({ window }, { stations }) => stations.all.length * window.days_analyzed * WORK_MS,

  async answer(question, { query }) {
    const { window, level, station } = question;
    withinReach(window);
    const rows = await query(casesWithSpreads(question), station === undefined ? 'long' : undefined);
    const skill = new SpreadSkill(window.days_analyzed);
    const said: SaidSpreads = new Map();
    let cases = 0;
    await inSlices(rows, ({ station_id, days, slots, errors, spreads }) => {
      cases += days.length;
      const ofStation = new Map<number, Said>();
      for (const [at, spread] of spreads.entries()) {
        if (spread < 0) continue;
        skill.add(days[at]!, errors[at]!, spread);
        ofStation.set(days[at]!, { spread, bucket: ALL_BUCKETS[slots[at]! - 1]! });
      }
      said.set(station_id, ofStation);
    });
    const { found, untrained } = await scoresOf(question, said, { query });
    return {
      data: skill.bins(level),
      metadata: {
        cases_without_spread: cases - skill.cases,
        rank_correlation: tenThousandths(skill.rankCorrelation()),
        crps: scoresRecord(found, untrained),
        reason: skill.cases > 0 ? null : cases > 0 ? noSpread(question.metric) : NO_CASE,
      },
      basis: basisOf(skill.cases, sum(rows.map(({ preliminary }) => preliminary))),
    };
  },
});

/** The spread of a case, hundredths of a °F, and the lead time of its forecast. */
interface Said {
  spread: number;
  bucket: (typeof ALL_BUCKETS)[number];
}

/** By station and day of the window. */
type SaidSpreads = Map<string, ReadonlyMap<number, Said>>;

type SpreadQuestion = Omit<Learner, 'station' | 'training'> & {
  window: RowsQuestion['window'] & { days_analyzed: number };
  station?: readonly { station_id: string }[] | undefined;
  level: number;
};

/** The training of /probability by default. */
const USUAL_TRAINING = { window: undefined, verified_only: undefined };

/** Scores each case, with its spread as the normal's, by the mixture of its own lead time, which learns from forecasts like it. */
async function scoresOf(question: SpreadQuestion, said: SaidSpreads, { query }: Pick<Sources, 'query'>) {
  const { window, level, station, knownAt } = question;
  const days = { first: dayNumber(window.period_start), last: dayNumber(window.period_end) };
  const scores = new Scores(days.first, window.days_analyzed, SCALES.fahrenheit);
  const buckets = new Set([...said.values()].flatMap((of) => [...of.values()].map(({ bucket }) => bucket)));
  for (const bucket of ALL_BUCKETS) {
    if (bucket === SAME_DAY || !buckets.has(bucket)) continue;
    const range = leadRange(bucket);
    const usual = { ...question, station: undefined, training: USUAL_TRAINING };
    const training = { ...USUAL_TRAINING, window: await windowOf(usual, range, days.last, { query }) };
    const { histories, dayBegins } = await readOrigins({ ...usual, training }, range, days, { query });
    const asked = {
      ...{ ...range, ...days, window: training.window, scale: SCALES.fahrenheit, known_ms: knownAt },
      station_id: station?.length === 1 ? station[0]?.station_id : undefined,
    };
    await inSlices(origins(historiesOf(histories, 0), asked, dayBegins), (each) =>
      each((found) => {
        const own = said.get(found.station_id)?.get(found.day - days.first);
        if (own?.bucket === bucket) scores.add(found, own.spread);
      }),
    );
  }
  return { found: reliabilityOf(scores, level), untrained: scores.untrained };
}

const scoresRecord = (
  found: Reliability | undefined,
  cases_without_training: number,
): z.input<typeof crps> => ({
  cases: found?.cases ?? 0,
  days: found?.days ?? 0,
  cases_without_training,
  spread_f: estimateOf((found?.scores.normal ?? NO_SCORES).crps),
  mixture_f: estimateOf((found?.scores.mixture ?? NO_SCORES).crps),
  difference_f: estimateOf((found?.against.normal ?? NO_COMPARISON).crps),
});

const NO_CASE = 'No station day of the window has a forecast of these lead times and an observation';

const noSpread = (metric: string): string =>
  `No forecast of these station days has a spread; feeds of forecasts have it in the column ${metric}_sd_f, or ${metric}_sd_c`;
