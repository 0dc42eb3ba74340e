import autocannon from 'autocannon';
import { inTurns, median } from '../measure.js';
import { makeRequests } from '../requests.js';
import { type Figure, number } from '../report.js';
import { request, type Service, startBare, using } from '../service.js';

// Hot: a cached response and its 304 in requests per second, beside bare Express that sends the same bytes.

const CONNECTIONS = 16;

/** Requests per second against bare Express: a cached response, its 304, and the same with its parameters in any order. */
const BARS = { hot: 2, not_modified: 2.5, any_order: 1 };

export async function measureHot(
  service: Service,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const authorization = `Bearer ${service.key}`;
  const paths = [
    ...makeRequests(90).map(({ name, path }) => ({ name, path })),
    { name: 'stations/metadata', path: '/api/v1/stations/metadata' },
  ];
  const [first] = paths;
  if (first !== undefined) await rate(service.url + first.path, { authorization }, 200, 2);
  for (const { name, path } of paths) {
    process.stderr.write(`  ${name}\n`);
    const { body } = await request(service, path);
    const etag = await readEtag(service, path);
    const measured = await using(startBare(body), (bare) => {
      const ask =
        (url: string, headers: Record<string, string>, status = 200, isShuffled = false) =>
        (round: number) =>
          round === 0 ? warmUp(url, headers) : rate(url, headers, status, seconds, isShuffled);
      return inTurns(
        {
          hot: ask(service.url + path, { authorization }),
          not_modified: ask(service.url + path, { authorization, 'if-none-match': etag }, 304),
          any_order: ask(service.url + path, { authorization }, 200, true),
          bare: ask(bare.url, {}),
        },
        rounds,
      );
    });
    const section = `hot: ${name} (${body.length} bytes), against bare Express`;
    const figure = (what: string, contender: keyof typeof BARS): Figure => ({
      ...{ section, what, unit: 'x' },
      value: median(measured[contender].map((each, round) => each / (measured.bare[round] ?? NaN))),
      made_of: `${number(median(measured[contender]))} / ${number(median(measured.bare))} requests/s`,
      bar: { sign: '>=', bound: BARS[contender] },
    });
    figures.push(
      figure('responses', 'hot'),
      figure('304', 'not_modified'),
      figure('responses, parameters in any order', 'any_order'),
    );
  }
  return figures;
}

/** Asks so often that the code has been compiled; what measures rates would take a second at least. */
async function warmUp(url: string, headers: Record<string, string>): Promise<number> {
  for (let sent = 0; sent < 500; sent += 1) await (await fetch(url, { headers })).arrayBuffer();
  return NaN;
}

/** Requests per second; every response must have the expected status. @param isShuffled the parameters come in any order */
async function rate(
  url: string,
  headers: Record<string, string>,
  status: number,
  seconds: number,
  isShuffled = false,
): Promise<number> {
  const { pathname, searchParams } = new URL(url);
  const parameters = [...searchParams].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const setupRequest = (request: object): object => ({
    ...request,
    path: `${pathname}?${parameters.sort(() => Math.random() - 0.5).join('&')}`,
  });
  const requests = isShuffled && parameters.length > 1 ? [{ setupRequest }] : undefined;
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: seconds, requests });
  const statuses = (result as unknown as { statusCodeStats: Record<string, { count: number }> })
    .statusCodeStats;
  if (result.errors > 0 || Object.keys(statuses).join() !== String(status)) {
    throw new Error(
      `${url}: ${result.errors} errors, statuses ${JSON.stringify(statuses)}, expected ${status}`,
    );
  }
  return result.requests.average;
}

async function readEtag({ url, key }: Service, path: string): Promise<string> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  const etag = response.headers.get('etag');
  if (etag === null) throw new Error(`${path} has no ETag`);
  return etag;
}
