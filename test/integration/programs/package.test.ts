import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ClickHouseServer, SERVICE } from '../../support/clickhouse-server/server.js';
import { prepareDemo } from '../../support/demo.js';
import { expectBuilt, until } from '../../support/process.js';
import { describeInCi, isInCi, itInCi } from '../../support/runner/range.js';
import { skip } from '../../support/runner/skip.js';
import { temporaryFolder } from '../../support/store.js';

const run = promisify(execFile);

interface Packed {
  filename: string;
  files: { path: string }[];
}

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** The size of what a user installs beside a ClickHouse server. */
const MAX_WITHOUT_ENGINE_MB = 80;

/** A folder that was empty before the package was installed from its tarball without the engine, as a stranger does. */
async function installed(context: Mocha.Context, tarball: string): Promise<string> {
  const folder = temporaryFolder();
  const install = ['install', '--omit=optional', '--prefer-offline', '--no-audit', '--no-fund', tarball];
  try {
    await run('npm', install, { cwd: folder });
  } catch (error) {
    const { stderr } = error as { stderr: string };
    if (/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENOTCACHED|ETIMEDOUT)\b/.test(stderr))
      skip(context, 'npm reaches no registry');
    throw error;
  }
  return folder;
}

/** The folders above one. */
const parents = (folder: string): string[] =>
  folder === '.' ? [] : [dirname(folder), ...parents(dirname(folder))];

