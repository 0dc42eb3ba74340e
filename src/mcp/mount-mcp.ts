import { isIP } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpRequestContext } from '@modelcontextprotocol/server';
import type { IRouter, Request, RequestHandler } from 'express';
import type { LocalClient } from '../responses/local-client.js';
import { ApiError } from '../api/errors/api-error.js';
import { logError, notFound } from '../http/error-handler.js';
import { getRequestOrigin } from '../http/host-header.js';
import { requestScope } from '../http/request-scope.js';
import type { Metrics } from '../observe/metrics.js';
import { inJson, isForStreams, readMessage, TYPES_OF_PROTOCOL } from './message.js';
import { createServer, type Serving } from './mcp-server.js';

/** The one path of the Model Context Protocol; below it there is nothing. */
const MCP_PATH = '/mcp';

/** A request has some hundred bytes. */
const MAX_BODY_BYTES = 65_536;

/** The method and headers of pages that may call. */
export const MCP_CORS = {
  methods: ['POST'],
  headers: [
    'Authorization',
    'Content-Type',
    'X-Request-Id',
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
  ],
};

/** Whether a request may have another method than GET and HEAD: this route tells by itself which. */
export const isMcp = ({ path }: Request): boolean => path === MCP_PATH || path === `${MCP_PATH}/`;

/**
 * Guards before the keys: they tell who may ask from a browser, how, and that there is no OAuth here. A client whose key
 * is refused looks for OAuth, and takes any response but a 404 for its sign.
 * @param origins whose pages may ask; `*` is any
 */
export function guardMcp(router: IRouter, origins: readonly string[]): void {
  router.get(/^\/\.well-known\//, notFound());
  router.all(MCP_PATH, originGuard(origins), (request, response, next) => {
    if (request.method === 'POST') {
      next();
      return;
    }
    response.setHeader('Allow', 'POST');
    throw new ApiError('METHOD_NOT_ALLOWED', `${request.method} is not allowed; ${MCP_PATH} takes only POST`);
  });
}

/**
 * Refuses pages of foreign origins, as the protocol demands: a page that a name server has led here (DNS rebinding) has
 * the origin it came from. Programs send no Origin.
 */
function originGuard(origins: readonly string[]): RequestHandler {
  return ({ headers }, _response, next) => {
    const { origin, host } = headers;
    if (
      origin === undefined ||
      isOwnAddress(origin, host) ||
      origins.includes('*') ||
      origins.includes(origin)
    ) {
      next();
      return;
    }
    throw new ApiError(
      'ORIGIN_NOT_ALLOWED',
      'Pages of this origin are not allowed; the operator can add it to CORS_ORIGINS',
    );
  };
}

/** Whether a page came from this server by an address or a loopback name: a name server can lead neither elsewhere. */
function isOwnAddress(origin: string, requested: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { host, hostname } = new URL(origin);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) > 0;
  return host === requested?.toLowerCase() && (isAddress || /(^|\.)localhost$/.test(hostname));
}

/**
 * Adds the route. It stands behind the keys and their limits, as all of the API.
 * @param publicOrigin without it, links have the host that the client has asked
 */
export function mountMcp(
  router: IRouter,
  client: LocalClient,
  metrics: Pick<Metrics, 'countToolCall'>,
  publicOrigin?: string,
): void {
  const protocol = createMcpHandler(makeServer, { maxRequestBodySize: MAX_BODY_BYTES });
  const reply = toNodeHandler(
    {
      // One call for each request: with a list a key would have as many as it likes for one of its limit.
      async fetch(request, options) {
        const body = readMessage(await request.text());
        if (body === undefined) return refusal(400, -32700, 'The body is not JSON');
        const method = typeof body === 'object' && body !== null && 'method' in body ? body.method : '';
        if (Array.isArray(body))
          return refusal(400, -32600, 'The body is a list; send one message per request');
        // Nothing here changes while a client listens.
        if (method === 'subscriptions/listen')
          return refusal(404, -32601, 'Subscriptions are not supported; send one request for each call');
        const takesStreams = isForStreams(request.headers.get('accept'));
        request.headers.set('accept', TYPES_OF_PROTOCOL);
        const response = await protocol.fetch(request, { ...options, parsedBody: body });
        return takesStreams ? response : inJson(response);
      },
    },
    { maxRequestBodySize: MAX_BODY_BYTES },
  );
  router.post(MCP_PATH, async (request, response) => {
    const scope = requestScope(request, response, 'mcp');
    const { signal } = scope;
    const serving: Serving = {
      client,
      scope,
      origin: publicOrigin ?? getRequestOrigin(request),
      onCalled(tool, { issue, cause }) {
        const outcome = signal.aborted ? 'abandoned' : (issue?.code ?? 'ok');
        response.locals.tool = { name: tool, outcome };
        metrics.countToolCall(tool, outcome);
        if (issue !== undefined && !signal.aborted) logError(request, response, issue, cause);
      },
    };
    response.setHeader('Cache-Control', 'no-store');
    // The adapter hands this on to makeServer() unchanged; the key itself has no use there.
    const auth = { token: '', clientId: response.locals.keyId ?? '', scopes: [], extra: { serving } };
    await reply(Object.assign(request, { auth }), response);
  });
}

const makeServer = ({ authInfo }: McpRequestContext) => createServer(authInfo?.extra?.serving as Serving);

/** An error of the protocol, in its words. */
const refusal = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
