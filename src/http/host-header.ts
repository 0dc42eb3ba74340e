import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { ApiError } from '../api/errors/api-error.js';

// The host of a request. Anybody can write any: it is checked for every request, and a response names it to its own client alone.

/** The longest name in the DNS, and a port. */
const MAX_HOST_LENGTH = 253 + ':65535'.length;

/** A name or an address, of the letters that names have in practice (underscores in Docker's), and a port. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** The last host that was one: most requests name the same, and to parse it takes longer than to find a cached response. */
let lastHost = '';

/** Whether a text is a host with an optional port (RFC 9112, 3.2). */
function isHost(text: string): boolean {
  if (text === lastHost) return text !== '';
  if (text.length > MAX_HOST_LENGTH || !HOST.test(text) || !URL.canParse(`http://${text}`)) return false;
  lastHost = text;
  return true;
}

/**
 * Refuses a request whose host is missing, given twice, or not a host: Node itself would refuse the first without a body, and take
 * the first of several. All paths refuse it, as RFC 9112 (3.2) demands, so no path has to know whether it uses the host.
 */
export function requireHost(request: IncomingMessage): void {
  const hosts = listHosts(request);
  if (!isCount(hosts.length, request)) {
    throw new ApiError('INVALID_PARAMETER', 'A request in HTTP/1.1 needs exactly one header Host');
  }
  if (!hosts.every(isHost)) {
    throw new ApiError(
      'INVALID_PARAMETER',
      'Host: is no host; send a name or an address, such as example.org:8080',
    );
  }
}

/** Whether a request names its host as it has to. */
export function hasHost(request: IncomingMessage): boolean {
  const hosts = listHosts(request);
  return isCount(hosts.length, request) && hosts.every(isHost);
}

const isCount = (count: number, { httpVersion }: IncomingMessage): boolean =>
  count === 1 || (count === 0 && httpVersion !== '1.1');

function listHosts({ rawHeaders }: IncomingMessage): string[] {
  const hosts: string[] = [];
  // Names and values in turn. Other ways to find them take as long as the rest of a cached response's checks.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[at + 1] ?? '');
  }
  return hosts;
}

/**
 * The origin that a client has asked, by its Host alone, for a response that no cache gives to others; undefined for a request
 * without one (HTTP/1.0). X-Forwarded-Host is not read: most proxies hand on what the client wrote. The scheme is that of the
 * connection, or of X-Forwarded-Proto from a trusted proxy.
 */
export function getRequestOrigin({ headers: { host }, protocol }: Request): string | undefined {
  return host === undefined ? undefined : `${/^https$/i.test(protocol) ? 'https' : 'http'}://${host}`;
}

/** A path without the scheme and host of a request line that names the whole URL (RFC 9112, 3.2.2). */
export const withoutOrigin = (url: string): string =>
  url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*\/?/i, '/');
