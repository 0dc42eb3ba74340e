import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../api/caller.js';
import { ApiError } from '../api/errors/errors.js';
import type { DataVersion } from '../store/data-version.js';
import type { Store } from '../store/store.js';
import { type LoadEvents, textFor, type Wishes } from './events.js';
import { readEvents } from './read.js';

/** How often the feed looks for a new load, and how old a version of the data it takes: a load shows within a second. */
const LOOK_MS = 400;
const FRESH_MS = 100;

/** Shorter than the silence after which proxies let go of a connection. */
const HEARTBEAT_MS = 15_000;

/** Streams of all; they may not take every connection of the listener (4,096). */
const MAX_STREAMS = 2000;

/** Bytes that wait for one reader. Who reads more slowly is cut off, and goes on behind the last event that it has. */
const MAX_WAITING_BYTES = 64 * 1024;

/** Pages of events that are kept: after a restart, all readers ask for the same. */
const MAX_PAGES = 4;

const HEARTBEAT = Buffer.from(':\n\n');

export interface FeedDependencies {
  store: Pick<Store, 'query'>;
  dataVersion: Pick<DataVersion, 'current'>;
  /** How often the feed looks and sends heartbeats, ms; LOOK_MS and HEARTBEAT_MS by default. */
  lookMs?: number | undefined;
  heartbeatMs?: number | undefined;
}

/** Where a stream begins: behind a version, or behind the first so many events of it. */
export interface StreamPlace {
  version: number;
  skip?: number | undefined;
}

/** Who asks for a stream, and for which events. */
interface Asked {
  response: Response;
  caller: Caller;
  wishes: Wishes;
  /** Whether its key still holds. */
  isAdmitted: () => boolean;
}

interface Listener extends Asked {
  place: StreamPlace;
  /** The last version of which it has all events. */
  after: number;
  /** It has all events so far, and gets the next ones as they come. */
  isLive: boolean;
  /** It had not read what was sent by the last heartbeat. */
  isSlow: boolean;
}

/** The events of loads as they finish, read once for all who listen. While nobody does, it reads nothing. */
export class EventFeed {
  readonly #listeners = new Set<Listener>();
  readonly #pages = new LRUCache<string, Promise<LoadEvents[]>>({ max: MAX_PAGES });
  /** The version up to which live listeners have all events. */
  #at: { lineage: string; version: number } | undefined;
  #looking: Promise<void> | undefined;
  #timers: NodeJS.Timeout[] = [];
  #isClosed = false;

  constructor(private readonly dependencies: FeedDependencies) {}

  get size(): number {
    return this.#listeners.size;
  }

