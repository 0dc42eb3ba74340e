import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import {
  cut,
  type Fraction,
  type PlainCase,
  plainChance,
  plainSlope,
} from '../../support/plain/day-so-far.js';
import {
  type DayHours,
  dayHours,
  type HourRow,
  sixHoursIn,
  standingReports,
} from '../../support/plain/hours.js';
import {
  emptyStore,
  forecastOf,
  groups,
  linesOf,
  type Load,
  type Metric,
  type Pair,
  pairsOf,
  plusDays,
  reportsOf,
  standing,
  startOfDay,
  STATIONS,
} from '../../support/plain/oracle.js';
import { Facts, settledAt, sixAround, zoneOf } from '../../support/plain/probability.js';
import { DAYS, FIRST_DAY, LAST_DAY, probabilityWorld } from '../../support/probability-worlds.js';
import { Random } from '../../support/random.js';
import { describeInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const NOW = '2025-06-01T00:00:00Z';
const WINDOW = 40;

/** A day in New York whose reports end in the morning. */
const SILENT = plusDays(LAST_DAY, -2);

/** The loads of a world, with the reports within the day that each has. */
interface HoursLoad extends Load {
  hours: readonly HourRow[];
}

const beginOf = (station_id: string, date: string): number => startOfDay(date, zoneOf(station_id));

/**
 * The forecasts and observations of probabilities, same-day forecasts beside them, and the hours of each day: some missing,
 * and some days without enough, extremes of six hours that go beyond them, and in the second load corrections.
 */
function hoursWorld(seed: number): [HoursLoad, HoursLoad] {
  const [first, second] = probabilityWorld(seed);
  const random = new Random(seed + 57);
  const known = new Map(first.observations.map((each) => [`${each.station_id} ${each.date}`, each]));
  const hours: HourRow[] = [];
  const forecasts = [...first.forecasts];
  for (const station of STATIONS) {
    const { station_id } = station;
    for (let nth = 0; nth < DAYS; nth += 1) {
      const date = plusDays(FIRST_DAY, nth);
      const begins = beginOf(station_id, date);
      const { high = 5000, low = 2000 } = known.get(`${station_id} ${date}`) ?? {};
      if (random.next() < 0.3) {
        const row = forecastOf(station, date, -random.below(12 * HOUR), high + 100 * random.below(3));
        forecasts.push({ ...row, low: low + 100 * random.below(3) });
      }
      const share = random.next() < 0.06 ? 0.6 : 0.97;
      for (let hour = 0; begins + hour * HOUR < beginOf(station_id, plusDays(date, 1)); hour += 1) {
        if (random.next() > share) continue;
        // Nothing more comes of this one.
        if (station_id === 'KNYC' && date === SILENT && hour >= 6) continue;
        const height = Math.sin((Math.PI * Math.min(24, Math.max(0, hour - 5))) / 19) ** 2;
        const temp = Math.round(low + (high - low) * height - 150 * random.next());
        const groups = hour % 6 === 5 && random.next() < 0.6;
        // Every other day's last group is reported at midnight.
        const minutes = groups && hour === 23 && nth % 2 === 0 ? 60 : 51;
        const row: HourRow = { station_id, at: begins + hour * HOUR + minutes * MINUTE, temp };
        hours.push(
          groups ? { ...row, max_6h: temp + random.below(300), min_6h: temp - random.below(900) } : row,
        );
      }
    }
  }
  const corrected = hours
    .filter(() => random.next() < 0.02)
    .map((row) => ({ ...row, temp: (row.temp ?? 0) + 400, ...(random.next() < 0.3 && { withdrawn: true }) }));
  return [
    { ...first, forecasts, hours },
    { ...second, hours: corrected },
  ];
}

/** A question about a day that has begun. */
interface Asked {
  metric: Metric;
  station_id: string;
  date: string;
  /** Since it began. */
  minutes: number;
}

interface Outlook {
  method: string;
  reason: string | null;
  hint: string | null;
  forecast_f: number | null;
  so_far: {
    m: number | null;
    at: string;
    hour: number;
    gap: number | null;
    slope: number;
    cases: number;
    hours_reported: number;
    from_6h_groups: number;
  };
  training: { station_days: number; network_days: number };
  thresholds: {
    threshold_f: number;
    threshold_c?: number;
    at_or_above: number | null;
    station_days_at_or_above: number;
    network_days_at_or_above: number;
  }[];
}

interface Judged {
  cases: number;
  crps_f: { value: number };
  crps_c?: { value: number };
  brier: { value: number };
  rise: { crps_f: number; crps_c?: number };
  mixture: { crps_f: number; cases: number };
}

const numberOf = ([numerator, denominator]: Fraction): number => Number(numerator) / Number(denominator);
const shown = (found: Fraction): number =>
  Math.min(999_999, Math.max(1, Math.round(numberOf(found) * 1e6))) / 1e6;

const ofDay = (station_id: string, date: string): string => `${station_id} ${date}`;

/** Everything of a world, looked up plainly. */
class Plain {
  readonly facts: Facts;
  readonly #pairs: Map<string, Pair[]>;
  readonly #hours: Map<string, HourRow[]>;
  readonly #days = new Map<string, DayHours>();

  constructor(
    readonly loads: readonly HoursLoad[],
    readonly metric: Metric,
    readonly unit?: 'celsius',
  ) {
    this.facts = new Facts(loads, {
      metric,
      provider: 'default',
      bucket: '12-24h',
      window: WINDOW,
      verified_only: metric === 'low',
    });
    const pairs = pairsOf(loads).filter((pair) => pair.metric === metric && pair.provider === 'default');
    this.#pairs = new Map(groups(pairs, ({ station_id, target_date }) => ofDay(station_id, target_date)));
    this.#hours = new Map(
      groups(standingReports(loads.flatMap(({ hours }) => hours)), (row) => row.station_id),
    );
  }

  /** The extreme of a day that is known at the end of an hour. */
  measured(station_id: string, date: string, hour: number): number | null {
    const key = ofDay(station_id, date);
    let found = this.#days.get(key);
    if (found === undefined) {
      const own = this.#hours.get(station_id) ?? [];
      found = dayHours(own, beginOf(station_id, date), beginOf(station_id, plusDays(date, 1)), this.unit);
      this.#days.set(key, found);
    }
    return (this.metric === 'high' ? found.highest : found.lowest)[hour - 1] ?? null;
  }

  reports(station_id: string, date: string, moment: number): HourRow[] {
    const [begins, ends] = [beginOf(station_id, date), beginOf(station_id, plusDays(date, 1))];
    const own = this.#hours.get(station_id) ?? [];
    return own.filter(({ at }) => at >= begins && at < ends && at + 3 * MINUTE <= moment);
  }

  /** The reports whose six hours lie in a day. */
  sixHours(station_id: string, date: string, moment: number): HourRow[] {
    const day = [beginOf(station_id, date), beginOf(station_id, plusDays(date, 1))] as const;
    const known = (this.#hours.get(station_id) ?? []).filter(({ at }) => at + 3 * MINUTE <= moment);
    return sixHoursIn(known, ...day).filter(
      (row) => (this.metric === 'high' ? row.max_6h : row.min_6h) !== undefined,
    );
  }

  /** The latest forecast of a day that was issued by a moment and before the day ended, whether or not anything was observed. */
  issued(station_id: string, date: string, moment: number) {
    const ends = beginOf(station_id, plusDays(date, 1));
    const [latest] = standing(
      this.loads.flatMap(({ forecasts }) => forecasts),
      this.metric,
      (row) => `${row.provider ?? ''} ${row.station_id} ${row.target_date} ${row.issued_at}`,
    )
      .filter((row) => row.station_id === station_id && row.target_date === date)
      .filter(({ issued_at, provider }) => issued_at <= moment && issued_at < ends && !provider)
      .sort((a, b) => b.issued_at - a.issued_at);
    return latest && { forecast: latest[this.metric]!, issued_at: latest.issued_at };
  }

  /** The latest forecast of a day with an observation that was issued by a moment, hundredths of a °F. */
  forecast(station_id: string, date: string, moment: number): Pair | undefined {
    return (this.#pairs.get(ofDay(station_id, date)) ?? [])
      .filter(({ issued_at }) => issued_at <= moment)
      .sort((a, b) => b.issued_at - a.issued_at)[0];
  }

  /** A whole degree, half up for highs, half down for lows. */
  degree(hundredths: number): number {
    if (this.metric === 'high') return settledAt(hundredths, this.unit);
    return this.unit === 'celsius'
      ? Math.ceil(((hundredths - 3200) * 5 - 450) / 900)
      : Math.ceil((hundredths - 50) / 100);
  }

  gap(forecast: number, measured: number): number {
    const degree = this.degree(forecast);
    return cut(this.metric === 'high' ? degree - measured : measured - degree, this.unit);
  }

  cases(date: string, hour: number, moment: number): PlainCase[] {
    const found: PlainCase[] = [];
    for (const { station_id } of STATIONS) {
      for (let back = 1; back <= WINDOW; back += 1) {
        const earlier = plusDays(date, -back);
        const then =
          hour === 24
            ? beginOf(station_id, plusDays(earlier, 1))
            : beginOf(station_id, earlier) + hour * HOUR;
        const isCome = then + (hour === 24 ? 3 * MINUTE : 0) <= moment;
        const measured = this.measured(station_id, earlier, hour);
        const forecast = this.forecast(station_id, earlier, then);
        const actual = this.facts.known(station_id, earlier, moment);
        if (measured === null || forecast === undefined || actual === undefined || !isCome) continue;
        const settled = settledAt(actual, this.unit);
        const rise = this.metric === 'high' ? settled - measured : measured - settled;
        found.push({ station: station_id, gap: this.gap(forecast.forecast, measured), rise });
      }
    }
    return found;
  }

  /** The rises that reach a degree or more. */
  above(degree: number, measured: number): readonly [number, number] {
    return this.metric === 'high' ? [degree - measured, 999] : [-999, measured - degree];
  }
}

const QUESTIONS: readonly Asked[] = [
  { metric: 'high', station_id: 'KNYC', date: plusDays(LAST_DAY, -2), minutes: 9 * 60 },
  { metric: 'high', station_id: 'KNYC', date: plusDays(LAST_DAY, -1), minutes: 13 * 60 + 55 },
  { metric: 'high', station_id: 'PLCH', date: plusDays(LAST_DAY, -3), minutes: 60 },
  { metric: 'high', station_id: 'NSTU', date: plusDays(LAST_DAY, -3), minutes: 11 * 60 + 53 },
  { metric: 'high', station_id: 'VNKT', date: plusDays(LAST_DAY, -4), minutes: 17 * 60 + 54 },
  { metric: 'low', station_id: 'MUHA', date: plusDays(LAST_DAY, -2), minutes: 7 * 60 },
  { metric: 'low', station_id: 'OLBA', date: plusDays(LAST_DAY, -1), minutes: 3 * 60 + 20 },
  { metric: 'high', station_id: 'YLHI', date: plusDays(LAST_DAY, -1), minutes: 23 * 60 + 59 },
];

/** Days that have ended, so many minutes later: until their first value is reported they are known by their hours. */
const ENDED: readonly Asked[] = [0, 2, 3, 45, 300, 900].flatMap((later, nth) =>
  STATIONS.map(({ station_id }, at): Asked => {
    const date = plusDays(LAST_DAY, -3 - ((at + nth) % 3));
    const minutes = (beginOf(station_id, plusDays(date, 1)) - beginOf(station_id, date)) / MINUTE + later;
    return { metric: (at + nth) % 2 === 0 ? 'high' : 'low', station_id, date, minutes };
  }),
);

const ASKED = [
  ...range({ test: 3, ci: Infinity }, QUESTIONS),
  ...range({ test: 12, ci: 12, stress: Infinity }, ENDED),
];

/** A third of them are asked in °C as well. */
const IN_UNITS = [
  ...ASKED.map((asked) => ({ asked, unit: undefined })),
  ...ASKED.filter((_, at) => at % 3 === 0).map((asked) => ({ asked, unit: 'celsius' as const })),
];

const momentOf = ({ station_id, date, minutes }: Asked): number =>
  beginOf(station_id, date) + minutes * MINUTE;

const WORLDS = range({ test: 1, ci: 1, stress: 30 });

describeInCi('odds of days that have begun, given random worlds (D57)', function () {
  let store: Store;
  let service: TestService;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  const ask = (asked: Asked, more: string): Promise<Outlook> => {
    const { metric, station_id, date } = asked;
    const known = new Date(momentOf(asked)).toISOString();
    return dataOf<Outlook>(
      service,
      `probability?metric=${metric}&station_id=${station_id}&target_date=${date}&known_at=${known}&window=${WINDOW}${more}`,
    );
  };

  for (let seed = 1; seed <= WORLDS; seed += 1) {
    describe(`world ${seed}`, () => {
      let loads: [HoursLoad, HoursLoad];

      before(async () => {
        await emptyStore(store);
        loads = hoursWorld(seed);
        for (const each of loads) await loadLines(store, linesOf(each));
        service = await startTestService(store, { now: NOW });
      });

      for (const version of range({ test: 1, ci: 2 }, [2, 1])) {
        it(`when version ${version} is asked, then odds, cases and what has been measured are those of plain loops`, async () => {
          const seen = {
            odds: 0,
            missing: 0,
            same_day: 0,
            groups: 0,
            closing: 0,
            old: 0,
            ended: 0,
            reported: 0,
          };
          const said = loads.slice(0, version);
          const plains = {
            fahrenheit: { high: new Plain(said, 'high'), low: new Plain(said, 'low') },
            celsius: { high: new Plain(said, 'high', 'celsius'), low: new Plain(said, 'low', 'celsius') },
          };
          for (const { asked, unit } of IN_UNITS) {
            const { metric, station_id, date, minutes } = asked;
            const plain = plains[unit ?? 'fahrenheit'][metric];
            const moment = momentOf(asked);
            const begins = beginOf(station_id, date);
            const ends = beginOf(station_id, plusDays(date, 1));
            const reported = reportsOf(said, metric).some(
              (row) => row.station_id === station_id && row.date === date && row.observed_at <= moment,
            );
            if (moment >= ends && reported) {
              const known = await ask(asked, `&as_of=v${version}`);
              expect(known.method, JSON.stringify(asked)).to.equal('mixture');
              expect(known.hint).to.contain('its value is reported');
              seen.reported += 1;
              continue;
            }
            const reports = plain.reports(station_id, date, moment);
            const temps = reports.filter(({ temp }) => temp !== undefined);
            const sixHours = plain.sixHours(station_id, date, moment);
            const groups = sixHours.map((row) => (metric === 'high' ? row.max_6h! : row.min_6h!));
            const newest = Math.max(...temps.map((row) => row.at));
            const until = Math.min(moment, ends);
            const isNew = until - newest <= 70 * MINUTE;
            let hour = moment >= ends ? 24 : Math.min(23, Math.floor(minutes / 60));
            if (!isNew) for (hour = 1; newest + 3 * MINUTE > begins + hour * HOUR;) hour += 1;
            const passed = isNew ? Math.floor((until - begins) / HOUR) : hour;
            const values = [...temps.map(({ temp }) => temp!), ...groups];
            const m = plain.degree(metric === 'high' ? Math.max(...values) : Math.min(...values));
            const forecast = plain.issued(station_id, date, moment);
            const gap = forecast && plain.gap(forecast.forecast, m);
            const cases = plain.cases(date, hour, moment);
            const hours = new Set(temps.map(({ at }) => Math.floor((at - begins) / HOUR))).size;
            const isEnough = hours >= passed - 2;
            const thresholds = [m - 3, m, m + 1, m + 4];
            const found = await ask(
              asked,
              `&thresholds=${thresholds.join()}&as_of=v${version}${unit ? `&temp_unit=${unit}` : ''}`,
            );
            const what = JSON.stringify({ ...asked, unit, version });
            expect(found.method, what).to.equal('day_so_far');
            expect(found.forecast_f, what).to.equal(forecast === undefined ? null : forecast.forecast / 100);
            expect(found.so_far, what).to.deep.equal({
              m,
              at: new Date(Math.max(...[...reports, ...sixHours].map(({ at }) => at)))
                .toISOString()
                .replace('.000Z', 'Z'),
              day_begins_at: new Date(begins).toISOString().replace('.000Z', 'Z'),
              hour,
              gap: gap ?? null,
              slope: Math.round(numberOf(gap === undefined ? [0n, 1n] : plainSlope(cases)) * 1e6) / 1e6,
              cases: cases.length,
              hours_reported: hours,
              from_6h_groups: groups.length,
            });
            const own = cases.filter(({ station }) => station === station_id);
            expect(found.training, what).to.include({
              station_days: own.length,
              network_days: cases.length,
            });
            expect(cases.length).to.be.above(150);
            for (const each of found.thresholds) {
              const threshold = (unit ? each.threshold_c : each.threshold_f) ?? NaN;
              const reach = plain.above(threshold, m);
              expect(each.at_or_above, `${what} ${threshold}`).to.equal(
                isEnough ? shown(plainChance(cases, station_id, gap, reach, 2, unit)) : null,
              );
            }
            expect(found.reason === null, what).to.equal(isEnough);
            seen[isEnough ? 'odds' : 'missing'] += 1;
            if (!isNew) seen.old += 1;
            if (moment >= ends) seen.ended += 1;
            if (forecast !== undefined && forecast.issued_at > begins) seen.same_day += 1;
            if (groups.length > 0) seen.groups += 1;
            if (sixHours.some(({ at }) => at === ends)) seen.closing += 1;
          }
          expect(seen.odds).to.be.above(range({ test: 1, ci: 4 }));
          expect(seen.groups).to.be.above(range({ test: 0, ci: 1 }));
          expect(seen.closing).to.be.above(0);
          expect(seen.ended).to.be.above(0);
          expect(seen.reported).to.be.above(0);
          expect(seen.old).to.be.above(0);
        });
      }

      it('when odds of an hour are judged, then scores are means over what plain loops say', async () => {
        for (const [metric, hour, unit] of range({ test: 2, ci: 3, stress: Infinity }, [
          ['high', 10, undefined],
          ['low', 24, undefined],
          ['low', 4, undefined],
          ['high', 24, undefined],
          ['low', 24, 'celsius'],
          ['high', 12, 'celsius'],
        ] as const)) {
          const days = [plusDays(LAST_DAY, -4), plusDays(LAST_DAY, -3)];
          const plain = new Plain(loads, metric, unit);
          const sums = { cases: 0, line: 0, rise: 0, brier: 0 };
          for (const date of days) {
            for (const { station_id } of STATIONS) {
              const moment =
                hour === 24
                  ? beginOf(station_id, plusDays(date, 1)) + 3 * MINUTE
                  : beginOf(station_id, date) + hour * HOUR;
              const measured = plain.measured(station_id, date, hour);
              const actual = plain.facts.known(station_id, date, Infinity);
              if (measured === null || actual === undefined) continue;
              const cases = plain.cases(date, hour, moment);
              const forecast = plain.forecast(station_id, date, moment)?.forecast;
              const gap = forecast === undefined ? undefined : plain.gap(forecast, measured);
              if (cases.length < 120) continue;
              const settled = settledAt(actual, unit);
              const ofDegree = unit === 'celsius' ? 3200 + 180 * measured : 100 * measured;
              const middle = forecast ?? ofDegree;
              const between = (from: number, to: number): readonly [number, number] =>
                metric === 'high' ? [from - measured, to - measured] : [measured - to, measured - from];
              sums.cases += 1;
              for (const [from, to] of sixAround(middle, unit)) {
                const odds = numberOf(plainChance(cases, station_id, gap, between(from, to), 6, unit));
                sums.brier += (odds - (from <= settled && settled <= to ? 1 : 0)) ** 2 / 6;
              }
              for (let degree = measured - 60; degree <= measured + 60; degree += 1) {
                const isPast = settled <= degree ? 1 : 0;
                const upTo = between(-999, degree);
                sums.line += (numberOf(plainChance(cases, station_id, gap, upTo, 0, unit)) - isPast) ** 2;
                sums.rise +=
                  (numberOf(plainChance(cases, station_id, undefined, upTo, 0, unit)) - isPast) ** 2;
              }
            }
          }
          const found = await dataOf<Judged>(
            service,
            `probability/reliability?metric=${metric}&hour=${hour}&window=${WINDOW}&date_from=${days[0]}&date_to=${days[1]}${unit ? `&temp_unit=${unit}` : ''}`,
          );
          expect(found.cases, metric).to.equal(sums.cases).and.to.be.above(8);
          const [crps, rise] = unit
            ? [found.crps_c!.value, found.rise.crps_c!]
            : [found.crps_f.value, found.rise.crps_f];
          expect(crps, metric).to.be.closeTo(sums.line / sums.cases, 1e-6);
          expect(rise, metric).to.be.closeTo(sums.rise / sums.cases, 1e-6);
          expect(found.brier.value, metric).to.be.closeTo(sums.brier / sums.cases, 1e-6);
          expect(found.mixture.cases, metric).to.be.within(1, sums.cases);
        }
      });

      it('when everything that is known later changes, then no byte of an answer does', async () => {
        const days = `date_from=${plusDays(LAST_DAY, -8)}&date_to=${plusDays(LAST_DAY, -7)}`;
        const judgedBy = Date.parse(plusDays(LAST_DAY, -5));
        const judged = `probability/reliability?hour=9&window=${WINDOW}&${days}&known_at=${new Date(judgedBy).toISOString()}`;
        const all = [
          ...ASKED.map((asked) => ({
            moment: momentOf(asked),
            get: (): Promise<unknown> => ask(asked, '&thresholds=40,50,60'),
          })),
          { moment: judgedBy, get: (): Promise<unknown> => dataOf(service, judged) },
        ].sort((a, b) => b.moment - a.moment);
        const questions = range({ test: 1, ci: 1, stress: Infinity }, all);
        const before = [];
        for (const { get } of questions) before.push(await get());
        // From the last moment to the first, so what has changed by then is later still.
        for (const [at, { moment, get }] of questions.entries()) {
          await loadLines(store, linesOf(changedAfter(moment, loads)));
          service = await startTestService(store, { now: NOW });
          expect(await get(), `${at}`).to.deep.equal(before[at]);
        }
      });
    });
  }
});

/** A load of all that may be said after a moment: other reports of all days, forecasts and temperatures. */
function changedAfter(moment: number, loads: readonly HoursLoad[]): HoursLoad {
  const [{ observations, forecasts, hours } = { observations: [], forecasts: [], hours: [] }] = loads;
  return {
    stations: [],
    observations: observations.map((row) => ({
      ...row,
      high: (row.high ?? 0) + 700,
      low: (row.low ?? 0) - 700,
      status: 'verified' as const,
      observed_at: Math.max(row.observed_at, moment + 1000),
    })),
    forecasts: forecasts
      .filter(({ issued_at }) => issued_at > moment - 48 * HOUR)
      .map((row) => ({
        ...row,
        issued_at: Math.max(row.issued_at, moment + 1000),
        high: (row.high ?? 0) - 900,
        low: (row.low ?? 0) + 900,
      })),
    hours: hours
      .filter(({ at }) => at + 3 * MINUTE > moment)
      .map((row) => ({ ...row, temp: (row.temp ?? 0) + 2000 })),
  };
}
