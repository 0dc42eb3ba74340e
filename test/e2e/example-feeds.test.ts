import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { FEED_NAMES, FILE_KINDS, getColumns } from '../../src/feeds/feeds.js';
import { Rejection } from '../../src/feeds/values.js';
import { type LoadReport, reportText } from '../../src/ingest/load-report.js';
import { REASONS } from '../../src/ingest/check/suspect-rows.js';
import { ROW_CHECKS } from '../../src/ingest/stage/staged-summary.js';
import { VARIABLE_NAMES, VARIABLES } from '../../src/variables/variables.js';
import { load } from '../../src/ingest/load.js';
import type { FeedFiles } from '../../src/ingest/stage/stage.js';
import type { Store } from '../../src/store/store.js';
import { openTestStore, temporaryFolder } from '../support/store.js';

// Feeds that a user looks at to write their own: they load, and their README quotes the loader word for word.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const README = readFileSync(join(ROOT, 'examples/feeds/README.md'), 'utf8');

/** The clock of the README. */
const NOW = new Date('2026-11-22T12:00:00Z');

/** The flags of the README's commands, and the output below each. */
const COMMANDS = [
  ...README.matchAll(/```sh\n([^`]*npm run load[^`]*)```[^`]*(?:`[^`\n]+`[^`]*)*```text\n([^`]*)```/g),
];

const filesOf = (command: string): FeedFiles => {
  const named = [...command.matchAll(/--([\w-]+) (examples\/\S+)/g)];
  const of = (feed: string): string[] =>
    named.filter(([, flag]) => flag === feed.replace('_', '-')).map(([, , file = '']) => file);
  return Object.fromEntries(FILE_KINDS.map((kind) => [kind, of(kind)]));
};

/** The other commands of the README, and the output below each. */
const RECIPES = [...README.matchAll(/```sh\n((?:(?!npm run)[^`])*)```\n\n```text\n([^`]*)```/g)].map(
  ([, command = '', output = '']) => ({ command, output }),
);

/** The rows of the README's tables: file, line, and its text. */
const TABLE_ROWS = README.split(/(?=^\| Line of `)/m)
  .slice(1)
  .flatMap((table) => {
    const [, file = ''] = /^\| Line of `([^`]+)`/.exec(table) ?? [];
    return [...table.matchAll(/^\| (\d+) \| `([^`]+)` \|/gm)].map(([, line, text]) => [
      file,
      Number(line),
      text,
    ]);
  });

/** Every reason for which the sources of the loader reject a row, or warn of it. */
/** Texts that no cell, no number, no instant and no full hour may be. */
const WRONG = ['?', '\u0007', '99999', '-99999', '2026-01-01T00:30:00Z'];

/** Reasons of the readers of cells: what each says of wrong texts. */
function reasonsOfCells(): string[] {
  const columns = FEED_NAMES.flatMap((feed) => getColumns(feed));
  return columns.flatMap(({ name, read }) =>
    WRONG.flatMap((text) => {
      try {
        read(text, name);
        return [];
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        return [error.reason];
      }
    }),
  );
}

function reasonsInSource(): string[] {
  const folder = join(ROOT, 'src/ingest');
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const found = (form: RegExp): string[] => [...source.matchAll(form)].map(([, text = '']) => text);
  return [
    ...reasonsOfCells(),
    ...found(/(?:new Rejection\(|rejected\(last,)\s*['`]([^'`]+)['`]/g),
    ...found(/reason(?::| =) '([^']+)'/g),
    ...found(/(?<!\.)warn\('([^']+)'/g),
    ...found(/`(\$\{name\} (?:in|that|above) [^`]+)`/g),
    ...Object.keys(ROW_CHECKS),
    ...Object.values(REASONS),
  ]
    .map((reason) =>
      reason
        .replace('${name} in another unit', 'precip_chance in another unit')
        .replace('${name} above ${look.highest} ${look.unit}', 'precip_in above 15 inches')
        .replace('${MIN_MEMBERS}', '5'),
    )
    .flatMap((reason) =>
      reason === '${what} in the future'
        ? ['forecast issued', 'temperature measured', 'observation reported'].map(
            (what) => `${what} in the future`,
          )
        : [reason],
    );
}

describe('examples/feeds', () => {
  let store: Store;
  const reports: LoadReport[] = [];
  const rejected: unknown[][] = [];

  before(async () => {
    store = await openTestStore();
    for (const [, command = ''] of COMMANDS) {
      const onRejected = ({ file, line, text }: { file: string; line: number; text: string }) => {
        rejected.push([file.replace('examples/feeds/mistakes/', ''), line, text]);
        return Promise.resolve();
      };
      reports.push(await load(store, filesOf(command), { now: NOW, onRejected }));
    }
  });
  after(() => store.close());

  it('given the commands of the README, then the loader says what stands below each, to the letter', () => {
    expect(reports).to.have.lengthOf(2);
    for (const [index, report] of reports.entries()) {
      const lines = reportText(report).split('\n').slice(0, -1); // the last one tells seconds and memory
      expect(lines).to.deep.equal(COMMANDS[index]?.[2]?.trimEnd().split('\n'));
    }
  });

  it('given the recipes, then each writes what stands below it', () => {
    expect(RECIPES).to.have.lengthOf(5);
    for (const { command, output } of RECIPES) {
      expect(execFileSync('sh', ['-c', command], { cwd: ROOT, encoding: 'utf8' }), command).to.equal(output);
    }
  });

  it('given what the recipes make, one after the other, then every row of it goes in', async () => {
    const folder = temporaryFolder();
    const made = (name: string, recipe: number, source?: string): string => {
      const { command = '' } = RECIPES[recipe] ?? {};
      const file = join(folder, name);
      const text = source === undefined ? command : command.replace(/examples\S+us\.csv/, source);
      writeFileSync(file, execFileSync('sh', ['-c', text], { cwd: ROOT }));
      return file;
    };
    const files = {
      ...filesOf(''),
      stations: [made('stations.csv', 3), made('tickers.csv', 4)],
      observations: [made('us.csv', 0, made('ids.csv', 1)), made('celsius.csv', 2)],
    };
    const { outcome, feeds } = await load(store, files, { now: NOW });
    expect(outcome).to.equal('complete');
    expect([feeds.stations.rows_read, feeds.observations.rows_read]).to.deep.equal([11, 5]);
  });

  it('given the feeds, then every row goes in without a word', () => {
    expect(reports[0]).to.deep.include({ outcome: 'complete', rejections: [], warnings: [] });
  });

  it('given the mistakes, then each reason of the loader is there', () => {
    const { rejections = [], warnings = [] } = reports[1] ?? {};
    const shown = new Set([...rejections, ...warnings].map(({ reason }) => reason));
    // The feeds before name no provider, so that theirs is the default one, and no mistake; and they have four days.
    // Nor has an example an ensemble of over 10,000 members or of ten forecasts, a station that moves, or two with one alias. A
    // sentinel that is not far from others needs four other values.
    const longer = [
      'no provider beside named ones',
      REASONS['spike in days'],
      REASONS['climatology check'],
      'more than ${MAX_MEMBERS} members',
      'moved: observations of both places count as those of one station',
      'member that never changes',
      'bad member',
      '${name} that stands for a missing value',
      'alias that another station has: requests must name the station otherwise',
    ];
    // One code reads the numbers of all variables, and one compares those of a row: a mistake of each kind is enough.
    const labels = VARIABLE_NAMES.map((name) => VARIABLES[name].label.toLowerCase());
    const isLikeAnother = (reason: string): boolean =>
      labels.some((label) => reason.startsWith(`${label} `)) ||
      (reason in ROW_CHECKS && / below /.test(reason) && reason !== 'high below low');
    const known = reasonsInSource().filter((reason) => !longer.includes(reason) && !isLikeAnother(reason));
    expect([...shown].sort()).to.deep.equal([...new Set(known)].sort());
  });

  it('given a line that is rejected or warned of, then the README has it, and what to write', () => {
    const files = [...new Set(TABLE_ROWS.map(([file]) => String(file)))];
    for (const file of files) {
      const lines = readFileSync(join(ROOT, 'examples/feeds/mistakes', file), 'utf8')
        .trimEnd()
        .split('\n');
      const rows = lines.slice(1).map((text, index) => [file, index + 2, text]);
      expect(TABLE_ROWS.filter(([of]) => of === file)).to.deep.equal(rows);
    }
    expect(files).to.have.members(
      readdirSync(join(ROOT, 'examples/feeds/mistakes')).filter((name) => name.endsWith('.csv')),
    );
    const short = rejected.filter(([file]) => file !== 'long-line.csv.gz');
    expect(TABLE_ROWS).to.deep.include.members(short);
  });
});
