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
