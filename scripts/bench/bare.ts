import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express from 'express';

// A server of its own that is nothing but Express: it sends the bytes of a file. node bare.js FILE

const body = readFileSync(process.argv[2] ?? '', 'utf8');
const app = express();
app.disable('etag');
app.get('/', (_request, response) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(body);
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
