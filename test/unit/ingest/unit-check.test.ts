import { expect } from 'chai';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';
import {
  type ClimateName,
  CLIMATES,
  inFahrenheit,
  reasonsOf,
  ROW_OF,
  type TextFeed,
  weatherOf,
  type WeatherDay,
} from '../../support/ingest/climate-feeds.js';

// Feeds of all climates: a right one is not told of, and one in another unit or with sentinels is. docs/feeds.md has the rules.

const NAMES = Object.keys(CLIMATES) as ClimateName[];
const text = (value: number, decimals: number): string => value.toFixed(decimals);

/** Cells of a day in one unit, and in another one under the same names. */
type CellsOf = (day: WeatherDay, random: Random) => Record<string, string>;

interface Kind {
  feed: TextFeed['feed'];
  right: CellsOf;
  wrong: CellsOf;
  /** Whether the wrong one can be known by itself: winters of one unit are summers of the other. */
  isKnown?: (climate: ClimateName, month: number) => boolean;
}

/** Up to 60° of latitude, months without winter; north of it, where °F is always far above °C. */
const isWarm = (climate: ClimateName, month: number): boolean => {
  const { latitude, mean } = CLIMATES[climate];
  const isSummer = latitude >= 0 ? month === 7 || month === 8 : month <= 2;
  return mean > 5 && (Math.abs(latitude) <= 25 || (Math.abs(latitude) <= 60 && isSummer)) && mean < 25;
};
const isColdSeason = (climate: ClimateName, month: number): boolean => {
  const { latitude, mean } = CLIMATES[climate];
  const isWinter = latitude >= 0 ? month === 12 || month <= 2 : month >= 6 && month <= 8;
  return isWinter && Math.abs(latitude) >= 25 && mean > 8;
};

const blankTemperatures = { high_f: '', low_f: '' };
const DAYS_IN_F: CellsOf = ({ high, low }) => ({
  high_f: text(inFahrenheit(high), 0),
  low_f: text(inFahrenheit(low), 0),
});
const DAYS_IN_C: CellsOf = ({ high, low }) => ({ high_c: text(high, 1), low_c: text(low, 1) });
const renamed =
  (cells: CellsOf, from: string, to: string): CellsOf =>
  (day, random) =>
    Object.fromEntries(
      Object.entries(cells(day, random)).map(([name, value]) => [name.replace(from, to), value]),
    );
const amountCells =
  (name: string, unit: number, decimals: number): CellsOf =>
  ({ amount }) => ({ ...blankTemperatures, [name]: amount === 0 ? '0' : text(amount / unit, decimals) });
const isWet = (climate: ClimateName): boolean =>
  CLIMATES[climate].wet >= 0.2 && CLIMATES[climate].amount >= 2;

