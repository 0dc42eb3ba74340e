import { type WatchedVersion, watchVersions } from './events.js';
import { type ExportedPair, OPERATIONS, type Operations } from './generated.js';
import { type PairsParameters, readPairs } from './pairs.js';
import { type Call, type ForecastAccuracyOptions, type Parameters, Transport } from './transport.js';

export * from './generated.js';
export type { WatchedVersion } from './events.js';
export { type FailureCode, type Fault, ForecastAccuracyError } from './errors.js';
export type { PairsParameters } from './pairs.js';
export type { Call, ForecastAccuracyOptions } from './transport.js';

/** The operations of the service, its pairs one by one, and its versions as they come. */
export interface ForecastAccuracy extends Operations<Call> {
  /**
   * Every pair of a window, of one version of the data, read as the loop goes; a connection that breaks goes on behind the
   * last row.
   */
  pairs: (parameters?: PairsParameters, call?: Call) => AsyncGenerator<ExportedPair, void, undefined>;
  /**
   * The latest version of the data, then each new one with the loads between, until the loop is left; a stream that breaks or
   * ends is opened again.
   * @param parameters after: the id of the last version that you have, such as v412.k7q2
   */
  watch: (
    parameters?: { after?: string | undefined },
    call?: Call,
  ) => AsyncGenerator<WatchedVersion, void, undefined>;
}

/**
 * A client of a service. Its methods try again on 408, 429, 5xx, broken connections and silence, as Retry-After says; and ask
 * with the tag of the response that they know, so what has not changed is not sent again.
 * @throws (from every method) ForecastAccuracyError, or the reason of an abort
 */
export function createForecastAccuracy(options: ForecastAccuracyOptions): ForecastAccuracy {
  const transport = new Transport(options);
  const operations = Object.entries(OPERATIONS).map(([name, { path, isFile }]) => [
    name,
    async (parameters: Parameters = {}, call: Call = {}): Promise<unknown> =>
      isFile
        ? (await transport.open(path, parameters, call)).response
        : transport.json(path, parameters, call),
  ]);
  return {
    ...(Object.fromEntries(operations) as Operations<Call>),
    pairs: (parameters = {}, call = {}) => readPairs(transport, parameters, call),
    watch: ({ after } = {}, call = {}) => watchVersions(transport, after, call),
  };
}
