import { join } from 'node:path';
import { expect } from 'chai';
import { load } from '../../src/ingest/load.js';
import type { Store } from '../../src/store/store.js';
import { ask } from '../support/answers.js';
import { feedFile, folderOf, linesOf, OBSERVATION_COLUMNS, STATION_COLUMNS } from '../support/real-data.js';
import { startTestService, type TestService } from '../support/service.js';
import { openTestStore } from '../support/store.js';

// Forecasts of the National Blend of Models for Las Vegas in the summer of 2026, and how sure it was. The folder is
// named by PROVIDERS_DIR; it is not part of this repository.

const directory = folderOf('PROVIDERS_DIR');

const HOUR = 3_600_000;

describe('given the forecasts for Las Vegas with their spreads', function () {
  this.timeout(120_000);
  let store: Store;
  let service: TestService;

  before(async () => {
    const [header = '', ...forecasts] = linesOf(join(directory, 'klas-forecasts.csv.gz'));
    const observations = linesOf(join(directory, '../hours/klas-cli.csv.gz'))
      .slice(1)
      .map((line) => {
        const [date = '', high] = line.split(',');
        const noonAfter = new Date(Date.parse(date) + 44 * HOUR).toISOString();
        return `KLAS,${date},${high},,verified,${noonAfter}`;
      });
    store = await openTestStore();
    const report = await load(store, {
      stations: feedFile('stations', [
        STATION_COLUMNS,
        'KLAS,Las Vegas,US,36.08,-115.15,America/Los_Angeles,BWh,true,,LAS,standard',
      ]),
      forecasts: feedFile('forecasts', [
        `${header},low_f`,
        ...forecasts.filter((line) => line.split(',')[1] === 'nbm').map((line) => `${line},`),
      ]),
      observations: feedFile('observations', [OBSERVATION_COLUMNS, ...observations]),
    });
    expect(report.outcome).to.equal('complete');
    service = await startTestService(store, { now: '2026-10-01T12:00:00Z' });
  });
  after(() => store.close());

  it('then errors are as large as the spread says, one for each station day with its latest forecast', async () => {
    const { data, metadata } = (await ask(service, 'spread-skill?date_from=2026-05-01&date_to=2026-09-15'))
      .body as { data: Record<string, number>[]; metadata: Record<string, unknown> };
    const fields = ['spread_from_f', 'cases', 'mean_spread', 'mae', 'rmse', 'rmse_to_spread'];
    expect(data.map((record) => fields.map((name) => record[name]))).to.deep.equal([
      [0.5, 48, 1, 0.54, 0.87, 0.87],
      [1.5, 42, 2, 1.07, 1.57, 0.78],
      [2.5, 9, 3, 2.56, 3.54, 1.18],
      [3.5, 1, 4, 4, 4, 1],
      [4.5, 1, 5, 3, 3, 0.6],
    ]);
    expect(metadata).to.include({ total_records: 101, cases_without_spread: 0, rank_correlation: 0.3711 });
  });

  it('then one station of so few days has no probabilities to compare with', async () => {
    const { metadata } = (await ask(service, 'spread-skill?date_from=2026-05-01&date_to=2026-09-15')).body;
    expect(metadata.crps).to.include({ cases: 0, days: 0, cases_without_training: 101 });
  });
});
