import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { HOUR_MS } from '../../../src/statistics/time/calendar.js';
import { type Fault, StubServer } from '../../support/collect/stub-server.js';
import { killPrograms, Program, run, until } from '../../support/process.js';
import { describeInCi } from '../../support/runner/range.js';
import { temporaryFolder } from '../../support/store.js';

// The command as a person starts it, from an empty folder on: no other test goes from a place to its page. The choices that it
// makes are in test/unit/here.

const HOME = ['--at', '41.98,-87.9', '--name', 'Home', '--contact', 'me@example.org', '--non-commercial'];

const stored = (name: string): Fault => ({
  answer: { status: 200, body: readFileSync(`test/support/collect/fixtures/sources/${name}.json`, 'utf8') },
});

/** Forecasts of one to three days before each hour of a span: 10, 11 and 12 °C. */
function previousRuns(asked: URLSearchParams): Fault {
  const [from = NaN, to = NaN] = ['start_date', 'end_date'].map((name) => Date.parse(asked.get(name) ?? ''));
  const hours = Array.from({ length: (to - from) / HOUR_MS + 24 }, (_, at) => from + at * HOUR_MS);
  const columns = [1, 2, 3].map((day): [string, number[]] => [
    `temperature_2m_previous_day${day}`,
    hours.map(() => 9 + day),
  ]);
  const body = {
    hourly_units: { temperature_2m_previous_day1: '°C' },
    hourly: {
      time: hours.map((ms) => new Date(ms).toISOString().slice(0, 16)),
      ...Object.fromEntries(columns),
    },
  };
  return { answer: { status: 200, body: JSON.stringify(body) } };
}

/** A reading of 10 °C for each hour of a span. */
function readSensor(asked: URLSearchParams): Fault {
  const [from = NaN, to = NaN] = ['since', 'until'].map((name) => 1000 * Number(asked.get(name)));
  const first = Math.ceil(from / HOUR_MS);
  const rows = Array.from({ length: Math.ceil(to / HOUR_MS) - first }, (_, at) => ({
    t: new Date((first + at) * HOUR_MS).toISOString(),
    c: 10,
  }));
  return { answer: { status: 200, body: JSON.stringify(rows) } };
}

/** Services that have no stub of their own answer with what is stored of them. */
function answerForecasts(path: string): Fault | undefined {
  const { pathname, searchParams } = new URL(path, 'http://stub');
  if (pathname === '/sensor') return readSensor(searchParams);
  if (pathname.startsWith('/weatherapi')) return stored('met-no-complete');
  if (pathname.startsWith('/points')) return stored('nws-points');
  if (pathname.startsWith('/gridpoints')) return stored('nws-gridpoint');
  if (pathname.startsWith('/v1/forecast') && searchParams.has('start_date'))
    return previousRuns(searchParams);
  if (pathname.startsWith('/v1/forecast') && !searchParams.has('models'))
    return stored('open-meteo-forecast');
  return undefined;
}

