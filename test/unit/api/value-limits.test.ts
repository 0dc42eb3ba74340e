import { expect } from 'chai';
import { validateErrorSizes, validateValues } from '../../../src/api/params/value-limits.js';
import { type ThresholdEvents, thresholdEvents, thresholds } from '../../../src/api/params/thresholds.js';
import type { Unit } from '../../../src/variables/units.js';
import type { VariableName } from '../../../src/variables/variables.js';

// Values that no day can have. Every endpoint that takes thresholds refuses them in these words: parameters.test.ts.
describe('the limits of variables', () => {
  const LIMITS: Partial<Record<VariableName, [fahrenheit: [number, number], celsius: [number, number]]>> = {
    high: [
      [-130, 140],
      [-90, 60],
    ],
    low: [
      [-130, 140],
      [-90, 60],
    ],
    mean: [
      [-130, 140],
      [-90, 60],
    ],
    range: [
      [0, 270],
      [0, 150],
    ],
    hdd: [
      [0, 195],
      [0, 108.33],
    ],
    cdd: [
      [0, 75],
      [0, 41.66],
    ],
    temperature: [
      [-130, 140],
      [-90, 60],
    ],
    wet_day: [
      [0, 100],
      [0, 100],
    ],
  };
  const messageOf = (metric: VariableName, temp_unit: Unit, ...values: number[]): string | undefined =>
    validateValues('thresholds', values, { metric, temp_unit })?.message;

  it('given one of each kind in any unit, then values up to its limits are taken, and 0.01 beyond none', () => {
    for (const [metric, limits] of Object.entries(LIMITS) as [VariableName, [number, number][]][])
      for (const [at, unit] of (['fahrenheit', 'celsius'] as const).entries()) {
        const [lowest, highest] = limits[at]!;
        expect(messageOf(metric, unit, lowest, highest), `${metric} ${unit}`).to.equal(undefined);
        for (const beyond of [lowest - 0.01, highest + 0.01])
          expect(messageOf(metric, unit, 1, beyond), `${metric} ${unit} ${beyond}`).to.match(
            new RegExp(`^must be from ${lowest} to ${highest}[ %]`),
          );
      }
  });

  it('given a value beyond, then the message has the limits, their unit, and what they are of', () => {
    expect(messageOf('wet_day', 'fahrenheit', 130)).to.equal(
      'must be from 0 to 100%, the limits of chances of a wet day',
    );
    expect(messageOf('hdd', 'celsius', -1)).to.equal(
      'must be from 0 to 108.33 °C·day, the limits of heating degree days',
    );
  });

  it('given a fraction for a chance, then it is told with the percents that it may mean', () => {
    const message = 'must be in %, as chances of a wet day are: 0.3 is a fraction; write 30';
    const chances = { metric: 'wet_day', temp_unit: 'fahrenheit' } as const;
    expect(messageOf('wet_day', 'fahrenheit', 50, 0.3)).to.equal(message);
    expect(validateErrorSizes('thresholds', [0.3], chances)).to.deep.equal({
      parameter: 'thresholds',
      message,
    });
    expect(messageOf('wet_day', 'fahrenheit', 0, 1, 1.5)).to.equal(undefined);
    expect(messageOf('high', 'fahrenheit', 0.3)).to.equal(undefined);
  });

  it('given sizes of errors, then 50 degrees and 100 percents are the largest', () => {
    const sizeOf = (metric: VariableName, size: number) =>
      validateErrorSizes('thresholds', [size], { metric, temp_unit: 'fahrenheit' })?.message;
    expect([sizeOf('high', 50), sizeOf('wet_day', 100)]).to.deep.equal([undefined, undefined]);
    expect(sizeOf('cdd', 50.01)).to.equal('must be from 0 to 50 °F·day for errors of cooling degree days');
    expect(sizeOf('wet_day', 100.5)).to.equal('must be from 0 to 100% for errors of chances of a wet day');
  });

  it('given an amount or a speed, then a threshold is the step at which feeds keep it', () => {
    const request = { url: '', accept: '', now: 0, preferred: () => undefined };
    const stepsOf = (metric: VariableName, temp_unit: Unit, threshold: number): unknown => {
      const read = thresholdEvents.read({ metric, temp_unit, thresholds: [threshold] }, request);
      return (read as () => ThresholdEvents)().thresholds[0]?.hundredths;
    };
    // 10 mm is 0.3937 inch, 8 m/s is 15.5508 kt; in °C the next step of 0.01 °F, as 30.03 °C are 86.054 °F.
    expect(stepsOf('precip', 'mm', 10)).to.equal(39);
    expect(stepsOf('wind_speed', 'm/s', 8)).to.equal(1555);
    expect(stepsOf('high', 'celsius', 30.03)).to.equal(8606);
  });

  it('given the groups of thresholds, then both ask the limits of their variable', () => {
    const given = { metric: 'wet_day', temp_unit: 'fahrenheit' } as const;
    const request = { url: '', accept: '', now: 0, preferred: () => undefined };
    for (const group of [thresholds('1'), thresholdEvents])
      expect(group.read({ ...given, thresholds: [30, 130] }, request)).to.have.lengthOf(1);
  });
});
