import { formatDate, DAY_MS, HOUR_MS } from '../../../../src/statistics/time/calendar.js';
import { localDay } from '../../../../src/statistics/time/local-midnight.js';
import type { Facts } from '../collector.js';
import { asosOutAt, asosRows } from '../stub/iem-asos.js';
import { reportsOf } from '../stub/iem-cli.js';
import { nbmForecasts } from '../stub/iem-nbm.js';
import { pfmForecasts, pfmIssues } from '../stub/iem-pfm.js';
import { MODELS, runForecasts } from '../stub/openmeteo.js';
import { type Extremes, observed, type StubPlace } from '../world.js';
import type { Archives, Outage } from './archives.js';

// Facts of a world's archives, with their times: those that a store may have, and those that it must have.

/** A fact that archives tell from a time to another, when a later report takes its place. */
export interface Published {
  key: string;
  value: number;
  host: Outage['host'];
  from_ms: number;
  to_ms: number;
  /** How long it must stand there, with a host that answers, until a collector must have seen it. */
  seen_within_ms: number;
}

/** Passes that read a whole overlap again come once a day. */
const DAILY_MS = 26 * HOUR_MS;

export interface Watch {
  places: readonly StubPlace[];
  archives: Archives;
  /** The first day that is wanted. */
  first_ms: number;
  start_ms: number;
  end_ms: number;
}

export function publishedBy({ places, archives, first_ms, end_ms }: Watch): Published[] {
  const { lateness } = archives;
  const days = Array.from({ length: Math.ceil((end_ms - first_ms) / DAY_MS) }, (_, at) =>
    formatDate(first_ms / DAY_MS + at),
  );
  const facts: Published[] = [];
  const forecast = (
    host: Outage['host'],
    name: string,
    date: string,
    values: Partial<Extremes>,
    from_ms: number,
  ): void => {
    for (const [what, value] of Object.entries(values))
      facts.push({
        key: `${name} ${date} ${what.replace('_f', '')}`,
        value,
        host,
        from_ms,
        to_ms: Infinity,
        seen_within_ms: DAILY_MS,
      });
  };
  for (const place of places) {
    const { station_id: id, wfo } = place;
    if (wfo !== '') {
      for (const { issued_at, target_date, high_f, low_f } of nbmForecasts(
        place,
        { from_ms: first_ms, to_ms: end_ms },
        Infinity,
      ) as Record<string, string>[]) {
        const issued_ms = Date.parse(issued_at ?? '');
        const late_ms = lateness('iem-nbm', id, issued_ms - 75 * 60_000);
        forecast(
          'iem',
          `nbm ${id} ${issued_ms}`,
          target_date ?? '',
          {
            ...(high_f !== '' && { high_f: Number(high_f) }),
            ...(low_f !== '' && { low_f: Number(low_f) }),
          },
          issued_ms + late_ms,
        );
      }
      if (place.point_north_degrees !== null)
        for (const issued_ms of pfmIssues(wfo, first_ms, end_ms)) {
          const from_ms = issued_ms + lateness('iem-pfm', wfo, issued_ms);
          for (const { date, what, value } of pfmForecasts(place, issued_ms))
            forecast('iem', `nws ${id} ${issued_ms}`, date, { [what]: value }, from_ms);
        }
    }
    for (const { provider, every_hours, published_hours } of Object.values(MODELS))
      for (let run_ms = first_ms; run_ms < end_ms; run_ms += every_hours * HOUR_MS) {
        const issued_ms = run_ms + published_hours * HOUR_MS;
        const from_ms = issued_ms + lateness(`openmeteo-${provider}`, '', run_ms);
        for (const { date, ...values } of runForecasts(provider, place, run_ms, issued_ms))
          forecast('open-meteo', `${provider} ${id} ${issued_ms}`, date, values, from_ms);
      }
    for (const date of days) facts.push(...observationsOf(place, date, archives));
    for (const { at = '', temp_c } of asosRows(place, { from_ms: first_ms, to_ms: end_ms }, Infinity)) {
      const from_ms = asosOutAt(id, Date.parse(at), lateness);
      // The last hours are asked for each hour.
      const seen_within_ms = from_ms < Date.parse(at) + HOUR_MS ? 2 * HOUR_MS : DAILY_MS;
      const seen = { host: 'iem' as const, from_ms, to_ms: Infinity, seen_within_ms };
      facts.push({ key: `${id} ${at}`, value: Number(temp_c), ...seen });
    }
  }
  return facts.filter(({ from_ms }) => from_ms <= end_ms);
}

