import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { DAY_MS, HOUR_MS } from '../../../src/statistics/time/calendar.js';
import { CLOCK } from '../../../src/collect/clock.js';
import { callWeight } from '../../../src/collect/host/budget.js';
import { checkPublicHost } from '../../../src/collect/host/public-address.js';
import { Host, type HostSettings } from '../../../src/collect/host/host.js';
import type { Sieve } from '../../../src/collect/source.js';
import { type Fault, SAYS, StubServer } from '../../support/collect/stub-server.js';
import { VirtualClock } from '../../support/collect/virtual-clock.js';
import { isInCi, range } from '../../support/runner/range.js';

const NOW = Date.parse('2026-01-10T12:00:30Z');
const PATH = '/geojson/network.py?network=NWSCLI';
const NEVER = new AbortController().signal;

const retryLater = (retryAfter: string, says: { status: number; body: string } = SAYS.tooMany): Fault => ({
  answer: { ...says, headers: { 'retry-after': retryAfter } },
});
const TOO_MANY = `status 429: ${SAYS.tooMany.body}`;
const OVER_CAPACITY = `status 503: ${SAYS.overCapacity.body}`;
const limit = (reason: string): Fault => ({
  answer: { status: 429, body: JSON.stringify({ error: true, reason }) },
});

