import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { makeVariablesTable } from '../../../scripts/variables/table.js';

describe('docs/variables.md', () => {
  it('given the declared variables, then its table is what npm run variables makes of them', () => {
    const page = readFileSync(new URL('../../../docs/variables.md', import.meta.url), 'utf8');
    expect(page).to.contain(`\n\n${makeVariablesTable()}\n\n`);
  });
});
