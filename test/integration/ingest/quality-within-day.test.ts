import { expect } from 'chai';
import type { RejectedRow } from '../../../src/ingest/load-report.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { CHICAGO } from '../../support/ingest/loads.js';
import { openTestStore } from '../../support/store.js';

// A front moves temperatures as far as an error does: by what is each of them known? And how near another value has to be.
// Each case is a station of its own, and all of them are one load, which lists what it tells.

interface Lines {
  hours?: string[];
  forecasts?: string[];
  observations?: string[];
}

/** Reports on the hour from noon UTC of 12 February 2018 on; a blank is left out. */
const hourly = (temps: readonly (number | '')[]): string[] =>
  temps.flatMap((temp, at) =>
    temp === ''
      ? []
      : [`KORD,${new Date(Date.parse('2018-02-12T12:00:00Z') + at * 3_600_000).toISOString()},${temp}`],
  );
const observed = (...days: string[]): string[] =>
  days.map((day) => `KORD,${day},verified,2018-02-16T12:00:00Z`);

const lost = Array.from({ length: 8 }, () => '' as const);
const warm = Array.from({ length: 20 }, (_, at) => 34 + (at % 8));
const front = [...Array.from({ length: 17 }, (_, at) => -35 - (at % 2)), -10, 15, ...warm];
const cold = [...warm, ...lost, -34, -36, -35, ...lost, ...warm];
const spike = Array.from({ length: 30 }, (_, at) => (at === 14 ? 40 : at % 3));
const missed = ['12', '13', '14'].map((day) => `KORD,2018-02-11T12:00:00Z,2018-02-${day},5,-5,p0`);

/** Each day has a value, and others of three providers; 6 days ahead the bounds are 35 and 25. */
const NEAR_OTHERS: [issued: string, date: string, values: number[]][] = [
  ['2026-01-01', '2026-01-02', [45, 60, 75, 80]],
  ['2026-02-01', '2026-02-02', [45.1, 60, 75, 80]],
  ['2026-03-01', '2026-03-07', [45, 70, 81, 85]],
  ['2026-04-01', '2026-04-07', [45.1, 70, 81, 85]],
  ['2026-05-01', '2026-05-06', [45.1, 70, 81, 85]],
];

const CASES = {
  front: { hours: hourly(front) },
  frontTheOtherWay: { hours: hourly(front.map((temp) => -temp)) },
  coldHours: { hours: hourly(cold) },
  coldHoursOfLow: { hours: hourly(cold), observations: observed('2018-02-13,42,-37', '2018-02-14,43,30') },
  missedFront: { hours: hourly(front), forecasts: missed },
  missedFrontObserved: {
    hours: hourly(front),
    forecasts: missed,
    observations: observed('2018-02-12,-12,-30', '2018-02-13,42,-37', '2018-02-14,43,30'),
  },
  spikeOfHigh: { hours: hourly(spike), observations: observed('2018-02-13,42,-1') },
  spike: { hours: hourly(spike), observations: observed('2018-02-13,3,-1') },
  sentinels: { hours: hourly([...warm, ...Array.from({ length: 6 }, () => -99), ...warm]) },
  nearOthers: {
    forecasts: NEAR_OTHERS.flatMap(([issued, date, values]) =>
      values.map((value, at) => `KORD,${issued}T00:00:00Z,${date},${value},,p${at}`),
    ),
  },
} satisfies Record<string, Lines>;
type Case = keyof typeof CASES;

const NAMES = Object.keys(CASES) as Case[];
const idOf = (name: Case): string => `K${100 + NAMES.indexOf(name)}`;

describe('values that are far from most others', () => {
  const listed: RejectedRow[] = [];

  before(async () => {
    const linesOf = (feed: keyof Lines): string[] =>
      NAMES.flatMap((name) =>
        ((CASES[name] as Lines)[feed] ?? []).map((line) => line.replace('KORD', idOf(name))),
      );
    const store = await openTestStore();
    await loadLines(
      store,
      {
        columns: 'all',
        stations: NAMES.map((name) => `${CHICAGO.replace('KORD', idOf(name))},,`),
        forecasts: linesOf('forecasts'),
        observations: linesOf('observations').map((line) => `${line},`),
        hours: linesOf('hours'),
      },
      { onSuspect: (row) => Promise.resolve(void listed.push(row)) },
    );
    await store.close();
  });

  /** The rows that are told of a case, each without its station and with the reason. */
  const told = (name: Case): string[] =>
    listed
      .filter(({ text }) => text.startsWith(idOf(name)))
      .map(({ feed, text, detail }) => `${feed} ${text.slice(idOf(name).length + 1)}: ${detail}`);

  it('given a front that steps of at most 25 °F lead through, then no hour of it is told', () => {
    expect(told('front')).to.deep.equal([]);
    expect(told('frontTheOtherWay'), 'the other way').to.deep.equal([]);
  });

  it('given cold hours that nothing leads to, then their observed low alone says that they are right', () => {
    expect(told('coldHours')).to.have.lengthOf(3);
    expect(told('coldHoursOfLow')).to.deep.equal([]);
  });

  it('given forecasts that missed a front, then what is observed of its day counts before them', () => {
    expect(told('missedFront').join()).to.include('others -5 to 5 °F');
    expect(told('missedFrontObserved').filter((each) => each.startsWith('hours'))).to.deep.equal([]);
  });

  it('given a spike, then it is told unless it alone is the observed high of its day', () => {
    expect(told('spikeOfHigh')).to.deep.equal([]);
    expect(told('spike')).to.have.lengthOf(1);
  });

  it('given sentinels for six hours, then they are told, although each agrees with the next', () => {
    const all = told('sentinels');
    expect(all).to.have.lengthOf(6);
    for (const [at, each] of all.entries()) {
      const time = new Date(Date.parse('2018-02-13T08:00:00Z') + at * 3_600_000).toISOString();
      expect(each).to.match(new RegExp(`^hours ${time},-99: temp_f=-99 at K\\d+`));
    }
  });

  it('given others 25 °F off in the middle, then a forecast is told at 15 °F from the nearest, not below', () => {
    const rows = told('nearOthers').map((each) => /:00Z,(.+?),,/.exec(each)?.[1]);
    expect(rows).to.deep.equal(['2026-01-02,45', '2026-03-07,45', '2026-05-06,45.1']);
  });
});
