import { expect } from 'chai';
import { DAY_MS } from '../../../src/statistics/time/calendar.js';
import { type StationPlace, type Reading, type Request } from '../../../src/collect/source.js';
import { iemDaily } from '../../../src/collect/sources/iem-daily.js';
import { fixture } from '../../support/collect/fixtures.js';
import { iemDaily as stub } from '../../support/collect/stub/iem-daily.js';
import { readingsOf, spanOf } from '../../support/collect/reading.js';
import { EGLL, KNYC, LFPG, observed, RJTT } from '../../support/collect/world.js';

const CSV = fixture('daily-gb.csv');
const EGLC: StationPlace = { ...EGLL, station_id: 'EGLC', city_name: 'London City' };
const at = (text: string): number => Date.parse(text);
const ASKED_MS = at('2026-10-01T12:00Z');
const SEPTEMBER = spanOf('2026-09-26', '2026-10-01');

const request = (places: readonly StationPlace[] = [EGLC, EGLL], requested_ms = ASKED_MS): Request => ({
  paths: [''],
  covers: places.map((place) => ({ place, span: SEPTEMBER })),
  requested_ms,
});
const read = (body: string, asked = request()): Reading => iemDaily.read([body], asked);

describe('observations of airports, from daily summaries', () => {
  it('have a time that follows from their date alone, by the local day until they are verified', () => {
    const observedAt = (requested_ms: number): string | undefined =>
      read(CSV, request([EGLL], requested_ms)).rows.find(({ date }) => date === '2026-09-27')?.observed_at;
    // London is an hour ahead.
    expect(observedAt(at('2026-09-27T22:59:59Z')), 'while the day runs').to.equal(undefined);
    expect(observedAt(at('2026-09-27T23:00Z'))).to.equal('2026-09-27T23:00:00.000Z');
    expect(observedAt(at('2026-09-29T23:59:59Z'))).to.equal('2026-09-27T23:00:00.000Z');
    expect(observedAt(at('2026-09-30T00:00Z'))).to.equal('2026-09-30T00:00:00.000Z');
    expect(observedAt(at('2027-09-30T00:00Z'))).to.equal('2026-09-30T00:00:00.000Z');
  });

  it('that are absent are a gap once no later pass would look for them', () => {
    const gaps = (requested_ms: number): string[] =>
      read(CSV, request([EGLC], requested_ms)).gaps.map(
        (gap) =>
          `${new Date(gap.span.from_ms).toISOString().slice(8, 10)}+${(gap.span.to_ms - gap.span.from_ms) / DAY_MS}`,
      );
    expect(gaps(at('2026-09-30T00:00Z'))).to.deep.equal([]);
    expect(gaps(ASKED_MS)).to.deep.equal(['26+1']);
    expect(gaps(at('2026-10-09T00:00Z'))).to.deep.equal(['26+1', '29+2']);
  });

  it('are asked for once for a network and a year, without what has not begun and without climate reports', () => {
    const now = at('2026-01-02T15:00Z');
    const KMDW: StationPlace = { ...EGLL, station_id: 'KMDW', country: 'US', daily_network: 'IL_ASOS' };
    const needs = [EGLC, EGLL, { ...KMDW, day_boundary: 'standard' as const }, KNYC].map((place) => ({
      place,
      span: spanOf('2025-12-30', '2026-01-09'),
    }));
    const requests = iemDaily.plan(needs, now);
    const [rest, query] = [
      '&var=max_temp_f,min_temp_f,max_wind_speed_kts,max_wind_gust_kts&na=blank&format=csv',
      '/cgi-bin/request/daily.py?network=',
    ];
    expect(requests.flatMap(({ paths }) => paths)).to.deep.equal([
      `${query}GB__ASOS&stations=EGLC,EGLL&sts=2026-01-01&ets=2026-01-02${rest}`,
      `${query}IL_ASOS&stations=MDW&sts=2026-01-01&ets=2026-01-02${rest}`,
      `${query}GB__ASOS&stations=EGLC,EGLL&sts=2025-12-30&ets=2025-12-31${rest}`,
      `${query}IL_ASOS&stations=MDW&sts=2025-12-30&ets=2025-12-31${rest}`,
    ]);
    expect(
      iemDaily.read([`${CSV.split('\n')[0]}\nMDW,2025-12-30,40.0,30.0,,\n`], requests[3] as Request).rows,
    )
      .to.have.length(1)
      .and.to.have.nested.property('[0].station_id', 'KMDW');
  });

  it('are what the world says, of each day that is over', () => {
    const now = at('2026-01-04T13:00Z');
    const window = spanOf('2025-10-20', '2026-01-05');
    const readings = readingsOf(iemDaily, stub, [EGLL, LFPG, RJTT], window, now);
    expect(readings.flatMap(({ unusable, gaps }) => [...unusable, ...gaps])).to.deep.equal([]);
    const rows = readings.flatMap((reading) => reading.rows);
    for (const { station_id = '', date = '', high_f, low_f } of rows) {
      const truth = observed(station_id, date);
      expect({ high_f, low_f }).to.deep.equal({ high_f: `${truth.high_f}`, low_f: `${truth.low_f}` });
    }
    // 12 + 30 + 31 + 3 days.
    expect(new Set(rows.map(({ station_id, date }) => `${station_id} ${date}`)).size).to.equal(3 * 76);
    expect(rows).to.have.length(3 * 76);
  });
});
