import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { FEEDS } from '../support/contract/data.js';
import { type Environment, killPrograms, Program, until } from '../support/process.js';
import { expectRefusal, feedArguments, LOAD } from '../support/programs.js';
import { range } from '../support/runner/range.js';
import { skip } from '../support/runner/skip.js';
import { SmallDisk } from '../support/small-disk.js';
import { temporaryFolder } from '../support/store.js';

// Guards that wherever a publish ends, its folder has a whole copy. `make ci` has the worst moment, make stress all of them.

const OPTIONS = ['--stations', 'KORD,EGLL', '--days', '90'];

/** The files that a kill waits for, in the order in which a publish writes: the last ones are moments before its end. */
const MOMENTS = [
  'manifest.json',
  ...[
    'publish.json',
    'README.txt',
    '404.html',
    'index.html',
    'assets',
    'badges',
    'charts',
    'pairs',
    'recompute',
  ],
  ...['stations', 'providers', 'probability', 'data'].map((name) => `responses/${name}`),
  ...['summary', 'by-date', 'compare', 'events', 'by-city', 'divergence'].map(
    (name) => `responses/accuracy/${name}`,
  ),
];

describe('a publish that ends in its midst', function () {
  const env: Environment = { DATA_DIR: join(temporaryFolder(), 'data') };
  const publish = (folder: string): Program => new Program('publish', [folder, ...OPTIONS], env);
  let copy: string;

  before(async () => {
    const loaded = await new Program(LOAD, feedArguments(FEEDS), env).end();
    expect(loaded.code, loaded.stderr).to.equal(0);
    copy = join(temporaryFolder(), 'copy');
    const { code, stderr } = await publish(copy).end();
    expect(code, stderr).to.equal(0);
  });
  after(killPrograms);

  for (const moment of range({ test: 1, ci: 1, stress: Infinity }, MOMENTS))
    for (const isFirst of range({ test: 1, ci: 1, stress: 2 }, [false, true]))
      it(`given a kill when ${moment} is written to ${isFirst ? 'a new folder' : 'one with a copy'}, then index.html names a whole copy`, async () => {
        const folder = join(temporaryFolder(), 'copy');
        if (!isFirst) cpSync(copy, folder, { recursive: true, preserveTimestamps: true });
        const program = publish(folder);
        await until(() => program.hasEnded || hasPart(folder, moment) || undefined);
        program.kill('SIGKILL');
        await program.end();
        if (!isFirst || existsSync(join(folder, 'index.html'))) expectWhole(folder);
        const { code, stderr } = await publish(folder).end();
        expect(code, stderr).to.equal(0);
        expectWhole(folder);
        const parts = readdirSync(folder).filter((name) => name.startsWith('.'));
        expect(parts).to.deep.equal([]);
        rmSync(folder, { recursive: true });
      });

  describe('on a disk that is full', () => {
    let disk: SmallDisk;
    /** A copy of one station and metric, which the whole one has as well. */
    let small: string;

    before(async function () {
      const mounted = SmallDisk.mount();
      if (mounted === undefined) skip(this, 'this user may not mount a small disk');
      disk = mounted;
      small = join(temporaryFolder(), 'copy');
      const few = [small, '--stations', 'KORD', '--metrics', 'low', '--days', '90', '--no-pairs'];
      const { code, stderr } = await new Program('publish', few, env).end();
      expect(code, stderr).to.equal(0);
    });
    after(() => disk?.unmount());

    for (const share of range({ test: 0, ci: 1, stress: 5 }, [0.5, 0, 0.25, 0.75, 0.95]))
      it(`given room for ${100 * share}% of a new copy, then the publish says so, and the folder is as it was`, async () => {
        const folder = join(disk.folder, 'copy');
        cpSync(small, folder, { recursive: true });
        const before = digest(folder);
        disk.fill(Math.round(share * (bytesOf(copy) - bytesOf(small))));
        expectRefusal(
          await publish(folder).end(),
          `DIR: cannot write ${folder} (ENOSPC); its copy is as it was`,
        );
        expect(digest(folder)).to.deep.equal(before);
        disk.makeRoom();
        expect((await publish(folder).end()).code).to.equal(0);
        expectWhole(folder);
        rmSync(folder, { recursive: true });
      });
  });
});

/** Whether a publish has begun to write a file or folder. */
const hasPart = (folder: string, name: string): boolean =>
  (existsSync(folder) ? readdirSync(folder) : []).some(
    (each) => each.startsWith('.publish.part-') && existsSync(join(folder, each, name)),
  );

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );

const bytesOf = (folder: string): number =>
  listFiles(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

const digest = (folder: string): Record<string, string> =>
  Object.fromEntries(listFiles(folder).map((name) => [name, sha256(join(folder, name))]));

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Expects that the page and its responses are one copy, with each file as its manifest has it. */
function expectWhole(folder: string): void {
  const [, named = ''] =
    /"folder":"([^"]+)"/.exec(readFileSync(join(folder, 'index.html'), 'utf8').replaceAll('&#34;', '"')) ??
    [];
  const { files } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    files: Record<string, { sha256: string }>;
  };
  const responses = Object.entries(files).filter(([name]) => name.startsWith('data/'));
  expect(responses).to.have.lengthOf.above(20);
  for (const [name, record] of responses) {
    const file = join(folder, named, ...name.split('/').slice(2));
    expect(existsSync(file), file).to.equal(true);
    if (name.startsWith(`${named}/`)) expect(sha256(file), file).to.equal(record.sha256);
  }
}
