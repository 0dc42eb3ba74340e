import { z } from 'zod';
import { LATEST_VERSION } from '../accuracy/histograms.js';
import { UNNAMED_PROVIDER } from '../accuracy/provider.js';
import type { Store } from '../store/store.js';
import { clip } from '../text.js';

/** No provider has this name. */
export class UnknownProvider extends Error {}

/** A provider as a question refers to it. */
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
   * @param loads the providers of each finished load's forecasts, in the order of loads
   * @param preferred the default of the operator's settings, if any
   * @param later those of a later version: a name that is not there yet is looked up there
   */
  constructor(loads: readonly (readonly string[])[], preferred?: string, later: readonly Provider[] = []) {
    const byDefault = preferred ?? defaultOf(loads[0] ?? []);
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
        `There is no provider ${JSON.stringify(clip(name ?? '', 60))}; there are: ${names}`,
      );
    }
    return found;
  }
}

/** The default comes from the first load with forecasts, so further providers do not change it. */
function defaultOf(first: readonly string[]): string {
  return first.includes(UNNAMED_PROVIDER) ? UNNAMED_PROVIDER : ([...first].sort()[0] ?? UNNAMED_PROVIDER);
}

/** The providers of a version of the data, and the names of later ones. @throws what the store throws */
export async function readProviders(
  store: Pick<Store, 'query'>,
  preferred: string | undefined,
  version = LATEST_VERSION,
  later?: readonly Provider[],
): Promise<Providers> {
  const rows = await store.query(
    `SELECT forecast_providers
    FROM loads
    WHERE event = 'finished' AND notEmpty(forecast_providers) AND load_id <= {version: UInt32}
    ORDER BY load_id`,
    { version },
    z.object({ forecast_providers: z.array(z.string()) }),
  );
  return new Providers(
    rows.map(({ forecast_providers }) => forecast_providers),
    preferred,
    later,
  );
}
