import { expect } from 'chai';
import { describeInCi, range } from '../../support/runner/range.js';
import type { Store } from '../../../src/store/store.js';
import { dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { emptyStore, linesOf, type Load, LEDGER_BUCKETS, plusDays } from '../../support/plain/oracle.js';
import {
  asked,
  binned,
  chance,
  type Chosen,
  endings,
  Facts,
  issuedAt,
  mean,
  question,
  scored,
  sixAround,
} from '../../support/plain/probability.js';
import { distributionRecordOf } from '../../support/plain/distribution.js';
import { LAST_DAY, probabilityWorld } from '../../support/probability-worlds.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const NOW = '2025-06-01T00:00:00Z';
const FROM = plusDays(LAST_DAY, -15);

interface Rival {
  brier: number;
  crps_f: number;
  crps_c?: number;
  log_score: number;
}

interface Reliability {
  cases: number;
  lead_range: LeadRange;
  cases_without_training: number;
  brier: { value: number };
  crps_f: { value: number };
  crps_c?: { value: number };
  log_score: { value: number };
  reliability: number;
  resolution: number;
  uncertainty: number;
  within_bins: number;
  normal_2f: Rival;
  network: Rival;
  station: Rival;
  pit: number[];
  bins: { forecasts: number; mean_probability: number | null; observed: number | null }[];
}

interface Bias {
  forecast_c?: number;
  bias_f: number;
  bias_c?: number;
  out_of_sample: { cases: number; mae_raw: number; mae_corrected: number };
}

/** A record without what its intervals say: the loops work out fewer than 14 days. */
const withoutIntervals = (record: object): unknown =>
  JSON.parse(JSON.stringify(record), (name, value: unknown) =>
    /^(low|high|covered_low|covered_high|verdict|shape|p_value)$/.test(name) ? null : value,
  );

/** The mean of a station's errors and of 40 more like the network's. */
const biasOf = ({ station, network }: { station: number[]; network: number[] }): number =>
  (station.reduce((sum, each) => sum + each, 0) + 40 * mean(network)) / (station.length + 40);

interface LeadRange {
  nearest_lead_hours: number;
  from_lead_hours: number;
  to_lead_hours: number;
}

interface Met {
  reason: string | null;
  thresholds: object[];
  brackets: object[];
}

interface Probability {
  forecast_f: number;
  lead_range: LeadRange;
  training: {
    station_days: number;
    network_days: number;
    mean_lead_hours: number;
    min_lead_hours: number;
    max_lead_hours: number;
  };
  brackets: {
    from_f: number | null;
    to_f: number | null;
    from_c?: number | null;
    to_c?: number | null;
    probability: number;
    low: number;
    high: number;
    station_days: number;
    network_days: number;
  }[];
  quantiles: unknown;
}

const WORLDS = range({ test: 1, ci: 1, stress: 40 });

describeInCi('probabilities, given random worlds (D36)', function () {
  let store: Store;
  let service: TestService;
  let loads: readonly Load[];

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  for (let seed = 1; seed <= WORLDS; seed += 1) {
    describe(`world ${seed}`, () => {
      before(async () => {
        await emptyStore(store);
        loads = probabilityWorld(seed);
        for (const load of loads) await loadLines(store, linesOf(load));
        service = await startTestService(store, { now: NOW });
      });

      for (const [what, metric, leads, buckets, station] of range({ test: 2, ci: Infinity }, [
        ['highs of all leads', 'high', '', LEDGER_BUCKETS.slice(1), undefined],
        ['lows of a station', 'low', '&lead=12', LEDGER_BUCKETS.slice(3), ['KNYC']],
        [
          'a station',
          'high',
          '&lead_time_bucket=same-day,24-48h,72h%2B',
          ['same-day', '24-48h', '72h+'],
          ['NSTU'],
        ],
      ] as const)) {
        it(`when the distributions of ${what} are held against what came, then all is as worked out`, async () => {
          const asked = {
            ...{ metric, provider: 'default', first: FROM, last: LAST_DAY, buckets },
            station: station?.[0],
          };
          const where = station === undefined ? '' : `&station_id=${station[0]}`;
          const path = `accuracy/distribution?metric=${metric}&date_from=${FROM}&date_to=${LAST_DAY}${leads}${where}`;
          const response = await service.get(`/api/v1/${path}`);
          const [record] = (response.body as { data: object[] }).data;
          expect(withoutIntervals(record!)).to.deep.equal(
            withoutIntervals(distributionRecordOf(loads, asked).data[0]!),
          );
        });
      }

      for (const [what, of, station] of range({ test: 4, ci: Infinity }, [
        ['all stations', question(), undefined],
        ['short leads of a station', question({ bucket: '0-6h', window: 50 }), 'NSTU'],
        ['the first day of the longest leads', question({ bucket: '72h+' }), undefined],
        ['a lead of more than five days', question({ bucket: '72h+', lead: 125 }), undefined],
        ['a lead between those of a day', question({ bucket: '24-48h', lead: 39.25 }), undefined],
        [
          'lows by verified values',
          question({ metric: 'low', bucket: '24-48h', verified_only: true }),
          undefined,
        ],
        ['what there is too little of', question({ window: 30, bucket: '48-72h' }), 'VNKT'],
        [
          'lows of a station in whole °C',
          question({ metric: 'low', bucket: '24-48h', unit: 'celsius' }),
          'NSTU',
        ],
        ['all stations in whole °C', question({ unit: 'celsius' }), undefined],
      ] as const)) {
        it(`when reliability for ${what} is asked, then it is worked out from what was known at each issuance`, async () => {
          const facts = new Facts(loads, of);
          const { cases, untrained } = scored(
            facts,
            (each) => each.target_date >= FROM && (station === undefined || each.station_id === station),
            of.unit,
          );
          const found = await dataOf<Reliability>(
            service,
            `probability/reliability?${asked(of)}&date_from=${FROM}&date_to=${LAST_DAY}${station ? `&station_id=${station}` : ''}`,
          );
          expect([found.cases, found.cases_without_training]).to.deep.equal([cases.length, untrained]);
          if (cases.length === 0) return;
          const near = (value: number, expected: number, about: string): void => {
            expect(value, about).to.be.closeTo(expected, 2e-6);
          };
          for (const [field, score, size] of [
            ['brier', 'brier', 1],
            ['crps_f', 'crps', of.unit === 'celsius' ? 1.8 : 1],
            ...(of.unit === 'celsius' ? ([['crps_c', 'crps', 1]] as const) : []),
            ['log_score', 'log', 1],
          ] as const) {
            const expected = (method: 'mixture' | 'normal_2f' | 'network' | 'station'): number =>
              size * mean(cases.map(({ scores }) => scores[method][score]));
            near(found[field]?.value ?? NaN, expected('mixture'), field);
            for (const method of ['normal_2f', 'network', 'station'] as const)
              near(found[method][field] ?? NaN, expected(method), `${method} ${field}`);
          }
          const { reliability, bins } = binned(cases);
          near(found.reliability, reliability, 'reliability');
          for (const [at, { forecasts, mean, observed }] of bins.entries()) {
            const bin = found.bins[at];
            expect(bin?.forecasts, `bin ${at}`).to.equal(forecasts);
            if (forecasts === 0) continue;
            expect(bin?.mean_probability).to.be.closeTo(mean, 1e-4);
            expect(bin?.observed).to.be.closeTo(observed, 1e-4);
          }
          const { resolution, uncertainty, within_bins } = found;
          // Five numbers, each rounded to 0.000001.
          expect(found.reliability - resolution + uncertainty + within_bins).to.be.closeTo(
            found.brier.value,
            3e-6,
          );
          expect(found.pit.reduce((sum, each) => sum + each, 0)).to.be.closeTo(1, 1e-3);
        });
      }

      it("when a past forecast is asked about, then it has the probabilities that its own lead's table scores", async () => {
        for (const of of range({ test: 2, ci: Infinity }, [
          question(),
          question({ bucket: '24-48h' }),
          question({ bucket: '72h+' }),
          question({ metric: 'low', bucket: '0-6h' }),
          question({ bucket: '72h+', lead: 130.5 }),
          question({ unit: 'celsius' }),
        ])) {
          const asking = new Facts(loads, of);
          const past = asking.forecasts.filter(
            ({ target_date, station_id }) =>
              target_date >= plusDays(LAST_DAY, -1) &&
              asking.known(station_id, target_date, Infinity) !== undefined,
          );
          for (const each of [past[0], past.at(-1)].filter((found) => found !== undefined)) {
            const { station_id, target_date: date, forecast, lead } = each;
            const facts = new Facts(loads, { ...of, lead });
            const { cases } = scored(
              facts,
              (other) => other.target_date === date && other.station_id === station_id,
              of.unit,
            );
            const errors = facts.learned(station_id, date, issuedAt(each));
            const known = new Date(issuedAt(each)).toISOString();
            const path = `probability?${asked(of)}&station_id=${station_id}&target_date=${date}`;
            const found = await dataOf<Probability>(service, path);
            expect(await dataOf(service, `${path}&known_at=${known}`)).to.deep.equal(found);
            expect(found.forecast_f).to.equal(forecast / 100);
            expect(found.lead_range.nearest_lead_hours).to.be.closeTo(lead, 1e-6);
            const { mean_lead_hours, min_lead_hours, max_lead_hours, ...training } = found.training;
            expect(training).to.include({
              station_days: errors.station.length,
              network_days: errors.network.length,
            });
            const { station, network } = errors.leads;
            const total = station.reduce((sum, hours) => sum + hours, 0) + 60 * mean(network);
            expect(mean_lead_hours).to.be.closeTo(total / (station.length + 60), 0.00501);
            expect(min_lead_hours).to.be.closeTo(Math.min(...station, ...network), 0.00501);
            expect(max_lead_hours).to.be.closeTo(Math.max(...station, ...network), 0.00501);
            const [from_, to_] =
              of.unit === 'celsius' ? (['from_c', 'to_c'] as const) : (['from_f', 'to_f'] as const);
            const shown = found.brackets.map((bracket) => [
              ...[bracket[from_] ?? -Infinity, bracket[to_] ?? Infinity],
              ...[bracket.station_days, bracket.network_days],
            ]);
            expect(shown).to.deep.equal(
              sixAround(forecast, of.unit).map(([from, to]) => [
                ...[from, to, endings(errors.station, forecast, from, to, of.unit)],
                endings(errors.network, forecast, from, to, of.unit),
              ]),
            );
            const table = await dataOf<Reliability>(
              service,
              `probability/reliability?${asked({ ...of, lead: found.lead_range.nearest_lead_hours })}&station_id=${station_id}&date_from=${date}&days=1`,
            );
            expect([table.cases, table.lead_range]).to.deep.equal([cases.length, found.lead_range]);
            if (cases[0] === undefined) continue; // too few days of the network
            expect(table.brier.value).to.be.closeTo(cases[0].scores.mixture.brier, 2e-6);
            for (const [at, [from, to]] of sixAround(forecast, of.unit).entries()) {
              expect(found.brackets[at]?.probability).to.be.closeTo(
                chance(errors, forecast, from, to, 6, of.unit),
                2e-6,
              );
            }
          }
        }
      });

      it('when the stored forecast is four days or older, then it learns from those of its own day of lead', async () => {
        const hasNearer = new Set(
          new Facts(loads, question({ bucket: '72h+' })).forecasts.map(
            ({ station_id, target_date }) => `${station_id} ${target_date}`,
          ),
        );
        const of = question({ bucket: '72h+', lead: 130.5 });
        const { station_id, target_date, forecast } = new Facts(loads, of).forecasts.findLast(
          (each) => !hasNearer.has(`${each.station_id} ${each.target_date}`),
        ) as Chosen;
        const found = await dataOf<Probability>(
          service,
          `probability?${asked(question({ bucket: '72h+' }))}&station_id=${station_id}&target_date=${target_date}`,
        );
        expect(found.forecast_f).to.equal(forecast / 100);
        expect(found.lead_range).to.include({ from_lead_hours: 120, to_lead_hours: 144 });
        expect(found.training.min_lead_hours).to.be.at.least(130);
      });

      // 8 °C begins at 45.5 °F, and so does 46 °F: every 5 °C they begin together.
      it('when the degrees of both units begin together, then so many °C or more are as likely as so many °F', async () => {
        const units = [
          ['temp_unit=celsius&forecast=9.35', [-12, 3, 8, 13, 23], '-12-2,3-7,8-12,13-22,23..'],
          ['forecast=48.83', [10, 37, 46, 55, 73], '10-36,37-45,46-54,55-72,73..'],
        ] as const;
        for (const station of ['station_id=NSTU&', 'station_id=KNYC&', '']) {
          const [celsius, fahrenheit] = await Promise.all(
            units.map(async ([unit, thresholds, brackets]) => {
              const path = `probability?${station}${unit}&target_date=${LAST_DAY}&lead_hours=20&window=40`;
              const found = await dataOf<Met>(
                service,
                `${path}&thresholds=${thresholds.join()}&brackets=${brackets}`,
              );
              expect(found.reason).to.equal(null);
              return [...found.thresholds, ...found.brackets].map((each) =>
                Object.fromEntries(Object.entries(each).filter(([name]) => !/_[fc]$/.test(name))),
              );
            }),
          );
          expect(celsius).to.deep.equal(fahrenheit);
        }
      });

      it('when a bias is asked for, then it is as worked out, and so is what it did to past forecasts', async () => {
        for (const [of, station_id] of [
          [question({ bucket: '24-48h' }), 'VNKT'],
          [question({ metric: 'low', bucket: '72h+', verified_only: true }), 'CYYT'],
          [question({ bucket: '72h+', lead: 90.5 }), 'NSTU'],
          [question({ unit: 'celsius' }), 'NSTU'],
        ] as const) {
          const size = of.unit === 'celsius' ? 180 : 100;
          const facts = new Facts(loads, of);
          const found = await dataOf<Bias>(
            service,
            `accuracy/bias-correction?${asked(of)}&station_id=${station_id}&forecast_temp=51.5&forecast_for_date=${LAST_DAY}&date_from=${FROM}&date_to=${LAST_DAY}`,
          );
          const now = biasOf(facts.learned(station_id, LAST_DAY, Infinity));
          expect(found.bias_f).to.be.closeTo(now / 100, 0.00501);
          if (of.unit === 'celsius') {
            expect(found.bias_c).to.be.closeTo(now / 180, 0.00501);
            expect(found.forecast_c).to.equal(51.5);
          }
          let [cases, raw, corrected] = [0, 0, 0];
          for (const each of facts.forecasts) {
            const actual = facts.known(each.station_id, each.target_date, Infinity);
            if (each.station_id !== station_id || each.target_date < FROM || actual === undefined) continue;
            const learned = facts.learned(station_id, each.target_date, issuedAt(each));
            if (learned.network.length === 0) continue;
            const error = each.forecast - actual;
            [cases, raw] = [cases + 1, raw + Math.abs(error)];
            corrected += Math.abs(error - biasOf(learned));
          }
          expect(cases).to.be.greaterThan(0);
          expect(found.out_of_sample.cases).to.equal(cases);
          expect(found.out_of_sample.mae_raw).to.be.closeTo(raw / cases / size, 0.000501);
          expect(found.out_of_sample.mae_corrected).to.be.closeTo(corrected / cases / size, 0.000501);
        }
      });

      it('when everything known later is another, then neither a probability nor a score of then changes', async () => {
        const of = question();
        const facts = new Facts(loads, of);
        const { cases } = scored(facts, ({ target_date }) => target_date > FROM);
        const { date, station_id } = cases.at(-1) ?? { date: '', station_id: '' };
        const past = facts.forecasts.find(
          (each) => each.target_date === date && each.station_id === station_id,
        ) as Chosen;
        const issued = issuedAt(past);
        const question_ = `${asked(of)}&station_id=${station_id}`;
        const ask = async (): Promise<unknown[]> => [
          await dataOf(
            service,
            `probability?${question_}&target_date=${date}&known_at=${new Date(issued).toISOString()}`,
          ),
          await dataOf(service, `probability/reliability?${question_}&date_from=${date}&days=1`),
          // Everything that it says is of then, its past forecasts too.
          await dataOf(
            service,
            `accuracy/bias-correction?${question_}&forecast_for_date=${date}&known_at=${new Date(issued).toISOString()}`,
          ),
        ];
        const before = await ask();
        const all = loads.flatMap(({ observations }) => observations);
        const later = all.filter((row) => row.observed_at > issued && row.date !== date);
        expect(later).not.to.deep.equal([]);
        await loadLines(
          store,
          linesOf({
            stations: [],
            forecasts: loads
              .flatMap(({ forecasts }) => forecasts)
              .filter(({ issued_at }) => issued_at > issued)
              .map((row) => ({ ...row, high: (row.high ?? 0) + 700 })),
            observations: [
              ...later.map((row) => ({ ...row, high: (row.high ?? 0) - 900 })),
              ...all
                .filter((row) => row.date < date)
                .map((row) => ({ ...row, status: 'verified' as const, observed_at: issued + 1, high: 9000 })),
            ],
          }),
        );
        expect(await ask()).to.deep.equal(before);
      });
    });
  }
});
