import { spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { ListFile } from '../../../src/cli/list-file.js';
import { rejectSameFile } from '../../../src/cli/same-file.js';
import type { FeedName } from '../../../src/feeds/feeds.js';
import { CHICAGO } from '../../support/ingest/loads.js';
import { failureOf } from '../../support/failure.js';
import { expectRefusal, feedArguments, LOAD } from '../../support/programs.js';
import { killPrograms, run, withoutProgress } from '../../support/process.js';
import { itInCi, range } from '../../support/runner/range.js';
import { temporaryFolder } from '../../support/store.js';
import { skip } from '../../support/runner/skip.js';

const FORECAST = 'KORD,2026-01-04T18:00:00Z,2026-01-05,31,18';

const LOOP =
  'while read -r file; do npm run --silent load -- --stations "$1" --forecasts "$file"; done < "$0"';

const feed = (name: FeedName, lines: readonly string[]): string[] => feedArguments({ [name]: lines });

describe('npm run load', function () {
  const dataDir = temporaryFolder();
  const env = { DATA_DIR: dataDir };

  after(killPrograms);

  it('given an empty folder, then the report says so; --unmatched lists forecasts without observation', async () => {
    const unmatched = join(temporaryFolder(), 'unmatched.csv');
    const stations = feed('stations', [CHICAGO]);
    const observations = feed('observations', []);
    const ended = await run(
      LOAD,
      [...stations, ...feed('forecasts', [FORECAST]), ...observations, '--unmatched', unmatched],
      env,
    );
    expect(ended).to.include({ code: 0, stderr: '' });
    expect(ended.stdout).to.contain(`store: ${dataDir} (empty before)\n`);
    expect(ended.stdout).to.contain(`observations: no rows in ${observations[1]}\n`);
    expect(ended.stdout).to.contain(`without an observation yet: 2, listed in ${unmatched}\n`);
    expect(readFileSync(unmatched, 'utf8')).to.equal(
      [
        'station_id,provider,target_date,issued_at,metric',
        'KORD,default,2026-01-05,2026-01-04T18:00:00.000Z,high',
        'KORD,default,2026-01-05,2026-01-04T18:00:00.000Z,low',
        '',
      ].join('\n'),
    );
  });

  for (const bad of range({ test: 0, ci: 1, stress: 2 }, [50_000, 1])) {
    itInCi(
      `given a full disk for --rejects and ${bad} rejected rows, then the load goes on, with exit code 1`,
      async function () {
        if (!existsSync('/dev/full')) skip(this, 'no /dev/full');
        const rows = [
          FORECAST.replace(',31,', ',32,'),
          ...Array<string>(bad).fill('KORD,x,2026-01-05,31,18'),
        ];
        const ended = await run(LOAD, [...feed('forecasts', rows), '--rejects', '/dev/full'], env);
        expect(ended.stdout).to.contain(`${bad.toLocaleString('en-US')} × bad time, first at`);
        expect(ended.stdout).to.match(/load \d+: some rows rejected in/);
        expect(ended.stderr).to.equal(
          '--rejects: /dev/full is incomplete because it cannot be written (ENOSPC)\n',
        );
        expect(ended.code).to.equal(1);
      },
    );
  }

  itInCi(
    'given a loop of the shell over a list of files, then each is loaded, and none of the list is taken',
    () => {
      const empty = { DATA_DIR: temporaryFolder() };
      const [, stations] = feed('stations', [CHICAGO]);
      const list = join(temporaryFolder(), 'list');
      writeFileSync(list, [FORECAST, FORECAST].map((row) => `${feed('forecasts', [row])[1]}\n`).join(''));
      const { stdout, stderr } = spawnSync('sh', ['-c', LOOP, list, stations ?? ''], {
        env: { ...process.env, npm_config_loglevel: 'error', ...empty },
        encoding: 'utf8',
      });
      expect(withoutProgress(stderr)).to.equal('');
      expect(stdout.match(/^load \d+: \w+/gm)).to.deep.equal(['load 1: complete', 'load 2: complete']);
    },
  );

  // csv.test.ts stands for it in `make test`.
  itInCi(
    'given a list whose file is a feed or another list, then it is refused before either is opened',
    async () => {
      const folder = temporaryFolder();
      const at = (name: string): string => join(folder, name);
      const text = `station_id,issued_at\n${FORECAST}\n`;
      writeFileSync(at('feed.csv'), text);
      symlinkSync('feed.csv', at('link.csv'));
      linkSync(at('feed.csv'), at('hard.csv'));
      const input = ['--forecasts', at('feed.csv')] as const;
      for (const name of ['feed.csv', 'link.csv', 'hard.csv', '../' + basename(folder) + '/feed.csv']) {
        const refused = rejectSameFile([input], [['--rejects', at(name)]]);
        expect((await failureOf(refused)).message).to.equal(
          `--rejects: ${at(name)} is the file of --forecasts, too; name another file`,
        );
      }
      const lists = (a: string, b: string) =>
        rejectSameFile(
          [input],
          [
            ['--rejects', a],
            ['--unmatched', b],
          ],
        );
      expect((await failureOf(lists(at('new.csv'), at('NEW.csv')))).message).to.match(
        /^--unmatched: .*--rejects, too/,
      );
      await lists(at('new.csv'), at('other.csv'));
      await lists('/dev/null', '/dev/null');
      const ended = await run(LOAD, [...input, '--suspects', at('link.csv')], env);
      expectRefusal(ended, '--suspects: ');
      expect(readFileSync(at('feed.csv'), 'utf8')).to.equal(text);
      expect(readdirSync(folder)).to.have.members(['feed.csv', 'link.csv', 'hard.csv']);
    },
  );

  itInCi(
    'given a list that is there, then it stays until the next is complete, and a link stays a link',
    async () => {
      const folder = temporaryFolder();
      const [file, link] = [join(folder, 'rejects.csv'), join(folder, 'link.csv')];
      writeFileSync(file, 'the last one', { mode: 0o640 });
      symlinkSync('rejects.csv', link);
      const rejects = await ListFile.open<{ line: number }>('--rejects', link, ['line']);
      await rejects.write({ line: 3 });
      expect(readFileSync(file, 'utf8')).to.equal('the last one');
      expect(await rejects.close()).to.equal(undefined);
      expect(readFileSync(file, 'utf8')).to.equal('line\n3\n');
      expect(lstatSync(link).isSymbolicLink()).to.equal(true);
      expect(statSync(file).mode & 0o777).to.equal(0o640);
      expect(readdirSync(folder)).to.have.members(['rejects.csv', 'link.csv']);
    },
  );

  itInCi('given rejected rows that a spreadsheet would run, then --rejects writes them as text', async () => {
    const file = join(temporaryFolder(), 'rejects.csv');
    const rejects = await ListFile.open<{ line: number; text: string }>('--rejects', file, ['line', 'text']);
    await rejects.write({ line: -2, text: '=HYPERLINK("http://evil.example";A1)' });
    for (const text of ['+1', '-1', '@SUM(A1)', '\t=1', 'KORD']) await rejects.write({ line: 3, text });
    expect(await rejects.close()).to.equal(undefined);
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).to.deep.equal([
      'line,text',
      `-2,"'=HYPERLINK(""http://evil.example"";A1)"`,
      ...["3,'+1", "3,'-1", "3,'@SUM(A1)", "3,'\t=1", '3,KORD'],
    ]);
  });

  itInCi(
    'given a warning and --strict, then the exit code is 1, nothing goes in, and the report has it',
    async () => {
      const rows = ['KORD,2026-01-04T12:00:00Z,2026-01-05,18,31'];
      const ended = await run(LOAD, ['--strict', '--json', ...feed('forecasts', rows)], env);
      expect(ended.code).to.equal(1);
      const report = JSON.parse(ended.stdout) as Record<string, unknown>;
      const reason = '--strict: nothing is loaded because 0 rows are rejected and 1 are suspect';
      expect(report).to.include({ outcome: 'failed', reason, store: dataDir, store_was_empty: false });
      expect(report).to.have.nested.property('warnings[0].reason', 'high below low');
    },
  );

  // The warning and --strict above stand for it in `make test`.
  itInCi(
    'given a file that is refused and --json, then the report is a line as well, and says why',
    async () => {
      const [, observations = ''] = feed('observations', []);
      const ended = await run(LOAD, ['--json', '--forecasts', observations], env);
      expect(ended.code).to.equal(1);
      const reason = `${observations}: its first line must name`;
      expect(ended.stderr.startsWith(reason)).to.equal(true);
      expect(JSON.parse(ended.stdout)).to.deep.equal({
        outcome: 'failed',
        reason: ended.stderr.trimEnd(),
        store: dataDir,
      });
    },
  );
});
