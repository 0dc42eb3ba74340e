import { expect } from 'chai';
import { makePlan } from '../../../src/api/record-plan.js';
import { difference, temperature } from '../../../src/api/kinds.js';
import { chooseUnit, parseUnits } from '../../../src/api/requested-units.js';
import { thresholdEvents, thresholds } from '../../../src/api/params/thresholds.js';
import type { RequestText } from '../../../src/api/groups.js';
import { getScale, getUnitText, type Unit, wholeDegree } from '../../../src/variables/units.js';
import { VARIABLE_NAMES, type VariableName } from '../../../src/variables/variables.js';

/** Values of the store, hundredths of its unit, that are exact ties in another unit, by hand: 4.5 kt = 8,334 m an hour = 2.315 m/s. */
const TIES: [name: VariableName, unit: Unit, steps: number, exact: number, written: number][] = [
  ['max_gust', 'km/h', 125, 2.315, 2.32],
  ['max_gust', 'km/h', 12_500, 231.5, 231.5],
  ['max_gust', 'm/s', 450, 2.315, 2.32],
  ['max_gust', 'm/s', 1350, 6.945, 6.95],
  ['max_gust', 'mph', 25_146, 289.375, 289.38],
  ['max_gust', 'kt', 1234, 12.34, 12.34],
  ['snowfall', 'cm', 25, 0.635, 0.64],
  ['snowfall', 'cm', 2500, 63.5, 63.5],
  ['snowfall', 'mm', 250, 63.5, 63.5],
  ['high', 'celsius', 6890, 20.5, 20.5],
];

/** Values whose whole number is a tie, half up: 125 kt are 231.5 km/h. */
const WHOLE: [name: VariableName, unit: Unit, steps: number, whole: number][] = [
  ['max_gust', 'km/h', 12_500, 232],
  ['max_gust', 'km/h', 12_499, 231],
  ['snowfall', 'mm', 250, 64],
  ['snowfall', 'mm', 249, 63],
  ['snowfall', 'cm', 2500, 64],
  ['high', 'celsius', 6890, 21],
  ['high', 'celsius', -310, -19],
  ['low', 'fahrenheit', -50, 0],
];

// Guards the arithmetic of units where a quotient of binary fractions would miss by one: no sample of data has ties of each unit.
describe('units of values', () => {
  const convert = makePlan(difference()).convert!;
  const request = {} as RequestText;

  for (const [name, unit, steps, exact, written] of TIES) {
    it(`given ${steps} hundredths of ${name}, then they are ${exact} ${unit}, written as ${written}`, () => {
      const value = steps / 100;
      const degrees = makePlan(temperature()).convert!;
      const convertsValue = unit === 'celsius' ? degrees : convert;
      expect(convertsValue(value, unit)).to.equal(written);
      if (unit !== 'celsius') expect(convert(-value, unit)).to.equal(-written);
    });

    it(`given a threshold of ${exact} ${unit}, then it is ${steps} hundredths of ${name}, no more and no less`, () => {
      const given = { metric: name, temp_unit: unit, units: undefined };
      for (const direction of ['at_or_above', 'at_or_below'] as const) {
        // No day has 289 mph.
        if (unit === 'mph') continue;
        const found = thresholdEvents.read({ ...given, thresholds: [exact], direction }, request);
        const { thresholds: events } = (found as (present: never) => { thresholds: unknown })({} as never);
        expect(events).to.deep.equal([{ degrees: exact, hundredths: steps }]);
      }
      if (unit === 'celsius' || exact > 50) return;
      const sizes = thresholds('1').read({ ...given, thresholds: [exact] }, request);
      expect((sizes as (present: never) => unknown)({} as never)).to.deep.equal([
        { degrees: exact, hundredths: steps },
      ]);
    });
  }

  for (const [name, unit, steps, whole] of WHOLE)
    it(`given ${steps} hundredths of ${name}, then the whole number is ${whole} ${unit}`, () => {
      expect(wholeDegree(steps, getScale(unit, name))).to.equal(whole);
    });

  it('given any unit, then every step of the store has the whole number of exact fractions', () => {
    for (const [name, unit] of TIES) {
      const { times, over, zero } = getScale(unit, name);
      for (let steps = -500; steps <= 25_000; steps += 1) {
        const [part, whole] = [
          2n * BigInt(steps - zero) * BigInt(over) + 100n * BigInt(times),
          200n * BigInt(times),
        ];
        const floor = part / whole - (part % whole < 0n ? 1n : 0n);
        if (wholeDegree(steps, getScale(unit, name)) !== Number(floor))
          expect.fail(`${steps} of ${name} in ${unit}: not ${floor}`);
      }
    }
  });
});

describe('the units that a request chooses', () => {
  const textOf = (name: VariableName, units: string): string =>
    getUnitText(name, chooseUnit({ metric: name, units: parseUnits(units)! }) as Unit);

  it('given a system, then each quantity has its unit, rain in mm and snow in cm', () => {
    const names: VariableName[] = [
      'high',
      'range',
      'hdd',
      'dew_point',
      'max_gust',
      'precip',
      'snowfall',
      'wet_day',
    ];
    expect(names.map((name) => textOf(name, 'us'))).to.deep.equal([
      ...['°F', '°F', '°F·day', '°F', 'mph', 'inches', 'inches', '%'],
    ]);
    expect(names.map((name) => textOf(name, 'metric'))).to.deep.equal([
      ...['°C', '°C', '°C·day', '°C', 'km/h', 'mm', 'cm', '%'],
    ]);
    expect(names.map((name) => textOf(name, 'si'))).to.deep.equal([
      ...['°C', '°C', '°C·day', '°C', 'm/s', 'mm', 'cm', '%'],
    ]);
  });

  it('given some units, then others stay, whatever their order; without any, all stay', () => {
    expect(textOf('wind_speed', 'length=mm,speed=ms')).to.equal('m/s');
    expect(textOf('snowfall', 'length=mm,speed=ms')).to.equal('mm');
    expect(textOf('high', 'length=mm,speed=ms')).to.equal('°F');
    const usual = VARIABLE_NAMES.map((name) => getUnitText(name, chooseUnit({ metric: name }) as Unit));
    expect(new Set(usual)).to.deep.equal(new Set(['°F', '°F·day', '%', 'kt', 'inches']));
  });

  it('given temp_unit beside units, then it counts where they are silent, or contradicts them', () => {
    const choose = (temp_unit: Unit, units: string) => chooseUnit({ temp_unit, units: parseUnits(units)! });
    expect(choose('celsius', 'speed=kt')).to.equal('celsius');
    expect(choose('celsius', 'metric')).to.equal('celsius');
    expect(choose('fahrenheit', 'us')).to.equal('fahrenheit');
    expect(choose('celsius', 'us')).to.deep.equal({
      parameter: 'units',
      message: 'has fahrenheit for temperatures, and temp_unit=celsius has not; leave out temp_unit',
    });
    expect(choose('fahrenheit', 'temperature=c')).to.have.property('parameter', 'units');
    expect(chooseUnit({ metric: 'wind_speed', temp_unit: 'celsius', units: 'us' })).to.have.property(
      'message',
    );
  });
});
