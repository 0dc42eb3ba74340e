import { ApiFault } from './api.js';
import { byId, h } from './dom.js';
import { keepKey } from './key.js';

// The page where there are no numbers: never a blank, and always a way on.

/** @type {ReturnType<typeof setTimeout> | undefined} */
let retrying;

/**
 * Shows a message in place of the panels.
 * @param {string} title
 * @param {(Node | string)[]} content
 */
function show(title, ...content) {
  clearTimeout(retrying);
  byId('panels').hidden = true;
  const message = byId('message');
  message.replaceChildren(h('h2', {}, title), ...content);
  message.hidden = false;
}

/** Makes room for the panels. */
export function hideMessage() {
  clearTimeout(retrying);
  byId('message').hidden = true;
  byId('panels').hidden = false;
}

/**
 * Asks for a key.
 * @param {() => void} proceed called when there is one
 * @param {string} [fault] what was wrong with the last one
 */
export function askForKey(proceed, fault) {
  byId('controls').hidden = true;
  byId('forget').hidden = true;
  const input = h('input', {
    id: 'key',
    name: 'key',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
    placeholder: 'fas_…',
    'aria-describedby': fault === undefined ? 'key-help' : 'key-fault key-help',
    'aria-invalid': fault !== undefined && 'true',
  });
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    keepKey(input.value.trim());
    proceed();
  };
  show(
    'How good are the temperature forecasts?',
    h(
      'p',
      {},
      'This page compares forecasts of daily highs and lows with what was observed: per day, lead time and station. It reads them through the API, which needs a key.',
    ),
    h(
      'form',
      { class: 'key-form', submit },
      h('label', { for: 'key' }, 'API key'),
      h(
        'div',
        { class: 'row' },
        input,
        h('button', { type: 'submit', class: 'primary' }, 'Show the numbers'),
      ),
      fault !== undefined && h('p', { id: 'key-fault', class: 'fault', role: 'alert' }, fault),
      h(
        'p',
        { id: 'key-help', class: 'quiet' },
        'It stays in this browser tab until you close it. The operator of the service makes one with: ',
        h('code', {}, 'npm run keys -- create --name NAME'),
      ),
    ),
  );
  input.focus();
}

/** @param {unknown} error */
function faultOf(error) {
  if (error instanceof ApiFault) return error;
  console.error(error);
  return new ApiFault('INTERNAL', 'The page met something that it does not know');
}

/** Whether the same may be asked for again, so that other answers may come. @param {unknown} error */
export const isOfOneAnswer = (error) =>
  !(error instanceof ApiFault) || describe(error.code).includes('again');

/** A way on from a fault. @param {ApiFault} fault @param {() => void} retry */
const again = ({ code }, retry) =>
  code === 'OUTDATED'
    ? h('button', { type: 'button', class: 'primary', click: () => location.reload() }, 'Reload the page')
    : h('button', { type: 'button', class: 'primary', click: retry }, 'Try again');

/** In place of a panel that is not there yet. */
export const loading = () => h('p', { class: 'loading' }, 'Loading…');

/**
 * In place of a panel whose answer did not come; the others stay.
 * @param {unknown} error
 * @param {() => void} retry
 */
export function panelFault(error, retry) {
  const fault = faultOf(error);
  const [title] = describe(fault.code);
  return h(
    'div',
    { class: 'panel-fault', role: 'alert' },
    h('h3', {}, title),
    h('p', {}, sentence(fault)),
    h('p', { class: 'actions' }, again(fault, retry)),
  );
}

/**
 * Tells why there are no numbers, and what to do.
 * @param {unknown} error
 * @param {{ retry: () => void, startOver: () => void, enterKey: (fault: string) => void }} ways
 */
export function showFault(error, { retry, startOver, enterKey }) {
  const fault = faultOf(error);
  if (fault.code === 'UNAUTHORIZED') {
    keepKey('');
    enterKey('This key is not valid: it is unknown, mistyped or revoked.');
    return;
  }
  const request =
    fault.requestId !== undefined && fault.code === 'INTERNAL' ? ` Request ${fault.requestId}.` : '';
  const [title, ...ways] = describe(fault.code);
  const actions = ways.map((way) =>
    way === 'again'
      ? again(fault, retry)
      : h('button', { type: 'button', click: startOver }, 'Show all stations, last 90 days'),
  );
  const wait = h('p', { class: 'quiet' });
  show(title, h('p', {}, sentence(fault) + request), wait, h('p', { class: 'actions' }, ...actions));
  byId('announcement').textContent = title;
  if (fault.retryAfterSeconds !== undefined) countDown(wait, fault.retryAfterSeconds, retry);
}

/** The message of the API, without its hints for programs. @param {ApiFault} fault */
function sentence({ code, message }) {
  if (code === 'OUTDATED') {
    return 'A part of it could not be loaded. If the service has just been updated, reloading brings the new page.';
  }
  const forPrograms = code === 'RATE_LIMITED' || code === 'STATION_NOT_FOUND';
  const text = forPrograms ? (message.split(';')[0] ?? message) : message;
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/**
 * The title of a fault, and the ways on from it.
 * @param {string} code
 * @returns {[title: string, ...ways: ('again' | 'over')[]]}
 */
function describe(code) {
  switch (code) {
    case 'RATE_LIMITED':
      return ['Too many requests for a moment', 'again'];
    case 'OVERLOADED':
      return ['The service is busy', 'again'];
    case 'STORE_UNAVAILABLE':
      return ['The data are out of reach', 'again'];
    case 'UNREACHABLE':
      return ['The service cannot be reached', 'again'];
    case 'QUERY_TIMEOUT':
      return ['This took too long', 'again', 'over'];
    case 'QUERY_TOO_LARGE':
      return ['This is too much at once', 'over'];
    case 'OUTDATED':
      return ['This page is incomplete', 'again'];
    case 'STATION_NOT_FOUND':
      return ['No such station', 'over'];
    case 'PROVIDER_NOT_FOUND':
      return ['No such provider', 'over'];
    case 'AMBIGUOUS_CITY':
      return ['More than one station has this name', 'over'];
    case 'INVALID_PARAMETER':
      return ['This cannot be shown', 'over'];
    default:
      return ['Something went wrong', 'again', 'over'];
  }
}

/**
 * Tries again when the service said that it may be worth it.
 * @param {HTMLElement} place
 * @param {number} seconds
 * @param {() => void} retry
 */
function countDown(place, seconds, retry) {
  if (seconds <= 0) {
    retry();
    return;
  }
  place.textContent = `Trying again in ${seconds} s.`;
  retrying = setTimeout(() => countDown(place, seconds - 1, retry), 1000);
}

/**
 * A panel without data.
 * @param {string} text
 */
export const empty = (text) => h('p', { class: 'empty' }, text);

/** There is not even a station. */
export function showNoStations() {
  show(
    'No data yet',
    h('p', {}, 'The key works, but the service has no stations yet. Its operator loads feeds with:'),
    h(
      'pre',
      {},
      'npm run load -- --stations stations.csv \\\n  --forecasts forecasts.csv \\\n  --observations observations.csv',
    ),
    h(
      'p',
      {},
      'examples/feeds has a small feed of each kind. ',
      h('a', { href: 'docs' }, 'What can be asked'),
    ),
  );
}
