import { expect } from 'chai';
import { getColumnNames, getRequiredNames, FEED_NAMES } from '../../../src/feeds/feeds.js';
import { getUnreadColumns } from '../../../src/feeds/file-columns.js';
import type { StationFact } from '../../../src/feeds/stations.js';
import type { FeedRow } from '../../../src/ingest/read/feed-rows.js';
import { LoadClock } from '../../../src/ingest/read/load-clock.js';
import { stationFact } from '../../../src/ingest/read/feed-rows.js';
import { placeWarning } from '../../../src/ingest/read/station-places.js';
import { words } from '../../support/words.js';
import {
  CHICAGO_STATION,
  CONTEXT,
  GOOD_ROWS,
  readCells,
  rejectionOf,
  said,
} from '../../support/ingest/rows.js';

const OF_HOURS = 'dew_point_f humidity_pct cloud_pct wind_kt gust_kt';

describe('the columns of the feeds', () => {
  it('given the feeds, then their columns are those of docs/feeds.md, and a file may name some more', () => {
    expect(
      FEED_NAMES.map((feed) => [
        feed,
        getRequiredNames(feed).join(),
        getColumnNames(feed).slice(getRequiredNames(feed).length),
      ]),
    ).to.deep.equal([
      [
        'stations',
        'station_id,city_name,country,latitude,longitude,timezone',
        ['climate_zone', 'data_active', 'aliases', 'iata', 'day_boundary', 'withdrawn', 'reported_in'],
      ],
      [
        'forecasts',
        'station_id,issued_at,target_date,high_f,low_f',
        words(`provider withdrawn high_sd_f low_sd_f high_p05_f high_p10_f high_p20_f high_p25_f high_p30_f high_p40_f
          high_p50_f high_p60_f high_p70_f high_p75_f high_p80_f high_p90_f high_p95_f low_p05_f low_p10_f low_p20_f
          low_p25_f low_p30_f low_p40_f low_p50_f low_p60_f low_p70_f low_p75_f low_p80_f low_p90_f low_p95_f precip_chance precip_in snow_in
          max_wind_kt max_gust_kt member`),
      ],
      [
        'observations',
        'station_id,date,high_f,low_f,status,observed_at',
        words('withdrawn precip_in snow_in max_wind_kt max_gust_kt'),
      ],
      ['normals', 'station_id,month_day,high_f,low_f', ['withdrawn']],
      [
        'hours',
        'station_id,at,temp_f',
        words(
          `max_6h_f min_6h_f sky withdrawn status ${OF_HOURS} precip_12h_in precip_6h_in precip_in precip_hours`,
        ),
      ],
      [
        'hourly_forecasts',
        'station_id,issued_at,valid_at,temp_f',
        words(`provider withdrawn ${OF_HOURS} precip_chance_12h precip_chance_6h precip_chance_1h`),
      ],
    ]);
  });

  it('given columns that a feed does not have, then each is named once, with the absent one near it', () => {
    const names = [...getRequiredNames('forecasts'), 'provder', 'note', 'note', '', 'x'.repeat(5000)];
    expect(getUnreadColumns('forecasts', names)).to.deep.equal([
      { name: 'provder', nearest: 'provider' },
      { name: 'note' },
      { name: 'x'.repeat(5000) },
    ]);
    expect(getUnreadColumns('observations', [...getRequiredNames('observations'), 'provider'])).to.deep.equal(
      [{ name: 'provider' }],
    );
    expect(getUnreadColumns('forecasts', getColumnNames('forecasts'))).to.deep.equal([]);
  });

  it('given a quantile of a level written otherwise, then its column is named; of no level, none is', () => {
    for (const [name, near] of [
      ['high_p5_f', 'high_p05_f'],
      ['low_p50', 'low_p50_f'],
      ['high_10_f', 'high_p10_f'],
      ['low_q90', 'low_p90_f'],
      ['low_p050_f', undefined], // 5.0 or 50
      ['high_p025_f', undefined],
      ['high_p2.5_f', undefined],
      ['high_p97.5_f', undefined],
      ['high_p97_5', undefined],
      ['high_min_f', 'high_sd_f'],
      ['low_pct_f', 'low_sd_f'],
      ['high_p85_f', undefined],
      ['higt_p10_f', 'high_p10_f'],
    ] as const) {
      const names = [...getRequiredNames('forecasts'), name];
      expect(getUnreadColumns('forecasts', names), name).to.deep.equal([
        near === undefined ? { name } : { name, nearest: near },
      ]);
    }
  });

  it('given a name that others use, then it is asked whether it is the column of that meaning', () => {
    for (const [feed, name, meant] of [
      ['stations', 'lat', 'latitude'],
      ['stations', 'lng', 'longitude'],
      ['stations', 'tz', 'timezone'],
      ['stations', 'icao', 'station_id'],
      ['observations', 'temp', 'high_f'],
      ['observations', 'tmin', 'low_f'],
      ['normals', 'tz', undefined],
    ] as const)
      expect(getUnreadColumns(feed, [name])[0]?.nearest, name).to.equal(meant);
  });
});

