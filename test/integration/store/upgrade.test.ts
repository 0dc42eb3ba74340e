import { expect } from 'chai';
import { backup } from '../../../src/backup/backup.js';
import { restore } from '../../../src/backup/restore.js';
import { audit } from '../../../src/ingest/audit.js';
import { raw, sql } from '../../../src/sql.js';
import type { Store } from '../../../src/store/store.js';
import { refusal } from '../../support/failure.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { killPrograms, ServerProgram } from '../../support/process.js';
import { beside } from '../../support/programs.js';
import { itInCi, range } from '../../support/runner/range.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';
import {
  answersTo,
  BACKUP_FILE,
  FOLDER_FILE,
  type Frozen,
  frozenOf,
  unpacked,
  VERSIONS,
  withFieldsOf,
} from '../../support/upgrade/fixture.js';

// No other test opens tables that another build made: every other store begins with the present files of clickhouse/schema.
// `npm run upgrade-fixture` keeps the data of a release.

for (const version of range({ test: 1, ci: Infinity }, VERSIONS.toReversed())) {
  describe(`data of version ${version}`, function () {
    this.timeout(120_000);
    const { answers, next, answersAfterNext }: Frozen = frozenOf(version);
    after(killPrograms);

    const expectAnswers = async (store: Store, expected: Frozen['answers']): Promise<void> => {
      const present = await answersTo(store, Object.keys(expected));
      for (const [question, answer] of Object.entries(expected))
        expect(withFieldsOf(answer, present[question]), question).to.deep.equal(answer);
    };
    const expectUpgraded = async (store: Store): Promise<void> => {
      await expectAnswers(store, answers);
      expect((await loadLines(store, next)).outcome).to.equal('complete');
      await expectAnswers(store, answersAfterNext);
      expect(await audit(store)).to.deep.equal([]);
    };

    itInCi(
      'given its folder, when a server opens it, then it answers as that version did, also after another load, and is sound',
      async () => {
        const env = { DATA_DIR: await unpacked(version, FOLDER_FILE) };
        const server = await ServerProgram.start(env);
        await beside(env, expectUpgraded);
        server.kill('SIGTERM');
        expect(await server.end()).to.include({ code: 0 });
      },
    );

    it('given its backup, when it is restored, then it answers as that version did, also after another load, and is sound', async () => {
      const store = await openTestStore();
      await restore(store, await unpacked(version, BACKUP_FILE));
      await expectUpgraded(store);
      await store.close();
    });
  });
}

describe('a backup of other tables', () => {
  itInCi(
    'given one that lacks the last migrations, when it is restored, then these migrations run on its rows; a backup of a later version is refused',
    async function () {
      this.timeout(60_000);
      const { next } = frozenOf(VERSIONS[0] ?? '');
      const [older, present] = [await openTestStore(), await openTestStore()];
      await restore(older, await unpacked(VERSIONS[0] ?? '', BACKUP_FILE));
      await older.command(sql`DROP TABLE network_days SYNC`);
      for (const column of ['highest_c_by_hour', 'lowest_c_by_hour'])
        await older.command(raw(`ALTER TABLE station_day_hours DROP COLUMN ${column}`));
      await older.command(sql`ALTER TABLE migrations DELETE WHERE name >= '012' SETTINGS mutations_sync = 1`);
      const folder = temporaryFolder();
      const { migrations } = await backup(older, folder);
      expect(Object.keys(migrations).at(-1)).to.match(/^011/);

      await restore(present, folder);
      expect(await audit(present), '012 left the days by hour to the next load').not.to.deep.equal([]);
      expect((await loadLines(present, next)).outcome).to.equal('complete');
      expect(await audit(present)).to.deep.equal([]);

      await older.insert('migrations', ['name', 'checksum'], [['999_of_later.sql', 'f'.repeat(64)]]);
      const later = temporaryFolder();
      await backup(older, later);
      expect(await refusal(restore(await openTestStore(), later))).to.match(
        /^--from: the tables of the backup differ from those of this version \(999_of_later\.sql\); restore it with version/,
      );
      await Promise.all([older, present].map((store) => store.close()));
    },
  );
});
