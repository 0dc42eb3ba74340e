import { expect } from 'chai';
import { ENDPOINTS } from '../../../src/endpoints.js';
import type { ErrorAnswer } from '../../support/contract/contract.js';
import { NOW, WINDOW } from '../../support/contract/data.js';
import { store } from '../../support/contract/shared.js';
import { download, downloadPairs, runScript } from '../../support/recompute/compare.js';
import { COVERED } from '../../support/recompute/requests.js';
import { startTestService, type TestService } from '../../support/service.js';
import { itInCi } from '../../support/runner/range.js';

const SUMMARY = `/api/v1/accuracy/summary/recompute.sql?${WINDOW}`;

// Scripts make the numbers of answers: test/integration/truth/recompute.test.ts.
describe('the scripts of answers', () => {
  let service: TestService;
  let pinned: string;

  before(async () => {
    const publicRead = { rateLimitPerMinute: 0, rowsPerMinute: 0 };
    service = await startTestService(store, { now: NOW, publicRead });
    const answer = await service.get('/api/v1/accuracy/summary');
    const { metadata } = answer.body as { metadata: { data_version: number; timeline: string } };
    pinned = `v${metadata.data_version}.${metadata.timeline}`;
  });

  const scriptOf = async (path: string): Promise<string> => (await download(service, path)).toString();
  const refused = async (path: string) => {
    const answer = await service.get(path);
    return [answer.status, (answer.body as ErrorAnswer).error] as const;
  };

  it('given every endpoint with a script, then each is tested against its numbers', () => {
    const paths = ENDPOINTS.filter(({ recompute }) => recompute !== undefined).flatMap(({ paths }) =>
      paths.slice(0, 1),
    );
    expect(paths.map((path) => path.slice(1).replace(':station_id', 'ID'))).to.have.members([
      ...COVERED,
      'accuracy/distribution', // by distribution-ties.test.ts: no other world has ties of all kinds
      'accuracy/by-bucket', // by wet-days.test.ts: no other world has chances
    ]);
  });

  it('given a request, then its script has two commands, and is of the latest version', async () => {
    const { headers } = await service.get(SUMMARY);
    expect(headers).to.include({ 'content-type': 'application/sql; charset=utf-8' });
    const [about, download, run] = (await scriptOf(SUMMARY)).split('\n');
    expect(about).to.equal(
      `-- Recomputes GET /api/v1/accuracy/summary?${WINDOW} of data version ${pinned}. DuckDB 1.5 or later.`,
    );
    expect(download).to.match(
      /^-- 1\. curl -fsS -H "Authorization: Bearer \$API_KEY" -o pairs\.parquet "\$\{BASE_URL:\?set it to the URL of the service\}\/api\/v1\/export\/pairs\?metric=high&date_from=[-\d]+&date_to=[-\d]+&provider=default&as_of=v[.\w]+&format=parquet"$/,
    );
    expect(run).to.equal('-- 2. duckdb -json -f recompute.sql');
  });

  it('given as_of, then the script is of that version, and a cache may keep it as the answer', async () => {
    for (const as_of of ['v1', pinned, '2000-01-01']) {
      const answer = await service.get(`/api/v1/accuracy/summary?${WINDOW}&as_of=${as_of}`);
      const script = await service.get(`${SUMMARY}&as_of=${as_of}`);
      expect(script.headers['cache-control']).to.equal(answer.headers['cache-control']);
      expect(script.headers.etag).not.to.equal(answer.headers.etag);
      expect(await scriptOf(`${SUMMARY}&as_of=${as_of}`)).to.include(
        as_of === '2000-01-01' ? '&as_of=1970-01-01&' : `&as_of=${as_of.slice(0, 2)}`,
      );
    }
  });

  it('given its ETag, then a 304; given HEAD, then no body', async () => {
    const { headers } = await service.get(SUMMARY);
    const again = await service.get(SUMMARY).set('If-None-Match', headers.etag ?? '');
    expect([again.status, again.headers.etag]).to.deep.equal([304, headers.etag]);
    const head = await service.request('head', SUMMARY).set('Authorization', `Bearer ${service.key}`);
    expect([head.status, head.headers['content-length']]).to.deep.equal([200, headers['content-length']]);
  });

  it('given a station in the path, by any name, then the export is of its id', async () => {
    expect(await scriptOf(`/api/v1/accuracy/by-date/chicago/recompute.sql?${WINDOW}`)).to.include(
      '&station_id=KORD&',
    );
  });

  it('given a public URL, then the command has it; given a host with a quote, then it is a 400', async () => {
    const published = await startTestService(store, {
      now: NOW,
      publicUrl: 'https://accuracy.example.org/fas',
    });
    const script = (await download(published, SUMMARY)).toString();
    expect(script).to.include("-o pairs.parquet 'https://accuracy.example.org/fas/api/v1/export/pairs?");
    const { status } = await service.get(SUMMARY).set('Host', "a';touch me'");
    expect(status).to.equal(400);
  });

  itInCi('given a file with more pairs than the question has, then the script takes its own', async () => {
    const question = `${WINDOW}&station_id=KORD&issued_hour=0&lead_time_bucket=0-6h`;
    const script = await scriptOf(`/api/v1/accuracy/hit-rate/recompute.sql?${question}`);
    const all = await download(
      service,
      `/api/v1/export/pairs?${WINDOW}&include_same_day=true&format=parquet`,
    );
    const found = await runScript(script, all);
    expect(found[0]).to.have.length(1);
    expect(found).to.deep.equal(await runScript(script, await downloadPairs(service, script)));
  });

  it('given known_at, format or what the SQL does not cover, then it is refused with the reason', async () => {
    const [status, { details }] = await refused(`${SUMMARY}&known_at=2024-03-01`);
    expect(status).to.equal(400);
    expect(details).to.deep.equal([
      {
        parameter: 'known_at',
        message: 'is not covered by recompute.sql: an export has all that its version knows; ask with as_of',
      },
    ]);
    expect((await refused(`${SUMMARY}&format=json`))[1].details).to.deep.equal([
      { parameter: 'format', message: 'is fixed for recompute.sql; leave it out' },
    ]);
    expect((await refused(`${SUMMARY}&days=0`))[0]).to.equal(400);
    expect((await refused(`${SUMMARY}&as_of=v999`))[0]).to.equal(
      (await refused(`/api/v1/accuracy/summary?as_of=v999`))[0],
    );
  });

  it('given an endpoint without a script, then a 404 lists those that have one', async () => {
    for (const path of [
      'accuracy/skill',
      'accuracy/peak-timing',
      'accuracy/peak-timing/KORD',
      'providers',
      'nothing',
    ]) {
      const [status, { message }] = await refused(`/api/v1/${path}/recompute.sql`);
      expect(status, path).to.equal(404);
      expect(message).to.match(/^there is no recompute\.sql here; .*\/accuracy\/summary\/recompute\.sql/);
    }
  });

  itInCi('given no pairs, then the script runs, and has the answer without pairs', async () => {
    const script = await scriptOf(
      '/api/v1/accuracy/summary/recompute.sql?date_from=1999-01-01&days=2&ci=0.9',
    );
    const [[data] = [], [metadata] = []] = await runScript(script, await downloadPairs(service, script));
    expect(data).to.include({ verification_pairs: '0', mae: null });
    expect(metadata).to.include({ total_records: '0' });
  });
});
