import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { sqlFile, statements } from '../../../src/store/schema/migrate.js';

const folder = new URL('../../../clickhouse/', import.meta.url);
const schema = readdirSync(new URL('schema/', folder))
  .sort()
  .map((name) => `schema/${name}`);

describe('statements', () => {
  for (const [what, text, expected] of [
    [
      'semicolons, then a statement for each, trimmed',
      'SELECT 1;\n\n  SELECT\n  2 ;',
      ['SELECT 1', 'SELECT\n  2'],
    ],
    [
      'no semicolon at the end, then the last statement counts too',
      'SELECT 1; SELECT 2',
      ['SELECT 1', 'SELECT 2'],
    ],
    [
      'comments, then they are dropped with any semicolon',
      '-- a; b\nSELECT 1 -- one; not two\n, 2; -- the end;\n--\n-- last',
      ['SELECT 1 \n, 2'],
    ],
    ['CRLF, then it makes no difference', '-- x\r\nSELECT 1;\r\nSELECT 2;\r\n', ['SELECT 1', 'SELECT 2']],
    ['nothing', '', []],
    ['nothing but blanks, comments and semicolons', ' ;; \n;-- SELECT 1;\n', []],
  ] as const) {
    it(`given ${what}`, () => {
      expect(statements(text)).to.deep.equal(expected);
    });
  }

  it('given the line that says how a table is spread, then it stays, and no other comment of its kind', () => {
    const sql = '-- A table.\n-- shard: none\nCREATE TABLE a; -- shard: of b\nCREATE TABLE b';
    expect(statements(sql)).to.deep.equal(['-- shard: none\nCREATE TABLE a', 'CREATE TABLE b']);
  });
});

describe('the .sql files', () => {
  it('given those of the schema, then they count 001, 002, 003, ... without a gap', () => {
    const numbers = schema.map((name) => name.slice('schema/'.length, 'schema/001_'.length));
    expect(numbers).to.deep.equal(numbers.map((_, index) => `${String(index + 1).padStart(3, '0')}_`));
    expect(numbers).not.to.be.empty;
  });

  for (const name of [...schema, 'schema.sql']) {
    it(`given ${name}, then it can be cut at semicolons: none stands in a text, nor do comment marks`, async () => {
      const sql = await sqlFile(name);
      expect(sql).to.equal(readFileSync(new URL(name, folder), 'utf8'));
      const texts = sql.replace(/--.*$/gm, '').match(/'[^']*'/g) ?? [];
      for (const text of texts) expect(text).not.to.match(/;|--|\n/);
      expect(statements(sql)).not.to.be.empty;
    });
  }

  for (const name of schema) {
    it(`given ${name}, then it can be run again from the top, for a migration that was cut short`, async () => {
      for (const statement of statements(await sqlFile(name))) {
        expect(statement).to.match(
          /^(-- shard: \w+\n)?CREATE (TABLE|VIEW|MATERIALIZED VIEW) IF NOT EXISTS |^DROP (TABLE|VIEW) IF EXISTS |^ALTER TABLE \w+ (MODIFY COLUMN|MODIFY SETTING|ADD COLUMN IF NOT EXISTS|ADD INDEX IF NOT EXISTS|DROP COLUMN IF EXISTS) |^INSERT INTO lineages .*\bWHERE begun = 0$/s,
        );
      }
    });
  }

  it('given a file that is not there, then it is an error', async () => {
    const error = await sqlFile('schema/000_nothing.sql').catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);
  });
});
