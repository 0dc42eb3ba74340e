import { mock } from 'node:test';
import { expect } from 'chai';
import { showProgress } from '../../../src/cli/progress.js';

describe('the progress of a command', () => {
  it('given work that says nothing, then its last line comes again each 20 s; none comes once it is over', () => {
    const lines: string[] = [];
    const write = mock.method(process.stderr, 'write', (line: string) => lines.push(line) > 0);
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const tell = showProgress();
      mock.timers.tick(20_000);
      tell('asking');
      mock.timers.tick(60_000);
      expect(lines.map((line) => line.replace(/^.*\d+ s after: /, 'after: ').trim())).to.deep.equal([
        'after: the start',
        'asking',
        ...Array<string>(3).fill('after: asking'),
      ]);
      tell.end();
      mock.timers.tick(60_000);
      tell.close();
      expect(lines.filter((line) => line.includes('asking'))).to.have.length(4);
    } finally {
      mock.timers.reset();
      write.mock.restore();
    }
  });
});
