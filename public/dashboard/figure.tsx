import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Stats } from '../../clients/typescript/src/generated.js';
import type { Interval } from './intervals.js';
import { useSize } from './page.js';
import { score } from './score.js';
import { makeTicks } from './ticks.js';
import { hours, type Maybe, tick, valueUnit } from './words.js';

// Plots are SVG in the colours of the style sheet, so that they follow the scheme, print, and have real text.

/** The straight line that leads from one range to another. */
export type Scale = (value: number) => number;

type Range = readonly [number, number];

const makeScale =
  ([from, to]: Range, [start, end]: Range): Scale =>
  (value) =>
    start + ((value - from) / (to - from || 1)) * (end - start);

/** Where a part of a plot is: its scales, and its edges, px. */
export interface Area {
  x: Scale;
  y: Scale;
  left: number;
  width: number;
  top: number;
  foot: number;
}

export interface Part {
  /** Stands above it, in the colour of a class. */
  name: ComponentChildren;
  class?: string;
  range: Range;
  /** Without: degrees, the unit once at the top. */
  format?: ((value: number) => string) | undefined;
  ticks?: number[];
  draw: (area: Area) => ComponentChildren;
}

/** A head and its text, or a text. */
type Reading = [head: string, text: string] | string;

interface PlotProps {
  /** The values in words, for those who cannot see them. */
  label: string;
  /** So many equal slots, numbered from 0 at their middles; or an axis, and where each value stands on it. */
  across: number | { range: Range; values: number[] };
  /** Labels of the horizontal axis, with their places on it, for slots of a width, px. */
  marks: (slot: number) => [place: number, text: string][];
  title?: string;
  parts: Part[];
  /** The line below, before a value is read. */
  hint?: Reading;
  reading: (index: number) => Reading;
}

/** Room for the labels of the axes and above a part for its name, px. */
const MIN_LEFT = 52;

/** A letter of a label is hardly wider, px. */
const LETTER = 6.5;

const RIGHT = 22;
const HEAD = 24;
const FOOT = 22;
const TITLE = 18;

/** A plot that fills its room. Its values can be read one by one, by pointer or with the arrow keys. */
export function Plot({ label, across, marks, title, parts, hint, reading }: PlotProps) {
  const { place, width, height } = useSize<HTMLDivElement>();
  const [index, setIndex] = useState<number>();
  const [isReadAloud, setReadAloud] = useState(false);
  const isOfSlots = typeof across === 'number';
  const places = isOfSlots ? Array.from({ length: across }, (_each, index) => index) : across.values;
  const each = (height - FOOT - (title === undefined ? 0 : TITLE)) / parts.length;
  const rows = parts.map((part, nth) => {
    const [top, foot] = [
      Math.round(nth * each) + HEAD,
      Math.round((nth + 1) * each) - (nth < parts.length - 1 ? 10 : 0),
    ];
    return { top, foot, labels: labelTicks(part, foot - top) };
  });
  const longest = Math.max(0, ...rows.flatMap(({ labels }) => labels.map(([, text]) => text.length)));
  const left = Math.max(MIN_LEFT, Math.ceil(longest * LETTER) + 8);
  const x = isOfSlots
    ? makeScale([-0.5, across - 0.5], [left, width])
    : makeScale(across.range, [left, width - RIGHT]);
  const areas = rows.map(({ top, foot, labels }, nth) => ({
    ...{ x, y: makeScale(parts[nth]!.range, [foot, top]), left, width, top, foot, labels },
  }));
  const cursor = index === undefined ? undefined : x(places[index]!);
  const point = ({ clientX }: PointerEvent): void => {
    const left = clientX - (place.current?.getBoundingClientRect().left ?? 0);
    const distances = places.map((each) => Math.abs(x(each) - left));
    setIndex(distances.indexOf(Math.min(...distances)));
  };
  const move = (event: KeyboardEvent): void => {
    const last = places.length - 1;
    const [previous, next] = [(index ?? places.length) - 1, (index ?? -1) + 1];
    const moves: Record<string, number> = { ArrowLeft: previous, ArrowRight: next, Home: 0, End: last };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setReadAloud(true);
    setIndex(Math.min(last, Math.max(0, to)));
  };
  const leave = (): void => {
    setIndex(undefined);
    setReadAloud(false);
  };
  const read = index === undefined ? (hint ?? inviteToRead()) : reading(index);
  const listeners = { onPointerMove: point, onPointerDown: point, onPointerLeave: leave, onBlur: leave };
  return (
    <div class="figure">
      <div
        {...{ ref: place, class: `plot parts-${parts.length}`, tabIndex: 0, role: 'group' }}
        {...listeners}
        aria-label={label}
        onKeyDown={move}
      >
        {width > 0 && (
          <svg {...{ width, height }} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
            {areas.map((area, nth) => (
              <Area {...area} {...parts[nth]!} />
            ))}
            {cursor !== undefined && <path class="cursor" d={`M${cursor} 0V${areas.at(-1)?.foot}`} />}
            {marks(x(1) - x(0)).map(([at, text]) => (
              <text
                // A label of the last slot may be wider than that.
                x={Math.min(x(at), width - (text.length * LETTER) / 2)}
                {...{ y: (areas.at(-1)?.foot ?? 0) + 16, 'text-anchor': 'middle' }}
              >
                {text}
              </text>
            ))}
            {title && (
              <text {...{ x: (left + width) / 2, y: height - 5, 'text-anchor': 'middle' }}>{title}</text>
            )}
          </svg>
        )}
      </div>
      <p class="readout" aria-live={isReadAloud ? 'polite' : 'off'}>
        {typeof read === 'string' ? read : [<b>{read[0]}</b>, ' ', read[1]]}
      </p>
    </div>
  );
}

