// Splits usual lines without a string for the line: feeds repeat their cells, and a string for each takes half the time of reading.

const COMMA = 44;
const QUOTE = 34;
const BLANK = 32;
const LAST_ASCII = 127;

/** Cells that are kept, each in the place that its bytes give it; another cell of that place takes it over. */
const PLACES = 1 << 16;
/** A longer cell is not kept. */
const LONGEST = 64;

const kept: (string | undefined)[] = Array.from({ length: PLACES });

/**
 * Takes the cells of a line into `cells`.
 * @returns their number; -1 where the line is for a CSV parser: it has a quote, is not ASCII, or has blanks at the end of a cell
 */
export function readUsualCells(bytes: Buffer, from: number, to: number, cells: string[]): number {
  let count = 0;
  let begin = from;
  let hash = 0;
  for (let at = from; at <= to; at += 1) {
    const byte = at === to ? COMMA : bytes[at]!;
    if (byte !== COMMA) {
      if (byte === QUOTE || byte > LAST_ASCII) return -1;
      hash = (Math.imul(hash, 31) + byte) | 0;
      continue;
    }
    if (at > begin && (bytes[begin]! <= BLANK || bytes[at - 1]! <= BLANK)) return -1;
    cells[count] = findCell(bytes, begin, at, (hash ^ (hash >>> 16)) & (PLACES - 1));
    count += 1;
    begin = at + 1;
    hash = 0;
  }
  return count;
}

/** The string of a cell: the one that is kept, if it is the same. */
function findCell(bytes: Buffer, from: number, to: number, place: number): string {
  if (from === to) return '';
  const known = kept[place];
  if (known !== undefined && isSame(known, bytes, from, to)) return known;
  const cell = bytes.toString('latin1', from, to);
  if (to - from <= LONGEST) kept[place] = cell;
  return cell;
}

function isSame(text: string, bytes: Buffer, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at - from) !== bytes[at]) return false;
  return true;
}
