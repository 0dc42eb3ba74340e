import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { fillTemplates, literal, type ScriptValues } from '../../../src/recompute/template.js';
import { temporaryFolder } from '../../support/store.js';

/** A template of these lines, filled. */
function fill(lines: readonly string[], values: ScriptValues): string {
  const file = join(temporaryFolder(), 'some.sql');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return fillTemplates([pathToFileURL(file)], values);
}

// DuckDB runs what is written: test/integration/truth/recompute.test.ts.
describe('templates of SQL', () => {
  it('given a text with quotes, then it stays one literal', () => {
    expect(literal("L'Aquila'; DROP TABLE pairs; --")).to.equal("'L''Aquila''; DROP TABLE pairs; --'");
  });

  it('given numbers, then a fraction is a double, which DuckDB reads as JavaScript does', () => {
    expect([1.1, -3, 1e-7, 0.25].map(literal)).to.deep.equal(['1.1e0', '-3', '1e-7', '0.25e0']);
  });

  it('given lists, then they are lists, and lists of lists are rows', () => {
    expect(literal(['a', 'b'])).to.equal("['a', 'b']");
    expect(
      literal([
        ['a', 1],
        ["b'", undefined],
      ]),
    ).to.equal("('a', 1),\n  ('b''', NULL)");
    expect(literal([])).to.equal('[]');
  });

  it('given conditions, then only lines stand whose conditions all hold', () => {
    const lines = [
      'always',
      'a  -- if a',
      'no a  -- if not a',
      'b is x  -- if b=x',
      'both  -- if a -- if b=x',
    ];
    expect(fill(lines, { a: true, b: 'x' })).to.equal('always\na\nb is x\nboth\n');
    expect(fill(lines, { a: false, b: 'y' })).to.equal('always\nno a\n');
    expect(fill(lines, {})).to.equal('always\nno a\n');
    expect(fill(['a  -- if a'], { a: 0 })).to.equal('a\n');
  });

  it('given a value that looks like a template, then it is a value', () => {
    const values = { name: '{{days}} -- if not a\n.read cases.sql', days: 3 };
    expect(fill(['SELECT {{name}}, {{days}}'], values)).to.equal(
      "SELECT '{{days}} -- if not a\n.read cases.sql', 3\n",
    );
  });

  it('given a file that is read under a condition, then its lines stand where it holds', () => {
    expect(fill(['.read coverage.sql -- if a', 'end'], {})).to.equal('end\n');
    expect(fill(['.read coverage.sql -- if a'], { a: true })).to.include('MACRO coverage_of');
  });

  it('given a name without a value, then it is a fault of the service', () => {
    expect(() => fill(['{{unknown}}'], {})).to.throw('the template names unknown, which has no value');
  });
});
