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
} from '../../support/ingest/climate-feeds.js';
import {
  hoursOf,
  type SourceName,
  SOURCES,
  SPEED_UNITS,
  type SpeedUnit,
  type WeatherHour,
  windOf,
} from '../../support/ingest/hour-feeds.js';

// Wind, gusts, dew point, humidity, clouds and snow in another unit: no other test has feeds of these. A right feed of any climate is
// not told of. A wrong one is where its unit can be known by itself; the judge of that is written here, apart from the rule.

const NAMES = Object.keys(CLIMATES) as ClimateName[];
const UNITS = Object.keys(SPEED_UNITS) as SpeedUnit[];
/** The steps of a source, m/s. */
const STEP_OF: Record<SourceName, number> = {
  asos: SPEED_UNITS.kt,
  metar: SPEED_UNITS.kt,
  twice: SPEED_UNITS.kt,
  archive: SPEED_UNITS.kt,
  metre: 1,
  tenths: 0.1,
  model: 0,
};

interface MadeFeed {
  what: string;
  feeds: TextFeed[];
  /** Whether one in another unit can be known by itself. */
  isKnown: boolean;
}

type Maker = (random: Random, isWrong: boolean) => MadeFeed;

const monthOf = (random: Random): string =>
  new Date(Date.UTC(2025, random.below(12), 1 + random.below(10))).toISOString().slice(0, 10);

const writeHours = (
  feed: 'hours' | 'hourly_forecasts',
  climate: ClimateName,
  hours: readonly WeatherHour[],
  cells: (hour: WeatherHour) => Record<string, string>,
): TextFeed => {
  const timeOf = (at: string): Record<string, string> => (feed === 'hours' ? { at } : { valid_at: at });
  const rows = hours.map((hour) => ({
    ...ROW_OF[feed](hour.at.slice(0, 10)),
    ...timeOf(hour.at),
    temp_f: '',
    ...cells(hour),
  }));
  return { feed, climate, rows };
};

/** Winds or gusts of a source in a unit, in a column of this or another one. */
const makeSpeeds =
  (column: 'wind' | 'gust'): Maker =>
  (random, isWrong) => {
    const climate = random.of(NAMES);
    const source = random.of(Object.keys(SOURCES) as SourceName[]);
    const named = random.of(UNITS);
    const unit = isWrong ? random.of(UNITS.filter((each) => each !== named)) : named;
    const step = STEP_OF[source] / SPEED_UNITS[unit];
    const isTwice = source === 'twice' || source === 'archive';
    const isOwn = [0.1, 1].includes(step) && !isTwice;
    const decimals = isOwn ? Number(step < 1) : random.of([0, 1, 1, 2]);
    const days = random.of(isWrong ? [20, 30, 60] : [1, 3, 10, 30, 60]);
    const written = hoursOf(random, climate, monthOf(random), days).map((hour) => {
      const value = SOURCES[source](hour)[column];
      return value === undefined ? '' : (value / SPEED_UNITS[unit]).toFixed(decimals);
    });
    let at = -1;
    const feed = writeHours(
      source === 'model' ? 'hourly_forecasts' : 'hours',
      climate,
      written.map(
        (_, hour) =>
          ({ at: new Date(Date.UTC(2025, 0, 1, hour)).toISOString().slice(0, 19) + 'Z' }) as WeatherHour,
      ),
      () => ({ [`${column}_${named}`]: written[(at += 1)]! }),
    );
    // Steps say it where they are finer than decimals and values are on many of them; calm says it of whole knots of ASOS.
    const values = written.filter((text) => text !== '' && Number(text) > 0);
    const different = new Set(values).size;
    const size = step * 10 ** decimals;
    const inSteps =
      !isOwn && size > 1 && !(isTwice && unit === 'kt') && (source !== 'archive' || decimals > 0);
    const isFine = decimals > 0 && size < 3.5;
    const isMany =
      values.length >= (isFine ? 1000 : 400) && different >= (decimals === 0 ? 22 : isFine ? 50 : 16);
    const isCalm =
      column === 'wind' && source === 'asos' && unit === 'kt' && windOf(climate) > 1.5 && windOf(climate) < 6;
    return {
      what: `${column} of ${source} in ${unit}, ${decimals} decimals, as ${named} of ${climate}, ${values.length} in ${different}`,
      feeds: [feed],
      isKnown: (inSteps && isMany) || (isCalm && values.length >= 400 && different >= 7),
    };
  };

const makeShares =
  (column: 'humidity' | 'cloud'): Maker =>
  (random, isWrong) => {
    const climate = random.of(NAMES);
    const feed = random.of(['hours', 'hourly_forecasts'] as const);
    const hours = hoursOf(random, climate, monthOf(random), random.of([2, 10, 30]));
    const [size, decimals] = isWrong ? [1, 2] : [100, random.of([0, 1])];
    const textOf = (hour: WeatherHour): string => ((hour[column] / 100) * size).toFixed(decimals);
    return {
      what: `${column} of ${size} of ${climate}`,
      feeds: [writeHours(feed, climate, hours, (hour) => ({ [`${column}_pct`]: textOf(hour) }))],
      isKnown: true,
    };
  };

