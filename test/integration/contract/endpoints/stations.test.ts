import { expect } from 'chai';
import { type Contract, sharedContract } from '../../../support/contract/contract.js';
import { range } from '../../../support/runner/range.js';
import { PARAMETERS, PATHS, urlOf, windowOf } from '../../../support/contract/interface.js';

/** Names that `station_id`, a member of `stations`, or a station in the path may have (D15). */
const NAMES: [name: string, stationId: string, why: string][] = [
  ['KORD', 'KORD', 'an ICAO id'],
  ['kOrD', 'KORD', 'an ICAO id in any case'],
  ['ORD', 'KORD', 'an IATA code'],
  ['ord', 'KORD', 'an IATA code in any case'],
  ['Chicago', 'KORD', 'a city name, before the same word as an alias of KMDW'],
  ['CHICAGO MIDWAY', 'KMDW', 'a city name in any case, of a station that is not active'],
  ['windy city', 'KORD', 'an alias in any case'],
  [`O'HARE`, 'KORD', 'an alias with a quote'],
  ['SÃO DELHI', 'VIDP', 'an alias beyond ASCII'],
  ['=delhi', 'VIDP', 'a name like a formula'],
  ['London, "Heathrow"', 'EGLL', 'a name with a comma and quotes'],
  ['KPDX', 'KPDX', 'an ICAO id, before the same word as an alias of KMDW'],
  ['pwm', 'KPWM', 'an IATA code, before the same word as an alias of KMDW'],
  ['KSEA', 'KSEA', 'a station without a pair'],
];

const CITIES: [name: string, stationId: string, why: string][] = [
  ['Chicago', 'KORD', 'a city name'],
  ['cHICAGO', 'KORD', 'a city name in any case'],
  ['Windy City', 'KORD', 'an alias'],
  ['heathrow', 'EGLL', 'an alias in any case'],
  ['=Delhi', 'VIDP', 'a name like a formula'],
  ['kpdx', 'KMDW', 'an alias that is the ICAO id of another'],
  ['PWM', 'KMDW', 'an alias that is the IATA code of another'],
];

/** Names of two stations. */
const AMBIGUOUS: [parameter: 'station_id' | 'city', name: string, either: string, other: string][] = [
  ['station_id', 'Portland', 'KPDX', 'KPWM'],
  ['station_id', 'northwest', 'KPDX', 'KSEA'],
  ['city', 'portland', 'KPDX', 'KPWM'],
  ['city', 'NORTHWEST', 'KPDX', 'KSEA'],
];

const STATIONS = ['EGLL', 'KMDW', 'KORD', 'KPDX', 'KPWM', 'KSEA', 'VIDP'];

/** How many answers differ, of all stations and of each, where fewer have anything to tell. */
const ANSWERS: Record<string, number> = {
  '/api/v1/accuracy/compare': 1, // there is one provider
  '/api/v1/accuracy/skill': 6,
  '/api/v1/data/forecasts': 7,
};

const taking = (...names: string[]): string[] =>
  PATHS.filter((path) => !path.includes('/export/') && names.every((name) => name in PARAMETERS[path]!));

