import autocannon from 'autocannon';
import { inTurns, median } from '../measure.js';
import { questionsOf } from '../questions.js';
import type { Figure } from '../report.js';
import { request, type Service } from '../service.js';

// Hot: an answer that is kept, and a 304, in requests per second.

const CONNECTIONS = 10;

export async function measureHot(
  service: Service,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const ask = (url: string, headers: Record<string, string>, status: number) => (round: number) =>
    round === 0 ? warmUp(url, headers) : rate(url, headers, status, seconds);
  const paths = [
    ...questionsOf(90).map(({ name, path }) => ({ name, path })),
    { name: 'stations/metadata', path: '/api/v1/stations/metadata' },
  ];
  const [first] = paths;
  if (first !== undefined)
    await rate(service.url + first.path, { authorization: `Bearer ${service.key}` }, 200, 2);
  for (const { name, path } of paths) {
    process.stderr.write(`  ${name}\n`);
    const { body } = await request(service, path);
    const etag = await etagOf(service, path);
    const authorization = `Bearer ${service.key}`;
    const measured = await inTurns(
      {
        hot: ask(service.url + path, { authorization }, 200),
        not_modified: ask(service.url + path, { authorization, 'if-none-match': etag }, 304),
      },
      rounds,
    );
    const section = `hot: ${name} (${body.length} bytes)`;
    figures.push(
      { section, what: 'answers', value: median(measured.hot), unit: 'requests/s' },
      { section, what: '304', value: median(measured.not_modified), unit: 'requests/s' },
    );
  }
  return figures;
}

/** Asks so often that the code has been compiled; what measures rates would take a second at least. */
async function warmUp(url: string, headers: Record<string, string>): Promise<number> {
  for (let asked = 0; asked < 500; asked += 1) await (await fetch(url, { headers })).arrayBuffer();
  return NaN;
}

/** Requests per second; every answer must have the expected status. */
async function rate(
  url: string,
  headers: Record<string, string>,
  status: number,
  seconds: number,
): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: seconds });
  const statuses = (result as unknown as { statusCodeStats: Record<string, { count: number }> })
    .statusCodeStats;
  if (result.errors > 0 || Object.keys(statuses).join() !== String(status)) {
    throw new Error(
      `${url}: ${result.errors} errors, statuses ${JSON.stringify(statuses)}, expected ${status}`,
    );
  }
  return result.requests.average;
}

async function etagOf({ url, key }: Service, path: string): Promise<string> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  const etag = response.headers.get('etag');
  if (etag === null) throw new Error(`${path} has no ETag`);
  return etag;
}
