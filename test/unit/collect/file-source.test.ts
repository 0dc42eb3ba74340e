import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import { toSource } from '../../../src/collect/files/file-source.js';
import { fillPath } from '../../../src/collect/files/placeholders.js';
import { parseSourceFile } from '../../../src/collect/files/source-file.js';
import {
  type FeedLine,
  GapError,
  type PublicSource,
  type Reading,
  type StationPlace,
} from '../../../src/collect/source.js';
import { DAY_MS, HOUR_MS } from '../../../src/statistics/time/calendar.js';
import { EGLL, KNYC } from '../../support/collect/world.js';

const NOW = Date.parse('2026-11-10T12:00:00Z');
const BERLIN: StationPlace = { ...EGLL, timezone: 'Europe/Berlin' };

/** A source of reports within the day, with fields of its own. */
const sourceOf = (fields: string, columns = 'at: t, temp_c: v', kind = 'hours'): PublicSource =>
  toSource(
    parseSourceFile(
      `name: own\nattribution: Me\nkind: ${kind}\ncolumns: { ${columns} }\n` +
        (fields.includes('url:') ? '' : 'url: https://a.example/{from}/{to}\n') +
        fields,
      'own.yaml',
    ),
  );

async function read(
  source: PublicSource,
  body: unknown,
  {
    place = BERLIN,
    days = 40,
    headers = {},
  }: { place?: StationPlace; days?: number; headers?: IncomingHttpHeaders } = {},
): Promise<Reading> {
  const covers = [{ place, span: { from_ms: NOW - days * DAY_MS, to_ms: NOW } }];
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return source.read([text], { paths: [''], covers, requested_ms: NOW }, headers);
}
const failureOf = async (reading: Promise<Reading>): Promise<unknown> =>
  reading.then(
    () => 'read',
    (error: unknown) => (error instanceof GapError ? error.message : error),
  );
const cellsOf = (rows: readonly FeedLine[] = [], ...columns: string[]): string[] =>
  rows.map((row) => columns.map((column) => (row[column] ?? '?').replace(':00.000Z', 'Z') || '-').join(' '));
const hour = (t: string, v: unknown): object => ({ t, v });

