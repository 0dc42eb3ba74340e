import { expect } from 'chai';
import { type Deprecation, deprecatedParameter } from '../../../src/api/deprecation.js';
import { DOWNLOADS, ENDPOINTS } from '../../../src/endpoints.js';
import { openApiDocument } from '../../../scripts/openapi/document.js';
import type { Store } from '../../../src/store/store.js';
import { Listening } from '../../support/listen.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const URL_GOES: Deprecation = { since: '2027-01-01', sunset: '2028-01-01' };
const PARAMETER_GOES: Deprecation = { since: '2027-02-01', sunset: '2027-12-01' };

const byPath = (path: string) => ENDPOINTS.find(({ paths }) => paths.includes(path))!;

/** Nothing is deprecated yet, so two endpoints are for these tests: one as a URL, one in a parameter. */
describe('something deprecated', () => {
  const [url, withParameter] = [byPath('/accuracy/by-date'), byPath('/accuracy/by-city')];
  const [download] = DOWNLOADS;
  const { parameters } = withParameter;
  let store: Store;
  let server: Listening;

  before(async () => {
    url.deprecated = URL_GOES;
    download!.deprecated = URL_GOES;
    withParameter.parameters = {
      ...parameters,
      sort_by: deprecatedParameter(parameters.sort_by as never, PARAMETER_GOES),
    };
    store = await openTestStore();
    server = await Listening.start(await startTestService(store));
  });
  after(async () => {
    delete url.deprecated;
    delete download!.deprecated;
    withParameter.parameters = parameters;
    await server.stop();
    await store.close();
  });

  const told = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await server.download(`/api/v1${path}`, headers);
    const { deprecation, sunset, etag } = answer.headers as Record<string, string | undefined>;
    return { status: answer.status, deprecation, sunset, etag };
  };
  const OF_URL = { deprecation: '@1798761600', sunset: 'Sat, 01 Jan 2028 00:00:00 GMT' };
  const OF_PARAMETER = { deprecation: '@1801440000', sunset: 'Wed, 01 Dec 2027 00:00:00 GMT' };

  it('given a URL, then each of its responses says since when, and until when: also a kept one, a 304 and an error', async () => {
    const first = await told('/accuracy/by-date');
    expect(first).to.include({ status: 200, ...OF_URL });
    expect(await told('/accuracy/by-date')).to.include({ status: 200, ...OF_URL });
    const known = { 'If-None-Match': first.etag ?? '' };
    expect(await told('/accuracy/by-date', known)).to.include({ status: 304, ...OF_URL });
    expect(await told('/accuracy/by-date?days=0')).to.include({ status: 400, ...OF_URL });
    expect(await told('/accuracy/by-date/KORD/recompute.sql')).to.include({ status: 404, ...OF_URL });
    expect(await told('/export/pairs')).to.include({ status: 200, ...OF_URL });
  });

  it('given a parameter, then responses to requests that have it say so, and no other', async () => {
    expect(await told('/accuracy/by-city?sort_by=mae')).to.include({ status: 200, ...OF_PARAMETER });
    expect(await told('/accuracy/by-city')).to.include({ status: 200, deprecation: undefined });
    expect(await told('/accuracy/summary')).to.include({ status: 200, deprecation: undefined });
  });

  it('then the document marks them, and nothing else', () => {
    const { paths } = openApiDocument({
      endpoints: ENDPOINTS,
      downloads: DOWNLOADS,
      version: '1.0.0',
      examples: { responses: {}, errors: {} },
    }) as unknown as {
      paths: Record<
        string,
        { get: { deprecated?: true; parameters?: { name: string; deprecated?: true }[] } }
      >;
    };
    const marked = Object.entries(paths).flatMap(([path, { get }]) => [
      ...(get.deprecated ? [path] : []),
      ...(get.parameters ?? []).filter((each) => each.deprecated).map(({ name }) => `${path}?${name}`),
    ]);
    expect(marked).to.have.members([
      '/api/v1/accuracy/by-date',
      '/api/v1/accuracy/by-date/{station_id}',
      '/api/v1/export/pairs',
      '/api/v1/accuracy/by-city?sort_by',
    ]);
  });
});
