import { h, styleOf } from '../dom.js';
import { hoursOnAxis, unit } from '../words.js';

/** @import Plot from 'uplot' */

const HEIGHT = 230;
const FONT = '12px system-ui, sans-serif';

/** Colours of a chart, as the style sheet has them for light or dark. */
export const colours = () => ({
  text: styleOf('--quiet'),
  grid: styleOf('--line'),
  zero: styleOf('--strong-line'),
  mae: styleOf('--mae'),
  bias: styleOf('--bias'),
  preliminary: styleOf('--preliminary'),
  surface: styleOf('--surface'),
  whisker: styleOf('--text'),
  below: styleOf('--strong-line'),
  band: styleOf('--accent-soft'),
});

/** @returns {Plot.Axis} an axis in degrees */
export function degreeAxis() {
  const { text, grid } = colours();
  return {
    stroke: text,
    font: FONT,
    size: 48,
    gap: 4,
    space: 24,
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
    // The unit once, at the top.
    values: (_plot, values) =>
      values.map(
        (value, index) =>
          String(value).replace('-', '\u2212') + (index === values.length - 1 ? ` ${unit()}` : ''),
      ),
  };
}

/** @returns {Plot.Axis} an axis of shares, 0 to 1 */
export const shareAxis = () => ({
  ...degreeAxis(),
  values: (_plot, values) => values.map((value) => `${Math.round(value * 100)} %`),
});

/** @returns {Plot.Axis} */
export function plainAxis() {
  const { text, grid } = colours();
  return {
    stroke: text,
    font: FONT,
    grid: { show: false },
    ticks: { stroke: grid, width: 1, size: 4 },
    size: 40,
  };
}

/**
 * An axis of lead times, one for each whole number from 0.
 * @param {string[]} buckets
 * @returns {Plot.Axis}
 */
export const leadAxis = (buckets) => ({
  ...plainAxis(),
  ticks: { show: false },
  splits: () => buckets.map((_bucket, index) => index),
  values: (_plot, splits) => splits.map((index) => hoursOnAxis(buckets[index] ?? '')),
  label: 'hours before the day begins',
  labelSize: 20,
  labelFont: '12px system-ui, sans-serif',
  size: 24,
});

/**
 * Bars.
 * @param {string} colour
 * @param {number} width share of the room of each
 * @returns {Plot.Series}
 */
export const bars = (colour, width) => ({
  fill: colour,
  stroke: colour,
  width: 0,
  points: { show: false },
  ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [width, 72], radius: 0.06 }) }),
});

/**
 * Draws the interval of each whole number from 0, with an edge that keeps it visible on a bar and above it.
 * @param {Plot} plot
 * @param {readonly { low: number | null, high: number | null }[]} intervals
 */
export function whiskers(plot, intervals) {
  const { ctx } = plot;
  const { surface, whisker } = colours();
  const arm = 5 * devicePixelRatio;
  ctx.save();
  for (const [stroke, width] of /** @type {const} */ ([
    [surface, 4.5],
    [whisker, 1.75],
  ])) {
    ctx.strokeStyle = stroke;
    ctx.lineWidth = width * devicePixelRatio;
    ctx.lineCap = 'square';
    ctx.beginPath();
    intervals.forEach(({ low, high }, index) => {
      if (low === null || high === null) return;
      const x = plot.valToPos(index, 'x', true);
      const [bottom, top] = [plot.valToPos(low, 'y', true), plot.valToPos(high, 'y', true)];
      ctx.moveTo(x, bottom);
      ctx.lineTo(x, top);
      for (const end of [bottom, top]) {
        ctx.moveTo(x - arm, end);
        ctx.lineTo(x + arm, end);
      }
    });
    ctx.stroke();
  }
  ctx.restore();
}

/**
 * The range of a scale in degrees: zero is always in it, with room above the rest.
 * @param {number | null} low
 * @param {number | null} high
 * @param {number} top that it has at least
 * @returns {[number, number]}
 */
function withZero(low, high, top) {
  const [least, most] = [Math.min(0, low ?? 0), Math.max(top, high ?? 0)];
  const room = (most - least) * 0.12;
  return [least < 0 ? least - room : 0, most + room];
}

/** @typedef {(plot: Plot, low: number | null, high: number | null) => [number, number]} Range */

/** The range of errors. @type {Range} */
export const fromZero = (_plot, low, high) => withZero(low, high, 0.5);

