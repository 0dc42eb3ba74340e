import { expect } from 'chai';
import {
  columnsOf,
  FEED_COLUMNS,
  type FeedRow,
  type StationFact,
  unreadColumns,
} from '../../../src/ingest/feed/columns.js';
import { LoadClock } from '../../../src/ingest/feed/load-clock.js';
import {
  type Cells,
  forecastCells,
  normalCells,
  observationCells,
  stationFact,
} from '../../../src/ingest/feed/rows.js';
import { Rejection } from '../../../src/ingest/feed/values.js';
import { longitudeWarning } from '../../../src/ingest/implausible-values.js';

const STATION: FeedRow<'stations'> = {
  station_id: 'KORD',
  city_name: 'Chicago',
  country: 'US',
  latitude: '41.96',
  longitude: '-87.93',
  timezone: 'America/Chicago',
  climate_zone: 'Dfa',
  data_active: 'true',
  aliases: "Chi-Town|O'Hare",
  iata: 'ORD',
  day_boundary: '',
  withdrawn: '',
};
const FORECAST: FeedRow<'forecasts'> = {
  station_id: 'KORD',
  issued_at: '2026-01-04T18:00:00Z',
  target_date: '2026-01-05',
  high_f: '31.5',
  low_f: '18',
  provider: '',
  withdrawn: '',
};
const OBSERVATION: FeedRow<'observations'> = {
  station_id: 'KORD',
  date: '2026-01-05',
  high_f: '30',
  low_f: '17.25',
  status: 'verified',
  observed_at: '2026-01-06T12:00:00-06:00',
  withdrawn: '',
};

const NOW = new Date('2026-02-01T12:00:00Z');
const unknown = (): StationFact | undefined => undefined;
const KORD = stationFact(STATION, unknown) ?? ({} as StationFact);
const context = { station: (id: string) => (id === 'KORD' ? KORD : undefined), clock: new LoadClock(NOW) };

function rejection(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof Rejection) return error.message;
    throw error;
  }
  throw new Error('nothing was rejected');
}

describe('the columns of the feeds', () => {
  it('given the feeds, then their columns are those of D24', () => {
    expect(FEED_COLUMNS.stations.join()).to.equal(
      'station_id,city_name,country,latitude,longitude,timezone,climate_zone,data_active,aliases,iata',
    );
    expect(FEED_COLUMNS.forecasts.join()).to.equal('station_id,issued_at,target_date,high_f,low_f');
    expect(FEED_COLUMNS.observations.join()).to.equal('station_id,date,high_f,low_f,status,observed_at');
    expect(FEED_COLUMNS.normals.join()).to.equal('station_id,month_day,high_f,low_f');
  });

  it('given the feeds, then a file may name these columns as well', () => {
    expect(columnsOf('stations').slice(10)).to.deep.equal(['day_boundary', 'withdrawn']);
    expect(columnsOf('forecasts').slice(5)).to.deep.equal(['provider', 'withdrawn']);
    expect(columnsOf('observations').slice(6)).to.deep.equal(['withdrawn']);
    expect(columnsOf('normals').slice(4)).to.deep.equal(['withdrawn']);
  });

  it('given columns that a feed does not have, then each is named once, with the absent column that is near it', () => {
    const names = [...FEED_COLUMNS.forecasts, 'provder', 'note', 'note', '', 'x'.repeat(5000)];
    expect(unreadColumns('forecasts', names)).to.deep.equal([
      { name: 'provder', nearest: 'provider' },
      { name: 'note' },
      { name: 'x'.repeat(5000) },
    ]);
    expect(unreadColumns('observations', [...FEED_COLUMNS.observations, 'provider'])).to.deep.equal([
      { name: 'provider' },
    ]);
    expect(unreadColumns('forecasts', columnsOf('forecasts'))).to.deep.equal([]);
  });

  for (const [feed, name, meant] of [
    ['stations', 'lat', 'latitude'],
    ['stations', 'lng', 'longitude'],
    ['stations', 'tz', 'timezone'],
    ['stations', 'icao', 'station_id'],
    ['observations', 'temp', 'high_f'],
    ['observations', 'tmin', 'low_f'],
    ['normals', 'tz', undefined],
  ] as const) {
    it(`given ${name} in ${feed}, then it may be ${meant ?? 'no column of them'}`, () => {
      expect(unreadColumns(feed, [name])[0]?.nearest).to.equal(meant);
    });
  }
});

