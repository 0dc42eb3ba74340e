import { expect } from 'chai';
import type { RequestScope } from '../../../src/api/caller.js';
import { InvalidParamsError } from '../../../src/api/parameters.js';
import { ResponseCache } from '../../../src/responses/cache.js';
import {
  type CachedResponse,
  EndpointHandler,
  ROWS_PER_WORK_MS,
} from '../../../src/responses/endpoint-handler.js';
import { ENDPOINTS } from '../../../src/endpoints.js';
import { DirectoryReader } from '../../../src/stations/directory.js';
import { DataVersion } from '../../../src/store/data-version.js';
import { QueryTooLarge } from '../../../src/store/store-errors.js';
import type { Store } from '../../../src/store/store.js';
import { Workers } from '../../../src/responses/workers.js';
import { FEEDS } from '../../support/contract/data.js';
import { callerNamed } from '../../support/caller.js';
import { failureOf } from '../../support/failure.js';
import { linesOf } from '../../support/plain/oracle.js';
import { probabilityWorld } from '../../support/probability-worlds.js';
import { sharedWorld, type World } from '../../support/worlds.js';
import { isInCi, itInCi, range } from '../../support/runner/range.js';

// Guards that a worker answers as the server's thread does, to the byte, and that its callers pay and are told the same.

const NOW = new Date('2025-06-01T00:00:00Z');
const WINDOW = isInCi ? 'date_from=2025-03-01&date_to=2025-03-20' : 'date_from=2024-03-12&date_to=2024-03-20';

/** Each endpoint that may take long, with what its question carries from one thread to the other. */
const QUESTIONS = [
  `/accuracy/hit-rate?${WINDOW}&temp_unit=celsius&country=US`,
  `/accuracy/by-city?${WINDOW}&ci=0.9&format=csv`,
  `/accuracy/revision-stats?${WINDOW}`,
  `/accuracy/sample-size?${WINDOW}`,
  `/accuracy/events?${WINDOW}&thresholds=30,40&group_by=station`,
  `/accuracy/events?${WINDOW}&thresholds=30&as_of=v1&format=csv`,
  `/accuracy/skill?${WINDOW}&group_by=station&known_at=2025-03-15T00:00:00Z`,
  `/accuracy/compare?${WINDOW}&providers=alpha,beta&group_by=station,season&format=csv`,
  `/accuracy/distribution?${WINDOW}&temp_unit=celsius`,
  `/accuracy/bias-correction?${WINDOW}&forecast_temp=40&forecast_for_date=2025-03-21&lead_hours=30`,
  `/probability/reliability?${WINDOW}&providers=alpha,beta&lead_hours=30&as_of=v1`,
  `/probability/reliability?${WINDOW}&lead_time_bucket=24-48h&metric=low`,
  '/probability?station_id=KNYC&target_date=2025-03-20&lead_hours=30&providers=alpha,beta&ci=0.9',
];

/** In `make test` the one that other files of its process have. */
const world: World = !isInCi
  ? [FEEDS]
  : probabilityWorld(3).map((load) => {
      const ofBoth = load.forecasts.flatMap((row, at) => [
        { ...row, provider: 'alpha' },
        ...(at % 7 === 0 ? [] : [{ ...row, provider: 'beta', high: (row.high ?? 0) + 100 * ((at % 5) - 2) }]),
      ]);
      return linesOf({ ...load, forecasts: ofBoth });
    });

describe('given answers that take long', function () {
  const workers = new Workers(new URL(import.meta.resolve('../../../src/responses/worker.js')), () => {});
  let store: Store;
  before(async () => {
    store = await sharedWorld(world);
  });
  after(() => workers.close());

  /** An answer, made in a worker or here. */
  const ask = async (url: string, isLong: boolean, of: Pick<Store, 'query' | 'queryUnparsed'> = store) => {
    const path = url.split('?', 1)[0]!;
    const endpoint = ENDPOINTS.find(({ paths }) => paths.includes(path))!;
    const handler = new EndpointHandler(
      { ...endpoint, estimatedCpuMs: () => (isLong ? 1000 : 0) },
      {
        ...{ store: of, workers, responses: new ResponseCache<CachedResponse>(0), clock: () => NOW },
        dataVersion: new DataVersion(store),
        directory: new DirectoryReader(store),
        metrics: { countResponse: () => {}, measureQuery: () => {} },
      },
    );
    const request = { url, accept: '', now: NOW.getTime(), preferred: () => undefined };
    const resolved = await handler.resolver.resolve(request);
    let rows = 0;
    const scope: RequestScope = {
      caller: { ...callerNamed('test'), chargeRows: (more: number) => (rows += more) },
      signal: new AbortController().signal,
      findOrigin: (operation: string) => ({
        transport: 'api',
        operation,
        keyId: 'test',
        requestId: 'test',
        trace: undefined,
      }),
    };
    const { response, cost } = await handler.getOrCompute(resolved, NOW, scope);
    const { headers, body, verified } = response;
    const text = body.toString().replace(/"query_time_ms":\d+/, '');
    return { said: { headers, text, verified }, cost, rows };
  };

  for (const url of range({ test: 1, ci: Infinity }, QUESTIONS)) {
    it(`when ${url} is asked, then a worker answers to the byte as the server does`, async () => {
      const here = await ask(url, false);
      const there = await ask(url, true);
      expect(there.said).to.deep.equal(here.said);
      expect(here.said.text).to.have.length.above(300);
      expect(here).to.deep.include({ rows: here.cost.rows });
      expect(here.cost.workMs).to.equal(undefined);
      const { rows, workMs = 0 } = there.cost;
      expect(workMs).to.be.above(0);
      expect(there.rows).to.equal(rows + Math.ceil(workMs * ROWS_PER_WORK_MS));
    });
  }

  itInCi('when a statement fails, then the question fails with its error', async () => {
    const failure = new QueryTooLarge('too large');
    const broken = {
      query: () => Promise.reject(new Error('asked')),
      queryUnparsed: () => Promise.reject(failure),
    };
    expect(await failureOf(ask(QUESTIONS[0]!, true, broken))).to.equal(failure);
  });

  itInCi('when the data show a fault of the question, then it is told as ever', async () => {
    const url = `/accuracy/bias-correction?date_from=2023-01-01&date_to=2025-03-20&forecast_temp=40&forecast_for_date=2025-03-21&lead_hours=30`;
    const [here, there] = [await failureOf(ask(url, false)), await failureOf(ask(url, true))];
    expect(here).to.be.instanceOf(InvalidParamsError);
    expect(there).to.deep.include({ code: 'INVALID_PARAMETER', message: here.message });
  });
});