type Label = [value: number, text: string];

/** The ticks of a part so high, px, with their labels. */
function labelTicks({ range: [low, high], ticks: given, format }: Part, height: number): Label[] {
  const ticks = given ?? makeTicks(low, high, Math.max(2, height / 40));
  return ticks.map((value, nth) => [
    value,
    format?.(value) ?? tick(value) + (nth === ticks.length - 1 ? ` ${valueUnit()}` : ''),
  ]);
}

/** A part of a plot: a line for each tick, its name, and its values. */
function Area({ name, class: colour = '', draw, labels, ...props }: Area & Part & { labels: Label[] }) {
  const { y, left, width, top } = props;
  return (
    <>
      {labels.map(([value, text]) => (
        <g class="grid">
          <path class={value === 0 ? 'zero' : ''} d={`M${left} ${Math.round(y(value)) + 0.5}H${width}`} />
          <text {...{ x: left - 6, y: y(value), dy: '0.34em', 'text-anchor': 'end' }}>{text}</text>
        </g>
      ))}
      {draw(props)}
      <text {...{ class: `direct ${colour}`, x: width, y: top - 9, 'text-anchor': 'end' }}>{name}</text>
    </>
  );
}

/** Whether the page is read with a finger. */
export const isCoarse = (): boolean => matchMedia('(pointer: coarse)').matches;

/** The invitation to read a plot. */
export const inviteToRead = (): string => `${isCoarse() ? 'Tap' : 'Point'} for numbers.`;

/** The range of values in degrees, with a little room: zero is always in it. */
export function computeRange(values: (number | null | undefined)[], min = 0.5): Range {
  const known = values.filter((each) => typeof each === 'number');
  const [low, high] = [Math.min(0, ...known), Math.max(0, ...known)];
  const room = Math.max(0.04 * (high - low), (min - (high - low)) / 2);
  return [low < 0 ? low - room : 0, high + room];
}

/** The score and the bias of records, one part below the other; without a record a value is missing. */
export function makeParts(
  stats: (Stats | undefined)[],
  bias: string,
  makeDraw: (values: (number | null)[], colour: string) => Part['draw'],
): Part[] {
  const part = (name: string, colour: string, min: number, read: (stats: Stats) => Maybe): Part => {
    const values = stats.map((each) => (each && read(each)) ?? null);
    return { name, class: colour, range: computeRange(values, min), draw: makeDraw(values, colour) };
  };
  const { name, minRange, read, tick: format } = score();
  return [
    { ...part(name, 'mae', minRange, read), format },
    part(bias, 'bias', 2, ({ mean_error }) => mean_error),
  ];
}

