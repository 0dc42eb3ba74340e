import { expect } from 'chai';
import { contract } from '../../../support/contract/shared.js';
import { PARAMETERS, PATHS, urlOf, windowOf } from '../../../support/contract/interface.js';
import { range } from '../../../support/runner/range.js';

interface Issued {
  issued_at: string;
}

/** The rows of an answer with the single forecasts, as they come. */
const rowsOf = async (url: string): Promise<Issued[]> => {
  if (!url.includes('/export/')) return [(await contract.ok<Issued[]>(url)).data].flat();
  const { text } = await contract.get(`${url}&format=ndjson`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Issued);
};

// Guards that an hour of issuance chooses the same forecasts wherever single forecasts are read. In
// truth/random-worlds.test.ts, statistics count no others.
describe('the hours of issuance of every endpoint that takes them', () => {
  const taking = PATHS.filter((path) => 'issued_hour' in PARAMETERS[path]!);
  for (const template of range({ test: 2, ci: 5, stress: Infinity }, taking)) {
    const url = (...queries: string[]): string => urlOf(template, windowOf(template), ...queries);

    it(`given all hours, then ${template} answers as without, and says so`, async () => {
      const hours = Array.from({ length: 24 }, (_, hour) => hour);
      if (template.includes('/export/')) {
        expect(await rowsOf(url(`issued_hour=${hours.join(',')}`))).to.deep.equal(await rowsOf(url()));
        return;
      }
      const moments = range({ test: 1, ci: 2 }, ['', 'known_at=2024-03-19T13:00:00Z']);
      for (const known of 'known_at' in PARAMETERS[template]! ? moments : ['']) {
        const { data, metadata } = await contract.ok(url(known, `issued_hour=${hours.join(',')}`));
        expect(data).to.deep.equal((await contract.ok(url(known))).data);
        expect(metadata.issued_hours).to.deep.equal(hours);
      }
    });
  }

  for (const template of ['/api/v1/data/forecast-actual', '/api/v1/data/forecasts', '/api/v1/export/pairs']) {
    it(`given some, then ${template} has the forecasts of these and no others`, async () => {
      const url = (query: string): string => urlOf(template, windowOf(template), query);
      const hourOf = ({ issued_at }: Issued): number => new Date(issued_at).getUTCHours();
      const all = await rowsOf(url(''));
      const some = all.filter((row) => [0, 17].includes(hourOf(row)));
      expect(some.length).to.be.within(1, all.length - 1);
      expect(await rowsOf(url('issued_hour=17,00'))).to.deep.equal(some);
      expect(await rowsOf(url('issued_hour=13'))).to.deep.equal([]);
    });
  }

  it('given some, then an issuance of other hours does not count', async () => {
    const template = '/api/v1/data/run-stats';
    // Issuances of 15 to 19 March: 05:00 (15, 16, 17, 18), 17:00 and 23:00 of the 17th, 06:00 of the 18th, 00:00 (17, 18, 19).
    for (const [query, count] of Object.entries({ '': 10, 'issued_hour=5': 4, 'issued_hour=0,17': 4 })) {
      const url = urlOf(template, windowOf(template), 'station_id=KORD', query);
      const { data } = await contract.ok<{ forecast_count: number }[]>(url);
      expect(
        data.map(({ forecast_count }) => forecast_count),
        query,
      ).to.deep.equal([count]);
    }
  });
});
