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
  error?: { code?: number; message?: string };
}

const VERSION_OF_REQUEST = 'io.modelcontextprotocol/protocolVersion';

/** Longer than any response takes. */
const PATIENCE_MS = 60_000;

/** A host and a server, and what is under way between them. */
interface Session {
  url: URL;
  key: string;
  write: (message: Message) => void;
  /** By initialize, as the revisions before 2026-07-28 have it. */
  agreed?: string | undefined;
  /** By the id of the request. */
  underWay: Map<string | number, AbortController>;
}

/**
 * Sends each line to the server, and writes what it answers, one message a line. Ends when the lines have ended and every
 * response is written.
 */
export async function bridge(
  lines: AsyncIterable<string>,
  write: (line: string) => void,
  server: { url: URL; key: string },
): Promise<void> {
  const session: Session = {
    ...server,
    write: (message) => write(JSON.stringify({ jsonrpc: '2.0', ...message })),
    underWay: new Map(),
  };
  const sending = new Set<Promise<void>>();
  for await (const line of lines) {
    const message = line.trim() === '' ? undefined : readLine(session, line);
    if (message === undefined) continue;
    const sent = forward(session, message).finally(() => sending.delete(sent));
    sending.add(sent);
  }
  await Promise.all(sending);
}

/** The message of a line, if it is to be sent: a cancellation and a text that is not JSON end here. */
function readLine(session: Session, line: string): Message | undefined {
  const message = parsedMessage(line);
  if (message === undefined) writeError(session, null, -32_700, 'This line is not JSON');
  if (message?.method !== 'notifications/cancelled') return message;
  // The way to cancel there is to leave: the server then ends the query.
  session.underWay.get(message.params?.requestId ?? '')?.abort();
  return undefined;
}

/** Sends a message, and writes the replies, or the reason why the server gives no reply. */
async function forward(session: Session, message: Message): Promise<void> {
  const { url, underWay } = session;
  const id = message.id ?? undefined;
  const leaving = new AbortController();
  if (id !== undefined) underWay.set(id, leaving);
  try {
    await writeReplies(session, message, await send(session, message, leaving.signal));
  } catch (error) {
    const why =
      error instanceof Error && error.name === 'TimeoutError' ? 'does not answer' : 'cannot be reached';
    if (!leaving.signal.aborted) writeError(session, message.id, -32_000, `${url.origin} ${why}`);
  } finally {
    if (id !== undefined && underWay.get(id) === leaving) underWay.delete(id);
  }
}

function send({ url, key, agreed }: Session, message: Message, signal: AbortSignal): Promise<Response> {
  const { method = '', params } = message;
  const version = params?._meta?.[VERSION_OF_REQUEST];
  const name = params?.name ?? params?.uri;
  return fetch(url, {
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
}

async function writeReplies(session: Session, { id, method }: Message, response: Response): Promise<void> {
  for (const reply of parseMessages(await response.text(), response.headers.get('content-type') ?? '')) {
    if (method === 'initialize') session.agreed = reply.result?.protocolVersion ?? session.agreed;
    // An error of the API has no number; one of the protocol may not know which request it is about.
    if (reply.jsonrpc === undefined)
      writeError(session, id, -32_000, reply.error?.message ?? `HTTP status ${response.status}`);
    else if (reply.id === null && reply.error !== undefined) session.write({ ...reply, id: id ?? null });
    else session.write(reply);
  }
}

/** An error about a request; a notification has no id, and so no reply. */
function writeError({ write }: Session, id: Message['id'], code: number, message: string): void {
  if (id !== undefined) write({ id, error: { code, message } });
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
