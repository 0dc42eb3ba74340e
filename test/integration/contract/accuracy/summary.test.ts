import { expect } from 'chai';
import { contract } from '../../../support/contract/shared.js';
import { WINDOW } from '../../../support/contract/data.js';

const PATH = '/api/v1/accuracy/summary';

// Guards what the answer in answers.txt does not show: the edge of the default window, and how days are verified (D6).
describe('GET /api/v1/accuracy/summary', () => {
  it('given the default window, then a pair of the day before it does not count', async () => {
    const pairs = async (days: number): Promise<unknown> =>
      (await contract.ok(`${PATH}?days=${days}`)).metadata.total_records;
    expect([await pairs(90), await pairs(91)]).to.deep.equal([17, 18]);
  });

  for (const [given, query, verified, preliminary, share] of [
    // KORD rests on a preliminary value on the 19th, and KPDX on the 18th, where KORD's is verified.
    ['days of which any pair is preliminary', '', 2, 2, 0.5],
    ['a station with one preliminary day of three', '&station_id=KORD', 2, 1, 0.6667],
    ['a station whose only day is preliminary', '&station_id=KPDX', 0, 1, 0],
    ['a station whose only day is verified', '&station_id=VIDP', 1, 0, 1],
    ['the lows, all verified', '&metric=low', 1, 0, 1],
    ['no pair', '&station_id=KSEA', 0, 0, null],
  ] as const) {
    it(`given ${given}, then verification_coverage is ${verified} + ${preliminary} days, those of by-date`, async () => {
      const { data, metadata } = await contract.ok<Record<string, number>>(`${PATH}?${WINDOW}${query}`);
      expect(metadata.verification_coverage).to.deep.equal({
        verified_days: verified,
        preliminary_days: preliminary,
        verified_pct: share,
      });
      expect(verified + preliminary).to.equal(data.unique_days);
      const days = await contract.ok<{ preliminary_pairs: number }[]>(
        `/api/v1/accuracy/by-date?${WINDOW}${query}&include_preliminary=true`,
      );
      expect(days.data.filter(({ preliminary_pairs }) => preliminary_pairs > 0)).to.have.length(preliminary);
    });
  }
});
