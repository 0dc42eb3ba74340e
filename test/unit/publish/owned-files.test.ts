import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs, {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { type CopyFacts, CopyFolder } from '../../../src/publish/copy-folder.js';
import { rejectDataFolder } from '../../../src/publish/copy-places.js';
import { range } from '../../support/runner/range.js';
import { skip } from '../../support/runner/skip.js';
import { SmallDisk } from '../../support/small-disk.js';
import { temporaryFolder } from '../../support/store.js';

// Guards that publish changes no file but those of its last manifest, in folders of all kinds, and wherever it ends.

const factsOf = (folder: string): CopyFacts => ({
  ...{ format: 1, service: '1.0.0', data_version: 7, timeline: 'k7q2', folder },
  generated_at: '2026-11-27T21:15:00.000Z',
  offers: { metric: ['high'], days: ['90'], provider: ['default'], units: [], station_id: [] },
  ...{ providers: [], attribution: [] },
});

/** A publish of a minute, with files that stay, files that change, and one that the next one does not have. */
async function publishAt(path: string, minute: number, size = 0): Promise<string> {
  const folder = await CopyFolder.open(path, new Date(Date.UTC(2026, 10, 27, 21, minute)));
  const text = (name: string) => `${name} of ${minute}${'.'.repeat(size)}`;
  try {
    await folder.write('responses/providers/all.json', 'the same');
    await folder.write('responses/accuracy/summary/days=90.json', text('summary'));
    await folder.write('badges/high/KORD.json', text('badge'));
    await folder.write('charts/high/KORD.svg', 'the same');
    await folder.write(`pairs/provider=gfs/2026-${minute}.parquet`, 'pairs');
    const facts = await folder.finish(7, async (release) => {
      await folder.write(`assets/page-${minute}/main.js`, text('page'));
      await folder.write('404.html', 'the same');
      await folder.write('index.html', `names ${release}`);
      await folder.write('README.txt', text('README'));
      return factsOf(release);
    });
    return facts.folder;
  } catch (error) {
    if (!(error instanceof Kill)) folder.discard();
    throw error;
  }
}

/** The end of a program: what follows it in code is not done. */
class Kill extends Error {}

/** All that is below a folder: kind and content by name. */
function readTree(path: string): Record<string, string> {
  if (!existsSync(path)) return {};
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    names.map((name) => {
      const stat = lstatSync(join(path, name));
      if (stat.isSymbolicLink()) return [name, `link to ${readlinkSync(join(path, name))}`];
      if (stat.isFile()) return [name, `${stat.mode} ${readFileSync(join(path, name), 'utf8')}`];
      return [name, stat.isDirectory() ? 'folder' : 'other'];
    }),
  );
}

interface ManifestFile {
  format: number;
  service?: string;
  folder: string;
  files: Record<string, { sha256: string; bytes: number }>;
  earlier?: Record<string, string>;
}

const readManifestFile = (path: string): ManifestFile =>
  JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')) as ManifestFile;

/** None where it is no manifest. */
function readNames(path: string): Partial<ManifestFile> {
  const isFile = lstatSync(join(path, 'manifest.json'), { throwIfNoEntry: false })?.isFile() === true;
  try {
    return isFile ? readManifestFile(path) : {};
  } catch {
    return {};
  }
}

function changeManifest(path: string, change: (manifest: ManifestFile) => void): void {
  const manifest = readManifestFile(path);
  change(manifest);
  writeFileSync(join(path, 'manifest.json'), JSON.stringify(manifest));
}

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

/** Files that are not the copy's: all but its manifest, the files of it that are as it has them, and folders. */
function readForeign(root: string, copy = 'copy'): Record<string, string> {
  const path = join(root, copy);
  const { files = {}, earlier = {} } = readNames(path);
  const isOwn = (name: string, content: string) =>
    name === 'manifest.json' ||
    [files[name]?.sha256, earlier[name]].includes(sha256(content.replace(/^\d+ /, '')));
  return Object.fromEntries(
    Object.entries(readTree(root)).filter(
      ([name, content]) => content !== 'folder' && !isOwn(name.slice(copy.length + 1), content),
    ),
  );
}

