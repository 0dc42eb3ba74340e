import { copyFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DAY_MS } from '../../../../src/statistics/time/calendar.js';
import { callWeight } from '../../../../src/collect/host/budget.js';
import { Host, type HostSettings } from '../../../../src/collect/host/host.js';
import type { LoadRows } from '../../../../src/collect/pass/batch.js';
import { moment } from '../../../../src/collect/pass/run-report.js';
import type { Need, PublicSource } from '../../../../src/collect/source.js';
import { watch } from '../../../../src/collect/schedule.js';
import { FEED_NAMES, type FeedName } from '../../../../src/feeds/feeds.js';
import type { LoadReport } from '../../../../src/ingest/load-report.js';
import { load } from '../../../../src/ingest/load.js';
import type { Store } from '../../../../src/store/store.js';
import { temporaryFolder } from '../../store.js';
import { hoursIn, OPEN_METEO_HOST, testCollector, USUAL_SOURCES } from '../collector.js';
import { type Fault, StubServer } from '../stub-server.js';
import { VirtualClock } from '../virtual-clock.js';
import { hashed } from '../world.js';
import type { Outage } from './archives.js';
import type { Watch } from './published.js';

/** A request of the collector, as the host saw it. */
export interface Asked {
  source: string;
  path: string;
  at_ms: number;
  /** The clock of the pass. */
  requested_ms: number;
  bytes: number;
  covers: readonly Need[];
  /** Its host was down. */
  isOutage: boolean;
  /** Open-Meteo has a limit that it was above. */
  isLimited: boolean;
}

export interface Watched {
  asked: Asked[];
  /** The rows of hours that were loaded, under station and time. */
  hours: ReadonlyMap<string, number>;
  /** The errors that passes failed of. */
  faults: unknown[];
  passes: number;
}

/** A clock that says stop at its end. */
class EndingClock extends VirtualClock {
  readonly #stop = new AbortController();
  readonly signal = this.#stop.signal;

  constructor(ms: number, end_ms: number) {
    super(ms, (now_ms) => {
      if (now_ms >= end_ms) this.#stop.abort(new Error('the time is over'));
    });
  }
}

const SOURCE_OF: readonly (readonly [RegExp, string])[] = [
  [/mos\.py/, 'iem-nbm'],
  [/retrieve\.py/, 'iem-pfm'],
  [/cli\.py/, 'iem-cli'],
  [/daily\.py/, 'iem-daily'],
  [/asos\.py/, 'iem-asos'],
  [/^\/v1\/forecast/, 'openmeteo'],
];
const hostOf = (path: string): Outage['host'] => (path.startsWith('/v1/') ? 'open-meteo' : 'iem');

/** The most that Open-Meteo allows of the weights of requests. */
const LIMITS = [
  ['Minutely', 60_000, 600],
  ['Hourly', 3_600_000, 5000],
  ['Daily', DAY_MS, 10_000],
] as const;

/** Counts weights as Open-Meteo does, and says which limit a request is above. */
function openMeteoLimits(): (path: string, now_ms: number) => Fault | undefined {
  const spent = new Map<string, { unit: number; weight: number }>();
  return (path, now_ms) => {
    const weight = callWeight(path);
    for (const [name, unit_ms, most] of LIMITS) {
      const unit = Math.floor(now_ms / unit_ms);
      const before = spent.get(name);
      const now = { unit, weight: (before?.unit === unit ? before.weight : 0) + weight };
      spent.set(name, now);
      const body = `{"error":true,"reason":"${name} API request limit exceeded. Please try again later."}`;
      if (now.weight > most) return { answer: { status: 429, body } };
    }
    return undefined;
  };
}

/**
 * Runs the loop of `--watch` on a clock that goes as fast as it can, at the pace of the public hosts. Rows are loaded
 * into the store by the real load, those of many passes together.
 */
