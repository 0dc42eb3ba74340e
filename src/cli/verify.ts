import { Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config.js';
import { audit, type Finding, repair } from '../ingest/audit.js';
import { stopSignal } from './stop-signal.js';
import { rejectLostFacts } from '../store/damage.js';
import { numberText } from '../lib/text.js';
import { withLoadLock } from '../store/lock/lock.js';
import { withStore } from '../store/engine/open.js';
import { commandText } from '../lib/user-error.js';

// npm run verify -- [--month YYYY-MM] [--repair [--accept-loss]]

const ADVICE = {
  true: 'the store is still not sound, because inserting the difference does not repair the rest',
  false: `the store is not sound; ${commandText('verify', '--repair')} repairs it`,
};

export default new Command('verify')
  .description('Compare facts, ledger and histograms. Exit code 0: sound, 1: not.')
  .option('--month <month>', 'check only this month, such as 2026-01', parseMonth)
  .option('--repair', 'insert the difference, then check again', false)
  .option('--accept-loss', 'repair from the facts that can be read, even if some cannot', false)
  .action(async (options: { month?: string; repair: boolean; acceptLoss: boolean }) => {
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