/** The content of a good row: its key, and its values. */
const [AT, SAID_AT] = ['2026-01-04 18:00:00.000', '2026-01-06 18:00:00.000'];
const KEY = {
  forecasts: { station_id: 'KORD', issued_at: AT, target_date: '2026-01-05', provider: '' },
  observations: { station_id: 'KORD', date: '2026-01-05', status: 'verified', observed_at: SAID_AT },
  normals: { station_id: 'KORD', month_day: '02-29' },
};
const BLANK = { snow_in: '', max_wind_kt: '', max_gust_kt: '' };
const VALUES = {
  forecasts: { high_f: '31.5', low_f: '18', precip_chance: '', precip_in: '', ...BLANK },
  observations: { high_f: '30', low_f: '17.25', precip_in: '', ...BLANK },
  normals: { high_f: '38.2', low_f: '17' },
};

describe('a row of a feed', () => {
  it('given a station, then it says all of it', () => {
    expect(said('stations', {})).to.deep.equal(CHICAGO_STATION);
  });

  for (const feed of ['forecasts', 'observations', 'normals'] as const) {
    it(`given values in ${feed}, or none, then it stays a row, with instants in UTC; a withdrawn one is its key`, () => {
      const row = { ...KEY[feed], ...VALUES[feed] };
      expect(said(feed, {})).to.deep.equal(row);
      const none = { high_f: '', low_f: '' };
      expect(said(feed, none)).to.deep.equal({ ...row, ...none });
      for (const text of ['', 'warm', '31.5'])
        expect(said(feed, { high_f: text, low_f: text, withdrawn: 'TRUE' }), text).to.deep.equal({
          ...KEY[feed],
          withdrawn: 'true',
        });
    });
  }

  it('given a distribution, then it is said in °F; one without its temperature is rejected', () => {
    const given = {
      high_sd_f: '2',
      low_sd_f: '0.5',
      high_p10_f: '28.5',
      high_p90_f: '28.5',
      low_p50_f: '-3',
    };
    expect(said('forecasts', given)).to.deep.equal({ ...KEY.forecasts, ...VALUES.forecasts, ...given });
    for (const [column, temperature] of [
      ['high_sd_f', 'high_f'],
      ['low_sd_f', 'low_f'],
      ['high_p95_f', 'high_f'],
      ['low_p05_f', 'low_f'],
    ] as const) {
      const alone = { [column]: '1.50', [temperature]: '' };
      expect(rejectionOf(() => said('forecasts', alone)).message).to.equal(
        `distribution without its temperature: ${column}=1.50`,
      );
      expect(said('forecasts', { ...alone, withdrawn: 'true' })).not.to.have.any.keys(column);
    }
  });

  it('given quantiles that fall, then those of the row are left out with a warning, and the rest stays', () => {
    const warnings: string[] = [];
    const warn = (reason: string, detail: string): unknown => warnings.push(`${reason}: ${detail}`);
    const given = { high_sd_f: '2', high_p10_f: '28', high_p25_f: '27.99', low_p10_f: '12', low_p90_f: '20' };
    expect(readCells('forecasts', { ...GOOD_ROWS.forecasts, ...given }, { ...CONTEXT, warn })).to.include({
      ...VALUES.forecasts,
      high_sd_f: '2',
    });
    expect(said('forecasts', given)).not.to.have.any.keys(Object.keys(given).slice(1));
    expect(warnings).to.deep.equal(['quantiles not ascending, left out: high_p10_f=28, high_p25_f=27.99']);
    // A rejected row is not warned of as well, and 0.001 °F apart is not kept.
    const ahead = { ...given, issued_at: '2027-01-01T00:00:00Z' };
    expect(
      rejectionOf(() => readCells('forecasts', { ...GOOD_ROWS.forecasts, ...ahead }, { ...CONTEXT, warn }))
        .reason,
    ).to.equal('forecast issued in the future');
    readCells(
      'forecasts',
      { ...GOOD_ROWS.forecasts, high_p10_f: '28.001', high_p25_f: '28' },
      { ...CONTEXT, warn },
    );
    expect(warnings).to.have.length(1);
  });

  it('given a withdrawn row without its instant, then it is rejected; one ahead of the clock is taken', () => {
    expect(rejectionOf(() => said('forecasts', { withdrawn: 'true', issued_at: '' })).reason).to.equal(
      'bad time',
    );
    const ahead = { issued_at: '2027-01-01T00:00:00Z', withdrawn: 'true' };
    expect(said('forecasts', ahead)).to.include({ withdrawn: 'true' });
  });

  it('given a preliminary or withdrawn observation of a day that is not over, then it is taken', () => {
    const today = { date: '2026-02-01', observed_at: '2026-02-01T12:00:00Z' };
    const { date } = today;
    expect(said('observations', { ...today, status: 'preliminary' })).to.include({ date });
    expect(said('observations', { ...today, withdrawn: 'true' })).to.include({ date, withdrawn: 'true' });
    const ahead = { date: '2062-02-01', observed_at: '2062-02-01T12:00:00Z', withdrawn: 'true' };
    expect(said('observations', ahead), 'so a wrong one goes').to.include({ withdrawn: 'true' });
  });

  for (const [timezone, day_boundary, date, end, hours] of [
    ['America/Chicago', 'civil', '2026-07-04', '2026-07-05T05:00:00Z', 24],
    ['America/Chicago', 'standard', '2026-07-04', '2026-07-05T06:00:00Z', 24],
    ['Pacific/Kiritimati', 'civil', '2026-07-04', '2026-07-04T10:00:00Z', 24],
    ['Etc/GMT+12', 'civil', '2026-07-04', '2026-07-05T12:00:00Z', 24],
    ['America/Havana', 'civil', '2026-03-07', '2026-03-08T05:00:00Z', 24], // clocks jump from 00:00 to 01:00
    ['America/Havana', 'civil', '2026-03-08', '2026-03-09T04:00:00Z', 23],
  ] as const) {
    /** Reads a report of that day so many milliseconds after its end, at a clock that stands so many after it. */
    const reported = (status: string, ms: number, clock_ms = 0) => {
      const station = (): StationFact => ({ ...CHICAGO_STATION, timezone, day_boundary });
      const observed_at = new Date(Date.parse(end) + ms).toISOString();
      const clock = new LoadClock(new Date(Date.parse(end) + clock_ms));
      return readCells(
        'observations',
        { ...GOOD_ROWS.observations, date, status, observed_at },
        { ...CONTEXT, station, clock },
      );
    };
    const reasonOf = (...given: Parameters<typeof reported>) => rejectionOf(() => reported(...given)).reason;

    it(`given a day in ${timezone} (${day_boundary}), then it can be verified from its very end at ${end}`, () => {
      expect(reasonOf('verified', 0, -1)).to.equal('verified before its day is over');
      expect(reported('verified', 0).date).to.equal(date);
    });

    it(`given that day, then it can be reported from its very beginning ${hours} hours before, and not in the future`, () => {
      const length = hours * 3_600_000;
      expect(reasonOf('preliminary', -length - 1)).to.equal('observation reported before its day');
      for (const ms of [-length, 3_600_000]) expect(reported('preliminary', ms).date).to.equal(date);
      expect(reasonOf('preliminary', 3_600_001)).to.equal('observation reported in the future');
    });
  }
});

