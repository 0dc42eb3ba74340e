import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { z } from 'zod';
import { endLoadLocks } from '../../src/store/lock/lock.js';
import { StoreNotWritable } from '../../src/store/store-errors.js';
import { raw, sql } from '../../src/queries/sql.js';
import { checkSeals } from '../../src/seals/compare-seals.js';
import { FEEDS, WINDOW } from '../support/contract/data.js';
import type { FeedLines } from '../support/ingest/feeds.js';
import { type Ended, type Environment, killPrograms, Program, ServerProgram } from '../support/process.js';
import { beside, expectRefusal, expectSound, feedArguments, LOAD, newKey } from '../support/programs.js';
import { range } from '../support/runner/range.js';
import { SmallDisk } from '../support/small-disk.js';
import { skip } from '../support/runner/skip.js';

const SUMMARY = `/api/v1/accuracy/summary?${WINDOW}`;
const HOURS = 60 * 24;

/** A year's first two months at KORD: forecasts of every hour, all with an observation; every pair counts. */
function feedsOf(year: number): FeedLines {
  const at = (hour: number): string => new Date(Date.UTC(year, 0, 1) + hour * 3_600_000).toISOString();
  return {
    forecasts: Array.from(
      { length: HOURS },
      (_, hour) =>
        `KORD,${at(hour).slice(0, 19)}Z,${at(hour + 48).slice(0, 10)},${20 + ((hour * 7919) % 50)}.${hour % 10},`,
    ),
    observations: Array.from(
      { length: HOURS / 24 + 2 },
      (_, day) => `KORD,${at(day * 24).slice(0, 10)},${30 + (day % 9)},,verified,${year}-06-01T00:00:00Z`,
    ),
  };
}

describe('a disk', function () {
  let disk: SmallDisk;
  let mounted = '';
  let env: Environment;
  let server: ServerProgram;
  let key: string;
  let whole: unknown;

  before(async function () {
    const small = SmallDisk.mount();
    if (small === undefined) skip(this, 'this user may not mount a small disk');
    disk = small;
    mounted = disk.folder;
    env = { DATA_DIR: mounted };
    key = await newKey(env);
    server = await ServerProgram.start(env);
    expect(await load(FEEDS)).to.include({ code: 0 });
    whole = await summary();
    expect(whole).to.have.property('verification_pairs').that.is.above(0);
  });
  after(async () => {
    killPrograms();
    await disk?.unmount();
  });

  const load = async (lines: FeedLines): Promise<Ended> =>
    new Program(LOAD, feedArguments(lines), env).end(120_000);
  const summary = async (path = SUMMARY): Promise<unknown> => {
    const answer = await server.get(path, key);
    expect(answer.status, path).to.equal(200);
    return ((await answer.json()) as { data: unknown }).data;
  };
  const expectReading = async (): Promise<void> => {
    expect(await summary()).to.deep.equal(whole); // kept
    expect(await summary(`${SUMMARY}&metric=low`))
      .to.have.property('verification_pairs')
      .that.is.above(0);
    expect((await server.get('/api/v1/health')).status).to.equal(200);
  };

  describe('when it is full', () => {
    /** It could not write that it has ended, so the next one would wait 30 s, as it does in `make stress`. */
    const forgetTheFailedLoad = async (): Promise<void> => {
      if (range({ test: 1, ci: 1, stress: 0 }) === 1) await beside(env, endLoadLocks);
    };
    const pairsOf = async (year: number): Promise<number> => {
      const data = await summary(`/api/v1/accuracy/summary?date_from=${year}-01-01&date_to=${year}-06-30`);
      return (data as { verification_pairs: number }).verification_pairs;
    };

    // Where the room ends decides how far a load gets: the engine reserves 1 MiB for each part.
    for (const [year, roomKb] of range({ test: 1, ci: 1, stress: 5 }, [
      [2018, 0],
      [2019, 1100],
      [2020, 1500],
      [2021, 1900],
      [2022, 4000],
    ] as const)) {
      it(`but for ${roomKb} kB, then a load fails in one line, reading goes on, and with room it goes in whole`, async () => {
        disk.fill(roomKb * 1024);
        const first = await load(feedsOf(year));
        console.log(`      ${roomKb} kB: exit code ${first.code}: ${first.stderr.trim()}`);
        if (roomKb === 0 || first.code !== 0) expectRefusal(first, /space/i);
        await expectReading();
        expect(await beside(env, checkSeals)).to.deep.equal([]); // no version without a seal, and no seal without its facts
        expect(await pairsOf(year)).to.be.oneOf(first.code === 0 ? [HOURS] : [0, HOURS]);
        disk.makeRoom();
        await forgetTheFailedLoad();
        expect(await load(feedsOf(year))).to.include({ code: 0 });
        await expectSound(env);
        expect(await pairsOf(year)).to.equal(HOURS);
      });
    }

    it('then no file is made of an export (D61), the stream goes on, and with room it is made', async () => {
      const { metadata } = (await (await server.get(SUMMARY, key)).json()) as {
        metadata: { data_version: number; timeline: string };
      };
      const pinned = `/api/v1/export/pairs?${WINDOW}&as_of=v${metadata.data_version}.${metadata.timeline}`;
      const part = (): Promise<Response> =>
        fetch(`${server.url}${pinned}`, { headers: { authorization: `Bearer ${key}`, range: 'bytes=0-9' } });
      disk.fill(0);
      const refused = await part();
      expect(refused.status).to.equal(503);
      expect(await refused.json())
        .to.have.nested.property('error.message')
        .that.includes('cannot be written (ENOSPC)');
      const streamed = await (await server.get(pinned, key)).text();
      expect(streamed.split('\r\n').length).to.be.above(10);
      disk.makeRoom();
      const made = await part();
      expect([made.status, await made.text()]).to.deep.equal([206, streamed.slice(0, 10)]);
    });

    it('then a query that would sort or group on disk finds no room, and that is told as such', async () => {
      disk.fill(0);
      const spilling = `SELECT count() AS n FROM (
        SELECT number FROM numbers(3000000) GROUP BY number
        SETTINGS max_bytes_before_external_group_by = 1, max_bytes_ratio_before_external_group_by = 0
      )`;
      await beside(env, async (store) => {
        const error: unknown = await store
          .query(sql.rows(z.unknown())`${raw(spilling)}`)
          .catch((reason: unknown) => reason);
        expect(error).to.be.instanceOf(StoreNotWritable);
        await expectReading();
        disk.makeRoom();
        expect(await store.query(sql.rows(z.unknown())`${raw(spilling)}`)).to.deep.equal([{ n: 3_000_000 }]);
      });
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
      const other = new Program('serve', [], { PORT: '0', DATA_DIR: join(mounted, 'other') });
      expectRefusal(await other.end(60_000), /^DATA_DIR: cannot write .*\(EROFS\)/);
    });
  });
});
