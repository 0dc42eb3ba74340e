import { createHash } from 'node:crypto';
import { plusDays } from '../plain/oracle.js';

/** A parameter, as the OpenAPI document lists it. */
export interface Parameter {
  name: string;
  in: string;
  schema: { type: string; enum?: string[] };
}

/** What the questions name of a data set. */
export interface Subject {
  /** The last day that they ask for, in the data. */
  lastDay: string;
  providers: readonly string[];
  versions: readonly string[];
}

/** Places exclude each other. */
const PLACES = ['station_id', 'city', 'stations'];
const COMBINATIONS = 32;

/** Values of the parameters that have no list of them. */
function samplesOf({ lastDay, providers, versions }: Subject): Record<string, string[]> {
  return {
    station_id: ['KORD', 'DEN'],
    city: ['Seattle', 'Springfield'],
    stations: ['KORD,DEN,Miami'],
    days: ['9'],
    date_from: [plusDays(lastDay, -13)],
    date_to: [plusDays(lastDay, -5)],
    provider: [...providers, 'all'],
    providers: [[...providers].reverse().join(',')],
    reference: [...providers],
    lead_time_bucket: ['12-24h', '0-6h,24-48h', 'same-day'],
    known_at: [plusDays(lastDay, -10), `${plusDays(lastDay, -4)}T06:00:00Z`],
    as_of: [...versions],
    thresholds: ['2', '2.5,60,75'],
    brackets: ['80-81', '..59,60-61,70..'],
    min_samples: ['30', '3000'],
    range_width: ['3'],
    range_offset: ['1'],
    limit: ['3'],
    window: ['30', '120'],
    forecast: ['60', '75.5'],
    forecast_temp: ['60'],
    forecast_for_date: [plusDays(lastDay, -2)],
    target_date: [plusDays(lastDay, -2)],
    lead_hours: ['20', '40'],
    start_time: [plusDays(lastDay, -9)],
    end_time: [plusDays(lastDay, -1)],
    before: ['2'],
    cursor: ['2.5'],
  };
}

/**
 * The questions of a path: its windows, each of its parameters alone, over all stations and over one, with good values
 * and a bad one, and combinations. A digest picks these, so a parameter that is new changes few of the others.
 */
export function questionsOf(path: string, parameters: readonly Parameter[], subject: Subject): string[] {
  const asked = parameters.filter((parameter) => parameter.in === 'query');
  const names = asked.map(({ name }) => name);
  const samples = samplesOf(subject);
  const values = new Map(
    asked.map(({ name, schema }) => {
      const found = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : samples[name]);
      if (found === undefined) throw new Error(`${path}: no sample of ${name}`);
      return [name, found];
    }),
  );
  // Each with its days named: the version of as_of was recorded today.
  const over = (days: number): Record<string, string> => {
    const first = plusDays(subject.lastDay, 1 - days);
    const last = subject.lastDay;
    const forecast = { forecast: '60', lead_time_bucket: '12-24h' };
    return {
      ...{ date_from: first, date_to: last, start_time: first, end_time: last },
      ...{ forecast_for_date: last, target_date: last },
      ...(path.endsWith('/probability') && forecast),
    };
  };
  const found = new Set<string>();
  const ask = (chosen: Record<string, string>): void => {
    const kept = Object.entries(chosen).filter(([name]) => names.includes(name));
    const query = kept.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
    found.add(`${path.replace('{station_id}', 'KORD')}${query === '' ? '' : `?${query}`}`);
  };
  ask({});
  ask({ station_id: 'KORD', format: 'csv' });
  ask({ station_id: 'KORD', target_date: subject.lastDay }); // a stored forecast
  for (const days of [7, 30, 90]) {
    for (const more of [{}, { format: 'csv' }, { metric: 'low' }, { ci: '0.95' }]) {
      ask({ ...over(days), ...more });
      ask({ ...over(days), ...more, station_id: 'KORD' });
    }
  }
  for (const [name, each] of values) {
    for (const value of each) {
      ask({ ...over(30), [name]: value });
      ask({ station_id: 'KORD', ...over(30), [name]: value });
    }
    ask({ ...over(30), [name]: 'wrong!' });
  }
  for (let nth = 0; nth < (names.includes('as_of') ? COMBINATIONS : 0); nth += 1) {
    const pick = <Item>(purpose: string, items: readonly Item[]): Item =>
      items[digestOf(`${path} ${nth} ${purpose}`) % items.length] as Item;
    const place = pick('place', ['', ...PLACES]);
    const chosen = over(pick('days', [7, 30, 90]));
    for (const [name, each] of values) {
      if (name in chosen && name !== 'lead_time_bucket') continue;
      if (PLACES.includes(name) ? name === place : pick(`with ${name}`, [true, false, false])) {
        chosen[name] = pick(name, each);
      }
    }
    ask(chosen);
  }
  return [...found];
}

const digestOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();
