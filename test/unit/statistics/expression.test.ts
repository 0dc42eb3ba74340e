import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { type Choices, QUANTITIES } from '../../../src/variables/declarations.js';
import { compile, type Expression, toSqlText } from '../../../src/variables/expression.js';
import { getValueLimits } from '../../../src/variables/units.js';
import { CLIMATE_REPORTS } from '../../support/plain/climate-reports.js';
import { getDerivation, VARIABLE_NAMES, type VariableName } from '../../../src/variables/variables.js';

// Guards the last hundredth of a mean, which no feed of whole degrees shows: the SQL of an expression, read as arithmetic, is what is computed.

/** The value of the SQL for a high and a low, hundredths of a °F; the engine's intDiv() cuts towards zero. */
function valueOf(text: string, highs: number, lows: number): number {
  const intDiv = (one: number, other: number): number => Math.trunc(one / other);
  return runInNewContext(text, {
    ...{ intDiv, greatest: Math.max, least: Math.min },
    ...{ highs, lows },
  }) as number;
}

const expressionsOf = (choices: Choices | undefined): [name: string, of: Expression][] =>
  VARIABLE_NAMES.flatMap((name) => {
    const derivation = getDerivation(name, choices);
    return derivation === undefined ? [] : [[name, derivation.value]];
  });

const CHOSEN: readonly Choices[] = [
  { method: 'nws' },
  { base: 6440, cap: 8555 },
  { base: 3200, method: 'nws' },
];

const HIGHS = [14_000, 8601, 8600, 7001, 7000, 6501, 1, 0, -1, -2, -4001, -5999, -13_000];
const LOWS = [14_000, 6499, 5001, 5000, 4999, 0, -1, -3, -6000, -13_000];

describe('the expression of a variable', () => {
  const expressions = expressionsOf(undefined);
  it('is there of all variables that follow from highs and lows', () => {
    expect(expressions.map(([name]) => name)).to.deep.equal(['mean', 'range', 'hdd', 'cdd', 'gdd']);
  });

  for (const [name] of expressions)
    it(`${name}: is one value in SQL and here, also of odd sums and below zero`, () => {
      for (const choices of [undefined, ...CHOSEN]) {
        const expression = new Map(expressionsOf(choices)).get(name)!;
        const text = toSqlText(expression, { high: 'highs', low: 'lows' });
        const compute = compile(expression);
        for (const highs of HIGHS)
          for (const lows of LOWS)
            expect(valueOf(text, highs, lows) + 0, `${highs} and ${lows}`).to.equal(compute(highs, lows) + 0);
      }
    });

  it('given halves, a base and a cap, then values are those of arithmetic by hand', () => {
    const [mean, , hdd, cdd] = expressions.map(([, expression]) => compile(expression));
    expect([mean!(7001, 5000), mean!(-1, 0), mean!(-3, 0)]).to.deep.equal([6001, 0, -1]);
    expect([hdd!(7000, 4999), cdd!(7000, 4999), cdd!(9001, 6000)]).to.deep.equal([500, 0, 1001]);
    const gdd = compile(getDerivation('gdd')!.value);
    expect([gdd(9500, 4000), gdd(9500, 6001), gdd(4500, 3000)]).to.deep.equal([1800, 2301, 0]);
  });

  it('given choices, then bases and caps move, and a mean in whole degrees is rounded once, halves up', () => {
    const of = (name: VariableName, choices: Choices) => compile(getDerivation(name, choices)!.value);
    expect(of('hdd', { base: 6440 })(7000, 4999)).to.equal(440);
    expect(of('gdd', { base: 4000, cap: 9000 })(9500, 3000)).to.equal(2500);
    const nws = of('hdd', { method: 'nws' });
    // 59.495 °F is no half, though it is one to 0.01 °F.
    expect([nws(7000, 4900), nws(7000, 4899), nws(-100, -200)]).to.deep.equal([500, 600, 6600]);
  });

  it('given climate reports of the NWS with method=nws, then days and sums are as printed', () => {
    const [hdd, cdd] = (['hdd', 'cdd'] as const).map((name) =>
      compile(getDerivation(name, { method: 'nws' })!.value),
    );
    for (const report of CLIMATE_REPORTS) {
      const found = report.days.map(([high, low]) => [
        high,
        low,
        hdd!(100 * high, 100 * low) / 100,
        cdd!(100 * high, 100 * low) / 100,
      ]);
      expect(found).to.deep.equal(report.days);
      const sums = [2, 3].map((at) => found.reduce((sum, day) => sum + day[at]!, 0));
      expect(sums).to.deep.equal([report.hdd, report.cdd]);
    }
  });
});

describe('the registry of variables', () => {
  it('given any quantity, then hundredths of its own unit are the steps of the store', () => {
    for (const { unit, units } of Object.values(QUANTITIES))
      expect(units[unit], unit).to.deep.equal({ times: 1, over: 1, zero: 0, size: 100 });
  });

  it('given the limits of any variable that the store has, then no error of it is beyond Int16', () => {
    // The ledger and the histograms have errors as steps of that type.
    for (const name of VARIABLE_NAMES.filter((each) => getDerivation(each) === undefined)) {
      const { lowest, highest } = getValueLimits(name);
      expect(highest - lowest, name).to.be.at.most(32_767);
    }
  });
});