describe('the rows of a source file', () => {
  // No other test holds a format to the same rows.
  for (const [format, body] of [
    ['json', [hour('2026-11-09T10:00Z', 7.5), hour('2026-11-09T11:00Z', 8)]],
    ['csv', 't,v\n2026-11-09T10:00Z,7.5\n2026-11-09T11:00Z,8\n'],
    ['csv\ndelimiter: ";"', '\ufefft;v\r\n2026-11-09T10:00Z;7.5\r\n2026-11-09T11:00Z;8\r\n'],
    ['ndjson', '{"t":"2026-11-09T10:00Z","v":7.5}\n{"t":"2026-11-09T11:00Z","v":8}\n'],
    [
      'xml\nrows: d.r',
      '<d><r><t>2026-11-09T10:00Z</t><v>7.5</v></r><r><t>2026-11-09T11:00Z</t><v>8</v></r></d>',
    ],
    [
      'xml\nrows: "d.r.{\\"t\\": _t, \\"v\\": text}"',
      '<d><r t="2026-11-09T10:00Z">7.5</r><r t="2026-11-09T11:00Z">8</r></d>',
    ],
  ] as const) {
    const source = (): PublicSource => sourceOf(`format: ${format}`);
    it(`given ${format.replace('\n', ', ')}, then the same rows`, async () => {
      const { rows, unusable } = await read(source(), body);
      expect(cellsOf(rows, 'station_id', 'at', 'temp_c')).to.deep.equal([
        'EGLL 2026-11-09T10:00Z 7.5',
        'EGLL 2026-11-09T11:00Z 8',
      ]);
      expect(unusable).to.be.empty;
    });
    it(`given ${format.replace('\n', ', ')} that breaks off, then no row is read`, async () => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      for (const length of [text.length - 1, Math.floor(text.length / 2), 0])
        expect(await failureOf(read(source(), text.slice(0, length))))
          .to.be.a('string')
          .and.not.equal('read');
    });
  }

  it('given values that no feed has, then they are left blank and named; a row without any is left out', async () => {
    const body = [
      hour('2026-11-09T10:00Z', 999),
      hour('2026-11-09T11:00Z', -99),
      hour('2026-11-09T12:00Z', null),
      hour('2026-11-09T13:00Z', 7),
    ];
    const { rows, unusable } = await read(sourceOf('missing: [-99]'), body);
    expect(cellsOf(rows, 'at', 'temp_c')).to.deep.equal(['2026-11-09T13:00Z 7']);
    expect(unusable).to.deep.equal([{ unit: 'EGLL 2026-11-09T10:00Z', reason: '999 is no value of temp_c' }]);
  });

  it('given a list for each value, then rows of one time are joined, and two values of one leave it blank', async () => {
    const source = sourceOf('rows: $append(a, b)', 'at: t, temp_c: v, wind_kt: w');
    const at = '2026-11-09T10:00Z';
    const joined = await read(source, { a: [hour(at, 1)], b: [{ t: at, w: 5 }] });
    expect(cellsOf(joined.rows, 'temp_c', 'wind_kt')).to.deep.equal(['1 5']);
    const twice = await read(source, { a: [hour(at, 1), hour(at, 2), hour(at, 1)], b: [{ t: at, w: 5 }] });
    expect(cellsOf(twice.rows, 'temp_c', 'wind_kt')).to.deep.equal(['- 5']);
    expect(twice.unusable[0]?.reason).to.equal('has two values of temp_c');
  });

  describe('at times without a zone', () => {
    const timesOf = async (zone: string, ...texts: string[]): Promise<string[]> => {
      const body = texts.map((text, at) => hour(text, at));
      const reading = await read(sourceOf(zone), body, { days: 400 }).catch((error: unknown) => error);
      if (reading instanceof GapError) return [reading.message];
      const { rows, unusable } = reading as Reading;
      return [...cellsOf(rows, 'at'), ...unusable.map(({ reason }) => reason)];
    };
    it('given a zone, then they are of it; given another offset, then that holds', async () => {
      for (const zone of ['zone: Europe/Berlin', 'zone: station'])
        expect(
          await timesOf(zone, '2026-07-01T12:00', '2026-11-01 12:00:00', '2026-11-01T12:00+0500'),
        ).to.deep.equal(['2026-07-01T10:00Z', '2026-11-01T11:00Z', '2026-11-01T07:00Z']);
      expect(await timesOf('zone: UTC', '2026-07-01 12:00')).to.deep.equal(['2026-07-01T12:00Z']);
    });
    it('given the hour that clocks show twice, then both are read in their order, and one alone is not', async () => {
      const [first, both, last] = ['2026-10-25T01:30', '2026-10-25T02:30', '2026-10-25T03:30'] as const;
      const instants = ['2026-10-24T23:30Z', '2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-25T02:30Z'];
      expect(await timesOf('zone: station', first, both, both, last)).to.deep.equal(instants);
      expect(await timesOf('zone: station', last, both, both, first)).to.deep.equal(instants.toReversed());
      expect(await timesOf('zone: station', first, both, last)).to.deep.equal([
        ...[instants[0], instants[3]],
        'at: 2026-10-25T02:30 comes twice in Europe/Berlin, and not here',
      ]);
    });
    it('given the hour that clocks leave out, no zone, or no time, then it is named', async () => {
      expect(await timesOf('zone: station', '2026-03-29T02:30')).to.deep.equal([
        'at: 2026-03-29T02:30 is no time in Europe/Berlin',
      ]);
      expect(await timesOf('', '2026-03-29T12:30')).to.deep.equal([
        'at: 2026-03-29T12:30 has no zone; give zone',
      ]);
      for (const text of ['2026-02-30T12:00', '12:00', '2026-02-30T12:00Z', '1767225600'])
        expect(await timesOf('zone: UTC', text)).to.deep.equal([`at: ${text} is no time`]);
    });
  });

  it('given hours, then each whole day of the station is made of them, also of 23 and 25 hours', async () => {
    const source = sourceOf(
      'zone: UTC\ndays: { high_c: { max: v }, low_c: { min: v }, precip_mm: { sum: p, at: end } }',
    );
    const from = Date.parse('2026-10-24T22:00Z'); // the 25th in Berlin has 25 hours
    const rows = Array.from({ length: 50 }, (_, at) => ({
      ...hour(new Date(from + at * HOUR_MS).toISOString(), at),
      p: 1,
    }));
    const daysOf = async (list: readonly object[]): Promise<string[]> =>
      cellsOf(
        (await read(source, list)).observations,
        'date',
        'low_c',
        'high_c',
        'precip_mm',
        'status',
        'observed_at',
      );
    const [first, second] = [
      '2026-10-25 0 24 25 verified 2026-10-25T23:00Z',
      '2026-10-26 25 48 24 verified 2026-10-26T23:00Z',
    ];
    expect(await daysOf(rows)).to.deep.equal([first, second]);
    // Without hour 30 and the amount of hour 49, which ends the second day.
    expect(await daysOf(rows.toSpliced(30, 1))).to.deep.equal([first]);
    expect(await daysOf(rows.slice(0, 49))).to.deep.equal([first, second.replace(' 24 ', ' - ')]);
    expect((await read(source, rows.toSpliced(30, 1))).unusable.map(({ reason }) => reason)).to.deep.equal([
      'lacks hours of 2026-10-26',
    ]);
  });

  it('given forecasts, then issuance is a field, a header, the request, or an error', async () => {
    const of = (issued: string): PublicSource =>
      sourceOf(
        'url: https://a.example/\nrows: l',
        `issued_at: '${issued}', valid_at: t, temp_c: v`,
        'hourly_forecasts',
      );
    const body = {
      u: '2026-11-10T08:30:00Z',
      l: [hour('2026-11-10T14:00Z', 3), hour('2026-11-14T14:00Z', 3)],
    };
    const headers = { 'last-modified': 'Tue, 10 Nov 2026 09:00:00 GMT' };
    for (const [expression, at] of [
      ['$answer.u', '2026-11-10T08:30Z'],
      ['$asked', '2026-11-10T12:00Z'],
      ['$modified', '2026-11-10T09:00Z'],
    ] as const) {
      const { rows } = await read(of(expression), body, { headers });
      // The second is more than 72 hours ahead.
      expect(cellsOf(rows, 'issued_at', 'valid_at', 'provider'), expression).to.deep.equal([
        `${at} 2026-11-10T14:00Z own`,
      ]);
    }
    for (const [expression, reason] of [
      ['$answer.nothing', 'issued_at: nothing is no time'],
      ['"2026-11-11T00:00Z"', 'issued later than it was requested'],
    ] as const)
      expect(await failureOf(read(of(expression), body))).to.equal(reason);
  });

  it('given days without rows in a span, then they are gaps once they are due', async () => {
    const source = sourceOf('', 'date: d, high_c: h, low_c: l', 'observations');
    const body = ['2026-11-05', '2026-11-07', '2026-11-10'].map((d) => ({ d, h: 9, l: 1 }));
    const { rows, gaps } = await read(source, body, { days: 6 });
    expect(cellsOf(rows, 'date', 'status')).to.deep.equal(['2026-11-05 verified', '2026-11-07 verified']);
    expect(gaps.map(({ span }) => new Date(span.from_ms).toISOString().slice(0, 10))).to.deep.equal([
      '2026-11-06',
    ]);
  });

  it('given a check that is not true, or a text of never, then no row is read, and the latter for ever', async () => {
    const source = sourceOf('checks: { it is of a moon: planet = "earth" }\nnever: [no such moon]\nrows: l');
    expect(await failureOf(read(source, { planet: 'moon', l: [] }))).to.equal('it is of a moon');
    const error: unknown = await read(source, '{"error":"No such moon, 7"}').catch(
      (reason: unknown) => reason,
    );
    expect(error).to.deep.include({ kind: 'final', message: 'No such moon, 7' });
  });
});

