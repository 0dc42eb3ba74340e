import { expect } from 'chai';
import { contract } from '../../../support/contract/shared.js';
import { WINDOW } from '../../../support/contract/data.js';

// Guards which stations there are, and their order (D14); the records are in answers.txt.
describe('GET /api/v1/accuracy/by-city', () => {
  for (const [query, expected, totalRecords] of [
    ['city=portland', ['KPDX', 'KPWM']],
    ['city=NORTHWEST', ['KPDX']], // KSEA answers to it, too, and has no pair
    ['city=Chicago', ['KORD']], // an alias of KMDW, yet the name of KORD
    ['min_samples=1', ['VIDP', 'KORD', 'KMDW', 'EGLL', 'KPDX', 'KPWM'], 17],
    ['min_samples=2', ['KORD', 'EGLL', 'KPWM'], 14], // of what is returned
    ['min_samples=2&sort_by=mae', ['KPWM', 'EGLL', 'KORD'], 14],
    ['min_samples=2&station_id=VIDP', [], 0],
    ['min_samples=10', ['KORD'], 10],
    ['min_samples=11', [], 0],
    // Up, ignoring case, the two Portlands by station.
    ['sort_by=city', ['VIDP', 'KORD', 'KMDW', 'EGLL', 'KPDX', 'KPWM']],
    // Up, equal ones by station: 0.75 0.75 1.25 2 2 2.45
    ['sort_by=mae', ['KPWM', 'VIDP', 'EGLL', 'KMDW', 'KPDX', 'KORD']],
    // 0.75 1.06 1.46 2 2 2.74
    ['sort_by=rmse', ['VIDP', 'KPWM', 'EGLL', 'KMDW', 'KPDX', 'KORD']],
    // -2 -0.75 0.55 0.75 0.75 2
    ['sort_by=mean_error', ['KMDW', 'KPWM', 'KORD', 'EGLL', 'VIDP', 'KPDX']],
    // Down, equal ones by station: 10 2 2 1 1 1
    ['sort_by=count', ['KORD', 'EGLL', 'KPWM', 'KMDW', 'KPDX', 'VIDP']],
  ] as [query: string, expected: string[], totalRecords?: number][]) {
    it(`given ${query}, then it is ${expected.join(', ')}`, async () => {
      const path = `/api/v1/accuracy/by-city?${WINDOW}&${query}`;
      const { data, metadata } = await contract.ok<{ station_id: string }[]>(path);
      expect(data.map(({ station_id }) => station_id)).to.deep.equal(expected);
      if (totalRecords !== undefined) expect(metadata.total_records).to.equal(totalRecords);
    });
  }
});
