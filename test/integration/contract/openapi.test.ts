import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import request from 'supertest';
import { DOWNLOADS, ENDPOINTS } from '../../../src/endpoints/index.js';
import { VERSION } from '../../../src/version.js';
import { STATS_FIELDS } from '../../support/contract/data.js';
import {
  type Contract,
  type Document,
  NEEDED,
  sent,
  sharedContract,
} from '../../support/contract/contract.js';
import { itInCi } from '../../support/runner/range.js';

type Schema = Record<string, unknown>;

const DAYS = { type: 'integer', default: 90, minimum: 1, maximum: 365 };
const DATE = { type: 'string', format: 'date' };
const METRIC = { type: 'string', enum: ['high', 'low'], default: 'high' };
const FORMAT = { type: 'string', enum: ['json', 'csv'] };
const TEXT = { type: 'string' };
const OFF = { type: 'boolean', default: false };
const UNIT = { temp_unit: { type: 'string', enum: ['fahrenheit', 'celsius'], default: 'fahrenheit' } };
const FAHRENHEIT = { temp_unit: { type: 'string', enum: ['fahrenheit'], default: 'fahrenheit' } };
const RANGES = {
  range_width: { type: 'integer', default: 2, minimum: 1, maximum: 50 },
  range_offset: { type: 'integer', default: 0, minimum: 0, maximum: 49 },
};
const EVERY_LEAD = {
  days: DAYS,
  date_from: DATE,
  date_to: DATE,
  metric: METRIC,
  provider: TEXT,
  as_of: TEXT,
  format: FORMAT,
  bom: OFF,
  ...UNIT,
};
const QUESTION = { ...EVERY_LEAD, lead_time_bucket: TEXT, known_at: TEXT };
const STATION = { station_id: TEXT, city: TEXT };
const STATIONS = { ...STATION, stations: TEXT };
const PRELIMINARY = { show_preliminary: OFF, include_preliminary: OFF };
const PERIODS = { group_by: { type: 'string', enum: ['week', 'month', 'year'] } };
const LEAD = { type: 'string', enum: ['0', '6', '12', '24', '48', '72'] };
const LEVEL = { type: 'string', enum: ['0.8', '0.9', '0.95', '0.99'], default: '0.95' };
const LIMIT = (fallback: number) => ({ type: 'integer', default: fallback, minimum: 1, maximum: 50_000 });
const ANY_METRIC = { type: 'string', enum: ['high', 'low'] };
const VERSIONS = { type: 'string', enum: ['latest', 'all'], default: 'latest' };
const BUCKET = { type: 'string', enum: ['0-6h', '6-12h', '12-24h', '24-48h', '48-72h', '72h+'] };
const TRAINING = {
  window: { type: 'integer', default: 60, minimum: 30, maximum: 365 },
  verified_only: { type: 'boolean' },
};
const CI = { ci: { type: 'string', enum: ['0.8', '0.9', '0.95', '0.99'] } };

const without = (parameters: Record<string, Schema>, ...names: string[]): Record<string, Schema> =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)));

