import { LIMITS } from '../../../src/collect/files/answers.js';
import type { CodeSource, Reading, Request, Span, StationPlace } from '../../../src/collect/source.js';
import { PLACES, type StubSource } from './world.js';

/** Lets expressions have a minute while tests run, because a machine under load takes seconds to begin a thread. */
export function allowSlowExpressions(): void {
  const { maxMs } = LIMITS;
  before(() => {
    LIMITS.maxMs = 60_000;
  });
  after(() => {
    LIMITS.maxMs = maxMs;
  });
}

/** A span from a time or date up to another. */
export const spanOf = (from: string, to: string): Span => ({
  from_ms: Date.parse(from),
  to_ms: Date.parse(to),
});

/** The answer of the world to a request, as it is read. */
export const answered = (source: CodeSource, stub: StubSource, request: Request, now_ms: number): Reading =>
  source.read(
    request.paths.map((path) => stub(new URL(path, 'http://host'), now_ms, PLACES)?.body ?? ''),
    request,
  );

/** The answers of the world to all requests for one span of some places. */
export const readingsOf = (
  source: CodeSource,
  stub: StubSource,
  places: readonly StationPlace[],
  span: Span,
  now_ms: number,
): Reading[] =>
  source
    .plan(
      places.map((place) => ({ place, span })),
      now_ms,
    )
    .map((request) => answered(source, stub, request, now_ms));

/** Rows as texts in one order, to be compared. */
export const inOrder = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
