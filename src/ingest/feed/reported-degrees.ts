import { DEGREE_HUNDREDTHS, NEAR_HUNDREDTHS } from '../../statistics/units.js';
import { numberText } from '../../text.js';
import type { StationFact } from './columns.js';
import type { ReasonCount, RowLocation } from './report.js';

/**
 * A station that says nothing of its degrees is told of from so many values on, if this share is near a whole °F, and half
 * of them beside it. By chance 20 % of tenths of °C are near one, and 30 % of tenths of °F: 18 of 20 once in 26 million.
 */
const ENOUGH_VALUES = 20;
const NEARLY_ALL = 0.9;

/** How far a temperature is from the nearest degree of a size, hundredths of a °F. */
function distance(hundredths: number, degree: number): number {
  const beyond = Math.abs(hundredths - 3200) % degree;
  return Math.min(beyond, degree - beyond);
}

/** Whether the observations of a load come in the degrees in which their stations report them (D64). */
export class ReportedDegrees {
  /** The rows and values of stations that do not say, and how many of these are near a whole °F, and beside it. */
  readonly #unsaid = new Map<
    string,
    { first: RowLocation; rows: number; values: number; near: number; beside: number }
  >();

  /**
   * Takes the temperatures of an observation, °F as text, blank for none.
   * @returns the detail of a warning, where one of them is finer than what the station says
   */
  take({ station_id, reported_in }: StationFact, first: RowLocation, texts: string[]): string | undefined {
    const values = texts.filter((text) => text !== '').map((text) => Math.round(Number(text) * 100));
    if (reported_in !== '') {
      const finer = values.find((each) => distance(each, DEGREE_HUNDREDTHS[reported_in]) > NEAR_HUNDREDTHS);
      if (finer === undefined) return undefined;
      const celsius = Math.round((finer - 3200) / 1.8) / 100;
      return `${finer / 100} °F (${celsius} °C) of ${station_id}, which has reported_in ${reported_in}`;
    }
    let said = this.#unsaid.get(station_id);
    if (said === undefined)
      this.#unsaid.set(station_id, (said = { first, rows: 0, values: 0, near: 0, beside: 0 }));
    said.rows += 1;
    for (const each of values) {
      const off = distance(each, DEGREE_HUNDREDTHS.whole_fahrenheit);
      said.values += 1;
      if (off <= NEAR_HUNDREDTHS) said.near += 1;
      if (off <= NEAR_HUNDREDTHS && off > 0) said.beside += 1;
    }
    return undefined;
  }

  /** What stations should say, whose values are whole °F in tenths of °C. */
  notes(): ReasonCount[] {
    const found = [...this.#unsaid].filter(
      ([, { values, near, beside }]) =>
        values >= ENOUGH_VALUES && near >= NEARLY_ALL * values && beside >= values / 2,
    );
    const [one] = found;
    if (one === undefined) return [];
    const [station_id, { first, values, near }] = one;
    const detail = `${near} of ${values} values of ${station_id}; stations in all: ${numberText(found.length)}`;
    return [
      {
        feed: 'observations',
        reason: 'whole °F in tenths of °C, read as finer: set reported_in of the station to whole_fahrenheit',
        rows: found.reduce((sum, [, { rows }]) => sum + rows, 0),
        first: { ...first, detail },
      },
    ];
  }
}
