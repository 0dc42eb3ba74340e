import { expect } from 'chai';
import type { Store } from '../../../../src/store/store.js';
import { expectCsvLikeJson, readCsv } from '../../../support/contract/cases.js';
import { type Contract, contractOn } from '../../../support/contract/contract.js';
import { loadLines } from '../../../support/ingest/feeds.js';
import { plainAdjusted } from '../../../support/plain/comparison.js';
import {
  BUCKETS,
  type ForecastRow,
  linesOf,
  type Load,
  observationOf,
  type ObservationRow,
  plusDays,
  type StationRow,
} from '../../../support/plain/oracle.js';
import { expectScript } from '../../../support/recompute/compare.js';
import { Random } from '../../../support/random.js';
import { describeInCi, itInCi } from '../../../support/runner/range.js';

const HOUR = 3_600_000;
const FIRST = '2026-02-12';
const DAYS = 60;
const LAST = plusDays(FIRST, DAYS - 1);
const WINDOW = `date_from=${FIRST}&date_to=${LAST}`;

const PLACES = { KORD: { country: 'US', climate_zone: 'Dfa' }, EGLL: { country: 'GB', climate_zone: '' } };

const stationOf = (station_id: string): StationRow => ({
  station_id,
  city_name: `${station_id} City`,
  timezone: 'UTC',
  iata: '',
});

const STATIONS = Object.entries(PLACES).map(([id, place]): StationRow => ({ ...stationOf(id), ...place }));

/** Stations without a forecast: they make questions larger, and no answer. */
const SILENT = Array.from({ length: 60 }, (_, at) => stationOf(`K${100 + at}`));

/** One provider, a copy of it under another name that begins later, and one with errors of its own and gaps. */
function feeds(): Load {
  const random = new Random(20_261_122);
  const forecasts: ForecastRow[] = [];
  const observations: ObservationRow[] = [];
  for (const { station_id } of STATIONS) {
    for (let day = 0; day < DAYS; day += 1) {
      const target_date = plusDays(FIRST, day);
      const begins = Date.parse(target_date);
      const actual = 5000 + random.below(4000);
      const status = day < DAYS - 2 ? 'verified' : 'preliminary';
      const observed_at = begins + 60 * HOUR;
      observations.push({ station_id, date: target_date, high: actual, low: undefined, status, observed_at });
      for (const hours of [80, 50, 30, 20, 8, 2]) {
        if (day === 9 || random.below(4) === 0) continue;
        const issued_at = begins - hours * HOUR;
        const high = actual + 50 * (random.below(17) - 8);
        const row = { station_id, issued_at, target_date, low: undefined };
        forecasts.push({ ...row, high });
        if (day >= 20) forecasts.push({ ...row, high, provider: 'copy' });
        if (random.below(5) > 0) {
          forecasts.push({ ...row, high: high + 50 * (random.below(17) - 8), provider: 'noisy' });
        }
      }
    }
  }
  return { stations: [...STATIONS, ...SILENT], forecasts, observations };
}

type Row = Record<string, unknown>;

