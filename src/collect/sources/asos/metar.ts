import { SKIES } from '../../../variables/declarations.js';
import { toCell } from '../../feed-cells.js';
import { GapError } from '../../source.js';

// The text of an airport's report, METAR or SPECI: by chapter 12 of the Federal Meteorological Handbook No. 1, and as other
// countries write it, with forecasts of the next two hours and words of their own for a sky without clouds.

/** The values of a report, as cells of the feed `hours`; blank where one is missing. */
export interface Metar {
  temp_c: string;
  max_6h_c: string;
  min_6h_c: string;
  /** The amounts of the hour and of six; 0 for a trace, and where a report says by silence that nothing fell. */
  precip_in: string;
  precip_6h_in: string;
  sky: string;
  dew_point_c: string;
  humidity_pct: string;
  wind_kt: string;
  gust_kt: string;
}

/** Whole °C, and the dew point where it is known. */
const WHOLE = /^(M?)(\d\d)\/(?:(M?)(\d\d)|\/\/|XX|MM)?$/;
/** Tenths of °C, as the next two: a 1 is the sign of what is below zero. */
const TENTHS = /^T([01])(\d{3})(?:([01])(\d{3})|\/{4})?$/;
const MAXIMUM = /^1([01])(\d{3})$/;
const MINIMUM = /^2([01])(\d{3})$/;
/** Hundredths of an inch since the last routine report, and of the 6 hours before 00, 06, 12 and 18Z; at 03Z they are of 3. */
const AMOUNT = /^P(\d{4}|\/{4})$/;
/** Hundredths of an inch: the record of an hour is 12 inches. */
const MAX_AMOUNT = 2000;
const AMOUNT_OF_6_HOURS = /^6(\d{4}|\/{4})$/;
/** A station that tells rain from snow, and so has a gauge; PNO where the gauge is broken. */
const HAS_GAUGE = /^A[O0]2A?$/;
/** Precipitation that falls now, or began or ended in the hour: less than 0.01 inch of it would be P0000. */
const IS_FALLING = /^[-+]?(?:TS|SH|FZ)*(?:RA|DZ|SN|SG|PL|GR|GS|UP)|(?:RA|DZ|SN|SG|PL|GR|GS|UP)[BE]\d/;
/** Routine reports alone have the pressure at sea level; a special has the amount of a part of its hour (D78). */
const IS_ROUTINE = /^SLP\d{3}$/;
const TIME = /^\d\d([01]\d|2[0-3])([0-5]\d)Z$/;
/** A routine report is of the last 15 minutes of its hour. */
const ROUTINE_MINUTE = 45;

/** The mean speed of two or ten minutes, and the highest of ten where gusts are reported; calm is 00000KT. */
const WIND = /^(?:\d{3}|VRB|\/{3})(\d{2,3})(?:G(\d{2,3}))?(KT|MPS|KMH)$/;
/** The unit of each, kt. */
const KNOTS: Readonly<Record<string, number>> = { KT: 1, MPS: 3600 / 1852, KMH: 1000 / 1852 };

const LAYER = /^(FEW|SCT|BKN|OVC|VV)(?:\d{3}|\/\/\/)(?:CB|TCU|\/\/\/)?$/;
const NO_LAYER = /^(CLR|SKC|NSC|NCD|CAVOK)$/;

/** The first word of a forecast. */
const FORECAST = /^(NOSIG|TEMPO|BECMG|INTER|PROB\d\d|FM\d{4,6})$/;

/** Characters of a report: with all its remarks it has some 400. */
const MAX_LENGTH = 2000;

/** No airport has had more, or less. */
const [COLDEST_C, WARMEST_C] = [-95, 60];

/** The correction of a time that a report is: 0 for none, 1 for COR, and 1, 2, 3 for CCA, CCB, CCC in Canada. */
export function parseCorrection(text: string): number {
  const [, letter] = /^(?:\S+ ){1,4}(?:COR|CC([A-Z])) /.exec(text) ?? ['', '@'];
  return (letter ?? 'A').charCodeAt(0) - '@'.charCodeAt(0);
}

/**
 * The values of a report; undefined where it has no temperature.
 * @throws GapError where it cannot be true
 */
