import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Host } from '../../../src/collect/host/host.js';
import { chooseHereSources, formatHere } from '../../../src/here/choose-sources.js';
import { formatDaily } from '../../../src/here/daily.js';
import {
  findHere,
  findHereFiles,
  type Here,
  type HereOptions,
  stationIdOf,
} from '../../../src/here/place.js';
import { UserError } from '../../../src/lib/user-error.js';
import { iemStations } from '../../support/collect/stub/iem-stations.js';
import { EGLL, KNYC, KORD, place, PLACES } from '../../support/collect/world.js';
import { temporaryFolder } from '../../support/store.js';

// The place that `here` finds, and the sources that it asks; test/integration/collect/here.test.ts runs all of it.

const NOW = Date.parse('2026-11-20T12:00Z');
const CONTACT = 'me@example.org';
const KLGA = place('KLGA', 'New York Central', 40.777, -73.873, 'America/New_York', { wfo: 'OKX' });

/** Finds a place in the world of the stub. */
async function find(options: HereOptions, dataDir = temporaryFolder()): Promise<Here & { asked: string[] }> {
  const asked: string[] = [];
  const get: Host['get'] = (path) => {
    asked.push(path);
    const answer = iemStations(new URL(path, 'http://stub'), NOW, [...PLACES, KLGA]);
    return Promise.resolve({ outcome: 'ok', body: answer?.body ?? '', headers: {} });
  };
  const signal = new AbortController().signal;
  const around = { dataDir, now_ms: NOW, makeHost: () => ({ get }) as Host, log: () => {}, signal };
  return { ...(await findHere(options, around)), asked };
}

const refusalOf = (options: HereOptions): Promise<string> =>
  find(options).then(
    () => 'found',
    (error: unknown) => (error instanceof UserError ? error.message : `${error as Error}`),
  );

/** Puts a file of observations into a data folder. */
function putSensor(dataDir: string, stations = ''): void {
  mkdirSync(join(dataDir, 'sources'));
  writeFileSync(
    join(dataDir, 'sources', 'sensor.yaml'),
    `name: sensor\nattribution: Mine\nkind: hours\nlocal: true\nurl: http://10.0.0.2/\n${stations}columns: { at: t, temp_c: c }\n`,
  );
}

describe('the place of here', () => {
  it('given a point or a name, then it is the nearest airport, or the one of that name', async () => {
    for (const [options, station_id, city_name] of [
      [{ at: '41.98, -87.9' }, 'KORD', "Chicago O'Hare"],
      [{ at: '48.8,2.3', name: 'Home' }, 'LFPG', 'Home (Paris)'],
      [{ at: '51.5,-0.1' }, 'EGLL', 'London'],
      [{ city: 'chicago' }, 'KORD', "Chicago O'Hare"],
      [{ city: 'rjtt' }, 'RJTT', 'Tokyo'],
    ] as const)
      expect((await find({ ...options, contact: CONTACT })).place, station_id).to.include({
        ...{ station_id, city_name },
      });
  });

  it('given no place, contact, city or airport, or several, then one line says the way out', async () => {
    for (const [options, said] of [
      [{ contact: CONTACT }, 'the place: give --at latitude,longitude, or a city, such as here Chicago'],
      [{ at: '1,2', city: 'x', contact: CONTACT }, 'the place: give'],
      [{ at: '41.98,-87.9' }, '--contact: is required at first'],
      [{ at: '41.98', contact: CONTACT }, '--at: must be latitude and longitude'],
      [{ at: '91,0', contact: CONTACT }, '--at: must be latitude and longitude'],
      [{ at: '-48,-123', contact: CONTACT }, '--at: no airport within 100 km'],
      [{ city: 'Lon', contact: CONTACT }, '"Lon": no airport has this name; give --at latitude,longitude'],
      [
        { city: 'New York', contact: CONTACT },
        '"New York": several airports have this name: KNYC (New York City), KLGA (New York Central); name one',
      ],
    ] as [HereOptions, string][])
      expect(await refusalOf(options)).to.contain(said);
  });

  it('given it is known, then nobody is asked; given another, then it is found anew', async () => {
    const dataDir = join(temporaryFolder(), 'new');
    const first = await find({ at: '41.98,-87.9', contact: CONTACT, nonCommercial: true }, dataDir);
    expect(first.asked).to.have.lengthOf(2);
    for (const options of [{}, { at: '41.98,-87.9' }])
      expect(await find(options, dataDir)).to.deep.equal({ ...first, asked: [] });
    expect((await find({ city: 'London' }, dataDir)).place.station_id).to.equal('EGLL');
    expect((await find({}, dataDir)).place.station_id).to.equal('EGLL');
  });

  it('given observations of its owner, then it is a station of its own, in the zone of the nearest airport', async () => {
    for (const [stations, name, station_id] of [
      ['', 'Köln Süd', 'KOLN-SUD'],
      ['stations: { HOME: x }\n', 'Home', 'HOME'],
      ['stations: { HOME: x }\n', 'Cabin', 'EGLL'],
    ] as const) {
      const dataDir = temporaryFolder();
      putSensor(dataDir, stations);
      const { place } = await find({ at: '51.5,-0.1', name, contact: CONTACT }, dataDir);
      expect(place).to.include({ station_id, timezone: 'Europe/London', country: 'GB' });
      expect(place.latitude).to.equal(station_id === 'EGLL' ? EGLL.latitude : 51.5);
    }
    expect(stationIdOf('a!')).to.equal(undefined);
  });
});

