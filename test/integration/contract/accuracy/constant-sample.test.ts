import { expect } from 'chai';
import type { Store } from '../../../../src/store/store.js';
import { type Contract, contractOn } from '../../../support/contract/contract.js';
import {
  forecastOf,
  linesOf,
  type Load,
  observationOf,
  OTHER_PROVIDER,
  plusDays,
  type StationRow,
} from '../../../support/plain/oracle.js';
import { itInCi } from '../../../support/runner/range.js';

const HOUR = 3_600_000;
const FIRST = '2026-03-02';
const DAYS = 10;
const WINDOW = `date_from=${FIRST}&days=${DAYS}`;

/** Days with a pair: 10, 9, 8 and 5 of 10. The station of 9 misses its first day, KORD of 8 of the other provider its last two. */
const STATIONS: StationRow[] = ['EGLL', 'KDEN', 'KMIA', 'KORD'].map((station_id) => ({
  station_id,
  city_name: `${station_id} City`,
  timezone: 'UTC',
  iata: '',
}));
const [FULL, NINE, EIGHT, FIVE] = STATIONS as [StationRow, StationRow, StationRow, StationRow];
const LAST_SHORT_LEADS = plusDays(FIRST, 4);

function feeds(): Load {
  const forecasts: Load['forecasts'][number][] = [];
  const observations: Load['observations'][number][] = [];
  for (let day = 0; day < DAYS; day += 1) {
    const date = plusDays(FIRST, day);
    for (const [at, station] of STATIONS.entries()) {
      observations.push(observationOf(station, date, 5000 + 100 * at + 10 * day));
      const isMissing = (station === NINE && day === 0) || (station === EIGHT && day < 2);
      if (isMissing || (station === FIVE && day >= 5)) continue;
      forecasts.push(forecastOf(station, date, 30 * HOUR, 5100 + 90 * at + 17 * day));
      if (station !== FULL || date <= LAST_SHORT_LEADS)
        forecasts.push(forecastOf(station, date, 3 * HOUR, 5050 + 95 * at + 13 * day));
      if (station !== NINE) {
        const other = forecastOf(station, date, 40 * HOUR, 5000 + 99 * at + 11 * day);
        forecasts.push({ ...other, provider: OTHER_PROVIDER });
      }
    }
  }
  return { stations: STATIONS, forecasts, observations };
}

/** The only forecasts of a day of a station, taken back. */
const withdrawn = (load: Load, station: StationRow, date: string): Load => ({
  stations: [],
  observations: [],
  forecasts: load.forecasts
    .filter((row) => row.station_id === station.station_id && row.target_date === date)
    .map((row) => ({ ...row, withdrawn: true })),
});

