import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { readKeys, revokeKey } from '../../../src/auth/keys.js';
import { demoConfig, listIgnored } from '../../../src/cli/demo.js';
import { keepLocalKey } from '../../../src/cli/local-page.js';

describe('the demo', () => {
  it('given settings of a production, then it uses its own folder, keys and engine all the same', () => {
    const { dataDir, apiKeysFile, clickhouse, port, host } = demoConfig({
      DATA_DIR: '/srv/production',
      API_KEYS_FILE: '/srv/production/api-keys.json',
      CLICKHOUSE_URL: 'http://clickhouse.example:8123',
      CLICKHOUSE_CLUSTER: 'production',
      PORT: '9000',
      HOST: '127.0.0.2',
    });
    expect(dataDir).to.equal(resolve('data/demo'));
    expect(apiKeysFile).to.equal(resolve('data/demo/api-keys.json'));
    expect([clickhouse.url, clickhouse.cluster]).to.deep.equal([undefined, undefined]);
    expect([port, host]).to.deep.equal([9000, '127.0.0.2']);
  });

  it("given settings that it does not use, then it names them, without its server's and collector's", () => {
    const used = { HOST: '::1', PORT: '9000', LOG_LEVEL: 'info', IEM_URL: 'http://127.0.0.1', HOME: '/root' };
    expect(listIgnored({ ...used, DATA_DIR: '' })).to.deep.equal([]);
    expect(listIgnored({ ...used, DATA_DIR: '/srv', CLICKHOUSE_URL: 'http://x', MCP: 'off' })).to.deep.equal([
      'DATA_DIR',
      'CLICKHOUSE_URL',
      'MCP',
    ]);
  });

  it('given collected data, then they are in a folder of their own, under the same rules', () => {
    const { dataDir, clickhouse } = demoConfig(
      { DATA_DIR: '/srv/production', CLICKHOUSE_URL: 'http://clickhouse.example:8123' },
      './data/demo-live',
    );
    expect([dataDir, clickhouse.url]).to.deep.equal([resolve('data/demo-live'), undefined]);
  });

  describe('when it starts', () => {
    let dataDir: string;
    let apiKeysFile: string;
    const start = (): Promise<string> => keepLocalKey({ dataDir, apiKeysFile }, 'demo');
    beforeEach(() => {
      dataDir = mkdtempSync(join(tmpdir(), 'demo-'));
      apiKeysFile = join(dataDir, 'api-keys.json');
    });
    afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

    it('given it has started before, then it has the same key, so that saved links go on working', async () => {
      const key = await start();
      expect(await start()).to.equal(key);
      expect(readKeys(apiKeysFile)).to.have.lengthOf(1);
    });

    it('then only its owner may read the file of the key, whatever it was before', async () => {
      const file = join(dataDir, 'demo-key');
      writeFileSync(file, 'no key', { mode: 0o644 });
      const key = await start();
      expect(readFileSync(file, 'utf8')).to.equal(`${key}\n`);
      expect(statSync(file).mode & 0o777).to.equal(0o600);
    });

    it('given its key was revoked, then it makes another one', async () => {
      const key = await start();
      await revokeKey(apiKeysFile, key.slice(4, 12));
      const other = await start();
      expect(other).not.to.equal(key);
      expect(await start()).to.equal(other);
    });
  });
});