describe('a row of the station feed', () => {
  it('given a whole row, then it says all of the station', () => {
    expect(stationFact(STATION, unknown)).to.deep.equal({
      station_id: 'KORD',
      city_name: 'Chicago',
      country: 'US',
      latitude: 41.96,
      longitude: -87.93,
      timezone: 'America/Chicago',
      climate_zone: 'Dfa',
      data_active: true,
      aliases: ['Chi-Town', "O'Hare"],
      iata: 'ORD',
      day_boundary: 'civil',
      withdrawn: false,
    });
  });

  it('given lower case, then ids, codes and flags are understood', () => {
    const fact = stationFact(
      {
        ...STATION,
        station_id: 'kord',
        country: 'us',
        iata: 'ord',
        data_active: 'FALSE',
        day_boundary: 'Standard',
        withdrawn: 'False',
      },
      unknown,
    );
    expect(fact).to.include({
      station_id: 'KORD',
      country: 'US',
      iata: 'ORD',
      data_active: false,
      day_boundary: 'standard',
    });
  });

  it('given blank aliases, climate zone and IATA code, then the station has none', () => {
    const fact = stationFact({ ...STATION, aliases: '', climate_zone: '', iata: '' }, unknown);
    expect(fact?.aliases).to.deep.equal([]);
    expect(fact).to.include({ climate_zone: '', iata: '' });
  });

  it('given aliases with blanks around and between separators, then only names are left', () => {
    expect(stationFact({ ...STATION, aliases: ' | Windy City || Chi |' }, unknown)?.aliases).to.deep.equal([
      'Windy City',
      'Chi',
    ]);
  });

  it('given a name of 100 characters beyond the basic plane, then it is taken', () => {
    expect(stationFact({ ...STATION, city_name: '🌡'.repeat(100) }, unknown)?.city_name).to.have.lengthOf(200);
  });

  const FAULTS: [what: string, fault: Partial<FeedRow<'stations'>>, reason: string][] = [
    ['no id', { station_id: '' }, 'bad station_id: "" is not an ICAO identifier'],
    ['an id with a blank', { station_id: 'KO RD' }, 'bad station_id: "KO RD" is not an ICAO identifier'],
    ['an id that is too long', { station_id: 'KORDKORDK' }, 'bad station_id'],
    ['no name', { city_name: '' }, 'bad city_name'],
    ['a name that is too long', { city_name: 'x'.repeat(101) }, 'bad city_name'],
    ['a control character in the name', { city_name: 'Chi\u0007cago' }, 'bad city_name: "Chi?cago"'],
    ['a country in words', { country: 'USA' }, 'bad country'],
    ['no country', { country: '' }, 'bad country'],
    ['a latitude beyond the pole', { latitude: '91' }, 'bad coordinate: latitude="91"'],
    ['no longitude', { longitude: '' }, 'bad coordinate: longitude=""'],
    ['an unknown zone', { timezone: 'America/Chikago' }, 'unknown time zone: "America/Chikago"'],
    ['no zone', { timezone: '' }, 'unknown time zone: ""'],
    ['a climate zone that is too long', { climate_zone: 'x'.repeat(41) }, 'bad climate_zone'],
    ['a flag in other words', { data_active: 'yes' }, 'bad data_active: "yes" is not true or false'],
    [
      'a day boundary in other words',
      { day_boundary: 'utc' },
      'bad day_boundary: "utc" is not civil, standard or blank',
    ],
    ['a withdrawal in other words', { withdrawn: '1' }, 'bad withdrawn: "1" is not true, false or blank'],
    ['an IATA code of four letters', { iata: 'ORDX' }, 'bad iata'],
    ['a control character in an alias', { aliases: 'Windy|Chi\u001b[31mcago' }, 'bad aliases'],
  ];
  for (const [what, fault, reason] of FAULTS) {
    it(`given ${what}, then it is rejected: ${reason}`, () => {
      expect(rejection(() => stationFact({ ...STATION, ...fault }, unknown))).to.contain(reason);
    });
  }
});

