import type { Random } from '../random.js';

// Answers with something wrong about their form that leaves every number that is still whole what it was: so a value
// that is read of them, and that the answer did not have, is a fault of the reader.

type Mutation = (body: string, random: Random) => string;

const inLines =
  (change: (lines: string[], at: number, random: Random) => string[]): Mutation =>
  (body, random) => {
    const lines = body.split('\n');
    return change(lines, random.below(lines.length), random).join('\n');
  };

const inserted =
  (texts: readonly string[]): Mutation =>
  (body, random) => {
    const at = random.below(body.length + 1);
    return body.slice(0, at) + random.of(texts) + body.slice(at);
  };

const FORMS: Readonly<Record<string, Mutation>> = {
  'cut off': (body, random) => body.slice(0, random.below(body.length)),
  'no beginning': (body, random) => body.slice(1 + random.below(body.length)),
  'a line lost': inLines((lines, at) => lines.toSpliced(at, 1)),
  'lines lost': inLines((lines, at, random) => lines.toSpliced(at, 1 + random.below(12))),
  'a line twice': inLines((lines, at) => lines.toSpliced(at, 0, lines[at] ?? '')),
  'lines in another place': inLines((lines, at, random) => {
    const [line = ''] = lines.splice(at, 1);
    return lines.toSpliced(random.below(lines.length + 1), 0, line);
  }),
  'a line of something else': inLines((lines, at) =>
    lines.toSpliced(at, 0, '<html><h1>503 Service Unavailable</h1>'),
  ),
  'spaces more': inserted([' ', '  ', '   ', '\t', '            ']),
  'letters more': inserted(['x', 'NaN', 'é', '"', '\ufffd', '\u0000', '🌡', '$$\n']),
  frames: inserted(['\u0001', '\u0003', '\u0003\n\u0001\n']),
  'a letter for another': (body, random) => {
    const at = random.below(body.length);
    return body.slice(0, at) + random.of(['x', '?', '\ufffd']) + body.slice(at + 1);
  },
  'the whole twice': (body) => body + body,
  CRLF: (body) => body.replaceAll('\n', '\r\n'),
  'a byte order mark': (body) => `\ufeff${body}`,
  'UTF-16': (body) => Buffer.from(body, 'utf16le').toString('latin1'),
  'UTF-16, read as UTF-8': (body) => Buffer.from(`\ufeff${body}`, 'utf16le').toString(),
  EBCDIC: (body) => body.replace(/[ -~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x80)),
  nothing: () => '',
};

/** A body changed in one way, or sometimes in two. */
export function deformed(body: string, random: Random): { body: string; mutation: string } {
  const names = Array.from({ length: 1 + Number(random.below(4) === 0) }, () =>
    random.of(Object.keys(FORMS)),
  );
  return {
    body: names.reduce((text, name) => FORMS[name]?.(text, random) ?? text, body),
    mutation: names.join(' + '),
  };
}
