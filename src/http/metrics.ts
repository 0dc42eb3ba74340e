import type { Request, RequestHandler, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Store } from '../store/store.js';

/** Where an answer came from: kept, the store, a question under way that was the same, or the client had it already. */
export type AnswerSource = 'cache' | 'store' | 'shared' | 'not_modified';

/** Metrics of one server, in Prometheus text format at /metrics. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.#registry],
  });

  readonly #answers = new Counter({
    name: 'answers_total',
    help: 'Answers of the API, by where they came from',
    labelNames: ['source'],
    registers: [this.#registry],
  });

  constructor(store: Store, answers: { readonly bytes: number }) {
    collectDefaultMetrics({ register: this.#registry });
    new Gauge({
      name: 'store_queries_waiting',
      help: 'Queries that wait for their turn',
      registers: [this.#registry],
      collect() {
        this.set(store.waiting);
      },
    });
    new Gauge({
      name: 'cache_bytes',
      help: 'Bytes of answers that are kept',
      registers: [this.#registry],
      collect() {
        this.set(answers.bytes);
      },
    });
  }

  /** Counts a request that has had its whole answer. */
  measure({ route, baseUrl }: Request, { statusCode }: Response, seconds: number): void {
    // The route as it is written, not as it was asked for: a label for each station would never end.
    const written = (route as { path?: string | string[] } | undefined)?.path;
    const path = Array.isArray(written) ? written[0] : written;
    this.#requests.observe(
      { route: path === undefined ? 'none' : `${baseUrl}${path}`, status: statusCode },
      seconds,
    );
  }

  countAnswer(source: AnswerSource): void {
    this.#answers.inc({ source });
  }

  readonly show: RequestHandler = async (_request, response) => {
    const text = await this.#registry.metrics();
    response.setHeader('Content-Type', this.#registry.contentType);
    response.end(text);
  };
}
