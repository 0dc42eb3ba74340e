import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from '../../support/process.js';
import { range } from '../../support/runner/range.js';
import { temporaryFolder } from '../../support/store.js';

const CLI = 'forecast-accuracy';
const COMMANDS = ['load', 'keys', 'migrate', 'verify', 'move', 'serve', 'mcp', 'demo'];

describe('forecast-accuracy', function () {
  this.timeout(60_000);

  it('given --help, then it lists every command, and does nothing', async () => {
    const { code, stdout } = await run(CLI, ['--help'], {});
    expect(code).to.equal(0);
    const [, list = ''] = stdout.split('Commands:');
    const listed = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
    expect(listed).to.deep.equal([...COMMANDS, 'help']);
  });

  const ARGUMENTS = [CLI, 'serve'].flatMap((script) =>
    ['--help', 'nonsense', '--nonsense'].map((argument) => [script, argument] as const),
  );
  for (const [script, argument] of range({ test: 1, ci: Infinity }, ARGUMENTS)) {
    it(`given ${script} ${argument}, then no server starts and no folder is made`, async () => {
      const folder = join(temporaryFolder(), 'data');
      const { code, stdout, stderr } = await run(script, [argument], { DATA_DIR: folder, PORT: '0' });
      expect(existsSync(folder)).to.equal(false);
      if (argument === '--help') expect([code, stdout.slice(0, 6)]).to.deep.equal([0, 'Usage:']);
      else expect([code, stderr.slice(0, 7)]).to.deep.equal([1, 'error: ']);
    });
  }

  for (const command of range({ test: 1, ci: Infinity }, COMMANDS)) {
    it(`given ${command} with an argument that it does not know, then that is an error and nothing is done`, async () => {
      const folder = join(temporaryFolder(), 'data');
      const { code, stderr } = await run(CLI, [command, 'nonsense'], { DATA_DIR: folder, PORT: '0' });
      expect([code, stderr.slice(0, 7)]).to.deep.equal([1, 'error: ']);
      expect(existsSync(folder)).to.equal(false);
    });
  }
});
