import { join } from 'node:path';
import { expect } from 'chai';
import { load } from '../../src/ingest/load.js';
import type { RejectedRow } from '../../src/ingest/load-report.js';
import type { FeedFiles } from '../../src/ingest/stage/stage.js';
import { addDays } from '../../src/statistics/time/calendar.js';
import { Random } from '../support/random.js';
import { feedFile, folderOf, linesOf, OBSERVATION_COLUMNS, STATION_COLUMNS } from '../support/real-data.js';
import { WORKING } from '../../src/store/engine/open.js';
import { openTestStore } from '../support/store.js';

// Values of real feeds are hardly ever suspect, and wrong values among them always are. The folders are named by
// NWS_2021_DIR, PROVIDERS_DIR and HOURS_DIR; they are not part of this repository.

const [NWS, PROVIDERS, HOURS] = [folderOf('NWS_2021_DIR'), folderOf('PROVIDERS_DIR'), folderOf('HOURS_DIR')];

/** The rows that a load told of. */
interface Told {
  /** Each row as `feed line`. */
  lines: Set<string>;
  /** How many of these the report counts. */
  rows: number;
  rejected: number;
}

/** Loads feeds into an empty store, one after the other. */
async function told(...feeds: readonly FeedFiles[]): Promise<Told> {
  const store = await openTestStore(WORKING);
  const lines = new Set<string>();
  const add = ({ feed, line }: RejectedRow): Promise<void> => {
    lines.add(`${feed} ${line}`);
    return Promise.resolve();
  };
  let [suspect, rejected] = [0, 0];
  for (const files of feeds) {
    const { warnings, rejections } = await load(store, files, { onSuspect: add, onRejected: add });
    for (const { reason, rows } of warnings) suspect += reason.startsWith('far from') ? rows : 0;
    for (const { rows } of rejections) rejected += rows;
  }
  await store.close();
  return { lines, rows: suspect + rejected, rejected };
}

/** The lines of a feed with a time of a day; the others are blank, so that lines keep their numbers. */
const ofDay = (lines: readonly string[], time: number, day: string): string[] =>
  lines.map((line, at) => (at === 0 || line.split(',')[time]!.startsWith(day) ? line : ''));

/** By how much a value is wrong at least: by less it may be the weather. */
const WRONG_BY = 30;

/** Values that stand in a feed in place of a temperature. */
const WRONG: Record<string, (value: number, random: Random) => number> = {
  sentinel: (_, random) => random.of([-99, 99, -99.9, 99.9, 999, -9999]),
  'in Celsius': (value) => (value - 32) / 1.8,
  'Celsius, converted twice': (value) => value * 1.8 + 32,
  'in tenths': (value) => value * 10,
  'a tenth': (value) => value / 10,
  'other sign': (value) => -value,
  'digits exchanged': (value) =>
    Math.sign(value) * Number([...`${Math.abs(Math.round(value))}`].reverse().join('')),
};

/** These, and the ones that are hardest to tell from weather: 30 to 60 °F off. */
const WRONG_OR_SHIFTED: typeof WRONG = {
  ...WRONG,
  'too warm': (value, random) => value + WRONG_BY + random.below(31),
  'too cold': (value, random) => value - WRONG_BY - random.below(31),
};

interface InjectOptions {
  kinds?: typeof WRONG | undefined;
  /** Whether a row has others of its day to compare it with. */
  isKnown?: (cells: readonly string[]) => boolean;
}

interface Injected {
  lines: string[];
  /** Line numbers of the rows with a wrong value, and what it was and is. */
  wrong: Map<number, string>;
}

/** Puts wrong values into cells of lines. */
function inject(
  lines: readonly string[],
  columns: readonly string[],
  count: number,
  random: Random,
  { kinds: given = WRONG_OR_SHIFTED, isKnown = () => true }: InjectOptions = {},
): Injected {
  const [header = '', ...rows] = lines;
  const names = header.split(',');
  const wrong = new Map<number, string>();
  const kinds = Object.entries(given);
  while (wrong.size < count) {
    const at = random.below(rows.length);
    const cells = rows[at]!.split(',');
    const column = names.indexOf(random.of(columns));
    const before = cells[column] ?? '';
    const [kind, make] = random.of(kinds);
    const value = Math.round(10 * make(Number(before), random)) / 10;
    if (wrong.has(at + 2) || before === '' || Math.abs(value - Number(before)) < WRONG_BY || !isKnown(cells))
      continue;
    cells[column] = `${value}`;
    rows[at] = cells.join();
    wrong.set(at + 2, `${kind}: ${before} -> ${value} in ${rows[at]}`);
  }
  return { lines: [header, ...rows], wrong };
}

/** How many cells of these columns have a value. */
const valuesIn = (lines: readonly string[], columns: readonly string[]): number => {
  const [header = '', ...rows] = lines;
  const places = columns.map((column) => header.split(',').indexOf(column));
  return rows.reduce((sum, row) => {
    const cells = row.split(',');
    return sum + places.filter((place) => place !== -1 && cells[place] !== '').length;
  }, 0);
};

