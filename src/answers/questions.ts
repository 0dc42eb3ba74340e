import type { RequestScope } from '../api/caller.js';
import { readRequest, type RequestText } from '../api/groups.js';
import { apiError } from '../api/errors/errors.js';
import { InvalidParameters, type ParameterFault } from '../api/parameters.js';
import type { Station } from '../stations/directory.js';
import type { Answerer } from './answerer.js';
import { wholeOf } from './body.js';
import type { ResolverDependencies } from './resolver.js';

/** The parameters of a question, as a URL has them. */
export type Query = Readonly<Record<string, string>>;

/** An answer of the API: the body of a 200. */
export interface ApiAnswer {
  data: unknown;
  metadata?: Record<string, unknown>;
}

/** The URL of a question below a prefix. */
export function urlOf(prefix: string, path: string, query: Query): string {
  const search = new URLSearchParams(query).toString();
  return `${prefix}${path}${search === '' ? '' : `?${search}`}`;
}

/**
 * The questions of the API for a surface beside HTTP: the same words, cached answers, queue and faults. Without
 * express: what HTTP adds are the headers.
 */
export class Questions {
  readonly #answerers: ReadonlyMap<string, Answerer>;

  constructor(
    readonly prefix: string,
    answerers: readonly Answerer[],
    /** Tells the present. */
    readonly clock: () => Date,
    private readonly names: ResolverDependencies,
  ) {
    this.#answerers = new Map(answerers.flatMap((each) => each.endpoint.paths.map((path) => [path, each])));
  }

  /** The faults of a question that can be told without the data. */
  faults(path: string, query: Query): ParameterFault[] {
    try {
      readRequest(this.#of(path).endpoint.groups, this.#textOf(path, query, this.clock()));
      return [];
    } catch (error) {
      if (error instanceof InvalidParameters) return error.faults;
      throw error;
    }
  }

  /**
   * The answer to a question.
   * @param path of the endpoint, below the prefix, without a station in it
   * @throws InvalidParameters, UnknownStation and the like, and what the store throws
   */
  async ask(path: string, query: Query, scope: RequestScope): Promise<ApiAnswer> {
    const answerer = this.#of(path);
    const now = this.clock();
    const started = performance.now();
    const resolved = await answerer.resolve(this.#textOf(path, query, now));
    scope.signal.throwIfAborted(); // it left while the version was read
    let answer = answerer.find(resolved);
    if (answer === undefined) answer = await answerer.ask(resolved, now, scope);
    else answerer.count('cache', scope.caller);
    const body = answer.body.at(now, Math.round(performance.now() - started));
    return JSON.parse(wholeOf(body).toString('utf8')) as ApiAnswer;
  }

  /** The station that a name means in a question; undefined where none has it, or several have. */
  async station(name: string): Promise<Station | undefined> {
    const { stations } = await this.names.directory.at(await this.names.dataVersion.current());
    try {
      return stations.byStation(name);
    } catch (error) {
      if (['STATION_NOT_FOUND', 'AMBIGUOUS_CITY'].includes(apiError(error).code)) return undefined;
      throw error;
    }
  }

  #of(path: string): Answerer {
    const found = this.#answerers.get(path);
    if (found === undefined) throw new Error(`there is no endpoint ${path}`);
    return found;
  }

  /** A question that no header belongs to. */
  #textOf(path: string, query: Query, now: Date): RequestText {
    const url = urlOf(this.prefix, path, query);
    return { url, accept: '', now: now.getTime(), preferred: () => undefined };
  }
}
