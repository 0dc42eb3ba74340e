import type uPlotOf from 'uplot';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiFault } from '../api.js';

let loading: Promise<typeof uPlotOf> | undefined;

/** The library of long lines, which weighs more than the page: the first numbers do not wait for it. */
export function lines(): Promise<typeof uPlotOf> {
  loading ??= import('uplot').then(
    (library) => library.default,
    () => {
      loading = undefined;
      throw new ApiFault('OUTDATED');
    },
  );
  return loading;
}

const dark = matchMedia('(prefers-color-scheme: dark)');

interface LineProps {
  library: typeof uPlotOf;
  values: (number | null)[];
  /** The places of the first and of the last value, px. */
  from: number;
  to: number;
  top: number;
  foot: number;
  range: readonly [number, number];
  /** A class with a colour. */
  class: string;
}

/** A line through many values, drawn on a canvas over the axes of a figure. */
export function Line({ library, values, from, to, top, foot, range, class: name }: LineProps) {
  const place = useRef<HTMLDivElement>(null);
  const [scheme, setScheme] = useState(dark.matches);
  useEffect(() => {
    const changed = (): void => setScheme(dark.matches);
    dark.addEventListener('change', changed);
    return () => dark.removeEventListener('change', changed);
  }, []);
  const isFew = values.length <= 45;
  /** A value between two missing ones has no line, so it gets a point. */
  const points = values.flatMap((value, at) =>
    value !== null && (isFew || (values[at - 1] ?? values[at + 1] ?? null) === null) ? [at] : [],
  );
  useLayoutEffect(() => {
    if (place.current === null) return undefined;
    const stroke = getComputedStyle(place.current).color;
    const plot = new library(
      {
        ...{
          width: Math.max(1, to - from),
          height: foot - top,
          padding: [0, 0, 0, 0],
          legend: { show: false },
        },
        cursor: { show: false },
        scales: { x: { time: false, range: [0, Math.max(1, values.length - 1)] }, y: { range: [...range] } },
        axes: [{ show: false }, { show: false }],
        series: [
          {},
          { stroke, width: 2, points: { show: true, size: 5, fill: stroke, stroke, filter: () => points } },
        ],
      },
      [values.map((_value, at) => at), values],
      place.current,
    );
    return () => plot.destroy();
  }, [scheme, from, to, foot - top, String(range), values]);
  return <div class={`line ${name}`} ref={place} style={{ left: `${from}px`, top: `${top}px` }} />;
}
