import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkStaged } from '../../../src/ingest/check/check.js';
import { LoadTally } from '../../../src/ingest/load-tally.js';
import { ReportedDegrees } from '../../../src/ingest/stage/reported-degrees.js';
import { UnitCheck } from '../../../src/ingest/stage/unit-check.js';
import { StagedSummary } from '../../../src/ingest/stage/staged-summary.js';
import { Store } from '../../../src/store/store.js';
import { temporaryFolder } from '../../support/store.js';

/** An engine that is not asked for anything but the values before. */
const NO_ROWS = new Store(
  {
    queriesAtOnce: 1,
    read: () => Promise.resolve(Buffer.from('{"data":[],"statistics":{"rows_read":0}}')),
    write: () => Promise.reject(new Error('nothing is written')),
    close: () => Promise.resolve(),
  },
  { concurrency: 1, maxWaiting: 1, queryTimeoutSeconds: 10 },
);

describe('checkStaged', () => {
  it('given 100,001 suspect rows, then 100,000 are listed, and the warning counts them all', async () => {
    const file = join(temporaryFolder(), 'forecasts.csv');
    const rows = 100_001;
    const row = 'KORD,2026-01-01T00:00:00Z,2026-01-02,990,20\n';
    writeFileSync(file, `station_id,issued_at,target_date,high_f,low_f\n${row.repeat(rows)}`);
    const tally = new LoadTally(undefined);
    tally.beginFile('forecasts', file, 0);
    const suspect = { column: 'high_f', value_f: 990, lowest_f: 30, highest_f: 40 } as const;
    // Line 1 is the header.
    for (let line = 2; line < rows + 2; line += 1)
      tally.outlierMembers.push({ ...suspect, row_number: line });
    const staged = {
      tally,
      summary: new StagedSummary(),
      degrees: new ReportedDegrees(),
      units: new UnitCheck(),
    };
    const listed: number[] = [];
    await checkStaged(NO_ROWS, 1, staged, [], ({ line }) => Promise.resolve(void listed.push(line)));
    expect([listed.length, listed[0], listed.at(-1)]).to.deep.equal([100_000, 2, 100_001]);
    expect(tally.warnings.map(({ rows: count }) => count)).to.deep.equal([rows]);
  });
});
