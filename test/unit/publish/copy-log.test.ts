import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { CopyFolder } from '../../../src/publish/copy-folder.js';
import { copyLog } from '../../../src/publish/copy-log.js';
import { formatCheckpoint } from '../../../src/seals/formats/checkpoint.js';
import { computeRoot, hashLeaf } from '../../../src/seals/formats/tree.js';
import type { Store } from '../../../src/store/store.js';
import { temporaryFolder } from '../../support/store.js';

// Guards that a copy has the log of its checkpoint in the static layout, and keeps it readable for earlier checkpoints.

const leafOf = (version: number): string => `{"version":${version}}`;

describe('the log of a copy', () => {
  let path: string;
  let minute = 0;

  beforeEach(() => {
    path = join(temporaryFolder(), 'copy');
  });

  /** Publishes a log of some versions; the store may have more by then. */
  const publishLog = async (size: number, inStore = size): Promise<void> => {
    const leaves = Array.from({ length: inStore }, (_, at) => leafOf(at + 1));
    const root = computeRoot(leaves.slice(0, size).map((leaf) => hashLeaf(Buffer.from(leaf))));
    const body = Buffer.from(formatCheckpoint({ origin: 'example.org/k7q2', size, root }));
    const rows = leaves.map((leaf, at) => ({ version: at + 1, leaf }));
    const store = { query: () => Promise.resolve(rows) } as unknown as Pick<Store, 'query'>;
    const folder = await CopyFolder.open(path, new Date(Date.UTC(2026, 10, 27, 21, (minute += 1))));
    await folder.write('responses/a.json', 'a');
    await copyLog(() => Promise.resolve({ status: 200, etag: '', body }), folder, store);
    await folder.finish(size, async (release) => {
      await folder.write('index.html', `names ${release}`);
      return {
        ...{ format: 1, service: '1.0.0', data_version: size, timeline: 'k7q2', folder: release },
        ...{ generated_at: '2026-11-27T21:15:00.000Z', providers: [], attribution: [] },
        offers: { metric: ['high'], days: ['90'], provider: ['default'], units: [], station_id: [] },
      };
    });
  };
  const has = (name: string): boolean => existsSync(join(path, 'seals', name));
  const read = (name: string): Buffer => readFileSync(join(path, 'seals', name));

  it('given a load since the checkpoint, then tiles and entries are those of the checkpoint', async () => {
    await publishLog(3, 5);
    const hashes = [1, 2, 3].map((version) => hashLeaf(Buffer.from(leafOf(version))));
    expect(read('tile/0/000.p/3').equals(Buffer.concat(hashes))).to.equal(true);
    expect(read('tile/entries/000.p/3').toString('latin1')).to.equal(
      [1, 2, 3].map((version) => `\0\r${leafOf(version)}`).join(''),
    );
    const [, size, root] = read('checkpoint').toString().split('\n');
    expect([size, root]).to.deep.equal(['3', computeRoot(hashes).toString('base64')]);
  });

  it('given a longer log later, then partial tiles stay for earlier checkpoints until there is a full one', async () => {
    await publishLog(3);
    await publishLog(7);
    for (const name of ['tile/0/000.p/3', 'tile/entries/000.p/3', 'tile/0/000.p/7'])
      expect(has(name), name).to.equal(true);
    await publishLog(256);
    for (const name of ['tile/0/000', 'tile/1/000.p/1', 'tile/entries/000'])
      expect(has(name), name).to.equal(true);
    expect(has('tile/0/000.p/3') || has('tile/entries/000.p/7')).to.equal(false);
  });
});
