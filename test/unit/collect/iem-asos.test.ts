import { expect } from 'chai';
import { DAY_MS, HOUR_MS } from '../../../src/statistics/time/calendar.js';
import type { Reading, Request, StationPlace } from '../../../src/collect/source.js';
import { iemAsos } from '../../../src/collect/sources/iem-asos.js';
import { asosRows, iemAsos as stub } from '../../support/collect/stub/iem-asos.js';
import { answered as answeredTo, inOrder, spanOf } from '../../support/collect/reading.js';
import { EGLL, KNYC, KORD, RJTT } from '../../support/collect/world.js';

const at = (text: string): number => Date.parse(text);
const NOW = at('2026-03-10T12:13:14Z');
const LAST_HOURS = { from_ms: NOW - 6 * HOUR_MS, to_ms: NOW };

const REST = '&tz=UTC&format=onlycomma&missing=M';
const pathOf = (stations: string, sts: string, ets: string): string =>
  `/cgi-bin/request/asos.py?station=${stations}&data=metar&report_type=3,4&sts=${sts}&ets=${ets}${REST}`;

const answered = (request: Request): Reading => answeredTo(iemAsos, stub, request, NOW);

describe('reports of airports', () => {
  it('of a long time are asked for by station and year, the newest first, and read as the world says', () => {
    const long = spanOf('2024-12-30', '2026-03-10T12:13:14Z');
    const requests = iemAsos.plan(
      [KNYC, EGLL].map((place) => ({ place, span: long })),
      NOW,
    );
    expect(requests.flatMap(({ paths }) => paths)).to.deep.equal([
      pathOf('NYC', '2026-01-01T00:00Z', '2026-03-10T12:14Z'),
      pathOf('EGLL', '2026-01-01T00:00Z', '2026-03-10T12:14Z'),
      pathOf('NYC', '2025-01-01T00:00Z', '2026-01-01T00:00Z'),
      pathOf('EGLL', '2025-01-01T00:00Z', '2026-01-01T00:00Z'),
      pathOf('NYC', '2024-12-30T00:00Z', '2025-01-01T00:00Z'),
      pathOf('EGLL', '2024-12-30T00:00Z', '2025-01-01T00:00Z'),
    ]);
    const rows = requests.flatMap((request) => {
      const reading = answered(request);
      expect([...reading.unusable, ...reading.gaps]).to.be.empty;
      return reading.rows;
    });
    expect(inOrder(rows)).to.deep.equal(inOrder([KNYC, EGLL].flatMap((place) => asosRows(place, long, NOW))));
    // The world has each kind of value, and several in one report.
    for (const name of ['max_6h_c', 'min_6h_c', 'precip_in'])
      expect(rows.filter((row) => row[name] !== '').length, name).to.be.above(100);
    expect(new Set(rows.map(({ sky }) => sky))).to.deep.equal(new Set(['CLR', 'FEW', 'BKN', 'OVC', 'VV']));
  });

  it('of the last hours are asked for at once, whatever of them is needed, and those of a missing day too', () => {
    const needs = [
      ...[KNYC, KORD, EGLL].map((place) => ({ place, span: LAST_HOURS })),
      { place: KNYC, span: { from_ms: NOW - 50 * HOUR_MS, to_ms: NOW - 30 * HOUR_MS } },
      ...[RJTT, EGLL].map((place) => ({ place, span: spanOf('2026-02-03', '2026-02-04') })),
    ];
    const requests = iemAsos.plan(needs, NOW);
    expect(requests.flatMap(({ paths }) => paths)).to.deep.equal([
      pathOf('NYC,ORD,EGLL', '2026-03-08T10:13Z', '2026-03-10T12:14Z'),
      pathOf('RJTT,EGLL', '2026-02-03T00:00Z', '2026-02-04T00:00Z'),
    ]);
    const [{ rows }, day] = requests.map(answered) as [Reading, Reading];
    expect(rows).to.have.deep.members([
      ...[KNYC, KORD, EGLL].flatMap((place) => asosRows(place, LAST_HOURS, NOW)),
      ...asosRows(KNYC, needs[3]?.span ?? LAST_HOURS, NOW),
    ]);
    expect(new Set(day.rows.map(({ station_id }) => station_id))).to.deep.equal(new Set(['RJTT', 'EGLL']));
  });

  it('are asked for of at most 100 stations at once', () => {
    const places = Array.from({ length: 201 }, (_, each): StationPlace => ({
      ...KNYC,
      station_id: `K${each + 100}`,
    }));
    const requests = iemAsos.plan(
      places.map((place) => ({ place, span: LAST_HOURS })),
      NOW,
    );
    expect(requests.map(({ covers }) => covers.length)).to.deep.equal([100, 100, 1]);
    for (const { paths } of requests) expect(paths[0]?.length).to.be.below(1000);
  });

  it('are expected each hour, and are a gap where a whole day has none', () => {
    expect(iemAsos.expected(LAST_HOURS, NOW)).to.equal(6);
    const covers = [{ place: KNYC, span: spanOf('2026-03-05T09:00Z', '2026-03-09T15:00Z') }];
    const request: Request = { paths: [''], covers, requested_ms: NOW };
    const read = (...valid: string[]): string[] =>
      iemAsos
        .read(
          [['station,valid,metar', ...valid.map((one) => `NYC,${one},KNYC CLR 10/05`), ''].join('\n')],
          request,
        )
        .gaps.map(
          (gap) =>
            `${new Date(gap.span.from_ms).toISOString().slice(5, 10)}+${(gap.span.to_ms - gap.span.from_ms) / DAY_MS}`,
        );
    expect(read()).to.deep.equal(['03-06+3']);
    expect(read('2026-03-07 12:00')).to.deep.equal(['03-06+1', '03-08+1']);
    expect(read('2026-03-06 00:00', '2026-03-07 23:59', '2026-03-08 09:00')).to.deep.equal([]);
  });

  it('of one time are in no order, and the last correction counts', () => {
    const request: Request = { paths: [''], covers: [{ place: KNYC, span: LAST_HOURS }], requested_ms: NOW };
    const words = { 10: '', 20: 'CCA ', 30: 'CCB ' };
    const lines = Object.entries(words).map(
      ([t, word]) => `NYC,2026-03-10 07:51,KNYC 100751Z ${word}27010KT ${t}/05`,
    );
    const [a = '', b = '', c = ''] = lines;
    for (const [order, temp_c] of [
      [[a, b, c], '30'],
      [[c, b, a], '30'],
      [[b, c, a], '30'],
      [[b, a], '20'],
      [[a], '10'],
    ] as const) {
      const { rows } = iemAsos.read([['station,valid,metar', ...order, ''].join('\n')], request);
      expect(rows.map((row) => row.temp_c)).to.deep.equal([temp_c]);
    }
  });

  it('are asked for each hour after most of them are out, and once a day four days again', () => {
    expect(iemAsos.schedule).to.deep.equal([
      { cron: '10 * * * *', overlap_ms: 6 * HOUR_MS },
      { cron: '40 3 * * *', overlap_ms: iemAsos.overlap_ms },
    ]);
    expect(iemAsos.overlap_ms).to.equal(4 * DAY_MS);
  });
});