function put(path: string, name: string, content = 'of somebody'): void {
  mkdirSync(dirname(join(path, name)), { recursive: true });
  writeFileSync(join(path, name), content);
}

/** Puts something else into the place of a file or folder. */
type Put = (path: string, name: string) => void;
const inPlace =
  (make: (file: string, outside: string) => void): Put =>
  (path, name) => {
    rmSync(join(path, name), { recursive: true, force: true });
    mkdirSync(dirname(join(path, name)), { recursive: true });
    make(join(path, name), join(path, '../outside'));
  };
const file = inPlace((to) => writeFileSync(to, 'of somebody'));
const folder = inPlace((to) => put(to, 'thesis.txt'));
const linkToFile = inPlace((to, outside) => symlinkSync(join(outside, 'thesis.txt'), to));
const linkToFolder = inPlace((to, outside) => symlinkSync(outside, to));
const linkToNothing = inPlace((to) => symlinkSync('nowhere', to));
const pipe = inPlace((to) => void execFileSync('mkfifo', [to]));
/** The folder itself, elsewhere, and a link to it. */
const moved: Put = (path, name) => {
  renameSync(join(path, name), join(path, '../outside/moved'));
  symlinkSync('../outside/moved', join(path, name));
};

interface Case {
  /** Publishes before what somebody does. */
  copies: number;
  does: (path: string) => void;
  /** The name that the refusal has; none where publish goes on. */
  refused?: string;
}

const FIRST = 'data/v7-20261127T2110';
const LATEST = 'data/v7-20261127T2111';

const CASES: Record<string, Case> = {};
const add = (title: string, does: Case['does'], refused?: string, copies = 2): void => {
  CASES[title] = { copies, does, ...(refused !== undefined && { refused }) };
};

for (const [title, name] of [
  ['a thesis in data', 'data/thesis.csv'],
  ['a picture in assets', 'assets/img/logo.png'],
  ['a page', 'index.html'],
  ['a README', 'README.txt'],
  ['facts of its own', 'publish.json'],
  ['a web manifest', 'manifest.json'],
])
  add(`no copy, and ${title}`, (path) => put(path, name!, '{"format":1}'), name, 0);
add(
  'no copy, and all that looks like one',
  (path) => {
    for (const name of ['data/v7-x/thesis.csv', 'assets/logo.png', 'index.html', 'README.txt'])
      put(path, name);
    put(path, 'publish.json', JSON.stringify(factsOf(LATEST)));
  },
  'no copy',
  0,
);
add(
  'no copy, and facts and a manifest of another program',
  (path) => {
    put(path, 'thesis.csv');
    put(path, 'publish.json', '{"format":1,"folder":"data"}');
    put(path, 'manifest.json', '{"format":1,"folder":"data","files":{"thesis.csv":{"bytes":11}}}');
  },
  'manifest.json',
  0,
);
add('no copy, and a link as assets', (path) => linkToFolder(path, 'assets'), 'assets', 0);
add('no copy, and a link as manifest', (path) => linkToFile(path, 'manifest.json'), 'manifest.json', 0);
add('no copy, and a repository', (path) => put(path, '.git/HEAD'), undefined, 0);
add(
  'no copy, and folders alone',
  (path) => void mkdirSync(join(path, 'badges/low'), { recursive: true }),
  undefined,
  0,
);

for (const name of [
  'assets/logo.png',
  'assets/img/logo.png',
  'assets/page-10/own.js',
  'data/thesis.csv',
  'data/mine/thesis.csv',
  `${FIRST}/thesis.csv`,
  `${LATEST}/accuracy/summary/thesis.csv`,
  'badges/high/KDEN.json',
  'pairs/provider=mine/2026-11.parquet',
  'CNAME',
  '.git/index',
  'Assets/page-11/main.js',
  'INDEX.HTML',
  'data/20260101T0000.1.part/thesis.csv',
  '.publish.part-abc123/thesis.csv',
  'responses/thesis.csv',
])
  add(`a copy, and an own file ${name}`, (path) => put(path, name));
add('a copy, and links that are in no way', (path) => {
  linkToFolder(path, 'assets/outside');
  linkToFile(path, `${FIRST}/thesis`);
  linkToNothing(path, 'data/nothing');
});
add('a copy, and files removed', (path) => {
  for (const name of ['charts', 'publish.json', 'index.html', FIRST])
    rmSync(join(path, name), { recursive: true });
});

