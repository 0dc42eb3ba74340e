import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { Command } from 'commander';
import { stringify } from 'csv-stringify';
import { readConfig } from '../config.js';
import { load } from '../ingest/load.js';
import type { Progress, RejectedRow } from '../ingest/stage.js';
import { reportText } from '../ingest/feed/report.js';
import { OperatorFault, runCommand } from '../operator-fault.js';
import { stopSignal } from '../stop-signal.js';
import { withLoadLock } from '../store/lock/lock.js';
import { openStore } from '../store/engine/open.js';

// npm run load -- --stations F --forecasts F --observations F [--rejects F] [--strict] [--json]

interface Options {
  stations: string[];
  forecasts: string[];
  observations: string[];
  rejects?: string;
  strict: boolean;
  json: boolean;
}

const EXIT_CODE = { complete: 0, some_rows_rejected: 3, failed: 1 } as const; // D25

await runCommand(async () => {
  const collect = (file: string, files: string[]): string[] => [...files, file];
  const program = new Command('load')
    .description(
      'Load feeds, .csv or .csv.gz. Exit code 0: all rows in, 3: some rejected, 1: failed, nothing in.',
    )
    .option('--stations <file>', 'station feed (repeatable)', collect, [])
    .option('--forecasts <file>', 'forecast feed (repeatable)', collect, [])
    .option('--observations <file>', 'observation feed (repeatable)', collect, [])
    .option('--rejects <file>', 'write the rejected rows here as CSV, with file, line and reason')
    .option('--strict', 'load nothing if any row is rejected', false)
    .option('--json', 'print the report as one JSON object', false)
    .parse();
  const options = program.opts<Options>();
  if (options.stations.length + options.forecasts.length + options.observations.length === 0) {
    program.error('nothing to load: give --stations, --forecasts or --observations (see --help)');
  }

  const config = readConfig(process.env);
  const rejects = options.rejects === undefined ? undefined : await openRejects(options.rejects);
  try {
    const { store, close } = await openStore(config, 'command');
    try {
      const loadOptions = {
        strict: options.strict,
        ...(rejects && { onRejected: rejects.write }),
        ...(process.stderr.isTTY && { onProgress: showProgress() }),
      };
      const report = await withLoadLock(store, (locked) => load(locked, options, loadOptions), {
        signal: stopSignal(),
        onWait: (line) => console.error(line),
      });
      console.log(options.json ? JSON.stringify(report) : reportText(report));
      process.exitCode = EXIT_CODE[report.outcome];
    } finally {
      await close();
    }
  } finally {
    await rejects?.close();
  }
});

async function openRejects(file: string) {
  const handle = await open(file, 'w').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorFault(`--rejects: cannot write ${file} (${error.code})`);
  });
  const columns = ['feed', 'file', 'line', 'reason', 'detail', 'text'];
  const lines = stringify({ header: true, columns });
  const output = lines.pipe(handle.createWriteStream());
  return {
    write: async (row: RejectedRow): Promise<void> => {
      if (!lines.write(row)) await once(lines, 'drain');
    },
    close: async (): Promise<void> => {
      lines.end();
      await finished(output);
    },
  };
}

/** One line on the terminal, written over: rows, rows per second and the share of the file. */
function showProgress(): (progress: Progress) => void {
  let current = '';
  let started = 0;
  return ({ file, rows, share }) => {
    if (file !== current) {
      current = file;
      started = performance.now();
    }
    const perSecond = Math.round((rows / Math.max(1, performance.now() - started)) * 1000);
    const line = `${file}: ${rows.toLocaleString('en-US')} rows, ${perSecond.toLocaleString('en-US')} rows/s, ${Math.round(share * 100)} %`;
    process.stderr.write(`\r\x1b[K${line}${share >= 1 ? '\n' : ''}`);
  };
}
