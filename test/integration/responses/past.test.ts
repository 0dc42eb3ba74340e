import { expect } from 'chai';
import type { QueryOptions, Store } from '../../../src/store/store.js';
import { Contract } from '../../support/contract/contract.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { CHICAGO, FEEDS, FORECASTS, LONDON } from '../../support/ingest/loads.js';
import { Listening } from '../../support/listen.js';
import { itInCi } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore, withMethod } from '../../support/store.js';

// Guards what known_at and as_of mean (D31): what counts at an instant, which load a version names, what is refused, and
// that the answer of a version is for ever. In truth/known-at.test.ts, random loads show that
// known_at looks at nothing later, and that every version's answers are those given then.

const API = '/api/v1';
const WINDOW = 'date_from=2026-01-05&days=1';
const ACCURACY = `${API}/accuracy`;
const SUMMARY = `${API}/accuracy/summary?${WINDOW}`;
const FOR_EVER = 'private, max-age=31536000, immutable';
// Later than any load of this test, so the default window of today is another one than that of a load.
const NOW = '2031-07-01T12:00:00Z';

/** Skill reads 200,000 station days of a climatology at most. */
const MANY = Array.from(
  { length: 100 },
  (_, nth) => `K${100 + nth},Town ${nth},US,41,-87,America/Chicago,Dfa,true,,`,
);

