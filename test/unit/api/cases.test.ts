import { expect } from 'chai';
import { splitWindow } from '../../../src/api/cases.js';

// No other test has so many cases that a window is read in parts: a part too long would count its days twice.
describe('the parts of a window, by station days', () => {
  const window = { period_start: '2026-02-25', period_end: '2026-03-06', days_analyzed: 10 };

  it('given 12 station days a query and 3 stations, then parts of 4 days follow one another to its end', () => {
    expect(splitWindow(window, 3, 12)).to.deep.equal([
      { period_start: '2026-02-25', period_end: '2026-02-28' },
      { period_start: '2026-03-01', period_end: '2026-03-04' },
      { period_start: '2026-03-05', period_end: '2026-03-06' },
    ]);
  });

  it('given more stations than a query reads, then each part is a day; given none, then the whole', () => {
    const days = splitWindow(window, 100, 12);
    expect(days).to.have.lengthOf(10);
    for (const { period_start, period_end } of days) expect(period_end).to.equal(period_start);
    const { period_start, period_end } = window;
    expect(splitWindow(window, 0, 12)).to.deep.equal([{ period_start, period_end }]);
  });
});