/** The only test of what npm packs: a file that `files` of package.json forgets is there in every other one. */
describeInCi('the package', function () {
  let packed: Packed;
  let tarball: string;
  /** Where it is installed without its optional packages, once it is. */
  let bare: string | undefined;

  before(async () => {
    if (!isInCi) return;
    const folder = temporaryFolder();
    const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    const { stdout } = await run('npm', pack);
    [packed] = JSON.parse(stdout) as [Packed];
    tarball = join(folder, packed.filename);
  });

  it('given what npm ci installs for production, then only the engine runs a script at that', () => {
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { dev?: boolean; hasInstallScript?: boolean }>;
    };
    const running = Object.entries(lock.packages).filter(
      ([, { dev, hasInstallScript }]) => hasInstallScript && !dev,
    );
    expect(running.map(([path]) => path)).to.deep.equal(['node_modules/chdb']);
  });

  // Overrides hold where this repository is installed, and nowhere else; so manifests count, and not what npm has made of them.
  it('given what comes with the package wherever it is installed, then none of it reports the installation', () => {
    const come = new Set<string>();
    const add = (folder: string, isOptional = false): void => {
      const file = join(folder, 'package.json');
      if (isOptional && !existsSync(file)) return; // of another platform
      const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
        readFileSync(file, 'utf8'),
      ) as Manifest;
      for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
        if (come.has(name)) continue;
        come.add(name);
        const folders = [folder, ...parents(folder)].map((parent) => join(parent, 'node_modules', name));
        add(
          folders.find((each) => existsSync(each)) ?? join('node_modules', name),
          name in optionalDependencies,
        );
      }
    };
    add('.');
    expect(come).to.include('express').and.include('router');
    expect([...come].filter((name) => /scarf|swagger-ui/.test(name))).to.deep.equal([]);
    expect(JSON.parse(readFileSync('package.json', 'utf8'))).not.to.have.property('overrides');
  });

  describe('from a folder with node_modules of another one', () => {
    let folder: string;
    const npmRun = (script: string) => run('npm', ['run', '--silent', script], { cwd: folder });
    const filesOf = (path: string): string[] =>
      readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();

    before(() => {
      expectBuilt();
      folder = temporaryFolder();
      for (const name of ['node_modules', 'public', 'src', 'clickhouse', 'openapi.json'])
        symlinkSync(resolve(name), join(folder, name));
      cpSync('package.json', join(folder, 'package.json'));
      cpSync('dist/src', join(folder, 'dist/src'), { recursive: true });
    });

    it('without the pages of the build, then a demo ends with one line before it writes anything', async () => {
      const [demo, env] = [['dist/src/main.cjs', 'demo'], { PATH: process.env.PATH, PORT: '0' }];
      const ended: unknown = await run('node', demo, { cwd: folder, env }).catch((error: unknown) => error);
      const file = join(folder, 'dist/public/index.html');
      expect(ended).to.include({
        code: 1,
        stdout: '',
        stderr: `${file}: missing, but the server needs it; run npm run build, or install the package again\n`,
      });
      expect(existsSync(join(folder, 'data'))).to.equal(false);
    });

    it('when the build copies its files, then they are all in its own dist', async () => {
      for (const script of ['recompute-sql', 'page', 'swagger-ui']) await npmRun(script);
      for (const built of ['dist/public', 'dist/publish', 'dist/swagger-ui'])
        expect(filesOf(join(folder, built)), built).to.deep.equal(filesOf(built));
    });
  });

  itInCi('given npm pack, then it has what a user needs and nothing else, and serves', async () => {
    const folder = temporaryFolder();
    const paths = packed.files.map(({ path }) => path);
    const folders = new Set(paths.map((path) => path.split('/').slice(0, 2).join('/')));
    expect(
      [...folders].filter((folder) =>
        /^(test|scripts|dist\/(?!public|publish|src|swagger-ui)|build|data|node_modules)/.test(folder),
      ),
    ).to.be.empty;
    expect(paths.filter((path) => path.endsWith('.ts') && !path.startsWith('examples/'))).to.be.empty;
    expect(paths).to.include.members([
      'README.md',
      'LICENSE',
      'openapi.json',
      'docs/operating.md',
      'sources/met-no.yaml',
    ]);
    // Swagger UI with its license and notice (Apache License 2.0, 4).
    const library = [
      'LICENSE',
      'NOTICE',
      'swagger-ui.css',
      'swagger-ui-bundle.js',
      'swagger-ui-bundle.js.LICENSE.txt',
    ];
    expect(paths).to.include.members(library.map((name) => `dist/swagger-ui/${name}`));

    await run('tar', ['-xzf', tarball, '-C', folder]);
    const program = join(folder, 'package');
    symlinkSync(resolve('node_modules'), join(program, 'node_modules'));
    const data = join(folder, 'data');
    mkdirSync(data);
    const env = { PATH: process.env.PATH, DATA_DIR: data, PORT: '0' };
    const main = join(program, 'dist/src/main.cjs');
    const key = (await run('node', [main, 'keys', 'create', '--name', 'me'], { env })).stdout
      .trim()
      .split('\n')
      .at(-1);
    const server = spawn('node', [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      let url = '';
      for await (const line of createInterface(server.stdout)) {
        const { msg, url: found } = JSON.parse(line) as { msg: string; url?: string };
        if (msg === 'listening') url = String(found);
        if (url !== '') break;
      }
      for (const path of ['/', '/docs', '/openapi.json', '/api/v1/stations/metadata']) {
        const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
        expect(answer.status, path).to.equal(200);
        await answer.arrayBuffer();
      }
      // Long enough for a worker, whose file only this test has in the package.
      const long =
        'accuracy/events?date_from=2017-01-01&date_to=2026-01-01&group_by=lead_time_bucket&thresholds=1,2,3,4,5,6';
      const answer = await fetch(`${url}/api/v1/${long}`, { headers: { authorization: `Bearer ${key}` } });
      expect([answer.status, answer.headers.get('server-timing')].join()).to.match(/^200,.*work;dur=/);
      await answer.arrayBuffer();
    } finally {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
  });

  itInCi(
    'given no optional packages, then it is small, serves beside a server, and names what it lacks',
    async function () {
      const folder = await installed(this, tarball);
      bare = folder;
      const { stdout: size } = await run('du', ['-sm', folder]);
      console.log(`      without the embedded engine: ${parseInt(size)} MB`);
      expect(parseInt(size)).to.be.at.most(MAX_WITHOUT_ENGINE_MB);

      const program = join(folder, 'node_modules/.bin/forecast-accuracy');
      const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'data') };
      const failed: unknown = await run(program, ['migrate'], { env }).catch((error: unknown) => error);
      expect(failed).to.include({
        code: 1,
        stdout: '',
        stderr:
          'DATA_DIR: the embedded engine cannot be loaded (ERR_MODULE_NOT_FOUND); install the service again without --omit=optional, or set CLICKHOUSE_URL to a ClickHouse server\n',
      });

      const server = await ClickHouseServer.start();
      try {
        const beside = {
          ...env,
          CLICKHOUSE_URL: server.url,
          CLICKHOUSE_USER: SERVICE.name,
          CLICKHOUSE_PASSWORD: SERVICE.password,
        };
        await run(program, ['migrate'], { env: beside });
        const { stdout } = await run(program, ['verify'], { env: beside });
        expect(stdout).to.match(/nothing differs/);
      } finally {
        await server.kill();
      }
    },
  );

  itInCi(
    'given a folder where it is installed, and the engine, then npx starts its demo, and it answers',
    async function () {
      const folder = bare ?? (await installed(this, tarball));
      // As `npm ci` installs it here: to install it once more takes 6 s of processor.
      for (const name of ['chdb', '@chdb', 'node-addon-api', 'node-gyp-build'])
        symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
      await prepareDemo(folder);
      const { PATH, HOME } = process.env;
      const env = { PATH, HOME, PORT: '0', BROWSER: 'none' };
      // A group of its own, because npx starts a shell, and that the demo.
      const demo = spawn('npx', ['forecast-accuracy', 'demo'], { cwd: folder, env, detached: true });
      let told = '';
      for (const stream of [demo.stdout, demo.stderr])
        stream.on('data', (text: Buffer) => (told += text.toString()));
      try {
        // The first of the requests that it prints to paste.
        const [, key = '', url = ''] = await until(() => {
          if (demo.exitCode !== null) throw new Error(`the demo ended: ${told}`);
          return /^curl -s -H 'Authorization: (Bearer \S+)' '(\S+)'$/m.exec(told) ?? undefined;
        });
        const answer = await fetch(url, { headers: { authorization: key } });
        const { data } = (await answer.json()) as { data: { verification_pairs: number } };
        expect(answer.status).to.equal(200);
        expect(data.verification_pairs).to.be.above(10_000);
      } finally {
        process.kill(-(demo.pid ?? NaN), 'SIGTERM');
        await once(demo, 'exit');
      }
    },
  );
});
