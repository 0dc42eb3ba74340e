import { aroundZero, chart, degreeAxis, leadAxis, whiskers, zeroLine } from './chart.js';

/** A value of a lead time, with its interval. @typedef {{ bucket: string, value: number | null, low: number | null, high: number | null }} LeadDot */

/**
 * Values of lead times that may be on either side of zero: dots with their intervals.
 * @param {HTMLElement} place
 * @param {string} label
 * @param {readonly LeadDot[]} dots
 * @param {() => string} colour asked again when the colours change
 * @param {Parameters<typeof chart>[4]} reading
 * @param {Parameters<typeof chart>[5]} [size]
 */
export function dotsByLead(place, label, dots, colour, reading, size) {
  const ends = dots.flatMap(({ low, high }) => [low ?? 0, high ?? 0]);
  chart(
    place,
    label,
    () => ({
      width: 0,
      height: 0,
      scales: {
        x: { time: false, range: [-0.6, dots.length - 0.4] },
        y: {
          range: (plot, low, high) =>
            aroundZero(plot, Math.min(low ?? 0, ...ends), Math.max(high ?? 0, ...ends)),
        },
      },
      series: [
        {},
        {
          stroke: colour(),
          width: 0,
          paths: () => null,
          points: { show: true, size: 10, fill: colour() },
        },
      ],
      axes: [leadAxis(dots.map(({ bucket }) => bucket)), degreeAxis()],
      hooks: { drawClear: [zeroLine], drawAxes: [(plot) => whiskers(plot, dots)] },
    }),
    [dots.map((_dot, index) => index), dots.map(({ value }) => value)],
    reading,
    size,
  );
}
