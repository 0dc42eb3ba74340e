import { METHODS } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { Keyring, createKey, revokeKey } from '../../src/auth/keys.js';
import type { ErrorAnswer } from '../support/contract/contract.js';
import { writeFeeds } from '../support/ingest/feeds.js';
import { killPrograms, type ServerProgram } from '../support/process.js';
import { temporaryFolder } from '../support/store.js';
import { type Exchange, exchange } from '../support/stress/clients.js';
import { Random } from '../support/random.js';
import { median, SEED, tell } from '../support/stress/stress.js';
import { feedsOf } from '../support/stress/feeds.js';
import { type Bed, loadAll, newBed, startServer } from '../support/stress/programs.js';

// Failures from one address are limited: each of these comes from one of its own, for a few requests at a time.
const REQUESTS_OF_ADDRESS = 4;

/** µs by which a look at a wrong id may differ from one at a wrong secret: a network's jitter is a hundred times that. */
const DIFFERENCE_US = 0.5;

/** Who has no valid key gets 401 and nothing more, whatever is asked and however; and the time of a look tells nothing. */
export function lockedOut(): void {
  describe(`given no valid key (seed ${SEED})`, function () {
    const random = new Random(SEED);
    let sent = 0;
    let bed: Bed;
    let server: ServerProgram;
    let revoked: string;
    let foreign: string;
    let paths: string[];

    before(async () => {
      bed = await newBed();
      const cover = { stations: [0, 5], days: [0, 5], issuances: 2, status: 'verified' } as const;
      await loadAll(bed, writeFeeds(feedsOf({ ...cover, stations: [0, 5], days: [0, 5] }, random)));
      const keys = bed.env.API_KEYS_FILE ?? '';
      revoked = (await createKey(keys, 'revoked')).key;
      await revokeKey(keys, revoked.slice(4, 12));
      foreign = (await createKey(join(temporaryFolder(), 'other-keys.json'), 'foreign')).key;
      server = await startServer(bed);
      const document = (await (await server.get('/openapi.json')).json()) as {
        paths: Record<string, unknown>;
      };
      const documented = Object.keys(document.paths).filter((path) => path !== '/api/v1/health');
      expect(documented.length).to.be.above(6);
      paths = [
        ...documented.flatMap((path) =>
          ['T0001', 'NONE', 'Town%202'].map((name) => path.replace('{station_id}', name)),
        ),
        ...[
          '/metrics',
          '/nothing',
          '/api/v1',
          '/api/v1/nothing',
          '/api/v1/accuracy/summary?days=7',
          '/api/v1/accuracy/summary?days=x',
        ],
        ...[
          '/API/V1/accuracy/summary',
          '/api/v1/accuracy/summary/',
          '//api/v1/accuracy/summary',
          '/healthz/../metrics',
          '/healthz/x',
        ],
        ...[
          '/openapi.json/..%2fmetrics',
          '/api/v1/health/../accuracy/summary',
          '/api/v1/accuracy/by-station/%ff',
        ],
      ];
      paths = [...new Set(paths)];
    });
    after(killPrograms);
    after(() => tell('locked out', { requests: sent }));

    const fromAnotherAddress = (): string => {
      const address = Math.floor((sent += 1) / REQUESTS_OF_ADDRESS) + 1;
      return `127.${1 + ((address >> 15) & 127)}.${(address >> 7) & 255}.${1 + (address & 127)}`;
    };
    const send = (path: string, method: string, headers: Record<string, string>): Promise<Exchange> =>
      exchange(server.url, path, { method, headers, localAddress: fromAnotherAddress() });

    /** Ways to have no valid key: the header, or another way to send one. */
    const ways = (): Record<string, Record<string, string>> => {
      const { key } = bed;
      const bearer = (text: string): Record<string, string> => ({ authorization: `Bearer ${text}` });
      const wrong = `${key.slice(0, 13)}${'A'.repeat(43)}`;
      return {
        'no header': {},
        'a revoked key': bearer(revoked),
        'a key of another service': bearer(foreign),
        'a wrong secret': bearer(wrong),
        'a wrong id': bearer(`fas_zzzzzzzz${key.slice(12)}`),
        'a secret cut short': bearer(key.slice(0, -1)),
        'a secret that goes on': bearer(`${key}A`),
        'a key in capitals': bearer(key.toUpperCase()),
        'the id alone': bearer(key.slice(0, 12)),
        'no key': bearer(''),
        'two keys': bearer(`${wrong} ${key}`),
        'a key in quotes': bearer(`"${key}"`),
        'another scheme': { authorization: `Basic ${Buffer.from(`key:${key}`).toString('base64')}` },
        'no scheme': { authorization: key },
        'a token': { authorization: `Token ${key}` },
        'a key in a cookie': { cookie: `api_key=${key}; authorization=Bearer ${key}` },
        'a key in another header': { 'x-api-key': key, 'proxy-authorization': `Bearer ${key}` },
        'a huge key': bearer('fas_'.repeat(2000)),
        'a key with __proto__ for its id': bearer(`fas___proto__${key.slice(12)}`),
      };
    };

    it('when a route is read without a valid key, in whatever way, then it is the same 401 for every route', async () => {
      const ofKeys = new Set<string>();
      for (const [way, headers] of Object.entries(ways())) {
        const bodies = new Set<string>();
        for (const path of [...paths, `/api/v1/accuracy/summary?api_key=${bed.key}`]) {
          for (const method of ['GET', 'HEAD']) {
            const { answer, broken } = await send(path, method, headers);
            const about = `${method} ${path} with ${way}: ${broken ?? answer?.text}`;
            expect(answer?.status, about).to.equal(401);
            expect(answer?.headers['www-authenticate'], about).to.equal('Bearer');
            if (method === 'GET')
              bodies.add(JSON.stringify((JSON.parse(answer?.text ?? '') as ErrorAnswer).error));
            else expect(answer?.text, about).to.equal('');
          }
        }
        expect([...bodies], way).to.have.lengthOf(1);
        if (/^(a revoked|a key of another|a wrong|a secret cut)/.test(way)) ofKeys.add([...bodies].join());
      }
      expect([...ofKeys]).to.have.lengthOf(1);
    });

    it('when any other method is used, then it is a 405 that tells nothing, with a key or without (D18)', async () => {
      const methods = METHODS.filter((method) => !['GET', 'HEAD', 'CONNECT'].includes(method));
      for (const method of methods) {
        const bodies = new Set<string>();
        for (const path of [...paths, '/healthz', '/api/v1/health', '/openapi.json']) {
          const headers = random.of([
            {},
            { authorization: `Bearer ${bed.key}` },
            { authorization: `Bearer ${foreign}` },
          ] as Record<string, string>[]);
          const { answer, broken } = await send(path, method, headers);
          const about = `${method} ${path}: ${broken ?? answer?.text}`;
          expect(answer?.status, about).to.equal(405);
          expect(answer?.headers.allow, about).to.equal('GET, HEAD');
          bodies.add(JSON.stringify((JSON.parse(answer?.text ?? '') as ErrorAnswer).error));
        }
        expect([...bodies], method).to.have.lengthOf(1);
      }
    });

    it('then what needs no key is open: health, readiness and the document, and no more', async () => {
      for (const path of ['/healthz', '/readyz', '/api/v1/health', '/openapi.json']) {
        expect((await send(path, 'GET', {})).answer?.status, path).to.equal(200);
      }
      expect((await server.get('/api/v1/accuracy/summary', bed.key)).status).to.equal(200);
    });

    it('then the looks themselves, without a network, take the same time', () => {
      const keyring = new Keyring(bed.env.API_KEYS_FILE ?? '');
      keyring.open();
      const { key } = bed;
      const keys = {
        wrong_id: `fas_zzzzzzzz_${'q'.repeat(43)}`,
        wrong_secret: `${key.slice(0, 13)}${'q'.repeat(43)}`,
        revoked,
      };
      const times = { wrong_id: [] as number[], wrong_secret: [] as number[], revoked: [] as number[] };
      const names = Object.keys(keys) as (keyof typeof keys)[];
      for (let block = 0; block < 1500; block += 1) {
        const name = names[block % names.length] as keyof typeof keys;
        const startedAt = performance.now();
        for (let look = 0; look < 200; look += 1) keyring.find(keys[name]);
        if (block >= 300) times[name].push(((performance.now() - startedAt) * 1000) / 200);
      }
      const us = Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<
        string,
        number
      >;
      tell(
        'timing of a look, µs',
        Object.fromEntries(Object.entries(us).map(([name, value]) => [name, value.toFixed(3)])),
      );
      for (const name of ['wrong_secret', 'revoked']) {
        expect(
          Math.abs((us.wrong_id ?? NaN) - (us[name] ?? NaN)),
          `µs between a wrong id and ${name}`,
        ).to.be.below(DIFFERENCE_US);
      }
    });
  });
}
