import { expect } from 'chai';
import { backup } from '../../../src/backup/backup.js';
import { restore } from '../../../src/backup/restore.js';
import { definitions } from '../../../src/backup/tables.js';
import { audit } from '../../../src/ingest/audit.js';
import { rowCount } from '../../../src/ingest/spans.js';
import { sql } from '../../../src/queries/sql.js';
import { checkSeals } from '../../../src/seals/compare-seals.js';
import { readVersions } from '../../../src/seals/log.js';
import type { Store } from '../../../src/store/store.js';
import { refusal } from '../../support/failure.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { VERSION } from '../../../src/lib/version.js';
import { killPrograms, ServerProgram } from '../../support/process.js';
import { beside } from '../../support/programs.js';
import { describeInCi, itInCi, itInStressTier, range } from '../../support/runner/range.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';
import {
  answersTo,
  BACKUP_FILE,
  FOLDER_FILE,
  type PastResponses,
  readPastResponses,
  unpacked,
  VERSIONS,
  withFieldsOf,
  withPresentVerdicts,
} from '../../support/upgrade/fixture.js';

// No other test opens tables that another build made: every other store begins with the present files of clickhouse/schema.
// `npm run upgrade-fixture` keeps the data of a release.

// `make ci` opens the folder of the oldest and restores the backup of the newest, `make stress` both of each: 25 s each.
for (const version of VERSIONS) {
  const itOf = (inCi: string | undefined): typeof itInCi => (version === inCi ? itInCi : itInStressTier);
  describeInCi(`data of version ${version}`, function () {
    const { answers, next, answersAfterNext }: PastResponses = readPastResponses(version);
    after(killPrograms);

    const expectAnswers = async (store: Store, expected: PastResponses['answers']): Promise<void> => {
      const present = await answersTo(store, Object.keys(expected));
      for (const [question, answer] of Object.entries(expected))
        expect(withFieldsOf(answer, present[question]), question).to.deep.equal(withPresentVerdicts(answer));
    };
    const expectUpgraded = async (store: Store): Promise<void> => {
      // Behind the load all of them are asked for.
      const some = range({ test: 0, ci: 15, stress: Infinity }, Object.entries(answers));
      await expectAnswers(store, Object.fromEntries(some));
      expect((await loadLines(store, next)).outcome).to.equal('complete');
      await expectAnswers(store, answersAfterNext);
      expect(await audit(store)).to.deep.equal([]);
      // The load has sealed the versions before, which have had no seal.
      const leaves = (await readVersions(store)).map(({ leaf }) => leaf);
      expect(leaves).to.have.length.above(1);
      for (const leaf of leaves.slice(0, -1)) expect(leaf).to.include('"sealed_late":true');
      expect(leaves.at(-1))
        .to.match(/^\{"facts":/)
        .and.not.include('sealed_late');
      expect(await checkSeals(store)).to.deep.equal([]);
    };

    itOf(VERSIONS[0])(
      'given its folder, when a server opens it, then it answers as that version did, also after a load',
      async () => {
        const env = { DATA_DIR: await unpacked(version, FOLDER_FILE) };
        const server = await ServerProgram.start(env);
        await beside(env, expectUpgraded);
        server.kill('SIGTERM');
        expect(await server.end()).to.include({ code: 0 });
      },
    );

    itOf(VERSIONS.at(-1))(
      'given its backup, when it is restored, then it answers as that version did, also after a load',
      async () => {
        const store = await openTestStore();
        await restore(store, await unpacked(version, BACKUP_FILE));
        await expectUpgraded(store);
        await store.close();
      },
    );
  });
}

describeInCi('a backup of other tables', function () {
  itInCi(
    'given fewer migrations, then the others change its rows; earlier and later builds are refused',
    async () => {
      const older = await openTestStore();
      const saved = async (): Promise<string> => {
        const folder = temporaryFolder();
        await backup(older, folder);
        return folder;
      };
      const refused = async (): Promise<string> => {
        const present = await openTestStore();
        const message = await refusal(restore(present, await saved()));
        await present.close();
        return message;
      };
      await restore(older, await unpacked(VERSION, BACKUP_FILE));
      await older.command(sql`DROP TABLE normals SYNC`);
      await older.command(sql`ALTER TABLE migrations DELETE
        WHERE name IN ('001_loads.sql', '006_normals.sql', '007_staging.sql') SETTINGS mutations_sync = 1`);
      const present = await openTestStore();
      const before = await definitions(present);
      await present.command(sql`TRUNCATE TABLE lineages`); // 001_loads.sql inserts the first, a restore the next
      await restore(present, await saved());
      expect(await rowCount(present, sql`lineages`)).to.equal(2);
      expect(await definitions(present), 'without staged_lines of 007_staging.sql').to.equal(before);
      expect((await loadLines(present, readPastResponses(VERSION).next)).outcome).to.equal('complete');
      expect(await audit(present)).to.deep.equal([]);
      await present.close();

      await older.insert('migrations', ['name', 'checksum'], [['999_of_later.sql', 'f'.repeat(64)]]);
      expect(await refused()).to.match(
        /^--from: the schema of the backup ends with 999_of_later\.sql, the schema of this program with \d{3}_\w+\.sql; restore it with the build of version \S+ that has 999_of_later\.sql$/,
      );
      await older.insert('migrations', ['name', 'checksum'], [['001_facts.sql', 'f'.repeat(64)]]);
      expect(await refused()).to.equal(
        '--from: the backup was made by an earlier build; load the feeds again',
      );
      await older.close();
    },
  );
});
