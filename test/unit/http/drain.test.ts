import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { type DrainTimes, prepareDrain } from '../../../src/http/drain.js';

// Guards that the end of a listener waits for responses under way, and for nothing that a client has not sent. No test asserts
// a time: what it may not wait for has a bound of an hour.

const HOUR_MS = 3_600_000;
const TIMES: DrainTimes = { lastCallMs: 0, arrivalMs: 0, responseMs: HOUR_MS };
const HEAD = 'GET / HTTP/1.1\r\nHost: localhost\r\n';

describe('the drain of a listener', () => {
  let server: Server;
  let underWay: Set<ServerResponse>;
  let drain: ReturnType<typeof prepareDrain>;
  let clients: Socket[];

  beforeEach(async () => {
    clients = [];
    underWay = new Set();
    server = createServer((_, response) => {
      underWay.add(response);
      response.once('close', () => underWay.delete(response));
    });
    drain = prepareDrain(server, underWay);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    for (const client of clients) client.destroy();
    server.closeAllConnections();
  });

  /** Sends a text on a connection of its own, once the server has accepted it. */
  async function send(text: string): Promise<Socket> {
    const accepted = once(server, 'connection');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    clients.push(client.on('error', () => {}));
    await accepted;
    client.write(text);
    return client;
  }

  const readAll = async (client: Socket): Promise<string> => Buffer.concat(await client.toArray()).toString();

  it('given 200 half-sent heads and connections without a byte, then it ends without them', async () => {
    for (let at = 0; at < 100; at += 1) await Promise.all([send(HEAD), send('')]);
    await drain(TIMES);
  });

  it('given the half-sent body of a request that is answered, then it ends without the rest', async () => {
    const asked = once(server, 'request');
    const client = await send(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf`);
    const [, response] = (await asked) as [unknown, ServerResponse];
    response.end('told');
    await once(response, 'close');
    client.resume();
    await drain(TIMES);
  });

  it('given a response under way beside half-sent heads, then they are closed, and it is whole', async () => {
    const half = await send(HEAD);
    const asked = once(server, 'request');
    const client = await send(`${HEAD}Connection: close\r\n\r\n`);
    const [, response] = (await asked) as [unknown, ServerResponse];
    const ended = drain(TIMES);
    await once(half.resume(), 'close');
    response.end('told');
    expect(await readAll(client)).to.match(/ 200 OK[^]*told/);
    await ended;
  });

  it('given a head that arrives in time, then it is answered', async () => {
    server.on('request', (_, response) => response.end('told'));
    const client = await send(HEAD);
    const ended = drain({ ...TIMES, arrivalMs: HOUR_MS });
    client.write('Connection: close\r\n\r\n');
    expect(await readAll(client)).to.match(/ 200 OK[^]*told/);
    await ended;
  });

  it('given a response that does not end, then it is cut off', async () => {
    const asked = once(server, 'request');
    const client = await send(`${HEAD}\r\n`);
    await asked;
    await drain({ ...TIMES, responseMs: 0 });
    expect(await readAll(client)).to.equal('');
  });
});
