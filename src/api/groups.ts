import type { z } from 'zod';
import type { Directory } from '../stations/directory.js';
import type { VersionName } from '../stations/versions.js';
import { InvalidParameters, type ParameterFault, readParameters } from './parameters.js';

/** The parts of a request that its question depends on, beside the query. */
export interface RequestContext {
  /** The UTC date of the request, YYYY-MM-DD. */
  today: string;
  /** The instant of the request, Unix ms; what lies ahead of it is refused. A question depends on its quarter of an hour at most. */
  now: number;
  /** The station named in the path, decoded. */
  pathStation?: string | undefined;
  /** The media type among these that the Accept header prefers, if it accepts any. */
  preferred: (mediaTypes: readonly string[]) => string | undefined;
}

type Output<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** Finds a value in the directory of a version of the data. @throws UnknownStation, AmbiguousCity, InvalidParameters */
type Resolve<Value> = (directory: Directory) => Value;

/** Query parameters that together make one value. */
export interface ParameterGroup<Value = unknown, Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** Per name, the schema that reads the parameter's text. */
  parameters: Shape;
  /**
   * Reads the parameters together, without the data; returns their faults, or the way to find the value. `given` lacks
   * bad parameters; the request then fails whatever this returns. Later requests use the result again, so it must hold
   * neither the context nor a directory.
   */
  read(given: Partial<Output<Shape>>, context: RequestContext): Resolve<Value> | ParameterFault[];
  /** The value as the key of an answer has it: equal for all ways to ask for the same. JSON. */
  identity(value: Value): unknown;
}

/** The groups of an endpoint, by the names of their values in its question. */
export type ParameterGroups = Readonly<Record<string, ParameterGroup>>;

/** A resolved question: the values of the groups. */
export type Question<Groups extends ParameterGroups = ParameterGroups> = {
  readonly [Name in keyof Groups]: Groups[Name] extends ParameterGroup<infer Value> ? Value : never;
};

/** A group, with its types inferred. */
export function defineGroup<Value, Shape extends z.ZodRawShape>(
  group: ParameterGroup<Value, Shape>,
): ParameterGroup<Value, Shape> {
  return group;
}

/** A group whose value is its parameters themselves. */
export function ownParameters<Shape extends z.ZodRawShape>(
  parameters: Shape,
): ParameterGroup<Output<Shape>, Shape> {
  return { parameters, read: (given) => () => given as Output<Shape>, identity: (value) => value };
}

/** All query parameters of some groups. */
export function parametersOf(groups: ParameterGroups): z.ZodRawShape {
  return Object.assign({}, ...Object.values(groups).map(({ parameters }) => parameters)) as z.ZodRawShape;
}

/** The parameters of a request, read without the data. */
export interface RequestParameters {
  /** The version of the data that the request names (D31): the directory is to be of it. */
  asOf: VersionName | undefined;
  /** @throws UnknownStation, AmbiguousCity, InvalidParameters */
  resolve(directory: Directory): Question;
}

/** Reads the query of a URL. @throws InvalidParameters with every fault (D18) */
export function readRequest(
  groups: ParameterGroups,
  url: string,
  context: RequestContext,
): RequestParameters {
  const search = url.indexOf('?');
  const query = new URLSearchParams(search === -1 ? '' : url.slice(search + 1));
  const { values, faults } = readParameters(parametersOf(groups), query);
  const resolvers: [name: string, resolve: Resolve<unknown>][] = [];
  for (const [name, group] of Object.entries(groups)) {
    const given = Object.keys(group.parameters).filter((parameter) => parameter in values);
    const found = group.read(Object.fromEntries(given.map((each) => [each, values[each]])), context);
    if (Array.isArray(found)) faults.push(...found);
    else resolvers.push([name, found]);
  }
  if (faults.length > 0) throw new InvalidParameters(faults);
  return {
    asOf: values.as_of as VersionName | undefined,
    resolve: (directory) =>
      Object.fromEntries(resolvers.map(([name, resolve]) => [name, resolve(directory)])),
  };
}

/** A text that is equal for equal questions, however a request words them. */
export function identityOf(groups: ParameterGroups, question: Question): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, group.identity(question[name])])),
  );
}
