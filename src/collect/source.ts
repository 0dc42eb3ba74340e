import type { DayBoundary } from '../statistics/time/local-midnight.js';

// What a public source of forecasts or observations is to the collector. A source is one file of ./sources and one line
// of ./sources/index.ts: which requests cover a span, and what an answer says, both without a network.

/**
 * A span of time, half open, in ms since 1970. For forecasts it is of the times of their runs or issuances; for
 * observations of their target dates, each of which is the day in UTC that has its name.
 */
export interface Span {
  from_ms: number;
  to_ms: number;
}

/** A station, with what sources need to know to ask about it. */
export interface Place {
  /** ICAO identifier. */
  station_id: string;
  city_name: string;
  /** ISO 3166, two letters. */
  country: string;
  latitude: number;
  longitude: number;
  elevation_m: number | undefined;
  /** IANA zone. */
  timezone: string;
  /** `standard` where days are those of NWS climate reports (D28). */
  day_boundary: DayBoundary;
  data_active: boolean;
  /** The NWS forecast office as its bulletins name it, three letters, such as OKX; blank outside the United States. */
  wfo: string;
  /** Its name in climate reports, which in Alaska is PBET for PABE; blank where it has none. */
  climate_report_id: string;
  /** The network of the station's daily summaries, such as GB__ASOS; blank where a climate report says more. */
  daily_network: string;
}

/** What nothing has been read of yet, or what is read again. */
export interface Need {
  place: Place;
  span: Span;
}

export type HostName = 'iem' | 'open-meteo';

/** Something to ask of a source: all its answers are read together, or it is a gap. */
export interface Request {
  /** Path and query below the base URL of the host, in the order in which they are asked. */
  paths: readonly string[];
  /** What its answers cover, unless they say that something is missing. */
  covers: readonly Need[];
  /** The clock of the pass: what is issued later is not there yet, and some statuses depend on it. */
  asked_ms: number;
}

/** A row of a feed, cells as in the file. */
export type FeedLine = Readonly<Record<string, string>>;

/** A part of an answer that cannot be used, for the report: the rest of the answer can. */
export interface UnusablePart {
  /** The station, or the unit of the source where no station is known of it. */
  unit: string;
  reason: string;
}

/** What an answer lacks of what its request covers: a gap, which later passes ask for again. */
export interface Missing extends Need {
  reason: string;
  /** There is nothing of this station, and will be nothing as long as it stays what and where it is. */
  isOfPlace?: boolean;
}

export interface Reading {
  /** Rows of the source's feed; a row of forecasts has the source's provider. */
  rows: FeedLine[];
  unusable: UnusablePart[];
  missing: Missing[];
  /** Rows of other feeds that came with them. */
  normals?: FeedLine[];
  /** Where its rows of a station come from, for the report, if that is not the station itself. */
  notes?: { station_id: string; note: string }[];
}

/** An answer that is no answer, such as a 200 that says ERROR or has nothing: nothing of the request is covered. */
export class Unusable extends Error {
  constructor(
    message: string,
    /** The source says that there is none: of what should be there for long the gap is shown, and not asked for again. */
    readonly isFinal = false,
  ) {
    super(message);
  }
}

export interface Source {
  readonly name: string;
  readonly feed: 'forecasts' | 'observations';
  /** Of forecasts (D27). */
  readonly provider?: string;
  readonly host: HostName;
  /** The first date that the source has anything of. */
  readonly earliest: string;
  /** What each pass reads again, as late runs, corrections and verified values come. */
  readonly overlap_ms: number;
  /** When to ask while watching, in UTC, and how much to read again then. */
  readonly schedule: readonly { cron: string; overlap_ms: number }[];
  /** Who must be named where its data are shown, and under which terms. */
  readonly attribution: string;
  /** Whether it has anything of a station. */
  readonly serves: (place: Place) => boolean;
  /** Pure. The requests that cover these needs, newest first. Needs of several stations may share a request. */
  readonly plan: (needs: readonly Need[], asked_ms: number) => Request[];
  /**
   * Pure. What the answers say, in the order of the paths.
   * @throws Unusable
   */
  readonly read: (bodies: readonly string[], request: Request) => Reading;
  /**
   * Pure. What an answer of status 400 or 404 says about the source's data, for one that says so in this way; undefined
   * when it is a fault of the request as any other.
   */
  readonly refusal?: (status: number, body: string) => Unusable | undefined;
  /**
   * How many runs or days a station should have of a span when it is asked; undefined for a source without a fixed number.
   */
  readonly expected: (span: Span, asked_ms: number) => number | undefined;
  /** Bytes of an answer, roughly, for the estimate of a dry run. */
  readonly estimatedBytes: (request: Request) => number;
}
