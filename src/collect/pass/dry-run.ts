import type { SourceState } from '../../stations/source-state.js';
import type { Collector } from '../collector.js';
import { findPlaces } from './places.js';
import { minSeconds, listPaths, planSource } from './plan.js';
import { durationText, namesText } from './run-report.js';
import { numberText } from '../../lib/text.js';
import { withCollectLock } from './collector-lock.js';
import { getNames } from '../source.js';
import { type Catalogue, readState, writeState } from '../state.js';

// The requests of a pass, without sending them.

export interface DryRun {
  stations: number;
  stations_not_found: string[];
  /** The stations were asked for, and nothing else; false where they were known. */
  is_catalogue_requested: boolean;
  sources: (Pick<SourceState, 'source' | 'feed' | 'provider' | 'stations'> & {
    requests: number;
    /** Roughly. */
    estimated_bytes: number;
  })[];
  /** The time that the distance between requests takes; hosts are queried side by side. */
  min_seconds: number;
  /** Days over which a host's budget spreads its requests. */
  days: number;
}

/** Asks for the stations where they are not known yet, and keeps them; nothing else changes. */
export async function dryRun(collector: Collector): Promise<DryRun> {
  const { dataDir, store, wanted, days, sources, hosts, clock } = collector;
  const requested_ms = clock.now();
  const state = await readState(dataDir, store);
  const { catalogue: known } = state;
  const isRequested = known?.wanted !== JSON.stringify(wanted);
  const { places, missing } = isRequested ? await askAndKeep(collector) : known;
  const plans = sources.map((source) => planSource(source, { places, state, days, requested_ms }));
  const days_each = Object.entries(hosts).map(([name, { budget }]) =>
    Math.ceil(budget.share(listPaths(plans, name), 'day')),
  );
  return {
    stations: places.length,
    stations_not_found: missing,
    is_catalogue_requested: isRequested,
    sources: plans.map(({ source, places: served, requests }) => ({
      ...getNames(source),
      stations: served.length,
      requests: requests.reduce((sum, request) => sum + request.paths.length, 0),
      estimated_bytes: requests.reduce((sum, request) => sum + source.estimatedBytes(request), 0),
    })),
    min_seconds: minSeconds(plans, hosts),
    days: Math.max(1, ...days_each),
  };
}

async function askAndKeep(collector: Collector): Promise<Catalogue> {
  const { dataDir, store, clock } = collector;
  return withCollectLock(collector, async (signal) => {
    const state = await readState(dataDir, store);
    const catalogue = await findPlaces(collector, state, clock.now(), signal);
    await writeState(dataDir, state);
    return catalogue;
  });
}

export function dryRunText(run: DryRun): string {
  const megabytes = (bytes: number): string => `${numberText(Math.ceil(bytes / 1e6))} MB`;
  const total = run.sources.reduce((sum, { estimated_bytes }) => sum + estimated_bytes, 0);
  const requests = run.sources.reduce((sum, source) => sum + source.requests, 0);
  return [
    run.is_catalogue_requested
      ? `${numberText(run.stations)} stations; only their list was requested`
      : `${numberText(run.stations)} stations, known from an earlier pass; nothing was requested`,
    ...run.stations_not_found.map((line) => `not found: ${line}`),
    ...run.sources.map(
      (source) =>
        `${namesText(source)}: ${numberText(source.requests)} requests for ` +
        `${numberText(source.stations)} stations, about ${megabytes(source.estimated_bytes)}`,
    ),
    `in all ${numberText(requests)} requests, about ${megabytes(total)}, at least ${durationText(run.min_seconds)} of pauses between requests` +
      (run.days > 1 ? `, over ${numberText(run.days)} days by the budget of a host` : ''),
  ].join('\n');
}
