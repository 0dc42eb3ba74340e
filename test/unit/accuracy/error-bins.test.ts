import { expect } from 'chai';
import { binLayout } from '../../../src/accuracy/distribution/error-bins.js';

describe('the bins of errors', () => {
  for (const width of [50, 100, 200, 500]) {
    it(`given the largest errors of either sign and width ${width}, then both have their bin`, () => {
      const layout = binLayout(width, true);
      // The SQL of the layout, for errors of -300 and 300 °F.
      const binOf = (error: number): number => Math.floor((error + 30_000 + Math.floor(width / 2)) / width);
      const counts = new Array<number>(layout.bin_count).fill(0);
      for (const error of [-30_000, 30_000]) counts[binOf(error)] = 1;
      const found = layout.bins(counts);
      expect([found[0]?.from, found.at(-1)?.to]).to.deep.equal([-300 - width / 200, 300 + width / 200]);
      expect(found.filter(({ count }) => count === 1)).to.have.length(2);
    });
  }
});
