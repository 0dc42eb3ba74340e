import { DEGREE_HUNDREDTHS, NEAR_HUNDREDTHS } from '../statistics/units.js';
import { numberText } from '../text.js';
import type { StationFact } from './feed/columns.js';
import type { RowLocation } from './feed/report.js';
import type { LoadTally } from './tally.js';

/**
 * A station that says nothing of its degrees is told of from so many rows on, if this share is near whole °F, and half of
 * them beside. By chance 20 % of values in tenths of °C are near, and 30 % in tenths of °F: 18 of 20 once in 26 million.
 */
const ENOUGH_ROWS = 20;
const NEARLY_ALL = 0.9;

/** Whether the observations of a load come in the degrees in which their stations report them (D63). */
export class ReportedDegrees {
  /** Counts of stations without reported_in: all rows, rows near whole °F, and rows near but not whole. */
  readonly #unsaid = new Map<string, { first: RowLocation; rows: number; near: number; beside: number }>();

  constructor(private readonly tally: LoadTally) {}

  /** Takes the temperatures of a row, °F as text or blank, and warns of one that is finer than its station says. */
  take({ station_id, reported_in }: StationFact, first: RowLocation, texts: readonly string[]): void {
    const degree = DEGREE_HUNDREDTHS[reported_in === '' ? 'whole_fahrenheit' : reported_in];
    let finer: number | undefined;
    let isWhole = true;
    for (const text of texts) {
      const hundredths = Math.round(Number(text) * 100); // blank is 0: whole °F
      const beyond = Math.abs(hundredths - 3200) % degree;
      if (text !== '' && Math.min(beyond, degree - beyond) > NEAR_HUNDREDTHS) finer ??= hundredths;
      isWhole &&= hundredths % 100 === 0;
    }
    if (reported_in === '') {
      const said = this.#unsaid.get(station_id) ?? { first, rows: 0, near: 0, beside: 0 };
      if (said.rows === 0) this.#unsaid.set(station_id, said);
      said.rows += 1;
      if (finer === undefined) said.near += 1;
      if (finer === undefined && !isWhole) said.beside += 1;
    } else if (finer !== undefined) {
      const shown = `${finer / 100} °F (${Math.round((finer - 3200) / 1.8) / 100} °C) of ${station_id}`;
      const detail = `${shown}, which has reported_in ${reported_in}`;
      this.tally.warn('observations', first, { reason: 'finer than the degrees of its station', detail });
    }
  }

  /** Notes the stations whose values are whole °F in tenths of °C. */
  note(): void {
    const found = [...this.#unsaid].filter(
      ([, { rows, near, beside }]) => rows >= ENOUGH_ROWS && near >= NEARLY_ALL * rows && beside >= rows / 2,
    );
    const reason =
      'whole °F in tenths of °C, read as finer: set reported_in of the station to whole_fahrenheit';
    for (const [station_id, { first, rows, near }] of found.slice(0, 1)) {
      const detail = `${near} of ${rows} rows of ${station_id}; stations in all: ${numberText(found.length)}`;
      const all = found.reduce((sum, [, of]) => sum + of.rows, 0);
      this.tally.note('observations', first, { reason, detail }, all);
    }
  }
}
