import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { flag, integer, readParameters, word } from '../../../src/api/parameters.js';

const SHAPE = {
  days: integer(1, 365, 90, 'days'),
  date_from: z.string().optional(),
  city: z.string().optional(),
  include_raw: flag(false, 'raw'),
  format: word(['json', 'csv'], 'format').optional(),
};

const read = (query: string) => readParameters(SHAPE, new URLSearchParams(query));
const faultsOf = (query: string) => read(query).faults;

describe('readParameters', () => {
  it('given no query, then every parameter has its default', () => {
    expect(read('')).to.deep.equal({
      values: { days: 90, date_from: undefined, city: undefined, include_raw: false, format: undefined },
      faults: [],
    });
  });

  it('given values, then each is read', () => {
    expect(
      read('days=7&date_from=2026-01-01&city=New%20York&include_raw=true&format=csv').values,
    ).to.deep.equal({
      days: 7,
      date_from: '2026-01-01',
      city: 'New York',
      include_raw: true,
      format: 'csv',
    });
  });

  it('given blank parameters, then they count as absent', () => {
    expect(read('days=&city=&include_raw=&format=&date_from')).to.deep.equal(read(''));
  });

  it('given + and percent-encoding, then both are decoded once', () => {
    expect(read('city=S%C3%A3o+Paulo%2B').values.city).to.equal('São Paulo+');
    expect(read('city=%2541').values.city).to.equal('%41');
  });

  for (const days of [
    '0',
    '366',
    '-1',
    '1.5',
    '1e2',
    '0x10',
    ' 7',
    '7 ',
    'NaN',
    'true',
    '٧',
    '9'.repeat(20),
    '--1',
    '+7',
  ]) {
    it(`given days=${days}, then it is a fault that names the bounds`, () => {
      expect(faultsOf(`days=${encodeURIComponent(days)}`)).to.deep.equal([
        { parameter: 'days', message: 'must be a whole number from 1 to 365' },
      ]);
    });
  }

  it('given days=1, 365 and 007, then they are whole numbers within the bounds', () => {
    expect(read('days=1').values.days).to.equal(1);
    expect(read('days=365').values.days).to.equal(365);
    expect(read('days=007').values.days).to.equal(7);
  });

  for (const word of ['1', '0', 'yes', 'TRUE', 'on', 'null']) {
    it(`given include_raw=${word}, then it is a fault: only true and false are flags`, () => {
      expect(faultsOf(`include_raw=${word}`)).to.deep.equal([
        { parameter: 'include_raw', message: 'must be true or false' },
      ]);
    });
  }

  it('given include_raw=false, then it is false', () => {
    expect(read('include_raw=false').values.include_raw).to.equal(false);
  });

  it('given an unknown format, then it is a fault that names the formats', () => {
    expect(faultsOf('format=xml')).to.deep.equal([
      { parameter: 'format', message: 'must be one of json, csv' },
    ]);
  });

  it('given a parameter twice, even with equal or blank values, then it is a fault', () => {
    for (const query of ['days=7&days=7', 'days=7&days=', 'days=&days=']) {
      expect(faultsOf(query)).to.deep.equal([
        { parameter: 'days', message: 'is given 2 times; give it once' },
      ]);
    }
  });

  it('given an unknown parameter, then the message suggests the nearest known one, and names all', () => {
    const [fault] = faultsOf('date_form=2026-01-01');
    expect(fault?.parameter).to.equal('date_form');
    expect(fault?.message).to.contain('did you mean date_from?');
    expect(fault?.message).to.contain('days, date_from, city, include_raw, format');
  });

  it('given a known name in another case, then it is unknown, and the message suggests the right one', () => {
    expect(faultsOf('Days=7')[0]?.message).to.contain('did you mean days?');
  });

  it('given an unknown name unlike any other, then the message suggests none', () => {
    expect(faultsOf('api_key_header=1')[0]?.message).not.to.contain('did you mean');
  });

  it('given an unknown parameter without a value, then it is still a fault', () => {
    expect(faultsOf('date_form=').map(({ parameter }) => parameter)).to.deep.equal(['date_form']);
    expect(faultsOf('date_form').map(({ parameter }) => parameter)).to.deep.equal(['date_form']);
  });

  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    it(`given a parameter named ${name}, then it is unknown like any other`, () => {
      expect(faultsOf(`${name}=1`).map(({ parameter }) => parameter)).to.deep.equal([name]);
    });
  }

  it('given a very long unknown name, then the message clips it', () => {
    const [fault] = faultsOf(`${'x'.repeat(10_000)}=1`);
    expect(JSON.stringify(fault).length).to.be.below(300);
  });

  it('given an endpoint without parameters, then the message for an unknown one says so', () => {
    const { faults } = readParameters({}, new URLSearchParams('days=7'));
    expect(faults[0]?.message).to.contain('this endpoint takes none');
  });

  it('given many faults, then the list has all of them', () => {
    const { faults, values } = read('days=0&days_=1&include_raw=maybe&format=xml&city=a&city=b&date_from=x');
    expect(faults.map(({ parameter }) => parameter).sort()).to.deep.equal([
      'city',
      'days',
      'days_',
      'format',
      'include_raw',
    ]);
    expect(values.date_from).to.equal('x');
    expect(values).not.to.have.any.keys('days', 'include_raw', 'format');
  });

  it('given any query at all, then it is read or faulted, and days is a whole number within its bounds', () => {
    const name = fc.oneof(fc.constantFrom(...Object.keys(SHAPE)), fc.string({ maxLength: 8 }));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, fc.string({ unit: 'binary-ascii', maxLength: 5 })), { maxLength: 6 }),
        (pairs) => {
          const { values, faults } = readParameters(SHAPE, new URLSearchParams(pairs));
          if (values.days !== undefined)
            expect(values.days).to.satisfy(Number.isInteger).and.to.be.within(1, 365);
          for (const [given] of pairs) {
            if (!Object.hasOwn(SHAPE, given)) expect(faults.length).to.be.above(0);
          }
        },
      ),
    );
  });
});