/** A value of a lead time, with its interval. */
export interface LeadDot extends Interval {
  bucket: string;
  value: number | null;
}

/** The axis of lead times. */
export const ofLeads = (dots: LeadDot[]) => ({
  across: dots.length,
  title: 'lead time, hours',
  // The title has the unit.
  marks: () => dots.map(({ bucket }, index): [number, string] => [index, hours(bucket).replace(/ h$/, '')]),
});

/** The ends of dots and of their intervals. */
export const getEnds = (dots: LeadDot[]): (number | null)[] =>
  dots.flatMap(({ value, low, high }) => [value, low, high]);

/** An interval, with an edge that keeps it visible on a bar and above it. */
export function Whisker({ x, y, low, high }: Interval & { x: number; y: Scale }) {
  if (low === null || high === null) return null;
  const [bottom, top] = [y(low), y(high)];
  const d = `M${x} ${bottom}V${top}M${x - 5} ${bottom}h10M${x - 5} ${top}h10`;
  return ['whisker edge', 'whisker'].map((name) => <path class={name} d={d} />);
}

/** Dots with intervals on either side of zero, over the middles of their lead times. */
export const Dots = ({
  dots,
  x,
  y,
  class: name,
}: Pick<Area, 'x' | 'y'> & { dots: LeadDot[]; class: string }) =>
  dots.map(({ value, low, high }, index) => [
    <Whisker {...{ x: x(index), y, low, high }} />,
    value !== null && <circle {...{ class: `dot ${name}`, cx: x(index), cy: y(value), r: 5 }} />,
  ]);

/** A bar from the foot of its area to a value. */
export const Bar = ({
  x,
  y,
  width,
  foot,
  class: name,
}: Record<'x' | 'y' | 'width' | 'foot', number> & { class: string }) => (
  <rect {...{ class: name, x: x - width / 2, y, width, height: Math.max(0, foot - y), rx: 2 }} />
);

/** A bar for each value, from the foot, with the value above it and its interval where that is known. */
export const ValueBars = ({
  values,
  format,
  x: toX,
  y,
  foot,
}: Pick<Area, 'x' | 'y' | 'foot'> & {
  values: (Interval & { value: number | null })[];
  format: (value: Maybe) => string;
}) =>
  values.map(({ value, low, high }, index) => {
    const x = toX(index);
    const label = { x, y: y(Math.max(high ?? 0, value ?? 0)) - 6, 'text-anchor': 'middle' } as const;
    return [
      <Bar {...{ x, y: y(value ?? 0), width: Math.min(64, 0.6 * (toX(1) - toX(0))), foot }} class="mae" />,
      <Whisker {...{ x, y, low, high }} />,
      <text {...label} class="value">
        {value === null ? 'none' : format(value)}
      </text>,
    ];
  });

interface LineProps extends Pick<Area, 'x' | 'y'> {
  points: (readonly [place: number, value: number | null])[];
  class: string;
  /** The radius of the dot of each point, px. */
  radius?: (index: number) => number;
}

/** A line through points, each with a dot; a missing value parts it. */
export function Line({ points, x, y, class: name, radius = () => 2.5 }: LineProps) {
  const known = points.flatMap(([at, value], index) =>
    value === null ? [] : [{ index, at: x(at), value: y(value) }],
  );
  const path = known.map(
    ({ index, at, value }, nth) => `${known[nth - 1]?.index === index - 1 ? 'L' : 'M'}${at} ${value}`,
  );
  return [
    <path class={`joined ${name}`} d={path.join('')} />,
    known.map(({ index, at, value }) => (
      <circle {...{ class: `dot ${name}`, cx: at, cy: value, r: radius(index) }} />
    )),
  ];
}