  /**
   * Sends events until the client leaves.
   * @param place where the stream begins; at the next load if not given
   * @throws ApiError when the caller, or the server, has too many streams open
   */
  async open(of: Asked, place?: StreamPlace): Promise<void> {
    const { response, caller } = of;
    caller.requireStream([...this.#listeners].filter((each) => each.caller.name === caller.name).length);
    if (this.#isClosed || this.size >= MAX_STREAMS)
      throw new ApiError(
        'OVERLOADED',
        'This server opens no more streams of events; try again in a few seconds',
      );
    const listener: Listener = { ...of, place: { version: 0 }, after: 0, isLive: false, isSlow: false };
    this.#listeners.add(listener);
    const leave = (): void => {
      this.#listeners.delete(listener);
      if (this.size === 0) this.#rest();
    };
    response.once('close', leave);
    try {
      if (this.#timers.length === 0) await this.#start();
      await this.#looking;
      await this.#begin(listener, place ?? { version: this.#present().version });
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Ends all streams: their clients come back at different moments. */
  close(): void {
    this.#isClosed = true;
    this.#endAll();
  }

  async #begin(listener: Listener, place: StreamPlace): Promise<void> {
    const { response } = listener;
    const { version, skip } = place;
    Object.assign(listener, { place, after: skip === undefined ? version : version - 1 });
    const { lineage } = this.#present();
    const isBehind = (): boolean => listener.after < this.#present().version;
    const next = (): Promise<LoadEvents[]> => this.#page(listener.after, this.#present().version);
    let loads = isBehind() ? await next() : [];
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no', // nginx passes on each event at once
    });
    // Who hears nothing until the connection breaks still knows where to go on.
    response.write(`retry: 3000\nid: v${version}.${lineage}${skip === undefined ? '' : `-${skip}`}\n\n`);
    for (;;) {
      for (const load of loads) if (!send(listener, load)) await drained(response);
      if (!isOpen(response) || !isBehind()) break;
      loads = await next();
    }
    listener.isLive = true;
  }

  #present(): { lineage: string; version: number } {
    if (this.#at === undefined) throw new ApiError('OVERLOADED', 'The stream has ended; open it again');
    return this.#at;
  }

  #page(after: number, upTo: number): Promise<LoadEvents[]> {
    const { lineage } = this.#present();
    const key = `${lineage} ${after} ${upTo}`;
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const reading = readEvents(this.dependencies.store, { lineage, after, upTo });
    this.#pages.set(key, reading);
    reading.catch(() => this.#pages.delete(key));
    return reading;
  }

  async #start(): Promise<void> {
    const { lookMs = LOOK_MS, heartbeatMs = HEARTBEAT_MS } = this.dependencies;
    const look = (): void => {
      this.#look().catch(() => {}); // health and metrics tell of a store that is away; the next look catches up
    };
    this.#timers = [setInterval(look, lookMs).unref(), setInterval(() => this.#beat(), heartbeatMs).unref()];
    this.#at = undefined;
    await this.#look();
  }

  #rest(): void {
    this.#timers.forEach(clearInterval);
    this.#timers = [];
    this.#at = undefined;
    this.#pages.clear();
  }

  #look(): Promise<void> {
    return (this.#looking ??= this.#lookForLoads().finally(() => (this.#looking = undefined)));
  }

  async #lookForLoads(): Promise<void> {
    const { lineage, finishedLoad } = await this.dependencies.dataVersion.current(FRESH_MS);
    // In another lineage the numbers of loads mean other data. Whoever comes back with one is told so.
    if (this.#at !== undefined && this.#at.lineage !== lineage) this.#endAll();
    this.#at ??= { lineage, version: finishedLoad };
    while (this.#at !== undefined && this.#at.version < finishedLoad) {
      const loads = await this.#page(this.#at.version, finishedLoad);
      this.#at = { lineage, version: loads.at(-1)?.load_id ?? finishedLoad };
      for (const listener of this.#listeners)
        if (listener.isLive) for (const load of loads) sendLive(listener, load);
    }
  }

  #beat(): void {
    for (const listener of this.#listeners) {
      const { response, isAdmitted, isSlow } = listener;
      const isBehind = response.writableNeedDrain;
      listener.isSlow = isBehind;
      if (!isAdmitted()) end(listener);
      else if (isBehind && isSlow) response.destroy();
      else if (!isBehind && response.headersSent && isOpen(response)) response.write(HEARTBEAT);
    }
  }

  #endAll(): void {
    for (const listener of this.#listeners) end(listener);
    this.#listeners.clear();
    this.#rest();
  }
}

const isOpen = ({ destroyed, writableEnded }: Response): boolean => !destroyed && !writableEnded;

/** Sends what a listener wishes to hear of a load. @returns false where it has to read first */
function send(listener: Listener, load: LoadEvents): boolean {
  const { response, wishes, place, after } = listener;
  // The client may know a version that the feed has not seen yet.
  if (load.load_id <= after || !isOpen(response)) return true;
  listener.after = load.load_id;
  return response.write(textFor(load, wishes, load.load_id === place.version ? place.skip : 0));
}

function sendLive(listener: Listener, load: LoadEvents): void {
  if (listener.response.writableLength > MAX_WAITING_BYTES) listener.response.destroy();
  else send(listener, load);
}

/** Clients that ended together come back apart. */
function end({ response }: Listener): void {
  if (response.headersSent && isOpen(response))
    response.end(`retry: ${1000 + Math.floor(Math.random() * 4000)}\n\n`);
}

/** Resolves when a reader has taken what was sent, or has gone. */
const drained = (response: Response): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.once('drain', go).once('close', go);
  });