describe('a row that withdraws a station', () => {
  const blank = Object.fromEntries(
    columnsOf('stations').map((column) => [column, '']),
  ) as FeedRow<'stations'>;
  const row = { ...blank, station_id: 'kord', withdrawn: 'true' };

  it('given its id alone, then all else of the station stays as it was', () => {
    expect(stationFact(row, context.station)).to.deep.equal({ ...KORD, withdrawn: true });
  });

  it('given a station that nobody knows, then it says nothing', () => {
    expect(stationFact(row, unknown)).to.equal(undefined);
  });

  it('given an id that is none, then it is rejected', () => {
    expect(rejection(() => stationFact({ ...row, station_id: '' }, unknown))).to.contain('bad station_id');
  });
});

describe('the longitude of a station', () => {
  const PLAUSIBLE: [longitude: number, timezone: string][] = [
    [-87.93, 'America/Chicago'],
    [75.98, 'Asia/Shanghai'], // Kashgar, which keeps the time of Beijing
    [-157.4, 'Pacific/Kiritimati'], // 14 hours ahead, at 10.5 hours behind
    [-171.7, 'Pacific/Apia'],
    [179.9, 'Pacific/Fiji'],
    [-8.4, 'Europe/Madrid'],
    [-180, 'Asia/Anadyr'],
    [-179.2, 'America/Adak'],
    [9.99, 'Africa/Lagos'],
  ];
  for (const [longitude, timezone] of PLAUSIBLE) {
    it(`given ${longitude} in ${timezone}, then nothing is said`, () => {
      expect(longitudeWarning({ ...KORD, longitude, timezone })).to.equal(undefined);
    });
  }

  for (const [longitude, timezone, hours] of [
    [87.93, 'America/Chicago', 11], // the sign
    [-139.7, 'Asia/Tokyo', 6],
    [41.96, 'America/Chicago', 8], // the latitude
  ] as const) {
    it(`given ${longitude} in ${timezone}, then they are told to be ${hours} hours apart`, () => {
      expect(longitudeWarning({ ...KORD, longitude, timezone })).to.deep.equal({
        reason: 'longitude far from its time zone',
        detail: `longitude=${longitude}, timezone=${timezone}: ${hours} hours apart`,
      });
    });
  }
});

const FORECAST_CELLS: Cells = {
  station_id: 'KORD',
  issued_at: '2026-01-04 18:00:00.000',
  target_date: '2026-01-05',
  provider: '',
  high_f: '31.5',
  low_f: '18',
};

