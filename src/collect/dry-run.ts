import { callWeight } from './host.js';
import type { Collector } from './pass.js';
import { findPlaces, isFresh } from './pass/places.js';
import { planSource } from './pass/plan.js';
import type { HostName } from './source.js';
import { readState } from './state.js';

// What a pass would ask, without asking it.

export interface DryRun {
  stations: number;
  stations_not_found: string[];
  /** The stations were asked for, and nothing else; false where they were known. */
  is_catalogue_asked: boolean;
  sources: {
    source: string;
    feed: string;
    provider: string | null;
    stations: number;
    requests: number;
    /** Roughly. */
    estimated_bytes: number;
  }[];
  /** What the distance between requests takes; hosts are asked side by side. */
  least_seconds: number;
  /** Days over which a host's budget spreads its requests. */
  days: number;
}

/** Asks for the stations where they are not known yet, and changes nothing. */
export async function dryRun(collector: Collector): Promise<DryRun> {
  const { dataDir, store, wanted, days, sources, hosts, signal, clock, tell } = collector;
  const asked_ms = clock.now();
  const state = await readState(dataDir, store);
  const { catalogue: known } = state;
  const { places, missing } = await findPlaces(wanted, known, {
    host: hosts.iem,
    now_ms: asked_ms,
    signal,
    tell,
  });
  const plans = sources.map((source) => planSource(source, { places, state, days, asked_ms }));
  const paths = (name: HostName): readonly string[] =>
    plans.flatMap(({ source, requests }) =>
      source.host === name ? requests.flatMap((request) => request.paths) : [],
    );
  const each = Object.entries(hosts).map(([name, { settings }]) => {
    const asked = paths(name as HostName);
    const weight = asked.reduce((sum, path) => sum + callWeight(path), 0);
    return {
      seconds: (asked.length * settings.gap_ms) / 1000,
      days: settings.budget === undefined ? 1 : Math.ceil(weight / settings.budget),
    };
  });
  return {
    stations: places.length,
    stations_not_found: missing,
    is_catalogue_asked: known === undefined || !isFresh(wanted, known, asked_ms),
    sources: plans.map(({ source, places: served, requests }) => ({
      source: source.name,
      feed: source.feed,
      provider: source.provider ?? null,
      stations: served.length,
      requests: requests.reduce((sum, request) => sum + request.paths.length, 0),
      estimated_bytes: requests.reduce((sum, request) => sum + source.estimatedBytes(request), 0),
    })),
    least_seconds: Math.ceil(Math.max(...each.map(({ seconds }) => seconds))),
    days: Math.max(1, ...each.map((host) => host.days)),
  };
}

export function dryRunText(run: DryRun): string {
  const number = (value: number): string => value.toLocaleString('en-US');
  const megabytes = (bytes: number): string => `${number(Math.ceil(bytes / 1e6))} MB`;
  const total = run.sources.reduce((sum, { estimated_bytes }) => sum + estimated_bytes, 0);
  const requests = run.sources.reduce((sum, source) => sum + source.requests, 0);
  const { least_seconds: seconds } = run;
  const time = seconds < 600 ? `${number(seconds)} s` : `${number(Math.ceil(seconds / 60))} minutes`;
  return [
    run.is_catalogue_asked
      ? `${number(run.stations)} stations; they were asked for, and nothing else`
      : `${number(run.stations)} stations, known from an earlier pass; nothing was asked`,
    ...run.stations_not_found.map((line) => `not found: ${line}`),
    ...run.sources.map(
      ({ source, feed, provider, stations, requests, estimated_bytes }) =>
        `${source}, ${provider === null ? feed : `${feed} of ${provider}`}: ` +
        `${number(requests)} requests for ${number(stations)} stations, about ${megabytes(estimated_bytes)}`,
    ),
    `in all ${number(requests)} requests, about ${megabytes(total)}, at least ${time} of keeping distance` +
      (run.days > 1 ? `, over ${number(run.days)} days by the budget of a host` : ''),
  ].join('\n');
}
