import type { z } from 'zod';
import type { Directory } from '../stations/directory.js';
import { InvalidParameters, type ParameterFault, readParameters } from './parameters.js';

/** What a request says beside its query. */
export interface RequestContext {
  /** The UTC date of the request, YYYY-MM-DD: all that a question may make of the time. */
  today: string;
  /** The station named in the path, decoded. */
  pathStation?: string | undefined;
  /** The media type that the client prefers among these, by its Accept header, if it takes any of them. */
  preferred: (mediaTypes: readonly string[]) => string | undefined;
}

type Output<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** Finds a value by what a version of the data holds. @throws UnknownStation, AmbiguousCity, InvalidParameters */
type Resolve<Value> = (directory: Directory) => Value;

/** Query parameters that make one value together. */
export interface ParameterGroup<Value = unknown, Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** By name, each a schema that reads the parameter's text. */
  parameters: Shape;
  /**
   * Reads the parameters together, without the data; returns their faults, or how to find the value. `given` lacks
   * those that have a fault of their own; the value is then never asked for. What it returns is kept for later
   * requests: it holds neither the context nor a directory.
   */
  read(given: Partial<Output<Shape>>, context: RequestContext): Resolve<Value> | ParameterFault[];
  /** What an answer depends on: equal for all ways to ask for the same. JSON. */
  identity(value: Value): unknown;
}

/** The groups of an endpoint, by the name under which it gets their values. */
export type ParameterGroups = Readonly<Record<string, ParameterGroup>>;

/** The values of groups: a question, resolved. */
export type Question<Groups extends ParameterGroups = ParameterGroups> = {
  readonly [Name in keyof Groups]: Groups[Name] extends ParameterGroup<infer Value> ? Value : never;
};

/** Infers the types of a group. */
export function defineGroup<Value, Shape extends z.ZodRawShape>(
  group: ParameterGroup<Value, Shape>,
): ParameterGroup<Value, Shape> {
  return group;
}

/** Parameters that each stand for themselves. */
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
    resolve: (directory) =>
      Object.fromEntries(resolvers.map(([name, resolve]) => [name, resolve(directory)])),
  };
}

/** The text by which questions are equal, whatever the words they were asked in. */
export function identityOf(groups: ParameterGroups, question: Question): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, group.identity(question[name])])),
  );
}
