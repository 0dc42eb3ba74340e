import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ExportFile, ExportFiles } from '../../../src/export/files.js';

const name = (letter: string): string => letter.repeat(22);

describe('files of exports', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'forecast-accuracy-files-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
    for (const text of texts) yield await Promise.resolve(Buffer.from(text));
  }
  const make = (files: ExportFiles, letter: string, text = letter.repeat(10)): Promise<ExportFile> =>
    files.make(name(letter), 'csv', (write) => write(text.length, chunks(text)));
  const names = (): string[] =>
    readdirSync(folder)
      .map((path) => path[0] ?? '')
      .sort();

  it('given content in chunks, then the file has them in order, its rows and a tag of its bytes', async () => {
    const files = await ExportFiles.open(folder, 1000);
    const long = 'x'.repeat(300);
    const file = await files.make(name('a'), 'csv', (write) => write(7, chunks('one', '', long, 'three')));
    expect(readFileSync(join(folder, file.path), 'utf8')).to.equal(`one${long}three`);
    expect(file).to.include({ bytes: 308, total: 7 });
    expect(await files.find(name('a'))).to.equal(file);
    const other = await make(files, 'b');
    expect(other.tag)
      .to.match(/^"[\w-]{22}"$/)
      .and.not.to.equal(file.tag);
  });

  it('given no room, then the file that nobody has asked for the longest goes, and one that is read stays', async () => {
    const files = await ExportFiles.open(folder, 30);
    for (const letter of ['a', 'b', 'c']) await make(files, letter);
    await files.find(name('a'));
    const c = (await files.find(name('c')))!;
    await make(files, 'd');
    expect(names()).to.deep.equal(['a', 'c', 'd']);
    let leave = (): void => {};
    const reading = files.read(c, () => new Promise((resolve) => (leave = resolve)));
    await make(files, 'e', 'e'.repeat(15));
    expect(names()).to.deep.equal(['c', 'e']);
    const refused = await make(files, 'f', 'f'.repeat(21)).catch(String);
    expect(refused).to.include('does not fit');
    expect(names()).to.deep.equal(['c']);
    leave();
    await reading;
    await make(files, 'g', 'g'.repeat(30));
    expect(names()).to.deep.equal(['g']);
  });

  it('given one file that is larger than all may be, then it is refused, and others find their room', async () => {
    const files = await ExportFiles.open(folder, 30);
    const larger = files.make(name('a'), 'csv', (write) => write(1, chunks('a'.repeat(20), 'a'.repeat(11))));
    expect(await larger.catch(String)).to.include('does not fit');
    expect(names()).to.deep.equal([]);
    await Promise.all(['b', 'c', 'd'].map((letter) => make(files, letter)));
    expect(names()).to.deep.equal(['b', 'c', 'd']);
  });

  it('given content that fails, then all who wait are told, nothing is left, and the next one starts again', async () => {
    const files = await ExportFiles.open(folder, 30);
    async function* failing(): AsyncGenerator<Buffer> {
      yield* chunks('half');
      throw new Error('lost');
    }
    const made = [0, 1].map(() => files.make(name('a'), 'csv', (write) => write(1, failing())).catch(String));
    expect(await Promise.all(made)).to.deep.equal(['Error: lost', 'Error: lost']);
    expect(readdirSync(folder)).to.deep.equal([]);
    expect((await make(files, 'a')).bytes).to.equal(10);
  });

  it('given a start after a kill, then half-written files are gone, whole ones known, foreign ones stay', async () => {
    const before = await ExportFiles.open(folder, 30);
    const files: ExportFile[] = [];
    for (const letter of ['b', 'a']) files.push(await make(before, letter));
    // The process ends here: nobody removes what it has begun.
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    async function* halting(): AsyncGenerator<Buffer> {
      yield* chunks('half');
      await ended;
    }
    const killed = before.make(name('c'), 'csv', (write) => write(1, halting()));
    while (readdirSync(folder).length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    writeFileSync(join(folder, 'notes.txt'), 'of the operator');
    const after = await ExportFiles.open(folder, 30);
    expect(readdirSync(folder).sort()).to.deep.equal(['notes.txt', ...files.map(({ path }) => path)].sort());
    expect(await after.find(name('b'))).to.deep.equal(files[0]);
    expect(await after.find(name('c'))).to.equal(undefined);
    // `b` has been asked for since.
    await make(after, 'd', 'd'.repeat(15));
    expect(names()).to.include.members(['b', 'd']).and.not.include('a');
    end();
    expect(await killed.catch(String)).to.include('cannot be written');
    const smaller = await ExportFiles.open(folder, 15);
    expect(await smaller.find(name('b'))).to.equal(undefined);
  });

  for (const [what, change] of [
    ['cut off', (path: string) => truncateSync(path, 4)],
    ['damaged, with as many bytes', (path: string) => writeFileSync(path, 'aaaaaXaaaa')],
  ] as const) {
    for (const when of ['under a server', 'between two']) {
      it(`given a file that was ${what}, ${when}, then it is not found, its room is free, and it is made again`, async () => {
        const before = await ExportFiles.open(folder, 30);
        change(join(folder, (await make(before, 'a')).path));
        const files = when === 'between two' ? await ExportFiles.open(folder, 30) : before;
        expect(await files.find(name('a'))).to.equal(undefined);
        expect(names()).to.deep.equal([]);
        for (const letter of ['a', 'b', 'c']) await make(files, letter);
        expect(names()).to.deep.equal(['a', 'b', 'c']);
        expect(await files.find(name('a'))).to.include({ bytes: 10 });
      });
    }
  }

  it('given a file that somebody has removed, then it is not found, and made again', async () => {
    const files = await ExportFiles.open(folder, 30);
    const { path } = await make(files, 'a');
    rmSync(join(folder, path));
    expect(await files.find(name('a'))).to.equal(undefined);
    await Promise.all([make(files, 'a'), make(files, 'b'), make(files, 'c')]);
    expect(names()).to.deep.equal(['a', 'b', 'c']);
  });
});
