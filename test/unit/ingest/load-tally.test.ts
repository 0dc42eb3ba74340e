import { expect } from 'chai';
import { LoadTally } from '../../../src/ingest/load-tally.js';
import { UnreadableFeed } from '../../../src/ingest/read/header.js';

describe('the blank lines of a file', () => {
  it('given 100,000 more of them than rows, then the file is read; one more, and it is refused', () => {
    for (const rows of [0, 3]) {
      const file = new LoadTally(undefined).beginFile('hours', 'hours.csv', 0);
      file.countRows(rows);
      for (let blank = 0; blank < 100_000 + rows; blank += 1) file.onBlank();
      expect(file.onBlank, `${rows} rows`).to.throw(UnreadableFeed, 'has 100000 more blank lines than rows');
    }
  });
});
