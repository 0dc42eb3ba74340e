import type { LoadRows } from './pass/batch.js';
import type { Wanted } from './catalogue.js';
import type { Clock } from './clock.js';
import type { Host } from './host/host.js';
import type { PublicSource } from './source.js';

/** The hosts of sources by name; `iem` has the list of stations. */
export type Hosts = Readonly<Record<string, Host>> & { readonly iem: Host };

/** The days that an operator wants. */
export interface Days {
  from: string;
  /** The last one; until now, without it. */
  to?: string | undefined;
}

/** An operator's order to collect, with its sources and its store. */
export interface Collector {
  wanted: Wanted;
  days: Days;
  sources: readonly PublicSource[];
  dataDir: string;
  /** The name of the store that rows go to. */
  store: string;
  hosts: Hosts;
  load: LoadRows;
  clock: Clock;
  signal: AbortSignal;
  /** Receives a line for each request, and what else happens on the way. */
  log: (line: string) => void;
  /** How many rows a load waits for. */
  rowsPerLoad?: number;
}
