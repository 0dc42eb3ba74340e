import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { logDestination } from '../../../src/observe/log-destination.js';
import { until } from '../../support/process.js';

// No other test has a log with a single line in it, which nothing that follows pushes out.
describe('the destination of the log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-destination-'));
  const file = join(folder, 'log');
  const fd = openSync(file, 'w');

  after(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });

  it('given a line that no other follows, then it is written', async () => {
    const destination = logDestination(fd);
    for (const line of ['first\n', 'second\n']) {
      destination.write(line);
      await until(() => readFileSync(file, 'utf8').endsWith(line) || undefined, 10_000);
    }
    expect(readFileSync(file, 'utf8')).to.equal('first\nsecond\n');
  });

  it('given lines under way, when it is flushed, then all are written in their order', async () => {
    const destination = logDestination(fd);
    const before = readFileSync(file, 'utf8');
    const [long, last] = [`${'x'.repeat(100_000)}\n`, 'last\n'];
    destination.write(long);
    destination.write(last);
    await new Promise<void>((resolve) => destination.flush(resolve));
    expect(readFileSync(file, 'utf8')).to.equal(`${before}${long}${last}`);
  });
});
