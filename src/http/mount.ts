import { pipeline } from 'node:stream/promises';
import { type Request, type Response, Router } from 'express';
import type { Directory } from '../stations/directory.js';
import type { Store } from '../store/store.js';
import { csvText } from './csv.js';
import { type Answer, type Endpoint, InvalidParameters } from './endpoint.js';
import { readParameters } from './parameters.js';

export interface MountDependencies {
  store: Store;
  directory: Directory;
  clock: () => Date;
}

/** The routes of the endpoints, below the prefix where the router is used. */
export function mount(endpoints: readonly Endpoint[], dependencies: MountDependencies): Router {
  const router = Router();
  for (const endpoint of endpoints) {
    router.get([...endpoint.paths], (request, response) => answer(endpoint, dependencies, request, response));
  }
  return router;
}

async function answer(
  endpoint: Endpoint,
  { store, directory, clock }: MountDependencies,
  request: Request,
  response: Response,
): Promise<void> {
  const now = clock();
  const started = performance.now();
  const search = request.url.indexOf('?');
  const query = new URLSearchParams(search === -1 ? '' : request.url.slice(search + 1));
  const { values, faults } = readParameters(endpoint.parameters, query);
  faults.push(...(endpoint.check?.(values, now) ?? []));
  if (faults.length > 0) throw new InvalidParameters(faults);

  const pathStation = request.params.station_id as string | undefined;
  const found = await endpoint.answer(values, { store, directory, now, pathStation });
  // A different answer every time, and never a stale one: accuracy changes with every load.
  response.setHeader('Cache-Control', 'no-store');
  if (wantsCsv(request, values.format)) {
    await sendCsv(endpoint, values, found, response);
    return;
  }
  response.json({
    success: true,
    data: found.data,
    ...(found.metadata && {
      metadata: {
        generated_at: now.toISOString(),
        ...found.metadata,
        query_time_ms: Math.round(performance.now() - started),
      },
    }),
  });
}

/** `format` decides; without it a client that prefers CSV gets it, and any other JSON (D22). */
function wantsCsv(request: Request, format: unknown): boolean {
  if (format !== undefined) return format === 'csv';
  return request.accepts(['application/json', 'text/csv']) === 'text/csv';
}

async function sendCsv(
  endpoint: Endpoint,
  values: Record<string, unknown>,
  { data, csv }: Answer,
  response: Response,
): Promise<void> {
  const name = [
    endpoint.paths[0]?.split('/')[1],
    endpoint.paths[0]?.split('/')[2],
    ...csv.fileNameParts,
  ].join('-');
  response.setHeader('Content-Type', 'text/csv; charset=utf-8; header=present');
  response.setHeader('Content-Disposition', `attachment; filename="${name}.csv"`);
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  const record = endpoint.csvRecord?.(values) ?? endpoint.record;
  await pipeline(csvText(record, endpoint.many ? (data as unknown[]) : [data], csv.constants), response);
}
