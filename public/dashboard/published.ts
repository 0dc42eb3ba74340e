import { SYSTEMS } from '../../src/variables/declarations.js';
import { getUnitOf } from '../../src/variables/units.js';
import { VARIABLE_NAMES } from '../../src/variables/variables.js';

// A copy without a service: the files of `forecast-accuracy publish`, which any static host serves.

/** The words of the address that a copy has responses for, by name; the first provider is the default one. */
export type Offers = Record<'metric' | 'days' | 'provider' | 'units' | 'station_id', string[]>;

/** The content of a copy. It stands in the element `html` of its page, which so needs no request to know it. */
export interface Published {
  /** The folder of its responses, relative to the page. */
  folder: string;
  /** RFC 3339, UTC. */
  generated_at: string;
  offers: Offers;
  /** The URL of the service that has the rest. */
  full_service?: string;
}

/** Tests and `publish` read this file without a browser. */
interface Browser {
  document?: { documentElement: { dataset: Record<string, string | undefined> } };
}

const text = (globalThis as Browser).document?.documentElement.dataset.published;

/** The copy that this page is of; undefined where a service is behind it. */
export const published = text === undefined ? undefined : (JSON.parse(text) as Published);

type Name = keyof Offers;

/** The words that a page begins with: the first that a copy has, or its own. With several systems of units it is that of the station. */
export function chooseDefault(name: Name, own: string): string {
  const all = published?.offers[name] ?? [];
  return name === 'units' && all.length > 1 ? own : (all[0] ?? own);
}

/** Whether a copy has a word of the address; a service has all. */
export const isOffered = (name: string, value: string): boolean =>
  !published || !!published.offers[name as Name]?.includes(value);

/** The options that a copy has. */
export const keepOffered = <Option extends readonly [value: string, ...unknown[]]>(
  name: Name,
  options: Option[],
): Option[] => options.filter(([value]) => isOffered(name, value));

/** Whether a copy has a view. @param defaults the only words of names that it offers nothing for */
export const hasView = (params: Record<string, string>, defaults: Record<string, string>): boolean =>
  Object.entries(params).every(
    ([name, value]) => value === defaults[name] || ['map', 'view'].includes(name) || isOffered(name, value),
  );

/** File systems take names of 255 bytes; a longer one goes on in a folder. The rest is room for `.json`. */
const LONG_NAME = /.{240}(?=.)/g;

/**
 * The file of a response, below the folder of a copy: the parameters by name, without blank ones and units that need no
 * naming. Hosts disagree on `+`, `%` and the like in a path, so `~` and a hexadecimal code stand for them.
 */
export function fileOf(path: string, given: Record<string, string>): string {
  const words = Object.entries(given)
    .filter(([name, value]) => value !== '' && (name !== 'units' || changesUnit(value, given.metric)))
    .sort()
    .map(([name, value]) => `${name}=${escapeName(value)}`);
  return `${path}/${(words.join('&') || 'all').replace(LONG_NAME, '$&/')}.json`;
}

/** Whether a system gives a variable another unit than requests without one have; highs for no known variable. */
export function changesUnit(units: string, metric = 'high'): boolean {
  const variable = VARIABLE_NAMES.find((name) => name === metric) ?? 'high';
  const system = SYSTEMS.find((each) => each === units);
  return system === undefined || getUnitOf(variable, system) !== getUnitOf(variable, {});
}

/** A text with letters, digits and `._,-` alone. */
export const escapeName = (text: string): string =>
  text.replace(/[^\w.,-]/gu, (sign) =>
    Array.from(new TextEncoder().encode(sign), (byte) => `~${byte.toString(16).padStart(2, '0')}`).join(''),
  );
