import { join } from 'node:path';
import { expect } from 'chai';
import { traceRequest } from '../../../scripts/sql/trace.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Program } from '../../support/process.js';
import { expectRefusal } from '../../support/programs.js';
import { itInCi } from '../../support/runner/range.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

const STATIONS = ['KORD,Chicago,US,41.98,-87.9,America/Chicago,Dfa,true,,ORD'];

// No other test guards that what a developer reads here is what the store ran.
describe('npm run sql', () => {
  it('given a request, then its statements have their bound values before them, shared ones apart', async () => {
    const store = await openTestStore();
    await loadLines(store, { stations: STATIONS });
    const path = '/api/v1/accuracy/summary?city=Chicago&date_from=2026-09-01&date_to=2026-09-30';
    const { status, statements } = await traceRequest(store, path);
    expect(status).to.equal(200);
    const own = statements.filter(({ isShared }) => !isShared).map(({ text }) => text);
    expect(own).to.have.length(1);
    const [set = '', ...select] = own[0]!.split('\n');
    const names = (text: string, pattern: RegExp): string[] =>
      [...new Set(Array.from(text.matchAll(pattern), ([, name = '']) => name))].sort();
    expect(names(set, /param_(\w+) = /g)).to.deep.equal(names(select.join('\n'), /\{(\w+): /g));
    expect(set).to.include("'KORD'").and.include("'2026-09-01'");
    expect(select.join('\n')).to.match(/^SELECT[^]+ FROM [^]+;$/);
    expect(statements.some(({ text, isShared }) => isShared && text.includes('FROM current_stations'))).to.be
      .true;
    await store.close();
  });

  itInCi(
    'given a folder, then the program prints them; without a URL or data it says what to give',
    async () => {
      const run = (argument: string, DATA_DIR: string) =>
        new Program('sql', [argument], { DATA_DIR }).end(60_000);
      const folder = temporaryFolder();
      const { code, stdout, stderr } = await run(
        'http://localhost:8080/api/v1/accuracy/summary?days=9',
        folder,
      );
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(/^-- \/api\/v1\/accuracy\/summary\?days=9\nSET param_/m);
      expectRefusal(await run('/', join(folder, 'missing')), 'DATA_DIR: ');
      expectRefusal(await run('days=9', folder), "give a URL: npm run sql -- '/api");
    },
  );
});
