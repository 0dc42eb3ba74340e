import { ForecastAccuracyError } from './errors.js';
import { type ExportedPair, type ExportPairsParameters, OPERATIONS } from './generated.js';
import type { Call, Transport } from './transport.js';
import type { Watch } from './watch.js';

/** The pairs of a window: those of an export without its format. */
export type PairsParameters = Omit<ExportPairsParameters, 'format'>;

/**
 * Every pair of a window, of one version of the data, read as the loop goes. A connection that breaks is opened again behind
 * the last whole row, so each row comes once.
 * @throws ForecastAccuracyError, or the reason of an abort
 */
export async function* readPairs(
  transport: Transport,
  parameters: PairsParameters,
  call: Call,
): AsyncGenerator<ExportedPair, void, undefined> {
  const { date_from, date_to, as_of } = parameters;
  const isFixed = date_from !== undefined || date_to !== undefined || as_of !== undefined;
  let asked = { ...parameters, format: 'ndjson' };
  let { cursor } = parameters;
  let total: string | undefined;
  for (let breaks = 0; ; breaks += 1) {
    const { response, watch } = await transport.open(OPERATIONS.exportPairs.path, { ...asked, cursor }, call);
    const [version, before] = headerOf(response, 'x-export-cursor').split('.');
    const expected = headerOf(response, 'x-total-pairs');
    total ??= expected;
    let read = Number(before);
    try {
      if (expected !== total) throw failure('NO_ANSWER', `it had ${total} pairs, and now has ${expected}`);
      for await (const line of linesOf(response, watch)) {
        yield JSON.parse(line) as ExportedPair;
        read += 1;
        breaks = 0;
      }
      // Over HTTP/1.0 a break looks like an end.
      if (read >= Number(total)) return;
      throw failure('NO_CONNECTION', `it ended after ${read} of ${total} pairs`);
    } catch (error) {
      await transport.pause(error, breaks, call);
      cursor = `${version}.${read}`;
      // A window that ends today would be another one behind midnight.
      const began = response.headers.get('date');
      if (!isFixed && began !== null)
        asked = { date_to: new Date(began).toISOString().slice(0, 10), ...asked };
    } finally {
      watch.end();
    }
  }
}

const failure = (code: 'NO_ANSWER' | 'NO_CONNECTION', what: string): ForecastAccuracyError =>
  new ForecastAccuracyError(`The export: ${what}`, { code });

function headerOf({ headers, status }: Response, name: string): string {
  const value = headers.get(name);
  if (value === null) throw failure('NO_ANSWER', `HTTP ${status} without ${name}`);
  return value;
}

/** The whole lines of a body in UTF-8, which end in LF, CR LF or CR. */
export async function* linesOf({ body }: Response, watch: Watch): AsyncGenerator<string, void, undefined> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let rest = '';
  let endsInCr = false;
  try {
    for (;;) {
      const { done, value } = await watch.during(reader.read());
      if (done) return;
      let text = decoder.decode(value, { stream: true });
      if (text === '') continue;
      // The second half of a CR LF whose line has been given.
      if (endsInCr && text.startsWith('\n')) text = text.slice(1);
      endsInCr = text.endsWith('\r');
      const lines = (rest + text).split(/\r\n|\n|\r/);
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    // A loop that is left needs no more of it; what has broken cannot be cancelled.
    await reader.cancel().catch(() => {});
  }
}
