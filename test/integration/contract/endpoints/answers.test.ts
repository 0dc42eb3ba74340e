import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Contract, sharedContract } from '../../../support/contract/contract.js';
import { PATHS } from '../../../support/contract/interface.js';

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
  '/api/v1/accuracy/freshness',
  '/api/v1/loads',
  '/api/v1/usage',
  '/api/v1',
  '/api/v1/export/pairs',
];

// Guards the names, order, numbers and words of each answer, to the letter: metadata, one record of JSON, and the CSV with
// the name of its file. Numbers of errors are worked out by hand in data.ts; those of station days, revisions, skill and
// probabilities are as the service gave them, and right by test/integration/truth. CSV is the JSON: forms.test.ts.
describe('the answers to the contract data', () => {
  let contract: Contract;

  before(async () => {
    contract = await sharedContract();
  });

  for (const { path, file, metadata, first, lines, more } of GOLDEN) {
    it(`given ${path.slice(8)}, then it is the answer in answers.txt`, async () => {
      const answer = await contract.ok<unknown>(path);
      const steady = JSON.stringify(answer.metadata ?? 'none')
        .replace(/^"none"$/, 'none')
        .replace(/"lineage":"\w{4}"/, '"lineage":"aaaa"')
        .replace(/("next_cursor":"\d+)-\w{4}/, '$1-aaaa')
        .replace(/"query_time_ms":\d+/, '"query_time_ms":0');
      expect(steady).to.equal(metadata);
      const [record] = [answer.data].flat();
      expect(JSON.stringify(record)).to.equal(first);

      const { text, headers } = await contract.get(`${path}${path.includes('?') ? '&' : '?'}format=csv`);
      expect(headers['content-disposition']).to.equal(`attachment; filename="${file}"`);
      const found = text.split('\r\n').slice(0, -1);
      expect(found.slice(0, lines.length)).to.deep.equal(lines);
      expect(found.length).to.equal(lines.length + more);
    });
  }

  it('given the endpoints, then each has an answer there', () => {
    const answered = GOLDEN.map(({ path }) =>
      path.split('?', 1)[0]!.replace(/(by-date|by-station|by-bucket)\/\w+/, '$1/{station_id}'),
    );
    expect([...new Set([...answered, ...ELSEWHERE])]).to.have.members(PATHS);
  });
});
