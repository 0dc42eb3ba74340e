import { DateTime } from 'luxon';
import { DAY_MS } from '../../statistics/time/calendar.js';

// The placeholders of a URL of a source file: {latitude}, {from:yyyy-MM-dd}, {key:OWN_KEY}. Keys stay as they are until a request is
// sent, so that no other part of the program has them.

export const PLACEHOLDERS =
  /^(latitude|longitude|elevation|station_id|timezone|country|id|first|(from|to|last|run|now(\+\d{1,2}d)?)(:[\w' .:/-]{1,40})?|key:[A-Z][A-Z0-9_]{0,63})$/;
const PLACEHOLDER = /\{([^{}]*)\}/g;
/** A brace of JSON is before a quote. */
const BODY_PLACEHOLDER = /\{(\w[^{}]*)\}/g;
export const KEY_PLACEHOLDER = /\{key:([A-Z][A-Z0-9_]*)\}/g;

/** A value of a placeholder: a time is written in the form that the placeholder names, in UTC. */
export type PlaceholderValues = Readonly<Record<string, string | number | undefined>>;
const TIMES = new Set(['from', 'to', 'last', 'run', 'now']);

export const listPlaceholders = (template: string, body?: unknown): { name: string; bare: string }[] =>
  [...template.matchAll(PLACEHOLDER), ...(JSON.stringify(body) ?? '').matchAll(BODY_PLACEHOLDER)].map(
    ([, name = '']) => ({ name, bare: name.split(':')[0] ?? '' }),
  );

/** The names of the keys in texts. */
export const listKeys = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(KEY_PLACEHOLDER)].map(([, name = '']) => name))),
];

/** A time in a form of luxon, such as yyyy-MM-dd, or X for seconds since 1970; ISO 8601 without one. */
function writeTime(ms: number, form: string): string {
  if (form === '') return new Date(ms).toISOString().replace('.000Z', 'Z');
  return DateTime.fromMillis(ms, { zone: 'utc' }).toFormat(form);
}

/** The value of a placeholder; blank where it is not known. */
function writeValue(name: string, values: PlaceholderValues): string {
  const [bare = '', ...form] = name.split(':');
  const [key = '', days = '0'] = bare.split('+');
  const value = values[key] ?? '';
  if (value === '' || !TIMES.has(key)) return `${value}`;
  return writeTime(Number(value) + Number.parseInt(days, 10) * DAY_MS, form.join(':'));
}

/** A JSON body with its values. */
export const fillBody = (body: unknown, values: PlaceholderValues): string =>
  JSON.stringify(body).replaceAll(BODY_PLACEHOLDER, (_, name: string) =>
    JSON.stringify(writeValue(name, values)).slice(1, -1),
  );

/** Path and query of a URL with its values. A query parameter without a value is left out. */
export function fillPath(template: string, values: PlaceholderValues): string {
  const fill = (text: string): string | undefined => {
    let isKnown = true;
    const filled = text.replaceAll(PLACEHOLDER, (whole, name: string) => {
      if (name.startsWith('key:')) return whole;
      const written = writeValue(name, values);
      if (written === '') isKnown = false;
      const encoded = encodeURIComponent(written).replaceAll('%2C', ',').replaceAll('%3A', ':');
      // A first response may say several parts of a path.
      return name === 'first' ? encoded.replaceAll('%2F', '/') : encoded;
    });
    return isKnown ? filled : undefined;
  };
  const [path = '', ...query] = template.replace(/^https?:\/\/[^/]*/, '').split('?');
  const parameters = query
    .join('?')
    .split('&')
    .flatMap((each) => fill(each) ?? []);
  return `${fill(path) ?? ''}${query.length === 0 ? '' : `?${parameters.join('&')}`}`;
}
