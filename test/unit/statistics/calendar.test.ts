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

  for (const text of ['1970-01-01', '2149-06-06', '2024-02-29', '2000-02-29', '2026-12-31']) {
    it(`given ${text}, then it is one`, () => {
      expect(isCalendarDate(text)).to.be.true;
    });
  }

  for (const [text, why] of [
    ['2026-02-30', 'February never has 30 days'],
    ['2026-02-29', '2026 is no leap year'],
    ['2100-02-29', '2100 is no leap year'],
    ['2026-04-31', 'April has 30 days'],
    ['2026-13-01', 'there is no 13th month'],
    ['2026-00-10', 'months count from 1'],
    ['2026-01-00', 'days count from 1'],
    ['1969-12-31', 'before the first'],
    ['2149-06-07', 'after the last'],
    ['9999-01-01', 'after the last'],
    ['2026-1-5', 'months and days have two digits'],
    ['20260105', 'hyphens are needed'],
    ['2026-W03-1', 'a week date'],
    ['2026-015', 'an ordinal date'],
    ['2026-01-05T00:00', 'a time'],
    [' 2026-01-05', 'a blank'],
    ['2026-01-05\n', 'a line break'],
    ['+2026-01-05', 'a sign'],
    ['２０２６-01-05', 'digits of another script'],
    ['today', 'a word'],
    ['', 'nothing'],
  ] as const) {
    it(`given ${JSON.stringify(text)} (${why}), then it is not`, () => {
      expect(isCalendarDate(text)).to.be.false;
    });
  }

  it('given any day from the first to the last, then its date is a calendar date', () => {
    fc.assert(
      fc.property(anyDay, (day) => isCalendarDate(dateOf(day))),
      RUN,
    );
  });
});

describe('days between dates', () => {
  it('given a date, when days are added or subtracted, then months, years and leap days carry over', () => {
    expect(addDays('2024-02-28', 1)).to.equal('2024-02-29');
    expect(addDays('2023-02-28', 1)).to.equal('2023-03-01');
    expect(addDays('2023-12-31', 1)).to.equal('2024-01-01');
    expect(addDays('2024-01-01', -1)).to.equal('2023-12-31');
    expect(addDays('2026-01-15', 0)).to.equal('2026-01-15');
  });

  it('given a date at a bound, when the days lead beyond it, then the result is still a real date', () => {
    expect(addDays('1970-01-01', -1)).to.equal('1969-12-31');
    expect(addDays('2149-06-06', 365)).to.equal('2150-06-06');
  });

  it('given one date twice, then the window has one day', () => {
    expect(daysInWindow('2026-03-08', '2026-03-08')).to.equal(1);
  });

  it('given a year with its leap day, then the window has 366 days', () => {
    expect(daysInWindow('2024-01-01', '2024-12-31')).to.equal(366);
    expect(daysInWindow('2100-01-01', '2100-12-31')).to.equal(365);
  });

  it('given any two days, then adding their distance to one gives the other', () => {
    fc.assert(
      fc.property(anyDay, anyDay, (from, to) => {
        expect(addDays(dateOf(from), to - from)).to.equal(dateOf(to));
        expect(daysInWindow(dateOf(from), dateOf(to))).to.equal(to - from + 1);
      }),
      RUN,
    );
  });
});

describe('local time', () => {
  for (const [moment, zone, text] of [
    ['2026-01-10T12:00:00.456Z', 'America/Chicago', '2026-01-10T06:00:00.456-06:00'],
    ['2026-07-10T12:00:00.000Z', 'America/Chicago', '2026-07-10T07:00:00.000-05:00'],
    ['2026-01-10T12:00:00.000Z', 'Asia/Kathmandu', '2026-01-10T17:45:00.000+05:45'],
    ['2026-01-10T12:00:00.000Z', 'UTC', '2026-01-10T12:00:00.000Z'],
  ] as const) {
    it(`given ${moment} in ${zone}, then it is ${text}`, () => {
      expect(localTime(new Date(moment), zone)).to.equal(text);
    });
  }

  it('given the second in which the clocks change, then the offset changes with it', () => {
    const before = new Date('2026-03-08T07:59:59.999Z');
    const after = new Date('2026-03-08T08:00:00.000Z');
    expect(localTime(before, 'America/Chicago')).to.equal('2026-03-08T01:59:59.999-06:00');
    expect(localTime(after, 'America/Chicago')).to.equal('2026-03-08T03:00:00.000-05:00');
  });

  it('given any moment of this century in any zone, then luxon says the same', () => {
    const moments = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    });
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    fc.assert(
      fc.property(moments, zones, (moment, zone) => {
        expect(localTime(moment, zone)).to.equal(DateTime.fromJSDate(moment, { zone }).toISO());
      }),
      RUN,
    );
  });
});
