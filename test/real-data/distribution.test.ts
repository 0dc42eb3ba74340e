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

interface Scores {
  coverage: { level: number; observed: number }[];
  spread_to_error: number;
  against: { normal: { difference: { value: number; high: number } } };
}

describe('given the forecasts for Las Vegas with their standard deviations', function () {
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

  it('then the blend holds as worked out from the same files apart from it, one case for each station day', async () => {
    const { body } = await ask(service, 'accuracy/distribution?date_from=2026-05-01&date_to=2026-09-15');
    const { data, metadata } = body as { data: Scores[]; metadata: Record<string, unknown> };
    expect(metadata).to.include({ total_records: 101, cases_without_distribution: 0 });
    const [record] = data;
    const observed = record?.coverage.map(({ level, observed }) => [level, observed]);
    expect(observed).to.deep.equal([
      ...[
        [5, 0.0495],
        [10, 0.0693],
        [20, 0.1386],
        [25, 0.1386],
        [30, 0.1485],
        [40, 0.2277],
        [50, 0.4406],
      ],
      ...[
        [60, 0.6535],
        [70, 0.7822],
        [75, 0.7921],
        [80, 0.7921],
        [90, 0.9505],
        [95, 0.9604],
      ],
    ]);
    expect(record?.spread_to_error).to.equal(1.11);
  });

  it('then it beats a normal of the errors of these very days', async () => {
    const { body } = await ask(service, 'accuracy/distribution?date_from=2026-05-01&date_to=2026-09-15');
    const { difference } = (body as { data: Scores[] }).data[0]!.against.normal;
    expect(difference.value).to.be.closeTo(-0.0446, 1e-4);
    expect(difference.high).to.be.below(0);
  });
});
