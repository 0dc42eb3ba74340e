import type { Choices } from '../variables/declarations.js';
import type { Recomputation } from '../api/endpoint.js';
import { computeMinDays } from '../api/constant-sample.js';
import type { Params } from '../api/groups.js';
import { isSummed, type VariableName, VARIABLES } from '../variables/variables.js';
import { writeChoices } from '../api/params/variable-choices.js';
import { stationOrAll } from '../api/params/station-params.js';
import type { ChosenStation } from '../stations/choice.js';
import type { Directory, Station } from '../stations/directory.js';
import { ALL_BUCKETS } from '../statistics/time/lead-time.js';
import { getScale, getUnitText, hasDegrees, type Unit } from '../variables/units.js';
import { addDays, dayNumber } from '../statistics/time/calendar.js';
import { countWeeks, type Window } from '../statistics/time/window.js';
import { maxDegrees } from '../statistics/uncertainty/intervals.js';
import { studentT } from '../statistics/uncertainty/student-t.js';
import { fillTemplates, type ScriptValues } from './template.js';

// The script that computes a response anew: commands, rules, pairs, and the SQL of its endpoint.

/** The parts of a request that every script has. */
export interface ScriptParams extends Params {
  readonly window: Window;
  readonly metric: VariableName;
  readonly choices?: Choices | undefined;
  readonly provider: { readonly name: string; readonly names?: readonly string[] };
  readonly leadTimes: { readonly leads: 'all' | 'some'; readonly buckets: readonly string[] };
  readonly issuedHours?: readonly number[] | undefined;
  readonly station?: Station | readonly ChosenStation[] | undefined;
  readonly unit: Unit;
  /** The share of days of a constant sample. */
  readonly minCoverage?: number | undefined;
  /** The level of intervals, in one of two groups; undefined without intervals. */
  readonly ci?: number | undefined;
  readonly level?: number | undefined;
}

/** More stations than this are chosen by conditions, which the export knows as well. */
const MAX_NAMED = 200;
const CONDITIONS = ['country', 'climate_zone', 'near', 'radius_km', 'bbox'];

/** The query of the export that has the pairs of a request. @param requested the query of the request @param needsDistributions what providers state is needed too */
export function exportQuery(
  params: ScriptParams,
  version: string,
  requested: URLSearchParams,
  needsDistributions = false,
): URLSearchParams {
  const { window, metric, choices, provider, leadTimes, issuedHours, station } = params;
  const query = new URLSearchParams({ metric, date_from: window.period_start, date_to: window.period_end });
  query.set('provider', provider.names === undefined ? provider.name : 'all');
  const ids = [station ?? []].flat().map(({ station_id }) => station_id);
  if (ids.length > MAX_NAMED) {
    for (const name of CONDITIONS) if (requested.has(name)) query.set(name, requested.get(name)!);
  } else if (ids.length > 1) query.set('stations', ids.join(','));
  else if (ids[0] !== undefined) query.set('station_id', ids[0]);
  if (leadTimes.leads === 'some') query.set('lead_time_bucket', leadTimes.buckets.join(','));
  if (issuedHours !== undefined) query.set('issued_hour', issuedHours.join(','));
  if (needsDistributions) query.set('distribution', 'true');
  for (const [name, text] of Object.entries(writeChoices(choices))) query.set(name, text);
  query.set('as_of', version);
  query.set('format', 'parquet');
  return query;
}

/** The values that every template may name. */
function commonValues(params: ScriptParams): ScriptValues {
  const { window, metric, provider, leadTimes, station, unit, minCoverage, ci, level = ci } = params;
  const subject = stationOrAll(station);
  const { first_week, week_count } = countWeeks(window);
  const degrees = Math.max(week_count, maxDegrees(window.days_analyzed));
  return {
    metric,
    level,
    ci,
    week_count,
    unit,
    from: window.period_start,
    to: window.period_end,
    days: window.days_analyzed,
    providers: provider.names,
    ids: station && [station].flat().map((each) => each.station_id),
    hours: params.issuedHours,
    buckets: leadTimes.buckets,
    all_buckets: ALL_BUCKETS,
    min_days: minCoverage && computeMinDays(minCoverage, window),
    is_one: station !== undefined && 'station_id' in station,
    station_id: subject.station_id,
    city_name: subject.city_name,
    ...getScale(unit, metric),
    unit_text: getUnitText(metric, unit),
    celsius: unit === 'celsius',
    has_degrees: hasDegrees(metric),
    hourly: VARIABLES[metric].period === 'hour',
    sums: isSummed(metric),
    chance: VARIABLES[metric].score === 'brier_score',
    first_week: addDays(window.period_start, first_week - dayNumber(window.period_start)),
    student_t: level === undefined ? [] : Array.from({ length: degrees }, (_, at) => studentT(level, at + 1)),
  };
}

/** The stations of a request, ranked by name as by-city ranks them. */
function stationRows({ station }: ScriptParams, { stations }: Directory) {
  const chosen: readonly ChosenStation[] = station === undefined ? stations.all : [station].flat();
  const ranked = chosen.map((each) => ({ ...each, rank: each.city_name.toLowerCase() }));
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0));
  const places = new Map<string, number>();
  for (const { rank } of ranked) if (!places.has(rank)) places.set(rank, places.size);
  return chosen.map(({ station_id, city_name, distance_km }) => [
    station_id,
    city_name,
    places.get(city_name.toLowerCase()) ?? 0,
    distance_km,
  ]);
}

export interface ScriptSubject {
  /** The path and query of the response. */
  path: string;
  /** Where clients find the service; undefined where it does not know. */
  publicUrl: string | undefined;
  /** The query of the export. */
  pairs: URLSearchParams;
  /** The version of the data. */
  version: string;
}

/**
 * The URL of an export as a shell reads it. Nothing of it comes from the request's headers: people run this line with their
 * key, and a cache gives it to others. So without PUBLIC_URL the reader sets BASE_URL; sh stops with this text where it is
 * not set. The path has no sign that a shell reads within double quotes.
 */
function quoteUrl(publicUrl: string | undefined, path: string): string {
  if (publicUrl === undefined) return `"\${BASE_URL:?set it to the URL of the service}${path}"`;
  return `'${publicUrl.replaceAll("'", '%27')}${path}'`;
}

/** The script of a request. */
export function makeScript<OwnParams extends Params>(
  recompute: Recomputation<OwnParams>,
  params: OwnParams & ScriptParams,
  directory: Directory,
  { path, publicUrl, pairs, version }: ScriptSubject,
): string {
  return (
    `-- Recomputes GET ${path} of data version ${version}. DuckDB 1.5 or later.\n` +
    `-- 1. curl -fsS -H "Authorization: Bearer $API_KEY" -o pairs.parquet ${quoteUrl(publicUrl, `/api/v1/export/pairs?${pairs.toString()}`)}\n` +
    '-- 2. duckdb -json -f recompute.sql\n' +
    '-- Rows are those of `data`, then those of `metadata` that follow from pairs. docs/recompute.md explains it.\n' +
    fillTemplates([new URL('prelude.sql', import.meta.url), recompute.sql], {
      ...commonValues(params),
      distributions: recompute.needsDistributions,
      ...(recompute.needsStations && { stations: stationRows(params, directory) }),
      ...recompute.values?.(params, directory),
    })
  );
}
