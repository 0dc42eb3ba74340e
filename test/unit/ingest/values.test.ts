import { expect } from 'chai';
import fc from 'fast-check';
import { temperature as temperatureSchema } from '../../../src/api/degrees.js';
import { degreesIn } from '../../../src/api/questions/temperature-unit.js';
import {
  celsius,
  calendarDate,
  degrees,
  instant,
  matching,
  Rejection,
  readTemperature,
  timeZone,
} from '../../../src/ingest/feed/values.js';

/** The rejection that reading a value ends in. */
function rejectionOf(read: () => unknown): Rejection {
  try {
    read();
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  throw new Error('nothing was rejected');
}

/** A decimal text in hundredths, half away from zero, worked out on its digits. */
function exactHundredths(text: string): bigint {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)(\d*)\.?(\d*)$/.exec(text) ?? [];
  const digits = fraction.padEnd(3, '0');
  const up = digits.charAt(2) >= '5' ? 1n : 0n;
  const hundredths = BigInt(`${whole || '0'}${digits.slice(0, 2)}`) + up;
  return sign === '-' ? -hundredths : hundredths;
}

const hundredthsOf = (value: number | undefined) => BigInt(Math.round((value ?? NaN) * 100));

/** A plain decimal within -150..150 with up to so many decimals, ties of the rounding among them. */
const decimals = (most: number) =>
  fc
    .record({
      sign: fc.constantFrom('', '+', '-'),
      whole: fc.integer({ min: 0, max: 149 }).map(String),
      fraction: fc.oneof(
        fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: most }),
        fc.integer({ min: 0, max: 99 }).map((tie) => `${String(tie).padStart(2, '0')}5`),
        fc.integer({ min: 0, max: 99 }).map((tie) => `${String(tie).padStart(2, '0')}4`.padEnd(most, '9')),
      ),
      point: fc.boolean(),
    })
    .map(({ sign, whole, fraction, point }) => `${sign}${whole}${fraction || point ? '.' : ''}${fraction}`);

import { roundedFraction } from '../../support/plain/oracle.js';

