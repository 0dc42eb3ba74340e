import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '../../../src/statistics/time/calendar.js';
import {
  type Cursor,
  type SpanGap,
  needs,
  NOTHING_READ,
  withFailed,
  withGap,
  withCovered,
} from '../../../src/collect/cursors.js';
import type { Gap, Span } from '../../../src/collect/source.js';
import { intersect, subtract, union } from '../../../src/collect/collected-spans.js';
import { forAnyOf } from '../../support/property.js';

const OVERLAP = 2 * DAY_MS;
const day = (from: number, to: number): Span => ({ from_ms: from * DAY_MS, to_ms: to * DAY_MS });
/** A pass on a day that reads the source's own overlap again. */
const asking = (today: number, overlap_ms = OVERLAP) => ({
  requested_ms: today * DAY_MS,
  overlap_ms,
  own_overlap_ms: OVERLAP,
});
/** A pass that got all that it needed. */
const readAll = (cursor: Cursor, wanted: Span, today: number, overlap?: number): Cursor =>
  needs(cursor, wanted, asking(today, overlap)).reduce(
    (next, span) => withCovered(next, span, today * DAY_MS - OVERLAP),
    cursor,
  );
const gapOf = (span: Span): SpanGap => ({ ...span, since_ms: 0, tries: 1, reason: 'none', kind: 'absent' });
/** A gap and when it was asked for. */
const none = (today: number, rest = {}): [Gap, number] => [{ reason: 'none', ...rest }, today * DAY_MS];

describe('what is needed of a source', () => {
  it('given nothing read, then all that is wanted; given all, then the overlap, never older days', () => {
    expect(needs(NOTHING_READ, day(0, 10), asking(10))).to.deep.equal([day(0, 10)]);
    const cursor = readAll(NOTHING_READ, day(0, 10), 10);
    expect(needs(cursor, day(0, 10), asking(10))).to.deep.equal([day(8, 10)]);
    expect(needs(cursor, day(0, 13), asking(13))).to.deep.equal([day(8, 13)]);
    expect(needs(cursor, day(0, 5), asking(13))).to.be.empty;
  });

  it('given an earlier first day, then what is before what was read', () => {
    const cursor = readAll(NOTHING_READ, day(5, 10), 10);
    expect(needs(cursor, day(0, 10), asking(10))).to.deep.equal([day(0, 5), day(8, 10)]);
  });

  it('given a schedule that reads less or more again, then as much; after an absence all not final', () => {
    const cursor = readAll(NOTHING_READ, day(0, 10), 10);
    expect(needs(cursor, day(0, 10.5), asking(10.5, DAY_MS))).to.deep.equal([day(9.5, 10.5)]);
    expect(needs(cursor, day(0, 12), asking(12, DAY_MS))).to.deep.equal([day(8, 12)]);
    const long = readAll(NOTHING_READ, day(0, 100), 100);
    expect(needs(long, day(0, 100), asking(100, 60 * DAY_MS))).to.deep.equal([day(40, 100)]);
  });

  it('given any passes in which requests fail, then in the end everything was read', () => {
    const pass = fc.record({
      hours: fc.integer({ min: 1, max: 100 }),
      short: fc.boolean(),
      fails: fc.boolean(),
    });
    forAnyOf({ numRuns: 200 })(fc.array(pass, { maxLength: 12 }), (passes) => {
      let cursor = NOTHING_READ;
      let now_ms = 10 * DAY_MS;
      let lastRead: Span[] = [];
      const run = (hours: number, overlap_ms: number, fails: boolean): void => {
        now_ms += hours * HOUR_MS;
        const wanted = { from_ms: 0, to_ms: now_ms };
        const pass = { requested_ms: now_ms, overlap_ms, own_overlap_ms: OVERLAP };
        for (const span of needs(cursor, wanted, pass)) {
          if (!fails)
            lastRead = union(lastRead, intersect([span], [{ from_ms: 0, to_ms: now_ms - OVERLAP }]));
          cursor = fails
            ? withFailed(cursor, span, { reason: 'no', kind: 'unheard' }, now_ms)
            : withCovered(cursor, span, now_ms - OVERLAP);
        }
      };
      for (const { hours, short, fails } of passes) run(hours, short ? DAY_MS : OVERLAP, fails);
      run(1, OVERLAP, false);
      expect(cursor.gaps).to.be.empty;
      expect(subtract([{ from_ms: 0, to_ms: now_ms }], cursor.covered)).to.be.empty;
      expect(lastRead).to.deep.equal([{ from_ms: 0, to_ms: now_ms - OVERLAP }]);
    });
  });
});

