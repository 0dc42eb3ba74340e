/** A number for a reader, such as 1,234. */
export const numberText = (value: number): string => value.toLocaleString('en-US');

/** A text from outside, no longer than so many characters, for a message; what is cut off is marked. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  // Half of a surrogate pair would be no character.
  return `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The words of a list, between blanks or commas. */
export const splitWords = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');

/** A name with one blank for each run of white space, of any kind, and none at its ends. */
export const withSingleBlanks = (name: string): string => name.replace(/[\s\p{White_Space}]+/gu, ' ').trim();

/** A name as it is compared with others: whatever its letters' case and composition, and the width of its blanks. */
export const foldedName = (name: string): string => withSingleBlanks(name.normalize('NFC')).toLowerCase();
