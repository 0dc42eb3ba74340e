import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { ProviderComparison, Station } from '../../../clients/typescript/src/generated.js';
import {
  EVERYWHERE,
  toPlaceParams,
  parameters,
  readParams,
  formatSearch,
  getTab,
} from '../../../public/dashboard/address.js';
import { ageWords, finding, intervalWords, makeVerdict } from '../../../public/dashboard/intervals.js';
import { biasClass, biasLabels, biasMark, UNKNOWN } from '../../../public/dashboard/palette.js';
import { describeFreshness, describeLean, hiddenBias } from '../../../public/dashboard/sentences.js';
import {
  ago,
  aheadWords,
  biasWords,
  bucketWords,
  monthName,
  number,
  percent,
  period,
  regionWords,
  setUnits,
  signed,
} from '../../../public/dashboard/words.js';

describe('a station of the list, chosen beside a region', () => {
  const place = {
    station_id: 'NZAA',
    country: 'NZ',
    climate_zone: 'Cfb',
    latitude: -37.01,
    longitude: 174.78,
  };
  const choose = (region: Partial<typeof EVERYWHERE>) =>
    toPlaceParams('NZAA', { ...EVERYWHERE, ...region }, [place as Station]);

  it('given it lies in the region, then the region stays', () => {
    for (const region of [
      {},
      { country: 'NZ', climate_zone: 'Cfb' },
      { country: 'nz' },
      { near: '-36.85,174.76' },
      { near: '-41.3,174.8', radius_km: '490' },
      { bbox: '170,-40,-170,-30' },
      { bbox: '174,-38,175,-37' },
    ])
      expect(choose(region), JSON.stringify(region)).to.deep.equal({ station_id: 'NZAA' });
  });

  it('given it lies elsewhere, then the region goes: the ranking would be of places without it', () => {
    for (const region of [
      { country: 'CN' },
      { country: 'NZ', climate_zone: 'Dfa' },
      { near: '-41.3,174.8' },
      { near: '-41.3,174.8', radius_km: '450' },
      { bbox: '175,-40,-170,-30' },
      { bbox: '174,-37,175,-36' },
    ])
      expect(choose(region), JSON.stringify(region)).to.deep.equal({ ...EVERYWHERE, station_id: 'NZAA' });
  });
});

describe('what the dashboard says of two providers', () => {
  const each = {
    ...{
      lead_time_bucket: '12-24h',
      provider: 'rival',
      reference: 'nws',
      cases: 60,
      identical: false,
      hint: null,
    },
    ...{ wins: 20, losses: 40, significant: true, verdict: 'worse' as const },
    mae_difference: { value: 0.11, low: 0, high: 0.22 },
  } as ProviderComparison;

  it('given a difference whose interval is rounded to end at 0, then it repeats the verdict of the API', () => {
    expect(finding(each)).to.equal('nws misses by 0.11 °F less (>0.00–0.22)');
    expect(makeVerdict([each])).to.equal('nws misses by 0.11 °F less at every lead time.');
    const open = { ...each, verdict: 'not_significant' as const };
    expect(finding(open)).to.equal('no significant difference');
    expect(finding({ ...each, verdict: 'better' })).to.contain('rival misses by 0.11 °F less');
    expect(makeVerdict([open, { ...each, lead_time_bucket: '24-48h' }])).to.equal(
      'nws misses by 0.11 °F less at 24–48 h; no significant difference at 12–24 h.',
    );
  });
});

describe('what the dashboard says of forecasts of unequal age', () => {
  const of = (lead_time_bucket: string, hint: string | null, lead = 30) =>
    ({
      ...{ lead_time_bucket, hint, provider: 'rival', reference: 'nws' },
      ...{ mean_lead_hours: lead, reference_mean_lead_hours: 20 },
    }) as never;
  const words = (where: string, whose = 'rival'): string =>
    `At ${where}, part of the difference is that forecasts of ${whose} are older, not worse.`;
  for (const [cells, said] of [
    [[of('6-12h', null)], ''],
    [[of('6-12h', null), of('72h+', 'x')], words('72+ h')],
    [[of('24-48h', 'x'), of('24-48h', 'y'), of('48-72h', 'z')], words('24–48 h and 48–72 h')],
    [[of('6-12h', 'x'), of('24-48h', 'x'), of('72h+', 'x')], words('several lead times')],
    [[of('24-48h', 'x', 10)], words('24–48 h', 'nws')],
  ] as const) {
    it(`given ${cells.length} cells, then it says ${JSON.stringify(said)}`, () => {
      expect(ageWords([...cells])).to.equal(said);
    });
  }
});

