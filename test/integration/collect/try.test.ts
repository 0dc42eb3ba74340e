import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Ended, killPrograms, run } from '../../support/process.js';
import { temporaryFolder } from '../../support/store.js';

// Guards the command: other tests read responses by source files without it.

const SAVED = 'test/support/collect/fixtures/sources/met-no-compact.json';

describe('npm run collect -- try', () => {
  const folder = temporaryFolder();
  const dataDir = join(folder, 'data');
  const read = (at: string, answer: string): Promise<Ended> =>
    run(
      'collect',
      ['try', 'sources/met-no.yaml', '--at', at, '--answer', answer, '--time', '2020-07-20T02:00Z'],
      { DATA_DIR: dataDir },
    );
  after(killPrograms);

  it('given a saved response, then its rows are CSV, and nothing is kept', async () => {
    const { code, stdout, stderr } = await read('41.98,-87.9', SAVED);
    expect(code, stderr).to.equal(0);
    const [title, head, first] = stdout.split('\n');
    expect(title).to.equal('hourly_forecasts: 4 rows');
    expect(head).to.match(/^temp_c,.*,station_id,valid_at,issued_at,provider$/);
    expect(first).to.match(/^26\.5,.*,HERE,2020-07-20T11:00:00\.000Z,2020-07-20T01:30:57\.000Z,met-no$/);
    expect(existsSync(dataDir)).to.equal(false);
  });

  it('given half a response or place, or no zone, then one line says so', async () => {
    const half = join(folder, 'half.json');
    writeFileSync(half, '{"properties": {"timeseries": [');
    const { code, stdout } = await read('41.98,-87.9', half);
    expect([code, stdout.trim().split('\n').length]).to.deep.equal([3, 1]);
    expect(stdout).to.match(/^no rows: not json/);
    const elsewhere = await run(
      'collect',
      ['try', 'sources/met-no.yaml', '--at', '1,2', '--zone', 'Chicago'],
      {},
    );
    expect(elsewhere.stderr).to.equal('--zone: must be an IANA zone, such as America/Chicago\n');
    const refused = await read('41.98,', SAVED);
    expect(refused.stderr).to.equal('--at: must be latitude and longitude, such as 41.98,-87.9\n');
  });
});
