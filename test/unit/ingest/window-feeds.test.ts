import { expect } from 'chai';
import {
  CLIMATES,
  type ClimateName,
  reasonsOf,
  ROW_OF,
  type TextFeed,
  weatherOf,
} from '../../support/ingest/climate-feeds.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';

// Chances and amounts of windows in another unit, with words, sentinels and hours of no window: no other test has feeds of these.

const WINDOWS = [12, 6, 1] as const;
type Row = Record<string, string>;
interface Hour {
  at: string;
  chance: number;
  /** mm. */
  amount: number;
}

/** Hours of two months: the rain of a day falls in some of them. */
function drawHours(random: Random, climate: ClimateName): Hour[] {
  return weatherOf(random, climate, `2025-${random.of(['01', '04', '07', '10'])}-01`, 60).flatMap(
    ({ date, chance, amount }) => {
      const wet = new Set(Array.from({ length: 1 + random.below(8) }, () => random.below(24)));
      return Array.from({ length: 24 }, (_, hour) => ({
        at: `${date}T${`${hour}`.padStart(2, '0')}`,
        chance: Math.round(100 * chance),
        amount: wet.has(hour) ? (amount / wet.size) * (0.5 + random.next()) : 0,
      }));
    },
  );
}

const inInches = ({ amount }: Hour): string => (Math.round(amount / 0.254) / 100).toString();
const inMm = ({ amount }: Hour): string => (Math.round(amount * 10) / 10).toString();

/** The rows of reports with an amount, and those of forecasts with a chance. */
const reports = (
  hours: readonly Hour[],
  cells: (hour: Hour, at: number) => Row,
): Omit<TextFeed, 'climate'> => ({
  feed: 'hours',
  rows: hours.map((hour, at) => ({ at: `${hour.at}:53:00Z`, temp_f: '', ...cells(hour, at) })),
});
const forecasts = (
  hours: readonly Hour[],
  cells: (hour: Hour, at: number) => Row,
): Omit<TextFeed, 'climate'> => ({
  feed: 'hourly_forecasts',
  rows: hours
    .filter((_, at) => at % 6 === 0)
    .map((hour, at) => ({
      ...ROW_OF.hourly_forecasts(hour.at.slice(0, 10)),
      ...{ valid_at: `${hour.at}:00:00Z`, temp_f: '', ...cells(hour, at) },
    })),
});

type Draw = (random: Random, hours: readonly Hour[]) => Omit<TextFeed, 'climate'>;
/** A place of few rows, so that the others tell what is right. */
const isFew = (at: number): boolean => at % 97 === 5;
const amountColumn = (random: Random, unit: 'in' | 'mm'): string =>
  random.of([`precip_${unit}`, `precip_6h_${unit}`, `precip_12h_${unit}`]);
const chanceColumn = (random: Random, name: 'chance' | 'probability'): string =>
  `precip_${name}_${random.of(WINDOWS)}h`;

/** Right feeds: each form of what is allowed. */
const RIGHT: Draw[] = [
  (random, hours) =>
    reports(hours, (hour) => ({
      [amountColumn(new Random(1), 'in')]: random.of([
        inInches(hour),
        inInches(hour) === '0' ? 'T' : inInches(hour),
        '',
      ]),
    })),
  (random, hours) => {
    const column = amountColumn(random, 'mm');
    return reports(hours, (hour) => ({ [column]: random.next() < 0.1 ? '' : inMm(hour) }));
  },
  (random, hours) =>
    reports(hours, (hour) => ({ precip_in: inInches(hour), precip_hours: random.of(['', '1', '6', '12']) })),
  (random, hours) => {
    const column = chanceColumn(random, 'chance');
    return forecasts(hours, ({ chance }) => ({ [column]: random.next() < 0.1 ? '' : `${chance}` }));
  },
  (random, hours) => {
    const column = chanceColumn(random, 'probability');
    return forecasts(hours, ({ chance }) => ({ [column]: `${chance / 100}` }));
  },
];