export async function watched(world: Watch, store: Store): Promise<Watched> {
  const { places, archives, first_ms, start_ms, end_ms } = world;
  const clock = new EndingClock(start_ms, end_ms);
  const stub = await StubServer.start({ now: clock.now, places, lateness: archives.lateness });
  const asked: Asked[] = [];
  const planned = new Map<string, { name: string; requested_ms: number; covers: readonly Need[] }>();
  const limited = openMeteoLimits();
  stub.fault = (path) => {
    const now = clock.now();
    const host = hostOf(path);
    const { name, covers, requested_ms } = planned.get(path) ?? {
      name: SOURCE_OF.find(([form]) => form.test(path))?.[1] ?? 'iem-stations',
      requested_ms: now,
      covers: [],
    };
    const limit = host === 'open-meteo' ? limited(path, now) : undefined;
    const isLimited = limit !== undefined;
    const outage = archives.outages.find(
      (one) => one.host === host && one.from_ms <= now && now < one.to_ms && one.fault !== undefined,
    );
    const isOutage = outage !== undefined;
    asked.push({ source: name, path, at_ms: now, requested_ms, bytes: 0, covers, isOutage, isLimited });
    const luck = hashed(`${path} ${asked.length} breaks`);
    const breaks = luck < archives.broken ? (luck < archives.broken / 2 ? 'cut' : 'broken') : undefined;
    return outage?.fault ?? limit ?? breaks;
  };
  const noting = (source: PublicSource): PublicSource => ({
    ...source,
    plan(needs, now_ms) {
      const requests = source.plan(needs, now_ms);
      for (const { paths, covers, requested_ms } of requests)
        for (const path of paths) planned.set(path, { name: source.name, requested_ms, covers });
      return requests;
    },
  });
  const faults: unknown[] = [];
  let passes = 0;
  const loads = new RareLoads(store, clock);
  const settings: HostSettings = {
    url: stub.url,
    gap_ms: 4000,
    pace: 1,
    user_agent: 'test (+me@example.org)',
  };
  const openMeteo = { ...settings, gap_ms: 1000, budgets: { minute: 480, hour: 4000, day: 8000 } };
  try {
    const collector = testCollector(stub, clock, store, {
      wanted: { stations: places.map(({ station_id }) => station_id), states: [], countries: [] },
      days: { from: moment(first_ms) },
      sources: USUAL_SOURCES.map(noting),
      hosts: {
        iem: new Host(settings, clock),
        [OPEN_METEO_HOST]: new Host(openMeteo, clock),
        noaa: new Host(settings, clock),
      },
      load: loads.take,
      signal: clock.signal,
    });
    await watch(collector, {
      jitter_ms: 5 * 60_000,
      onError: (error) => faults.push(error),
      onRun: () => (passes += 1),
    });
    await loads.flush();
  } finally {
    await stub.stop();
  }
  stub.log.forEach(({ bytes }, at) => ((asked[at] as Asked).bytes = bytes));
  return { asked, hours: loads.hours, faults, passes };
}

/** The size of the files of rows that one load takes. */
const BYTES_PER_LOAD = 8e6;

/** Loads the rows of many passes together: a load costs the same however few they are. */
class RareLoads {
  #files = Object.fromEntries(FEED_NAMES.map((feed) => [feed, [] as string[]])) as Record<FeedName, string[]>;
  #count = 0;
  #bytes = 0;
  #last: Parameters<LoadRows>[1] | undefined;
  readonly hours = new Map<string, number>();
  readonly #folder = temporaryFolder();

  constructor(
    private readonly store: Store,
    private readonly clock: VirtualClock,
  ) {}

  readonly take: LoadRows = async (files, collected) => {
    this.#count += 1;
    for (const feed of FEED_NAMES)
      for (const file of files[feed]) {
        const kept = join(this.#folder, `${this.#count}-${basename(file)}`);
        copyFileSync(file, kept);
        this.#files[feed].push(kept);
        this.#bytes += statSync(kept).size;
      }
    for (const [key, value] of hoursIn(files)) this.hours.set(key, value);
    this.#last = collected;
    if (this.#bytes > BYTES_PER_LOAD) await this.flush();
    return { load_id: this.#count, outcome: 'complete', feeds: {}, files: [] } as unknown as LoadReport;
  };

  async flush(): Promise<void> {
    if (this.#last === undefined) return;
    const report = await load(this.store, this.#files, {
      collected: this.#last,
      now: new Date(this.clock.ms),
    });
    if (report.outcome !== 'complete') throw new Error(JSON.stringify(report.rejections));
    for (const feed of FEED_NAMES) this.#files[feed] = [];
    this.#last = undefined;
    this.#bytes = 0;
  }
}
