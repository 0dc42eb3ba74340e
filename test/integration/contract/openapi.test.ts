import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import request from 'supertest';
import { openApiDocument } from '../../../scripts/openapi/document.js';
import { readExamples } from '../../../scripts/openapi/examples.js';
import { DOWNLOADS, ENDPOINTS } from '../../../src/endpoints.js';
import { VERSION } from '../../../src/lib/version.js';
import { BRIER_SCORES } from '../../../src/statistics/brier.js';
import { STATS_FIELDS } from '../../support/contract/data.js';
import { type Contract, type Document, sent, sharedContract } from '../../support/contract/contract.js';
import { PARAMETERS, PATHS } from '../../support/contract/interface.js';

type Schema = Record<string, unknown>;

const EXPORTS = '/api/v1/export/';

// Guards the form of the document; its paths and parameters are those of the endpoints by endpoints/parameters.test.ts.
describe('GET /openapi.json', () => {
  let contract: Contract;
  let document: Document;

  const operation = (template: string) => {
    const found = document.paths[template]?.get;
    if (found === undefined) throw new Error(`${template} is not in the document`);
    return found;
  };

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

  it('is the source of /llms.txt, which needs no key and names every path with its parameters', async () => {
    const response = await request(contract.service.app).get('/llms.txt');
    expect([response.status, response.headers['content-type']]).to.deep.equal([
      200,
      'text/plain; charset=utf-8',
    ]);
    const lines = response.text.split('\n').filter((line) => line.startsWith('- ['));
    for (const path of Object.keys(document.paths)) {
      expect(
        lines.filter((line) => line.includes(`](${path})`)),
        path,
      ).to.have.length(1);
    }
    const summary = lines.find((line) => line.includes('](/api/v1/accuracy/summary)'));
    expect(summary)
      .to.match(/Parameters: days, .*\bunits\b/)
      .and.not.match(/\bformat\b|undefined/);
    expect(response.text.length).to.be.below(16_000);
  });

  it('has GET alone of every path, each operation with a name of its own', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      expect(Object.keys(item), path).to.deep.equal(['get']);
    }
    const ids = Object.values(document.paths).map((item) => (item.get as unknown as Schema).operationId);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('asks for a bearer key everywhere but for health', () => {
    const whole = document as unknown as { components: { securitySchemes: Record<string, Schema> } };
    const [[name, scheme] = ['', {}]] = Object.entries(whole.components.securitySchemes);
    expect(scheme).to.include({ type: 'http', scheme: 'bearer' });
    for (const path of PATHS) {
      expect((operation(path) as unknown as Schema).security, path).to.deep.equal([{ [name]: [] }]);
    }
    expect((operation('/api/v1/health') as unknown as Schema).security).to.deep.equal([]);
  });

  it('has each parameter of an operation once, with a description: only that of its path is required', () => {
    for (const path of PATHS) {
      const parameters = operation(path).parameters ?? [];
      expect(new Set(parameters.map(({ name }) => name)).size, path).to.equal(parameters.length);
      const required = parameters.filter((each) => each.required === true);
      expect(required.map((each) => [each.name, each.in])).to.deep.equal(
        path.includes('{') ? [['station_id', 'path']] : [],
      );
      for (const { name, in: place, schema } of parameters) {
        if (place === 'query') expect(schema.description, name).to.be.a('string').that.is.not.empty;
      }
    }
  });

  it('describes success of every operation in each of its formats, and every error that can come', () => {
    for (const path of PATHS) {
      const { responses } = operation(path);
      expect(Object.keys(responses['200']?.content ?? {}), path).to.have.members(
        path.startsWith(EXPORTS)
          ? ['text/csv', 'application/x-ndjson', 'application/vnd.apache.parquet']
          : ['application/json', 'text/csv'],
      );
      const errors = ['400', '401', '405', '422', '429', '500', '503', '504'];
      // A station or a provider may not be there.
      if (['provider', 'station_id'].some((name) => name in PARAMETERS[path]!)) errors.push('404');
      expect(Object.keys(responses), path).to.include.members(errors);
      for (const status of errors) {
        expect(responses[status]?.content?.['application/json']?.schema, status).to.deep.equal({
          $ref: '#/components/schemas/ErrorResponse',
        });
      }
    }
  });

  it('names the body of every answer and its metadata, and no schema hides what a language has', () => {
    for (const path of PATHS) {
      const schema = operation(path).responses['200']?.content?.['application/json']?.schema;
      if (path.startsWith(EXPORTS)) continue;
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

  it('is openapi.json, which has the endpoints of this code (npm run generate writes it anew)', async () => {
    const { body } = await sent(request(contract.service.app).get('/openapi.json'));
    const made = openApiDocument({
      ...{ endpoints: ENDPOINTS, downloads: DOWNLOADS, version: VERSION, examples: readExamples() },
    });
    const file = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');
    expect(
      file === `${JSON.stringify(made, null, 2)}\n`,
      'openapi.json is not of this code: npm run generate',
    ).to.equal(true);
    expect(body).to.deep.equal(JSON.parse(file));
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
    expect(Object.keys(stats.properties)).to.deep.equal([...STATS_FIELDS, ...BRIER_SCORES]);
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