describe('GET /api/v1/accuracy/compare', () => {
  let store: Store;
  let contract: Contract;
  const load = feeds();

  before(async () => {
    ({ store, contract } = await contractOn([linesOf(load)], { now: '2026-06-01T00:00:00Z' }));
  });
  after(() => store.close());

  const ok = (query: string) => contract.ok<Row[]>(`/api/v1/accuracy/compare?${query}`);
  const script = (query: string) => expectScript(contract.service, `accuracy/compare?${query}`);

  it("given two providers, then differences, intervals and wins are the script's, at a lead of 24 hours", async () => {
    const { data, metadata } = await ok(`providers=default,noisy&${WINDOW}`);
    const [record] = data;
    expect(data).to.have.lengthOf(1);
    await script(`providers=default,noisy&${WINDOW}`);
    expect(metadata).to.deep.include({
      provider: 'default,noisy',
      total_records: record!.cases,
      lead_time_buckets: BUCKETS.slice(3),
    });
    const { low, high } = record!.mae_difference as { low: number; high: number };
    expect([record!.verdict, low > 0]).to.deep.equal(['worse', true]);
    expect(record!.dm_p_value).to.be.within(0, 0.05);
    expect(record!.win_rate).to.be.within(Number(record!.win_rate_low), Number(record!.win_rate_high));
    expect([low < high, record!.reference_only_cases !== 0, record!.ties !== 0]).to.deep.equal([
      true,
      true,
      true,
    ]);
  });

  itInCi('given them the other way round, then every difference is the opposite', async () => {
    const [one] = (await ok(`providers=default,noisy&${WINDOW}`)).data;
    const [other] = (await ok(`providers=default,noisy&reference=noisy&${WINDOW}`)).data;
    const opposite = ({ value, low, high, std_error, n_eff }: Row) => ({
      value: -Number(value),
      low: -Number(high),
      high: -Number(low),
      std_error,
      n_eff,
    });
    expect(other!.mae_difference).to.deep.equal(opposite(one!.mae_difference as Row));
    expect(other!.mse_difference).to.deep.equal(opposite(one!.mse_difference as Row));
    expect(other).to.include({
      provider: 'default',
      reference: 'noisy',
      verdict: 'better',
      wins: one!.losses,
      losses: one!.wins,
      dm_statistic: -Number(one!.dm_statistic),
      dm_p_value: one!.dm_p_value,
      provider_only_cases: one!.reference_only_cases,
      mae: one!.reference_mae,
    });
  });

  itInCi(
    'given group_by=lead_time_bucket, then each lead time has its records, of its latest forecast',
    async () => {
      await script(`${WINDOW}&group_by=lead_time_bucket&station_id=KORD`);
      const two = await ok(`${WINDOW}&group_by=lead_time_bucket&lead_time_bucket=6-12h,48-72h`);
      expect(two.data.map(({ lead_time_bucket }) => lead_time_bucket)).to.deep.equal([
        ...['6-12h', '6-12h', '48-72h', '48-72h'],
      ]);
    },
  );

  for (const group_by of [
    'month',
    'season,lead_time_bucket',
    'lead_time_bucket,month',
    'country,season',
    'climate_zone',
    'month,station',
  ]) {
    itInCi(
      `given group_by=${group_by}, then each cell is a comparison of its own cases, in the order of its groups`,
      async () => {
        await script(`${WINDOW}&group_by=${group_by}&lead=0`);
      },
    );
  }

  itInCi(
    'given cells with tests, then p-values are adjusted over all, and those still significant counted',
    async () => {
      const { data, metadata } = await ok(`${WINDOW}&group_by=lead_time_bucket,season&ci=0.9`);
      const tests = data.filter(({ dm_p_value }) => dm_p_value !== null);
      const all = tests.map(({ dm_p_value }) => Number(dm_p_value));
      const rounding = all.length * 1e-4;
      for (const record of tests) {
        const fdr = plainAdjusted(all, Number(record.dm_p_value));
        expect(record.dm_p_value_fdr).to.be.closeTo(fdr, rounding);
        if (Math.abs(fdr - 0.1) > rounding) expect(record.significant, String(fdr)).to.equal(fdr <= 0.1);
      }
      const significant = data.filter((record) => record.significant).length;
      for (const { verdict } of data.filter((record) => record.significant))
        expect(verdict).to.be.oneOf(['better', 'worse']);
      expect(metadata).to.include({ cells: tests.length, significant_cells: significant });
      expect(significant).to.be.within(1, tests.length - 1);
      // More are better or worse by themselves.
      expect(data.filter(({ verdict }) => verdict !== 'not_significant').length).to.be.above(significant);
    },
  );

  it('given one source under two names, then it is identical and has no difference to test', async () => {
    const { data } = await ok(`providers=default,copy&lead=0&${WINDOW}`);
    const [record] = data;
    await script(`providers=default,copy&lead=0&${WINDOW}`);
    expect(record).to.deep.include({
      identical: true,
      mae_difference: { value: 0, low: null, high: null, std_error: null, n_eff: null },
      dm_statistic: null,
      dm_p_value: null,
      wins: 0,
      losses: 0,
      win_rate: null,
      provider_only_cases: 0,
    });
  });

  itInCi('given two providers against a third, then p is adjusted for both, whoever stops', async () => {
    const { data } = await ok(`providers=noisy,default,copy&${WINDOW}`);
    expect(data.map(({ provider, reference }) => [provider, reference])).to.deep.equal([
      ['default', 'noisy'],
      ['copy', 'noisy'],
    ]);
    const [alone] = (await ok(`providers=noisy,default&${WINDOW}`)).data;
    expect({ ...data[0], dm_p_value_fdr: 0 }).to.deep.equal({ ...alone, dm_p_value_fdr: 0 });
    expect(alone!.dm_p_value_fdr).to.equal(alone!.dm_p_value);
    const p = data.map(({ dm_p_value }) => Number(dm_p_value)).sort((a, b) => a - b);
    const adjusted = data.map(({ dm_p_value_fdr }) => Number(dm_p_value_fdr)).sort((a, b) => a - b);
    expect(adjusted[0]).to.be.closeTo(Math.min(2 * p[0]!, p[1]!), 1e-4);
    expect(adjusted[1]).to.be.closeTo(p[1]!, 1e-4);
  });

  itInCi(
    'given one forecast at the default lead, then metadata say why nothing is compared, and where to look',
    async () => {
      // The copy begins on the 21st day.
      const query = `providers=default,copy&date_from=${FIRST}&days=19`;
      const { data, metadata } = await ok(query);
      expect(data.map(({ verdict, cases }) => [verdict, cases])).to.deep.equal([['no_common_days', 0]]);
      expect(metadata.reason).to.equal(
        'No station day of the window has forecasts of two providers: copy has no forecast of an observed day in the window, ' +
          'and none in the 366 days before',
      );
      const after = await ok(
        `providers=default,noisy&date_from=${plusDays(LAST, 1)}&date_to=${plusDays(LAST, 9)}`,
      );
      expect(after.metadata.reason).to.match(
        new RegExp(`: default has no .* its last is for ${LAST}; noisy has no .* its last is for ${LAST}$`),
      );
      expect((await ok(`providers=default,noisy&${WINDOW}`)).metadata.reason).to.equal(null);
    },
  );

  it('given bad providers, references or lead times, then each is refused with its reason', async () => {
    const faults = async (query: string) =>
      (await contract.faults(`/api/v1/accuracy/compare?${query}`)).map(({ parameter }) => parameter);
    expect(await faults('providers=default,noisy&reference=copy')).to.deep.equal(['reference']);
    expect(await faults('lead=24&lead_time_bucket=0-6h')).to.deep.equal(['lead']);
    expect(await faults('known_at=2026-01-01')).to.deep.equal(['known_at']);
  });

  itInCi(
    'given more cells than an answer can have, then it is refused with their number, unread',
    async () => {
      const path = '/api/v1/accuracy/compare?date_from=2017-01-01&date_to=2026-01-01';
      const messageOf = async (query: string) => (await contract.faults(`${path}&${query}`))[0]?.message;
      // 62 stations, 6 lead times, 2 providers beside the reference, and 3,288 days.
      const refused = (cells: number, days: number): string =>
        `makes ${cells} cells of ${days} days, but at most 800000 days of cells are allowed; ` +
        'name fewer stations, lead times or providers, or take a shorter window';
      expect(await messageOf('group_by=station,lead_time_bucket')).to.equal(refused(62 * 6 * 2, 3288));
      // Seasons share the window; a cell of a month has at most 31 days.
      expect(await messageOf('group_by=season,station')).to.equal(refused(62 * 4 * 2, 3288));
      for (const query of [
        'group_by=station,lead_time_bucket&stations=KORD,EGLL',
        'group_by=station',
        'group_by=station,month',
        'group_by=country,climate_zone',
        'group_by=lead_time_bucket,season',
      ])
        await ok(`date_from=2017-01-01&date_to=2026-01-01&${query}`);
    },
  );

  itInCi(
    'when a station moves to another country, then its cases are of that, and as_of has the old',
    async () => {
      const query = `providers=default,noisy&group_by=country&${WINDOW}`;
      const countries = async (more = '') =>
        (await ok(`${query}${more}`)).data.map(({ country, cases }) => [country, cases]);
      const before = await countries();
      expect(before.map(([country]) => country)).to.deep.equal(['GB', 'US']);
      await loadLines(
        store,
        linesOf({ stations: [{ ...STATIONS[1]!, country: 'IE' }], forecasts: [], observations: [] }),
      );
      expect(await countries()).to.deep.equal([
        ['IE', before[0]![1]],
        ['US', before[1]![1]],
      ]);
      expect(await countries('&as_of=v1')).to.deep.equal(before);
    },
  );

  for (const group_by of ['lead_time_bucket', 'month,station'])
    itInCi(
      `given CSV of group_by=${group_by}, then it has the fields of the records as columns`,
      async () => {
        const { csv } = await expectCsvLikeJson(
          contract,
          `/api/v1/accuracy/compare?${WINDOW}&group_by=${group_by}`,
        );
        const ends = ['low', 'high', 'std_error', 'n_eff'].map((end) => `mae_difference_${end}`);
        expect(csv.header.join()).to.include(['mae_difference', ...ends].join());
      },
    );

  // The tests above hold the script in `make test`, and comparison.test.ts what is identical.
  itInCi(
    'given one source in °F and in tenths of °C, then it is identical, and no cell has a verdict',
    async () => {
      // It comes after the tests that ask for all providers.
      const forecasts = load.forecasts.flatMap((row) =>
        row.provider === undefined && row.high !== undefined
          ? [{ ...row, high: 18 * Math.round((row.high - 3200) / 18) + 3200, provider: 'celsius' }]
          : [],
      );
      await loadLines(store, linesOf({ stations: [], observations: [], forecasts }));
      for (const groups of ['', '&group_by=station,lead_time_bucket']) {
        const query = `providers=default,celsius&lead=0&${WINDOW}${groups}`;
        const { data, metadata } = await ok(query);
        await script(query);
        for (const record of data) {
          expect(record).to.include({
            identical: true,
            verdict: 'not_significant',
            significant: false,
            wins: 0,
          });
          expect(record.mae_difference).to.include({ low: null, high: null });
          expect(record.ties).to.equal(record.cases);
        }
        expect(metadata).to.include({ cells: 0, significant_cells: 0 });
      }
      // A third of other errors is compared with both.
      const { data } = await ok(`providers=noisy,default,celsius&${WINDOW}`);
      expect(data.map(({ identical, verdict }) => ({ identical, verdict }))).to.deep.equal(
        Array(2).fill({ identical: false, verdict: 'better' }),
      );
    },
  );
});

