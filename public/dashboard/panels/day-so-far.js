/** @import { Hours, Odds, Page, PeakTiming } from '../types.js' */
/** @import Plot from 'uplot' */
import { chart, colours, degreeAxis, keyOf, plainAxis } from './chart.js';
import { h } from '../dom.js';
import { clockTime, number, percent } from '../words.js';

const HOUR_MS = 3_600_000;

/** @typedef {Odds['data'] & { so_far: NonNullable<Odds['data']['so_far']> }} OddsSoFar */

/** Whether these odds start from what has been measured of the day. @param {Odds['data']} data @returns {data is OddsSoFar} */
export const isSoFar = (data) => (data.so_far ?? null) !== null;

/**
 * The day so far: what has been measured of it, the forecast, and the band of what may still come.
 * @param {HTMLElement} place
 * @param {OddsSoFar} data
 * @param {string} metric
 * @param {Pick<Page, 'get'>} page
 */
export async function showDaySoFar(place, data, metric, { get }) {
  const { station_id, so_far, forecast_f, quantiles } = data;
  const { day_begins_at, at, hour, m } = so_far;
  const begins = Date.parse(day_begins_at);
  const [{ data: hours }, timing] = await Promise.all([
    /** @type {Promise<Hours>} */ (
      get('data/hours', { station_id, start_time: day_begins_at, end_time: at })
    ),
    /** @type {Promise<PeakTiming>} */ (get(`accuracy/peak-timing/${station_id}`, { metric })),
  ]);
  const measured = hours.filter(({ temp_f }) => temp_f !== null);
  const after = measured.map((each) => (Date.parse(each.at) - begins) / HOUR_MS);
  const temps = measured.map(({ temp_f }) => temp_f);
  const [now, extreme] = [(Date.parse(at) - begins) / HOUR_MS, metric === 'low' ? 'low' : 'high'];
  const { p05, p25, p75, p95 } = quantiles;
  const reached = timing.data.share_by_hour.find((each) => each.hour === hour)?.share_reached ?? null;
  const drawing = h('div');
  place.replaceChildren(
    h(
      'p',
      { class: 'legend' },
      keyOf('mae', 'measured'),
      ...(forecast_f === null ? [] : [keyOf('below', `forecast of the ${extreme}`)]),
      keyOf('band', `where the ${extreme} may end: 50 % and 90 %`),
    ),
    drawing,
  );
  const shown = [...temps, forecast_f, p05, p95].filter((each) => each !== null);
  /** @type {(plot: Plot) => void} */
  const drawBands = ({ ctx, bbox, valToPos }) => {
    const left = valToPos(now, 'x', true);
    const right = bbox.left + bbox.width;
    ctx.save();
    ctx.fillStyle = colours().band;
    for (const [low, high, opacity] of /** @type {const} */ ([
      [p05, p95, 0.6],
      [p25, p75, 1],
    ])) {
      if (low === null || high === null) continue;
      ctx.globalAlpha = opacity;
      const top = valToPos(high + 0.5, 'y', true);
      ctx.fillRect(left, top, right - left, valToPos(low - 0.5, 'y', true) - top);
    }
    ctx.globalAlpha = 1;
    if (forecast_f !== null) {
      const y = valToPos(forecast_f, 'y', true);
      ctx.strokeStyle = colours().below;
      ctx.lineWidth = 2 * devicePixelRatio;
      ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(right, y);
      ctx.stroke();
    }
    ctx.restore();
  };
  const summary = [
    h('b', {}, m === null ? 'Nothing' : `${m} °F`),
    ` is the ${extreme === 'high' ? 'highest' : 'lowest'} so far, by ${clockTime(at)}.`,
    ...(reached === null ? [] : [` By now the ${extreme} has been reached on ${percent(reached)} of days.`]),
  ];
  chart(
    drawing,
    `The temperatures of the day so far at ${data.city_name}, the forecast, and where the ${extreme} may end. Arrow keys read it report by report.`,
    () => ({
      width: 0,
      height: 0,
      scales: {
        x: { time: false, range: [0, 24] },
        y: { range: () => [Math.min(...shown) - 2, Math.max(...shown) + 2] },
      },
      series: [{}, { stroke: colours().mae, width: 2, points: { show: true, size: 5, fill: colours().mae } }],
      axes: [
        {
          ...plainAxis(),
          incrs: [3, 6],
          values: (_plot, values) => values.map((value) => `${value}:00`),
          label: 'hour of the day at the station',
          labelSize: 20,
          labelFont: '12px system-ui, sans-serif',
        },
        { ...degreeAxis(), values: (_plot, values) => values.map((value) => `${value}`.replace('-', '−')) },
      ],
      hooks: { drawAxes: [drawBands] },
    }),
    [after, temps],
    (index) => {
      const report = index === null ? undefined : measured[index];
      if (report === undefined) return summary;
      return [h('b', {}, clockTime(report.at)), ` ${number(report.temp_f, 1)} °F`];
    },
    { height: 190 },
  );
}
