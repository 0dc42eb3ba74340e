import { readFileSync } from 'node:fs';
import type { Random } from '../random.js';

/** An answer of a source in its recorded format, from test/support/collect/fixtures; JSON as it is sent, on one line. */
export function fixture(name: string): string {
  const text = readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');
  return name.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text;
}

/** All beginnings of an answer, without the whole. */
export const beginnings = (body: string): string[] => Array.from(body, (_, length) => body.slice(0, length));

/** An answer in encodings that it is not read in. */
export function otherEncodings(body: string): string[] {
  const wide = Buffer.from(body, 'utf16le');
  return [wide.toString(), Buffer.from(wide).swap16().toString(), wide.toString('latin1'), `\ufeff${body}`];
}

const ALPHABET = [...'0123456789-.,:"\' \n\r\t{}[]MTZKNx\u0000\ufeffé🌡'];

/** An answer with a few characters changed, lost, doubled or added. */
export function mutatedBody(body: string, random: Random): string {
  let text = body;
  for (let change = 1 + random.below(3); change > 0; change -= 1) {
    const at = random.below(text.length + 1);
    const length = random.of([0, 1, 1, 1, 5, 40]);
    const instead = random.of([
      '',
      random.of(ALPHABET),
      random.of(ALPHABET),
      text.slice(at, at + 2 * length),
    ]);
    text = text.slice(0, at) + instead + text.slice(at + length);
  }
  return text;
}
