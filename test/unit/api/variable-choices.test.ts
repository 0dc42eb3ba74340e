import { expect } from 'chai';
import { readParameters } from '../../../src/api/parameters.js';
import { choices } from '../../../src/api/params/variable-choices.js';

/** The choices of a request, or its issues. */
function chosen(query: string): unknown {
  const { values, issues } = readParameters(choices.parameters, new URLSearchParams(query));
  const found = choices.read(values, {} as never);
  const all = [...issues, ...(Array.isArray(found) ? found : [])];
  if (all.length > 0) return all.map(({ parameter, message }) => `${parameter} ${message}`);
  return (found as (present: never) => unknown)({} as never);
}

// Guards what no feed shows: which texts are a choice, and that requests for the same have one key.
describe('the choices of a variable', () => {
  it('given a choice of another variable, without a unit or beyond its range, then the way out is told', () => {
    expect(chosen('metric=high&base=18c&wet_at=1mm')).to.deep.equal([
      'wet_at is for metric=wet_day, wet_12h, wet_6h, wet_1h alone; leave it out',
      'base is for metric=hdd, cdd, gdd alone; leave it out',
    ]);
    expect(chosen('metric=hdd&cap=86f')).to.deep.equal(['cap is for metric=gdd alone; leave it out']);
    expect(chosen('metric=gdd&base=86f')).to.deep.equal([
      'cap must be above the base; raise it, or lower the base',
    ]);
    for (const base of ['65', '18.33c', '31f', '18k', '6e1f', '-1c'])
      expect(chosen(`metric=hdd&base=${base}`), base).to.deep.equal([
        'base must be a number with its unit, 32f to 104f or 0c to 40c; write it as in 18c',
      ]);
    expect(chosen('metric=wet_day&wet_at=0.1mm')).to.have.lengthOf(1);
  });

  it('given any unit, then choices are whole steps; the defaults are none, so a response is cached once', () => {
    expect(chosen('metric=hdd&base=18C&method=nws')).to.deep.equal({ base: 6440, method: 'nws' });
    expect(chosen('metric=gdd&base=10c&cap=30.5c')).to.deep.equal({ cap: 8690 });
    expect(chosen('metric=wet_day&wet_at=1mm')).to.deep.equal({ wet_at: 4 });
    for (const query of [
      'hdd&base=65f&method=exact',
      'gdd&cap=30c',
      'wet_day&wet_at=0.2mm',
      'wet_day&wet_at=0.01IN',
    ])
      expect(chosen(`metric=${query}`), query).to.equal(undefined);
  });
});