export function readMetar(text: string): Metar | undefined {
  if (text.length > MAX_LENGTH) throw new GapError(`a report of ${text.length} characters`);
  const words = text.replace(/=.*/, '').trim().split(/\s+/);
  const end = words.findIndex((word) => word === 'RMK' || FORECAST.test(word));
  const body = end < 0 ? words : words.slice(0, end);
  const remarks = words.includes('RMK') ? words.slice(words.indexOf('RMK') + 1) : [];
  const [whole] = celsiusIn(body, WHOLE);
  const [temp = whole] = celsiusIn(remarks, TENTHS);
  if (temp === undefined) return undefined;
  if (temp < COLDEST_C || temp > WARMEST_C) throw new GapError(`${temp} °C is not plausible at an airport`);
  if (whole !== undefined && Math.abs(temp - whole) > 1)
    throw new GapError(`${whole} °C in its body and ${temp} °C in its remarks`);
  // Remarks are free text: five digits that are no extreme of the hours before the temperature are something else.
  const max = celsiusIn(remarks, MAXIMUM).find((value) => value > temp - 1 && value <= WARMEST_C);
  const min = celsiusIn(remarks, MINIMUM).find((value) => value < temp + 1 && value >= COLDEST_C);
  const covers = [
    ...groups(body, NO_LAYER).map(() => 0),
    ...groups(body, LAYER).map(([cover]) => SKIES.findIndex((sky) => sky === cover)),
  ];
  const dew = readDewPoint(body, remarks, temp);
  return {
    temp_c: `${temp}`,
    max_6h_c: `${max ?? ''}`,
    min_6h_c: `${min ?? ''}`,
    sky: SKIES[Math.max(...covers)] ?? '',
    dew_point_c: toCell('dew_point_c', dew) ?? '',
    humidity_pct: dew === undefined ? '' : `${Math.min(100, Math.round(100 * getHumidity(temp, dew)))}`,
    ...readWind(body),
    ...readAmounts(body, remarks),
  };
}

/**
 * The amounts of a routine report, inches. A group is left out where nothing fell (Federal Meteorological Handbook No. 1, chapter
 * 12), so its absence is 0 at a station with a gauge that works, unless something fell. It says nothing at any other station.
 */
function readAmounts(
  body: readonly string[],
  remarks: readonly string[],
): Pick<Metar, 'precip_in' | 'precip_6h_in'> {
  const [[hour, minute] = []] = groups(body, TIME);
  if (!remarks.some((word) => IS_ROUTINE.test(word)) || !(Number(minute) >= ROUTINE_MINUTE))
    return { precip_6h_in: '', precip_in: '' };
  const hasGauge = remarks.some((word) => HAS_GAUGE.test(word)) && !remarks.includes('PNO');
  const isFalling = [...body, ...remarks].some((word) => IS_FALLING.test(word));
  const precip_in = readAmount('precip_in', groups(remarks, AMOUNT), hasGauge && !isFalling);
  const isDry = hasGauge && precip_in === '0';
  const of6Hours = Number(hour) % 6 === 5 ? groups(remarks, AMOUNT_OF_6_HOURS) : undefined;
  return { precip_6h_in: of6Hours ? readAmount('precip_6h_in', of6Hours, isDry) : '', precip_in };
}

/** An amount as a cell; blank if two groups differ, or for more than ever fell. */
function readAmount(column: string, found: readonly string[][], isSilenceZero: boolean): string {
  const [hundredths, ...others] = new Set(found.flat());
  if (hundredths === undefined) return isSilenceZero ? '0' : '';
  const isPlausible = others.length === 0 && Number(hundredths) < MAX_AMOUNT;
  return isPlausible ? (toCell(column, Number(hundredths) / 100) ?? '') : '';
}

/** The dew point, °C; undefined where it is missing, where body and remarks differ, and where it is above the temperature. */
function readDewPoint(body: readonly string[], remarks: readonly string[], temp: number): number | undefined {
  const [whole] = celsiusIn(body, WHOLE, 2);
  const [dew = whole] = celsiusIn(remarks, TENTHS, 2);
  return dew === undefined || dew > temp + 1 || Math.abs(dew - (whole ?? dew)) > 1 ? undefined : dew;
}

/** The share of vapour in saturated air over water, by the equation of WMO-No. 8, annex 4.B. */
const getHumidity = (temp: number, dew: number): number =>
  Math.exp((17.62 * dew) / (243.12 + dew) - (17.62 * temp) / (243.12 + temp));

/** The wind of a report, kt; blank where it is missing. A report without gusts says nothing of them. */
function readWind(body: readonly string[]): Pick<Metar, 'wind_kt' | 'gust_kt'> {
  const [[mean, peak, unit = ''] = []] = groups(body, WIND);
  const toKnots = (digits: string | undefined): number => Number(digits) * (KNOTS[unit] ?? NaN);
  const gust = Number(peak) < Number(mean) ? NaN : toKnots(peak);
  return { wind_kt: toCell('wind_kt', toKnots(mean)) ?? '', gust_kt: toCell('gust_kt', gust) ?? '' };
}

/** The groups of each word that matches a form. */
const groups = (words: readonly string[], form: RegExp): string[][] =>
  words.flatMap((word) => {
    const group = form.exec(word);
    return group === null ? [] : [group.slice(1)];
  });

/** The temperatures of a form: a sign and two digits, or three of tenths, from a group on. */
const celsiusIn = (words: readonly string[], form: RegExp, from = 0): number[] =>
  groups(words, form).flatMap((group) => {
    const [sign = '', digits = ''] = group.slice(from);
    if (digits === '') return [];
    return (/[M1]/.test(sign) ? -1 : 1) * (Number(digits) / (digits.length === 3 ? 10 : 1));
  });
