/** @import { ByDate, Page, Provider, Summary, SummaryData } from '../types.js' */
import { addDays } from '../address.js';
import { h } from '../dom.js';
import { term } from '../terms.js';
import {
  ago,
  biasWords,
  clockTime,
  compared,
  counted,
  day,
  NO_BIAS,
  number,
  signed,
  unit,
  whole,
} from '../words.js';
import { holdsZero, intervalLine, reachOfDifference } from './intervals.js';

// The cards below the headline, and what stands in their place where there are no pairs.

/** @typedef {(Node | string)[]} Content */

/**
 * @param {Content} title
 * @param {string} value
 * @param {string} unit
 * @param {Content} detail
 * @param {Content} comparison
 * @param {HTMLElement} [interval]
 */
const card = (title, value, unit, detail, comparison, interval) =>
  h(
    'div',
    { class: 'card' },
    h('h3', {}, ...title),
    h('p', { class: 'value' }, value, unit !== '' && h('span', { class: 'unit' }, ` ${unit}`)),
    interval,
    h('p', {}, ...detail),
    h('p', { class: 'quiet comparison' }, ...comparison),
  );

/**
 * How fresh the data are: the latest day with data as of an answer; null where none is within LATEST_DAYS.
 * @typedef {{ latest: string, today: string } | null} Freshness
 */

/** As far back as the latest day is looked for: the longest window that the API counts back from today. */
const LATEST_DAYS = 365;

/**
 * The latest day with data of the question's metric, provider and station.
 * @param {Page} page
 * @returns {Promise<Freshness>}
 */
export async function latestDay({ question, get }) {
  const { metric, provider, station_id } = question;
  for (const last of [14, LATEST_DAYS]) {
    const query = { metric, provider, station_id, days: `${last}` };
    const { data, metadata } = /** @type {ByDate} */ (await get('accuracy/by-date', query));
    const latest = data.at(-1);
    if (latest !== undefined) return { latest: latest.date, today: metadata.period_end };
  }
  return null;
}

/**
 * The last day of which there are pairs, however long ago; undefined where no day has any.
 * @param {Page} page
 * @param {string} stationName
 */
export async function lastDay(page, stationName) {
  const found = await latestDay(page);
  if (found !== null || stationName !== '') return found?.latest;
  const { data } = /** @type {{ data: Provider[] }} */ (await page.get('providers', {}));
  const { provider } = page.question;
  const own = data.find((each) => (provider === '' ? each.is_default : each.provider === provider));
  return own?.last_target_date ?? undefined;
}

const SHOWN_DAYS = 90;

/**
 * Where a window has no pairs, the way to the last days that have.
 * @param {HTMLElement} place
 * @param {string | undefined} last
 * @param {Page} page
 */
export function showNoPairs(place, last, { change }) {
  if (last === undefined) {
    place.replaceChildren(
      h('p', { class: 'quiet' }, 'No day has any. Choose another station, provider or lead time.'),
    );
    return;
  }
  const show = () => change({ date_from: addDays(last, 1 - SHOWN_DAYS), date_to: last });
  const words = `Show the last ${SHOWN_DAYS} days with data, to ${day(last)}`;
  place.replaceChildren(h('button', { type: 'button', class: 'primary', click: show }, words));
}

/**
 * @param {HTMLElement} place
 * @param {Summary} summary
 * @param {Summary | undefined} before the window before it, once it is known
 * @param {Freshness | undefined} freshness once it is known
 */
export function showCards(place, { data, metadata }, before, freshness) {
  const { mean_error, mae, abs_error_p90, verification_pairs, uncertainty } = data;
  place.replaceChildren(
    card(
      [term('mae', 'Average miss (MAE)')],
      number(mae),
      unit(),
      ['over ', whole(verification_pairs), ' ', term('pairs')],
      comparison(data, before, 'mae', ['better', 'worse']),
      intervalLine(uncertainty, 'mae'),
    ),
    card(
      [term('bias')],
      signed(mean_error),
      unit(),
      [holdsZero(uncertainty?.mean_error) ? NO_BIAS : `runs ${biasWords(mean_error)}`],
      comparison(data, before, 'mean_error', ['closer to zero', 'further from zero']),
      intervalLine(uncertainty, 'mean_error'),
    ),
    card(
      [term('p90', '9 in 10 within')],
      number(abs_error_p90),
      unit(),
      [`half within ${number(data.abs_error_p50)} ${unit()}`],
      comparison(data, before, 'abs_error_p90', ['better', 'worse']),
    ),
    freshnessCard(metadata, freshness),
  );
}

// Weather comes in spells of days: fewer days than this say little about a period.
const COMPARABLE_DAYS = 7;

/**
 * This period against the one before, which may have data on a few of its days only.
 * @param {SummaryData} now
 * @param {Summary | undefined} before
 * @param {'mae' | 'mean_error' | 'abs_error_p90'} name
 * @param {[string, string]} words
 * @returns {Content}
 */
export function comparison(now, before, name, words) {
  if (before === undefined) return [];
  const { days_analyzed } = before.metadata;
  const days = counted(days_analyzed, 'day');
  const { unique_days } = before.data;
  const [value, old] = [now[name], before.data[name]];
  if (value === null || old === null) return [`nothing to compare with in the ${days} before`];
  if (unique_days < Math.min(COMPARABLE_DAYS, now.unique_days))
    return [`the ${days} before have data on ${unique_days} only: too few to compare`];
  const text = name === 'mean_error' ? signed(old) : number(old);
  const period =
    unique_days === days_analyzed
      ? `the ${days} before`
      : `the ${counted(unique_days, 'day')} with data of the ${whole(days_analyzed)} before`;
  const reach = name === 'abs_error_p90' ? undefined : reachOfDifference(now, before.data, name);
  if (reach !== undefined && Math.abs(value - old) <= reach)
    return [`not significantly different from ${period} (${text})`];
  // A bias on the other side of zero has changed, though it may be no closer to it.
  if (reach !== undefined && value * old < 0 && Math.abs(Math.abs(value) - Math.abs(old)) <= reach)
    return [`changed from ${text} in ${period}`];
  return [`${compared(value, old, words)} ${period} (${text})`];
}

/**
 * @param {Summary['metadata']} metadata
 * @param {Freshness | undefined} freshness
 */
function freshnessCard({ verification_coverage, generated_at }, freshness) {
  const { verified_days, preliminary_days } = verification_coverage;
  const all = verified_days + preliminary_days;
  const detail =
    preliminary_days === 0
      ? [`all ${counted(all, 'day')} verified: these numbers are final`]
      : [`${whole(preliminary_days)} of ${counted(all, 'day')} `, term('preliminary', 'in part preliminary')];
  return card(['Latest day with data'], ...latest(freshness), [
    ...detail,
    h('br'),
    `answered at ${clockTime(generated_at)}`,
  ]);
}

/**
 * @param {Freshness | undefined} freshness
 * @returns {[value: string, unit: string, detail: Content]}
 */
export function latest(freshness) {
  if (freshness === undefined) return ['…', '', []];
  if (freshness === null) return ['None', '', [`in the last ${counted(LATEST_DAYS, 'day')}`]];
  const when = ago(freshness.latest, freshness.today);
  return [when[0]?.toUpperCase() + when.slice(1), '', [day(freshness.latest)]];
}
