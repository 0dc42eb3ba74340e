import { expect } from 'chai';
import { Accounts } from '../../../src/auth/accounts.js';
import { createKey } from '../../../src/auth/keys.js';
import { store } from '../../support/contract/shared.js';
import { NOW, WINDOW } from '../../support/contract/data.js';
import { type ErrorAnswer, sent } from '../../support/contract/contract.js';
import { Listening } from '../../support/listen.js';
import { Assistant } from '../../support/mcp/assistant.js';
import { startTestService, type TestService } from '../../support/service.js';
import { itInCi } from '../../support/runner/range.js';

const SUMMARY = `/api/v1/accuracy/summary?${WINDOW}`;
const SCRIPT = SUMMARY.replace('summary', 'summary/recompute.sql');
const EXPORT = `/api/v1/export/pairs?${WINDOW}`;

interface UsageAnswer {
  data: {
    date: string;
    requests: number;
    rate_limited: number;
    answers: number;
    responses_cached: number;
    cached_pct: number | null;
    rows_read: number;
  }[];
  metadata: Record<string, unknown>;
}

describe('what a key uses', () => {
  let now: number;
  const clock = (): Date => new Date(now);
  const MINUTE = 60_000;

  beforeEach(() => {
    now = Date.parse(NOW);
  });
  const ask = async (service: TestService, path: string, key = service.key) => {
    const answer = await sent(service.get(path).set('Authorization', `Bearer ${key}`));
    return { ...answer, error: (answer.body as ErrorAnswer).error };
  };
  const usage = async (service: TestService, key?: string): Promise<UsageAnswer> =>
    (await ask(service, '/api/v1/usage', key)).body as UsageAnswer;

  itInCi(
    'given many dear questions at once, then one is answered, and the others learn that nothing is left',
    async () => {
      const service = await startTestService(store, { now: clock, rowsPerMinute: 5 });
      const questions = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(
        (days) => `/api/v1/accuracy/summary?days=${days}`,
      );
      const answers = await Promise.all(questions.map((question) => ask(service, question)));
      expect(answers.filter(({ status }) => status === 200)).to.have.lengthOf(1);
      expect(answers.filter(({ error }) => error?.code === 'RATE_LIMITED')).to.have.lengthOf(9);
    },
  );

  itInCi(
    'given a key that has room for several questions, then they run at once; for one, in turn',
    async () => {
      const account = new Accounts(clock).of(
        { id: 'a', name: 'a' },
        {
          rateLimitPerMinute: 0,
          rowsPerMinute: 100,
        },
      );
      const events: string[] = [];
      const question = (name: string, rows: number): Promise<void> =>
        account.reading(async () => {
          events.push(`${name} begins`);
          await new Promise((resolve) => setImmediate(resolve));
          account.chargeRows(rows);
          events.push(`${name} ends`);
        });
      // Nobody knows the cost of the first before it has ended.
      await Promise.all([question('a', 20), question('b', 20), question('c', 20)]);
      expect(events).to.deep.equal(['a begins', 'a ends', 'b begins', 'c begins', 'b ends', 'c ends']);
      events.length = 0;
      await Promise.all(
        [question('d', 20), question('e', 20), question('f', 20)].map((each) => each.catch(String)),
      );
      expect(events).to.deep.equal(['d begins', 'e begins', 'd ends', 'e ends']);
    },
  );

  it('given a question, the same again, an export and an assistant, then it counts each, and rows once', async () => {
    const service = await startTestService(store, { now: clock });
    const { key: other } = await createKey(service.keysFile, 'other');
    await ask(service, SUMMARY);
    const [first] = (await usage(service)).data;
    expect(first).to.include({
      requests: 2,
      responses: 1,
      responses_cached: 0,
      cached_pct: 0,
      rate_limited: 0,
    });
    expect(first?.rows_read).to.be.above(0);
    await ask(service, SUMMARY);
    const [kept] = (await usage(service)).data;
    expect(kept).to.include({
      responses: 3,
      responses_cached: 1,
      cached_pct: 33.33,
      rows_read: first?.rows_read,
    });

    const { headers } = await ask(service, EXPORT);
    const pairs = Number(headers['x-total-pairs']);
    const [exported] = (await usage(service)).data;
    // Its rows, and those of counting them by day.
    expect(exported?.rows_read).to.be.at.least((first?.rows_read ?? 0) + pairs);

    const listening = await Listening.start(service);
    const assistant = await Assistant.connect(listening.url, service.key);
    await assistant.ask('data_status', {});
    await assistant.close();
    await listening.stop();
    expect((await usage(service)).data[0]?.rows_read).to.be.above(exported?.rows_read ?? 0);

    expect((await usage(service, other)).data).to.have.lengthOf(1);
    expect((await usage(service, other)).data[0]).to.include({ requests: 2, rows_read: 0 });
  });

  itInCi('given many days, then it lists the last 30, newest first, and as CSV as well', async () => {
    const service = await startTestService(store, { now: clock });
    for (let day = 0; day < 32; day += 1) {
      await ask(service, '/nothing');
      now += 24 * 60 * MINUTE;
    }
    const { data } = await usage(service);
    const dates = data.map(({ date }) => date);
    expect(dates).to.have.lengthOf(30);
    expect(dates).to.deep.equal(dates.toSorted().reverse());
    const { text } = await ask(service, '/api/v1/usage?format=csv');
    expect(text.split('\r\n')[0]).to.equal(
      'date,requests,rate_limited,responses,responses_cached,cached_pct,rows_read',
    );
  });

  itInCi(
    'given rows a minute, when a key has read more, then what reads is a 429 that says when',
    async () => {
      const service = await startTestService(store, { now: clock, rowsPerMinute: 10 });
      const { key: other } = await createKey(service.keysFile, 'other');
      expect((await ask(service, SUMMARY)).status).to.equal(200);
      for (const path of [`${SUMMARY}&metric=low`, SCRIPT, EXPORT, '/api/v1/accuracy/freshness']) {
        const { status, error, headers } = await ask(service, path);
        expect([status, error.code], path).to.deep.equal([429, 'RATE_LIMITED']);
        expect(error.message).to.match(/has read \d+ rows, and may read 10 a minute: wait \d+ s\. .* kept /);
        expect(Number(headers['retry-after'])).to.equal(Number(/wait (\d+) s/.exec(error.message)?.[1]));
      }
      expect((await ask(service, SUMMARY)).status).to.equal(200); // kept
      const { data, metadata } = await usage(service);
      expect(data[0]).to.include({ rate_limited: 4 });
      expect(metadata).to.include({
        rows_per_minute: 10,
        rows_left: 0,
        requests_per_minute: null,
        requests_left: null,
      });
      expect((await ask(service, `${SUMMARY}&metric=low`, other)).status).to.equal(200);

      const { headers } = await ask(service, EXPORT);
      now += Number(headers['retry-after']) * 1000;
      expect((await ask(service, EXPORT)).status).to.equal(200);
    },
  );

  it('given a key with rows of its own, then they count in place of those of the server', async () => {
    const service = await startTestService(store, { now: clock, rowsPerMinute: 1 });
    const { key } = await createKey(service.keysFile, 'free', { rows_per_minute: 0 });
    for (const metric of ['high', 'low']) {
      expect((await ask(service, `${SUMMARY}&metric=${metric}`, key)).status).to.equal(200);
    }
    expect((await usage(service, key)).metadata).to.include({ rows_per_minute: null, rows_left: null });
  });
});