describe('min_coverage: stations with pairs on a share of the days of the window', () => {
  let store: Store;
  let contract: Contract;

  before(async () => {
    const load = feeds();
    const loads = [load, withdrawn(load, NINE, plusDays(FIRST, 5))];
    ({ store, contract } = await contractOn(loads.map(linesOf), { now: '2026-06-01T00:00:00Z' }));
  });
  after(() => store.close());

  const ids = (...stations: StationRow[]): string => stations.map(({ station_id }) => station_id).join();
  const ask = (path: string, query: string) => contract.ok<unknown>(`${path}?${WINDOW}&${query}`);

  for (const [given, query, kept] of [
    ['the latest data, where a day of the station of 9 is withdrawn', 'min_coverage=0.9', [FULL]],
    ['a lower share', 'min_coverage=0.8', [FULL, NINE, EIGHT]],
    ['a share of 1', 'min_coverage=1', [FULL]],
    ['the version before', 'min_coverage=0.9&as_of=v1', [FULL, NINE]],
    ['an instant by which all was known', 'min_coverage=0.9&known_at=2026-05-01', [FULL]],
    ['a lead time that a station has on 5 days', 'min_coverage=0.8&lead_time_bucket=0-6h', [NINE, EIGHT]],
    ['a lead time of the withdrawn day', 'min_coverage=0.9&lead_time_bucket=24-48h', [FULL]],
    ['an hour of issue', 'min_coverage=0.8&issued_hour=21', [NINE, EIGHT]],
    ['another provider', `min_coverage=0.8&provider=${OTHER_PROVIDER}`, [FULL, EIGHT]],
    ['stations named', 'min_coverage=0.8&stations=KDEN,KORD', [NINE]],
    ['one station that has the days', 'min_coverage=0.8&station_id=KDEN', [NINE]],
  ] as [string, string, StationRow[]][]) {
    it(`given ${given}, then the answer is that of ${ids(...kept)}`, async () => {
      const path = query.includes('issued_hour') ? '/api/v1/accuracy/events' : '/api/v1/accuracy/by-date';
      const found = await ask(path, query);
      const rest = query.replace(/min_coverage=[\d.]+&?/, '').replace(/(stations|station_id)=[^&]*/, '');
      const named = await ask(path, `${rest}&stations=${ids(...kept)}`);
      expect(found.metadata).to.deep.include({ station_id: ids(...kept) });
      expect(found.data).to.deep.equal(
        kept.length === 1 && query.includes('station_id=')
          ? (await ask(path, `station_id=${ids(...kept)}`)).data
          : named.data,
      );
    });
  }

  itInCi(
    'given every endpoint with the parameter, then its data are of the stations named, others counted',
    async () => {
      const paths = Object.entries(contract.document.paths)
        .filter(([path, { get }]) => {
          const has = (name: string) => get?.parameters?.some((each) => each.name === name);
          return (
            has('min_coverage') && !/\{|by-hour|by-bucket|chart\.svg|badge\.json|recompute\.sql/.test(path)
          ); // these data have no hours, and no chances
        })
        .map(([path]) => path);
      expect(paths).to.include.members(
        [
          'summary',
          'by-date',
          'by-city',
          'by-lead-time',
          'hit-rate',
          'events',
          'compare',
          'skill',
          'sample-size',
        ].map((name) => `/api/v1/accuracy/${name}`),
      );
      for (const path of paths) {
        const isOfTwo = path.endsWith('/compare') || path.endsWith('/divergence');
        const kept = isOfTwo ? ids(FULL, EIGHT) : ids(FULL, NINE, EIGHT);
        const found = await ask(path, 'min_coverage=0.8');
        const named = await ask(path, `stations=${kept}`);
        expect(found.data, path).to.deep.equal(named.data);
        expect(found.metadata, path).to.deep.include({
          station_id: kept,
          stations: kept.split(',').length,
          min_coverage: { share: 0.8, stations_left_out: isOfTwo ? 2 : 1 },
        });
        expect(named.metadata, path).not.to.have.property('min_coverage');
      }
    },
  );

  itInCi(
    'given intervals of cities, then their method is that of the stations before the sample',
    async () => {
      const methods = async (query: string) => {
        const { data } = await ask('/api/v1/accuracy/by-city', `ci=0.95&min_coverage=0.8${query}`);
        return new Set(
          (data as { uncertainty: { method: string } }[]).map(({ uncertainty }) => uncertainty.method),
        );
      };
      expect([...(await methods(''))]).to.deep.equal(['week_batches']);
      expect([...(await methods('&stations=EGLL,KDEN,KORD'))]).to.deep.equal(['day_ewc']);
    },
  );

  it('given a share that no station has, then the answer has no pair, and names no station', async () => {
    const { data, metadata } = await ask('/api/v1/accuracy/summary', 'min_coverage=0.9&stations=KORD');
    expect(data).to.deep.include({ verification_pairs: 0, mae: null });
    expect(metadata).to.deep.include({
      station_id: 'SELECTED',
      stations: 0,
      min_coverage: { share: 0.9, stations_left_out: 1 },
    });
  });
});
