import type { RequestScope } from '../api/caller.js';
import { readRequest, type RequestText } from '../api/groups.js';
import { apiError } from '../api/errors/api-error.js';
import { InvalidParamsError, type ParamIssue } from '../api/parameters.js';
import type { Station } from '../stations/directory.js';
import type { EndpointHandler } from './endpoint-handler.js';
import type { ResolverDependencies } from './resolver.js';

/** The parameters of a request, as a URL has them. */
export type Query = Readonly<Record<string, string>>;

/** A response of the API: the body of a 200. */
export interface ApiResponse {
  data: unknown;
  metadata?: Record<string, unknown>;
}

/** The URL of a request below a prefix. */
export function makeUrl(prefix: string, path: string, query: Query): string {
  const search = new URLSearchParams(query).toString();
  return `${prefix}${path}${search === '' ? '' : `?${search}`}`;
}

/**
 * A client of the API in this process, for a transport beside HTTP: the same words, cached responses, queue and errors, without
 * Express and headers.
 */
export class LocalClient {
  readonly #handlers: ReadonlyMap<string, EndpointHandler>;

  constructor(
    readonly prefix: string,
    handlers: readonly EndpointHandler[],
    /** Tells the present. */
    readonly clock: () => Date,
    private readonly names: ResolverDependencies,
    /** Responses of paths that are no endpoints, and take no parameters. */
    private readonly others: Readonly<Record<string, () => Promise<ApiResponse>>> = {},
  ) {
    this.#handlers = new Map(handlers.flatMap((each) => each.endpoint.paths.map((path) => [path, each])));
  }

  /** The errors of a request that can be told without the data. */
  issues(path: string, query: Query): ParamIssue[] {
    if (path in this.others) return [];
    try {
      readRequest(this.#getHandler(path).endpoint, this.#makeText(path, query, this.clock()));
      return [];
    } catch (error) {
      if (error instanceof InvalidParamsError) return error.issues;
      throw error;
    }
  }

  /**
   * The response to a request.
   * @param path of the endpoint, below the prefix, without a station in it
   * @throws InvalidParamsError, UnknownStation and the like, and what the store throws
   */
  async get(path: string, query: Query, scope: RequestScope): Promise<ApiResponse> {
    const other = this.others[path];
    if (other !== undefined) return other();
    const handler = this.#getHandler(path);
    const now = this.clock();
    const resolved = await handler.resolver.resolve(this.#makeText(path, query, now));
    const { response } = await handler.getOrCompute(resolved, now, scope);
    return JSON.parse(response.body.toString('utf8')) as ApiResponse;
  }

  /** The station that a name means in a request; undefined where none has it, or several have. */
  async station(name: string): Promise<Station | undefined> {
    const { stations } = await this.names.directory.at(await this.names.dataVersion.current());
    try {
      return stations.byStation(name);
    } catch (error) {
      if (['STATION_NOT_FOUND', 'AMBIGUOUS_CITY'].includes(apiError(error).code)) return undefined;
      throw error;
    }
  }

  #getHandler(path: string): EndpointHandler {
    const found = this.#handlers.get(path);
    if (found === undefined) throw new Error(`there is no endpoint ${path}`);
    return found;
  }

  /** A request that no header belongs to. */
  #makeText(path: string, query: Query, now: Date): RequestText {
    const url = makeUrl(this.prefix, path, query);
    return { url, accept: '', now: now.getTime(), preferred: () => undefined };
  }
}
