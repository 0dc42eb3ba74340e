import { z } from 'zod';
import { LATEST_VERSION, ofVersion } from '../queries/conditions.js';
import { currentFacts } from '../queries/facts.js';
import { UNNAMED_PROVIDER } from '../statistics/provider.js';
import { bind, sql } from '../queries/sql.js';
import type { Store } from '../store/store.js';
import { clip } from '../lib/text.js';

/** No provider has this name. */
export class UnknownProvider extends Error {
  readonly apiCode = 'PROVIDER_NOT_FOUND';
}

/** A provider as a request refers to it. */
export interface Provider {
  name: string;
  isDefault: boolean;
}

/** The providers of forecasts, at one version of the data (D27). */
export class Providers {
  /** In alphabetical order; the default is among them even before its first forecast. */
  readonly all: readonly Provider[];
  readonly #known: readonly Provider[];

  /**
   * @param loads the providers of each finished load's forecasts, in the order of loads and of their rows.
   * @param preferred the default of the operator's settings, if any.
   * @param later those of a later version: a name that is not there yet is looked up there
   */
  constructor(loads: readonly (readonly string[])[], preferred?: string, later: readonly Provider[] = []) {
    const byDefault = preferred ?? chooseDefault(loads.find((names) => names.length > 0) ?? []);
    const names = new Set([byDefault, ...loads.flat()]);
    this.all = [...names].sort().map((name) => ({ name, isDefault: name === byDefault }));
    const unknown = later.filter(({ name }) => !names.has(name));
    this.#known = [...this.all, ...unknown.map(({ name }) => ({ name, isDefault: false }))];
  }

  /** The provider with this name; without a name the default. @throws UnknownProvider */
  find(name: string | undefined): Provider {
    const found = this.#known.find((each) => (name === undefined ? each.isDefault : each.name === name));
    if (found === undefined) {
      const names = this.all.map((each) => each.name).join(', ');
      throw new UnknownProvider(
        `Unknown provider ${JSON.stringify(clip(name ?? '', 60))}. Available: ${names}`,
      );
    }
    return found;
  }
}

/** The default comes from the first load with forecasts, so further providers do not change it. */
function chooseDefault(first: readonly string[]): string {
  return first.includes(UNNAMED_PROVIDER) ? UNNAMED_PROVIDER : (first[0] ?? UNNAMED_PROVIDER);
}

/** The providers of a version of the data, and the names of later ones. @throws what the store throws */
export async function readProviders(
  store: Pick<Store, 'query'>,
  preferred: string | undefined,
  version = LATEST_VERSION,
  later?: readonly Provider[],
): Promise<Providers> {
  const rows = await store.query(
    sql.rows(z.object({ forecast_providers: z.array(z.string()) }))`SELECT forecast_providers
    FROM loads
    WHERE event = 'finished' AND notEmpty(forecast_providers) AND ${ofVersion(version)}
    ORDER BY load_id`,
  );
  const loads = rows.map(({ forecast_providers }) => forecast_providers);
  const withdrawn = await withdrawnProviders(store, version);
  return new Providers(
    loads.map((names) => names.filter((name) => !withdrawn.includes(name))),
    preferred,
    later,
  );
}

/** The providers without a forecast that stands. One that has pairs has one; only of the others all are read. */
async function withdrawnProviders(store: Pick<Store, 'query'>, version: number): Promise<string[]> {
  const row = z.object({ provider: z.string() });
  const suspects = await store.query(
    sql.rows(row)`SELECT DISTINCT provider
    FROM (SELECT provider, withdrawn, load_id FROM forecasts UNION ALL SELECT provider, withdrawn, load_id FROM hourly_forecasts)
    WHERE withdrawn AND ${ofVersion(version)} AND (
        ${bind({ version }, 'UInt32')} < ${bind({ latest: LATEST_VERSION }, 'UInt32')}
        OR provider NOT IN (SELECT provider FROM station_day_counts GROUP BY provider HAVING sum(pair_count) != 0)
    )`,
  );
  const names = suspects.map(({ provider }) => provider);
  if (names.length === 0) return names;
  const ofNames = sql`provider IN ${bind({ names }, 'Array(String)')} AND ${ofVersion(version)}`;
  const standing = await store.query(
    sql.rows(row)`SELECT DISTINCT provider
    FROM (
      SELECT provider FROM ${currentFacts('forecasts', ofNames)}
      UNION ALL
      SELECT provider FROM ${currentFacts('hourly_forecasts', ofNames)}
    )`,
  );
  return names.filter((name) => !standing.some(({ provider }) => provider === name));
}
