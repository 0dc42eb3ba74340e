/** @import { EventScores, Events, Page } from '../types.js' */
import { parameters } from '../address.js';
import { ApiFault } from '../api.js';
import { h } from '../dom.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { bucketWords, counted, hours, percent, unit, whole } from '../words.js';

/** The thresholds that a visitor begins with: a frost, a hot day. */
const USUAL = { low: { '°F': '32', '°C': '0' }, high: { '°F': '90', '°C': '32' } };

/** The lead time that the sentence is about, where it has days. */
const USUAL_LEAD = '12-24h';

/**
 * How well forecasts tell of temperatures at or beyond a threshold, by lead time.
 * @param {HTMLElement} place
 * @param {Page} page
 */
export async function showEvents(place, page) {
  const { question, get, signal } = page;
  const isLow = question.metric === 'low';
  const threshold = question.event || USUAL[isLow ? 'low' : 'high'][unit() === '°C' ? '°C' : '°F'];
  const side = isLow ? 'at or below' : 'at or above';
  const asked = { ...parameters(question), thresholds: threshold, group_by: 'lead_time_bucket' };
  const form = thresholdForm(side, threshold, (event) => page.keep({ event }, 'events'));
  const isFocused = place.contains(document.activeElement);
  try {
    const { data } = /** @type {Events} */ (await get('accuracy/events', asked));
    if (signal.aborted) return;
    const what = `${side} ${threshold} ${unit()}`;
    place.replaceChildren(
      form,
      ...shown(data, what),
      h(
        'div',
        { class: 'below' },
        h('span'),
        page.save('the events', 'accuracy/events', () => asked),
      ),
    );
  } catch (error) {
    if (!(error instanceof ApiFault) || error.code !== 'INVALID_PARAMETER') throw error;
    place.replaceChildren(form, empty(`No such events: ${error.message}.`));
  }
  if (isFocused) form.querySelector('input')?.focus();
}

/** @param {string} side @param {string} threshold @param {(event: string) => void} changed */
const thresholdForm = (side, threshold, changed) =>
  h(
    'form',
    { class: 'odds-form', submit: (/** @type {Event} */ event) => event.preventDefault() },
    h(
      'label',
      {},
      `Days ${side} `,
      h('input', {
        name: 'event',
        type: 'number',
        step: '1',
        value: threshold,
        change: (/** @type {{ target: HTMLInputElement }} */ { target }) => changed(target.value),
      }),
      ` ${unit()}`,
    ),
  );

/** @param {EventScores[]} records @param {string} what */
function shown(records, what) {
  const told = records.find(({ lead_time_bucket }) => lead_time_bucket === USUAL_LEAD) ?? records[0];
  if (told === undefined) return [empty('No station has a forecast of these days that can be compared.')];
  if (records.every(({ hits, misses, false_alarms }) => hits + misses + false_alarms === 0))
    return [empty(`Of ${counted(told.cases, 'station day')}, none was ${what}, nor forecast so.`)];
  return [
    h('p', { class: 'basis' }, ...sentence(told, what)),
    h(
      'div',
      { class: 'scroll-x', tabindex: '0', role: 'region', 'aria-label': 'Events by lead time' },
      h(
        'table',
        { class: 'events' },
        h('caption', { class: 'visually-hidden' }, `Forecasts of days ${what}, by lead time`),
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, 'Hours before'),
            h('th', { scope: 'col' }, term('pod', 'Detected')),
            h('th', { scope: 'col' }, term('far', 'False alarms')),
            h('th', { scope: 'col' }, term('csi')),
            h('th', { scope: 'col' }, 'Observed'),
          ),
        ),
        h(
          'tbody',
          {},
          ...records.map((each) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, hours(each.lead_time_bucket)),
              rateCell(each.pod, each.pod_low, each.pod_high),
              rateCell(each.far, each.far_low, each.far_high),
              rateCell(each.csi, each.csi_low, each.csi_high),
              h('td', {}, whole(each.hits + each.misses)),
            ),
          ),
        ),
      ),
    ),
  ];
}

/** @param {EventScores} told @param {string} what */
function sentence({ lead_time_bucket, hits, misses, false_alarms, pod, far }, what) {
  const lead = `${bucketWords(lead_time_bucket)} ahead`;
  const seen =
    pod === null
      ? `No station day was ${what}`
      : `Of ${counted(hits + misses, 'station day')} ${what}, ${whole(hits)} ${hits === 1 ? 'was' : 'were'} forecast ${lead} (${percent(pod)})`;
  const false_ones =
    far === null
      ? '; none was forecast.'
      : `; of ${whole(hits + false_alarms)} forecast, ${whole(false_alarms)} did not come (${percent(far)}).`;
  return [h('strong', {}, seen), false_ones];
}

/** A share with its interval, as text and as a line. @param {number | null} value @param {number | null} low @param {number | null} high */
function rateCell(value, low, high) {
  if (value === null) return h('td', {}, '–');
  if (low === null || high === null) return h('td', {}, percent(value));
  const range = h('span', { class: 'range' });
  range.style.left = `${100 * low}%`;
  range.style.width = `${100 * (high - low)}%`;
  const dot = h('span', { class: 'dot' });
  dot.style.left = `${100 * value}%`;
  return h(
    'td',
    {},
    h('span', { class: 'number' }, percent(value)),
    h('span', { class: 'share', 'aria-hidden': 'true' }, range, dot),
    h('span', { class: 'quiet' }, `${percent(low)} to ${percent(high)}`),
  );
}
