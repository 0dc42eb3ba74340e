import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { fileOf } from '../../../public/dashboard/published.js';
import { publish, type PublishOptions } from '../../../src/publish/publish.js';
import type { PageAsks } from '../../../src/publish/response-files.js';
import { NOW } from '../../support/contract/data.js';
import { store } from '../../support/contract/shared.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { CHICAGO } from '../../support/ingest/loads.js';
import {
  type Compared,
  compareValues,
  NOT_RECOMPUTED,
  runScriptIn,
} from '../../support/recompute/compare.js';
import { itInCi, range } from '../../support/runner/range.js';
import { FILE_HOSTS } from '../../support/file-hosts.js';
import { skip } from '../../support/runner/skip.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

// Guards that the files of a copy are the responses of the service, and that its scripts and Parquet give their numbers.

/** The types of files that a browser is particular about. */
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'javascript',
  '.json': 'json',
  '.svg': 'image/svg+xml',
};

interface Response {
  data: unknown;
  metadata?: Record<string, unknown>;
}

describe('a copy of a store', () => {
  const root = temporaryFolder();
  const path = join(root, 'copy');
  const options: PublishOptions = {
    ...{ metrics: ['high', 'low'], days: ['90'], stations: ['KORD', 'EGLL'], units: [], pairs: true },
    ...{ maxFiles: 1000, now: new Date(NOW), fullService: 'https://example.org/fas' },
  };
  const run = (given: Partial<PublishOptions> = {}, to = path) =>
    publish(store, to, undefined, { ...options, ...given });
  const read = (name: string): string => readFileSync(join(path, name), 'utf8');
  const list = (folder: string): string[] =>
    readdirSync(join(path, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(path, folder, name)).isFile(),
    );
  let service: TestService;
  let folder: string;
  let files: number;

  before(async () => {
    service = await startTestService(store, { now: NOW });
    ({ folder, files } = await run());
  });

  it('given its responses, then each is that of the service, but for its time', async () => {
    const names = list(folder);
    expect(names).to.include.members([
      'providers/all.json',
      'accuracy/summary/ci=0.95&days=90&metric=low&station_id=KORD.json',
      'data/suspects/days=90&metric=high&station_id=EGLL.json',
    ]);
    for (const name of range({ test: 24, ci: Infinity }, names)) {
      const [, route = '', query = ''] = /^(.*)\/(.*)\.json$/s.exec(name) ?? [];
      const words = query === 'all' ? '' : query.replaceAll(/~(..)/g, '%$1');
      const { body } = (await service.get(`/api/v1/${route}?${words}`)) as { body: unknown };
      expect(withoutTimes(JSON.parse(read(join(folder, name)))), name).to.deep.equal(withoutTimes(body));
    }
  });

  it('given its scripts, then DuckDB makes of the files beside them the numbers of the summaries', async () => {
    const scripts = list('recompute');
    expect(scripts).to.have.lengthOf(6);
    const compared: Compared = { numbers: 0, differing: [], missing: new Set() };
    for (const name of scripts) {
      const response = JSON.parse(read(`${folder}/${name.replace(/sql$/, 'json')}`)) as Response;
      const [[data] = [], [metadata = {}] = []] = await runScriptIn(path, read(`recompute/${name}`));
      compareValues(response.data, data, name, compared);
      compareValues(response.metadata?.total_records, metadata.total_records, name, compared);
    }
    expect(compared.differing).to.deep.equal([]);
    expect(compared.numbers).to.be.above(60);
    expect(NOT_RECOMPUTED).to.include.members([...compared.missing]);
  });

  it('given its facts, then they say what it has; badges and charts are those of the service', async () => {
    const facts = JSON.parse(read('publish.json')) as Record<string, unknown>;
    expect(facts).to.deep.include({
      format: 1,
      folder,
      generated_at: NOW,
      full_service: 'https://example.org/fas',
    });
    expect(facts.offers).to.deep.equal({
      ...{ metric: ['high', 'low'], days: ['90'], provider: ['default'], units: [] },
      station_id: ['KORD', 'EGLL'],
    });
    const badge = await service.get('/api/v1/accuracy/summary/badge.json?metric=low&days=90&station_id=KORD');
    expect(JSON.parse(read('badges/low/KORD.json'))).to.deep.equal(badge.body);
    expect(read('charts/high/all_stations.svg')).to.match(/^<svg/);
    const page = read('index.html');
    expect(page).to.include(`href="${folder}/accuracy/summary/ci=0.95&#38;days=90&#38;metric=high.json"`);
    expect(page).to.not.match(/frame-ancestors|\{\{/);
    for (const [, file = ''] of page.replaceAll('&#38;', '&').matchAll(/ (?:href|src)="([^"#]+)"/g))
      expect(() => statSync(join(path, file)), file).to.not.throw();
    expect(read('404.html')).to.include('<a href="https://example.org/fas">');
  });

  // Hosts differ in what they make of signs in a path, and in the types that they know.
  for (const [program, start] of Object.entries(FILE_HOSTS))
    itInCi(
      `given ${program} as host, then below a sub-path each file of the manifest comes as it is`,
      async function () {
        const host = await start(root);
        if (host === undefined) skip(this, `no ${program}: it is not tried as host of a copy`);
        const manifest = JSON.parse(read('manifest.json')) as { files: Record<string, { sha256: string }> };
        const odd = `${folder}/${fileOf('odd', { lead_time_bucket: '72h+,0-6h', city: '../é "%2b~?#&' })}`;
        const oddFile = join(path, odd);
        mkdirSync(dirname(oddFile), { recursive: true });
        writeFileSync(oddFile, odd);
        const files = { ...manifest.files, [odd]: { sha256: sha256Of(odd) } };
        const wrong: string[] = [];
        for (const [name, { sha256 }] of Object.entries(files)) {
          const response = await fetch(`${host.url}/copy/${name}`);
          const body = Buffer.from(await response.arrayBuffer());
          const type = response.headers.get('Content-Type') ?? '';
          const isRight = sha256Of(body) === sha256 && type.includes(TYPES[extname(name)] ?? '');
          if (!isRight) wrong.push(`${name}: ${response.status} ${type}`);
        }
        const { status } = await fetch(`${host.url}/copy/${folder}/providers/none.json`);
        await host.stop();
        rmSync(dirname(oddFile), { recursive: true });
        expect(wrong).to.deep.equal([]);
        expect(status).to.equal(404);
      },
    );

  it('given the same data again, then all but the time and the page stays, as the same files', async () => {
    const again = await run();
    expect(again.files).to.equal(files);
    // They name the folder: index.html, publish.json, manifest.json and README.txt.
    expect(again.files - again.kept).to.equal(4);
    const name = 'accuracy/summary/ci=0.95&days=90&metric=high.json';
    const inodes = [folder, again.folder].map((each) => statSync(join(path, each, name)).ino);
    expect(inodes[0]).to.equal(inodes[1]);
  });

  // A copy of its own, of 200 statements.
  itInCi('given two providers, then the default one comes first, whatever its name', async () => {
    const both = await openTestStore();
    await loadLines(both, {
      columns: 'all',
      stations: [`${CHICAGO},civil,false`],
      forecasts: ['alpha', 'beta'].map((name) => `KORD,2024-03-17T00:00:00Z,2024-03-18,50,,${name},`),
      observations: ['KORD,2024-03-18,54,,verified,2024-03-19T12:00:00Z,'],
    });
    const { offers } = await publish(both, join(temporaryFolder(), 'both'), 'beta', {
      ...options,
      ...{ metrics: ['high'], stations: [], pairs: false },
    });
    expect(offers.provider).to.deep.equal(['beta', 'alpha']);
    await both.close();
  });

  it('given options in an order of its own, then the page opens on the first ones, and preloads them', async () => {
    const to = join(temporaryFolder(), 'copy');
    await run(
      {
        metrics: ['low', 'high'],
        days: ['30', '90'],
        units: ['metric', 'us'],
        stations: [],
        pairs: false,
      },
      to,
    );
    const html = readFileSync(join(to, 'index.html'), 'utf8').replaceAll(/&#(\d+);/g, (_, code: string) =>
      String.fromCharCode(Number(code)),
    );
    const [, preloaded = ''] = /rel="preload" as="fetch" crossorigin href="([^>]*)" \/>/.exec(html) ?? [];
    const [, published = ''] = /data-published="(.*?\})" /.exec(html) ?? [];
    const asked = await askAsPage(published);
    expect(`${(JSON.parse(published) as { folder: string }).folder}/${asked[0]}`).to.equal(preloaded);
    expect(preloaded).to.match(/accuracy\/summary\/ci=0\.95&days=30&metric=low\.json$/);
  });

  it('given what it cannot copy, then it says so in one line, and writes nothing', async () => {
    const to = join(temporaryFolder(), 'refused');
    const refusals: [Partial<PublishOptions>, string][] = [
      [{ stations: ['KORD', 'KXXX'] }, '--stations: there is no station KXXX'],
      [{ metrics: ['snow'] }, '--metrics: must be one of high'],
      [{ days: ['400'] }, '--days: must be a whole number from 1 to 365'],
      [{ units: ['kelvin'] }, '--units: must be us, metric, si'],
      [
        { maxFiles: 50 },
        'this copy would have about 100 files (3 places x 2 metrics x 1 provider x 1 window), more than 50; name fewer --stations or --days, or more with --max-files',
      ],
    ];
    for (const [given, message] of refusals) {
      const refused = await run(given, to).catch((error: Error) => error.message);
      expect(refused).to.include(message).and.not.match(/\n/);
      expect(() => statSync(to)).to.throw('ENOENT');
    }
  });
});

/** The files that a page asks for as it opens. @param published what its `html` says of its copy */
async function askAsPage(published: string): Promise<string[]> {
  const asked: string[] = [];
  const world = globalThis as { document?: unknown };
  world.document = { documentElement: { dataset: { published } } };
  try {
    // A copy of the module for this document.
    const page = (await import(
      `${pathToFileURL('dist/publish/asks.js').href}?of=${sha256Of(published)}`
    )) as PageAsks;
    await page.askForView(
      {},
      {
        get: (path, given = {}) => {
          if (path === 'accuracy/summary') asked.push(page.fileOf(path, given));
          if (path === 'stations/metadata') return Promise.resolve({ data: [] });
          return Promise.reject(new Error('there is nothing to read'));
        },
      },
    );
  } finally {
    delete world.document;
  }
  return asked;
}

const sha256Of = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** A response without what its moment decides. */
function withoutTimes(response: unknown): unknown {
  const body = structuredClone(response) as { metadata?: object };
  const { metadata } = body;
  for (const name of ['generated_at', 'local_generated_at', 'query_time_ms', 'request_id', 'endpoint'])
    if (metadata !== undefined) delete (metadata as Record<string, unknown>)[name];
  if (metadata !== undefined && Object.keys(metadata).length === 0) delete body.metadata;
  return body;
}
