import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useSize } from './page.js';
import { hoursOnAxis, tick, unit } from './words.js';

// Plots are SVG in the colours of the style sheet, so that they follow the scheme, print, and have real text.

export interface Size {
  width: number;
  height: number;
}

export interface Drawing {
  /** Where each value stands, px from the left. */
  at: number[];
  /** Drawn below what follows the pointer. */
  content: ComponentChildren;
}

interface FigureProps {
  /** The values in words, for those who cannot see them. */
  label: string;
  draw: (size: Size) => Drawing;
  /** The line below for a value, or for none. */
  reading: (index: number | undefined) => ComponentChildren;
  /** Drawn over it, such as a canvas. */
  over?: (size: Size) => ComponentChildren;
  class?: string;
}

/** A plot that fills its room. Its values can be read one by one, by pointer or with the arrow keys. */
export function Figure({ label, draw, reading, over, class: name = '' }: FigureProps) {
  const { place, width, height } = useSize<HTMLDivElement>();
  const [index, setIndex] = useState<number>();
  const [isTold, setTold] = useState(false);
  const drawing = width === 0 ? undefined : draw({ width, height });
  const at = drawing?.at ?? [];
  const x = index === undefined ? undefined : at[index];
  const point = (event: PointerEvent): void => {
    const left = event.clientX - (place.current?.getBoundingClientRect().left ?? 0);
    const distances = at.map((each) => Math.abs(each - left));
    setIndex(distances.indexOf(Math.min(...distances)));
  };
  const move = (event: KeyboardEvent): void => {
    const last = at.length - 1;
    const moves: Record<string, number> = {
      ...{ ArrowLeft: (index ?? last + 1) - 1, ArrowRight: (index ?? -1) + 1, Home: 0, End: last },
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setTold(true);
    setIndex(Math.min(last, Math.max(0, to)));
  };
  const leave = (): void => {
    setIndex(undefined);
    setTold(false);
  };
  return (
    <div class={`figure ${name}`}>
      <div
        class="plot"
        ref={place}
        tabIndex={0}
        role="group"
        aria-label={label}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={leave}
        onKeyDown={move}
        onBlur={leave}
      >
        {drawing && (
          <svg {...{ width, height }} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
            {drawing.content}
            {x !== undefined && <path class="cursor" d={`M${x} 0V${height - FOOT}`} />}
          </svg>
        )}
        {drawing && over?.({ width, height })}
      </div>
      <p class="readout" aria-live={isTold ? 'polite' : 'off'}>
        {reading(index)}
      </p>
    </div>
  );
}

/** The invitation to read a plot. */
export const pointAt = (what: string): string =>
  `${matchMedia('(pointer: coarse)').matches ? 'Tap' : 'Point at'} ${what} for its numbers.`;

/** Room for the labels of an axis, px: at the left, and below with and without a title. */
export const LEFT = 44;
export const FOOT = 24;
export const TITLED_FOOT = 42;

/** Room above the highest value, px: a label of it fits. */
export const TOP = 20;

export type Scale = (value: number) => number;

/** The straight line that leads from one range to another. */
export const scaleOf =
  ([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale =>
  (value) =>
    start + ((value - from) / (to - from || 1)) * (end - start);

/** Round numbers between two, at most so many. */
export function ticksOf(low: number, high: number, most: number): number[] {
  const least = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= least * 0.999) ?? 10) * power;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_each, index) => (first + index) * step);
}

/** The range of values in degrees, with a little room: zero is always in it. */
export function rangeOf(values: Iterable<number | null | undefined>, least = 0.5): [number, number] {
  const known = [...values].filter((each) => typeof each === 'number');
  const [low, high] = [Math.min(0, ...known), Math.max(0, ...known)];
  const room = Math.max(0.04 * (high - low), (least - (high - low)) / 2);
  return [low < 0 ? low - room : 0, high + room];
}

interface GridProps {
  y: Scale;
  ticks: number[];
  width: number;
  left?: number;
  format?: (value: number) => string;
}

/** The vertical axis: a line for each tick with its label, a stronger one at zero. */
export const Grid = ({ y, ticks, width, left = LEFT, format }: GridProps) => (
  <g class="grid">
    {ticks.map((value, index) => {
      // The unit once, at the top.
      const text = format?.(value) ?? tick(value) + (index === ticks.length - 1 ? ` ${unit()}` : '');
      return (
        <>
          <path class={value === 0 ? 'zero' : ''} d={`M${left} ${Math.round(y(value)) + 0.5}H${width}`} />
          <text x={left - 6} y={y(value)} dy="0.34em" text-anchor="end">
            {text}
          </text>
        </>
      );
    })}
  </g>
);

interface FootProps extends Size {
  at: number[];
  labels: string[];
  title?: string;
  left?: number;
}

/** The labels of the horizontal axis; a blank one is left out. */
export const Foot = ({ width, height, at, labels, title, left = LEFT }: FootProps) => (
  <g class="foot">
    {labels.map((label, index) => (
      <text x={at[index]} y={height - (title === undefined ? 7 : 25)} text-anchor="middle">
        {label}
      </text>
    ))}
    {title !== undefined && (
      <text class="title" x={(left + width) / 2} y={height - 6} text-anchor="middle">
        {title}
      </text>
    )}
  </g>
);

/** The middles of so many equal parts of the width. */
export const middles = (count: number, width: number, left = LEFT): number[] =>
  Array.from({ length: count }, (_each, index) => left + ((index + 0.5) * (width - left)) / count);

export const leadLabels = (buckets: string[]): string[] => buckets.map(hoursOnAxis);

/** An interval, with an edge that keeps it visible on a bar and above it. */
export function Whisker({
  x,
  y,
  low,
  high,
}: {
  x: number;
  y: Scale;
  low: number | null;
  high: number | null;
}) {
  if (low === null || high === null) return null;
  const [bottom, top] = [y(low), y(high)];
  const d = `M${x} ${bottom}V${top}M${x - 5} ${bottom}h10M${x - 5} ${top}h10`;
  return (
    <>
      <path class="whisker-edge" d={d} />
      <path class="whisker" d={d} />
    </>
  );
}

/** A bar from zero with round shoulders. */
export const Bar = (bar: { x: number; y: number; width: number; height: number; class: string }) => (
  <rect {...bar} width={Math.max(1, bar.width)} height={Math.max(0, bar.height)} rx="2" />
);

/** A value of a lead time, with its interval. */
export interface LeadDot {
  bucket: string;
  value: number | null;
  low: number | null;
  high: number | null;
}

/** Dots with intervals on either side of zero, over the middles of their lead times. */
export function Dots({
  dots,
  at,
  y,
  class: name,
}: {
  dots: LeadDot[];
  at: number[];
  y: Scale;
  class: string;
}) {
  return (
    <>
      {dots.map(({ value, low, high }, index) => (
        <>
          <Whisker x={at[index] ?? 0} {...{ y, low, high }} />
          {value !== null && <circle class={`dot ${name}`} cx={at[index]} cy={y(value)} r="5" />}
        </>
      ))}
    </>
  );
}

/** The ends of dots and of their intervals. */
export const endsOf = (dots: LeadDot[]): (number | null)[] =>
  dots.flatMap(({ value, low, high }) => [value, low, high]);
