import { expect } from 'chai';
import {
  FEED_COLUMNS,
  type FeedRow,
  forecastFacts,
  observationFacts,
  stationFact,
} from '../../src/ingest/feed/columns.js';
import { Rejection } from '../../src/ingest/feed/values.js';

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
};
const FORECAST: FeedRow<'forecasts'> = {
  station_id: 'KORD',
  issued_at: '2026-01-04T18:00:00Z',
  target_date: '2026-01-05',
  high_f: '31.5',
  low_f: '18',
};
const OBSERVATION: FeedRow<'observations'> = {
  station_id: 'KORD',
  date: '2026-01-05',
  high_f: '30',
  low_f: '17.25',
  status: 'verified',
  observed_at: '2026-01-06T12:00:00-06:00',
};

const isKnown = (id: string): boolean => id === 'KORD';

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
  it('given the three feeds, then their columns are those of D24', () => {
    expect(FEED_COLUMNS.stations.join()).to.equal(
      'station_id,city_name,country,latitude,longitude,timezone,climate_zone,data_active,aliases,iata',
    );
    expect(FEED_COLUMNS.forecasts.join()).to.equal('station_id,issued_at,target_date,high_f,low_f');
    expect(FEED_COLUMNS.observations.join()).to.equal('station_id,date,high_f,low_f,status,observed_at');
  });
});

describe('a row of the station feed', () => {
  it('given a whole row, then it says all of the station', () => {
    expect(stationFact(STATION)).to.deep.equal({
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
    });
  });

  it('given lower case, then ids, codes and flags are understood', () => {
    const fact = stationFact({
      ...STATION,
      station_id: 'kord',
      country: 'us',
      iata: 'ord',
      data_active: 'FALSE',
    });
    expect(fact).to.include({ station_id: 'KORD', country: 'US', iata: 'ORD', data_active: false });
  });

  it('given blank aliases, climate zone and IATA code, then the station has none', () => {
    const fact = stationFact({ ...STATION, aliases: '', climate_zone: '', iata: '' });
    expect(fact.aliases).to.deep.equal([]);
    expect(fact).to.include({ climate_zone: '', iata: '' });
  });

  it('given aliases with blanks around and between separators, then only names are left', () => {
    expect(stationFact({ ...STATION, aliases: ' | Windy City || Chi |' }).aliases).to.deep.equal([
      'Windy City',
      'Chi',
    ]);
  });

  it('given a name of 100 characters beyond the basic plane, then it is taken', () => {
    expect(stationFact({ ...STATION, city_name: '🌡'.repeat(100) }).city_name).to.have.lengthOf(200);
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
    ['an IATA code of four letters', { iata: 'ORDX' }, 'bad iata'],
    ['a control character in an alias', { aliases: 'Windy|Chi\u001b[31mcago' }, 'bad aliases'],
  ];
  for (const [what, fault, reason] of FAULTS) {
    it(`given ${what}, then it is rejected: ${reason}`, () => {
      expect(rejection(() => stationFact({ ...STATION, ...fault }))).to.contain(reason);
    });
  }
});

describe('a row of the forecast feed', () => {
  it('given high and low, then it says two values, with the instant in UTC', () => {
    expect(forecastFacts(FORECAST, isKnown)).to.deep.equal([
      ['high', 'KORD', '2026-01-05', '2026-01-04 18:00:00.000', 31.5],
      ['low', 'KORD', '2026-01-05', '2026-01-04 18:00:00.000', 18],
    ]);
  });

  it('given one of them blank, then it says the other', () => {
    expect(forecastFacts({ ...FORECAST, high_f: '' }, isKnown).map(([metric]) => metric)).to.deep.equal([
      'low',
    ]);
    expect(forecastFacts({ ...FORECAST, low_f: '' }, isKnown).map(([metric]) => metric)).to.deep.equal([
      'high',
    ]);
  });

  it('given both blank, then it says nothing, and is no fault', () => {
    expect(forecastFacts({ ...FORECAST, high_f: '', low_f: '' }, isKnown)).to.deep.equal([]);
  });

  it('given a station in lower case, then it is found', () => {
    expect(forecastFacts({ ...FORECAST, station_id: 'kord' }, isKnown)[0]?.[1]).to.equal('KORD');
  });

  const FAULTS: [what: string, fault: Partial<FeedRow<'forecasts'>>, reason: string][] = [
    ['a station that is not known', { station_id: 'KZZZ' }, 'unknown station: KZZZ'],
    ['no station', { station_id: '' }, 'bad station_id'],
    ['a station that could be none', { station_id: "x'; DROP" }, 'bad station_id'],
    ['an instant without an offset', { issued_at: '2026-01-04T18:00:00' }, 'bad time'],
    ['no instant', { issued_at: '' }, 'bad time'],
    ['a date that is none', { target_date: '2026-02-30' }, 'bad date'],
    ['a temperature in words', { high_f: 'warm' }, 'temperature is no number: high_f="warm"'],
    ['a low beyond the bounds', { low_f: '-151' }, 'temperature outside -150..150 °F: low_f="-151"'],
  ];
  for (const [what, fault, reason] of FAULTS) {
    it(`given ${what}, then it is rejected: ${reason}`, () => {
      expect(rejection(() => forecastFacts({ ...FORECAST, ...fault }, isKnown))).to.contain(reason);
    });
  }

  it('given a bad low beside a good high, then nothing of the row is used', () => {
    expect(rejection(() => forecastFacts({ ...FORECAST, low_f: '1e2' }, isKnown))).to.contain('low_f="1e2"');
  });
});

describe('a row of the observation feed', () => {
  it('given high and low, then it says two values, with the instant in UTC', () => {
    expect(observationFacts(OBSERVATION, isKnown)).to.deep.equal([
      ['high', 'KORD', '2026-01-05', 'verified', '2026-01-06 18:00:00.000', 30],
      ['low', 'KORD', '2026-01-05', 'verified', '2026-01-06 18:00:00.000', 17.25],
    ]);
  });

  it('given a preliminary row with one value, then it says that one', () => {
    const row = { ...OBSERVATION, status: 'preliminary', low_f: '' };
    expect(observationFacts(row, isKnown)).to.deep.equal([
      ['high', 'KORD', '2026-01-05', 'preliminary', '2026-01-06 18:00:00.000', 30],
    ]);
  });

  const FAULTS: [what: string, fault: Partial<FeedRow<'observations'>>, reason: string][] = [
    ['a station that is not known', { station_id: 'KZZZ' }, 'unknown station: KZZZ'],
    ['a status in other words', { status: 'final' }, 'bad status: "final" is not preliminary or verified'],
    ['no status', { status: '' }, 'bad status'],
    ['no time of observation', { observed_at: '' }, 'bad time'],
    ['a date with a time', { date: '2026-01-05T00:00:00Z' }, 'bad date'],
    ['a high beyond the bounds', { high_f: '150.01' }, 'temperature outside -150..150 °F'],
  ];
  for (const [what, fault, reason] of FAULTS) {
    it(`given ${what}, then it is rejected: ${reason}`, () => {
      expect(rejection(() => observationFacts({ ...OBSERVATION, ...fault }, isKnown))).to.contain(reason);
    });
  }
});
