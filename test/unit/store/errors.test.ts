import { expect } from 'chai';
import { OperatorFault } from '../../../src/operator-fault.js';
import {
  isConnectionLost,
  QueryTimeout,
  StoreDamaged,
  storeError,
  StoreUnavailable,
} from '../../../src/store/errors.js';

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

  it('given a server that lost its connection to another, then a read is asked again, and nothing is called damaged', () => {
    // As they are told when a replica is killed, code 32 also where a part lacks bytes.
    const told = [
      ['32', 'Attempt to read after eof: while receiving packet from 127.0.0.1:9000: While executing Remote'],
      ['210', 'Connection reset by peer, while reading from socket (127.0.0.1:9000)'],
      ['279', 'All connection tries failed. Log: \n\nCode: 210. DB::NetException: Connection refused'],
    ].map(([code, message]) => Object.assign(new Error(message), { code }));
    for (const error of told) {
      expect(isConnectionLost(error), error.message).to.be.true;
      expect(storeError(error), error.message).to.be.instanceOf(StoreUnavailable);
    }
    const damaged = Object.assign(new Error('Attempt to read after eof: (while reading from part x)'), {
      code: '32',
    });
    expect(isConnectionLost(damaged)).to.be.false;
    expect(storeError(damaged)).to.be.instanceOf(StoreDamaged);
  });
});
