import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../src/config.js';
import { type OpenedStore, openStore } from '../../src/store/engine/open.js';
import { Program } from './process.js';
import { temporaryFolder } from './store.js';

export interface TestClusterOptions {
  /** On which shard a row is: that of its station's hash, or any. */
  rows: 'by station' | 'anywhere';
  /** Configuration of a coordinator, in XML. With one, replicated tables are made, and cannot be filled. */
  zookeeper?: string;
  /** What its user may do, as GRANT statements without their TO; everything, if none are given. */
  grants?: string[];
  /** Whether its user may write nothing whatever the grants (profile with readonly = 2). */
  readonly?: boolean;
  /** Where the data are; a folder of its own, if none is given. */
  folder?: string;
}

const SCRIPT = fileURLToPath(new URL('cluster-node.ts', import.meta.url));

/** A cluster of two shards in a process of its own (cluster-node.ts says what of it is real). */
export class TestCluster {
  static readonly NAME = 'two-shards';

  private constructor(
    readonly url: string,
    readonly program: Program,
  ) {}

  static async start(options: TestClusterOptions): Promise<TestCluster> {
    const node = { folder: temporaryFolder(), ...options, name: TestCluster.NAME };
    const program = new Program(SCRIPT, [JSON.stringify(node)], {});
    for (let waited = 0; !program.stdout.includes('}\n'); waited += 50) {
      if (program.hasEnded || waited > 120_000) {
        program.kill('SIGKILL');
        throw new Error(`the cluster does not start: ${(await program.ended).stderr}`);
      }
      await setTimeout(50);
    }
    const port = /"port":(\d+)/.exec(program.stdout)?.[1];
    return new TestCluster(`http://127.0.0.1:${port}`, program);
  }

  async open(database: string, cluster: string = TestCluster.NAME): Promise<OpenedStore> {
    return openStore(
      readConfig({
        CLICKHOUSE_URL: this.url,
        CLICKHOUSE_DATABASE: database,
        CLICKHOUSE_CLUSTER: cluster,
      }),
      'command',
    );
  }

  /** Carries out a statement as the service sends it. */
  async post(sql: string): Promise<void> {
    const answer = await fetch(this.url, { method: 'POST', body: sql });
    if (!answer.ok) throw new Error(`${await answer.text()}\n${sql}`);
  }

  async stop(): Promise<void> {
    this.program.kill('SIGKILL');
    await this.program.ended;
  }
}
