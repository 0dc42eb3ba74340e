import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Station } from '../../clients/typescript/src/generated.js';
import { parameters, type PageParams, type Tab } from './address.js';
import { changesUnit } from './published.js';
import type { Load } from './api.js';
import { LEVEL } from './intervals.js';

/** A request, and its responses. */
interface LoadedParams {
  params: PageParams;
  load: Load;
}

/** The page as its panels have it: a request, and the ways to change it. */
export interface Page extends LoadedParams {
  /** Shows another request. */
  change: (part: Partial<PageParams>) => void;
  /** Shows another request in the place of this one, to which the way back does not lead. */
  open: (part: Partial<PageParams>) => void;
  /** Keeps in the address a change that does not touch the headline; panels that it concerns ask again. */
  keep: (part: Partial<PageParams>) => void;
  /** Shows another tab of the same request, with the responses that are there. */
  show: (view: Tab) => void;
  /** Replaces the panels by an error. */
  fail: (error: unknown) => void;
  /** Asks for everything again. */
  reload: () => void;
  /** Reads a text out to those who do not see the page change. */
  announce: (text: string) => void;
  /** Whether the headline may ask: the unit is known, which may be that of the station. */
  hasUnit: boolean;
  /** Whether panels may ask: the headline has come. */
  isReady: boolean;
}

export const PageContext = createContext<Page | undefined>(undefined);

/** Whether a click on a link opens it elsewhere, as the browser does: the page leaves it alone. */
export const opensElsewhere = ({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  ctrlKey || metaKey || shiftKey;

export const usePage = (): Page => useContext(PageContext)!;

export const loadStations = async ({ load }: Pick<LoadedParams, 'load'>): Promise<Station[]> =>
  (await load.get('stations/metadata')).data;

export const loadSummary = ({ params, load }: LoadedParams) =>
  load.get('accuracy/summary', toChanceRequest(params));

/** The request of the reliability table of a chance, of which the headline speaks. */
export const toChanceRequest = (params: PageParams) => ({ ...parameters(params), ci: LEVEL });

/** The station of a request, or the only one there is. A link may name it in any way that the API takes. */
export async function findStation({ params, load }: LoadedParams): Promise<Station | undefined> {
  const all = await loadStations({ load });
  if (params.station_id === '') return all.length === 1 ? all[0] : undefined;
  const named = all.find(({ station_id }) => station_id === params.station_id);
  if (named !== undefined) return named;
  const { metadata } = await loadSummary({ params, load });
  return all.find(({ station_id }) => station_id === metadata.station_id);
}

/** Whether the unit is that of the station: the headline then waits for the list of stations. */
export const followsStation = ({ units, station_id }: PageParams): boolean =>
  units === '' && station_id !== '';

/** The units in which a station reports; blank for those of the USA. */
export const getOwnUnit = (station: Station | undefined): string =>
  station?.reported_in === 'whole_celsius' ? 'metric' : '';

/** The units that requests of a view name: those of the USA only if the variable has others without, as winds in kt. */
export const toRequestUnits = ({ units, metric }: Pick<PageParams, 'units' | 'metric'>): string =>
  units || (changesUnit('us', metric) ? 'us' : '');

/**
 * A response that is requested again whenever the load changes, or `on`. The one before stays until then; a late one of
 * an earlier request is never shown.
 */
export function useResponse<Result>(ask: () => Promise<Result>, isWanted = true, on?: unknown) {
  const { load } = usePage();
  const [tries, setTries] = useState(0);
  const key = JSON.stringify([load.number, tries, on]);
  const [found, setFound] = useState<{ key: string; response?: Result; error?: unknown }>({ key: '' });
  useLayoutEffect(() => {
    if (!isWanted) return undefined;
    let isCurrent = true;
    const resolve = (to: { response?: Result; error?: unknown }): void => {
      if (isCurrent && !load.signal.aborted) setFound({ key, ...to });
    };
    ask().then(
      (response) => resolve({ response }),
      (error: unknown) => resolve({ error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, isWanted]);
  return {
    response: found.response,
    error: found.key === key ? found.error : undefined,
    isBusy: found.key !== key,
    again: () => setTries(tries + 1),
  };
}

/** The size of an element, px, once it is known and whenever it changes. */
export function useSize<Element extends HTMLElement>() {
  const place = useRef<Element>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = place.current!;
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width > 0) setSize({ width, height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { place, ...size };
}
