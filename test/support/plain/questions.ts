import { plusDays, type World } from './oracle.js';
import { daysUntilTheLast } from './requests.js';

// Questions of every kind about a world, for tests that hold one answer of the service against another.

/** The data that a question reads: histograms of errors, the cases, or neither. */
type Kind = 'errors' | 'cases' | 'others';

/** Paths below /api/v1 that ask about nine days at the first end of a world, and at the last. */
export function questionsAbout({ stations, dates }: World, kinds: readonly Kind[]): string[] {
  const sorted = [...dates].sort();
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  const id = stations[0]?.station_id ?? '';
  const city = encodeURIComponent(stations[0]?.city_name ?? '');
  const all: Record<Kind, string[]> = {
    errors: [
      'accuracy/summary?ci=0.9',
      `accuracy/summary?station_id=${id}&metric=low`,
      `accuracy/by-date/${id}?include_preliminary=true`,
      'accuracy/by-date?group_by=week',
      'accuracy/by-date?metric=mean',
      'accuracy/by-lead-time?include_same_day=true',
      'accuracy/by-weather-regime?ci=0.9',
      'accuracy/by-city?sort_by=rmse',
      'accuracy/by-city?metric=low&lead_time_bucket=same-day,0-6h',
      `accuracy/by-city?city=${city}&lead_time_bucket=same-day,0-6h`,
      `accuracy/by-station/${id}?include_raw=true`,
    ],
    cases: [
      'accuracy/by-lead-time?align=matched&lead_time_bucket=0-6h,12-24h',
      'accuracy/hit-rate?lead_time_bucket=same-day,0-6h,24-48h',
      `accuracy/hit-rate?station_id=${id}&lead=24`,
      `accuracy/by-bucket/${id}?metric=low`,
      'accuracy/events?group_by=lead_time_bucket&thresholds=0,32,50,60,70&lead_time_bucket=same-day,0-6h,12-24h',
      'accuracy/events?group_by=station&metric=low&thresholds=20,32,45,60',
      'accuracy/revision-stats?metric=low',
      'accuracy/hit-rate?metric=cdd',
      'accuracy/skill?',
      'accuracy/distribution?lead_time_bucket=same-day,0-6h,24-48h',
      `accuracy/distribution?station_id=${id}&metric=low&group_by=month`,
      'accuracy/skill?group_by=station',
    ],
    others: [
      'accuracy/by-lead-time?align=matched',
      'accuracy/exceedance?',
      'accuracy/error-distribution?signed=true',
      'accuracy/sample-size?',
      'accuracy/update-frequency?',
      'data/observations?versions=all',
      'data/forecast-actual?',
      `data/forecasts?versions=all&forecast_for_date=${first}`,
    ],
  };
  const from = plusDays(first, -3);
  const windows = [`date_from=${from}&days=${Math.min(9, daysUntilTheLast(from))}`, `date_to=${last}&days=9`];
  return kinds.flatMap((kind) =>
    all[kind].flatMap((question) =>
      question.includes('forecast_for_date') ? question : windows.map((window) => `${question}&${window}`),
    ),
  );
}