// Guards that a station has the same names everywhere (D15, D44), and that an answer is about the station it names.
describe('the stations of every endpoint that takes them', () => {
  let contract: Contract;

  before(async () => {
    contract = await sharedContract();
  });

  const pair = (parameter: string, name: string): string => `${parameter}=${encodeURIComponent(name)}`;
  const ask = async (template: string, query: string) =>
    contract.ok<unknown>(urlOf(template, windowOf(template), query));
  const idOf = async (template: string, query: string): Promise<unknown> =>
    (await ask(template, query)).metadata.station_id;

  for (const template of taking('station_id')) {
    const parameters = PARAMETERS[template]!;
    const isOfMany = 'stations' in parameters;

    describe(template, () => {
      it('given any of its names, then it is that station, and the answer is the one of its ICAO id', async () => {
        for (const [parameter, names] of [
          ['station_id', NAMES],
          ['city', CITIES],
        ] as const) {
          const count = template.endsWith('/summary') ? Infinity : 3;
          for (const [name, stationId, why] of range<(typeof names)[number]>(
            { test: count, ci: Infinity },
            names,
          )) {
            const { data, metadata } = await ask(template, pair(parameter, name));
            expect(metadata.station_id, `${parameter}=${name}, ${why}`).to.equal(stationId);
            expect(data).to.deep.equal((await ask(template, `station_id=${stationId}`)).data);
          }
        }
      });

      it('given each station and none, then each answer is another', async () => {
        const answers = await Promise.all(
          ['', ...STATIONS.map((id) => `station_id=${id}`)].map(async (query) => ask(template, query)),
        );
        expect(answers[0]?.metadata.station_id).to.equal('ALL');
        expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).to.equal(
          ANSWERS[template] ?? STATIONS.length + 1,
        );
      });

      it('given a name of two stations, then it is AMBIGUOUS_CITY and names both, or all of a city where several may be asked', async () => {
        for (const [parameter, name, either, other] of AMBIGUOUS) {
          const query = pair(parameter, name);
          if (isOfMany && parameter === 'city') {
            expect(await idOf(template, query)).to.equal(`${either},${other}`);
            continue;
          }
          const { message } = await contract.refused(urlOf(template, query), 400, 'AMBIGUOUS_CITY');
          expect(message).to.include(either).and.include(other);
        }
      });

      it('given station_id and city, then it is the station that both mean; if there is none, it is a fault of city', async () => {
        expect(await idOf(template, 'station_id=kord&city=Chicago')).to.equal('KORD');
        expect(await idOf(template, 'city=windy%20city&station_id=ORD')).to.equal('KORD');
        const faults = await contract.faults(urlOf(template, 'station_id=KORD&city=%3DDelhi'));
        const message = 'means VIDP, but the request also names KORD; give one of them';
        expect(faults).to.deep.equal([{ parameter: 'city', message }]);
        for (const query of ['station_id=KORD&city=Atlantis', 'station_id=KXYZ&city=Chicago']) {
          await contract.refused(urlOf(template, query), 404, 'STATION_NOT_FOUND');
        }
      });

      it('given a name with a slip, then the one that it may mean is told, and nothing if it is far', async () => {
        const told = async (query: string): Promise<string> =>
          (await contract.refused(urlOf(template, query), 404, 'STATION_NOT_FOUND')).message;
        expect(await told('city=Chicgo')).to.include('did you mean Chicago?');
        expect(await told('city=Atlantis')).not.to.include('did you mean');
      });

      if (!isOfMany) return;

      it('given several by any of their names, then it is each of them once, by station_id, in any order', async () => {
        const list = pair('stations', " o'hare ,kpwm,ORD,KSEA,heathrow");
        const { data, metadata } = await ask(template, list);
        expect(metadata.station_id).to.equal('EGLL,KORD,KPWM,KSEA');
        const again = await contract.get(urlOf(template, windowOf(template), 'stations=KSEA,KPWM,KORD,EGLL'));
        expect((JSON.parse(again.text) as { data: unknown }).data).to.deep.equal(data);
        const { headers } = await contract.get(urlOf(template, windowOf(template), list));
        expect(again.headers.etag).to.equal(headers.etag);
      });

      it('given several beside a city or a station, then it is what all of them mean; if that is none, it is a fault', async () => {
        const list = 'stations=KORD,KPWM,KPDX';
        expect(await idOf(template, `${list}&city=Portland`)).to.equal('KPDX,KPWM');
        expect(await idOf(template, `${list}&city=Portland&station_id=PWM`)).to.equal('KPWM');
        const faults = await contract.faults(urlOf(template, 'stations=KORD,EGLL&station_id=KPWM'));
        const message = 'means EGLL,KORD, but the request also names KPWM; give one of them';
        expect(faults).to.deep.equal([{ parameter: 'stations', message }]);
        const city = await contract.faults(urlOf(template, 'city=portland&station_id=KORD'));
        expect(city.map((fault) => fault.message)).to.deep.equal([
          'means KPDX,KPWM, but the request also names KORD; give one of them',
        ]);
      });

      it('given a name among them that no station has, or two have, then it is the error of that name', async () => {
        const unknown = await contract.refused(
          urlOf(template, 'stations=KORD,KPWN'),
          404,
          'STATION_NOT_FOUND',
        );
        expect(unknown.message).to.include('"KPWN"; did you mean KPWM');
        const two = await contract.refused(urlOf(template, 'stations=KORD,Portland'), 400, 'AMBIGUOUS_CITY');
        expect(two.message).to.include('KPDX').and.include('KPWM');
      });
    });
  }

  for (const template of PATHS.filter((path) => path.includes('{station_id}'))) {
    const at = (name: string, query = ''): string =>
      urlOf(template, windowOf(template), query).replace('/KORD', `/${encodeURIComponent(name)}`);

    describe(template, () => {
      it('given any of its names in the path, then it is that station', async () => {
        for (const [name, stationId, why] of range({ test: 3, ci: Infinity }, NAMES)) {
          const { metadata } = await contract.ok(at(name));
          expect(metadata.station_id, `${name}, ${why}`).to.equal(stationId);
        }
      });

      it('given a city of two stations, or a name that none has, then it is the error of that; a bad parameter comes first', async () => {
        const { message } = await contract.refused(at('PORTLAND'), 400, 'AMBIGUOUS_CITY');
        expect(message).to.include('KPDX').and.include('KPWM');
        for (const name of ['KXYZ', 'Atlantis', ' ', 'K/ORD', 'ALL', '*']) {
          await contract.refused(at(name), 404, 'STATION_NOT_FOUND');
        }
        const faults = await contract.faults(at('KXYZ', 'days=0'));
        expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['days']);
      });

      it('given a station or a city in the query, then it agrees with the path, or is refused', async () => {
        if (!('city' in PARAMETERS[template]!)) {
          for (const name of ['station_id', 'city']) {
            const faults = await contract.faults(at('KORD', `${name}=KORD`));
            expect(faults.map(({ parameter }) => parameter)).to.deep.equal([name]);
          }
          return;
        }
        const { data } = await contract.ok(at('KORD'));
        for (const query of ['station_id=ORD', 'city=Windy%20City', 'station_id=kord&city=chicago']) {
          expect((await contract.ok(at('Chicago', query))).data, query).to.deep.equal(data);
        }
        for (const [query, other] of [
          ['station_id=KPWM', 'KPWM'],
          ['city=%3DDelhi', 'VIDP'],
          ['station_id=KORD&city=%3DDelhi', 'VIDP'],
        ] as const) {
          const faults = await contract.faults(at('KORD', query));
          expect(faults).to.have.length(1);
          expect(faults[0]?.message).to.include('KORD').and.include(other);
        }
      });
    });
  }
});
