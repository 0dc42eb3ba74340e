import { expect } from 'chai';
import { InvalidParamsError } from '../../../src/api/parameters.js';
import { withinReach } from '../../../src/probability/training/archive.js';

describe('a request about past forecasts, each predicted anew', () => {
  it('given 366 days, then it is allowed; given 367, then its first day is refused, with both numbers', () => {
    expect(() => withinReach({ days_analyzed: 366 })).to.not.throw();
    expect(() => withinReach({ days_analyzed: 367 }))
      .to.throw(InvalidParamsError)
      .with.deep.property('issues', [
        {
          parameter: 'date_from',
          message: 'begins a window of 367 days; each is predicted anew, so at most 366 are allowed',
        },
      ]);
  });
});
