import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { DateTime, IANAZone } from 'luxon';
import {
  forecastRows,
  observationRows,
  readStations,
  SAMPLE_DAYS,
  SAMPLE_LEAD_DAYS,
} from '../../../src/sample/generate.js';
import { hourlyForecastRows, hourRows } from '../../../src/sample/sample-hours.js';
import { itInCi, range } from '../../support/runner/range.js';

const TODAY = '2026-01-30';
const HOUR_MS = 3_600_000;

type StationRow = Record<
  | 'station_id'
  | 'city_name'
  | 'country'
  | 'latitude'
  | 'longitude'
  | 'timezone'
  | 'aliases'
  | 'iata'
  | 'data_active',
  string
>;
type Forecast = Record<'station_id' | 'issued_at' | 'target_date' | 'high_f' | 'low_f' | 'provider', string>;
type Observation = Record<'station_id' | 'date' | 'high_f' | 'low_f' | 'status' | 'observed_at', string>;

const plusDays = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
const pick = (...ids: string[]) => readStations().filter((station) => ids.includes(station.station_id));
const table = <Row>(lines: Iterable<string>) => parse<Row>([...lines].join('\n'), { columns: true });
const forecasts = (ids: string[], today = TODAY) => table<Forecast>(forecastRows(pick(...ids), today));
const observations = (ids: string[], today = TODAY) =>
  table<Observation>(observationRows(pick(...ids), today));

/** Pearson's. */
function correlation(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const covariance = (as: readonly number[], bs: readonly number[]): number =>
    mean(as.map((a, at) => (a - mean(as)) * ((bs[at] ?? NaN) - mean(bs))));
  return covariance(xs, ys) / Math.sqrt(covariance(xs, xs) * covariance(ys, ys));
}

const datesOf = (rows: Observation[]) => new Set(rows.map((row) => row.date));

describe('sample stations', () => {
  const rows = parse<StationRow>(readFileSync(new URL('../../../src/sample/stations.csv', import.meta.url)), {
    columns: true,
  });

  it('given the list, when counted, then it has 40 stations or more of a dozen countries or more', () => {
    expect(rows.length).to.be.at.least(40);
    expect(new Set(rows.map((row) => row.country)).size).to.be.at.least(12);
    expect(rows.filter((row) => row.data_active === 'false').length).to.be.at.most(2);
  });

  it('given any two stations, when compared, then ids and IATA codes differ', () => {
    expect(new Set(rows.map((row) => row.station_id)).size).to.equal(rows.length);
    expect(new Set(rows.map((row) => row.iata)).size).to.equal(rows.length);
    for (const row of rows) expect(row.iata, row.station_id).to.match(/^[A-Z]{3}$/);
  });

  it('given all names of all stations, when case is ignored, then no name is used twice', () => {
    const names = rows.flatMap((row) => [row.station_id, row.city_name, row.iata, ...row.aliases.split('|')]);
    const repeated = names
      .map((name) => name.toLowerCase())
      .filter((name, index, all) => all.indexOf(name) < index);
    expect(repeated).to.deep.equal([]);
    expect(names).to.satisfy((all: string[]) => all.every((name) => name !== '' && name === name.trim()));
  });

  it('given a station, when its place is read, then zone, country and coordinates are valid', () => {
    for (const row of rows) {
      expect(IANAZone.isValidZone(row.timezone), row.timezone).to.be.true;
      expect(row.country, row.station_id).to.match(/^[A-Z]{2}$/);
      expect(Number(row.latitude), row.station_id).to.be.within(-90, 90);
      expect(Number(row.longitude), row.station_id).to.be.within(-180, 180);
      // Local noon cannot be far from the sun's: catches a swapped sign or a wrong zone.
      const offsetHours = IANAZone.create(row.timezone).offset(Date.UTC(2026, 0, 15)) / 60;
      expect(Math.abs(offsetHours - Number(row.longitude) / 15), row.station_id).to.be.below(2);
    }
  });
});

