import { mock } from 'node:test';
import { expect } from 'chai';
import { showLoadProgress, showProgress } from '../../../src/cli/progress.js';

// On a clock that the test moves.
describe('the progress of a load', () => {
  let written: string[];
  let now: number;
  const start = (isTTY: boolean): ReturnType<typeof showLoadProgress> =>
    showLoadProgress({ isTTY, write: (text: string) => written.push(text) > 0 }, () => now);
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 1000) {
      now += 1000;
      mock.timers.tick(1000);
    }
  };

  beforeEach(() => {
    [written, now] = [[], 0];
    mock.timers.enable({ apis: ['setInterval'] });
  });
  afterEach(() => mock.timers.reset());

  it('given no terminal and a load of under 5 s, then nothing is told', () => {
    const tell = start(false);
    for (const share of [0.25, 0.5, 1]) tell({ step: 'f.csv', rows: 40_000 * share, share });
    pass(4000);
    tell.end();
    pass(60_000);
    expect(written).to.deep.equal([]);
  });

  it('given no terminal and a long load, then a line tells file, rows, rate and share every 5 s', () => {
    const tell = start(false);
    for (const rows of [0, 100_000, 200_000]) {
      tell({ step: 'f.csv', rows, share: rows / 200_000 });
      pass(4000);
    }
    tell({ step: 'pairs of 2026-01-01 to 2026-03-31', share: 0.5 });
    pass(10_000);
    tell.end();
    pass(60_000);
    expect(written).to.deep.equal([
      'f.csv: 100,000 rows, 25,000 rows/s, 50%, 5 s\n',
      'f.csv: 200,000 rows, 25,000 rows/s, 100%, 10 s\n',
      'pairs of 2026-01-01 to 2026-03-31: 50%, 3 s\n',
      'pairs of 2026-01-01 to 2026-03-31: 50%, 8 s\n',
    ]);
  });

  it('given a terminal, then a line is written over at once, and each step keeps one', () => {
    const tell = start(true);
    tell({ step: 'f.csv', rows: 0, share: 0 });
    pass(1000);
    tell({ step: 'f.csv', rows: 500, share: 1 });
    tell({ step: 'pairs', share: 0 });
    tell.end();
    tell.end();
    expect(written.join('').replaceAll('\r\x1b[K', '<')).to.equal(
      '<f.csv: 0 rows, 0 rows/s, 0%, 0 s<f.csv: 500 rows, 500 rows/s, 100%, 1 s\n<pairs: 0%, 0 s\n',
    );
  });
});

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
