import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Blended } from '../../support/plain/blend.js';
import { plainMean } from '../../support/plain/comparison.js';
import {
  emptyStore,
  linesOf,
  type Load,
  plusDays,
  STATIONS,
  startOfDay,
} from '../../support/plain/oracle.js';
import {
  asked,
  chance,
  issuedAt,
  mean,
  question,
  zoneOf,
  type Chosen,
  endings,
  type ProbabilityQuestion,
  scored,
  sixAround,
} from '../../support/plain/probability.js';
import { FIRST_DAY, LAST_DAY, probabilityWorld } from '../../support/probability-worlds.js';
import { Random } from '../../support/random.js';
import { describeInCi, itInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const NOW = '2025-06-01T00:00:00Z';
const FROM = plusDays(LAST_DAY, -15);
/** How long before the first each provider issues, minutes. */
const EARLIER: Record<string, number> = { alpha: 0, beta: 40, young: 100 };

/** Forecasts of a world that are asked about; other tests guard the truth of one provider about the others. */
const isAsked = ({ station_id, target_date, issued_at }: Load['forecasts'][number]): boolean => {
  const lead = (startOfDay(target_date, zoneOf(station_id)) - issued_at) / 3_600_000;
  return (lead >= 12 && lead < 48) || (lead >= 74 && lead < 92);
};

/** A world of three providers, each with noise and station biases of its own; the last one begins late. */
function worldOf(seed: number): Load[] {
  const random = new Random(seed);
  const own = new Map<string, number>();
  const ofProvider = (provider: string, load: Load, isAsIs: boolean, first: string): Load['forecasts'] =>
    load.forecasts
      .filter((row) => isAsked(row) && row.target_date >= first && random.next() < 0.95)
      .map((row) => {
        const key = `${provider} ${row.station_id}`;
        if (!own.has(key)) own.set(key, random.below(500) - 250);
        const more = isAsIs ? 0 : own.get(key)! + Math.round(200 * random.gaussian());
        const issued_at = row.issued_at - EARLIER[provider]! * 60_000;
        return { ...row, provider, issued_at, high: (row.high ?? 0) + more, low: (row.low ?? 0) - more };
      });
  return probabilityWorld(seed).map((load) => ({
    ...load,
    forecasts: [
      ...ofProvider('beta', load, false, FIRST_DAY),
      ...ofProvider('alpha', load, true, FIRST_DAY),
      ...ofProvider('young', load, false, plusDays(LAST_DAY, -28)),
    ],
  }));
}

interface Probability {
  forecast_f: number;
  forecast_c?: number;
  issued_at: string;
  weights: Record<string, number>;
  excluded: Record<string, string>;
  members: Record<
    string,
    { forecast_f: number; issued_at: string; bias_f: number | null; bias_c?: number | null }
  >;
  training: { station_days: number; network_days: number };
  brackets: {
    from_f: number | null;
    to_f: number | null;
    from_c?: number | null;
    to_c?: number | null;
    probability: number;
    station_days: number;
    network_days: number;
  }[];
  quantiles: unknown;
}

interface Difference {
  value: number;
  low: number | null;
  high: number | null;
}

interface Compared {
  crps_f: number;
  crps_c?: number;
  mae_f: number;
  mae_c?: number;
  crps_difference_f: Difference;
  crps_difference_c?: Difference;
  mae_difference_f: Difference;
  mae_difference_c?: Difference;
}

interface Reliability {
  cases: number;
  cases_without_training: number;
  crps_f: { value: number };
  crps_c?: { value: number };
  brier: { value: number };
  blend: {
    mae_f: number;
    mae_c?: number;
    members: Record<string, Compared>;
    best: Compared;
    compared_days: number;
    verdict: string;
  };
}

/** The last day that both have a forecast and a value of, at any station. */
const sharedDay = (plain: Blended): Chosen =>
  plain
    .facts('alpha')
    .forecasts.findLast((each) => plain.forecast('beta', each.station_id, each.target_date) !== undefined)!;

const WORLDS = range({ test: 1, ci: 1, stress: 20 });

describeInCi('several providers as one, given random worlds', function () {
  let store: Store;
  let service: TestService;

  before(async () => {
    store = await openTestStore();
    service = await startTestService(store, { now: NOW });
  });
  after(() => store.close());

  for (let seed = 1; seed <= WORLDS; seed += 1) {
    describe(`of seed ${seed}`, () => {
      let loads: Load[];
      before(async () => {
        loads = worldOf(seed);
        await emptyStore(store);
        for (const load of loads) await loadLines(store, linesOf(load));
        service = await startTestService(store, { now: NOW });
      });

      it('when probabilities of past days are asked for, then weights, point and all else are as worked out', async () => {
        const seen = new Set<string>();
        for (const [of, names] of range({ test: 2, ci: Infinity }, [
          [question(), ['alpha', 'beta']],
          [question({ metric: 'low', bucket: '24-48h' }), ['alpha', 'beta']],
          [question({ bucket: '72h+', lead: 91 }), ['alpha', 'beta']],
          [question({ window: 30 }), ['alpha', 'beta', 'young']],
          [question({ bucket: '24-48h', lead: 40.5 }), ['alpha', 'beta', 'young']],
          [question({ bucket: '24-48h', unit: 'celsius' }), ['alpha', 'beta', 'young']],
        ] as [ProbabilityQuestion, string[]][])) {
          const plain = new Blended(loads, of, names);
          for (const [at, { station_id }] of range(
            { test: 3, ci: 5, stress: Infinity },
            STATIONS,
          ).entries()) {
            const date = plusDays(LAST_DAY, -(at % 5));
            const present = names.filter((name) => plain.forecast(name, station_id, date) !== undefined);
            if (present.length < 2) continue;
            const blend = plain.blend(present, date);
            const path = `probability?${asked(of)}&station_id=${station_id}&target_date=${date}`;
            const found = await dataOf<Probability>(
              service,
              `${path}&providers=${names.toReversed().join()}`,
            );
            const { members } = blend;
            expect(Object.keys(found.weights)).to.deep.equal(members);
            expect(Object.keys(found.excluded)).to.deep.equal(
              names.filter((name) => !members.includes(name)),
            );
            for (const { provider, days } of blend.dropped)
              expect(found.excluded[provider]).to.match(
                new RegExp(`^too few training days .* the fewest, ${days}$`),
              );
            for (const name of names.filter((each) => !present.includes(each)))
              expect(found.excluded[name]).to.match(/^no forecast/);
            seen.add(`${members.length} of ${names.length}`);
            if (members.length === 1) continue;
            const issued = Math.max(
              ...members.map((name) => issuedAt(plain.forecast(name, station_id, date)!)),
            );
            expect(Date.parse(found.issued_at)).to.equal(issued);
            const { forecast, biases, ...errors } = plain.predicted(blend, station_id, date, issued);
            expect(found.forecast_f).to.be.closeTo(forecast / 100, of.unit ? 0.1 : 0.05001);
            if (of.unit) {
              expect(found.forecast_c).to.be.closeTo((forecast - 3200) / 180, 0.05001);
              expect(found.forecast_c! * 10).to.be.closeTo(Math.round(found.forecast_c! * 10), 1e-9);
            }
            expect(
              Object.values(found.weights).reduce((sum, each) => sum + Math.round(each * 1e4), 0),
            ).to.equal(1e4);
            for (const [k, name] of members.entries()) {
              expect(found.weights[name]).to.be.closeTo(blend.weights[k]!, 1.01e-4);
              expect(found.members[name]).to.include({
                forecast_f: plain.forecast(name, station_id, date)!.forecast / 100,
                issued_at: new Date(issuedAt(plain.forecast(name, station_id, date)!)).toISOString(),
              });
              expect(found.members[name]?.bias_f).to.be.closeTo(biases[k]! / 100, 0.00501);
              if (of.unit) expect(found.members[name]?.bias_c).to.be.closeTo(biases[k]! / 180, 0.00501);
            }
            expect(found.training).to.include({
              station_days: errors.station.length,
              network_days: errors.network.length,
            });
            for (const [nth, [from, to]] of sixAround(forecast, of.unit).entries()) {
              const bracket = found.brackets[nth]!;
              const [first, last] = of.unit ? [bracket.from_c, bracket.to_c] : [bracket.from_f, bracket.to_f];
              expect([first ?? -Infinity, last ?? Infinity]).to.deep.equal([from, to]);
              expect(bracket.probability).to.be.closeTo(chance(errors, forecast, from, to, 6, of.unit), 2e-6);
              expect([bracket.station_days, bracket.network_days]).to.deep.equal([
                endings(errors.station, forecast, from, to, of.unit),
                endings(errors.network, forecast, from, to, of.unit),
              ]);
            }
          }
        }
        expect([...seen]).to.include.members(['2 of 2', '2 of 3']);
      });

      it('when all but one are left out, or one is named alone, then the answer is that of provider=', async () => {
        const of = question({ window: 30 });
        const plain = new Blended(loads, of, ['alpha', 'young']);
        const date = plusDays(LAST_DAY, -1);
        for (const { station_id } of range({ test: 1, ci: 3, stress: Infinity }, STATIONS)) {
          const alpha = plain.forecast('alpha', station_id, date);
          if (alpha === undefined) continue;
          const path = `probability?${asked(of)}&station_id=${station_id}&target_date=${date}`;
          const alone = await dataOf(service, `${path}&provider=alpha`);
          expect(await dataOf(service, `${path}&providers=alpha`)).to.deep.equal(alone);
          const { weights, excluded, members, ...found } = await dataOf<Probability>(
            service,
            `${path}&providers=young,alpha`,
          );
          expect(found).to.deep.equal(alone);
          expect(weights).to.deep.equal({ alpha: 1 });
          expect(Object.keys(excluded)).to.deep.equal(['young']);
          expect(members.alpha).to.deep.equal({
            forecast_f: found.forecast_f,
            issued_at: found.issued_at,
            bias_f: null,
          });
        }
        const table = `probability/reliability?${asked(of)}&date_from=${FROM}&date_to=${LAST_DAY}`;
        expect(await dataOf(service, `${table}&providers=beta`)).to.deep.equal(
          await dataOf(service, `${table}&provider=beta`),
        );
      });

      it('when a blend is scored, then it is as worked out, beside each provider and the best before', async () => {
        for (const [of, station_id] of range({ test: 2, ci: Infinity }, [
          [question(), undefined],
          [question({ metric: 'low', bucket: '24-48h' }), 'VNKT'],
          [question({ bucket: '72h+', lead: 91, verified_only: true }), undefined],
          [question({ unit: 'celsius' }), 'VNKT'],
        ] as [ProbabilityQuestion, string | undefined][])) {
          const names = ['alpha', 'beta'];
          const plain = new Blended(loads, of, names);
          const isScored = (each: Chosen): boolean =>
            each.target_date >= FROM && (station_id === undefined || each.station_id === station_id);
          const byKey = new Map(
            names.map((name) => [
              name,
              new Map(
                scored(plain.facts(name), isScored, of.unit).cases.map((each) => [
                  `${each.station_id} ${each.date}`,
                  each.scores.mixture.crps,
                ]),
              ),
            ]),
          );
          const points = new Map<string, number>();
          const blended: Chosen[] = plain
            .facts('alpha')
            .forecasts.filter(isScored)
            .flatMap((each) => {
              const other = plain.forecast('beta', each.station_id, each.target_date);
              if (other === undefined) return [];
              const lead = Math.min(each.lead, other.lead);
              const blend = plain.blend(names, each.target_date);
              const { forecast } = plain.predicted(
                blend,
                each.station_id,
                each.target_date,
                issuedAt({ ...each, lead }),
              );
              points.set(`${each.station_id} ${each.target_date}`, forecast);
              return [{ ...each, lead, forecast }];
            });
          const { cases } = scored(
            {
              forecasts: blended,
              known: (id, date, instant) => plain.known(id, date, instant),
              learned: (id, date, instant) => ({
                ...plain.predicted(plain.blend(names, date), id, date, instant),
                leads: { station: [], network: [] },
              }),
            },
            () => true,
            of.unit,
          );
          const path = `probability/reliability?${asked(of)}&date_from=${FROM}&date_to=${LAST_DAY}`;
          const where = station_id === undefined ? '' : `&station_id=${station_id}`;
          const found = await dataOf<Reliability>(service, `${path}${where}&providers=beta,alpha`);
          expect([found.cases, found.cases_without_training]).to.deep.equal([cases.length, 0]);
          expect((found.crps_c ?? found.crps_f).value).to.be.closeTo(
            mean(cases.map(({ scores }) => scores.mixture.crps)),
            2e-6,
          );
          expect(found.brier.value).to.be.closeTo(
            mean(cases.map(({ scores }) => scores.mixture.brier)),
            2e-6,
          );
          const dates = Array.from({ length: 16 }, (_, day) => plusDays(FROM, day));
          const expectLike = (shown: Compared, nameOf: (date: string) => string): void => {
            for (const [name, ours, theirs] of [
              [
                'crps',
                (each: (typeof cases)[number]) => each.scores.mixture.crps,
                (each: (typeof cases)[number]) =>
                  byKey.get(nameOf(each.date))!.get(`${each.station_id} ${each.date}`)!,
              ],
              [
                'mae',
                (each: (typeof cases)[number]) => off(points.get(`${each.station_id} ${each.date}`)!, each),
                (each: (typeof cases)[number]) =>
                  off(plain.forecast(nameOf(each.date), each.station_id, each.date)!.forecast, each),
              ],
            ] as const) {
              expect(shown[`${name}_${of.unit ? 'c' : 'f'}` as const], name).to.be.closeTo(
                mean(cases.map(theirs)),
                2e-6,
              );
              const { value, interval } = plainMean(
                dates.map((date) => {
                  const ofDay = cases.filter((each) => each.date === date);
                  return {
                    n: ofDay.length,
                    sum: ofDay.reduce((sum, each) => sum + ours(each) - theirs(each), 0),
                  };
                }),
              );
              const difference = shown[`${name}_difference_${of.unit ? 'c' : 'f'}` as const]!;
              expect(difference.value).to.be.closeTo(value, 2e-6);
              if (interval === undefined)
                expect([difference.low, difference.high]).to.deep.equal([null, null]);
              else {
                expect(difference.low).to.be.closeTo(interval.low, 1e-4);
                expect(difference.high).to.be.closeTo(interval.high, 1e-4);
              }
            }
          };
          const off = (
            forecast: number,
            { station_id: id, date }: { station_id: string; date: string },
          ): number => Math.abs(forecast - plain.known(id, date, Infinity)!) / (of.unit ? 180 : 100);
          for (const name of names) expectLike(found.blend.members[name]!, () => name);
          expectLike(found.blend.best, (date) => plain.blend(names, date).best);
          expect(found.blend.mae_c ?? found.blend.mae_f).to.be.closeTo(
            mean(cases.map((each) => off(points.get(`${each.station_id} ${each.date}`)!, each))),
            2e-6,
          );
          expect(found.blend).to.include({ verdict: 'too_few_days' });
          expect(found.blend.compared_days).to.equal(new Set(cases.map(({ date }) => date)).size);
        }
      });

      const lastingTexts = async (more = ''): Promise<string[]> => {
        const { station_id, target_date } = sharedDay(new Blended(loads, question(), ['alpha', 'beta']));
        const paths = [
          `probability?${asked(question())}&station_id=${station_id}&target_date=${target_date}&providers=alpha,beta`,
          `probability/reliability?${asked(question())}&date_from=${FROM}&date_to=${LAST_DAY}&providers=alpha,beta,young`,
        ];
        return Promise.all(
          paths.map(async (path) => JSON.stringify(await dataOf(service, `${path}${more}`))),
        );
      };
      /** Other values of some forecasts. */
      const others = (): Load => {
        const { forecasts } = loads.at(-1)!;
        const moved = forecasts.map((row) => ({ ...row, high: (row.high ?? 0) + 800, withdrawn: false }));
        return { stations: [], forecasts: moved, observations: [] };
      };

      itInCi(
        'when the data are loaded in another order and in other loads, then every byte is the same',
        async () => {
          const before = await lastingTexts();
          await emptyStore(store);
          const [first, last] = [loads[0]!, loads[1]!];
          const cut = Math.floor(first.forecasts.length / 3);
          for (const load of [
            { ...first, forecasts: first.forecasts.slice(cut).toReversed(), observations: [] },
            others(),
            {
              ...first,
              forecasts: first.forecasts.toReversed(),
              observations: first.observations.toReversed(),
            },
            last,
          ]) {
            await loadLines(store, linesOf(load));
          }
          service = await startTestService(store, { now: NOW });
          expect(await lastingTexts()).to.deep.equal(before);
        },
      );

      // pinned.test.ts and versions.test.ts stand for it in make test.
      itInCi(
        'when a later load corrects forecasts, then answers change, and with as_of no byte does',
        async () => {
          const before = await lastingTexts();
          const response = await service.get('/api/v1/accuracy/summary');
          const { data_version } = (response.body as { metadata: { data_version: number } }).metadata;
          loads.push(others());
          await loadLines(store, linesOf(loads.at(-1)!));
          expect(await lastingTexts()).not.to.deep.equal(before);
          expect(await lastingTexts(`&as_of=v${data_version}`)).to.deep.equal(before);
        },
      );

      // probability.test.ts stands for it in make test.
      itInCi(
        'when everything known later is another, then neither a probability nor a score of then changes',
        async () => {
          const of = question();
          const plain = new Blended(loads, of, ['alpha', 'beta']);
          const date = plusDays(LAST_DAY, -6);
          const { station_id } = plain
            .facts('alpha')
            .forecasts.find(
              (each) =>
                each.target_date === date &&
                plain.forecast('beta', each.station_id, date) !== undefined &&
                plain.known(each.station_id, date, Infinity) !== undefined,
            )!;
          const issued = Math.max(
            ...['alpha', 'beta'].map((name) => issuedAt(plain.forecast(name, station_id, date)!)),
          );
          const of_ = `${asked(of)}&station_id=${station_id}&providers=alpha,beta`;
          const questions = [
            `probability?${of_}&target_date=${date}`,
            `probability/reliability?${of_}&date_from=${date}&days=1`,
          ];
          const texts = async (): Promise<string[]> =>
            Promise.all(questions.map(async (path) => JSON.stringify(await dataOf(service, path))));
          const before = await texts();
          const observations = loads.flatMap((load) => load.observations);
          const forecasts = loads.flatMap((load) => load.forecasts);
          await loadLines(
            store,
            linesOf({
              stations: [],
              forecasts: forecasts
                .filter((row) => row.issued_at > issued && row.target_date > date)
                .map((row) => ({ ...row, high: (row.high ?? 0) + 700 })),
              observations: [
                ...observations
                  .filter((row) => row.observed_at > issued && row.date !== date)
                  .map((row) => ({ ...row, high: (row.high ?? 0) - 900 })),
                ...observations
                  .filter((row) => row.date < date)
                  .map((row) => ({
                    ...row,
                    status: 'verified' as const,
                    observed_at: issued + 1,
                    high: 9000,
                  })),
              ],
            }),
          );
          expect(await texts()).to.deep.equal(before);
        },
      );

      itInCi(
        'when known_at is the moment of the last issuance, then the answer is that of later',
        async () => {
          const of = question();
          for (const { station_id } of range({ test: 0, ci: 3, stress: Infinity }, STATIONS)) {
            const path = `probability?${asked(of)}&station_id=${station_id}&target_date=${plusDays(LAST_DAY, -3)}&providers=alpha,beta`;
            const response = await service.get(`/api/v1/${path}`);
            if (response.status !== 200) continue;
            const { data } = response.body as { data: Probability };
            expect(await dataOf(service, `${path}&known_at=${data.issued_at}`)).to.deep.equal(data);
          }
        },
      );
    });
  }
});