describe('a row of hours', () => {
  const read = (cells: Record<string, string>) => {
    const { precip_in, precip_6h_in, precip_12h_in } = readCells('hours', {
      ...{ station_id: 'KORD', at: '2026-01-05T17:53:00Z', temp_f: '31', precip_6h_in: '' },
      ...cells,
    });
    return [precip_in, precip_6h_in, precip_12h_in];
  };

  // No other test has the hours of an amount in a column of their own.
  it('given the hours of its amount, then the amount is of these; of an hour without', () => {
    const AT_12 = { precip_12h_in: '' };
    expect(read({ precip_in: '0.2', precip_hours: '6' })).to.deep.equal(['', '0.2', undefined]);
    expect(read({ precip_mm: '5.08', precip_hours: '12', ...AT_12 })).to.deep.equal(['', '', '0.2']);
    expect(read({ precip_in: 'T', precip_hours: '12' })).to.deep.equal(['', '', '0']);
    for (const precip_hours of ['', '1'])
      expect(read({ precip_in: '0.2', precip_hours })).to.deep.equal(['0.2', '', undefined]);
    // A row may have amounts of other hours as well.
    const both = { precip_in: '0.1', precip_6h_in: '0.2' };
    expect(read({ ...both, precip_hours: '1' })).to.deep.equal(['0.1', '0.2', undefined]);
    expect(read({ ...both, precip_hours: '12' })).to.deep.equal(['', '0.2', '0.1']);
    expect(read({ ...both, precip_in: '', precip_hours: '6' })).to.deep.equal(['', '0.2', undefined]);
  });

  it('given two amounts of the same hours, then it is rejected with both', () => {
    const { message } = rejectionOf(() => read({ precip_in: '0', precip_6h_in: 'T', precip_hours: '6' }));
    expect(message).to.equal(
      'two amounts of the same hours: precip_6h_in=0 beside precip_in=0 with precip_hours=6; leave one of them out',
    );
  });
});

