import type * as Geo from 'd3-geo';
import type * as Topology from 'topojson-client';
import type Plot from 'uplot';
import type { Uncertainty } from '../../src/statistics/uncertainty/intervals.js';
import type { Stats } from '../../src/statistics/statistics.js';

export type { Stats, Uncertainty };

// The answers of the API, as far as the dashboard reads them; /openapi.json describes them whole.

export interface WindowMetadata {
  generated_at: string;
  days_analyzed: number;
  period_start: string;
  period_end: string;
}

/** With `ci`, each number with its interval. */
export type SummaryData = Stats & { uncertainty?: Uncertainty };

export interface Summary {
  data: SummaryData;
  metadata: WindowMetadata & {
    station_id: string;
    /** How many are chosen, without a single one. */
    stations?: number;
    provider: string;
    verification_coverage: { verified_days: number; preliminary_days: number };
  };
}

export interface Day {
  date: string;
  station_id: string;
  stats: Stats;
  sample_size: number;
  preliminary_pairs: number;
}

export interface ByDate {
  data: Day[];
  metadata: WindowMetadata;
}

export interface LeadTime {
  lead_time_bucket: string;
  label: string;
  stats: Stats;
  uncertainty?: Uncertainty;
  /** With `align=matched`: over the station days that all buckets compared have; null for a bucket that is not compared. */
  matched?: Matched | null;
}

export interface Matched {
  cases: number;
  days: number;
  mae: number | null;
  mean_error: number | null;
  uncertainty: Uncertainty;
  /** Beyond the first bucket compared, °F. */
  mae_difference: { value: number; low: number | null; high: number | null } | null;
}

export interface ByLeadTime {
  data: LeadTime[];
  metadata: WindowMetadata & { aligned_buckets?: string[]; cases_matched?: number };
}

/** A provider against its reference on the station days that both have. */
export interface Compared {
  lead_time_bucket: string;
  provider: string;
  reference: string;
  cases: number;
  /** Whether the provider is nearer, at full precision: intervals are rounded. */
  verdict: 'better' | 'worse' | 'not_shown' | 'no_common_days';
  identical: boolean;
  /** A warning that their mean leads differ by 3 h or more. */
  hint: string | null;
  mae_difference: { value: number | null; low: number | null; high: number | null };
  /** Cases in which the provider is nearer, and in which the reference is. */
  wins: number;
  losses: number;
  /** Whether the difference is significant among all records of the answer. */
  significant: boolean;
  /** With group_by: the first day of the month, or the season. */
  month?: string;
  season?: string;
}

export interface Comparison {
  data: Compared[];
  /** The records with a test, and those of them that are significant. */
  metadata: { cells: number; significant_cells: number };
}

/** How well forecasts of a lead time tell of an event. */
export interface EventScores extends Record<
  'pod' | 'pod_low' | 'pod_high' | 'far' | 'far_low' | 'far_high' | 'csi' | 'csi_low' | 'csi_high',
  number | null
> {
  lead_time_bucket: string;
  cases: number;
  hits: number;
  false_alarms: number;
  misses: number;
}

export interface Events {
  data: EventScores[];
}

export interface Provider {
  provider: string;
  is_default: boolean;
  /** The last day of its pairs; null without any. */
  last_target_date: string | null;
}

/** How likely each outcome of a forecast is. */
export interface Odds {
  data: {
    station_id: string;
    city_name: string;
    target_date: string;
    /** Null for a day that has begun without one. */
    forecast_f: number | null;
    /** The issuance of a stored forecast; null for a forecast of the request. */
    issued_at: string | null;
    /** Null for a day that has begun. */
    lead_time_bucket: string | null;
    /** The measurements of a day that has begun; null where they do not count. */
    so_far?: {
      m: number | null;
      at: string;
      hour: number;
      day_begins_at: string;
      cases: number;
    } | null;
    quantiles: Record<'p05' | 'p25' | 'p75' | 'p95', number | null>;
    training: {
      from: string;
      to: string;
      station_days: number;
      network_days: number;
      weight_station: number;
    };
    thresholds?: {
      threshold_f: number;
      at_or_above: number | null;
      low: number | null;
      high: number | null;
    }[];
    brackets?: Bracket[];
    /** Why there are no probabilities; null where there are. */
    reason: string | null;
  };
  /** The hint: what to know of them, where there is something. */
  metadata: { hint?: string };
}

