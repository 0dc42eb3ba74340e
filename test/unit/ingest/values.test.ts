import { expect } from 'chai';
import fc from 'fast-check';
import { temperature as temperatureSchema } from '../../../src/api/kinds.js';
import { makePlan } from '../../../src/api/record-plan.js';
import { instant, Rejection } from '../../../src/feeds/values.js';
import { readCell } from '../../support/ingest/rows.js';
import { roundedFraction } from '../../support/plain/oracle.js';
import { forAny } from '../../support/property.js';

// Single texts stand in test/support/ingest/cells.txt.

const high = (text: string): number => Number(readCell('forecasts', 'high_f', text));
const celsius = (text: string): number => Number(readCell('forecasts', 'high_c', text));

/** A decimal text in hundredths, half away from zero, worked out on its digits. */
function exactHundredths(text: string): bigint {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)(\d*)\.?(\d*)$/.exec(text) ?? [];
  const digits = fraction.padEnd(3, '0');
  const up = digits.charAt(2) >= '5' ? 1n : 0n;
  const hundredths = BigInt(`${whole || '0'}${digits.slice(0, 2)}`) + up;
  return sign === '-' ? -hundredths : hundredths;
}

const hundredthsOf = (value: number | undefined) => BigInt(Math.round((value ?? NaN) * 100));

/** A plain decimal within -130..140 with up to so many decimals, ties of the rounding among them. */
const decimals = (most: number) =>
  fc
    .record({
      sign: fc.constantFrom('', '+', '-'),
      whole: fc.integer({ min: 0, max: 129 }).map(String),
      fraction: fc.oneof(
        fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: most }),
        fc.integer({ min: 0, max: 99 }).map((tie) => `${String(tie).padStart(2, '0')}5`),
        fc.integer({ min: 0, max: 99 }).map((tie) => `${String(tie).padStart(2, '0')}4`.padEnd(most, '9')),
      ),
      point: fc.boolean(),
    })
    .map(({ sign, whole, fraction, point }) => `${sign}${whole}${fraction || point ? '.' : ''}${fraction}`);

describe('any temperature of a feed', () => {
  it('given a little less than nothing, then it is 0 and not -0', () => {
    for (const text of ['-0', '-0.0', '-0.001', '-0.004999'])
      expect(Object.is(high(text), 0), text).to.be.true;
  });

  it('given any decimal, of any digits, then it is rounded to 0.01 as on paper, half away from zero', () => {
    expect(high('71.23499999999999999999')).to.equal(71.23);
    forAny(decimals(25), (text) => {
      expect(hundredthsOf(high(text)), text).to.equal(exactHundredths(text));
    });
  });

  it('given any text, then it is a value, a blank or a rejection, and nothing else', () => {
    forAny(fc.string({ unit: 'binary-ascii', maxLength: 12 }), (text) => {
      try {
        const value = high(text);
        if (text !== '') expect(value).to.be.within(-130, 140);
      } catch (error) {
        expect(error).to.be.instanceOf(Rejection);
      }
    });
  });
});

describe('any instant of a feed', () => {
  it('given any instant in any offset, then it is the same instant in UTC', () => {
    forAny(
      fc.date({
        min: new Date('1970-01-03T00:00:00Z'),
        max: new Date('2149-12-29T00:00:00Z'),
        noInvalidDate: true,
      }),
      fc.integer({ min: -14 * 60, max: 14 * 60 }),
      (utc, offset) => {
        const local = new Date(utc.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
        const suffix = `${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
        expect(`${instant(`${local}${suffix}`).replace(' ', 'T')}Z`).to.equal(utc.toISOString());
      },
    );
  });
});

describe('any temperature of a feed in °C', () => {
  it('given any 0.01 °C, then an answer in Celsius has it again', () => {
    const inUnit = makePlan(temperatureSchema()).convert;
    for (let hundredths = -9000; hundredths <= 6000; hundredths += 1) {
      const text = (hundredths / 100).toFixed(2);
      expect(inUnit?.(celsius(text), 'celsius'), text).to.equal(hundredths / 100);
    }
  });

  it('given any decimal, then it is the exact value rounded to 0.01 °F, half away from zero', () => {
    forAny(
      fc.integer({ min: -6_000_000, max: 6_000_000 }),
      fc.integer({ min: 5, max: 9 }),
      (digits, places) => {
        const scale = 10n ** BigInt(places);
        const size = BigInt(Math.abs(digits));
        const text = `${digits < 0 ? '-' : ''}${size / scale}.${String(size % scale).padStart(places, '0')}`;
        // 9/5 c + 32, as a fraction of hundredths.
        expect(celsius(text), text).to.equal(
          roundedFraction(9n * 100n * BigInt(digits) + 32n * 100n * 5n * scale, 5n * scale),
        );
      },
    );
  });
});

describe('an amount of a day', () => {
  it('given it, then from 0.2 mm on it is wet, below it is 0, and it is rounded half up to 0.01 inch', () => {
    for (const [mm, inches] of [
      ['', ''],
      ['T', '0'],
      ['0', '0'],
      ['0.199', '0'],
      ['0.2', '0.01'],
      ['0.38', '0.01'],
      ['0.381', '0.02'],
      ['25.4', '1'],
      ['1825', '71.85'],
    ] as const)
      expect(readCell('observations', 'precip_mm', mm), mm).to.equal(inches);
    for (const mm of ['-0.1', '2000.1'])
      expect(() => readCell('observations', 'precip_mm', mm)).to.throw(
        Rejection,
        'precipitation outside 0..2000 mm',
      );
  });

  it('given the same rain in inches and in mm, then it is one value, of a day and of an hour', () => {
    for (let steps = 0; steps <= 20_000; steps += steps < 400 ? 1 : 37) {
      const inches = (steps / 10_000).toFixed(4);
      const mm = ((steps * 254) / 100_000).toFixed(5);
      const [kept, ...others] = [
        readCell('observations', 'precip_mm', mm),
        readCell('observations', 'precip_in', inches),
        readCell('hours', 'precip_in', inches),
      ];
      expect(others, `${inches} inches, ${mm} mm`).to.deep.equal([kept, kept]);
      expect(kept !== '0', `${mm} mm is wet`).to.equal(steps * 254 >= 20_000);
    }
  });
});

describe('a chance', () => {
  it('given it as a probability of 0 to 1, then it is the same as in percent, and 1 is the most', () => {
    for (const [probability, percent] of [
      ['', ''],
      ['0', '0'],
      ['1', '100'],
      ['0.35', '35'],
      ['.00005', '0.01'],
      ['0.000049', '0'],
      ['0.33335', '33.34'],
    ] as const)
      expect(readCell('forecasts', 'precip_probability', probability), probability).to.equal(percent);
    for (const text of ['1.0001', '-0.1', '35'])
      expect(() => readCell('forecasts', 'precip_probability', text)).to.throw(
        Rejection,
        `chance outside 0..1: precip_probability="${text}"`,
      );
  });
});
