import { reportText as loadReportText, type LoadReport } from '../../ingest/load-report.js';
import { FOREVER_MS, isFinal, type SpanGap } from '../cursors.js';
import { numberText } from '../../lib/text.js';
import { minuteText } from '../plain-text.js';
import { groupBy } from '../collected-spans.js';
import { spansByStation, type SourcePlan } from './plan.js';
import type { Outcome } from './outcome.js';
import { getNames, type PublicSource, type Request, type SourceNames, type Span } from '../source.js';
import { NO_REQUESTS, type RunCounts, getCursors, type State } from '../state.js';

// The results of a pass, by source and station, so that no average hides a gap.

export interface GapReport {
  from: string;
  to: string;
  reason: string;
  tries: number;
}

export interface StationReport {
  station_id: string;
  /** Runs, days or hours that this pass asked for and that should be there; null where a source has no fixed number. */
  expected: number | null;
  /** Distinct times of issuance, dates, or hours of reports, that came. */
  received: number;
  /** Where they come from, such as a point of forecasts and its distance, if that is not the station itself. */
  notes: string[];
  /** Gaps that the next pass requests again. */
  gaps: GapReport[];
  /** Gaps that no pass requests again. */
  permanent_gaps: GapReport[];
}

/** A source, its feed and its provider, such as `iem-nbm, forecasts of nbm`. */
export const namesText = ({ source, feed, provider }: SourceNames): string =>
  `${source}, ${provider === null ? feed : `${feed} of ${provider}`}`;

/** The unit that counts each feed. */
const UNITS: Record<PublicSource['feed'], string> = {
  forecasts: 'runs',
  observations: 'days',
  hours: 'hours',
  hourly_forecasts: 'runs',
};

export interface SourceReport extends SourceNames {
  requests: RunCounts;
  stations: StationReport[];
  /** Why its first request that failed did. */
  failure?: string;
  /** Parts of responses that could not be used. */
  unusable: { reason: string; parts: number; first: string }[];
}

export interface RunReport {
  requested_at: string;
  seconds: number;
  /** `gaps` also when rows were rejected. */
  outcome: 'complete' | 'gaps';
  /** One line for each that is not found. */
  stations_not_found: string[];
  sources: SourceReport[];
  loads: LoadReport[];
}

/** A response may give a reason of its own to each of its rows. */
const MAX_REASONS = 50;

/** Counts what a source brings in a pass. */
export class SourceTally {
  readonly requests: RunCounts = { ...NO_REQUESTS, not_requested: 0 };
  #failure: string | undefined;
  readonly #received = new Map<string, number>();
  readonly #notes = new Map<string, Set<string>>();
  readonly #unusable = new Map<string, { parts: number; first: string }>();

  constructor(readonly plan: SourcePlan) {}

