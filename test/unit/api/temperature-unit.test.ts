import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { type Endpoint } from '../../../src/api/endpoint.js';
import { getCacheKey, readRequest } from '../../../src/api/groups.js';
import {
  difference,
  exactDifference,
  getKind,
  percentage,
  score,
  share,
  temperature,
} from '../../../src/api/kinds.js';
import { makePlan } from '../../../src/api/record-plan.js';
import { ENDPOINTS } from '../../../src/endpoints.js';
import { type Directory, StationIndex } from '../../../src/stations/directory.js';
import { Providers } from '../../../src/stations/provider-choice.js';
import { roundedFraction } from '../../support/plain/oracle.js';
import { forAnyOf } from '../../support/property.js';

describe('degrees in the unit of a question', () => {
  const record = z
    .object({
      count: z.int(),
      mae: difference().nullable().meta({ description: '°F' }),
      forecast_f: temperature(),
      bins: z.array(z.object({ from_f: exactDifference(), more: difference().optional() })).optional(),
      members: z.record(z.string(), z.object({ crps_f: score().nullable() })).optional(),
    })
    .meta({ id: 'Whatever' });
  const inUnit = makePlan(record).convert;
  const value = {
    ...{ count: 3, mae: 1.005, forecast_f: 14.005, bins: [{ from_f: 0.125, more: -0.004 }] },
    members: { nws: { crps_f: 1.234567 }, other: { crps_f: null } },
  };

  it('given a record, then its degrees are rounded once, however deep, and nothing else', () => {
    expect(inUnit?.(value, 'fahrenheit')).to.deep.equal({
      count: 3,
      mae: 1.01,
      forecast_f: 14.01,
      bins: [{ from_f: 0.125, more: 0 }],
      members: value.members,
    });
    // -9.9972 °C; 14.01 °F would be -9.99.
    expect(inUnit?.(value, 'celsius')).to.deep.equal({
      count: 3,
      mae: 0.56,
      forecast_f: 14.01,
      forecast_c: -10,
      bins: [{ from_f: 0.23, from_c: 0.125, more: 0 }],
      members: { nws: { crps_f: 2.222221, crps_c: 1.234567 }, other: { crps_f: null, crps_c: null } },
    });
    const few = { count: 0, mae: null, forecast_f: 32 };
    expect(inUnit?.(few, 'celsius')).to.deep.equal({ ...few, forecast_c: 0 });
    expect(makePlan(z.object({ count: z.int() })).convert).to.equal(undefined);
  });

  it('given the schema of a record, then it has fields of both units, those in °C optional', () => {
    const both = makePlan(record).shown;
    expect(both.meta()).to.include({ id: 'Whatever' });
    expect(Object.keys(both.shape)).to.deep.equal([
      'count',
      'mae',
      'forecast_f',
      'forecast_c',
      'bins',
      'members',
    ]);
    for (const unit of ['fahrenheit', 'celsius'] as const) {
      expect(both.strict().parse(inUnit?.(value, unit))).to.deep.equal(inUnit?.(value, unit));
    }
    expect(() => both.parse({ ...value, forecast_f: undefined })).to.throw();
    const other = z.object({ mae: difference() });
    expect(makePlan(other).shown).to.equal(other);
  });

  it('given a number that is of no degrees, then nothing in °C is beside it, whatever its name', () => {
    const plan = makePlan(
      z.object({ wet_f: share(), chances_f: z.array(percentage()), hours_f: z.number() }),
    );
    const shares = { wet_f: 0.333333, chances_f: [30.004, 0.126], hours_f: 32 };
    expect(Object.keys(plan.shown.shape)).to.deep.equal(Object.keys(shares));
    expect(plan.convert?.(shares, 'celsius')).to.deep.equal({
      ...{ wet_f: 0.3333, chances_f: [30, 0.13], hours_f: 32 },
    });
  });

  it("given the mean of any pairs in Celsius, then it is the exact fraction's, ties away from zero", () => {
    const ofDifference = makePlan(difference()).convert;
    const ofTemperature = makePlan(temperature()).convert;
    forAnyOf({ seed: 20_260_131, numRuns: 5000 })(
      fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 50_000_000 })),
      fc.integer({ min: -30_000, max: 30_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (pairs, mean, share) => {
        const sum = mean * pairs + Math.floor(share * (pairs - 1));
        const [exact, n] = [BigInt(sum), BigInt(pairs)];
        expect(ofDifference?.(sum / (100 * pairs), 'celsius')).to.equal(roundedFraction(5n * exact, 9n * n));
        expect(ofTemperature?.(sum / (100 * pairs), 'celsius')).to.equal(
          roundedFraction(5n * (exact - 3200n * n), 9n * n),
        );
      },
    );
    // (k + 1/2) hundredths of a °C are 0.009 (2k + 1) °F.
    for (let k = 0; k < 16_000; k += 1) {
      expect(ofDifference?.(Number(`${9 * (2 * k + 1)}e-3`), 'celsius')).to.equal((k + 1) / 100);
      expect(ofDifference?.(Number(`-${9 * (2 * k + 1)}e-3`), 'celsius')).to.equal(-(k + 1) / 100);
    }
  });
});

