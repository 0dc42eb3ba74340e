import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { ClickHouseServer, SERVICE } from '../support/clickhouse-server/server.js';
import { prepareDemo } from '../support/demo.js';
import { expectBuilt, killPrograms, Program, until } from '../support/process.js';
import { temporaryFolder } from '../support/store.js';

// A stranger pastes the commands of README.md and of the documents. Each block is run here, or it is in NOT_HERE with the
// reason. examples/feeds/README.md has example-feeds.test.ts.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Blocks by file and first command: what runs them, or why nothing does. */
const NOT_HERE: Record<string, string> = {
  "docs/recompute.md: export BASE_URL=http://127.0.0.1:8080 API_KEY='<API_KEY>'; curl":
    'needs the program of DuckDB; documents.test.ts runs the script with its library',
  'docs/clients.md: npm pack --ignore-scripts=false ./clients/typescript': 'clients.test.ts runs it',
  'docs/collecting.md: docker compose --profile embedded --profile collect up --detach --build':
    'needs Docker; test/unit/conventions/containers.test.ts holds the file to the program',
  'docs/first-steps.md: make install build; npm run collect':
    'asks public sources; test/integration/collect runs the command against recorded answers',
  'docs/your-own-place.md: make install build; npm run here':
    'asks public sources; test/integration/collect/here.test.ts runs the command against a stub',
  'docs/sources.md: npm run collect -- try garden.yaml':
    'asks a made-up host; test/integration/collect tries source files against a stub',
  'docs/mcp.md: claude mcp add --transport http forecast-accuracy https://accuracy.example.org/mcp':
    'needs Claude Code; test/integration/mcp asks as it does',
  'docs/publishing.md: npm install forecast-accuracy-service':
    'asks public sources; test/integration/collect and publish run the commands',
  'docs/publishing.md: duckdb -json -cmd':
    'needs the program of DuckDB; test/integration/publish runs the scripts of a copy with its library',
  'docs/operating.md: sudo useradd --system':
    'changes the users and services of the machine; systemd.test.ts tests the files that it installs',
  'docs/operating.md: docker compose --profile embedded up --detach --build':
    'needs Docker; containers.test.ts holds the file to the program',
  'docs/operating.md: docker compose --profile server up --detach --build':
    'needs Docker; containers.test.ts holds the file to the program',
  'docs/seals.md: export SEAL_KEY_FILE=/etc/forecast-accuracy/seal.pem':
    'writes into /etc; test/integration/programs/seal-command.test.ts runs the command',
  'docs/seals.md: npx forecast-accuracy verify --seals':
    'needs a checkpoint that was kept; seal-command.test.ts runs both commands',
  'docs/seals.md: export BASE_URL=https://forecasts.example.org':
    'needs a version and a key of its own; verify-seal.test.ts runs it',
  'docs/seals.md: npx forecast-accuracy seal odds':
    'needs forecasts of days to come; test/integration/seals/sealed-odds.test.ts seals some',
  'clickhouse/server/README.md: clickhouse-client --host HOST':
    'needs an installed server; test/integration/store/rights.test.ts runs the statements of the file',
};

interface Block {
  file: string;
  /** Its commands, one a line. */
  commands: string[];
}

