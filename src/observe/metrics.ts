import { setTimeout } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import type { DamageWatch } from './damage-watch.js';
import { KEPT_COUNTER, type Series, showData } from './data-metrics.js';
import { DURATION_BUCKETS, RequestDurations } from './request-durations.js';
import type { DataStateReader } from './data-state.js';
import type { Store } from '../store/store.js';
import { VERSION } from '../lib/version.js';

/** The source of a response: the cache, the store, the same request under way, or the client itself (not modified). */
export type ResponseSource = 'hit' | 'miss' | 'coalesced' | 'not_modified';

// How long a scrape waits for the store; Prometheus gives up after 10 s.
const LOOK_MS = 2000;

// A ping waits behind a query of the embedded engine, which may take 10 s. After 15 s the store is away.
const PING_PATIENCE_MS = 15_000;

// Gauges whose names end like those of counters; nodejs_active_handles and its siblings have the same numbers.
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

let ofProcess: Metric[] | undefined;

/** Metrics of the process, made once because their timer of 10 ms and their watch over garbage never end. */
function metricsOfProcess(): Metric[] {
  if (ofProcess !== undefined) return ofProcess;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return (ofProcess = registry.getMetricsAsArray() as unknown as Metric[]); // typed as what getMetricsAsJSON() gives
}

/** The part of a request that its place in the metrics depends on. */
interface Measured {
  method: string | undefined;
  /** As it is written; undefined of unknown URLs, and of requests refused before routing. */
  route?: string | undefined;
}

export interface Watched {
  store: Pick<Store, 'waiting' | 'ping' | 'partsTakenBack'>;
  dataState: DataStateReader;
  damage: Pick<DamageWatch, 'parts'>;
  /** The response cache. */
  responses: { readonly bytes: number };
  /** The responses that have not ended. */
  underWay: { readonly size: number };
  clock: () => Date;
}

