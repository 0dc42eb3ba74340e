import { expect } from 'chai';
import { bind, NOTHING, raw, sql, type Statement } from '../../../src/queries/sql.js';

const version = bind({ version: 7 }, 'UInt32');

describe('a statement', () => {
  it('given values, then the text names them with their types, and they are beside it', () => {
    const ids = ['KORD', 'KSEA'];
    const { text, params } =
      sql`SELECT 1 WHERE load_id <= ${version} AND id IN ${bind({ ids }, 'Array(String)')}`;
    expect(text).to.equal('SELECT 1 WHERE load_id <= {version: UInt32} AND id IN {ids: Array(String)}');
    expect(params).to.deep.equal({ version: 7, ids });
  });

  it('given a text with a backslash, then it is as in a plain template', () => {
    expect(sql`SELECT '\\d${raw('+')}\n'`.text).to.equal("SELECT '\\d+\n'");
  });

  it('given a relation, then its values are among those of the statement, once each', () => {
    const relation = sql`(SELECT * FROM loads WHERE load_id <= ${version})`;
    const { text, params } =
      sql`SELECT ${bind({ v: 'x' }, 'String')} FROM ${relation} WHERE load_id <= ${version}${NOTHING}`;
    expect(text).to.equal(
      'SELECT {v: String} FROM (SELECT * FROM loads WHERE load_id <= {version: UInt32}) WHERE load_id <= {version: UInt32}',
    );
    expect(params).to.deep.equal({ v: 'x', version: 7 });
  });

  for (const [what, other] of [
    ['value', bind({ version: 8 }, 'UInt32')],
    ['type', bind({ version: 7 }, 'Int64')],
  ] as const) {
    it(`given a name with another ${what}, then there is no statement`, () => {
      expect(() => sql`SELECT ${version}, ${other}`).to.throw(/version/);
    });
  }

  it('given a text, a number or nothing in place of a value, then there is no statement', () => {
    for (const part of ["'; DROP TABLE loads", 7, undefined, null])
      expect(() => sql`SELECT ${part as unknown as Statement}`).to.throw(/bind/);
  });

  it('given a text that names a value, which nobody brings, then there is no statement', () => {
    expect(() => sql`SELECT {version: UInt32}`).to.throw(/version/);
    expect(() => raw('SELECT {version: UInt32}')).to.throw(/version/);
  });

  it('given a text of our own, then it brings those of the values that it names', () => {
    const { text, params } =
      sql`SELECT ${raw('{version: UInt32}, {ids: Array(String)}', { version: 7, ids: ['a'], more: 1 })}`;
    expect(text).to.equal('SELECT {version: UInt32}, {ids: Array(String)}');
    expect(params).to.deep.equal({ version: 7, ids: ['a'] });
  });

  it('given settings, then the statement that it stands in has them, and its text has none', () => {
    const slow = sql`SELECT 1`.with({ max_threads: 1 });
    const { text, settings } = sql`SELECT * FROM (${slow})`.with({ log_comment: 'a' });
    expect(settings).to.deep.equal({ max_threads: 1, log_comment: 'a' });
    expect(text).to.equal('SELECT * FROM (SELECT 1)');
  });
});
