import { expect } from 'chai';
import fc from 'fast-check';
import { dateIn, localDay } from '../../../src/statistics/time/local-midnight.js';
import { civilOffset, listOffsets } from '../../../src/statistics/time/zone-offsets.js';
import { range } from '../../support/runner/range.js';
import { HARD_DAYS, offsetAt, plusDays, startOfDay, STATIONS } from '../../support/plain/oracle.js';
import { forAnyOf } from '../../support/property.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const ZONES = [
  ...new Set([
    ...STATIONS.map(({ timezone }) => timezone),
    'Africa/Cairo', // at times from midnight to 01:00 and from midnight to 23:00
    'Africa/Monrovia', // 44 minutes and 30 seconds behind UTC until 1972
    'America/Sao_Paulo', // midnight left out, and 23:00 twice
    'America/Santiago',
    'Antarctica/Troll', // by two hours
    'Asia/Gaza',
    'Asia/Tehran',
    'Europe/Lisbon',
    'Pacific/Kwajalein', // left out a day in 1993
    'UTC',
  ]),
];

/** Zones that are searched day by day. */
const SEARCHED = range({ test: 3, ci: 4, stress: Infinity }, ZONES);

const localMidnight = (date: string, timezone: string): number => localDay(date, timezone, 'civil').begins_ms;

const iso = (instant: number): string => new Date(instant).toISOString();

/** Where the service and a search by the clock of the zone differ. */
function differences(days: Iterable<readonly [date: string, timezone: string]>): string[] {
  const found: string[] = [];
  for (const [date, timezone] of days) {
    const [is, expected] = [localMidnight(date, timezone), startOfDay(date, timezone)];
    if (is !== expected) found.push(`${date} ${timezone}: ${iso(is)} instead of ${iso(expected)}`);
  }
  return found;
}

describe('local midnight', function () {
  for (const [date, timezone, expected, why] of [
    ['2021-03-14', 'America/New_York', '2021-03-14T05:00:00.000Z', 'a day of 23 hours'],
    ['2021-11-07', 'America/New_York', '2021-11-07T04:00:00.000Z', 'a day of 25 hours'],
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z', 'clocks jump from 00:00 to 01:00'],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z', 'midnight comes twice: the first'],
    ['2024-10-27', 'Asia/Beirut', '2024-10-26T22:00:00.000Z', 'at 00:00 it is 23:00 of the day before again'],
    ['2005-10-30', 'America/St_Johns', '2005-10-30T02:30:00.000Z', 'a minute, then the day before again'],
    ['1986-01-01', 'Asia/Kathmandu', '1985-12-31T18:30:00.000Z', 'clocks jump from 00:00 to 00:15'],
    ['2024-10-06', 'Australia/Lord_Howe', '2024-10-05T13:30:00.000Z', 'clocks move by half an hour'],
    ['2011-12-29', 'Pacific/Apia', '2011-12-29T10:00:00.000Z', 'the last day behind UTC'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 'left out: it would begin with the jump'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 'the first day ahead of UTC'],
    ['1993-08-21', 'Pacific/Kwajalein', '1993-08-21T12:00:00.000Z', 'left out: it would begin with the jump'],
    ['1971-05-05', 'Africa/Monrovia', '1971-05-05T00:44:30.000Z', 'an offset with seconds'],
    ['1970-01-01', 'Pacific/Auckland', '1969-12-31T12:00:00.000Z', 'before 1970 in UTC'],
    ['2149-06-06', 'America/New_York', '2149-06-06T04:00:00.000Z', 'the last day'],
  ] as const) {
    it(`given ${date} in ${timezone} (${why}), then it is ${expected}`, () => {
      expect(iso(localMidnight(date, timezone))).to.equal(expected);
    });
  }

  it('given hard days in hard zones, when the clocks are searched for their beginning, then it is it', () => {
    const days = HARD_DAYS.flatMap(([date]) =>
      [-1, 0, 1].flatMap((days) => SEARCHED.map((timezone) => [plusDays(date, days), timezone] as const)),
    );
    expect(differences(days.filter(([date]) => date >= '1970-01-01'))).to.deep.equal([]);
  });

  it('given days of clock changes from 1970 to 2040, when the clocks are searched, then it is the same', () => {
    expect(differences(SEARCHED.flatMap((timezone) => changes(timezone, 1970, 2040)))).to.deep.equal([]);
  });

  it('given any zone and any day from 1970 to 2149, when the clocks are searched, then it is the same', () => {
    forAnyOf({ seed: 20_260_131, numRuns: range({ test: 300, ci: 600, stress: 1500 }) })(
      fc.constantFrom(...Intl.supportedValuesOf('timeZone'), ...ZONES),
      fc.integer({ min: 0, max: 65_535 }),
      (timezone, day) => {
        expect(differences([[plusDays('1970-01-01', day), timezone]])).to.deep.equal([]);
      },
    );
  });
});

