import { expect } from 'chai';
import {
  CHOSEN_DAYS,
  MONTHS_FIRST,
  MONTHS_STATIONS,
  MONTHS_WINDOW,
  type Months,
  type MonthsPair,
  twoMonths,
} from '../../../support/contract/months.js';
import { valueAt } from '../../../support/documents.js';
import { plusDays } from '../../../support/plain/oracle.js';
import { plainUncertaintyByDay, plainUncertaintyByWeek } from '../../../support/plain/uncertainty.js';
import { itInCi, range } from '../../../support/runner/range.js';

const MONDAYS = Array.from({ length: 8 }, (_, week) => plusDays('2026-03-09', 7 * week)); // the last whole one ends on 3 May

interface Known {
  uncertainty?: Record<string, unknown>;
}

let contract: Months['contract'];
let pairs: Months['pairs'];

const of = (station: string): MonthsPair[] => pairs.filter(({ station_id }) => station_id === station);

describe('given two months of three stations', () => {
  before(async () => {
    ({ contract, pairs } = await twoMonths());
  });

  const ok = <Data>(path: string) => contract.ok<Data>(`/api/v1/accuracy/${path}${MONTHS_WINDOW}&ci=0.95`);

  describe('ci, how far statistics are known', () => {
    it('given a network or a station, then it is what plain loops over its pairs find', async () => {
      const network = await ok<Known>('summary?');
      expect(network.data.uncertainty).to.deep.equal(plainUncertaintyByDay(pairs));
      for (const path of [
        'summary?station_id=KLAX&',
        'by-station/KLAX?',
        'by-station/KLAX?include_raw=true&',
      ]) {
        const { data } = await ok<Known>(path);
        expect(data.uncertainty, path).to.deep.equal(plainUncertaintyByDay(of('KLAX')));
      }
    });

    it('given lead times, then each has its own', async () => {
      const { data } = await ok<({ lead_time_bucket: string } & Known)[]>('by-lead-time?');
      for (const { lead_time_bucket, uncertainty } of data) {
        const own = pairs.filter(({ lead_time_bucket: its }) => its === lead_time_bucket);
        expect(uncertainty, lead_time_bucket).to.deep.equal(plainUncertaintyByDay(own));
      }
      const known = data.filter(({ uncertainty }) => Number(uncertainty?.degrees_of_freedom) > 0);
      expect(known.map((each) => each.lead_time_bucket)).to.deep.equal(['0-6h', '12-24h', '24-48h']);
    });

    itInCi('given all stations, then each has its own by weeks, from whatever table it is read', async () => {
      const shown = new Map<string, unknown>();
      for (const path of ['by-city?', 'by-city?lead_time_bucket=0-6h,12-24h,24-48h&']) {
        const { data } = await ok<({ station_id: string } & Known)[]>(path);
        for (const { station_id, uncertainty } of data) {
          const plain = plainUncertaintyByWeek(of(station_id), MONDAYS);
          expect(uncertainty, `${path} ${station_id}`).to.deep.equal(plain);
          shown.set(station_id, uncertainty);
        }
      }
      expect([...shown.keys()].sort()).to.deep.equal([...MONTHS_STATIONS].sort());
    });

    itInCi(
      'given one to fifty stations, then each has the interval by days that by-station has',
      async () => {
        for (const path of ['station_id=EGLL&', 'stations=KLAX,EGLL&', 'stations=KLAX,EGLL&as_of=v1&']) {
          const { data } = await ok<({ station_id: string } & Known)[]>(`by-city?${path}`);
          for (const { station_id, uncertainty } of data) {
            const alone = await ok<Known>(`by-station/${station_id}?`);
            expect(uncertainty, `${path} ${station_id}`).to.deep.equal(alone.data.uncertainty);
            expect(uncertainty).to.deep.equal(plainUncertaintyByDay(of(station_id)));
          }
        }
      },
    );

    for (const [path, interval] of range({ test: 3, ci: Infinity }, [
      ['summary?', 'uncertainty.mae.'],
      ['by-station/KORD?', 'uncertainty.rmse.'],
      ['by-lead-time?', '0.uncertainty.mae.'],
      ['by-city?', '0.uncertainty.mae.'],
      ['exceedance?', 'thresholds.0.'],
      ['hit-rate?', '0.within_2_rate_'],
      ['revision-stats?', '0.improved_rate_'],
      ['events?thresholds=60&', '0.pod_'],
    ] as const)) {
      itInCi(`given another level of ${path}, then intervals are wider or narrower`, async () => {
        const widths: number[] = [];
        for (const level of ['0.8', '0.9', '0.95', '0.99']) {
          const { data } = await contract.ok(`/api/v1/accuracy/${path}${MONTHS_WINDOW}&ci=${level}`);
          widths.push(Number(valueAt(data, `${interval}high`)) - Number(valueAt(data, `${interval}low`)));
        }
        expect(widths).to.deep.equal([...widths].sort((a, b) => a - b));
        expect(new Set(widths).size).to.equal(4);
      });
    }

    itInCi(
      'given a window of 13 days, or without pairs, then there is no interval, and every field is there',
      async () => {
        const none = { low: null, high: null, std_error: null, n_eff: null };
        for (const [window, days] of [
          [`date_from=${MONTHS_FIRST}&days=13`, 13],
          ['date_from=2020-01-01&days=30', 0],
        ] as const) {
          const { data } = await contract.ok<Known>(`/api/v1/accuracy/summary?${window}&ci=0.9`);
          expect(data.uncertainty).to.deep.equal({
            level: 0.9,
            method: 'day_ewc',
            days,
            degrees_of_freedom: 0,
            mean_error: none,
            mae: none,
            rmse: none,
          });
        }
      },
    );
  });

  describe('align=matched, lead times on the same cases', () => {
    interface Matched {
      cases: number;
      days: number;
      mean_error: number;
      mae: number;
      rmse: number;
      uncertainty: Record<string, unknown>;
      mae_difference: { value: number; low: number; high: number } | null;
    }
    type Curve = { lead_time_bucket: string; matched: Matched | null }[];

    /** The errors of each station day in each bucket, of those that have all buckets. */
    function casesOf(buckets: readonly string[]) {
      const dayOf = ({ station_id, target_date }: MonthsPair): string => `${station_id} ${target_date}`;
      const days = [...new Set(pairs.map(dayOf))].map((day) => pairs.filter((pair) => dayOf(pair) === day));
      return days.filter((day) =>
        buckets.every((bucket) => day.some((pair) => pair.lead_time_bucket === bucket)),
      );
    }

    for (const [given, query, buckets] of [
      ['two buckets', 'lead_time_bucket=0-6h,24-48h&', ['0-6h', '24-48h']],
      ['three buckets', 'lead_time_bucket=0-6h,12-24h,24-48h&', ['0-6h', '12-24h', '24-48h']],
      // All three would leave fewer than half of the cases.
      ['no bucket', '', ['0-6h', '24-48h']],
      ['no bucket but those of the day', 'include_same_day=true&', ['0-6h', '24-48h']],
      [
        'two buckets and those of the day',
        'lead_time_bucket=0-6h,24-48h&include_same_day=true&',
        ['0-6h', '24-48h'],
      ],
    ] as const) {
      it(`given ${given}, then the curve is what a loop over the cases finds`, async () => {
        const { data, metadata } = await ok<Curve>(`by-lead-time?align=matched&${query}`);
        const cases = casesOf(buckets);
        expect(metadata).to.deep.include({ aligned_buckets: [...buckets], cases_matched: cases.length });
        for (const { lead_time_bucket: bucket, matched } of data) {
          if (!buckets.some((each) => each === bucket)) {
            expect(matched, bucket).to.equal(null);
            continue;
          }
          // Each case has one forecast in a bucket here.
          const own = cases.flatMap((day) => day.filter((pair) => pair.lead_time_bucket === bucket));
          const first = cases.flatMap((day) => day.filter((pair) => pair.lead_time_bucket === buckets[0]));
          const mean = (of: (error: number) => number): number =>
            own.reduce((sum, { error }) => sum + of(error), 0) / own.length;
          expect(matched?.cases, bucket).to.equal(cases.length);
          expect(matched?.mean_error).to.be.closeTo(mean((error) => error) / 100, 0.0051);
          expect(matched?.mae).to.be.closeTo(mean(Math.abs) / 100, 0.0051);
          expect(matched?.rmse).to.be.closeTo(Math.sqrt(mean((error) => error ** 2)) / 100, 0.0051);
          expect(matched?.uncertainty).to.deep.equal(plainUncertaintyByDay(own));
          if (bucket === buckets[0]) {
            expect(matched?.mae_difference).to.equal(null);
          } else {
            const differences = own.map(({ target_date, error }, at) => ({
              target_date,
              error: Math.abs(error) - Math.abs(first[at]?.error ?? NaN),
            }));
            const { mean_error } = plainUncertaintyByDay(differences) as {
              mean_error: { low: number; high: number };
            };
            expect(matched?.mae_difference).to.deep.include({ low: mean_error.low, high: mean_error.high });
          }
        }
      });
    }

    it('given a case with several forecasts in a bucket, then the latest counts, corrected or not', async () => {
      const path = (day: string): string =>
        `/api/v1/accuracy/by-lead-time?date_from=${day}&date_to=${day}&align=matched&lead_time_bucket=0-6h,24-48h`;
      const [{ date: day }, { date: corrected }] = CHOSEN_DAYS;
      const { data } = await contract.ok<Curve>(path(day));
      expect(data[0]?.matched).to.deep.include({ cases: 1, days: 1, mean_error: 1, mae: 1, rmse: 1 });
      const found = (await contract.ok<Curve>(path(corrected))).data;
      expect(found[0]?.matched).to.deep.include({ cases: 1, days: 1, mean_error: 2, mae: 2, rmse: 2 });
      expect(found[1]?.matched?.mae_difference).to.deep.equal({ value: 1, low: null, high: null });
      const knownAt = async (instant: string): Promise<Curve> =>
        (await contract.ok<Curve>(`${path(corrected)}&known_at=${instant}`)).data;
      expect(await knownAt(plusDays(corrected, 2))).to.deep.equal(found);
      expect(await knownAt(plusDays(corrected, 1))).to.deep.equal([]); // nothing was observed yet
    });

    it('given buckets that no case shares, or no pairs, then there are no cases and no numbers', async () => {
      const { data, metadata } = await ok<Curve>('by-lead-time?align=matched&lead_time_bucket=0-6h,6-12h&');
      expect(metadata).to.deep.include({ cases_matched: 0 });
      expect(data.map(({ matched }) => [matched?.cases, matched?.mae])).to.deep.equal([
        [0, null],
        [0, null],
      ]);
      const none = await contract.ok<Curve>(
        '/api/v1/accuracy/by-lead-time?date_from=2020-01-01&align=matched',
      );
      expect(none.data).to.deep.equal([]);
      expect(none.metadata).to.deep.include({ aligned_buckets: [], cases_matched: 0, cases_dropped: {} });
    });
  });
});