/** Every column of values that has another unit. */
const KINDS: Record<string, Kind> = {
  'forecasts in °F': {
    feed: 'forecasts',
    right: DAYS_IN_F,
    wrong: renamed(DAYS_IN_C, '_c', '_f'),
    isKnown: isWarm,
  },
  'forecasts in °C': {
    feed: 'forecasts',
    right: DAYS_IN_C,
    wrong: renamed(DAYS_IN_F, '_f', '_c'),
    isKnown: isColdSeason,
  },
  'observations in °F': {
    feed: 'observations',
    right: DAYS_IN_F,
    wrong: renamed(DAYS_IN_C, '_c', '_f'),
    isKnown: isWarm,
  },
  'observations in °C': {
    feed: 'observations',
    right: DAYS_IN_C,
    wrong: renamed(DAYS_IN_F, '_f', '_c'),
    isKnown: isColdSeason,
  },
  'normals in °F': {
    feed: 'normals',
    right: DAYS_IN_F,
    wrong: renamed(DAYS_IN_C, '_c', '_f'),
    isKnown: isWarm,
  },
  hours: {
    feed: 'hours',
    right: ({ high, low }) => ({ temp_f: text(inFahrenheit((high + low) / 2), 1) }),
    wrong: ({ high, low }) => ({ temp_f: text((high + low) / 2, 1) }),
    isKnown: isWarm,
  },
  'hourly forecasts': {
    feed: 'hourly_forecasts',
    right: ({ high, low }) => ({ temp_f: text(inFahrenheit((high + low) / 2), 2) }),
    wrong: ({ high, low }) => ({ temp_f: text((high + low) / 2, 2) }),
    isKnown: isWarm,
  },
  chances: {
    feed: 'forecasts',
    right: ({ chance }) => ({ ...blankTemperatures, precip_chance: text(chance * 100, 0) }),
    wrong: ({ chance }) => ({ ...blankTemperatures, precip_chance: text(chance, 2) }),
    isKnown: (climate) => CLIMATES[climate].wet >= 0.04,
  },
  probabilities: {
    feed: 'forecasts',
    right: ({ chance }) => ({ ...blankTemperatures, precip_probability: text(chance, 2) }),
    wrong: ({ chance }) => ({ ...blankTemperatures, precip_probability: text(chance * 100, 0) }),
    isKnown: (climate) => CLIMATES[climate].wet >= 0.04,
  },
  inches: {
    feed: 'observations',
    right: amountCells('precip_in', 25.4, 2),
    wrong: amountCells('precip_in', 1, 1),
    isKnown: isWet,
  },
  'inches that were converted': {
    feed: 'observations',
    right: ({ amount }) => ({ ...blankTemperatures, precip_in: text(Math.round(amount * 5) / 127, 3) }),
    wrong: ({ amount }) => ({ ...blankTemperatures, precip_in: text(Math.round(amount / 0.254) * 0.254, 2) }),
    isKnown: isWet,
  },
  mm: {
    feed: 'observations',
    right: amountCells('precip_mm', 1, 1),
    wrong: amountCells('precip_mm', 25.4, 2),
    isKnown: (climate) =>
      isWet(climate) &&
      CLIMATES[climate].amount >= 3 &&
      Math.abs(CLIMATES[climate].latitude) < 60 &&
      climate !== 'Cherrapunji',
  },
  'mm in whole numbers': {
    feed: 'observations',
    right: amountCells('precip_mm', 1, 0),
    wrong: amountCells('precip_mm', 0.1, 0),
    isKnown: (climate) =>
      isWet(climate) && CLIMATES[climate].amount >= 5 && Math.abs(CLIMATES[climate].latitude) > 35,
  },
  'inches of hours': {
    feed: 'hours',
    right: ({ amount }) => ({ temp_f: '', precip_in: text(amount / 6 / 25.4, 2) }),
    wrong: ({ amount }) => ({ temp_f: '', precip_in: text(amount / 6, 1) }),
    isKnown: (climate) => isWet(climate) && CLIMATES[climate].amount >= 5,
  },
};

/** The rows with an amount, or with a chance that no percentage of whole numbers is; of other feeds all rows. */
const countAmounts = ({ rows }: TextFeed): number => {
  const values = rows.map(
    (row) => row.precip_in ?? row.precip_mm ?? row.precip_chance ?? row.precip_probability ?? '1',
  );
  return values.filter((value) => Number(value) > 0).length;
};

/** A feed of so many days from a random one on. */
function makeFeed(random: Random, kind: Kind, cells: CellsOf, days: number): TextFeed {
  const climate = random.of(NAMES);
  const month = random.below(12);
  const first = new Date(Date.UTC(2025, month, 1 + random.below(10))).toISOString().slice(0, 10);
  const rows = weatherOf(random, climate, first, days).map((day) => ({
    ...ROW_OF[kind.feed](day.date),
    ...cells(day, random),
  }));
  return { feed: kind.feed, climate, rows };
}

/** Sentinels by the column in which a file has them, and what its other values are. */
const SENTINELS: [kind: string, column: string, values: readonly number[]][] = [
  ['forecasts in °F', 'high_f', [-99, -99.9, 999, -999, 9999, -9999]],
  ['forecasts in °C', 'low_c', [-99, 99.9, 999, -999, 9999, -9999]],
  ['observations in °F', 'low_f', [-99, -99.9, 999, -999, 9999, -9999]],
  ['observations in °C', 'high_c', [99, 99.9, -99.9, 999, -9999]],
  ['normals in °F', 'high_f', [-99, -99.9, 999, 9999, -9999]],
  ['hours', 'temp_f', [-99, 999, 999.9, 9999]],
  ['hourly forecasts', 'temp_f', [-99, -99.9, 999, 9999]],
  ['chances', 'precip_chance', [-1, -99, 99.9, 99.99, 255, 999, 9999]],
  ['probabilities', 'precip_probability', [-1, -99, 9.99, 99, 999, 9999]],
  ['inches', 'precip_in', [-1, -99, 99.99, 999.9, 9999, -9999, 25.5, 32.77]],
  ['mm', 'precip_mm', [-1, -99, 999.9, 999, 9999, -9999]],
  ['inches of hours', 'precip_in', [-1, 9.99, 99.99, 999.9, 9999]],
];

