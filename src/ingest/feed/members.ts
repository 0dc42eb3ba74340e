import { LEAST_MEMBERS, LEVELS, quantileOfMembers } from '../../statistics/quantiles.js';
import { DISTRIBUTION_COLUMNS, type FeedRow } from './columns.js';
import type { FeedRecord } from './read.js';
import { type Cells, forecastAlone, type RowFacts } from './rows.js';
import { Rejection } from './values.js';

// The members of an ensemble, a row each, as one forecast: their mean, and the quantiles of all levels.

const METRICS = ['high_f', 'low_f'] as const;

/** The rows of one forecast so far. */
interface Ensemble {
  /** Its last row. */
  last: Pick<FeedRecord<'forecasts'>, 'line' | 'text'>;
  /** Its members by their numbers in the file. */
  names: number[];
  /** Hundredths of a °F. */
  members: Record<(typeof METRICS)[number], number[]>;
}

/** Collects the rows of a file of members: some 50 bytes a row, because members of one forecast may be far apart. */
export class Members {
  readonly #ensembles = new Map<string, Ensemble>();
  readonly #numbers = new Map<string, number>();

  constructor(private readonly facts: RowFacts) {}

  /** @throws Rejection of a row that is no member, or whose member the forecast has already */
  add(row: FeedRow<'forecasts'>, last: Ensemble['last']): true {
    if (row.member === '') throw new Rejection('missing member', 'name the member, such as 01');
    const cells = forecastAlone(row, this.facts);
    if (cells.withdrawn !== undefined)
      throw new Rejection('withdrawn member', 'withdraw the forecast with --forecasts');
    const key = KEY.map((column) => cells[column]).join();
    let ensemble = this.#ensembles.get(key);
    if (ensemble === undefined)
      this.#ensembles.set(key, (ensemble = { last, names: [], members: { high_f: [], low_f: [] } }));
    const number = this.#numberOf(row.member);
    if (ensemble.names.includes(number)) throw new Rejection('member given twice', `member=${row.member}`);
    ensemble.names.push(number);
    ensemble.last = last;
    for (const metric of METRICS)
      if (cells[metric] !== '') ensemble.members[metric].push(Math.round(100 * Number(cells[metric])));
    return true;
  }

  #numberOf(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) this.#numbers.set(name, (number = this.#numbers.size));
    return number;
  }

  /** The forecasts, each with its last row: its cells, or why it cannot be used. */
  *forecasts(): Generator<{ last: Ensemble['last']; result: Cells | Rejection }> {
    for (const [key, { last, members }] of this.#ensembles) {
      const few = METRICS.find(
        (metric) => members[metric].length > 0 && members[metric].length < LEAST_MEMBERS,
      );
      const result =
        few === undefined
          ? { ...keyCells(key), ...valueCells(members) }
          : new Rejection(`fewer than ${LEAST_MEMBERS} members`, `${few} has ${members[few].length}`);
      yield { last, result };
    }
  }
}

const KEY = ['station_id', 'issued_at', 'target_date', 'provider'] as const;

function keyCells(key: string): Cells {
  const cells = key.split(',');
  return Object.fromEntries(KEY.map((column, at) => [column, cells[at]]));
}

/** The mean of some members and their quantiles. */
function valueCells(members: Ensemble['members']): Cells {
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