function observationsOf(place: StubPlace, date: string, { lateness }: Archives): Published[] {
  const { station_id: id, wfo } = place;
  const day_ms = Date.parse(date);
  const fact = (
    { high_f, low_f }: Extremes,
    of: { status: string; observed_ms: number; from_ms: number; to_ms: number; seen_within_ms: number },
  ): Published[] => {
    const { status, observed_ms, ...seen } = of;
    return Object.entries({ high: high_f, low: low_f }).map(([what, value]) => ({
      key: `${id} ${date} ${what} ${status} ${observed_ms}`,
      value,
      host: 'iem',
      ...seen,
    }));
  };
  if (wfo !== '') {
    const reports = reportsOf(place, date, lateness);
    return reports.flatMap((report, at) => {
      const { status, issued_ms } = report;
      const to_ms = reports[at + 1]?.issued_ms ?? Infinity;
      // Each hour, reports of its day and the day before are asked for.
      const isHourly = to_ms < Infinity && issued_ms + 2 * HOUR_MS < day_ms + 2 * DAY_MS;
      const seen_within_ms = isHourly ? 2 * HOUR_MS : DAILY_MS;
      return fact(report, { status, observed_ms: issued_ms, from_ms: issued_ms, to_ms, seen_within_ms });
    });
  }
  const { ends_ms } = localDay(date, place.timezone, place.day_boundary);
  const there_ms = ends_ms + lateness('iem-daily', id, day_ms);
  const settled_ms = day_ms + 3 * DAY_MS;
  const truth = observed(id, date);
  const before = { status: 'preliminary', observed_ms: ends_ms, from_ms: there_ms, to_ms: settled_ms };
  const after = {
    status: 'verified',
    observed_ms: settled_ms,
    from_ms: Math.max(there_ms, settled_ms),
    to_ms: Infinity,
  };
  return [
    ...(there_ms < settled_ms ? fact(truth, { ...before, seen_within_ms: 7 * HOUR_MS }) : []),
    ...fact(truth, { ...after, seen_within_ms: DAILY_MS }),
  ];
}

/** Whether a fact stood so long in an archive that answered that a collector must have it. */
export function mustBeIn(fact: Published, { archives, start_ms, end_ms }: Watch): boolean {
  const [from_ms, to_ms] = [Math.max(fact.from_ms, start_ms), Math.min(fact.to_ms, end_ms)];
  const closed = archives.outages
    .filter(({ host, ...outage }) => host === fact.host && outage.from_ms < to_ms && outage.to_ms > from_ms)
    .sort((a, b) => a.from_ms - b.from_ms);
  let begins_ms = from_ms;
  for (const outage of closed) {
    if (outage.from_ms - begins_ms >= fact.seen_within_ms) return true;
    begins_ms = Math.max(begins_ms, outage.to_ms);
  }
  return to_ms - begins_ms >= fact.seen_within_ms;
}

/** The facts of a store, by the keys of what is published. */
export function keysOf({ forecasts, observations }: Facts): Map<string, number> {
  return new Map([
    ...forecasts.map(
      ({ provider, station_id, issued_ms, date, metric, value }) =>
        [`${provider} ${station_id} ${issued_ms} ${date} ${metric}`, value] as const,
    ),
    ...observations.map(
      ({ station_id, date, metric, status, observed_ms, value }) =>
        [`${station_id} ${date} ${metric} ${status} ${observed_ms}`, value] as const,
    ),
  ]);
}
