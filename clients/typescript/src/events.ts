import { ForecastAccuracyError } from './errors.js';
import type { EventsParameters, ServerEvent } from './generated.js';
import { linesOf } from './pairs.js';
import type { Call, Transport } from './transport.js';

const EVENTS = '/api/v1/events';

/**
 * Events as they happen, each once. A stream that breaks or ends is opened again behind the last event, after the pause for
 * which the service asks, however often that takes.
 * @throws ForecastAccuracyError where another try is of no use, or the reason of an abort
 */
export async function* watchEvents(
  transport: Transport,
  parameters: EventsParameters,
  call: Call,
): AsyncGenerator<ServerEvent, void, undefined> {
  const patient = { ...call, maxRetries: Infinity };
  let place: Record<string, string> = {};
  let retryMs = 0;
  for (;;) {
    const { response, watch } = await transport.open(EVENTS, { ...parameters }, patient, place);
    let fields: Record<string, string> = {};
    try {
      for await (const line of linesOf(response, watch)) {
        const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
        fields[name] = value;
        if (line !== '') continue;
        const { id, event, data, retry } = fields;
        fields = {};
        if (retry !== undefined) retryMs = Number(retry);
        if (id !== undefined) place = { 'last-event-id': id };
        if (data !== undefined) yield { id, event, data: JSON.parse(data) as unknown } as ServerEvent;
      }
    } catch (error) {
      if (!(error instanceof ForecastAccuracyError) || !error.isTransient) throw error;
    } finally {
      watch.end();
    }
    await transport.rest(retryMs, call);
  }
}
