import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Listening } from '../listen.js';

const CUT_AFTER_MS = 250;

/** A connection to a server that is cut for its first so many long answers, after so many bytes. */
export class CuttingProxy {
  cuts = 0;
  /** The targets of the requests, in their order. */
  readonly targets: string[] = [];

  readonly #open = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(to: Listening, times: number, afterBytes: number): Promise<CuttingProxy> {
    const { port } = to.server.address() as AddressInfo;
    const server = createServer((near) => {
      const far = connect(port, '127.0.0.1');
      let bytes = 0;
      proxy.#open.add(near);
      near.pipe(far);
      near.on('data', (data) => {
        const [, target] = /^GET (\S+)/.exec(data.toString('latin1')) ?? [];
        if (target !== undefined) proxy.targets.push(target);
      });
      far.on('data', (data) => {
        const before = bytes;
        bytes += data.length;
        if (bytes > afterBytes && proxy.cuts < times) {
          proxy.cuts += 1;
          far.destroy();
          near.write(data.subarray(0, afterBytes - before));
          // A reader may drop what it has not read when it hears of the break.
          setTimeout(() => near.end(), CUT_AFTER_MS);
        } else near.write(data);
      });
      far.on('end', () => near.end());
      for (const socket of [near, far]) socket.on('error', () => {});
      near.on('close', () => {
        proxy.#open.delete(near);
        far.destroy();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new CuttingProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return proxy;
  }

  /** Ends connections, too: a reader may keep one for its next request. */
  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.#open) socket.destroy();
    await once(this.server, 'close');
  }
}