describe('a temperature of a feed', () => {
  it('given a blank, then there is no value', () => {
    expect(readTemperature('', 'high_f')).to.equal(undefined);
  });

  const VALUES: [text: string, value: number][] = [
    ['71', 71],
    ['+71', 71],
    ['-71', -71],
    ['0', 0],
    ['007', 7],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['5.', 5],
    ['71.2', 71.2],
    ['71.23', 71.23],
    ['71.234', 71.23],
    ['71.235', 71.24],
    ['-71.235', -71.24],
    ['1.005', 1.01],
    ['-1.005', -1.01],
    ['1.0049999', 1],
    ['150', 150],
    ['150.00', 150],
    ['-150', -150],
    ['149.995', 150],
  ];
  for (const [text, value] of VALUES) {
    it(`given "${text}", then it is ${value}`, () => {
      expect(readTemperature(text, 'high_f')).to.equal(value);
    });
  }

  for (const text of ['-0', '-0.0', '-0.001', '-0.004999']) {
    it(`given "${text}", then it is 0 and not -0`, () => {
      expect(Object.is(readTemperature(text, 'low_f'), 0)).to.be.true;
    });
  }

  for (const text of [
    '150.01',
    '-150.01',
    '150.004',
    '151',
    '1000',
    '99999999999999999999',
    '9'.repeat(400),
  ]) {
    it(`given "${text.slice(0, 24)}", then it is rejected as outside of -150..150 °F`, () => {
      expect(rejectionOf(() => readTemperature(text, 'high_f')).reason).to.equal(
        'temperature outside -150..150 °F',
      );
    });
  }

  const NO_NUMBERS = [
    'NaN',
    'nan',
    'Infinity',
    '-inf',
    '1e2',
    '1E2',
    '0x10',
    '0b1',
    '1,5',
    '1_000',
    '71 F',
    '71°',
    '7 1',
    '--1',
    '+-1',
    '.',
    '-',
    '1.2.3',
    'null',
    'M',
    '٧١',
    '７１',
    '½',
    '−5',
  ];
  for (const text of NO_NUMBERS) {
    it(`given "${text}", then it is rejected as no number, naming the column and the text`, () => {
      const rejection = rejectionOf(() => readTemperature(text, 'low_f'));
      expect(rejection.reason).to.equal('temperature is not a number');
      expect(rejection.detail).to.equal(`low_f="${text}"`);
    });
  }

  it('given any decimal of up to 12 places, then it is rounded to 0.01 as on paper, half away from zero', () => {
    fc.assert(
      fc.property(decimals(12), (text) => {
        expect(hundredthsOf(readTemperature(text, 'high_f')), text).to.equal(exactHundredths(text));
      }),
    );
  });

  it('given more digits than a binary number holds, then it is still rounded as on paper', () => {
    expect(readTemperature('71.23499999999999999999', 'high_f')).to.equal(71.23);
    fc.assert(
      fc.property(decimals(30), (text) => {
        expect(hundredthsOf(readTemperature(text, 'high_f')), text).to.equal(exactHundredths(text));
      }),
    );
  });

  it('given a little more than 150 in more digits than a binary number holds, then it is rejected', () => {
    expect(rejectionOf(() => readTemperature('150.000000000000000000001', 'high_f')).reason).to.equal(
      'temperature outside -150..150 °F',
    );
  });

  it('given any value of 0.01 grain, then it comes back as it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: -15_000, max: 15_000 }), (hundredths) => {
        expect(readTemperature((hundredths / 100).toFixed(2), 'high_f')).to.equal(hundredths / 100);
      }),
    );
  });

  it('given any text, then it is a value, a blank or a rejection, and nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 12 }), (text) => {
        try {
          const value = readTemperature(text, 'high_f');
          if (text !== '') expect(value).to.be.within(-150, 150);
        } catch (error) {
          expect(error).to.be.instanceOf(Rejection);
        }
      }),
    );
  });
});

