import { Command } from 'commander';
import { type Config, readConfig } from '../config.js';
import { FILE_KINDS, type FileKind } from '../feeds/feeds.js';
import { load } from '../ingest/load.js';
import type { FeedFiles } from '../ingest/stage/stage.js';
import { type RejectedRow, reportText } from '../ingest/load-report.js';
import { UNMATCHED_COLUMNS, type UnmatchedForecast } from '../ingest/apply/unmatched.js';
import { UserError } from '../lib/user-error.js';
import { stopSignal } from './stop-signal.js';
import { withLoadLock } from '../store/lock/lock.js';
import { withStore } from '../store/engine/open.js';
import { ListFile } from './list-file.js';
import { rejectSameFile } from './same-file.js';
import { showLoadProgress } from './progress.js';

// npm run load -- --stations F --forecasts F --members F --observations F --normals F --hours F --hourly-forecasts F [--rejects F] [--suspects F] [--unmatched F] [--strict] [--json]

interface Options extends Record<Exclude<FileKind, 'hourly_forecasts'>, string[]> {
  hourlyForecasts: string[];
  rejects?: string;
  suspects?: string;
  unmatched?: string;
  strict: boolean;
  acceptLoss: boolean;
  json: boolean;
}

const EXIT_CODE = { complete: 0, some_rows_rejected: 3, failed: 1 } as const;

const REJECT_COLUMNS = ['feed', 'file', 'line', 'reason', 'detail', 'text'] as const;

const append = (file: string, files: string[]): string[] => [...files, file];

export default new Command('load')
  .description(
    'Load feeds, .csv or .csv.gz. Exit code 0: all rows loaded, 3: some rejected, 1: failed, nothing loaded.',
  )
  .option('--stations <file>', 'station feed (repeatable)', append, [])
  .option('--forecasts <file>', 'forecast feed (repeatable)', append, [])
  .option('--members <file>', 'members of ensemble forecasts, a row each (repeatable)', append, [])
  .option('--observations <file>', 'observation feed (repeatable)', append, [])
  .option('--normals <file>', 'feed of climatological normals (repeatable)', append, [])
  .option('--hours <file>', 'feed of reports within the day (repeatable)', append, [])
  .option('--hourly-forecasts <file>', 'feed of forecasts of full hours (repeatable)', append, [])
  .option('--rejects <file>', 'write rejected rows to this CSV file, with file, line and reason')
  .option(
    '--suspects <file>',
    'write rows with a value far from others, or quantiles that fall, to this CSV file in the same way',
  )
  .option('--unmatched <file>', 'write forecasts for the loaded days without an observation to this CSV file')
  .option('--strict', 'load nothing if any row is rejected or is suspect', false)
  .option('--accept-loss', 'also load into months for which the disk has lost facts', false)
  .option('--json', 'print the report as one JSON object', false)
  .action(loadFeeds);

async function loadFeeds(options: Options, program: Command): Promise<void> {
  const files: FeedFiles = { ...options, hourly_forecasts: options.hourlyForecasts };
  const given = listGiven(files);
  if (given.length === 0) {
    program.error(
      'nothing to load: give --stations, --forecasts, --members, --observations, --normals, --hours or --hourly-forecasts (see --help)',
    );
  }

  const config = readConfig(process.env);
  const { unmatched: unmatchedFile } = options;
  await rejectSameFile(given, listWritten(options));
  const rejects = await openListFile<RejectedRow>('--rejects', options.rejects, REJECT_COLUMNS);
  const suspects = await openListFile<RejectedRow>('--suspects', options.suspects, REJECT_COLUMNS);
  const unmatched = await openListFile<UnmatchedForecast>('--unmatched', unmatchedFile, UNMATCHED_COLUMNS);
  const onProgress = showLoadProgress();
  try {
    await withStore(config, async (store) => {
      const signal = stopSignal();
      const loadOptions = {
        strict: options.strict,
        acceptLoss: options.acceptLoss,
        signal,
        ...(rejects && { onRejected: rejects.write }),
        ...(suspects && { onSuspect: suspects.write }),
        ...(unmatched && { onUnmatched: unmatched.write }),
        onProgress,
      };
      const report = await withLoadLock(store, (locked) => load(locked, files, loadOptions), {
        signal,
        onWait: console.error,
      });
      onProgress.end();
      const into = storeLocation(config);
      console.log(
        options.json
          ? JSON.stringify({ ...report, store: into })
          : reportText(report, { into, unmatched: unmatchedFile }),
      );
      process.exitCode = EXIT_CODE[report.outcome];
    });
  } catch (error) {
    if (options.json && error instanceof UserError) {
      console.log(JSON.stringify({ outcome: 'failed', reason: error.message, store: storeLocation(config) }));
    }
    throw error;
  } finally {
    onProgress.end();
    await closeListFiles([rejects, suspects, unmatched]);
  }
}

type NamedFile = readonly [option: string, file: string];

/** The feeds of a command, each with its option. */
const listGiven = (files: FeedFiles): NamedFile[] =>
  FILE_KINDS.flatMap((kind) =>
    (files[kind] ?? []).map((file) => [`--${kind.replace('_', '-')}`, file] as const),
  );

/** The files that a command writes, each with its option. */
const listWritten = (options: Options): NamedFile[] =>
  (['rejects', 'suspects', 'unmatched'] as const).flatMap((option) => {
    const file = options[option];
    return file === undefined ? [] : [[`--${option}`, file] as const];
  });

const openListFile = async <Row extends object>(
  option: string,
  file: string | undefined,
  columns: readonly (keyof Row & string)[],
): Promise<ListFile<Row> | undefined> =>
  file === undefined ? undefined : ListFile.open<Row>(option, file, columns);

/** Completes the files beside a load. Comes after its outcome, which a file beside it does not change. */
async function closeListFiles(
  files: readonly (Pick<ListFile<object>, 'close'> | undefined)[],
): Promise<void> {
  const failures: (string | undefined)[] = [];
  for (const file of files) failures.push(await file?.close());
  for (const failure of failures) {
    if (failure === undefined) continue;
    console.error(failure);
    process.exitCode = 1;
  }
}

/** The folder or the server that holds the store, without secrets. */
export function storeLocation({ dataDir, clickhouse: { url, database } }: Config): string {
  return url === undefined ? dataDir : `${new URL(url).origin}, database ${database}`;
}
