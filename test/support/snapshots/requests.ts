import { createHash } from 'node:crypto';
import { plusDays } from '../plain/oracle.js';

/** A parameter, as the OpenAPI document lists it. */
export interface Parameter {
  name: string;
  in: string;
  schema: { type: string; enum?: string[] };
}

/** The last day, providers and versions of a data set that the requests name. */
export interface Subject {
  /** The last day that they ask for. */
  lastDay: string;
  providers: readonly string[];
  /** From the first to the present one. */
  versions: readonly string[];
}

/** At most one of them names where. */
const PLACES = ['', 'station_id', 'city', 'stations'];
const COMBINATIONS = 28;

/** Values of the parameters that have no list of them, and none of `bom`, which is for CSV alone. A path may lack some. */
function samplesOf({ lastDay, providers, versions }: Subject): Record<string, string[]> {
  const ago = (days: number): string => plusDays(lastDay, -days);
  return {
    station_id: ['KORD', 'DEN'],
    city: ['Windy City'],
    stations: ['KORD,DEN,Miami'],
    country: ['US'],
    climate_zone: ['Dfa'],
    near: ['41.88,-87.63'],
    radius_km: ['400'],
    bbox: ['-110,30,-80,45'],
    issued_hour: ['0,12', '6'],
    group_by: ['lead_time_bucket', 'lead_time_bucket,month', 'season'],
    days: ['9'],
    date_from: [ago(13)],
    date_to: [ago(5)],
    provider: [...providers],
    providers: [providers.toReversed().join(',')],
    reference: [...providers],
    lead_time_bucket: ['12-24h', '0-6h,24-48h', 'same-day'],
    known_at: [ago(10), `${ago(4)}T20:00:00Z`],
    as_of: ['2020-01-01', ...versions],
    thresholds: ['2', '2.5,10', '60,75'],
    cost_loss: ['0.1,0.4'],
    wet_at: ['1mm'],
    base: ['18c'],
    cap: ['90f'],
    brackets: ['80-81', '..59,60-61,70..'],
    min_coverage: ['0.7'],
    min_samples: ['30', '3000'],
    range_width: ['3'],
    range_offset: ['1'],
    limit: ['3'],
    window: ['30', '120'],
    forecast: ['75.5'],
    forecast_temp: ['60'],
    forecast_for_date: [ago(2)],
    target_date: [ago(2)],
    lead_hours: ['20', '40'],
    hour: ['12', '24'],
    threshold: ['2', '4.5'],
    start_time: [ago(9)],
    end_time: [ago(1)],
    before: ['2'],
    after: ['v1'],
    cursor: [`${versions.at(-1)?.slice(1)}.5`],
    version: ['v1'],
    from: ['1'],
    to: ['1'],
    bom: [],
    units: ['metric', 'speed=ms,length=mm'],
  };
}

/**
 * The requests of a path: windows, each value of each parameter, and a bad one, by itself, and combinations. A digest
 * picks these, so that a new parameter leaves most of the others as they were.
 * @throws Error for a parameter without a sample
 */
export function requestsOf(path: string, parameters: readonly Parameter[], subject: Subject): string[] {
  const asked = parameters.filter((parameter) => parameter.in === 'query');
  const samples = samplesOf(subject);
  if (path.includes('/export/')) samples.provider = ['all'];
  const values = new Map(
    asked.map(({ name, schema }) => {
      const found =
        schema.enum ?? samples[name] ?? (schema.type === 'boolean' ? ['true', 'false'] : undefined);
      if (found === undefined) throw new Error(`${path}: no sample of ${name}`);
      return [name, found];
    }),
  );
  // Every day is named, as a request as of a version would else end on the day that it was loaded.
  const over = (days: number): Record<string, string> => {
    const first = plusDays(subject.lastDay, 1 - days);
    const last = subject.lastDay;
    return {
      ...{ date_from: first, date_to: last, start_time: first, end_time: last },
      ...{ forecast_for_date: last, target_date: last },
      ...(path.endsWith('/probability') && { forecast: '60', lead_time_bucket: '12-24h' }),
    };
  };
  const requests = new Set<string>();
  const ask = (chosen: Record<string, string>): void => {
    const query = Object.entries(chosen).filter(([name]) => values.has(name));
    requests.add(`${path.replace('{station_id}', 'KORD')}?${new URLSearchParams(query).toString()}`);
  };
  ask({});
  ask({ station_id: 'KORD', target_date: subject.lastDay }); // a probability of a stored forecast
  // The day that has begun. A version is loaded when this runs, so its day would be another one.
  for (const [name, each] of path.endsWith('/probability') ? values : []) {
    for (const value of name === 'as_of' ? [] : each) ask({ station_id: 'KORD', [name]: value });
  }
  for (const days of [7, 30, 90]) {
    for (const more of [undefined, { format: 'csv' }]) {
      ask({ ...over(days), ...more });
      ask({ ...over(days), ...more, station_id: 'KORD' });
    }
  }
  for (const [name, each] of values) {
    for (const value of [...each, 'wrong!']) ask({ ...over(30), [name]: value });
  }
  ask({ ...over(7), format: 'csv', bom: 'true' });
  for (let nth = 0; values.has('as_of') && nth < COMBINATIONS; nth += 1) {
    const pick = <Item>(purpose: string, items: readonly Item[]): Item =>
      items[createHash('sha256').update(`${path} ${nth} ${purpose}`).digest().readUInt32BE() % items.length]!;
    const place = pick('place', PLACES);
    const chosen = over(pick('days', [7, 30, 90]));
    for (const [name, each] of values) {
      if (each.length === 0 || name === 'days' || (name in chosen && name !== 'lead_time_bucket')) continue;
      const isAsked = PLACES.includes(name) ? name === place : pick(`with ${name}`, [true, false, false]);
      if (isAsked) chosen[name] = pick(name, each);
    }
    ask(chosen);
  }
  return [...requests];
}
