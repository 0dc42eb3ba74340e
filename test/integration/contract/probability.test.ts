import { expect } from 'chai';
import { contract, store } from '../../support/contract/shared.js';
import { itInCi, range } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';

const PROBABILITY = '/api/v1/probability?station_id=KORD&target_date=2024-03-21';

interface Probability {
  forecast_f: number;
  issued_at: string | null;
  lead_time_bucket: string;
  lead_range: object;
  training: Record<string, unknown>;
  quantiles: Record<string, number | null>;
  thresholds?: { threshold_f: number; at_or_above: number | null }[];
  brackets?: { from_f: number | null; to_f: number | null; probability: number | null }[];
  reason: string | null;
}

// The numbers: test/integration/truth/probability.test.ts. Here: what a request may ask, and what it is told.
describe('the endpoints of probabilities (D36)', () => {
  for (const [query, expected] of range({ test: 3, ci: Infinity }, [
    ['forecast=50&brackets=80-81,82-83', '..79 80..81 82..83 84..'],
    ['forecast=50&brackets=-5--4,-9--8', '..-10 -9..-8 -7..-6 -5..-4 -3..'],
    ['forecast=50&brackets=..79,80-80,90..', '..79 80..80 81..89 90..'],
    ['forecast=50&brackets=-0-0', '..-1 0..0 1..'],
    // Without brackets, six around the whole degree of the forecast.
    ['forecast=72.5', '..69 70..71 72..73 74..75 76..77 78..'],
    ['forecast=-0.5', '..-4 -3..-2 -1..0 1..2 3..4 5..'],
    ['forecast=-12.51', '..-17 -16..-15 -14..-13 -12..-11 -10..-9 -8..'],
  ] as const)) {
    it(`given ${query}, then the brackets are ${expected}`, async () => {
      const { data } = await contract.ok<Probability>(`${PROBABILITY}&${query}`);
      const brackets = data.brackets?.map(({ from_f, to_f }) => `${from_f ?? ''}..${to_f ?? ''}`);
      expect(brackets?.join(' ')).to.equal(expected);
      expect(data.forecast_f).to.equal(Number(/forecast=([^&]+)/.exec(query)?.[1]));
      expect(data).not.to.have.property('thresholds');
    });
  }

  it('given thresholds, then they come ascending, each once, and alone', async () => {
    const { data } = await contract.ok<Probability>(`${PROBABILITY}&forecast=50&thresholds=60,-10,60`);
    expect(data.thresholds?.map(({ threshold_f }) => threshold_f)).to.deep.equal([-10, 60]);
    expect(data).not.to.have.property('brackets');
  });

  it('given both as CSV, then each row has one of either; given one, then its columns alone', async () => {
    const { text } = await contract.get(
      `${PROBABILITY}&forecast=50&thresholds=60,70&brackets=60-61&format=csv`,
    );
    expect(text.trim().split('\r\n')).to.have.lengthOf(1 + 2 + 3);
    const alone = await contract.get(`${PROBABILITY}&forecast=50&thresholds=60,70&format=csv`);
    expect(alone.text.trim().split('\r\n')).to.have.lengthOf(1 + 2);
    expect(alone.text).to.match(/^metric,station_id,/);
    expect(alone.text.split('\r\n')[0]).not.to.include('from_f');
  });

  it('given too few days of the network, then every probability is null, and the reason has the need', async () => {
    const { data } = await contract.ok<Probability>(
      `${PROBABILITY}&forecast=50&thresholds=50&brackets=50-51`,
    );
    expect(data.reason).to.match(/has \d+ station days .* at least 200/);
    for (const value of [
      ...(data.thresholds ?? []).map(({ at_or_above }) => at_or_above),
      ...(data.brackets ?? []).map(({ probability }) => probability),
      ...Object.values(data.quantiles),
    ]) {
      expect(value).to.equal(null);
    }
  });

  itInCi(
    'given no forecast, then the latest stored one before the day counts, by bucket, lead or known_at',
    async () => {
      const asked = '/api/v1/probability?station_id=KORD&target_date=2024-03-18';
      for (const [more, forecast_f, issued_at, bucket] of range({ test: 5, ci: Infinity }, [
        ['', 51, '2024-03-18T05:00:00Z', '0-6h'],
        ['&lead_time_bucket=24-48h', 53, '2024-03-17T05:00:00Z', '24-48h'],
        // A day of lead includes its end alone: 72 hours are of the same as 50, and 48 of the one before.
        ['&lead_hours=50', 55, '2024-03-15T05:00:00Z', '72h+'],
        ['&lead_hours=48', 46, '2024-03-16T05:00:00Z', '48-72h'],
        ['&lead_hours=24', 53, '2024-03-17T05:00:00Z', '24-48h'],
        ['&lead_hours=23', 48.5, '2024-03-17T17:00:00Z', '12-24h'],
        ['&lead_hours=2.6', 49, '2024-03-18T00:00:00Z', '0-6h'],
        ['&lead_hours=2.5', 51, '2024-03-18T05:00:00Z', '0-6h'], // of two equally near, the later
        ['&known_at=2024-03-17T20:00:00Z', 48.5, '2024-03-17T17:00:00Z', '12-24h'],
      ] as const)) {
        const { data } = await contract.ok<Probability>(`${asked}${more}`);
        expect([data.forecast_f, data.issued_at, data.lead_time_bucket], more).to.deep.equal([
          forecast_f,
          issued_at,
          bucket,
        ]);
      }
    },
  );

  itInCi('given no day, then it is that of known_at or of the version, or today', async () => {
    for (const [more, expected] of [
      ['', '2024-03-20'],
      ['&known_at=2024-03-10T23:00:00Z', '2024-03-10'],
      ['&as_of=2024-02-01', '2024-02-01'],
    ] as const) {
      const { data } = await contract.ok<{ target_date: string }>(
        `/api/v1/probability?forecast=50&lead_hours=20${more}`,
      );
      expect(data.target_date).to.equal(expected);
      const path = `/api/v1/accuracy/bias-correction?station_id=KORD${more}`;
      const bias = await contract.ok<{ forecast_for_date: string }>(path);
      expect(bias.data.forecast_for_date).to.equal(expected);
    }
  });

  it('given no forecast and none stored, then it is refused with what to do', async () => {
    for (const [path, says] of [
      [PROBABILITY, /the store has no forecast for KORD and 2024-03-21; give one/],
      ['/api/v1/probability', /is missing; give it, or name a station/],
      [
        '/api/v1/probability?station_id=KORD&target_date=2024-03-17&lead_time_bucket=72h%2B',
        /no forecast of 72h\+ for KORD/,
      ],
    ] as const) {
      const [fault] = await contract.faults(path);
      expect(fault?.parameter).to.equal('forecast');
      expect(fault?.message).to.match(says);
    }
  });

  it('given a lead that is in another bucket than the one named, then it is refused', async () => {
    for (const path of [
      `${PROBABILITY}&forecast=50`,
      '/api/v1/probability/reliability?station_id=KORD',
      '/api/v1/accuracy/bias-correction?station_id=KORD',
    ]) {
      const [fault] = await contract.faults(`${path}&lead_hours=30&lead_time_bucket=0-6h`);
      expect(fault).to.deep.equal({
        parameter: 'lead_hours',
        message: 'is in 24-48h, but lead_time_bucket is 0-6h; give one of them',
      });
    }
  });

  // At NOW, 15:30Z of the 20th, the 21st begins in Chicago 13.5 hours later, at 05:00Z.
  itInCi(
    'given a forecast for a day, then its lead time runs from the question to the day at the station',
    async () => {
      for (const [what, query, bucket] of range({ test: 4, ci: Infinity }, [
        ['tomorrow', '2024-03-21', '12-24h'],
        ['the day after', '2024-03-22', '24-48h'],
        ['in three days', '2024-03-23', '48-72h'],
        ['in four days', '2024-03-24', '72h+'],
        ['today as known six hours before it', '2024-03-20&known_at=2024-03-19T23:00:00Z', '6-12h'],
        ['today as known a moment later', '2024-03-20&known_at=2024-03-19T23:00:00.001Z', '0-6h'],
        ['tomorrow as known a day before', '2024-03-21&known_at=2024-03-19T23:00:00Z', '24-48h'],
        ['today, of the lead that is named', '2024-03-20&lead_hours=30', '24-48h'],
      ] as const)) {
        const path = `/api/v1/probability?station_id=KORD&forecast=50&target_date=${query}`;
        expect((await contract.ok<Probability>(path)).data.lead_time_bucket, what).to.equal(bucket);
      }
    },
  );

  itInCi(
    'given the same question again as time goes on, then its lead time is that of the quarter of an hour',
    async () => {
      let now = '';
      const service = await startTestService(store, { now: () => new Date(now) });
      const buckets: string[] = [];
      for (now of ['2024-03-20T16:59:59Z', '2024-03-20T17:14:59Z', '2024-03-20T17:15:00Z']) {
        const { text } = await service.get(`${PROBABILITY}&forecast=50`);
        buckets.push((JSON.parse(text) as { data: Probability }).data.lead_time_bucket);
      }
      expect(buckets).to.deep.equal(['12-24h', '12-24h', '6-12h']);
    },
  );

  for (const [given, path, says] of [
    [
      'a day that has begun',
      'station_id=KORD&target_date=2024-03-20',
      /2024-03-20 had begun by 2024-03-20T15:30/,
    ],
    ['no station', 'target_date=2024-03-22', /depends on the station/],
    [
      'a version without the station',
      'station_id=KORD&target_date=2024-03-22&as_of=2024-01-01',
      /names no known station/,
    ],
  ] as const) {
    itInCi(
      `given a forecast and ${given}, then nothing tells its lead time, and the request has to`,
      async () => {
        const [fault] = await contract.faults(`/api/v1/probability?forecast=50&${path}`);
        expect(fault?.parameter).to.equal('lead_hours');
        expect(fault?.message)
          .to.match(says)
          .and.to.match(/give lead_hours or lead_time_bucket$/);
      },
    );
  }

  for (const [more, bucket, nearest, from, to, alsoOf] of range({ test: 3, ci: Infinity }, [
    ['lead_time_bucket=24-48h', '24-48h', null, 24, 48, 'probability/reliability?'],
    ['lead_time_bucket=72h%2B', '72h+', null, 72, 96],
    ['lead_hours=7.25', '6-12h', 7.25, 6, 12, 'accuracy/bias-correction?'],
    ['lead_hours=24', '24-48h', 24, 12, 24, 'probability/reliability?'],
    ['lead_hours=72', '72h+', 72, 48, 72],
    ['lead_hours=120.5&lead_time_bucket=72h%2B', '72h+', 120.5, 120, 144],
    ['lead_hours=720', '72h+', 720, 696, 720, 'accuracy/bias-correction?'],
    // A day that begins in twelve.
    ['station_id=KORD&target_date=2024-04-02', '72h+', 301.5, 288, 312],
  ] as const)) {
    itInCi(`given ${more}, then the answer says which leads it stands for (D36)`, async () => {
      for (const path of [
        'probability?forecast=50&target_date=2024-03-21&',
        ...(alsoOf === undefined ? [] : [alsoOf]),
      ]) {
        const query = new URLSearchParams([...new Map(new URLSearchParams(`${path.split('?')[1]}${more}`))]);
        const { data } = await contract.ok<Probability>(`/api/v1/${path.split('?')[0]}?${query.toString()}`);
        expect([data.lead_time_bucket, data.lead_range], path).to.deep.equal([
          bucket,
          { nearest_lead_hours: nearest, from_lead_hours: from, to_lead_hours: to },
        ]);
      }
    });
  }

  it('given a lead of more than 30 days, then it is refused with how far errors are learned', async () => {
    const [fault] = await contract.faults(
      '/api/v1/probability?station_id=KORD&forecast=50&target_date=2024-05-02',
    );
    expect(fault?.parameter).to.equal('target_date');
    expect(fault?.message)
      .to.match(/begins 1021 hours after/)
      .and.to.match(/errors are learned up to 720 hours before the day/);
  });

  itInCi('given what was learned from, then training says its lead times; without any, nulls', async () => {
    const path = '/api/v1/probability?forecast=50&lead_time_bucket=0-6h';
    // The network's six forecasts below 6 hours of 16 to 19 March: 5, 5, 0, 5, 4 and 0 hours.
    const network = await contract.ok<Probability>(`${path}&target_date=2024-03-21`);
    expect(network.data.training).to.include({ mean_lead_hours: 3.17, min_lead_hours: 0, max_lead_hours: 5 });
    // KORD's own three weigh one each, and the network's 60: (10 + 60 * 19 / 6) / 63
    const station = await contract.ok<Probability>(`${path}&target_date=2024-03-21&station_id=KORD`);
    expect(station.data.training).to.include({ network_days: 6, station_days: 3, mean_lead_hours: 3.17 });
    const none = await contract.ok<Probability>(`${path}&target_date=2023-01-01`);
    expect(none.data.training).to.include({
      mean_lead_hours: null,
      min_lead_hours: null,
      max_lead_hours: null,
    });
  });

  itInCi(
    'given the first and the last day there can be, then there is an answer without a number',
    async () => {
      for (const date of ['1970-01-01', '1970-01-03', '2149-06-06']) {
        const { data } = await contract.ok<Probability>(
          `/api/v1/probability?forecast=50&lead_hours=20&target_date=${date}`,
        );
        expect(data.training).to.include({ station_days: 0, network_days: 0 });
        const bias = await contract.ok<{ bias_f: number | null }>(
          `/api/v1/accuracy/bias-correction?forecast_for_date=${date}&date_from=${date}&date_to=${date}`,
        );
        expect(bias.data.bias_f).to.equal(null);
      }
    },
  );

  it('given no case, then reliability has every field, without a number, and its bins as a table', async () => {
    const path = '/api/v1/probability/reliability?station_id=KSEA';
    const { data, metadata } = await contract.ok<Record<string, unknown>>(path);
    expect(data).to.deep.include({
      cases: 0,
      days: 0,
      brier: { value: null, low: null, high: null },
      pit: [],
    });
    expect(metadata.total_records).to.equal(0);
    const { text } = await contract.get(`${path}&format=csv`);
    expect(text.trim().split('\r\n')).to.have.lengthOf(1 + 20);
  });
});
