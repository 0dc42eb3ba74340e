import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { PublicSource, Request, StationPlace } from '../../../src/collect/source.js';
import { SOURCES } from './collector.js';
import { fixture } from './fixtures.js';
import { EGLL, KNYC, KORD, place } from './world.js';

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
  KORD,
  EDDG: place('EDDG', 'Münster', 52.13, 7.68, 'Europe/Berlin', { country: 'DE', day_boundary: 'civil' }),
  HOME: place('HOME', 'Home', 40.71, -74, 'America/New_York', { day_boundary: 'civil' }),
  CYBQ: place('CYBQ', 'Tadoule Lake', 58.71, -98.51, 'America/Winnipeg', {
    country: 'CA',
    day_boundary: 'civil',
  }),
  CYYZ: place('CYYZ', 'Toronto', 43.68, -79.63, 'America/Toronto', { country: 'CA', day_boundary: 'civil' }),
};

/** The answers of a file by their names. answers.txt says how they are written. */
const readRecorded = (file: string): Readonly<Record<string, Recorded>> =>
  Object.fromEntries(
    readFileSync(new URL(file, import.meta.url), 'utf8')
      .replace(/^#.*\n/gm, '')
      .split(/^== /m)
      .slice(1)
      .map((text) => {
        const [first = '', ...blocks] = text.split(/^-- /m).map((block) => block.trim());
        const [name = '', head = '', , ...lines] = first.split('\n');
        return [name, { ...answerOf(head), lines, changes: blocks.flatMap(changesOf) }];
      }),
  );

export const RECORDED = readRecorded('./answers.txt');
/** The stored responses of source files. */
export const STORED = readRecorded('./source-answers.txt');

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

/** A recorded answer with a change, and what is read of it then. */
export function toChanged(
  { body, lines }: Recorded,
  { texts, lost, instead }: Change,
): { body: string; lines: string[] } {
  const changed = texts.reduce((text, [from, to]) => {
    if (from === '*') return to;
    expect(text).to.include(from);
    return text.replaceAll(from, () => to);
  }, body);
  expect(lines, 'what is lost').to.include.members(lost);
  const isAnswer = instead[0]?.startsWith('no answer') !== true;
  return {
    body: changed,
    lines: [...(isAnswer ? lines.filter((line) => !lost.includes(line)) : []), ...instead],
  };
}

/** Holds lines to what they should be, in any order; one that ends with … gives only the beginning. */
export function expectLines(actual: readonly string[], expected: readonly string[]): void {
  const starts = expected.filter((line) => line.endsWith('…'));
  const shown = actual.map((line) => starts.find((one) => line.startsWith(one.slice(0, -1))) ?? line);
  expect(shown.sort(), actual.join('\n')).to.deep.equal([...expected].sort());
}
