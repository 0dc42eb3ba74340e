import { QUANTITIES } from '../../src/variables/declarations.js';
import { type System, SYSTEMS } from '../../src/variables/declarations.js';
import { getUnitOf, getUnitText, type Unit } from '../../src/variables/units.js';
import { VARIABLE_NAMES, type VariableName, VARIABLES } from '../../src/variables/variables.js';
import { countDays, type Region } from './address.js';

// Numbers and dates as people read them, by the rules of the language of the page.

const MINUS = '\u2212';

let system: System = 'us';

let variable: VariableName = 'high';

/** The units of the page. */
export const getSystem = (): System => system;

/** The unit of every temperature and difference on the page. */
export const unit = (): '°F' | '°C' => (system === 'us' ? '°F' : '°C');

/** The unit of its variable, as the API names it. */
export const getVariableUnit = (): Unit => getUnitOf(variable, system);

/** The variable of the page. */
export const getVariable = (): VariableName => variable;

/** The unit of the errors of its variable: of degree days °F·day, of chances percentage points. */
export function valueUnit(): string {
  const text = getUnitText(variable, getVariableUnit());
  return text === '%' ? 'points' : text;
}

/** Whether the page's variable is a chance of rain. */
export const isOfChance = (): boolean => valueUnit() === 'points';

/** The time of one value of the page's variable: a day, an hour, or a window of hours. */
export function getSpan(): { one: string; many: string } {
  const { period, of } = VARIABLES[variable];
  const hours = 'chance' in of ? (of.window_hours ?? 1) : 1;
  return hours > 1
    ? { one: `window of ${hours} hours`, many: `windows of ${hours} hours` }
    : { one: period, many: `${period}s` };
}

/** Cases of the page's variable: days at a station, hours or windows. */
export const caseWord = (): string => `station-${getSpan().one.split(' ')[0]}`;

/** How a forecast is wrong: a temperature is too warm, degree days are too high. */
export const sideWords = (error: number): string => {
  const [above, below] = QUANTITIES[VARIABLES[variable].quantity].sides;
  return `too ${error > 0 ? above : below}`;
};

/** A value of a response in the unit of the page: `_f`, in Celsius `_c` beside it, or without an ending if it has no degrees. */
export function inUnit<Name extends string>(
  record: { [Key in `${Name}_f`]?: Maybe },
  name: Name,
): number | null {
  const fields = record as Record<string, Maybe>;
  return fields[`${name}_${unit() === '°C' ? 'c' : 'f'}`] ?? fields[name] ?? null;
}

/** Sets both by the words of the API; blank for those of the USA. A variable that it does not have is for the API to refuse. */
export function setUnits(units: string, metric: string): void {
  variable = VARIABLE_NAMES.find((name) => name === metric) ?? 'high';
  system = SYSTEMS.find((each) => each === units) ?? 'us';
}

/** The language of the page; its numbers and dates are written in it. */
const LANGUAGE = 'en-US';

const count = new Intl.NumberFormat(LANGUAGE);

export const whole = (value: number): string => count.format(value);

const short = new Intl.NumberFormat(LANGUAGE, { notation: 'compact', maximumSignificantDigits: 3 });

/** A count where there is little room. */
export const compact = (value: number): string => short.format(value);

export type Maybe = number | null | undefined;

/** From the decimal digits of a number, as the API rounds (D9): half away from zero, so 1.45 is 1.5. Its double is less. */
function makeFormat(signDisplay: 'negative' | 'exceptZero') {
  const formats = [0, 1, 2, 3, 4].map(
    (digits) =>
      new Intl.NumberFormat(LANGUAGE, {
        ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
        signDisplay,
      }),
  );
  return (value: Maybe, digits = 2): string => {
    if (typeof value !== 'number') return '–';
    return formats[digits]!.format(String(value) as Intl.StringNumericLiteral).replace('-', MINUS);
  };
}

export const number = makeFormat('negative');

/** With its sign, + or −, unless it is zero as shown. */
export const signed = makeFormat('exceptZero');

/** A number of an axis, without needless digits. */
export const tick = (value: number): string => String(Number(value.toFixed(6))).replace('-', MINUS);

/** A bias, forecast minus actual, in words. One that rounds to 0.0 is no bias. */
export function biasWords(meanError: Maybe): string {
  if (meanError === null || meanError === undefined) return 'not known';
  const size = number(Math.abs(meanError), 1);
  if (size === '0.0') return `neither ${sideWords(1)} nor ${sideWords(-1)}`;
  return `${size} ${valueUnit()} ${sideWords(meanError)}`;
}

/** A text as the beginning of a sentence. */
export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The words where no interval is known, or none that is narrow enough for a verdict. */
export const NOT_YET = 'cannot be told yet';

/** The words for a bias whose interval holds 0. */
export const NO_BIAS = 'no significant bias';

function makeDateFormat(parts: Intl.DateTimeFormatOptions) {
  const format = new Intl.DateTimeFormat(LANGUAGE, { timeZone: 'UTC', month: 'short', ...parts });
  return (date: string): string => format.format(Date.parse(date));
}