describeInCi('GET /api/v1/accuracy/compare, given providers whose forecasts are of unequal age', () => {
  /** Hours before the day. */
  const LEADS = { young: 26, older: 28.99, old: 29, copy: 26 };
  let store: Store;
  let contract: Contract;
  before(async () => {
    const [station] = STATIONS as [StationRow];
    const days = Array.from({ length: 20 }, (_, day) => plusDays(FIRST, day));
    const forecasts = days.flatMap((target_date) =>
      Object.entries(LEADS).map(([provider, hours]): ForecastRow => {
        const issued_at = Date.parse(target_date) - hours * HOUR;
        return { station_id: station.station_id, issued_at, target_date, high: 5100, low: undefined, provider }; // prettier-ignore
      }),
    );
    const observations = days.map((date) => observationOf(station, date, 5000));
    ({ store, contract } = await contractOn([linesOf({ stations: [station], forecasts, observations })], {
      now: '2026-06-01T00:00:00Z',
    }));
  });
  after(() => store.close());

  const url = `/api/v1/accuracy/compare?providers=young,older,old,copy&reference=young&${WINDOW}`;

  it('then from 3 h of mean lead on a record says that the difference is of age, too, also in CSV', async () => {
    const { data } = await contract.ok<Row[]>(url);
    expect(data.map(({ provider, hint }) => [provider, hint])).to.deep.equal([
      ['older', null],
      ['old', 'On average old was issued 29.0 h before the day, young 26.0 h: part of the difference is that forecasts of old are older, not worse'],
      ['copy', null],
    ]); // prettier-ignore
    const { rows, header } = await readCsv(contract, url);
    expect(rows.map((row) => row[header.indexOf('hint')])).to.deep.equal(data.map(({ hint }) => hint ?? ''));
  });
});
