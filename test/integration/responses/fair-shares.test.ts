import { Agent, request } from 'node:http';
import { expect } from 'chai';
import { createKey } from '../../../src/auth/keys.js';
import { SERVING } from '../../../src/store/engine/open.js';
import { FEEDS, NOW } from '../../support/contract/data.js';
import { Listening } from '../../support/listen.js';
import { until } from '../../support/process.js';
import { itInCi } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openWorld } from '../../support/worlds.js';

// A query of the modest key has the next place that comes free. Queries that run then go before it, and those that end
// while it runs: 5 questions of 100 wait for more than 5 answers. Without turns all others would go first.
const CONNECTIONS = 64;
const MOST_BEFORE = 16;
const QUESTIONS = 60;

/** The value below which 95 of 100 lie. */
const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;

describe('a modest key beside a greedy one', () => {
  itInCi(
    `when the greedy one has ${CONNECTIONS} connections, then 95 % of the modest one wait for ${MOST_BEFORE} of its at most`,
    async function () {
      const store = await openWorld([FEEDS], SERVING);
      // Nothing is kept, so each question reads.
      const service = await startTestService(store, { now: NOW, cacheBytes: 0 });
      const { key: modest } = await createKey(service.keysFile, 'modest');
      const listening = await Listening.start(service);
      let asked = 0;
      const ask = async (key: string, agent: Agent): Promise<void> => {
        // Never the same question twice, as equal ones under way are one.
        const from = new Date(Date.UTC(2016, 0, 1 + ((asked += 1) % 3000))).toISOString().slice(0, 10);
        const path = `/api/v1/accuracy/summary?date_from=${from}&days=${1 + (asked % 364)}`;
        await new Promise<void>((resolve, reject) => {
          request(
            `${listening.url}${path}`,
            { agent, headers: { authorization: `Bearer ${key}` } },
            (response) => {
              response.resume().once('end', resolve);
            },
          )
            .once('error', reject)
            .end();
        });
      };
      const agent = new Agent({ keepAlive: true });
      let isOver = false;
      let answered = 0;
      const crowd = new Agent({ keepAlive: true });
      const greedy = Array.from({ length: CONNECTIONS }, async () => {
        while (!isOver) {
          await ask(service.key, crowd);
          answered += 1;
        }
      });
      await until(() => answered > CONNECTIONS || undefined);
      const before: number[] = [];
      for (let question = 0; question < QUESTIONS; question += 1) {
        const at = answered;
        await ask(modest, agent);
        before.push(answered - at);
      }
      isOver = true;
      await Promise.all(greedy);
      crowd.destroy();
      agent.destroy();
      await listening.stop();
      await store.close();
      expect(p95(before), `answers before: ${before.join(', ')}`).to.be.at.most(MOST_BEFORE);
    },
  );
});
