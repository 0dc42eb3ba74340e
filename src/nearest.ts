import { distance } from 'fastest-levenshtein';

const MAX_SLIPS = 3;

/**
 * The known names that a text may have meant, the nearest first: those that it begins, those within a slip for every
 * three letters, and, as far as three slips, those that begin with the same three letters. Three slips alone would turn
 * `units` into `city`.
 */
export function nearest(text: string, names: Iterable<string>, most: number): string[] {
  const written = text.toLowerCase();
  const found: { name: string; slips: number }[] = [];
  for (const name of names) {
    const known = name.toLowerCase();
    const isBeginning = written.length > 2 && known.startsWith(written);
    if (!isBeginning && Math.abs(known.length - written.length) > MAX_SLIPS) continue;
    const slips = isBeginning ? 0 : distance(written, known);
    const allowed =
      known.slice(0, 3) === written.slice(0, 3)
        ? MAX_SLIPS
        : Math.min(MAX_SLIPS, Math.floor(Math.max(written.length, known.length) / 3));
    if (slips <= allowed) found.push({ name, slips });
  }
  return found
    .sort((a, b) => a.slips - b.slips)
    .slice(0, most)
    .map(({ name }) => name);
}
