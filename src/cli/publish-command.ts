import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config.js';
import { rejectDataFolder } from '../publish/copy-places.js';
import { publish, type PublishOptions } from '../publish/publish.js';
import { readSigner } from '../seals/seal-log.js';
import { stopSignal } from './stop-signal.js';
import { withStore } from '../store/engine/open.js';
import { numberText, splitWords } from '../lib/text.js';
import { METRICS } from '../variables/variables.js';

// forecast-accuracy publish DIR

const list = (text: string): string[] => [...new Set(splitWords(text))];

function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('give a whole number from 1 on.');
  return Number(text);
}

/** A URL as PUBLIC_URL takes it. */
function readUrl(text: string): string | undefined {
  try {
    return readConfig({ PUBLIC_URL: text }).publicUrl;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message.replace('PUBLIC_URL: ', ''));
  }
}

type Given = Omit<PublishOptions, 'fullService' | 'seals' | 'now' | 'signal'> & { baseUrl?: string };

export default new Command('publish')
  .description('Write a copy of the dashboard and its data into a folder that any static host serves')
  .argument(
    '<DIR>',
    'new or empty folder, or that of an earlier copy, where only files of that copy are replaced',
  )
  .option('--metrics <names>', 'variables, by commas', list, METRICS)
  .option('--days <windows>', 'windows, in days, by commas', list, ['90'])
  .option('--stations <ids>', 'these stations beside all together, by commas (default: each)', list)
  .option('--units <units>', 'us, metric, si or several (default: those of each station)', list, [])
  .option('--no-pairs', 'leave out the pairs as Parquet, and the scripts that read them')
  .option('--base-url <url>', 'the full service, for links to it (default: PUBLIC_URL)', readUrl)
  .option('--max-files <number>', 'refuse a larger copy', readCount, 20_000)
  .action(async (dir: string, { baseUrl, ...given }: Given) => {
    const config = readConfig(process.env);
    rejectDataFolder(resolve(dir), config.dataDir);
    const fullService = baseUrl ?? config.publicUrl;
    const seals = readSigner(config.seals);
    const options = { ...given, fullService, seals, now: new Date(), signal: stopSignal() };
    const { files, kept, bytes, data_version } = await withStore(config, (store) =>
      publish(store, resolve(dir), config.defaultProvider, options),
    );
    const { user, system } = process.cpuUsage();
    console.log(
      `${resolve(dir)}: ${numberText(files)} files, ${numberText(kept)} as before, ${(bytes / 1e6).toFixed(1)} MB, data version ${data_version}, ${((user + system) / 1e6).toFixed(1)} s of processor`,
    );
  });