describe('the bias that all lead times together hide', () => {
  const uncertainty = (low: number, high: number) => ({ mean_error: { low, high } });
  const lead = (lead_time_bucket: string, mean_error: number, low: number, high: number) => ({
    ...{ lead_time_bucket, stats: { mean_error }, uncertainty: uncertainty(low, high) },
  });
  const said = ([mean_error, low, high]: number[], leads: ReturnType<typeof lead>[]) =>
    hiddenBias({ mean_error, uncertainty: uncertainty(low!, high!) } as never, { data: leads } as never);
  const NONE = [-0.1, -0.3, 0.1];

  it('given one lead time that has one, then it is named with its interval', () => {
    expect(said(NONE, [lead('6-12h', 0.1, -0.2, 0.4), lead('12-24h', -0.8, -1.44, -0.17)])).to.equal(
      'Forecasts 12–24 h ahead run 0.8 °F too cold (−1.44 to −0.17).',
    );
  });

  it('given several, to both sides, then each side is named with its largest', () => {
    const cold = [lead('0-6h', -0.4, -0.6, -0.2), lead('6-12h', -0.9, -1, -0.8)];
    const leads = [...cold, lead('72h+', 0.5, 0.1, 0.9)];
    expect(said(NONE, leads)).to.equal(
      'Forecasts 72 h or more ahead run 0.5 °F too warm (+0.10 to +0.90); those 0–6 h and 6–12 h ahead run up to 0.9 °F too cold.',
    );
  });

  it('given a whole that says the same, or lead times without any, then nothing is added', () => {
    expect(said([-0.5, -0.7, -0.3], [lead('12-24h', -0.8, -1.44, -0.17)])).to.equal('');
    expect(said(NONE, [lead('12-24h', -0.8, -1.7, 0.1)])).to.equal('');
  });
});

describe('the words of the dashboard', () => {
  it('given intervals and shares, then they are as English writes them', () => {
    expect(intervalWords({ low: 2.72, high: 2.84 })).to.equal('2.72–2.84');
    expect(intervalWords({ low: 0.54, high: 0.81 }, percent)).to.equal('54–81%');
    expect(intervalWords({ low: -0.07, high: 0.37 }, percent)).to.equal('−7 to 37%');
    expect(intervalWords({ low: 0.1, high: 0.9 }, signed)).to.equal('+0.10 to +0.90');
    expect([0, 0.001, 0.5, 0.999, 1, -0.001].map((share) => percent(share))).to.deep.equal([
      '0%',
      '<1%',
      '50%',
      '>99%',
      '100%',
      '0%',
    ]);
    expect(['US', 'GB', 'CN'].map((country) => regionWords({ ...EVERYWHERE, country }))).to.deep.equal([
      ...['in the United States', 'in the United Kingdom', 'in China'],
    ]);
    expect(['same-day', '12-24h'].map(aheadWords)).to.deep.equal(['after the day began', '12–24 h ahead']);
  });

  it('given a mean error, then it says which way and by how much', () => {
    expect([0.84, -1.25, 0.04, -0.04, 0, null].map(biasWords)).to.deep.equal([
      ...['0.8 °F too warm', '1.3 °F too cold'],
      ...Array<string>(3).fill('neither too warm nor too cold'),
      'not known',
    ]);
  });

  it('given numbers, then they have a true minus, never one before zero, and a dash for no number', () => {
    expect([3.2, -3.2, -0.001, null].map((value) => number(value))).to.deep.equal([
      '3.20',
      '−3.20',
      '0.00',
      '–',
    ]);
    expect([0.5, -0.5, 0.001, null].map((value) => signed(value))).to.deep.equal([
      '+0.50',
      '−0.50',
      '0.00',
      '–',
    ]);
  });

  it('given ties, then they round half away from zero by their decimal digits, as the API does', () => {
    expect([-1.45, 1e-7, 149.99].map((value) => number(value, 1))).to.deep.equal(['−1.5', '0.0', '150.0']);
    expect([2.675, 1e-7, 1.45].map((value) => number(value))).to.deep.equal(['2.68', '0.00', '1.45']);
  });

  it('given any number of hundredths, then its words round as its decimal digits do', () => {
    for (let hundredths = 0; hundredths <= 3000; hundredths += 1) {
      const tenths = Math.floor((hundredths + 5) / 10);
      expect(number(hundredths / 100, 1)).to.equal((tenths / 10).toFixed(1));
    }
  });

  it('given days, then they read as people say them', () => {
    expect(period('2026-03-01', '2026-03-31')).to.equal('Mar 1\u2009–\u200931, 2026');
    expect(period('2025-12-01', '2026-01-31')).to.equal('Dec 1, 2025\u2009–\u2009Jan 31, 2026');
    expect(period('2026-03-01', '2026-03-01')).to.equal('Mar 1, 2026');
    expect(
      ['2026-06-15', '2026-06-14', '2026-06-01', '2026-06-16'].map((date) => ago(date, '2026-06-15')),
    ).to.deep.equal(['today', 'yesterday', '14 days ago', 'tomorrow']);
  });
});

