import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { expectHeadersOfStored } from '../../../support/contract/not-modified.js';
import { ENDPOINTS } from '../../../../src/endpoints.js';
import { CSV_TYPE, expectCsvLikeJson } from '../../../support/contract/cases.js';
import { contract } from '../../../support/contract/shared.js';
import { type Answer, sent } from '../../../support/contract/contract.js';
import { PARAMETERS, PATHS, urlOf, windowOf } from '../../../support/contract/interface.js';
import { isInCi, range } from '../../../support/runner/range.js';

/** An answer of the contract data, as answers.txt has it. */
interface Golden {
  path: string;
  file: string;
  /** As JSON, without what differs from run to run. */
  metadata: string;
  /** The first record of the JSON. */
  first: string | undefined;
  lines: string[];
  /** Lines of CSV that the file leaves out. */
  more: number;
}

const GOLDEN = readFileSync(new URL('../../../support/contract/answers.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n\n')
  .map((section): Golden => {
    const lines = section.split('\n');
    const said = (word: string): string | undefined =>
      lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
    return {
      path: `/api/v1/${said('GET')}`,
      file: said('file') ?? '',
      metadata: said('metadata') ?? '',
      first: said('first'),
      lines: lines.filter((line) => !/^(GET|file|metadata|first|and) /.test(line)),
      more: Number.parseInt(said('and') ?? '0'),
    };
  });

/** Where what it says depends on loads, requests or endpoints: each has a test of its own. */
const ELSEWHERE = [
  '/api/v1/accuracy/by-hour', // these data have no hours: test/integration/truth/station-hours.test.ts
  '/api/v1/accuracy/freshness',
  '/api/v1/loads',
  '/api/v1/usage',
  '/api/v1',
  '/api/v1/export/pairs',
  '/api/v1/export/facts', // the months of the digests, each with its time: test/integration/seals/log.test.ts
];

const JSON_TYPE = 'application/json; charset=utf-8';

const ACCEPTS: [accept: string, type: string][] = [
  ['*/*', JSON_TYPE],
  ['application/json, text/csv', JSON_TYPE],
  ['text/csv', CSV_TYPE],
  ['text/csv, */*;q=0.1', CSV_TYPE],
  ['application/json;q=0.5, text/csv', CSV_TYPE],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', JSON_TYPE],
  ['image/png', JSON_TYPE],
  ['application/json;q=0, text/csv;q=0', JSON_TYPE],
  ['no media type', JSON_TYPE],
];

/** Answers that are made for each request, and never kept. */
const MOMENTARY = ['/api/v1/accuracy/freshness', '/api/v1/usage'];

/** The path of the document that a request falls under. */
const nameOf = (path: string): string =>
  path.split('?', 1)[0]!.replace(/(by-date|by-station|by-bucket|peak-timing)\/\w+/, '$1/{station_id}');

// Guards the names, order, numbers and words of each answer, to the letter: metadata, one record of JSON, and the CSV with
// the name of its file. Numbers of errors are worked out by hand in data.ts; those of station days, revisions, skill and
// probabilities are as the service gave them, and right by test/integration/truth.
describe('the answers to the contract data', () => {
  // One of each endpoint; in `make ci` all of them.
  const firsts = GOLDEN.filter(
    ({ path }, at) => GOLDEN.findIndex((each) => nameOf(each.path) === nameOf(path)) === at,
  );
  for (const { path, file, metadata, first, lines, more } of isInCi ? GOLDEN : firsts) {
    it(`given ${path.slice(8)}, then it is the answer in answers.txt, and CSV has its values`, async () => {
      const { json: answer, csv } = await expectCsvLikeJson(contract, path);
      const steady = JSON.stringify(answer.metadata ?? 'none')
        .replace(/^"none"$/, 'none')
        .replace(/"timeline":"\w{4}"/, '"timeline":"aaaa"')
        .replace(/("next_cursor":"\d+)-\w{4}/, '$1-aaaa')
        .replace(/"query_time_ms":\d+/, '"query_time_ms":0');
      expect(steady).to.equal(metadata);
      const [record] = [answer.data].flat();
      expect(JSON.stringify(record)).to.equal(first);

      expect(csv.fileName).to.equal(file);
      const found = csv.text.split('\r\n').slice(0, -1);
      expect(found.slice(0, lines.length)).to.deep.equal(lines);
      expect(found.length).to.equal(lines.length + more);
    });
  }

  it('given the endpoints, then each has an answer there', () => {
    const answered = GOLDEN.map(({ path }) => nameOf(path));
    expect([...new Set([...answered, ...ELSEWHERE])]).to.have.members(PATHS);
  });
});

// Guards the forms of an answer, on every endpoint: formats, HEAD, 304, the trailing slash.
describe('the forms of every answer', () => {
  const head = (path: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const { service } = contract;
    return sent(service.request('head', path).set({ Authorization: `Bearer ${service.key}`, ...headers }));
  };

  const paths = PATHS.filter((path) => !path.includes('/export/'));
  for (const template of range({ test: 3, ci: 12, stress: Infinity }, paths)) {
    const url = (...queries: string[]): string => urlOf(template, windowOf(template), ...queries);

    describe(template, () => {
      it('given format or Accept, then format counts, then what is preferred, then JSON', async () => {
        const type = async (query: string, headers?: Record<string, string>): Promise<unknown> =>
          (await contract.get(url(query), headers)).headers['content-type'];
        expect(await type('format=json', { Accept: 'text/csv' })).to.equal(JSON_TYPE);
        expect(await type('format=csv', { Accept: 'application/json' })).to.equal(CSV_TYPE);
        for (const [accept, expected] of range({ test: 2, ci: 2, stress: Infinity }, ACCEPTS)) {
          expect(await type('', { Accept: accept }), accept).to.equal(expected);
          expect(await type('format=', { Accept: accept }), accept).to.equal(expected);
        }
      });

      it('given CSV and a fault, then the error is JSON all the same', async () => {
        await contract.refused(url('format=csv', 'nonsense=1'), 400, 'INVALID_PARAMETER');
        expect((await contract.get(url('nonsense=1'), { Accept: 'text/csv' })).status).to.equal(400);
      });

      it('given whatever may change its fields, then CSV has the values of the JSON', async () => {
        if (template === '/api/v1/usage') return; // it counts the requests before
        // align is uncertainty.test.ts.
        const listed = Object.entries(PARAMETERS[template]!)
          .filter(([name]) => !['format', 'bom', 'align'].includes(name))
          .flatMap(([name, { schema, beside = '' }]) => {
            const words = schema.type === 'boolean' ? ['true'] : (schema.enum ?? []);
            return words.map((word) => `${beside}&${name}=${encodeURIComponent(word)}`);
          });
        for (const query of ['', ...range({ test: 0, ci: 6, stress: Infinity }, listed)])
          await expectCsvLikeJson(contract, url(query));
      });

      it('given HEAD, then it is the status and the headers of GET, without a body', async () => {
        const queries = ['', 'format=csv', 'nonsense=1', 'format=csv&nonsense=1'];
        for (const query of range({ test: 2, ci: Infinity }, queries)) {
          const { status, headers } = await contract.get(url(query));
          const response = await head(url(query));
          expect([response.status, response.text], query).to.deep.equal([status, '']);
          for (const name of ['content-type', 'content-disposition', 'etag', 'cache-control'])
            expect(response.headers[name], name).to.equal(headers[name]);
        }
      });

      it('given the tag of an answer, then it is 304 without a body; what is made for its moment has none', async () => {
        for (const format of ['json', 'csv']) {
          const { headers } = await contract.get(url(`format=${format}`));
          if (MOMENTARY.includes(template)) {
            expect([headers.etag, headers['cache-control']]).to.deep.equal([undefined, 'no-store']);
            const again = await contract.get(url(`format=${format}`), { 'If-None-Match': '*' });
            expect(again.status).to.equal(200);
            continue;
          }
          const known = await contract.service
            .get(url(`format=${format}`))
            .set('If-None-Match', String(headers.etag));
          expect([known.status, known.text, known.headers.etag]).to.deep.equal([304, '', headers.etag]);
          expectHeadersOfStored(known.headers, headers);
          const other = await contract.get(url(`format=${format}`), { 'If-None-Match': '"other"' });
          expect(other.status).to.equal(200);
        }
      });

      it('given a trailing slash, then the answer is the same', async () => {
        if (MOMENTARY.includes(template)) return;
        const { data } = await contract.ok(url());
        expect((await contract.ok(url().replace('?', '/?'))).data).to.deep.equal(data);
      });
    });
  }

  it('given the definitions, then what is made for its moment is what the table says', () => {
    const momentary = ENDPOINTS.filter(({ isUncacheable }) => isUncacheable).flatMap(({ paths }) => paths);
    expect(momentary.map((path) => `/api/v1${path}`)).to.have.members(MOMENTARY);
  });
});
