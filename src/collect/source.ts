import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { HOUR_MS } from '../statistics/time/calendar.js';
import type { SourceState } from '../stations/source-state.js';
import { parsed, plainText } from './plain-text.js';

// A public source of forecasts or observations, as the collector uses it. A source is one file of ./sources and one line
// of ./sources/index.ts. It plans the requests that cover a span, and reads their responses, both without a network.

/**
 * A span of time, half open, in ms since 1970. For forecasts it is of the times of their runs or issuances; for
 * hours of the times of their reports; for observations of their target dates, each of which is the day in UTC that has its
 * name.
 */
export const TIME_SPAN = z.object({ from_ms: z.number(), to_ms: z.number() });
export type Span = z.infer<typeof TIME_SPAN>;

/** A station, with what sources need to know to ask about it. */
export const STATION_PLACE = z.object({
  /** ICAO identifier. */
  station_id: z.string(),
  city_name: z.string(),
  /** ISO 3166, two letters. */
  country: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  elevation_m: z.number().optional(),
  /** IANA zone. */
  timezone: z.string(),
  /** `standard` where days are those of NWS climate reports (D28). */
  day_boundary: z.enum(['civil', 'standard']),
  data_active: z.boolean(),
  /** The NWS forecast office as its bulletins name it, three letters, such as OKX; blank outside the United States. */
  wfo: z.string(),
  /** Its name in climate reports, which in Alaska is PBET for PABE; blank without one. */
  climate_report_id: z.string(),
  /** The network of the station's daily summaries, such as GB__ASOS; blank where a climate report says more. */
  daily_network: z.string(),
});
export type StationPlace = z.infer<typeof STATION_PLACE>;

/** A place that is in no list of stations: its days are civil ones, and no bulletin or network has it. */
export const makeOwnPlace = (
  facts: Omit<StationPlace, 'day_boundary' | 'data_active' | 'wfo' | 'climate_report_id' | 'daily_network'>,
): StationPlace => ({
  ...facts,
  ...{ day_boundary: 'civil', data_active: true, wfo: '', climate_report_id: '', daily_network: '' },
});

/** A span of a station to read, for the first time or again. */
export interface Need {
  place: StationPlace;
  span: Span;
}

/** Something to ask of a source: all its responses are read together, or it is a gap. */
export interface Request {
  /** Path and query below the base URL of the host, in the order in which they are asked. */
  paths: readonly string[];
  /** JSON that each is a POST of; a GET, without it. */
  body?: string;
  /** Needs that its responses cover, unless they report that something is missing. */
  covers: readonly Need[];
  /** The clock of the pass: what is issued later is not there yet, and some statuses depend on it. */
  requested_ms: number;
}

/** The longest lead time of a forecast of an hour that is kept: behind it models have steps of 3 and 6 hours. */
const MAX_HOURLY_LEAD_MS = 72 * HOUR_MS;

/** Whether a forecast of an hour is kept: one from issuance to 72 hours after it. */
export const isHourKept = (issued_ms: number, valid_ms: number): boolean =>
  valid_ms >= issued_ms && valid_ms <= issued_ms + MAX_HOURLY_LEAD_MS;

/** A row of a feed, cells as in the file. */
export type FeedLine = Readonly<Record<string, string>>;

/**
 * Chooses the lines of a response that are kept, while it comes. `enough` is behind the last of them: nothing more is read.
 * A line comes without its end; the last one stays if it has no end, because it may be cut off.
 */
export type Sieve = (line: string) => 'keep' | 'drop' | 'enough';

/** A part of a response that cannot be used, for the report: the rest of the response can. */
export interface UnusablePart {
  /** The station, or the unit of the source where no station is known of it. */
  unit: string;
  reason: string;
}

/**
 * The knowledge of a span that did not come. `unheard`: nobody has said that there is nothing, so it is asked for however
 * long that takes. `absent`: the source does not have it, and may get it late. `final`: it never comes. `of_place`: nor
 * does what is later, as long as the station stays what and where it is.
 */
export const GAP_KINDS = ['unheard', 'absent', 'final', 'of_place'] as const;

/** Why a span did not come. */
export interface Gap {
  reason: string;
  /** `absent`, if not given. */
  kind?: (typeof GAP_KINDS)[number];
  /** How often it was asked for: once, unless its host rests. */
  tries?: number;
}

