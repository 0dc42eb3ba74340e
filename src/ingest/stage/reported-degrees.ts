import { DEGREE_HUNDREDTHS, NEAR_HUNDREDTHS } from '../../variables/units.js';
import { numberText } from '../../lib/text.js';
import type { LoadTally } from '../load-tally.js';
import { HIGH, LOW } from '../../feeds/feeds.js';
import type { StationFact } from '../../feeds/stations.js';
import type { Cells } from '../read/feed-rows.js';

/**
 * A station without `reported_in` gets a warning from so many rows on: this share is near whole °F, and half of
 * them beside. By chance 20% of values in tenths of °C are near, and 30% in tenths of °F: 18 of 20 once in 26 million.
 */
const ENOUGH_ROWS = 20;
const NEARLY_ALL = 0.9;

/** The observations of a station. */
interface StationRows {
  station: StationFact;
  rows: number;
  first_row: number;
  /** Rows near a whole degree, and those of them that are not whole °F. */
  near: number;
  beside: number;
  /** Rows with a finer value, and the first of them. */
  finer: number;
  first_finer: { row: number; hundredths: number } | undefined;
}

/** Finds out whether the observations of a load come in the degrees in which their stations report them (D63). */
export class ReportedDegrees {
  readonly #stations = new Map<string, StationRows>();

  /** @param station as the load leaves it */
  add(row: number, station: StationFact, cells: Cells): void {
    const said = [cells[HIGH], cells[LOW]].filter((cell) => cell !== undefined && cell !== '');
    if (cells.withdrawn !== undefined || said.length === 0) return;
    let of = this.#stations.get(station.station_id);
    if (of === undefined) {
      of = { station, rows: 0, first_row: row, near: 0, beside: 0, finer: 0, first_finer: undefined };
      this.#stations.set(station.station_id, of);
    }
    of.rows += 1;
    const size = DEGREE_HUNDREDTHS[of.station.reported_in || 'whole_fahrenheit'];
    let isWhole = true;
    let finer: number | undefined;
    for (const cell of said) {
      const hundredths = Math.round(Number(cell) * 100);
      isWhole &&= hundredths % 100 === 0;
      if (distanceToWhole(hundredths, size) > NEAR_HUNDREDTHS) finer ??= hundredths;
    }
    if (finer !== undefined) {
      of.finer += 1;
      of.first_finer ??= { row, hundredths: finer };
    } else {
      of.near += 1;
      if (!isWhole) of.beside += 1;
    }
  }

  warn(tally: LoadTally): void {
    for (const { station, finer, first_finer } of this.#stations.values()) {
      const { station_id, reported_in } = station;
      if (reported_in === '' || first_finer === undefined) continue;
      const { row, hundredths } = first_finer;
      const shown = `${hundredths / 100} °F (${Math.round((hundredths - 3200) / 1.8) / 100} °C) of ${station_id}`;
      const detail = `${shown}, which has reported_in ${reported_in}`;
      const reason = 'finer than the degrees of its station';
      tally.warn('observations', tally.locationOf(row), { reason, detail }, finer);
    }
    const unsaid = [...this.#stations.values()].filter(
      ({ station, rows, near, beside }) =>
        station.reported_in === '' && rows >= ENOUGH_ROWS && near >= NEARLY_ALL * rows && beside >= rows / 2,
    );
    for (const { station, first_row, rows, near } of unsaid.slice(0, 1)) {
      const detail = `${near} of ${rows} rows of ${station.station_id}; stations in all: ${numberText(unsaid.length)}`;
      const reason =
        'whole °F in tenths of °C, read as finer: set reported_in of the station to whole_fahrenheit';
      const all = unsaid.reduce((sum, of) => sum + of.rows, 0);
      tally.note('observations', tally.locationOf(first_row), { reason, detail }, all);
    }
  }
}

/** How far a value of hundredths of a °F is from a whole degree, at which size. */
function distanceToWhole(hundredths: number, size: number): number {
  const above = (((hundredths - 3200) % size) + size) % size;
  return Math.min(above, size - above);
}