/** Each day on which a zone's offset is not that of the day before, with the days beside it. */
function changes(timezone: string, first: number, last: number): [date: string, timezone: string][] {
  const days: [string, string][] = [];
  let before: number | undefined;
  for (let noon = Date.UTC(first, 0, 1, 12); noon < Date.UTC(last, 0, 1); noon += DAY) {
    const offset = offsetAt(noon, timezone);
    if (before !== undefined && offset !== before) {
      for (const beside of [noon - DAY, noon, noon + DAY]) days.push([iso(beside).slice(0, 10), timezone]);
    }
    before = offset;
  }
  return days;
}

describe('the offsets of a zone', () => {
  // The reading of hours looks for changes in steps: one of a week from 03:00 on saw neither of these.
  it('given two changes hardly a week apart, then both are found from every hour on', () => {
    for (let hour = 0; hour < 24; hour += 1) {
      const [first, last] = [Date.UTC(2000, 9, 1, hour), Date.UTC(2000, 9, 31)];
      const changes = listOffsets(civilOffset('America/Boa_Vista'), first, last).slice(1);
      expect(
        changes.map(({ from_ms, offset_ms }) => [iso(from_ms).slice(0, 16), offset_ms / HOUR]),
        `from ${hour}:00`,
      ).to.deep.equal([
        ['2000-10-08T04:00', -3],
        ['2000-10-15T03:00', -4],
      ]);
    }
  });
});

