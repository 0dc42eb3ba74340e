import { expect } from 'chai';
import { readSourceFile } from '../../../src/collect/files/find-files.js';
import { toSource } from '../../../src/collect/files/file-source.js';
import { listKeys } from '../../../src/collect/files/placeholders.js';
import { Host } from '../../../src/collect/host/host.js';
import { runOnce } from '../../../src/collect/pass.js';
import type { LoadReport } from '../../../src/ingest/load-report.js';
import { formatDate, DAY_MS, HOUR_MS } from '../../../src/statistics/time/calendar.js';
import { rowsOf, testCollector } from '../../support/collect/collector.js';
import { fixture } from '../../support/collect/fixtures.js';
import { type Recorded, STORED } from '../../support/collect/recorded.js';
import { type Fault, StubServer } from '../../support/collect/stub-server.js';
import { VirtualClock } from '../../support/collect/virtual-clock.js';
import { KNYC } from '../../support/collect/world.js';
import { allowSlowExpressions } from '../../support/collect/reading.js';

const KEY = 'a-key-that-nobody-sees';
const VALIDATORS = { etag: '"1"', 'last-modified': 'Sun, 22 Nov 2026 11:44:31 GMT' };
/** The response before those of grid points of the NWS. */
const POINT: Fault = { answer: { status: 200, body: fixture('sources/nws-points.json') } };
const LIMIT: Fault = { answer: { status: 429, body: 'slow down', headers: { 'retry-after': '400' } } };

/** A source file at KNYC, which the stub's list of stations has, and the number of rows of its stored response. */
async function atStub({ source: { name }, body, request }: Recorded) {
  const file = readSourceFile(`sources/${name}.yaml`);
  const source = toSource({ ...file, countries: undefined, stations: file.stations && { KNYC: 'x' } });
  const [{ place, span }] = request.covers as [(typeof request.covers)[number]];
  const from_ms = Math.floor(span.from_ms / DAY_MS) * DAY_MS;
  const stored = body.replaceAll(place.station_id, 'KNYC');
  const need = { place: KNYC, span: { from_ms, to_ms: request.requested_ms } };
  const {
    rows,
    hourly_forecasts = [],
    observations = [],
  } = await source.read([stored], { ...request, covers: [need] });
  const keys = listKeys([file.url, ...Object.values(file.headers)]).map((key) => [key, KEY]);
  return {
    source,
    need,
    keys: Object.fromEntries(keys) as Record<string, string>,
    from: formatDate(from_ms / DAY_MS),
    answer: { answer: { status: 200, body: stored, headers: VALIDATORS } },
    rows: [...rows, ...hourly_forecasts, ...observations].length,
  };
}

describe('the host of a source file', () => {
  allowSlowExpressions();

  let stub: StubServer;
  before(async () => {
    stub = await StubServer.start();
  });
  after(() => stub.stop());

  for (const stored of Object.values(STORED))
    it(`given ${stored.source.name}, and errors, a limit, half a response and a 304, then each row once`, async () => {
      const { source, need, keys, from, answer, rows } = await atStub(stored);
      const asked_ms = stored.request.requested_ms;
      const clock = new VirtualClock(asked_ms - 6 * HOUR_MS);
      const settings = { url: stub.url, gap_ms: 0, pace: 0, user_agent: 'test (+me@example.org)' };
      const host = new Host({ ...settings, keys }, clock);
      const lines: string[] = [];
      const loaded: string[] = [];
      const collector = testCollector(stub, clock, undefined as never, {
        wanted: { stations: ['KNYC'], states: [], countries: [] },
        ...{ days: { from }, sources: [source], log: (line) => lines.push(line) },
        hosts: { iem: new Host(settings, clock), [source.host]: host },
        load: (files) => {
          for (const [feed, paths] of Object.entries(files))
            for (const row of feed === 'stations' ? [] : paths.flatMap(rowsOf))
              loaded.push([feed, row.at, row.valid_at, row.date, row.target_date, row.issued_at].join(' '));
          return Promise.resolve({ load_id: 1, outcome: 'complete' } as LoadReport);
        },
      });
      /** How many rows came, and the first gap. */
      const ask = async (fault: Fault, at_ms: number): Promise<[number, string | undefined]> => {
        clock.ms = Math.max(clock.ms, at_ms);
        stub.fault = (path) =>
          path.startsWith('/points/') ? POINT : /^\/(geojson|json)\//.test(path) ? undefined : fault;
        const before = loaded.length;
        const { sources } = await runOnce(collector);
        return [loaded.length - before, sources[0]?.stations[0]?.gaps[0]?.reason];
      };
      const error = { answer: { status: 503, body: `no ${Object.values(keys)[0] ?? '***'}` } };
      expect(await ask(error, 0)).to.deep.equal([0, 'status 503: no ***']);
      expect((await ask('cut', asked_ms - 5 * HOUR_MS))[0]).to.equal(0);
      expect(await ask(LIMIT, asked_ms - 4 * HOUR_MS)).to.deep.equal([0, 'status 429: slow down']);
      const requests = stub.log.length;
      await ask(answer, 0);
      expect(stub.log.length, 'a host is asked before Retry-After').to.equal(requests);
      expect(await ask(answer, asked_ms)).to.deep.equal([rows, undefined]);
      expect(new Set(loaded).size, loaded.join('\n')).to.equal(rows);
      expect(stub.log.at(-1)?.method).to.equal(
        source.plan([need], asked_ms)[0]?.body === undefined ? 'GET' : 'POST',
      );
      if (source.isConditional === true) {
        const unchanged = { answer: { status: 304, body: '' } };
        expect(await ask(unchanged, asked_ms + HOUR_MS)).to.deep.equal([0, undefined]);
        expect(stub.log.at(-1)?.validators).to.equal(Object.values(VALIDATORS).join());
      }
      expect(lines.join('\n')).to.not.include(KEY);
    });
});
