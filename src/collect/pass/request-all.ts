import type { IncomingHttpHeaders } from 'node:http';
import { type HostResponse, isAboutRequest } from '../host/host.js';
import { type Gap, GapError, type PublicSource, type Request } from '../source.js';
import type { Outcome } from './outcome.js';

// The paths of one request, asked one after the other and read together.

type Failure = Exclude<HostResponse, { outcome: 'ok' | 'unchanged' }>;

/**
 * Asks for all paths of a request and reads their responses together.
 * @param get asks for one path
 */
export async function requestAll(
  source: PublicSource,
  request: Request,
  get: (path: string) => Promise<HostResponse>,
): Promise<Outcome> {
  const bodies: string[] = [];
  const paths = [...request.paths];
  let headers: IncomingHttpHeaders = {};
  try {
    for (const path of paths) {
      const response = await get(path);
      if (response.outcome === 'unchanged')
        return {
          source,
          request,
          counts: { ok: bodies.length + 1 },
          reading: { rows: [], unusable: [], gaps: [] },
        };
      if (response.outcome !== 'ok') return toFailure(source, request, response, bodies.length);
      bodies.push(response.body);
      headers = response.headers;
      const next = await source.next?.(bodies, request);
      if (next !== undefined) paths.push(next);
    }
    const reading = await source.read(bodies, request, headers);
    const validators = { [paths.at(-1) ?? '']: toValidators(headers) };
    return {
      source,
      request,
      counts: { ok: bodies.length },
      reading,
      ...(source.isConditional === true && { validators }),
    };
  } catch (error) {
    if (!(error instanceof GapError)) throw error;
    return { source, request, counts: { no_answer: bodies.length }, gap: toGap(error) };
  }
}

const toGap = ({ message, kind }: GapError): Gap => ({ reason: message, kind });

/** The headers of a request for what has changed since a response. */
const toValidators = ({ etag, 'last-modified': modified }: IncomingHttpHeaders): Record<string, string> => ({
  ...(etag !== undefined && { 'if-none-match': etag }),
  ...(modified !== undefined && { 'if-modified-since': modified }),
});

function toFailure(source: PublicSource, request: Request, response: Failure, ok: number): Outcome {
  const refusal =
    response.outcome === 'refused' ? source.refusal?.(response.status, response.body) : undefined;
  if (refusal !== undefined) return { source, request, counts: { no_answer: 1 }, gap: toGap(refusal) };
  const { outcome, reason } = response;
  const isTooLarge = outcome === 'too_large';
  const counts = { ok, [isTooLarge ? 'no_answer' : outcome]: 1 };
  const kind = isAboutRequest(response) ? 'absent' : 'unheard';
  const tries = outcome === 'not_requested' ? 0 : 1;
  return { source, request, counts, gap: { reason, kind, tries }, isTooLarge };
}
