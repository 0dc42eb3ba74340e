import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { SOURCES } from '../../support/collect/collector.js';
import { readMetar } from '../../../src/collect/sources/asos/metar.js';
import { readTables } from '../../../src/collect/sources/pfm/matrix.js';
import { GapError, type Reading } from '../../../src/collect/source.js';
import { FEED_NAMES, getColumnNames } from '../../../src/feeds/feeds.js';
import { Members } from '../../../src/ingest/read/members.js';
import * as values from '../../../src/feeds/values.js';
import { stageFeeds } from '../../../src/ingest/stage/stage.js';
import type { Store } from '../../../src/store/store.js';
import { KNYC } from '../../support/collect/world.js';
import { CONTEXT, GOOD_ROWS, readCell, said } from '../../support/ingest/rows.js';
import { refusalOf } from '../../support/refusal.js';
import { temporaryFolder } from '../../support/store.js';

// A cell may fill its line of 64,000 characters. Its length is bounded before a pattern reads it: the time that a
// pattern takes may grow with the square of what it reads.

const LONG = 64_000;
const HOSTILE = [
  '1',
  ' ',
  '"',
  '-',
  '+',
  '.',
  '1 ',
  '-1',
  '|',
  'T',
  'a',
  '2026-01-01',
  '\u00a0',
  '\t1',
].flatMap((piece) => {
  const text = piece.repeat(LONG / piece.length);
  return [text, `${text}x`, `1${text}`];
});

/** The longest text that any pattern reads while this runs. */
function longestRead(work: () => unknown): number {
  const exec = Object.getOwnPropertyDescriptor(RegExp.prototype, 'exec')!.value as RegExp['exec'];
  let longest = 0;
  RegExp.prototype.exec = function (text: string) {
    longest = Math.max(longest, text.length);
    return exec.call(this, text);
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return longest;
}

/** Runs it; a cell may be refused, in few words. */
function refused(work: () => unknown): void {
  const message = refusalOf(values.Rejection, work);
  expect(message.length).to.be.below(250);
}

describe('a cell of 64,000 characters', () => {
  it('given any text and any reader of a value, then no pattern reads more than 1,000 characters of it', () => {
    const form = { what: 'x', unit: '%', limits: { lowest: 0, highest: 1 }, trace: 'T' };
    const readNumber = (text: string): string =>
      values.readNumber(text, 'x', { ...form, scale: { times: 1, over: 1, zero: 0 } });
    const readers: Record<string, (text: string) => unknown> = {
      readNumber,
      degrees: (text) => values.degrees(text, 'latitude', 90),
      calendarDate: values.calendarDate,
      monthDay: values.monthDay,
      instant: values.instant,
      fullHour: values.fullHour,
      timeZone: values.timeZone,
      matching: (text) => values.matching(text, 'provider', 'x', /^[a-z]+$/),
      shortCell: values.shortCell,
      remembered: values.remembered(readNumber),
    };
    const noReaders = ['Rejection', 'formatRange', 'INSTANT', 'MONTH_DAY'];
    const exported = Object.keys(values).filter((name) => !noReaders.includes(name));
    expect(Object.keys(readers)).to.have.members(exported);
    for (const [name, read] of Object.entries(readers))
      for (const text of HOSTILE)
        expect(
          longestRead(() => refused(() => read(text))),
          `${name} ${text.slice(0, 9)}`,
        ).to.be.at.most(1000);
  });

  it('given it in any column of any feed, or as a member, then no pattern reads more than 1,000 characters', () => {
    for (const feed of FEED_NAMES)
      for (const column of getColumnNames(feed))
        for (const text of HOSTILE) {
          const read = (): unknown => said(feed, { [column]: text });
          expect(
            longestRead(() => refused(read)),
            `${feed} ${column} ${text.slice(0, 9)}`,
          ).to.be.at.most(1000);
        }
    for (const text of HOSTILE) {
      const row = { ...GOOD_ROWS.forecasts, member: text };
      const members = new Members(CONTEXT, Object.keys(row));
      expect(longestRead(() => refused(() => members.add(row, { line: 2, text: '' })))).to.be.at.most(1000);
    }
  });

  it('given a number of 30 characters and one of 31, then the first is read', () => {
    const number = `71.${'0'.repeat(27)}`;
    expect(readCell('forecasts', 'high_f', number)).to.equal('71');
    expect(values.degrees(number, 'latitude', 90)).to.equal(71);
    for (const read of [
      () => readCell('forecasts', 'high_f', `${number}0`),
      () => values.degrees(`${number}0`, 'latitude', 90),
    ])
      expect(read).to.throw(values.Rejection, /="71\.0{28}"/);
  });

  it('given lines of such cells, then a signal ends the load after some millions of characters', async () => {
    const file = join(temporaryFolder(), 'stations.csv');
    const row = `KORD,Chicago,US,${'1'.repeat(60_000)},-87.93,America/Chicago\n`;
    writeFileSync(file, `${getColumnNames('stations').slice(0, 6).join()}\n${row.repeat(100)}`);
    const ended = new AbortController();
    let rejected = 0;
    const onRejected = (): Promise<void> => {
      rejected += 1;
      ended.abort(new Error('ended'));
      return Promise.resolve();
    };
    const load = stageFeeds({} as Store, { stations: [file] }, new Map(), 1, {
      signal: ended.signal,
      onRejected,
    });
    await load.then(
      () => expect.fail('was not ended'),
      (error: unknown) => expect(error).to.have.property('message', 'ended'),
    );
    expect(rejected).to.be.within(1, 70);
  });
});

describe('a response of a host', () => {
  it('given any long text, then a source reads it as a gap, or no row of it', async () => {
    const from_ms = Date.parse('2026-09-01T00:00:00Z');
    const place = { ...KNYC, daily_network: 'NY_ASOS' };
    const need = { place, span: { from_ms, to_ms: from_ms + 5 * 86_400_000 } };
    for (const source of SOURCES) {
      const [request] = source.plan([need], need.span.to_ms);
      expect(request, source.name).not.to.equal(undefined);
      for (const text of HOSTILE) {
        const body = request!.paths.map(() => `${text}\n`);
        const { rows = [], message = 'a number of JSON has no rows' } = await Promise.resolve()
          .then(() => source.read(body, request!) as Partial<Reading & GapError>)
          .catch((error: unknown) => {
            expect(error, source.name).to.be.instanceOf(GapError);
            return error as Partial<Reading & GapError>;
          });
        expect(rows, source.name).to.be.empty;
        expect(message, source.name).to.have.length.within(1, 400);
      }
    }
  });

  it('given a report or a line of a table that is longer than any, then it is refused whole', () => {
    expect(() => readMetar(`KXYZ 151753Z ${'BKN040 '.repeat(9000)}24/10`)).to.throw(GapError, 'characters');
    const unusable: { unit: string; reason: string }[] = [];
    const hours = Array.from({ length: 9000 }, (_, at) => String((3 * at) % 24).padStart(2, '0')).join(' ');
    const lines = ['Date 09/01/26', `UTC 3hrly ${hours}`, `EDT 3hrly ${hours}`, 'Date', 'x'];
    readTables({ name: 'x', latitude: 1, longitude: 1, lines }, 0, 'PFMOKX', unusable);
    expect(unusable.at(-1)?.reason).to.match(/^a line of \d+ characters$/);
  });
});
