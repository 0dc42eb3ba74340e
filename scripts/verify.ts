import { Command } from 'commander';
import { readConfig } from '../src/config.js';
import { repair, verify } from '../src/ingest/verify.js';
import { runCommand } from '../src/operator-fault.js';
import { openStore } from '../src/store/open.js';

// npm run verify -- [--repair]

await runCommand(async () => {
  const options = new Command('verify')
    .description('Hold the ledger and the histograms against each other. Exit code 0: sound, 1: not.')
    .option('--repair', 'settle every station day anew and mend the histograms first', false)
    .parse()
    .opts<{ repair: boolean }>();
  const { store, close } = await openStore(readConfig(process.env), 'command');
  try {
    if (options.repair) await repair(store);
    const findings = await verify(store);
    for (const [what, count] of Object.entries(findings))
      console.log(`${what.replaceAll('_', ' ')}: ${count}`);
    const sound = Object.values(findings).every((count: number) => count === 0);
    console.log(sound ? 'the store is sound' : 'the store is not sound; npm run verify -- --repair mends it');
    process.exitCode = sound ? 0 : 1;
  } finally {
    await close();
  }
});
