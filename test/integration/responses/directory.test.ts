import { expect } from 'chai';
import { IANAZone } from 'luxon';
import { z } from 'zod';
import { timeZone } from '../../../src/feeds/values.js';
import { sql } from '../../../src/queries/sql.js';
import {
  AmbiguousCity,
  DirectoryReader,
  type Station,
  StationIndex,
  UnknownStation,
} from '../../../src/stations/directory.js';
import { StoreUnavailable } from '../../../src/store/store-errors.js';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { startTestService } from '../../support/service.js';
import { openTestStore, withMethod } from '../../support/store.js';

const station = (id: string, city: string, aliases = '', iata = '', active = true): string =>
  `${id},"${city}",US,41.5,-87.25,America/Chicago,Dfa,${active},${aliases},${iata}`;

const STATIONS = [
  station('KORD', 'Chicago', "Windy City|O'Hare|CHICAGO", 'ORD'),
  station('KPDX', 'Portland', 'Stumptown|Rose City', 'PDX'),
  station('KPWM', 'Portland', 'Portland Maine|Rose City', 'PWM'),
  station('LSZH', 'Zürich', 'Zuerich', 'ZRH', false),
  // Names that others bear in another way.
  station('ORD', 'Ordville', 'KORD|Chicago'),
  station('KIAD', 'PDX', 'ZRH', 'IAD'),
  station('KSTO', 'Stockton', 'Zürich|ORD', 'SCK'),
  station('KNON', '__proto__', 'constructor|First \u00a0Avenue'),
];

