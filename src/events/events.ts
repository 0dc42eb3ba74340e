import { z } from 'zod';
import { sourceState, type SourceState } from '../source-state.js';
import { watchReport } from '../watch/alarm.js';
import { type EventKind, OUTCOMES, type ServerEvent } from './records.js';

// The events of a load: a pure function of its row in `loads` and of the sources' states before it.

const report = z.object({
  outcome: z.enum(OUTCOMES).catch('complete'),
  watch: watchReport.pick({ raised: true, cleared: true }).catch({ raised: [], cleared: [] }),
  collected: z
    .object({ at: z.iso.datetime(), sources: z.array(sourceState.omit({ attribution: true })) })
    .optional(),
});

/** A report of another version of the service is read as far as it is known, so that no load stops the events. */
export const reportOf = (text: string) =>
  report.catch(report.parse({ outcome: 'complete' })).parse(JSON.parse(text));

export type CollectedReport = NonNullable<z.infer<typeof report>['collected']>;

/** A load that has finished. */
export interface FinishedLoad {
  load_id: number;
  finished_ms: number;
  providers: string[];
  report: z.infer<typeof report>;
  /** By provider; undefined where they are not counted. */
  touched?: readonly Touched[] | undefined;
}

/** The station days of a provider that a load has touched. */
export interface Touched {
  provider: string;
  station_days: number;
  stations: ReadonlySet<string>;
}

/** Who hears an event; undefined is everybody. */
export interface Wishes {
  kinds?: ReadonlySet<EventKind> | undefined;
  provider?: string | undefined;
  stations?: readonly string[] | undefined;
}

/** An event, and the text that is sent. */
export interface Told {
  event: ServerEvent;
  frame: Buffer;
}

/** The events of a load, in their order. */
export interface LoadEvents {
  load_id: number;
  events: readonly Told[];
  touched: FinishedLoad['touched'];
  /** All events as one text, and the one that tells the place to those who wish for no event. */
  whole: Buffer;
  place: Buffer;
}

/**
 * The limits of the alert ForecastAccuracySourceSilent, hours: CLI and PFM are asked each hour, NBP once a day, the others
 * every six hours.
 */
const SILENT_HOURS: Readonly<Record<string, number>> = { 'iem-cli': 6, 'iem-pfm': 6, 'noaa-nbp': 42 };
const HOUR_MS = 3_600_000;

const isSilent = (
  { source, last_success_at }: Pick<SourceState, 'source' | 'last_success_at'>,
  at: string,
): boolean =>
  last_success_at === null ||
  Date.parse(at) - Date.parse(last_success_at) > (SILENT_HOURS[source] ?? 18) * HOUR_MS;

/** The sources that fell silent, or came back, from one report of the collector to the next. */
function changedSources(now: CollectedReport | undefined, before: CollectedReport | undefined) {
  // A source that has nothing of these stations is not asked, and never succeeds.
  const asked = now?.sources.filter(({ stations }) => stations > 0) ?? [];
  return asked.flatMap((state) => {
    const then = before?.sources.find(({ source }) => source === state.source);
    const wasSilent = then !== undefined && then.stations > 0 && isSilent(then, before?.at ?? '');
    const silent = isSilent(state, now?.at ?? '');
    return silent === wasSilent
      ? []
      : [{ ...state, state: silent ? ('silent' as const) : ('back' as const) }];
  });
}

/**
 * The events of a load. The event of the version comes last, when all of the load has been told: so its id is the name of
 * the version, and those before it count up.
 * @param before the last report of the collector before this load
 */
export function eventsOf(
  load: FinishedLoad,
  lineage: string,
  before: CollectedReport | undefined,
): LoadEvents {
  const { load_id, report, providers, touched } = load;
  const ofLoad = { version: load_id, lineage, finished_at: new Date(load.finished_ms).toISOString() };
  const name = `v${load_id}.${lineage}`;
  const station_days = touched?.map(({ provider, station_days }) => ({ provider, station_days })) ?? null;
  const events: Omit<ServerEvent, 'id'>[] = [
    ...report.watch.raised.map((alarm) => ({ event: 'alarm' as const, data: { ...ofLoad, ...alarm } })),
    ...report.watch.cleared.map((alarm) => ({ event: 'clear' as const, data: { ...ofLoad, ...alarm } })),
    ...changedSources(report.collected, before).map(({ state, source, feed, provider, last_success_at }) => ({
      event: 'source' as const,
      data: { ...ofLoad, state, source, feed, provider, last_success_at },
    })),
    { event: 'version', data: { ...ofLoad, outcome: report.outcome, providers, station_days } },
  ];
  const told = events.map((event, at): Told => {
    const id = at === events.length - 1 ? name : `${name}-${at + 1}`;
    const frame = Buffer.from(`id: ${id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`);
    return { event: { id, ...event } as ServerEvent, frame };
  });
  const whole = Buffer.concat(told.map(({ frame }) => frame));
  return { load_id, events: told, touched, whole, place: Buffer.from(`id: ${name}\n\n`) };
}

/** Whether somebody wishes to hear of an event. One that names no provider, or no station, is about all of them. */
function isWished({ event }: Told, { touched }: LoadEvents, { kinds, provider, stations }: Wishes): boolean {
  if (kinds !== undefined && !kinds.has(event.event)) return false;
  if (event.event === 'version') {
    if (touched === undefined || (provider ?? stations) === undefined) return true;
    return touched.some(
      (of) =>
        (provider ?? of.provider) === of.provider &&
        (stations?.some((each) => of.stations.has(each)) ?? true),
    );
  }
  const { data } = event;
  if (provider !== undefined && data.provider !== null && data.provider !== provider) return false;
  const station = 'station_id' in data ? data.station_id : null;
  return station === null || stations === undefined || stations.includes(station);
}

/**
 * The text of the events that somebody wishes to hear, without the first `skip`. It always ends with the place, so who
 * comes back begins behind this load.
 */
export function textFor(load: LoadEvents, wishes: Wishes, skip = 0): Buffer {
  const { events, whole, place } = load;
  if (skip === 0 && Object.values(wishes).every((each) => each === undefined)) return whole;
  const wished = events.slice(skip).filter((told) => isWished(told, load, wishes));
  const frames = wished.map(({ frame }) => frame);
  return Buffer.concat(wished.at(-1) === events.at(-1) ? frames : [...frames, place]);
}
