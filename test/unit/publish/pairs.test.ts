import { expect } from 'chai';
import { eachMonth, exportOfMonth, pairsFile, readFromCopy } from '../../../src/publish/pairs.js';

const SCRIPT = `-- Recomputes GET /api/v1/accuracy/summary of data version v1.
-- 1. curl -o pairs.parquet https://example.org
-- 2. duckdb -json -f recompute.sql
-- Rows are those of data.
FROM 'pairs.parquet'
WHERE city = 'FROM ''pairs.parquet''';
`;

describe('the pairs of a copy', () => {
  it('given days, then their months, also over a turn of the year', () => {
    expect([...eachMonth('2025-11-30', '2026-02-01')]).to.deep.equal([
      '2025-11',
      '2025-12',
      '2026-01',
      '2026-02',
    ]);
    expect([...eachMonth('2026-02-28', '2026-02-28')]).to.deep.equal(['2026-02']);
  });

  it('given a month, then its export ends on its last day', () => {
    expect(exportOfMonth('gfs', '2024-02')).to.include({ date_from: '2024-02-01', date_to: '2024-02-29' });
    expect(exportOfMonth('gfs', '2026-12')).to.include({ date_to: '2026-12-31', provider: 'gfs' });
  });

  it('given a script of the service, then it reads the files of the copy, and its literals stay', () => {
    const files = [pairsFile('gfs', '2026-01'), pairsFile('gfs', '2026-02')];
    const script = readFromCopy(SCRIPT, 'recompute/a.sql', files);
    expect(script).to.include("duckdb -json -f 'recompute/a.sql'");
    expect(script).to.include(`FROM read_parquet([
  getvariable('copy') || 'pairs/provider=gfs/2026-01.parquet',
  getvariable('copy') || 'pairs/provider=gfs/2026-02.parquet'])
WHERE city = 'FROM ''pairs.parquet''';`);
    expect(script).not.to.include('curl');
    expect(script.indexOf('SET VARIABLE copy')).to.be.within(1, script.indexOf('getvariable') - 1);
  });

  it('given a script of another form, then it is an error, not a script that reads nothing', () => {
    for (const line of ['-- 2. duckdb -json -f recompute.sql\n', "FROM 'pairs.parquet'\n"])
      expect(() => readFromCopy(SCRIPT.replace(line, ''), 'a.sql', [])).to.throw('another form');
  });
});
