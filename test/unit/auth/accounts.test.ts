import { expect } from 'chai';
import type { ApiError } from '../../../src/api/errors/api-error.js';
import { type Account, Accounts, addressAccounts } from '../../../src/auth/accounts.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

describe('the account of a key', () => {
  let now: number;
  const clock = (): Date => new Date(now);
  beforeEach(() => {
    now = Date.parse('2026-01-05T12:00:00Z');
  });

  const open = (rowsPerMinute: number): Account =>
    new Accounts(clock).of({ id: 'id', name: 'me' }, { rateLimitPerMinute: 0, rowsPerMinute });

  /** The seconds after which a refused request may come again; undefined when it is not refused. */
  const waitOf = (account: Account): number | undefined => {
    try {
      account.requireRows();
      return undefined;
    } catch (error) {
      return (error as ApiError).retryAfterSeconds;
    }
  };

  it('rows: given a limit of 100 a minute, then the hundredth row refuses the next, and time makes up', () => {
    const account = open(100);
    account.chargeRows(99);
    expect([waitOf(account), account.usage().rows_left]).to.deep.equal([undefined, 1]);
    account.chargeRows(1);
    expect([waitOf(account), account.usage().rows_left]).to.deep.equal([1, 0]);
    account.chargeRows(150);
    expect(waitOf(account)).to.equal(91);
    now += 1.5 * MINUTE_MS;
    expect(waitOf(account), '100 are left').to.equal(1);
    now += 1000;
    expect(waitOf(account)).to.equal(undefined);
    now += MINUTE_MS;
    expect(account.usage().rows_left, 'no more than a minute is saved up').to.equal(100);
  });

  it('rows: given no limit, then no number refuses, and each is counted', () => {
    const account = open(0);
    account.chargeRows(1e9);
    expect(waitOf(account)).to.equal(undefined);
    expect(account.usage()).to.deep.include({ rows_per_minute: null, rows_left: null });
    expect(account.usage().days[0]).to.include({ rows_read: 1e9, rate_limited: 0 });
  });

  it('requests: given a limit, then as many are left before the first; without one neither has a number', () => {
    const of = (rateLimitPerMinute: number) =>
      new Accounts(clock).of({ id: 'id', name: 'me' }, { rateLimitPerMinute, rowsPerMinute: 0 }).usage();
    expect(of(5)).to.include({ requests_per_minute: 5, requests_left: 5 });
    expect(of(0)).to.include({ requests_per_minute: null, requests_left: null });
  });

  /** How many of some requests at once begin, while none ends. */
  const beginAtOnce = (account: Account, requests: number): number => {
    let begun = 0;
    for (let one = 0; one < requests; one += 1)
      void account.reading(() => {
        begun += 1;
        return new Promise(() => {});
      });
    return begun;
  };

  it('at once: given that no request has told what it reads, then one begins and the others wait', () => {
    expect([beginAtOnce(open(100), 3), beginAtOnce(open(1), 3), beginAtOnce(open(0), 3)]).to.deep.equal([
      1, 1, 3,
    ]);
  });

  for (const [charged, begun] of [
    [[50], 2],
    [[51], 1],
    [[25], 4],
    [[60, 10], 1], // nine tenths of 60: 54
    [[55, 10], 2], // 49.5
  ] as const) {
    it(`at once: given requests of ${charged.join(' and ')} rows before, then ${begun} begin within a limit of 100`, () => {
      const account = open(100);
      for (const rows of charged) account.chargeRows(rows);
      now += 10 * MINUTE_MS;
      expect(beginAtOnce(account, 5)).to.equal(begun);
    });
  }

  it('usage: given requests on 31 days, then the last 30 are there, the latest first', () => {
    const account = open(0);
    for (let day = 0; day <= 30; day += 1) {
      account.requested();
      now += DAY_MS;
    }
    const dates = account.usage().days.map(({ date }) => date);
    expect([dates.length, dates[0], dates.at(-1)]).to.deep.equal([30, '2026-02-04', '2026-01-06']);
  });

  it('addresses: given one that comes again within the hour, then it keeps its account, later a new one', () => {
    const accounts = addressAccounts(clock);
    const of = (id: string): Account =>
      accounts.of({ id, name: '' }, { rateLimitPerMinute: 9, rowsPerMinute: 9 });
    const first = of('one');
    now += 60 * MINUTE_MS;
    expect(of('one')).to.equal(first);
    now += 60 * MINUTE_MS + 1;
    expect(of('one')).not.to.equal(first);
    expect([first.maxStreams, open(0).maxStreams]).to.deep.equal([2, 5]);
  });

  it('addresses: given 10,000 others, then the one that came first has a new account', () => {
    const accounts = addressAccounts(clock);
    const of = (id: string): Account =>
      accounts.of({ id, name: '' }, { rateLimitPerMinute: 9, rowsPerMinute: 9 });
    const all = Array.from({ length: 10_000 }, (_, at) => of(`${at}`));
    expect(of('0')).to.equal(all[0]);
    of('other');
    expect([of('0') === all[0], of('1') === all[1]]).to.deep.equal([true, false]);
  });
});