describe('an instant of a feed', () => {
  const INSTANTS: [text: string, utc: string][] = [
    ['2026-01-05T06:00:00Z', '2026-01-05 06:00:00.000'],
    ['2026-01-05T06:00:00z', '2026-01-05 06:00:00.000'],
    ['2026-01-05t06:00:00z', '2026-01-05 06:00:00.000'],
    ['2026-01-05T06:00Z', '2026-01-05 06:00:00.000'],
    ['2026-01-05 06:00:00Z', '2026-01-05 06:00:00.000'],
    ['2026-01-05 06:00:00+00:00', '2026-01-05 06:00:00.000'],
    ['2026-01-05T06:00:00-06:00', '2026-01-05 12:00:00.000'],
    ['2026-01-05T06:00:00+0530', '2026-01-05 00:30:00.000'],
    ['2026-01-05T06:00:00+14', '2026-01-04 16:00:00.000'],
    ['2026-01-05T00:15:00+05:45', '2026-01-04 18:30:00.000'],
    ['2026-01-05T06:00:00.5Z', '2026-01-05 06:00:00.500'],
    ['2026-01-05T06:00:00,25Z', '2026-01-05 06:00:00.250'],
    ['2026-01-05T06:00:00.123456789Z', '2026-01-05 06:00:00.123'],
    ['2024-02-29T23:59:59.999Z', '2024-02-29 23:59:59.999'],
    ['1970-01-01T00:00:00Z', '1970-01-01 00:00:00.000'],
    ['2149-12-31T23:59:59Z', '2149-12-31 23:59:59.000'],
  ];
  for (const [text, utc] of INSTANTS) {
    it(`given ${text}, then it is ${utc} UTC`, () => {
      expect(instant(text)).to.equal(utc);
    });
  }

  const NO_INSTANTS: [what: string, text: string][] = [
    ['a blank', ''],
    ['no offset', '2026-01-05T06:00:00'],
    ['a date only', '2026-01-05'],
    ['a month that is none', '2026-13-05T06:00:00Z'],
    ['a day that is none', '2026-02-30T06:00:00Z'],
    ['a 29 February of a common year', '2026-02-29T06:00:00Z'],
    ['an hour that is none', '2026-01-05T25:00:00Z'],
    ['a minute that is none', '2026-01-05T06:60:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['an offset that is none', '2026-01-05T06:00:00+25:00'],
    ['an offset of 99 minutes', '2026-01-05T06:00:00+01:99'],
    ['a zone name', '2026-01-05T06:00:00[Europe/Berlin]'],
    ['seconds since 1970', '1767592800'],
    ['the American order', '01/05/2026 06:00:00Z'],
    ['a week date', '2026-W01-1T06:00:00Z'],
    ['a year of five digits', '+012026-01-05T06:00:00Z'],
    ['Arabic digits', '٢٠٢٦-01-05T06:00:00Z'],
    ['text after it', '2026-01-05T06:00:00Z;'],
    ['two blanks between', '2026-01-05  06:00:00Z'],
    ['the year 1969', '1969-12-31T23:59:59Z'],
    ['the year 1969 by its offset', '1970-01-01T00:00:00+01:00'],
    ['the year 2150', '2150-01-01T00:00:00Z'],
    ['the year 2150 by its offset', '2149-12-31T23:59:59-01:00'],
    ['the year 0', '0000-01-01T00:00:00Z'],
  ];
  for (const [what, text] of NO_INSTANTS) {
    it(`given ${what}, then it is rejected as a bad time, quoting it`, () => {
      const rejection = rejectionOf(() => instant(text));
      expect(rejection.reason).to.equal('bad time');
      expect(rejection.detail).to.contain(`"${text}"`);
    });
  }

  it('given any instant in any offset, then it is the same instant in UTC', () => {
    fc.assert(
      fc.property(
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
      ),
    );
  });
});

describe('a date of a feed', () => {
  for (const text of ['2026-01-05', '2024-02-29', '2000-02-29', '1970-01-01', '2149-06-06']) {
    it(`given ${text}, then it is taken`, () => {
      expect(calendarDate(text)).to.equal(text);
    });
  }

  const NO_DATES = [
    '',
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2026-00-10',
    '2026-13-01',
    '2026-1-5',
    '20260105',
    '2026/01/05',
    '05.01.2026',
    '2026-01-05T00:00:00Z',
    '2026-01-05 ',
    '1969-12-31',
    '2149-06-07',
    '٢٠٢٦-٠١-٠٥',
  ];
  for (const text of NO_DATES) {
    it(`given "${text}", then it is rejected as a bad date`, () => {
      expect(rejectionOf(() => calendarDate(text)).message).to.equal(`bad date: "${text}"`);
    });
  }

  it('given a rejected text again, then it is rejected again', () => {
    expect(rejectionOf(() => calendarDate('2026-02-31')).reason).to.equal('bad date');
    expect(rejectionOf(() => calendarDate('2026-02-31')).reason).to.equal('bad date');
  });
});

describe('a time zone of a feed', () => {
  for (const text of ['America/Chicago', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Etc/GMT+5', 'UTC']) {
    it(`given ${text}, then it is taken`, () => {
      expect(timeZone(text)).to.equal(text);
    });
  }

  for (const text of [
    '',
    'Mars/Olympus_Mons',
    'America',
    '+05:00',
    'UTC+5',
    'GMT-6',
    'local',
    'Central Time',
  ]) {
    it(`given "${text}", then it is rejected as unknown`, () => {
      expect(rejectionOf(() => timeZone(text)).message).to.equal(`unknown time zone: "${text}"`);
    });
  }
});

describe('a coordinate of a feed', () => {
  it('given a number within the bounds, bounds included, then it is taken', () => {
    expect(degrees('41.97', 'latitude', 90)).to.equal(41.97);
    expect(degrees('-90', 'latitude', 90)).to.equal(-90);
    expect(degrees('180', 'longitude', 180)).to.equal(180);
  });

  for (const text of ['', '90.0001', '-91', 'NaN', 'Infinity', '41,97', "41°58'N", '0x10', '0b11', '1e400']) {
    it(`given "${text}", then it is rejected, naming column and bounds`, () => {
      const rejection = rejectionOf(() => degrees(text, 'latitude', 90));
      expect(rejection.reason).to.equal('bad coordinate');
      expect(rejection.detail).to.equal(`latitude="${text}" is not within -90..90 degrees`);
    });
  }
});

describe('the detail of a rejection', () => {
  it('given a long text, then it is cut short', () => {
    const { detail } = rejectionOf(() => matching('x'.repeat(5000), 'status', /^no$/, 'no'));
    expect(detail).to.equal(`"${'x'.repeat(40)}…" is not no`);
  });

  it('given control characters, then they do not reach a terminal', () => {
    const { detail } = rejectionOf(() => calendarDate('\u001b[31m2026\r\n\u0000\u0085'));
    expect(detail).to.equal('"?[31m2026????"');
  });
});

describe('a temperature of a feed in °C', () => {
  for (const [text, value] of [
    ['', undefined],
    ['0', 32],
    ['-0', 32],
    ['21.5', 70.7],
    ['-17.78', 0],
    ['-17.777777777777777777777', 0],
    ['0.025', 32.05], // 32.045 °F: a tie
    ['-35.58', -32.04],
    ['-35.58055555555555555', -32.04],
    ['-35.575', -32.04], // -32.035 °F: away from zero
    ['+.5', 32.9],
    ['65.55', 149.99],
    ['-101.11', -150],
  ] as const) {
    it(`given "${text}", then it is ${value} °F`, () => {
      expect(celsius(text, 'high_c')).to.equal(value);
    });
  }

  for (const [text, reason] of [
    ['65.56', 'temperature outside -150..150 °F'], // 150.008 °F
    ['-101.12', 'temperature outside -150..150 °F'],
    ['9'.repeat(400), 'temperature outside -150..150 °F'],
    ['12,5', 'temperature is not a number'],
    ['1e1', 'temperature is not a number'],
  ] as const) {
    it(`given "${text.slice(0, 24)}", then it is rejected with its column`, () => {
      const rejection = rejectionOf(() => celsius(text, 'low_c'));
      expect(rejection.reason).to.equal(reason);
      expect(rejection.detail).to.match(/^low_c="/);
    });
  }

  it('given any 0.01 °C, then an answer in Celsius has it again', () => {
    const inUnit = degreesIn(temperatureSchema());
    for (let hundredths = -10_111; hundredths <= 6555; hundredths += 1) {
      const text = (hundredths / 100).toFixed(2);
      expect(inUnit?.(celsius(text, 'high_c'), 'celsius'), text).to.equal(hundredths / 100);
    }
  });

  it('given any decimal, then it is the exact value rounded to 0.01 °F, half away from zero', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -6_500_000, max: 6_500_000 }),
        fc.integer({ min: 5, max: 9 }),
        (digits, places) => {
          const scale = 10n ** BigInt(places);
          const size = BigInt(Math.abs(digits));
          const text = `${digits < 0 ? '-' : ''}${size / scale}.${String(size % scale).padStart(places, '0')}`;
          // 9/5 c + 32, as a fraction of hundredths.
          expect(celsius(text, 'high_c'), text).to.equal(
            roundedFraction(9n * 100n * BigInt(digits) + 32n * 100n * 5n * scale, 5n * scale),
          );
        },
      ),
    );
  });
});