describe('what the data were and what was known', function () {
  let store: Store;
  let contract: Contract;

  before(async () => {
    store = await openTestStore();
    await loadLines(store, { ...FEEDS, stations: [...FEEDS.stations, ...MANY] });
    // verified after 8 days, and a value that nobody reported for 5 months
    await loadLines(store, {
      forecasts: ['KORD,2026-01-05T18:00:00Z,2026-01-06,20,'],
      observations: [
        'KORD,2026-01-05,33,17,verified,2026-01-13T06:00:00Z',
        'KORD,2026-01-06,24,,verified,2026-06-06T06:00:00Z',
      ],
    });
    contract = await Contract.of(await startTestService(store, { now: NOW }));
  });
  after(() => store.close());

  describe('known_at', () => {
    const errorAt = async (instant: string): Promise<unknown> => {
      const { data } = await contract.ok<{ verification_pairs: number; mean_error: number }>(
        `${ACCURACY}/summary?${WINDOW}&known_at=${instant}`,
      );
      return [data.verification_pairs, data.mean_error];
    };

    it('given an instant, then only what was issued and reported by then counts, to the second', async () => {
      expect(await errorAt('2026-01-06T05:59:59Z')).to.deep.equal([0, null]); // not observed yet
      expect(await errorAt('2026-01-06T06:00:00Z')).to.deep.equal([2, 1.75]); // against 30, preliminary
      expect(await errorAt('2026-01-13T07:00:00+02:00')).to.deep.equal([2, 1.75]);
      expect(await errorAt('2026-01-13T06:00:00Z')).to.deep.equal([2, -1.25]); // against 33, verified
      expect(await errorAt('2026-01-07')).to.deep.equal([2, 1.75]);
      const { headers } = await contract.get(`${ACCURACY}/summary?${WINDOW}&known_at=2026-02-01&format=csv`);
      expect(headers['content-disposition']).to.match(/-known-20260201T000000Z\.csv"$/);
    });

    itInCi('given as_of as well, then only what had been loaded by then counts', async () => {
      const { data, metadata } = await contract.ok<{ mean_error: number }>(
        `${ACCURACY}/summary?${WINDOW}&known_at=2026-02-01&as_of=v1`,
      );
      expect(data.mean_error).to.equal(1.75);
      expect(metadata).to.include({ known_at: '2026-02-01T00:00:00.000Z', data_version: 1, late_reports: 0 });
    });

    itInCi(
      'given observations that came more than 7 days after their date, then late_reports counts them',
      async () => {
        const of = async (query: string) =>
          (await contract.ok(`${ACCURACY}/${query}&known_at=2026-02-01`)).metadata;
        expect(await of(`summary?${WINDOW}`)).to.include({
          known_at: '2026-02-01T00:00:00.000Z',
          late_reports: 1,
        });
        expect(await of('by-date?date_from=2026-01-05&days=2')).to.include({ late_reports: 2 });
        expect(await of('by-city?date_from=2026-01-05&days=2&station_id=EGLL')).to.include({
          late_reports: 0,
        });
        expect((await contract.ok(`${ACCURACY}/summary?${WINDOW}`)).metadata).not.to.have.any.keys(
          'known_at',
          'late_reports',
        );
      },
    );

    it('given no window, then it ends on the UTC date of the instant', async () => {
      const path = `${ACCURACY}/summary?days=7&known_at=2026-01-06T23:00:00-05:00`;
      expect((await contract.ok(path)).metadata.period_end).to.equal('2026-01-07');
      expect((await contract.ok(`${path}&as_of=v1`)).metadata.period_end).to.equal('2026-01-07');
    });
  });

  // The fault of asking for too much is told before anything is read, as any other fault is.
  describe('a question that asks for too much', () => {
    let watched: Contract;
    let asked: string[] = [];

    before(async () => {
      const counting = withMethod(store, 'query', (...given) => {
        const options = given.at(-1) as QueryOptions | undefined;
        if (options?.priority !== 'ahead') asked.push(given[0].statement.text);
        return store.query(...given);
      });
      watched = await Contract.of(await startTestService(counting, { now: NOW }));
      await watched.ok(`${ACCURACY}/summary?days=1`); // reads which stations there are
    });
    beforeEach(() => {
      asked = [];
    });

    for (const [path, parameter, message] of [
      [
        'by-date?known_at=2026-02-01&days=32',
        'known_at',
        /station, or ask for at most 31 days instead of 32/,
      ],
      // A climatology of 102 stations over nine years.
      ['skill?reference=climatology&date_from=2017-01-01&date_to=2026-01-01', 'days', /./],
    ] as const) {
      it(`given ${path}, then the fault is told, and the store is asked nothing`, async () => {
        const [fault, ...others] = await watched.faults(`${ACCURACY}/${path}`);
        expect([fault?.parameter, others, asked]).to.deep.equal([parameter, [], []]);
        expect(fault?.message).to.match(message);
      });
    }

    it('given another question, then the store is asked', async () => {
      await watched.ok(`${ACCURACY}/by-date?known_at=2026-02-01&days=31`);
      expect(asked).not.to.be.empty;
      await watched.ok(`${ACCURACY}/by-date?known_at=2026-02-01&days=32&station_id=KORD`);
    });
  });

  // Last, as it loads more.
  describe('as_of', () => {
    let server: Listening;
    let recorded: string[];

    before(async () => {
      await loadLines(store, {
        columns: 'all',
        stations: [`${CHICAGO.replace('Chicago', "O'Hare Field")},civil,false`, `${LONDON},civil,true`],
        forecasts: [`${FORECASTS[0]},,true`],
        observations: [],
      });
      server = await Listening.start(contract.service);
      recorded = await Promise.all(
        [1, 2, 3].map(async (version) => (await at(`v${version}`)).as_of.recorded_at ?? ''),
      );
    });
    after(() => server.stop());

    interface Metadata {
      as_of: { requested: string; version: number; recorded_at: string | null };
      data_version: number;
      timeline: string;
      period_end: string;
    }
    const at = async (asOf: string, path = SUMMARY): Promise<Metadata> =>
      (await contract.ok(`${path}&as_of=${encodeURIComponent(asOf)}`)).metadata as unknown as Metadata;
    const pairsAt = async (asOf: string): Promise<unknown> => {
      const { data } = await contract.ok<{ verification_pairs: number; mean_error: number }>(
        `${SUMMARY}&as_of=${encodeURIComponent(asOf)}`,
      );
      return [data.verification_pairs, data.mean_error];
    };
    const moved = (instant: string | undefined, ms: number): string =>
      new Date(Date.parse(instant ?? '') + ms).toISOString();

    it('given a version, then the data are those of its load: before a correction, before a withdrawal', async () => {
      // 31 and 32.5 against 30, then against 33; then 32.5 alone
      expect(await pairsAt('v1')).to.deep.equal([2, 1.75]);
      expect(await pairsAt('v2')).to.deep.equal([2, -1.25]);
      expect(await pairsAt('v3')).to.deep.equal([1, -0.5]);
      const { headers } = await contract.get(`${SUMMARY}&as_of=v2&format=csv`);
      expect(headers['content-disposition']).to.match(/-2026-01-05-2026-01-05-v2\.csv"$/);
    });

    it('given an instant, then the data are of the last load that had finished then, to the millisecond', async () => {
      expect((await at(recorded[1] ?? '')).as_of.version).to.equal(2);
      expect((await at(moved(recorded[1], -1))).as_of.version).to.equal(1);
      const inDelhi = `${moved(recorded[1], 5.5 * 3_600_000).slice(0, -1)}+05:30`;
      expect((await at(inDelhi)).as_of).to.deep.equal({
        requested: inDelhi,
        version: 2,
        recorded_at: recorded[1],
      });
      const unencoded = await contract.ok(`${SUMMARY}&as_of=${inDelhi}`);
      expect(unencoded.metadata.as_of).to.include({ requested: inDelhi, version: 2 });
      expect(unencoded.metadata.data_version).to.equal(2);
      const day = (recorded[0] ?? '').slice(0, 10); // 00:00Z of it
      const midnight = await at(`${day}T00:00:00Z`);
      expect((await at(day)).as_of).to.deep.equal({ ...midnight.as_of, requested: day });
      expect((await at('2031-01-01')).as_of.version).to.equal(3);
    });

    itInCi('given an instant before the first load, then there are no pairs, also of a station', async () => {
      for (const path of ['summary?', 'by-date?', 'by-lead-time?', 'by-city?', 'by-station/ORD?']) {
        const metadata = await at('2020-02-01T00:00:00Z', `${API}/accuracy/${path}${WINDOW}`);
        expect(metadata.as_of).to.deep.equal({
          requested: '2020-02-01T00:00:00Z',
          version: 0,
          recorded_at: null,
        });
        expect(metadata.data_version).to.equal(0);
      }
      expect(await pairsAt('2020-02-01')).to.deep.equal([0, null]);
    });

    itInCi('given no window, then it ends on the UTC date of the instant, or of the load', async () => {
      const path = `${API}/accuracy/summary?days=7`;
      expect((await contract.ok(path)).metadata.period_end).to.equal('2031-07-01');
      expect((await at('2020-02-01T23:30:00-05:00', path)).period_end).to.equal('2020-02-02');
      expect((await at('v2', path)).period_end).to.equal(recorded[1]?.slice(0, 10));
      const [fault] = await contract.faults(`${API}/accuracy/summary?as_of=1970-02-01`);
      expect(fault?.parameter).to.equal('as_of');
      expect(fault?.message).to.match(/before 1970-01-01.*give date_from/);
    });

    itInCi(
      'given stations that were renamed or withdrawn since, then they have the names of the version',
      async () => {
        const { data } = await contract.ok<{ city_name: string }>(
          `${API}/accuracy/by-station/ORD?${WINDOW}&as_of=v2`,
        );
        expect(data.city_name).to.equal('Chicago');
        expect((await at('v2', `${API}/accuracy/summary?city=London`)).data_version).to.equal(2);
        await contract.refused(`${API}/accuracy/summary?city=London`, 404, 'STATION_NOT_FOUND');
        await contract.refused(`${API}/accuracy/summary?city=London&as_of=v3`, 404, 'STATION_NOT_FOUND');
      },
    );

    itInCi(
      'given a load that is not there yet, or that did not finish, then its number names no version',
      async () => {
        const expectNone = async (): Promise<void> => {
          for (const path of [SUMMARY, `${API}/export/pairs?${WINDOW}`]) {
            const [fault] = await contract.faults(`${path}&as_of=v4`);
            expect(fault?.message).to.match(/v4, but no load.*before it is v3/);
          }
        };
        await expectNone();
        const unknown = FORECASTS.map((line) => line.replace('KORD', 'KXXX'));
        await loadLines(store, { forecasts: unknown }, { strict: true });
        await expectNone();
      },
    );

    itInCi(
      'given a past version and its timeline, then a client may keep the answer for ever, over loads',
      async () => {
        const { timeline } = await at('v1');
        const path = `${SUMMARY}&as_of=v1.${timeline}`;
        const before = await contract.get(path);
        expect(before.headers['cache-control']).to.equal(FOR_EVER);
        await loadLines(store, FEEDS);
        const after = await contract.get(path);
        expect(after.headers.etag).to.equal(before.headers.etag);
        expect(after.headers['server-timing']).to.equal('cache;desc=hit');
        const known = await contract.service.get(path).set('If-None-Match', before.headers.etag ?? '');
        expect(known.status).to.equal(304);
        expect(known.headers['cache-control']).to.equal(FOR_EVER);
        expect((await contract.get(`${SUMMARY}&as_of=v2`)).headers.etag).not.to.equal(before.headers.etag);
      },
    );

    // pinned.test.ts and timeline.test.ts stand for it in `make test`.
    itInCi(
      'given an export, then it has the pairs of the version, and a cursor of another one is refused',
      async () => {
        const path = `${API}/export/pairs?${WINDOW}&metric=high`;
        const actuals = async (query: string): Promise<(string | undefined)[]> =>
          (await server.download(`${path}${query}`)).body
            .toString()
            .split('\r\n')
            .slice(1, -1)
            .map((line) => line.split(',')[7]);
        expect(await actuals('&as_of=v1')).to.deep.equal(['30', '30']);
        expect(await actuals('&as_of=v2')).to.deep.equal(['33', '33']);
        expect(await actuals('&as_of=v2&cursor=2.1')).to.deep.equal(['33']);
        expect(await actuals('&as_of=v3')).to.deep.equal(['33']);
        const [fault] = await contract.faults(`${path}&as_of=v2&cursor=1.0`);
        expect(fault).to.deep.equal({
          parameter: 'cursor',
          message: 'names version 1, but as_of names 2; give one of them',
        });
        const { timeline } = await at('v2');
        const { headers } = await server.download(`${path}&as_of=v2.${timeline}`);
        expect(headers).to.include({ 'cache-control': FOR_EVER, 'x-export-cursor': `2-${timeline}.0` });
        expect(headers['content-disposition']).to.include('-v2.csv');
      },
    );

    itInCi(
      'given a station that the version does not have, then its identifier is known, and nothing of today',
      async () => {
        await loadLines(store, {
          stations: ['KNEW,Newtown,US,41,-87,America/Chicago,Dfa,true,New City,NEW'],
        });
        for (const name of ['KNEW', 'new']) {
          const { data, metadata } = await contract.ok<{ city_name: string }>(
            `${API}/accuracy/by-station/${name}?${WINDOW}&as_of=v2`,
          );
          expect([metadata.station_id, data.city_name]).to.deep.equal(['KNEW', 'KNEW']);
        }
        await contract.ok(`${SUMMARY}&city=Newtown`);
        await contract.refused(`${SUMMARY}&city=Newtown&as_of=v2`, 404, 'STATION_NOT_FOUND');
      },
    );
  });
});
