import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { buildSync } from 'esbuild';
import { formatVerifierKey } from '../../src/seals/formats/checkpoint.js';
import { readVersions } from '../../src/seals/log.js';
import type { Store } from '../../src/store/store.js';
import { isThere } from '../support/clients/python.js';
import { loadLines } from '../support/ingest/feeds.js';
import { Listening } from '../support/listen.js';
import { Random } from '../support/random.js';
import { dayOfRow, readRows, TABLES } from '../support/seals/digests.js';
import { addRow, removeRow, REWRITES, rewriteLog, writeLog } from '../support/seals/rewrites.js';
import { SEALED_LOADS, sealMadeUpOdds } from '../support/seals/world.js';
import { startTestService, type TestService } from '../support/service.js';
import { openTestStore, temporaryFolder } from '../support/store.js';
import { range } from '../support/runner/range.js';
import { skip } from '../support/runner/skip.js';

// Strangers' programs (examples/verify-seal) see what an operator changes behind the service: facts, and the log.

const FOLDER = fileURLToPath(new URL('../../examples/verify-seal/', import.meta.url));
const run = promisify(execFile);

/** The text that a program printed, and its exit code. */
interface Ran {
  code: number;
  output: string;
}

type Row = Record<string, unknown>;

describe('examples of verifying seals', function () {
  const { privateKey: key } = generateKeyPairSync('ed25519');
  const script = join(temporaryFolder(), 'verify.mjs');
  let store: Store;
  let server: Listening;
  let apiKey: string;
  let verifierKey: string;

  /** Serves the store as it is now: a service reads its log again only when the version changes. */
  const serve = async (): Promise<TestService> => {
    await server?.stop();
    const service = await startTestService(store, { seals: { origin: 'example.org/forecasts', key } });
    server = await Listening.start(service);
    apiKey = service.key;
    return service;
  };
  const ran = async (program: string, ...args: string[]): Promise<Ran> => {
    const env = {
      ...process.env,
      BASE_URL: server.url,
      API_KEY: apiKey,
      PYTHONDONTWRITEBYTECODE: '1',
      no_proxy: '*',
    };
    return run(program, args, { env }).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      ({ stdout, stderr, code }: Record<'stdout' | 'stderr', string> & { code: number }) => ({
        ...{ code, output: stdout + stderr },
      }),
    );
  };
  const python = (file: string, ...args: string[]) => ran('python3', join(FOLDER, file), ...args);
  const typescript = (...args: string[]) => ran(process.execPath, script, ...args);

  before(async function () {
    if (!(await isThere('python3')) || !(await isThere('openssl', ['version'])))
      skip(this, 'no python3 and openssl');
    buildSync({ entryPoints: [join(FOLDER, 'verify.ts')], outfile: script, platform: 'node', format: 'esm' });
    store = await openTestStore();
    for (const lines of SEALED_LOADS) await loadLines(store, lines);
    await sealMadeUpOdds(store, 'fahrenheit');
    const { text } = await (await serve()).get('/api/v1/seals/v1');
    ({ verifier_key: verifierKey } = (JSON.parse(text) as { data: { verifier_key: string } }).data);
  });
  after(async () => {
    await server?.stop();
    await store?.close();
  });

  it('given versions as they were sealed, then both programs find them sound, and openssl the signature', async () => {
    for (const version of ['v1', 'v2', 'v3', 'v4']) {
      for (const { code, output } of [
        await python('verify.py', version, verifierKey),
        await typescript(version, verifierKey),
      ]) {
        expect(output).to.match(new RegExp(`^${version}: \\d+ facts are as sealed at 20`));
        expect(output).to.include('\nexample.org/forecasts/').and.to.include('\n— example.org/forecasts/');
        expect(code).to.equal(0);
      }
    }
  });

  it('given the key of somebody else, then both programs reject the signature', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const other = formatVerifierKey({ name: verifierKey.split('+', 1)[0] ?? '', key: privateKey });
    for (const { code, output } of [await python('verify.py', 'v1', other), await typescript('v1', other)]) {
      expect(output).to.include('no good signature');
      expect(code).to.equal(1);
    }
  });

  it('given a fact changed, taken out or put in, then the programs name version, feed and month', async () => {
    const random = new Random(20_260_301);
    for (let at = 0; at < range({ test: 8, ci: 16, stress: 40 }); at++) {
      const table = TABLES[at % TABLES.length]!;
      const row = pick(random, await readRows(store, table));
      const kind = pick(random, ['change', 'remove', 'add'] as const);
      const other = { ...row, ...pick(random, CHANGES[table]!)(row) };
      if (kind !== 'add') await removeRow(store, table, row);
      if (kind !== 'remove') await addRow(store, table, other);
      const month = dayOfRow(table, row).slice(0, 7) || 'all';
      const { code, output } = await python('verify.py', `v${String(row.load_id)}`);
      const about = `${kind} ${table} ${JSON.stringify(row)}`;
      expect(output, about).to.include(`v${String(row.load_id)}: ${table} of ${month} are not as sealed`);
      expect(code, about).to.equal(1);
      if (at === 0) expect((await typescript(`v${String(row.load_id)}`)).output).to.include('not as sealed');
      if (kind !== 'remove') await removeRow(store, table, other);
      if (kind !== 'add') await addRow(store, table, row);
    }
    for (const version of ['v1', 'v2', 'v3', 'v4'])
      expect((await python('verify.py', version)).code).to.equal(0);
  });

  it('given a log that was rewritten and signed with the right key, then the witness says so', async () => {
    const folder = join(temporaryFolder(), 'kept');
    const witness = () => python('witness.py', folder, verifierKey);
    expect((await witness()).output).to.match(/: 4 versions, kept as 000000004\.txt\n$/);
    expect((await witness()).code).to.equal(0);
    const kept = join(folder, '000000004.txt');
    const before = readFileSync(kept, 'utf8');
    const leaves = await readVersions(store);
    const random = new Random(7);
    for (let at = 0; at < range({ test: 4, ci: 8, stress: 20 }); at++) {
      const rewritten = rewriteLog(leaves, REWRITES[at % REWRITES.length]!, random);
      await writeLog(store, rewritten);
      await serve();
      const { code, output } = await witness();
      expect(output, JSON.stringify(rewritten)).to.match(/^the log (?:was rewritten|is another)/);
      expect(code).to.equal(1);
      if (at < REWRITES.length) {
        expect((await python('verify.py', 'v1', verifierKey, kept)).code).to.equal(1);
        expect((await typescript('v1', verifierKey, kept)).code).to.equal(1);
      }
      expect(readdirSync(folder)).to.deep.equal(['000000004.txt']);
      expect(readFileSync(kept, 'utf8')).to.equal(before);
    }
    await writeLog(store, leaves);
    await loadLines(store, {
      observations: ['KORD,2026-03-09,50,40,preliminary,2026-03-10T12:00:00Z'],
    });
    await serve();
    expect((await witness()).output).to.match(/: 5 versions, kept as 000000005\.txt\n$/);
    expect((await python('verify.py', 'v5', verifierKey, kept)).code).to.equal(0);
    expect((await typescript('v5', verifierKey, kept)).code).to.equal(0);
    writeFileSync(kept, before.replace(/^\d+$/m, '2'));
    expect((await python('verify.py', 'v5', verifierKey, kept)).output).to.include('no good signature');
    expect((await typescript('v5', verifierKey, kept)).output).to.include('no good signature');
  });
});

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random.below(items.length)]!;