describe('a row of the forecast feed', () => {
  it('given high and low, then it stays a row, with the instant in UTC', () => {
    expect(forecastCells(FORECAST, context)).to.deep.equal(FORECAST_CELLS);
  });

  it('given blank temperatures, then they stay blank, and are no fault', () => {
    expect(forecastCells({ ...FORECAST, high_f: '', low_f: '' }, context)).to.deep.equal({
      ...FORECAST_CELLS,
      high_f: '',
      low_f: '',
    });
  });

  it('given temperatures in °C, then the row has them in °F; one that is at fault is named by its own column', () => {
    const celsius = { ...FORECAST, high_f: '', low_f: '', high_c: '21.5', low_c: '' };
    expect(forecastCells(celsius, context)).to.deep.equal({ ...FORECAST_CELLS, high_f: '70.7', low_f: '' });
    expect(rejection(() => forecastCells({ ...celsius, low_c: '70' }, context))).to.equal(
      'temperature outside -150..150 °F: low_c="70"',
    );
  });

  it('given a station in lower case, then it is found', () => {
    expect(forecastCells({ ...FORECAST, station_id: 'kord' }, context).station_id).to.equal('KORD');
  });

  it('given a provider, then it is kept', () => {
    for (const provider of ['nbm', 'gfs-mos', '0', 'a'.repeat(32)]) {
      expect(forecastCells({ ...FORECAST, provider }, context).provider).to.equal(provider);
    }
  });

  it('given a withdrawn row, then its key is enough, and its temperatures are ignored', () => {
    const { high_f, low_f, ...key } = FORECAST_CELLS;
    for (const text of ['', 'warm', high_f ?? '', low_f ?? '']) {
      const row = { ...FORECAST, high_f: text, low_f: text, withdrawn: 'TRUE' };
      expect(forecastCells(row, context)).to.deep.equal({ ...key, withdrawn: 'true' });
    }
  });

  const FAULTS: [what: string, fault: Partial<FeedRow<'forecasts'>>, reason: string][] = [
    ['a station that is not known', { station_id: 'KZZZ' }, 'unknown station: KZZZ'],
    ['no station', { station_id: '' }, 'bad station_id'],
    ['a station that could be none', { station_id: "x'; DROP" }, 'bad station_id'],
    ['an instant without an offset', { issued_at: '2026-01-04T18:00:00' }, 'bad time'],
    ['no instant', { issued_at: '' }, 'bad time'],
    ['a date that is none', { target_date: '2026-02-30' }, 'bad date'],
    ['a temperature in words', { high_f: 'warm' }, 'temperature is not a number: high_f="warm"'],
    ['a low beyond the bounds', { low_f: '-151' }, 'temperature outside -150..150 °F: low_f="-151"'],
    ['a provider in capitals', { provider: 'NWS' }, 'bad provider: "NWS" is not 1 to 32 of a-z, 0-9 and -'],
    ['a provider that begins with a hyphen', { provider: '-nws' }, 'bad provider'],
    ['a provider that is too long', { provider: 'a'.repeat(33) }, 'bad provider'],
    ['a withdrawal in other words', { withdrawn: 'yes' }, 'bad withdrawn: "yes" is not true, false or blank'],
    ['a withdrawn row without its instant', { withdrawn: 'true', issued_at: '' }, 'bad time'],
    [
      'an instant more than an hour ahead of the clock',
      { issued_at: '2026-02-01T13:00:00.001Z', target_date: '2026-02-03' },
      'forecast issued in the future: 2026-02-01T13:00:00.001Z is more than an hour ahead of 2026-02-01T12:00Z',
    ],
  ];
  for (const [what, fault, reason] of FAULTS) {
    it(`given ${what}, then it is rejected: ${reason}`, () => {
      expect(rejection(() => forecastCells({ ...FORECAST, ...fault }, context))).to.contain(reason);
    });
  }

  it('given a bad low beside a good high, then nothing of the row is used', () => {
    expect(rejection(() => forecastCells({ ...FORECAST, low_f: '1e2' }, context))).to.contain('low_f="1e2"');
  });

  it('given an instant an hour ahead of the clock, in any offset, then it is taken: clocks differ', () => {
    for (const issued_at of ['2026-02-01T13:00:00Z', '2026-02-01T22:00:00+09:00']) {
      expect(forecastCells({ ...FORECAST, issued_at }, context).issued_at).to.equal(
        '2026-02-01 13:00:00.000',
      );
    }
  });

  it('given a withdrawn row ahead of the clock, then it is taken: so a wrong one goes', () => {
    const row = { ...FORECAST, issued_at: '2027-01-01T00:00:00Z', withdrawn: 'true' };
    expect(forecastCells(row, context).withdrawn).to.equal('true');
  });
});

describe('a row of the feed of normals', () => {
  const NORMAL = { station_id: 'kord', month_day: '02-29', high_f: '38.2', low_f: '', withdrawn: '' };
  const KEY: Cells = { station_id: 'KORD', month_day: '02-29' };

  it('given a leap day, a blank, °C or a withdrawal, then it stays a row', () => {
    expect(normalCells(NORMAL, context)).to.deep.equal({ ...KEY, high_f: '38.2', low_f: '' });
    const celsius = { ...NORMAL, high_f: '', high_c: '21.5', low_c: '-40' };
    expect(normalCells(celsius, context)).to.deep.equal({ ...KEY, high_f: '70.7', low_f: '-40' });
    const withdrawn = { ...NORMAL, high_f: 'warm', withdrawn: 'true' };
    expect(normalCells(withdrawn, context)).to.deep.equal({ ...KEY, withdrawn: 'true' });
  });

  const FAULTS: [fault: Partial<FeedRow<'normals'>>, reason: string][] = [
    [{ station_id: 'KZZZ' }, 'unknown station: KZZZ'],
    ...['02-30', '13-01', '00-10', '2-3', '2026-02-03', ''].map((month_day): (typeof FAULTS)[number] => [
      { month_day },
      `bad month_day: "${month_day}" is not a day, MM-DD`,
    ]),
    [{ low_f: '-151' }, 'temperature outside -150..150 °F: low_f="-151"'],
    [{ withdrawn: 'yes' }, 'bad withdrawn'],
  ];
  for (const [fault, reason] of FAULTS) {
    it(`given one at fault, then it is rejected: ${reason}`, () => {
      expect(rejection(() => normalCells({ ...NORMAL, ...fault }, context))).to.contain(reason);
    });
  }
});