const MANY = range({ test: 300, ci: 1500, stress: 20_000 });

describe('the check of units, over feeds of all climates', () => {
  it(`given ${MANY} right feeds, then none in a thousand is told of`, () => {
    const random = new Random(1);
    const told: string[] = [];
    for (let at = 0; at < MANY; at += 1) {
      const [name, kind] = Object.entries(KINDS)[at % Object.keys(KINDS).length]!;
      const feed = makeFeed(random, kind, kind.right, random.of([1, 2, 7, 30, 60, 200]));
      const reasons = reasonsOf([feed]);
      if (reasons.length > 0)
        told.push(`${name} of ${feed.climate}: ${reasons.join()} ${JSON.stringify(feed.rows.slice(0, 40))}`);
    }
    expect(told.slice(MANY / 1000)).to.deep.equal([]);
  });

  it(`given ${MANY} feeds in another unit that can be known, then at least 98 of 100 are told of`, () => {
    const random = new Random(2);
    const untold: string[] = [];
    for (let at = 0; at < MANY;) {
      const [name, kind] = Object.entries(KINDS)[at % Object.keys(KINDS).length]!;
      const feed = makeFeed(random, kind, kind.wrong, random.of([30, 45, 60, 120]));
      const middle = feed.rows[15]!;
      const day =
        middle.month_day ?? (middle.target_date ?? middle.date ?? middle.at ?? middle.valid_at)?.slice(5);
      const month = Number(day?.slice(0, 2));
      if (kind.isKnown?.(feed.climate, month) === false || countAmounts(feed) < 8) continue;
      at += 1;
      if (reasonsOf([feed]).length === 0)
        untold.push(`${name} of ${feed.climate} ${JSON.stringify(feed.rows.slice(0, 3))}`);
    }
    expect(untold.slice(MANY * 0.02)).to.deep.equal([]);
  });

  it(`given ${MANY} feeds with sentinels, then at least 98 of 100 are told of`, () => {
    const random = new Random(3);
    const untold: string[] = [];
    for (let at = 0; at < MANY; at += 1) {
      const [name, column, values] = SENTINELS[at % SENTINELS.length]!;
      const kind = KINDS[name]!;
      const feed = makeFeed(random, kind, kind.right, random.of([10, 30, 60, 120]));
      const sentinel = random.of(values);
      const share = random.of([0.02, 0.1, 0.3]);
      const rows = feed.rows.map((row, index) =>
        index === 3 || random.next() < share ? { ...row, [column]: `${sentinel}` } : row,
      );
      const reasons = reasonsOf([{ ...feed, rows }]);
      if (reasons.length === 0)
        untold.push(`${name} of ${feed.climate}: ${sentinel} ${JSON.stringify(feed.rows.slice(0, 3))}`);
    }
    expect(untold.slice(MANY * 0.02)).to.deep.equal([]);
  });
});

/** Rows of days of one provider or station, with these texts of a column each. */
const feedOf = (
  feed: TextFeed['feed'],
  column: string,
  texts: readonly (string | number)[],
  climate: ClimateName = 'Chicago',
): TextFeed => ({
  feed,
  climate,
  rows: texts.map((value, at) => ({
    ...ROW_OF[feed](new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)),
    ...(feed !== 'hours' &&
      feed !== 'hourly_forecasts' &&
      !/^(high|low)_f$/.test(column) &&
      blankTemperatures),
    [column]: `${value}`,
  })),
});
const chances = (...texts: (string | number)[]): TextFeed => feedOf('forecasts', 'precip_chance', texts);
const inches = (...texts: (string | number)[]): TextFeed => feedOf('observations', 'precip_in', texts);
/** So many reports with one value, and some with others. */
const reports = (column: string, count: number, value: number, feed: TextFeed['feed'] = 'hours'): TextFeed =>
  feedOf(feed, column, [3, 9, ...Array<number>(count).fill(value), 5, 8]);
const named = (provider: string, feed: TextFeed): TextFeed => ({
  ...feed,
  rows: feed.rows.map((row) => ({ ...row, provider })),
});

