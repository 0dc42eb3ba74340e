import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../config.js';
import { audit, type Finding, repair } from '../ingest/audit.js';
import { stopSignal } from './stop-signal.js';
import { rejectLostFacts } from '../store/damage.js';
import { numberText } from '../lib/text.js';
import { withLoadLock } from '../store/lock/lock.js';
import { withStore } from '../store/engine/open.js';
import { errorCode } from '../store/store-errors.js';
import { checkSeals, compareWithCheckpoint, type SealFinding } from '../seals/compare-seals.js';
import { readSigner } from '../seals/seal-log.js';
import { commandText, UserError } from '../lib/user-error.js';

// npm run verify -- [--month YYYY-MM] [--repair [--accept-loss]] [--seals] [--against FILE]

const ADVICE = {
  true: 'the store is still not sound, because inserting the difference does not repair the rest',
  false: `the store is not sound; ${commandText('verify', '--repair')} repairs it`,
};

export default new Command('verify')
  .description('Compare facts, ledger and histograms. Exit code 0: sound, 1: not.')
  .option('--month <month>', 'check only this month, such as 2026-01', parseMonth)
  .option('--repair', 'insert the difference, then check again', false)
  .option('--accept-loss', 'repair from the facts that can be read, even if some cannot', false)
  .addOption(
    new Option('--seals', 'compare the facts with the seals of their versions instead').conflicts('repair'),
  )
  .addOption(
    new Option(
      '--against <file>',
      'compare the log of versions with a checkpoint that was kept, instead of the tables',
    ).conflicts('repair'),
  )
  .action(async (options: Options) => {
    if (options.seals === true || options.against !== undefined) {
      await verifySeals(options);
      return;
    }
    await withStore(readConfig(process.env), async (store) => {
      // Under the load lock: in the middle of a load the tables need not agree.
      const left = await withLoadLock(
        store,
        async (locked) => {
          const findings = await audit(locked, options);
          if (findings.length === 0) return findings;
          console.log(makeTable(findings));
          if (!options.acceptLoss) await rejectLostFacts(locked);
          if (!options.repair) return findings;
          await repair(locked, findings, options);
          console.log('\nrepaired; checking again');
          return audit(locked, options);
        },
        { signal: stopSignal(), onWait: console.error },
      );
      if (options.repair && left.length > 0) console.log(makeTable(left));
      console.log(
        left.length === 0
          ? `${options.month ?? 'the store'} is sound: nothing differs`
          : ADVICE[`${options.repair}`],
      );
      process.exitCode = left.length === 0 ? 0 : 1;
    });
  });

interface Options {
  month?: string;
  repair: boolean;
  acceptLoss: boolean;
  seals?: true;
  against?: string;
}

/** Compares the facts with their seals, the log with a checkpoint, or both. */
async function verifySeals({ month, seals, against }: Options): Promise<void> {
  const config = readConfig(process.env);
  const note = against === undefined ? undefined : readNote(against);
  await withStore(config, async (store) => {
    const { key } = readSigner(config.seals);
    const lock = { signal: stopSignal(), onWait: console.error };
    const found = await withLoadLock(
      store,
      async (locked) => [
        ...(note === undefined ? [] : [await compareWithCheckpoint(locked, note, key)]),
        ...(seals === true ? (await checkSeals(locked, month)).map(sealText) : []),
      ],
      lock,
    );
    const wrong = found.filter((line) => line !== undefined);
    for (const line of wrong) console.log(line);
    if (wrong.length === 0 && note !== undefined) console.log(`the log goes on from ${against}`);
    if (wrong.length === 0 && seals === true)
      console.log(`${month ?? 'the store'} is sound: each version is as it was sealed`);
    process.exitCode = wrong.length === 0 ? 0 : 1;
  });
}

function readNote(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(
      `--against: ${file} cannot be read (${errorCode(error)}); name a checkpoint that was kept`,
      {
        cause: error,
      },
    );
  }
}

const sealText = ({ version, feed, month, sealed, found }: SealFinding): string =>
  feed === 'seal'
    ? `v${version}: its seal is missing or not whole; the next load seals versions of an older service`
    : `v${version}: ${feed} of ${month} differ from the seal: ${numberText(sealed)} facts sealed, ${numberText(found)} found`;

function parseMonth(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text))
    throw new InvalidArgumentError('It must be a month, such as 2026-01.');
  return text;
}

/** The findings in columns, one a line. */
function makeTable(findings: readonly Finding[]): string {
  const rows = findings.map(({ month, table, rows, error: failure }) => [
    month,
    table,
    numberText(rows),
    failure,
  ]);
  const lines = [['month', 'table', 'rows', 'error'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(([month = '', table = '', rows = '', failure = '']) =>
      [
        month.padEnd(widths[0] ?? 0),
        table.padEnd(widths[1] ?? 0),
        rows.padStart(widths[2] ?? 0),
        failure,
      ].join('  '),
    )
    .join('\n');
}
