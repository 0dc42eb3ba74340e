import { availableParallelism } from 'node:os';
import { expect } from 'chai';
import { queriesAtOnce } from '../../../src/store/engine/embedded.js';

describe('queries that the embedded engine runs at once', () => {
  const threads = process.env.UV_THREADPOOL_SIZE;
  afterEach(() => {
    process.env.UV_THREADPOOL_SIZE = threads;
  });

  it('given the threads that the program makes, then they are two a processor, and 8 at most', () => {
    process.env.UV_THREADPOOL_SIZE = '24';
    expect(queriesAtOnce()).to.equal(Math.min(8, 2 * availableParallelism()));
  });

  it('given few threads, then writes and short statements keep theirs, and one query runs', () => {
    for (const few of ['1', '4', '12']) {
      process.env.UV_THREADPOOL_SIZE = few;
      expect(queriesAtOnce()).to.equal(1);
    }
  });
});
