import { type PageParams, type Tab, windowLength } from '../address.js';
import type { Needs } from '../needs.js';
import { score } from '../score.js';

/** All that the page knows of a panel before it asks for anything. */
export interface Declaration {
  id: string;
  title: string | ((params: PageParams) => string);
  /** The width that its picture needs on a desk; a half without another one beside it takes the row. */
  width: 'half' | 'full';
  needs: Needs;
  /** Kept words of the address whose change makes the panel ask again. */
  words?: (keyof PageParams)[];
}

export type Step = 'day' | 'week';

/** Days of more than these are one line of noise; weeks are exact as well. */
const MAX_DAYS = 120;

/** The days of a request, or the weeks of a long window. */
export const getStep = (params: PageParams): Step => (windowLength(params) > MAX_DAYS ? 'week' : 'day');

const [half, full] = [{ width: 'half' } as const, { width: 'full' } as const];
const ofFeeds = { isOfFeeds: true } as const;
const ownPairs = { ownPairs: true } as const;
const twoProviders = { providers: 2 } as const;
const ofRain = { score: 'brier_score' } as const;
const daily = { period: 'day' } as const;
const title = (rest: (params: PageParams) => string) => (params: PageParams) =>
  `${score().title} by ${rest(params)}`;

/** All panels by their tabs, in the order of the page (D85). */
export const PANELS: Record<Tab, Declaration[]> = {
  good: [
    { ...half, id: 'reliability', title: 'Is 30% really 30%?', needs: ofRain },
    { ...half, id: 'by-date', title: title(getStep), needs: ownPairs },
    { ...half, id: 'by-lead-time', title: title(() => 'lead time'), needs: { ...daily, ...ownPairs } },
    { ...full, id: 'by-hour', title: title(() => 'hour'), needs: { period: 'hour' } },
  ],
  where: [
    { ...full, id: 'map', title: 'Bias on the map', needs: {}, words: ['map'] },
    { ...full, id: 'ranking', title: 'Stations, ranked', needs: {} },
  ],
  provider: [
    { ...half, id: 'providers', title: 'By lead time', needs: twoProviders, words: ['compare'] },
    {
      ...{ ...half, id: 'scorecard', title: 'By lead time and season' },
      ...{ needs: { ...twoProviders, ...ownPairs }, words: ['compare'] },
    },
    {
      ...half,
      id: 'departures',
      title: 'When they differ',
      needs: { score: 'mae', ...daily, ...twoProviders },
    },
    {
      ...half,
      id: 'blend',
      title: 'Both as one',
      needs: { ...ofFeeds, ...twoProviders },
      words: ['compare'],
    },
  ],
  likely: [
    {
      ...{ ...full, id: 'odds', title: 'The odds', needs: { ...ofFeeds, ...ownPairs, service: true } },
      words: ['target_date', 'forecast', 'forecast_lead', 'threshold'],
    },
    { ...half, id: 'reliability', title: 'Are the odds reliable?', needs: ofFeeds, words: ['forecast_lead'] },
    {
      ...half,
      id: 'distribution',
      title: 'Are the stated ranges right?',
      needs: { ...ofFeeds, ...ownPairs },
    },
    {
      ...{ ...half, id: 'events', title: 'Are extremes seen coming?' },
      ...{ needs: { ...ofFeeds, ...ownPairs }, words: ['event'] },
    },
  ],
  happened: [
    { ...full, id: 'pairs', title: 'Forecasts and what came', needs: ownPairs },
    { ...half, id: 'misses', title: 'The largest misses', needs: ownPairs },
    { ...half, id: 'suspects', title: 'Observations in doubt', needs: { ...ofFeeds, ...ownPairs } },
  ],
};
