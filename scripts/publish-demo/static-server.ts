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

/** A web server of files, as plain as hosts are; it does not listen yet. @param path below which they are, `/` or `/copy/` */
export const serveFiles = (folder: string, path = '/'): Server =>
  createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const name = pathname.startsWith(path) ? decodeURIComponent(pathname.slice(path.length)) : '..';
    const file = normalize(name === '' ? 'index.html' : name);
    const content = file.startsWith('..') ? Promise.reject(new Error(file)) : readFile(join(folder, file));
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    content.then(
      (body) => response.writeHead(200, { 'Content-Type': type }).end(body),
      () => response.writeHead(404, { 'Content-Type': 'text/html' }).end('Not found'),
    );
  });
