import { ForecastAccuracyError } from './errors.js';
import { type Load, type LoadsResponse, OPERATIONS, type VersionEvent } from './generated.js';
import { linesOf } from './pairs.js';
import type { Call, Transport } from './transport.js';
import type { Watch } from './watch.js';

const EVENTS = '/api/v1/events';

/** Loads of one page. */
const PAGE = 500;

/** The pause before a stream is opened again, ms: the first one, and the longest. */
const DEFAULT_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

/** A version of the data that has come. */
export interface WatchedVersion extends VersionEvent {
  /**
   * The loads that finished after the version before, up to this one, in their order: none with the first version, unless
   * `after` was given. null where they cannot be known, as after a restored backup: then read again what you keep.
   */
  loads: Load[] | null;
}

/** A block of a stream, as the standard of server-sent events reads it. */
interface Block {
  /** The last id so far. */
  id: string;
  event: string;
  /** undefined in a block that is no event. */
  data: string | undefined;
}

/**
 * Versions of the data as they come. A stream that breaks or ends is opened again, after the pause for which the service asks,
 * however often that takes.
 * @param after the id of the last version that the caller has
 * @throws ForecastAccuracyError where another try is of no use, or the reason of an abort
 */
export async function* watchVersions(
  transport: Transport,
  after: string | undefined,
  call: Call,
): AsyncGenerator<WatchedVersion, void, undefined> {
  const patient = { ...call, maxRetries: Infinity };
  let known = after;
  let lastId = after ?? '';
  let retryMs = DEFAULT_RETRY_MS;
  const setRetry = (ms: number): void => void (retryMs = Math.min(ms, MAX_RETRY_MS));
  for (;;) {
    const headers: Record<string, string> = lastId === '' ? {} : { 'last-event-id': lastId };
    const { response, watch } = await transport.open(EVENTS, {}, patient, headers);
    try {
      for await (const { id, event, data } of blocksOf(response, watch, lastId, setRetry)) {
        if (event === 'version' && data !== undefined) {
          const version: VersionEvent = { id, event, data: JSON.parse(data) as VersionEvent['data'] };
          const loads = known === undefined ? [] : await loadsAfter(transport, known, version, call);
          known = lastId = id;
          yield { ...version, loads };
        } else lastId = id;
      }
    } catch (error) {
      if (!(error instanceof ForecastAccuracyError) || !error.isTransient) throw error;
    } finally {
      watch.end();
    }
    await transport.rest(retryMs, call);
  }
}

/** @returns null where the service cannot tell them @throws ForecastAccuracyError where another try may help */
async function loadsAfter(
  transport: Transport,
  after: string,
  { data: { data_version } }: VersionEvent,
  call: Call,
): Promise<Load[] | null> {
  const loads: Load[] = [];
  try {
    let before: number | undefined;
    do {
      const page = { after, limit: PAGE, before };
      const { data, metadata } = (await transport.json(OPERATIONS.loads.path, page, call)) as LoadsResponse;
      loads.push(...data);
      before = metadata.next_before ?? undefined;
    } while (before !== undefined);
  } catch (error) {
    if (error instanceof ForecastAccuracyError && !error.isTransient) return null;
    throw error;
  }
  const hasFinished = ({ version, outcome }: Load): boolean =>
    version <= data_version && outcome !== 'failed' && outcome !== 'unfinished';
  return loads.filter(hasFinished).reverse();
}

/**
 * The blocks of a stream (WHATWG, HTML, 9.2.6).
 * @param id the last one of the stream before it
 * @throws ForecastAccuracyError where the body is no stream of events
 */
async function* blocksOf(
  response: Response,
  watch: Watch,
  id: string,
  setRetry: (ms: number) => void,
): AsyncGenerator<Block, void, undefined> {
  const { headers, status } = response;
  if (!/^text\/event-stream\b/i.test(headers.get('content-type') ?? ''))
    throw new ForecastAccuracyError(`HTTP ${status} is no stream of events`, { code: 'NO_ANSWER', status });
  let event = '';
  let data: string[] = [];
  for await (const line of linesOf(response, watch)) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? [];
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^[0-9]+$/.test(value)) setRetry(Number(value));
    else if (line === '') {
      yield { id, event, data: data.length === 0 ? undefined : data.join('\n') };
      [event, data] = ['', []];
    }
  }
}
