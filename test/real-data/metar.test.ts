import { join } from 'node:path';
import { expect } from 'chai';
import { iemAsos } from '../../src/collect/sources/iem-asos.js';
import { metarText } from '../support/collect/metar.js';
import { folderOf, rowsOf } from '../support/real-data.js';
import { place } from '../support/collect/world.js';

// Four months of reports of Las Vegas, as somebody else has read them: written as reports again, they are read as the same
// numbers. The folder is named by HOURS_DIR; it is not part of this repository.

const KLAS = place('KLAS', 'Las Vegas', 36.0719, -115.1634, 'America/Los_Angeles', { wfo: 'VEF' });

const REPORTS = rowsOf(join(folderOf('HOURS_DIR'), 'klas-metar.csv.gz')).map(
  ([, at = '', , tenths = '', body = '', max = '']) => ({ at_ms: Date.parse(at), tenths, body, max }),
);

const numberOf = (cell: string): number | undefined => (cell === '' ? undefined : Number(cell));

describe('given four months of reports of Las Vegas', () => {
  it('when they are written as reports, then temperatures and maxima of six hours are read as they were', () => {
    const lines = REPORTS.map(({ at_ms, tenths, body, max }) => {
      const text = metarText({
        station_id: 'KLAS',
        at_ms,
        body_c: Number(body),
        tenths_c: numberOf(tenths),
        max_6h_c: numberOf(max),
        sky: 'CLR',
      });
      return `LAS,${new Date(at_ms).toISOString().slice(0, 16).replace('T', ' ')},${text}\n`;
    });
    const span = { from_ms: Date.parse('2026-04-22'), to_ms: Date.parse('2026-08-23') };
    const { rows, unusable } = iemAsos.read([`station,valid,metar\n${lines.join('')}`], {
      paths: [''],
      covers: [{ place: KLAS, span }],
      requested_ms: span.to_ms,
    });
    expect(unusable).to.be.empty;
    const read = rows.map(({ at = '', temp_c, max_6h_c }) => [Date.parse(at), temp_c, max_6h_c]);
    expect(read).to.deep.equal(
      REPORTS.map(({ at_ms, tenths, body, max }) => [
        at_ms,
        `${numberOf(tenths) ?? Number(body)}`,
        `${numberOf(max) ?? ''}`,
      ]),
    );
    expect(rows.filter(({ max_6h_c }) => max_6h_c !== '').length).to.equal(456);
    console.log(`      reports read: ${rows.length}`);
  });
});
