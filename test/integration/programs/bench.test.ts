import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Program } from '../../support/process.js';
import { describeInCi, itInCi, range } from '../../support/runner/range.js';
import { temporaryFolder } from '../../support/store.js';

describeInCi('npm run bench', function () {
  // Nothing else runs it: for a while it started a program that had moved. Its figures mean nothing at this size.
  itInCi('given the smallest data, then what loads has its figures', async () => {
    const file = join(temporaryFolder(), 'bench.json');
    const size = ['--stations', '100', '--days', '20', '--rounds', '3', '--seconds', '1'];
    // In `make ci` the part that starts the most programs; the other takes longer.
    const parts = range({ test: 0, ci: 1, stress: 2 }, ['loading', 'increments']);
    const { code, stderr } = await new Program(
      'bench',
      [...size, '--only', parts.join(), '--json', file],
      {},
    ).end(170_000);
    expect(code, stderr).to.equal(0);
    const { figures } = JSON.parse(readFileSync(file, 'utf8')) as {
      figures: { section: string; value: number }[];
    };
    const sections = [...new Set(figures.map(({ section }) => section.split(/[: ]/)[0]))];
    expect(sections).to.deep.equal(['loading', 'a'].slice(0, parts.length));
    for (const { section, value } of figures) expect(value, section).to.be.above(0);
  });
});
