import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { DuckDBInstance } from '@duckdb/node-api';
import { makeExamples, NOW } from '../../scripts/examples/make.js';
import { type ErrorCode, ERRORS } from '../../src/api/errors/api-error.js';
import { type Examples, readExamples } from '../../scripts/openapi/examples.js';
import type { Store } from '../../src/store/store.js';
import { CuttingProxy } from '../support/clients/cutting-proxy.js';
import { isThere, pythonWith, runPython } from '../support/clients/python.js';
import { Contract, ofResponse, schemasOf } from '../support/contract/contract.js';
import { Listening } from '../support/listen.js';
import { loadLines } from '../support/ingest/feeds.js';
import { sampleSince } from '../support/ingest/sample.js';
import { itInCi, range } from '../support/runner/range.js';
import { until } from '../support/process.js';
import { startTestService, type TestService } from '../support/service.js';
import { openTestStore, temporaryFolder } from '../support/store.js';
import { skip } from '../support/runner/skip.js';

const FOLDER = fileURLToPath(new URL('../../examples/', import.meta.url));
const run = promisify(execFile);

/** The error codes of the document: one is of /mcp alone, which is no part of it. */
const CODES = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => code !== 'ORIGIN_NOT_ALLOWED');

describe('examples', function () {
  let store: Store;
  let made: Examples | undefined;
  let service: TestService;
  let contract: Contract;
  let server: Listening;

  before(async () => {
    store = await openTestStore();
    if (range({ test: 0, ci: 1 })) made = await makeExamples(store, temporaryFolder());
    else await loadLines(store, sampleSince('2026-08-31', NOW.slice(0, 10)));
    service = await startTestService(store, { now: NOW });
    contract = await Contract.of(service);
    server = await Listening.start(service);
  });
  after(async () => {
    await server.stop();
    await store.close();
  });

  describe('of the OpenAPI document', () => {
    // The examples are of all the sample's days, which take half a minute to load; the other tests take the last ones.
    itInCi(
      'given the sample data, then they are what the service answers (npm run examples writes them anew)',
      () => {
        expect(readExamples()).to.deep.equal(made);
      },
    );

    it('given any operation, then success in each format and every error have one', () => {
      for (const [path, item] of Object.entries(contract.document.paths)) {
        for (const [status, { content = {} }] of Object.entries(item.get?.responses ?? {})) {
          for (const [type, { examples }] of Object.entries(content)) {
            if (type === 'application/vnd.apache.parquet') continue; // no text
            expect(Object.keys(examples ?? {}), `${path} ${status} ${type}`).not.to.deep.equal([]);
          }
        }
      }
      expect(contract.document.components.examples).to.have.all.keys(CODES);
    });

    it('given any of them, then its schema describes it to the last field', () => {
      const schemas = schemasOf(contract.document);
      let checked = 0;
      for (const [path, item] of Object.entries(contract.document.paths)) {
        for (const [status, { content = {} }] of Object.entries(item.get?.responses ?? {})) {
          for (const [type, { examples = {} }] of Object.entries(content)) {
            const validate = schemas.validator('paths', path, 'get', ...ofResponse(status, type));
            for (const { $ref, value } of Object.values(examples)) {
              const name = $ref?.split('/').at(-1);
              const given = name === undefined ? value : contract.document.components.examples[name]?.value;
              const about = `${path} ${status} ${type}`;
              expect(validate(given), `${about}: ${schemas.faults(validate)}`).to.equal(true);
              checked += 1;
            }
          }
        }
      }
      expect(checked).to.be.above(80);
    });

    it('given an error, then its example has its code and stands under its status', () => {
      for (const code of CODES) {
        const { status } = ERRORS[code];
        expect(contract.document.components.examples[code]?.value, code).to.have.nested.property(
          'error.code',
          code,
        );
        const under = Object.values(contract.document.paths).filter(
          (item) => item.get?.responses[status]?.content?.['application/json']?.examples?.[code],
        );
        expect(under, code).not.to.deep.equal([]);
      }
    });

    it('given the README, then its numbers are those of the example', () => {
      const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');
      const [, shown = ''] = /"data": (\{[^}]+\})/.exec(readme) ?? [];
      const { data } = readExamples().responses.getAccuracySummary?.json as { data: unknown };
      expect(JSON.parse(shown)).to.deep.equal(data);
    });
  });

  describe('in examples/', () => {
    const tested = new Set<string>();
    const environment = () => ({ ...process.env, API_KEY: service.key, BASE_URL: server.url });
    const example = async (program: string, file: string, args: string[] = [], options = {}) => {
      tested.add(file);
      const { stdout } = await run(program, [join(FOLDER, file), ...args], {
        env: environment(),
        ...options,
      });
      return stdout;
    };
    interface City {
      station_id: string;
      stats: { verification_pairs: number; mae: number; rmse: number; mean_error: number };
    }
    const cities = async (query: string): Promise<City[]> =>
      (await contract.ok<City[]>(`/api/v1/accuracy/by-city?sort_by=mae&${query}`)).data;

    it('curl.sh', async () => {
      const lines = (await example('sh', 'curl.sh')).trim().split(/\r?\n/);
      expect(JSON.parse(lines[0] ?? ''))
        .to.have.nested.property('data.verification_pairs')
        .above(0);
      expect(lines[1]).to.match(/^metric,period_start,period_end,station_id,/);
      expect(lines.slice(2, 7).map((line) => line.split(',')[3])).to.deep.equal(
        (await cities('days=30')).slice(0, 5).map(({ station_id }) => station_id),
      );
      expect(lines.at(-1)).to.equal('304');
    });

    it('javascript.mjs', async () => {
      const table = await example(process.execPath, 'javascript.mjs', ['Chicago']);
      const { data } = await contract.ok<{ lead_time_bucket: string; stats: { mae: number } }[]>(
        '/api/v1/accuracy/by-lead-time?city=Chicago&days=30',
      );
      for (const { lead_time_bucket, stats } of data) {
        expect(table).to.match(new RegExp(`${lead_time_bucket.replace('+', '\\+')}.* ${stats.mae} `));
      }
    });

    it('javascript.mjs, given an unknown city, tells the error', async () => {
      const failed: unknown = await example(process.execPath, 'javascript.mjs', ['Atlantis']).catch(
        (error: unknown) => error,
      );
      expect(String(failed)).to.include('STATION_NOT_FOUND');
    });

    it('python_plain.py', async function () {
      if (!(await isThere('python3'))) skip(this, 'no python3');
      const printed = await example('python3', 'python_plain.py');
      expect(printed.trim().split('\n')).to.deep.equal(
        (await cities('days=30')).map(({ station_id, stats }) =>
          [station_id, stats.verification_pairs, stats.mae, stats.mean_error].join(' '),
        ),
      );
    });

    it('python_follow.py posts the latest version with the loads since the one that it is given', async function () {
      tested.add('python_follow.py');
      if (!(await isThere('python3'))) skip(this, 'no python3');
      const posted: { id: string; loads: { version: number }[] }[] = [];
      const hook = createServer((request, response) => {
        void json(request).then((body) => {
          posted.push(body as (typeof posted)[number]);
          response.end();
        });
      });
      await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
      const { port } = hook.address() as AddressInfo;
      const following = runPython(
        [join(FOLDER, 'python_follow.py'), '--follow', `http://127.0.0.1:${port}/`, '--after', 'v0'],
        { API_KEY: service.key, BASE_URL: server.url },
      ).catch(() => {});
      const { id, loads } = await until(() => posted[0]);
      const listed = (await contract.ok<{ version: number }[]>('/api/v1/loads')).data.map(
        ({ version }) => version,
      );
      expect(id).to.match(new RegExp(`^v${listed[0]}\\.\\w{4}$`));
      expect(loads.map(({ version }) => version)).to.deep.equal(listed.toReversed());
      // It goes on until the service is gone for good: here, until the webhook is.
      hook.closeAllConnections();
      hook.close();
      await loadLines(store, { stations: [] });
      await following;
    });

    it('python_pandas.py', async function () {
      tested.add('python_pandas.py');
      const python = await pythonWith('pandas');
      if (python === undefined) skip(this, 'no python3 with pandas');
      const printed = await example(python, 'python_pandas.py', ['Chicago']);
      const { data } = await contract.ok<unknown[]>('/api/v1/accuracy/by-date?city=Chicago&days=30');
      expect(printed.match(/^\d{4}-\d\d-\d\d/gm)).to.have.lengthOf(data.length);
    });

    it('r.R', async function () {
      tested.add('r.R');
      if (!(await isThere('Rscript'))) skip(this, 'no Rscript');
      expect(await example('Rscript', 'r.R', ['Chicago'])).to.include('72h+');
    });

    it('export-parquet.sh, then duckdb.sql over what it wrote', async () => {
      const folder = temporaryFolder();
      await example('sh', 'export-parquet.sh', ['2025', '2026'], { cwd: folder });
      expect(readdirSync(join(folder, 'pairs')).sort()).to.deep.equal(['2025.parquet', '2026.parquet']);
      tested.add('duckdb.sql');
      const sql = readFileSync(join(FOLDER, 'duckdb.sql'), 'utf8');
      const instance = await DuckDBInstance.create();
      const connection = await instance.connect();
      await connection.run(`SET file_search_path = '${folder}'`);
      const found = (await connection.runAndReadAll(sql)).getRowObjectsJson();
      connection.closeSync();
      instance.closeSync();
      const year = await cities('date_from=2026-01-01&date_to=2026-12-31');
      expect(found).to.have.lengthOf(year.length);
      for (const row of found) {
        const { stats } = year.find(({ station_id }) => station_id === row.station_id) as City;
        expect(Number(row.verification_pairs)).to.equal(stats.verification_pairs);
        // DuckDB's means are binary: a tie may round to the other side.
        for (const name of ['mae', 'rmse', 'mean_error'] as const) {
          expect(Number(row[name]), `${stats.verification_pairs} pairs: ${name}`).to.be.closeTo(
            stats[name],
            0.011,
          );
        }
      }
    });

    it('export-ndjson.sh, over a connection that is cut twice, ends with every line once', async () => {
      const folder = temporaryFolder();
      const proxy = await CuttingProxy.start(server, 2, 1_000_000);
      const file = join(folder, 'pairs.ndjson');
      tested.add('export-ndjson.sh');
      const { stdout } = await run(
        'sh',
        [join(FOLDER, 'export-ndjson.sh'), '2026-09-01', '2026-09-30', file],
        { env: { ...environment(), BASE_URL: proxy.url } },
      );
      expect(proxy.cuts).to.equal(2);
      await proxy.stop();
      const whole = await server.download(
        '/api/v1/export/pairs?format=ndjson&date_from=2026-09-01&date_to=2026-09-30',
      );
      expect(readFileSync(file).equals(whole.body)).to.equal(true);
      const { metadata } = await contract.ok('/api/v1/accuracy/summary');
      const version = `${String(metadata.data_version)}-${String(metadata.timeline)}`;
      expect(stdout).to.equal(`${String(whole.headers['x-total-pairs'])} pairs of version ${version}\n`);
      expect(readdirSync(folder)).to.deep.equal(['pairs.ndjson']);
    });

    it('then every file of examples/ is one of them, and its README tells of each', () => {
      const files = readdirSync(FOLDER).filter(
        (file) => !['README.md', 'feeds', 'publish', 'verify-seal'].includes(file),
      );
      expect([...tested].sort()).to.deep.equal(files.sort());
      const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
      for (const file of files) expect(readme).to.include(`(${file})`);
    });
  });
});
