import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { contract as onlyFirst } from '../../support/contract/shared.js';
import { FEEDS, NOW, WINDOW } from '../../support/contract/data.js';
import { Contract, type SuccessAnswer } from '../../support/contract/contract.js';
import { askDuckDb } from '../../support/duckdb.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Listening } from '../../support/listen.js';
import { describeInCi, itInCi, range } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { openWorld } from '../../support/worlds.js';

const API = '/api/v1';

/** Every accuracy endpoint, and questions that read each of their sources. */
const QUESTIONS = [
  `accuracy/summary?${WINDOW}`,
  `accuracy/summary?${WINDOW}&station_id=KORD&metric=low`,
  `accuracy/by-date?${WINDOW}&include_preliminary=true`,
  `accuracy/by-date/KORD?${WINDOW}`,
  `accuracy/by-station/KORD?${WINDOW}&include_raw=true`,
  `accuracy/by-station/KPWM?${WINDOW}`,
  `accuracy/by-lead-time?${WINDOW}`,
  `accuracy/by-lead-time?${WINDOW}&include_same_day=true`,
  `accuracy/by-city?${WINDOW}`,
  `accuracy/by-city?${WINDOW}&lead_time_bucket=0-6h,same-day`,
  `accuracy/by-city?date_from=2024-03-01&days=30&sort_by=mae`,
  `accuracy/by-city?${WINDOW}&city=Portland`,
];

const { stations = [], observations = [], forecasts = [] } = FEEDS;

/** Lines of forecasts as a provider's. */
const as = (provider: string, lines: readonly string[]): string[] =>
  lines.map((line) => `${line},${provider},`);

/** The forecasts of the shared data, some of them warmer, as another provider's. */
const OTHERS = as(
  'nimbus',
  forecasts
    .filter((_, index) => index % 5 !== 4)
    .map((line, index) => {
      const [station, issued, target, high] = line.split(',');
      return `${station},${issued},${target},${Number(high) + (index % 3)},`;
    }),
);

/** An answer without what time, and a load that changes nothing, do to it. */
const untimed = ({ data, metadata }: SuccessAnswer<unknown>): unknown => {
  return { data, metadata: { ...metadata, query_time_ms: 0, data_version: 0, timeline: '' } };
};

/** Loads lines of forecasts that say their provider. */
const say = (store: Store, ...lines: string[]) => loadLines(store, { columns: 'all', forecasts: lines });

const serve = async (store: Store, defaultProvider?: string): Promise<Contract> =>
  Contract.of(await startTestService(store, { now: NOW, defaultProvider }));

/** The providers that a store lists, the default one with a word. */
async function listed(store: Store, defaultProvider?: string): Promise<string[]> {
  const { data } = await (
    await serve(store, defaultProvider)
  ).ok<{ provider: string; is_default: boolean }[]>(`${API}/providers`);
  return data.map(({ provider, is_default }) => `${provider}${is_default ? ', the default' : ''}`);
}

