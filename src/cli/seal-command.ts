import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { readConfig } from '../config.js';
import { type AskProbability, type SealOptions, sealProbabilities } from '../ingest/odds-load.js';
import { numberText, splitWords } from '../lib/text.js';
import { UserError } from '../lib/user-error.js';
import { withLocalService } from '../publish/local-service.js';
import { sql } from '../queries/sql.js';
import { formatVerifierKey } from '../seals/formats/checkpoint.js';
import { originOf } from '../seals/seal-log.js';
import { errorCode } from '../store/store-errors.js';
import { withStore } from '../store/engine/open.js';
import { TIMELINE } from '../store/timeline.js';
import { METRICS } from '../variables/variables.js';
import { stopSignal } from './stop-signal.js';

// npm run seal -- init
// npm run seal -- odds [--stations KNYC,KORD] [--days 3] [--thresholds 80,85]

const seal = new Command('seal').description('Sign the log of versions, and seal odds before their day');
export default seal;

seal
  .command('init')
  .description(
    'make the key that signs checkpoints, in the new file that SEAL_KEY_FILE names, and print its verifier key',
  )
  .action(async () => {
    const config = readConfig(process.env);
    const { keyFile, origin } = config.seals;
    if (keyFile === undefined) throw new UserError('SEAL_KEY_FILE: must name the new file of the key');
    const key = generateKeyPairSync('ed25519').privateKey;
    const timeline = await withStore(config, (store) =>
      store.queryOne(sql.rows(z.object({ timeline: z.string() }))`SELECT (${TIMELINE}) AS timeline`),
    );
    writeKey(keyFile, key.export({ type: 'pkcs8', format: 'pem' }).toString());
    console.log(
      `${keyFile} has the key: keep a copy where no backup of the data is, and start the server with SEAL_KEY_FILE`,
    );
    console.log(formatVerifierKey({ name: originOf({ origin }, timeline.timeline), key }));
  });

function writeKey(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const code = errorCode(error);
    throw new UserError(
      code === 'EEXIST'
        ? `SEAL_KEY_FILE: ${file} is there already; remove it to make another key, which is another log`
        : `SEAL_KEY_FILE: cannot write ${file} (${code}); name a file in a folder that is there`,
      { cause: error },
    );
  }
}

/** Beside the days, parameters of /probability as they are. */
type DayOptions = Pick<SealOptions, 'stations' | 'variables' | 'days'> &
  Partial<Record<'thresholds' | 'brackets' | 'providers' | 'tempUnit', string>>;

function readDays(text: string): number {
  if (!/^([1-9]|[12]\d|30)$/.test(text)) throw new InvalidArgumentError('give a whole number from 1 to 30.');
  return Number(text);
}

seal
  .command('odds')
  .description(
    'Seal the odds of days that have not begun, as /probability gives them now. Exit code 0: all, 3: some are left out, 1: none.',
  )
  .option('--stations <ids>', 'by commas (default: all that are active)', splitWords)
  .option('--variables <names>', 'by commas', splitWords, METRICS)
  .option('--days <number>', 'days of each station, from its next one on', readDays, 1)
  .option('--thresholds <degrees>', 'the odds of these degrees or more, by commas')
  .option('--brackets <ranges>', 'the odds of these ranges (default: six around each forecast)')
  .option('--providers <names>', 'one provider, or those of a blend, by commas')
  .option('--temp-unit <unit>', 'fahrenheit or celsius')
  .action(sealDays);

async function sealDays({ stations, variables, days, tempUnit, ...given }: DayOptions): Promise<void> {
  const config = readConfig(process.env);
  const parameters = { ...given, ...(tempUnit !== undefined && { temp_unit: tempUnit }) };
  const clock = (): Date => new Date();
  const lock = { signal: stopSignal(), onWait: console.error };
  const options = { stations, variables, days, parameters, clock, lock };
  const { version, sealed, left_out } = await withStore(config, (store) =>
    withLocalService({ store, now: clock(), defaultProvider: config.defaultProvider }, (ask) => {
      const askOne: AskProbability = async (query) => {
        const { status, body } = await ask(`/api/v1/probability?${new URLSearchParams(query).toString()}`);
        return { status, body: JSON.parse(body.toString()) as unknown };
      };
      return sealProbabilities(store, askOne, options);
    }),
  );
  console.log(`v${version} has the odds of ${numberText(sealed)} station days`);
  if (left_out.length === 0) return;
  console.log(`${numberText(left_out.length)} are left out, such as ${left_out[0]}`);
  process.exitCode = 3;
}
