import { expect } from 'chai';
import type { ValueFeed } from '../../../src/feeds/feeds.js';
import type { Cells } from '../../../src/ingest/read/feed-rows.js';
import { quotedCells } from '../../../src/ingest/check/suspect-rows.js';
import { PAIR_COLUMNS, StagedSummary } from '../../../src/ingest/stage/staged-summary.js';
import { said } from '../../support/ingest/rows.js';

// Pairs of a row beside high and low, which rejections.test.ts has: what is beyond rounding, and how a warning quotes it.

describe('values of a row that contradict each other', () => {
  for (const [feed, cells, reason, quoted] of [
    ['hours', { temp_f: '50', dew_point_f: '51.8' }, undefined, ''],
    [
      'hours',
      { temp_f: '50', dew_point_f: '51.9' },
      'temperature below dew point',
      'temp_f=50, dew_point_f=51.9',
    ],
    [
      'hourly_forecasts',
      { temp_f: '', temp_c: '10', dew_point_c: '50' },
      'temperature below dew point',
      'temp_c=10, dew_point_c=50',
    ],
    ['hours', { temp_f: '', dew_point_f: '70' }, undefined, ''],
    ['hours', { wind_kt: '11', gust_kt: '10' }, undefined, ''],
    ['hours', { wind_kt: '12', gust_kt: '0' }, 'wind gust below wind speed', 'gust_kt=0, wind_kt=12'],
    ['hours', { wind_ms: '12', gust_kmh: '40' }, 'wind gust below wind speed', 'gust_kmh=40, wind_ms=12'],
    ['observations', { max_wind_kt: '20', max_gust_mph: '26' }, undefined, ''],
    [
      'observations',
      { max_wind_kt: '20', max_gust_mph: '20' },
      'max gust below max wind',
      'max_gust_mph=20, max_wind_kt=20',
    ],
  ] as [ValueFeed, Record<string, string>, string | undefined, string][])
    it(`given ${JSON.stringify(cells)} in ${feed}, then ${reason ?? 'nothing'} is told`, () => {
      const summary = new StagedSummary();
      summary.add(feed, 7, said(feed, cells) as Cells);
      const told = summary.getFlagged([]);
      expect(told).to.deep.equal(reason ? [{ feed, reason, rows: 1, first_row: 7 }] : []);
      expect(reason ? quotedCells(PAIR_COLUMNS[reason]!, cells) : '').to.equal(quoted);
    });
});