/** The range of biases, which may all be near zero. @type {Range} */
export const aroundZero = (_plot, low, high) => withZero(low, high, 0.1);

/**
 * Draws a line at zero, above the grid and below the data.
 * @param {Plot} plot
 */
export function zeroLine({ ctx, bbox, valToPos }) {
  ctx.save();
  ctx.strokeStyle = colours().zero;
  ctx.lineWidth = devicePixelRatio;
  const y = Math.round(valToPos(0, 'y', true));
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}

/** @type {Map<HTMLElement, { draw: () => void, stop: () => void }>} */
const drawn = new Map();

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const { draw } of drawn.values()) draw();
});

/**
 * Puts a chart into a place, in the place of the one before. Its values can be read one by one, by pointer or with the
 * arrow keys, in the line above it.
 * @param {HTMLElement} place
 * @param {string} label what the chart shows, for those who cannot see it
 * @param {() => Plot.Options} options made anew when the colours change; without width and height
 * @param {Plot.AlignedData} data
 * @param {(index: number | null) => (Node | string)[]} reading what the line says of a point, or without one
 * @param {{ height?: number, readout?: boolean }} [size] whether the line is there before a point is chosen
 */
export function chart(
  place,
  label,
  options,
  data,
  reading,
  { height = HEIGHT, readout: isShown = true } = {},
) {
  drawn.get(place)?.stop();
  const readout = h('p', { class: 'readout', 'aria-live': 'off' });
  const show = (/** @type {number | null} */ index) =>
    readout.replaceChildren(...(index === null && !isShown ? ['\u00a0'] : reading(index)));
  show(null);
  const canvas = h('div', { class: 'chart', tabindex: 0, role: 'group', 'aria-label': label });
  place.replaceChildren(readout, canvas);
  const last = (data[0]?.length ?? 0) - 1;
  /** @type {Plot | undefined} */
  let plot;
  const draw = () => {
    plot?.destroy();
    plot = new uPlot(
      {
        legend: { show: false },
        ...options(),
        width: canvas.clientWidth || 300,
        height,
        cursor: { drag: { x: false, y: false, setScale: false }, y: false, points: { size: 8 } },
        hooks: {
          ...options().hooks,
          setCursor: [({ cursor }) => show(cursor.idx ?? null)],
        },
      },
      data,
      canvas,
    );
  };
  /** @param {number} index */
  const pointAt = (index) => {
    if (plot === undefined) return;
    const left = plot.valToPos(data[0]?.[index] ?? 0, 'x');
    plot.setCursor({ left, top: 0 });
  };
  canvas.addEventListener('keydown', (event) => {
    const now = plot?.cursor.idx ?? undefined;
    /** @type {Record<string, number>} */
    const moves = { ArrowLeft: (now ?? last + 1) - 1, ArrowRight: (now ?? -1) + 1, Home: 0, End: last };
    const index = moves[event.key];
    if (index === undefined) return;
    event.preventDefault();
    readout.setAttribute('aria-live', 'polite');
    pointAt(Math.min(last, Math.max(0, index)));
  });
  canvas.addEventListener('blur', () => {
    readout.setAttribute('aria-live', 'off');
    plot?.setCursor({ left: -10, top: -10 });
  });
  const resized = new ResizeObserver(() => {
    if (plot !== undefined && canvas.clientWidth > 0 && plot.width !== canvas.clientWidth) {
      plot.setSize({ width: canvas.clientWidth, height });
    }
  });
  draw();
  resized.observe(canvas);
  drawn.set(place, {
    draw,
    stop: () => {
      resized.disconnect();
      plot?.destroy();
    },
  });
}

/**
 * The meaning of a colour.
 * @param {string} name of its class, key-NAME
 * @param {(Node | string)[]} words
 */
export const keyOf = (name, ...words) =>
  h('span', {}, h('span', { class: `key key-${name}` }), h('span', {}, ...words));

/**
 * The data of a chart as a table, folded away, and a button that saves them.
 * @param {HTMLElement} whole the table
 * @param {HTMLElement} save
 */
export const below = (whole, save) =>
  h(
    'div',
    { class: 'below' },
    h(
      'details',
      {},
      h('summary', {}, 'Show as a table'),
      h(
        'div',
        {
          class: 'scroll',
          tabindex: 0,
          role: 'region',
          'aria-label': whole.querySelector('caption')?.textContent,
        },
        whole,
      ),
    ),
    save,
  );
