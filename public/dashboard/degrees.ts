import type { PageParams } from './address.js';

// A request keeps its degrees in another unit: tenths where it takes any number, else the nearest whole degree.

type Fields = Pick<PageParams, 'forecast' | 'threshold' | 'event'>;

/** The field of a request that takes whole degrees only. */
const isWhole = (name: keyof Fields): boolean => name === 'threshold';

/** Each converted field as it was before, so that the way back ends where it began: 85 °F, 29 °C, 85 °F. */
let before: { [Name in keyof Fields]?: { was: string; is: string; isBack: boolean } } = {};

/** The degrees of a request in the other unit. @param toCelsius else to Fahrenheit */
export function convertDegrees(fields: Fields, toCelsius: boolean): Fields {
  const convert = (name: keyof Fields): string => {
    const text = fields[name];
    const value = Number(text);
    // The API tells what is wrong with another text.
    if (text === '' || !Number.isFinite(value)) return text;
    const last = before[name];
    if (last?.is === text) return last.was;
    const exact = toCelsius ? ((value - 32) * 5) / 9 : (value * 9) / 5 + 32;
    return isWhole(name) ? String(Math.round(exact) + 0) : String(Math.round(exact * 10) / 10 + 0);
  };
  const is = { forecast: convert('forecast'), threshold: convert('threshold'), event: convert('event') };
  const names = ['forecast', 'threshold', 'event'] as const;
  before = Object.fromEntries(
    names.map((name) => [
      name,
      { was: fields[name], is: is[name], isBack: before[name]?.is === fields[name] },
    ]),
  );
  return is;
}

/** The threshold of which one is the nearest whole degree, with its unit; undefined for one that was not converted. */
export function convertedFrom(threshold: string, unit: '°F' | '°C'): string | undefined {
  const found = before.threshold;
  if (found === undefined || found.isBack || threshold === '' || found.is !== threshold) return undefined;
  const isExact = unit === '°C' ? (Number(found.was) - 32) % 9 === 0 : Number(found.was) % 5 === 0;
  return isExact ? undefined : `${found.was} ${unit === '°C' ? '°F' : '°C'}`;
}