export interface Reading {
  /** Rows of the source's feed; a row of forecasts has the source's provider. */
  rows: FeedLine[];
  unusable: UnusablePart[];
  /** Needs that the request covers and its responses lack. */
  gaps: (Need & Gap)[];
  /** Rows of other feeds that came with them. */
  normals?: FeedLine[];
  hourly_forecasts?: FeedLine[];
  observations?: FeedLine[];
  /** Where its rows of a station come from, for the report, if that is not the station itself. */
  notes?: { station_id: string; note: string }[];
}

/** A response, or a part of one, that cannot be used, such as a 200 that says ERROR: what it should bring is a gap. */
export class GapError extends Error {
  constructor(
    reason: string,
    readonly kind: 'absent' | 'final' = 'absent',
  ) {
    super(reason);
  }
}

/** The JSON of a response. @throws GapError where it is no JSON, or not of the shape that it should have */
export function readJson<Body>(body: string, response: z.ZodType<Body>, what: string): Body {
  const json = parsed(body);
  if (json === undefined) throw new GapError(`not JSON: ${plainText(body, 80)}`);
  const { data } = response.safeParse(json);
  if (data === undefined) throw new GapError(`not ${what}`);
  return data;
}

/** Reads a part of a response; adds it to `unusable`, and returns undefined, where it cannot be used. */
export function readPart<Part>(unit: string, unusable: UnusablePart[], read: () => Part): Part | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof GapError)) throw error;
    unusable.push({ unit, reason: error.message });
    return undefined;
  }
}

export interface PublicSource {
  readonly name: string;
  readonly feed: SourceState['feed'];
  /** The provider of forecasts (D27). */
  readonly provider?: string;
  /** One of the collector's hosts. */
  readonly host: string;
  /** Headers of its requests, with placeholders for keys. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Asked only where a command names it, because its requests are large. */
  readonly isOff?: boolean;
  /** Free only for use that is not commercial. */
  readonly isNonCommercial?: boolean;
  /** A response is asked for only if it has changed since the last one. */
  readonly isConditional?: boolean;
  /** The least time between two responses for a place, by its terms. */
  readonly interval_ms?: number;
  /** The first date that the source has anything of. */
  readonly earliest: string;
  /** The time that each pass reads again, because late runs, corrections and verified values come. */
  readonly overlap_ms: number;
  /** When to ask while watching, in UTC, and how much to read again then. */
  readonly schedule: readonly { cron: string; overlap_ms: number }[];
  /** The name to show beside its data, and their terms. */
  readonly attribution: string;
  /** Whether it has anything of a station. */
  readonly serves: (place: StationPlace) => boolean;
  /** Pure. The requests that cover these needs, newest first. Needs of several stations may share a request. */
  readonly plan: (needs: readonly Need[], requested_ms: number) => Request[];
  /** For responses that are too large to keep: a sieve for one of them. `read` gets the lines that it keeps. */
  readonly sieve?: (request: Request) => Sieve;
  /** The path that follows from the responses so far, if there is one more. @throws GapError */
  readonly next?: (bodies: readonly string[], request: Request) => Promise<string | undefined>;
  /**
   * Pure. Reads the responses, in the order of the paths.
   * @param headers of the last response
   * @throws GapError
   */
  readonly read: (
    bodies: readonly string[],
    request: Request,
    headers?: IncomingHttpHeaders,
  ) => Reading | Promise<Reading>;
  /**
   * Pure. The gap of a status below 500, for a source that reports gaps in its data this way. Undefined when it is a
   * error of the request as any other.
   */
  readonly refusal?: (status: number, body: string) => GapError | undefined;
  /**
   * How many runs or days a station should have of a span when it is asked; undefined for a source without a fixed number.
   */
  readonly expected: (span: Span, requested_ms: number) => number | undefined;
  /** Bytes of a response, roughly, for the estimate of a dry run. */
  readonly estimatedBytes: (request: Request) => number;
}

/** A source whose responses are read by code of its own. */
export interface CodeSource extends PublicSource {
  /** Pure. @throws GapError */
  readonly read: (bodies: readonly string[], request: Request) => Reading;
}

/** The names of a source in reports and states. */
export type SourceNames = Pick<SourceState, 'source' | 'feed' | 'provider'>;

export const getNames = ({ name, feed, provider }: PublicSource): SourceNames => ({
  source: name,
  feed,
  provider: provider ?? null,
});