// Dates are YYYY-MM-DD.
export const day = makeDateFormat({ weekday: 'short', day: 'numeric', year: 'numeric' });
export const weekday = makeDateFormat({ weekday: 'short', day: 'numeric' });
export const shortDay = makeDateFormat({ day: 'numeric' });
/** The month of its first day. A year of two digits would read as a day. */
export const monthName = makeDateFormat({ year: 'numeric' });

const spanOfDays = new Intl.DateTimeFormat(LANGUAGE, { timeZone: 'UTC', dateStyle: 'medium' });

export const period = (from: string, to: string): string =>
  spanOfDays.formatRange(Date.parse(from), Date.parse(to));

const relativeDay = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' });

/** How long ago a day was. Today is as the API tells it: at the station of the request, else in UTC. */
export const ago = (date: string, today: string): string =>
  relativeDay.format(countDays(today, date) - 1, 'day');

/** Buckets of lead time, such as 6-12h, by commas. */
export const bucketWords = (buckets: string): string =>
  buckets
    .split(',')
    .map((bucket) =>
      bucket === SAME_DAY
        ? 'the day itself'
        : bucket
            .replace(/(?<=\d)-/, '–')
            .replace(/h\+$/, ' h or more')
            .replace(/h$/, ' h'),
    )
    .join(', ');

const SAME_DAY = 'same-day';

/** When forecasts of these buckets were issued. */
export const aheadWords = (buckets: string): string =>
  buckets === SAME_DAY ? 'after the day began' : `${bucketWords(buckets)} ahead`;

/** One bucket in short. */
export const hours = (bucket: string | null | undefined): string =>
  bucketWords(bucket ?? '').replace(/ h or more$/, '+ h');

const shares = [0, 1, 2].map(
  (digits) => new Intl.NumberFormat(LANGUAGE, { style: 'percent', maximumFractionDigits: digits }),
);

/** A share as a percentage, whole unless digits are given; never 0 or 100 where it is neither. */
export function percent(value: Maybe, digits = 0): string {
  if (value === null || value === undefined) return '–';
  const size = 0.01 / 10 ** digits;
  if (value > 0 && value < size / 2) return `<${shares[digits]!.format(size)}`;
  if (value < 1 && value >= 1 - size / 2) return `>${shares[digits]!.format(1 - size)}`;
  return shares[digits]!.format(value).replace('-', MINUS).replace(`${MINUS}0%`, '0%');
}

/** The hour and minute of an instant by the clock of a station. */
export const timeThere = (moment: string, timeZone: string): string =>
  new Intl.DateTimeFormat(LANGUAGE, {
    ...{ timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).format(Date.parse(moment));

/** Its day and time there. */
export function momentThere(moment: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat(LANGUAGE, {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
  });
  return `${format.format(Date.parse(moment))} at ${timeThere(moment, timeZone)} local time`;
}

export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${whole(value)} ${value === 1 ? one : many}`;

const COUNTRIES = new Intl.DisplayNames(LANGUAGE, { type: 'region', fallback: 'code' });

export const countryName = (code: string): string =>
  /^[A-Za-z]{2}$/.test(code) ? (COUNTRIES.of(code.toUpperCase()) ?? code) : code || 'Elsewhere';

/** Köppen's groups in words, by the letters that a code begins with. */
const CLIMATES: [begins: string, words: string][] = [
  ['Af', 'tropical rainforest'],
  ['Am', 'tropical monsoon'],
  ['A', 'tropical savanna'],
  ['BW', 'desert'],
  ['BS', 'steppe'],
  ['Cs', 'dry summers, mild winters'],
  ['Cw', 'dry winters, mild'],
  ['Cfa', 'humid subtropical'],
  ['Cf', 'oceanic'],
  ['Df', 'humid, cold winters'],
  ['Dw', 'dry, cold winters'],
  ['Ds', 'dry summers, cold winters'],
  ['ET', 'tundra'],
  ['EF', 'ice'],
];

/** A climate zone by its code, with words where it is one of Köppen's. */
export function climateName(code: string): string {
  const words = CLIMATES.find(([begins]) => code.toLowerCase().startsWith(begins.toLowerCase()))?.[1];
  return words === undefined ? code : `${code}, ${words}`;
}

/** Names of countries that have an article in a sentence. */
const WITH_ARTICLE = /^(United|Netherlands|Philippines|Bahamas|Maldives|Gambia|Czech Republic|Dominican)/;

/** Where the stations are that a request chooses, in words; blank for all. */
export const regionWords = ({ country, climate_zone, near, radius_km, bbox }: Region): string =>
  [
    country && `in ${WITH_ARTICLE.test(countryName(country)) ? 'the ' : ''}${countryName(country)}`,
    climate_zone && `in climate zone ${climate_zone}`,
    bbox && `in the box ${bbox}`,
    near && `within ${radius_km || 50} km of ${near}`,
  ]
    .filter((words) => words)
    .join(' and ');
