/** A text from outside on one line, of at most so many characters, without those that cannot be seen. */
export const plainText = (text: string, max = 100): string =>
  // Long bodies are quoted as well: what is cut off need not be gone through.
  [
    ...text
      .slice(0, 20 * max)
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, max)
    .join('')
    .trim();

/** A moment to the minute, such as 2026-01-05T06:00Z. */
export const minuteText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}Z`;

/** The value of a JSON text; undefined for any other text. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
