/** @import { Question } from './types.js' */

// The page's state lives in its URL, in the words of the API. So a link shows the same to somebody else.

/** @type {Question} */
export const FIRST_QUESTION = {
  metric: 'high',
  days: '90',
  date_from: '',
  date_to: '',
  station_id: '',
  country: '',
  climate_zone: '',
  near: '',
  radius_km: '',
  bbox: '',
  provider: '',
  lead_time_bucket: '',
  temp_unit: '',
  forecast: '',
  forecast_lead: '',
  threshold: '',
  event: '',
  compare: '',
  map: '',
};

/** @typedef {keyof Question} Name */
const NAMES = /** @type {Name[]} */ (Object.keys(FIRST_QUESTION));

/**
 * The question of a URL's search part. Values are taken as they are: the API tells what is wrong with them.
 * @param {string} search
 * @returns {Question}
 */
export function readQuestion(search) {
  const given = new URLSearchParams(search);
  const question = { ...FIRST_QUESTION };
  for (const name of NAMES) question[name] = given.get(name) || FIRST_QUESTION[name];
  return question;
}

/**
 * The words of a URL's search part that the page does not know.
 * @param {string} search
 */
export const unknownWords = (search) =>
  [...new Set(new URLSearchParams(search).keys())].filter((name) => !(name in FIRST_QUESTION));

/**
 * The search part of a question, as short as can be: what is as at first is left out.
 * @param {Question} question
 */
export function searchOf(question) {
  const search = new URLSearchParams();
  for (const name of NAMES) {
    // Both bounds are the window, and days has no part in it.
    const unused = name === 'days' && question.date_from !== '' && question.date_to !== '';
    if (!unused && question[name] !== FIRST_QUESTION[name]) search.set(name, question[name]);
  }
  return search.size === 0 ? '' : `?${search}`;
}

/**
 * The parameters by which the API is asked for the pairs of a question: which days, whose forecasts, how far ahead.
 * @param {Question} question
 * @returns {Record<string, string>}
 */
export function pairParameters({ metric, days, date_from, date_to, provider, lead_time_bucket }) {
  return { metric, days, date_from, date_to, provider, lead_time_bucket };
}

/** By what a question chooses stations, in the words of the API; blank for all. */
export const EVERYWHERE = { country: '', climate_zone: '', near: '', radius_km: '', bbox: '' };

/**
 * @param {Question} question
 * @returns {typeof EVERYWHERE}
 */
export const regionOf = ({ country, climate_zone, near, radius_km, bbox }) => ({
  country,
  climate_zone,
  near,
  radius_km,
  bbox,
});

/** The region of a question as a search part; blank for all stations. @param {typeof EVERYWHERE} region */
export const regionText = (region) =>
  new URLSearchParams(Object.entries(region).filter(([, value]) => value !== '')).toString();

/**
 * The same at all stations of the region, in a unit.
 * @param {Question} question
 */
export function networkParameters(question) {
  return { ...pairParameters(question), ...regionOf(question), temp_unit: question.temp_unit };
}

/**
 * The same at the station of the question, which may lie anywhere; without one, at those of the region together.
 * @param {Question} question
 * @returns {Record<string, string>}
 */
export function parameters(question) {
  const { station_id, temp_unit } = question;
  return station_id === ''
    ? networkParameters(question)
    : { ...pairParameters(question), temp_unit, station_id };
}

/**
 * The days of the window of a question.
 * @param {Question} question
 */
export function windowLength({ days, date_from, date_to }) {
  if (date_from === '' || date_to === '') return Number(days);
  return (Date.parse(date_to) - Date.parse(date_from)) / 86_400_000 + 1;
}

// The API knows no day before it.
const FIRST_DATE = '1970-01-01';

/**
 * The window just before one, of the same length; none where time begins.
 * @param {{ period_start: string, days_analyzed: number }} window
 */
export function windowBefore({ period_start, days_analyzed }) {
  const date_from = addDays(period_start, -days_analyzed);
  return date_from < FIRST_DATE ? undefined : { days: '', date_from, date_to: addDays(period_start, -1) };
}

/**
 * @param {string} date YYYY-MM-DD
 * @param {number} days
 */
export function addDays(date, days) {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}
