import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { z } from 'zod';
import { backup } from '../../src/backup/backup.js';
import { restore } from '../../src/backup/restore.js';
import { audit } from '../../src/ingest/audit.js';
import { load } from '../../src/ingest/load.js';
import type { FeedFiles } from '../../src/ingest/stage/stage.js';
import { endLoadLocks } from '../../src/store/lock/lock.js';
import type { Store } from '../../src/store/store.js';
import { sql } from '../../src/queries/sql.js';
import { missingOf, shownAnswers } from '../support/documents.js';
import { feedFile, folderOf, linesOf } from '../support/real-data.js';
import { startTestService, type TestService } from '../support/service.js';
import { openTestStore, temporaryFolder } from '../support/store.js';
import { itHasTheScoresOfTheIndependentProgram } from './probability-2021.js';

// Six months of real forecasts, with the answers of an independent program (pandas, numpy, zoneinfo). The folder is
// named by NWS_2021_DIR; it is not part of this repository.

const directory = folderOf('NWS_2021_DIR');

const FILES = {
  stations: [join(directory, 'stations.csv')] as [string],
  forecasts: [join(directory, 'forecasts.csv.gz')] as [string],
  observations: [join(directory, 'observations.csv.gz')] as [string],
};

interface Expected {
  request: string;
  data: unknown;
  metadata: unknown;
}

const EXPECTED = JSON.parse(
  gunzipSync(readFileSync(join(directory, 'expected.json.gz'))).toString(),
) as Expected[];

describe('given six months of National Weather Service forecasts', function () {
  this.timeout(300_000);
  let store: Store;
  let service: TestService;

  before(async () => {
    store = await openTestStore();
    service = await startTestService(store);
    const report = await load(store, FILES);
    expect(report.outcome).to.equal('complete');
    console.log(
      `      loaded ${report.rows_per_second} rows/s in ${report.seconds} s, peak memory ${report.peak_memory_mb} MB`,
    );
  });

  it(`then the answers to ${EXPECTED.length} requests agree with the independent program`, async () => {
    const agreeing = await agreement(service);
    console.log(`      requests that agree: ${agreeing} of ${EXPECTED.length}`);
    expect(agreeing).to.equal(160);
  });

  it('then 270 forecasts for Chicago count as 44, and do not show a bias', async () => {
    const response = await service
      .get('/api/v1/accuracy/summary?station_id=KORD&date_to=2021-07-31&ci=0.95')
      .expect(200);
    const { data } = response.body as { data: { mean_error: number; uncertainty: { mean_error: unknown } } };
    expect(data.mean_error).to.equal(0.53);
    expect(data.uncertainty.mean_error).to.deep.equal({
      low: -0.55,
      high: 1.61,
      std_error: 0.47,
      n_eff: 43.5,
    });
  });

  it('then lead times on the same days rise with the lead, where those of all days do not', async () => {
    const curve = async (query: string): Promise<unknown[]> => {
      const response = await service.get(
        `/api/v1/accuracy/by-lead-time?date_from=2021-01-30&date_to=2021-07-31&align=matched${query}`,
      );
      const { data } = response.body as {
        data: {
          lead_time_bucket: string;
          stats: { mae: number };
          matched: { mae: number; cases: number } | null;
        }[];
      };
      return data.flatMap(({ lead_time_bucket, stats, matched }) =>
        stats.mae === null ? [] : [[lead_time_bucket, stats.mae, matched?.mae, matched?.cases]],
      );
    };
    expect(await curve('')).to.deep.equal([
      ['0-6h', 2.23, 2.22, 24036],
      ['6-12h', 2.1, undefined, undefined],
      ['12-24h', 2.4, 2.43, 24036],
      ['24-48h', 2.6, 2.64, 24036],
    ]);
    expect(await curve('&lead_time_bucket=6-12h,12-24h,24-48h')).to.deep.equal([
      ['6-12h', 2.1, 2.11, 4966],
      ['12-24h', 2.4, 2.25, 4966],
      ['24-48h', 2.6, 2.4, 4966],
    ]);
  });

  it('then skill rises with the lead, as its reference goes from one day old to two', async () => {
    const response = await service.get('/api/v1/accuracy/skill?date_from=2021-01-30&date_to=2021-07-31');
    const { data } = response.body as { data: Record<string, number & { value: number }>[] };
    const shown = data
      .slice(0, 4)
      .map((record) => [
        ...[
          record.lead_time_bucket,
          record.cases,
          record.cases_without_reference,
          record.mae,
          record.reference_mae,
        ],
        ...[record.skill_mae?.value, record.mean_reference_lag_days],
      ]);
    // By plain loops over the feeds.
    expect(shown).to.deep.equal([
      ['0-6h', 24438, 0, 2.23, 5.75, 0.6129, 1],
      ['6-12h', 5077, 0, 2.1, 4.81, 0.5624, 1],
      ['12-24h', 29594, 163, 2.4, 7.66, 0.6866, 2],
      ['24-48h', 29352, 0, 2.6, 7.69, 0.6622, 2],
    ]);
  });

  for (const name of ['comparison.md', 'uncertainty.md']) {
    it(`then they are what ${name} shows of them`, async () => {
      const ofThese = shownAnswers(name).filter(({ request }) => request.includes('2021-'));
      expect(ofThese).to.have.length(1);
      for (const { request, lines } of ofThese) {
        const response = await service.get(request).expect(200);
        const missing = lines.flatMap((line) =>
          missingOf(line, response.body as { data: unknown; metadata: unknown }),
        );
        expect(missing, request).to.deep.equal([]);
      }
    });
  }

  itHasTheScoresOfTheIndependentProgram(() => service);

  it('then each pair stands once or not at all in the ledger', () => expectSoundLedger(store));

  it('when the same files are loaded again, then no number changes', async () => {
    const report = await load(store, FILES);
    expect(report.pairs_added).to.equal(0);
    expect(report.pairs_withdrawn).to.equal(0);
    expect(await agreement(service)).to.equal(160);
  });

  /** The observations of a status, as a packed file. */
  const withStatus = (status: string): [string] => {
    const [header = '', ...lines] = linesOf(FILES.observations[0]);
    const path = join(temporaryFolder(), 'part.csv.gz');
    const taken = lines.filter((line) => line.includes(`,${status},`));
    writeFileSync(path, gzipSync([header, ...taken, ''].join('\n')));
    return [path];
  };
  const { stations, forecasts } = FILES;

  it('when they are backed up and restored, then no number changes, and an audit finds nothing', async () => {
    const folder = join(temporaryFolder(), 'backup');
    await backup(store, folder);
    const restored = await openTestStore();
    await restore(restored, folder);
    expect(await agreement(await startTestService(restored))).to.equal(160);
    expect(await audit(restored)).to.deep.equal([]);
    await endLoadLocks(restored);
    await restored.close();
  });

  for (const [what, loads] of [
    [
      'observations are loaded before forecasts, and verified before preliminary ones',
      () => [
        { stations, observations: withStatus('verified') },
        { observations: withStatus('preliminary') },
        { forecasts },
      ],
    ],
    [
      'verified values replace preliminary ones',
      () => [
        { stations, forecasts, observations: withStatus('preliminary') },
        { observations: withStatus('verified') },
      ],
    ],
  ] as [string, () => FeedFiles[]][]) {
    it(`when ${what}, then the numbers are the same, and each forecast has exactly one pair`, async () => {
      const other = await openTestStore();
      let withdrawn = 0;
      for (const files of loads()) withdrawn = (await load(other, files)).pairs_withdrawn;
      if (what.startsWith('verified')) expect(withdrawn).to.be.greaterThan(1000);
      expect(await agreement(await startTestService(other))).to.equal(160);
      await expectSoundLedger(other);
      await other.close();
    });
  }

  it('when they come as a second provider, then each is answered as if it were alone', async () => {
    const other = await openTestStore();
    const [header = '', ...lines] = linesOf(FILES.forecasts[0]);
    const written = (provider: string, rows: string[]): [string] =>
      feedFile(provider, [`${header},provider`, ...rows.map((row) => `${row},${provider}`)]);
    // Two degrees too warm, every third row missing.
    const warmer = lines
      .filter((_, index) => index % 3 !== 0)
      .map((line) => {
        const [station, issuedAt, targetDate, high = '', low = ''] = line.split(',');
        const warm = (text: string): string => (text === '' ? '' : `${Number(text) + 2}`);
        return [station, issuedAt, targetDate, warm(high), warm(low)].join(',');
      });
    await load(other, { ...FILES, forecasts: written('warmer', warmer) });
    await load(other, { forecasts: written('nws', lines) });
    const both = await startTestService(other);
    expect(await agreement(both, '&provider=nws')).to.equal(160);
    expect(await agreement(both, '', false), 'those of the default provider, warmer').to.be.below(80);
    expect(await audit(other)).to.deep.equal([]);
    await other.close();
  });

  after(() => store.close());
});

