import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from '../../src/ingest/load.js';
import { forecastRows, observationRows, readStations, SAMPLE_DAYS } from '../../src/sample/generate.js';
import { hourRows } from '../../src/sample/sample-hours.js';
import type { Store } from '../../src/store/store.js';
import { startChromium, stopChromium, Visit, within } from './browser.js';
import { writeFeeds } from './ingest/feeds.js';
import { Listening as Listener } from './listen.js';
import { startTestService, type TestService, type TestServiceOptions } from './service.js';
import { openTestStore, temporaryFolder } from './store.js';

/** The instant that the service takes for the present. */
export const NOW = '2026-06-15T12:00:00Z';

/** Stations of the sample: some American, one that is not active any more, one in the south. */
const IDS = ['KORD', 'KJFK', 'KSEA', 'PANC', 'KIND', 'EGLL', 'YSSY', 'VIDP'];

/** A name that would be a script if it were ever taken for one. */
export const HOSTILE_NAME = `</script><img src=x onerror="document.title=1"><b>Nice</b> ../{{assets}}$&' 😀 \u202eירושלים`;

/** A service that listens. */
export interface Listening {
  url: string;
  key: string;
  service: TestService;
  /** An answer of the API as JSON. */
  get<Answer>(path: string): Promise<Answer>;
  stop(): Promise<void>;
}

export async function listen(store: Store, options: TestServiceOptions = {}): Promise<Listening> {
  const service = await startTestService(store, { now: NOW, ...options });
  const server = await Listener.start(service);
  server.server.unref();
  return {
    url: server.url,
    key: service.key,
    service,
    get: async <Answer>(path: string): Promise<Answer> =>
      (await within(`GET ${path}`, service.get(path))).body as Answer,
    stop: () => server.stop(),
  };
}

const services = new Map<boolean, Promise<Listening>>();

/**
 * A service with the sample world, without limits: one for all files of a process, so that a view is worked out once.
 * It keeps no process alive, and nobody stops it.
 * @param isPublic whether it answers without a key
 */
export function sampleService(isPublic = false): Promise<Listening> {
  const publicRead = isPublic ? { rateLimitPerMinute: 0, rowsPerMinute: 0 } : undefined;
  const begin = async (): Promise<Listening> =>
    listen(await sampleWorld(), { ...(publicRead && { publicRead }) });
  const service = services.get(isPublic) ?? begin();
  services.set(isPublic, service);
  return service;
}

/** Chromium, and a service with the sample world, for a suite. */
export function withPage(started: (service: Listening) => void): void {
  before(startChromium);
  before(async () => {
    started(await sampleService());
  });
  after(stopChromium);
}

/**
 * The hooks of a suite about the sample: one service for all of its tests, and for each a visit, in which nothing may go
 * wrong.
 */
export function eachVisit(begun: (on: { service: Listening; visit: Visit }) => void): void {
  let service: Listening;
  let visit: Visit;

  withPage((started) => (service = started));

  beforeEach(async () => {
    visit = await Visit.begin(service.url);
    begun({ service, visit });
  });
  afterEach(async () => {
    const { faults } = visit;
    await visit.end();
    expect(faults).to.deep.equal([]);
  });
}

/**
 * Views of the sample that are looked at and left as they are: each is opened once for all tests of a suite that ask for it.
 * @param service that of the suite
 * @returns what opens a view by its search
 */
export function withViews(service: () => Listening): (search: string) => Promise<Visit> {
  const views = new Map<string, Visit>();
  after(async () => {
    const faults = [...views.values()].flatMap((each) => each.faults);
    for (const each of views.values()) await each.end();
    expect(faults).to.deep.equal([]);
  });
  return async (search) => {
    const known = views.get(search);
    if (known && !known.isHung) return known;
    const visit = await Visit.begin(service().url);
    views.set(search, visit);
    await visit.open(search, service().key);
    return visit;
  };
}

const worlds = new Map<number, Promise<Store>>();

/** A store with sample data of a few stations, of so many days, and of one with a hostile name. Made once. */
export function sampleWorld(days = SAMPLE_DAYS): Promise<Store> {
  const world = worlds.get(days) ?? makeWorld(days);
  worlds.set(days, world);
  return world;
}

async function makeWorld(days: number): Promise<Store> {
  const file = createRequire(import.meta.url).resolve('#sample/stations.csv');
  const lines = readFileSync(file, 'utf8').split('\n');
  const stations = readStations().filter(({ station_id }) => IDS.includes(station_id));
  const today = NOW.slice(0, 10);
  const store = await openTestStore();
  const forecasts = join(temporaryFolder(), 'forecasts.csv');
  writeFileSync(
    forecasts,
    [
      ...forecastRows(stations, today, days),
      'XXSS,2026-06-09T00:00:00Z,2026-06-10,40,30,,,made-up-fine,',
      'XXSS,2026-06-10T00:00:00Z,2026-06-11,44,30,,,made-up-fine,',
    ].join('\n'),
  );
  const observations = join(temporaryFolder(), 'observations.csv');
  writeFileSync(
    observations,
    [
      ...observationRows(stations, today, days),
      'XXSS,2026-06-10,45,31,verified,2026-06-11T12:00:00Z,',
      'XXSS,2026-06-11,45,31,verified,2026-06-12T12:00:00Z,',
    ].join('\n'),
  );
  const files = writeFeeds({
    stations: [
      ...lines.filter((line) => IDS.includes(line.slice(0, 4))),
      `XXSS,"${HOSTILE_NAME.replaceAll('"', '""')}",GL,64.19,-51.67,America/Nuuk,ET,true,,`,
    ],
    hours: [...hourRows(stations, Date.parse(NOW))],
  });
  await load(
    store,
    { ...files, forecasts: [forecasts], observations: [observations] },
    { now: new Date(NOW) },
  );
  return store;
}
