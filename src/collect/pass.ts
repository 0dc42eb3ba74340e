import { join } from 'node:path';
import type { LoadReport } from '../ingest/load-report.js';
import { UserError } from '../lib/user-error.js';
import { Batch } from './pass/batch.js';
import { stationLine } from './catalogue.js';
import type { Collector } from './collector.js';
import { getCollected, noteOutcome, type Outcome } from './pass/outcome.js';
import { findPlaces } from './pass/places.js';
import { halves, minSeconds, coverUnrequested, listPaths, planSource, type SourcePlan } from './pass/plan.js';
import { durationText, type RunReport, SourceTally, spanText } from './pass/run-report.js';
import type { Host } from './host/host.js';
import { requestAll } from './pass/request-all.js';
import type { FeedLine, Request, PublicSource } from './source.js';
import { emptyState, readState, type State, writeState } from './state.js';
import { withCollectLock } from './pass/collector-lock.js';

// One pass: what is wanted and not read yet is asked of its sources and loaded.

/** A year of forecasts of eight stations: enough to pay for a load, and the most that a kill loses. */
const ROWS_PER_LOAD = 100_000;

/** A load has no greater number than the last one: the store is not the one that the state describes. */
class StoreReplaced extends Error {}

/**
 * Asks for what is missing and loads it. The state changes after each load: a pass that is killed asks again for what
 * was not loaded yet.
 * @param overlaps which sources to ask, and how much of the past they read again, ms; all as they are, without it
 * @throws UserError, and what the load throws
 */
export async function runOnce(
  collector: Collector,
  overlaps?: ReadonlyMap<PublicSource, number>,
): Promise<RunReport> {
  return withCollectLock(collector, async (signal) => {
    try {
      return await new Run(collector, signal).run(overlaps);
    } catch (error) {
      if (!(error instanceof StoreReplaced)) throw error;
      collector.log('the store is not the one that was filled before; everything is requested again');
      return new Run(collector, signal).run(overlaps);
    }
  });
}

class Run {
  #state!: State;
  #batch!: Batch;
  readonly #tallies = new Map<PublicSource, SourceTally>();
  /** The requests whose rows are in the batch. */
  #outcomes: Outcome[] = [];
  readonly #loads: LoadReport[] = [];
  readonly #requested_ms: number;
  /** Requests of hosts: how many were made, and how many there are. */
  #requested = 0;
  #all = 0;
  /** Responses go into files one after the other, and wait while a load runs. */
  #taking = Promise.resolve();

  constructor(
    private readonly collector: Collector,
    private readonly signal: AbortSignal,
  ) {
    this.#requested_ms = collector.clock.now();
  }

