import { expect } from 'chai';
import { isHighOrLow, isOfDays } from '../../../public/dashboard/variables.js';
import { DAILY_NAMES, METRICS, VARIABLE_NAMES } from '../../../src/statistics/variables.js';
import { describeMissingTraining, describeMissingProviders } from '../../../public/dashboard/sentences.js';

// Guards that a panel without anything to show says what is missing, and never that what is not there agrees.

describe('why no providers differ today or later', () => {
  const provider = (name: string, last_target_date: string | null) => ({ provider: name, last_target_date });
  const describe = (...lasts: (string | null)[]) =>
    describeMissingProviders(
      lasts.map((last, at) => provider('abc'[at]!, last)),
      '2026-06-15',
    );

  it('given two whose forecasts reach today, then it is not that there are too few', () => {
    expect(describe('2026-06-15', '2026-06-16')).to.equal(undefined);
    expect(describe('2026-06-20', '2026-06-01', '2026-06-15')).to.equal(undefined);
  });

  it('given one or none, then it says so, and where those of the others end', () => {
    expect(describe('2026-06-15', '2026-06-14')).to.equal(
      'Nothing to compare yet: too few providers have forecasts of today or later (those of b end on Jun 14).',
    );
    expect(describe('2026-06-13', null)).to.match(/\(those of a end on Jun 13, none of b\)\.$/);
  });
});

describe('why no odds of the past are shown', () => {
  it('given no forecasts so far ahead, then they are what is missing', () => {
    expect(describeMissingTraining({ cases_without_training: 0 }, '12-24h')).to.equal(
      'needs past forecasts 12–24 h ahead, with their observations',
    );
  });

  it('given forecasts without days to learn from, then their count, and how many days before are needed', () => {
    expect(describeMissingTraining({ cases_without_training: 105 }, '12-24h')).to.equal(
      'needs 200 station-days before a day to learn from; 105 station-days with a forecast 12–24 h ahead, none with so many before',
    );
    expect(describeMissingTraining({ cases_without_training: 1 }, '24-48h')).to.contain(
      '; 1 station-day with',
    );
  });
});

describe('the panels of a variable', () => {
  const namesOf = (isSo: (view: { metric: string }) => boolean): string[] =>
    VARIABLE_NAMES.filter((metric) => isSo({ metric }));

  it('given each variable, then panels of the daily feeds alone are about highs and lows', () => {
    expect(namesOf(isHighOrLow)).to.deep.equal(METRICS);
  });

  it('given each variable, then panels that count a day once are about all but those of hours', () => {
    expect(namesOf(isOfDays)).to.deep.equal(DAILY_NAMES);
  });

  it('given a name that no variable has, then it is asked for, and the API tells what is wrong', () => {
    expect([isHighOrLow, isOfDays].map((isSo) => isSo({ metric: 'medium' }))).to.deep.equal([true, true]);
  });
});
