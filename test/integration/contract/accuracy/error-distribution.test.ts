import { expect } from 'chai';
import { itInCi } from '../../../support/runner/range.js';
import { MONTHS_WINDOW, twoMonths } from '../../../support/contract/months.js';

const PATH = '/api/v1/accuracy/error-distribution';

interface Bucket {
  range: string;
  count: number;
  pct: number;
  share: number;
  from_f: number;
  to_f: number | null;
}

interface Distribution {
  station_id: string;
  city_name: string;
  buckets: Bucket[];
  verification_pairs: number;
  unique_days: number;
}

describe('GET /api/v1/accuracy/error-distribution', () => {
  // recompute.test.ts stands for it in `make test`.
  itInCi(
    'given two months, then every range of every width has the pairs that plain loops find',
    async () => {
      const months = await twoMonths();
      for (const width of [0.5, 1, 2, 5]) {
        for (const signed of [false, true]) {
          const { data } = await months.contract.ok<Distribution>(
            `${PATH}?${MONTHS_WINDOW}&bin_width=${width}&signed=${signed}`,
          );
          const { buckets } = data;
          expect(buckets.map(({ count }) => count).reduce((sum, count) => sum + count)).to.equal(
            months.pairs.length,
          );
          for (const [at, { from_f, to_f, count, pct, share, range }] of buckets.entries()) {
            const own = months.pairs.filter(({ error }) => {
              const value = (signed ? error : Math.abs(error)) / 100;
              return from_f <= value && value < (to_f ?? Infinity);
            });
            expect(count, range).to.equal(own.length);
            expect(share).to.equal(Math.round((count / months.pairs.length) * 1e4) / 1e4);
            expect(pct).to.be.closeTo(100 * share, 1e-9);
            if (to_f !== null) expect(to_f - from_f).to.equal(width);
            expect(to_f).to.equal(buckets[at + 1]?.from_f ?? (signed ? to_f : null));
          }
          if (signed) expect(buckets.map(({ from_f }) => from_f)).to.include(-width / 2);
          else
            expect(buckets.map(({ from_f }) => from_f)).to.deep.equal(
              [0, 1, 2, 3, 4, 5].map((k) => k * width),
            );
        }
      }
    },
  );
});