/**
 * Metrics of one server, in Prometheus text format at /metrics. Labels are routes as they are written, statuses and
 * names of operations: their number does not grow with stations, cities or keys.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #requests = new RequestDurations(
    'http_request_duration_seconds',
    'Time of a request; route is none for unknown URLs and for requests refused before routing',
  );

  readonly #queries = new Histogram({
    name: 'store_query_duration_seconds',
    help: 'Time of a query in the store, waiting included, by the operation (operationId) that it is for',
    labelNames: ['operation'],
    buckets: DURATION_BUCKETS,
    registers: this.#registers,
  });

  /** Responses by where they came from. The library's own count takes as long as to find a cached response. */
  readonly #responses: Record<ResponseSource, number> = { hit: 0, miss: 0, coalesced: 0, not_modified: 0 };

  readonly #toolCalls = new Counter({
    name: 'mcp_tool_calls_total',
    help: 'Calls of tools at /mcp, by outcome: ok, abandoned, or the code of the error. Their requests are in responses_total, too',
    labelNames: ['tool', 'outcome'],
    registers: this.#registers,
  });

  readonly #limited = new Counter({
    name: 'http_requests_rate_limited_total',
    help: 'Requests refused with 429',
    registers: this.#registers,
  });

  readonly #watched: Watched;
  #storeUp = true; // a server that has not opened it does not start
  /** The ping under way: when it began, Unix ms, and whether the store answers it. */
  #ping: { since: number; response: Promise<boolean> } | undefined;

  constructor(watched: Watched) {
    this.#watched = watched;
    for (const metric of metricsOfProcess()) this.#registry.registerMetric(metric);
    this.#registry.registerMetric(this.#requests as unknown as Metric);
    this.#showService();
    showData(
      (...series) => this.#series(...series),
      () => watched.dataState.known,
    );
  }

  /** Counts a request that has had its whole response. */
  measure({ method, route }: Measured, status: number, seconds: number): void {
    const isPosted = method === 'POST' && route !== undefined;
    this.#requests.observe(
      {
        // A client without a key can send any of the other 30 methods that Node knows.
        method: method === 'GET' || method === 'HEAD' || isPosted ? method : 'other',
        route: route ?? 'none',
        status_code: status,
      },
      seconds,
    );
    if (status === 429) this.#limited.inc();
  }

  /** Counts a query, whether or not it succeeded. */
  measureQuery(params: string, seconds: number): void {
    this.#queries.observe({ operation: params }, seconds);
  }

  countResponse(source: ResponseSource): void {
    this.#responses[source] += 1;
  }

  /** @param outcome ok, abandoned, or the code of an error */
  countToolCall(tool: string, outcome: string): void {
    this.#toolCalls.inc({ tool, outcome });
  }

  /** Answers whether or not the store does. */
  readonly show: RequestHandler = async (_request, response) => {
    await this.#look();
    const text = await this.#registry.metrics();
    response.setHeader('Content-Type', this.#registry.contentType);
    response.end(text);
  };

  /** Looks at the store, for 2 s at most; the last known state stays where that is too short. */
  async #look(): Promise<void> {
    const { dataState, clock } = this.#watched;
    // While a ping hangs, the next scrape sends no other.
    const ping = (this.#ping ??= { since: clock().getTime(), response: this.#isStoreUp() });
    const late = setTimeout(LOOK_MS, undefined, { ref: false });
    const reading = dataState.read().catch(() => {});
    const response = await Promise.race([ping.response, late]);
    if (response !== undefined) this.#storeUp = response;
    else if (clock().getTime() - ping.since > PING_PATIENCE_MS) this.#storeUp = false;
    await Promise.race([reading, late]);
  }

  async #isStoreUp(): Promise<boolean> {
    try {
      await this.#watched.store.ping();
      return true;
    } catch {
      return false;
    } finally {
      this.#ping = undefined;
    }
  }

  #showService(): void {
    const { store, responses, damage, underWay } = this.#watched;
    const inFlight = 'Requests that wait for their response; a scrape is one itself';
    this.#series(Gauge, 'http_requests_in_flight', inFlight, [], () => [[{}, underWay.size]]);
    this.#series(Gauge, 'store_queries_waiting', 'Queries that wait for their turn', [], () => [
      [{}, store.waiting],
    ]);
    const sources =
      'Responses of the API, by where they came from: hit (the cache), miss (computed), coalesced (with the same request under way), not_modified';
    this.#series(KEPT_COUNTER, 'responses_total', sources, ['source'], () =>
      Object.entries(this.#responses).map(([source, count]) => [{ source }, count]),
    );
    const up = 'Whether the store answers: 0 once a ping failed, or had no response for 15 s';
    this.#series(Gauge, 'store_up', up, [], () => [[{}, this.#storeUp ? 1 : 0]]);
    const damaged = 'Parts of tables that the engine could not read and put aside';
    this.#series(Gauge, 'store_damaged_parts', damaged, [], () => [[{}, damage.parts.length]]);
    const takenBack = 'Parts of tables that a full disk had emptied and that went back to their sources';
    this.#series(KEPT_COUNTER, 'store_parts_taken_back_total', takenBack, [], () => [
      [{}, store.partsTakenBack],
    ]);
    this.#series(Gauge, 'cache_bytes', 'Bytes of cached responses', [], () => [[{}, responses.bytes]]);
    const build = 'Always 1; the label tells what runs';
    this.#series(Gauge, 'forecast_accuracy_build_info', build, ['version'], () => [
      [{ version: VERSION }, 1],
    ]);
  }

  /** A gauge, or a counter that is kept elsewhere, whose series are read at each scrape. */
  #series<Label extends string>(
    Kind: typeof Gauge,
    name: string,
    help: string,
    labelNames: Label[],
    read: () => Series<Label>[],
  ): void {
    new Kind({
      name,
      help,
      labelNames,
      registers: this.#registers,
      collect() {
        this.reset();
        if (labelNames.length === 0) this.remove(); // reset() makes it 0, which may not be known yet
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
  }
}
