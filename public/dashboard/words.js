// Numbers and dates as people read them. American English, as the temperatures are in °F.

const MINUS = '\u2212';

let degree = '°F';

/** The unit of every temperature and difference on the page. */
export const unit = () => degree;

/** @param {string} temp_unit as the API has it; blank for Fahrenheit */
export function setUnit(temp_unit) {
  degree = temp_unit === 'celsius' ? '°C' : '°F';
}
const count = new Intl.NumberFormat('en-US');

/** @param {number} value */
export const whole = (value) => count.format(value);

/**
 * The size of a number, rounded as the API rounds (D9): half away from zero by its decimal digits, so 1.45 is 1.5.
 * toFixed goes by the binary value, which is a little less or more.
 * @param {number} value
 * @param {number} digits
 */
function rounded(value, digits) {
  const [mantissa, exponent = '0'] = String(Math.abs(value)).split('e');
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`));
  return Number(`${shifted}e-${digits}`).toFixed(digits);
}

/**
 * @param {number | null} value
 * @param {number} [digits]
 */
export function number(value, digits = 2) {
  if (value === null) return '–';
  const text = rounded(value, digits);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/**
 * With its sign, + or −, unless it is zero as shown.
 * @param {number | null} value
 * @param {number} [digits]
 */
export function signed(value, digits = 2) {
  const text = number(value, digits);
  return value !== null && value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/**
 * A bias in words. A value that rounds to 0.0 is no bias.
 * @param {number | null} meanError forecast minus actual
 */
export function biasWords(meanError) {
  if (meanError === null) return 'not known';
  const size = rounded(meanError, 1);
  if (size === '0.0') return 'neither too warm nor too cold';
  return `${size} ${degree} too ${meanError > 0 ? 'warm' : 'cold'}`;
}

/** The words for a bias whose interval holds 0. */
export const NO_BIAS = 'no significant bias';

/**
 * How a value that is better when it is small compares with the one before it.
 * @param {number} now
 * @param {number} before
 * @param {[better: string, worse: string]} words
 */
export function compared(now, before, [better, worse]) {
  // In hundredths, the grain of the API: 3.45 - 3.4 is a little less than 0.05.
  const hundredths = Math.round(Math.abs(now) * 100) - Math.round(Math.abs(before) * 100);
  const difference = rounded(hundredths / 100, 1);
  if (difference === '0.0') return 'about the same as';
  return `${difference} ${degree} ${Math.abs(now) < Math.abs(before) ? better : worse} than`;
}

const dateStyle = /** @type {const} */ ({ timeZone: 'UTC', month: 'short', day: 'numeric' });
const shortDate = new Intl.DateTimeFormat('en-US', dateStyle);
const longDate = new Intl.DateTimeFormat('en-US', { ...dateStyle, weekday: 'short', year: 'numeric' });
const yearDate = new Intl.DateTimeFormat('en-US', { ...dateStyle, year: 'numeric' });

/** @param {string} date YYYY-MM-DD */
export const day = (date) => longDate.format(Date.parse(date));

/**
 * @param {string} from YYYY-MM-DD
 * @param {string} to
 */
export function period(from, to) {
  if (from === to) return yearDate.format(Date.parse(from));
  const first = from.slice(0, 4) === to.slice(0, 4) ? shortDate : yearDate;
  return `${first.format(Date.parse(from))} – ${yearDate.format(Date.parse(to))}`;
}

/**
 * How long ago a day was.
 * @param {string} date YYYY-MM-DD
 * @param {string} today YYYY-MM-DD, as the API tells it: at the station asked about, else in UTC
 */
export function ago(date, today) {
  const days = Math.round((Date.parse(today) - Date.parse(date)) / 86_400_000);
  if (days <= 0) return days === 0 ? 'today' : 'a day to come';
  return days === 1 ? 'yesterday' : `${whole(days)} days ago`;
}

/** @param {string} buckets of lead time, such as 6-12h, by commas */
export const bucketWords = (buckets) =>
  buckets
    .split(',')
    .map((bucket) =>
      bucket
        .replace(/(?<=\d)-/, '–')
        .replace(/h\+$/, ' h or more')
        .replace(/h$/, ' h'),
    )
    .join(', ');

/** One of them in short. @param {string} bucket such as 6-12h */
export const hours = (bucket) =>
  bucket
    .replace(/(?<=\d)-/, '–')
    .replace('h+', ' h +')
    .replace(/h$/, ' h');

/** The same for an axis that has the unit in its title. @param {string} bucket */
export const hoursOnAxis = (bucket) => bucket.replace(/(?<=\d)-/, '–').replace(/h(?=\+?$)/, '');

/** A share as a whole percentage; never 0 or 100 where it is neither. @param {number} share */
export function percent(share) {
  if (share > 0 && share < 0.005) return '< 1 %';
  if (share < 1 && share >= 0.995) return '> 99 %';
  return `${Math.round(share * 100)} %`;
}

/** The way of a reader to the numbers of a part of a chart. @param {string} what */
export const pointAt = (what) =>
  `${matchMedia('(pointer: coarse)').matches ? 'Tap' : 'Point at'} ${what} for its numbers.`;

/** @param {string} moment RFC 3339, UTC */
export const clockTime = (moment) => `${moment.slice(11, 16)} UTC`;

/**
 * @param {number} value
 * @param {string} one
 * @param {string} [many]
 */
export const counted = (value, one, many = `${one}s`) => `${whole(value)} ${value === 1 ? one : many}`;

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** @param {string} code of two letters */
export const countryName = (code) =>
  /^[A-Za-z]{2}$/.test(code) ? (COUNTRIES.of(code.toUpperCase()) ?? code) : code || 'Elsewhere';

/**
 * Where the stations are that a question chooses, in words; blank for all.
 * @param {Pick<import('./types.js').Question, 'country' | 'climate_zone' | 'near' | 'radius_km' | 'bbox'>} region
 */
export function regionWords({ country, climate_zone, near, radius_km, bbox }) {
  return [
    country && `in ${countryName(country)}`,
    climate_zone && `in climate zone ${climate_zone}`,
    bbox && `in the box ${bbox}`,
    near && `within ${radius_km || 50} km of ${near}`,
  ]
    .filter((words) => words)
    .join(' and ');
}

// A year of two digits would read as a day.
const monthStyle = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', year: 'numeric' });

/** @param {string} date the first day of a month */
export const monthName = (date) => monthStyle.format(Date.parse(date));
