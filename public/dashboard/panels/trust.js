/** @import { Comparison, Odds, Provider, Question, Reliability, Station } from '../types.js' */
import { parameters, windowParameters } from '../address.js';
import { ApiFault } from '../api.js';
import { h } from '../dom.js';
import { degreesAround, oddsForm, showNoOdds, showNoStation, showOdds } from './odds.js';
import { showOneProvider, showProviders } from './providers.js';
import { showReliability } from './reliability.js';

// What the panels ask that say how far to trust a forecast. They change by themselves, without the rest of the page.

/**
 * What they have of the page.
 * @typedef {object} Page
 * @property {<Answer>(path: string, query: Record<string, string>) => Promise<Answer>} get
 * @property {(what: string, path: string, query: () => Record<string, string>) => HTMLElement} save a button
 * @property {(part: Partial<Question>) => void} keep what a visitor changes in a panel
 * @property {(question: Question) => void} check shows whether odds of a lead time come true
 * @property {(error: unknown) => void} fail
 */

const BUCKETS = ['0-6h', '6-12h', '12-24h', '24-48h', '48-72h', '72h+'];

/** Where no forecast is stored, the visitor begins with this one, °F. */
const EXAMPLE = { high: '75', low: '55' };

/**
 * @param {HTMLElement} place
 * @param {Question} question
 * @param {Station | undefined} station
 * @param {Page} page
 */
export async function showOddsOf(place, question, station, page) {
  if (station === undefined) {
    showNoStation(place);
    return;
  }
  const subject = { station_id: station.station_id, metric: question.metric };
  const forecast = question.forecast || (await latestForecast(subject, question.forecast_lead, page));
  const threshold = question.threshold || String(Math.floor(Number(forecast) + 0.5));
  const shown = { forecast, forecast_lead: question.forecast_lead, threshold };
  const form = oddsForm(shown, BUCKETS, (part) => {
    // A new forecast has a threshold of its own.
    const changed = part.forecast === undefined ? part : { ...part, threshold: '' };
    const next = { ...question, ...shown, ...changed };
    page.keep(changed);
    showOddsOf(place, next, station, page).catch(page.fail);
    if (part.forecast_lead !== undefined) page.check(next);
  });
  const usual = { ...subject, forecast, lead_time_bucket: question.forecast_lead };
  const asked = { ...usual, thresholds: threshold, brackets: degreesAround(Number(forecast)) };
  const focused = place.contains(document.activeElement)
    ? document.activeElement?.getAttribute('name')
    : undefined;
  try {
    const [odds, inBrackets] = await Promise.all([
      /** @type {Promise<Odds>} */ (page.get('probability', asked)),
      /** @type {Promise<Odds>} */ (page.get('probability', usual)),
    ]);
    showOdds(
      place,
      odds,
      inBrackets,
      form,
      page.save('the odds', 'probability', () => usual),
    );
  } catch (error) {
    if (!(error instanceof ApiFault) || error.code !== 'INVALID_PARAMETER') throw error;
    showNoOdds(place, form, error.message);
  }
  const again = focused ? form.querySelector(`[name="${focused}"]`) : null;
  if (again instanceof HTMLElement) again.focus();
}

/**
 * The forecast of today that was issued last, or an example where there is none.
 * @param {{ station_id: string, metric: string }} subject
 * @param {string} lead_time_bucket
 * @param {Page} page
 */
async function latestForecast(subject, lead_time_bucket, { get }) {
  try {
    const { data } = /** @type {Odds} */ (await get('probability', { ...subject, lead_time_bucket }));
    return String(data.forecast_f);
  } catch (error) {
    if (!(error instanceof ApiFault) || error.code !== 'INVALID_PARAMETER') throw error;
    return subject.metric === 'low' ? EXAMPLE.low : EXAMPLE.high;
  }
}

/**
 * @param {HTMLElement} place
 * @param {Question} question
 * @param {Page} page
 */
export async function showReliabilityOf(place, question, { get, save }) {
  const asked = { ...windowParameters(question), lead_time_bucket: question.forecast_lead };
  const answer = /** @type {Reliability} */ (await get('probability/reliability', asked));
  showReliability(
    place,
    answer,
    save('past odds', 'probability/reliability', () => asked),
  );
}

/**
 * @param {HTMLElement} place
 * @param {Question} question
 * @param {Page} page
 */
export async function showProvidersOf(place, question, page) {
  const { data } = /** @type {{ data: Provider[] }} */ (await page.get('providers', {}));
  const reference = data.find(({ is_default }) => is_default)?.provider;
  const others = data.map(({ provider }) => provider).filter((provider) => provider !== reference);
  const chosen = others.includes(question.compare) ? question.compare : others[0];
  if (reference === undefined || chosen === undefined) {
    showOneProvider(place);
    return;
  }
  const asked = {
    ...parameters(question),
    providers: `${reference},${chosen}`,
    group_by: 'lead_time_bucket',
  };
  const answer = /** @type {Comparison} */ (await page.get('accuracy/compare', asked));
  /** @param {{ target: HTMLSelectElement }} event */
  const changed = ({ target }) => {
    page.keep({ compare: target.value });
    showProvidersOf(place, { ...question, compare: target.value }, page).catch(page.fail);
  };
  const choice =
    others.length < 2
      ? undefined
      : h(
          'label',
          { class: 'basis' },
          `${reference} against `,
          h(
            'select',
            { name: 'compare', change: changed },
            ...others.map((provider) =>
              h('option', { value: provider, selected: provider === chosen }, provider),
            ),
          ),
        );
  showProviders(
    place,
    answer,
    choice,
    page.save('the comparison', 'accuracy/compare', () => asked),
  );
}
