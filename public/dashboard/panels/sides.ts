import { getProviders } from '../api.js';
import { parameters } from '../address.js';
import type { Page } from '../page.js';
import { Lack } from '../body.js';

/** The most providers that one comparison takes. */
const MAX_COMPARED = 8;

export interface Sides {
  reference: string;
  others: string[];
  compared: string;
}

/** How another provider compares with that of the page, group by group; `known` are the groups with common days. */
export async function loadComparison(page: Page, group_by: string) {
  const { reference, others, compared } = await loadSides(page);
  const subject = parameters({ ...page.params, provider: '' });
  const requested = { ...subject, providers: `${reference},${compared}`, group_by };
  const { data } = await page.load.get('accuracy/compare', requested);
  const known = data.filter(({ cases }) => cases > 0);
  return { reference, others, compared, requested, data, known };
}

/** The two providers that are compared: that of the page and another one. */
export async function loadSides(page: Page): Promise<Sides> {
  const { params, load } = page;
  const { data: providers } = await getProviders(load);
  const reference = params.provider || providers.find(({ is_default }) => is_default)?.provider || '';
  const others = providers.map(({ provider }) => provider).filter((each) => each !== reference);
  const isNamed = others.includes(params.compare);
  const compared = isNamed ? params.compare : await maxInCommon(page, reference, others);
  if (compared === undefined) throw new Lack('needs a second provider');
  return { reference, others, compared };
}

/** The one that has most station days in common with the reference. */
async function maxInCommon({ params, load }: Page, reference: string, others: string[]) {
  if (others.length < 2) return others[0];
  const subject = parameters({ ...params, provider: '' });
  const providers = [reference, ...others].slice(0, MAX_COMPARED).join();
  const { data } = await load.get('accuracy/compare', { ...subject, providers, reference });
  return data.toSorted((a, b) => b.cases - a.cases)[0]?.provider ?? others[0];
}
