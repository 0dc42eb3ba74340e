import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { FEEDS } from '../../support/contract/data.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Listening } from '../../support/listen.js';
import { startTestService } from '../../support/service.js';
import { temporaryFolder } from '../../support/store.js';
import { describeInCi, itInCi } from '../../support/runner/range.js';
import { openWorld } from '../../support/worlds.js';

const SCRIPT = fileURLToPath(new URL('../../../examples/export-parquet.sh', import.meta.url));
const CORRECTION = 'KORD,2024-03-16,61.5,40.5,verified,2024-04-01T00:00:00Z';

describeInCi('the nightly export of examples/export-parquet.sh', function () {
  let store: Store;
  let server: Listening;
  let key: string;
  let folder: string;

  beforeEach(async () => {
    store = await openWorld([FEEDS]);
    const service = await startTestService(store);
    server = await Listening.start(service);
    ({ key } = service);
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await server.stop();
    await store.close();
  });

  const run = (...years: string[]): Promise<unknown> =>
    promisify(execFile)('sh', [SCRIPT, ...years], {
      cwd: folder,
      env: { ...process.env, API_KEY: key, BASE_URL: server.url },
    });
  /** The name of a version's folder without the timeline, which is chance. */
  const versionOf = (name: string): string => name.replace(/^(pairs-\d+)-[a-z0-9]{4}$/, '$1');
  const latest = (): string => versionOf(readlinkSync(join(folder, 'pairs')));
  const folders = (): string[] => readdirSync(folder).sort();
  const load = (observation: string) => loadLines(store, { observations: [observation] });

  itInCi('given a load since the last night, then all files are of the new version', async () => {
    await run('2024', '2025');
    expect([latest(), readdirSync(join(folder, 'pairs'))]).to.deep.equal([
      'pairs-1',
      ['2024.parquet', '2025.parquet'],
    ]);
    await load(CORRECTION);
    await run('2024', '2025');
    expect([latest(), readdirSync(join(folder, 'pairs'))]).to.deep.equal([
      'pairs-2',
      ['2024.parquet', '2025.parquet'],
    ]);
  });

  itInCi('given no load since, then nothing is downloaded again', async () => {
    await run('2024');
    const file = join(folder, 'pairs', '2024.parquet');
    const { mtimeMs } = statSync(file);
    await run('2024');
    expect(statSync(file).mtimeMs).to.equal(mtimeMs);
  });

  itInCi(
    'given a night that fails half way, then the version before stays, and the next night makes up for it',
    async () => {
      await run('2024');
      await load(CORRECTION);
      const failed = await run('2024', '1969').catch((error: unknown) => error);
      expect(failed).to.be.an('error');
      expect(latest()).to.equal('pairs-1');
      const begun = folders().filter((name) => versionOf(name) === 'pairs-2');
      expect(begun.filter((name) => existsSync(join(folder, name, '1969.parquet')))).to.deep.equal([]);
      await load(CORRECTION.replace('61.5', '62.5').replace('04-01', '04-02'));
      await run('2024');
      expect(latest()).to.equal('pairs-3');
      expect(existsSync(join(folder, 'pairs', '1969.parquet'))).to.equal(false);
    },
  );

  itInCi(
    'given night after night, then the version before is kept for its readers, and none older',
    async () => {
      for (let night = 2; night <= 4; night += 1) {
        await run('2024');
        await load(CORRECTION.replace('04-01', `04-0${night}`).replace('61.5', `6${night}.5`));
      }
      expect(folders().map(versionOf)).to.deep.equal(['pairs', 'pairs-2', 'pairs-3']);
    },
  );
});
