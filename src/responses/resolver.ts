import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { CoreParams } from '../api/params/core.js';
import {
  type GroupsOf,
  getCacheKey,
  readRequest,
  type RequestParameters,
  type RequestText,
} from '../api/groups.js';
import { InvalidParamsError, type ParamIssue } from '../api/parameters.js';
import { entityTag, isClosed } from '../http/conditional.js';
import { dateAt, MINUTE_MS } from '../statistics/time/calendar.js';
import type { Directory, DirectoryReader } from '../stations/directory.js';
import type { DataVersion, Version } from '../store/data-version.js';
import { VERSION } from '../lib/version.js';

// Request validation: from the text of a request to its params at a version of the data. All errors go into one 400.

/** The parts of an endpoint or a download that a resolver knows. */
interface Operation<OwnParams extends CoreParams> {
  operationId: string;
  groups: GroupsOf<OwnParams>;
  /** The query parameters of its groups. */
  parameters: z.ZodRawShape;
  validate?(params: OwnParams, directory: Directory): ParamIssue | undefined;
}

export interface ResolverDependencies {
  dataVersion: Pick<DataVersion, 'current'>;
  directory: Pick<DirectoryReader, 'at'>;
}

/** A request at a version of the data. It holds no station index: 500 indexes of 2,000 stations would take a gigabyte. */
export interface ResolvedRequest<OwnParams extends CoreParams> {
  parameters: RequestParameters<OwnParams>;
  version: Version;
  params: OwnParams;
  /** The key and the tag of its response. */
  key: string;
  tag: string;
  /** Its window ended at least a day ago. */
  isWindowClosed: boolean;
}

// Per operation, in a minute: 2 kB each.
const MAX_RESOLVED = 500;
const MAX_TEXT_LENGTH = 500;
// The key of a request has the ids of its stations, and with its params they are kept as well.
const MAX_KEY_LENGTH = 4000;

/** Resolves the requests of one operation to params. */
export class Resolver<OwnParams extends CoreParams> {
  /** Keyed by request text. Cleared every minute, because longer held 20 MB with almost no hits. */
  readonly #resolved = new LRUCache<string, ResolvedRequest<OwnParams>>({ max: MAX_RESOLVED });
  #minute = 0;

  constructor(
    private readonly operation: Operation<OwnParams>,
    private readonly dependencies: ResolverDependencies,
  ) {}

  /** @throws InvalidParamsError, before any data is read; UnknownStation and the like; what the store throws */
  async resolve(request: RequestText): Promise<ResolvedRequest<OwnParams>> {
    const { dataVersion, directory } = this.dependencies;
    // Clients repeat their requests; the same text means the same while the data and the minute are the same.
    const minute = Math.floor(request.now / MINUTE_MS);
    if (minute !== this.#minute) this.#resolved.clear();
    this.#minute = minute;
    const text = `${request.accept} ${request.url}`;
    const known = this.#resolved.get(text);
    // Before the version of the data: bad parameters are a 400 even when the store is out of reach.
    const parameters = known?.parameters ?? readRequest(this.operation, request);
    const version = await dataVersion.current();
    if (known?.version.key === version.key) return known;
    const names = await directory.at(version, parameters.asOf);
    const params = parameters.resolve(names);
    const issue = this.operation.validate?.(params, names);
    if (issue !== undefined) throw new InvalidParamsError([issue]);
    // The version comes from before the query, so the response under this key is as new as the version, or newer.
    const key = cacheKey(this.operation, version, params);
    const { window } = params;
    const isWindowClosed = window !== undefined && isClosed(window.period_end, dateAt(request.now));
    const resolved = { parameters, version, params, key, tag: entityTag(key), isWindowClosed };
    if (text.length <= MAX_TEXT_LENGTH && key.length <= MAX_KEY_LENGTH) this.#resolved.set(text, resolved);
    return resolved;
  }
}

/**
 * The key of a response: this service's version, the operation, the version of the data, and the params. The version
 * that a request names stands in place of the latest, so the response stays (D31).
 */
export function cacheKey<OwnParams extends CoreParams>(
  { operationId, groups }: Pick<Operation<OwnParams>, 'operationId' | 'groups'>,
  { key, timeline }: Pick<Version, 'key' | 'timeline'>,
  params: OwnParams,
): string {
  const { asOf } = params;
  const version = asOf === undefined ? key : `v${asOf.version}.${timeline}`;
  return `${VERSION} ${operationId} ${version} ${getCacheKey(groups, params)}`;
}
