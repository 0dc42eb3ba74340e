import { DAY_MS, HOUR_MS } from '../statistics/time/calendar.js';
import { z } from 'zod';
import { type Gap, GAP_KINDS, TIME_SPAN, type Span } from './source.js';
import { before, intersect, subtract, union } from './collected-spans.js';

// How far a source has been read for a station. All of it is pure: state.ts keeps it.

const SPAN_GAP = TIME_SPAN.extend({
  reason: z.string(),
  kind: z.enum(GAP_KINDS),
  /** When the first request for it failed. */
  since_ms: z.number(),
  tries: z.int(),
});
/** A span that did not come, and why. */
export type SpanGap = z.infer<typeof SPAN_GAP>;

export const CURSOR = z.object({
  /** Spans that have been read. */
  covered: z.array(TIME_SPAN),
  /** Spans read when older than the overlap of their source; nothing more comes of them. */
  final: z.array(TIME_SPAN),
  /** In order and disjoint, as the others are. */
  gaps: z.array(SPAN_GAP),
});
export type Cursor = z.infer<typeof CURSOR>;

/** Whether it is asked for no more. */
export const isFinal = ({ kind }: SpanGap): boolean => kind === 'final' || kind === 'of_place';

export const NOTHING_READ: Cursor = { covered: [], final: [], gaps: [] };

/** How long the collector asks for what a source does not have. */
const RETRIED_MS = 7 * DAY_MS;

/** When it is asked for again after so many tries, by the time since the first: 6 hours later, then a day, then 3 days. */
const RETRIED_AFTER_MS = [6 * HOUR_MS, 30 * HOUR_MS, 102 * HOUR_MS];
/** Passes of one schedule are not equally long. */
const RETRY_SLACK_MS = HOUR_MS / 2;
/** How often passes with a shorter overlap than the source's own ask again for what nobody has answered. */
const MAX_SHORT_TRIES = 5;

/** The end of a gap that future spans are part of. */
export const FOREVER_MS = Date.parse('9999-01-01');

interface Asking {
  requested_ms: number;
  /** How much of the past is read again. */
  overlap_ms: number;
  /** How much of the past a pass reads again that is not one of a schedule. */
  own_overlap_ms: number;
}

/**
 * The spans to ask for: those that are wanted and not final, and those within the overlap. If the overlap is shorter than
 * the source's own, spans that are covered count as final. They do not if the last pass ended before the overlap. A gap is
 * asked for when its next try is due.
 */
export function needs({ covered, final, gaps }: Cursor, wanted: Span, asking: Asking): Span[] {
  const { requested_ms, overlap_ms, own_overlap_ms } = asking;
  const overlap = { from_ms: requested_ms - overlap_ms, to_ms: Infinity };
  const isClose = (covered.at(-1)?.to_ms ?? -Infinity) >= overlap.from_ms;
  const read = overlap_ms < own_overlap_ms && isClose ? covered : final;
  const due = gaps.filter((gap) => isDue(gap, asking));
  const waiting = gaps.filter((gap) => !due.includes(gap));
  const open = subtract([wanted], subtract(read, [overlap]), waiting);
  return union(open, intersect(due, [wanted]));
}

function isDue(gap: SpanGap, { requested_ms, overlap_ms, own_overlap_ms }: Asking): boolean {
  const isShort = overlap_ms < own_overlap_ms;
  if (isFinal(gap)) return false;
  if (gap.kind === 'unheard') return !isShort || gap.tries < MAX_SHORT_TRIES;
  const due_ms = gap.since_ms + (RETRIED_AFTER_MS[gap.tries - 1] ?? RETRIED_MS);
  return !isShort && requested_ms + RETRY_SLACK_MS >= due_ms;
}

/** After a span has been read. @param final_before_ms what is older is final */
export function withCovered(cursor: Cursor, span: Span, final_before_ms: number): Cursor {
  return {
    covered: union(cursor.covered, [span]),
    final: union(cursor.final, before([span], final_before_ms)),
    gaps: without(cursor.gaps, span),
  };
}

/** After a source has said that it does not have a span, whatever it said before. */
export function withGap(
  cursor: Cursor,
  span: Span,
  { reason, kind = 'absent', tries = 1 }: Gap,
  requested_ms: number,
): Cursor {
  const isUnheard = kind === 'unheard';
  // Tries without a response do not count towards the week after which an absent span is final.
  const known = cursor.gaps.flatMap((one) =>
    one.kind === 'unheard' && !isUnheard ? without([one], span) : one,
  );
  const again = known.flatMap((one) => {
    if (isUnheard && one.kind !== 'unheard') return one;
    const isOld = isFinal(one) || requested_ms - one.since_ms >= RETRIED_MS;
    const next = {
      ...one,
      reason,
      kind: kind === 'absent' && isOld ? 'final' : kind,
      tries: one.tries + tries,
    };
    return [...without([one], span), ...parts(next, intersect([one], [span]))];
  });
  const first = { reason, kind, tries, since_ms: requested_ms };
  return {
    covered: subtract(cursor.covered, [span]),
    final: subtract(cursor.final, [span]),
    gaps: merged([...again, ...parts(first, subtract([span], known))]),
  };
}

/** After a request for a span failed. Parts read before stay covered, and are read again unless they are final. */
export function withFailed(cursor: Cursor, span: Span, gap: Gap, requested_ms: number): Cursor {
  const unread = subtract([span], cursor.covered);
  return unread.reduce((next, part) => withGap(next, part, gap, requested_ms), cursor);
}

const parts = (gap: Omit<SpanGap, keyof Span>, spans: readonly Span[]): SpanGap[] =>
  spans.map((span) => ({ ...gap, ...span }));

const without = (gaps: readonly SpanGap[], span: Span): SpanGap[] =>
  gaps.flatMap((gap) => parts(gap, subtract([gap], [span])));

/** Gaps in order; those that touch and say the same are one. */
function merged(gaps: readonly SpanGap[]): SpanGap[] {
  const list: SpanGap[] = [];
  for (const gap of [...gaps].sort((a, b) => a.from_ms - b.from_ms)) {
    const last = list.at(-1);
    const isSame =
      last?.to_ms === gap.from_ms &&
      last.reason === gap.reason &&
      isFinal(last) === isFinal(gap) &&
      (isFinal(gap) || last.since_ms === gap.since_ms);
    if (!isSame) {
      list.push({ ...gap });
      continue;
    }
    last.to_ms = gap.to_ms;
    last.since_ms = Math.min(last.since_ms, gap.since_ms);
    last.tries = Math.max(last.tries, gap.tries);
  }
  return list;
}
