// The value of a day that follows from its high and its low, as one expression: computed here, and written as SQL of the same arithmetic.

/** A value that an expression reads. */
export type Source = 'high' | 'low';

type Operator = '+' | '-' | '*' | 'min' | 'max';

/** Whole steps of a quantity: a number, a source, two of them combined, or one by an even number, halves up. */
export type Expression =
  number | Source | readonly [Operator, Expression, Expression] | readonly ['over', number, Expression];

type Combine<Result> = (one: Result, other: Result) => Result;

/** The makers of the parts of a function, or of a text. */
interface Target<Result> extends Record<Operator, Combine<Result>> {
  number: (value: number) => Result;
  source: (name: Source) => Result;
  over: (divisor: number, of: Result) => Result;
}

function translate<Result>(expression: Expression, target: Target<Result>): Result {
  if (typeof expression === 'number') return target.number(expression);
  if (typeof expression === 'string') return target.source(expression);
  if (expression[0] === 'over') return target.over(expression[1], translate(expression[2], target));
  const [operator, one, other] = expression;
  return target[operator](translate(one, target), translate(other, target));
}

type Compute = (high: number, low: number) => number;

const COMPUTE: Target<Compute> = {
  number: (value) => () => value,
  source: (name) => (name === 'high' ? (high) => high : (_, low) => low),
  over: (divisor, of) => (high, low) => Math.floor((of(high, low) + divisor / 2) / divisor),
  '+': (one, other) => (high, low) => one(high, low) + other(high, low),
  '-': (one, other) => (high, low) => one(high, low) - other(high, low),
  '*': (one, other) => (high, low) => one(high, low) * other(high, low),
  min: (one, other) => (high, low) => Math.min(one(high, low), other(high, low)),
  max: (one, other) => (high, low) => Math.max(one(high, low), other(high, low)),
};

/** The function of an expression, whole steps. */
export const compile = (expression: Expression): Compute => translate(expression, COMPUTE);

/** The text of an expression in SQL. @param columns of the sources, integers */
export const toSqlText = (expression: Expression, columns: Readonly<Record<Source, string>>): string =>
  translate<string>(expression, {
    number: (value) => `${value}`,
    source: (name) => columns[name],
    // Above -1,000 of the unit, so that intDiv() cuts downwards.
    over: (divisor, of) => `(intDiv(${of} + ${100_000 * divisor + divisor / 2}, ${divisor}) - 100000)`,
    '+': (one, other) => `(${one} + ${other})`,
    '-': (one, other) => `(${one} - ${other})`,
    '*': (one, other) => `(${one} * ${other})`,
    min: (one, other) => `least(${one}, ${other})`,
    max: (one, other) => `greatest(${one}, ${other})`,
  });
