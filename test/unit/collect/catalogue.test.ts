import { expect } from 'chai';
import {
  type CatalogueReading,
  type CatalogueRequest,
  catalogueRequests,
  cityName,
  readCatalogue,
  stationLine,
  type Wanted,
} from '../../../src/collect/catalogue.js';
import { type StationPlace, GapError } from '../../../src/collect/source.js';
import { stationFact } from '../../../src/ingest/read/feed-rows.js';
import { UserError } from '../../../src/lib/user-error.js';
import { beginnings, fixture, mutatedBody, otherEncodings } from '../../support/collect/fixtures.js';
import { iemStations as stub } from '../../support/collect/stub/iem-stations.js';
import { EGLL, KDEN, KNYC, KORD, PLACES, RJTT } from '../../support/collect/world.js';
import { Random } from '../../support/random.js';
import { refusalOf } from '../../support/refusal.js';
import { range } from '../../support/runner/range.js';

const wanted = (some: Partial<Wanted>): Wanted => ({ stations: [], states: [], countries: [], ...some });
const requests = (some: Partial<Wanted>): CatalogueRequest[] => catalogueRequests(wanted(some));
const first = (some: Partial<Wanted>): CatalogueRequest => requests(some)[0] as CatalogueRequest;
const paths = (some: Partial<Wanted>): string[] => requests(some).map(({ path }) => path);
/** As IEM has it. */
const OHARE = { city_name: "Chicago-O'Hare", latitude: 41.97867, longitude: -87.90446, elevation_m: 204.8 };
const NWSCLI = fixture('network-nwscli.json');
const ids = ({ places }: CatalogueReading): string[] => places.map(({ station_id }) => station_id);
const unusable = (body: string, request: CatalogueRequest): string =>
  refusalOf(GapError, () => readCatalogue(body, request));
/** A station's row, as the loader reads it: it throws where it cannot use it. */
const loaded = (place: StationPlace): unknown =>
  stationFact({ withdrawn: '', ...stationLine(place) }, () => undefined);

describe('which stations are asked for', () => {
  it('given stations of the United States and a state, then one request has them all', () => {
    expect(paths({ stations: ['KNYC', 'kord', 'KNYC', 'PHNL', 'TJSJ'], states: ['il'] })).to.deep.equal([
      '/geojson/network.py?network=NWSCLI',
    ]);
  });

  it('given stations elsewhere, then climate reports come before each of its own, a country at once', () => {
    for (const stations of [['EGLL', 'RJTT'], ['NPPG'], ['NSTU']])
      expect(paths({ stations, countries: ['GB', 'US'] })).to.deep.equal([
        '/geojson/network.py?network=NWSCLI',
        '/geojson/network.py?network=GB__ASOS',
      ]);
    const { next } = readCatalogue(NWSCLI, first({ stations: ['EGLL', 'RJTT'] }));
    expect(next.map(({ path }) => path)).to.deep.equal([
      '/api/1/station/EGLL.json',
      '/api/1/station/RJTT.json',
    ]);
  });

  it('given what cannot be a station, a state or a country, then it is refused by name', () => {
    expect(() => requests({ stations: ['NYC'] })).to.throw(UserError, '"NYC" is not an ICAO identifier');
    expect(() => requests({ stations: ['K/../\u001b'] })).to.throw(UserError, 'not an ICAO identifier');
    expect(() => requests({ states: ['Illinois'] })).to.throw(UserError, 'two letters, such as NY');
    expect(() => requests({ countries: ['GBR'] })).to.throw(UserError, 'such as GB');
  });
});

