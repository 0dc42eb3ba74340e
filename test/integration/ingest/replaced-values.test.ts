import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { CHICAGO } from '../../support/ingest/loads.js';
import { range } from '../../support/runner/range.js';
import { openTestStore } from '../../support/store.js';

// A suspect row goes in with a warning alone: what right values does it replace?

describe('the warning of a row that replaces values of the store', () => {
  let store: Store;

  before(async () => {
    store = await openTestStore();
    await loadLines(store, {
      stations: [CHICAGO],
      forecasts: ['KORD,2026-09-09T00:00:00Z,2026-09-10,75,58'],
      observations: [
        'KORD,2026-09-10,76,57,preliminary,2026-09-10T23:00:00Z',
        'KORD,2026-09-11,77,56,verified,2026-09-12T12:00:00Z',
      ],
      normals: ['KORD,09-10,74,55'],
      hours: ['KORD,2026-09-10T12:51:00Z,60'],
    });
  });
  after(() => store.close());

  const told = async (lines: FeedLines): Promise<string[]> => {
    // A strict load refuses each row, so that the next one finds the same store.
    const { warnings } = await loadLines(store, lines, { strict: true });
    return warnings.map(({ first: { detail } }) => detail);
  };

  it('given a row of each feed, then its warning names the values that the store has in its place', async () => {
    const inFahrenheit = await told({
      forecasts: ['KORD,2026-09-09T00:00:00Z,2026-09-10,20,40'],
      normals: ['KORD,09-10,20,55'],
      hours: ['KORD,2026-09-10T12:51:00Z,140', 'KORD,2026-09-10T13:51:00Z,61'],
    });
    expect(inFahrenheit).to.include.members([
      'high_f=20, low_f=40; in place of high_f=75, low_f=58',
      'high_f=20, low_f=55; in place of high_f=74',
    ]);
    expect(inFahrenheit.find((detail) => detail.startsWith('temp_f=140'))).to.match(
      /; in place of temp_f=60$/,
    );
    const celsius = { unit: 'celsius', observations: ['KORD,2026-09-10,5,10,verified,2026-09-12T12:00:00Z'] };
    expect(await told(celsius as FeedLines)).to.include(
      'high_c=5, low_c=10; in place of high_c=24.44, low_c=13.89',
    );
  });

  it('given a row that adds values, or a report that is not the best of its day, then nothing is replaced', async () => {
    for (const line of range({ test: 2, ci: Infinity }, [
      'KORD,2026-09-12,20,40,verified,2026-09-13T12:00:00Z',
      'KORD,2026-09-11,20,40,preliminary,2026-09-12T13:00:00Z',
      'KORD,2026-09-11,20,40,verified,2026-09-12T11:00:00Z',
      'KORD,2026-09-10,20,40,preliminary,2026-09-10T22:00:00Z',
    ]))
      for (const detail of await told({ observations: [line] })) expect(detail).not.to.contain('in place of');
  });
});
