import { type ParameterGroups, readRequest, type RequestContext } from '../api/groups.js';
import { InvalidParameters, type ParameterFault } from '../api/parameters.js';
import type { Asker } from '../http/exchange.js';
import type { Answering } from './answering.js';

/** The parameters of a question, as a URL has them. */
export type Query = Readonly<Record<string, string>>;

/** What the API answers: the body of a 200. */
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
 * The questions of the API for a surface beside HTTP (D37): the same words, kept answers, queue and faults. Without
 * express: what HTTP adds are the headers.
 */
export class Questions {
  readonly #answerings: ReadonlyMap<string, Answering>;

  constructor(
    readonly prefix: string,
    answerings: readonly Answering[],
    private readonly clock: () => Date,
  ) {
    this.#answerings = new Map(answerings.flatMap((each) => each.endpoint.paths.map((path) => [path, each])));
  }

  /** The faults of a question that can be told without the data. */
  faults(path: string, query: Query): ParameterFault[] {
    const groups: ParameterGroups = this.#of(path).endpoint.groups;
    try {
      readRequest(groups, urlOf(this.prefix, path, query), contextAt(this.clock()));
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
  async ask(path: string, query: Query, asker: Asker): Promise<ApiAnswer> {
    const answering = this.#of(path);
    const { answers } = answering.dependencies;
    const now = this.clock();
    const started = performance.now();
    const url = urlOf(this.prefix, path, query);
    const asked = await answering.resolve({ url, accept: '', context: () => contextAt(now) }, now);
    asker.gone.throwIfAborted(); // it left while the version was read
    const isMomentary = answering.endpoint.isMomentary === true;
    let answer = isMomentary ? undefined : answers.find(asked.resolved.key);
    if (answer === undefined) answer = await answering.ask(asked, now, asker);
    else answering.count('cache', asker.caller);
    const body = answer.body.at(now, Math.round(performance.now() - started));
    const text = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
    return JSON.parse(text.toString('utf8')) as ApiAnswer;
  }

  #of(path: string): Answering {
    const found = this.#answerings.get(path);
    if (found === undefined) throw new Error(`there is no endpoint ${path}`);
    return found;
  }
}

/** The context of a question that no header belongs to. */
const contextAt = (now: Date): RequestContext => ({
  today: now.toISOString().slice(0, 10),
  now: now.getTime(),
  preferred: () => undefined,
});