describe('sample reports of hours', () => {
  it('given 60 days of a station, then 98 % or more of its hours have a report, and not all of them', () => {
    const hours = new Set(
      table<{ at: string }>(hourRows(pick('KORD'), Date.parse(`${TODAY}T00:00:00Z`), 60)).map(({ at }) =>
        at.slice(0, 13),
      ),
    );
    expect(hours.size / (60 * 24)).to.be.within(0.98, 0.9999);
  });

  // Guards that a demo shows no impossible air; loads would keep it with a warning.
  it('given winds and dew points, then most winds are below the mean, and dew points below temperatures', () => {
    type Air = Record<'temp_f' | 'dew_point_f' | 'wind_kt', string>;
    const until = Date.parse(`${TODAY}T00:00:00Z`);
    const provider = { name: 'x', seed: '', everyMs: 24 * HOUR_MS, spread: 1.25, stepHours: 3 };
    const reports = table<Air>(hourRows(pick('KORD'), until, 60));
    const rows = [...reports, ...table<Air>(hourlyForecastRows(pick('KORD'), until, [provider], 60))];
    for (const { temp_f, dew_point_f } of rows) expect(Number(dew_point_f)).to.be.at.most(Number(temp_f));
    const winds = reports.map(({ wind_kt }) => Number(wind_kt));
    expect([Math.min(...winds), Math.max(...winds)]).to.deep.equal([0, 24]);
    const mean = winds.reduce((sum, wind) => sum + wind, 0) / winds.length;
    expect(winds.filter((wind) => wind < mean).length / winds.length).to.be.within(0.52, 0.7);
    expect(table<Air>(hourRows(pick('CYYT'), until, 2)).map(({ wind_kt }) => wind_kt)).to.satisfy(
      (all: string[]) => all.every((wind) => wind === ''),
    );
  });
});

describe('sample chances of rain in windows', () => {
  // Guards that the demo's chances are about the rain of its reports: without it both are plausible alone.
  it('given a fair provider, then each chance came true about as often as it says, of every window', () => {
    type Chances = Record<'valid_at' | `precip_chance_${number}h`, string>;
    const until = Date.parse(`${TODAY}T00:00:00Z`);
    const provider = { name: 'x', seed: '', everyMs: 12 * HOUR_MS, spread: 1, stepHours: 3 };
    const reports = table<Record<'at' | 'precip_in' | 'precip_6h_in', string>>(
      hourRows(pick('KORD'), until + 48 * HOUR_MS, 77),
    );
    const amounts = new Map(
      reports.map(({ at, precip_in }) => [Math.ceil(Date.parse(at) / HOUR_MS), Number(precip_in)]),
    );
    const sumTo = (hour: number, hours: number): number =>
      Array.from({ length: hours }, (_, at) => amounts.get(hour - at) ?? NaN).reduce((a, b) => a + b);
    const sixths = reports.filter(({ precip_6h_in }) => precip_6h_in !== '');
    expect(sixths.length / 77).to.be.within(3.9, 4);
    for (const { at, precip_6h_in } of sixths) {
      const sum = sumTo(Math.ceil(Date.parse(at) / HOUR_MS), 6);
      if (!Number.isNaN(sum)) expect(Number(precip_6h_in), at).to.be.closeTo(sum, 0.001);
    }
    const rows = table<Chances>(hourlyForecastRows(pick('KORD'), until, [provider], 75));
    for (const hours of [12, 6, 1]) {
      const pairs = rows.flatMap((row) => {
        const amount = sumTo(Date.parse(row.valid_at) / HOUR_MS, hours);
        const chance = row[`precip_chance_${hours}h`];
        return chance === '' || Number.isNaN(amount) ? [] : [{ chance: Number(chance), isWet: amount > 0 }];
      });
      expect(pairs.length, `${hours} hours`).to.be.above(400);
      const shareOf = (isOf: (chance: number) => boolean): number => {
        const some = pairs.filter(({ chance }) => isOf(chance));
        return some.filter(({ isWet }) => isWet).length / some.length;
      };
      expect(shareOf((chance) => chance <= 10)).to.be.below(0.1);
      expect(shareOf((chance) => chance >= 30)).to.be.above(hours === 1 ? 0.2 : 0.5);
    }
  });
});

