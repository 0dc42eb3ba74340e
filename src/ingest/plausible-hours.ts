// Whether the temperatures within a day can be true, by the reports around them and by the highs and lows of these days.
// Figures are of 78,000 reports of three airports of New York, with what was observed there.

/** A temperature of a report: its own, or the highest or lowest of the six hours before. */
export interface Reading {
  value_f: number;
  column: 'temp_f' | 'max_6h_f' | 'min_6h_f';
  /** Hours since 1970. */
  at_h: number;
  /** The number of its row in staging; 0 when it is stored. */
  row_number: number;
}

/** The low and the high of a date, forecast or observed. */
export interface DayRange {
  day: number;
  lowest_f: number;
  highest_f: number;
}

/** A staged reading that is hardly true, and the range of those that it is compared with. */
export interface HourDoubt {
  reading: Reading;
  by: 'day' | 'hours around';
  lowest_f: number;
  highest_f: number;
}

/** A reading is hardly so far from all others within three hours: a front has a report on each side. */
const APART_F = 20;
const HOURS_BESIDE = 3;

/** Extremes of six hours were measured within them. */
const HOURS_OF_EXTREMES = 7;

/** No reading is so far from what is usual within a day: in New York at most 31 °F. */
const FAR_F = 36;
const LEAST_AROUND = 12;

/** Beyond the highs and lows of its day and those beside it, forecasts among them: in New York at most 13 °F. */
export const BEYOND_DAY_F = 18;

/** @param readings those of one station, by time @param ranges by day */
export function hourDoubts(readings: readonly Reading[], ranges: ReadonlyMap<number, DayRange>): HourDoubt[] {
  let begin = 0;
  let end = 0;
  return readings.flatMap((reading): HourDoubt[] => {
    while (readings[begin]!.at_h < reading.at_h - 24) begin += 1;
    while (end < readings.length && readings[end]!.at_h <= reading.at_h + 24) end += 1;
    if (reading.row_number === 0) return [];
    const around = readings.slice(begin, end).filter((other) => other !== reading);
    const day = Math.floor(reading.at_h / 24);
    const days = [day - 1, day, day + 1].flatMap((each) => ranges.get(each) ?? []);
    if (days.length > 0) {
      const lowest_f = Math.min(...days.map((each) => each.lowest_f));
      const highest_f = Math.max(...days.map((each) => each.highest_f));
      if (isBeyond(reading, lowest_f, highest_f, BEYOND_DAY_F))
        return [{ reading, by: 'day', lowest_f, highest_f }];
    }
    const before = reading.column === 'temp_f' ? HOURS_BESIDE : HOURS_OF_EXTREMES;
    const beside = sorted(
      around.filter(({ at_h }) => at_h >= reading.at_h - before && at_h <= reading.at_h + HOURS_BESIDE),
    );
    const isAlone =
      beside.length > 0 && beside.every((value_f) => Math.abs(value_f - reading.value_f) >= APART_F);
    const values = sorted(around);
    const [lowest_f = NaN, highest_f = NaN] = [0.1, 0.9].map(
      (share) => values[Math.floor(values.length * share)],
    );
    if (isAlone) return [{ reading, by: 'hours around', lowest_f: beside[0]!, highest_f: beside.at(-1)! }];
    if (values.length < LEAST_AROUND || !isBeyond(reading, lowest_f, highest_f, FAR_F)) return [];
    return [{ reading, by: 'hours around', lowest_f, highest_f }];
  });
}

const isBeyond = ({ value_f }: Reading, lowest_f: number, highest_f: number, by_f: number): boolean =>
  value_f < lowest_f - by_f || value_f > highest_f + by_f;

const sorted = (readings: readonly Reading[]): number[] =>
  readings.map(({ value_f }) => value_f).sort((a, b) => a - b);