describe('a gap', () => {
  it('given a day that is missing, then retries come after 6 hours, a day, 3 days and a week, then none', () => {
    let cursor = withGap(readAll(NOTHING_READ, day(0, 10), 10), day(3, 4), ...none(10));
    const hours: number[] = [];
    for (let hour = 1; hour < 500; hour += 1) {
      const today = 10 + hour / 24;
      if (needs(cursor, day(0, 5), asking(today)).length === 0) continue;
      expect(needs(cursor, day(0, 5), asking(today))).to.deep.equal([day(3, 4)]);
      hours.push(hour);
      cursor = withGap(cursor, day(3, 4), ...none(today));
    }
    expect(hours).to.deep.equal([6, 30, 102, 168]);
    expect(cursor.gaps).to.deep.equal([
      { ...gapOf(day(3, 4)), since_ms: 10 * DAY_MS, tries: 5, kind: 'final' },
    ]);
  });

  it('given a day that is missing, then a pass that reads less again never asks for it', () => {
    const cursor = withGap(readAll(NOTHING_READ, day(0, 10), 10), day(9, 9.5), ...none(10));
    for (const today of [10.1, 11, 17])
      expect(intersect(needs(cursor, day(0, today), asking(today, DAY_MS)), [day(9, 9.5)]), `${today}`).to.be
        .empty;
  });

  it('given what nobody answers, then passes that read less again try it five times, and others each time', () => {
    let cursor = readAll(NOTHING_READ, day(0, 10), 10);
    for (let tries = 1; tries <= 8; tries += 1) {
      cursor = withFailed(cursor, day(10, 11), ...none(11, { kind: 'unheard' }));
      const asks = (overlap_ms: number): boolean =>
        intersect(needs(cursor, day(0, 11), asking(11, overlap_ms)), [day(10, 11)]).length > 0;
      expect([asks(DAY_MS / 2), asks(OVERLAP)]).to.deep.equal([tries < 5, true]);
    }
  });

  it('given a host that rests, then that is no try', () => {
    let cursor = readAll(NOTHING_READ, day(0, 10), 10);
    for (let pass = 1; pass <= 20; pass += 1)
      cursor = withFailed(cursor, day(10, 11), ...none(11, { kind: 'unheard', tries: 0 }));
    expect(cursor.gaps[0]).to.include({ tries: 0, kind: 'unheard' });
    const asked = intersect(needs(cursor, day(0, 11), asking(11, DAY_MS / 2)), [day(10, 11)]);
    expect(asked).to.deep.equal([day(10, 11)]);
  });

  it('given a host that is down for days and then has nothing, then the tries that follow are all there', () => {
    let cursor = readAll(NOTHING_READ, day(0, 10), 10);
    for (let hour = 0; hour < 240; hour += 6)
      cursor = withFailed(cursor, day(10, 11), ...none(11 + hour / 24, { kind: 'unheard' }));
    cursor = withGap(cursor, day(10, 11), ...none(21));
    const said = { ...gapOf(day(10, 11)), since_ms: 21 * DAY_MS, tries: 1 };
    expect(cursor.gaps).to.deep.equal([said]);
    cursor = withFailed(cursor, day(10, 11), ...none(21.3, { kind: 'unheard' }));
    expect(cursor.gaps, 'down again').to.deep.equal([said]);
  });

  it('given that it comes after all, then the gap ends', () => {
    const cursor = withGap(NOTHING_READ, day(0, 4), ...none(10));
    const half = withCovered(cursor, day(0, 2), 0);
    expect(half.gaps).to.deep.equal([{ ...gapOf(day(2, 4)), since_ms: 10 * DAY_MS }]);
    expect(withCovered(half, day(1, 5), 0).gaps).to.be.empty;
  });

  it('given a source that says that it never comes, then it is permanent; a silent host is asked on', () => {
    const [once] = withFailed(NOTHING_READ, day(0, 1), ...none(10, { kind: 'final' })).gaps;
    expect(once).to.include({ kind: 'final', tries: 1 });
    let cursor = NOTHING_READ;
    for (const today of [10, 40, 90])
      cursor = withFailed(cursor, day(0, 1), ...none(today, { kind: 'unheard' }));
    expect(cursor.gaps[0]).to.include({ kind: 'unheard', tries: 3 });
  });

  it('given days read before, when a request to read them again fails, then only what is new is a gap', () => {
    const cursor = withFailed(
      readAll(NOTHING_READ, day(0, 10), 10),
      day(8, 11),
      ...none(11, { kind: 'unheard' }),
    );
    expect(cursor.gaps.map(({ from_ms, to_ms }) => ({ from_ms, to_ms }))).to.deep.equal([day(10, 11)]);
    expect(needs(cursor, day(0, 11), asking(11))).to.deep.equal([day(8, 11)]);
  });

  it('given neighbours of one reason and time, then they are one; of two times, each keeps its own', () => {
    const twice = withGap(withGap(NOTHING_READ, day(0, 1), ...none(10)), day(1, 2), ...none(10));
    expect(twice.gaps).to.have.length(1);
    const later = withGap(twice, day(0, 3), ...none(11));
    expect(later.gaps.map(({ since_ms, tries }) => [since_ms / DAY_MS, tries])).to.deep.equal([
      [10, 2],
      [11, 1],
    ]);
  });
});