describe('sample forecasts', () => {
  it('given the same input, when generated twice, then the rows are the same', () => {
    expect([...forecastRows(pick('KORD'), TODAY)]).to.deep.equal([...forecastRows(pick('KORD'), TODAY)]);
  });

  itInCi('given a later today, when generated, then forecasts which are in both samples are the same', () => {
    const key = (row: Forecast) => `${row.provider} ${row.issued_at} ${row.target_date}`;
    const later = new Map(forecasts(['CYYT'], plusDays(TODAY, 10)).map((row) => [key(row), row]));
    const common = forecasts(['CYYT']).filter((row) => row.target_date >= plusDays(TODAY, -380));
    for (const row of common) expect(later.get(key(row))).to.deep.equal(row);
    expect(common.length).to.be.above(9000);
  });

  it('given the default span, when days are counted, then they end today, or a few days ahead', () => {
    const dates = new Set(forecasts(['EGLL']).map((row) => row.target_date));
    const past = [...dates].filter((date) => date <= TODAY);
    expect(past).to.have.lengthOf(SAMPLE_DAYS);
    expect([...dates].sort()[0]).to.equal(plusDays(TODAY, 1 - SAMPLE_DAYS));
    expect([...dates].sort().at(-1)).to.equal(plusDays(TODAY, SAMPLE_LEAD_DAYS));
  });

  it('given zones all around, when lead times are taken, then four issuances a day reach five days', () => {
    for (const id of range({ test: 2, ci: Infinity }, ['PHNL', 'MUHA', 'VNKT', 'NZAA'])) {
      const zone = pick(id)[0]?.timezone;
      const rows = forecasts([id]).filter(({ provider }) => provider === 'made-up-fine');
      // Not all days, as luxon is slow; these have clock changes.
      const sampled = rows.filter(({ target_date: date }) => date >= '2025-10-25' && date <= '2025-11-05');
      for (const row of sampled) {
        expect(row.issued_at).to.match(/^\d{4}-\d\d-\d\dT(00|06|12|18):00:00Z$/);
        const localDay = DateTime.fromISO(row.issued_at, { zone }).toISODate() ?? '';
        expect(row.target_date >= localDay).to.be.true;
        expect(row.target_date <= plusDays(localDay, SAMPLE_LEAD_DAYS)).to.be.true;
      }
      const leads = sampled.map((row) => {
        const start = DateTime.fromISO(row.target_date, { zone }).toMillis();
        return (start - Date.parse(row.issued_at)) / HOUR_MS;
      });
      expect(Math.min(...leads), id).to.be.within(-25, -17);
      expect(Math.max(...leads), id).to.be.within(114, 121);
      const aDay = rows.filter((row) => row.target_date === '2025-07-10');
      expect(aDay, id).to.have.lengthOf(4 * (SAMPLE_LEAD_DAYS + 1));
      expect(rows.every((row) => row.issued_at <= `${TODAY}T00:00:00Z`)).to.be.true;
    }
  });

  it('given verified observations, when lead time grows, then the mean absolute error grows', () => {
    const ids = range({ test: 2, ci: Infinity }, ['KORD', 'WSSS', 'NZAA']);
    const verified = observations(ids).filter((row) => row.status === 'verified' && row.high_f !== '');
    const truth = new Map(verified.map((row) => [`${row.station_id} ${row.date}`, Number(row.high_f)]));
    const errors: number[][] = [];
    for (const row of forecasts(ids)) {
      const actual = truth.get(`${row.station_id} ${row.target_date}`);
      if (actual === undefined || row.high_f === '') continue;
      const leadDays = Math.max(0, Date.parse(row.target_date) - Date.parse(row.issued_at)) / (24 * HOUR_MS);
      (errors[Math.floor(leadDays)] ??= []).push(Math.abs(Number(row.high_f) - actual));
    }
    const means = errors.map((of) => of.reduce((sum, error) => sum + error, 0) / of.length);
    expect(means.length).to.be.at.least(SAMPLE_LEAD_DAYS);
    for (let day = 1; day < SAMPLE_LEAD_DAYS; day += 1) expect(means[day]).to.be.above(means[day - 1] ?? 0);
    expect(means[0]).to.be.within(1, 2.5);
    expect(means[4]).to.be.within(3, 5);
  });

  itInCi('given two providers, when errors of days are compared, then they share their weather', () => {
    const stations = ['KORD', 'KDTW', 'YSSY'];
    const verified = observations(stations).filter(
      ({ status, high_f }) => status === 'verified' && high_f !== '',
    );
    const truth = new Map(verified.map((row) => [`${row.station_id} ${row.date}`, Number(row.high_f)]));
    const issued = forecasts(stations).filter((row) => row.high_f !== '');
    /** The errors of the forecasts that were issued at midnight UTC so many days before, by date. */
    const errorsOf = (id: string, provider: string, days: number): Map<string, number> => {
      const own = issued.filter((row) => row.station_id === id && row.provider === provider);
      const asked = own.filter((row) => row.issued_at === `${plusDays(row.target_date, -days)}T00:00:00Z`);
      return new Map(
        asked.flatMap(({ target_date: date, high_f }) => {
          const actual = truth.get(`${id} ${date}`);
          return actual === undefined ? [] : [[date, Number(high_f) - actual]];
        }),
      );
    };
    const chicago = errorsOf('KORD', 'made-up-fine', 1);
    for (const [what, others, shift, low, high] of [
      ['within a day', errorsOf('KORD', 'made-up-fine', 2), 0, 0.6, 0.85],
      ['of providers', errorsOf('KORD', 'made-up-coarse', 1), 0, 0.5, 0.85],
      ['with the next day', chicago, 1, 0.15, 0.5],
      ['of neighbours', errorsOf('KDTW', 'made-up-fine', 1), 0, 0.15, 0.6],
      ['far away', errorsOf('YSSY', 'made-up-fine', 1), 0, -0.15, 0.15],
    ] as const) {
      const dates = [...chicago.keys()].filter((date) => others.has(plusDays(date, shift)));
      const other = dates.map((date) => others.get(plusDays(date, shift)) ?? NaN);
      const own = dates.map((date) => chicago.get(date) ?? NaN);
      expect(correlation(own, other), what).to.be.within(low, high);
    }
  });

  it('given no valid today, zone or climate, when generated, then a RangeError is thrown', () => {
    const [station] = pick('KORD');
    if (!station) throw new Error('no KORD');
    for (const today of ['2026-02-30', '30.01.2026', '2026-1-3', ''])
      expect(() => [...forecastRows([station], today)], today).to.throw(RangeError);
    for (const wrong of [{ timezone: 'Mars/Olympus' }, { climate_zone: 'Xyz' }])
      expect(() => [...forecastRows([{ ...station, ...wrong }], TODAY)]).to.throw(RangeError);
  });
});

