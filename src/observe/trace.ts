import type { Trace } from '../store/store.js';

const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * The trace that a `traceparent` header names; undefined where it is not sane. From a later version of the standard, the
 * fields of this one count (W3C Trace Context 1, 3.2.2 and 3.2.4).
 */
export function parseTrace(traceparent: string | string[] | undefined): Trace | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, trace_id, span_id, flags, more] = TRACEPARENT.exec(traceparent) ?? [];
  if (trace_id === undefined || span_id === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { trace_id, span_id, traceparent: `00-${trace_id}-${span_id}-${flags}` };
}