const missing = (feed: string, { wrong }: Injected, lines: ReadonlySet<string>): string[] =>
  [...wrong].filter(([line]) => !lines.has(`${feed} ${line}`)).map(([, what]) => what);

/** Prints what came of it. @returns the values that were not told */
function missed(seed: number, injected: Record<string, Injected>, { lines, rejected }: Told): string[] {
  const all = Object.entries(injected).flatMap(([feed, each]) => missing(feed, each, lines));
  const count = Object.values(injected).reduce((sum, { wrong }) => sum + wrong.size, 0);
  console.log(
    `      seed ${seed}: ${count - all.length} of ${count} told or rejected (${rejected}), and ${lines.size - count + all.length} rows besides`,
  );
  for (const what of all) console.log(`        missed ${what}`);
  return all;
}

const HIGHS_AND_LOWS = ['high_f', 'low_f'];

const stationsOf = (ids: readonly string[], timezone: string): string[] =>
  feedFile('stations', [
    STATION_COLUMNS,
    ...ids.map((id) => `${id},${id},US,40,-74,${timezone},,true,,,standard`),
  ]);

/** Feeds before they are written: the files of stations, and the lines of the others. */
interface Lines {
  stations: readonly string[];
  forecasts: readonly string[];
  observations: readonly string[];
}

const valuesOf = ({ forecasts, observations }: Lines): number =>
  valuesIn(forecasts, HIGHS_AND_LOWS) + valuesIn(observations, HIGHS_AND_LOWS);

const writeFeeds = ({ stations, forecasts, observations }: Lines): FeedFiles => ({
  stations,
  forecasts: feedFile('f', forecasts),
  observations: feedFile('o', observations),
});

/** How many rows are told of feeds as they are. */
async function toldOfClean(feeds: Lines): Promise<number> {
  const clean = await told(writeFeeds(feeds));
  console.log(`      ${clean.lines.size} rows told of ${valuesOf(feeds)} values`);
  expect(clean.rows).to.equal(clean.lines.size);
  return clean.lines.size;
}

/** How many wrong values are not told. */
async function missedOf(
  seed: number,
  { stations }: Lines,
  wrong: Record<'forecasts' | 'observations', Injected>,
): Promise<number> {
  const { forecasts, observations } = wrong;
  const found = await told(
    writeFeeds({ stations, forecasts: forecasts.lines, observations: observations.lines }),
  );
  expect(found.rows).to.equal(found.lines.size);
  return missed(seed, wrong, found).length;
}

