/** @import { ByCity, City, Page } from '../types.js' */
import { networkParameters } from '../address.js';
import { h, replaceContent } from '../dom.js';
import { biasClass } from './palette.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { biasWords, number, signed, unit, whole } from '../words.js';

const FIRST_ROWS = 10;

/** @typedef {'mae' | 'mean_error' | 'count' | 'city'} SortBy the API's words */

/** The choice of a visitor; it stays when the question changes. */
const view = { sort_by: /** @type {SortBy} */ ('mae'), descending: false, whole: false };

/** @type {Record<SortBy, (city: City) => number | string>} */
const VALUE = {
  mae: (city) => city.stats.mae ?? 0,
  mean_error: (city) => city.stats.mean_error ?? 0,
  count: (city) => city.sample_size,
  city: (city) => city.city_name.toLowerCase(),
};

/** @param {City[]} cities */
function sorted(cities) {
  const value = VALUE[view.sort_by];
  const direction = view.descending ? -1 : 1;
  return [...cities].sort((a, b) => {
    const [left, right] = [value(a), value(b)];
    return left === right ? a.station_id.localeCompare(b.station_id) : direction * (left < right ? -1 : 1);
  });
}

/**
 * The stations by their error, those that report no more after the others.
 * @param {HTMLElement} place
 * @param {Page} page
 */
export async function showRanking(place, { question, get, stations, station, signal, change, save }) {
  const asked = networkParameters(question);
  const [{ data: cities }, all, found] = await Promise.all([
    /** @type {Promise<ByCity>} */ (get('accuracy/by-city', { ...asked, sort_by: 'mae' })),
    stations(),
    station(),
  ]);
  if (signal.aborted) return;
  if (cities.length === 0) {
    place.replaceChildren(empty('No station has a forecast of these days that can be compared.'));
    return;
  }
  const chosen = found?.station_id ?? '';
  const choose = (/** @type {string} */ station_id) => change({ station_id });
  const inactive = new Set(all.filter(({ data_active }) => !data_active).map(({ station_id }) => station_id));
  const most = Math.max(...cities.map(({ stats }) => stats.mae ?? 0), 0.01);
  const saving = save('the stations', 'accuracy/by-city', () => ({ ...asked, sort_by: view.sort_by }));
  const draw = () => {
    const order = sorted(cities);
    const active = order.filter(({ station_id }) => !inactive.has(station_id));
    const gone = order.filter(({ station_id }) => inactive.has(station_id));
    const ranked = [
      ...active.map((city, index) => ({ city, rank: index + 1 })),
      ...gone.map((city) => ({ city, rank: undefined })),
    ];
    const shown =
      view.whole || ranked.length <= FIRST_ROWS
        ? ranked
        : ranked.filter(({ city, rank = Infinity }) => rank <= FIRST_ROWS || city.station_id === chosen);
    /** @param {SortBy} name @param {string} text */
    const column = (name, text) => {
      const active = view.sort_by === name;
      const sort = () => {
        view.descending = active ? !view.descending : name === 'count';
        view.sort_by = name;
        draw();
      };
      const order = active && (view.descending ? 'descending' : 'ascending');
      return h(
        'th',
        { scope: 'col', class: `column-${name}`, 'aria-sort': order },
        h('button', { type: 'button', 'data-sort': name, click: sort }, text),
      );
    };
    replaceContent(
      place,
      h(
        'p',
        { class: 'quiet' },
        'By ',
        term('mae', 'average miss'),
        ', best first, unless you sort otherwise. Choose a station to see its days.',
      ),
      h(
        'div',
        { class: 'scroll-x' },
        h(
          'table',
          { class: 'ranking' },
          h('caption', { class: 'visually-hidden' }, 'Stations with their mean absolute error and bias'),
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              h('th', { scope: 'col', class: 'rank' }, h('span', { 'aria-label': 'Rank' }, '#')),
              column('city', 'Station'),
              column('mae', `MAE, ${unit()}`),
              column('mean_error', `Bias, ${unit()}`),
              column('count', 'Forecasts'),
            ),
          ),
          h('tbody', {}, ...shown.map(({ city, rank }) => row(city, rank, most, inactive, chosen, choose))),
        ),
      ),
      h(
        'div',
        { class: 'below' },
        ranked.length > shown.length || view.whole
          ? h(
              'button',
              {
                type: 'button',
                'data-sort': 'whole',
                'aria-expanded': String(view.whole),
                click: () => {
                  view.whole = !view.whole;
                  draw();
                },
              },
              view.whole ? `Show the first ${FIRST_ROWS}` : `Show all ${ranked.length} stations`,
            )
          : h('span'),
        saving,
      ),
    );
  };
  draw();
}

/**
 * @param {City} city
 * @param {number | undefined} rank none where the station reports no more
 * @param {number} most the largest MAE
 * @param {Set<string>} inactive
 * @param {string} chosen
 * @param {(station_id: string) => void} choose
 */
function row({ station_id, city_name, stats, sample_size }, rank, most, inactive, chosen, choose) {
  const isChosen = station_id === chosen;
  const bar = h('span', { class: 'bar' });
  bar.style.width = `${(100 * (stats.mae ?? 0)) / most}%`;
  const toggle = () => choose(isChosen ? '' : station_id);
  return h(
    'tr',
    { class: isChosen && 'chosen' },
    h('td', { class: 'rank' }, rank ?? '–'),
    h(
      'th',
      { scope: 'row' },
      h(
        'button',
        {
          type: 'button',
          class: 'station',
          'data-station': station_id,
          'aria-pressed': String(isChosen),
          click: toggle,
        },
        city_name,
      ),
      h('span', { class: 'quiet id' }, ` ${station_id}`),
      inactive.has(station_id) && h('span', { class: 'quiet' }, ' inactive'),
    ),
    h(
      'td',
      { class: 'mae' },
      h('span', { class: 'number' }, number(stats.mae)),
      h('span', { class: 'track', 'aria-hidden': 'true' }, bar),
    ),
    h(
      'td',
      {},
      h(
        'span',
        { class: `chip bias-${biasClass(stats.mean_error ?? 0)}`, title: biasWords(stats.mean_error) },
        signed(stats.mean_error),
      ),
    ),
    h('td', { class: 'column-count' }, whole(sample_size)),
  );
}
