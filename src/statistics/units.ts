/** The units of answers (D43). */
export const UNITS = ['fahrenheit', 'celsius'] as const;
export type Unit = (typeof UNITS)[number];

/** A unit in whole numbers, so that what is counted by degrees of it is exact. */
export interface Scale {
  letter: 'F' | 'C';
  /** Whole numbers of one size: an error of the histograms, and a width, times these. */
  errors: number;
  widths: number;
  /** Where its scale of temperatures begins, hundredths of a °F. */
  zero: number;
}

export const SCALES: Record<Unit, Scale> = {
  fahrenheit: { letter: 'F', errors: 1, widths: 1, zero: 0 },
  celsius: { letter: 'C', errors: 5, widths: 9, zero: 3200 },
};