/** Section 4 of the interface with D3, D14 and D16: the query parameters of each path. */
const PARAMETERS: Record<string, Record<string, Schema>> = {
  '/api/v1/accuracy/by-date': { ...QUESTION, ...STATION, ...PERIODS, ...PRELIMINARY },
  // A query may name the station of the path again; the document has the name once.
  '/api/v1/accuracy/by-date/{station_id}': { ...QUESTION, ...PERIODS, city: TEXT, ...PRELIMINARY },
  '/api/v1/accuracy/by-station/{station_id}': {
    ...QUESTION,
    ...CI,
    include_raw: OFF,
  },
  '/api/v1/accuracy/summary': { ...QUESTION, ...STATION, ...CI },
  '/api/v1/accuracy/by-lead-time': {
    ...QUESTION,
    ...STATION,
    ...CI,
    include_same_day: OFF,
    align: { type: 'string', enum: ['none', 'matched'], default: 'none' },
    select: { type: 'string', enum: ['mean', 'latest'], default: 'mean' },
  },
  '/api/v1/accuracy/by-city': {
    ...QUESTION,
    ...STATIONS,
    ...CI,
    min_samples: { type: 'integer', default: 0, minimum: 0 },
    sort_by: { type: 'string', enum: ['mae', 'count', 'mean_error', 'city', 'rmse'] },
  },
  '/api/v1/accuracy/hit-rate': { ...QUESTION, ...STATIONS, ...FAHRENHEIT, lead: LEAD, ci: LEVEL },
  '/api/v1/accuracy/by-bucket/{station_id}': {
    ...QUESTION,
    ...FAHRENHEIT,
    lead: LEAD,
    ci: LEVEL,
    ...RANGES,
  },
  '/api/v1/accuracy/revision-stats': {
    ...without(QUESTION, 'lead_time_bucket'),
    ...STATIONS,
    ci: LEVEL,
    include_steps: OFF,
  },
  '/api/v1/accuracy/compare': {
    ...without(QUESTION, 'provider'),
    ...STATIONS,
    providers: TEXT,
    reference: TEXT,
    lead: LEAD,
    ci: LEVEL,
    group_by: { type: 'string', enum: ['none', 'lead_time_bucket'], default: 'none' },
  },
  '/api/v1/accuracy/skill': {
    ...QUESTION,
    ...STATIONS,
    lead: LEAD,
    ci: LEVEL,
    reference: { type: 'string', enum: ['persistence', 'recent', 'climatology'], default: 'persistence' },
    group_by: { type: 'string', enum: ['lead_time_bucket', 'station', 'none'], default: 'lead_time_bucket' },
  },
  '/api/v1/accuracy/exceedance': {
    ...QUESTION,
    ...STATION,
    thresholds: { ...TEXT, default: '1,2,3,5' },
    ci: LEVEL,
  },
  '/api/v1/accuracy/exceedance-summary': { ...QUESTION, thresholds: { ...TEXT, default: '2,3,5' } },
  '/api/v1/accuracy/error-distribution': {
    ...QUESTION,
    ...STATION,
    bin_width: { type: 'string', enum: ['1', '2', '5', '0.5'], default: '1' },
    signed: OFF,
    group_by: { type: 'string', enum: ['lead_time_bucket', 'forecast'] },
    ...RANGES,
  },
  '/api/v1/accuracy/sample-size': {
    ...QUESTION,
    ...STATIONS,
    min_samples: { type: 'integer', default: 0, minimum: 0 },
  },
  '/api/v1/accuracy/update-frequency': { ...EVERY_LEAD, known_at: TEXT, ...STATIONS },
  '/api/v1/accuracy/freshness': { format: FORMAT, bom: OFF },
  '/api/v1/accuracy/bias-correction': {
    ...QUESTION,
    ...STATION,
    ...TRAINING,
    ...FAHRENHEIT,
    lead_time_bucket: { ...BUCKET, default: '12-24h' },
    lead_hours: { type: 'number' },
    forecast_for_date: DATE,
    forecast_temp: { type: 'number', default: 75 },
    ci: LEVEL,
  },
  '/api/v1/probability': {
    ...STATION,
    ...TRAINING,
    ...FAHRENHEIT,
    forecast: { type: 'number' },
    target_date: DATE,
    lead_time_bucket: BUCKET,
    lead_hours: { type: 'number' },
    metric: METRIC,
    provider: TEXT,
    thresholds: TEXT,
    brackets: TEXT,
    ci: LEVEL,
    as_of: TEXT,
    known_at: TEXT,
    format: FORMAT,
    bom: OFF,
  },
  '/api/v1/probability/reliability': {
    ...EVERY_LEAD,
    known_at: TEXT,
    ...STATION,
    ...TRAINING,
    ...FAHRENHEIT,
    lead_time_bucket: { ...BUCKET, default: '12-24h' },
    lead_hours: { type: 'number' },
    ci: LEVEL,
  },
  '/api/v1/data/forecast-actual': {
    ...QUESTION,
    ...STATION,
    limit: LIMIT(1000),
    cursor: TEXT,
  },
  '/api/v1/data/forecasts': {
    ...STATION,
    forecast_for_date: DATE,
    metric: ANY_METRIC,
    provider: TEXT,
    versions: VERSIONS,
    ...UNIT,
    as_of: TEXT,
    limit: LIMIT(100),
    cursor: TEXT,
    format: FORMAT,
    bom: OFF,
  },
  '/api/v1/data/observations': {
    days: DAYS,
    date_from: DATE,
    date_to: DATE,
    ...STATION,
    metric: ANY_METRIC,
    versions: VERSIONS,
    ...UNIT,
    as_of: TEXT,
    limit: LIMIT(1000),
    cursor: TEXT,
    format: FORMAT,
    bom: OFF,
  },
  '/api/v1/data/run-stats': {
    ...STATIONS,
    as_of: TEXT,
    provider: TEXT,
    start_time: TEXT,
    end_time: TEXT,
    format: FORMAT,
    bom: OFF,
  },
  '/api/v1/stations/metadata': { format: FORMAT, bom: OFF },
  '/api/v1/providers': { format: FORMAT, bom: OFF },
  '/api/v1/loads': {
    limit: { type: 'integer', default: 100, minimum: 1, maximum: 500 },
    before: { type: 'integer', minimum: 1 },
    format: FORMAT,
    bom: OFF,
  },
  '/api/v1/usage': { format: FORMAT, bom: OFF },
  '/api/v1': { format: FORMAT, bom: OFF },
  '/api/v1/export/pairs': {
    days: DAYS,
    date_from: DATE,
    date_to: DATE,
    ...STATION,
    metric: { type: 'string', enum: ['high', 'low'] },
    provider: TEXT,
    lead_time_bucket: TEXT,
    as_of: TEXT,
    include_same_day: OFF,
    format: { type: 'string', enum: ['csv', 'ndjson', 'parquet'] },
    cursor: TEXT,
  },
};