/** Wrong feeds, and the one reason of each. */
const WRONG: Record<string, [draw: Draw, reason: RegExp]> = {
  'parts of 1 as percents': [
    (random, hours) => {
      const column = chanceColumn(random, 'chance');
      return forecasts(hours, ({ chance }) => ({ [column]: `${chance / 100}` }));
    },
    /^precip_chance_\d+h in another unit$/,
  ],
  'percents as parts of 1': [
    (random, hours) => {
      const column = chanceColumn(random, 'probability');
      return forecasts(hours, ({ chance }) => ({ [column]: `${chance}` }));
    },
    /^chance outside 0\.\.1$/,
  ],
  'mm as inches': [
    (random, hours) => {
      const column = amountColumn(random, 'in');
      return reports(hours, (hour) => ({ [column]: inMm(hour) }));
    },
    /^precip_\w*in in another unit$/,
  ],
  'inches as mm': [
    (random, hours) => {
      const column = amountColumn(random, 'mm');
      return reports(hours, (hour) => ({ [column]: inInches(hour) }));
    },
    /^precip_\w*mm in another unit$/,
  ],
  'words for a missing amount': [
    (random, hours) => {
      const [column, word] = [
        amountColumn(random, 'in'),
        random.of(['M', 'trace', '-', '0.1"', 'nan', '1e-1']),
      ];
      return reports(hours, (hour, at) => ({ [column]: isFew(at) ? word : inInches(hour) }));
    },
    /^precipitation is not a number$/,
  ],
  'a number for a missing amount': [
    (random, hours) => {
      const [column, number] = [
        amountColumn(random, 'in'),
        random.of(['9.99', '99.99', '-1', '-999', '999']),
      ];
      return reports(hours, (hour, at) => ({ [column]: isFew(at) ? number : inInches(hour) }));
    },
    /^(precipitation outside 0\.\.50 inches|precip_\w*in that stands for a missing value)$/,
  ],
  'a number for a missing chance': [
    (random, hours) => {
      const [column, number] = [chanceColumn(random, 'chance'), random.of(['-99', '999', '101', '-1'])];
      return forecasts(hours, ({ chance }, at) => ({ [column]: isFew(at) ? number : `${chance}` }));
    },
    /^chance outside 0\.\.100%$/,
  ],
  'hours of no window': [
    (random, hours) => {
      const of = random.of(['3', '24', '0', '-6', '6h', '06', '1.0', 'x', '12 hours']);
      return reports(hours, (hour, at) => ({
        precip_in: inInches(hour),
        precip_hours: isFew(at) ? of : '1',
      }));
    },
    /^bad precip_hours$/,
  ],
  'two amounts of the same hours': [
    (random, hours) => {
      const of = random.of(['6', '12']);
      return reports(hours, (hour, at) => ({
        precip_in: inInches(hour),
        precip_hours: isFew(at) ? of : '',
        [`precip_${of}h_in`]: isFew(at) ? 'T' : '',
      }));
    },
    /^two amounts of the same hours$/,
  ],
};

/** The wettest place is left out: its days of a month fall into few hours here. */
const NAMES = (Object.keys(CLIMATES) as ClimateName[]).filter((name) => name !== 'Cherrapunji');
const isWet = (hours: readonly Hour[]): boolean => hours.filter(({ amount }) => amount >= 0.5).length >= 20;

/** A climate and its hours, of enough rain to tell units apart. */
function drawClimate(random: Random): [ClimateName, Hour[]] {
  for (;;) {
    const climate = random.of(NAMES);
    const hours = drawHours(random, climate);
    if (isWet(hours)) return [climate, hours];
  }
}

describe('feeds of chances and amounts of windows', () => {
  const times = range({ test: 4, ci: 35 });

  it('given right ones of wet climates, then nothing is told of any', () => {
    const random = new Random(11);
    for (const [at, draw] of RIGHT.entries())
      for (let time = 0; time < times; time += 1) {
        const [climate, hours] = drawClimate(random);
        expect(reasonsOf([{ ...draw(random, hours), climate }]), `${at} ${climate}`).to.deep.equal([]);
      }
  });

  for (const [what, [draw, reason]] of Object.entries(WRONG))
    it(`given ${what}, then its reason is told`, () => {
      const random = new Random(12);
      for (let time = 0; time < times; time += 1) {
        const [climate, hours] = drawClimate(random);
        const reasons = reasonsOf([{ ...draw(random, hours), climate }]);
        // An amount in mm may be above 6 inches, or above 50, as well.
        expect(reasons, `${climate} ${time}`).to.have.lengthOf.within(1, what === 'mm as inches' ? 3 : 1);
        expect(
          reasons.some((each) => reason.test(each)),
          `${climate}: ${reasons.join()}`,
        ).to.equal(true);
      }
    });
});
