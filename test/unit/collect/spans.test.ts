import { expect } from 'chai';
import fc from 'fast-check';
import type { Span } from '../../../src/collect/source.js';
import { before, intersect, subtract, union } from '../../../src/collect/collected-spans.js';
import { forAny } from '../../support/property.js';

const MOMENTS = 40;

const spans = fc.array(
  fc.tuple(fc.nat(MOMENTS), fc.nat(MOMENTS)).map(([from_ms, to_ms]): Span => ({ from_ms, to_ms })),
  { maxLength: 8 },
);

/** The moments that a list has, one by one. */
const momentsOf = (list: readonly Span[]): Set<number> =>
  new Set(
    list.flatMap(({ from_ms, to_ms }) =>
      Array.from({ length: Math.max(0, to_ms - from_ms) }, (_, at) => from_ms + at),
    ),
  );

/** In order, none empty, and no two that touch. */
function expectPlain(list: readonly Span[]): void {
  for (const [at, { from_ms, to_ms }] of list.entries()) {
    expect(from_ms).to.be.below(to_ms);
    if (at > 0) expect(from_ms).to.be.above(list[at - 1]?.to_ms ?? NaN);
  }
}

describe('sets of spans', () => {
  it('given any spans, then union, subtraction and intersection have the moments that sets have', () => {
    forAny(spans, spans, fc.nat(MOMENTS), (some, others, moment) => {
      const [ours, theirs] = [momentsOf(some), momentsOf(others)];
      for (const [made, expected] of [
        [union(some, others), [...ours, ...theirs]],
        [subtract(some, others), [...ours].filter((one) => !theirs.has(one))],
        [intersect(some, others), [...ours].filter((one) => theirs.has(one))],
        [before(some, moment), [...ours].filter((one) => one < moment)],
      ] as const) {
        expectPlain(made);
        expect([...momentsOf(made)]).to.have.members([...new Set(expected)]);
      }
    });
  });

  it('given spans, then they stay what they were', () => {
    const given = Object.freeze([
      Object.freeze({ from_ms: 0, to_ms: 5 }),
      Object.freeze({ from_ms: 5, to_ms: 9 }),
    ]);
    expect(union(given)).to.deep.equal([{ from_ms: 0, to_ms: 9 }]);
    expect(subtract(given, [{ from_ms: 2, to_ms: 3 }])).to.deep.equal([
      { from_ms: 0, to_ms: 2 },
      { from_ms: 3, to_ms: 9 },
    ]);
  });
});