/** The blocks of shell commands of a document; of a console, the lines behind a prompt. */
const blocksOf = (file: string): Block[] =>
  [...text(file).matchAll(/^```(sh|console)\n([^]*?)^```$/gm)].map(([, kind, body = '']) => {
    const lines = body.replaceAll(/\\\n\s*/g, '').split('\n');
    const typed = kind === 'sh' ? lines : lines.flatMap((line) => /^\$ (.*)/.exec(line)?.[1] ?? []);
    const commands = typed.map((line) => line.replace(/(^|\s+)# .*$/, '').trim());
    return { file, commands: commands.filter((command) => command !== '') };
  });

const BLOCKS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
  'examples/README.md',
  'clickhouse/server/README.md',
].flatMap(blocksOf);

const nameOf = ({ file, commands }: Block): string => `${file}: ${commands.join('; ')}`;
const isHere = (block: Block): boolean =>
  !Object.keys(NOT_HERE).some((name) => nameOf(block).startsWith(name));

/**
 * The commands that a page names, without the time that npm takes: test/unit/conventions holds its scripts to these programs. A server
 * is started, and stopped when it listens. The real make would install and build under other tests, so it says what it would do.
 */
const PRELUDE = `
program() { node "$ROOT/dist/src/main.cjs" "$@"; }
start() {
  rm -f serve.log # an earlier block's line must not stand for this server
  node "$ROOT/dist/src/main.cjs" serve > serve.log & server=$!
  until grep -q '"listening"' serve.log; do kill -0 $server || return 1; sleep 0.1; done
  kill $server; wait $server
}
npm() {
  case "$1" in
    start) start ;;
    run) shift; command=$1; shift; [ "\${1:-}" = -- ] && shift; program "$command" "$@" ;;
    *) return 1 ;;
  esac
}
npx() { [ "$1" = forecast-accuracy ] && shift && program "$@"; }
make() { command make --dry-run --directory "$ROOT" "$@" > /dev/null; }
`;

describe('the commands of the documents', function () {
  let folder: string;
  let demo: Program;
  let clickhouse: ClickHouseServer;
  let key = '';
  let url = '';

  before(async () => {
    expectBuilt();
    folder = temporaryFolder();
    for (const name of ['examples', 'sources']) symlinkSync(join(ROOT, name), join(folder, name));
    writeFileSync(join(folder, 'stations.csv'), text('examples/feeds/stations.csv'));
    for (const feed of ['forecasts', 'observations'])
      writeFileSync(join(folder, `${feed}.csv.gz`), gzipSync(text(`examples/feeds/${feed}.csv`)));
    const demoFolder = temporaryFolder();
    await prepareDemo(demoFolder);
    demo = new Program('demo', [], { PORT: '0' }, demoFolder);
    clickhouse = await ClickHouseServer.start();
    [, key = '', url = ''] = await until(
      () => /'Authorization: Bearer (\S+)' '(http:\/\/[^/]+)/.exec(demo.stdout) ?? undefined,
      120_000,
    );
  });
  after(async () => {
    await clickhouse?.kill();
    killPrograms();
  });

  /** A command with names in it, as a stranger would write them, and with the hosts, folders and providers of this test. */
  const filled = (command: string): string =>
    command
      .replaceAll('http://127.0.0.1:8080', url)
      .replaceAll('<API_KEY>', key)
      .replaceAll('http://HOST:8123', clickhouse.url)
      .replaceAll(/CLICKHOUSE_USER=\S+/g, `CLICKHOUSE_USER=${SERVICE.name}`)
      .replaceAll('CLICKHOUSE_PASSWORD=…', `CLICKHOUSE_PASSWORD="${SERVICE.password}"`)
      .replaceAll('--stations …', '--stations stations.csv')
      .replaceAll(/ (\/backup|\/var\/lib)\//g, ` ${folder}$1/`)
      .replaceAll('DATA_DIR=/var/lib/', `DATA_DIR=${folder}/var/lib/`)
      .replaceAll('nws', 'made-up-fine')
      .replaceAll('nbm', 'made-up-coarse');

  async function paste(commands: readonly string[]): Promise<string> {
    const script = `set -euo pipefail\n${PRELUDE}\n${commands.map(filled).join('\n')}\n`;
    const data = join(folder, 'data');
    mkdirSync(data, { recursive: true });
    const env = { ...process.env, ROOT, DATA_DIR: data, PORT: '0', API_KEY: key, BASE_URL: url };
    const shell = spawn('bash', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let told = '';
    for (const stream of [shell.stdout, shell.stderr])
      stream.setEncoding('utf8').on('data', (more: string) => (told += more));
    const code = await new Promise<number | null>((resolve) => shell.once('close', resolve));
    expect(code, `${script}${told}`).to.equal(0);
    return told;
  }

  it('given a reason why a block is not run here, then there is such a block', () => {
    const unused = Object.keys(NOT_HERE).filter((name) =>
      BLOCKS.every((block) => !nameOf(block).startsWith(name)),
    );
    expect(unused).to.deep.equal([]);
    expect(BLOCKS.filter(isHere)).to.have.length.above(8);
  });

  for (const block of BLOCKS.filter(isHere)) {
    it(`given ${block.file}, when "${block.commands[0]?.slice(0, 60)}" and what follows are pasted, then all of them work`, async () => {
      const commands = block.commands
        .filter((command) => !command.startsWith('export CLICKHOUSE_CLUSTER=')) // for a cluster only
        // A stream never ends by itself.
        .map((command) => (command.startsWith('curl -N') ? `{ timeout 3 ${command} || true; }` : command));
      const told = await paste(commands);
      const asked = commands.filter((command) => /^curl -s /.test(command)).length;
      expect(told.split('"success":true')).to.have.lengthOf(asked + 1);
      if (commands.some((command) => command.includes('/v1/events'))) expect(told).to.match(/^id: v\d/m);
    });
  }
});
