import type { Provider } from '../../clients/typescript/src/generated.js';
import type { ScoreName, Variable } from '../../src/variables/declarations.js';
import { getPeriod, getScore, isHighOrLow } from './variables.js';

/** The need of panels about pairs. */
export const NO_PAIRS = 'needs a forecast of these days with its observation';

/** The needs of a panel: of its variable, and of the store. */
export interface Needs {
  period?: Variable['period'];
  score?: ScoreName;
  /** A variable of the daily feeds: a high or a low. */
  isOfFeeds?: true;
  /** Providers of the variable. */
  providers?: 2;
  /** Pairs of the request itself; those of other stations do for the rest. */
  ownPairs?: true;
  /** A service, which a copy has not. */
  service?: true;
}

/** The facts of a request that the needs are held to. */
export interface Known {
  params: { metric: string; station_id: string };
  /** Undefined until they are known: then nothing lacks. */
  providers: readonly Pick<Provider, 'variables'>[] | undefined;
  hasPairs: boolean;
  isCopy: boolean;
}

/** The first unmet need of a panel, as a predicate; undefined if it can be shown. */
export function findLack(needs: Needs, { params, providers, hasPairs, isCopy }: Known): string | undefined {
  const ofVariable = providers?.filter(({ variables }) => variables?.includes(params.metric) ?? true);
  if (needs.providers !== undefined && (ofVariable?.length ?? Infinity) < needs.providers)
    return providers?.length === 0 ? 'needs forecasts: none are loaded' : 'needs a second provider';
  if (needs.isOfFeeds && !isHighOrLow(params)) return 'is about daily highs and lows';
  if (needs.score !== undefined && needs.score !== getScore(params))
    return needs.score === 'mae' ? 'is about values, not chances' : 'is about chances';
  if (needs.period !== undefined && needs.period !== getPeriod(params))
    return `is about values of ${needs.period === 'day' ? 'a day' : 'an hour'}`;
  if (needs.service && isCopy) return 'needs the full service';
  // Another station may have pairs.
  const isOfOthers = hasPairs || (params.station_id !== '' && ofVariable?.length !== 0);
  return (needs.ownPairs ? hasPairs : isOfOthers) ? undefined : NO_PAIRS;
}
