import { readFileSync } from 'node:fs';
import type { PublicSource, Request, StationPlace } from '../../../src/collect/source.js';
import { SOURCES } from './collector.js';
import { fixture } from './fixtures.js';
import { EGLL, KNYC, KORD } from './world.js';

/** A recorded answer, to one path. */
export interface Recorded {
  source: PublicSource;
  body: string;
  request: Request;
  /** All that is read of it, a line each. */
  lines: string[];
  changes: Change[];
}

/** Something changed in a recorded answer, and what is read then. */
export interface Change {
  title: string;
  /** Texts of the answer, and what stands there instead; * is all of it. */
  texts: [from: string, to: string][];
  lost: string[];
  instead: string[];
}

const PLACES: Readonly<Record<string, StationPlace>> = {
  KNYC,
  KMIA: { ...KNYC, station_id: 'KMIA' },
  KMDW: { ...KORD, station_id: 'KMDW', latitude: 41.786, longitude: -87.752 },
  EGLL,
  EGLC: { ...EGLL, station_id: 'EGLC' },
};

/** The answers of answers.txt, which says how they are written, by their names. */
export const RECORDED: Readonly<Record<string, Recorded>> = Object.fromEntries(
  readFileSync(new URL('./answers.txt', import.meta.url), 'utf8')
    .replace(/^#.*\n/gm, '')
    .split(/^== /m)
    .slice(1)
    .map((text) => {
      const [first = '', ...blocks] = text.split(/^-- /m).map((block) => block.trim());
      const [name = '', head = '', , ...lines] = first.split('\n');
      return [name, { ...answerOf(head), lines, changes: blocks.flatMap(changesOf) }];
    }),
);

/** An answer by its source, its fixture, or several with + between them, and request. */
function answerOf(head: string): Pick<Recorded, 'source' | 'body' | 'request'> {
  const [, name, file = '', ids = '', from = '', to = '', requested_at = '', path = ''] =
    /^(\S+) (\S+) of (\S+) (\S+)\.\.(\S+), asked (\S+) by (\S+)$/.exec(head) ?? [];
  const source = SOURCES.find((one) => one.name === name);
  const places = ids.split(',').flatMap((id) => PLACES[id] ?? []);
  if (source === undefined || places.length === 0) throw new Error(`no answer: ${head}`);
  const span = { from_ms: Date.parse(from), to_ms: Date.parse(to) };
  const covers = places.map((place) => ({ place, span }));
  const body = file.split('+').map(fixture).join('');
  return { source, body, request: { paths: [path], covers, requested_ms: Date.parse(requested_at) } };
}

function changesOf(block: string): Change[] {
  const [title = '', ...lines] = block.split('\n');
  const of = (sign: string): string[] =>
    lines.filter((line) => line.startsWith(`${sign} `)).map((line) => line.slice(2));
  return of('~').map((line) => {
    const [, texts = '', says = ''] = /^(.*) ::(?: (.*))?$/.exec(line) ?? [];
    return {
      title: `${title}: ${texts}`,
      texts: texts.split(' & ').map((pair) => pair.split(' => ').map(textOf) as [string, string]),
      lost: of('-'),
      instead: of('+').map((each) => each.replace('*', () => says)),
    };
  });
}

/** A text of a change; "" is an empty one, and \n and the like are characters. */
function textOf(written: string): string {
  if (written === '""') return '';
  return written.replace(/\\n|\\u[0-9a-f]{4}/g, (escape) => JSON.parse(`"${escape}"`) as string);
}
