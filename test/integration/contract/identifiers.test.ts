import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { type Contract, contractOn } from '../../support/contract/contract.js';
import { describeInCi } from '../../support/runner/range.js';

// Identifiers as national services and WMO give them. Two of them begin with the same eight characters.
const [CLEAR, RAINY, WIGOS] = ['USW00094846', 'USW00094847', '0-20000-0-03772'];
const IDS = [CLEAR, RAINY, WIGOS];
const WINDOW = 'date_from=2024-03-18&date_to=2024-03-18';
const ERRORS = { [CLEAR]: 1, [RAINY]: 3, [WIGOS]: 5 };

describeInCi('stations with identifiers that are not those of ICAO', () => {
  let store: Store;
  let contract: Contract;

  before(async () => {
    const hours = (id: string, rest: string): string[] =>
      Array.from(
        { length: 24 },
        (_, hour) => `${id},2024-03-18T${String(hour).padStart(2, '0')}:00:00Z,50,,,${rest}`,
      );
    ({ store, contract } = await contractOn([
      {
        stations: IDS.map((id, at) => `${id},City ${at},GB,51,0,UTC,Cfb,true,,`),
        forecasts: IDS.map((id) => `${id},2024-03-17T00:00:00Z,2024-03-18,${50 + ERRORS[id]!},`),
        observations: IDS.map((id) => `${id.toLowerCase()},2024-03-18,50,,verified,2024-03-19T12:00:00Z`),
        hours: [...hours(CLEAR, '0,CLR'), ...hours(RAINY, '0.1,OVC')],
      },
    ]));
  });
  after(() => store.close());

  it('given one in a path, a parameter or a list, in any case, then its pairs are found', async () => {
    for (const id of IDS) {
      for (const path of [
        `by-station/${id.toLowerCase()}?`,
        `by-date/${id}?`,
        `summary?station_id=${id}&`,
        `summary?stations=${id.toLowerCase()}&`,
      ]) {
        const { data } = await contract.ok(`/api/v1/accuracy/${path}${WINDOW}`);
        const text = JSON.stringify(data);
        expect(text, path).to.contain(`"mae":${ERRORS[id]}`).and.to.contain('"verification_pairs":1');
      }
    }
    const { metadata } = await contract.ok(`/api/v1/accuracy/summary?stations=${IDS.join(', ')}&${WINDOW}`);
    expect(metadata).to.include({ station_id: IDS.toSorted().join(','), total_records: 3 });
  });

  it('given stations whose ids begin with the same eight characters, then each has weather of its own', async () => {
    const { data } = await contract.ok<{ weather_regime: string; stats: { mae: number } }[]>(
      `/api/v1/accuracy/by-weather-regime?${WINDOW}`,
    );
    const found = data.map(({ weather_regime, stats }) => [weather_regime, stats.mae]);
    expect(found).to.have.deep.members([
      ['clear', ERRORS[CLEAR]],
      ['precipitation', ERRORS[RAINY]],
      ['cloudy', null],
      ['unknown', ERRORS[WIGOS]],
    ]);
  });

  it('given an export and the list of stations, then they have the ids as they are, and icao is blank', async () => {
    const { text } = await contract.get(`/api/v1/export/pairs?format=csv&${WINDOW}`);
    for (const id of IDS) expect(text).to.contain(`${id},`);
    const { data } = await contract.ok<{ external_ids: { icao: string } }[]>('/api/v1/stations/metadata');
    expect(data.map(({ external_ids }) => external_ids.icao)).to.deep.equal(['', '', '']);
  });
});
