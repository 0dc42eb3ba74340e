import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DEFAULT_PARAMS, toServiceSearch } from './address.js';
import { ApiError, NOT_PUBLISHED } from './api.js';
import { keepKey } from './key.js';
import { usePage } from './page.js';
import { published } from './published.js';

// The page where there are no numbers: never a blank, and always a way on.

export type MessageState =
  { kind: 'key'; apiError?: string } | { kind: 'error'; error: unknown } | { kind: 'no-data' };

/** A message in place of the panels. */
export function Message(state: MessageState) {
  if (state.kind === 'key') return <KeyForm apiError={state.apiError} />;
  return state.kind === 'error' ? <ErrorText error={state.error} /> : <NoData />;
}

const Box = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section id="message" aria-labelledby="message-title">
    <h2 id="message-title">{title}</h2>
    {children}
  </section>
);

function KeyForm({ apiError }: { apiError: string | undefined }) {
  const { reload } = usePage();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), [apiError]);
  const submit = (event: Event): void => {
    event.preventDefault();
    keepKey(input.current?.value.trim() ?? '');
    reload();
  };
  return (
    <Box title="How good are the temperature forecasts?">
      <p>
        Forecasts of daily highs and lows, compared with observations by day, lead time and station. The API
        behind this page needs a key.
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
            aria-describedby={apiError === undefined ? 'key-help' : 'key-error key-help'}
            aria-invalid={apiError === undefined ? undefined : true}
          />
          <button type="submit" class="primary">
            Show the numbers
          </button>
        </div>
        {apiError !== undefined && (
          <p id="key-error" class="error" role="alert">
            {apiError}
          </p>
        )}
        <p id="key-help" class="quiet">
          It stays in this browser tab. The operator of the service creates one with:{' '}
          <code>npm run keys -- create --name NAME</code>
        </p>
      </form>
    </Box>
  );
}

const NoData = () => (
  <Box title="No data yet">
    <p>The key works, but no stations are loaded yet. The operator loads feeds with:</p>
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
function ErrorText({ error }: { error: unknown }) {
  const { change, reload } = usePage();
  const apiError = toApiError(error);
  const [left, setLeft] = useState(apiError.retryAfterSeconds);
  useEffect(() => setLeft(apiError.retryAfterSeconds), [error]);
  useEffect(() => {
    if (left === undefined) return undefined;
    const timer = setTimeout(() => (left <= 1 ? reload() : setLeft(left - 1)), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  const [, ...ways] = describe(apiError.code);
  const hasRequest = apiError.requestId !== undefined && apiError.code === 'INTERNAL';
  return (
    <Box title={getTitle(apiError)}>
      <p>
        {makeSentence(apiError)}
        {hasRequest && ` Request ${apiError.requestId}.`}
      </p>
      {left !== undefined && <p class="quiet">Trying again in {left} s.</p>}
      <p class="actions row">
        {ways.includes('again') && <Again apiError={apiError} retry={reload} />}
        {ways.includes('over') && (
          <button type="button" onClick={() => change({ ...DEFAULT_PARAMS })}>
            Show all stations, last {DEFAULT_PARAMS.days} days
          </button>
        )}
        {apiError.code === NOT_PUBLISHED && <FullService />}
      </p>
    </Box>
  );
}

/** A link to the view in the service that a copy is of, where that is known. */
export function FullService() {
  if (published?.full_service === undefined) return null;
  return <a href={`${published.full_service}/${toServiceSearch(location.search)}`}>The full service</a>;
}

/** A way on from an error. */
export function Again({ apiError, retry }: { apiError: ApiError; retry: () => void }) {
  const isOutdated = apiError.code === 'OUTDATED';
  return (
    <button type="button" class="primary" onClick={isOutdated ? () => location.reload() : retry}>
      {isOutdated ? 'Reload the page' : 'Try again'}
    </button>
  );
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  console.error(error);
  return new ApiError('INTERNAL', 'An unexpected error on this page');
}

/** Whether the same may be requested again, so that other responses may come. */
export const isOfOneResponse = (error: unknown): boolean =>
  !(error instanceof ApiError) || describe(error.code).includes('again');

/** The words of the API, without its hints for programs. */
export function makeSentence({ code, message }: ApiError): string {
  if (code === 'OUTDATED')
    return 'A part of it could not be loaded. Reload it: the service may have been updated.';
  const forPrograms = code === 'RATE_LIMITED' || code === 'STATION_NOT_FOUND';
  const text = forPrograms ? (message.split(';')[0] ?? message) : message;
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

export const getTitle = ({ code }: ApiError): string => describe(code)[0];

type Ways = [title: string, ...ways: ('again' | 'over')[]];

/** The names of errors, and the ways on from each. */
const ERROR_TEXTS: Record<string, Ways> = {
  RATE_LIMITED: ['Too many requests for a moment', 'again'],
  OVERLOADED: ['The service is busy', 'again'],
  STORE_UNAVAILABLE: ['The data cannot be reached', 'again'],
  UNREACHABLE: ['The service cannot be reached', 'again'],
  QUERY_TIMEOUT: ['This took too long', 'again', 'over'],
  QUERY_TOO_LARGE: ['This is too much at once', 'over'],
  [NOT_PUBLISHED]: ['Not in this copy', 'over'],
  OUTDATED: ['This page is incomplete', 'again'],
  STATION_NOT_FOUND: ['No such station', 'over'],
  PROVIDER_NOT_FOUND: ['No such provider', 'over'],
  AMBIGUOUS_CITY: ['More than one station has this name', 'over'],
  INVALID_PARAMETER: ['This cannot be shown', 'over'],
};

const describe = (code: string): Ways => ERROR_TEXTS[code] ?? ['Something went wrong', 'again', 'over'];
