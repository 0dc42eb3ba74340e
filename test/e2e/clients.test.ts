import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import {
  createForecastAccuracy,
  type ForecastAccuracy,
  ForecastAccuracyError,
  type ForecastAccuracyOptions,
  type OPERATIONS,
  type WatchedVersion,
} from '../../clients/typescript/src/index.js';
import { CuttingProxy } from '../support/clients/cutting-proxy.js';
import { askPython, isThere, pythonWith, runPython } from '../support/clients/python.js';
import { CHOSEN_DAYS, type Months, twoMonths } from '../support/contract/months.js';
import { StandIn, watched } from '../support/events/stand-in.js';
import { isInCi, itInCi, itInStressTier } from '../support/runner/range.js';
import { Listening } from '../support/listen.js';
import { temporaryFolder } from '../support/store.js';
import { skip } from '../support/runner/skip.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const WINDOW = { date_from: '2026-03-04', date_to: '2026-05-03' };
const STATION = { ...WINDOW, station_id: 'KORD' };

/** A call of every operation that is more than its defaults. */
const CALLS: { [Name in keyof typeof OPERATIONS]: Parameters<ForecastAccuracy[Name]>[0] } = {
  exportPairs: { ...STATION, format: 'csv' },
  exportFacts: { version: 'v1', format: 'csv' },
  seals: undefined,
  sealsConsistency: { from: 1 },
  sealsOfVersion: { version: 'v1' },
  accuracyByDate: { ...WINDOW, group_by: 'week' },
  accuracyByDateOfStation: { ...STATION, include_preliminary: true },
  accuracyByStation: { ...STATION, include_raw: true, ci: '0.9' },
  accuracySummary: { ...WINDOW, city: 'KORD City', temp_unit: 'celsius', as_of: 'v1' },
  accuracyByHour: { date_from: '2026-09-01', date_to: '2026-09-30' },
  accuracyByLeadTime: { ...STATION, align: 'matched', ci: '0.95' },
  accuracyByCity: { ...WINDOW, sort_by: 'mae', lead_time_bucket: '0-6h,12-24h' },
  accuracyByWeatherRegime: { ...STATION, include_same_day: true, ci: '0.9' },
  accuracyHitRate: { ...WINDOW, stations: 'KORD,EGLL' },
  accuracyByBucket: { ...STATION, range_width: 5 },
  accuracyByBucketOfForecast: { ...WINDOW, bucket: 'forecast' },
  dataHours: { station_id: 'KORD', start_time: '2026-03-04', end_time: '2026-03-05' },
  accuracyRevisionStats: STATION,
  accuracyExceedance: { ...STATION, thresholds: '1,2.5' },
  accuracyExceedanceSummary: { ...WINDOW, metric: 'low' },
  accuracyEvents: { ...STATION, thresholds: '58,62.5', group_by: 'month' },
  accuracyErrorDistribution: { ...STATION, signed: true },
  accuracyDistribution: { ...WINDOW, stations: 'KORD,EGLL', lead: '24' },
  accuracyPeakTiming: { ...STATION, metric: 'low', group_by: 'month' },
  accuracyBiasCorrection: { ...STATION, forecast_temp: 61.5 },
  probability: {
    station_id: 'KORD',
    forecast: 61,
    lead_hours: 20,
    target_date: '2026-05-03',
    brackets: '60-61,62-63',
  },
  probabilityReliability: STATION,
  accuracySampleSize: { ...WINDOW, min_samples: 100 },
  accuracyUpdateFrequency: STATION,
  accuracyFreshness: undefined,
  accuracyCompare: WINDOW,
  accuracyDivergence: { ...WINDOW, threshold: 1.5, group_by: 'station' },
  accuracySkill: { ...WINDOW, group_by: 'station' },
  dataForecastActual: { ...STATION, limit: 5 },
  dataForecasts: { station_id: 'KORD', forecast_for_date: '2026-05-03', versions: 'all' },
  dataObservations: { ...STATION, limit: 3 },
  dataDepartures: { limit: 3, threshold: 0.5 },
  dataSuspects: { ...WINDOW, limit: 3 },
  dataRunStats: { station_id: 'KORD', start_time: '2026-04-01T00:00:00Z', end_time: '2026-04-02T00:00:00Z' },
  stationsMetadata: undefined,
  providers: undefined,
  loads: { limit: 1 },
  usage: undefined,
  index: undefined,
  health: undefined,
};