describe('providers (D27)', function () {
  let both: Store;
  let second: Store;
  let contract: Contract;
  let onlySecond: Contract;

  before(async () => {
    both = await openWorld([FEEDS]);
    second = await openTestStore();
    await loadLines(second, { stations, observations });
    await say(second, ...OTHERS);
    [contract, onlySecond] = [await serve(both), await serve(second)];
  });
  after(() => Promise.all([both.close(), second.close()]));

  it('given a load of a new provider, then it is known at once, and the default stays', async () => {
    const path = `${API}/accuracy/summary`;
    await contract.refused(`${path}?provider=nimbus`, 404, 'PROVIDER_NOT_FOUND');
    await say(both, ...OTHERS);
    expect((await contract.ok(`${path}?provider=nimbus`)).metadata.provider).to.equal('nimbus');
    expect((await contract.ok(path)).metadata.provider).to.equal('default');
  });

  for (const question of range({ test: 1, ci: Infinity }, QUESTIONS)) {
    it(`given ${question}, then each provider answers what it answers alone, and the default without a name`, async () => {
      const path = `${API}/${question}`;
      const ofFirst = await onlyFirst.ok(path);
      const ofSecond = await onlySecond.ok(path);
      expect(ofFirst.data).not.to.deep.equal(ofSecond.data);
      expect(untimed(await contract.ok(path))).to.deep.equal(untimed(ofFirst));
      expect(await contract.tag(`${path}&provider=default`)).to.equal(await contract.tag(path));
      expect(untimed(await contract.ok(`${path}&provider=nimbus`))).to.deep.equal(untimed(ofSecond));
      expect(ofSecond.metadata.provider).to.equal('nimbus');
      const { headers } = await contract.get(`${path}&provider=nimbus&format=csv`);
      expect(headers['content-disposition']).to.include('nimbus');
    });
  }

  itInCi(
    'given an export of all providers, then it is the rows of each, with a last column for whose',
    async () => {
      const server = await Listening.start(contract.service);
      const get = (query: string) => server.download(`${API}/export/pairs?${WINDOW}&${query}`);
      const linesOf = async (query: string): Promise<string[]> =>
        (await get(query)).body.toString().split('\r\n').slice(0, -1);
      const expected: string[] = [];
      for (const provider of ['default', 'nimbus']) {
        const [header = '', ...lines] = await linesOf(`provider=${provider}`);
        expect(header).not.to.include('provider');
        expected.push(...lines.map((line) => `${line},${provider}`));
      }
      const key = (line: string): string => {
        const [metric, station, date, issued] = line.split(',');
        return [date, metric, station, issued, line.split(',').at(-1)].join(' ');
      };
      expected.sort((one, other) => (key(one) < key(other) ? -1 : 1));

      const [header = '', ...lines] = await linesOf('provider=all');
      expect(header.split(',').slice(-2)).to.deep.equal(['observation_status', 'provider']);
      expect(lines).to.deep.equal(expected);
      const { headers } = await get('provider=all');
      expect(headers['x-provider']).to.equal('all');
      expect(headers['x-total-pairs']).to.equal(`${expected.length}`);
      expect(headers['content-disposition']).to.include('export-pairs-all-2024');
      const [, version] = /^(\d+-[a-z0-9]{4})\.0$/.exec(String(headers['x-export-cursor'])) ?? [];
      for (const skip of [1, 2, expected.length - 1]) {
        const [, ...rest] = await linesOf(`provider=all&cursor=${version}.${skip}`);
        expect(rest).to.deep.equal(expected.slice(skip));
      }
      const ofFormat = {
        ndjson: (await get('provider=all&format=ndjson')).body.toString().trim().split('\n'),
        parquet: await askDuckDb(
          (await get('provider=all&format=parquet')).body,
          'parquet',
          'SELECT * FROM {file}',
        ),
      };
      const providers = expected.map((line) => line.split(',').at(-1));
      expect(
        ofFormat.ndjson.map((line) => (JSON.parse(line) as { provider: string }).provider),
      ).to.deep.equal(providers);
      expect(ofFormat.parquet.map(({ provider }) => provider)).to.deep.equal(providers);
      await server.stop();
    },
  );

  itInCi(
    'given an export, then each provider has its own rows, and X-Provider says whose they are',
    async () => {
      for (const query of ['', 'include_same_day=true', 'lead_time_bucket=0-6h']) {
        const path = `${API}/export/pairs?${WINDOW}&${query}`;
        for (const [name, alone] of [
          ['nimbus', onlySecond],
          ['default', onlyFirst],
        ] as const) {
          const { text, headers } = await contract.get(
            `${path}${name === 'nimbus' ? '&provider=nimbus' : ''}`,
          );
          expect(text, name).to.equal((await alone.get(path)).text);
          expect(headers['x-provider']).to.equal(name);
          expect(headers['content-disposition']?.includes(name)).to.equal(name === 'nimbus');
        }
      }
    },
  );

  it('given a name that none has, then those there are are listed', async () => {
    for (const path of ['accuracy/by-station/KORD', 'export/pairs']) {
      const { message } = await contract.refused(`${API}/${path}?provider=gfs`, 404, 'PROVIDER_NOT_FOUND');
      expect(message).to.match(/^Unknown provider "gfs"\. Available: default, nimbus$/);
    }
  });

  describeInCi('given loads of forecasts with and without a provider', () => {
    let store: Store;

    beforeEach(async () => {
      store = await openTestStore();
    });
    afterEach(() => store.close());

    /** How many rows the load of a forecast by each of these warns of. */
    const warnedOf = async (...providers: string[]): Promise<number> => {
      // The first of the shared data is far from the others of its day.
      const lines = providers.map((provider, index) => `${forecasts[index + 1]},${provider},`);
      const { warnings } = await say(store, ...lines);
      if (warnings.length > 0)
        expect(warnings.map(({ feed, reason }) => [feed, reason])).to.deep.equal([
          ['forecasts', 'no provider beside named ones'],
        ]);
      return warnings.reduce((sum, { rows }) => sum + rows, 0);
    };

    it('when none was loaded, then the default has no pairs, and any other name is unknown', async () => {
      for (const [defaultProvider, name] of [
        [undefined, 'default'],
        ['nws', 'nws'],
      ] as const) {
        const empty = await serve(store, defaultProvider);
        const { data, metadata } = await empty.ok<{ verification_pairs: number }>(`${API}/accuracy/summary`);
        expect([metadata.provider, data.verification_pairs]).to.deep.equal([name, 0]);
        await empty.refused(`${API}/accuracy/summary?provider=other`, 404, 'PROVIDER_NOT_FOUND');
        expect((await empty.ok(`${API}/providers`)).data).to.deep.equal([
          {
            provider: name,
            is_default: true,
            stations: 0,
            first_target_date: null,
            last_target_date: null,
            verification_pairs: 0,
            alarms: [],
          },
        ]);
      }
    });

    it('when all of the first load are named, then the default is that of its first row', async () => {
      await loadLines(store, { stations });
      expect(await warnedOf('nws', 'gfs', 'nws', 'aifs')).to.equal(0);
      expect(await listed(store)).to.deep.equal(['aifs', 'gfs', 'nws, the default']);
      expect(await warnedOf('nam')).to.equal(0);
      expect(await warnedOf('')).to.equal(1);
    });

    // The tests beside it stand for it in `make test`.
    itInCi('when none of the first load is named, then none is warned of, then or later', async () => {
      await loadLines(store, { stations });
      expect(await warnedOf('', '')).to.equal(0);
      expect(await warnedOf('nws')).to.equal(0);
      expect(await warnedOf('', 'nws')).to.equal(0);
    });

    it('when some of the first load are named, then the others are warned of', async () => {
      await loadLines(store, { stations });
      expect(await warnedOf('nws', '', 'gfs', '')).to.equal(2);
    });
  });

  // metrics.test.ts, which takes a provider out, stands for it in `make test`.
  itInCi(
    'given a provider whose forecasts are all withdrawn, then no list has it, and another is default',
    async () => {
      const store = await openTestStore();
      const [one = '', other = ''] = forecasts;
      await loadLines(store, { stations, observations });
      await say(store, `${one},mistake,`, `${other},mistake,`);
      await say(store, `${one},nws,`);
      await say(store, `${one},mistake,true`);
      expect(await listed(store), 'one stands').to.deep.equal(['mistake, the default', 'nws']);
      await say(store, `${other},mistake,true`);
      expect(await listed(store), 'none stands').to.deep.equal(['nws, the default']);
      const { message } = await (
        await serve(store)
      ).refused(`${API}/accuracy/summary?provider=mistake`, 404, 'PROVIDER_NOT_FOUND');
      expect(message).to.match(/Available: nws$/);
      await say(store, 'KORD,2026-03-01T00:00:00Z,2026-03-03,50,40,mistake,');
      expect(await listed(store), 'again, without an observation yet').to.deep.equal([
        'mistake, the default',
        'nws',
      ]);
      await store.close();
    },
  );

  it('given /providers, then it lists them with what they have', async () => {
    const OF_DEGREES = ['high', 'low', 'mean', 'range', 'hdd', 'cdd', 'gdd'];
    const { data } = await contract.ok(`${API}/providers?variables=true`);
    expect(data).to.deep.equal([
      {
        provider: 'default',
        is_default: true,
        stations: 6,
        first_target_date: '2023-12-21',
        last_target_date: '2024-03-19',
        verification_pairs: 20,
        variables: OF_DEGREES,
        alarms: [],
      },
      {
        provider: 'nimbus',
        is_default: false,
        stations: 4,
        first_target_date: '2023-12-21',
        last_target_date: '2024-03-19',
        verification_pairs: 14,
        variables: ['high'],
        alarms: [],
      },
    ]);
    const { text } = await contract.get(`${API}/providers?variables=true&format=csv`);
    expect(text.split('\r\n')[1]).to.equal(
      'default,true,6,2023-12-21,2024-03-19,20,high|low|mean|range|hdd|cdd|gdd,',
    );
  });

  itInCi('given DEFAULT_PROVIDER, then it is that one', async () => {
    const { metadata } = await (await serve(both, 'nimbus')).ok(`${API}/accuracy/summary`);
    expect(metadata.provider).to.equal('nimbus');
    expect(await listed(both, 'nimbus')).to.deep.equal(['default', 'nimbus, the default']);
  });

  // Last, as it loads more.
  itInCi(
    'given a load before another, then the default is of the first, also when its name comes last',
    async () => {
      expect(await listed(second)).to.deep.equal(['nimbus, the default']);
      await loadLines(second, { forecasts });
      expect(await listed(second)).to.deep.equal(['default', 'nimbus, the default']);
    },
  );
});

