import { createInterface } from 'node:readline';
import { Command, InvalidArgumentError } from 'commander';
import { UserError } from '../lib/user-error.js';
import { VERSION } from '../lib/version.js';

// forecast-accuracy mcp URL: for hosts that start a program and know no servers elsewhere. It passes on what it reads, in
// the revision of the protocol that host and server speak, so it never needs to be newer than either.

export default new Command('mcp')
  .description(
    'Connect an assistant that can only run local programs (MCP over stdio) to a server; needs API_KEY',
  )
  .argument('<url>', 'address of the server, such as https://accuracy.example.org', getAddress)
  .action(async (url: URL) => {
    const key = process.env.API_KEY ?? '';
    if (key === '')
      throw new UserError('API_KEY: must be a key of that server; set it as a variable, not as an argument');
    const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
    await bridge(lines, (line) => process.stdout.write(`${line}\n`), { url, key });
  });

function getAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be an http:// or https:// URL.');
  }
  if (url.pathname === '/') url.pathname = '/mcp';
  return url;
}

/** As much of a message of JSON-RPC as the way there and back depends on. */
interface Message {
  jsonrpc?: '2.0';
  id?: string | number | null;
  method?: string;
  params?: { name?: string; uri?: string; requestId?: string | number; _meta?: Record<string, unknown> };
  result?: { protocolVersion?: string };
  error?: { message?: string };
}

const VERSION_OF_REQUEST = 'io.modelcontextprotocol/protocolVersion';

/** Longer than any response takes. */
const PATIENCE_MS = 60_000;

/**
 * Sends each line to the server, and writes what it answers, one message a line. Ends when the lines have ended and every
 * response is written.
 */
export async function bridge(
  lines: AsyncIterable<string>,
  write: (line: string) => void,
  { url, key }: { url: URL; key: string },
): Promise<void> {
  const underWay = new Map<string | number, AbortController>();
  const sending = new Set<Promise<void>>();
  let agreed: string | undefined; // by initialize, as the revisions before 2026-07-28 have it
  const respond = (message: Message): void => write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const fail = (id: Message['id'], code: number, message: string): void => {
    if (id !== undefined) write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  };

  const send = async (message: Message, signal: AbortSignal): Promise<void> => {
    const { id, method = '', params } = message;
    const version = params?._meta?.[VERSION_OF_REQUEST];
    const name = params?.name ?? params?.uri;
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'error', // a redirect could take the key elsewhere
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'User-Agent': `forecast-accuracy-mcp/${VERSION}`,
        ...(typeof version === 'string'
          ? {
              'MCP-Protocol-Version': version,
              'Mcp-Method': method,
              ...(name !== undefined && { 'Mcp-Name': name }),
            }
          : agreed !== undefined && { 'MCP-Protocol-Version': agreed }),
      },
      body: JSON.stringify(message),
    });
    for (const reply of parseMessages(await response.text(), response.headers.get('content-type') ?? '')) {
      if (method === 'initialize') agreed = reply.result?.protocolVersion ?? agreed;
      // An error of the API has no number; one of the protocol may not know which request it is about.
      if (reply.jsonrpc === undefined)
        fail(id, -32_000, reply.error?.message ?? `HTTP status ${response.status}`);
      else if (reply.id === null && reply.error !== undefined) respond({ ...reply, id: id ?? null });
      else respond(reply);
    }
  };

  for await (const line of lines) {
    if (line.trim() === '') continue;
    const message = parsedMessage(line);
    if (message === undefined) {
      fail(null, -32_700, 'This line is not JSON');
      continue;
    }
    const { id, method, params } = message;
    if (method === 'notifications/cancelled') {
      // The way to cancel there is to leave: the server then ends the query.
      underWay.get(params?.requestId ?? '')?.abort();
      continue;
    }
    const leaving = new AbortController();
    if (id !== undefined && id !== null) underWay.set(id, leaving);
    const sent = send(message, leaving.signal)
      .catch((error: unknown) => {
        const why =
          error instanceof Error && error.name === 'TimeoutError' ? 'does not answer' : 'cannot be reached';
        if (!leaving.signal.aborted) fail(id, -32_000, `${url.origin} ${why}`);
      })
      .finally(() => {
        if (id !== undefined && id !== null && underWay.get(id) === leaving) underWay.delete(id);
        sending.delete(sent);
      });
    sending.add(sent);
  }
  await Promise.all(sending);
}

function parsedMessage(text: string): Message | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The messages of a body: one as JSON, or each event of a stream; nothing for what is neither. */
function parseMessages(body: string, type: string): Message[] {
  if (!type.startsWith('text/event-stream')) {
    const message = parsedMessage(body);
    if (message !== undefined) return [message];
    return body === ''
      ? []
      : [{ error: { message: 'The server does not answer in JSON; check its address' } }];
  }
  return body.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
    return parsedMessage(data.map((line) => line.slice(5).trimStart()).join('\n')) ?? [];
  });
}
