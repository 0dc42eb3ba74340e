import type { AddressInfo } from 'node:net';
import express from 'express';

// The least that Express can do: one route, default settings, a ready string of as many bytes as an answer has.

const text = 'x'.repeat(Number(process.argv[2]));
const server = express()
  .get('/ready', (_request, response) => {
    response.send(text);
  })
  .listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
process.once('SIGTERM', () => {
  process.exit(0);
});
