import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { expect } from 'chai';
import { KeyGate } from '../../../src/auth/admission.js';
import { createKey, Keyring } from '../../../src/auth/keys.js';

const LIMIT = 3;
const MINUTE_MS = 60_000;

// The count of a key is dropped by a timer, which may be late: until then the time of its minute decides.
describe('authenticateNow, which counts the requests of a key without Express', () => {
  let folder: string;
  let gate: KeyGate;
  let key: string;
  let now = Date.parse('2026-01-05T12:00:00Z');

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'admission-'));
    const file = join(folder, 'api-keys.json');
    ({ key } = await createKey(file, 'me'));
    const keyring = new Keyring(file);
    keyring.open();
    mock.timers.enable({ apis: ['setInterval'] });
    mock.method(Date, 'now', () => now);
    gate = new KeyGate(
      keyring,
      { rateLimitPerMinute: LIMIT, rowsPerMinute: 0, authFailuresPerMinute: 0 },
      () => new Date(now),
    );
  });
  after(() => {
    mock.restoreAll();
    mock.timers.reset();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A request as Express sees it, which begins a minute. */
  const admit = async (): Promise<void> => {
    const request = {
      headers: { authorization: `Bearer ${key}` },
      ip: '127.0.0.1',
      app: { get: () => false },
    };
    const response = { locals: {}, setHeader: () => response, headersSent: false };
    let isAdmitted = false;
    gate.admit(request as unknown as Request, response as unknown as Response, () => (isAdmitted = true));
    while (!isAdmitted) await setImmediate();
  };

  it('given a request before, then it counts until the minute is over, and not from that moment on', async () => {
    await admit();
    now += MINUTE_MS - 1;
    expect(gate.authenticateNow(key, LIMIT)).to.include({ requestsLeft: 1, resetSeconds: 1 });
    now += 1;
    expect(gate.authenticateNow(key, LIMIT)).to.equal(undefined);
  });

  it('given a new minute, then it counts the last request that the limit allows, and no further one', async () => {
    await admit();
    const left = [1, 2, 3].map(() => gate.authenticateNow(key, LIMIT)?.requestsLeft);
    expect(left).to.deep.equal([1, 0, undefined]);
  });
});
