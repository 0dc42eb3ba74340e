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
import { getBody } from './panels/bodies.js';
import { findTabs } from './tab-list.js';
import { latestDay, loadBin } from './panels/headline.js';
import { loadSeal } from './sources.js';
import { setUnits } from './words.js';

// The requests of a view, without a browser: `npm run page` bundles it for `forecast-accuracy publish`.

export { escapeName, fileOf } from './published.js';

/**
 * Asks for all that a view needs, tab by tab. A panel without anything to show is no failure.
 * @param load gives the responses, as the page has them
 */
export async function askForView(view: Partial<PageParams>, load: Pick<Load, 'get'>): Promise<void> {
  const params = { ...DEFAULT_PARAMS, ...view };
  const page = { params, load } as Page;
  if (followsStation(params)) params.units = getOwnUnit(await findStation(page));
  params.units = toRequestUnits(params);
  setUnits(params.units, params.metric);
  await loadStations(page);
  const [providers, summary] = await Promise.allSettled([getProviders(load), loadSummary(page)]);
  const known = {
    ...{ params, isCopy: true },
    providers: providers.status === 'fulfilled' ? providers.value.data : undefined,
    hasPairs: summary.status === 'fulfilled' && summary.value.data.verification_pairs > 0,
  };
  const panels = findTabs(known).flatMap((each) => each.panels);
  await Promise.allSettled([
    loadBin(page),
    latestDay(page),
    loadSeal(page),
    ...panels.map(async ({ id }) => (await getBody(id)).load(page)),
  ]);
}
