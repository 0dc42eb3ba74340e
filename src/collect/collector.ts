import type { LoadRows } from './pass/batch.js';
import type { Wanted } from './catalogue.js';
import type { Clock } from './clock.js';
import type { Host } from './host/host.js';
import type { HostName, PublicSource } from './source.js';

export type Hosts = Readonly<Record<HostName, Host>>;

/** The days that an operator wants. */
export interface Days {
  from: string;
  /** The last one; until now, without it. */
  to?: string | undefined;
}

/** What an operator wants to be collected, and from and to where. */
export interface Collector {
  wanted: Wanted;
  days: Days;
  sources: readonly PublicSource[];
  dataDir: string;
  /** What the store is called that rows go to. */
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
