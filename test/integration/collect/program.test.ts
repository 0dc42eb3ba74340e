import { existsSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { addDays } from '../../../src/statistics/time/calendar.js';
import type { DryRun } from '../../../src/collect/pass/dry-run.js';
import type { RunReport } from '../../../src/collect/pass/run-report.js';
import { SAYS, StubServer } from '../../support/collect/stub-server.js';
import { type Environment, killPrograms, Program, run, until } from '../../support/process.js';
import { expectRefusal } from '../../support/programs.js';
import { itInCi, range } from '../../support/runner/range.js';
import { temporaryFolder } from '../../support/store.js';

const COLLECT = 'collect';
const GAP_MS = 50;

/** Real time: programs have no other. */
const today = new Date().toISOString().slice(0, 10);
const FROM = addDays(today, -2);
const ARGUMENTS = ['--stations', 'KNYC,EGLL', '--from', FROM, '--contact', 'me@example.org'];

describe('the command collect', function () {
  let stub: StubServer;
  let env: Environment;

  before(async () => {
    stub = await StubServer.start();
  });
  after(async () => {
    killPrograms();
    await stub.stop();
  });
  beforeEach(() => {
    stub.log.length = 0;
    stub.fault = () => undefined;
    env = environment();
  });

  const environment = (): Environment => ({
    DATA_DIR: temporaryFolder(),
    IEM_URL: stub.url,
    IEM_GAP_SECONDS: `${GAP_MS / 1000}`,
    NOAA_URL: stub.url,
    NOAA_GAP_SECONDS: '0.01',
  });

  itInCi(
    'given --dry-run, a pass, and --dry-run again, then what is asked is what was said, and then nothing',
    async () => {
      const dry = await run(COLLECT, [...ARGUMENTS, '--dry-run', '--json'], env);
      expect(dry.code, dry.stderr).to.equal(0);
      expect(dry.stderr).to.contain(
        'off: openmeteo-ecmwf, openmeteo-gem, openmeteo-gfs, openmeteo-icon. They are free only for non-commercial use',
      );
      const planned = JSON.parse(dry.stdout) as DryRun;
      expect(planned).to.include({ stations: 2, is_catalogue_requested: true });
      for (const { path } of stub.log) expect(path).to.match(/^\/(geojson\/network|api\/1\/station)/);
      expect(existsSync(`${env.DATA_DIR}/chdb`)).to.be.false;
      stub.log.length = 0;
      stub.fault = () => 'broken';
      const known = await run(COLLECT, [...ARGUMENTS, '--dry-run', '--json'], env);
      expect(JSON.parse(known.stdout)).to.include({ stations: 2, is_catalogue_requested: false });
      expect(stub.log).to.be.empty;
      stub.fault = () => undefined;

      const pass = await run(COLLECT, [...ARGUMENTS, '--json'], env);
      expect(pass.code, pass.stderr + pass.stdout).to.equal(0);
      const report = JSON.parse(pass.stdout) as RunReport & { store: string };
      expect(report).to.deep.include({ outcome: 'complete', store: env.DATA_DIR });
      for (const [at, { source, requests }] of planned.sources.entries())
        expect(report.sources[at]).to.deep.include({
          source,
          requests: { ok: requests, no_answer: 0, refused: 0, failed: 0, not_requested: 0 },
        });
      const asked = planned.sources.reduce((sum, { requests }) => sum + requests, 0);
      expect(pass.stderr).to.match(new RegExp(`^${asked} requests, \\d+ s or more$`, 'm'));
      for (const { at_once, userAgent } of stub.log) {
        expect(userAgent).to.match(/^forecast-accuracy-service\/\d+\.\d+\.\d+ \(\+me@example\.org\)$/);
        expect(at_once).to.equal(1);
      }
      // All of them take as long as their distances; host.test.ts tells each, as one that arrives late shortens the next.
      const span = (stub.log.at(-1)?.at_ms ?? 0) - (stub.log[0]?.at_ms ?? 0);
      expect(span).to.be.at.least((stub.log.length - 1) * GAP_MS - 20);
      expect(pass.stderr.trimEnd().split('\n').length).to.be.at.least(stub.log.length - 2);
      stub.log.length = 0;

      const text = await run(COLLECT, [...ARGUMENTS, '--dry-run'], env);
      expect(text.stdout).to.contain('2 stations, known from an earlier pass; nothing was requested\n');
      expect(stub.log).to.be.empty;
    },
  );

  for (const [what, args, said] of range({ test: 1, ci: 3, stress: Infinity }, [
    ['no contact', ['--stations', 'KNYC'], '--contact: is required'],
    ['an invalid contact', ['--stations', 'KNYC', '--contact', 'me'], '--contact: must be an e-mail address'],
    ['no station', ['--contact', 'me@example.org'], /nothing to collect/],
    ['an unknown source', [...ARGUMENTS, '--sources', 'nbm'], '--sources: unknown "nbm". Available: iem-nbm'],
    [
      'only what is off',
      [...ARGUMENTS, '--sources', 'openmeteo-ecmwf'],
      '--sources: all chosen sources are off. They are free',
    ],
    ['no day', [...ARGUMENTS, '--to', '2026-02-30'], '--to: must be a date'],
    ['days the wrong way round', [...ARGUMENTS, '--to', '2020-01-01'], '--from: must not be after'],
  ] as const)) {
    it(`given ${what}, then it refuses in one line and asks nobody`, async () => {
      const ended = await run(COLLECT, args, env);
      expectRefusal(ended, said);
      expect(stub.log).to.be.empty;
    });
  }

  itInCi(
    'given a source that is off, then it is asked where it or its provider is named, and only there',
    async () => {
      for (const [args, isAsked] of [
        [[], false],
        [['--sources', 'noaa-nbp'], true],
        [['--providers', 'nbm,nbp'], true],
        [['--providers', 'nbm'], false],
      ] as const) {
        const { stdout } = await run(COLLECT, [...ARGUMENTS, ...args, '--dry-run', '--json'], env);
        const { sources } = JSON.parse(stdout) as DryRun;
        expect(sources.some(({ source }) => source === 'noaa-nbp')).to.equal(isAsked);
      }
      const pass = await run(COLLECT, [...ARGUMENTS, '--sources', 'noaa-nbp'], env);
      expect(pass.code, pass.stderr).to.equal(0);
      expect(pass.stdout).to.match(/^noaa-nbp, forecasts of nbp: requests [123] ok$/m);
    },
  );

  // Other faults of hosts, and tests that stand for them in `make test`: hostile-hosts.test.ts.
  itInCi(
    'given data that are half a gzip, then it says so, fails, loads nothing of it, and retries at once',
    async () => {
      const args = [...ARGUMENTS, '--sources', 'iem-nbm,iem-daily'];
      stub.fault = (path) => (path.startsWith('/cgi-bin') ? 'half a gzip' : undefined);
      const ended = await run(COLLECT, args, env);
      expect(ended.stderr + ended.stdout).to.match(/is not valid gzip/);
      expect(ended.code, ended.stderr).to.equal(3);
      expect(ended.stdout).to.contain('nothing to load');
      stub.fault = () => undefined;
      expect((await run(COLLECT, args, env)).stdout).to.match(/forecasts: [1-9]/);
    },
  );

  itInCi(
    'given a list of stations that is hostile, then it ends with 1 and a line that says why',
    async () => {
      for (const fault of [
        'half a gzip',
        'large',
        { answer: { ...SAYS.tooMany, headers: { 'retry-after': '86400' } } },
      ] as const) {
        stub.fault = () => fault;
        const ended = await run(COLLECT, ARGUMENTS, environment());
        expect(ended.code, JSON.stringify(fault)).to.equal(1);
        expect(ended.stderr, JSON.stringify(fault)).to.match(/^the stations cannot be requested: /m);
      }
    },
  );

  itInCi(
    'given SIGTERM while it waits or watches, then it ends at once, in a line, and leaves no rows',
    async () => {
      stub.fault = (path) => (path.includes('mos.py') ? 'slow' : undefined);
      const once = new Program(COLLECT, ARGUMENTS, env);
      await until(() => (stub.log.some(({ path }) => path.includes('mos.py')) ? true : undefined));
      once.kill('SIGTERM');
      const ended = await once.end(10_000);
      expect(ended.code).to.equal(1);
      expect(ended.stderr).to.contain('stopped by SIGTERM; run it again to complete what it began');
      expect(readdirSync(env.DATA_DIR ?? '').filter((name) => /rows|lock/.test(name))).to.be.empty;

      stub.fault = () => ({ answer: SAYS.notFound });
      const watching = new Program(COLLECT, [...ARGUMENTS, '--watch'], environment());
      await until(() => (stub.log.length > 3 ? true : undefined));
      watching.kill('SIGTERM');
      expect((await watching.end(10_000)).code).to.equal(0);
    },
  );
});
