import cors from 'cors';
import type { RequestHandler } from 'express';

// The headers of a response that a page may read, beside those that every page may.
const EXPOSED_HEADERS = [
  'Accept-Ranges',
  'Age', // of a shared cache
  'Allow',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Length',
  'Content-Range',
  'Date',
  'Deprecation',
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'Sunset',
  'WWW-Authenticate',
  'X-Export-Cursor',
  'X-Next-Cursor',
  'X-Provider',
  'X-Request-Id',
  'X-Total-Pairs',
];

interface AllowedRequest {
  methods: string[];
  headers: string[];
}

const READS: AllowedRequest = {
  methods: ['GET', 'HEAD'],
  headers: [
    'Authorization',
    'Cache-Control', // of libraries that read streams
    'If-Match',
    'If-None-Match',
    'If-Range',
    'Last-Event-ID',
    'Range', // of its forms a page sends only bytes=N-M without being allowed to, and not the bytes=-N of a footer
    'Traceparent',
    'Tracestate',
    'X-Request-Id',
  ],
};

/**
 * Lets pages of these origins read responses (CORS), and answers their preflights. The key travels in a header, never in
 * a cookie, so no credentials are allowed. For any other origin nothing changes: its OPTIONS goes on, to be a 405 (D18).
 * @param origins as a browser writes them; `*` is any
 * @param allowed what a page may send
 */
export function allowOrigins(origins: readonly string[], allowed: AllowedRequest = READS): RequestHandler {
  const any = origins.includes('*');
  const allow = cors({
    origin: (origin, decide) => {
      decide(null, origin !== undefined && (any || origins.includes(origin)));
    },
    methods: allowed.methods,
    allowedHeaders: allowed.headers,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 600, // seconds; Chromium keeps a preflight for 2 hours at most
  });
  return (request, response, next) => {
    // Also for origins that are not allowed: a cache must not give one origin the response of another.
    response.vary('Origin');
    allow(request, response, next);
  };
}
