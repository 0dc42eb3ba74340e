import type { z } from 'zod';
import type { Directory, Station } from '../stations/directory.js';
import type { VersionName } from '../stations/versions.js';
import { chooseUnit } from './requested-units.js';
import { InvalidParamsError, type ParamIssue, parseQuery, readParameters } from './parameters.js';

/** The parts of a request that determine its params. */
export interface RequestText {
  /** Path and query. */
  url: string;
  /** The media types that the client accepts, blank for any. */
  accept: string;
  /** The instant of the request, Unix ms; what lies ahead of it is refused. Params depend on its minute at most. */
  now: number;
  /** The station named in the path, decoded. */
  pathStation?: string | undefined;
  /** The media type among these that the Accept header prefers, if it accepts any. */
  preferred: (mediaTypes: readonly string[]) => string | undefined;
}

type Output<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** The present of a request: the data, and the moments from which its values follow. */
export interface Present {
  /** The stations and providers at the version of the data that the request names, or at the latest. */
  directory: Directory;
  /** The one that the request is about, whose clock tells its day (D64); undefined for several, or all. */
  station: Station | undefined;
  /** The instant of the request, Unix ms. */
  now: number;
  /** known_at of the request, Unix ms, if given. */
  knownAt: number | undefined;
}

/** Finds a value in the present of a request. @throws UnknownStation, AmbiguousCity, InvalidParamsError */
export type Resolve<Value> = (present: Present) => Value;

/** Query parameters that together make one value. */
export interface ParameterGroup<Value = unknown, Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** Per name, the schema that reads the parameter's text. */
  parameters: Shape;
  /**
   * Reads the parameters together, without the data; returns their errors, or the way to find the value. A bad
   * parameter has its default in `given`, or is not there; the request then fails whatever this returns. Later requests use the result again, so it must hold
   * neither the request nor a directory.
   */
  read(given: Output<Shape>, request: RequestText): Resolve<Value> | ParamIssue[];
  /** The value as the key of a response has it: equal for all ways to ask for the same. JSON. */
  cacheKey(value: Value): unknown;
}

/** The value of the group `station`. */
type StationChoice = Parameters<Directory['stations']['only']>[0];

/** The groups of an endpoint, by the names of their values in its request. */
export type ParameterGroups = Readonly<Record<string, ParameterGroup>>;

/** The parameters of the groups `asOf` and `knownAt`, by which the present of a request is found. */
interface PresentParameters {
  /** Names the version of the data that the directory is of (D31). */
  as_of?: VersionName;
  /** Unix ms. */
  known_at?: number;
}

/** The ways to the values of groups; `station` goes first, because the day of the others is its day. */
type Resolvers = Record<string, Resolve<unknown>> & { station?: Resolve<StationChoice> };

/** The params of a request: the values of its groups. */
export type Params<Groups extends ParameterGroups = ParameterGroups> = {
  readonly [Name in keyof Groups]: Groups[Name] extends ParameterGroup<infer Value> ? Value : never;
};

/** The groups whose values are those of a request. */
export type GroupsOf<OwnParams extends Params> = {
  readonly [Name in keyof OwnParams]: ParameterGroup<OwnParams[Name]>;
};

/** A group, with its types inferred; its value is its key, unless it says otherwise. */
export function defineGroup<Value, Shape extends z.ZodRawShape>(
  group: Omit<ParameterGroup<Value, Shape>, 'cacheKey'> & { cacheKey?(value: Value): unknown },
): ParameterGroup<Value, Shape> {
  return { cacheKey: (value) => value, ...group };
}

/** A group whose value is its parameters themselves. */
export function ownParameters<Shape extends z.ZodRawShape>(
  parameters: Shape,
): ParameterGroup<Output<Shape>, Shape> {
  return defineGroup({ parameters, read: (given) => () => given });
}

/** A group whose value is that of its one parameter. */
export function oneParameter<Name extends string, Schema extends z.ZodType>(
  name: Name,
  schema: Schema,
): ParameterGroup<z.output<Schema>, Record<Name, Schema>> {
  const parameters = { [name]: schema } as Record<Name, Schema>;
  return defineGroup({
    parameters,
    read: (given) => () => (given as Record<string, unknown>)[name] as z.output<Schema>,
  });
}

/** All query parameters of some groups. */
export function getParameters(groups: ParameterGroups): z.ZodRawShape {
  return Object.assign({}, ...Object.values(groups).map(({ parameters }) => parameters)) as z.ZodRawShape;
}

/** The parameters of a request, read without the data. */
export interface RequestParameters<OwnParams extends Params = Params> {
  /** The version of the data that the request names (D31): the directory is to be of it. */
  asOf: VersionName | undefined;
  /** @throws UnknownStation, AmbiguousCity, InvalidParamsError */
  resolve(directory: Directory): OwnParams;
}

/**
 * Reads the query of a URL.
 * @param operation with the parameters of its groups
 * @throws InvalidParamsError with every error (D18)
 */
export function readRequest<OwnParams extends Params>(
  { groups, parameters }: { groups: GroupsOf<OwnParams>; parameters: z.ZodRawShape },
  request: RequestText,
): RequestParameters<OwnParams> {
  const { url, now } = request;
  const { values, issues } = readParameters(parameters, parseQuery(url));
  // The unit of the request's variable, before any group reads it: thresholds, ranges, records, scripts and keys of the cache follow.
  if ('units' in parameters) {
    const unit = chooseUnit(values);
    if (typeof unit === 'string') values.temp_unit = unit;
    else issues.push(unit);
  }
  const resolvers: Record<string, Resolve<unknown>> = {};
  for (const [name, group] of Object.entries<ParameterGroup>(groups)) {
    const given: Record<string, unknown> = {};
    for (const each of Object.keys(group.parameters)) if (each in values) given[each] = values[each];
    const found = group.read(given, request);
    if (Array.isArray(found)) issues.push(...found);
    else resolvers[name] = found;
  }
  if (issues.length > 0) throw new InvalidParamsError(issues);
  const { station: resolveStation, ...others } = resolvers as Resolvers;
  const { as_of, known_at } = values as PresentParameters;
  return {
    asOf: as_of,
    resolve(directory) {
      const everywhere = { directory, station: undefined, now, knownAt: known_at };
      const station = resolveStation?.(everywhere);
      const present = { ...everywhere, station: directory.stations.only(station) };
      const params: Record<string, unknown> = { ...(resolveStation && { station }) };
      for (const [name, resolve] of Object.entries(others)) params[name] = resolve(present);
      return params as OwnParams;
    },
  };
}

/** A text that is equal for equal params, however a request words them. */
export function getCacheKey(groups: ParameterGroups, params: Params): string {
  const values: Record<string, unknown> = {};
  for (const [name, group] of Object.entries(groups)) values[name] = group.cacheKey(params[name]);
  return JSON.stringify(values);
}