describe('the sources of here', () => {
  const names = (station: Here['place'], is_own: boolean, dataDir = temporaryFolder()): string[] =>
    chooseHereSources({ place: station, since_ms: NOW, target: { is_own } }, findHereFiles(dataDir))
      .sources.map(({ name }) => name)
      .sort();
  const ANYWHERE =
    'bright-sky-forecast met-no open-meteo open-meteo-previous openmeteo-ecmwf openmeteo-gem openmeteo-gfs openmeteo-icon'.split(
      ' ',
    );

  it('given an airport, then it has all forecasts without a key of there, and its reports', () => {
    expect(names(EGLL, false)).to.have.members([...ANYWHERE, 'iem-asos', 'iem-daily']);
    expect(names(KNYC, false)).to.have.members([
      ...[...ANYWHERE, 'iem-asos', 'iem-cli', 'iem-nbm', 'iem-pfm'],
      ...['nws-gridpoints', 'nws-gridpoints-days'],
    ]);
  });

  it('given observations of its owner, then it has them, and none of airports', () => {
    const dataDir = temporaryFolder();
    putSensor(dataDir);
    expect(names({ ...EGLL, station_id: 'HOME' }, true, dataDir)).to.have.members([...ANYWHERE, 'sensor']);
  });

  it('given its first start, then 30 days are read, and three of runs; no later start moves that', () => {
    const { sources, from } = chooseHereSources(
      { place: KORD, since_ms: NOW, target: { is_own: false } },
      findHereFiles(temporaryFolder()),
    );
    expect(from).to.equal('2026-10-21');
    const runs = sources.filter(({ earliest }) => earliest === '2026-11-17').map(({ name }) => name);
    expect(runs).to.have.members(ANYWHERE.filter((name) => name.startsWith('openmeteo-')));
  });

  it('given a pass, then each source without a response has its reason, and 304 is one', () => {
    const none = { ok: 0, no_answer: 0, refused: 0, failed: 0, not_requested: 0 };
    const source = (name: string, requests: object, failure?: string): never =>
      ({ source: name, requests: { ...none, ...requests }, ...(failure && { failure }) }) as never;
    const text = formatHere({
      seconds: 2,
      sources: [
        source('met-no', { ok: 1 }),
        source('idle', {}),
        source('open-meteo', { failed: 1 }, 'network: ENOTFOUND at x'),
        source('partly', { ok: 1, refused: 1 }, 'status 404'),
      ],
    });
    expect(text.split('\n')).to.deep.equal([
      'nothing from open-meteo: network: ENOTFOUND at x',
      'collected in 2 s: met-no, partly',
    ]);
  });
});

describe('the daily lines of here', () => {
  it('given a folder with quotes, spaces and %, then cron and systemd read it as it is', () => {
    const text = formatDaily(`/a b/it's 5%`, ['/usr/bin/node', '/opt/main.cjs']);
    expect(text).to.contain(
      String.raw`DATA_DIR='/a b/it'\''s 5\%' '/usr/bin/node' '/opt/main.cjs' here --no-serve`,
    );
    expect(text).to.contain(`Environment="DATA_DIR=/a b/it's 5%%"`);
  });
});
