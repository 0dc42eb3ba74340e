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
 * What a page may do: load its own files and ask this service, nothing else. Helmet's policy has upgrade-insecure-requests
 * beside, which would ask for everything over https: a service without TLS would get none of it.
 * @param images where they may come from
 */
export function pagePolicy(images = "'self'"): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
