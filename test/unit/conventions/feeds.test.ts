import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { makeFormsTable } from '../../../scripts/forms/table.js';

describe('docs/feeds.md', () => {
  it('given the forms of cells, then its table is what npm run forms makes of the code that reads them', () => {
    const page = readFileSync(new URL('../../../docs/feeds.md', import.meta.url), 'utf8');
    expect(page).to.contain(`\n\n${makeFormsTable()}\n\n`);
  });
});
