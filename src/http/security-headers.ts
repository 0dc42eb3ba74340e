import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet, { type HelmetOptions } from 'helmet';

/** Headers for what no browser shows as a page: of Helmet's, a dozen, only these mean something on data. */
const OF_DATA: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

/** Sets Helmet's headers, for a page or for data. They are the same for every response, so they are worked out once. */
export function securityHeaders(): (response: ServerResponse, isData: boolean) => void {
  const [ofPages, ofData] = [makeHeaders({}), makeHeaders(OF_DATA)];
  return (response, isData) => {
    for (const [name, value] of isData ? ofData : ofPages) response.setHeader(name, value);
  };
}

function makeHeaders(options: HelmetOptions): [name: string, value: string][] {
  const headers: [name: string, value: string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => {}, // X-Powered-By, which is not set
  };
  helmet(options)({} as IncomingMessage, recorder as unknown as ServerResponse, () => {});
  return headers;
}

/**
 * The rights of a page: it may load its own files and ask this service, nothing else. Helmet's policy has
 * upgrade-insecure-requests beside, which would ask for everything over https: a service without TLS would get none of it.
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
