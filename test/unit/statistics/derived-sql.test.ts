import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { deriveSql } from '../../../src/queries/derived-days.js';
import { derive, getDerivation, VARIABLE_NAMES } from '../../../src/variables/variables.js';

// Guards the last hundredth of a mean, which no feed of whole degrees shows: the SQL of a derivation, read as arithmetic, is derive().

/** The value of the SQL for a high and a low, hundredths of a °F; the engine's intDiv() cuts towards zero. */
function valueOf(text: string, highs: number, lows: number): number {
  const intDiv = (one: number, other: number): number => Math.trunc(one / other);
  return runInNewContext(text, { intDiv, greatest: Math.max, highs, lows }) as number;
}

describe('deriveSql', () => {
  const derivations = VARIABLE_NAMES.flatMap((name) => {
    const derivation = getDerivation(name);
    return derivation === undefined ? [] : [{ name, derivation }];
  });
  it('is about all variables that follow from highs and lows', () => {
    expect(derivations.map(({ name }) => name)).to.deep.equal(['mean', 'range', 'hdd', 'cdd']);
  });

  for (const { name, derivation } of derivations)
    it(`${name}: is what derive() says, also of odd sums and below zero`, () => {
      const { text } = deriveSql(derivation, 'highs', 'lows');
      for (const highs of [7001, 7000, 6501, 1, 0, -1, -2, -4001, -5999])
        for (const lows of [6499, 5000, 4999, 0, -1, -3, -6000])
          expect(valueOf(text, highs, lows), `${highs} and ${lows}`).to.equal(
            derive(derivation, highs, lows),
          );
    });
});
