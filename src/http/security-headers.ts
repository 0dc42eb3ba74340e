import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** Sets Helmet's headers. They are the same for every answer, so they are worked out once. */
export function securityHeaders(): (response: ServerResponse) => void {
  const headers: [name: string, value: string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => {}, // X-Powered-By, which is not set
  };
  helmet()({} as IncomingMessage, recorder as unknown as ServerResponse, () => {});
  return (response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
  };
}

/**
 * What the dashboard may do: load its own files and ask this service, nothing else. Over plain HTTP its requests must
 * not be upgraded, as Helmet's policy has it: a service without TLS would get none of them.
 */
export const DASHBOARD_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
