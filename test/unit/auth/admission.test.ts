import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import type { Request, Response } from 'express';
import { expect } from 'chai';
import type { ApiError } from '../../../src/api/errors/api-error.js';
import { KeyGate } from '../../../src/auth/admission.js';
import { createKey, Keyring } from '../../../src/auth/keys.js';

const LIMIT = 3;
const MINUTE_MS = 60_000;

// The count of a key is dropped by a timer, which may be late: until then the time of its minute decides.
/**
 * The error with which a gate refuses a request; undefined where it goes on.
 * @param sent receives the headers of the response
 */
function ask(
  gate: KeyGate,
  authorization: string | undefined,
  locals = {},
  sent = new Map<string, string>(),
): Promise<unknown> {
  const request = { headers: { authorization }, ip: '127.0.0.1', app: { get: () => false } };
  const keep = (name: string, value: string) => (sent.set(name, value), response);
  const response = { locals, setHeader: keep, append: keep, headersSent: false };
  return new Promise((resolve) => {
    gate.admit(request as unknown as Request, response as unknown as Response, resolve);
  });
}

describe('the gate of keys, and authenticateNow, which counts requests without Express', () => {
  let folder: string;
  let keyring: Keyring;
  let gate: KeyGate;
  let key: string;
  let now = Date.parse('2026-01-05T12:00:00Z');

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'admission-'));
    const file = join(folder, 'api-keys.json');
    ({ key } = await createKey(file, 'me'));
    keyring = new Keyring(file);
    keyring.open();
    mock.timers.enable({ apis: ['setInterval'] });
    mock.method(Date, 'now', () => now);
    gate = open(LIMIT, 0);
  });
  after(() => {
    mock.restoreAll();
    mock.timers.reset();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (rateLimitPerMinute: number, authFailuresPerMinute: number): KeyGate =>
    new KeyGate(
      keyring,
      { rateLimitPerMinute, rowsPerMinute: 0, authFailuresPerMinute },
      () => new Date(now),
    );

  it('given a request before, then it counts until the minute is over, and not from that moment on', async () => {
    expect(await ask(gate, `Bearer ${key}`)).to.equal(undefined);
    now += MINUTE_MS - 1;
    expect(gate.authenticateNow(key, LIMIT)).to.include({ requestsLeft: 1, resetSeconds: 1 });
    now += 1;
    expect(gate.authenticateNow(key, LIMIT)).to.equal(undefined);
  });

  it('given a new minute, then it counts the last request that the limit allows, and no further one', async () => {
    expect(await ask(gate, `Bearer ${key}`)).to.equal(undefined);
    const left = [1, 2, 3].map(() => gate.authenticateNow(key, LIMIT)?.requestsLeft);
    expect(left).to.deep.equal([1, 0, undefined]);
  });

  it('given a key without a limit, then it counts without end; another limit is left to Express', () => {
    const free = open(0, 0);
    for (let one = 0; one < 2; one += 1)
      expect(free.authenticateNow(key, 0)).to.include({ requestsLeft: 0, resetSeconds: 0 });
    expect([free.authenticateNow(key, LIMIT), gate.authenticateNow(key, LIMIT + 1)]).to.deep.equal([
      undefined,
      undefined,
    ]);
    expect(free.authenticateNow('fas_other', 0)).to.equal(undefined);
  });

  it('given requests without a valid key, then a limit of two refuses the third; a limit of 0 none', async () => {
    const codesOf = async (limited: KeyGate): Promise<unknown[]> => {
      const codes: unknown[] = [];
      for (const authorization of [undefined, 'Bearer wrong', 'Bearer wrong'])
        codes.push(((await ask(limited, authorization)) as ApiError).code);
      return codes;
    };
    expect(await codesOf(open(LIMIT, 2))).to.deep.equal(['UNAUTHORIZED', 'UNAUTHORIZED', 'RATE_LIMITED']);
    expect(await codesOf(open(LIMIT, 0))).to.deep.equal(Array(3).fill('UNAUTHORIZED'));
  });

  it('given a limit, then headers name it and its minute, with a key and without', async () => {
    for (const authorization of [`Bearer ${key}`, 'Bearer wrong']) {
      const sent = new Map<string, string>();
      await ask(open(LIMIT, LIMIT), authorization, {}, sent);
      expect(sent.get('RateLimit-Policy'), authorization).to.match(/; q=3; w=60;/);
    }
  });

  it('given a request that was admitted without a key, then it goes on without one', async () => {
    expect(await ask(gate, undefined, { isPublic: true })).to.equal(undefined);
  });
});
