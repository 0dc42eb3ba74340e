import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from '../../support/process.js';
import { range } from '../../support/runner/range.js';
import { temporaryFolder } from '../../support/store.js';

const CLI = 'src/cli/main.ts';
const COMMANDS = ['load', 'keys', 'migrate', 'verify', 'move', 'serve', 'demo'];

describe('forecast-accuracy', function () {
  this.timeout(60_000);

  it('given --help, then it lists every command, and does nothing', async () => {
    const { code, stdout } = await run(CLI, ['--help'], {});
    expect(code).to.equal(0);
    const [, list = ''] = stdout.split('Commands:');
    const listed = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
    expect(listed).to.deep.equal([...COMMANDS, 'help']);
  });

  const ARGUMENTS = [CLI, 'src/main.ts'].flatMap((script) =>
    ['--help', 'nonsense', '--nonsense'].map((argument) => [script, argument] as const),
  );
  for (const [script, argument] of range({ test: 2, ci: Infinity }, ARGUMENTS)) {
    it(`given ${script} ${argument}, then no server starts and no folder is made`, async () => {
      const folder = join(temporaryFolder(), 'data');
      const { code, stdout, stderr } = await run(script, [argument], { DATA_DIR: folder, PORT: '0' });
      expect(existsSync(folder)).to.equal(false);
      if (argument === '--help') expect([code, stdout.slice(0, 6)]).to.deep.equal([0, 'Usage:']);
      else expect([code, stderr.slice(0, 7)]).to.deep.equal([1, 'error: ']);
    });
  }

  for (const command of range({ test: 2, ci: Infinity }, COMMANDS)) {
    it(`given ${command} with an argument that it does not know, then that is an error and nothing is done`, async () => {
      const folder = join(temporaryFolder(), 'data');
      const { code, stderr } = await run(CLI, [command, 'nonsense'], { DATA_DIR: folder, PORT: '0' });
      expect([code, stderr.slice(0, 7)]).to.deep.equal([1, 'error: ']);
      expect(existsSync(folder)).to.equal(false);
    });
  }

  it('given a command, then it does what the npm script of its name does', async () => {
    const folder = temporaryFolder();
    const env = { DATA_DIR: folder };
    const created = await run(CLI, ['keys', 'create', '--name', 'one'], env);
    expect(created.stdout.trim().split('\n').at(-1)).to.match(/^fas_/);
    const [byProgram, byScript] = [
      await run(CLI, ['keys', 'list'], env),
      await run('src/cli/keys.ts', ['list'], env),
    ];
    expect(byProgram.stdout).to.equal(byScript.stdout).and.to.include('one');
  });
});
