import { join } from 'node:path';
import { expect } from 'chai';
import { load } from '../../src/ingest/load.js';
import type { Rows } from '../../src/queries/sql.js';
import type { Alarm } from '../../src/monitoring/alarm.js';
import type { IssuanceRepeats } from '../../src/monitoring/issuance-repeats.js';
import { staleAlarms } from '../../src/monitoring/watch.js';
import { feedFile, folderOf, linesOf, rowsOf } from '../support/real-data.js';
import { openTestStore } from '../support/store.js';

// The alarms of real providers, load by load. The folder is no part of this repository.

const NWS = folderOf('NWS_2021_DIR');

describe('the watch over real providers', function () {
  this.timeout(900_000);

  it('given the National Weather Service for 164 cities, issuance by issuance, then nothing looks stale', async () => {
    const store = await openTestStore();
    const { watch, watch_failed } = await load(store, {
      stations: [join(NWS, 'stations.csv')],
      forecasts: feedFile('forecasts', linesOf(join(NWS, 'forecasts.csv.gz'))),
      observations: feedFile('observations', linesOf(join(NWS, 'observations.csv.gz'))),
    });
    const instants = [
      ...new Set(rowsOf(join(NWS, 'forecasts.csv.gz')).map(([, issued = '']) => Date.parse(issued))),
    ];
    instants.sort((a, b) => a - b);
    const told: string[] = [];
    let before: Alarm[] = [];
    for (const now of instants) {
      /** The store as it was at an issuance. */
      const query = async <Row>(rows: Rows<Row>): Promise<Row[]> => {
        const found = (await store.query(rows)) as IssuanceRepeats[];
        return found.flatMap((row) => {
          const kept = row.issued.filter((issued) => issued <= now);
          if (kept.length === 0) return [];
          return [{ ...row, issued: kept, repeated: row.repeated.slice(0, kept.length) }] as Row[];
        });
      };
      before = await staleAlarms({ query }, 'default', now, before);
      told.push(...before.map(({ message }) => message));
    }
    expect(told).to.deep.equal([]);
    expect(watch?.alarms, watch_failed).to.deep.equal([]);
    await store.close();
  });
});
