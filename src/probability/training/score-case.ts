import type { Scale } from '../../variables/declarations.js';
import { degreesFrom, wholeDegree } from '../../variables/units.js';
import type { Case } from './forecast-origins.js';
import { empirical, mixErrors, normalAround, type Predictive, rangesAround } from './predictive.js';
import type { ScoreTable } from './probability-scores.js';
import { wholeBelow, computeFraction } from './degree-counts.js';
import { MIN_NETWORK_DAYS } from './training.js';

/** The mixture, and what it is held against: a normal, with the 2 °F that many use, and either part of it alone. */
export const METHODS = ['mixture', 'normal', 'network', 'station'] as const;
export type Method = (typeof METHODS)[number];

/** The 2 °F, hundredths. */
const NORMAL_SIGMA = 200;

/** As much of a case as is scored. */
export type ScoredCase = Pick<Case, 'day' | 'forecast' | 'actual' | 'station' | 'networkCounts'>;

/** The mixture of a case, degrees from floor(F), and what came; undefined where the network has too few days. */
export function mixtureOfCase(
  { forecast, actual, station, networkCounts: network }: ScoredCase,
  scale: Scale,
) {
  if (network.days < MIN_NETWORK_DAYS) return undefined;
  return {
    mixture: mixErrors({ station, network }),
    outcome: wholeDegree(actual, scale) - wholeBelow(forecast, scale),
    phase: computeFraction(forecast, scale),
  };
}

/** Scores cases, each by its mixture. @returns whether a case had enough training */
export function scorer(scores: ScoreTable<Method>, scale: Scale): (found: ScoredCase) => boolean {
  const normals: Predictive[] = [];
  return (found) => {
    const predicted = mixtureOfCase(found, scale);
    if (predicted === undefined) {
      scores.untrained += 1;
      return false;
    }
    const { mixture, outcome, phase } = predicted;
    const network = empirical(found.networkCounts);
    scores.add(found.day, outcome, rangesAround(degreesFrom(phase, scale.size), scale), {
      mixture,
      network,
      normal: (normals[phase] ??= normalAround(phase, NORMAL_SIGMA, scale)),
      // Without a day of its own a station has the network's.
      station: found.station.days === 0 ? network : empirical(found.station),
    });
    return true;
  };
}
