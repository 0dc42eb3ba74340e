import { expect } from 'chai';
import { peakTiming } from '../../../src/accuracy/within-day/peaks.js';

// Whole answers: test/integration/truth/day-hours.test.ts.

const ZONE = 'America/New_York';
const day = (target_date: string, peak: string, by_hour: (number | null)[] = Array<number>(24).fill(50)) => ({
  target_date,
  by_hour,
  peak_ms: Date.parse(peak),
});

describe('when the highs of days came', () => {
  it('given a time before midnight of standard time, then it is before all others, and shown as on a clock', () => {
    const days = [
      day('2026-07-01', '2026-07-01T04:30:00Z'),
      day('2026-07-02', '2026-07-02T07:10:59Z'),
      day('2026-07-03', '2026-07-03T20:00:00Z'),
    ];
    expect(peakTiming(days, ZONE)).to.include({
      sample_count: 3,
      median_peak_hour: 2,
      median_peak_time_local: '02:10',
    });
    expect(peakTiming(days.slice(0, 2), ZONE)).to.include({
      median_peak_hour: 23,
      median_peak_time_local: '23:30',
    });
    expect(Object.entries(peakTiming(days, ZONE).peak_time_distribution)).to.deep.equal(
      ['02:00', '15:00', '23:00'].map((hour) => [hour, 100 / 3]),
    );
  });

  it('given hours by which too little was known, then their day is not counted in them', () => {
    const rising = [null, null, ...Array.from({ length: 22 }, (_, hour) => Math.min(40 + hour, 55))];
    const { share_by_hour } = peakTiming(
      [day('2026-07-01', '2026-07-01T18:00:00Z', rising), day('2026-07-02', '2026-07-02T18:00:00Z')],
      ZONE,
    );
    expect([0, 2, 16, 17].map((at) => share_by_hour[at])).to.deep.equal([
      { hour: 1, days: 1, share_reached: 1, mean_rise_f: 0 },
      { hour: 3, days: 2, share_reached: 0.5, mean_rise_f: 7.5 },
      { hour: 17, days: 2, share_reached: 0.5, mean_rise_f: 0.5 },
      { hour: 18, days: 2, share_reached: 1, mean_rise_f: 0 },
    ]);
  });
});
