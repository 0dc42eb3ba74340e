import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { flag, integer, parseQuery, readParameters, word } from '../../../src/api/parameters.js';
import { dailyVariable, hourlyVariable, metric } from '../../../src/api/params/common.js';
import { VARIABLE_NAMES } from '../../../src/variables/variables.js';
import { forAny } from '../../support/property.js';

const SHAPE = {
  days: integer(1, 365, 90, 'days'),
  date_from: z.string().optional(),
  city: z.string().optional(),
  include_raw: flag(false, 'raw'),
  format: word(['json', 'csv'], 'format').optional(),
};

const read = (query: string) => readParameters(SHAPE, new URLSearchParams(query));
const faultsOf = (query: string) => read(query).issues;
const variableOf = (name: string, shape: z.ZodRawShape) =>
  readParameters(shape, new URLSearchParams({ metric: name })).issues[0]?.message;

// Guards how a query is read, whatever its parameters; what each of them takes is contract/endpoints/parameters.test.ts.
describe('readParameters', () => {
  it('given no query, then every parameter has its default', () => {
    expect(read('')).to.deep.equal({
      values: { days: 90, date_from: undefined, city: undefined, include_raw: false, format: undefined },
      issues: [],
    });
  });

  it('given blank parameters, then they count as absent', () => {
    expect(read('days=&city=&include_raw=&format=&date_from')).to.deep.equal(read(''));
  });

  it('given + and percent-encoding, then both are decoded once', () => {
    expect(read('city=S%C3%A3o+Paulo%2B').values.city).to.equal('São Paulo+');
    expect(read('city=%2541').values.city).to.equal('%41');
  });

  it('given a second ?, then it is a sign of the name or the value, wherever it stands', () => {
    expect([...parseQuery('/x??metric=low&a=b?c')]).to.deep.equal([
      ['?metric', 'low'],
      ['a', 'b?c'],
    ]);
    expect([...parseQuery('/x?a=1&?metric=low')].map(([name]) => name)).to.deep.equal(['a', '?metric']);
    expect([parseQuery('/x').size, parseQuery('/x?').size]).to.deep.equal([0, 0]);
  });

  it('given a word in other letters, misspelt, or of another service, then its own is told', () => {
    const shape = { metric: word(VARIABLE_NAMES, 'metric'), format: word(['json'], 'format').optional() };
    const messageOf = (query: string) => readParameters(shape, new URLSearchParams(query)).issues[0]?.message;
    const taken = `must be one of ${VARIABLE_NAMES.join(', ')}`;
    for (const [written, meant] of [
      ['HDD', 'hdd'],
      ['rain', 'wet_day'],
      ['wetday', 'wet_day'],
      ['tmax', 'high'],
      ['temprature', 'temperature'],
    ])
      expect(messageOf(`metric=${written}`)).to.equal(`${taken}; did you mean ${meant}?`);
    expect(messageOf('metric=pressure')).to.equal(taken);
    expect(messageOf(`metric=${'high'.repeat(20)}`)).to.equal(taken);
    expect(messageOf('metric=high&format=xml')).to.equal('must be json');
  });

  it('given a variable that this endpoint does not take, then the message says where it is answered', () => {
    const issue = variableOf('wet_day', metric.parameters);
    expect(issue).to.match(/^must be one of high, low; wet_day, .*\/accuracy\/events/);
    expect(variableOf('HDD', dailyVariable.parameters)).to.match(/did you mean hdd\?$/);
    expect(variableOf('rain', hourlyVariable.parameters)).to.match(
      /^must be one of temperature, .*; wet_day, /,
    );
  });

  it('given an unknown name unlike any other, then the message suggests none', () => {
    expect(faultsOf('api_key_header=1')[0]?.message).not.to.contain('did you mean');
  });

  it('given the other name of the day of a forecast, then the message suggests the one of this endpoint', () => {
    for (const [given, known] of [
      ['forecast_for_date', 'target_date'],
      ['target_date', 'forecast_for_date'],
      ['date', 'target_date'],
      ['day', 'forecast_for_date'],
      ['start_date', 'date_from'],
      ['until', 'date_to'],
    ] as const) {
      const shape = { [known]: z.string().optional(), target: z.string().optional() };
      const { issues: faults } = readParameters(shape, new URLSearchParams(`${given}=2026-01-01`));
      expect(faults[0]?.message).to.contain(`did you mean ${known}?`);
    }
  });

  it('given an unknown parameter without a value, then it is still a fault', () => {
    for (const query of ['date_form=', 'date_form'])
      expect(faultsOf(query).map(({ parameter }) => parameter)).to.deep.equal(['date_form']);
  });

  it('given a parameter with a name that objects have, then it is unknown like any other', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      expect(faultsOf(`${name}=1`).map(({ parameter }) => parameter)).to.deep.equal([name]);
  });

  it('given a very long unknown name, then the message clips it', () => {
    const [fault] = faultsOf(`${'x'.repeat(10_000)}=1`);
    expect(JSON.stringify(fault).length).to.be.below(300);
  });

  it('given an endpoint without parameters, then the message for an unknown one says so', () => {
    const { issues: faults } = readParameters({}, new URLSearchParams('days=7'));
    expect(faults[0]?.message).to.contain('this endpoint has no parameters');
  });

  it('given many faults, then the list has all of them', () => {
    const { issues: faults, values } = read(
      'days=0&days_=1&include_raw=maybe&format=xml&city=a&city=b&date_from=x',
    );
    expect(faults.map(({ parameter }) => parameter).sort()).to.deep.equal([
      'city',
      'days',
      'days_',
      'format',
      'include_raw',
    ]);
    expect(values.date_from).to.equal('x');
    expect(values).to.deep.include({ days: 90, include_raw: false });
    expect(values).not.to.have.any.keys('format');
  });

  it('given any query at all, then it is read or faulted, and days is a whole number within its bounds', () => {
    const name = fc.oneof(fc.constantFrom(...Object.keys(SHAPE)), fc.string({ maxLength: 8 }));
    forAny(
      fc.array(fc.tuple(name, fc.string({ unit: 'binary-ascii', maxLength: 5 })), { maxLength: 6 }),
      (pairs) => {
        const { values, issues: faults } = readParameters(SHAPE, new URLSearchParams(pairs));
        if (values.days !== undefined)
          expect(values.days).to.satisfy(Number.isInteger).and.to.be.within(1, 365);
        for (const [given] of pairs) {
          if (!Object.hasOwn(SHAPE, given)) expect(faults.length).to.be.above(0);
        }
      },
    );
  });
});
