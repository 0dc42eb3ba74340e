import { LEAST_MEMBERS, LEVELS, quantileOfMembers } from '../../statistics/quantiles.js';
import { DISTRIBUTION_COLUMNS, type FeedRow } from './columns.js';
import { type Cells, forecastCells, type RowContext } from './rows.js';
import { Rejection } from './values.js';

// The members of an ensemble, a row each, as one forecast: their mean, and the quantiles of all levels.

const METRICS = ['high_f', 'low_f'] as const;

/** The rows of one forecast so far. */
interface Ensemble {
  /** Its first row, which tells whose it is. */
  key: Cells;
  /** The last line of it. */
  line: number;
  rows: number;
  names: Set<string>;
  /** Hundredths of a °F. */
  members: Record<(typeof METRICS)[number], number[]>;
}

/** Collects the rows of a file of members. */
export class Members {
  readonly #ensembles = new Map<string, Ensemble>();

  /** @throws Rejection of a row that is no member, or whose member the forecast has already */
  add(row: FeedRow<'forecasts'>, line: number, context: RowContext): void {
    if (row.withdrawn !== '')
      throw new Rejection('withdrawn member', 'withdraw the forecast with --forecasts');
    if (row.member === '') throw new Rejection('missing member', 'name the member, such as 01');
    const cells = forecastCells(row, context);
    const key = [cells.station_id, cells.issued_at, cells.target_date, cells.provider].join();
    let ensemble = this.#ensembles.get(key);
    if (ensemble === undefined) {
      const { station_id, issued_at, target_date, provider } = cells;
      const named = { station_id, issued_at, target_date, provider } as Cells;
      const members = { high_f: [], low_f: [] };
      this.#ensembles.set(key, (ensemble = { key: named, line, rows: 0, names: new Set(), members }));
    }
    if (ensemble.names.has(row.member)) throw new Rejection('member given twice', `member=${row.member}`);
    ensemble.names.add(row.member);
    ensemble.line = line;
    ensemble.rows += 1;
    for (const metric of METRICS)
      if (cells[metric] !== '') ensemble.members[metric].push(Math.round(100 * Number(cells[metric])));
  }

  /** The forecasts, each with its last line and how many rows it has, or why it cannot be used. */
  *forecasts(): Generator<
    { line: number; rows: number; cells: Cells } | { line: number; rows: number; rejection: Rejection }
  > {
    for (const { key, line, rows, members } of this.#ensembles.values()) {
      const few = METRICS.find(
        (metric) => members[metric].length > 0 && members[metric].length < LEAST_MEMBERS,
      );
      yield few === undefined
        ? { line, rows, cells: { ...key, ...cellsOf(members) } }
        : {
            line,
            rows,
            rejection: new Rejection(
              `fewer than ${LEAST_MEMBERS} members`,
              `${few} has ${members[few].length}`,
            ),
          };
    }
  }
}

/** The mean and the quantiles of some members as cells. */
function cellsOf(members: Ensemble['members']): Cells {
  const cells: Cells = { high_f: '', low_f: '' };
  for (const metric of METRICS) {
    const sorted = Float64Array.from(members[metric]).sort();
    if (sorted.length === 0) continue;
    cells[metric] = degrees(sorted.reduce((total, each) => total + each, 0) / sorted.length);
    for (const [at, column] of DISTRIBUTION_COLUMNS[metric].quantiles.entries())
      cells[column] = degrees(quantileOfMembers(sorted, LEVELS[at]!));
  }
  return cells;
}

/** Hundredths as text, rounded half away from zero (D9). */
const degrees = (hundredths: number): string =>
  `${(Math.sign(hundredths) * Math.round(Math.abs(hundredths))) / 100}`;