describe('a public host', () => {
  let stub: StubServer;
  let clock: VirtualClock;

  before(async () => {
    stub = await StubServer.start({ now: () => NOW });
  });
  after(() => stub.stop());
  beforeEach(() => {
    stub.log.length = 0;
    stub.fault = () => undefined;
    clock = new VirtualClock(NOW);
  });

  const hostOf = (rest: Partial<HostSettings> = {}): Host =>
    new Host({ url: stub.url, gap_ms: 4000, user_agent: 'me (+you)', pace: 1, ...rest }, clock);
  /** The first requests have these faults. */
  const failing = (...faults: Fault[]): void => {
    stub.fault = () => faults.shift();
  };
  const always = (fault: Fault): void => {
    stub.fault = () => fault;
  };

  it('given requests one after the other, then their starts keep the distance, and say who asks', async () => {
    const starts: number[] = [];
    const faults: Fault[] = [{ answer: SAYS.overCapacity }];
    stub.fault = () => {
      starts.push(clock.now() - NOW);
      return faults.shift();
    };
    const host = hostOf({ pace: 0 });
    for (let one = 0; one < 3; one += 1)
      expect(await host.get(PATH, NEVER)).to.have.property('outcome', 'ok');
    expect(starts).to.deep.equal([0, 4000, 8000, 12_000]);
    const told = { at_once: 1, userAgent: 'me (+you)', encodings: 'gzip' };
    for (const request of stub.log) expect(request).to.include(told);
  });

  for (const [name, fault] of [
    ['429', { answer: SAYS.tooMany }],
    ['500', { answer: SAYS.oops }],
    ['503', { answer: SAYS.overCapacity }],
    ['a body that is cut off', 'cut'],
    ['a broken connection', 'broken'],
  ] as const) {
    it(`given ${name} and then an answer, then it is asked again after a wait, and that is all`, async () => {
      failing(fault);
      expect(await hostOf().get(PATH, NEVER)).to.have.property('outcome', 'ok');
      expect(stub.log).to.have.length(2);
    });
  }

  it('given 503 for ever, then there are five tries, whose waits grow and are random', async () => {
    always({ answer: SAYS.overCapacity });
    const longest = [0, 0, 0, 0];
    for (let run = 0; run < 30; run += 1) {
      clock.sleeps.length = 0;
      const answer = await hostOf({ gap_ms: 0 }).get(PATH, NEVER);
      expect(answer).to.deep.include({ outcome: 'failed', reason: OVER_CAPACITY });
      expect(clock.sleeps).to.have.length(4);
      for (const [at, ms] of clock.sleeps.entries()) {
        expect(ms).to.be.within(0, 4000 * 2 ** at);
        longest[at] = Math.max(longest[at] ?? 0, ms);
      }
    }
    expect(stub.log).to.have.length(150);
    for (const [at, ms] of longest.entries()) expect(ms).to.be.above(2000 * 2 ** at);
  });

  for (const [what, retryAfter, waited_ms] of [
    ['seconds', '300', 300_000],
    ['a date', new Date(NOW + 299_500).toUTCString(), 299_000],
    ['a date long ago', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['no time at all', 'soon', 0],
  ] as const) {
    it(`given Retry-After with ${what}, then so much is waited, which is told`, async () => {
      failing(retryLater(retryAfter));
      const told: string[] = [];
      await hostOf({ pace: 0 }).get(PATH, NEVER, (line) => told.push(line));
      expect(clock.sleeps[0]).to.be.within(waited_ms, waited_ms + 1000);
      expect(told.join()).to.match(/^status 429: Too many requests .*, next try in \d+ s \(2 of 5\)$/);
    });
  }

  for (const [what, fault, reason, until] of [
    ['Retry-After: 86400', retryLater('86400'), TOO_MANY, '2026-01-11T12:00:30Z'],
    ['Retry-After: 301', retryLater('301'), TOO_MANY, '2026-01-10T12:05:31Z'],
    ['Retry-After of years', retryLater('999999999'), TOO_MANY, '2026-01-11T12:00:30Z'],
    ['a full server', retryLater('3600', SAYS.overCapacity), OVER_CAPACITY, '2026-01-10T13:00:30Z'],
    ['the limit of an hour', limit('Hourly API request limit exceeded.'), 'Hourly', '2026-01-10T13:00:00Z'],
    ['the limit of a day', limit('Daily API request limit exceeded.'), 'Daily', '2026-01-11T00:00:00Z'],
  ] as const) {
    it(`given ${what}, then the host rests until ${until} instead of sleeping, tells so, and is asked again from then on`, async () => {
      failing(fault);
      const told: string[] = [];
      const host = hostOf();
      await host.get(PATH, NEVER, (line) => told.push(line));
      expect(clock.sleeps).to.be.empty;
      expect(told.join()).to.contain(`; no more requests until ${until.slice(0, 16)}Z`);
      clock.ms = Date.parse(until) - 1;
      const rests = await host.get(PATH, NEVER);
      expect(rests).to.include({ outcome: 'not_requested' }).and.to.have.property('reason').contains(reason);
      clock.ms += 1;
      expect(await host.get(PATH, NEVER)).to.have.property('outcome', 'ok');
      expect(stub.log).to.have.length(2);
    });
  }

  for (const status of [400, 403, 404, 422]) {
    it(`given ${status}, then it is asked once, and the answer has what it says`, async () => {
      always({ answer: { status, body: 'No  such\tthing' } });
      expect(await hostOf().get(PATH, NEVER)).to.deep.equal({
        outcome: 'refused',
        status,
        body: 'No  such\tthing',
        reason: `status ${status}: No such thing`,
      });
      expect(stub.log).to.have.length(1);
    });
  }

  /** Keeps the lines that begin with +, and ends at a dot. */
  const sieve = (): Sieve => (line) => (line === '.' ? 'enough' : line.startsWith('+') ? 'keep' : 'drop');
  const sieved = (body: string) => {
    always({ answer: { status: 200, body } });
    return hostOf().get(PATH, NEVER, undefined, { sieve });
  };

  it('given a sieve, then the answer has the lines that it keeps, in UTF-8, and an unended last one', async () => {
    for (const [body, kept] of [
      ['+1\n2\n+3\n4\n', '+1\n+3\n'],
      ['+Zürich\n', '+Zürich\n'],
      ['+1\n2', '+1\n2'],
      ['+1\n.\n+2\n', '+1\n'],
      ['', ''],
    ] as const)
      expect(await sieved(body)).to.include({ outcome: 'ok', body: kept });
  });

  it('given a sieve and faults, then each retry has a sieve of its own, and faults are told as without', async () => {
    let sieves = 0;
    const counted = () => {
      sieves += 1;
      return sieve();
    };
    failing('cut', { answer: SAYS.overCapacity }, { answer: { status: 200, body: '+1\n' } });
    expect(await hostOf().get(PATH, NEVER, undefined, { sieve: counted })).to.include({
      outcome: 'ok',
      body: '+1\n',
    });
    expect(sieves).to.equal(3);
    for (const [fault, outcome, reason] of [
      [{ answer: { status: 404, body: '+1\n2\n' } }, 'refused', 'status 404: +1 2'],
      ['large', 'too_large', 'the response is too large'],
      ['no gzip', 'failed', 'the response is not valid gzip (Z_DATA_ERROR)'],
      ['half a gzip', 'failed', 'the response is not valid gzip (Z_BUF_ERROR)'],
    ] as const) {
      always(fault);
      expect(await hostOf().get(PATH, NEVER, undefined, { sieve })).to.deep.include({ outcome, reason });
    }
  });

  it('given a text without end, then a sieve that has enough ends it, and 64 MB do otherwise', async () => {
    let ended = 0;
    const server = createServer((request, response) => {
      response.on('close', () => (ended += 1));
      const line = `${'-'.repeat(1000)}\n`;
      const text = function* () {
        for (let at = 0; ; at += 1) yield at === 5000 && request.url === '/enough' ? '+1\n.\n' : line;
      };
      Readable.from(text()).pipe(response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const host = hostOf({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
      const asked = (path: string) => host.get(path, NEVER, undefined, { sieve });
      expect(await asked('/enough')).to.include({ outcome: 'ok', body: '+1\n' });
      // A body that is too large stands for it in `make test`, below.
      if (isInCi)
        expect(await asked('/more')).to.deep.equal({
          outcome: 'too_large',
          reason: 'the response is too large',
        });
      while (ended < (isInCi ? 2 : 1)) await new Promise(setImmediate);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('given a redirect, then nobody goes there', async () => {
    always({ answer: SAYS.redirect });
    expect(await hostOf().get(PATH, NEVER)).to.deep.include({ outcome: 'refused', status: 302 });
    expect(stub.log).to.have.length(1);
  });

  it('given bytes that are no UTF-8, then that is no answer', async () => {
    always({
      answer: { status: 200, body: 'Zürich', headers: { 'content-type': 'text/plain; charset=iso-8859-1' } },
    });
    expect(await hostOf().get(PATH, NEVER)).to.deep.equal({
      outcome: 'no_answer',
      reason: 'the response is not UTF-8',
    });
  });

  for (const [what, fault, reason] of range({ test: 1, ci: 2 }, [
    ['a query that is too much for it', { answer: SAYS.tookTooLong }, `status 503: ${SAYS.tookTooLong.body}`],
    ['a body that unpacks to more than 64 MB', 'large', 'the response is too large'],
  ] as const)) {
    it(`given ${what}, then it is not asked again, says so, and is no refusal that lets the host rest`, async () => {
      always(fault);
      const host = hostOf();
      for (let one = 1; one <= 4; one += 1) {
        expect(await host.get(PATH, NEVER)).to.deep.equal({ outcome: 'too_large', reason });
        expect(stub.log).to.have.length(one);
      }
    });
  }

  for (const [fault, reason] of [
    ['no gzip', 'the response is not valid gzip (Z_DATA_ERROR)'],
    ['half a gzip', 'the response is not valid gzip (Z_BUF_ERROR)'],
    ['no HTTP', 'network: HPE_INVALID_CONSTANT at HOST'],
    ['broken', 'network: ECONNRESET at HOST'],
  ] as const) {
    it(`given an answer that is ${fault}, then it has failed after five tries`, async () => {
      always(fault);
      const named = reason.replace('HOST', new URL(stub.url).host);
      expect(await hostOf().get(PATH, NEVER)).to.deep.equal({ outcome: 'failed', reason: named });
      expect(stub.log).to.have.length(5);
    });
  }

  it('given a body that does not end, then its time ends', async () => {
    always('slow');
    expect(await hostOf({ timeout_ms: 200 }).get(PATH, NEVER)).to.deep.include({
      outcome: 'failed',
      reason: `no response from ${new URL(stub.url).host} within 0.2 s`,
    });
    expect(stub.log).to.have.length(5);
  });

  it('given a signal while it answers or waits, then the request ends with its reason', async () => {
    always('slow');
    const stop = new AbortController();
    const asked = hostOf().get(PATH, stop.signal);
    setTimeout(() => stop.abort(new Error('stopped')), 20);
    expect(await asked.catch((error: Error) => error.message)).to.equal('stopped');
    const real = new Host({ url: stub.url, gap_ms: 60_000, user_agent: 'me', pace: 1 }, CLOCK);
    const waits = new AbortController();
    stub.fault = () => undefined;
    await real.get(PATH, NEVER);
    setTimeout(() => waits.abort(new Error('stopped too')), 20);
    expect(await real.get(PATH, waits.signal).catch((error: Error) => error.message)).to.equal('stopped too');
  });

  it('given three refusals in a row, then it rests for a quarter of an hour; faults count not', async () => {
    const host = hostOf();
    stub.fault = (_, which) => ({
      answer: { status: [403, 404, 403, 403, 403][which - 1] ?? 200, body: '' },
    });
    for (let one = 0; one < 5; one += 1) {
      expect(await host.get(PATH, NEVER), `${one}`).to.have.property('outcome', 'refused');
    }
    const reason = `no requests to ${new URL(stub.url).host} after 3 refusals in a row`;
    const rests = { outcome: 'not_requested', reason };
    expect(await host.get(PATH, NEVER)).to.deep.equal(rests);
    clock.ms += 899_000;
    expect(await host.get(PATH, NEVER)).to.deep.equal(rests);
    expect(stub.log).to.have.length(5);
    clock.ms += 2000;
    expect(await host.get(PATH, NEVER)).to.have.property('outcome', 'ok');
  });

  it('given a host that refuses after its rest, then it rests again; after an answer it has three', async () => {
    const host = hostOf();
    const refused = new Set([1, 2, 3, 4, 6, 7]);
    stub.fault = (_, which) => (refused.has(which) ? { answer: { status: 403, body: '' } } : undefined);
    const outcomes: string[] = [];
    for (const rest_ms of [0, 0, 0, 900_000, 0, 900_000, 0, 0, 0]) {
      clock.ms += rest_ms;
      outcomes.push((await host.get(PATH, NEVER)).outcome);
    }
    const [refusal, rests] = ['refused', 'not_requested'];
    expect(outcomes).to.deep.equal([
      ...[refusal, refusal, refusal, refusal, rests],
      ...['ok', refusal, refusal, 'ok'],
    ]);
  });

  it('given the limit of a minute, then its end is waited for', async () => {
    failing(limit('Minutely API request limit exceeded. Please try again in one minute.'));
    expect(await hostOf({ pace: 0 }).get(PATH, NEVER)).to.have.property('outcome', 'ok');
    expect(clock.sleeps[0]).to.equal(30_000);
  });

  it('given locations for hours, then no minute, hour or day has more than its budget, in all processes', async () => {
    const locations = Array.from({ length: 12 }, (_, at) => at).join();
    const path = `/v1/forecast?latitude=${locations}&longitude=${locations}&hourly=t&models=m&forecast_days=10`;
    const budgets = { minute: 60, hour: 500, day: 1000 };
    const asked = new Map<string, number>();
    stub.fault = () => {
      for (const length of ['2026-01-10T12:00', '2026-01-10T12', '2026-01-10'].map((text) => text.length)) {
        const key = new Date(clock.now()).toISOString().slice(0, length);
        asked.set(key, (asked.get(key) ?? 0) + 12);
      }
      return { answer: { status: 200, body: '{}' } };
    };
    const told = new Set<string>();
    let host = hostOf({ budgets, gap_ms: 1000 });
    while (clock.now() < NOW + 1.5 * DAY_MS) {
      const { outcome } = await host.get(path, NEVER, (line) => told.add(line.replace(/[;,].*/, '')));
      const next = hostOf({ budgets, gap_ms: 1000 });
      next.budget.remember(JSON.parse(JSON.stringify(host.budget.spent)) as object);
      if (outcome === 'not_requested') clock.ms += HOUR_MS / 4;
      else host = next;
    }
    const most = (length: number): number =>
      Math.max(...[...asked].filter(([key]) => key.length === length).map(([, weight]) => weight));
    expect([most(16), most(13), most(10)]).to.deep.equal([60, 492, 996]);
    expect([...told]).to.have.members([
      'the budget of 60 a minute is spent',
      'the budget of 500 an hour is spent',
      'the budget of 1000 a day is spent',
    ]);
  });

  for (const [query, weight] of [
    ['latitude=1&hourly=t&models=m&forecast_days=10', 1],
    ['latitude=1,2,3,4&hourly=t&models=m&forecast_days=10', 4],
    ['latitude=1&hourly=a,b,c,d,e,f,g,h,i,j,k,l&models=m&forecast_days=7', 1.2],
    ['latitude=1,2&hourly=a,b,c,d,e&models=m,n&forecast_days=28', 4],
  ] as const) {
    it(`given ${query}, then it counts ${weight}`, () => {
      expect(callWeight(`/v1/forecast?${query}`)).to.be.closeTo(weight, 1e-9);
    });
  }

  it('given a key, then each request has it, and neither a reason nor a text that quotes it', async () => {
    const keys = { OWN: 'very&secret' };
    for (const status of [200, 400, 503]) {
      always({ answer: { status, body: 'bad key very&secret of /v1/forecast?key=very%26secret' } });
      const answer = await hostOf({ keys }).get('/v1/forecast?run=x&key={key:OWN}', NEVER);
      expect(stub.log[0]?.path).to.equal('/v1/forecast?run=x&key=very%26secret');
      expect(JSON.stringify(answer))
        .to.contain('bad key *** of')
        .and.not.match(/very.{1,3}secret/);
    }
  });

  // JSON of Java writes = as \u003d, that of PHP / as \/.
  for (const quote of [
    'a/b=secret=',
    'a\\/b\\u003dsecret\\u003D',
    'a%2Fb%3Dsecret%3d',
    'a&#x2F;b&#61;secret&#061;',
  ])
    it(`given a key that a response quotes as ${quote}, then neither its text nor its headers have it`, async () => {
      always({
        answer: { status: 200, body: `{"url": "/x?key=${quote}"}`, headers: { etag: `"${quote}"` } },
      });
      const answer = await hostOf({ keys: { OWN: 'a/b=secret=' } }).get('/x?key={key:OWN}', NEVER);
      expect(answer).to.deep.include({ outcome: 'ok', body: '{"url": "/x?key=***"}' });
      expect(answer).to.have.nested.property('headers.etag', '"***"');
    });

  for (const url of [
    'http://127.0.0.1:1',
    'http://0x7f.1:1',
    'http://2130706433:1',
    'http://localhost:1',
    'http://[::1]:1',
    'http://[::ffff:127.0.0.1]:1',
    'http://[64:ff9b::7f00:1]:1',
    'http://[fd00::1]:1',
    'http://169.254.169.254',
    'http://100.100.100.200',
  ])
    it(`given ${url} where only public addresses are allowed, then nothing is sent, and it is not tried again`, async () => {
      const response = await hostOf({ url, isPublic: true }).get(PATH, NEVER);
      expect(response)
        .to.include({ outcome: 'no_answer' })
        .and.to.have.property('reason')
        .match(/private network, which needs local: true/);
      expect(clock.sleeps).to.be.empty;
    });

  // A list with ::/3 refuses all of IPv4: then no source file would reach its host.
  for (const url of ['https://8.8.8.8', 'https://157.90.1.1', 'https://[2606:4700::1111]'])
    it(`given ${url}, then it is public`, () =>
      expect(() => checkPublicHost(new URL(url).hostname)).not.to.throw());
});
