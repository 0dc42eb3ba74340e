import { cdf, crps } from '../learning/curve.js';
import { chanceOf, curveOfRises, type DailyExtreme, riseOf, risesTo } from './line.js';
import type { HourCase } from './hour-origins.js';
import { probabilityOf, rangesAround } from '../learning/predictive.js';
import { crpsOf, type ScoredCase, ScoreTable } from '../learning/scores.js';
import { phaseOf } from '../learning/tally.js';
import { degreesFrom, type Scale, wholeDegree } from '../../statistics/units.js';

// How good the odds of days that had begun were (D57), beside what else could have been said at that hour.

/** The odds of a day by one method. */
interface Said {
  /** A probability for each of the six ranges around its forecast. */
  probabilities: readonly number[];
  crps: number;
  /** P(A < outcome) and P(A <= outcome), of a method that is judged. */
  place?: readonly [before: number, here: number];
}

/** The odds of a day by the mixture of its forecast's errors (D36); undefined when the network has too few days. */
export function saidByMixture(found: ScoredCase, scale: Scale): Said | undefined {
  const score = crpsOf(found, scale);
  if (score === undefined) return undefined;
  const { forecast, station, networkTally: network } = found;
  const ranges = rangesAround(degreesFrom(phaseOf(forecast, scale), scale.size), scale);
  const probabilities = ranges.map((range) => probabilityOf({ station, network }, range, ranges.length));
  return { probabilities, crps: score };
}

/** Around what has been measured, where there is no forecast. */
const rangesOf = ({ forecast, measured }: HourCase, scale: Scale) =>
  rangesAround(Number.isNaN(forecast) ? measured : wholeDegree(forecast, scale), scale);

/** The odds of a day that has begun, by the line or by the rise by hour alone. */
export function saidByHour(method: 'line' | 'rise', found: HourCase, metric: DailyExtreme, scale: Scale) {
  const { actual, measured, [method]: rises } = found;
  const curve = curveOfRises(rises);
  const rise = riseOf(metric, actual, measured, scale);
  const [before, here] = [cdf(curve, rise - 1), cdf(curve, rise)];
  return {
    probabilities: rangesOf(found, scale).map((range, _, { length }) =>
      chanceOf(rises, risesTo(metric, range, measured), length),
    ),
    crps: crps(curve, rise),
    place: metric === 'high' ? ([before, here] as const) : ([1 - here, 1 - before] as const),
  } satisfies Said;
}

/** The odds of days that had begun beside those of one rival, on the cases that both have. */
export class HourScores<Rival extends string> extends ScoreTable<'line' | Rival> {
  constructor(
    first: number,
    days: number,
    private readonly rival: Rival,
    private readonly scale: Scale,
  ) {
    super(first, days, ['line', rival]);
  }

  /** @param rival what it says of the case; nothing is counted where it says nothing */
  add(found: HourCase, line: ReturnType<typeof saidByHour>, rival: Said | undefined): void {
    if (rival === undefined) {
      this.untrained += 1;
      return;
    }
    const [day, degree] = [found.day - this.first, wholeDegree(found.actual, this.scale)];
    const [ofLine, ofRival] = [this.sums.line, this.sums[this.rival]];
    this.cases[day]! += 1;
    for (const [at, { from, to }] of rangesOf(found, this.scale).entries()) {
      const isOutcome = degree >= (from ?? -Infinity) && degree <= (to ?? Infinity);
      this.judge(day, line.probabilities[at]!, isOutcome);
      ofRival.count(day, rival.probabilities[at]!, isOutcome);
    }
    ofLine.crps[day]! += line.crps;
    ofRival.crps[day]! += rival.crps;
    this.place(...line.place);
  }
}
