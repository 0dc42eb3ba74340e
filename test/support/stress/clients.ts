import { type Agent, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { expect } from 'chai';
import supertest from 'supertest';
import { type Answer, Contract } from '../contract/contract.js';
import type { TestService } from '../service.js';

// Clients of a server that listens: what they ask, and what has become of it.

/** A request and its end: an answer, or the code of what broke the connection. */
export interface Exchange {
  path: string;
  startedAt: number;
  endedAt: number;
  answer?: Omit<Answer, 'body'>;
  /** ECONNREFUSED, ECONNRESET, ... */
  broken?: string;
  /** Whether the connection had had an answer before. */
  reused?: boolean;
}

export interface Asking {
  agent?: Agent;
  key?: string;
  method?: string;
  headers?: Record<string, string>;
  /** The address of this machine that the request comes from. */
  localAddress?: string;
}

/** Sends a request; it always comes to an end, and never throws. */
export function exchange(url: string, path: string, asking: Asking = {}): Promise<Exchange> {
  const { agent, key, method = 'GET', headers, localAddress } = asking;
  const { hostname, port } = new URL(url);
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (what: Pick<Exchange, 'answer' | 'broken'>): void =>
      resolve({ path, startedAt, endedAt: performance.now(), reused: sending.reusedSocket, ...what });
    const broken = (error: NodeJS.ErrnoException): void => end({ broken: error.code ?? error.message });
    const sending = request(
      {
        hostname,
        port,
        path,
        method,
        ...(agent && { agent }),
        ...(localAddress !== undefined && { localAddress }),
        headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', broken);
        response.once('end', () => {
          const { statusCode: status = 0, headers } = response;
          const body = Buffer.concat(chunks);
          const text = (
            headers['content-encoding'] === 'gzip' && body.length > 0 ? gunzipSync(body) : body
          ).toString();
          end({ answer: { status, headers: headers as Answer['headers'], text } });
        });
      },
    );
    sending.once('error', broken);
    sending.end();
  });
}

/** So many clients that ask one thing after the other until a moment (of performance.now()), or until one is told to stop. */
export async function ask(
  clients: number,
  until: number,
  one: (client: number) => Promise<'stop' | undefined>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (performance.now() < until) if ((await one(client)) === 'stop') return;
    }),
  );
}

/** The contract of a server that listens, by the document that it serves. */
export async function contractOf(url: string, key: string): Promise<Contract> {
  const service = { app: url, key } as unknown as TestService; // supertest takes a URL, too
  expect((await supertest(url).get('/openapi.json')).status).to.equal(200);
  return Contract.of(service);
}

/** Holds an answer to the document, its CSV to RFC 4180, and one that has no body to that. */
export function checkAnswer(
  contract: Contract,
  method: string,
  path: string,
  answer: Omit<Answer, 'body'>,
): void {
  const { status, headers, text } = answer;
  const about = `${method} ${path.slice(0, 300)} -> ${status} ${text.slice(0, 300)}`;
  if (method === 'HEAD' || status === 304) {
    expect(text, about).to.equal('');
    expect(headers['x-request-id'], about).to.match(/^[\w.:/+=@-]{1,128}$/);
    return;
  }
  // Routes are found in any case, and without a fragment: more than the document can say.
  const route = path.replace(/^[^?]*/, (plain) => plain.split('#', 1)[0]?.toLowerCase() ?? '');
  const undocumented = status < 400 && contract.template(path) === undefined;
  contract.check(undocumented ? route : path, answer);
  if (status === 200 && headers['content-type']?.startsWith('text/csv')) checkCsv(text, about);
}

/** Every row has the cells of the header, every line ends in CRLF, and nothing is no number that should be one. */
function checkCsv(text: string, about: string): void {
  expect(text, `${about}: last line end`).to.match(/\r\n$/);
  const rows = parse(text, { record_delimiter: '\r\n' });
  const [header = [], ...records] = rows;
  expect(header.join(), about).to.match(/^[a-z_]+(,[a-z0-9_]+)*$/);
  expect(new Set(header).size, `${about}: columns`).to.equal(header.length);
  const numbers = header.flatMap((name, at) =>
    /^(verification_pairs|mean_error|std_dev|mae|rmse|abs_error_p\d\d|sample_size)$/.test(name) ? [at] : [],
  );
  for (const record of records) {
    for (const at of numbers) expect(record[at], about).to.match(/^(-?\d+(\.\d{1,2})?)?$/);
  }
}
