import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { BUDGETS } from './weight-budgets.js';

/** It is written by `npm run schema`. */
const GENERATED = 'clickhouse/schema.sql';

/** A budget more than this above its folder would let the folder grow unseen, lines. */
const MAX_SLACK_LINES = 60;

/** Lines that hold more than blanks or a comment. A comment here begins its own line. */
function countCodeLines(text: string): number {
  return text.split('\n').filter((line) => !/^\s*($|\/\/|\/\*|\*|--)/.test(line)).length;
}

/** The first two folders of a path: `src/api/params/time.ts` counts for `src/api`. */
function getFolder(file: string): string {
  const folders = file.split('/').slice(0, -1);
  return folders.slice(0, 2).join('/');
}

function weighFolders(): Map<string, number> {
  const roots = ['src', 'test', 'public', 'scripts', 'clickhouse'];
  const files = execFileSync('git', ['ls-files', '--', ...roots], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => /\.(c?ts|tsx|js|css|html|sql)$/.test(file) && file !== GENERATED);
  const weights = new Map<string, number>();
  for (const file of files) {
    const folder = getFolder(file);
    weights.set(folder, (weights.get(folder) ?? 0) + countCodeLines(readFileSync(file, 'utf8')));
  }
  return weights;
}

describe('the weight of the code', () => {
  it('given a line of code, a blank and comments, then the line alone counts', () => {
    const text = 'const a = 1;\n\n// why\n/** shape */\n * more\n-- SQL\n  return a;\n';

    expect(countCodeLines(text)).to.equal(2);
  });

  it('given each folder, then its lines are within its budget, and the budget is near its lines', () => {
    const weights = weighFolders();

    const tooHeavy = [...weights].filter(([folder, lines]) => lines > (BUDGETS[folder] ?? 0));
    const tooLoose = Object.entries(BUDGETS).filter(
      ([folder, budget]) => budget - (weights.get(folder) ?? 0) > MAX_SLACK_LINES,
    );
    expect(tooHeavy, 'over budget: delete lines, or raise the budget and say in the commit why').to.be.empty;
    expect(tooLoose, 'lower these budgets to the lines that stand').to.be.empty;
  });
});
