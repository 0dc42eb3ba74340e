import { DEFAULT_PARAMS, type PageParams } from './address.js';
import { getProviders, type Load } from './api.js';
import {
  findStation,
  followsStation,
  getOwnUnit,
  loadStations,
  loadSummary,
  type Page,
  toRequestUnits,
} from './page.js';
import { loadByDate } from './panels/by-date.js';
import { loadByHour } from './panels/by-hour.js';
import { loadByLeadTime } from './panels/by-lead-time.js';
import { loadDepartures } from './panels/departures.js';
import { loadDistribution } from './panels/distribution.js';
import { loadEvents } from './panels/events.js';
import { latestDay, summaryBefore } from './panels/headline.js';
import { loadBlend, loadProviders } from './panels/providers.js';
import { loadRanking } from './panels/ranking.js';
import { loadReliability } from './panels/reliability.js';
import { loadScorecard } from './panels/scorecard.js';
import { loadSeal } from './seal.js';
import { loadSuspects } from './suspects.js';
import { setUnits } from './words.js';

// The requests of a view, without a browser: `npm run page` bundles it for `forecast-accuracy publish`.

export { escapeName, fileOf } from './published.js';

/** The loaders of the panels. The others ask for nothing else, or need a service: the odds. */
const LOADERS: ((page: Page) => Promise<unknown>)[] = [
  async (page) => summaryBefore(page, await loadSummary(page)),
  latestDay,
  loadByDate,
  loadByLeadTime,
  loadByHour,
  loadDepartures,
  loadDistribution,
  loadReliability,
  (page) => loadProviders(page).then(({ reference, compared }) => loadBlend(page, [reference, compared])),
  loadScorecard,
  loadEvents,
  loadRanking,
  loadSuspects,
  ({ load }) => getProviders(load),
  loadSeal,
];

/**
 * Asks for all that a view needs. A panel without anything to show is no failure.
 * @param load gives the responses, as the page has them
 */
export async function askForView(view: Partial<PageParams>, load: Pick<Load, 'get'>): Promise<void> {
  const params = { ...DEFAULT_PARAMS, ...view };
  const page = { params, load } as Page;
  if (followsStation(params)) params.units = getOwnUnit(await findStation(page));
  params.units = toRequestUnits(params);
  setUnits(params.units, params.metric);
  await loadStations(page);
  await Promise.allSettled(LOADERS.map((ask) => ask(page)));
}
