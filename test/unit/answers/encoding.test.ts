import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Request } from 'express';
import express from 'express';
import fc from 'fast-check';
import { acceptedEncoding, type Encoding, GzipFile } from '../../../src/http/encoding.js';

describe('a gzip file made piece by piece', () => {
  it('given any pieces and any end, then every reader gets them one after another', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 4 }), bytes, async (pieces, last) => {
        const file = new GzipFile();
        const parts = [];
        for (const piece of pieces) parts.push(await file.add(Buffer.from(piece)));
        parts.push(file.end(Buffer.from(last)));
        expect(gunzipSync(Buffer.concat(parts)).equals(Buffer.concat([...pieces, last]))).to.be.true;
      }),
      { numRuns: 50 },
    );
  });

  it('given an end that is longer than a block, then it is whole', async () => {
    for (const length of [65_535, 65_536, 200_000]) {
      const file = new GzipFile();
      const last = Buffer.alloc(length, 'forecast');
      const whole = Buffer.concat([await file.add(Buffer.from('first ')), file.end(last)]);
      expect(gunzipSync(whole).equals(Buffer.concat([Buffer.from('first '), last]))).to.be.true;
    }
  });

  it('given pieces that are kept, then they can have one end after another', async () => {
    const file = new GzipFile();
    const kept = await file.add(Buffer.from('{"mae":1.5,"at":'));
    for (const end of ['1}', '22}']) {
      const whole = gunzipSync(Buffer.concat([kept, file.end(Buffer.from(end))]));
      expect(whole.toString()).to.equal(`{"mae":1.5,"at":${end}`);
    }
  });
});

describe('the encoding that a client accepts', () => {
  for (const [header, offered, encoding] of [
    [undefined, ['br', 'gzip'], 'identity'],
    ['gzip, deflate, br', ['br', 'gzip'], 'br'],
    ['gzip, deflate, br', ['gzip'], 'gzip'],
    ['br;q=0, gzip;q=0.1', ['br', 'gzip'], 'gzip'],
    ['*', ['gzip'], 'gzip'],
    ['gzip;q=0', ['gzip'], 'identity'],
    ['identity', ['gzip'], 'identity'],
    ['zstd', ['gzip'], 'identity'],
    ['gzip', [], 'identity'],
  ] as [string | undefined, Encoding[], Encoding][]) {
    it(`given ${header ?? 'none'} and ${offered.join(', ') || 'nothing'} on offer, then it is ${encoding}`, () => {
      const request = Object.create(express.request) as Request;
      request.headers = header === undefined ? {} : { 'accept-encoding': header };
      expect(acceptedEncoding(request, offered)).to.equal(encoding);
      expect(acceptedEncoding(request, offered), 'asked again').to.equal(encoding);
    });
  }
});