describe('a day of standard time', () => {
  for (const [date, timezone, begins, hours, why] of [
    ['2026-01-15', 'America/Chicago', '2026-01-15T06:00', 24, 'winter'],
    ['2026-07-15', 'America/Chicago', '2026-07-15T06:00', 24, 'summer'],
    ['2021-03-14', 'America/New_York', '2021-03-14T05:00', 24, '24 hours'],
    ['1974-03-01', 'America/New_York', '1974-03-01T05:00', 24, 'a summer of 294 days'],
    ['2026-01-15', 'Australia/Sydney', '2026-01-14T14:00', 24, 'summer in January'],
    ['2026-07-15', 'Australia/Sydney', '2026-07-14T14:00', 24, 'winter in July'],
    ['2026-07-15', 'Europe/Dublin', '2026-07-15T00:00', 24, 'standard by law in summer'],
    ['2026-01-15', 'Europe/Dublin', '2026-01-15T00:00', 24, 'standard in winter'],
    ['1995-07-15', 'Africa/Windhoek', '1995-07-14T23:00', 24, 'standard in winter, by law summer'],
    ['2026-02-01', 'Africa/Casablanca', '2026-01-31T23:00', 24, 'ahead all year since 2018'],
    ['2026-02-20', 'Africa/Casablanca', '2026-02-19T23:00', 24, 'Ramadan'],
    ['2026-04-10', 'Africa/Casablanca', '2026-04-09T23:00', 24, 'after Ramadan'],
    ['2019-05-20', 'Africa/Casablanca', '2019-05-19T23:00', 24, 'the first Ramadan of that rule'],
    ['2030-01-15', 'Africa/Casablanca', '2030-01-14T23:00', 24, 'a Ramadan that begins in the year before'],
    ['2037-10-15', 'Africa/Casablanca', '2037-10-14T23:00', 24, 'the longest: 43 days'],
    ['2018-05-20', 'Africa/Casablanca', '2018-05-20T00:00', 24, 'Ramadan within summer time: standard time'],
    ['2017-07-15', 'Africa/Casablanca', '2017-07-15T00:00', 24, 'summer time, that Ramadan breaks into'],
    ['2010-08-20', 'Africa/Cairo', '2010-08-19T22:00', 24, 'Ramadan within summer time: standard time'],
    ['2010-09-15', 'Africa/Cairo', '2010-09-14T22:00', 24, 'summer time after Ramadan'],
    ['2011-07-15', 'Europe/Moscow', '2011-07-14T20:00', 24, 'summer time that stayed'],
    ['2016-07-15', 'Europe/Moscow', '2016-07-14T21:00', 24, 'put back for good'],
    ['2012-01-15', 'Pacific/Apia', '2012-01-14T11:00', 24, 'summer over the date line'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00', 1, 'the rest that was left out'],
    ['2149-06-06', 'America/New_York', '2149-06-06T05:00', 24, 'the last day'],
  ] as const) {
    it(`given ${date} in ${timezone} (${why}), then it is ${hours} hours from ${begins}Z`, () => {
      const begins_ms = Date.parse(`${begins}Z`);
      const day = { begins_ms, ends_ms: begins_ms + hours * HOUR };
      expect(localDay(date, timezone, 'standard')).to.deep.equal(day);
    });
  }

  it('given a civil day, then it ends when the next one begins', () => {
    expect(localDay('2021-03-14', 'America/New_York', 'civil')).to.deep.equal({
      begins_ms: localMidnight('2021-03-14', 'America/New_York'),
      ends_ms: localMidnight('2021-03-15', 'America/New_York'),
    });
  });
});

describe('the day that holds an instant', () => {
  for (const [instant, timezone, boundary, date, why] of [
    ['2026-07-16T04:59:59Z', 'America/Chicago', 'civil', '2026-07-15', 'the last second before midnight'],
    ['2026-07-16T05:00:00Z', 'America/Chicago', 'civil', '2026-07-16', 'local midnight'],
    ['2026-07-16T05:30:00Z', 'America/Chicago', 'standard', '2026-07-15', '23:30 of standard time'],
    ['2026-07-16T06:00:00Z', 'America/Chicago', 'standard', '2026-07-16', 'midnight of standard time'],
    ['2026-03-08T05:00:00Z', 'America/Havana', 'civil', '2026-03-08', 'clocks jump from 00:00 to 01:00'],
    ['2026-11-01T03:59:59Z', 'America/Havana', 'civil', '2026-10-31', 'before the first midnight'],
    ['2026-11-01T04:59:59Z', 'America/Havana', 'civil', '2026-11-01', 'before it comes again'],
    ['2024-10-26T21:30:00Z', 'Asia/Beirut', 'civil', '2024-10-26', 'clocks have gone back to 23:00'],
    ['2026-07-15T12:00:00Z', 'Pacific/Kiritimati', 'civil', '2026-07-16', 'fourteen hours ahead'],
    ['2026-07-16T10:59:00Z', 'Pacific/Pago_Pago', 'civil', '2026-07-15', 'eleven behind'],
  ] as const) {
    it(`given ${instant} in ${timezone}, ${boundary} (${why}), then it is ${date}`, () => {
      expect(dateIn(Date.parse(instant), timezone, boundary)).to.equal(date);
    });
  }

  it('given any instant, then its day holds it', () => {
    for (const timezone of SEARCHED) {
      for (let instant = Date.UTC(2024, 0, 1); instant < Date.UTC(2025, 0, 1); instant += 7 * HOUR + 1) {
        for (const boundary of ['civil', 'standard'] as const) {
          const { begins_ms, ends_ms } = localDay(dateIn(instant, timezone, boundary), timezone, boundary);
          expect(begins_ms <= instant && instant < ends_ms, `${iso(instant)} ${timezone}`).to.equal(true);
        }
      }
    }
  });
});
