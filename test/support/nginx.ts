import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { document } from './documents.js';
import { until } from './process.js';
import { isProgram } from './prometheus.js';
import { temporaryFolder } from './store.js';

/** Where `make ci-tools` unpacks Debian's package; it is not installed, so no service of it ever runs. */
const UNPACKED = fileURLToPath(new URL('../../build/nginx/usr/sbin', import.meta.url));

/** Path of the program, where there is one. */
export function findNginx(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', UNPACKED];
  return folders.map((folder) => join(folder, 'nginx')).find(isProgram);
}

/** An nginx of this user before a service. */
export class Nginx {
  private constructor(private readonly process: ChildProcess) {}

  /** @param blocks what its configuration has within `http`: upstreams, and servers, of which one listens on `port` */
  static async start(program: string, port: number, blocks: string): Promise<Nginx> {
    const folder = temporaryFolder();
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join('\n');
    const configuration = `
      daemon off; master_process off; pid ${folder}/pid;
      events {}
      http { access_log off; ${paths} ${blocks} }`;
    writeFileSync(join(folder, 'nginx.conf'), configuration);
    const child = spawn(program, ['-p', folder, '-e', `${folder}/error.log`, '-c', `${folder}/nginx.conf`], {
      stdio: 'ignore',
    });
    // It writes its id once it listens. The port alone would tell of another program's, too.
    await until(() => {
      if (child.exitCode !== null) throw new Error(`nginx: ${readFileSync(`${folder}/error.log`, 'utf8')}`);
      return existsSync(`${folder}/pid`) ? isListening(port) : undefined;
    });
    return new Nginx(child);
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill();
    await ended;
  }
}

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether somebody listens on a port of this machine, for until(). */
export async function isListening(port: number): Promise<true | undefined> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

/** The sample of nginx in a document of docs/, with what this machine has in place of what is written. */
export function nginxSample(name: string, here: readonly [written: string, replacement: string][]): string {
  const [, sample = ''] = /```nginx\n([^`]+)```/.exec(document(name)) ?? [];
  return here.reduce((text, [written, replacement]) => {
    expect(text, `docs/${name}`).to.include(written);
    return text.replace(written, replacement);
  }, sample);
}
