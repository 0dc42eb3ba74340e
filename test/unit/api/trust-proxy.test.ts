import { expect } from 'chai';
import request from 'supertest';
import type { Store } from '../../../src/store/store.js';
import { startTestService, type TestService } from '../../support/service.js';

const FAILURES = 2;

// A request without a key is refused before the store is asked.
const NO_STORE = {} as Store;

describe('the address of a client', () => {
  const start = (trustProxy?: number | string[]): Promise<TestService> =>
    startTestService(NO_STORE, { authFailuresPerMinute: FAILURES, ...(trustProxy && { trustProxy }) });

  /** Statuses of requests without a key, one after another, with these X-Forwarded-For. */
  const statuses = async ({ app }: TestService, forwarded: readonly string[]): Promise<number[]> => {
    const seen: number[] = [];
    for (const addresses of forwarded)
      seen.push((await request(app).get('/metrics').set('X-Forwarded-For', addresses)).status);
    return seen;
  };

  for (const trusted of [1, ['127.0.0.0/8', '::1']]) {
    it(`given TRUST_PROXY=${String(trusted)}, when two clients come by one proxy, then each has its own failures`, async () => {
      const [one, other] = ['203.0.113.7', '198.51.100.4'];
      const clients = [one, one, one, other, '2001:db8::1', one];
      expect(await statuses(await start(trusted), clients)).to.deep.equal([401, 401, 429, 401, 401, 429]);
    });

    it(`given TRUST_PROXY=${String(trusted)}, when a client forges addresses before the proxy's own, then they do not count`, async () => {
      const forged = [1, 2, 3].map((at) => `192.0.2.${at}, 203.0.113.7`);
      expect(await statuses(await start(trusted), forged)).to.deep.equal([401, 401, 429]);
    });
  }

  for (const trusted of [undefined, ['10.0.0.0/8']]) {
    it(`given TRUST_PROXY=${String(trusted)}, when a client forges X-Forwarded-For, then nothing changes`, async () => {
      const forged = [1, 2, 3].map((at) => `192.0.2.${at}`);
      expect(await statuses(await start(trusted), forged)).to.deep.equal([401, 401, 429]);
    });
  }
});