const shiftTime = (value: unknown): string =>
  new Date(Date.parse(`${String(value).replace(' ', 'T')}Z`) + 60_000)
    .toISOString()
    .slice(0, 23)
    .replace('T', ' ');
const add = (value: unknown, step = 0.01): string => (Number(value) + step).toFixed(2);
const withdraw = ({ withdrawn }: Row): Row => ({ withdrawn: !withdrawn });

/** Changes of a row as an operator might make them: a value by its last digit, a time, a status, a withdrawal. */
const CHANGES: Record<string, readonly ((row: Row) => Row)[]> = {
  forecasts: [
    ({ forecast }) => ({ forecast: add(forecast) }),
    ({ issued_at }) => ({ issued_at: shiftTime(issued_at) }),
    withdraw,
  ],
  distributions: [
    ({ distribution }) => ({
      distribution: (distribution as { level: number; value: number }[]).map((item, at) =>
        at === 0 ? { ...item, value: add(item.value, -0.01) } : item,
      ),
    }),
    ({ provider }) => ({ provider: provider === 'nws' ? 'model-b' : 'nws' }),
  ],
  observations: [
    ({ actual }) => ({ actual: add(actual) }),
    ({ observation_status: status }) => ({
      observation_status: status === 'verified' ? 'preliminary' : 'verified',
    }),
  ],
  hourly_forecasts: [({ forecast }) => ({ forecast: add(forecast) }), withdraw],
  hours: [
    ({ reading }) => ({ reading: { ...(reading as Row), sky: 'BKN' } }),
    ({ reading }) => ({ reading: { ...(reading as Row), max_6h_f: '12.34' } }),
  ],
  sealed_odds: [
    ({ odds }) => ({
      odds: (odds as { millionths: number }[]).map((each, at) => ({
        ...each,
        millionths: each.millionths + (at === 0 ? 1 : 0),
      })),
    }),
    () => ({ lead_time_bucket: '0-6h' }),
  ],
  normals: [({ normal }) => ({ normal: add(normal) })],
  stations: [
    () => ({ timezone: 'America/Denver' }),
    ({ data_active }) => ({ data_active: !data_active }),
    ({ latitude }) => ({ latitude: Number(latitude) + 0.5 }),
  ],
};