describe('given real feeds, and 1,000 wrong values among them', function () {
  this.timeout(600_000);

  it('when they are of the Weather Service, then 1 true value in 20,000 is told, and nearly all wrong ones', async () => {
    const feeds: Lines = {
      stations: [join(NWS, 'stations.csv')],
      forecasts: linesOf(join(NWS, 'forecasts.csv.gz')),
      observations: linesOf(join(NWS, 'observations.csv.gz')),
    };
    expect(await toldOfClean(feeds)).to.be.below(valuesOf(feeds) / 20_000);
    const random = new Random(1);
    const wrong = {
      forecasts: inject(feeds.forecasts, HIGHS_AND_LOWS, 700, random),
      observations: inject(feeds.observations, HIGHS_AND_LOWS, 300, random),
    };
    expect(await missedOf(1, feeds, wrong)).to.be.at.most(2);
  });

  it('when a day is loaded at a time, then 1 true value in 10,000 is told, and 145 of 153 wrong ones', async () => {
    const days = Array.from({ length: 30 }, (_, at) => addDays('2021-01-30', at));
    const ofDays = (file: string, time: number): string[] =>
      linesOf(join(NWS, file)).filter(
        (line, at) => at === 0 || days.includes(line.split(',')[time]!.slice(0, 10)),
      );
    const [forecasts, observations] = [ofDays('forecasts.csv.gz', 1), ofDays('observations.csv.gz', 5)];
    const random = new Random(1);
    const inForecasts = inject(forecasts, HIGHS_AND_LOWS, 107, random, { kinds: WRONG });
    const inObservations = inject(observations, HIGHS_AND_LOWS, 46, random, { kinds: WRONG });
    const none = new Map<number, string>();
    for (const wrong of [
      { forecasts: { lines: forecasts, wrong: none }, observations: { lines: observations, wrong: none } },
      { forecasts: inForecasts, observations: inObservations },
    ]) {
      const loads = days.map((day) => ({
        stations: [join(NWS, 'stations.csv')],
        forecasts: feedFile('f', ofDay(wrong.forecasts.lines, 1, day)),
        observations: feedFile('o', ofDay(wrong.observations.lines, 5, day)),
      }));
      const found = await told(...loads);
      const values = valuesIn(forecasts, HIGHS_AND_LOWS) + valuesIn(observations, HIGHS_AND_LOWS);
      const count = wrong.forecasts.wrong.size + wrong.observations.wrong.size;
      const lost = missed(1, wrong, found).length;
      expect(lost).to.be.at.most(8);
      expect(found.lines.size - count + lost).to.be.below(values / (count === 0 ? 10_000 : 4_000));
    }
  });

  it('when they are of MOS over 20 years, then 1 true value in 20,000 is told, and nearly all wrong ones', async () => {
    const rows = linesOf(join(PROVIDERS, 'mos-highs.csv.gz')).map((line) => {
      const [station, provider, issued, date, high] = line.split(',');
      return [station, issued, date, high, high === 'high_f' ? 'low_f' : '', provider].join();
    });
    const days = new Set(rows.map((row) => `${row.slice(0, 4)},${row.split(',')[2]}`));
    const observations = linesOf(join(PROVIDERS, 'ghcnd-highs.csv.gz')).map((line) => {
      const [station, date, high] = line.split(',');
      if (date === 'date') return OBSERVATION_COLUMNS;
      const next = new Date(Date.parse(date!) + 129_600_000).toISOString();
      return [station, date, high, '', 'verified', next].join();
    });
    const ids = [...new Set(rows.slice(1).map((row) => row.slice(0, 4)))];
    const feeds: Lines = { stations: stationsOf(ids, 'America/New_York'), forecasts: rows, observations };
    expect(await toldOfClean(feeds)).to.be.below(valuesOf(feeds) / 20_000);
    const missedWith = (seed: number, kinds?: typeof WRONG): Promise<number> => {
      const random = new Random(seed);
      const isKnown = ([id, date]: readonly string[]): boolean => days.has(`${id},${date}`);
      return missedOf(seed, feeds, {
        forecasts: inject(rows, ['high_f'], 700, random, { kinds }),
        observations: inject(observations, ['high_f'], 300, random, { kinds, isKnown }),
      });
    };
    expect(await missedWith(4, WRONG)).to.be.at.most(2);
    expect((await missedWith(4)) + (await missedWith(7))).to.be.at.most(10); // of 2,000
  });

  it('when they reach 15 days ahead, then 3 of 27,772 true values are told, and nearly all wrong ones', async () => {
    const rows = linesOf(join(PROVIDERS, 'nws-openmeteo-10airports.csv.gz')).map((line, at) => {
      const [station, provider, fetched, date, high] = line.split(',');
      return at === 0
        ? 'station_id,issued_at,target_date,high_f,low_f,provider'
        : `${station},${fetched}T12:00:00Z,${date},${high},,${provider}`;
    });
    const ids = [...new Set(rows.slice(1).map((row) => row.slice(0, 4)))];
    const observations = linesOf(join(PROVIDERS, 'acis-highs.csv.gz')).flatMap((line, at) => {
      if (at === 0) return [OBSERVATION_COLUMNS];
      const [id = '', date = '', high] = line.split(',');
      return ids.includes(id) && date >= '2025-10-25'
        ? [`${id},${date},${high},,verified,${new Date(Date.parse(date) + 129_600_000).toISOString()}`]
        : [];
    });
    const feeds: Lines = { stations: stationsOf(ids, 'America/Chicago'), forecasts: rows, observations };
    expect(await toldOfClean(feeds)).to.be.at.most(3);
    const random = new Random(6);
    const wrong = {
      forecasts: inject(rows, ['high_f'], 970, random),
      observations: inject(observations, ['high_f'], 30, random),
    };
    expect(await missedOf(6, feeds, wrong)).to.be.at.most(15);
  });

  it('when they are within the day, then only the one of 13 °F in May is told, and every wrong one', async () => {
    const hours = linesOf(join(HOURS, 'nyc3-hours.csv.gz')).map((line) => line.replace('time_hour', 'at'));
    const observations = linesOf(join(PROVIDERS, 'ghcnd-highs.csv.gz'))
      .filter((line) => /^K(EWR|JFK|LGA),20(13|22|23)-/.test(line))
      .map(
        (line) => `${line},verified,${new Date(Date.parse(line.slice(5, 15)) + 129_600_000).toISOString()}`,
      );
    const stations = stationsOf(['KEWR', 'KJFK', 'KLGA'], 'America/New_York');
    for (const daily of [[], feedFile('o', [OBSERVATION_COLUMNS, ...observations])]) {
      const clean = await told({ stations, observations: daily, hours: feedFile('h', hours) });
      console.log(`      ${clean.lines.size} rows told of ${valuesIn(hours, ['temp_f'])} temperatures`);
      expect([...clean.lines].map((line) => hours[Number(line.split(' ')[1]) - 1])).to.deep.equal([
        'KJFK,2013-05-09T02:00:00Z,13.1',
      ]);
      const wrong = { hours: inject(hours, ['temp_f'], 1000, new Random(5)) };
      const found = await told({ stations, observations: daily, hours: feedFile('h', wrong.hours.lines) });
      expect(missed(5, wrong, found)).to.deep.equal([]);
    }
  });
});