describe('the check of units, at its bounds', () => {
  const FRACTIONS = ['precip_chance in another unit'];
  const ABOVE = ['precip_in above 15 inches'];
  for (const [what, feeds, reasons] of [
    ['one chance of 0.35', [chances(0.35)], FRACTIONS],
    ['chances of 0 to 1, one of them between', [chances(0, 1, '', 0.01)], FRACTIONS],
    [
      'a provider of fractions beside one of percents',
      [named('a', chances(0.2, 1)), named('b', chances(20, 70))],
      FRACTIONS,
    ],
    ['a chance of 1.5% beside one of 0.4%', [chances(0.4, 1.5)], []],
    ['chances of 0 and 1%', [chances(0, 1, 0, 1, 1)], []],
    ['chances of 0 and 100%', [chances(0, 100, 0)], []],
    ['chances of 0 alone', [chances(0, 0, 0)], []],
    [
      'fractions with 99 for missing ones',
      [chances(0.2, 0.4, 99, 0.1, 0.9)],
      ['precip_chance that stands for a missing value', ...FRACTIONS],
    ],
    [
      '99.9% among whole percents',
      [chances(99.9, 10, 20, 95, 100)],
      ['precip_chance that stands for a missing value'],
    ],
    ['99% among whole percents', [chances(99, 10, 20, 95, 100)], []],
    ['a day of 15 inches', [inches(0, 15, 'T')], []],
    ['a day of 15.01 inches', [inches(0, 15.01, 'T')], ABOVE],
    ['a day of 16 inches beside two of 5', [inches(5.03, 16, 5.01, 0.27)], []],
    ['a day of 16 inches beside one of 5', [inches(5.03, 16, 4.91, 0.27)], ABOVE],
    ['a day of 999.9 mm', [feedOf('observations', 'precip_mm', [0, 999.9])], ['precip_mm above 381 mm']],
    ['no rain for 200 days', [inches(...Array<number>(200).fill(0))], []],
    ['three wet days in mm', [inches(0, 2.4, 0, 3, 0.8)], ['precip_in in another unit']],
    ['three wet days in steps of 0.01 inch', [inches(0, 2.41, 0, 3.03, 0.87)], []],
    ['two wet days of 2 inches', [inches(0, 2, 0, 2)], []],
    [
      'one wet day at each of five stations, in mm',
      NAMES.slice(0, 5).map((name) => feedOf('observations', 'precip_in', [0, 3.4, 0], name)),
      ['precip_in in another unit'],
    ],
    ['48 reports of 7 kt', [reports('wind_kt', 48, 7)], ['flat line of wind_kt']],
    ['47 reports of 7 kt, then others', [reports('wind_kt', 47, 7)], []],
    ['48 calm reports', [reports('wind_kt', 48, 0)], []],
    ['48 reports of 100%', [reports('humidity_pct', 48, 100)], []],
    ['48 forecasts of 7 kt', [reports('wind_kt', 48, 7, 'hourly_forecasts')], []],
    ['an hour of 7 inches', [feedOf('hours', 'precip_in', [7])], ['precip_in above 6 inches']],
    [
      '9.99 inches among drizzle',
      [inches(0.2, 0.31, 9.99, 0.04, 0)],
      ['precip_in that stands for a missing value'],
    ],
    [
      'a standard deviation of 9.99',
      [
        {
          ...feedOf('forecasts', 'high_f', [20, 21, 22, 23, 24]),
          rows: feedOf('forecasts', 'high_f', [20, 21, 22, 23, 24]).rows.map((row, at) => ({
            ...row,
            low_f: '',
            high_sd_f: at === 0 ? '9.99' : '3',
          })),
        },
      ],
      ['high_sd_f that stands for a missing value'],
    ],
    [
      '99.9 °F in a winter of Chicago',
      [feedOf('forecasts', 'high_f', [20, 21, 99.9, 23, 24, 25]).rows].map((rows) => ({
        feed: 'forecasts',
        climate: 'Chicago',
        rows: rows.map((row) => ({ ...row, low_f: '' })),
      })),
      ['high_f that stands for a missing value'],
    ],
    [
      '99 °F beside 110 °F in Phoenix',
      [feedOf('forecasts', 'high_f', [99, 105, 110, 112, 99, 108], 'Phoenix').rows].map((rows) => ({
        feed: 'forecasts',
        climate: 'Phoenix',
        rows: rows.map((row) => ({ ...row, low_f: '' })),
      })),
      [],
    ],
  ] as [string, TextFeed[], string[]][])
    it(`given ${what}, then ${reasons.length === 0 ? 'nothing' : reasons.join(' and ')} is told`, () => {
      expect(reasonsOf(feeds)).to.have.members(reasons);
    });

  it('given rows that quality control tells, then they are not told again', () => {
    const feed = chances(0.2, 0.4, 99, 0.1, 0.9);
    expect(reasonsOf([feed], new Set([4]))).to.deep.equal(FRACTIONS);
  });
});
