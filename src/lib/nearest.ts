import { distance } from 'fastest-levenshtein';

const MAX_SLIPS = 3;

/** Letters to change, add or leave out, where two that have changed places are one slip: ctiy for city. */
function slipsBetween(written: string, known: string): number {
  let found = distance(written, known);
  for (let at = 1; at < written.length && found > 1; at += 1) {
    const swapped = written.slice(0, at - 1) + written[at]! + written[at - 1]! + written.slice(at + 1);
    found = Math.min(found, 1 + distance(swapped, known));
  }
  return found;
}

/**
 * The known names that a text may have meant, the nearest first: those that it begins, and those within a slip for
 * every three letters. With the same first three letters, up to three slips are allowed. Three slips alone would turn
 * `units` into `city`.
 */
export function nearest(text: string, names: Iterable<string>, max: number): string[] {
  const written = text.toLowerCase();
  const found: { name: string; slips: number }[] = [];
  for (const name of names) {
    const known = name.toLowerCase();
    const isBeginning = written.length > 2 && known.startsWith(written);
    if (!isBeginning && Math.abs(known.length - written.length) > MAX_SLIPS) continue;
    const slips = isBeginning ? 0 : slipsBetween(written, known);
    const allowed =
      known.slice(0, 3) === written.slice(0, 3)
        ? MAX_SLIPS
        : Math.min(MAX_SLIPS, Math.floor(Math.max(written.length, known.length) / 3));
    if (slips <= allowed) found.push({ name, slips });
  }
  return found
    .sort((a, b) => a.slips - b.slips)
    .slice(0, max)
    .map(({ name }) => name);
}
