import { expect } from 'chai';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
  addDays,
  daysInWindow,
  FIRST_DATE,
  isCalendarDate,
  LAST_DATE,
  localTime,
} from '../../../src/statistics/time/calendar.js';
import { forAnyOf } from '../../support/property.js';

const DAY = 86_400_000;
const LAST_DAY = 65_535;
const RUN = { seed: 20_260_131, numRuns: 1000 };

/** The date of a day counted from 1970-01-01. */
const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);
const anyDay = fc.integer({ min: 0, max: LAST_DAY });

describe('a calendar date', () => {
  it('given the bounds of the service, then they are 1970-01-01 and 2149-06-06', () => {
    expect([FIRST_DATE, LAST_DATE]).to.deep.equal(['1970-01-01', '2149-06-06']);
    expect([dateOf(0), dateOf(LAST_DAY)]).to.deep.equal([FIRST_DATE, LAST_DATE]);
  });

  it('given the first, the last, or a leap day, then it is one', () => {
    for (const text of [FIRST_DATE, LAST_DATE, '2024-02-29', '2000-02-29'])
      expect(isCalendarDate(text)).to.be.true;
  });

  for (const [text, why] of [
    ['2026-02-30', 'February never has 30 days'],
    ['2100-02-29', '2100 is no leap year'],
    ['2026-13-01', 'there is no 13th month'],
    ['2026-00-10', 'months count from 1'],
    ['2026-01-00', 'days count from 1'],
    ['1969-12-31', 'before the first'],
    ['2149-06-07', 'after the last'],
    ['2026-1-5', 'months and days have two digits'],
    ['20260105', 'hyphens are needed'],
    ['2026-W03-1', 'a week date'],
    ['2026-01-05T00:00', 'a time'],
    [' 2026-01-05', 'a blank'],
    ['2026-01-05\n', 'a line break'],
    ['+2026-01-05', 'a sign'],
    ['２０２６-01-05', 'digits of another script'],
    ['', 'nothing'],
  ] as const) {
    it(`given ${JSON.stringify(text)} (${why}), then it is not`, () => {
      expect(isCalendarDate(text)).to.be.false;
    });
  }

  it('given any day from the first to the last, then its date is a calendar date', () => {
    forAnyOf(RUN)(anyDay, (day) => isCalendarDate(dateOf(day)));
  });
});

describe('days between dates', () => {
  it('given a date at a bound, when the days lead beyond it, then the result is still a real date', () => {
    expect(addDays('1970-01-01', -1)).to.equal('1969-12-31');
    expect(addDays('2149-06-06', 365)).to.equal('2150-06-06');
  });

  it('given any two days, then adding their distance to one gives the other', () => {
    forAnyOf(RUN)(anyDay, anyDay, (from, to) => {
      expect(addDays(dateOf(from), to - from)).to.equal(dateOf(to));
      expect(daysInWindow(dateOf(from), dateOf(to))).to.equal(to - from + 1);
    });
  });
});

describe('local time', () => {
  it('given the second in which the clocks change, then the offset changes with it', () => {
    const before = new Date('2026-03-08T07:59:59.999Z');
    const after = new Date('2026-03-08T08:00:00.000Z');
    expect(localTime(before, 'America/Chicago')).to.equal('2026-03-08T01:59:59.999-06:00');
    expect(localTime(after, 'America/Chicago')).to.equal('2026-03-08T03:00:00.000-05:00');
    expect(localTime(after, 'UTC')).to.equal('2026-03-08T08:00:00.000Z');
  });

  it('given any moment of this century in any zone, then luxon says the same', () => {
    const moments = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    });
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    forAnyOf(RUN)(moments, zones, (moment, zone) => {
      expect(localTime(moment, zone)).to.equal(DateTime.fromJSDate(moment, { zone }).toISO());
    });
  });
});