for (const name of [
  'index.html',
  'README.txt',
  'publish.json',
  'charts/high/KORD.svg',
  'badges/high/KORD.json',
  'assets/page-11/main.js',
  'pairs/provider=gfs/2026-11.parquet',
  `${LATEST}/providers/all.json`,
  `${FIRST}/providers/all.json`,
])
  add(`a copy, and ${name} changed`, (path) => file(path, name), name);

for (const [kind, spoil, names] of [
  ['a link to a file', linkToFile, ['index.html', 'badges/high/KORD.json', `${FIRST}/providers/all.json`]],
  ['a link to a folder', linkToFolder, ['assets', 'data', 'badges/high', LATEST, 'pairs']],
  ['a link to nothing', linkToNothing, ['README.txt', 'charts']],
  ['a link to the folder as it was', moved, ['assets', 'data', FIRST]],
  ['a folder', folder, ['index.html', 'charts/high/KORD.svg', 'manifest.json']],
  ['a file', file, ['assets', 'badges', 'pairs/provider=gfs']],
  ['a pipe', pipe, ['404.html', 'manifest.json']],
] as [string, Put, string[]][])
  for (const name of names) add(`a copy, and ${kind} as ${name}`, (path) => spoil(path, name), name);
add(
  'a copy, and a file in the way of the next page',
  (path) => put(path, 'assets/page-12/main.js'),
  'assets/page-12/main.js',
);
add(
  'a copy, and a folder in the way of the next pairs',
  (path) => put(path, 'pairs/provider=gfs/2026-12.parquet/x'),
  '2026-12.parquet',
);

for (const name of [
  '../outside/thesis.txt',
  '/etc/hostname',
  'data/../../outside/thesis.txt',
  'index.html\0',
  'thesis.txt',
  '.git/HEAD',
  'badges//x',
  'assets/./x',
  'INDEX.html',
  'badges/high/kord.json',
])
  add(
    `a manifest with ${JSON.stringify(name)}`,
    (path) => {
      put(path, '.git/HEAD');
      put(path, 'thesis.txt');
      const record = JSON.stringify({ [name]: { sha256: sha256('of somebody'), bytes: 11 } });
      const text = readFileSync(join(path, 'manifest.json'), 'utf8');
      writeFileSync(
        join(path, 'manifest.json'),
        text.replace('"files":{', () => `"files":${record.slice(0, -1)},`),
      );
    },
    'manifest.json',
  );
add(
  'a manifest that is of the hand of somebody',
  (path) => writeFileSync(join(path, 'manifest.json'), '{"files":'),
  'manifest.json',
);
add(
  'a manifest of another service',
  (path) => changeManifest(path, (manifest) => (manifest.service = 'gallery')),
  'manifest.json',
);
add(
  'a manifest of a later format',
  (path) => changeManifest(path, (manifest) => (manifest.format = 3)),
  'manifest.json',
);

/** The manifest of the first format has neither the service nor what is left of earlier copies. */
const makeFirstFormat = (path: string): void =>
  changeManifest(path, (manifest) => {
    manifest.format = 1;
    delete manifest.service;
    delete manifest.earlier;
  });
add('a copy of the first format', makeFirstFormat);
add(
  'a copy of the first format with facts of somebody',
  (path) => {
    makeFirstFormat(path);
    put(path, 'publish.json', '{"format":1}');
  },
  'manifest.json',
);

