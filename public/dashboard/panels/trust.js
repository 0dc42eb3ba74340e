/** @import { Comparison, Odds, Provider, Question, Reliability, Station } from '../types.js' */
import { windowParameters } from '../address.js';
import { ApiFault } from '../api.js';
import { h } from '../dom.js';
import { degreesAround, oddsForm, showNoStation, showOdds } from './odds.js';
import { showOneProvider, showProviders } from './providers.js';
import { showReliability } from './reliability.js';

// What the panels ask that say how far to trust a forecast. They change by themselves, without the rest of the page.

/** @typedef {<Answer>(path: string, query: Record<string, string>) => Promise<Answer>} Get */
/** @typedef {(what: string, path: string, query: () => Record<string, string>) => HTMLElement} Save */
/** @typedef {(part: Partial<Question>) => void} Keep */

const BUCKETS = ['0-6h', '6-12h', '12-24h', '24-48h', '48-72h', '72h+'];

/** Where no forecast is stored, the visitor begins with this one, °F. */
const EXAMPLE = { high: '75', low: '55' };

/**
 * @param {HTMLElement} place
 * @param {Question} question
 * @param {Station | undefined} station
 * @param {Get} get
 * @param {Save} save
 * @param {Keep} keep
 */
export async function showOddsOf(place, question, station, get, save, keep) {
  if (station === undefined) {
    showNoStation(place);
    return;
  }
  const subject = { station_id: station.station_id, metric: question.metric };
  const forecast = question.forecast || (await latestForecast(subject, question.forecast_lead, get));
  const threshold = question.threshold || String(Math.floor(Number(forecast) + 0.5));
  const asked = { ...subject, forecast, lead_time_bucket: question.forecast_lead };
  const of = { ...asked, thresholds: threshold, brackets: degreesAround(Number(forecast)) };
  const [odds, usual] = await Promise.all([
    /** @type {Promise<Odds>} */ (get('probability', of)),
    /** @type {Promise<Odds>} */ (get('probability', asked)),
  ]);
  const form = oddsForm({ forecast, forecast_lead: question.forecast_lead, threshold }, BUCKETS, (part) => {
    // A new forecast has a threshold of its own.
    const changed = part.forecast === undefined ? part : { ...part, threshold: '' };
    keep(changed);
    void showOddsOf(place, { ...question, forecast, threshold, ...changed }, station, get, save, keep);
  });
  const focused = place.contains(document.activeElement)
    ? document.activeElement?.getAttribute('name')
    : undefined;
  showOdds(
    place,
    odds,
    degrees,
    form,
    save('the odds', 'probability', () => asked),
  );
  const again = focused ? form.querySelector(`[name="${focused}"]`) : null;
  if (again instanceof HTMLElement) again.focus();
}

/**
 * The forecast of today that was issued last, or an example where there is none.
 * @param {{ station_id: string, metric: string }} subject
 * @param {string} lead_time_bucket
 * @param {Get} get
 */
async function latestForecast(subject, lead_time_bucket, get) {
  try {
    const { data } = /** @type {Odds} */ (await get('probability', { ...subject, lead_time_bucket }));
    return String(data.forecast_f);
  } catch (error) {
    if (!(error instanceof ApiFault) || error.code !== 'NOT_FOUND') throw error;
    return subject.metric === 'low' ? EXAMPLE.low : EXAMPLE.high;
  }
}

/**
 * @param {HTMLElement} place
 * @param {Question} question
 * @param {Get} get
 * @param {Save} save
 */
export async function showReliabilityOf(place, question, get, save) {
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
 * @param {Get} get
 * @param {Save} save
 * @param {Keep} keep
 */
export async function showProvidersOf(place, question, get, save, keep) {
  const { data } = /** @type {{ data: Provider[] }} */ (await get('providers', {}));
  const reference = data.find(({ is_default }) => is_default)?.provider;
  const others = data.map(({ provider }) => provider).filter((provider) => provider !== reference);
  const chosen = others.includes(question.compare) ? question.compare : others[0];
  if (reference === undefined || chosen === undefined) {
    showOneProvider(place);
    return;
  }
  const asked = {
    ...windowParameters(question),
    station_id: question.station_id,
    providers: `${reference},${chosen}`,
    group_by: 'lead_time_bucket',
  };
  const answer = /** @type {Comparison} */ (await get('accuracy/compare', asked));
  /** @param {{ target: HTMLSelectElement }} event */
  const changed = ({ target }) => {
    keep({ compare: target.value });
    void showProvidersOf(place, { ...question, compare: target.value }, get, save, keep);
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
    save('the comparison', 'accuracy/compare', () => asked),
  );
}