  /** Adds one request. No other has the same run or day of a station. */
  add({ counts, reading, gap }: Outcome): void {
    this.#failure ??= gap?.reason;
    for (const [name, count] of Object.entries(counts)) this.requests[name as keyof typeof counts] += count;
    const { rows = [], unusable = [], notes = [] } = reading ?? {};
    const seen = new Set<string>();
    for (const { station_id = '', issued_at, date, at } of rows) {
      const key = `${station_id} ${issued_at ?? date ?? at?.slice(0, 13)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      this.#received.set(station_id, (this.#received.get(station_id) ?? 0) + 1);
    }
    for (const { station_id, note } of notes)
      this.#notes.set(station_id, (this.#notes.get(station_id) ?? new Set()).add(note));
    for (const { unit, reason: own } of unusable) {
      const reason = this.#unusable.has(own) || this.#unusable.size < MAX_REASONS ? own : 'of other reasons';
      const known = this.#unusable.get(reason);
      if (known === undefined) this.#unusable.set(reason, { parts: 1, first: unit });
      else known.parts += 1;
    }
  }

  report(state: State, requested_ms: number): SourceReport {
    const { source, places, requests } = this.plan;
    const { stations } = getCursors(state, source.name);
    const requested = spansByStation(requests.flatMap(({ covers }: Request) => covers));
    return {
      ...getNames(source),
      requests: { ...this.requests },
      stations: places.map(({ station_id }) => {
        const gaps = stations[station_id]?.gaps ?? [];
        return {
          station_id,
          expected: sumIfKnown(
            (requested.get(station_id) ?? []).map((span) => source.expected(span, requested_ms)),
          ),
          received: this.#received.get(station_id) ?? 0,
          notes: [...(this.#notes.get(station_id) ?? [])],
          gaps: gaps.filter((gap) => !isFinal(gap)).map((gap) => gapReport(gap, requested_ms)),
          permanent_gaps: gaps.filter(isFinal).map((gap) => gapReport(gap, requested_ms)),
        };
      }),
      ...(this.#failure !== undefined && { failure: this.#failure }),
      unusable: [...this.#unusable].map(([reason, counted]) => ({ reason, ...counted })),
    };
  }
}

const sumIfKnown = (numbers: readonly (number | undefined)[]): number | null =>
  numbers.reduce<number | null>(
    (total, one) => (total === null || one === undefined ? null : total + one),
    0,
  );

/** A time without what it does not need: a date where it is midnight. */
export const moment = (ms: number): string => minuteText(ms).replace('T00:00Z', '');

const gapReport = ({ from_ms, to_ms, reason, tries }: SpanGap, requested_ms: number): GapReport => ({
  from: moment(from_ms),
  to: moment(to_ms === FOREVER_MS ? requested_ms : to_ms),
  reason,
  tries,
});

export const spanText = ({ from_ms, to_ms }: Span): string => `${moment(from_ms)}..${moment(to_ms)}`;

export const durationText = (seconds: number): string =>
  seconds < 600 ? `${numberText(seconds)} s` : `${numberText(Math.ceil(seconds / 60))} minutes`;

/** The report as an operator reads it, one fact a line. */
export function formatRun(report: RunReport, into: string): string {
  const lines = report.stations_not_found.map((line) => `not found: ${line}`);
  for (const source of report.sources) {
    const { requests, stations, unusable } = source;
    const counts = Object.entries(requests)
      .filter(([name, count]) => count > 0 || name === 'ok')
      .map(([name, count]) => `${numberText(count)} ${name.replace('_', ' ')}`);
    lines.push(`${namesText(source)}: requests ${counts.join(', ')}`);
    for (const { station_id, expected, received, notes } of stations) {
      const of = expected === null ? '' : ` of ${numberText(expected)} expected`;
      const came = `  ${station_id}: ${numberText(received)}${of} ${UNITS[source.feed]} received`;
      lines.push([came, ...notes].join('; '));
    }
    lines.push(
      ...gapLines('gap', stations, ({ gaps }) => gaps),
      ...gapLines('permanent gap', stations, ({ permanent_gaps }) => permanent_gaps),
    );
    for (const { reason, parts, first } of unusable)
      lines.push(`  unusable: ${numberText(parts)} × ${reason}, first ${first}`);
  }
  for (const load of report.loads) lines.push(loadReportText(load, { into, unmatched: null }));
  if (report.loads.length === 0) lines.push('nothing to load');
  const all = report.sources.flatMap(({ stations }) => stations);
  const gaps = all.reduce((sum, station) => sum + station.gaps.length, 0);
  const permanent = all.reduce((sum, station) => sum + station.permanent_gaps.length, 0);
  lines.push(
    `gaps: ${numberText(gaps)} to be requested again, ${numberText(permanent)} permanent`,
    `pass of ${report.requested_at}: ${report.outcome} in ${report.seconds} s`,
  );
  return lines.join('\n');
}

/** A line for each reason, whatever station and time it names. */
function gapLines(
  what: string,
  stations: readonly StationReport[],
  of: (station: StationReport) => readonly GapReport[],
): string[] {
  const all = stations.flatMap((station) =>
    of(station).map((gap) => ({ ...gap, station_id: station.station_id })),
  );
  const byReason = groupBy(all, ({ reason, station_id }) =>
    reason.replaceAll(station_id, '').replace(/\d{4}-\d\d-\d\d[T\d:]*Z?/g, ''),
  );
  return [...byReason.values()].map((gaps) => {
    const [{ from, to, reason, station_id }] = gaps as [(typeof gaps)[number]];
    const others = new Set(gaps.map((gap) => gap.station_id)).size;
    const tries = Math.max(...gaps.map((gap) => gap.tries));
    const where = others === 1 ? '' : ` at ${numberText(others)} stations`;
    const count = gaps.length === 1 ? '' : `${numberText(gaps.length)} ×${where}, first `;
    return `  ${what}: ${count}${station_id} ${from}..${to}: ${reason} (tried ${numberText(tries)} ×)`;
  });
}
