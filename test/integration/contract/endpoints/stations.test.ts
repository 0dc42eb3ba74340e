import { expect } from 'chai';
import { contract } from '../../../support/contract/shared.js';
import { isOfEach, PARAMETERS, PATHS, urlOf, windowOf } from '../../../support/contract/interface.js';
import { isInCi, range } from '../../../support/runner/range.js';

/** Names that `station_id`, a member of `stations`, or a station in the path may have; all forms: responses/directory.test.ts. */
const NAMES: [name: string, stationId: string][] = [
  ['kOrD', 'KORD'],
  ['ord', 'KORD'],
  ['CHICAGO MIDWAY', 'KMDW'],
  [`O'HARE`, 'KORD'],
  ['London, "Heathrow"', 'EGLL'],
  ['=delhi', 'VIDP'],
  ['KSEA', 'KSEA'],
];

const CITIES: [name: string, stationId: string][] = [
  ['cHICAGO', 'KORD'],
  ['heathrow', 'EGLL'],
  ['PWM', 'KMDW'], // not the station of this code
];

/** Names of two stations. */
const AMBIGUOUS: [parameter: 'station_id' | 'city', name: string, either: string, other: string][] = [
  ['station_id', 'Portland', 'KPDX', 'KPWM'],
  ['station_id', 'northwest', 'KPDX', 'KSEA'],
  ['city', 'portland', 'KPDX', 'KPWM'],
  ['city', 'NORTHWEST', 'KPDX', 'KSEA'],
];

/** Parameters that make the answers about each station differ: no forecast reaches 90 °F at two of them. */
const TELLING: Partial<Record<string, string>> = { '/api/v1/accuracy/events': 'thresholds=50' };

const taking = (...names: string[]): string[] =>
  PATHS.filter((path) => !path.includes('/export/') && names.every((name) => name in PARAMETERS[path]!));

/** All of a list for the first endpoint of a kind, and for the others, which look names up in the same way, its ends. */
const some = <Item>(isFirst: boolean, items: readonly Item[]): Item[] =>
  isFirst ? [...items] : range({ test: 2, ci: 2, stress: Infinity }, items);

