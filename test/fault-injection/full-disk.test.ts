import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { FEEDS, WINDOW } from '../support/contract/data.js';
import { type Ended, type Environment, killPrograms, Program, ServerProgram } from '../support/process.js';
import { expectRefusal, expectSound, feedArguments, LOAD, newKey, VERIFY } from '../support/programs.js';
import { Random } from '../support/random.js';
import { AT_LENGTH } from '../support/stress/stress.js';
import { range } from '../support/runner/range.js';
import { skip } from '../support/runner/skip.js';
import { SmallDisk } from '../support/small-disk.js';
import { temporaryFolder } from '../support/store.js';

const SEED = Number(process.env.TEST_SEED ?? 20_261_126);
const PAIRS_OF_A_LOAD = 24;
const COMMANDS = ['load', 'migrate', 'backup', 'keys'] as const;

describe('a disk that fills while a command runs', function () {
  let disk: SmallDisk;
  let env: Environment;
  let key: string;
  let loads = 0;
  let folders = 0;
  /** Pairs of the feeds that are loaded first. */
  let known = 0;
  /** How long each command takes here without a full disk, ms. */
  const durations = new Map<string, number>();

  before(async function () {
    const small = SmallDisk.mount();
    if (small === undefined) skip(this, 'this user may not mount a small disk');
    disk = small;
    env = { DATA_DIR: join(disk.folder, 'data') };
    key = await newKey(env);
    expect(await run([LOAD, ...feedArguments(FEEDS)])).to.include({ code: 0 });
    known = await inServer((server) => pairs(server, WINDOW));
    expect(known).to.be.above(0);
  });
  after(async () => {
    killPrograms();
    await disk?.unmount();
  });

  const run = async ([command, ...args]: readonly string[], more: Environment = {}): Promise<Ended> =>
    new Program(command!, args, { ...env, ...more }).end(300_000);

  /** The forecasts of a day of its own, each of which gives a pair. */
  const nextLoad = (): string[] => {
    const day = new Date(Date.UTC(2019, 0, 3) + 86_400_000 * (loads += 1)).toISOString().slice(0, 10);
    const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 11);
    return feedArguments({
      forecasts: Array.from(
        { length: PAIRS_OF_A_LOAD },
        (_, hour) => `KORD,${before}${`${hour}`.padStart(2, '0')}:00:00Z,${day},${30 + hour},`,
      ),
      observations: [`KORD,${day},40,,verified,${day}T23:00:00Z`],
    });
  };
  const argumentsOf = (command: (typeof COMMANDS)[number]): [string[], Environment] => {
    const folder = join(disk.folder, `${command}-${(folders += 1)}`);
    if (command === 'load') return [[LOAD, ...nextLoad()], {}];
    if (command === 'migrate') return [['migrate'], { DATA_DIR: folder }];
    if (command === 'backup') return [['backup', '--to', folder], {}];
    return [['keys', 'create', '--name', `key ${folders}`], {}];
  };
  const inServer = async <Result>(work: (server: ServerProgram) => Promise<Result>): Promise<Result> => {
    const server = await ServerProgram.start(env, 120_000);
    try {
      return await work(server);
    } finally {
      server.kill('SIGTERM');
      await server.end(60_000);
    }
  };
  const pairs = async (server: ServerProgram, window: string): Promise<number> => {
    const response = await server.get(`/api/v1/accuracy/summary?${window}`, key);
    expect(response.status).to.equal(200);
    return ((await response.json()) as { data: { verification_pairs: number } }).data.verification_pairs;
  };

  it('given a backup to a full disk, then it says so in one line, and leaves nothing there', async () => {
    const elsewhere = { DATA_DIR: join(temporaryFolder(), 'data') };
    expect(await run([LOAD, ...feedArguments(FEEDS)], elsewhere)).to.include({ code: 0 });
    const to = join(disk.folder, 'full');
    mkdirSync(to);
    disk.keepFull();
    const ended = await run(['backup', '--to', to], elsewhere);
    disk.makeRoom();
    expectRefusal(ended, /^--to: the disk of .+ is full; make room$/m);
    expect(readdirSync(to)).to.deep.equal([]);
    expect(await run(['backup', '--to', to], elsewhere)).to.include({ code: 0 });
    rmSync(to, { recursive: true });
  });

  /** Every other command works, and all pairs are there. */
  const expectAllWell = async (command: string): Promise<void> =>
    inServer(async (server) => {
      for (const each of COMMANDS.filter((other) => other !== command))
        expect(await run(...argumentsOf(each)), each).to.include({ code: 0 });
      await expectSound(env);
      expect(await pairs(server, WINDOW)).to.equal(known);
      const all = await pairs(server, 'date_from=2019-01-01&date_to=2019-12-31');
      expect(all).to.equal(PAIRS_OF_A_LOAD * loads);
    });

  const random = new Random(SEED);
  const times = range({ test: 1, ci: 4, stress: 20 });
  for (let nth = 0; nth < times; nth += 1) {
    const command = COMMANDS[nth % COMMANDS.length]!;
    const hasServer = random.next() < 0.5;
    const share = random.next();
    const of = `${command} ${hasServer ? 'beside a server' : 'alone'}, from ${Math.round(100 * share)} % of its time on (seed ${SEED})`;
    it(`given ${of}, when there is room again, then every command works, and nothing is lost`, async () => {
      if (!durations.has(command)) {
        const began = performance.now();
        expect(await run(...argumentsOf(command))).to.include({ code: 0 });
        durations.set(command, performance.now() - began);
      }
      const [args, more] = argumentsOf(command);
      const fillAndRepeat = async (): Promise<void> => {
        const running = run(args, more);
        await setTimeout(share * durations.get(command)!);
        disk.keepFull();
        const ended = await running;
        console.log(`      exit code ${ended.code}: ${ended.stderr.trim()}`);
        if (ended.code !== 0) expectRefusal(ended, /space|full|ENOSPC/);
        disk.makeRoom();
        // No version without a seal, and no seal without its facts, whichever statement found no room.
        if (command === 'load') expect(await run([VERIFY, '--seals'])).to.include({ code: 0 });
        if (ended.code === 0) return;
        const again = await run(args, more);
        expect(again.code, again.stderr).to.equal(0);
      };
      await (hasServer ? inServer(fillAndRepeat) : fillAndRepeat());
      // Seven programs: in `make ci` once, behind all four.
      if (AT_LENGTH || nth === times - 1) await expectAllWell(command);
      for (let folder = 1; folder <= folders; folder += 1)
        for (const name of COMMANDS)
          rmSync(join(disk.folder, `${name}-${folder}`), { recursive: true, force: true });
    });
  }
});