describe('the directory of stations', () => {
  let store: Store;
  let directory: DirectoryReader;
  let kord: Station;

  before(async () => {
    store = await openTestStore();
    await loadLines(store, { stations: STATIONS });
    directory = new DirectoryReader(store);
    kord = (await directory.at({ key: '1', timeline: 'k7q2' })).stations.byStation('KORD');
  });
  after(async () => {
    await store.close();
  });

  const stations = async () => (await directory.at({ key: '1', timeline: 'k7q2' })).stations;
  const idOf = async (name: string) => (await stations()).byStation(name).station_id;
  const cityIdOf = async (name: string) => (await stations()).byCity(name).station_id;
  const refusal = async (asked: Promise<unknown>): Promise<Error> => {
    const error = await asked.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof Error) return error;
    throw new Error('it was found');
  };

  it('given an application that is prepared, then its first request reads neither stations nor providers', async () => {
    const texts: string[] = [];
    const noted = withMethod(store, 'query', (rows, options) => {
      texts.push(rows.statement.text);
      return store.query(rows, options);
    });
    const { app, get } = await startTestService(noted);
    await app.prepare();
    expect(texts.join()).to.contain('FROM current_stations');
    texts.length = 0;
    expect((await get('/api/v1/accuracy/summary')).status).to.equal(200);
    expect(texts.join()).to.not.match(/FROM current_stations|forecast_providers/);
  });

  it('given all stations, then they are ordered by station_id, inactive ones among them, with every field', async () => {
    const { all } = await stations();
    expect(all.map(({ station_id }) => station_id).join()).to.equal('KIAD,KNON,KORD,KPDX,KPWM,KSTO,LSZH,ORD');
    expect(all[6]).to.deep.equal({
      station_id: 'LSZH',
      city_name: 'Zürich',
      country: 'US',
      latitude: 41.5,
      longitude: -87.25,
      timezone: 'America/Chicago',
      day_boundary: 'civil',
      climate_zone: 'Dfa',
      data_active: false,
      aliases: ['Zuerich'],
      external_ids: { icao: 'LSZH', iata: 'ZRH' },
      reported_in: '',
    });
  });

  describe('given a name for a station', () => {
    const FOUND: [what: string, name: string, id: string][] = [
      ['an ICAO id', 'KORD', 'KORD'],
      ['an IATA code', 'SCK', 'KSTO'],
      ['a city name', 'Ordville', 'ORD'],
      ['an alias', 'Windy City', 'KORD'],
      ['an alias with an apostrophe', "o'hare", 'KORD'],
      ['an ICAO id that is an alias of another station', 'kord', 'KORD'],
      ['an id that is the IATA code of another station', 'ORD', 'ORD'],
      ['an IATA code that is the city name of another station', 'PDX', 'KPDX'],
      ['an IATA code that is an alias of another station', 'ZRH', 'LSZH'],
      ['a city name that is an alias of another station', 'Chicago', 'KORD'],
      ['a city name that is an alias of another station, beyond ASCII', 'zürich', 'LSZH'],
      ['a name in other case', 'wINDY cITY', 'KORD'],
      ['a name in capitals beyond ASCII', 'ZÜRICH', 'LSZH'],
      ['a name in decomposed Unicode', 'Zu\u0308rich', 'LSZH'],
      ['a name with blanks around', '  kpdx ', 'KPDX'],
      ['an alias of one of two Portlands', 'portland maine', 'KPWM'],
      ['an inactive station', 'Zuerich', 'LSZH'],
      ['an alias with blanks of other kinds', 'Windy\u00a0\u2009 City', 'KORD'],
      ['an alias with a tab and an ideographic blank', '\u3000windy\tcity\u2003', 'KORD'],
      ['an alias whose feed has two blanks', 'first  avenue', 'KNON'],
      ['the same with one', 'First Avenue', 'KNON'],
      ['a city named like a property of every object', '__proto__', 'KNON'],
    ];
    it('when it is any of its names, then the station is found', async () => {
      for (const [what, name, id] of FOUND) expect(await idOf(name), `${what} (${name})`).to.equal(id);
    });

    it('when no station bears it, then that is said with the name and where to look', async () => {
      for (const name of ['', ' ', 'Atlantis', 'KOR', 'Chicag', 'toString', "x' OR 1=1 --", '%', '*']) {
        const error = await refusal(idOf(name));
        expect(error, name).to.be.instanceOf(UnknownStation);
        expect(error.message).to.contain(`"${name}"`).and.to.contain('/api/v1/stations/metadata');
      }
    });

    for (const [name, meant] of [
      ['Chicgo', 'Chicago'],
      ['stumptwon', 'Stumptown'],
      ['portlnd', 'Portland'],
      ['KPXD', 'KPDX'], // two letters that have changed places
      ['KXPO', undefined], // half of its letters
    ] as const) {
      it(`when it is ${name}, then ${meant ?? 'nothing'} is told`, async () => {
        const { message } = await refusal(idOf(name));
        expect(/did you mean (\w+)\?/.exec(message)?.[1]).to.equal(meant);
      });
    }

    it('when names of one station are near, then it is told once, by the nearest', () => {
      const [oregon, maine] = ['Portland, Oregon', 'Portland, Maine'].map((city_name) => ({
        ...kord,
        station_id: city_name,
        city_name,
        aliases: [city_name.replace('Oregon', 'OR').replace('Maine', 'ME')],
      }));
      expect(() => new StationIndex([maine!, oregon!]).byCity('Portland, O')).to.throw(
        UnknownStation,
        /did you mean (Portland, O\w+) or (Portland, M\w+)\?/,
      );
    });

    it('when very many names are near, then three are told', () => {
      const twins = new StationIndex(
        Array.from({ length: 50 }, (_, each) => ({ ...kord, city_name: `Springfield ${each}` })),
      );
      expect(() => twins.byCity('Springfeld 1')).to.throw(
        UnknownStation,
        /did you mean (\S+ \d+ or ){2}\S+ \d+\?/,
      );
    });

    it('when it is very long, then it is not repeated as a whole', async () => {
      expect((await refusal(idOf('x'.repeat(5000)))).message.length).to.be.below(250);
    });

    it('when two stations bear it, then it is ambiguous, and both are named with their cities', async () => {
      const error = await refusal(idOf('portland'));
      expect(error).to.be.instanceOf(AmbiguousCity);
      expect(error.message).to.contain('KPDX (Portland)').and.to.contain('KPWM (Portland)');
      expect(await refusal(idOf('rose city')), 'an alias').to.be.instanceOf(AmbiguousCity);
    });

    it('when two stations differ in blanks alone, then it is ambiguous', () => {
      const twins = new StationIndex([kord, { ...kord, station_id: 'KXXX', aliases: ['Windy\u2003 City'] }]);
      expect(() => twins.byCity('windy city')).to.throw(AmbiguousCity, /KORD .* and KXXX/);
    });

    it('when zones are written in any letters, then they come back as the IANA database writes them', async () => {
      const zones = await store.query(
        sql.rows(z.object({ time_zone: z.string() }))`SELECT time_zone FROM system.time_zones`,
      );
      expect(zones.length).to.be.above(500);
      for (const { time_zone } of zones) {
        if (!IANAZone.isValidZone(time_zone)) continue; // posixrules, localtime
        expect(timeZone(time_zone.toLowerCase())).to.equal(time_zone);
        expect(timeZone(time_zone.toUpperCase())).to.equal(time_zone);
      }
    });
  });

  it('given a name for a city, then names and aliases of cities are found, and no ids or codes', async () => {
    for (const [name, id] of [
      ['chicago', 'KORD'],
      ['WINDY CITY', 'KORD'],
      ['stumptown', 'KPDX'],
      // A city that is named like an id or a code of another station.
      ['PDX', 'KIAD'],
      ['KORD', 'ORD'],
      ['Zürich', 'LSZH'],
    ] as const)
      expect(await cityIdOf(name), name).to.equal(id);
    for (const name of ['KPDX', 'SCK'])
      expect(await refusal(cityIdOf(name))).to.be.instanceOf(UnknownStation);
    expect(await refusal(cityIdOf('Portland'))).to.be.instanceOf(AmbiguousCity);
  });

  it('given a load of stations, then they are read with the next version of the data, and only then', async () => {
    const changing = new DirectoryReader(store);
    const before = await changing.at({ key: '1', timeline: 'k7q2' });
    await loadLines(store, { stations: [station('KSEA', 'Seattle', 'Emerald City', 'SEA')] });
    expect(await changing.at({ key: '1', timeline: 'k7q2' })).to.equal(before);
    expect(() => before.stations.byStation('emerald city')).to.throw(UnknownStation);
    expect(
      (await changing.at({ key: '2', timeline: 'k7q2' })).stations.byStation('emerald city').station_id,
    ).to.equal('KSEA');
  });

  it('given a reading that fails, then the next question reads anew', async () => {
    let broken = true;
    const failing = new DirectoryReader({
      query: async (...asked) => {
        if (broken) throw new StoreUnavailable('it is gone');
        return store.query(...asked);
      },
    });
    expect(await refusal(failing.at({ key: '1', timeline: 'k7q2' }))).to.be.instanceOf(StoreUnavailable);
    broken = false;
    expect((await failing.at({ key: '1', timeline: 'k7q2' })).stations.byStation('KORD').station_id).to.equal(
      'KORD',
    );
  });

  it('given many questions at once, then all are answered', async () => {
    const found = await Promise.all(Array.from({ length: 400 }, () => idOf('KORD')));
    expect(new Set(found)).to.deep.equal(new Set(['KORD']));
  });
});
