import { FIRST_DATE, LAST_DATE } from '../statistics/time/calendar.js';
import { FEED_COLUMNS_OF } from '../variables/variables.js';
import type { FeedColumn, OtherUnitColumn } from './columns.js';

// The forms of cells. Rejections say them, and the table of docs/feeds.md is made of them.

/**
 * Range check: a temperature beyond -90..60 °C is rejected, °F here. The records of the World Meteorological Organization are
 * -128.6 °F (Vostok, 1983) and 134 °F (Furnace Creek, 1913).
 */
export const { lowest: COLDEST_F, highest: HOTTEST_F } = FEED_COLUMNS_OF.high.plausible;

/** Temperatures that programs write for a missing one, and the ends of the range, °F. */
export const SENTINELS_F = [0, 99, 99.9, 99.99, -99, -99.9, -99.99, HOTTEST_F, COLDEST_F];

export const WIDEST_SD_F = 50;

/** The most in an hour, inches; the record is 12 (D56). */
export const MAX_PRECIPITATION_IN = 50;

/** The most in a day; the record is 1,825 mm (D68). */
export const MAX_DAY_OF = { precip_in: 80, precip_mm: 2000 } as const;

/** The farthest from the equator, and from Greenwich. */
export const FARTHEST_DEGREES = { latitude: 90, longitude: 180 } as const;

/** The years of an instant. */
export const [FIRST_YEAR, LAST_YEAR] = [1970, 2149];

const NAME = 'a name of 1 to 100 characters';
const FLAG = 'true, false or blank';
const DATE = `a date, YYYY-MM-DD, within ${FIRST_DATE}..${LAST_DATE}`;
const INSTANT = `ISO 8601 with an offset or Z, within ${FIRST_YEAR}..${LAST_YEAR}`;
const TEMPERATURE = `a decimal number within ${COLDEST_F}..${HOTTEST_F} °F, or blank`;
const STANDARD_DEVIATION = `a decimal number within 0..${WIDEST_SD_F} °F, or blank`;

/** A column of cells; all quantiles have one form. */
type FormColumn = Exclude<FeedColumn, `${string}_p${number}_f`> | 'high_p10_f' | OtherUnitColumn;

/** The form of a cell in each column, in words. */
export const FORMS: Record<FormColumn, string> = {
  station_id: '3 to 24 of A-Z, 0-9 and -, beginning with a letter or digit',
  city_name: NAME,
  country: 'an ISO 3166 code of two letters',
  latitude: `a decimal number within -${FARTHEST_DEGREES.latitude}..${FARTHEST_DEGREES.latitude}`,
  longitude: `a decimal number within -${FARTHEST_DEGREES.longitude}..${FARTHEST_DEGREES.longitude}`,
  timezone: 'a time zone of the IANA database',
  climate_zone: 'at most 40 characters',
  data_active: FLAG,
  aliases: NAME,
  iata: 'three letters or blank',
  day_boundary: 'civil, standard or blank',
  reported_in: 'whole_fahrenheit, whole_celsius or blank',
  withdrawn: FLAG,
  issued_at: INSTANT,
  observed_at: INSTANT,
  at: INSTANT,
  valid_at: `a full hour of UTC, ${INSTANT}`,
  target_date: DATE,
  date: DATE,
  month_day: 'a day, MM-DD',
  provider: '1 to 32 of a-z, 0-9 and -, beginning with a letter or digit',
  member: NAME,
  status: 'preliminary or verified',
  high_f: TEMPERATURE,
  low_f: TEMPERATURE,
  high_p10_f: TEMPERATURE,
  temp_f: TEMPERATURE,
  max_6h_f: TEMPERATURE,
  min_6h_f: TEMPERATURE,
  high_sd_f: STANDARD_DEVIATION,
  low_sd_f: STANDARD_DEVIATION,
  precip_in: `a decimal number within 0..${MAX_PRECIPITATION_IN} inches, or blank; in observations within 0..${MAX_DAY_OF.precip_in}, or T for a trace`,
  precip_mm: `a decimal number within 0..${MAX_DAY_OF.precip_mm} mm, T for a trace, or blank`,
  precip_chance: 'a decimal number within 0..100%, or blank',
  precip_probability: 'a decimal number within 0..1, or blank',
  sky: 'CLR, FEW, SCT, BKN, OVC, VV or blank',
};
