import { expect } from 'chai';
import { type CodeSource, type FeedLine, GapError, type Reading } from '../../../src/collect/source.js';
import { readMetar } from '../../../src/collect/sources/asos/metar.js';
import { RECORDED, type Recorded } from '../../support/collect/recorded.js';

// Values beside the temperatures, which answers.test.ts leaves out: moisture, clouds, wind, snow and rain.

/** Cells of rows on a line each, with - for a blank; of an answer in which a text is something else. */
function cellsOf(
  name: string,
  feed: 'rows' | 'hourly_forecasts',
  columns: string,
  ...change: string[]
): string[] {
  const { source, request, body } = RECORDED[name] as Recorded;
  const [from = '', to = ''] = change;
  expect(body).to.include(from);
  return linesOf((source as CodeSource).read([body.replace(from, to)], request), feed, columns);
}

function linesOf(reading: Reading, feed: 'rows' | 'hourly_forecasts', columns: string): string[] {
  const lines = (reading[feed] ?? []).map((row: FeedLine) =>
    columns
      .split(' ')
      .map((column) => row[column]?.replace(/:00(\.000)?Z$/, 'Z') || '-')
      .join(' '),
  );
  return [...lines, ...reading.unusable.map(({ unit, reason }) => `unusable ${unit}: ${reason}`)];
}

