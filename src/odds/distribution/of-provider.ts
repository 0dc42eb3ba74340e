import { z } from 'zod';
import type { Sources } from '../../api/endpoint.js';
import { score } from '../../api/degrees.js';
import { count, numberOrNull, shareOrNull } from '../../api/fields.js';
import { bounds } from '../../api/records/rates.js';
import { andOfStations, ofMetric, ofProvider, ofVersion } from '../../relations/conditions.js';
import { factsThatStand } from '../../relations/facts.js';
import { bind, sql } from '../../sql.js';
import { rounded, tenThousandths } from '../../statistics/statistics.js';
import { dateOf, dayNumber } from '../../statistics/time/calendar.js';
import type { Scale } from '../../statistics/units.js';
import { normalCdf } from '../learning/normal.js';
import type { Prospect } from '../outcomes.js';
import type { Prediction, PredictionQuestion } from '../prediction.js';
import { casesWithDistributions } from './cases.js';
import { DistributionScores, mostCommon, SHAPES } from './scores.js';

// The provider's own distribution of a stored forecast, and how good such ones were at the station.

/** Days that a record is of, up to the day before the target date. */
const RECORD_DAYS = 90;

export const providerRecord = z
  .object({
    period_start: z.iso.date(),
    period_end: z.iso.date(),
    cases: count('Days of the station with a distribution at this lead time, and an observation'),
    covered_80: shareOrNull(
      'Share of the observations between the 10 % and the 90 % quantile; null without cases or such levels',
    ),
    ...bounds('covered_80'),
    shape: z
      .enum(SHAPES)
      .nullable()
      .meta({ description: 'As /accuracy/distribution has it; null with fewer than 14 days' }),
    crps_from_quantiles: score().nullable().meta({ description: 'Likewise; null without cases' }),
    spread_to_error: numberOrNull('Likewise'),
  })
  .meta({
    id: 'ProviderRecord',
    description: `With from=provider: how good its distributions were at the station, on ${RECORD_DAYS} days before`,
  });

type Query = Pick<Sources, 'query'>;

/** A distribution: temperatures in hundredths of a °F by level, %; or a standard deviation alone. */
type Distribution = readonly { level: number; value: number }[];

const row = z.object({ distribution: z.array(z.object({ level: z.number(), value: z.number() })) });

/** The distribution that stands of an issuance for a station's day. */
function distributionOf(question: PredictionQuestion, issued_ms: number) {
  const issued_at = sql`fromUnixTimestamp64Milli(${bind({ issued_ms }, 'Int64')})`;
  const target_date = bind({ target_date: question.forecast.target_date }, 'Date');
  const condition = sql`${ofMetric(question)} AND ${ofProvider(question)} AND ${ofVersion(question.asOf?.version)}
    AND target_date = ${target_date} AND issued_at = ${issued_at}${andOfStations(question.station)}`;
  return sql.rows(
    row,
  )`SELECT distribution_f AS distribution FROM ${factsThatStand('distributions', condition)}`;
}

/**
 * The odds of a stored forecast by its provider, in place of ours; the days that ours learn from stay beside them.
 * @param ours the odds of /probability for the forecast
 */
export async function oddsOfProvider(
  question: PredictionQuestion & { level: number },
  { forecast, issued_ms, lead }: Pick<Prediction, 'forecast' | 'issued_ms' | 'lead'>,
  ours: Prospect,
  scale: Scale,
  { query }: Query,
): Promise<{ prospect: Prospect; provider_record: z.infer<typeof providerRecord> }> {
  const [found] = issued_ms === undefined ? [] : await query(distributionOf(question, issued_ms));
  const below = found && cdfOf(found.distribution, forecast);
  return {
    prospect: {
      ...ours,
      ...(below ? chancesOf(below, forecast, scale) : { reason: NO_DISTRIBUTION }),
      interval: () => undefined,
    },
    provider_record: await recordOf(question, lead.bucket, { query }),
  };
}

const NO_DISTRIBUTION =
  'The forecast has no distribution, or a single quantile; leave out from=provider for the odds of its past errors';

/** P(A <= a temperature in hundredths of a °F); undefined for one quantile, which says no more. */
function cdfOf(distribution: Distribution, forecast: number): ((hundredths: number) => number) | undefined {
  const points = distribution
    .filter(({ level }) => level > 0)
    .map(({ level, value }) => ({ level: level / 100, at: Math.round(value * 100) }));
  const sd = distribution.find(({ level }) => level === 0);
  if (points.length === 0 && sd !== undefined) {
    return (hundredths) =>
      sd.value === 0 ? Number(hundredths >= forecast) : normalCdf((hundredths - forecast) / sd.value / 100);
  }
  if (points.length < 2) return undefined;
  return (hundredths) => {
    const above = points.findIndex(({ at }) => at > hundredths);
    // Tails have the slope of the outermost two quantiles.
    const place = above === -1 ? points.length - 1 : Math.max(1, above);
    const [from, to] = [points[place - 1]!, points[place]!];
    if (from.at === to.at) return above === -1 ? 1 : 0;
    const share = from.level + ((to.level - from.level) * (hundredths - from.at)) / (to.at - from.at);
    return Math.min(1, Math.max(0, share));
  };
}

/** A settled value is a whole degree, half up, so a degree ends half a degree above it. */
function chancesOf(below: (hundredths: number) => number, forecast: number, { size, zero }: Scale) {
  const upTo = (degree: number | null): number => (degree === null ? 1 : below((degree + 0.5) * size + zero));
  const middle = Math.round((forecast - zero) / size);
  let [lowest, highest] = [middle, middle];
  while (upTo(lowest - 1) > NOTHING_LEFT && middle - lowest < FARTHEST) lowest -= 1;
  while (upTo(highest) < 1 - NOTHING_LEFT && highest - middle < FARTHEST) highest += 1;
  return {
    lowest,
    highest,
    reason: null,
    of: ({ from, to }: { from: number | null; to: number | null }) =>
      upTo(to) - (from === null ? 0 : upTo(from - 1)),
  };
}

/** A tail with less is not looked at, nor are degrees so far away. */
const NOTHING_LEFT = 1e-7;
const FARTHEST = 300;

/** How good the distributions of a lead time were at the station before the target date. */
async function recordOf(
  { forecast, level, ...question }: PredictionQuestion & { level: number },
  bucket: Prediction['lead']['bucket'],
  { query }: Query,
): Promise<z.infer<typeof providerRecord>> {
  const last = dayNumber(forecast.target_date) - 1;
  const window = { period_start: dateOf(last - RECORD_DAYS + 1), period_end: dateOf(last) };
  const leadTimes = { leads: 'some' as const, buckets: [bucket] };
  const [cases] = mostCommon(
    await query(casesWithDistributions({ ...question, window, leadTimes }, 'none', false)),
  );
  const scores = cases && new DistributionScores(cases, RECORD_DAYS, level, question.unit);
  const band = scores?.intervals().find(({ nominal }) => nominal === 80);
  return {
    ...window,
    cases: cases?.cases ?? 0,
    covered_80: tenThousandths(band?.rate ?? null),
    covered_80_low: tenThousandths(band?.low ?? null),
    covered_80_high: tenThousandths(band?.high ?? null),
    shape: scores?.shape() ?? null,
    crps_from_quantiles: scores?.crps() ?? null,
    spread_to_error: rounded(scores?.spreadToError() ?? null),
  };
}