describe('a folder to publish to', () => {
  let root: string;
  let path: string;

  beforeEach(() => {
    root = temporaryFolder();
    path = join(root, 'copy');
    put(root, 'outside/thesis.txt');
    put(root, 'outside/page-10/main.js');
  });

  it('given these cases, then there are 60 of them or more', () => {
    expect(Object.keys(CASES)).to.have.lengthOf.above(59);
  });

  for (const [title, { copies, does, refused }] of Object.entries(CASES))
    it(`given ${title}, then ${refused === undefined ? 'publish goes on' : 'it is refused'}, and what is not its own stays`, async () => {
      for (let at = 0; at < copies; at += 1) await publishAt(path, 10 + at);
      does(path);
      const [before, all] = [readForeign(root), readTree(root)];
      const result = await publishAt(path, 12).catch((error: Error) => error);
      if (refused === undefined) {
        expect(result).to.equal('data/v7-20261127T2112');
        expectWhole(path);
      } else {
        expect(result).to.be.an('error');
        expect((result as Error).message)
          .to.match(/^DIR: [^\n\0]+$/)
          .and.include(refused);
        expect(readTree(root)).to.deep.equal(all);
      }
      expect(readTree(root)).to.deep.include(before);
    });

  it('given a name that is a link to a copy, then that copy is made anew', async () => {
    await publishAt(path, 10);
    symlinkSync('copy', join(root, 'current'));
    await publishAt(join(root, 'current'), 11);
    expectWhole(path);
    symlinkSync('nowhere', join(root, 'none'));
    const failed = await publishAt(join(root, 'none'), 11).catch((error: Error) => error.message);
    expect(failed).to.match(/^DIR: cannot read .*none \(ENOENT\)/);
  });

  it('given a file that is changed or removed while it is published, then it is refused', async () => {
    await publishAt(path, 10);
    for (const change of [
      () => put(path, 'charts/high/KORD.svg'),
      () => rmSync(join(path, 'charts/high/KORD.svg')),
    ]) {
      const running = await CopyFolder.open(path, new Date('2026-11-27T21:11:00Z'));
      await running.write('responses/providers/all.json', 'the same');
      await running.write('charts/high/KORD.svg', 'the same');
      change();
      const failed = await running
        .finish(7, (release) => Promise.resolve(factsOf(release)))
        .catch((error: Error) => error.message);
      expect(failed).to.match(/^DIR: .*KORD\.svg (is not as|has been removed)/);
      running.discard();
      put(path, 'charts/high/KORD.svg', 'the same');
    }
    expect(readdirSync(path).filter((name) => name.startsWith('.'))).to.deep.equal([]);
  });

  it('given another publish meanwhile, then the slower one is refused, and the copy of the other is whole', async () => {
    await publishAt(path, 10);
    const slow = await CopyFolder.open(path, new Date('2026-11-27T21:11:00Z'));
    await publishAt(path, 12);
    await slow.write('responses/providers/all.json', 'the same').catch(() => {});
    const failed = await slow
      .finish(7, (release) => Promise.resolve(factsOf(release)))
      .catch((error: Error) => error.message);
    expect(failed).to.include('manifest.json has changed meanwhile; publish again');
    slow.discard();
    expectWhole(path);
  });

  it('given the data folder around it, within it or as it, then it is refused; beside it, then not', () => {
    mkdirSync(join(root, 'site/store'), { recursive: true });
    symlinkSync('site/store', join(root, 'data'));
    for (const given of ['site', 'site/store', 'site/store/copy', 'data/copy/new', '.'])
      expect(() => rejectDataFolder(join(root, given), join(root, 'data')), given).to.throw(
        /^DIR: .*DATA_DIR/,
      );
    for (const given of ['site/copy', 'site/store-copy', 'other'])
      rejectDataFolder(join(root, given), join(root, 'data'));
  });
});