describe('a row of the observation feed', () => {
  const CELLS: Cells = {
    station_id: 'KORD',
    date: '2026-01-05',
    status: 'verified',
    observed_at: '2026-01-06 18:00:00.000',
    high_f: '30',
    low_f: '17.25',
  };

  it('given high and low, then it stays a row, with the instant in UTC', () => {
    expect(observationCells(OBSERVATION, context)).to.deep.equal(CELLS);
  });

  it('given a preliminary row with one value, then it says that one', () => {
    const row = { ...OBSERVATION, status: 'preliminary', low_f: '' };
    expect(observationCells(row, context)).to.deep.equal({ ...CELLS, status: 'preliminary', low_f: '' });
  });

  it('given a withdrawn row, then its key is enough', () => {
    const { high_f, low_f, ...key } = CELLS;
    const row = { ...OBSERVATION, high_f: 'x', low_f: '', withdrawn: 'true' };
    expect(observationCells(row, context)).to.deep.equal({ ...key, withdrawn: 'true' });
    expect([high_f, low_f]).not.to.contain(undefined);
  });

  const FAULTS: [what: string, fault: Partial<FeedRow<'observations'>>, reason: string][] = [
    ['a station that is not known', { station_id: 'KZZZ' }, 'unknown station: KZZZ'],
    ['a status in other words', { status: 'final' }, 'bad status: "final" is not preliminary or verified'],
    ['no status', { status: '' }, 'bad status'],
    ['no time of observation', { observed_at: '' }, 'bad time'],
    ['a date with a time', { date: '2026-01-05T00:00:00Z' }, 'bad date'],
    ['a high beyond the bounds', { high_f: '150.01' }, 'temperature outside -150..150 °F'],
    [
      'a verified day that is not over',
      { date: '2026-02-01' },
      'verified before its day is over: 2026-02-01 ends at 2026-02-02T06:00Z in America/Chicago; it is 2026-02-01T12:00Z',
    ],
  ];
  for (const [what, fault, reason] of FAULTS) {
    it(`given ${what}, then it is rejected: ${reason}`, () => {
      expect(rejection(() => observationCells({ ...OBSERVATION, ...fault }, context))).to.contain(reason);
    });
  }

  it('given a preliminary or withdrawn row of a day that is not over, then it is taken', () => {
    const today = { ...OBSERVATION, date: '2026-02-01' };
    expect(observationCells({ ...today, status: 'preliminary' }, context).date).to.equal('2026-02-01');
    expect(observationCells({ ...today, withdrawn: 'true' }, context).withdrawn).to.equal('true');
  });

  for (const [timezone, day_boundary, date, end] of [
    ['America/Chicago', 'civil', '2026-07-04', '2026-07-05T05:00:00Z'],
    ['America/Chicago', 'standard', '2026-07-04', '2026-07-05T06:00:00Z'],
    ['Pacific/Kiritimati', 'civil', '2026-07-04', '2026-07-04T10:00:00Z'],
    ['Etc/GMT+12', 'civil', '2026-07-04', '2026-07-05T12:00:00Z'],
    ['America/Havana', 'civil', '2026-03-07', '2026-03-08T05:00:00Z'], // clocks jump from 00:00 to 01:00
  ] as const) {
    it(`given a day in ${timezone} (${day_boundary}), then it can be verified from its very end at ${end}`, () => {
      const station = (): StationFact => ({ ...KORD, timezone, day_boundary });
      const at = (ms: number) => () =>
        observationCells(
          { ...OBSERVATION, date },
          { station, clock: new LoadClock(new Date(Date.parse(end) + ms)) },
        );
      expect(rejection(at(-1))).to.contain('verified before its day is over');
      expect(at(0)().date).to.equal(date);
    });
  }
});
