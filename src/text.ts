/** A number for a reader, such as 1,234. */
export const numberText = (value: number): string => value.toLocaleString('en-US');

/** A text from outside, no longer than so many characters, for a message; what is cut off is marked. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half of a surrogate pair would be no character.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}
