import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { findSharedEngine } from '../../src/store/engine/sharing.js';
import { killPrograms, type Program, type ServerProgram, until } from '../support/process.js';
import { expectRefusal } from '../support/programs.js';
import { Random } from '../support/random.js';
import { itInStressTier } from '../support/runner/range.js';
import { type Bed, loadAll, startLoad, startServer, stop } from '../support/stress/programs.js';
import { Undisturbed } from '../support/stress/undisturbed.js';

// At chosen steps; killed-loads.ts kills at random moments.

describe('a load that is stopped half way', function () {
  let undisturbed: Undisturbed;

  before(async () => {
    undisturbed = await Undisturbed.load(
      { stations: [0, 20], days: [0, 12], issuances: 25, status: 'verified' },
      new Random(1),
    );
  });
  after(killPrograms);

  /** Rows of a table in the engine that a server or a load has open; 0 without the table. */
  const rowsOf = async ({ env: { DATA_DIR = '' } }: Bed, table: string): Promise<number> => {
    const shared = await findSharedEngine(DATA_DIR);
    if (shared === undefined) return 0;
    const asking = request({
      socketPath: shared.socket,
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`default:${shared.password}`).toString('base64')}` },
    });
    asking.end(`SELECT count() FROM ${table} FORMAT TSV`);
    return once(asking, 'response').then(
      async ([response]: IncomingMessage[]) =>
        response?.statusCode === 200 ? Number(await text(response)) : 0,
      () => 0,
    );
  };
  /** A load that has filled a table, at least in part, and goes on. */
  const halfWay = async (on: Bed, table = 'staged_forecasts'): Promise<Program> => {
    const load = startLoad(on, undisturbed.files);
    await until(async () => {
      if (load.hasEnded)
        throw new Error(`the load ended before it was stopped: ${(await load.ended).stderr}`);
      return (await rowsOf(on, table)) > 0 || undefined;
    });
    return load;
  };
  const expectUndisturbed = async (on: Bed, server: ServerProgram): Promise<void> => {
    await undisturbed.expectOn(on, server);
    await stop(server);
  };

  it("by SIGINT, and the next by its server's death, then each tells it in a line, and the third goes in", async () => {
    const on = undisturbed.folder();
    const server = await startServer(on);
    const first = await halfWay(on);
    first.kill('SIGINT');
    expectRefusal(await first.end(), 'stopped by SIGINT');
    const second = await halfWay(on, 'forecasts'); // what the first one has staged is still there
    server.kill('SIGKILL');
    await server.end();
    // In one line: it has not told of a lock that it waited for, either.
    expectRefusal(await second.end(), 'the connection to ClickHouse was lost');
    await loadAll(on, undisturbed.files);
    await expectUndisturbed(on, await startServer(on));
  });

  // The death of the server above, and a load by itself, stand for it in `make ci`.
  itInStressTier(
    'by SIGTERM to its server, when that is started again, then it does not go on through the new one',
    async () => {
      const on = undisturbed.folder();
      const server = await startServer(on);
      const load = await halfWay(on);
      server.kill('SIGTERM');
      const [ended] = await Promise.all([load.end(), server.end()]);
      if (ended.code !== 0) expectRefusal(ended, 'the connection to ClickHouse was lost'); // else it was faster
      await loadAll(on, undisturbed.files);
      await expectUndisturbed(on, await startServer(on));
    },
  );
});