const EXPORT = '/api/v1/export/pairs';

/** The path with what it needs, and with one more parameter, or with that one in place of what it needs. */
const concrete = (template: string, more = ''): string => {
  const path = template.replace('{station_id}', 'KORD');
  const needed = (NEEDED[template] ?? '')
    .split('&')
    .filter((each) => !more.startsWith(each.replace(/=.*/, '=')));
  const query = [...needed, more].filter((each) => each !== '').join('&');
  return query === '' ? path : `${path}?${query}`;
};

describe('GET /openapi.json', () => {
  let contract: Contract;
  let document: Document;

  const operation = (template: string) => {
    const found = document.paths[template]?.get;
    if (found === undefined) throw new Error(`${template} is not in the document`);
    return found;
  };
  const queryParameters = (template: string) =>
    (operation(template).parameters ?? []).filter((parameter) => parameter.in === 'query');

  before(async () => {
    contract = await sharedContract();
    ({ document } = contract);
  });

  it('is an OpenAPI 3.1 document of this version, and needs no key', async () => {
    const response = await request(contract.service.app).get('/openapi.json');
    expect(response.status).to.equal(200);
    expect(response.headers['content-type']).to.match(/^application\/json/);
    expect(document.openapi).to.match(/^3\.1\.\d+$/);
    expect((response.body as { info: Schema }).info).to.include({ version: VERSION });
  });

  it('has every route of the service, and none that is not', () => {
    const routes = [...ENDPOINTS.flatMap(({ paths }) => paths), ...DOWNLOADS.map(({ path }) => path)].map(
      (path) => `/api/v1${path.replace(':station_id', '{station_id}')}`,
    );
    const lacking = routes.filter((path) => !(path in PARAMETERS));
    expect(lacking, 'without parameters in PARAMETERS of this file').to.deep.equal([]);
    const needless = Object.keys(PARAMETERS).filter((path) => !routes.includes(path));
    expect(needless, 'in PARAMETERS of this file, and no route').to.deep.equal([]);
    expect(Object.keys(document.paths)).to.have.members([...routes, '/api/v1/health']);
    for (const [path, item] of Object.entries(document.paths)) {
      expect(Object.keys(item), path).to.deep.equal(['get']);
    }
  });

  it('names every operation once', () => {
    const ids = Object.values(document.paths).map((item) => (item.get as unknown as Schema).operationId);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('asks for a bearer key everywhere but for health', () => {
    const whole = document as unknown as { components: { securitySchemes: Record<string, Schema> } };
    const [[name, scheme] = ['', {}]] = Object.entries(whole.components.securitySchemes);
    expect(scheme).to.include({ type: 'http', scheme: 'bearer' });
    for (const path of Object.keys(PARAMETERS)) {
      expect((operation(path) as unknown as Schema).security, path).to.deep.equal([{ [name]: [] }]);
    }
    expect((operation('/api/v1/health') as unknown as Schema).security).to.deep.equal([]);
  });

  for (const [template, expected] of Object.entries(PARAMETERS)) {
    describe(template, () => {
      it('has the parameters of the interface with their types, defaults and bounds', () => {
        const found = Object.fromEntries(queryParameters(template).map(({ name, schema }) => [name, schema]));
        expect(found).to.have.all.keys(...Object.keys(expected));
        for (const [name, schema] of Object.entries(expected)) {
          expect(found[name], name).to.deep.include(schema);
        }
        for (const { name, required, schema } of queryParameters(template)) {
          expect(required ?? false, name).to.equal(false);
          expect(schema.description, name).to.be.a('string').that.is.not.empty;
        }
      });

      it('has the station of its path, which is required', () => {
        const inPath = (operation(template).parameters ?? []).filter((parameter) => parameter.in === 'path');
        expect(inPath.map(({ name, required }) => [name, required])).to.deep.equal(
          template.includes('{') ? [['station_id', true]] : [],
        );
      });

      it('given a parameter of any endpoint, then it is taken here if and only if it is in the document', async () => {
        const documented = queryParameters(template).map(({ name }) => name);
        const all = new Set(Object.values(PARAMETERS).flatMap(Object.keys));
        if (template.includes('by-date/{')) all.delete('station_id');
        for (const name of [...all, 'limit', 'offset', 'page', 'fields', 'timezone']) {
          if (NEEDED[template]?.includes(`${name}=`)) continue;
          const { status } = await contract.get(concrete(template, `${name}=`));
          expect(status, name).to.equal(documented.includes(name) ? 200 : 400);
        }
      });

      itInCi('given the default that it tells, then the answer is the one without it', async () => {
        // A file (export.test.ts), and what counts the questions before (usage.test.ts).
        if (template === EXPORT || template === '/api/v1/usage') return;
        const plain = await contract.ok<unknown>(concrete(template));
        for (const { name, schema } of queryParameters(template)) {
          if (schema.default === undefined) continue;
          const explicit = await contract.ok<unknown>(
            concrete(template, `${name}=${schema.default as string}`),
          );
          expect(explicit.data, name).to.deep.equal(plain.data);
        }
      });

      it('given its bounds, then they are taken, and one beyond is refused', async () => {
        for (const { name, schema } of queryParameters(template)) {
          for (const [bound, beyond] of [
            [schema.minimum, -1],
            [schema.maximum, 1],
          ] as [number | undefined, number][]) {
            if (bound === undefined) continue;
            expect((await contract.get(concrete(template, `${name}=${bound}`))).status).to.equal(200);
            const faults = await contract.faults(concrete(template, `${name}=${bound + beyond}`));
            expect(faults.map(({ parameter }) => parameter)).to.deep.equal([name]);
          }
        }
      });

      itInCi('given each value that it lists, then it is taken', async () => {
        for (const { name, schema } of queryParameters(template)) {
          for (const value of (schema.enum as string[] | undefined) ?? []) {
            const { status } = await contract.get(concrete(template, `${name}=${value}`));
            expect(status, `${name}=${value}`).to.equal(200);
          }
        }
      });

      it('describes success in each of its formats, and every error that can come', () => {
        const { responses } = operation(template);
        expect(Object.keys(responses['200']?.content ?? {})).to.have.members(
          template === EXPORT
            ? ['text/csv', 'application/x-ndjson', 'application/vnd.apache.parquet']
            : ['application/json', 'text/csv'],
        );
        const errors = ['400', '401', '405', '429', '500', '503', '504'];
        // A station or a provider may not be there.
        if (['provider', 'station_id'].some((name) => name in (PARAMETERS[template] ?? {})))
          errors.push('404');
        expect(Object.keys(responses)).to.include.members(errors);
        for (const status of errors) {
          expect(responses[status]?.content?.['application/json']?.schema, status).to.deep.equal({
            $ref: '#/components/schemas/ErrorResponse',
          });
        }
      });
    });
  }

  it('has no parameter twice in one operation, in whatever place', () => {
    for (const path of Object.keys(PARAMETERS)) {
      const names = (operation(path).parameters ?? []).map(({ name }) => name);
      expect(new Set(names).size, path).to.equal(names.length);
    }
  });

  it('names the body of every answer and its metadata, and no schema hides what a language has', () => {
    for (const path of Object.keys(PARAMETERS)) {
      const schema = operation(path).responses['200']?.content?.['application/json']?.schema;
      if (path === EXPORT) continue;
      expect(schema, path)
        .to.have.property('$ref')
        .that.matches(/^#\/components\/schemas\/\w+Response$/);
    }
    const { AccuracySummaryResponse } = document.components.schemas as Record<string, { properties: object }>;
    expect(AccuracySummaryResponse?.properties).to.deep.equal({
      success: { type: 'boolean', const: true },
      data: { $ref: '#/components/schemas/Summary' },
      metadata: { $ref: '#/components/schemas/AccuracySummaryMetadata' },
    });
    expect(document.components.schemas).not.to.have.any.keys('Error', 'Object', 'Date', 'Map', 'Promise');
  });

  it('is the one in openapi.json (npm run generate writes it anew)', async () => {
    const { body } = await sent(request(contract.service.app).get('/openapi.json'));
    const file = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');
    expect(
      file === `${JSON.stringify(body, null, 2)}\n`,
      'openapi.json is not of this code: npm run generate',
    ).to.equal(true);
  });

  it('given its tag, then it is 304; it is the same text each time', async () => {
    const app = contract.service.app;
    const first = await request(app).get('/openapi.json');
    const tag = String(first.headers.etag);
    expect(tag).to.match(/^W\/"[\w-]+"$/);
    const known = await request(app).get('/openapi.json').set('If-None-Match', tag);
    expect([known.status, known.text, known.headers.etag]).to.deep.equal([304, '', tag]);
    expect((await request(app).get('/openapi.json').set('If-None-Match', '"other"')).text).to.equal(
      first.text,
    );
  });

  it('describes the stats with all nine fields, which are always there, and null but for the counts', () => {
    const stats = document.components.schemas.Stats as {
      properties: Record<string, Schema>;
      required: string[];
    };
    expect(Object.keys(stats.properties)).to.deep.equal(STATS_FIELDS);
    expect(stats.required).to.have.members(STATS_FIELDS);
    for (const [name, { type }] of Object.entries(stats.properties)) {
      const expected = ['verification_pairs', 'unique_days'].includes(name) ? 'integer' : ['number', 'null'];
      expect(type, name).to.deep.equal(expected);
    }
  });

  it('refers to nothing that it does not have', () => {
    const text = JSON.stringify(document);
    for (const [, kind = '', name = ''] of text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)) {
      expect(document.components).to.have.nested.property(`${kind}.${name}`);
    }
    expect(text.match(/"\$ref":"(?!#\/components\/(?:schemas|examples)\/)/)).to.equal(null);
  });
});