const makeDewPoints: Maker = (random, isWrong) => {
  const climate = random.of(NAMES);
  const [isCelsius, first] = [random.next() < 0.5, monthOf(random)];
  const hours = hoursOf(random, climate, first, random.of(isWrong ? [20, 30] : [1, 3, 10, 30]));
  const mean = hours.reduce((sum, { dewPoint }) => sum + dewPoint, 0) / hours.length;
  const [column, other] = isCelsius ? ['dew_point_c', 'temp_c'] : ['dew_point_f', 'temp_f'];
  const textOf = (celsius: number): string =>
    (isCelsius === isWrong ? inFahrenheit(celsius) : celsius).toFixed(1);
  const { latitude } = CLIMATES[climate];
  const isSummer = latitude > 0 ? /-0[78]-/.test(first) : /-(12|01|02)-/.test(first);
  const inSummer = Math.abs(latitude) >= 40 && Math.abs(latitude) <= 60 && isSummer;
  return {
    what: `${column} of ${climate} from ${first}`,
    feeds: [
      writeHours('hours', climate, hours, (hour) => ({
        temp_f: undefined!,
        [other]: '',
        [column]: textOf(hour.dewPoint),
      })),
    ],
    // In °F in a column of °C, it is above 30; in °C it is far below what a summer has.
    isKnown: isCelsius ? mean > 2 : inSummer && mean < 14,
  };
};

/** Snow, one cm for each mm of water: observed in tenths of an inch or whole cm, forecast in 0.07 cm. */
const makeSnow: Maker = (random, isWrong) => {
  const climate = random.of([
    'Chicago',
    'Yakutsk',
    'Reykjavik',
    'Longyearbyen',
    'Jungfraujoch',
    'Fuji summit',
  ] as const);
  const first = `2025-${random.of(['11', '12', '01'])}-01`;
  const snow = weatherOf(random, climate, first, random.of([30, 60, 90])).map(({ date, amount, high }) => ({
    date,
    cm: high < 3 ? amount : 0,
  }));
  const source = random.of(['inches', 'cm', 'water'] as const);
  const named = random.next() < 0.5 ? 'snow_in' : 'snow_cm';
  const inTheirs = (cm: number): number =>
    source === 'inches'
      ? (Math.round(cm / 0.254) / 10) * 2.54
      : source === 'cm'
        ? Math.round(cm)
        : Math.round(cm * 10) * 0.07;
  const perCm = named === 'snow_in' ? (isWrong ? 1 : 1 / 2.54) : isWrong ? 10 : 1;
  const texts = snow.map(({ date, cm }) => {
    const value = inTheirs(cm) * perCm;
    return {
      ...ROW_OF.observations(date),
      high_f: '',
      low_f: '',
      [named]: value.toFixed(source === 'water' ? 2 : 1),
    };
  });
  const depths = texts
    .map((row) => Number((row as Record<string, string>)[named]))
    .filter((depth) => depth > 0);
  const mean = depths.reduce((sum, depth) => sum + depth, 0) / depths.length;
  const isKnownInches =
    source === 'inches' ? new Set(depths).size >= 13 : source === 'cm' ? mean > 3.2 : true;
  return {
    what: `${named} of ${source} of ${climate}, ${depths.length}`,
    feeds: [{ feed: 'observations', climate, rows: texts }],
    isKnown: depths.length >= 12 && (named === 'snow_in' ? isKnownInches : mean > 44),
  };
};

const MAKERS: readonly Maker[] = [
  makeSpeeds('wind'),
  makeSpeeds('gust'),
  makeSpeeds('wind'),
  makeShares('humidity'),
  makeShares('cloud'),
  makeDewPoints,
  makeSnow,
];

const MANY = range({ test: 70, ci: 300, stress: 1500 });

describe('the check of units of wind, dew point, humidity, clouds and snow', () => {
  it(`given ${MANY} right feeds of all climates, then none is told of`, () => {
    const random = new Random(77);
    const told = Array.from({ length: MANY }, (_, at) => MAKERS[at % MAKERS.length]!(random, false)).flatMap(
      ({ what, feeds }) => {
        const reasons = reasonsOf(feeds);
        return reasons.length > 0 ? [`${what}: ${reasons.join()}`] : [];
      },
    );
    expect(told).to.deep.equal([]);
  });

  it(`given ${MANY} feeds in another unit that can be known, then at least 97 of 100 are told of`, () => {
    const random = new Random(78);
    const untold: string[] = [];
    for (let at = 0; at < MANY;) {
      const { what, feeds, isKnown } = MAKERS[at % MAKERS.length]!(random, true);
      if (!isKnown) continue;
      at += 1;
      if (reasonsOf(feeds).length === 0) untold.push(what);
    }
    expect(untold.slice(MANY * 0.03)).to.deep.equal([]);
  });
});