/** Whole degrees, both ends included; null at an open end. */
export interface Bracket {
  from_f: number | null;
  to_f: number | null;
  probability: number | null;
  low: number | null;
  high: number | null;
}

/** The temperatures of a station between two instants. */
export interface Hours {
  data: { at: string; temp_f: number | null }[];
}

/** When the high or low of days came. */
export interface PeakTiming {
  data: { share_by_hour: { hour: number; share_reached: number | null }[] };
}

/** Past odds against what happened. */
export interface Reliability {
  data: {
    lead_time_bucket: string;
    cases: number;
    /** With several providers: their blend beside each of them. */
    blend?: { mae_f: number | null; members: Record<string, { mae_f: number | null }>; note: string };
    /** Against a normal distribution with 2 °F around each forecast. */
    normal_2f: { crps_skill: number | null };
    bins: {
      forecasts: number;
      mean_probability: number | null;
      observed: number | null;
      low: number | null;
      high: number | null;
    }[];
  };
}

export interface Freshness {
  data: {
    /** Public sources that are collected from, and who must be named where their data are shown. */
    sources: { source: string; last_success_at: string | null; attribution: string | null }[];
  };
}

export interface City {
  station_id: string;
  city_name: string;
  sample_size: number;
  stats: Stats;
}

export interface ByCity {
  data: City[];
  metadata: WindowMetadata;
}

export interface Station {
  station_id: string;
  city_name: string;
  country: string;
  climate_zone: string;
  latitude: number;
  longitude: number;
  data_active: boolean;
}

/** The question that the page shows, as its URL says it: in the words of the API's parameters. Blank is not given. */
export interface Question {
  metric: string;
  days: string;
  date_from: string;
  date_to: string;
  station_id: string;
  /** By what stations are chosen. */
  country: string;
  climate_zone: string;
  near: string;
  radius_km: string;
  bbox: string;
  /** Blank for the default one. */
  provider: string;
  /** One lead-time bucket or several, by commas; blank for the six of the contract. */
  lead_time_bucket: string;
  /** `celsius`, or blank for fahrenheit. */
  temp_unit: string;
  /** The forecast whose odds are asked, °F; blank for the latest one. */
  forecast: string;
  /** Its lead-time bucket; blank for that of a stored forecast, or 12-24h. */
  forecast_lead: string;
  /** At or above what, whole °F; blank for the forecast itself. */
  threshold: string;
  /** The threshold of events, in the unit of the page; blank for a frost or a hot day. */
  event: string;
  /** Who is compared with the provider; blank for the one with the most days in common. */
  compare: string;
  /** Which map: blank for all stations, or `us`. */
  map: string;
}

/** The page as a panel has it: a question, and what may become of it. */
export interface Page {
  question: Question;
  /** Aborts when another question has taken the place of this one. */
  signal: AbortSignal;
  /** An answer of the API; each is asked for once a question. */
  get<Answer>(path: string, query: Record<string, string>): Promise<Answer>;
  /** All stations. */
  stations(): Promise<Station[]>;
  /** The one chosen, by whatever name. */
  station(): Promise<Station | undefined>;
  /** A button that saves what a panel shows. */
  save(what: string, path: string, query: () => Record<string, string>): HTMLElement;
  /** Shows another question. */
  change(part: Partial<Question>): void;
  /** Keeps in the address what a panel has changed by itself, and shows some panels again. */
  keep(part: Partial<Question>, ...panels: string[]): void;
}

// Libraries that libraries.js loads as scripts.
declare global {
  const uPlot: typeof Plot;
  const d3: typeof Geo;
  const topojson: typeof Topology;
}
