import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
};

/** A web server of files, as plain as hosts are; it does not listen yet. */
export function serveFiles(folder: string): Server {
  const read = async (url: string) => {
    const { pathname } = new URL(url, 'http://localhost');
    const file = normalize(decodeURIComponent(pathname).replace(/\/$/, '/index.html'));
    return { type: TYPES[extname(file)], body: await readFile(join(folder, file)) };
  };
  return createServer(({ url = '/' }, response) => {
    read(url).then(
      ({ type = 'application/octet-stream', body }) =>
        response.writeHead(200, { 'Content-Type': type }).end(body),
      () => response.writeHead(404, { 'Content-Type': 'text/html' }).end('Not found'),
    );
  });
}
