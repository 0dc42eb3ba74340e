import type { IRouter, Request, Response } from 'express';
import { z } from 'zod';
import { ApiError } from '../../api/errors/api-error.js';
import { count } from '../../api/fields.js';
import { VERSION_NAME } from '../../api/params/as-of.js';
import { InvalidParamsError, parseQuery, readParameters, wholeNumber } from '../../api/parameters.js';
import { cacheControl, entityTag, matchesIfNoneMatch, sendNotModified } from '../../http/conditional.js';
import { cachingHeaders } from '../../http/request-scope.js';
import type { Store } from '../../store/store.js';
import { monthRow } from '../digests.js';
import { proveConsistency, proveInclusion } from '../formats/tree.js';
import { readSealedMonths } from '../log.js';
import type { LogState, SealLog } from '../seal-log.js';

const hashes = (description: string) =>
  z.array(z.string()).meta({ description: `${description}, each 32 bytes in base64` });

const sealRecord = z
  .object({
    version: z.int().min(1).meta({ description: 'The number of the version', example: 412 }),
    leaf: z.string().meta({
      description: 'The entry of the version in the log, canonical JSON (RFC 8785), as it is hashed',
    }),
    months: z
      .array(monthRow)
      .meta({ description: 'The list of which the leaf has the SHA-256, as canonical JSON' }),
    index: count('Its place in the log, from 0'),
    proof: hashes('The inclusion proof of RFC 9162'),
    checkpoint: z.string().meta({ description: 'The checkpoint that the proof leads to' }),
    verifier_key: z.string().nullable().meta({
      description: 'The key that verifies the checkpoint, as signed notes write it; null if it is not signed',
    }),
  })
  .meta({ id: 'Seal' });

const consistencyRecord = z
  .object({
    from: z.int().min(1).meta({ description: 'Versions in the earlier log' }),
    to: z.int().min(1).meta({ description: 'Versions in the later log' }),
    proof: hashes('The consistency proof of RFC 9162'),
  })
  .meta({ id: 'Consistency' });

const size = (description: string) =>
  wholeNumber(1, 999_999_999)
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: 999_999_999, description });

/** The URLs of the log, as the document, the index and the clients describe them. */
export const SEALS = [
  {
    path: '/seals',
    operationId: 'getCheckpoint',
    summary: 'The latest checkpoint of the log of versions',
    description:
      'Origin, number of versions and root, as C2SP tlog-checkpoint; signed as a note if the service has a key. Keep it: ' +
      '/api/v1/seals/consistency proves later that nothing before it has changed.',
    parameters: {},
    record: undefined,
  },
  {
    path: '/seals/consistency',
    operationId: 'getConsistency',
    summary: 'Proof that the log only grew',
    description: 'Between two sizes of the log, which checkpoints have in their second line.',
    parameters: {
      from: size('The size in the earlier checkpoint'),
      to: size('The size in the later checkpoint; default: the whole log'),
    },
    record: consistencyRecord,
  },
  {
    path: '/seals/:version',
    operationId: 'getSeal',
    summary: 'The seal of a version',
    description:
      'Its leaf, its digests, and the proof that the log has it. /api/v1/export/facts has these facts.',
    parameters: {},
    record: sealRecord,
  },
] as const;

/** Adds the routes of the log, below a prefix. */
export function mountSeals(
  router: IRouter,
  prefix: string,
  { store, log }: { store: Pick<Store, 'query'>; log: SealLog },
): void {
  type Respond = (state: LogState, request: Request, query: Sizes) => string | object | Promise<object>;
  const responses: Record<(typeof SEALS)[number]['operationId'], Respond> = {
    getCheckpoint: ({ checkpoint }) => checkpoint,
    getConsistency: (state, _request, sizes) => proveGrowth(state, sizes),
    getSeal: (state, request) => findSeal(state, String(request.params.version), store),
  };
  for (const { path, operationId, parameters } of SEALS) {
    router.get(`${prefix}${path}`, async (request, response) => {
      const { values, issues } = readParameters(parameters, parseQuery(request.url));
      if (issues.length > 0) throw new InvalidParamsError(issues);
      const state = await log.current();
      send(request, response, state, await responses[operationId](state, request, values));
    });
  }
}

/** Two sizes of the log. */
interface Sizes {
  from?: number;
  to?: number;
}

function proveGrowth({ hashes }: LogState, { from, to = hashes.length }: Sizes): object {
  if (to > hashes.length) throw makeIssue('to', `must be at most ${hashes.length}, the size of the log`);
  if (from === undefined || from > to) throw makeIssue('from', `must be a size from 1 to ${to}`);
  return { from, to, proof: proveConsistency(from, hashes.slice(0, to)).map(toBase64) };
}

const makeIssue = (parameter: string, message: string): InvalidParamsError =>
  new InvalidParamsError([{ parameter, message }]);

async function findSeal(
  { version: { timeline: own }, sealed, hashes, checkpoint, verifier_key }: LogState,
  name: string,
  store: Pick<Store, 'query'>,
): Promise<object> {
  const [, number, timeline = own] = VERSION_NAME.exec(name) ?? [];
  const index = sealed.findIndex(({ version }) => timeline === own && version === Number(number));
  const found = sealed[index];
  if (found === undefined)
    throw new ApiError(
      'NOT_FOUND',
      `there is no version ${name} with a seal: GET /api/v1/loads lists all; the next load seals those of an older service`,
    );
  const { version, leaf } = found;
  const months = (await readSealedMonths(store, version)).get(version);
  const proof = proveInclusion(index, hashes).map(toBase64);
  return { version, leaf, months, index, proof, checkpoint, verifier_key };
}

const toBase64 = (hash: Buffer): string => hash.toString('base64');

function send(
  request: Request,
  response: Response,
  { version, sealed }: LogState,
  found: string | object,
): void {
  const isPublic = response.locals.isPublic === true;
  const tag = entityTag(`seals ${version.key} ${sealed.length} ${request.originalUrl}`);
  const headers = cachingHeaders(response, tag, cacheControl(false, undefined, isPublic));
  if (matchesIfNoneMatch(request.headers['if-none-match'], tag)) sendNotModified(response, headers);
  else if (typeof found === 'string') response.set(headers).type('text/plain').send(found);
  else response.set(headers).json({ success: true, data: found });
}