describe('values beside the temperatures of recorded answers', () => {
  const REPORT = 'date snow_in max_wind_mph max_gust_mph';
  const SUMMARY = 'station_id date max_wind_kt max_gust_kt';
  const HOUR = 'valid_at dew_point_f humidity_pct cloud_pct';

  it('given a climate report, then its snow, with a trace as 0, and its highest wind and gust in mph', () => {
    const rows = (...change: string[]): string[] =>
      cellsOf('climate reports of a year', 'rows', REPORT, ...change);
    expect(rows()).to.deep.equal(['2026-09-13 0 9 18', '2026-09-14 0 10 21']);
    expect(rows('"highest_wind_speed":10', '"highest_wind_speed":400')).to.deep.equal([
      '2026-09-13 0 9 18',
      '2026-09-14 0 - 21',
      'unusable KNYC 2026-09-14: 400 is no value of max_wind_mph',
    ]);
    // A day without temperatures and rain may have snow.
    expect(rows('"snow":"M"', '"snow":1.2').at(-1)).to.equal('2026-09-15 1.2 - -');
  });

  it('given daily summaries, then the highest wind and gust in kt; twice with other winds, none of them', () => {
    const rows = (...change: string[]): string[] =>
      cellsOf('daily summaries of two airports', 'rows', SUMMARY, ...change);
    expect(rows()).to.include.members([
      'EGLC 2026-09-28 10 -',
      'EGLL 2026-09-27 14 25',
      'EGLL 2026-09-29 - -',
    ]);
    expect(rows('14.0,25.0', '14.0,x')).to.include.members([
      'EGLL 2026-09-27 14 -',
      'unusable EGLL 2026-09-27: "x" is no value of max_gust_kt',
    ]);
    const twice = rows('EGLL,2026-09-27', 'EGLL,2026-09-27,66.2,50.0,13.0,25.0\nEGLL,2026-09-27');
    expect(twice).to.include('EGLL 2026-09-27 - -');
    expect(cellsOf('daily summaries of two airports', 'rows', 'date high_f').slice(0, 1)).to.deep.equal([
      '2026-09-27 66.2',
    ]);
  });

  it('given a bulletin of the National Blend, then dew point, sky and winds in kt; old ones have no gusts', () => {
    const columns = 'valid_at dew_point_f cloud_pct wind_kt gust_kt';
    const [first] = cellsOf('a day of the National Blend', 'hourly_forecasts', columns);
    expect(first).to.equal('2021-06-15T06:00Z 74 70 6 12');
    const [damaged, , , , , reason] = cellsOf(
      ...([
        'a day of the National Blend',
        'hourly_forecasts',
        columns,
        ',74,210,6,',
        ',7x,210,-99,',
      ] as const),
    );
    expect(damaged).to.equal('2021-06-15T06:00Z - 70 - 12');
    expect(reason).to.match(/^unusable KMIA NBS .* "7x" is no value of dew_point_f$/);
    const old = cellsOf('days of the National Blend before version 4.0', 'hourly_forecasts', columns);
    expect(old[0]).to.equal('2020-02-26T00:00Z 40 88 5 -');
  });

  it('given a bulletin, then chances of the 12 and 6 hours that end there, and none of begun windows', () => {
    const chances = (...change: string[]): string[] =>
      cellsOf(
        'a day of the National Blend',
        'hourly_forecasts',
        'issued_at valid_at precip_chance_12h precip_chance_6h',
        ...change,
      );
    expect(chances()).to.deep.equal([
      '2021-06-15T02:15Z 2021-06-15T06:00Z - -',
      '2021-06-15T02:15Z 2021-06-16T00:00Z 62 37',
      '2021-06-15T02:15Z 2021-06-16T12:00Z 23 14',
      '2021-06-15T14:15Z 2021-06-16T00:00Z - 55',
      '2021-06-15T14:15Z 2021-06-16T12:00Z 38 13',
    ]);
    const [, damaged] = chances(',37.0,62.0,', ',-99.0,162.0,');
    expect(damaged).to.equal('2021-06-15T02:15Z 2021-06-16T00:00Z - -');
    expect(chances(',37.0,62.0,', ',-99.0,162.0,').at(-1)).to.match(
      /162\.0" is no value of precip_chance_12h$/,
    );
  });

  it('given a matrix, then chances of the 12 hours that end at a column, and none of a begun window', () => {
    const chances = (...change: string[]): string[] =>
      cellsOf('a Point Forecast Matrix', 'hourly_forecasts', 'valid_at precip_chance_12h', ...change).filter(
        (line) => !line.endsWith(' -'),
      );
    const [row, windows] = [
      'PoP 12hr                      0           0',
      'PoP 12hr                      5         100',
    ];
    expect(chances(row, windows).slice(0, 2)).to.deep.equal(['2026-10-06T12:00Z 5', '2026-10-07T00:00Z 100']);
    expect(chances(row, 'PoP 12hr         40           5         100'), 'began before').to.deep.equal(
      chances(row, windows),
    );
    expect(chances('PoP 12hr', 'PoP  6hr').length, 'of the second table alone').to.equal(0);
  });

  it('given a matrix, then dew point, humidity, the middle of a word of the sky, and winds in mph', () => {
    const rows = (columns: string, ...change: string[]): string[] =>
      cellsOf('a Point Forecast Matrix', 'hourly_forecasts', columns, ...change);
    expect(rows(HOUR).slice(0, 2)).to.deep.equal(['2026-10-05T21:00Z 41 40 15', '2026-10-06T00:00Z 37 41 3']);
    const winds = rows('valid_at wind_mph gust_mph');
    expect(winds.slice(0, 2)).to.deep.equal(['2026-10-05T21:00Z 20 -', '2026-10-06T00:00Z 13 -']);
    expect(winds[7]).to.equal('2026-10-06T18:00Z 5 16');
    expect(winds.at(-1)).to.equal('2026-10-08T18:00Z - -');
    const hot = rows('temp_f humidity_pct', '66 61 56', '98100 56').slice(0, 3);
    expect(hot, 'three digits').to.deep.equal(['98 40', '100 41', '56 43']);
    expect(rows('humidity_pct', ' 40 41 43', '100100 43').slice(0, 3)).to.deep.equal(['100', '100', '43']);
    const words = rows('cloud_pct', 'FW CL CL CL CL CL CL CL', 'SC B1 B2 BK OV MM XX CL').slice(0, 7);
    expect(words).to.deep.equal(['38', '60', '78', '69', '94', '-', '-']);
    const long = rows('cloud_pct', 'FW FW FW\n', 'FW FW FW FW\n');
    expect(long[0], 'a row that moved on').to.equal('-');
    expect(long.at(-1)).to.match(/its row of Clouds is longer than its rows of hours$/);
  });

  it('given a run of Open-Meteo, then hours in its units; gusts and amounts of a day end in it', async () => {
    const { source, request, body } = RECORDED['a run of Open-Meteo'] as Recorded;
    const reading = await source.read([body], request);
    const [hour] = linesOf(reading, 'hourly_forecasts', `${HOUR} wind_ms gust_ms`);
    expect(hour).to.equal('2026-09-01T08:00Z 45.7 72 56 4.78 7.9');
    // Hour 23 of the run to hour 46, and those from 24 to 47.
    const days = linesOf(reading, 'rows', 'target_date max_wind_ms max_gust_ms precip_mm snow_cm');
    expect(days).to.deep.equal(['2026-09-02 5.55 11.8 4.7 0.14', '2026-09-03 5.55 14.2 4.8 0.14']);
    const failureOf = async (from: string, to: string): Promise<unknown> =>
      Promise.resolve(source.read([body.replace(from, to)], request)).catch((error: unknown) => error);
    for (const [from, to, reason] of [
      ['"wind_speed_10m":"m/s"', '"wind_speed_10m":"km/h"', 'it has other units'],
      ['"snowfall":[0,', '"snowfall":[', 'its lists have different lengths'],
    ] as const)
      expect(await failureOf(from, to))
        .to.be.instanceOf(GapError)
        .with.property('message', reason);
  });

  const FORMS: readonly (readonly [what: string, report: string, cells: string])[] = [
    ['whole degrees of a dew point', '24008KT 24/10 A3000', '10 41 8 -'],
    ['tenths of a dew point below zero', '24008KT M03/M10 A3000 RMK T10281100', '-10 58 8 -'],
    ['a dew point that is the temperature', '00000KT 05/05', '5 100 0 -'],
    ['no dew point that is missing', '24008KT 24/// RMK T0239////', '- - 8 -'],
    ['no dew point above the temperature', '24008KT 10/24', '- - 8 -'],
    ['no dew points that contradict each other', '24008KT 24/10 RMK T02390150', '- - 8 -'],
    ['gusts, and a wind of no direction', 'VRB03G15KT 24/10', '10 41 3 15'],
    ['a storm of three digits', '240105G120KT 24/10', '10 41 105 120'],
    ['metres a second in kt', '24005G11MPS 24/10', '10 41 9.72 21.38'],
    ['kilometres an hour in kt', '24020KMH 24/10', '10 41 10.8 -'],
    ['no gust below the wind', '24020G15KT 24/10', '10 41 20 -'],
    ['no wind that is missing', '/////KT 24/10', '10 41 - -'],
    ['no wind that nobody has had', '240350KT 24/10', '10 41 - -'],
    ['no wind of remarks or of a forecast', '24/10 BECMG 24030KT RMK PK WND 24045/15 24030KT', '10 41 - -'],
  ];
  for (const [what, report, cells] of FORMS)
    it(`given ${what} in a report, then ${cells}`, () => {
      const { dew_point_c, humidity_pct, wind_kt, gust_kt } = readMetar(`KXYZ 151753Z ${report}`) ?? {};
      expect([dew_point_c, humidity_pct, wind_kt, gust_kt].map((cell) => cell || '-').join(' ')).to.equal(
        cells,
      );
    });
});