describeInCi('the command here', function () {
  let stub: StubServer;
  const folder = temporaryFolder();
  let asked = 0;
  const env = (): Record<string, string> => ({
    DATA_DIR: folder,
    PORT: '0',
    IEM_URL: stub.url,
    IEM_GAP_SECONDS: '0',
  });

  before(async () => {
    stub = await StubServer.start();
    // All files of the program, at the address of the stub.
    mkdirSync(join(folder, 'sources'));
    for (const name of readdirSync('sources').filter((name) => name.endsWith('.yaml'))) {
      const text = readFileSync(join('sources', name), 'utf8');
      if (/\{key:|^local: true|^kind: (hours|observations)/m.test(text)) continue;
      const local = text.replaceAll(/https:\/\/[^/\s]*(api|brightsky)[^/\s]*\//g, `${stub.url}/`);
      writeFileSync(join(folder, 'sources', name), `${local}local: true\ngap: 0 seconds\n`);
    }
  });
  after(async () => {
    killPrograms();
    await stub.stop();
  });
  beforeEach(() => {
    stub.log.length = 0;
    stub.fault = answerForecasts;
  });

  /** Starts it and waits for its page and its report; then asks the service behind the page. */
  async function start(
    args: readonly string[],
  ): Promise<{ stdout: string; page: URL; pairs: number; isFirst: boolean }> {
    const program = new Program('here', args, env());
    const link = /http:\/\/127\S+/;
    await until(() => {
      if (program.hasEnded) return true;
      return (link.test(program.stdout) && program.stdout.includes('collected in')) || undefined;
    });
    const { stdout } = program;
    const page = new URL(link.exec(stdout)?.[0] ?? `http://none/${(await program.ended).stderr}`);
    const key = page.hash.replace('#key=', '');
    const ask = `${page.origin}/api/v1/accuracy/summary${page.search}`;
    const response = await fetch(ask, { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await response.json()) as { data: { verification_pairs: number } };
    program.kill('SIGTERM');
    expect((await program.end()).code).to.equal(0);
    const isFirst = stdout.search(link) < stdout.indexOf('collected in');
    return { stdout, page, pairs: data.verification_pairs, isFirst };
  }

  it('given an empty folder, then one command gives a page with pairs of days', async () => {
    const { stdout, page, pairs } = await start(HOME);
    expect(stdout).to.match(
      /^KORD: Chicago O'Hare, 0\.\d km away; forecasts and observations are of this airport$/m,
    );
    expect(stdout).to.match(/^collected in .*iem-nbm, iem-pfm, iem-cli, iem-asos.*met-no.*openmeteo-ecmwf/m);
    const { station_id, metric } = Object.fromEntries(page.searchParams);
    expect([station_id, metric]).to.deep.equal(['KORD', 'high']);
    expect(pairs).to.be.above(100);
    asked = stub.log.length;
  });

  it('given it is started again without arguments, then it serves, and asks for what is new alone', async () => {
    const { pairs, isFirst } = await start([]);
    expect(isFirst).to.be.true;
    expect(pairs).to.be.above(100);
    expect(stub.log.length).to.be.within(1, asked / 2);
    expect(stub.log.filter(({ path }) => path.includes('network.py'))).to.be.empty;
  });

  it('given it is stopped while it collects beside its page, then the server ends in good order', async () => {
    stub.fault = (path) => (path.startsWith('/cgi-bin') ? 'slow' : answerForecasts(path));
    const program = new Program('here', [], env());
    await until(() => program.hasEnded || program.stdout.includes('http:') || undefined);
    await until(() => program.hasEnded || stub.log.length > 0 || undefined);
    program.kill('SIGTERM');
    const { code, stdout, stderr } = await program.end();
    expect(code).to.equal(0);
    expect(stdout).not.to.contain('collected in');
    expect(stderr).to.contain('stopped by SIGTERM; run it again');
  });

  it('given no net, then it serves what is there, and has a line for each source', async () => {
    stub.fault = () => 'broken';
    const { stdout, pairs } = await start([]);
    expect(pairs).to.be.above(100);
    for (const source of ['iem-asos', 'iem-cli', 'nws-gridpoints', 'bright-sky-forecast'])
      expect(stdout).to.match(
        new RegExp(`^nothing from ${source}: (network: ECONNRESET at|no requests to) 127`, 'm'),
      );
    expect(stdout).to.match(/^collected in .* s: nothing new$/m);
  });

  it('given a sensor of its owner, then the place has a station of its own, with pairs of its hours', async () => {
    writeFileSync(
      join(folder, 'sources', 'garden.yaml'),
      `name: garden
attribution: My garden
kind: hours
local: true
url: ${stub.url}/sensor?since={from:X}&until={to:X}
stations: { MY-GARDEN: x }
gap: 0 seconds
columns: { at: t, temp_c: c }
`,
    );
    const { stdout, page, pairs } = await start(['KORD', '--name', 'My garden']);
    expect(stdout).to.contain(
      'MY-GARDEN: your own observations; the zone America/Chicago is that of Chicago',
    );
    expect(stub.log.filter(({ path }) => path.startsWith('/cgi-bin'))).to.be.empty;
    expect(Object.fromEntries(page.searchParams)).to.deep.equal({
      ...{ station_id: 'MY-GARDEN', provider: 'open-meteo', metric: 'temperature' },
    });
    expect(pairs).to.be.above(1000);
  });

  it('given --daily, then it prints the lines that collect each day, and asks nobody', async () => {
    const { code, stdout } = await run('here', ['--daily'], env());
    expect(code).to.equal(0);
    expect(stdout).to.match(/^\d 6 \* \* \* {2}DATA_DIR='.*' '.*node' '.*main.cjs' here --no-serve$/m);
    expect(stdout).to.match(/^ExecStart=".*node" ".*main.cjs" here --no-serve$/m);
    expect(stub.log).to.be.empty;
    const collected = await run('here', ['--no-serve'], env());
    expect([collected.code, collected.stdout]).to.satisfy(
      ([code, text]: [number, string]) =>
        code === 0 && text.includes('collected in') && !text.includes('http:'),
    );
  });

  it('given no net and an empty folder, then it says that it needs the airports', async () => {
    stub.fault = () => 'broken';
    const { code, stderr } = await run('here', HOME, { ...env(), DATA_DIR: temporaryFolder() });
    expect([code, stderr.trimEnd().split('\n').at(-1)]).to.satisfy(
      ([code, last]: [number, string]) =>
        code === 1 && /^the airports cannot be requested: network: .*; run it again later$/.test(last),
    );
  });
});
