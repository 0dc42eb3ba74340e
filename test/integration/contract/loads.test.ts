import { expect } from 'chai';
import { load } from '../../../src/ingest/load.js';
import { beginLoad } from '../../../src/ingest/load-events.js';
import type { Store } from '../../../src/store/store.js';
import { type Contract, contractOn } from '../../support/contract/contract.js';
import { loadLines, writeFeeds } from '../../support/ingest/feeds.js';
import { FEEDS, FORECASTS, rows } from '../../support/ingest/loads.js';

// Guards the list of loads: what each did, in pages, and that as_of takes what it lists; and that metadata.data_version
// is the last finished load (D31), in new answers and in kept ones.

const LOADS = '/api/v1/loads';

interface Load {
  version: number;
  outcome: string;
  reason: string | null;
  started_at: string;
  finished_at: string | null;
  providers: string[];
  pairs_added: number | null;
  pairs_withdrawn: number | null;
  feeds: object[];
}

const counts = (feed: string, ...of: Parameters<typeof rows>): object => {
  const { rows_read, rows_new, rows_corrected, rows_unchanged, rows_rejected } = rows(...of);
  return { feed, rows_read, rows_new, rows_corrected, rows_unchanged, rows_rejected };
};

describe('GET /api/v1/loads', function () {
  let store: Store;
  let contract: Contract;

  before(async () => {
    ({ store, contract } = await contractOn([]));
  });
  after(() => store.close());
  const page = async (query = ''): Promise<{ versions: number[]; next: unknown }> => {
    const { data, metadata } = await contract.ok<Load[]>(`${LOADS}${query}`);
    return { versions: data.map(({ version }) => version), next: metadata.next_before };
  };

  const dataVersions = async (): Promise<unknown[]> => {
    const paths = [LOADS, '/api/v1/accuracy/summary', '/api/v1/providers', '/api/v1'];
    return Promise.all(paths.map(async (path) => (await contract.ok(path)).metadata.data_version));
  };

  it('given no load, then the list is empty, without a next page', async () => {
    expect(await page()).to.deep.equal({ versions: [], next: null });
    expect(await dataVersions()).to.deep.equal([0, 0, 0, 0]);
  });

  it('given loads that bring, correct and reject, fail and are under way, then each says what it did', async () => {
    await loadLines(store, FEEDS);
    expect(await dataVersions()).to.deep.equal([1, 1, 1, 1]);
    const other = 'KORD,2026-01-04T18:00:00Z,2026-01-05,33,18,nimbus,false';
    const unknown = FORECASTS.map((line) => `${line.replace('KORD', 'KXXX')},,`);
    await loadLines(store, {
      columns: 'all',
      forecasts: [other, ...unknown],
      observations: ['KORD,2026-01-05,31,17,preliminary,2026-01-06T06:00:00Z,false'],
    });
    await loadLines(store, { columns: 'all', forecasts: unknown }, { strict: true });
    const { forecasts } = writeFeeds({ forecasts: [] });
    const refused = load(store, { observations: forecasts });
    expect(await refused.catch((error: Error) => error.message)).to.match(/^\/.+: its first line must name/);
    await beginLoad(store);
    const { data } = await contract.ok<Load[]>(LOADS);
    const all = {
      stations: [0, 0, 0, 0],
      forecasts: [0, 0, 0, 0],
      observations: [0, 0, 0, 0],
      normals: [0, 0, 0, 0],
      hours: [0, 0, 0, 0],
      hourly_forecasts: [0, 0, 0, 0],
    } as const;
    type Counts = Partial<Record<keyof typeof all, Parameters<typeof rows>>>;
    const loadOf = (version: number, outcome: string, of: Counts, more: Partial<Load> = {}): object => ({
      ...{ version, outcome, reason: null, providers: [], pairs_added: null, pairs_withdrawn: null },
      ...{ alarms_raised: [], alarms_cleared: [], ...more },
      feeds: Object.entries({ ...all, ...of }).map(([feed, [...row]]) =>
        counts(feed, ...(row as Parameters<typeof rows>)),
      ),
    });
    const missing =
      'observations: its first line must name the columns station_id,date,high_f,low_f,status,observed_at; missing: date, status, observed_at';
    const strict = '--strict: nothing is loaded because 2 rows are rejected and 0 are suspect';
    expect(data.map(({ started_at: _, finished_at: __, ...load }) => load)).to.deep.equal([
      loadOf(5, 'unfinished', {}),
      loadOf(4, 'failed', {}, { reason: missing }),
      loadOf(
        3,
        'failed',
        { forecasts: [0, 0, 0, 2] },
        { reason: strict, pairs_added: 0, pairs_withdrawn: 0 },
      ),
      // Two highs against a corrected value, and nimbus's high and low.
      loadOf(
        2,
        'some_rows_rejected',
        { forecasts: [1, 0, 0, 2], observations: [0, 1, 0, 0] },
        { providers: ['nimbus'], pairs_added: 4, pairs_withdrawn: 2 },
      ),
      loadOf(
        1,
        'complete',
        { stations: [2, 0, 0, 0], forecasts: [2, 0, 0, 0], observations: [1, 0, 0, 0] },
        { providers: ['default'], pairs_added: 4, pairs_withdrawn: 0 },
      ),
    ]);
    const times = data.map(({ started_at, finished_at }) => [started_at, finished_at ?? 'none']);
    expect(times[0]?.[1]).to.equal('none');
    for (const [started = '', finished = ''] of times) expect(started <= finished).to.equal(true);
    expect(await dataVersions()).to.deep.equal([2, 2, 2, 2]);
  });

  it('given limit and before, then the pages follow each other to the last', async () => {
    expect(await page('?limit=2')).to.deep.equal({ versions: [5, 4], next: 4 });
    expect(await page('?limit=3&before=4')).to.deep.equal({ versions: [3, 2, 1], next: null });
    expect(await page('?before=1')).to.deep.equal({ versions: [], next: null });
  });

  it('given after, then only later loads come, in pages, newest first; another timeline is refused', async () => {
    const { metadata } = await contract.ok(LOADS);
    expect(await page('?after=v3')).to.deep.equal({ versions: [5, 4], next: null });
    expect(await page(`?after=v2.${String(metadata.timeline)}&limit=2`)).to.deep.equal({
      versions: [5, 4],
      next: 4,
    });
    expect(await page('?after=2&limit=2&before=4')).to.deep.equal({ versions: [3], next: null });
    expect(await page('?after=v5')).to.deep.equal({ versions: [], next: null });
    expect((await page('?after=v0')).versions).to.have.lengthOf(5);
    for (const [after, message] of [
      [
        'v2.zzzz',
        /^after names timeline zzzz, but the data have timeline \w{4}, of which every load is new; leave it out$/,
      ],
      ['v-1', /^after must be a version of the data, such as v412 or v412\.k7q2, or v0 for all loads$/],
    ] as const) {
      const error = await contract.refused(`${LOADS}?after=${after}`, 400, 'INVALID_PARAMETER');
      expect(error.message).to.match(message);
    }
  });

  it('given a finished load, then as_of takes its version, and says the same time', async () => {
    const { data } = await contract.ok<Load[]>(`${LOADS}?before=3&limit=1`);
    const summary = await contract.ok(`/api/v1/accuracy/summary?as_of=v${data[0]?.version}`);
    expect(summary.metadata.as_of).to.deep.equal({
      requested: 'v2',
      version: 2,
      recorded_at: data[0]?.finished_at,
    });
  });

  it('given CSV, then there is a row per load and feed', async () => {
    const { text } = await contract.get(`${LOADS}?format=csv&before=2`);
    const [header, ...lines] = text.trimEnd().split('\r\n');
    expect(header).to.equal(
      'version,outcome,reason,started_at,finished_at,providers,pairs_added,pairs_withdrawn,alarms_raised,alarms_cleared,feed,rows_read,rows_new,rows_corrected,rows_unchanged,rows_rejected',
    );
    expect(lines.map((line) => line.split(',').slice(5).join(','))).to.deep.equal([
      'default,4,0,,,stations,2,2,0,0,0',
      'default,4,0,,,forecasts,2,2,0,0,0',
      'default,4,0,,,observations,1,1,0,0,0',
      'default,4,0,,,normals,0,0,0,0,0',
      'default,4,0,,,hours,0,0,0,0,0',
      'default,4,0,,,hourly_forecasts,0,0,0,0,0',
    ]);
  });
});
