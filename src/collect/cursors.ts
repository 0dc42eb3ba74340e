import { DAY_MS, HOUR_MS } from '../statistics/time/calendar.js';
import { z } from 'zod';
import { type Gap, TIME_SPAN, type Span } from './source.js';
import { before, intersect, subtract, union } from './spans.js';

// How far a source has been read for a station. All of it is pure: state.ts keeps it.

const SPAN_GAP = TIME_SPAN.extend({
  /** When it was first asked for in vain. */
  since_ms: z.number(),
  tries: z.int(),
  reason: z.string(),
  is_final: z.boolean(),
  is_unheard: z.boolean().default(false),
  is_of_place: z.boolean().default(false),
});
/** A span that did not come, and why. */
export type SpanGap = z.infer<typeof SPAN_GAP>;

export const CURSOR = z.object({
  /** What has been read. */
  covered: z.array(TIME_SPAN),
  /** What was read when it was older than the overlap of its source: nothing more comes of it. */
  settled: z.array(TIME_SPAN),
  /** In order and disjoint, as the others are. */
  gaps: z.array(SPAN_GAP),
});
export type Cursor = z.infer<typeof CURSOR>;

export const NOTHING_READ: Cursor = { covered: [], settled: [], gaps: [] };

/** How long what a source does not have is asked for. */
export const RETRIED_MS = 7 * DAY_MS;

/** When it is asked for again after so many tries, by the time since the first: 6 hours later, then a day, then 3 days. */
const RETRIED_AFTER_MS = [6 * HOUR_MS, 30 * HOUR_MS, 102 * HOUR_MS];
/** Passes of one schedule are not equally long. */
const RETRY_SLACK_MS = HOUR_MS / 2;
/** Tries of what nobody answers, in passes that read less than the source's own overlap again. */
const MOST_SHORT_TRIES = 5;

/** The end of a gap that future spans are part of. */
export const FOREVER_MS = Date.parse('9999-01-01');

export interface Asking {
  asked_ms: number;
  /** How much of the past is read again. */
  overlap_ms: number;
  /** The same in a pass that is not one of a schedule. */
  own_overlap_ms: number;
}

/**
 * What to ask for: what is wanted and not settled; with a shorter overlap than the source's own, what is not covered and
 * what is within the overlap, unless so much time has passed that the last pass did not reach into it. A gap is part of
 * it when its next try is due.
 */
export function needs({ covered, settled, gaps }: Cursor, wanted: Span, asking: Asking): Span[] {
  const { asked_ms, overlap_ms, own_overlap_ms } = asking;
  const overlap = { from_ms: asked_ms - overlap_ms, to_ms: Infinity };
  const isClose = (covered.at(-1)?.to_ms ?? -Infinity) >= overlap.from_ms;
  const read = overlap_ms < own_overlap_ms && isClose ? covered : settled;
  const [due, waiting] = [true, false].map((are) => gaps.filter((gap) => isDue(gap, asking) === are));
  const open = subtract(subtract([wanted], subtract(read, [overlap])), waiting ?? []);
  return union(open, intersect(due ?? [], [wanted]));
}

function isDue({ is_final, is_unheard, since_ms, tries }: SpanGap, asking: Asking): boolean {
  const { asked_ms, overlap_ms, own_overlap_ms } = asking;
  const isShort = overlap_ms < own_overlap_ms;
  if (is_final || is_unheard) return !is_final && (!isShort || tries < MOST_SHORT_TRIES);
  const due_ms = since_ms + (RETRIED_AFTER_MS[tries - 1] ?? RETRIED_MS);
  return !isShort && asked_ms + RETRY_SLACK_MS >= due_ms;
}

/** After a span has been read. @param settled_before_ms what is older is settled */
export function withCovered(cursor: Cursor, span: Span, settled_before_ms: number): Cursor {
  return {
    covered: union(cursor.covered, [span]),
    settled: union(cursor.settled, before([span], settled_before_ms)),
    gaps: without(cursor.gaps, span),
  };
}

/** After a source has said that it does not have a span, whatever it said before. */
export function withGap(cursor: Cursor, span: Span, gap: Gap, asked_ms: number): Cursor {
  const said = complete(gap);
  const { is_unheard } = said;
  // Tries that nobody answers are none of those after which an answer is believed.
  const known = cursor.gaps.flatMap((one) => (one.is_unheard && !is_unheard ? without([one], span) : one));
  const again = known.flatMap((one) => {
    if (is_unheard && !one.is_unheard) return one;
    const isOld = !is_unheard && asked_ms - one.since_ms >= RETRIED_MS;
    const is_final = one.is_final || said.is_final || isOld;
    const next = { ...one, ...said, is_final, tries: one.tries + said.tries };
    return [...without([one], span), ...parts(next, intersect([one], [span]))];
  });
  const first = { ...span, ...said, since_ms: asked_ms };
  return {
    covered: subtract(cursor.covered, [span]),
    settled: subtract(cursor.settled, [span]),
    gaps: merged([...again, ...parts(first, subtract([span], known))]),
  };
}

/** After a request for a span was in vain. What had been read of it is still there, and is read again as it is not settled. */
export function withFailed(cursor: Cursor, span: Span, gap: Gap, asked_ms: number): Cursor {
  const unread = subtract([span], cursor.covered);
  return unread.reduce((next, part) => withGap(next, part, gap, asked_ms), cursor);
}

const complete = ({
  reason,
  is_final = false,
  is_unheard = false,
  is_of_place = false,
  tries = 1,
}: Gap): Required<Gap> => ({ reason, is_final, is_unheard, is_of_place, tries });

const parts = (gap: SpanGap, spans: readonly Span[]): SpanGap[] => spans.map((span) => ({ ...gap, ...span }));

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
      last.is_final === gap.is_final &&
      (gap.is_final || last.since_ms === gap.since_ms);
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
