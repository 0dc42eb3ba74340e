import { contract } from '../../support/contract/shared.js';
import { expect } from 'chai';
import { itInCi, range } from '../../support/runner/range.js';

// The calls of clients that were written for a published interface: each parameter that a call has, with the
// interface's default where it has one, and the fields that its answers name.

/** Calls whose answers are there, with the fields of `data`, or of each of its members. */
const CALLS: [request: string, fields: string[]][] = [
  [
    'accuracy/exceedance?station_id=KORD&thresholds=1,2,3,5&days=90&metric=high',
    [
      'station_id',
      'verification_pairs',
      'unique_days',
      'thresholds[0].threshold_f',
      'thresholds[0].exceedance_rate',
    ],
  ],
  [
    'accuracy/exceedance-summary?days=90&thresholds=2,3,5&metric=high',
    ['verification_pairs', 'unique_days', 'thresholds[0].threshold_f', 'thresholds[0].exceedance_rate'],
  ],
  [
    'accuracy/error-distribution?station_id=KORD&days=90&metric=high',
    [
      ...['station_id', 'city_name', 'verification_pairs', 'unique_days'],
      ...['buckets[0].range', 'buckets[0].count', 'buckets[0].pct'],
    ],
  ],
  [
    'accuracy/freshness',
    [
      ...['data_type', 'records_last_24h', 'stations_updated'],
      ...['earliest_recent', 'latest_recent', 'minutes_since_latest'],
    ],
  ],
  [
    'accuracy/bias-correction?station_id=KORD&forecast_temp=75&forecast_for_date=2024-03-20&days=90&metric=high',
    ['forecast_f', 'corrected_forecast_f', 'expected_low_f', 'expected_high_f', 'sample_size'],
  ],
  [
    'accuracy/peak-timing/KORD?days=90&metric=high',
    [
      ...['station_id', 'city_name', 'station_timezone', 'peak_time_distribution'],
      ...['median_peak_hour', 'median_peak_time_local', 'sample_count'],
    ],
  ],
  ['accuracy/by-weather-regime?station_id=KORD&days=90&metric=high', ['weather_regime', 'stats']],
  [
    'data/run-stats?station_id=KORD&start_time=2024-03-01T00:00:00Z&end_time=2024-03-20T00:00:00Z',
    ['city', 'station_id', 'forecast_count', 'oldest_forecast', 'max_hours', 'avg_hours', 'median_hours'],
  ],
];

/** Calls whose answers answers.txt has with all of their fields. */
const TAKEN = [
  'accuracy/sample-size?days=90&min_samples=0&metric=high',
  'accuracy/update-frequency?days=90&metric=high',
  ...['station_id=KORD', 'city=Chicago'].flatMap((place) => [
    `data/forecast-actual?${place}&days=90&date_from=2024-03-16&date_to=2024-03-19&limit=1000&format=json`,
    `data/forecasts?${place}&forecast_for_date=2024-03-18&limit=100&format=json`,
    `data/observations?${place}&date_from=2024-03-16&date_to=2024-03-19&limit=1000&format=json`,
  ]),
];

/** Calls that no feed has data for, and the word that says what is missing. */
const UNAVAILABLE: [request: string, lacking: RegExp][] = [
  [
    'data/hourly-snapshot?station_id=KORD&reference_time=2024-03-18T12:00:00Z&lookback_hours=6',
    /forecasts .* not of hours/,
  ],
  ['data/hourly-comparison?station_id=KORD&days=7&lookback_hours=0', /\/data\/hours/],
];

describe('calls of clients of a published interface', () => {
  for (const [request, fields] of range({ test: 3, ci: Infinity }, CALLS)) {
    it(`given ${request}, then it is a valid answer with the fields that they read`, async () => {
      const { data } = await contract.ok<object | object[]>(`/api/v1/${request}`);
      const records = [data].flat();
      expect(records).not.to.deep.equal([]);
      for (const record of records) {
        for (const field of fields) expect(record).to.have.nested.property(field);
      }
    });
  }

  itInCi('given calls whose answers answers.txt has, or the same as CSV, then they are taken', async () => {
    for (const request of TAKEN) {
      const json = await contract.tag(`/api/v1/${request}`);
      const csv = await contract.tag(`/api/v1/${request.replace('&format=json', '')}&format=csv`);
      expect(csv, request).not.to.equal(json);
    }
  });

  it('given what is not there, then it is a 404 that says what lacks, no key is a 401, and no list has it', async () => {
    const { data } = await contract.ok<{ path: string }[]>('/api/v1');
    for (const [request, lacking] of UNAVAILABLE) {
      const { message } = await contract.refused(`/api/v1/${request}`, 404, 'NOT_FOUND');
      expect(message).to.match(lacking);
      const path = `/api/v1/${request.split('?')[0]}`;
      const withoutKey = await contract.service.get(path).unset('Authorization');
      expect(withoutKey.status, path).to.equal(401);
      expect(data.map((entry) => entry.path)).not.to.include(path.replace('KORD', '{station_id}'));
      expect(contract.template(path)).to.equal(undefined);
    }
  });
});
