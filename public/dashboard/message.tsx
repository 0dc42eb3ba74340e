import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FIRST_QUESTION } from './address.js';
import { ApiFault } from './api.js';
import { keepKey } from './key.js';
import { usePage } from './page.js';

// The page where there are no numbers: never a blank, and always a way on.

export type MessageState =
  { kind: 'key'; fault?: string } | { kind: 'fault'; error: unknown } | { kind: 'no-data' };

/** A message in place of the panels. */
export function Message(state: MessageState) {
  if (state.kind === 'key') return <KeyForm fault={state.fault} />;
  return state.kind === 'fault' ? <Fault error={state.error} /> : <NoData />;
}

const Box = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section id="message" aria-labelledby="message-title">
    <h2 id="message-title">{title}</h2>
    {children}
  </section>
);

function KeyForm({ fault }: { fault: string | undefined }) {
  const { reload } = usePage();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), [fault]);
  const submit = (event: Event): void => {
    event.preventDefault();
    keepKey(input.current?.value.trim() ?? '');
    reload();
  };
  return (
    <Box title="How good are the temperature forecasts?">
      <p>
        This page compares forecasts of daily highs and lows with observations: per day, lead time and
        station. It reads them through the API, which needs a key.
      </p>
      <form onSubmit={submit}>
        <label for="key">API key</label>
        <div class="row">
          <input
            id="key"
            name="key"
            type="password"
            ref={input}
            autocomplete="off"
            spellcheck={false}
            required
            placeholder="fas_…"
            aria-describedby={fault === undefined ? 'key-help' : 'key-fault key-help'}
            aria-invalid={fault === undefined ? undefined : true}
          />
          <button type="submit" class="primary">
            Show the numbers
          </button>
        </div>
        {fault !== undefined && (
          <p id="key-fault" class="fault" role="alert">
            {fault}
          </p>
        )}
        <p id="key-help" class="quiet">
          It stays in this browser tab until you close it. The operator of the service makes one with:{' '}
          <code>npm run keys -- create --name NAME</code>
        </p>
      </form>
    </Box>
  );
}

const NoData = () => (
  <Box title="No data yet">
    <p>The key works, but the service has no stations yet. Its operator loads feeds with:</p>
    <pre>
      {
        'npm run load -- --stations stations.csv \\\n  --forecasts forecasts.csv \\\n  --observations observations.csv'
      }
    </pre>
    <p>
      examples/feeds has a small feed of each kind. <a href="docs">The API and its parameters</a>
    </p>
  </Box>
);

/** Tells why there are no numbers, and the ways on; tries again by itself when the service says that it helps. */
function Fault({ error }: { error: unknown }) {
  const { change, reload } = usePage();
  const fault = faultOf(error);
  const [left, setLeft] = useState(fault.retryAfterSeconds);
  useEffect(() => setLeft(fault.retryAfterSeconds), [error]);
  useEffect(() => {
    if (left === undefined) return undefined;
    const timer = setTimeout(() => (left <= 1 ? reload() : setLeft(left - 1)), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  const [, ...ways] = describe(fault.code);
  const hasRequest = fault.requestId !== undefined && fault.code === 'INTERNAL';
  return (
    <Box title={titleOf(fault)}>
      <p>
        {sentenceOf(fault)}
        {hasRequest && ` Request ${fault.requestId}.`}
      </p>
      {left !== undefined && <p class="quiet">Trying again in {left} s.</p>}
      <p class="actions row">
        {ways.includes('again') && <Again fault={fault} retry={reload} />}
        {ways.includes('over') && (
          <button type="button" onClick={() => change({ ...FIRST_QUESTION })}>
            Show all stations, last 90 days
          </button>
        )}
      </p>
    </Box>
  );
}

/** A way on from a fault. */
export function Again({ fault, retry }: { fault: ApiFault; retry: () => void }) {
  const isOutdated = fault.code === 'OUTDATED';
  return (
    <button type="button" class="primary" onClick={isOutdated ? () => location.reload() : retry}>
      {isOutdated ? 'Reload the page' : 'Try again'}
    </button>
  );
}

export function faultOf(error: unknown): ApiFault {
  if (error instanceof ApiFault) return error;
  console.error(error);
  return new ApiFault('INTERNAL', 'The page met something that it does not know');
}

/** Whether the same may be asked for again, so that other answers may come. */
export const isOfOneAnswer = (error: unknown): boolean =>
  !(error instanceof ApiFault) || describe(error.code).includes('again');

/** The words of the API, without its hints for programs. */
export function sentenceOf({ code, message }: ApiFault): string {
  if (code === 'OUTDATED')
    return 'A part of it could not be loaded. If the service has just been updated, reloading brings the new page.';
  const forPrograms = code === 'RATE_LIMITED' || code === 'STATION_NOT_FOUND';
  const text = forPrograms ? (message.split(';')[0] ?? message) : message;
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

export const titleOf = ({ code }: ApiFault): string => describe(code)[0];

type Ways = [title: string, ...ways: ('again' | 'over')[]];

/** The names of faults, and the ways on from each. */
const FAULTS: Record<string, Ways> = {
  RATE_LIMITED: ['Too many requests for a moment', 'again'],
  OVERLOADED: ['The service is busy', 'again'],
  STORE_UNAVAILABLE: ['The data are out of reach', 'again'],
  UNREACHABLE: ['The service cannot be reached', 'again'],
  QUERY_TIMEOUT: ['This took too long', 'again', 'over'],
  QUERY_TOO_LARGE: ['This is too much at once', 'over'],
  OUTDATED: ['This page is incomplete', 'again'],
  STATION_NOT_FOUND: ['No such station', 'over'],
  PROVIDER_NOT_FOUND: ['No such provider', 'over'],
  AMBIGUOUS_CITY: ['More than one station has this name', 'over'],
  INVALID_PARAMETER: ['This cannot be shown', 'over'],
};

const describe = (code: string): Ways => FAULTS[code] ?? ['Something went wrong', 'again', 'over'];
