/** @import { Provider, Question, Station } from './types.js' */
import { EVERYWHERE, FIRST_QUESTION, regionOf, regionText } from './address.js';
import { byId, h } from './dom.js';
import { bucketWords, countryName, regionWords } from './words.js';

/** @returns {HTMLFormElement} */
const form = () => /** @type {HTMLFormElement} */ (byId('controls'));

/** @param {string} name @returns {any} a field of the form, or a list of radio buttons */
const field = (name) => form().elements.namedItem(name);

/** Checks the radio button of a value, or none. @param {string} name @param {string} value */
function check(name, value) {
  for (const button of field(name)) button.checked = button.value === value;
}

/** @param {boolean} shown */
function showDates(shown) {
  byId('dates').hidden = !shown;
}

/**
 * Sets the controls to a question.
 * @param {Question} question
 */
export function setControls(question) {
  form().hidden = false;
  const byDates = question.date_from !== '' || question.date_to !== '';
  check('metric', question.metric);
  // A number of days that has no button, or a single bound, is shown by its words only.
  check('window', byDates ? 'dates' : question.days);
  field('date_from').value = question.date_from;
  field('date_to').value = question.date_to;
  showDates(byDates);
  check('temp_unit', question.temp_unit);
  const region = regionOf(question);
  choose('station_id', question.station_id || regionText(region), question.station_id || regionWords(region));
  choose('provider', question.provider);
  choose('lead_time_bucket', question.lead_time_bucket, bucketWords(question.lead_time_bucket));
}

/**
 * Chooses a value of a list. One that is not in it is added: the list is yet to come, or the API will tell what is wrong with it.
 * @param {string} name
 * @param {string} value
 * @param {string} words
 */
function choose(name, value, words = value) {
  const select = field(name);
  select.value = value;
  if (select.selectedIndex !== -1) return;
  select.append(h('option', { value }, words));
  select.value = value;
}

/**
 * Fills the list of providers; where there is one, there is nothing to choose.
 * @param {Provider[]} providers
 * @param {string} chosen blank for the default one
 */
export function setProviders(providers, chosen) {
  byId('provider').hidden = providers.length < 2;
  const options = providers.map(({ provider, is_default }) =>
    h('option', { value: is_default ? '' : provider }, provider),
  );
  field('provider').replaceChildren(...options);
  const isDefault = providers.some(({ provider, is_default }) => is_default && provider === chosen);
  choose('provider', isDefault ? '' : chosen);
}

/**
 * Shows the window that an answer was about in the date fields, so that choosing dates begins there.
 * @param {string} from YYYY-MM-DD
 * @param {string} to
 */
export function offerDates(from, to) {
  if (field('window').value === 'dates') return;
  field('date_from').value = from;
  field('date_to').value = to;
}

/**
 * Fills the picker: all stations, those of a region (where there is more than one), and each, by country.
 * @param {Station[]} stations
 * @param {string} chosen the id of the station that the question names, by whatever name
 * @param {Question} question
 */
export function setStations(stations, chosen, question) {
  /** @param {string} name @param {HTMLOptionElement[]} options */
  const group = (name, options) => h('optgroup', { label: name }, ...options);
  /** @param {'country' | 'climate_zone'} name @param {string} label */
  const regions = (name, label) => {
    const values = [...new Set(stations.map((each) => each[name]))].filter((value) => value !== '').sort();
    if (values.length < 2) return [];
    const options = values.map((value) => {
      const region = { ...EVERYWHERE, [name]: value };
      return h('option', { value: regionText(region) }, name === 'country' ? countryName(value) : value);
    });
    return [group(label, options)];
  };
  /** @type {Map<string, HTMLOptionElement[]>} */
  const countries = new Map();
  const sorted = [...stations].sort((a, b) => a.city_name.localeCompare(b.city_name, 'en'));
  for (const { station_id, city_name, country, data_active } of sorted) {
    const text = `${city_name} (${station_id})${data_active ? '' : ', inactive'}`;
    const name = countryName(country);
    countries.set(name, [...(countries.get(name) ?? []), h('option', { value: station_id }, text)]);
  }
  // The only station is not all of several.
  const all =
    stations.length === 1
      ? []
      : [
          h(
            'option',
            { value: '' },
            stations.length === 0 ? 'All stations' : `All ${stations.length} stations`,
          ),
        ];
  const groups = [...countries].sort(([a], [b]) => a.localeCompare(b, 'en'));
  field('station_id').replaceChildren(
    ...all,
    ...regions('country', 'A country'),
    ...regions('climate_zone', 'A climate zone'),
    ...groups.map(([name, options]) => group(groups.length === 1 ? 'A station' : name, options)),
  );
  const region = regionOf(question);
  choose('station_id', chosen || regionText(region), regionWords(region));
}

/**
 * Calls `ask` with what a visitor changes.
 * @param {(change: Partial<Question>) => void} ask
 */
export function listen(ask) {
  const dates = () => ({ date_from: field('date_from').value, date_to: field('date_to').value });
  form().addEventListener('change', (event) => {
    const { name, value } = /** @type {HTMLInputElement} */ (event.target);
    if (name === 'station_id')
      ask(
        value === '' || value.includes('=')
          ? { ...EVERYWHERE, ...Object.fromEntries(new URLSearchParams(value)), station_id: '' }
          : { station_id: value },
      );
    if (['metric', 'provider', 'lead_time_bucket', 'temp_unit'].includes(name)) ask({ [name]: value });
    if (name !== 'window') return;
    showDates(value === 'dates');
    if (value !== 'dates') ask({ days: value, date_from: '', date_to: '' });
  });
  form().addEventListener('submit', (event) => {
    event.preventDefault();
    ask({ ...dates(), days: FIRST_QUESTION.days });
  });
}
