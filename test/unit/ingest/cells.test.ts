import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { getColumnNames, FEED_NAMES, type FeedName } from '../../../src/feeds/feeds.js';
import { rejectionOf, said } from '../../support/ingest/rows.js';

/** A line of the table: these texts in this column, and what comes of them. */
interface Line {
  feed: FeedName;
  column: string;
  texts: string[];
  sign: '=' | '!';
  outcome: string;
}

/** A text of the table: as it stands, or in quotes and then perhaps several times. */
function textOf(written: string): string {
  const [, quoted, times = '1'] = /^(".*")(?:×(\d+))?$/.exec(written) ?? [];
  return quoted === undefined ? written : (JSON.parse(quoted) as string).repeat(Number(times));
}

/** The lines of test/support/ingest/cells.txt, which says how they are written. */
function table(): Line[] {
  const lines: Line[] = [];
  let [feed, column] = ['', ''];
  const text = readFileSync(new URL('../../support/ingest/cells.txt', import.meta.url), 'utf8');
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const [, texts, sign, outcome = ''] = /^(.*?) ([=!]) (.*)$/.exec(line) ?? [];
    if (texts === undefined) [feed = '', column = ''] = line.split('.');
    else
      lines.push({
        feed: feed as FeedName,
        column,
        texts: texts.split(' / ').map(textOf),
        sign: sign as Line['sign'],
        outcome: textOf(outcome),
      });
  }
  return lines;
}

/** The value of a cell in the row, as text; for a temperature in °C the value in °F. */
function valueOf(feed: FeedName, column: string, text: string): string {
  const isCelsius = column.endsWith('_c');
  const inCelsius = { high_f: '', low_f: '', high_c: '', low_c: '' };
  // A distribution needs its temperature.
  const isOfDistribution = /_(sd|p\d\d)_/.test(column);
  const others = isCelsius ? { ...inCelsius, ...(isOfDistribution && { high_c: '20', low_c: '10' }) } : {};
  const value = said(feed, { ...others, [column]: text })[column.replace(/_c$/, '_f')];
  return Array.isArray(value) ? value.join('|') : String(value ?? '');
}

describe('a cell of a feed', () => {
  const lines = table();

  for (const { feed, column, texts, sign, outcome } of lines) {
    const shown = texts.map((text) => JSON.stringify(text.slice(0, 40))).join(', ');
    it(`given ${shown} in ${column} of ${feed}, then ${sign === '=' ? 'it is' : 'the row is rejected:'} ${outcome.slice(0, 60)}`, () => {
      for (const text of texts) {
        const expected = outcome.replace('*', () => text);
        // Twice, as texts are remembered.
        for (const time of ['once', 'again']) {
          if (sign === '=') expect(valueOf(feed, column, text), time).to.equal(expected);
          else {
            const { message } = rejectionOf(() => valueOf(feed, column, text));
            const [beginning = ''] = expected.split(/…$/);
            const isWhole = beginning === expected;
            expect(isWhole ? message : message.slice(0, beginning.length), time).to.equal(beginning);
          }
        }
      }
    });
  }

  it('given the feeds, then the table has lines for each of their columns, but for levels', () => {
    const columns = FEED_NAMES.flatMap((feed) =>
      getColumnNames(feed)
        .filter((column) => !/_p\d\d_|^member$/.test(column))
        .map((column) => `${feed}.${column}`),
    );
    const told = new Set(lines.map(({ feed, column }) => `${feed}.${column}`));
    expect(columns.filter((column) => !told.has(column))).to.deep.equal([]);
  });
});