/** How many of the requests are answered as the independent program answers them. */
async function agreement({ get }: TestService, more = '', report = true): Promise<number> {
  let agreeing = 0;
  for (const { request, data, metadata } of EXPECTED) {
    const response = await get(`${request}${more}`);
    const { status } = response;
    const body = response.body as unknown;
    const faults = status === 200 ? differences({ data, metadata }, body) : [`status ${status}`];
    if (faults.length === 0) agreeing += 1;
    else if (report) console.log(`      ${request}: ${faults.slice(0, 3).join('; ')}`);
  }
  return agreeing;
}

/** Where an answer differs from the expected one, over the keys that are expected; floats within 0.0051 (D9). */
function differences(expected: unknown, actual: unknown, path = ''): string[] {
  if (typeof expected === 'number' && typeof actual === 'number') {
    const same =
      Number.isInteger(expected) && path.match(/pairs|days|size|records/) !== null
        ? expected === actual
        : Math.abs(expected - actual) <= 0.0051;
    return same ? [] : [`${path} is ${actual}, not ${expected}`];
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length !== actual.length) {
    return [`${path} has ${actual.length} members, not ${expected.length}`];
  }
  if (typeof expected === 'object' && expected !== null && typeof actual === 'object' && actual !== null) {
    return Object.entries(expected).flatMap(([key, value]) =>
      differences(value, (actual as Record<string, unknown>)[key], `${path}.${key}`),
    );
  }
  return Object.is(expected, actual)
    ? []
    : [`${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`];
}

async function expectSoundLedger(store: Store): Promise<void> {
  const [ledger] = await store.query(
    sql.rows(
      z.object({ unsound_pairs: z.number(), unsound_keys: z.number() }),
    )`SELECT countIf(standing NOT IN (0, 1)) AS unsound_pairs,
      (SELECT countIf(standing NOT IN (0, 1))
        FROM (SELECT sum(sign) AS standing FROM pairs GROUP BY metric, provider, station_id, target_date, issued_at)) AS unsound_keys
    FROM (
      SELECT sum(sign) AS standing
      FROM pairs
      GROUP BY metric, provider, station_id, target_date, issued_at, local_midnight, lead_time_bucket, forecast, actual, error, observation_status
    )`,
  );
  expect(ledger).to.deep.equal({ unsound_pairs: 0, unsound_keys: 0 });
}
