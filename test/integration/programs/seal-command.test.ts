import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readVersions } from '../../../src/seals/log.js';
import { CHICAGO } from '../../support/ingest/loads.js';
import { killPrograms, run, ServerProgram } from '../../support/process.js';
import {
  beside,
  expectRefusal,
  feedArguments,
  lastLine,
  LOAD,
  newKey,
  VERIFY,
} from '../../support/programs.js';
import { itInCi } from '../../support/runner/range.js';
import { openNote, parseVerifierKey } from '../../support/seals/notes.js';
import { writeLog } from '../../support/seals/rewrites.js';
import { temporaryFolder } from '../../support/store.js';

// Only here: the key as a file, and the commands that read seals. Their findings are tried in test/integration/seals.
describe('npm run seal', () => {
  const env = { DATA_DIR: temporaryFolder(), SEAL_KEY_FILE: join(temporaryFolder(), 'seal.pem') };
  after(killPrograms);

  itInCi(
    'given init, then its key signs checkpoints, which verify --against takes, and no backup has it',
    async () => {
      const made = await run('seal', ['init'], env);
      expect(made.code, made.stderr).to.equal(0);
      expect(statSync(env.SEAL_KEY_FILE).mode & 0o777).to.equal(0o600);
      expectRefusal(await run('seal', ['init'], env), /^SEAL_KEY_FILE: .+ is there already; remove it/m);
      expect(await run(LOAD, feedArguments({ stations: [CHICAGO] }), env)).to.include({ code: 0 });
      expectRefusal(
        await run('seal', ['odds', '--variables', 'high'], env),
        /^no odds to seal: KORD high .+: forecast is missing, and the store has no forecast for KORD/m,
      );
      const server = await ServerProgram.start({ ...env, SEAL_ORIGIN: 'example.org/accuracy' });
      const note = await (await server.get('/api/v1/seals', await newKey(env))).text();
      const verifier = lastLine(made.stdout).replace('forecast-accuracy.invalid', 'example.org/accuracy');
      expect(() => openNote(note, [parseVerifierKey(verifier)]), 'a key is of its origin').to.throw();
      const file = join(temporaryFolder(), 'checkpoint.txt');
      writeFileSync(file, note);
      const against = await run(VERIFY, ['--against', file, '--seals'], env);
      expect(against).to.include({ code: 0 });
      expect(against.stdout).to.match(/^the log goes on from .+\n.+ each version is as it was sealed\n$/);
      await beside(env, async (store) => {
        const [version] = await readVersions(store);
        const leaf = version!.leaf.replace('"recorded_at":"20', '"recorded_at":"19');
        await writeLog(store, [{ version: 1, leaf }]);
      });
      const rewritten = await run(VERIFY, ['--against', file], env);
      expect(rewritten).to.include({ code: 1 });
      expect(rewritten.stdout).to.match(/^the first 1 versions of the log are not those of the checkpoint: /);
      server.kill('SIGTERM');
      await server.end();
      writeFileSync(file, note.replace(/^(.*\n)1\n/, '$12\n'));
      expect((await run(VERIFY, ['--against', file], { DATA_DIR: env.DATA_DIR })).stdout).to.equal(
        'the checkpoint has 2 versions, but the log has 1\n',
      );
      expectRefusal(await run(VERIFY, ['--against', file], env), /signature of .+ is missing or wrong/);
      const secret = readFileSync(env.SEAL_KEY_FILE, 'utf8').split('\n')[1] ?? '';
      expect(secret).to.have.length.above(40);
      const to = join(temporaryFolder(), 'backup');
      expect(await run('backup', ['--to', to], env)).to.include({ code: 0 });
      expect(readFileSync(join(to, 'backup.json'), 'utf8')).not.to.include(secret);
    },
  );
});
