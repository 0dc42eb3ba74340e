import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { difference, exactDifference, getKind, score, temperature } from '../../../src/api/kinds.js';
import { makePlan } from '../../../src/api/record-plan.js';
import { ENDPOINTS } from '../../../src/endpoints.js';
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