describe('the headline of the dashboard', () => {
  const lean = (low: number | null, high: number | null): string =>
    describeLean({ mean_error: -0.28, uncertainty: { mean_error: { low, high } } } as never);

  it('given a bias, then it is in words, as far as its interval shows one', () => {
    expect(lean(-0.48, -0.08)).to.equal('They ran too cold, by 0.28 °F on average.');
    expect(lean(-0.48, 0.08)).to.equal('They lean neither way: no significant bias.');
    expect(lean(null, null)).to.equal('Whether they lean to one side cannot be told yet.');
  });

  it('given a month, then its year has four digits: two would read as a day', () => {
    expect(monthName('2026-08-01')).to.equal('Aug 2026');
  });

  it('given the latest day, then it says how long ago that was; before that is known, nothing', () => {
    expect(describeFreshness(undefined)).to.equal('');
    const found = describeFreshness({ latest: '2026-06-14', today: '2026-06-15' });
    expect(found).to.equal('Latest day: yesterday, Sun, Jun 14, 2026.');
  });
});

describe('the address of the dashboard', () => {
  for (const search of [
    '',
    '?metric=low',
    '?days=30',
    '?metric=low&days=7&station_id=KORD&map=us',
    '?date_from=2026-01-01&date_to=2026-01-31',
    '?lead_time_bucket=0-6h',
    '?days=30&date_to=2026-01-31',
  ]) {
    it(`given ${search || 'nothing'}, then it comes back as it was`, () => {
      expect(formatSearch(readParams(search))).to.equal(search);
    });
  }

  it('given lead times, then the API is asked for them, and they are in words', () => {
    const question = readParams('?lead_time_bucket=0-6h,72h%2B,same-day');
    expect(parameters(question)).to.include({ lead_time_bucket: '0-6h,72h+,same-day' });
    expect(bucketWords(question.lead_time_bucket)).to.equal('0–6 h, 72 h or more, the day itself');
  });

  it('given what is as at first, blank or of no meaning here, then it is left out', () => {
    expect(formatSearch(readParams('?metric=high&days=90&station_id=&utm=1'))).to.equal('');
  });

  it('given an unknown value, then the API is asked with it all the same, and tells', () => {
    expect(parameters(readParams('?metric=medium'))).to.include({ metric: 'medium' });
  });

  for (const [search, question] of [
    ['', 'good'],
    ['?metric=low&station_id=KORD', 'good'],
    ['?station_id=KORD&threshold=85', 'likely'],
    ['?event=80', 'likely'],
    ['?map=us', 'where'],
    ['?compare=rival', 'provider'],
    ['?view=happened', 'happened'],
    ['?map=us&view=good', 'good'],
  ] as const)
    it(`given ${search || 'nothing'}, then the question is ${question}, and the address stays`, () => {
      expect(getTab(readParams(search))).to.equal(question);
      expect(formatSearch(readParams(search))).to.equal(search);
    });

  it('given the question that its words are about, then the address does not name it', () => {
    expect(formatSearch({ ...readParams('?event=80'), view: 'likely' })).to.equal('?event=80');
    expect(formatSearch({ ...readParams(''), view: 'good' })).to.equal('');
  });
});