// Their answers: answers.txt.
describe('lead times (D40)', () => {
  const data = async <Data>(path: string): Promise<Data> => (await onlyFirst.ok<Data>(`${API}/${path}`)).data;

  itInCi(
    'given each lead time alone, then their pairs add up to those without, and same-day is beside them',
    async () => {
      for (const station of ['', '&station_id=KORD']) {
        const pairs = async (query: string) =>
          (await data<{ verification_pairs: number }>(`accuracy/summary?${WINDOW}${station}${query}`))
            .verification_pairs;
        const each = await Promise.all(
          ['0-6h', '6-12h', '12-24h', '24-48h', '48-72h', '72h%2B'].map((bucket) =>
            pairs(`&lead_time_bucket=${bucket}`),
          ),
        );
        expect(each.reduce((sum, count) => sum + count)).to.equal(await pairs(''));
        expect(await pairs('&lead_time_bucket=same-day')).to.equal(station === '' ? 2 : 1);
      }
    },
  );

  itInCi(
    'given all six in any order, or one twice, then it is the answer without, with one tag',
    async () => {
      const tag = (query: string) => onlyFirst.tag(`${API}/accuracy/by-city?${WINDOW}${query}`);
      expect(await tag('&lead_time_bucket=72h%2B,0-6h,6-12h,48-72h,24-48h,12-24h,0-6h')).to.equal(
        await tag(''),
      );
      // As it stands in a URL, the + is a blank.
      expect(await tag('&lead_time_bucket=0-6h,72h+')).to.equal(await tag('&lead_time_bucket=72h%2B,0-6h'));
    },
  );

  itInCi('given an export, then it has the lead times asked for, same-day with hours below 0', async () => {
    const rows = async (query: string) => {
      const { text } = await onlyFirst.get(`${API}/export/pairs?${WINDOW}&metric=high&${query}`);
      return text.split('\r\n').slice(1, -1);
    };
    const plain = await rows('');
    const all = await rows('include_same_day=true');
    expect(all.filter((row) => !plain.includes(row))).to.deep.equal([
      'high,KORD,2024-03-18,2024-03-18T06:00:00Z,-1,same-day,70,50,20,verified',
      'high,VIDP,2024-03-18,2024-03-18T00:00:00Z,-5.5,same-day,99,90,9,verified',
    ]);
    expect(await rows('lead_time_bucket=same-day')).to.have.length(2);
    expect(await rows('lead_time_bucket=6-12h')).to.deep.equal(
      plain.filter((row) => row.includes(',6-12h,')),
    );
  });
});
