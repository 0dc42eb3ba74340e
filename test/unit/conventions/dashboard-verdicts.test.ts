import { expect } from 'chai';
import { formatInterval, intervalWords } from '../../../public/dashboard/intervals.js';
import { judgeBand, judgeProbabilities } from '../../../public/dashboard/sentences.js';
import { makeTicks } from '../../../public/dashboard/ticks.js';
import { percent, signed } from '../../../public/dashboard/words.js';
import { judgeShare, locate } from '../../../src/statistics/uncertainty/judge.js';

// Guards the one rule of all verdicts: none without an interval, none that its interval contradicts, also as it is printed.

describe('the rule of verdicts', () => {
  it('given an interval, then it lies beside a value or around it, and a missing end is not known', () => {
    expect([locate({ low: 0.1, high: 0.3 }), locate({ low: -0.3, high: -0.1 })]).to.deep.equal([
      ...['above', 'below'],
    ]);
    expect([locate({ low: 0, high: 0.3 }), locate({ low: null, high: null })]).to.deep.equal([
      ...['around', 'unknown'],
    ]);
    expect(locate({ low: 0.6, high: 0.9 }, 0.5)).to.equal('above');
  });

  it('given a share that an interval holds, then it is right up to 15 points away, and no further', () => {
    expect(judgeShare({ low: 0.65, high: 0.95 }, 0.8)).to.equal('right');
    expect(judgeShare({ low: 0.6499, high: 0.85 }, 0.8)).to.equal('unknown');
    expect(judgeShare({ low: 0.75, high: 0.9501 }, 0.8)).to.equal('unknown');
    expect(judgeShare({ low: 0.3, high: 0.7999 }, 0.8)).to.equal('below');
  });
});

describe('what the dashboard says of stated ranges', () => {
  const [NARROW, RIGHT, WIDE, OPEN] = [
    { low: 0.54, high: 0.79 },
    { low: 0.7, high: 0.85 },
    { low: 0.81, high: 0.9 },
    { low: 0.34, high: 0.91 },
  ];
  // Width and place are one verdict: two beside each other contradicted each other.
  for (const [interval, shape, verdict] of [
    [NARROW, 'too_narrow', 'too narrow'],
    [NARROW, 'flat', 'too narrow'],
    [NARROW, 'too_cold', 'too narrow, and it sits too low'],
    [WIDE, 'too_warm', 'too wide, and it sits too high'],
    [RIGHT, 'too_cold', 'the right width, but it sits too low'],
    [RIGHT, 'flat', 'as it should be'],
    [RIGHT, 'too_narrow', 'as it should be, but too many days fall outside the whole range'],
    [OPEN, 'flat', 'cannot be told yet'],
    [OPEN, 'too_cold', 'its width cannot be told yet, but it sits too low'],
    [OPEN, 'too_narrow', 'its width cannot be told yet, but too many days fall outside the whole range'],
    [{ low: null, high: null }, null, 'cannot be told yet'],
  ] as const) {
    it(`given ${JSON.stringify(interval)} and ${shape}, then it is ${verdict}`, () => {
      expect(judgeBand(0.8, interval, shape)).to.equal(verdict);
    });
  }
});

describe('what the dashboard says of past odds', () => {
  const [RIGHT, OFF, OPEN, FEW] = [
    { mean_probability: 0.2, low: 0.1, high: 0.3 },
    { mean_probability: 0.4, low: 0.41, high: 0.6 },
    { mean_probability: 0.3, low: 0.1, high: 0.6 },
    { mean_probability: 0.5, low: null, high: null },
  ];
  for (const [bins, said] of [
    [[FEW], 'Cannot be told yet.'],
    [[OPEN], 'Cannot be told yet.'],
    [[RIGHT, FEW], 'The odds were reliable.'],
    [[RIGHT, OFF], 'The odds were reliable, except those around 40%.'],
    [[RIGHT, OPEN], 'The odds were reliable as far as can be told: not yet those around 30%.'],
    [[OFF, OPEN], 'The odds around 40% were not reliable; those around 30% cannot be told yet.'],
  ] as const) {
    it(`given ${JSON.stringify(bins)}, then they are told as far as their intervals allow`, () => {
      expect(judgeProbabilities([...bins])).to.equal(said);
    });
  }
});

describe('an interval beside a value', () => {
  it('given an end that rounds to a value that it excludes, then it has a digit more, or a sign', () => {
    expect(intervalWords({ low: 0.57, high: 0.7974 }, percent, 0.8)).to.equal('57–79.7%');
    expect(intervalWords({ low: 0.8004, high: 0.9 }, percent, 0.8)).to.equal('80.04–90%');
    expect(intervalWords({ low: 0.3258, high: 0.4 }, percent, 0.3254)).to.equal('>33–40%');
    expect(formatInterval({ low: 0.001, high: 0.4 }, signed, 0)).to.equal(' (>0.00 to +0.40)');
    expect(formatInterval({ low: -0.4, high: -0.001 }, signed, 0)).to.equal(' (−0.40 to <0.00)');
  });

  it('given an end that it holds, then it is printed as ever', () => {
    expect(intervalWords({ low: 0.57, high: 0.8 }, percent, 0.8)).to.equal('57–80%');
    expect(intervalWords({ low: 0.57, high: 0.7974 }, percent)).to.equal('57–80%');
  });
});

describe('the ticks of a plot', () => {
  it('given room for a step of 2.5, then it has one; given a little less, then the next round step', () => {
    expect(makeTicks(0, 10, 4)).to.deep.equal([0, 2.5, 5, 7.5, 10]);
    expect(makeTicks(0, 10, 3.9)).to.deep.equal([0, 5, 10]);
    expect(makeTicks(0, 10, 5)).to.deep.equal([0, 2, 4, 6, 8, 10]);
  });
});
