import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readConfig } from '../../src/config.js';
import { skip } from '../support/runner/skip.js';
import { temporaryFolder } from '../support/store.js';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SAMPLES = join(ROOT, 'docs/systemd');
const text = (name: string): string => readFileSync(join(SAMPLES, name), 'utf8');

/** The units: those of docs/systemd, and the one that stands in docs/collecting.md. */
const UNITS = new Map([
  ...readdirSync(SAMPLES)
    .filter((name) => /\.(service|timer)$/.test(name))
    .map((name): [string, string] => [name, text(name)]),
  ...[
    ...readFileSync(join(ROOT, 'docs/collecting.md'), 'utf8').matchAll(
      /```ini\n# \/etc\/systemd\/system\/(\S+)\n([^`]+)```/g,
    ),
  ].map(([, name = '', unit = '']): [string, string] => [name, unit]),
]);
const SERVICES = [...UNITS].filter(([name]) => name.endsWith('.service'));

/** The values of a setting of a unit; a line that ends in a backslash goes on in the next. */
const valuesOf = (unit: string, setting: string): string[] =>
  [...unit.replaceAll(/\\\n\s*/g, '').matchAll(new RegExp(`^${setting}=(.*)$`, 'gm'))].map(
    ([, value = '']) => value,
  );

const ENVIRONMENT = Object.fromEntries(
  [...text('forecast-accuracy.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);

describe('The samples for systemd', function () {
  it('given the units, then they are the server, loads, backups and the collector', () => {
    expect([...UNITS.keys()].sort()).to.deep.equal([
      'forecast-accuracy-backup.service',
      'forecast-accuracy-backup.timer',
      'forecast-accuracy-collect.service',
      'forecast-accuracy-load.service',
      'forecast-accuracy-load.timer',
      'forecast-accuracy.service',
    ]);
  });

  it('given systemd-analyze, then it has nothing to say against them', async function () {
    const folder = temporaryFolder();
    // It looks for the programs, and Node may be elsewhere here.
    for (const [name, unit] of UNITS)
      writeFileSync(join(folder, name), unit.replaceAll('/usr/bin/node', process.execPath));
    const verify = (...names: string[]): Promise<{ stdout: string; stderr: string }> =>
      run('systemd-analyze', ['verify', ...names.map((name) => join(folder, name))], { timeout: 60_000 });
    try {
      await run('systemd-analyze', ['--version']);
    } catch {
      skip(this, 'no systemd-analyze');
    }
    const { stdout, stderr } = await verify(...UNITS.keys());
    expect(stdout + stderr).to.equal('');
    writeFileSync(join(folder, 'wrong.service'), '[Service]\nExecStart=/no/such/program\nUmask=0077\n');
    const refused = await verify('wrong.service').then(
      ({ stdout, stderr }) => stdout + stderr,
      (error: unknown) => String((error as { stderr?: string }).stderr),
    );
    expect(refused, 'the check above can fail').to.match(/Unknown key.*'Umask'/);
    expect(refused).to.include('/no/such/program is not executable');
  });

  it('then every service has one user, one folder, one file of settings, and files for nobody else', () => {
    expect(SERVICES).to.have.length(4);
    for (const [name, unit] of SERVICES) {
      const the = (setting: string): string => valuesOf(unit, setting).join();
      expect(the('User'), name).to.equal('forecast-accuracy');
      expect(the('UMask'), name).to.equal('0077');
      expect(the('EnvironmentFile'), name).to.equal('/etc/forecast-accuracy.env');
      expect(the('Environment'), `${name}: settings have one place`).to.equal('');
      expect(`/var/lib/${the('StateDirectory')}`, name).to.equal(ENVIRONMENT.DATA_DIR);
      expect(the('NoNewPrivileges'), name).to.equal('true');
      expect(the('ProtectSystem'), name).to.equal('strict');
    }
  });

  it('then what they run is a command with flags that it has, and its settings can be used', async () => {
    for (const [name, unit] of SERVICES) {
      const [, command = '', rest = ''] =
        /^.*\/usr\/bin\/node dist\/src\/main\.cjs (\w+)(.*)$/.exec(valuesOf(unit, 'ExecStart').join()) ?? [];
      const { stdout } = await run(process.execPath, [join(ROOT, 'dist/src/main.cjs'), command, '--help']);
      for (const [flag] of rest.matchAll(/--[a-z-]+/g)) expect(stdout, `${name}: ${flag}`).to.include(flag);
    }
    const config = readConfig(ENVIRONMENT);
    expect(config.trustProxy).to.deep.equal(['127.0.0.1']);
    expect(config.publicUrl).to.equal('https://example.org/accuracy');
  });

  it('given a timer, then its service is there, runs once, and is made up for', () => {
    for (const [name, unit] of UNITS) {
      if (!name.endsWith('.timer')) continue;
      const service = UNITS.get(name.replace('.timer', '.service')) ?? '';
      expect(valuesOf(service, 'Type'), name).to.deep.equal(['oneshot']);
      expect(valuesOf(unit, 'Persistent'), name).to.deep.equal(['true']);
    }
  });

  it('given a folder of backups, then both the engine that writes them and the command may write there', () => {
    const writable = ['forecast-accuracy.service', 'forecast-accuracy-backup.service'].map((name) =>
      valuesOf(UNITS.get(name) ?? '', 'ReadWritePaths').join(),
    );
    expect(writable).to.deep.equal(['-/backup', '/backup']);
  });

  it("given the script for commands, then they have the service's settings, user, umask and exit codes", async () => {
    const folder = temporaryFolder();
    const [bin, data] = [join(folder, 'bin'), join(folder, 'data')];
    mkdirSync(bin);
    writeFileSync(join(folder, 'env'), `DATA_DIR=${data}\n`);
    // Only root may become another user: this one notes which it was to be.
    writeFileSync(
      join(bin, 'setpriv'),
      `#!/bin/sh\nwhile case $1 in --*) ;; *) false ;; esac; do echo "$1" >> ${folder}/user; shift; done\nexec "$@"\n`,
    );
    const script = join(folder, 'forecast-accuracy');
    writeFileSync(
      script,
      text('forecast-accuracy.sh')
        .replaceAll('/etc/forecast-accuracy.env', join(folder, 'env'))
        .replaceAll('/usr/bin/node', process.execPath)
        .replaceAll('/opt/forecast-accuracy-service/', ROOT),
    );
    for (const program of [script, join(bin, 'setpriv')]) chmodSync(program, 0o755);
    const env = { PATH: `${bin}:${process.env.PATH}` };
    const { stdout } = await run(script, ['keys', 'create', '--name', 'a name'], { env, cwd: folder });
    expect(stdout).to.match(/fas_/);
    const keys = join(data, 'api-keys.json');
    expect(existsSync(keys)).to.equal(true);
    expect(readFileSync(keys, 'utf8')).to.include('a name');
    expect(statSync(data).mode & 0o077, 'nobody else').to.equal(0);
    expect(readFileSync(join(folder, 'user'), 'utf8').split('\n')).to.include.members([
      '--reuid=forecast-accuracy',
      '--regid=forecast-accuracy',
    ]);
    const failed: unknown = await run(script, ['keys', 'revoke', 'nobody'], { env }).catch(
      (error: unknown) => error,
    );
    expect((failed as { code?: number }).code).to.equal(1);
  });
});
