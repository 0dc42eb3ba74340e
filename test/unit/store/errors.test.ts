import { expect } from 'chai';
import { OperatorFault } from '../../../src/operator-fault.js';
import { QueryTimeout, storeError } from '../../../src/store/errors.js';

describe('storeError', () => {
  it('given a statement that took too long, as one ON CLUSTER does while a server is away, then a command can tell it in one line', () => {
    const told = Object.assign(new Error('Distributed DDL task is not finished on 1 of 4 hosts'), {
      code: '159',
    });
    const error = storeError(told);
    expect(error).to.be.instanceOf(QueryTimeout);
    expect(error).to.be.instanceOf(OperatorFault);
    expect((error as Error).message).to.equal(told.message);
  });
});
