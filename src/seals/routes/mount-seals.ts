import type { IRouter, Request, Response } from 'express';
import { z } from 'zod';
import { ApiError } from '../../api/errors/api-error.js';
import { count } from '../../api/fields.js';
import { InvalidParamsError, parseQuery, readParameters, wholeNumber } from '../../api/parameters.js';
import { cacheControl, entityTag, matchesIfNoneMatch, sendNotModified } from '../../http/conditional.js';
import { cachingHeaders } from '../../http/request-scope.js';
import { bind, sql } from '../../queries/sql.js';
import type { Store } from '../../store/store.js';
import { monthRow } from '../digests.js';
import { proveConsistency, proveInclusion } from '../formats/tree.js';
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
      .array(
        z.object({
          feed: z.string().meta({ example: 'forecasts' }),
          month: z
            .string()
            .meta({ description: 'Month of its dates; all for a feed without dates', example: '2026-01' }),
          rows: count('Facts that the version added'),
          root: z.string().meta({ description: 'The digest of these facts, 32 bytes in hex' }),
        }),
      )
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
      'Its leaf, its digests, and the proof that the log has it. ' + '/api/v1/export/facts has these facts.',
    parameters: {},
    record: sealRecord,
  },
] as const;

const NAME = /^v([1-9]\d{0,8})(?:\.([a-z0-9]{4}))?$/;

export interface SealDependencies {
  store: Pick<Store, 'query'>;
  log: SealLog;
}

/** Adds the routes of the log, below a prefix. */
export function mountSeals(router: IRouter, prefix: string, dependencies: SealDependencies): void {
  const handlers = [getCheckpoint, getConsistency, getSeal];
  SEALS.forEach(({ path }, at) => {
    router.get(prefix + path, async (request, response) => {
      const state = await dependencies.log.current();
      const found = await handlers[at]?.(request, state, dependencies);
      send(request, response, state, found ?? '');
    });
  });
}

type Handler = (
  request: Request,
  state: LogState,
  dependencies: SealDependencies,
) => Promise<string | object>;

const getCheckpoint: Handler = (request, { checkpoint }) => {
  readQuery(request, {});
  return Promise.resolve(checkpoint);
};

const getConsistency: Handler = (request, state) => {
  const { from, to = state.hashes.length } = readQuery(request, SEALS[1].parameters);
  const makeIssue = (parameter: string, message: string): InvalidParamsError =>
    new InvalidParamsError([{ parameter, message }]);
  if (to > state.hashes.length)
    throw makeIssue('to', `must be at most ${state.hashes.length}, the size of the log`);
  if (from === undefined || from > to) throw makeIssue('from', `must be a size from 1 to ${to}`);
  const proof = proveConsistency(from, state.hashes.slice(0, to));
  return Promise.resolve({ from, to, proof: proof.map(toBase64) });
};

const monthsRow = z.object({ months: z.string() });

const getSeal: Handler = async (request, state, { store }) => {
  readQuery(request, {});
  const name = String(request.params.version);
  const [, number = '', timeline = state.version.timeline] = NAME.exec(name) ?? [];
  const version = Number(number);
  const index = state.sealed.findIndex((each) => each.version === version);
  const sealed = state.sealed[index];
  if (sealed === undefined || timeline !== state.version.timeline) {
    const isUnsealed = state.unsealed.some((each) => each.version === version);
    throw new ApiError(
      'NOT_FOUND',
      isUnsealed
        ? `${name} has no seal yet: the next load seals it`
        : `there is no version ${name}: GET /api/v1/loads lists all, such as v${state.sealed.at(-1)?.version ?? 1}.${state.version.timeline}`,
    );
  }
  const [row] = await store.query(sql.rows(monthsRow)`
    SELECT JSONExtractRaw(report, 'sealed_months') AS months
    FROM loads
    WHERE load_id = ${bind({ version }, 'UInt32')} AND event IN ('finished', 'sealed') AND JSONHas(report, 'seal')`);
  const { checkpoint, verifier_key } = state;
  const months = z.array(monthRow).parse(JSON.parse(row?.months ?? '[]'));
  const proof = proveInclusion(index, state.hashes).map(toBase64);
  return { version, leaf: sealed.leaf, months, index, proof, checkpoint, verifier_key };
};

const toBase64 = (hash: Buffer): string => hash.toString('base64');

/** @throws InvalidParamsError with every error of the query */
function readQuery<Shape extends z.ZodRawShape>(
  request: Request,
  shape: Shape,
): z.output<z.ZodObject<Shape>> {
  const { values, issues } = readParameters(shape, parseQuery(request.url));
  if (issues.length > 0) throw new InvalidParamsError(issues);
  return values as z.output<z.ZodObject<Shape>>;
}

function send(
  request: Request,
  response: Response,
  { version, sealed }: LogState,
  found: string | object,
): void {
  const isPublic = response.locals.isPublic === true;
  const tag = entityTag(`seals ${version.key} ${sealed.length} ${request.originalUrl}`);
  const headers = cachingHeaders(response, tag, cacheControl(false, undefined, isPublic));
  if (matchesIfNoneMatch(request.headers['if-none-match'], tag)) {
    sendNotModified(response, headers);
    return;
  }
  if (typeof found === 'string')
    response.set({ ...headers, 'Content-Type': 'text/plain; charset=utf-8' }).send(found);
  else response.set(headers).json({ success: true, data: found });
}
