import { Agent, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { KORD_STATS, WINDOW } from '../support/contract/data.js';
import { type Contract, sharedContract } from '../support/contract/contract.js';
import { checkAnswer, exchange } from '../support/stress/clients.js';
import { type GeneratedRequest, OPEN_PATHS, requests } from '../support/stress/requests.js';
import { scaled, SEED, tell } from '../support/stress/stress.js';

const AT_ONCE = 50;

/** Requests of every kind: none is a fault of the service, and every answer is as documented. */
export function generatedRequests(): void {
  const count = scaled({ few: 200, full: 100_000 });
  describe(`given ${count} generated requests, ${AT_ONCE} at a time (seed ${SEED})`, function () {
    this.timeout(count * 60 + 60_000);
    const statuses = new Map<number, number>();
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
    let contract: Contract;
    let server: Server;
    let url: string;

    before(async () => {
      contract = await sharedContract();
      server = createServer({ maxHeaderSize: 65_536 }, contract.service.app);
      // Client and server share a process: held up, one would close a connection just as the other asks on it.
      server.keepAliveTimeout = 0;
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(async () => {
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
      const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
      const answered = [...statuses.values()].reduce((sum, times) => sum + times, 0);
      tell('generated requests', { requests: answered, statuses: counts.join(' ') });
    });

    const send = async ({ method, path, headers, keyed, valid }: GeneratedRequest): Promise<void> => {
      const key = keyed ? { key: contract.service.key } : {};
      const { answer, broken } = await exchange(url, path, { agent, method, headers, ...key });
      const about = `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)}`;
      if (answer === undefined) throw new Error(`${about}: ${broken}`);
      const { status, text } = answer;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect(status, `${about}: ${text.slice(0, 300)}`).to.be.below(500);
      if (valid) expect(status, `${about}: ${text.slice(0, 300)}`).to.equal(200);
      // More than the 64 kB of headers that are read: refused before there is a request to answer.
      if (status === 431 && text === '') return;
      const plain = path.split('?', 1)[0] ?? '';
      const beside = OPEN_PATHS.includes(plain) || plain === '/metrics';
      if (beside && (status < 400 || plain === '/api/v1/health')) return;
      checkAnswer(contract, method, path, answer);
    };

    it('then none is answered with a fault of the service, the right ones with 200, and each as documented', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(requests, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (together) => {
          await Promise.all(together.map(send));
        }),
        {
          numRuns: Math.ceil(count / AT_ONCE),
          seed: SEED,
          includeErrorInReport: true,
          endOnFailure: true,
          interruptAfterTimeLimit: count * 50 + 50_000,
          markInterruptAsFailure: true,
        },
      );
    });

    it('then nothing has come of them: the numbers are what they were', async () => {
      const { data } = await contract.ok(`/api/v1/accuracy/summary?${WINDOW}&station_id=KORD`);
      expect(data).to.deep.equal(KORD_STATS);
    });
  });
}
