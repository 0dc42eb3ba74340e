import { expect } from 'chai';
import { range } from '../../support/runner/range.js';

describe('range', () => {
  const tier = process.env.TEST_TIER;
  const list = [...'abcdefghij'];
  const inTier = <Result>(name: string | undefined, work: () => Result): Result => {
    const before = process.env.TEST_TIER;
    if (name === undefined) delete process.env.TEST_TIER;
    else process.env.TEST_TIER = name;
    try {
      return work();
    } finally {
      if (before === undefined) delete process.env.TEST_TIER;
      else process.env.TEST_TIER = before;
    }
  };
  after(() => {
    expect(process.env.TEST_TIER).to.equal(tier);
  });

  it('given make ci, then it is the full number, and the whole list', () => {
    inTier('ci', () => {
      expect(range({ test: 4, ci: 60 })).to.equal(60);
      expect(range({ test: 4, ci: Infinity }, list)).to.deep.equal(list);
    });
  });

  it('given make stress, then it is the number for that, or that of make ci', () => {
    inTier('stress', () => {
      expect(range({ test: 4, ci: 60, stress: 600 })).to.equal(600);
      expect(range({ test: 4, ci: 60 })).to.equal(60);
      expect(range({ test: 1, ci: 2, stress: Infinity }, list)).to.deep.equal(list);
    });
  });

  it('given any other tier, then it is the small number, and of a list its ends and some between', () => {
    for (const name of ['test', undefined]) {
      inTier(name, () => {
        expect(range({ test: 4, ci: 60 })).to.equal(4);
        const some = range({ test: 4, ci: Infinity }, list);
        expect(some).to.have.lengthOf(4);
        expect(some[0]).to.equal('a');
        expect(some.at(-1)).to.equal('j');
        expect([...some].sort()).to.deep.equal(some);
        expect(range({ test: 4, ci: Infinity }, list)).to.deep.equal(some);
        expect(range({ test: 1, ci: 2 }, list)).to.deep.equal(['a']);
        expect(range({ test: 0, ci: 2 }, list)).to.deep.equal([]);
        expect(range({ test: 20, ci: 30 }, list)).to.deep.equal(list);
      });
    }
  });
});