/** Fields of an answer that its moment says; usage counts the calls before. */
const OF_MOMENT = [
  ...['generated_at', 'local_generated_at', 'query_time_ms', 'timestamp', 'request_id'],
  ...['requests', 'responses', 'responses_cached', 'cached_pct', 'rows_read'],
];

/** An answer without that. */
const lasting = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (name, value: unknown) => (OF_MOMENT.includes(name) ? undefined : value)),
  ) as unknown;

async function failureOf(waiting: Promise<unknown>): Promise<ForecastAccuracyError> {
  const failure: unknown = await waiting.catch((error: unknown) => error);
  if (!(failure instanceof ForecastAccuracyError)) throw new Error('it did not fail', { cause: failure });
  return failure;
}

/** The parts of an error that both clients tell. */
const told = ({ code, details, status, requestId, retryAfter }: ForecastAccuracyError): object => ({
  code,
  details,
  status: status ?? null,
  request_id: requestId ?? null,
  retry_after: retryAfter ?? null,
});

/** A server that answers its requests one after the other. */
async function answering(
  ...answers: [status: number, headers: Record<string, string>, body?: object | string][]
): Promise<{ url: string; key: string; requests: (IncomingMessage & { at: number })[]; stop: () => void }> {
  const requests: (IncomingMessage & { at: number })[] = [];
  const server = createServer((request, response) => {
    const [status, headers, body] = answers[requests.length] ?? [500, {}];
    requests.push(Object.assign(request, { at: Date.now() }));
    if (status === 0) return; // says nothing
    response.writeHead(status, headers).end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'key', requests, stop };
}

describe('the clients in clients/', function () {
  let months: Months;
  let server: Listening;
  let hasPython: boolean;
  /** Whether Python is asked what stands in a test for TypeScript, too: it takes a third of a second to start. */
  let asksPython: boolean;
  let service: { url: string; key: string };
  const client = (options: Partial<ForecastAccuracyOptions> = {}) =>
    createForecastAccuracy({ ...service, ...options });

  before(async () => {
    months = await twoMonths();
    server = await Listening.start(months.contract.service);
    service = { url: server.url, key: months.contract.service.key };
    hasPython = await isThere('python3');
    asksPython = hasPython && isInCi;
    if (!hasPython) console.log('      python3 is not there: its client is not tested');
  });
  after(() => server.stop());

  it('given each operation, then it is answered as its schema says, and Python gets the same', async () => {
    const calls = Object.entries(CALLS);
    const checked = new Set<string>();
    const { contract } = months;
    const watched = client({
      fetch: async (url, options) => {
        const response = await fetch(url, options);
        const path = (url as string).slice(server.url.length);
        const headers = Object.fromEntries(response.headers);
        const text = await response.clone().text();
        // The schemas take a second to compile, and the tests of the contract hold answers to them.
        if (isInCi) contract.check(path, { status: response.status, headers, text });
        checked.add(contract.template(path) ?? '');
        return response;
      },
    });
    const answers: unknown[] = [];
    for (const [name, parameters] of calls) {
      const ask = watched[name as keyof typeof OPERATIONS] as (given: unknown) => Promise<unknown>;
      const answer = await ask(parameters);
      answers.push(answer instanceof Response ? await answer.text() : answer);
    }
    // The stream of events never ends by itself; watch() has a test below.
    const answered = Object.keys(contract.document.paths).filter((path) => path !== '/api/v1/events');
    expect([...checked]).to.have.members(answered);
    if (!hasPython) return;
    expect((await askPython(service, calls)).map(lasting)).to.deep.equal(answers.map(lasting));
  });

  it('given a list, then its members are sent with commas between them', async () => {
    const lists = { thresholds: [85, 90.5], stations: ['KORD', 'KMDW'] } as unknown as { thresholds: string };
    const asked = async (ask: (url: string, key: string) => Promise<unknown>) => {
      const { url, key, requests, stop } = await answering([200, {}, { success: true }]);
      await ask(url, key);
      stop();
      const [query] = requests.map((request) => new URL(request.url ?? '', url).searchParams);
      expect(Object.fromEntries(query ?? [])).to.deep.equal({ thresholds: '85,90.5', stations: 'KORD,KMDW' });
    };
    await asked((url, key) => client({ url, key }).accuracyExceedance(lists));
    if (hasPython) await asked((url, key) => askPython({ url, key }, [['accuracyExceedance', lists]]));
  });

  it('given a mistake, then the error has its code, its faults and the id of the request', async () => {
    const faulty = { metric: 'visibility', days: 0 } as unknown as { days: number };
    const failures = [
      await failureOf(client().accuracySummary({ city: 'Atlantis' })),
      await failureOf(client().accuracySummary(faulty)),
    ];
    expect(failures.map(({ code, status }) => [code, status])).to.deep.equal([
      ['STATION_NOT_FOUND', 404],
      ['INVALID_PARAMETER', 400],
    ]);
    expect(failures[1]?.details.map(({ parameter }) => parameter)).to.have.members(['metric', 'days']);
    for (const { requestId } of failures) expect(requestId).to.match(/^[\w-]{8,}$/);
    if (!asksPython) return;
    const python = await askPython(service, [
      ['accuracySummary', { city: 'Atlantis' }],
      ['accuracySummary', faulty],
    ]);
    expect(python.map(lasting)).to.deep.equal(failures.map(told).map(lasting));
  });

  it('given 429 and 503, then they retry as asked; an answer that still holds is not asked for again', async () => {
    const body = { success: true, data: [] };
    const scene = () =>
      answering([429, { 'Retry-After': '1' }], [503, {}], [200, { ETag: '"a"' }, body], [304, {}]);
    const asked = async (ask: (url: string, key: string) => Promise<unknown[]>) => {
      const { url, key, requests, stop } = await scene();
      expect(await ask(url, key)).to.deep.equal([body, body]);
      stop();
      expect(requests.map(({ headers }) => headers['if-none-match'])).to.deep.equal([
        ...[undefined, undefined, undefined],
        '"a"',
      ]);
      const [first, second] = requests.map(({ at }) => at);
      expect((second ?? 0) - (first ?? 0)).to.be.within(1000, 4000);
      for (const { headers } of requests) expect(headers.authorization).to.equal('Bearer key');
    };
    await Promise.all([
      asked(async (url, key) => {
        const one = client({ url, key });
        return [await one.providers(), await one.providers()];
      }),
      asksPython && asked((url, key) => askPython({ url, key }, [['providers'], ['providers']])),
    ]);
  });

  it('given what no waiting mends, then it fails at once, and says why', async () => {
    const scene = () => answering([429, { 'Retry-After': '3600' }], [200, {}], [0, {}]);
    const { url, key, requests, stop } = await scene();
    const one = client({ url, key, timeoutMs: 200, maxRetries: 0 });
    const failures = [
      await failureOf(client({ url, key }).providers()), // an hour is no pause
      await failureOf(one.providers()), // no JSON
      await failureOf(one.providers()), // silence
    ];
    expect(requests).to.have.lengthOf(3);
    stop();
    failures.push(await failureOf(one.providers())); // nobody listens
    expect(failures.map(({ code, status, retryAfter }) => [code, status, retryAfter])).to.deep.equal([
      ['NO_ANSWER', 429, 3600],
      ['NO_ANSWER', 200, undefined],
      ['TIMEOUT', undefined, undefined],
      ['NO_CONNECTION', undefined, undefined],
    ]);
    if (!asksPython) return;
    const again = await scene();
    const hasty = { timeout: 0.2, max_retries: 0 };
    const python = await askPython(again, [['providers']]);
    python.push(...(await askPython(again, [['providers'], ['providers']], hasty)));
    again.stop();
    python.push(...(await askPython(again, [['providers']], hasty)));
    expect(python).to.deep.equal(failures.map(told));
  });

  it('given an answer that points elsewhere, then the key does not go there', async () => {
    const asked = async (ask: (url: string, key: string) => Promise<unknown>) => {
      const elsewhere = await answering([401, {}]);
      const { url, key, stop } = await answering([302, { Location: `${elsewhere.url}/api/v1/providers` }]);
      expect(await ask(url, key)).to.have.property('code', 'NO_ANSWER');
      for (const { headers } of elsewhere.requests) expect(headers).not.to.have.property('authorization');
      for (const server of [{ stop }, elsewhere]) server.stop();
    };
    await asked((url, key) => failureOf(client({ url, key }).providers()));
    if (asksPython) await asked(async (url, key) => (await askPython({ url, key }, [['providers']]))[0]);
  });

  it('given a signal that aborts, of the client or of a call, then what waits ends with its reason', async () => {
    const { url, key, requests, stop } = await answering([0, {}], [503, { 'Retry-After': '30' }]);
    const controller = new AbortController();
    const one = client({ url, key, signal: controller.signal });
    const late = one.providers({}, { signal: AbortSignal.timeout(100) }).catch((error: Error) => error.name);
    expect(await late).to.equal('TimeoutError');
    const pausing = one.providers().catch((error: unknown) => error);
    setTimeout(() => controller.abort('enough'), 100);
    expect(await pausing).to.equal('enough');
    expect(await one.providers().catch((error: unknown) => error)).to.equal('enough');
    expect(requests).to.have.lengthOf(2);
    stop();
  });

  it('given many answers, then those asked for last are remembered', async () => {
    const tags: (string | undefined)[] = [];
    const body = { data: 'x'.repeat(40) };
    const one = client({
      memory: 150,
      fetch: (_, { headers } = {}) => {
        tags.push((headers as Record<string, string>)['if-none-match']);
        return Promise.resolve(Response.json(body, { headers: { etag: `"${tags.length}"` } }));
      },
    });
    for (const limit of [1, 2, 1, 3, 1, 2]) await one.loads({ limit });
    expect(tags).to.deep.equal([undefined, undefined, '"1"', undefined, '"3"', undefined]);
  });

  it('given streams of every form that end and break, then each version comes once, with its loads', async () => {
    const watching = async (read: (url: string) => Promise<WatchedVersion[]>) => {
      const standIn = await StandIn.start();
      const versions = await read(standIn.url);
      expect(
        versions.map(({ id, data, loads }) => ({
          id,
          text: (data as { text?: string }).text,
          loads: loads && loads.map(({ version }) => version),
        })),
      ).to.deep.equal(watched());
      // An id without data counts as well, and one with NUL does not.
      const ids = Array.from({ length: 25 }, (_, at) => (at === 0 ? undefined : `v${at}.abcd`));
      for (const at of [11, 23]) ids[at] = ids[at + 1] = `v${at}.zzzz`;
      expect(standIn.lastIds).to.deep.equal(ids);
      standIn.stop();
    };
    await Promise.all([
      watching(async (url) => {
        const versions: WatchedVersion[] = [];
        const reading = (async () => {
          for await (const version of client({ url }).watch()) versions.push(version);
        })();
        expect(await failureOf(reading)).to.include({ status: 404 });
        return versions;
      }),
      hasPython &&
        watching(async (url) => (await askPython({ url, key: '' }, [['watch']]))[0] as WatchedVersion[]),
    ]);
  });

  it('given a stream that asks for a pause, and a refusal, then they resume behind the id they had', async () => {
    const stream = { 'content-type': 'text/event-stream' };
    const paused = async (read: (url: string) => Promise<unknown>) => {
      const { url, requests, stop } = await answering(
        [200, stream, 'retry: 200\n\n'],
        [429, { 'retry-after': '1' }, { success: false }],
        [200, { 'content-type': 'text/html' }, 'no stream'],
      );
      await read(url);
      const [first = 0, refused = 0, last = 0] = requests.map(({ at }) => at);
      expect(refused - first).to.be.at.least(195);
      expect(last - refused).to.be.at.least(995);
      expect(requests.map(({ headers }) => headers['last-event-id'])).to.deep.equal(Array(3).fill('v7.k7q2'));
      stop();
    };
    await Promise.all([
      paused(async (url) => {
        const reading = client({ url }).watch({ after: 'v7.k7q2' }).next();
        expect(await failureOf(reading)).to.include({ code: 'NO_ANSWER', status: 200 });
      }),
      asksPython && paused((url) => askPython({ url, key: '' }, [['watch', { after: 'v7.k7q2' }]])),
    ]);
  });

  it('given an export whose connection breaks twice, then each pair comes once, in order', async () => {
    const path = '/api/v1/export/pairs?format=ndjson&date_from=2026-03-04&date_to=2026-05-03';
    const { body } = await server.download(path);
    const lines = body.toString().trim().split('\n');
    expect(lines).to.have.lengthOf.above(500);
    const whole = lines.map((line) => JSON.parse(line) as unknown);
    const broken = async (read: (url: string) => Promise<unknown>) => {
      const proxy = await CuttingProxy.start(server, 2, 4000);
      expect(await read(proxy.url)).to.deep.equal(whole);
      expect(proxy.cuts).to.equal(2);
      const begins = proxy.targets.map((target) =>
        Number(/cursor=\d+-[a-z0-9]{4}\.(\d+)/.exec(target)?.[1] ?? 0),
      );
      expect(begins).to.have.lengthOf(3);
      // It goes on from where it was, not from the beginning.
      expect(begins[2]).to.be.above(0);
      await proxy.stop();
    };
    await Promise.all([
      broken(async (url) => {
        const pairs: unknown[] = [];
        for await (const pair of client({ url }).pairs(WINDOW)) pairs.push(pair);
        return pairs;
      }),
      hasPython && broken(async (url) => (await askPython({ ...service, url }, [['pairs', WINDOW]]))[0]),
    ]);
  });

  it('given an export that ends early behind midnight, then they ask for the rest of the same window', async () => {
    const headers = { 'X-Total-Pairs': '2', Date: 'Sat, 21 Nov 2026 23:59:58 GMT' };
    const asked = async (read: (url: string) => Promise<unknown>) => {
      const { url, requests, stop } = await answering(
        [200, { ...headers, 'X-Export-Cursor': '7.0' }, '{"a":1}\n{"a":'],
        [200, { ...headers, 'X-Export-Cursor': '7.1', Date: 'Sun, 22 Nov 2026 00:00:01 GMT' }, '{"a":2}\n'],
      );
      expect(await read(url)).to.deep.equal([{ a: 1 }, { a: 2 }]);
      stop();
      const queries = requests.map(({ url: target = '' }) => new URL(target, url).searchParams);
      expect(queries.map((query) => [query.get('cursor'), query.get('date_to')])).to.deep.equal([
        [null, null],
        ['7.1', '2026-11-21'],
      ]);
    };
    await asked(async (url) => {
      const pairs: unknown[] = [];
      for await (const pair of client({ url }).pairs({ days: 7 })) pairs.push(pair);
      return pairs;
    });
    if (asksPython)
      await asked(async (url) => (await askPython({ url, key: '' }, [['pairs', { days: 7 }]]))[0]);
  });

  it('given a loop that is left, then the export ends; given a window of no pairs, then there are none', async () => {
    const found: string[] = [];
    for await (const { station_id } of client().pairs({ ...WINDOW, metric: 'low' })) {
      found.push(station_id);
      if (found.length === 2) break;
    }
    expect(found).to.have.lengthOf(2);
    for await (const pair of client().pairs({ date_from: '2020-01-01', date_to: '2020-01-02' })) {
      expect.fail(JSON.stringify(pair));
    }
  });

  describe('the packages of docs/clients.md', () => {
    const run = promisify(execFile);
    const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
    /** The arguments of a command of the page. */
    const argumentsOf = (command: RegExp): string[] => command.exec(page)![1]!.trim().split(' ');
    const providersInPython = (): string => `
import json
from forecast_accuracy_client import ForecastAccuracy
print(json.dumps(ForecastAccuracy(${JSON.stringify(service.url)}, ${JSON.stringify(service.key)}).providers()["data"]))`;
    /** The files that a build leaves in a folder, as git sees them. */
    const tree = async (folder: string): Promise<string[]> => {
      const { stdout } = await run('git', ['status', '--porcelain', '--ignored', '--', folder], {
        cwd: ROOT,
      });
      return stdout.split('\n').filter((line) => !line.includes('__pycache__'));
    };

    itInCi('given TypeScript, when it is packed and installed, then a program asks with it', async () => {
      const folder = temporaryFolder();
      rmSync(join(ROOT, 'clients/typescript/dist'), { recursive: true, force: true }); // as after make install
      const pack = argumentsOf(/^npm (pack .*clients\/typescript)/m);
      const { stdout } = await run('npm', [...pack, '--json', '--pack-destination', folder], { cwd: ROOT });
      const [{ filename, files }] = JSON.parse(/^\[$[^]*/m.exec(stdout)![0]) as [
        { filename: string; files: { path: string }[] },
      ];
      expect(files.map(({ path }) => path)).to.include.members([
        'dist/index.js',
        'dist/index.d.ts',
        'LICENSE',
      ]);
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      await run('npm', ['install', '--offline', '--no-audit', `./${filename}`], { cwd: folder });
      const program = `
        import { createForecastAccuracy } from 'forecast-accuracy-client';
        const { data } = await createForecastAccuracy(${JSON.stringify(service)}).providers();
        console.log(JSON.stringify(data));`;
      writeFileSync(join(folder, 'program.js'), program);
      const told = await run(process.execPath, ['program.js'], { cwd: folder });
      expect(JSON.parse(told.stdout)).to.deep.equal((await client().providers()).data);
    });

    // In `make ci` pip builds one of the sources, below; the release builds both.
    itInStressTier(
      'given Python, when its wheel is built of its sdist and installed, then a program asks with it',
      async function () {
        const python = await pythonWith('build, setuptools, wheel, pip');
        if (python === undefined) skip(this, 'no python3 with build, setuptools, wheel and pip');
        const folder = temporaryFolder();
        // As the release does, with what is installed here in place of packages of PyPI.
        const build = ['-m', 'build', '--no-isolation', '--skip-dependency-check', '--outdir', folder];
        await run(python, [...build, 'clients/python'], { cwd: ROOT });
        const built = readdirSync(folder).sort();
        expect(built.map((name) => name.replace(/^.*?(?=-py3|\.tar)/, ''))).to.have.members([
          '-py3-none-any.whl',
          '.tar.gz',
        ]);
        const wheel = built.find((name) => name.endsWith('.whl')) ?? '';
        const target = join(folder, 'installed');
        const install = ['-m', 'pip', 'install', '--no-index', '--no-deps', '--quiet', '--target', target];
        await run(python, [...install, join(folder, wheel)]);
        const env = { ...process.env, PYTHONPATH: target };
        const told = await run(python, ['-c', providersInPython()], { cwd: folder, env });
        expect(JSON.parse(told.stdout)).to.deep.equal((await client().providers()).data);
      },
    );

    itInCi(
      'given Python, when pip installs it, then a program asks with it, and the sources stay as they were',
      async function () {
        if (!hasPython) skip(this, 'no python3');
        const folder = temporaryFolder();
        const before = await tree('clients/python');
        const install = argumentsOf(/`pip (install .*clients\/python)`/);
        try {
          await run('python3', ['-m', 'pip', ...install, '--quiet', '--target', folder], { cwd: ROOT });
        } catch (error) {
          const { stderr } = error as { stderr: string };
          if (/No module named pip|No matching distribution found for setuptools/.test(stderr))
            skip(this, 'no pip, or no setuptools for it');
          throw error;
        }
        expect(await tree('clients/python')).to.deep.equal(before);
        const env = { ...process.env, PYTHONPATH: folder };
        const told = await run('python3', ['-c', providersInPython()], { cwd: folder, env });
        expect(JSON.parse(told.stdout)).to.deep.equal((await client().providers()).data);
      },
    );
  });

  describe('the examples of docs/clients.md', () => {
    const environment = (): object => ({ BASE_URL: server.url, API_KEY: service.key });
    const example = (language: string): string => {
      const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
      const [, code = ''] = new RegExp(`\n\`\`\`${language}\n([^]*?)\`\`\``).exec(page) ?? [];
      // The city of the test's data, and its days.
      return code.replaceAll('Chicago', 'KORD City').replaceAll('30', '120');
    };
    const expectLines = async (printed: string): Promise<void> => {
      const { data } = await client().accuracyByLeadTime({ station_id: 'KORD', days: 120 });
      const lines = data.map(({ lead_time_bucket, stats }) => [
        'KORD',
        lead_time_bucket,
        stats.mae ?? 'null',
      ]);
      const worst = Math.max(
        ...months.pairs.filter(({ station_id }) => station_id === 'KORD').map(({ error }) => Math.abs(error)),
        ...CHOSEN_DAYS.flatMap(({ errors }) => Object.values(errors)).map((error) => Math.abs(error) * 100),
      );
      const [last = '', largest, ...others] = printed.trim().replaceAll('None', 'null').split('\n').reverse();
      expect(others.reverse()).to.deep.equal(lines.map((line) => line.join(' ')));
      expect(largest).to.equal(`${worst / 100}`);
      expect(last).to.match(/^STATION_NOT_FOUND 404 [\w-]+$/);
    };

    it('given Python, then it compiles and tells what the service answers', async function () {
      if (!hasPython) skip(this, 'no python3');
      await expectLines(await runPython(['-c', example('python')], environment()));
    });

    itInCi('given TypeScript, then it is right under every strict option, and tells the same', async () => {
      const folder = temporaryFolder();
      const file = join(folder, 'example.mts');
      const importing = (path: string): string =>
        example('ts').replace("'forecast-accuracy-client'", JSON.stringify(path));
      writeFileSync(file, importing(join(ROOT, 'clients/typescript/src/index.js')));
      const { default: ts } = await import('typescript');
      const program = ts.createProgram([file], {
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: true,
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.NodeNext,
        types: ['node'],
        typeRoots: [join(ROOT, 'node_modules/@types')],
      });
      const faults = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
      expect(faults).to.deep.equal([]);
      const compiled = join(folder, 'example.mjs');
      const module = importing(import.meta.resolve('../../clients/typescript/src/index.js'));
      const { outputText } = ts.transpileModule(module, {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
      });
      writeFileSync(compiled, outputText);
      const { stdout } = await promisify(execFile)(process.execPath, [compiled], {
        cwd: ROOT,
        env: { ...process.env, ...environment() },
      });
      await expectLines(stdout);
    });
  });
});
