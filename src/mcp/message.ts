// Messages as clients write them and read them, where these differ from the words of the protocol but leave no doubt.

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON value; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * A message of the protocol; undefined for a text that is not JSON. Clients in Go, Java and C# send null for an
 * absent object, those in PHP an empty list. Some send arguments as JSON text.
 */
export function readMessage(text: string): unknown {
  const body = parseJson(text);
  if (!isFields(body)) return body;
  const { params, ...message } = body;
  const fields = toObject(params);
  if (!isFields(fields)) return fields === undefined ? message : body;
  const { arguments: given, ...others } = fields;
  delete others.cursor; // each list has one page
  const found = toObject(given);
  return { ...message, params: { ...others, ...(found !== undefined && { arguments: found }) } };
}

/** An object that a client may write in another way; undefined for nothing. */
function toObject(value: unknown): unknown {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return undefined;
  const found = typeof value === 'string' ? parseJson(value) : value;
  return isFields(found) ? found : value;
}

/** The types that clients accept by the protocol. */
export const TYPES_OF_PROTOCOL = 'application/json, text/event-stream';

/** Whether a client has said that it reads streams of events; without Accept any type is fine, and JSON the simplest. */
export const isForStreams = (accept: string | null): boolean =>
  accept?.includes('text/event-stream') === true;

/** A response whose one message is JSON, as it is or out of a stream of events. */
export async function inJson(response: Response): Promise<Response> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response;
  const events = (await response.text()).split('\n').filter((line) => /^data: *\S/.test(line));
  const message = events.at(-1)?.slice('data:'.length).trim();
  return new Response(message, { status: response.status, headers: { 'content-type': 'application/json' } });
}
