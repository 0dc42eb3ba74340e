import { expect } from 'chai';
import type { ProviderComparison } from '../../../clients/typescript/src/generated.js';
import {
  countBiases,
  countCells,
  describeBand,
  describeBiasOf,
  describeDays,
  describeEvents,
  describePast,
  describeStations,
  describeSuspect,
  findEnds,
  getStatus,
} from '../../../public/dashboard/findings.js';
import { finding, makeVerdict } from '../../../public/dashboard/intervals.js';
import { biasClass, biasLabels, UNKNOWN } from '../../../public/dashboard/palette.js';
import {
  describeBias,
  describeHours,
  describeLean,
  describeRain,
  describeWetShare,
  findUsualBin,
  hiddenBias,
  judgeBand,
  judgeProbabilities,
} from '../../../public/dashboard/sentences.js';
import { biasWords, setUnits } from '../../../public/dashboard/words.js';
import { VARIABLE_NAMES } from '../../../src/variables/variables.js';

// Guards that null is not known on the page: no panel reads it as no, none or 0. Each sentence maker is fed with nulls.

const OPEN = { value: null, low: null, high: null, std_error: null, n_eff: null };
const uncertainty = {
  ...{ level: 0.95, method: 'day_ewc' as const, days: 7, degrees_of_freedom: 0 },
  ...{ mean_error: OPEN, mae: OPEN, rmse: OPEN },
};
const NO_STATS = {
  ...{ verification_pairs: 0, unique_days: 0, mean_error: null, mae: null, rmse: null, std_dev: null },
  ...{ abs_error_p50: null, abs_error_p90: null, abs_error_p95: null, brier_score: null, base_rate: null },
};
const FEW_STATS = { ...NO_STATS, verification_pairs: 40, mean_error: -1.2, mae: 2, brier_score: 0.2 };
const place = { station_id: 'KBOS', city_name: 'Boston', sample_size: 40 };
const unknown = { ...place, stats: FEW_STATS, uncertainty };
const interval = (low: number, high: number) => ({ ...OPEN, low, high });
const of = (low: number, high: number) => ({
  ...unknown,
  uncertainty: { ...uncertainty, mean_error: interval(low, high) },
});
const cell = {
  ...{ provider: 'coarse', reference: 'fine', lead_time_bucket: '12-24h', cases: 8, days: 8, hint: null },
  ...{ identical: false, significant: false, verdict: 'not_significant', mae_difference: OPEN },
  brier_difference: OPEN,
} as unknown as ProviderComparison;
const tested = { ...cell, mae_difference: { ...OPEN, value: 0.1, low: -0.3, high: 0.5 } };
const departed = {
  ...{ provider: 'fine', departures: 12, share_true: null, share_true_low: null, share_true_high: null },
  ...{ hint: null, threshold_f: 3, mean_lead_hours: null, mean_lead_hours_of_others: null },
} as never;
const event = {
  ...{ lead_time_bucket: '12-24h', cases: 0, hits: 0, misses: 0, false_alarms: 0 },
  ...{ pod: null, pod_low: null, pod_high: null },
} as never as Parameters<typeof describeEvents>[0][number];
const band = {
  ...{ provider: 'default', cases: 3, days: 3, shape: null },
  intervals: [{ nominal: 80, covered: null, covered_low: null, covered_high: null }],
} as never;
const suspect = {
  actual_f: 50,
  run_days: null,
  hours_extreme_f: null,
  reasons: ['repeated', 'hours'],
} as never;
const day = { date: '2026-06-01', station_id: 'ALL', city_name: 'All', sample_size: 0, stats: NO_STATS };
const hour = { hour: 1, stats: { ...NO_STATS, verification_pairs: 40 } };
const bin = {
  ...{ chance_low: 30, chance_high: 40, mean_chance: 33, cases: 20, wet_days: 0 },
  ...{ observed_share: null, observed_share_low: null, observed_share_high: null },
};

/** Every sentence maker of a panel, with a response whose values are not known. */
const SENTENCES: Record<string, () => string | undefined> = {
  headline: () => describeBias({ uncertainty }),
  'wet share': () => describeWetShare({ base_rate: null }),
  lean: () => describeLean({ mean_error: -1.2, uncertainty }),
  rain: () => describeRain(findUsualBin([bin])?.observed_share ?? null),
  'by date': () => describeDays([day, day], 'day'),
  'status of a day': () => getStatus(day),
  'by lead time': () => describeBiasOf(unknown),
  'hidden bias': () =>
    hiddenBias({ uncertainty }, { data: [{ ...unknown, lead_time_bucket: '12-24h' } as never] }),
  'by hour': () => Object.values(describeHours([hour], [hour, hour])).join(' '),
  departures: () => describePast([departed, departed]).verdict,
  distribution: () => describeBand(band).verdict,
  band: () => judgeBand(0.8, OPEN, null),
  reliability: () => judgeProbabilities([{ mean_probability: null, low: null, high: null }]),
  provider: () => finding(cell),
  providers: () => makeVerdict([cell]),
  scorecard: () => countCells([cell, cell], 'fine', 'coarse'),
  events: () => describeEvents([event], '12-24h', '90 °F', false).verdict,
  'events of some': () =>
    describeEvents([event, { ...event, cases: 9, hits: 2 }], '12-24h', '90 °F', false).verdict,
  ranking: () => describeStations([{ ...unknown, stats: NO_STATS }]),
  map: () => countBiases([unknown, unknown]),
  suspects: () => describeSuspect(suspect),
  bias: () => biasWords(null),
  legend: () => biasLabels()[biasClass({ mean_error: -1.2 }, uncertainty)],
};

