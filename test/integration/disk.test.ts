import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createKey } from '../../src/http/keys.js';
import { FEEDS, WINDOW } from '../support/contract-data.js';
import { writeFeeds } from '../support/feeds.js';
import {
  type Ended,
  type Environment,
  killPrograms,
  Program,
  ServerProgram,
  until,
} from '../support/process.js';
import { temporaryFolder } from '../support/store.js';

const SUMMARY = `/api/v1/accuracy/summary?${WINDOW}`;
const HOURS = 90 * 24;

/** Feed lines of the last years for KORD, many enough that they need room. */
function manyForecasts(): string[] {
  return Array.from({ length: HOURS }, (_, hour) => {
    const issued = new Date(Date.UTC(2023, 0, 1) + hour * 3_600_000).toISOString().slice(0, 19);
    const target = new Date(Date.UTC(2023, 0, 3) + hour * 3_600_000).toISOString().slice(0, 10);
    return `KORD,${issued}Z,${target},${20 + (hours(hour) % 50)}.${hour % 10},${10 + (hour % 20)}`;
  });
}

const hours = (hour: number): number => hour * 7919;

describe('a disk', function () {
  this.timeout(300_000);
  let mounted: string;
  let env: Environment;
  let server: ServerProgram;
  let key: string;
  let whole: unknown;

  before(async function () {
    mounted = temporaryFolder();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', mounted], { stdio: 'pipe' });
    } catch {
      console.log('      skipped: this user may not mount a small disk');
      mounted = '';
      this.skip();
    }
    const { key: created } = await createKey(join(mounted, 'api-keys.json'), 'test');
    key = created;
    env = { DATA_DIR: mounted };
    server = await ServerProgram.start(env);
    expect(await load(FEEDS)).to.include({ code: 0 });
    whole = await summary();
    expect(whole).to.have.property('verification_pairs').that.is.above(0);
  });
  after(async () => {
    killPrograms();
    if (mounted === '') return;
    // Until the last of the programs has let go of it.
    await until(() => {
      try {
        execFileSync('umount', [mounted], { stdio: 'pipe' });
        return true;
      } catch {
        return undefined;
      }
    }, 30_000);
  });

  const load = async (lines: Parameters<typeof writeFeeds>[0]): Promise<Ended> => {
    const files = writeFeeds(lines);
    const args = Object.entries(files).flatMap(([name, given]) =>
      given.flatMap((file) => [`--${name}`, file]),
    );
    return new Program('scripts/load.ts', args, env).end(120_000);
  };
  const summary = async (path = SUMMARY): Promise<unknown> => {
    const answer = await server.get(path, key);
    expect(answer.status, path).to.equal(200);
    return ((await answer.json()) as { data: unknown }).data;
  };
  const expectRefusal = ({ code, stdout, stderr }: Ended, said: RegExp): void => {
    expect(stderr, stdout).to.match(said);
    expect(stderr.trimEnd().split('\n'), stderr).to.have.lengthOf(1);
    expect(stderr).not.to.match(/\bat .+:\d+:\d+|node:internal/);
    expect(code).to.equal(1);
  };
  const expectReading = async (): Promise<void> => {
    expect(await summary()).to.deep.equal(whole); // kept
    expect(await summary(`${SUMMARY}&metric=low`))
      .to.have.property('verification_pairs')
      .that.is.above(0);
    expect((await server.get('/api/v1/health')).status).to.equal(200);
  };
  const expectSound = async (): Promise<void> => {
    const verified = await new Program('scripts/verify.ts', [], env).end(120_000);
    expect(verified.code, verified.stdout + verified.stderr).to.equal(0);
  };

  describe('when it is full', () => {
    const filler = (): string => join(mounted, 'filler');

    before(() => {
      const megabyte = Buffer.alloc(1024 * 1024, 1);
      writeFileSync(filler(), '');
      for (let size = 1024 * 1024; size >= 4096; size /= 2) {
        try {
          for (;;) appendFileSync(filler(), megabyte.subarray(0, size));
        } catch (error) {
          expect((error as NodeJS.ErrnoException).code).to.equal('ENOSPC');
        }
      }
    });

    it('then a load fails in one line with nothing in, and reading goes on', async () => {
      expectRefusal(await load({ forecasts: manyForecasts() }), /space/i);
      await expectReading();
    });

    it('and there is room again, then the same load goes in, and the tables are sound', async () => {
      rmSync(filler());
      const { code, stderr } = await load({ forecasts: manyForecasts() });
      expect(code, stderr).to.equal(0);
      await expectSound();
      whole = await summary();
    });
  });

  describe('when it may only be read', () => {
    before(() => {
      mkdirSync(join(mounted, 'other'), { recursive: true });
      // Over itself, so that the files that the server has open do not stand in the way.
      execFileSync('mount', ['--bind', mounted, mounted]);
      execFileSync('mount', ['-o', 'remount,ro,bind', mounted]);
    });
    after(() => {
      if (mounted !== '') execFileSync('umount', [mounted]);
    });

    it('then a load fails in one line that names DATA_DIR, and reading goes on', async () => {
      expectRefusal(
        await load({ forecasts: ['KORD,2024-03-17T01:00:59Z,2024-03-18,51.00,'] }),
        /^DATA_DIR: cannot write .*\(EROFS\)/,
      );
      await expectReading();
    });

    it('then a server on another folder of it does not start, and says why in one line', async () => {
      const other = new Program('src/main.ts', [], { PORT: '0', DATA_DIR: join(mounted, 'other') });
      expectRefusal(await other.end(60_000), /^DATA_DIR: cannot open /);
    });
  });
});
