import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { filesOfClients } from '../../../scripts/clients/files.js';
import { isThere, runPython } from '../../support/clients/python.js';
import { temporaryFolder } from '../../support/store.js';
import { itInCi } from '../../support/runner/range.js';
import { skip } from '../../support/runner/skip.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PYTHON = join(ROOT, 'clients/python/forecast_accuracy_client');

describe('the clients in clients/', () => {
  it('given the document of this code, then their types are written from it', async () => {
    for (const [file, text] of await filesOfClients()) {
      const isSame = readFileSync(join(ROOT, file), 'utf8') === text;
      expect(isSame, `${file} is not of this code: npm run generate`).to.equal(true);
    }
  });

  // Its words are those of the first test; that they run is e2e.
  itInCi('given python3, then every file of its client compiles', async function () {
    if (!(await isThere('python3'))) skip(this, 'no python3');
    const files = readdirSync(PYTHON).filter((file) => file.endsWith('.py'));
    expect(files).to.include('client.py');
    const paths = files.map((file) => join(PYTHON, file));
    await runPython(['-m', 'py_compile', ...paths], { PYTHONPYCACHEPREFIX: temporaryFolder() });
  });
});
