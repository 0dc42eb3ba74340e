import type { Response } from 'express';
import type { Caller } from '../api/caller.js';
import { ApiError } from '../api/errors/api-error.js';
import type { DataVersion } from '../store/data-version.js';
import type { Store } from '../store/store.js';
import { type NewVersion, readVersion } from './latest-version.js';

/** How often the feed looks for a new load, and how old a version may be that a request has read: a load shows within 2 s. */
const LOOK_MS = 1000;
const FRESH_MS = 500;

/** Shorter than the silence after which proxies let go of a connection. */
const HEARTBEAT_MS = 15_000;

/** A stream ends after 5 minutes: the kernel notices only after 16 that a client has vanished. */
const MAX_HEARTBEATS = 20;

/** Streams of all clients. They may not take every connection of the listener (4,096). */
const MAX_STREAMS = 2000;

/** After which a client comes back, ms: those that lost their streams together come back apart. */
const RETRY_MS = { min: 1000, max: 5000 };

/** The delay of a client with a stream that gave way to a newer one: sooner, it would push out the next one at once. */
const RETRY_AFTER_GIVING_WAY_MS = { min: 30_000, max: 60_000 };

const HEARTBEAT = Buffer.from(':\n\n');

export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no', // nginx passes on each event at once
};

export interface FeedDependencies {
  store: Pick<Store, 'query' | 'queryOne'>;
  dataVersion: Pick<DataVersion, 'current'>;
  /** How often the feed looks and sends heartbeats, ms; LOOK_MS and HEARTBEAT_MS by default. */
  lookMs?: number | undefined;
  heartbeatMs?: number | undefined;
}

/** A client that asks for a stream. */
export interface StreamClient {
  response: Response;
  caller: Caller;
  /** The id of the last event that it received, if any. */
  lastId: string | undefined;
  /** Whether its key is still valid. */
  isAdmitted: () => boolean;
}

interface Listener extends StreamClient {
  heartbeats: number;
}

/** Sends the latest version to all who listen. While nobody does, it reads nothing. */
export class EventFeed {
  /** The oldest first. */
  readonly #listeners = new Set<Listener>();
  #latest: NewVersion | undefined;
  #looking: Promise<void> | undefined;
  #timers: NodeJS.Timeout[] = [];
  #isClosed = false;

  constructor(private readonly dependencies: FeedDependencies) {}

  /**
   * Opens a stream: it begins with the latest version, unless the client has that one.
   * @throws ApiError when the caller has no rows left, or the server has too many streams open; and what the store throws
   */
  async open(client: StreamClient): Promise<void> {
    const { response, caller, lastId } = client;
    caller.requireRows();
    await this.#look();
    // The client may have left meanwhile: then its `close` has come already.
    if (!isOpen(response)) return;
    const own = [...this.#listeners].filter((each) => each.caller.name === caller.name);
    // A client that has vanished holds its place until its stream ends, so the oldest one gives way.
    if (caller.maxStreams > 0)
      for (const oldest of own.slice(0, Math.max(0, own.length + 1 - caller.maxStreams)))
        this.#end(oldest, RETRY_AFTER_GIVING_WAY_MS);
    if (this.#isClosed || this.#listeners.size >= MAX_STREAMS)
      throw new ApiError('OVERLOADED', 'This server opens no more streams; try again in a few seconds');
    const listener: Listener = { ...client, heartbeats: 0 };
    this.#listeners.add(listener);
    response.once('close', () => this.#drop(listener));
    response.writeHead(200, STREAM_HEADERS).write(retryText(RETRY_MS));
    if (this.#timers.length === 0) this.#start();
    if (this.#latest !== undefined && this.#latest.id !== lastId) this.#send(listener, this.#latest);
  }

  /** Ends all streams, and opens no other. */
  close(): void {
    this.#isClosed = true;
    for (const listener of this.#listeners) this.#end(listener);
  }

  #start(): void {
    const { lookMs = LOOK_MS, heartbeatMs = HEARTBEAT_MS } = this.dependencies;
    const look = (): void => {
      this.#look().catch(() => {}); // health and metrics tell of a store that is away; the next look catches up
    };
    this.#timers = [setInterval(look, lookMs).unref(), setInterval(() => this.#beat(), heartbeatMs).unref()];
  }

  /** Reads the latest version, once for all who wait for it. @throws what the store throws */
  #look(): Promise<void> {
    return (this.#looking ??= this.#readLatest().finally(() => (this.#looking = undefined)));
  }

  async #readLatest(): Promise<void> {
    const { store, dataVersion } = this.dependencies;
    const { timeline, finishedLoad } = await dataVersion.current(FRESH_MS);
    const id = finishedLoad === 0 ? undefined : `v${finishedLoad}.${timeline}`;
    if (id === this.#latest?.id) return;
    const latest = id === undefined ? undefined : await readVersion(store, finishedLoad, id);
    this.#latest = latest;
    if (latest !== undefined) for (const listener of this.#listeners) this.#send(listener, latest);
  }

  /** All who listen pay together for the rows that were read, and each for one at least. */
  #send(listener: Listener, { frame, rows }: NewVersion): void {
    const { response, caller } = listener;
    if (!this.#mayGoOn(listener)) return;
    if (response.writableNeedDrain)
      response.destroy(); // it has not taken the last event; it comes back for the latest
    else response.write(frame);
    caller.chargeRows(Math.max(1, Math.ceil(rows / this.#listeners.size)));
  }

  #beat(): void {
    for (const listener of this.#listeners) {
      const { response } = listener;
      listener.heartbeats += 1;
      if (listener.heartbeats >= MAX_HEARTBEATS) this.#end(listener);
      else if (this.#mayGoOn(listener) && !response.writableNeedDrain) response.write(HEARTBEAT);
    }
  }

  /** Ends a stream whose client has left, has no valid key any more or no rows left. @returns whether it goes on */
  #mayGoOn(listener: Listener): boolean {
    const { response, caller, isAdmitted } = listener;
    const goesOn = isOpen(response) && isAdmitted() && caller.hasRows;
    if (!goesOn) this.#end(listener);
    return goesOn;
  }

  #end(listener: Listener, retryMs = RETRY_MS): void {
    if (isOpen(listener.response)) listener.response.end(retryText(retryMs));
    this.#drop(listener);
  }

  #drop(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#timers.forEach(clearInterval);
    this.#timers = [];
  }
}

const isOpen = ({ destroyed, writableEnded }: Response): boolean => !destroyed && !writableEnded;

const retryText = ({ min, max }: typeof RETRY_MS): string =>
  `retry: ${Math.round(min + Math.random() * (max - min))}\n\n`;
