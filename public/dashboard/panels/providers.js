/** @import { Comparison } from '../types.js' */
import { below, chart, colours, degreeAxis, keyOf, leadAxis, whiskers, zeroLine } from './chart.js';
import { h, table } from '../dom.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { counted, hours, percent, signed, whole } from '../words.js';
import { finding, intervalWords, verdictOf } from './intervals.js';

/** @param {HTMLElement} place */
export function showOneProvider(place) {
  place.replaceChildren(
    empty(
      'All forecasts are of one provider. With a second one, this compares them on the days that both have.',
    ),
  );
}

/**
 * How one provider compares with another by lead time, on the days that both have.
 * @param {HTMLElement} place
 * @param {Comparison} answer of one provider against its reference
 * @param {HTMLElement | undefined} choice of the provider, where there are several
 * @param {HTMLElement} save
 */
export function showProviders(place, { data }, choice, save) {
  const known = data.filter(({ cases }) => cases > 0);
  const [first] = known;
  if (first === undefined) {
    place.replaceChildren(
      ...(choice ? [choice] : []),
      empty('No day of this period has a forecast of both.'),
    );
    return;
  }
  const { provider, reference } = first;
  const buckets = known.map(({ lead_time_bucket }) => lead_time_bucket);
  const values = known.map(({ mae_difference }) => mae_difference.value);
  const ends = known.flatMap(({ mae_difference: { low, high } }) => [low ?? 0, high ?? 0]);
  const drawing = h('div');
  place.replaceChildren(
    ...(choice ? [choice] : []),
    h('p', { class: 'basis' }, h('strong', {}, verdictOf(known))),
    h(
      'p',
      { class: 'legend' },
      keyOf(
        'mae',
        `MAE of ${provider} − MAE of ${reference}, °F: below 0, ${provider} has the smaller error`,
      ),
      keyOf('whisker', term('interval', '95 % interval')),
    ),
    drawing,
    below(
      table(
        `${provider} against ${reference} by lead time, °F, over the same station days`,
        [
          'Hours before the day',
          'MAE difference',
          '95 %',
          `${provider} nearer`,
          `${reference} nearer`,
          'Station days',
        ],
        known.map(({ lead_time_bucket, mae_difference, wins, losses, cases }) => [
          hours(lead_time_bucket),
          signed(mae_difference.value),
          intervalWords(mae_difference, signed) ?? '–',
          percent(wins / cases),
          percent(losses / cases),
          whole(cases),
        ]),
      ),
      save,
    ),
  );
  chart(
    drawing,
    `Difference of the mean absolute error by lead time, ${provider} against ${reference}: ${known
      .map((each) => `${hours(each.lead_time_bucket)}: ${finding(each)}`)
      .join('; ')}. Arrow keys read it one by one.`,
    () => ({
      width: 0,
      height: 0,
      scales: {
        x: { time: false, range: [-0.6, known.length - 0.4] },
        y: { range: () => around(0, [...ends, ...values.map((value) => value ?? 0)]) },
      },
      series: [
        {},
        {
          stroke: colours().mae,
          width: 0,
          paths: () => null,
          points: { show: true, size: 10, fill: colours().mae },
        },
      ],
      axes: [leadAxis(buckets), degreeAxis()],
      hooks: {
        drawClear: [zeroLine],
        drawAxes: [
          (plot) =>
            whiskers(
              plot,
              known.map(({ mae_difference }) => mae_difference),
            ),
        ],
      },
    }),
    [known.map((_each, index) => index), values],
    (index) => {
      const each = index === null ? undefined : known[index];
      if (each === undefined) return ['Point at a lead time for its numbers.'];
      const { wins, losses, cases } = each;
      return [
        h('b', {}, hours(each.lead_time_bucket)),
        ` ${finding(each)} · nearer: ${provider} ${percent(wins / cases)}, ${reference} ${percent(losses / cases)} · ${counted(cases, 'station day')}`,
      ];
    },
  );
}

/**
 * A range that holds values and a middle.
 * @param {number} middle
 * @param {number[]} values
 * @returns {[number, number]}
 */
function around(middle, values) {
  const reach = Math.max(0.1, ...values.map((value) => Math.abs(value - middle))) * 1.15;
  return [middle - reach, middle + reach];
}
