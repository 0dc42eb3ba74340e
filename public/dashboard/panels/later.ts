import type { AnyBody } from '../body.js';
import { blend } from './blend.js';
import { byHour } from './by-hour.js';
import { departures } from './departures.js';
import { distribution } from './distribution.js';
import { events } from './events.js';
import { map } from './map.js';
import { misses, suspects } from './misses.js';
import { probabilities } from './odds.js';
import { pairs } from './pairs.js';
import { providers } from './providers.js';
import { ranking } from './ranking.js';
import { reliability } from './reliability.js';
import { scorecard } from './scorecard.js';

/** The bodies of the panels behind the first ones, by their ids. */
export const LATER: Record<string, AnyBody> = {
  ...{ blend, 'by-hour': byHour, departures, distribution, events, map, misses },
  ...{ odds: probabilities, pairs, providers, ranking, reliability, scorecard, suspects },
};
