import type { Region } from './address.js';

// Numbers and dates as people read them. American English, as the temperatures are in °F.

const MINUS = '\u2212';

let degree: '°F' | '°C' = '°F';

/** The unit of every temperature and difference on the page. */
export const unit = (): typeof degree => degree;

/** A temperature of an answer in that unit: in Celsius, its `_c` stands beside its `_f`. */
export const inUnit = <Name extends string>(
  record: { [Key in `${Name}_f`]?: Maybe },
  name: Name,
): number | null => (record as Record<string, Maybe>)[`${name}_${degree === '°C' ? 'c' : 'f'}`] ?? null;

/** Sets it by the word of the API; blank for Fahrenheit. */
export function setUnit(temp_unit: string): void {
  degree = temp_unit === 'celsius' ? '°C' : '°F';
}

const count = new Intl.NumberFormat('en-US');

export const whole = (value: number): string => count.format(value);

/**
 * The size of a number, rounded as the API rounds (D9): half away from zero by its decimal digits, so 1.45 is 1.5.
 * toFixed goes by the binary value, which is a little less or more.
 */
function rounded(value: number, digits: number): string {
  const [mantissa, exponent = '0'] = String(Math.abs(value)).split('e');
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`));
  return Number(`${shifted}e-${digits}`).toFixed(digits);
}

export type Maybe = number | null | undefined;

export function number(value: Maybe, digits = 2): string {
  if (value === null || value === undefined) return '–';
  const text = rounded(value, digits);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/** With its sign, + or −, unless it is zero as shown. */
export function signed(value: Maybe, digits = 2): string {
  const text = number(value, digits);
  return (value ?? 0) > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** A number of an axis, without needless digits. */
export const tick = (value: number): string => String(Number(value.toFixed(6))).replace('-', MINUS);

/** A bias, forecast minus actual, in words. One that rounds to 0.0 is no bias. */
export function biasWords(meanError: Maybe): string {
  if (meanError === null || meanError === undefined) return 'not known';
  const size = rounded(meanError, 1);
  if (size === '0.0') return 'neither too warm nor too cold';
  return `${size} ${degree} too ${meanError > 0 ? 'warm' : 'cold'}`;
}

/** The words for a bias whose interval holds 0. */
export const NO_BIAS = 'no significant bias';

/** How a value that is better when it is small compares with the one before it. */
export function compared(
  now: number,
  before: number,
  [better, worse]: readonly [better: string, worse: string],
): string {
  // In hundredths, the grain of the API: 3.45 - 3.4 is a little less than 0.05.
  const hundredths = Math.round(Math.abs(now) * 100) - Math.round(Math.abs(before) * 100);
  const difference = rounded(hundredths / 100, 1);
  if (difference === '0.0') return 'about the same as';
  return `${difference} ${degree} ${Math.abs(now) < Math.abs(before) ? better : worse} than`;
}

const dateStyle = { timeZone: 'UTC', month: 'short', day: 'numeric' } as const;
const shortDate = new Intl.DateTimeFormat('en-US', dateStyle);
const weekDate = new Intl.DateTimeFormat('en-US', { ...dateStyle, weekday: 'short' });
const longDate = new Intl.DateTimeFormat('en-US', { ...dateStyle, weekday: 'short', year: 'numeric' });
const yearDate = new Intl.DateTimeFormat('en-US', { ...dateStyle, year: 'numeric' });
// A year of two digits would read as a day.
const monthStyle = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', year: 'numeric' });

// Dates are YYYY-MM-DD.
export const day = (date: string): string => longDate.format(Date.parse(date));
export const weekday = (date: string): string => weekDate.format(Date.parse(date));
export const shortDay = (date: string): string => shortDate.format(Date.parse(date));
/** The month of its first day. */
export const monthName = (date: string): string => monthStyle.format(Date.parse(date));

export function period(from: string, to: string): string {
  if (from === to) return yearDate.format(Date.parse(from));
  const first = from.slice(0, 4) === to.slice(0, 4) ? shortDate : yearDate;
  return `${first.format(Date.parse(from))} – ${yearDate.format(Date.parse(to))}`;
}

/** How long ago a day was. Today is as the API tells it: at the station asked about, else in UTC. */
export function ago(date: string, today: string): string {
  const days = Math.round((Date.parse(today) - Date.parse(date)) / 86_400_000);
  if (days <= 0) return days === 0 ? 'today' : 'a day to come';
  return days === 1 ? 'yesterday' : `${whole(days)} days ago`;
}

/** Buckets of lead time, such as 6-12h, by commas. */
export const bucketWords = (buckets: string): string =>
  buckets
    .split(',')
    .map((bucket) =>
      bucket
        .replace(/(?<=\d)-/, '–')
        .replace(/h\+$/, ' h or more')
        .replace(/h$/, ' h'),
    )
    .join(', ');

/** One bucket in short. */
export const hours = (bucket: string | null | undefined): string =>
  bucketWords(bucket ?? '').replace('or more', '+');

/** A share as a whole percentage; never 0 or 100 where it is neither. One that comes true may be below 0. */
export function percent(share: Maybe): string {
  if (share === null || share === undefined) return '–';
  if (share > 0 && share < 0.005) return '< 1 %';
  if (share < 1 && share >= 0.995) return '> 99 %';
  return `${tick(Math.round(share * 100))} %`;
}

/** The hour and minute of an instant, RFC 3339 in UTC. */
export const clockTime = (moment: string): string => `${moment.slice(11, 16)} UTC`;

/** The same by the clock of a station. */
export const timeThere = (moment: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(
    Date.parse(moment),
  );

export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${whole(value)} ${value === 1 ? one : many}`;

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

export const countryName = (code: string): string =>
  /^[A-Za-z]{2}$/.test(code) ? (COUNTRIES.of(code.toUpperCase()) ?? code) : code || 'Elsewhere';

/** Where the stations are that a question chooses, in words; blank for all. */
export const regionWords = ({ country, climate_zone, near, radius_km, bbox }: Region): string =>
  [
    country && `in ${countryName(country)}`,
    climate_zone && `in climate zone ${climate_zone}`,
    bbox && `in the box ${bbox}`,
    near && `within ${radius_km || 50} km of ${near}`,
  ]
    .filter((words) => words)
    .join(' and ');
