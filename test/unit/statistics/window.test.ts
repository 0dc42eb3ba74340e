import { expect } from 'chai';
import fc from 'fast-check';
import {
  MAX_WINDOW_DAYS,
  resolveWindow,
  type WindowParameters,
} from '../../../src/statistics/time/window.js';
import { plusDays } from '../../support/plain/oracle.js';
import { forAnyOf } from '../../support/property.js';

const TODAY = '2026-01-31';
const FIRST_DATE = '1970-01-01';
const LAST_DATE = '2149-06-06';

/** The window of a request, as `first..last (days)`, or the parameter at fault. */
function resolved(parameters: WindowParameters, today = TODAY): string {
  const isBounded = (parameters.date_from ?? parameters.date_to) !== undefined;
  const window = resolveWindow(isBounded ? parameters : { ...parameters, date_to: today });
  return 'message' in window
    ? `fault of ${window.parameter}`
    : `${window.period_start}..${window.period_end} (${window.days_analyzed})`;
}

describe('the window of a request', () => {
  const both = (date_from: string, date_to: string, days = 90) => ({ days, date_from, date_to });

  for (const [asked, expected, why] of [
    [{ days: 90 }, '2025-11-03..2026-01-31 (90)', 'it ends today'],
    [both('2024-02-29', '2024-02-29', 7), '2024-02-29..2024-02-29 (1)', 'one day'],
    [both('2024-03-01', '2024-02-29'), 'fault of date_from', 'it would end before it begins'],
    // The longest window: ten years and a week, both ends included.
    [both('2016-01-01', '2026-01-07'), '2016-01-01..2026-01-07 (3660)', 'the longest'],
    [both('2016-01-01', '2026-01-08'), 'fault of date_from', 'a day too long'],
    [both(FIRST_DATE, LAST_DATE), 'fault of date_from', 'all days'],
    // At the first and the last day.
    [both(FIRST_DATE, FIRST_DATE), '1970-01-01..1970-01-01 (1)', 'the first day'],
    [both(LAST_DATE, LAST_DATE), '2149-06-06..2149-06-06 (1)', 'the last day'],
    [{ days: 365, date_to: '1970-12-31' }, '1970-01-01..1970-12-31 (365)', 'it begins on the first day'],
    [{ days: 365, date_to: '1970-12-30' }, 'fault of date_to', 'it would begin a day before the first'],
    [{ days: 2, date_to: FIRST_DATE }, 'fault of date_to', 'it would begin a day before the first'],
    [{ days: 7, date_from: '2149-05-31' }, '2149-05-31..2149-06-06 (7)', 'it ends on the last day'],
    [{ days: 8, date_from: '2149-05-31' }, 'fault of date_from', 'it would end a day after the last'],
    [{ days: 2, date_from: LAST_DATE }, 'fault of date_from', 'it would end a day after the last'],
  ] as const) {
    const given = Object.entries(asked).map(([name, value]) => `${name}=${value}`);
    it(`given ${given.join(' ')}, then it is ${expected}: ${why}`, () => {
      expect(resolved(asked)).to.equal(expected);
    });
  }

  it('given a fault, then its message says what to do', () => {
    const message = (asked: WindowParameters): string => {
      const window = resolveWindow(asked);
      return 'message' in window ? window.message : '';
    };
    expect(message(both('2024-03-01', '2024-02-29')))
      .to.include('date_to')
      .and.include('2024-02-29');
    expect(message(both(FIRST_DATE, LAST_DATE))).to.include('3660');
    expect(message({ days: 2, date_to: FIRST_DATE })).to.include('date_from');
    expect(message({ days: 2, date_from: LAST_DATE })).to.include('date_to');
  });

  const day = fc.integer({ min: 0, max: 65_535 }).map((days) => plusDays(FIRST_DATE, days));
  const bound = fc.option(day, { nil: undefined });

  it('given any days and bounds, then a window has the ends they say, or a fault beyond a limit', () => {
    forAnyOf({ seed: 20_260_131, numRuns: 3000 })(
      fc.integer({ min: 1, max: 365 }),
      bound,
      bound,
      day,
      (days, date_from, date_to, today) => {
        const first = date_from ?? plusDays(date_to ?? today, 1 - days);
        const last = date_to ?? (date_from === undefined ? today : plusDays(date_from, days - 1));
        const length = (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1;
        const fits = first >= FIRST_DATE && last <= LAST_DATE && length >= 1 && length <= MAX_WINDOW_DAYS;
        const found = resolved({ days, date_from, date_to }, today);
        if (fits) expect(found).to.equal(`${first}..${last} (${length})`);
        else expect(found).to.match(/^fault of /);
      },
    );
  });
});
