import { expect } from 'chai';
import type { Request } from 'express';
import express from 'express';
import { acceptedEncoding, type Encoding } from '../../../src/http/encoding.js';

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
