import { expect } from 'chai';
import { WINDOW } from '../../../support/contract/data.js';
import { type Contract, sharedContract } from '../../../support/contract/contract.js';

const PATH = '/api/v1/accuracy/by-city';

// Guards which stations there are, and their order (D14); the records are in answers.txt.
describe('GET /api/v1/accuracy/by-city', () => {
  let contract: Contract;
  const stations = async (query: string): Promise<string[]> =>
    (await contract.ok<{ station_id: string }[]>(`${PATH}?${WINDOW}&${query}`)).data.map(
      ({ station_id }) => station_id,
    );

  before(async () => {
    contract = await sharedContract();
  });

  for (const [city, expected] of [
    ['portland', ['KPDX', 'KPWM']],
    ['NORTHWEST', ['KPDX']], // KSEA answers to it, too, and has no pair
    ['Chicago', ['KORD']], // an alias of KMDW, yet the name of KORD
  ] as const) {
    it(`given city=${city}, then it is every station of that city`, async () => {
      expect(await stations(`city=${city}`)).to.deep.equal(expected);
    });
  }

  for (const [value, expected] of [
    ['1', ['VIDP', 'KORD', 'KMDW', 'EGLL', 'KPDX', 'KPWM']],
    ['2', ['KORD', 'EGLL', 'KPWM']],
    ['3', ['KORD']],
    ['10', ['KORD']],
    ['11', []],
  ] as const) {
    it(`given min_samples=${value}, then ${expected.length} stations are left`, async () => {
      expect(await stations(`min_samples=${value}`)).to.deep.equal(expected);
    });
  }

  it('given min_samples=2, then total_records adds up what is returned, and a station that has too few is left out', async () => {
    const { metadata } = await contract.ok(`${PATH}?${WINDOW}&min_samples=2`);
    expect(metadata.total_records).to.equal(14);
    expect(await stations('min_samples=2&station_id=VIDP')).to.deep.equal([]);
    expect(await stations('sort_by=mae&min_samples=2')).to.deep.equal(['KPWM', 'EGLL', 'KORD']);
  });

  for (const [value, order, expected] of [
    [
      'city',
      'up, ignoring case, the two Portlands by station',
      ['VIDP', 'KORD', 'KMDW', 'EGLL', 'KPDX', 'KPWM'],
    ],
    // 0.75 0.75 1.25 2 2 2.45
    ['mae', 'up, equal ones by station', ['KPWM', 'VIDP', 'EGLL', 'KMDW', 'KPDX', 'KORD']],
    // 0.75 1.06 1.46 2 2 2.74
    ['rmse', 'up, equal ones by station', ['VIDP', 'KPWM', 'EGLL', 'KMDW', 'KPDX', 'KORD']],
    // -2 -0.75 0.55 0.75 0.75 2
    ['mean_error', 'up, equal ones by station', ['KMDW', 'KPWM', 'KORD', 'EGLL', 'VIDP', 'KPDX']],
    // 10 2 2 1 1 1
    ['count', 'down, equal ones by station', ['KORD', 'EGLL', 'KPWM', 'KMDW', 'KPDX', 'VIDP']],
  ] as const) {
    it(`given sort_by=${value}, then it goes ${order}`, async () => {
      expect(await stations(`sort_by=${value}`)).to.deep.equal(expected);
    });
  }
});
