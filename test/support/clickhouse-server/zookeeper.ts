import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '../store.js';
import { freePorts } from './server.js';

// Where Debian's package puts it.
const JAR = '/usr/share/java/zookeeper.jar';

/** It lives for a minute: the better compiler of Java took half of its 7 s of processor during the migrations of four servers. */
const BRIEF = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Whether there is one to start: Debian's package `zookeeper`. */
export const hasZooKeeper = (): boolean => existsSync(JAR);

/** A ZooKeeper on a loopback port, with an empty folder of its own. */
export class ZooKeeper {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(): Promise<ZooKeeper> {
    const folder = temporaryFolder();
    const { http: port } = await freePorts();
    const file = join(folder, 'zoo.cfg');
    writeFileSync(
      file,
      [
        `dataDir=${folder}`,
        'clientPortAddress=127.0.0.1',
        `clientPort=${port}`,
        'tickTime=2000',
        'admin.enableServer=false',
        'forceSync=no',
        'preAllocSize=1024',
        '',
      ].join('\n'),
    );
    const main = 'org.apache.zookeeper.server.quorum.QuorumPeerMain';
    const child = spawn('java', [...BRIEF, '-Xmx128m', '-cp', JAR, main, file], { stdio: 'ignore' });
    const started = new ZooKeeper(child, port);
    process.on('exit', () => child.kill('SIGKILL'));
    for (let waited = 0; !(await answers(port)); waited += 200) {
      if (child.exitCode !== null || waited > 120_000) throw new Error('ZooKeeper does not start');
      await setTimeout(200);
    }
    return started;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }
}

/** Whether it serves requests: it takes connections before, and closes them again. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  try {
    await once(socket, 'connect');
    socket.write('srvr');
    for await (const part of socket) answer += String(part);
  } catch {
    // Not yet.
  } finally {
    socket.destroy();
  }
  return answer.includes('Mode: standalone');
}