describe('sample observations', () => {
  const ids = ['KORD', 'PANC', 'EGLL', 'VIDP', 'YSSY', 'MUHA', 'BIRK'];
  let rows: Observation[];

  before(() => {
    rows = observations(ids);
  });

  it('given a later today, when generated, then rows which are in both samples are the same', () => {
    const key = (row: Observation) => `${row.station_id} ${row.date} ${row.status} ${row.observed_at}`;
    const later = new Map(observations(ids, plusDays(TODAY, 10)).map((row) => [key(row), row]));
    for (const row of rows.filter(({ date }) => date >= plusDays(TODAY, -380)))
      expect(later.get(key(row))).to.deep.equal(row);
  });

  it('given any row, when high and low are there, then low is below high', () => {
    for (const row of rows.filter(({ high_f, low_f }) => high_f !== '' && low_f !== ''))
      expect(Number(row.low_f)).to.be.below(Number(row.high_f));
  });

  it('given the default span, when days are counted, then they end yesterday and few are missing', () => {
    const dates = [...datesOf(rows)].sort();
    expect(dates).to.have.lengthOf(SAMPLE_DAYS - 1);
    expect(dates[0]).to.equal(plusDays(TODAY, 1 - SAMPLE_DAYS));
    expect(dates.at(-1)).to.equal(plusDays(TODAY, -1));
    const reported = rows.filter((row) => row.status === 'preliminary').length;
    expect(reported / (ids.length * (SAMPLE_DAYS - 1))).to.be.within(0.985, 0.9999);
  });

  it('given the three most recent days, when looked at, then they are preliminary only', () => {
    const verified = rows.filter((row) => row.status === 'verified');
    expect([...datesOf(verified)].sort().at(-1)).to.equal(plusDays(TODAY, -4));
    const recent = rows.filter((row) => row.date >= plusDays(TODAY, -3));
    expect(new Set(recent.map((row) => row.status))).to.deep.equal(new Set(['preliminary']));
  });

  it('given older days, when looked at, then all but a few are verified, after the preliminary report', () => {
    const key = (row: Observation) => `${row.station_id} ${row.date}`;
    const older = rows.filter((row) => row.date < plusDays(TODAY, -3));
    const lastOf = (status: string) =>
      new Map(older.filter((row) => row.status === status).map((row) => [key(row), row]));
    const preliminary = lastOf('preliminary');
    const verified = [...lastOf('verified').values()];
    expect(verified.length / preliminary.size).to.be.within(0.975, 0.9999);
    const corrected = verified.filter((row) => {
      const first = preliminary.get(key(row));
      expect(Date.parse(row.observed_at)).to.be.above(Date.parse(first?.observed_at ?? ''));
      return first?.high_f !== row.high_f || first.low_f !== row.low_f;
    });
    expect(corrected.length / verified.length).to.be.within(0.1, 0.2);
  });

  it('given a preliminary row, when its time is taken, then the local day has just ended', () => {
    const zones = new Map(readStations().map((station) => [station.station_id, station.timezone]));
    for (const row of rows.filter(({ status }) => status === 'preliminary')) {
      const local = DateTime.fromISO(row.observed_at, { zone: zones.get(row.station_id) });
      expect(local.toISODate()).to.equal(plusDays(row.date, 1));
      expect(local.hour).to.be.below(3);
    }
    // Clocks in Havana went back from 01:00 to 00:00 on 2 November: the day before ended at the first midnight.
    const beforeChange = rows.find((row) => row.station_id === 'MUHA' && row.date === '2025-11-01');
    expect(beforeChange?.observed_at).to.satisfy((at: string) => at < '2025-11-02T05:15:00Z');
  });

  it('given an inactive station, when observations end, then it is 60 days before today', () => {
    const inactive = readStations().find((station) => station.data_active === 'false');
    if (!inactive) throw new Error('no inactive station');
    const dates = datesOf(observations([inactive.station_id]));
    expect([...dates].sort().at(-1)).to.equal(plusDays(TODAY, -60));
  });

  it('given the hemispheres, when summers are compared, then July is warm north and January south', () => {
    const mean = (id: string, month: string) => {
      const highs = rows.filter((row) => row.station_id === id && row.date.startsWith(month) && row.high_f);
      return highs.reduce((sum, row) => sum + Number(row.high_f), 0) / highs.length;
    };
    expect(mean('KORD', '2025-07')).to.be.above(mean('KORD', '2025-01') + 20);
    expect(mean('YSSY', '2025-07')).to.be.below(mean('YSSY', '2025-01') - 10);
  });
});
