import { expect } from 'chai';
import type { LoadReport } from '../../../src/ingest/load-report.js';
import type { Store } from '../../../src/store/store.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { CHICAGO } from '../../support/ingest/loads.js';
import { emptyStore } from '../../support/plain/oracle.js';
import { openTestStore } from '../../support/store.js';

// A front moves temperatures as far as an error does: by what is each of them known? And how near another value has to be.

describe('values that are far from most others', () => {
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());
  beforeEach(() => emptyStore(store));

  const warned = async (lines: FeedLines): Promise<string[]> => {
    const { warnings }: LoadReport = await loadLines(store, { stations: [CHICAGO], ...lines });
    return warnings.map(({ feed, rows, first: { line, detail } }) => `${feed}:${line} ${rows} × ${detail}`);
  };

  /** Reports on the hour from noon UTC of 12 February 2018 on; a blank is left out. */
  const hourly = (temps: readonly (number | '')[]): string[] =>
    temps.flatMap((temp, at) =>
      temp === ''
        ? []
        : [`KORD,${new Date(Date.parse('2018-02-12T12:00:00Z') + at * 3_600_000).toISOString()},${temp}`],
    );
  const cold = Array.from({ length: 17 }, (_, at) => -35 - (at % 2));
  const front = [-14, 8, 27];
  const warm = Array.from({ length: 20 }, (_, at) => 34 + (at % 8));
  const observations = ['2018-02-12,-12,-30', '2018-02-13,42,-37', '2018-02-14,43,30'].map(
    (day) => `KORD,${day},verified,2018-02-16T12:00:00Z`,
  );

  it('given a front that steps of at most 25 °F lead through, then no hour of it is told', async () => {
    const temps = [...cold, ...front, ...warm];
    expect(await warned({ hours: hourly(temps) })).to.deep.equal([]);
    expect(await warned({ hours: hourly(temps.map((temp) => -temp)) }), 'the other way').to.deep.equal([]);
  });

  it('given cold hours that nothing leads to, then their observed low alone says that they are right', async () => {
    const lost = Array.from({ length: 8 }, () => '' as const);
    const temps = [...warm, ...lost, -34, -36, -35, ...lost, ...warm];
    const days = ['2018-02-13,42,-37', '2018-02-14,43,30'].map(
      (day) => `KORD,${day},verified,2018-02-16T12:00:00Z`,
    );
    expect(await warned({ hours: hourly(temps) })).to.have.lengthOf(1);
    await emptyStore(store);
    expect(await warned({ hours: hourly(temps), observations: days })).to.deep.equal([]);
  });

  it('given forecasts that missed a front, then what is observed of its day counts before them', async () => {
    const forecasts = ['12', '13', '14'].map((day) => `KORD,2018-02-11T12:00:00Z,2018-02-${day},5,-5`);
    const hours = hourly([...cold, ...front, ...warm]);
    expect((await warned({ hours, forecasts })).join()).to.include('others -5 to 5 °F');
    await emptyStore(store);
    const told = await warned({ hours, forecasts, observations });
    expect(told.filter((each) => each.startsWith('hours'))).to.deep.equal([]);
  });

  it('given a spike, then it is told unless it alone is the observed high of its day', async () => {
    const flat = Array.from({ length: 30 }, (_, at) => (at === 14 ? 40 : at % 3));
    const days = (high: number) => [`KORD,2018-02-13,${high},-1,verified,2018-02-16T12:00:00Z`];
    expect(await warned({ hours: hourly(flat), observations: days(42) })).to.deep.equal([]);
    await emptyStore(store);
    expect(await warned({ hours: hourly(flat), observations: days(3) })).to.have.lengthOf(1);
  });

  it('given sentinels for six hours, then they are told, although each agrees with the next', async () => {
    const temps = [...warm, ...Array.from({ length: 6 }, () => -99), ...warm];
    const [told, ...more] = await warned({ hours: hourly(temps) });
    expect(told).to.match(/^hours:22 6 × temp_f=-99 at KORD/);
    expect(more).to.deep.equal([]);
  });

  it('given others 25 °F off in the middle, then a forecast is told at 15 °F from the nearest, and not below', async () => {
    // Each day has a value, and others of three providers; 6 days ahead the bounds are 35 and 25.
    const days: [issued: string, date: string, values: number[]][] = [
      ['2026-01-01', '2026-01-02', [45, 60, 75, 80]],
      ['2026-02-01', '2026-02-02', [45.1, 60, 75, 80]],
      ['2026-03-01', '2026-03-07', [45, 70, 81, 85]],
      ['2026-04-01', '2026-04-07', [45.1, 70, 81, 85]],
      ['2026-05-01', '2026-05-06', [45.1, 70, 81, 85]],
    ];
    const forecasts = days.flatMap(([issued, date, values]) =>
      values.map((value, at) => `KORD,${issued}T00:00:00Z,${date},${value},,p${at}`),
    );
    const lines: number[] = [];
    const { warnings } = await loadLines(
      store,
      { columns: 'all', stations: [`${CHICAGO},,`], forecasts },
      { onSuspect: ({ line }) => Promise.resolve(void lines.push(line)) },
    );
    expect(warnings).to.have.lengthOf(1);
    expect(lines).to.deep.equal([2, 10, 18]);
  });
});
