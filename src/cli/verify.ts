import { Command } from 'commander';
import { readConfig } from '../config.js';
import { audit, type Finding, repair } from '../ingest/audit.js';
import { stopSignal } from '../stop-signal.js';
import { refuseLostFacts } from '../store/damage.js';
import { withLoadLock } from '../store/lock/lock.js';
import { openStore } from '../store/engine/open.js';

// npm run verify -- [--repair [--accept-loss]]

const ADVICE = {
  true: 'the store is still not sound: inserting the difference does not repair what is left',
  false: 'the store is not sound; npm run verify -- --repair mends it',
};

export default new Command('verify')
  .description('Compare facts, ledger, cases and histograms. Exit code 0: sound, 1: not.')
  .option('--repair', 'insert the difference, then check again', false)
  .option('--accept-loss', 'repair from the facts that can be read, even if some cannot', false)
  .action(async (options: { repair: boolean; acceptLoss: boolean }) => {
    const { store, close } = await openStore(readConfig(process.env), 'command');
    try {
      // Under the load lock: in the middle of a load the tables need not agree.
      const left = await withLoadLock(
        store,
        async (locked) => {
          const findings = await audit(locked);
          if (findings.length === 0) return findings;
          console.log(tableOf(findings));
          if (!options.acceptLoss) await refuseLostFacts(locked);
          if (!options.repair) return findings;
          await repair(locked, findings, options);
          console.log('\nrepaired; looking again');
          return audit(locked);
        },
        { signal: stopSignal(), onWait: (line) => console.error(line) },
      );
      if (options.repair && left.length > 0) console.log(tableOf(left));
      console.log(left.length === 0 ? 'the store is sound: nothing differs' : ADVICE[`${options.repair}`]);
      process.exitCode = left.length === 0 ? 0 : 1;
    } finally {
      await close();
    }
  });

/** The findings in columns, one a line. */
function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map(({ month, table, rows, fault }) => [
    month,
    table,
    rows.toLocaleString('en-US'),
    fault,
  ]);
  const lines = [['month', 'table', 'rows', 'fault'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(([month = '', table = '', rows = '', fault = '']) =>
      [month.padEnd(widths[0] ?? 0), table.padEnd(widths[1] ?? 0), rows.padStart(widths[2] ?? 0), fault].join(
        '  ',
      ),
    )
    .join('\n');
}
