import { expect } from 'chai';
import { exportQuery, type ScriptParams } from '../../../src/recompute/script.js';

// No other test holds how many stations the export of a script names: more would not fit into its URL.

describe('the export of a script', () => {
  const queryOf = (stations: number): URLSearchParams =>
    exportQuery(
      {
        window: { period_start: '2026-01-01', period_end: '2026-01-31', days_analyzed: 31 },
        ...{ metric: 'high', provider: { name: 'default' }, leadTimes: { leads: 'all', buckets: [] } },
        station: Array.from({ length: stations }, (_, at) => ({ station_id: `K${at}` })),
      } as unknown as ScriptParams,
      'v1.k7q2',
      new URLSearchParams('country=US&days=31'),
    );

  it('given 200 stations of a country, then it names them; of 201, it names the country', () => {
    const [named, chosen] = [queryOf(200), queryOf(201)];
    expect(named.get('stations')?.split(',')).to.have.lengthOf(200);
    expect([named.get('country'), chosen.get('country'), chosen.get('stations')]).to.deep.equal([
      null,
      'US',
      null,
    ]);
  });

  it('given one station, then it is the one of the export, of its version, as Parquet', () => {
    expect(Object.fromEntries(queryOf(1))).to.include({
      station_id: 'K0',
      as_of: 'v1.k7q2',
      format: 'parquet',
    });
  });
});
