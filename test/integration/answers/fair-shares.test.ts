import { Agent, request } from 'node:http';
import { expect } from 'chai';
import { createKey } from '../../../src/access/keys.js';
import { SERVING } from '../../../src/store/engine/open.js';
import { FEEDS, NOW } from '../../support/contract/data.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Listening } from '../../support/listen.js';
import { itInCi } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// Two to six times where two processors also serve the greedy one and other programs; forty times without turns.
const MOST_TIMES = 10;
const ROUNDS = 4;
const CONNECTIONS = 64;
const QUESTIONS = 60;

/** The value below which 95 of 100 lie. */
const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

describe('a modest key beside a greedy one', () => {
  itInCi(
    `when the greedy one asks over ${CONNECTIONS} connections, then p95 of the modest one is no more than ten times its quiet one`,
    async function () {
      this.timeout(120_000);
      const store = await openTestStore(SERVING);
      await loadLines(store, FEEDS);
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
      const measured = async (): Promise<number> => {
        const times: number[] = [];
        for (let question = 0; question < QUESTIONS; question += 1) {
          const started = performance.now();
          await ask(modest, agent);
          times.push(performance.now() - started);
        }
        return p95(times);
      };
      await measured(); // warm
      const ratios: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const quiet = await measured();
        let isOver = false;
        const crowd = new Agent({ keepAlive: true });
        const greedy = Array.from({ length: CONNECTIONS }, async () => {
          while (!isOver) await ask(service.key, crowd);
        });
        const busy = await measured();
        isOver = true;
        await Promise.all(greedy);
        crowd.destroy();
        ratios.push(busy / quiet);
      }
      agent.destroy();
      await listening.stop();
      await store.close();
      expect(median(ratios), `ratios ${ratios.map((ratio) => ratio.toFixed(1)).join(', ')}`).to.be.at.most(
        MOST_TIMES,
      );
    },
  );
});