describe('the colours of the bias', () => {
  const classOf = (mean_error: number, low: number | null, high: number | null): number =>
    biasClass({ mean_error }, { mean_error: { low, high, std_error: null, n_eff: null } });

  afterEach(() => setUnits('', 'high'));

  it('has a colour where the interval excludes 0 alone, and a darker one from 2 °F on', () => {
    expect(biasLabels()).to.have.length(6);
    expect(biasLabels().map((_label, at) => biasMark(at))).to.deep.equal(['−', '−', '±', '+', '+', '?']);
    expect(classOf(3, -0.1, 6)).to.equal(2);
    expect(classOf(3, null, null)).to.equal(UNKNOWN);
    expect(biasClass({ mean_error: 3 }, undefined)).to.equal(UNKNOWN);
    expect(
      [-2, -1.99, -0.1, 0.1, 1.99, 2].map((mean) => classOf(mean, mean - 0.05, mean + 0.05)),
    ).to.deep.equal([0, 1, 1, 3, 3, 4]);
  });

  it('given the same errors in °C, then each has the same class', () => {
    const errors = [-4, -2.1, -1.9, -0.2, 0.2, 1.9, 2.1, 4];
    const classes = errors.map((mean) => classOf(mean, mean - 0.05, mean + 0.05));
    setUnits('metric', 'high');
    expect(
      errors.map((mean) => classOf((mean * 5) / 9, ((mean - 0.05) * 5) / 9, ((mean + 0.05) * 5) / 9)),
    ).to.deep.equal(classes);
    expect(biasLabels()[0]).to.equal('1.1 °C or more too cold');
  });

  it('has classes that are told apart in both colour schemes by those who see red and green alike', () => {
    const css = readFileSync(new URL('../../../public/dashboard/panels/panels.css', import.meta.url), 'utf8');
    const pairs = [...css.matchAll(/--class: light-dark\(#(\w{6}), #(\w{6})\);/g)];
    expect(pairs).to.have.length(5);
    for (const scheme of [1, 2].map((side) => pairs.map((pair) => linear(pair[side] ?? '')))) {
      for (const seen of [
        scheme,
        ...[DEUTERANOPE, PROTANOPE].map((by) => scheme.map((rgb) => times(by, rgb))),
      ]) {
        for (const [one, colour] of seen.map(lab).entries())
          for (const other of seen.slice(0, one))
            expect(difference(colour, lab(other)), `${one}`).to.be.greaterThan(10);
      }
    }
  });
});

function linear(hex: string): number[] {
  return [0, 2, 4].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

/** A matrix of three rows, one after the other, times a vector. */
const times = (matrix: number[], vector: number[]): number[] =>
  [0, 3, 6].map((row) => vector.reduce((sum, each, at) => sum + each * (matrix[row + at] ?? 0), 0));

// Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
const DEUTERANOPE = [
  0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
];
const PROTANOPE = [
  0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
];
const XYZ = [0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505];

/** CIELAB of linear RGB, white D65. */
function lab(rgb: number[]): number[] {
  const white = [0.9505, 1, 1.089];
  const inside = rgb.map((each) => Math.min(1, Math.max(0, each)));
  const [x = 0, y = 0, z = 0] = times(XYZ, inside).map((each, at) => {
    const ratio = each / (white[at] ?? 1);
    return ratio > 0.008856 ? Math.cbrt(ratio) : 7.787 * ratio + 16 / 116;
  });
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const difference = (one: number[], other: number[]): number =>
  Math.hypot(...one.map((each, at) => each - (other[at] ?? 0)));
