/** @import { ByLeadTime, Page, Question, Summary, SummaryData } from '../types.js' */
import { parameters, regionOf, windowBefore } from '../address.js';
import { offerDates } from '../controls.js';
import { byId, h } from '../dom.js';
import {
  biasWords,
  bucketWords,
  counted,
  NO_BIAS,
  number,
  period,
  regionWords,
  signed,
  unit,
} from '../words.js';
import { lastDay, latestDay, showCards, showNoPairs } from './cards.js';
import { holdsZero, intervalWords, LEVEL } from './intervals.js';

/** @param {Pick<Page, 'question' | 'get'>} page */
export const summaryOf = ({ question, get }) =>
  /** @type {Promise<Summary>} */ (get('accuracy/summary', { ...parameters(question), ci: LEVEL }));

/**
 * Shows the answer in one sentence and four cards: first what one small question answers, then what it is compared with.
 * @param {Page} page
 * @returns {Promise<Summary>}
 */
export async function showHeadline(page) {
  const { question, signal } = page;
  const isOfAll = question.station_id === '';
  // Without the list of stations the answer has the name that the question has.
  const stationOf = () => page.station().catch(() => undefined);
  const [found, station] = await Promise.all([summaryOf(page), isOfAll ? undefined : stationOf()]);
  const { data, metadata } = found;
  const stationName = station?.city_name ?? question.station_id;
  if (signal.aborted) return found;
  showTitles(question, found, stationName);
  // The numbers do not wait for the list, which names the only station.
  if (isOfAll)
    void stationOf().then((only) => {
      if (only !== undefined && !signal.aborted) showTitles(question, found, only.city_name);
    });
  byId('leads').replaceChildren(data.mae === null ? '' : leadsOf(question));
  offerDates(metadata.period_start, metadata.period_end);
  if (data.mae === null) {
    const last = await lastDay(page, stationName);
    if (!signal.aborted) showNoPairs(byId('cards'), last, page);
    return found;
  }
  showCards(byId('cards'), found, undefined, undefined);
  // When it has been painted, which the tests measure.
  requestAnimationFrame(() => setTimeout(() => performance.mark('first-data')));
  void compare(page, found).catch(() => {}); // the cards say the same without it
  return found;
}

/** Adds the period before, the latest day, and the bias of single lead times. @param {Page} page @param {Summary} found */
async function compare(page, found) {
  const { question, get, signal } = page;
  const own = parameters(question);
  const earlier = windowBefore(found.metadata);
  const [before, freshness, leads] = await Promise.all([
    earlier && /** @type {Promise<Summary>} */ (get('accuracy/summary', { ...own, ...earlier, ci: LEVEL })),
    latestDay(page),
    question.lead_time_bucket === '' ? leadTimesOf(page) : undefined,
  ]);
  if (signal.aborted) return;
  showCards(byId('cards'), found, before, freshness);
  byId('leads').replaceChildren(leadsOf(question), leads === undefined ? '' : hiddenBias(found.data, leads));
}

/** @param {Pick<Page, 'question' | 'get'>} page */
export const leadTimesOf = ({ question, get }) =>
  /** @type {Promise<ByLeadTime>} */ (
    get('accuracy/by-lead-time', { ...parameters(question), align: 'matched', ci: LEVEL })
  );

/** Which lead times the headline is about. @param {Question} question */
const leadsOf = ({ lead_time_bucket }) =>
  lead_time_bucket === ''
    ? 'All lead times together, from 0 to more than 72 hours before the day.'
    : `Forecasts issued ${bucketWords(lead_time_bucket)} before the day.`;

/**
 * The lead times with a bias that the whole does not show, or shows the other way round.
 * @param {SummaryData} whole
 * @param {ByLeadTime} answer
 */
export function hiddenBias({ mean_error, uncertainty }, { data }) {
  const all = holdsZero(uncertainty?.mean_error) ? 0 : Math.sign(mean_error ?? 0);
  const found = data.filter(
    ({ stats, uncertainty }) =>
      intervalWords(uncertainty?.mean_error) !== undefined &&
      !holdsZero(uncertainty?.mean_error) &&
      Math.sign(stats.mean_error ?? 0) !== all,
  );
  const clauses = [1, -1].flatMap((sign) => {
    const ofSign = found.filter(({ stats }) => Math.sign(stats.mean_error ?? 0) === sign);
    const names = ofSign.map(({ lead_time_bucket }) => bucketWords(lead_time_bucket));
    const most = sign * Math.max(...ofSign.map(({ stats }) => Math.abs(stats.mean_error ?? 0)));
    if (names.length === 0) return [];
    if (names.length > 1)
      return [
        `those ${names.slice(0, -1).join(', ')} and ${names.at(-1)} ahead run up to ${biasWords(most)}`,
      ];
    const interval = intervalWords(ofSign[0]?.uncertainty?.mean_error, signed) ?? '';
    return [`those ${names[0]} ahead run ${biasWords(most)} (95 %: ${interval})`];
  });
  return clauses.length === 0 ? '' : ` But ${clauses.join(', and ')}.`;
}

/**
 * The window as a sentence says it: a run of days that ends now, or its dates.
 * @param {Question} question
 * @param {Summary['metadata']} metadata
 */
function windowWords({ date_from, date_to }, { days_analyzed, period_start, period_end }) {
  if (date_from !== '' || date_to !== '') return period(period_start, period_end);
  return `the last ${counted(days_analyzed, 'day')}`;
}

/**
 * The answer in one sentence, and the title of the page.
 * @param {Question} question
 * @param {Summary} summary
 * @param {string} stationName blank for all
 */
function showTitles(question, summary, stationName) {
  showSentence(byId('headline-title'), question, summary, stationName);
  const everywhere = `${summary.metadata.stations === undefined ? 'All stations' : 'Stations'} ${regionWords(regionOf(question))}`;
  document.title = `${stationName || everywhere.trim()}, daily ${question.metric} – Forecast accuracy`;
}

/**
 * The answer in one sentence.
 * @param {HTMLElement} title
 * @param {Question} question
 * @param {Summary} summary
 * @param {string} stationName blank for all
 */
function showSentence(title, question, { data, metadata }, stationName) {
  const leads = question.lead_time_bucket === '' ? '' : `, ${bucketWords(question.lead_time_bucket)} ahead,`;
  const what = `${ofProvider(metadata)} of the daily ${question.metric}${leads}`;
  const where = stationName === '' ? placesOf(question, metadata) : `for ${stationName}`;
  const when = windowWords(question, metadata);
  if (data.mae === null) {
    title.replaceChildren(`There are no ${what} ${where} to compare in ${when}.`);
    return;
  }
  title.replaceChildren(
    `In ${when}, ${what} ${where} missed by `,
    h('strong', {}, `${number(data.mae, 1)} ${unit()}`),
    ...(holdsZero(data.uncertainty?.mean_error)
      ? [` on average, with ${NO_BIAS}.`]
      : [' on average and ran ', h('strong', {}, biasWords(data.mean_error)), '.']),
  );
}

/** Where stations are that no name chooses. @param {Question} question @param {Summary['metadata']} metadata */
const placesOf = (question, { stations }) =>
  stations === undefined
    ? 'at all stations'
    : `at ${counted(stations, 'station')} ${regionWords(regionOf(question))}`;

/** Whose forecasts they are; `default` is the name of those whose feed names nobody (D27). @param {Summary['metadata']} metadata */
const ofProvider = ({ provider }) => (provider === 'default' ? 'forecasts' : `${provider} forecasts`);
