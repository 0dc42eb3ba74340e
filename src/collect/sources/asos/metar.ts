import { GapError } from '../../source.js';

// The text of an airport's report, METAR or SPECI: by chapter 12 of the Federal Meteorological Handbook No. 1, and as other
// countries write it, with forecasts of the next two hours and words of their own for a sky without clouds.

/** The values of a report, as cells of the feed `hours`; blank where one is missing. */
export interface Metar {
  temp_c: string;
  max_6h_c: string;
  min_6h_c: string;
  precip_in: string;
  sky: string;
}

/** Whole °C, and the dew point where it is known. */
const WHOLE = /^(M?)(\d\d)\/(?:M?\d\d|\/\/|XX|MM)?$/;
/** Tenths of °C, as the next two: a 1 is the sign of what is below zero. */
const TENTHS = /^T([01])(\d{3})(?:[01]\d{3}|\/{4})?$/;
const MAXIMUM = /^1([01])(\d{3})$/;
const MINIMUM = /^2([01])(\d{3})$/;
/** Hundredths of an inch since the last routine report, up to 19.99: the record of an hour is 12 inches. */
const PRECIPITATION = /^P([01]\d{3})$/;

/** The least cover first. */
const SKIES = ['CLR', 'FEW', 'SCT', 'BKN', 'OVC', 'VV'];
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
  const [inches] = groups(remarks, PRECIPITATION).map(([hundredths]) => Number(hundredths) / 100);
  const covers = [
    ...groups(body, NO_LAYER).map(() => 0),
    ...groups(body, LAYER).map(([cover = '']) => SKIES.indexOf(cover)),
  ];
  return {
    temp_c: `${temp}`,
    max_6h_c: `${max ?? ''}`,
    min_6h_c: `${min ?? ''}`,
    precip_in: `${inches ?? ''}`,
    sky: SKIES[Math.max(...covers)] ?? '',
  };
}

/** The groups of each word that matches a form. */
const groups = (words: readonly string[], form: RegExp): string[][] =>
  words.flatMap((word) => {
    const group = form.exec(word);
    return group === null ? [] : [group.slice(1)];
  });

/** The temperatures of a form: a sign and two digits, or three of tenths. */
const celsiusIn = (words: readonly string[], form: RegExp): number[] =>
  groups(words, form).map(
    ([sign = '', digits = '']) =>
      (/[M1]/.test(sign) ? -1 : 1) * (Number(digits) / (digits.length === 3 ? 10 : 1)),
  );
