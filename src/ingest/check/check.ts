import { VALUE_FEEDS, type ValueFeed } from '../../feeds/columns.js';
import { readLines } from '../read/read.js';
import type { RowLocation, RejectedRow } from '../load-report.js';
import { formatDetail, type SuspectRow, quotedCells, getReason } from './suspect-rows.js';
import { checkHours } from './quality-within-day.js';
import { checkDays, checkHourlyForecasts, checkNormals } from './quality-control.js';
import { findReplaced, formatReplaced, type ReplacedValue } from './replaced-values.js';
import { AS_UNNAMED, NO_PROVIDER, ROW_CHECKS } from '../stage/staged-summary.js';
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
  { tally, summary, degrees, units }: Staged,
  firstProviders: readonly string[],
  onSuspect?: (row: RejectedRow) => Promise<void>,
): Promise<void> {
  const replaced = new Map<number, ReplacedValue[]>();
  const inPlaceOf = (rowNumber: number, cells: QuotedRow['cells']): string =>
    formatReplaced(replaced.get(rowNumber) ?? [], cells);
  const wanted = summary
    .getFlagged(firstProviders)
    .map(({ feed, reason, first_row, rows: count }): WantedRow => {
      const use = ({ cells, file, line }: QuotedRow): void => {
        const unquoted = reason === NO_PROVIDER ? AS_UNNAMED : `members for ${cells.target_date}`;
        const quoted = quotedCells(ROW_CHECKS[reason], cells) || unquoted;
        const detail = reason === 'high below low' ? `${quoted}${inPlaceOf(first_row, cells)}` : quoted;
        tally.warn(feed, { file, line }, { reason, detail }, count);
      };
      return { feed, row_number: first_row, use };
    });
  const firsts = new Map<string, { first: SuspectRow; count: number }>();
  const listed: SuspectRow[] = [];
  const reported = new Set<number>();
  const addSuspects = (suspects: readonly SuspectRow[]): void => {
    const known = new Set<string>();
    for (const each of suspects) {
      reported.add(each.row_number);
      const key = `${each.feed} ${getReason(each)}`;
      // A row is told once for a reason, by its high if both its high and its low are suspect.
      if (known.has(`${key} ${each.row_number}`)) continue;
      known.add(`${key} ${each.row_number}`);
      const { first, count } = firsts.get(key) ?? { first: each, count: 0 };
      firsts.set(key, { first: each.row_number < first.row_number ? each : first, count: count + 1 });
      if (onSuspect && listed.length < MAX_LISTED) listed.push(each);
    }
  };
  addSuspects(
    tally.outlierMembers.map((member) => ({ feed: 'forecasts', check: 'buddy check of members', ...member })),
  );
  const { spans, facts } = summary;
  for (const span of spans.days) addSuspects(await checkDays(store, loadId, span, facts));
  for (const span of spans.hours) addSuspects(await checkHours(store, loadId, span));
  for (const span of spans.hourly_forecasts) addSuspects(await checkHourlyForecasts(store, loadId, span));
  if (facts.has('normals')) addSuspects(await checkNormals(store, loadId));
  for (const { first, count } of firsts.values()) {
    const use = ({ cells, file, line }: QuotedRow): void => {
      const detail = `${formatDetail(first, cells)}${inPlaceOf(first.row_number, cells)}`;
      tally.warn(first.feed, { file, line }, { reason: getReason(first), detail }, count);
    };
    wanted.push({ ...first, use });
  }
  for (const feed of VALUE_FEEDS) {
    const rowNumbers = wanted.filter((row) => row.feed === feed).map((row) => row.row_number);
    for (const value of await findReplaced(store, loadId, feed, rowNumbers))
      replaced.set(value.row_number, [...(replaced.get(value.row_number) ?? []), value]);
  }
  for (const each of listed) {
    const use = async ({ cells, ...row }: QuotedRow): Promise<void> =>
      onSuspect?.({
        feed: each.feed,
        reason: getReason(each),
        detail: formatDetail(each, cells),
        ...row,
      });
    wanted.push({ ...each, use });
  }
  await readAgain(wanted, tally);
  degrees.warn(tally);
  units.warn(tally, reported);
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