describe('the records of the endpoints that answer in Celsius', () => {
  const inCelsius = ENDPOINTS.filter(
    ({ parameters }) => (parameters.temp_unit as z.ZodType | undefined)?.safeParse('celsius').success,
  );

  it('are those of every endpoint about a window of accuracy', () => {
    const others = ENDPOINTS.filter((each) => !inCelsius.includes(each)).flatMap(({ paths }) => paths);
    expect(others.filter((path) => path.startsWith('/accuracy/'))).to.deep.equal(['/accuracy/freshness']);
  });

  for (const { paths, record } of inCelsius) {
    it(`given ${paths[0]}, then every number that is told to be in °F is one that is converted`, () => {
      expect(plainDegrees(record)).to.deep.equal([]);
    });
  }
});

describe('requests about chances', () => {
  const station = {
    ...{ station_id: 'KORD', city_name: 'Chicago', country: 'US', latitude: 41, longitude: -87 },
    ...{ timezone: 'America/Chicago', day_boundary: 'civil' as const, climate_zone: 'Dfa', aliases: [] },
    ...{ data_active: true, external_ids: { icao: '', iata: '' }, reported_in: '' as const },
  };
  const directory: Directory = {
    stations: new StationIndex([station]),
    providers: new Providers([['default', 'other']]),
    ...{ asOf: undefined, timeline: 'k7q2' },
  };
  const resolve = (endpoint: Endpoint, metric: string, temp_unit: string) => {
    const url = `${endpoint.paths[0]}?metric=${metric}&temp_unit=${temp_unit}`;
    const request = {
      url,
      accept: '',
      now: Date.UTC(2026, 8, 30),
      pathStation: 'KORD',
      preferred: () => undefined,
    };
    return getCacheKey(endpoint.groups, readRequest(endpoint, request).resolve(directory));
  };
  const takes = ({ parameters }: Endpoint, name: string, value: string): boolean =>
    (parameters[name] as z.ZodType | undefined)?.safeParse(value).success === true;
  const endpoints = ENDPOINTS.filter(
    (each) => takes(each, 'temp_unit', 'celsius') && takes(each, 'metric', 'wet_day'),
  );

  it('given any endpoint that takes them, then temp_unit=celsius asks for nothing else', () => {
    expect(endpoints).to.have.length.above(12);
    for (const endpoint of endpoints)
      expect(resolve(endpoint, 'wet_day', 'celsius'), endpoint.operationId).to.equal(
        resolve(endpoint, 'wet_day', 'fahrenheit'),
      );
  });

  it('given any of them and a variable of degrees, then it asks for others', () => {
    for (const endpoint of endpoints.filter((each) => takes(each, 'metric', 'hdd')))
      expect(resolve(endpoint, 'hdd', 'celsius'), endpoint.operationId).not.to.equal(
        resolve(endpoint, 'hdd', 'fahrenheit'),
      );
  });
});

/** Whether a kind is one of degrees. */
const isDegrees = (kind = ''): boolean => /difference|temperature|score/.test(kind);

/** The numbers of a schema that say °F, by name or description, and are not of a schema of degrees. */
function plainDegrees(schema: unknown, name = '', told = ''): string[] {
  const text = `${told} ${(schema as z.ZodType).meta()?.description ?? ''}`;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return plainDegrees(schema.unwrap(), name, text);
  if (schema instanceof z.ZodArray) return plainDegrees(schema.element, name);
  if (schema instanceof z.ZodRecord) return plainDegrees(schema.valueType, name);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([field, of]) => plainDegrees(of, field));
  if (!(schema instanceof z.ZodNumber) || isDegrees(getKind(schema))) return [];
  const isShare = name.endsWith('_rate'); // of what is off by so many °F
  return (/°F/.test(text) && !isShare) || name.endsWith('_f') ? [name] : [];
}