describe('a row of a station', () => {
  const blank = Object.fromEntries(getColumnNames('stations').map((column) => [column, '']));
  const fields = {
    station_id: 'KORD',
    city_name: 'Chicago',
    country: 'US',
    latitude: '41',
    longitude: '-87',
  };
  const row = { ...blank, ...fields, timezone: 'America/Chicago' };
  const read = (more: FeedRow) => stationFact({ ...row, ...more }, () => undefined);

  for (const column of ['city_name', 'aliases', 'climate_zone'] as const)
    it(`given a code point in ${column} that no text has, then it is rejected, as XML of a chart could not write it`, () => {
      // The last two of a plane, the block of 32, controls, and half of a pair.
      for (const text of [
        '\ufffe',
        '\uffff',
        '\ufdd0',
        '\u{1fffe}',
        '\u{10ffff}',
        '\u0000',
        '\u009f',
        '\ud800',
      ])
        expect(rejectionOf(() => read({ [column]: `A${text}` })).reason, text).to.equal(`bad ${column}`);
      // A private one, one of another plane and the mark of a decoder are characters.
      expect(read({ [column]: 'A\ue000\u{1f321}\ufffd' })).to.have.property('withdrawn', false);
    });
});

describe('a row that withdraws a station', () => {
  const blank = Object.fromEntries(getColumnNames('stations').map((column) => [column, ''])) as FeedRow;
  const row = { ...blank, station_id: 'kord', withdrawn: 'true' };
  const unknown = (): StationFact | undefined => undefined;

  it('given its id alone, then all else of the station stays as it was', () => {
    expect(stationFact(row, CONTEXT.station)).to.deep.equal({ ...CHICAGO_STATION, withdrawn: true });
  });

  it('given a station that nobody knows, then it says nothing; an invalid id is rejected', () => {
    expect(stationFact(row, unknown)).to.equal(undefined);
    expect(rejectionOf(() => stationFact({ ...row, station_id: '' }, unknown)).reason).to.equal(
      'bad station_id',
    );
  });
});

describe('the longitude of a station', () => {
  it('given one that its time zone may have, then nothing is said', () => {
    for (const [longitude, timezone] of [
      [-87.93, 'America/Chicago'],
      [75.98, 'Asia/Shanghai'], // Kashgar, which keeps the time of Beijing
      [-157.4, 'Pacific/Kiritimati'], // 14 hours ahead, at 10.5 hours behind
      [-171.7, 'Pacific/Apia'],
      [179.9, 'Pacific/Fiji'],
      [-8.4, 'Europe/Madrid'],
      [-180, 'Asia/Anadyr'],
      [-179.2, 'America/Adak'],
      [9.99, 'Africa/Lagos'],
    ] as const)
      expect(placeWarning({ ...CHICAGO_STATION, longitude, timezone }, undefined), timezone).to.equal(
        undefined,
      );
  });

  it('given one that is far from its time zone, then it is told how many hours they are apart', () => {
    for (const [longitude, timezone, hours] of [
      [87.93, 'America/Chicago', 11], // the sign
      [-139.7, 'Asia/Tokyo', 6],
      [41.96, 'America/Chicago', 8], // the latitude
    ] as const)
      expect(placeWarning({ ...CHICAGO_STATION, longitude, timezone }, undefined)).to.deep.equal({
        reason: 'longitude far from its time zone',
        detail: `longitude=${longitude}, timezone=${timezone}: ${hours} hours apart`,
      });
  });
});
