import { VALUE_FEEDS, type ValueFeed } from '../../feeds/feeds.js';
import { readLines } from '../read/read.js';
import type { RowLocation, RejectedRow } from '../load-report.js';
import { formatDetail, type SuspectRow, quotedCells, getReason } from './suspect-rows.js';
import { checkHours } from './quality-within-day.js';
import { checkDays, checkHourlyForecasts, checkNormals } from './quality-control.js';
import { findReplaced, formatReplaced, type ReplacedValue } from './replaced-values.js';
import {
  AS_UNNAMED,
  type FlaggedRows,
  NO_PROVIDER,
  PAIR_COLUMNS,
  ROW_CHECKS,
} from '../stage/staged-summary.js';
import type { Store } from '../../store/store.js';
import type { LoadTally } from '../load-tally.js';
import type { Staged } from '../stage/staging.js';

/** A row as its file has it. */
interface QuotedRow extends RowLocation {
  text: string;
  cells: Record<string, string>;
}

/** A staged row that is to be read again. */
interface WantedRow {
  feed: ValueFeed;
  row_number: number;
  use: (row: QuotedRow) => void | Promise<void>;
}

/** A warning about some rows of a feed, which quotes the first. */
interface RowWarning {
  feed: ValueFeed;
  row_number: number;
  reason: string;
  rows: number;
  formatDetail: (cells: QuotedRow['cells'], inPlaceOf: string) => string;
}

/** Rows that are far from others and listed: a file in the wrong unit has them all. */
const MAX_LISTED = 100_000;

/**
 * Warns of the staged rows of a load that are suspect; a cell is quoted as its file has it.
 * @param firstProviders of the first load that brought forecasts
 * @param onSuspect receives the rows with a value that is far from others
 */
export async function checkStaged(
  store: Store,
  loadId: number,
  staged: Staged,
  firstProviders: readonly string[],
  onSuspect?: (row: RejectedRow) => Promise<void>,
): Promise<void> {
  const { tally, summary, degrees, units } = staged;
  const suspects = await findSuspects(store, loadId, staged);
  const warnings = [...summary.getFlagged(firstProviders).map(warnOfFlagged), ...suspects.warnings.values()];
  const replaced = await findReplacedByRow(store, loadId, warnings);
  const toQuote = warnings.map(({ feed, row_number, reason, rows, formatDetail }): WantedRow => {
    const use = ({ cells, file, line }: QuotedRow): void => {
      const inPlaceOf = formatReplaced(replaced.get(row_number) ?? [], cells);
      tally.warn(feed, { file, line }, { reason, detail: formatDetail(cells, inPlaceOf) }, rows);
    };
    return { feed, row_number, use };
  });
  const toList = suspects.listed.map((suspect): WantedRow => {
    const { feed, row_number } = suspect;
    const use = async ({ cells, ...row }: QuotedRow): Promise<void> =>
      onSuspect?.({ feed, reason: getReason(suspect), detail: formatDetail(suspect, cells), ...row });
    return { feed, row_number, use };
  });
  await readAgain(onSuspect ? [...toQuote, ...toList] : toQuote, tally);
  degrees.warn(tally);
  units.warn(tally, suspects.rowNumbers);
}

const warnOfFlagged = ({ feed, reason, first_row, rows }: FlaggedRows): RowWarning => ({
  feed,
  row_number: first_row,
  reason,
  rows,
  formatDetail: (cells, inPlaceOf) => {
    const unquoted = reason === NO_PROVIDER ? AS_UNNAMED : `members for ${cells.target_date}`;
    const quoted = quotedCells(ROW_CHECKS[reason]!, cells) || unquoted;
    return reason in PAIR_COLUMNS ? `${quoted}${inPlaceOf}` : quoted;
  },
});

const warnOfSuspect = (suspect: SuspectRow): RowWarning => ({
  feed: suspect.feed,
  row_number: suspect.row_number,
  reason: getReason(suspect),
  rows: 0,
  formatDetail: (cells, inPlaceOf) => `${formatDetail(suspect, cells)}${inPlaceOf}`,
});

/** Groups suspect values, so that a row is told once for a reason: by its high if both its high and its low are suspect. */
class Suspects {
  /** By feed and reason. */
  readonly warnings = new Map<string, RowWarning>();
  readonly listed: SuspectRow[] = [];
  readonly rowNumbers = new Set<number>();

  /** @param suspects of one check: no other check finds one of these rows for the same reason */
  add(suspects: readonly SuspectRow[]): void {
    const known = new Set<string>();
    for (const each of suspects) {
      this.rowNumbers.add(each.row_number);
      const key = `${each.feed} ${getReason(each)}`;
      if (known.has(`${key} ${each.row_number}`)) continue;
      known.add(`${key} ${each.row_number}`);
      const warned = this.warnings.get(key);
      const first = warned && warned.row_number <= each.row_number ? warned : warnOfSuspect(each);
      this.warnings.set(key, { ...first, rows: (warned?.rows ?? 0) + 1 });
      if (this.listed.length < MAX_LISTED) this.listed.push(each);
    }
  }
}

/** The staged values that are far from others. */
async function findSuspects(store: Store, loadId: number, { tally, summary }: Staged): Promise<Suspects> {
  const { spans, facts } = summary;
  const suspects = new Suspects();
  suspects.add(
    tally.outlierMembers.map((member) => ({ feed: 'forecasts', check: 'buddy check of members', ...member })),
  );
  for (const span of spans.days) suspects.add(await checkDays(store, loadId, span, facts));
  for (const span of spans.hours) suspects.add(await checkHours(store, loadId, span));
  for (const span of spans.hourly_forecasts) suspects.add(await checkHourlyForecasts(store, loadId, span));
  if (facts.has('normals')) suspects.add(await checkNormals(store, loadId));
  return suspects;
}

/** The values of the store that the first rows of these warnings replace, by row_number. */
async function findReplacedByRow(
  store: Store,
  loadId: number,
  warnings: readonly RowWarning[],
): Promise<Map<number, ReplacedValue[]>> {
  const replaced = new Map<number, ReplacedValue[]>();
  for (const feed of VALUE_FEEDS) {
    const rowNumbers = warnings.filter((row) => row.feed === feed).map((row) => row.row_number);
    for (const value of await findReplaced(store, loadId, feed, rowNumbers))
      replaced.set(value.row_number, [...(replaced.get(value.row_number) ?? []), value]);
  }
  return replaced;
}

/** Reads rows as their files have them, each file once. */
async function readAgain(wanted: readonly WantedRow[], tally: LoadTally): Promise<void> {
  const files = new Map<string, { feed: ValueFeed; lines: Map<number, WantedRow[]> }>();
  for (const row of wanted) {
    const { file, line } = tally.locationOf(row.row_number);
    const { lines } = files.get(file) ?? { lines: new Map<number, WantedRow[]>() };
    lines.set(line, [...(lines.get(line) ?? []), row]);
    files.set(file, { feed: row.feed, lines });
  }
  for (const [file, { feed, lines }] of files) {
    for await (const quoted of readLines(feed, file, new Set(lines.keys())))
      for (const { use } of lines.get(quoted.line) ?? []) await use({ file, ...quoted });
  }
}