describe('the requests of a source file', () => {
  const pathsOf = (source: PublicSource, hours: number, ...places: StationPlace[]): string[] =>
    source
      .plan(
        places.map((place) => ({ place, span: { from_ms: NOW - hours * HOUR_MS, to_ms: NOW } })),
        NOW,
      )
      .flatMap(({ paths }) => paths);

  it('given placeholders, then each has its form; a parameter without a value is left out', () => {
    const values = {
      latitude: 41.98,
      elevation: undefined,
      from: NOW,
      to: NOW + 1,
      station_id: 'A B&C',
      id: '{key:OWN}/../\r\n',
    };
    for (const [template, path] of [
      ['https://a.b/{from}', '/2026-11-10T12:00:00Z'],
      ['https://a.b/x?a={latitude}&e={elevation}&z=1', '/x?a=41.98&z=1'],
      [
        'https://a.b/x?d={from:yyyy-MM-dd}&s={from:X}&m={to}',
        '/x?d=2026-11-10&s=1794312000&m=2026-11-10T12:00:00.001Z',
      ],
      ['https://a.b/{station_id}?k={key:OWN}', '/A%20B%26C?k={key:OWN}'],
      // A value is no placeholder, and goes to no other folder.
      ['https://a.b/{id}/x', '/%7Bkey:OWN%7D%2F..%2F%0D%0A/x'],
    ] as const)
      expect(fillPath(template, values)).to.equal(path);
  });

  it('given spans, then they are parted, the newest first; given now alone, then one for each place', () => {
    const spans = sourceOf('url: https://a.example/{from:dd}/{to:dd}\nspan: 3 days\nkeeps: 7 days');
    expect(pathsOf(spans, 240, KNYC)).to.deep.equal(['/07/10', '/04/07', '/03/04']);
    const now = sourceOf('url: https://a.example/{latitude},{longitude}\ndecimals: 1');
    expect(pathsOf(now, 240, KNYC, EGLL)).to.deep.equal(['/40.8,-74', '/51.5,-0.5']);
    expect(now.plan([{ place: KNYC, span: { from_ms: 0, to_ms: NOW - 1 } }], NOW)).to.be.empty;
  });

  it('given days of hours, then a span begins with its day, so that the day is whole', () => {
    const source = sourceOf('url: https://a.example/{from}\ndays: { high_c: { max: v } }');
    expect(pathsOf(source, 3, BERLIN)).to.deep.equal(['/2026-11-09T23:00:00Z']);
  });

  it('given a first request, then its value is in the second, and is asked for once', async () => {
    const source = sourceOf(
      'url: https://a.example/grid/{first}\nfirst: { url: "https://a.example/p/{latitude}", value: g & "/" & x }',
    );
    const [request] = source.plan([{ place: EGLL, span: { from_ms: NOW - 1, to_ms: NOW } }], NOW);
    expect(request?.paths).to.deep.equal([`/p/${EGLL.latitude}`]);
    expect(await source.next?.(['{"g":"OKX","x":33}'], request!)).to.equal('/grid/OKX/33');
    expect(await source.next?.(['{}', '{}'], request!)).to.equal(undefined);
    expect(pathsOf(source, 1, EGLL)).to.deep.equal(['/grid/OKX/33']);
  });
});