describe('a publish that is killed', () => {
  const STEPS = ['renameSync', 'unlinkSync', 'rmdirSync', 'mkdirSync', 'mkdtempSync'] as const;
  const real = Object.fromEntries(STEPS.map((name) => [name, fs[name]]));

  afterEach(() => {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  });

  /** Lets so many steps be done, and no more. */
  function killAfter(steps: number): void {
    let left = steps;
    for (const name of STEPS)
      Object.assign(fs, {
        [name]: (...given: unknown[]): unknown => {
          left -= 1;
          if (left < 0) throw new Kill(`${name} ${String(given[0])}`);
          return (real[name] as (...given: unknown[]) => unknown)(...given);
        },
      });
    syncBuiltinESMExports();
  }

  for (const copies of range({ test: 1, ci: 3 }, [2, 0, 1]))
    it(`given ${copies} copies and a kill before any of its steps, then the page is whole, and the next goes on`, async () => {
      const root = temporaryFolder();
      const start = join(root, 'start');
      for (let at = 0; at < copies; at += 1) await publishAt(start, 10 + at);
      if (copies > 0)
        for (const name of ['assets/logo.png', 'data/thesis.csv', `${FIRST}/own.json`]) put(start, name);
      let hasEnded = false;
      let steps = 0;
      for (; !hasEnded; steps += 1) {
        const path = join(root, 'copy');
        if (copies > 0) cpSync(start, path, { recursive: true });
        const own = readForeign(root);
        killAfter(steps);
        const killed = await publishAt(path, 12).catch((error: Error) => error);
        Object.assign(fs, real);
        syncBuiltinESMExports();
        hasEnded = typeof killed === 'string';
        if (!hasEnded) expect(killed, String(killed)).to.be.an.instanceOf(Kill);
        if (existsSync(join(path, 'index.html'))) expectWhole(path, false);
        const next = await publishAt(path, 13);
        expectWhole(path);
        expect(readTree(root)).to.deep.include(own);
        // Nothing of the killed one is left but the responses that its page may have named.
        const folders = readdirSync(join(path, 'data')).map((name) => `data/${name}`);
        expect(folders.filter((name) => !/\.csv$/.test(name) && name !== next)).to.have.lengthOf.below(3);
        expect(readdirSync(path).filter((name) => name.startsWith('.'))).to.deep.equal([]);
        expect(readdirSync(join(path, 'assets')).filter((name) => name !== 'logo.png')).to.deep.equal([
          'page-13',
        ]);
        rmSync(path, { recursive: true });
      }
      expect(steps).to.be.above(12);
    });
});

describe('a disk that takes no copy', () => {
  let disk: SmallDisk;

  before(function () {
    const small = SmallDisk.mount();
    if (small === undefined) skip(this, 'this user may not mount a small disk');
    disk = small;
  });
  after(() => disk?.unmount());

  const SIZE = 1_000_000;
  for (const share of [0, 0.3, 0.6, 0.9])
    for (const copies of [0, 2])
      it(`given ${copies} copies and room for ${100 * share}% of the next, then all stays as it was`, async () => {
        const path = join(disk.folder, `copy-${share}-${copies}`);
        for (let at = 0; at < copies; at += 1) await publishAt(path, 10 + at, SIZE);
        if (copies > 0) put(path, 'assets/logo.png');
        const before = readTree(path);
        disk.fill(share * 4 * SIZE);
        const failed = await publishAt(path, 12, SIZE).catch((error: NodeJS.ErrnoException) => error);
        expect(failed).to.include({ code: 'ENOSPC' });
        expect(readTree(path)).to.deep.equal(before);
        disk.makeRoom();
        await publishAt(path, 12, SIZE);
        expectWhole(path);
        rmSync(path, { recursive: true });
      });

  it('given a disk that is read alone, then all stays as it was', async () => {
    const path = join(disk.folder, 'copy');
    await publishAt(path, 10);
    const before = readTree(path);
    disk.setReadOnly(true);
    const failed = await publishAt(path, 12).catch((error: NodeJS.ErrnoException) => error);
    disk.setReadOnly(false);
    expect(failed).to.include({ code: 'EROFS' });
    expect(readTree(path)).to.deep.equal(before);
  });

  it('given another disk as a folder of a copy, then it is refused', async () => {
    const path = join(disk.folder, '..', 'copy');
    await publishAt(path, 10);
    const assets = join(path, 'assets');
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', assets]);
    const failed = await publishAt(path, 11).catch((error: Error) => error.message);
    execFileSync('umount', [assets]);
    expect(failed).to.match(/^DIR: .*assets is on another disk/);
  });
});

/** Expects that the page names responses that are there, and of a publish that has ended, that each file is as the manifest has it. */
function expectWhole(path: string, hasEnded = true): void {
  const named = readFileSync(join(path, 'index.html'), 'utf8').replace('names ', '');
  expect(readdirSync(join(path, named)), named).to.include.members(['accuracy', 'providers']);
  const { folder: latest, files, earlier = {} } = readManifestFile(path);
  const hashes = Object.entries(files).map(([name, record]) => [name, record.sha256] as const);
  if (!hasEnded) return;
  expect(named).to.equal(latest);
  for (const [name, hash] of [...hashes, ...Object.entries(earlier)])
    expect(sha256(readFileSync(join(path, name), 'utf8')), name).to.equal(hash);
}