describe('which stations there are', () => {
  it('given the network of climate reports, then its stations have standard days, offices and names', () => {
    const { places, missing, next } = readCatalogue(NWSCLI, first({ stations: ['KNYC', 'KORD'] }));
    expect(places).to.deep.equal([
      { ...KNYC, elevation_m: undefined },
      { ...KORD, ...OHARE },
    ]);
    expect([...missing, ...next]).to.deep.equal([]);
  });

  it('given a state or the country, then those that still report are taken; a closed one where it is named', () => {
    expect(ids(readCatalogue(NWSCLI, first({ states: ['IL'] })))).to.deep.equal(['KORD']);
    expect(ids(readCatalogue(NWSCLI, first({ countries: ['US'] })))).to.deep.equal(['KDSM', 'KNYC', 'KORD']);
    const closed = readCatalogue(NWSCLI, first({ stations: ['KXYZ'] }));
    expect(closed.places.map(({ data_active }) => data_active)).to.deep.equal([false]);
    expect(readCatalogue(NWSCLI, first({ states: ['ZZ'] })).missing[0]).to.match(/^ZZ: .* such as NY$/);
  });

  it("given a station without climate reports, then its airport is asked for next, by IEM's letters", () => {
    const { places, next } = readCatalogue(NWSCLI, first({ stations: ['KMDW', 'KNYC'] }));
    expect(places.map(({ station_id }) => station_id)).to.deep.equal(['KNYC']);
    expect(next.map(({ path }) => path)).to.deep.equal(['/api/1/station/MDW.json']);
    const [midway] = readCatalogue(fixture('station-mdw.json'), next[0] as CatalogueRequest).places;
    expect(midway).to.include({
      station_id: 'KMDW',
      city_name: 'Chicago Midway',
      daily_network: 'IL_ASOS',
      day_boundary: 'standard',
      elevation_m: 188,
    });
  });

  describe('given a station outside the lower 48, whose reports have another name than its airport,', () => {
    /** The network with Des Moines as that station. */
    const network = (sid: string, attributes: string, rest: [from: string, to: string][] = []): string =>
      rest.reduce(
        (body, [from, to]) => body.replaceAll(from, to),
        NWSCLI.replaceAll('"KDSM"', `"${sid}"`).replace('"attributes":{}', `"attributes":${attributes}`),
      );
    for (const [sid, attributes, station_id] of [
      ['PBET', '{"MAPS_TO": "PABE|AK_ASOS"}', 'PABE'],
      ['PZZZ', '{"MAPS_TO": "PAZZ|AK_ASOS"}', 'PAZZ'],
      ['POME', '{}', 'PAOM'],
      ['PJNU', 'null', 'PAJN'],
      ['PFAI', '[]', 'PAFA'],
      ['PANC', '{}', 'PANC'],
      ['PITO', '{}', 'PHTO'],
      ['PLIH', '{}', 'PHLI'],
      ['POGG', '{}', 'PHOG'],
      ['TSJU', '{}', 'TJSJ'],
      ['NPPG', '{}', 'NSTU'],
      // In the lower 48 the name is that of ICAO, whatever it maps to.
      ['KDSM', '{"MAPS_TO": "DSM|IA_ASOS"}', 'KDSM'],
    ] as const)
      it(`then ${sid} with ${attributes} is found as the airport ${station_id}, by either name`, () => {
        for (const stations of [[sid], [station_id], [station_id, sid]]) {
          const { places, next } = readCatalogue(network(sid, attributes), first({ stations }));
          expect(places.map((place) => [place.station_id, place.climate_report_id])).to.deep.equal([
            [station_id, sid],
          ]);
          expect(places[0]).to.include({ daily_network: '', day_boundary: 'standard' });
          expect(next).to.deep.equal([]);
        }
      });

    it('then its days are of standard time in a territory too, and its office has the name of its bulletins', () => {
      const body = network('TSJU', '{}', [
        ['"country":"US"', '"country":"PR"'],
        ['"wfo":"DMX"', '"wfo":"JSJ"'],
      ]);
      expect(readCatalogue(body, first({ stations: ['TJSJ'] })).places[0]).to.include({
        day_boundary: 'standard',
        wfo: 'SJU',
      });
    });
  });

  it('given a station that there is not, or that is at no airport, then it is named with the way out', () => {
    const asked: CatalogueRequest = {
      ...first({ stations: ['EGLL'] }),
      kind: 'station',
      wanted: wanted({ stations: ['KMDW'] }),
    };
    const gauge = fixture('station-mdw.json').replaceAll('IL_ASOS', 'IL_RWIS');
    const said =
      'KMDW: unknown airport station; https://mesonet.agron.iastate.edu/sites/locate.php lists all';
    for (const body of [fixture('station-404.json'), gauge, '{"data":[]}'])
      expect(readCatalogue(body, asked)).to.deep.equal({ places: [], missing: [said], next: [] });
    const country = first({ countries: ['CA'] });
    expect(readCatalogue('{"features":[]}', country).missing[0]).to.match(/^CA: .*name its stations/);
  });

  it('given an unknown time zone, then the station is named', () => {
    for (const [zone, said] of [
      ['"+05:00"', '+05:00'],
      ['null', 'none'],
    ] as const) {
      const body = NWSCLI.replace('"America/New_York"', zone);
      const { places, missing, next } = readCatalogue(body, first({ stations: ['KNYC'] }));
      const expected = [[], [`KNYC: unknown time zone: ${said}`], []];
      expect([places, missing, next]).to.deep.equal(expected);
    }
  });

  it('given an unusable answer, then it is unusable', () => {
    const network = first({ stations: ['KNYC'] });
    const station: CatalogueRequest = { ...network, kind: 'station' };
    for (const request of [network, station])
      for (const body of ['', 'ERROR: server over capacity', '<html>', '[]', 'null', '{"results":[]}'])
        expect(unusable(body, request)).to.not.equal('');
    expect(unusable('{"features":[]}', network)).to.equal('no station with climate reports');
  });
});

