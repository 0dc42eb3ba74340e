import { sum } from '../statistics/statistics.js';
import type { ParamIssue } from '../api/parameters.js';
import type { LeadTimes } from '../api/params/common.js';
import type { Directory } from '../stations/directory.js';
import type { Window } from '../statistics/time/window.js';
import { BUCKET_BEGINNINGS_MS, LEAD_TIME_BUCKETS } from '../statistics/time/lead-time.js';
import { HOUR_MS } from '../statistics/time/calendar.js';
import { HOURLY_NAMES, type VariableName, VARIABLES } from '../variables/variables.js';
import { SEASONS } from './paired-cases.js';

// The cells of a response about several providers: how much work they are, and how many are too many.

/** Measured, of a day of a cell. */
const WORK_MS = 0.0022;

/** Days of all cells of a response: some seconds' work. */
const MAX_CELL_DAYS = 800_000;

/** The number of the month of a date, counted from the year 0. */
const monthNumber = (date: string): number => 12 * Number(date.slice(0, 4)) + Number(date.slice(5, 7));

/** The parts of a request that make cells. */
interface CellQuery {
  window: Window;
  leadTimes: LeadTimes;
  provider: { names: readonly string[] };
  station?: readonly { station_id: string }[] | undefined;
  own: { group_by: readonly string[] };
}

/** The longest lead time that is expected, hours: of sixteen days. Longer ones are compared, too. */
const LONGEST_LEAD_HOURS = 384;

/** How many lead times of whole hours some buckets have. */
const countLeadHours = ({ buckets }: LeadTimes): number =>
  sum(
    LEAD_TIME_BUCKETS.map((bucket, at) =>
      buckets.includes(bucket)
        ? (BUCKET_BEGINNINGS_MS[at + 1] ?? LONGEST_LEAD_HOURS * HOUR_MS) - BUCKET_BEGINNINGS_MS[at]!
        : 0,
    ),
  ) / HOUR_MS;

function countLeads(leadTimes: LeadTimes, group_by: readonly string[]): number {
  if (group_by.includes('lead_hour')) return countLeadHours(leadTimes);
  return group_by.includes('lead_time_bucket') ? leadTimes.buckets.length : 1;
}

/** The error of a request for lead times of hours that is of days, or has two groups of lead times. */
export function refusedGroups({
  metric,
  own: { group_by },
}: {
  metric: VariableName;
  own: CellQuery['own'];
}): ParamIssue | undefined {
  if (!group_by.includes('lead_hour')) return undefined;
  if (VARIABLES[metric].period !== 'hour')
    return {
      parameter: 'group_by',
      message: `lead_hour is of forecasts of an hour; add metric=${HOURLY_NAMES.find((name) => VARIABLES[name].score === VARIABLES[metric].score)}, or take lead_time_bucket`,
    };
  return group_by.includes('lead_time_bucket')
    ? { parameter: 'group_by', message: 'must have lead_hour or lead_time_bucket, not both' }
    : undefined;
}

/** How many cells a request can have, and the days of each. */
function parseCells(
  { window, leadTimes, provider, station, own: { group_by } }: CellQuery,
  directory: Directory,
) {
  const stations =
    station?.map(({ station_id }) => directory.stations.byStation(station_id)) ?? directory.stations.all;
  const [isByMonth, isBySeason] = [group_by.includes('month'), group_by.includes('season')];
  const months = monthNumber(window.period_end) - monthNumber(window.period_start) + 1;
  const seasons = isBySeason ? Math.min(months, SEASONS.length) : 1;
  const leads = countLeads(leadTimes, group_by);
  const fields = (['country', 'climate_zone'] as const).filter((group) => group_by.includes(group));
  const named =
    fields.length === 0 ? [''] : stations.map((each) => fields.map((field) => each[field]).join());
  const places = group_by.includes('station') ? stations.length : new Set(named).size;
  return {
    cells: places * leads * (isByMonth ? months : seasons) * (provider.names.length - 1),
    days: Math.min(window.days_analyzed, isByMonth ? 31 : Infinity),
  };
}

/** The error of a request that makes too many. */
export function refusedCells(params: CellQuery, directory: Directory): ParamIssue | undefined {
  const { cells, days } = parseCells(params, directory);
  if (cells * days <= MAX_CELL_DAYS) return undefined;
  const message =
    `makes ${cells} cells of ${days} days, but at most ${MAX_CELL_DAYS} days of cells are allowed; ` +
    'name fewer stations, lead times or providers, or take a shorter window';
  return { parameter: 'group_by', message };
}

/** The time that the arithmetic of a request takes, ms. */
export function workOfCells(params: CellQuery, directory: Directory): number {
  const { cells, days } = parseCells(params, directory);
  return cells * days * WORK_MS;
}
