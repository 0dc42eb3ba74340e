import { scaleLinear, scalePoint, scaleUtc } from 'd3-scale';
import { DAY_MS } from '../../statistics/time/calendar.js';
import { sum, tenths } from '../../statistics/statistics.js';

// A chart as SVG that needs nothing else: in a page it is an <img>, and a screen reader finds its title and a table.

/** A point of each line. */
export interface ChartPoint {
  /** A date, or a name that stands under the point. */
  at: string;
  /** The value of each line, in their order; null for a gap. */
  values: readonly (number | null)[];
  /** Its weight where points are put together: its pairs. */
  weight: number;
}

export interface Chart {
  title: string;
  /** The subject: stations, metric, provider, window. */
  subject: string;
  unit: string;
  /** Names of the lines; at most two. */
  lines: readonly string[];
  /** The axis ends here at least. */
  top: number;
  /** Decimals of the table. */
  digits: number;
  points: readonly ChartPoint[];
  /** Whether points are dates, on an axis of time, or names side by side. */
  axis: 'dates' | 'names';
}

const [WIDTH, HEIGHT] = [640, 320];
const PLOT = { left: 44, right: 590, top: 56, bottom: 288 };

/** More points than this are put together: lines of more days are a thicket, and two of 365 have 11 kB. */
const MAX_POINTS = 130;

/** More rows than this of a table nobody listens to. */
const MAX_ROWS = 31;

/** The least distance of two lines of text, pixels. */
const TEXT_HEIGHT = 14;

const STYLE =
  'text{font:12px system-ui,sans-serif;fill:#444}.b{fill:#fff}.t{font-size:14px;font-weight:600;fill:#111}' +
  '.g{stroke:#e4e4e4}.z{stroke:#888}.l0{stroke:#0b6e99}.l1{stroke:#b3541e}.n0{fill:#0b6e99}.n1{fill:#b3541e}' +
  'path{fill:none;stroke-width:2;stroke-linejoin:round}.h{opacity:0}@media(prefers-color-scheme:dark){' +
  'text{fill:#b8bec5}.b{fill:#15181c}.t{fill:#f2f4f6}.g{stroke:#2b3036}.z{stroke:#7a828a}' +
  '.l0{stroke:#5cc1f0}.l1{stroke:#f0a060}.n0{fill:#5cc1f0}.n1{fill:#f0a060}}';

/** The SVG of a chart, at most 15 kB. */
export function chartSvg(chart: Chart): string {
  const { title, unit, lines, axis } = chart;
  const days = Math.ceil(chart.points.length / MAX_POINTS);
  const subject = days > 1 ? `${chart.subject}; each point: ${days} records` : chart.subject;
  const points = days > 1 ? together(chart.points, (_, index) => index - (index % days)) : chart.points;
  const values = points.flatMap((point) => point.values).filter((value) => value !== null);
  const y = scaleLinear(
    [Math.min(0, ...values), Math.max(chart.top, ...values)],
    [PLOT.bottom, PLOT.top],
  ).nice(5);
  const { x, ticks } = axis === 'dates' ? getDates(points) : getNames(points);
  const grid = y
    .ticks(5)
    .map(
      (tick) =>
        `<line class="${tick === 0 ? 'z' : 'g'}" x1="${PLOT.left}" x2="${PLOT.right}" y1="${tenths(y(tick))}" y2="${tenths(y(tick))}"/>` +
        `<text x="${PLOT.left - 6}" y="${tenths(y(tick) + 4)}" text-anchor="end">${tick}</text>`,
    );
  const under = ticks.map(
    ({ at, text }) =>
      `<text x="${tenths(at)}" y="${PLOT.bottom + 20}" text-anchor="middle">${escaped(text)}</text>`,
  );
  const drawn = lines.map((_, line) => {
    const places = points.map(({ at, values }) => ({ x: x(at), value: values[line] ?? null }));
    const dots = axis === 'names' || places.length === 1 ? places.filter(({ value }) => value !== null) : [];
    return (
      `<path class="l${line}" d="${makePath(places.map((each) => ({ ...each, y: y(each.value ?? 0) })))}"/>` +
      dots
        .map(
          (dot) => `<circle class="n${line}" cx="${tenths(dot.x)}" cy="${tenths(y(dot.value ?? 0))}" r="4"/>`,
        )
        .join('')
    );
  });
  const names = gapBetween(
    lines.map((name, line) => ({
      name,
      line,
      y: y(points.findLast(({ values }) => values[line] !== null)?.values[line] ?? 0),
    })),
  ).map(
    ({ name, line, y: at }) =>
      `<text class="n${line}" x="${PLOT.right + 6}" y="${tenths(at + 4)}">${escaped(name)}</text>`,
  );
  const empty = `<text x="${WIDTH / 2}" y="${HEIGHT / 2}" text-anchor="middle">No pairs in this window</text>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="group" aria-labelledby="t d">` +
    `<title id="t">${escaped(title)}</title><desc id="d">${escaped(`${subject}. ${lines.join(' and ')} in ${unit}.`)}</desc>` +
    `<style>${STYLE}</style><g aria-hidden="true"><rect class="b" width="${WIDTH}" height="${HEIGHT}"/>` +
    `<text class="t" x="12" y="22">${escaped(`${title}, ${unit}`)}</text><text x="12" y="40">${escaped(subject)}</text>` +
    (points.length === 0 ? empty : [...grid, ...under, ...drawn, ...names].join('')) +
    `</g>${makeTable(chart)}</svg>`
  );
}

