import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CopyFacts, CopyFolder } from '../../../src/publish/copy-folder.js';
import { temporaryFolder } from '../../support/store.js';

const factsOf = (folder: string): CopyFacts => ({
  ...{ format: 1, service: '1.0.0', data_version: 7, timeline: 'k7q2', folder },
  generated_at: '2026-11-27T21:15:00.000Z',
  offers: { metric: ['high'], days: ['90'], provider: ['default'], units: [], station_id: [] },
  ...{ providers: [], attribution: [] },
});

const minute = (at: number): Date => new Date(Date.UTC(2026, 10, 27, 21, at));

/** All files of a folder, with their contents. */
const contents = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(path, name)).isFile())
      .map((name) => [name, readFileSync(join(path, name), 'utf8')]),
  );

const inode = (path: string): number => statSync(path).ino;

describe('the folder of a copy', () => {
  let path: string;

  beforeEach(() => {
    path = join(temporaryFolder(), 'copy');
  });

  /** A copy with some responses and badges, each of its name alone unless it is changed. */
  const write = async (at: number, changed: Record<string, string> = {}, names = ['a', 'b']) => {
    const folder = await CopyFolder.open(path, minute(at));
    for (const name of names) {
      await folder.write(`responses/${name}.json`, changed[name] ?? name, `"${changed[name] ?? name}"`);
      await folder.write(`badges/${name}.json`, name);
    }
    return folder;
  };
  const finish = (folder: CopyFolder): Promise<CopyFacts> =>
    folder.finish(7, async (release) => {
      await folder.write('assets/page-1/main.js', '');
      await folder.write('index.html', `names ${release}`);
      return factsOf(release);
    });
  const copy = async (...given: Parameters<typeof write>): Promise<string> =>
    (await finish(await write(...given))).folder;

  it('given a new folder, then it has the responses, the page that names them, facts and a manifest', async () => {
    const folder = await copy(15);
    expect(folder).to.equal('data/v7-20261127T2115');
    const files = contents(path);
    expect(files['index.html']).to.equal(`names ${folder}`);
    expect(files[`${folder}/a.json`]).to.equal('a');
    const manifest = JSON.parse(files['manifest.json']!) as { files: Record<string, { bytes: number }> };
    expect([...Object.keys(manifest.files), 'manifest.json']).to.have.members(Object.keys(files));
    expect(manifest.files['badges/a.json']).to.deep.equal({
      sha256: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
      bytes: 1,
    });
  });

  it('given an earlier copy, then what is unchanged is the same file, and that copy stays as it was', async () => {
    const first = await copy(15);
    const badge = inode(join(path, 'badges/a.json'));
    const folder = await write(16, { b: 'new' });
    const second = (await finish(folder)).folder;
    expect(inode(join(path, second, 'a.json'))).to.equal(inode(join(path, first, 'a.json')));
    expect(inode(join(path, 'badges/a.json'))).to.equal(badge);
    expect(contents(join(path, first))['b.json']).to.equal('b');
    expect(contents(join(path, second))['b.json']).to.equal('new');
    expect(folder.getTotals()).to.include({ kept: 4 }); // a, both badges, the script of the page
  });

  it('given a response that differs in its times alone, then the earlier one stays', async () => {
    const timed = (at: string, mae: number) =>
      `{"mae":${mae},"metadata":{"generated_at":"${at}","query_time_ms":7}}`;
    const first = await copy(15, {
      a: timed('2026-11-27T21:15:00Z', 2),
      b: timed('2026-11-27T21:15:00Z', 2),
    });
    const second = await copy(16, {
      a: timed('2026-11-27T21:16:00Z', 2),
      b: timed('2026-11-27T21:16:00Z', 3),
    });
    const same = ['a.json', 'b.json'].map(
      (name) => inode(join(path, first, name)) === inode(join(path, second, name)),
    );
    expect(same).to.deep.equal([true, false]);
  });

  it('given a file that is written twice, then the link to the earlier copy is not written through', async () => {
    const first = await copy(15);
    const folder = await write(16);
    await folder.write('responses/a.json', 'changed meanwhile');
    await finish(folder);
    expect(contents(join(path, first))['a.json']).to.equal('a');
  });

  it('given an ETag, then it is told as long as the file is as long as it was', async () => {
    const first = await copy(15);
    const folder = await CopyFolder.open(path, minute(16));
    expect(folder.etagOf('responses/a.json')).to.equal('"a"');
    expect(folder.etagOf('responses/c.json')).to.equal(undefined);
    writeFileSync(join(path, first, 'a.json'), '');
    expect(folder.etagOf('responses/a.json')).to.equal(undefined);
  });

  it('given three copies, then the first is gone, and so is a file that the last one does not have', async () => {
    const folders = [await copy(15), await copy(16), await copy(16, {}, ['a'])];
    expect(readdirSync(join(path, 'data')).map((name) => `data/${name}`)).to.have.members(folders.slice(1));
    expect(folders[2]).to.equal('data/v7-20261127T2116-2');
    expect(readdirSync(join(path, 'badges'))).to.deep.equal(['a.json']);
  });

  it('given a publish that ends before its end, then the copy is as it was, and the next one clears up', async () => {
    await copy(15);
    const before = contents(path);
    await write(16, { a: 'never seen' }); // and is killed
    const shown = Object.fromEntries(
      Object.entries(contents(path)).filter(([name]) => !name.startsWith('.publish.part-')),
    );
    expect(shown).to.deep.equal(before);
    expect(readdirSync(path)).to.have.lengthOf(7);
    (await write(16)).discard();
    expect(contents(path)).to.deep.equal(before);
    expect(readdirSync(path)).to.have.lengthOf(6);
  });

  it('given a first publish that is killed, then the next takes the folder; one that gives up leaves none', async () => {
    await write(15);
    expect(readdirSync(path)).to.have.lengthOf(1);
    await copy(16);
    expect(readdirSync(path).filter((name) => name.startsWith('.'))).to.deep.equal([]);
    path = join(temporaryFolder(), 'other');
    (await write(15)).discard();
    expect(existsSync(path)).to.equal(false);
  });
});
