import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { serveFiles } from '../../scripts/publish-demo/static-server.js';
import { isThere } from './clients/python.js';
import { findNginx, freePort, isListening, Nginx } from './nginx.js';
import { until } from './process.js';

/** A web server of the files of a folder. */
export interface FileHost {
  /** Without a slash at its end. */
  url: string;
  stop: () => Promise<unknown>;
}

// Debian has the types of nginx in another package.
const NGINX_TYPES = `types { text/html html; text/css css; text/javascript js; application/json json; image/svg+xml svg; }`;

/** The hosts of files that a copy is tried on; undefined where the program is not there. */
export const FILE_HOSTS: Record<string, (folder: string) => Promise<FileHost | undefined>> = {
  node: async (folder) => {
    const port = await freePort();
    const server = serveFiles(folder).listen(port, '127.0.0.1');
    await once(server, 'listening');
    const stop = async (): Promise<void> => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    };
    return { url: urlOf(port), stop };
  },
  nginx: async (folder) => {
    const program = findNginx();
    if (program === undefined) return undefined;
    const port = await freePort();
    const block = `${NGINX_TYPES} server { listen 127.0.0.1:${port}; root ${folder}; }`;
    const nginx = await Nginx.start(program, port, block);
    return { url: urlOf(port), stop: () => nginx.stop() };
  },
  python3: async (folder) => {
    if (!(await isThere('python3'))) return undefined;
    const port = await freePort();
    const args = ['-m', 'http.server', String(port), '--bind', '127.0.0.1', '--directory', folder];
    const python = spawn('python3', args, { stdio: 'ignore' });
    await until(() => isListening(port));
    const stop = async (): Promise<void> => {
      const ended = once(python, 'exit');
      python.kill();
      await ended;
    };
    return { url: urlOf(port), stop };
  },
};

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;
