import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { WINDOW } from '../../support/contract/data.js';
import { sharedContract } from '../../support/contract/contract.js';
import { type Downloaded, Listening } from '../../support/listen.js';
import type { TestService } from '../../support/service.js';
import { itInCi } from '../../support/runner/range.js';

const LONG = `/api/v1/accuracy/by-station/KORD?${WINDOW}&include_raw=true`;
const GZIP = { 'Accept-Encoding': 'gzip' };

describe('compression', function () {
  let service: TestService;
  let server: Listening;
  const get = (path: string, headers: Record<string, string> = {}, method?: string): Promise<Downloaded> =>
    server.download(path, headers, method);

  before(async () => {
    ({ service } = await sharedContract());
    server = await Listening.start(service);
  });
  after(() => server.stop());

  /** A body as text. */
  const content = ({ headers, body }: Downloaded): string =>
    String(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);

  it('given a long answer, when gzip is accepted, then it is the same, shorter, under the same tag', async () => {
    for (const path of [LONG, `${LONG}&format=csv`]) {
      const plain = await get(path);
      const short = await get(path, GZIP);
      expect(short.headers['content-encoding']).to.equal('gzip');
      expect(plain.headers).not.to.have.property('content-encoding');
      expect(content(short)).to.equal(content(plain));
      expect(short.body.length).to.be.below(plain.body.length);
      expect(short.headers['content-length']).to.equal(String(short.body.length));
      expect(short.headers['content-type']).to.equal(plain.headers['content-type']);
      expect(short.headers.etag).to.equal(plain.headers.etag);
      for (const { headers } of [plain, short]) expect(headers.vary).to.match(/\bAccept-Encoding\b/);
      const head = await get(path, GZIP, 'HEAD');
      expect(head.body).to.have.lengthOf(0);
      for (const name of ['content-encoding', 'content-length', 'etag', 'vary'])
        expect(head.headers[name], name).to.equal(short.headers[name]);
    }
  });

  it('given the tag of one encoding, then it is good for the other: 304 without a body or an encoding', async () => {
    const { headers } = await get(LONG, GZIP);
    expect(headers['content-encoding']).to.equal('gzip');
    for (const encoding of ['gzip', 'identity']) {
      const again = await get(LONG, { 'If-None-Match': headers.etag ?? '', 'Accept-Encoding': encoding });
      expect([again.status, again.body.length]).to.deep.equal([304, 0]);
      expect(again.headers).not.to.have.property('content-encoding');
      expect(again.headers.vary).to.match(/\bAccept-Encoding\b/);
    }
  });

  it('given a short answer, an error, or Parquet, which compresses its own columns, then it comes as it is', async () => {
    const summary = '/api/v1/accuracy/summary';
    for (const path of [
      `${summary}?${WINDOW}`,
      `${summary}?days=x`,
      `/api/v1/export/pairs?${WINDOW}&format=parquet`,
    ])
      expect((await get(path, GZIP)).headers, path).not.to.have.property('content-encoding');
  });

  it('given the same question in both encodings, then the store is asked once, and both are kept', async () => {
    const metric = async (name: string): Promise<number> => {
      const { text } = await service.get('/metrics');
      return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
    };
    const path = LONG.replace(/date_from=[^&]+/, 'date_from=2024-03-01');
    const [asked, kept] = [await metric('responses_total{source="miss"}'), await metric('cache_bytes')];
    const plain = await get(path);
    const keptPlain = await metric('cache_bytes');
    const short = await get(path, GZIP);
    expect(short.headers['content-encoding']).to.equal('gzip');
    const keptBoth = await metric('cache_bytes');
    for (let time = 0; time < 3; time += 1) expect(content(await get(path, GZIP))).to.equal(content(plain));
    expect(await metric('responses_total{source="miss"}')).to.equal(asked + 1);
    // An entry takes some hundred bytes beside its body.
    expect(keptPlain - kept).to.be.within(plain.body.length - 300, plain.body.length + 1500);
    expect(keptBoth - keptPlain).to.be.within(short.body.length - 300, short.body.length + 1500);
    expect(await metric('cache_bytes')).to.equal(keptBoth);
  });

  for (const format of ['csv', 'ndjson']) {
    itInCi(
      `given an export as ${format}, then it is compressed as it goes, with the same rows and trailer`,
      async () => {
        const path = `/api/v1/export/pairs?${WINDOW}&format=${format}`;
        const plain = await get(path);
        const short = await get(path, GZIP);
        expect(short.headers['content-encoding']).to.equal('gzip');
        expect(gunzipSync(short.body).equals(plain.body)).to.be.true;
        expect(short.body.length).to.be.below(plain.body.length / 2);
        expect(short.headers.etag).to.equal(plain.headers.etag);
        expect(short.trailers['x-pairs-sent']).to.equal(plain.trailers['x-pairs-sent']).and.to.match(/^\d+$/);
        for (const { headers } of [plain, short]) expect(headers.vary).to.match(/\bAccept-Encoding\b/);
      },
    );
  }
});
