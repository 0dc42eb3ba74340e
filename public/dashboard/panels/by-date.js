/** @import { ByDate, Day, Page } from '../types.js' */
import { addDays, parameters, windowLength } from '../address.js';
import {
  below,
  chart,
  colours,
  degreeAxis,
  fromZero,
  aroundZero,
  keyOf,
  plainAxis,
  zeroLine,
} from './chart.js';
import { byId, h, table } from '../dom.js';
import { charts } from '../libraries.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { biasWords, counted, day, number, pointAt, signed, unit, whole } from '../words.js';

/** Days of more than these are one line of noise; weeks are exact as well. */
const MOST_DAYS = 120;

/**
 * Over many stations, most days have an observation somewhere that is never verified: those are marked, but lightly.
 * @param {Day} record
 */
const isMostlyPreliminary = ({ preliminary_pairs, sample_size }) => preliminary_pairs > sample_size / 2;

/**
 * The status of a day, in words: a day may rest on a few preliminary observations or on nothing else.
 * @param {Day} record
 */
function statusOf({ preliminary_pairs, sample_size }) {
  if (preliminary_pairs === 0) return 'verified';
  const percent = (100 * preliminary_pairs) / sample_size;
  return percent === 100 ? 'preliminary' : `${percent < 1 ? 'under 1' : Math.floor(percent)}% preliminary`;
}

/**
 * The mean absolute error and the bias of each day, or of each week of a long window.
 * @param {HTMLElement} place
 * @param {Page} page
 */
export async function showByDate(place, { question, get, save, signal }) {
  const isWeekly = windowLength(question) > MOST_DAYS;
  const asked = { ...parameters(question), include_preliminary: 'true', group_by: isWeekly ? 'week' : '' };
  const [answer] = await Promise.all([
    /** @type {Promise<ByDate>} */ (get('accuracy/by-date', asked)),
    charts(),
  ]);
  if (signal.aborted) return;
  const { data, metadata } = answer;
  byId('by-date-title').textContent = `Error by ${isWeekly ? 'week' : 'day'}`;
  if (data.length === 0) {
    place.replaceChildren(
      empty('No day of this period has a forecast that can be compared with an observation.'),
    );
    return;
  }
  const step = isWeekly ? 7 : 1;
  // A week begins on Monday, before the window where that begins within it.
  const first = isWeekly ? mondayOf(metadata.period_start) : metadata.period_start;
  const count = Math.ceil((Date.parse(metadata.period_end) - Date.parse(first) + DAY_MS) / DAY_MS / step);
  const dates = Array.from({ length: count }, (_each, index) => addDays(first, step * index));
  const found = new Map(data.map((record) => [record.date, record]));
  const days = dates.map((date) => found.get(date));
  const seconds = dates.map((date) => Date.parse(date) / 1000);
  const name = isWeekly ? 'week' : 'day';
  const nameOf = (/** @type {string} */ date) => (isWeekly ? `Week of ${day(date)}` : day(date));
  const mostly = data.filter(isMostlyPreliminary).length;
  const inPart = data.filter(({ preliminary_pairs }) => preliminary_pairs > 0).length - mostly;
  const errors = h('div');
  const biases = h('div');
  place.replaceChildren(
    h(
      'p',
      { class: 'legend' },
      keyOf('mae', term('mae')),
      mostly > 0 && keyOf('preliminary', term('preliminary'), ` (${counted(mostly, name)})`),
      inPart > 0 && keyOf('in-part', term('preliminary', 'in part'), ` (${counted(inPart, name)})`),
    ),
    errors,
    h('p', { class: 'legend' }, keyOf('bias', term('bias'), ': above 0 too warm, below too cold')),
    biases,
    below(
      table(
        `Error by ${name}, ${unit()}`,
        [isWeekly ? 'Week of' : 'Day', 'MAE', 'Bias', '9 in 10 within', 'Forecasts', 'Observations'],
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
      save(`the ${name}s`, 'accuracy/by-date', () => asked),
    ),
  );
  const reading = (/** @type {number | null} */ index) => {
    const date = index === null ? undefined : dates[index];
    if (index === null || date === undefined) return [pointAt(`a ${name}`)];
    const record = days[index];
    if (record === undefined) return [h('b', {}, nameOf(date)), ' no comparison'];
    const { stats, sample_size } = record;
    return [
      h('b', {}, nameOf(date)),
      ` MAE ${number(stats.mae)} ${unit()} · ${biasWords(stats.mean_error)} · ${whole(sample_size)} forecasts · ${statusOf(record)}`,
    ];
  };
  const last = data.at(-1);
  const ending = last === undefined ? '' : `, last ${nameOf(last.date)} with `;
  const keys = `Arrow keys read it ${name} by ${name}.`;
  chart(
    errors,
    `Line chart of the mean absolute error of ${counted(data.length, name)}${ending}${number(last?.stats.mae ?? null, 1)} ${unit()}. ${keys}`,
    () => options(days, seconds, step, colours().mae, fromZero),
    [seconds, days.map((each) => each?.stats.mae ?? null)],
    reading,
    { height: 170 },
  );
  chart(
    biases,
    `Line chart of the bias of ${counted(data.length, name)}${ending}${signed(last?.stats.mean_error ?? null, 1)} ${unit()}. ${keys}`,
    () => options(days, seconds, step, colours().bias, aroundZero),
    [seconds, days.map((each) => each?.stats.mean_error ?? null)],
    reading,
    { height: 130, readout: false },
  );
}

const DAY_MS = 86_400_000;

/** @param {string} date */
const mondayOf = (date) => addDays(date, -((new Date(date).getUTCDay() + 6) % 7));

/**
 * @param {(Day | undefined)[]} days
 * @param {number[]} seconds since 1970, UTC midnight of each day
 * @param {number} step days from one to the next
 * @param {string} stroke
 * @param {typeof fromZero} range
 * @returns {import('uplot').Options}
 */
function options(days, seconds, step, stroke, range) {
  const few = days.length <= 45;
  /** A day between two without data has no line, so it gets a point. */
  const lonely = days.flatMap((each, index) =>
    each && (few || (!days[index - 1] && !days[index + 1])) ? [index] : [],
  );
  const half = 43_200 * step;
  return {
    width: 0,
    height: 0,
    // A day is a UTC date here, wherever the browser is.
    tzDate: (second) => uPlot.tzDate(new Date(second * 1000), 'Etc/UTC'),
    scales: {
      x: { range: (_plot, from, to) => [from - half, to + half] },
      y: { range },
    },
    series: [
      {},
      { stroke, width: 2, points: { show: true, size: 5, fill: stroke, stroke, filter: () => lonely } },
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
    hooks: { drawClear: [(plot) => shade(plot, days, seconds, half)], drawAxes: [zeroLine] },
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
 * @param {number} half seconds from the middle of one to its end
 */
function shade(plot, days, seconds, half) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = colours().preliminary;
  days.forEach((record, index) => {
    const second = seconds[index];
    if (record === undefined || second === undefined || record.preliminary_pairs === 0) return;
    const left = plot.valToPos(second - half, 'x', true);
    const right = plot.valToPos(second + half, 'x', true);
    const height = isMostlyPreliminary(record) ? bbox.height : 7 * devicePixelRatio;
    ctx.fillRect(left, bbox.top + bbox.height - height, right - left, height);
  });
  ctx.restore();
}
