/** @import { ByDate, Day } from '../types.js' */
import { addDays } from '../address.js';
import { below, chart, colours, degreeAxis, fromZero, keyOf, plainAxis, zeroLine } from './chart.js';
import { h, table } from '../dom.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { biasWords, counted, day, number, signed, whole } from '../words.js';

/**
 * Over many stations, most days have an observation somewhere that is never verified: those are marked, but lightly.
 * @param {Day} record
 */
const isMostlyPreliminary = ({ preliminary_pairs, sample_size }) => preliminary_pairs > sample_size / 2;

/**
 * What a day is, in words: a day may rest on a few preliminary observations or on nothing else.
 * @param {Day} record
 */
function statusOf({ preliminary_pairs, sample_size }) {
  if (preliminary_pairs === 0) return 'verified';
  const percent = (100 * preliminary_pairs) / sample_size;
  return percent === 100 ? 'preliminary' : `${percent < 1 ? 'under 1' : Math.floor(percent)}% preliminary`;
}

/**
 * @param {HTMLElement} place
 * @param {ByDate} answer
 * @param {HTMLElement} save
 */
export function showByDate(place, { data, metadata }, save) {
  if (data.length === 0) {
    place.replaceChildren(
      empty('No day of this period has a forecast that can be compared with an observation.'),
    );
    return;
  }
  const found = new Map(data.map((record) => [record.date, record]));
  const dates = Array.from({ length: metadata.days_analyzed }, (_each, index) =>
    addDays(metadata.period_start, index),
  );
  const days = dates.map((date) => found.get(date));
  const seconds = dates.map((date) => Date.parse(date) / 1000);
  const mostly = data.filter(isMostlyPreliminary).length;
  const inPart = data.filter(({ preliminary_pairs }) => preliminary_pairs > 0).length - mostly;
  const drawing = h('div');
  place.replaceChildren(
    h(
      'p',
      { class: 'legend' },
      keyOf('mae', term('mae')),
      keyOf('bias', term('bias')),
      mostly > 0 && keyOf('preliminary', term('preliminary'), ` (${counted(mostly, 'day')})`),
      inPart > 0 && keyOf('in-part', term('preliminary', 'in part'), ` (${counted(inPart, 'day')})`),
    ),
    drawing,
    below(
      table(
        'Error by day, °F',
        ['Day', 'MAE', 'Bias', '9 in 10 within', 'Forecasts', 'Observations'],
        [...data]
          .reverse()
          .map((record) => [
            day(record.date),
            number(record.stats.mae),
            signed(record.stats.mean_error),
            number(record.stats.abs_error_p90),
            whole(record.sample_size),
            statusOf(record),
          ]),
      ),
      save,
    ),
  );
  const last = data[data.length - 1];
  const label = `Line chart of mean absolute error and bias on ${counted(data.length, 'day')}${
    last === undefined ? '' : `, last ${day(last.date)} with ${number(last.stats.mae, 1)} °F`
  }. Arrow keys read it day by day.`;
  chart(
    drawing,
    label,
    () => options(days, seconds),
    [
      seconds,
      days.map((each) => each?.stats.mae ?? null),
      days.map((each) => each?.stats.mean_error ?? null),
    ],
    (index) => {
      const date = index === null ? undefined : dates[index];
      if (index === null || date === undefined) return ['Point at a day for its numbers.'];
      const record = days[index];
      if (record === undefined) return [h('b', {}, day(date)), ' no comparison'];
      const { stats, sample_size } = record;
      return [
        h('b', {}, day(date)),
        ` MAE ${number(stats.mae)} °F · ${biasWords(stats.mean_error)} · ${whole(sample_size)} forecasts · ${statusOf(record)}`,
      ];
    },
  );
}

/**
 * @param {(Day | undefined)[]} days
 * @param {number[]} seconds since 1970, UTC midnight of each day
 * @returns {import('uplot').Options}
 */
function options(days, seconds) {
  const { mae, bias } = colours();
  const few = days.length <= 45;
  /** A day between two without data has no line, so it gets a point. */
  const lonely = days.flatMap((each, index) =>
    each && (few || (!days[index - 1] && !days[index + 1])) ? [index] : [],
  );
  /** @param {string} stroke @returns {import('uplot').Series.Points} */
  const points = (stroke) => ({ show: true, size: 5, fill: stroke, stroke, filter: () => lonely });
  return {
    width: 0,
    height: 0,
    // A day is a UTC date here, wherever the browser is.
    tzDate: (second) => uPlot.tzDate(new Date(second * 1000), 'Etc/UTC'),
    scales: {
      x: { range: (_plot, from, to) => [from - 43_200, to + 43_200] },
      y: { range: fromZero },
    },
    series: [
      {},
      { stroke: mae, width: 2, points: points(mae) },
      { stroke: bias, width: 1.5, dash: [5, 3], points: points(bias) },
    ],
    axes: [
      {
        ...plainAxis(),
        space: 70,
        incrs: [1, 2, 7, 14, 28, 61, 91, 182, 365].map((d) => d * 86_400),
        values: axisDates,
      },
      degreeAxis(),
    ],
    hooks: { drawClear: [(plot) => shade(plot, days, seconds)], drawAxes: [zeroLine] },
  };
}

const tickDate = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' });

/** @param {unknown} _plot @param {number[]} splits */
function axisDates(_plot, splits) {
  return splits.map((second, index) => {
    const date = new Date(second * 1000);
    const before = splits[index - 1];
    const newYear =
      before === undefined || new Date(before * 1000).getUTCFullYear() !== date.getUTCFullYear();
    return tickDate.format(date) + (newYear ? `\n${date.getUTCFullYear()}` : '');
  });
}

/**
 * Shades the preliminary days behind the lines; those that are so in part have a mark at the foot.
 * @param {import('uplot')} plot
 * @param {(Day | undefined)[]} days
 * @param {number[]} seconds
 */
function shade(plot, days, seconds) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = colours().preliminary;
  days.forEach((record, index) => {
    const second = seconds[index];
    if (record === undefined || second === undefined || record.preliminary_pairs === 0) return;
    const left = plot.valToPos(second - 43_200, 'x', true);
    const right = plot.valToPos(second + 43_200, 'x', true);
    const height = isMostlyPreliminary(record) ? bbox.height : 7 * devicePixelRatio;
    ctx.fillRect(left, bbox.top + bbox.height - height, right - left, height);
  });
  ctx.restore();
}
