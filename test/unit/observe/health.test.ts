import { expect } from 'chai';
import express from 'express';
import request from 'supertest';
import type { DamageWatch } from '../../../src/observe/damage-watch.js';
import { mountHealth } from '../../../src/observe/health.js';
import type { Store } from '../../../src/store/store.js';

// No other test of `make test` holds that one damaged part is told, and that it takes no server away.

describe('/readyz', () => {
  const ask = async (
    parts: DamageWatch['parts'],
    ready: boolean,
    ping: () => Promise<void>,
  ): Promise<unknown[]> => {
    const app = express();
    mountHealth(
      app,
      { store: { ping } as unknown as Store, readiness: { ready }, damage: { parts } },
      '1.0.0',
    );
    const { status, body } = (await request(app).get('/readyz')) as { status: number; body: unknown };
    return [status, body];
  };
  const PART = { table: 'forecasts', part: '202601_1_1_0', month: '2026-01', has_facts: 1 };
  const answers = () => Promise.resolve();

  it('given a damaged part, then it is ready and says so; given none, then it says nothing of it', async () => {
    expect(await ask([PART], true, answers)).to.deep.equal([200, { status: 'ready', data: 'damaged' }]);
    expect(await ask([], true, answers)).to.deep.equal([200, { status: 'ready' }]);
  });

  it('given a server that ends, or a store that does not answer, then it is not ready', async () => {
    const notReady = [503, { status: 'not ready' }];
    expect(await ask([], false, answers)).to.deep.equal(notReady);
    expect(await ask([], true, () => Promise.reject(new Error('gone')))).to.deep.equal(notReady);
  });
});
