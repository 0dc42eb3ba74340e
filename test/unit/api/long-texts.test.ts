import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import type { Request } from 'express';
import { analyse } from 'scslre';
import type { z } from 'zod';
import * as parameters from '../../../src/api/parameters.js';
import { getKey } from '../../../src/auth/admission.js';
import { DOWNLOADS, ENDPOINTS } from '../../../src/endpoints.js';
import { matchesIfNoneMatch } from '../../../src/http/conditional.js';
import { hasHost } from '../../../src/http/host-header.js';
import { isForStreams, readMessage } from '../../../src/mcp/message.js';
import { readArguments } from '../../../src/mcp/tool.js';
import { TOOLS } from '../../../src/mcp/tools/index.js';
import { parseTrace } from '../../../src/observe/trace.js';
import * as texts from '../../../src/lib/text.js';

// The headers of a request have up to 16,000 characters, and arguments of a tool more. Each pattern that reads a long text must
// take time by its length: the lint rule sees the patterns of our sources, this test those of packages and `new RegExp` as well.

/** The findings do not depend on it: a pattern is analysed, not timed. */
const LONG = 2000;
const HOSTILE = ['1', ' ', '"', '-', ',', '1.', '/', 'a'].flatMap((piece) => {
  const text = piece.repeat(LONG / piece.length);
  return [text, `1${text}x`];
});

/** The patterns that read more than 1,000 characters while this runs. */
function patternsOf(work: () => unknown): RegExp[] {
  const exec = Object.getOwnPropertyDescriptor(RegExp.prototype, 'exec')!.value as RegExp['exec'];
  const found = new Map<string, RegExp>();
  RegExp.prototype.exec = function (text: string) {
    if (text.length > 1000) found.set(String(this), this);
    return exec.call(this, text);
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return [...found.values()];
}

/** The causes why a pattern takes more time than a text is long. A split makes its pattern sticky, and tries it at each place. */
const causesOf = ({ source, flags }: RegExp): string[] =>
  analyse(
    { source, flags: flags.replace('y', '') },
    { reportTypes: { Move: true, Self: true, Trade: true } },
  ).reports.map(({ type, character }) => `${type} of ${character.literal.source}`);

/** Every schema of a parameter once, by the name of a parameter that has it. */
const SCHEMAS = new Map(
  [...ENDPOINTS, ...DOWNLOADS].flatMap((endpoint) =>
    Object.entries(endpoint.parameters).map(([name, schema]) => [schema as z.ZodType, name] as const),
  ),
);

const READERS: Record<string, (text: string) => unknown> = {
  parameters: (text) =>
    [...SCHEMAS].map(([schema, name]) =>
      parameters.readParameters({ [name]: schema }, new URLSearchParams([[name, text]])),
    ),
  'names of parameters': (text) =>
    parameters.readParameters({ metric: parameters.listText() }, parameters.parseQuery(`/?${text}`)),
  'parts of parameters': (text) => [
    parameters.parseInstant(text),
    parameters.withPlus(text),
    parameters.withoutBlanks(text),
    parameters.listedNames(text),
    parameters.listedNumbers(text),
    ...Object.values(texts).map((read) => (read as (text: string, max: number) => unknown)(text, 60)),
  ],
  'arguments of tools': (text) =>
    TOOLS.map((tool) => {
      const names = Object.keys(tool.parameters);
      return readArguments(tool, Object.fromEntries([...names, text].map((name) => [name, text])));
    }),
  'messages of clients': readMessage,
  Accept: isForStreams,
  Authorization: getKey,
  'If-None-Match': (text) => matchesIfNoneMatch(text, 'W/"a"'),
  Host: (text) => hasHost({ rawHeaders: ['Host', text], httpVersion: '1.1' } as IncomingMessage & Request),
  traceparent: parseTrace,
};

describe('a long parameter or header', () => {
  for (const [name, read] of Object.entries(READERS))
    it(`given any text in ${name}, then the patterns that read it take time by its length alone`, () => {
      const patterns = patternsOf(() => HOSTILE.map(read));
      const slow = patterns
        .map((each) => [String(each), ...causesOf(each)])
        .filter(({ length }) => length > 1);
      expect(slow).to.deep.equal([]);
    });

  it('given a pattern that backtracks, then it is told, in a split as well', () => {
    const text = ' '.repeat(1001);
    const patterns = patternsOf(() => [new RegExp(' *,').test(text), text.split(new RegExp(' *;'))]);
    expect(patterns.map((each) => causesOf(each).length)).to.deep.equal([1, 1]);
  });
});
