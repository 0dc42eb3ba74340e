import { expect } from 'chai';
import { DAY_MS, HOUR_MS } from '../../../src/accuracy/time/calendar.js';
import { CLOCK } from '../../../src/collect/clock.js';
import { callWeight, Host, type HostSettings } from '../../../src/collect/host.js';
import { type Fault, SAYS, StubServer } from '../../support/collect/stub-server.js';
import { VirtualClock } from '../../support/collect/virtual-clock.js';

const NOW = Date.parse('2026-01-10T12:00:30Z');
const PATH = '/geojson/network.py?network=NWSCLI';
const NEVER = new AbortController().signal;

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

  it('given requests one after the other, then their starts keep the distance, and the host is told who asks', async () => {
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
    for (const { at_once, userAgent, encodings } of stub.log)
      expect({ at_once, userAgent, encodings }).to.deep.equal({
        at_once: 1,
        userAgent: 'me (+you)',
        encodings: 'gzip',
      });
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
      expect(answer).to.deep.include({ outcome: 'failed', reason: `status 503: ${SAYS.overCapacity.body}` });
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
    ['seconds', '1800', 1_800_000],
    ['a date', new Date(NOW + 1_800_000).toUTCString(), 1_800_000],
    ['more than an hour', '86400', HOUR_MS],
    ['a date long ago', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['no time at all', 'soon', 0],
  ] as const) {
    it(`given Retry-After with ${what}, then so much is waited, an hour at most`, async () => {
      failing({ answer: { ...SAYS.tooMany, headers: { 'retry-after': retryAfter } } });
      await hostOf({ pace: 0 }).get(PATH, NEVER);
      expect(clock.sleeps[0]).to.be.within(waited_ms, waited_ms + 1000);
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
      reason: 'the answer is not UTF-8',
    });
  });

  it('given a body that unpacks to more than 64 MB, then it is not read to its end, and not asked for again', async () => {
    always('large');
    expect(await hostOf().get(PATH, NEVER)).to.deep.equal({
      outcome: 'failed',
      reason: 'the answer is too large',
    });
    expect(stub.log).to.have.length(1);
  });

  it('given a body that does not end, then its time ends', async () => {
    always('slow');
    expect(await hostOf({ timeout_ms: 30 }).get(PATH, NEVER)).to.deep.include({
      outcome: 'failed',
      reason: 'no answer within 0.03 s',
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

  it('given three refusals in a row, then it rests for a quarter of an hour; answers and faults of a request count not', async () => {
    const host = hostOf();
    stub.fault = (_, which) => ({
      answer: { status: [403, 404, 403, 403, 403][which - 1] ?? 200, body: '' },
    });
    for (let one = 0; one < 5; one += 1) {
      expect(await host.get(PATH, NEVER), `${one}`).to.have.property('outcome', 'refused');
    }
    const rests = { outcome: 'not_asked', reason: 'the host rests after 3 refusals in a row' };
    expect(await host.get(PATH, NEVER)).to.deep.equal(rests);
    clock.ms += 899_000;
    expect(await host.get(PATH, NEVER)).to.deep.equal(rests);
    expect(stub.log).to.have.length(5);
    clock.ms += 2000;
    expect(await host.get(PATH, NEVER)).to.have.property('outcome', 'ok');
  });

  for (const [limit, wait_ms] of [
    ['Minutely API request limit exceeded. Please try again in one minute.', 30_000],
    ['Hourly API request limit exceeded. Please try again in the next hour.', HOUR_MS - 30_000],
  ] as const) {
    it(`given "${limit}", then its end is waited for`, async () => {
      failing({ answer: { status: 429, body: JSON.stringify({ error: true, reason: limit }) } });
      expect(await hostOf({ pace: 0 }).get(PATH, NEVER)).to.have.property('outcome', 'ok');
      expect(clock.sleeps[0]).to.equal(wait_ms);
    });
  }

  it('given the limit of a day, then it rests until the next day of UTC', async () => {
    const reason = 'Daily API request limit exceeded. Please try again tomorrow.';
    failing({ answer: { status: 429, body: JSON.stringify({ error: true, reason }) } });
    const host = hostOf();
    expect(await host.get(PATH, NEVER)).to.have.property('outcome', 'refused');
    clock.ms = Date.parse('2026-01-10T23:59:59Z');
    expect(await host.get(PATH, NEVER)).to.have.property('outcome', 'not_asked');
    clock.ms = Date.parse('2026-01-11T00:00:00Z');
    expect(await host.get(PATH, NEVER)).to.have.property('outcome', 'ok');
    expect(stub.log).to.have.length(2);
  });

  it('given a budget, then it is not passed in a day, a later process goes on with it, and the next day has its own', async () => {
    const path =
      '/v1/forecast?latitude=1,2,3&longitude=1,2,3&hourly=temperature_2m&models=ecmwf_ifs&forecast_days=10';
    const host = hostOf({ budget: 10 });
    host.remember({ date: '2026-01-10', weight: 3 });
    host.remember({ date: '2026-01-09', weight: 10 });
    for (const outcome of ['refused', 'refused', 'not_asked'])
      expect(await host.get(path, NEVER)).to.have.property('outcome', outcome);
    expect(host.spent).to.deep.equal({ date: '2026-01-10', weight: 9 });
    clock.ms += DAY_MS;
    expect(await host.get(path, NEVER)).to.have.property('outcome', 'refused');
    expect(host.spent).to.deep.equal({ date: '2026-01-11', weight: 3 });
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

  it('given a key, then each request has it, and no reason that is reported', async () => {
    always({ answer: SAYS.overCapacity });
    const answer = await hostOf({ secrets: { apikey: 'very-secret' } }).get('/v1/forecast?run=x', NEVER);
    expect(stub.log[0]?.path).to.equal('/v1/forecast?run=x&apikey=very-secret');
    expect(JSON.stringify(answer)).not.to.contain('very-secret');
  });
});
