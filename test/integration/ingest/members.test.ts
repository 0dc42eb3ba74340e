import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { z } from 'zod';
import { audit } from '../../../src/ingest/audit.js';
import type { RejectedRow } from '../../../src/ingest/load-report.js';
import { load, type LoadOptions } from '../../../src/ingest/load.js';
import type { Store } from '../../../src/store/store.js';
import { sql } from '../../../src/queries/sql.js';
import { LINE_COLUMNS, loadLines } from '../../support/ingest/feeds.js';
import { CHICAGO, fileWith, rows, sizes, unreadable } from '../../support/ingest/loads.js';
import { openWorld, resetTo, type World } from '../../support/worlds.js';
import { itInCi } from '../../support/runner/range.js';

const OBSERVED: World = [
  { stations: [CHICAGO], observations: ['KORD,2026-01-05,30,17,verified,2026-01-06T18:00:00Z'] },
];
const NOW = new Date('2026-02-01T00:00:00Z');

/** Members of a forecast of Chicago for a day, with these highs; all have one low. */
const membersOf = (highs: readonly (number | string)[], day = '2026-01-05'): string[] =>
  highs.map((high, at) => `KORD,2026-01-04T18:00:00Z,${day},${high},18,${at},ens,`);

describe('a load of members', () => {
  let store: Store;

  before(async () => {
    store = await openWorld(OBSERVED);
  });
  afterEach(() => resetTo(store, OBSERVED));
  after(() => store.close());

  const loadMembers = (members: readonly string[], options: LoadOptions = {}) =>
    loadLines(store, { members }, { now: NOW, ...options });
  /** The highs that stand, each with the quantiles of some levels. */
  const standing = async (): Promise<unknown> => {
    const found = await store.query(
      sql.rows(z.object({ line: z.string() }))`SELECT
          concat_ws(' ', target_date, argMax(forecast, load_id), (
            SELECT arrayStringConcat(arrayMap(each -> concat_ws('=', each.level, each.value), arrayFilter(each -> each.level IN (0, 5, 50, 95), argMax(distribution, load_id))), ' ')
            FROM distributions AS d
            WHERE metric = 'high' AND d.target_date = forecasts.target_date
          )) AS line
        FROM forecasts
        WHERE metric = 'high'
        GROUP BY target_date
        ORDER BY target_date`,
    );
    return found.map(({ line }) => line);
  };

  it('given the example of docs/feeds.md, then it is a forecast', async () => {
    const page = readFileSync(new URL('../../../docs/feeds.md', import.meta.url), 'utf8');
    const [example = ''] = /^station_id,issued_at,target_date,member,[^`]*/m.exec(page) ?? [];
    const report = await load(
      store,
      { members: [fileWith('members.csv', example)] },
      { now: new Date('2026-11-20') },
    );
    expect(report.outcome).to.equal('complete');
    expect(report.feeds.forecasts).to.deep.equal(rows(1, 0, 0, 0));
  });

  it('given an ensemble, then it is one forecast, a pair and a row; in another order, nothing is new', async () => {
    const lines = membersOf([4, 1, 10, 3, 2]);
    const first = await loadMembers(lines);
    expect(first).to.include({ outcome: 'complete', pairs_added: 2 });
    expect(first.feeds.forecasts).to.deep.equal(rows(1, 0, 0, 0));
    expect(await standing()).to.deep.equal(['2026-01-05 4 5=1.2 50=3 95=8.8']);
    const again = await loadMembers([...lines].reverse());
    expect(again.feeds.forecasts).to.deep.equal(rows(0, 0, 1, 0));
    const corrected = await loadMembers(membersOf([5, 1, 10, 3, 1]));
    expect(corrected.feeds.forecasts).to.deep.equal(rows(0, 1, 0, 0));
    expect(await standing()).to.deep.equal(['2026-01-05 4 5=1 50=3 95=9']);
    expect(await audit(store)).to.deep.equal([]);
  });

  itInCi('given it in °C, packed, with members of two days in turn, then each day has its own', async () => {
    const header = LINE_COLUMNS.members.join().replace(/_f\b/g, '_c');
    const days = ['2026-01-05', '2026-01-06'].map((day, at) => membersOf([0, 5, 10, 15, 20 + at], day));
    const lines = days[0]!.flatMap((line, at) => [line, days[1]![at]!]);
    const members = fileWith('members.csv.gz', gzipSync([header, ...lines].join('\n')));
    const { feeds, files } = await load(store, { members: [members] }, { now: NOW });
    expect(feeds.forecasts).to.deep.equal(rows(2, 0, 0, 0));
    expect(files).to.deep.equal([{ feed: 'forecasts', file: members, rows_read: 2, columns_not_read: [] }]);
    expect(await standing()).to.deep.equal([
      '2026-01-05 50 5=33.8 50=50 95=66.2',
      '2026-01-06 50.36 5=33.8 50=50 95=67.64',
    ]);
  });

  it('given rows and forecasts at fault, then each is told and listed; with --strict nothing goes in', async () => {
    const lines = [
      ...membersOf([1, 2, 3, 4, 5]),
      membersOf([9])[0]!,
      membersOf(['warm'])[0]!.replace(',0,ens', ',7,ens'),
      membersOf([9])[0]!.replace(',0,ens', ',,ens'),
      ...membersOf([1, 2, 3, 4], '2026-01-06'),
    ];
    const before = await sizes(store);
    expect(await loadMembers(lines, { strict: true })).to.include({ outcome: 'failed' });
    expect(await sizes(store)).to.deep.equal(before);
    const told: RejectedRow[] = [];
    const { outcome, feeds } = await loadMembers(lines, {
      onRejected: (row) => Promise.resolve(void told.push(row)),
    });
    expect({ outcome, rows: feeds.forecasts }).to.deep.equal({
      outcome: 'some_rows_rejected',
      rows: rows(1, 0, 0, 4),
    });
    expect(
      told.map(({ line, reason, detail, text }) => `${line} ${reason}: ${detail} | ${text}`),
    ).to.deep.equal([
      `7 member given twice: member=0 | ${lines[5]}`,
      `8 temperature is not a number: high_f="warm" | ${lines[6]}`,
      `9 missing member: name the member, such as 01 | ${lines[7]}`,
      `13 fewer than 5 members: high_f has 4 | ${lines[11]}`,
    ]);
    expect(await standing()).to.deep.equal(['2026-01-05 3 5=1.2 50=3 95=4.8']);
  });

  itInCi('given rows that are all at fault, then nothing goes in, and the report says so', async () => {
    const { outcome, feeds } = await loadMembers(membersOf([1, 2]));
    expect(outcome).to.equal('some_rows_rejected');
    expect(feeds.forecasts).to.deep.equal(rows(0, 0, 0, 1));
  });

  itInCi(
    'given a forecast whose mean or quantiles are hardly true, then it is told with its day',
    async () => {
      const { warnings } = await loadMembers([
        ...membersOf([-50, -50, 0, 75, 75]),
        ...membersOf([10, 10, 10, 10, 10], '2026-01-06'),
        ...membersOf([60, 60, 60, 60, 60], '2026-01-05').map((line) => line.replace('18:00', '12:00')),
      ]);
      expect(
        warnings.map(
          ({ reason, rows: count, first }) => `${first.line} ${count} × ${reason} (${first.detail})`,
        ),
      ).to.have.members([
        '2 5 × far from the other members of its forecast (high_f=-50 at KORD, others 75 °F)',
        '6 2 × high below low (members for 2026-01-05)',
        '6 1 × quantiles hardly possible (members for 2026-01-05)',
        '16 1 × far from the other values of its day (the mean of members, 60 at KORD, others 30 °F)',
      ]);
    },
  );

  itInCi(
    'given sentinels among members, then each is told by its own line, and --strict refuses',
    async () => {
      const lines = [
        ...membersOf([54, 53, -99, 54, 55]),
        ...membersOf([50, 51, 50, 51, 50, -99], '2026-01-06'),
      ];
      lines[9] = lines[9]!.replace(',50,18,', ',50,99.9,');
      const listed: RejectedRow[] = [];
      const { warnings } = await loadMembers(lines, {
        onSuspect: (row) => Promise.resolve(void listed.push(row)),
      });
      const far = (reason: string): boolean => reason === 'far from the other members of its forecast';
      expect(warnings.filter(({ reason }) => far(reason))).to.deep.equal([
        {
          ...{ feed: 'forecasts', reason: 'far from the other members of its forecast', rows: 3 },
          first: {
            ...{ file: listed[0]?.file, line: 4 },
            detail: 'high_f=-99 at KORD, others 53 to 55 °F; is it a missing value? Leave the cell blank',
          },
        },
      ]);
      expect(
        listed
          .filter(({ reason }) => far(reason))
          .map(({ line, text, detail }) => [line, text, detail.split(';')[0]]),
      ).to.deep.equal([
        [4, lines[2], 'high_f=-99 at KORD, others 53 to 55 °F'],
        [11, lines[9], 'low_f=99.9 at KORD, others 18 °F'],
        [12, lines[11 - 1], 'high_f=-99 at KORD, others 50 to 51 °F'],
      ]);
      const before = await sizes(store);
      const inCelsius = [
        LINE_COLUMNS.members.join().replace(/_f\b/g, '_c'),
        ...membersOf([20, 21, 20, -60, 21]),
      ];
      const file = fileWith('celsius.csv', inCelsius.join('\n'));
      const refused = await load(store, { members: [file] }, { now: NOW, strict: true });
      expect(refused.outcome).to.equal('failed');
      expect(refused.warnings.find(({ reason }) => far(reason))?.first.detail).to.equal(
        'high_c=-60 at KORD, others 20 to 21 °C',
      );
      expect(await sizes(store)).to.deep.equal(before);
    },
  );

  itInCi('given members by --forecasts, or forecasts by --members, then the file is refused', async () => {
    const members = fileWith(
      'm.csv',
      [LINE_COLUMNS.members.join(), ...membersOf([1, 2, 3, 4, 5])].join('\n'),
    );
    expect(await unreadable(load(store, { forecasts: [members] }))).to.equal(
      `${members}: has a column member; load it with --members`,
    );
    const forecasts = fileWith('f.csv', `${LINE_COLUMNS.forecasts.join()}\n`);
    expect(await unreadable(load(store, { members: [forecasts] }))).to.equal(
      `${forecasts}: has no column member; load it with --forecasts`,
    );
    const said = ['high_p10_f', 'low_sd_f', 'note'];
    const more = fileWith(
      'more.csv',
      [
        [...LINE_COLUMNS.members, ...said].join(),
        ...membersOf([1, 2, 3, 4, 5]).map((line) => `${line},99,M,x`),
      ].join('\n'),
    );
    const { files, outcome } = await load(store, { members: [more] }, { now: NOW });
    expect(outcome).to.equal('complete');
    expect(files[0]?.columns_not_read).to.have.deep.members(said.map((name) => ({ name })));
    // Other feeds may have a column of that name; it is not read.
    const observations = fileWith('o.csv', `${LINE_COLUMNS.observations.join()},member\n`);
    expect((await load(store, { observations: [observations] }, { now: NOW })).outcome).to.equal('complete');
  });
});
