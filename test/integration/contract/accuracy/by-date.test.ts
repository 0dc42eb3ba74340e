import { expect } from 'chai';
import { contract } from '../../../support/contract/shared.js';
import { WINDOW } from '../../../support/contract/data.js';

const PATH = '/api/v1/accuracy/by-date';

interface DateRecord {
  date: string;
  sample_size: number;
  preliminary_pairs?: number;
}

// Guards what the answers in answers.txt do not show: both values of a flag, and the first day of a window.
describe('GET /api/v1/accuracy/by-date', () => {
  const ask = async (query: string): Promise<DateRecord[]> =>
    (await contract.ok<DateRecord[]>(`${PATH}?${query}`)).data;

  it('given a window that ends today, then it begins on the day that days says, and not one earlier', async () => {
    const dates = async (days: number): Promise<string[]> =>
      (await ask(`days=${days}`)).map(({ date }) => date);
    expect(await dates(4)).to.deep.equal(['2024-03-17', '2024-03-18', '2024-03-19']);
    expect(await dates(5)).to.include('2024-03-16');
    expect(await dates(90)).to.have.length(4);
    expect(await dates(91)).to.include('2023-12-21');
  });

  it('given include_preliminary, then days tell of such pairs, and none is left out', async () => {
    const shown = await ask(`${WINDOW}&include_preliminary=true`);
    const records = await ask(`${WINDOW}&include_preliminary=false`);
    for (const each of records) expect(each).not.to.have.property('preliminary_pairs');
    expect(records).to.deep.equal(shown.map(({ preliminary_pairs: _, ...each }) => each));
  });
});