describe('a row of the feed of stations', () => {
  it('given a station with an American name or without, then the loader takes its row, with its letters', () => {
    const place = {
      latitude: '40.779',
      longitude: '-73.9693',
      timezone: 'America/New_York',
      day_boundary: 'standard',
    };
    const blank = { climate_zone: '', aliases: '' };
    expect(stationLine(KNYC)).to.deep.equal({
      ...{ station_id: 'KNYC', city_name: 'New York City', country: 'US', iata: 'NYC', data_active: 'true' },
      ...{ ...place, ...blank, reported_in: 'whole_fahrenheit' },
    });
    const civil = { iata: '', longitude: '0', day_boundary: 'civil', reported_in: 'whole_celsius' }; // as METAR
    expect(stationLine({ ...EGLL, longitude: 1e-7 })).to.include(civil);
    // Some airports of the United States without a climate report measure whole °F, others tenths of °C.
    expect(stationLine({ ...KNYC, climate_report_id: '' })).to.include({ reported_in: '' });
    expect(loaded(KNYC)).to.include({ station_id: 'KNYC', iata: 'NYC', day_boundary: 'standard' });
    expect(loaded({ ...KNYC, station_id: 'K1V4' })).to.include({ iata: '' });
  });

  it('given names in capitals, then they are written as names; other names stay', () => {
    const unchanged = 'London Heathrow';
    for (const [sname, name] of [
      ['NEW YORK CITY', 'New York City'],
      ["CHICAGO-O'HARE", "Chicago-O'Hare"],
      ['ST. LOUIS', 'St. Louis'],
      ['FOND DU LAC', 'Fond du Lac'],
      ['LA CROSSE', 'La Crosse'],
      ['MCALLEN/MILLER', 'McAllen/Miller'],
      ["WOMEN'S LAKE", "Women's Lake"],
      ['WASHINGTON DC', 'Washington DC'],
      ['ÅLESUND', 'Ålesund'],
      [unchanged, unchanged],
      ['  A\u0000\u202eB\n C ', 'A B C'],
      ['🌡'.repeat(120), '🌡'.repeat(100)],
    ] as const)
      expect(cityName(sname)).to.equal(name);
  });

  it('given the code of its state and short forms of the FAA, then the code goes, forms are spelled out', () => {
    const names: [sname: string, state: string | null, name: string][] = [
      ['BOISE ID', 'ID', 'Boise'],
      ['Boise ID', 'ID', 'Boise'],
      ['BALTIMORE INNER HARBOR MD', 'MD', 'Baltimore Inner Harbor'],
      ['RALEIGH-DURHAM INTL AIRPORT NC', 'NC', 'Raleigh-Durham International Airport'],
      ['DENVER INTNL ARPT', 'CO', 'Denver International Airport'],
      ['Chicago Midway Intl', 'IL', 'Chicago Midway International'],
      ['SAFFORD AZ AIRPORT', 'AZ', 'Safford Az Airport'],
      ['WASHINGTON NATIONAL DC', 'VA', 'Washington National DC'],
      ['ID', 'ID', 'Id'],
      ['LONDON', null, 'London'],
    ];
    for (const [sname, state, name] of names) expect(cityName(sname, state)).to.equal(name);
  });
});

describe('the stations of the world', () => {
  it('given stations and countries, then exactly its places are found, and what is not there is named', () => {
    const stations = ['KNYC', 'KDEN', 'RJTT', 'KZZZ', 'LFZZ'];
    const queue = requests({ stations, states: ['IL'], countries: ['GB'] });
    const places: StationPlace[] = [];
    const missing: string[] = [];
    for (let request = queue.shift(); request; request = queue.shift()) {
      const answer = stub(new URL(request.path, 'http://host'), 0, PLACES);
      const reading = readCatalogue(answer?.body ?? '', request);
      places.push(...reading.places);
      missing.push(...reading.missing);
      queue.push(...reading.next);
    }
    const byId = (a: StationPlace, b: StationPlace): number => (a.station_id < b.station_id ? -1 : 1);
    expect(places.sort(byId)).to.deep.equal([EGLL, KDEN, KNYC, KORD, RJTT]);
    expect(missing.map((line) => line.slice(0, 5))).to.deep.equal(['KZZZ:', 'LFZZ:']);
  });
});

describe('lists of stations that are broken', () => {
  const request = first({ stations: ['KNYC', 'KORD'], states: ['IA'] });

  it('given any beginning of a list, then it is refused; so is one in another encoding', () => {
    expect(beginnings(NWSCLI).filter((body) => unusable(body, request) === '')).to.deep.equal([]);
    for (const body of otherEncodings(NWSCLI)) expect(unusable(body, request)).to.include('not JSON');
  });

  it('given random changes, then what is read was asked for, and the loader takes it', () => {
    const random = new Random(20_261_122);
    let read = 0;
    // The loader looks each time zone up, which takes 0.2 ms.
    for (let run = 0; run < range({ test: 200, ci: 2000 }); run += 1) {
      const body = mutatedBody(NWSCLI, random);
      if (unusable(body, request) !== '') continue;
      const reading = readCatalogue(body, request);
      for (const place of reading.places) {
        read += 1;
        const { features } = JSON.parse(body) as {
          features: { properties: { sid: string; state: string } }[];
        };
        const said = features.find(({ properties }) => properties?.sid === place.station_id)?.properties;
        expect(['KNYC', 'KORD'].includes(place.station_id) || said?.state === 'IA').to.be.true;
        loaded(place);
      }
      expect(reading.missing.join('')).to.not.match(/\p{Cc}/u);
    }
    expect(read).to.be.greaterThan(20);
  });
});