  async run(overlaps?: ReadonlyMap<PublicSource, number>): Promise<RunReport> {
    const { dataDir, store, sources, hosts, log, days, clock } = this.collector;
    this.#state = await readState(dataDir, store);
    const hostNames = Object.keys(hosts);
    for (const [name, { budget }] of Object.entries(hosts)) budget.remember(this.#state.asked[name] ?? {});
    const requested_ms = this.#requested_ms;
    const { places, missing } = await findPlaces(this.collector, this.#state, requested_ms, this.signal);
    for (const source of sources.filter((one) => overlaps?.has(one) ?? true)) {
      const plan = planSource(
        source,
        { places, state: this.#state, days, requested_ms },
        overlaps?.get(source),
      );
      coverUnrequested(this.#state, plan, requested_ms);
      this.#tallies.set(source, new SourceTally(plan));
    }
    const plans = this.#plans;
    this.#all = hostNames.flatMap((name) => listPaths(plans, name)).length;
    log(`${this.#all} requests, ${durationText(minSeconds(plans, hosts))} or more`);
    this.#batch = await Batch.begin(join(dataDir, 'collect-rows'));
    try {
      await this.#askAll(hostNames);
      await this.#flush();
    } finally {
      await this.#batch.remove();
    }
    const reports = [...this.#tallies.values()].map((tally) => tally.report(this.#state, requested_ms));
    const hasGaps = reports.some(({ stations }) => stations.some(({ gaps }) => gaps.length > 0));
    const isRejected = this.#loads.some(({ outcome }) => outcome !== 'complete');
    return {
      requested_at: new Date(requested_ms).toISOString(),
      seconds: Math.round((clock.now() - requested_ms) / 10) / 100,
      outcome: hasGaps || isRejected || missing.length > 0 ? 'gaps' : 'complete',
      stations_not_found: missing,
      sources: reports,
      loads: this.#loads,
    };
  }

  get #plans(): SourcePlan[] {
    return [...this.#tallies.values()].map(({ plan }) => plan);
  }

  /** Asks the hosts side by side, each for one thing at a time. An error of one ends the others. */
  async #askAll(hosts: readonly string[]): Promise<void> {
    const failure = new AbortController();
    const signal = AbortSignal.any([this.signal, failure.signal]);
    const workers = hosts.map(async (host) => {
      try {
        for (const { source, requests } of this.#plans.filter((plan) => plan.source.host === host))
          for (const request of requests) await this.#ask(source, request, signal);
      } catch (error) {
        failure.abort(error);
        throw error;
      }
    });
    await Promise.allSettled(workers);
    failure.signal.throwIfAborted();
  }

  async #ask(source: PublicSource, request: Request, signal: AbortSignal): Promise<void> {
    const outcome = await this.#read(source, request, signal);
    const { reading, gap, isTooLarge = false } = outcome;
    const parts = isTooLarge ? halves(source, request) : [];
    this.#all += parts.flatMap(({ paths }) => paths).length;
    this.#tallies.get(source)?.add(outcome);
    this.#requested += request.paths.length;
    const stations = new Set(request.covers.map(({ place }) => place.station_id)).size;
    const [first] = request.covers;
    const who = stations === 1 ? first?.place.station_id : `${stations} stations`;
    this.collector.log(
      `${this.#progress()} ${source.name} ${who} ${first === undefined ? '' : spanText(first.span)}: ` +
        (gap?.reason ?? `${reading?.rows.length ?? 0} rows`) +
        (parts.length > 0 ? '; requesting its parts' : ''),
    );
    // The parts note themselves what they cover.
    const own = parts.length > 0 ? { ...outcome, request: { ...request, covers: [] } } : outcome;
    const taken = this.#taking.then(() => this.#take(own));
    this.#taking = taken.catch(() => {});
    await taken;
    for (const part of parts) await this.#ask(source, part, signal);
  }

  #progress(): string {
    const minutes = (this.collector.clock.now() - this.#requested_ms) / 60_000;
    const left = durationText(Math.ceil((60 * minutes * (this.#all - this.#requested)) / this.#requested));
    const rate = minutes < 1 ? '' : ` (${Math.round(this.#requested / minutes)} a minute, ${left} left)`;
    return `${this.#requested}/${this.#all}${rate}`;
  }

  #read(source: PublicSource, request: Request, signal: AbortSignal): Promise<Outcome> {
    const { host, sieve, headers } = source;
    const known = source.isConditional === true ? this.#state.sources[source.name]?.validators : undefined;
    const log = (line: string): void => this.collector.log(`${host}: ${line}`);
    return requestAll(source, request, (path) =>
      (this.collector.hosts[host] as Host).get(path, signal, log, {
        headers: { ...headers, ...known?.[path] },
        body: request.body,
        sieve: sieve && (() => sieve(request)),
      }),
    );
  }

  /** Keeps rows and outcome for the next load, which begins when there are enough. */
  async #take(outcome: Outcome): Promise<void> {
    const { source, reading } = outcome;
    if (reading !== undefined) {
      await this.#batch.add(source.feed, reading.rows, source.provider);
      await this.#batch.add('normals', reading.normals ?? []);
      await this.#batch.add('observations', reading.observations ?? []);
      await this.#batch.add('hourly_forecasts', reading.hourly_forecasts ?? [], source.provider);
      outcome = {
        ...outcome,
        reading: { ...reading, rows: [], normals: [], observations: [], hourly_forecasts: [] },
      };
    }
    this.#outcomes.push(outcome);
    if (this.#batch.rows >= (this.collector.rowsPerLoad ?? ROWS_PER_LOAD)) await this.#flush();
  }

  /** Loads what there is, then notes it in the state. */
  async #flush(): Promise<void> {
    const { dataDir, hosts, load, clock, store, sources } = this.collector;
    this.signal.throwIfAborted();
    const next = structuredClone(this.#state);
    for (const outcome of this.#outcomes) noteOutcome(next, outcome);
    for (const [name, { budget }] of Object.entries(hosts)) next.asked[name] = budget.spent;
    if (this.#batch.rows > 0) {
      const { catalogue } = next;
      if (catalogue !== undefined && !catalogue.is_loaded)
        await this.#batch.add('stations', catalogue.places.map(stationLine) satisfies FeedLine[]);
      const report = await load(this.#batch.files, getCollected(next, sources, clock.now()));
      if (report.outcome === 'failed')
        throw new UserError('the load has failed; its rows are requested again');
      if (report.load_id <= next.load_id) {
        await writeState(dataDir, { ...emptyState(store), load_id: report.load_id, asked: next.asked });
        throw new StoreReplaced();
      }
      this.#loads.push(report);
      next.load_id = report.load_id;
      if (catalogue !== undefined) catalogue.is_loaded = true;
    }
    await writeState(dataDir, next);
    this.#state = next;
    this.#outcomes = [];
    this.#batch = await Batch.begin(join(dataDir, 'collect-rows'));
  }
}
