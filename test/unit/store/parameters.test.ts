import { expect } from 'chai';
import { withParameters } from '../../../src/store/engine/query-parameters.js';

// In test/integration/store/store.test.ts, every text comes back from the engine as it was given.

describe('the values of a statement of the embedded engine', () => {
  it('given none in the statement, then it stays as it is', () => {
    expect(withParameters('SELECT 1', { unused: 1 })).to.equal('SELECT 1');
  });

  it('given values, then those that it names are set before it, each once', () => {
    const sql = 'SELECT {a: String}, {a: String}, {b : UInt8}';
    expect(withParameters(sql, { a: 'x', b: 2, unused: 3 })).to.equal(
      `SET param_a = 'x', param_b = '2'; ${sql}`,
    );
  });

  it('given a text, then it is escaped as in a file of tabs, and that as in a statement', () => {
    expect(withParameters('{v: String}', { v: "'\\\t\n\0" })).to.equal(
      "SET param_v = '\\'\\\\\\\\\\\\t\\\\n\\0'; {v: String}",
    );
  });

  it('given an array, then each text is escaped as in a statement, and the whole once more', () => {
    expect(withParameters('{v: Array(String)}', { v: ["it's", '\\'] })).to.equal(
      "SET param_v = '[\\'it\\\\\\'s\\',\\'\\\\\\\\\\']'; {v: Array(String)}",
    );
  });

  it('given an array of numbers, then they are written as numbers', () => {
    expect(withParameters('{v: Array(Int32)}', { v: [250, -1] })).to.equal(
      "SET param_v = '[250,-1]'; {v: Array(Int32)}",
    );
  });

  for (const [what, params, named] of [
    ['a value that is not there', {}, 'v'],
    ['half of a character', { v: 'a\uD800' }, 'v has half of a character'],
    ['half of a character in an array', { v: ['a', '\uDC00b'] }, 'v has half of a character'],
    ['no number', { v: NaN }, 'v is NaN'],
    ['no number in an array', { v: [1, NaN] }, 'v is NaN'],
    ['an endless number', { v: Infinity }, 'v is Infinity'],
  ] as const) {
    it(`given ${what}, then that is an error before anything is sent`, () => {
      expect(() => withParameters('SELECT {v: String}', params)).to.throw(named);
    });
  }
});