/** The axis of time. */
function getDates(points: readonly ChartPoint[]) {
  const days = points.map(({ at }) => new Date(at));
  const scale = scaleUtc([days[0] ?? 0, days.at(-1) ?? 1], [PLOT.left + 4, PLOT.right - 4]);
  const isOfMonths = Number(days.at(-1)) - Number(days[0]) > MAX_POINTS * DAY_MS;
  const names = new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    month: 'short',
    ...(isOfMonths ? { year: 'numeric' } : { day: 'numeric' }),
  });
  const ticks = scale
    .ticks(Math.min(6, points.length))
    .map((tick) => ({ at: scale(tick), text: names.format(tick) }));
  return { x: (at: string) => scale(new Date(at)), ticks };
}

/** Names side by side. */
function getNames(points: readonly ChartPoint[]) {
  const names = points.map(({ at }) => at);
  const scale = scalePoint(names, [PLOT.left, PLOT.right]).padding(0.5);
  const x = (at: string): number => scale(at) ?? PLOT.left;
  return { x, ticks: names.map((name) => ({ at: x(name), text: name })) };
}

/** The path through places, with a gap where there is no value. */
function makePath(places: readonly { x: number; y: number; value: number | null }[]): string {
  let command = 'M';
  return places
    .map(({ x, y, value }) => {
      const drawn = value === null ? '' : `${command}${tenths(x)} ${tenths(y)}`;
      command = value === null ? 'M' : 'L';
      return drawn;
    })
    .join('');
}

/** Names at the ends of lines, no two of them on one another. */
function gapBetween<Name extends { y: number }>(names: readonly Name[]): Name[] {
  const [first, second, ...others] = [...names].sort((a, b) => a.y - b.y);
  if (first === undefined || second === undefined) return [...names];
  const lacking = Math.max(0, TEXT_HEIGHT - (second.y - first.y)) / 2;
  return [{ ...first, y: first.y - lacking }, { ...second, y: second.y + lacking }, ...others];
}

/** The weighted means of points that share a key. */
function together(
  points: readonly ChartPoint[],
  getKey: (point: ChartPoint, index: number) => unknown,
): ChartPoint[] {
  const groups = new Map<unknown, ChartPoint[]>();
  for (const [index, point] of points.entries()) {
    const key = getKey(point, index);
    groups.set(key, [...(groups.get(key) ?? []), point]);
  }
  return [...groups.values()].map((group) => ({
    at: group[0]!.at,
    weight: sum(group.map(({ weight }) => weight)),
    values: group[0]!.values.map((_, line) => weightedMean(group, line)),
  }));
}

function weightedMean(points: readonly ChartPoint[], line: number): number | null {
  const found = points.filter(({ values }) => values[line] !== null);
  const weight = sum(found.map((point) => point.weight));
  return weight === 0 ? null : sum(found.map((point) => point.weight * (point.values[line] ?? 0))) / weight;
}

/** The periods of a table, with the characters of a date that name one. */
const PERIODS = [
  { head: 'Date', length: 10 },
  { head: 'Month', length: 7 },
  { head: 'Year', length: 4 },
];

/** The table that a screen reader reads: each point or, where these are many days, each month or year. */
function makeTable({ axis, lines, points, unit, digits }: Chart): string {
  const tables = PERIODS.map(({ head, length }) => {
    const getKey = ({ at }: ChartPoint): string => at.slice(0, length);
    return { head, rows: together(points, getKey).map((point) => ({ ...point, at: getKey(point) })) };
  });
  const { head, rows } =
    axis === 'names'
      ? { head: 'Lead time', rows: points }
      : (tables.find((table) => table.rows.length <= MAX_ROWS) ?? tables.at(-1)!);
  const row = (role: string, texts: readonly string[]): string =>
    `<g role="row">${texts.map((text) => `<text role="${role}">${escaped(text)}</text>`).join('')}</g>`;
  return (
    `<g role="table" class="h">${row('columnheader', [head, ...lines.map((name) => `${name}, ${unit}`)])}` +
    rows
      .map(({ at, values }) => row('cell', [at, ...values.map((value) => value?.toFixed(digits) ?? '-')]))
      .join('') +
    '</g>'
  );
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!);