// Guards that a station has the same names everywhere, and that an answer is about the station it names.
describe('the stations of every endpoint that takes them', () => {
  const pair = (parameter: string, name: string): string => `${parameter}=${encodeURIComponent(name)}`;

  const asked = range({ test: 3, ci: 9, stress: Infinity }, taking('station_id'));
  const [firstOfOne] = asked;
  const firstOfMany = asked.find((path) => 'stations' in PARAMETERS[path]!);
  for (const template of asked) {
    const isOfMany = 'stations' in PARAMETERS[template]!;
    /** The others show by their tags which stations a question means, for which no store is asked. */
    const isToAnswer = template === firstOfMany || isInCi;
    const url = (query: string): string =>
      urlOf(template, windowOf(template), TELLING[template] ?? '', query);
    const tag = (query: string): Promise<string> => contract.tag(url(query));

    describe(template, () => {
      it('given any of its names, then it is that station', async () => {
        const ofId = new Map<string, string>();
        for (const [parameter, names] of [
          ['station_id', NAMES],
          ['city', CITIES],
        ] as const) {
          for (const [name, stationId] of some(template === firstOfOne, names)) {
            if (!ofId.has(stationId)) ofId.set(stationId, await tag(`station_id=${stationId}`));
            expect(await tag(pair(parameter, name)), name).to.equal(ofId.get(stationId));
          }
        }
      });

      it('given a station or none, then metadata name it, and each answer is another', async () => {
        const answers = new Set<string>();
        const ids = range({ test: 2, ci: Infinity }, ['ALL', 'KORD', 'KPDX', 'KPWM']);
        for (const id of ids) {
          const { data, metadata } = await contract.ok(url(id === 'ALL' ? '' : `station_id=${id}`));
          expect(metadata.station_id).to.equal(id);
          answers.add(JSON.stringify(data));
        }
        // With one provider there is nothing to compare, it says no distribution, and nothing is in doubt.
        expect(answers.size).to.equal(
          /\/(compare|departures|distribution|divergence|suspects)$/.test(template) ? 1 : ids.length,
        );
      });

      it('given a name of two stations, then it is AMBIGUOUS_CITY and names both, or all of the city', async () => {
        for (const [parameter, name, either, other] of some(template === firstOfOne, AMBIGUOUS)) {
          const query = pair(parameter, name);
          if (isOfEach(template) && parameter === 'city') {
            expect(await tag(query)).to.equal(await tag(`stations=${either},${other}`));
            continue;
          }
          const { message } = await contract.refused(urlOf(template, query), 400, 'AMBIGUOUS_CITY');
          expect(message).to.include(either).and.include(other);
        }
      });

      it('given station_id and city, then it is the station that both mean; else a fault of city', async () => {
        for (const query of ['station_id=kord&city=Chicago', 'city=windy%20city&station_id=ORD'])
          expect(await tag(query), query).to.equal(await tag('station_id=KORD'));
        const faults = await contract.faults(urlOf(template, 'station_id=KORD&city=%3DDelhi'));
        const message = 'means VIDP, but the request also names KORD; give one of them';
        expect(faults).to.deep.equal([{ parameter: 'city', message }]);
        for (const query of ['station_id=KORD&city=Atlantis', 'station_id=KXYZ&city=Chicago']) {
          await contract.refused(urlOf(template, query), 404, 'STATION_NOT_FOUND');
        }
      });

      it('given a name with a slip, then the one that it may mean is told', async () => {
        const { message } = await contract.refused(urlOf(template, 'city=Chicgo'), 404, 'STATION_NOT_FOUND');
        expect(message).to.include('did you mean Chicago?');
      });

      it('given several stations where one is asked for, then the parameter for several is told', async () => {
        const query = urlOf(template, 'station_id=KORD,VIDP');
        const { message } = await contract.refused(query, 404, 'STATION_NOT_FOUND');
        expect(message).to.include('did you mean stations=KORD,VIDP, where several are taken?');
      });

      if (!isOfMany) return;

      it('given several by any of their names, then it is each of them once, by station_id, in any order', async () => {
        const list = pair('stations', " o'hare ,kpwm,ORD,KSEA,heathrow");
        if (isToAnswer)
          expect((await contract.ok(url(list))).metadata.station_id).to.equal('EGLL,KORD,KPWM,KSEA');
        expect(await tag('stations=KSEA,KPWM,KORD,EGLL')).to.equal(await tag(list));
      });

      it('given several beside a city or a station, then it is what all mean; without any, a fault', async () => {
        const list = 'stations=KORD,KPWM,KPDX';
        expect(await tag(`${list}&city=Portland%20ME`)).to.equal(await tag('station_id=KPWM'));
        expect(await tag(`${list}&station_id=PWM`)).to.equal(await tag('station_id=KPWM'));
        const faults = await contract.faults(urlOf(template, 'stations=KORD,EGLL&station_id=KPWM'));
        const message = 'means EGLL,KORD, but the request also names KPWM; give one of them';
        expect(faults).to.deep.equal([{ parameter: 'stations', message }]);
        if (!isOfEach(template)) return;
        expect(await tag(`${list}&city=Portland`)).to.equal(await tag('stations=KPDX,KPWM'));
        expect(await tag(`${list}&city=Portland&station_id=PWM`)).to.equal(await tag('station_id=KPWM'));
        const city = await contract.faults(urlOf(template, 'city=portland&station_id=KORD'));
        expect(city.map((fault) => fault.message)).to.deep.equal([
          'means KPDX,KPWM, but the request also names KORD; give one of them',
        ]);
      });

      it('given what stations are, then it is those that are so, however it is said', async () => {
        for (const [query, stations] of some(template === firstOfMany, [
          ['country=gb', 'EGLL'],
          ['climate_zone=dfa', 'KMDW,KORD'],
          ['country=US&climate_zone=Csb', 'KPDX,KSEA'],
          ['near=41.96,-87.93', 'KMDW,KORD'], // Midway is 24.5 km from O'Hare
          ['near=41.9602,-87.9316&radius_km=24', 'KORD'],
          ['near=41.9602,-87.9316&radius_km=25&stations=KMDW,KPWM', 'KMDW'],
          ['bbox=-125,44,-70,46', 'KPDX'],
          ['bbox=70,20,-69,44', 'KMDW,KORD,KPWM,VIDP'], // across the antimeridian
          ['bbox=70,20,-69,44&country=US', 'KMDW,KORD,KPWM'],
        ] as const)) {
          if (isToAnswer) {
            const { metadata } = await contract.ok(url(query));
            expect(metadata.station_id, query).to.equal(stations);
            expect(metadata.stations, query).to.equal(stations.split(',').length);
          }
          // Where distances are told, the point belongs to the question.
          if (!isOfEach(template) || !query.includes('near'))
            expect(await tag(query), query).to.equal(await tag(`stations=${stations}`));
        }
        expect(await tag('station_id=KORD&country=US')).to.equal(await tag('station_id=KORD'));
      });

      it('given what no station is, then it is told which condition leaves none, and what there is', async () => {
        for (const [query, message] of some(template === firstOfMany, [
          ['country=FR', 'No station matches country=FR. Available: GB, IN, US'],
          ['country=USA', 'No station matches country=USA; did you mean US? Available: GB, IN, US'],
          ['climate_zone=Cfb&country=IN', 'No station matches climate_zone=Cfb. Available: none'],
          [
            'bbox=0,0,1,1&country=US',
            'No station matches bbox=0,0,1,1; it is west,south,east,north in degrees',
          ],
          ['near=51,0', 'No station matches near=51,0 with radius_km=50; the nearest is EGLL, 63 km away'],
          [
            'near=-87.9,41.96',
            'No station matches near=-87.9,41.96 with radius_km=50; did you mean near=41.96,-87.9, the latitude first?',
          ],
          ['station_id=KORD&country=GB', 'No station matches country=GB. Available: US'],
        ] as const)) {
          const refused = await contract.refused(urlOf(template, query), 404, 'STATION_NOT_FOUND');
          expect(refused.message, query).to.equal(message);
        }
        const faults = await contract.faults(urlOf(template, 'radius_km=10'));
        expect(faults).to.deep.equal([{ parameter: 'radius_km', message: 'needs near=latitude,longitude' }]);
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

  const inPath = PATHS.filter((path) => path.includes('{station_id}'));
  for (const template of inPath) {
    const at = (name: string, query = ''): string =>
      urlOf(template, windowOf(template), query).replace('/KORD', `/${encodeURIComponent(name)}`);

    describe(template, () => {
      it('given any of its names in the path, then it is that station', async () => {
        for (const [name, stationId] of some(template === inPath[0], NAMES))
          expect(await contract.tag(at(name)), name).to.equal(await contract.tag(at(stationId)));
        for (const id of ['KORD', 'KPWM'])
          expect((await contract.ok(at(id))).metadata.station_id).to.equal(id);
      });

      it('given a city of two stations, or of none, then it is the error of that; bad parameters come first', async () => {
        const { message } = await contract.refused(at('PORTLAND'), 400, 'AMBIGUOUS_CITY');
        expect(message).to.include('KPDX').and.include('KPWM');
        for (const name of some(template === inPath[0], ['KXYZ', 'Atlantis', ' ', 'K/ORD', 'ALL', '*'])) {
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
        for (const query of ['station_id=ORD', 'city=Windy%20City', 'station_id=kord&city=chicago'])
          expect(await contract.tag(at('Chicago', query)), query).to.equal(await contract.tag(at('KORD')));
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