describe('a null of a response on the page', () => {
  afterEach(() => setUnits('', 'high'));

  for (const [name, say] of Object.entries(SENTENCES))
    it(`given nulls, then the sentence of ${name} denies nothing and has no 0`, () => {
      for (const metric of VARIABLE_NAMES) {
        setUnits('', metric);
        const said = say() ?? '';
        expect(said, metric).not.to.match(/\b(no significant|none|no day|never|neither|could be chance)\b/i);
        expect(said, metric).not.to.match(/(^|[ (+−])0(\.0+)?([ %°]|$)|null|undefined|NaN|– /);
      }
    });

  it('given stations without an interval, then they are not among those without a bias', () => {
    expect(countBiases([unknown, unknown])).to.equal(
      'Whether any of 2 stations has a bias cannot be told yet: needs 14 days.',
    );
    expect(countBiases([unknown, of(-1, 1), of(-2, 0.5)])).to.equal(
      '2 of 3 stations without a significant bias; 1 cannot be told yet.',
    );
    expect(countBiases([unknown, of(-2.08, -0.47), of(-1, 1)])).to.equal(
      '1 of 3 stations runs too cold, 0 too warm; 1 cannot be told yet.',
    );
    expect(countBiases([of(-1, 1), of(-2, 2)])).to.equal('None of 2 stations has a significant bias.');
    expect(biasClass({ mean_error: -1.2 }, undefined)).to.equal(UNKNOWN);
  });

  it('given forecasts that are the same, then it is not said that they are of one source', () => {
    const same = { ...cell, identical: true };
    expect(makeVerdict([same])).to.equal('The same forecasts at every lead time.');
    expect(countCells([same], 'fine', 'coarse')).to.equal('The same forecasts in 1 cell.');
  });

  it('given cells without a test, then they are no ties', () => {
    const said = (...cells: ProviderComparison[]) => countCells(cells, 'fine', 'coarse');
    expect(said(cell, cell)).to.equal('Which provider is better cannot be told yet in any of 2 cells.');
    expect(said(tested, cell)).to.equal(
      '1 of 2 cells could be chance, allowing for their number; 1 cannot be told yet.',
    );
    const better = { ...tested, significant: true, verdict: 'better' as const };
    expect(said(better, tested, cell)).to.equal(
      'coarse is better in 1 of 3 cells; 1 could be chance; 1 cannot be told yet.',
    );
    expect(said(tested)).to.equal('None of 1 cell shows a better provider, allowing for their number.');
  });

  it('given forecasts of a lead time without an event, then those of others are not denied', () => {
    const seen = {
      ...event,
      lead_time_bucket: '24-48h' as const,
      cases: 30,
      hits: 2,
      misses: 1,
      pod: 0.6667,
    };
    const said = describeEvents([event, seen], '12-24h', '90 °F', false);
    expect(said.verdict).to.equal('67% of days at or above 90 °F were forecast 24–48 h ahead.');
    const dry = { ...event, cases: 30 };
    expect(describeEvents([dry, seen], '12-24h', '90 °F', false).verdict).to.equal(
      'None of 30 station-days with a forecast 12–24 h ahead was at or above 90 °F.',
    );
    expect(describeEvents([event], '12-24h', '90 °F', false).verdict).to.equal(
      'Nothing to count at 90 °F: enter another.',
    );
  });

  it('given records without a score, then none is the smallest or the largest', () => {
    const [two, none] = [unknown, { ...unknown, stats: NO_STATS }];
    expect(findEnds([none, two, none])).to.deep.equal([two, two]);
    expect(findEnds([none])).to.equal(undefined);
  });

  it('given scores that read alike, then none is the smallest or the largest', () => {
    const [one, other] = [1.21, 1.24].map((mae, at) => ({
      ...{ ...day, date: `2026-06-0${at + 1}` },
      stats: { ...NO_STATS, mae },
    }));
    expect(describeDays([one!, other!], 'day')).to.equal('1.2 °F on each day.');
    expect(describeDays([one!, one!], 'week')).to.equal('1.2 °F in the week of Jun 1.');
    const cities = ['Boston', 'Lima'].map((city_name) => ({ ...unknown, city_name }));
    expect(describeStations(cities)).to.equal('2.00 °F at each station.');
  });
});
