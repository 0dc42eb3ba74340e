import {
  type Bucket,
  type Load,
  type Metric,
  type ObservationRow,
  outranks,
  type Pair,
  pairsOf,
  plusDays,
  reportsOf,
  startOfDay,
  STATIONS,
} from './oracle.js';

// Probabilities and their scores (D36), worked out a second time: nested loops over the facts of a small world, and sums
// over every degree there may be. Temperatures are in hundredths of °F.

const HOUR = 3_600_000;

export interface ProbabilityQuestion {
  metric: Metric;
  provider: string;
  bucket: Bucket;
  /** Hours; without it, the latest forecasts of the bucket are meant. */
  lead?: number;
  window: number;
  verified_only: boolean;
  unit?: Celsius;
}

/** Degrees are °C; without it they are °F. */
export type Celsius = 'celsius' | undefined;

/** The forecast of a station day that counts. */
export interface Chosen {
  station_id: string;
  target_date: string;
  forecast: number;
  /** Hours before the day begins. */
  lead: number;
}

export const zoneOf = (station_id: string): string =>
  STATIONS.find((each) => each.station_id === station_id)?.timezone ?? '';

export const issuedAt = ({ station_id, target_date, lead }: Chosen): number =>
  Math.round(startOfDay(target_date, zoneOf(station_id)) - lead * HOUR);

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

/** The question that tests ask most, and others. */
export const question = (more: Partial<ProbabilityQuestion> = {}): ProbabilityQuestion => ({
  ...{ metric: 'high', provider: 'default', bucket: '12-24h', window: 40, verified_only: false },
  ...more,
});

/** The parameters that ask a question, without its provider. */
export const asked = ({ metric, bucket, lead, window, verified_only, unit }: ProbabilityQuestion): string =>
  `metric=${metric}&lead_time_bucket=${encodeURIComponent(bucket)}&window=${window}&verified_only=${verified_only}` +
  (lead === undefined ? '' : `&lead_hours=${lead}`) +
  (unit === undefined ? '' : `&temp_unit=${unit}`);

const REACH = {
  '0-6h': [0, 6],
  '6-12h': [6, 12],
  '12-24h': [12, 24],
  '24-48h': [24, 48],
  '48-72h': [48, 72],
};

/** Which leads count, which of them is best, and the hours before the day within which all are issued (D36). */
export function leadsOf({ bucket, lead }: ProbabilityQuestion): {
  isMeant: (hours: number) => boolean;
  best: number;
  reach: number;
} {
  if (lead !== undefined && lead >= 24) {
    const reach = 24 * Math.ceil(lead / 24);
    return {
      isMeant: (hours) => hours >= 12 && hours > reach - 24 && hours <= reach,
      best: lead,
      reach,
    };
  }
  if (bucket === '72h+') return { isMeant: (hours) => hours >= 72 && hours <= 96, best: 72, reach: 96 };
  const [from, to] = REACH[bucket as '0-6h'] as [number, number];
  return { isMeant: (hours) => hours >= from && hours < to, best: lead ?? from, reach: to };
}

/** The pairs of a world, which tests ask many questions of. */
const knownPairs = new WeakMap<readonly Load[], readonly Pair[]>();

/** The facts of some loads, looked up by station and day. */
export class Facts {
  readonly forecasts: readonly Chosen[];
  readonly #reports = new Map<string, ObservationRow[]>();

  constructor(
    loads: readonly Load[],
    private readonly question: ProbabilityQuestion,
  ) {
    const { metric, provider } = question;
    const { isMeant, best } = leadsOf(question);
    const chosen = new Map<string, Chosen>();
    const pairs = knownPairs.get(loads) ?? pairsOf(loads);
    knownPairs.set(loads, pairs);
    for (const pair of pairs) {
      const { station_id, target_date, forecast } = pair;
      const lead = (pair.local_midnight - pair.issued_at) / HOUR;
      if (pair.metric !== metric || pair.provider !== provider || !isMeant(lead)) continue;
      const key = `${target_date} ${station_id}`;
      const before = chosen.get(key);
      const [old, now] = [Math.abs((before?.lead ?? Infinity) - best), Math.abs(lead - best)];
      if (before === undefined || now < old || (now === old && lead < before.lead))
        chosen.set(key, { station_id, target_date, forecast, lead });
    }
    this.forecasts = [...chosen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
    for (const row of reportsOf(loads, metric)) {
      if (question.verified_only && row.status !== 'verified') continue;
      const key = `${row.station_id} ${row.date}`;
      this.#reports.set(key, [...(this.#reports.get(key) ?? []), row]);
    }
  }

  /** The value of a day that was known at an instant. */
  known(station_id: string, date: string, instant: number): number | undefined {
    let best: ObservationRow | undefined;
    for (const row of this.#reports.get(`${station_id} ${date}`) ?? []) {
      if (row.observed_at > instant) continue;
      if (outranks(row, best)) best = row;
    }
    return best?.[this.question.metric];
  }

  /**
   * The errors of a station, in the order of its days, and of all, for a forecast of a day, at an instant; and how many
   * hours ahead those forecasts were issued.
   */
  learned(
    station_id: string,
    date: string,
    instant: number,
  ): { station: number[]; network: number[]; leads: { station: number[]; network: number[] } } {
    const { window } = this.question;
    const { reach } = leadsOf(this.question);
    const lag = reach <= 24 ? 2 : reach / 24 + 1;
    const last = plusDays(date, -lag);
    const first = plusDays(last, 1 - window);
    const beforeAll = Math.min(instant, Date.parse(date) - 14 * HOUR - reach * HOUR);
    const found = {
      station: [] as number[],
      network: [] as number[],
      leads: { station: [] as number[], network: [] as number[] },
    };
    for (const { lead, forecast, ...each } of this.forecasts) {
      if (each.target_date < first || each.target_date > last) continue;
      const own = this.known(each.station_id, each.target_date, instant);
      if (each.station_id === station_id && own !== undefined) {
        found.station.push(forecast - own);
        found.leads.station.push(lead);
      }
      const common = this.known(each.station_id, each.target_date, beforeAll);
      if (common !== undefined) {
        found.network.push(forecast - common);
        found.leads.network.push(lead);
      }
    }
    return found;
  }
}

/** Half up. A hundredth of a °F is 5 ninths of a hundredth of a °C. */
export const settledAt = (hundredths: number, unit?: Celsius): number =>
  unit === 'celsius'
    ? Math.floor(((hundredths - 3200) * 5 + 450) / 900)
    : Math.floor((hundredths + 50) / 100);

type Errors = { station: readonly number[]; network: readonly number[] };

/** How many errors end a forecast from one whole degree to another. */
export const endings = (
  errors: readonly number[],
  forecast: number,
  from: number,
  to: number,
  unit?: Celsius,
): number =>
  errors.filter((error) => {
    const settled = settledAt(forecast - error, unit);
    return from <= settled && settled <= to;
  }).length;

/** P(from <= settled <= to) as one of some members of a partition. */
export function chance(
  { station, network }: Errors,
  forecast: number,
  from: number,
  to: number,
  members: number,
  unit?: Celsius,
): number {
  const share = (endings(network, forecast, from, to, unit) + 1 / members) / (network.length + 1);
  return (endings(station, forecast, from, to, unit) + 60 * share) / (station.length + 60);
}

/** The six ranges around a forecast: of one °C each, or of two °F. */
export function sixAround(forecast: number, unit?: Celsius): [from: number, to: number][] {
  const middle = settledAt(forecast, unit);
  if (unit === 'celsius') {
    const single = [-1, 0, 1, 2].map((more): [number, number] => [middle + more, middle + more]);
    return [[-Infinity, middle - 2], ...single, [middle + 3, Infinity]];
  }
  return [
    [-Infinity, middle - 4],
    [middle - 3, middle - 2],
    [middle - 1, middle],
    [middle + 1, middle + 2],
    [middle + 3, middle + 4],
    [middle + 5, Infinity],
  ];
}

/** The normal distribution's P(Z <= z), by its series. */
function normal(z: number): number {
  if (Math.abs(z) > 7) return z < 0 ? 0 : 1;
  let [term, sum] = [z, z];
  for (let k = 1; k < 200; k += 1) {
    term *= (-z * z) / (2 * k);
    sum += term / (2 * k + 1);
  }
  return 0.5 + sum / Math.sqrt(2 * Math.PI);
}

interface PlainScores {
  brier: number;
  crps: number;
  log: number;
}

type Method = 'mixture' | 'normal_2f' | 'network' | 'station';

/** A case, with the probability of each of six ranges by each method. */
export interface Scored {
  date: string;
  station_id: string;
  scores: Record<Method, PlainScores>;
  mixture: { probability: number; happened: boolean }[];
}

/** Every forecast of some days that the network has 200 days for, scored with what was known when it was issued. */
export function scored(
  facts: Pick<Facts, 'forecasts' | 'known' | 'learned'>,
  isAsked: (each: Chosen) => boolean,
  unit?: Celsius,
): { cases: Scored[]; untrained: number } {
  const cases: Scored[] = [];
  let untrained = 0;
  for (const each of facts.forecasts.filter(isAsked)) {
    const actual = facts.known(each.station_id, each.target_date, Infinity);
    if (actual === undefined) continue;
    const errors = facts.learned(each.station_id, each.target_date, issuedAt(each));
    if (errors.network.length < 200) untrained += 1;
    else cases.push(scoreOf(each, settledAt(actual, unit), errors, unit));
  }
  return { cases, untrained };
}

function scoreOf({ forecast, ...each }: Chosen, outcome: number, errors: Errors, unit: Celsius): Scored {
  const ranges = sixAround(forecast, unit);
  const upTo = (list: readonly number[], degree: number): number =>
    endings(list, forecast, -Infinity, degree, unit) / list.length;
  const { station, network } = errors;
  const own = station.length === 0 ? network : station;
  const weight = station.length / (station.length + 60);
  /** The end of a degree in °F, in which the normal has 2. */
  const endOf = (degree: number): number => (unit === 'celsius' ? 1.8 * (degree + 0.5) + 32 : degree + 0.5);
  const bell = (degree: number): number => normal((endOf(degree) - forecast / 100) / 2);
  const methods: Record<Method, { range: (from: number, to: number) => number; cdf: (x: number) => number }> =
    {
      mixture: {
        range: (from, to) => chance(errors, forecast, from, to, 6, unit),
        cdf: (x) => weight * upTo(own, x) + (1 - weight) * upTo(network, x),
      },
      normal_2f: { range: (from, to) => bell(to) - bell(from - 1), cdf: bell },
      network: {
        range: (from, to) => (endings(network, forecast, from, to, unit) + 1 / 6) / (network.length + 1),
        cdf: (x) => upTo(network, x),
      },
      station: {
        range: (from, to) => (endings(own, forecast, from, to, unit) + 1 / 6) / (own.length + 1),
        cdf: (x) => upTo(own, x),
      },
    };
  const happened = ranges.map(([from, to]) => from <= outcome && outcome <= to);
  const scores = (method: Method): PlainScores => {
    const { range, cdf } = methods[method];
    const probabilities = ranges.map(([from, to]) => range(from, to));
    let [brier, log, crps] = [0, 0, 0];
    for (const [at, probability] of probabilities.entries()) {
      brier += (probability - (happened[at] ? 1 : 0)) ** 2 / 6;
      if (happened[at]) log -= Math.log(probability);
    }
    const middle = settledAt(forecast, unit);
    for (let degree = Math.min(middle, outcome) - 60; degree <= Math.max(middle, outcome) + 60; degree += 1) {
      crps += (cdf(degree) - (outcome <= degree ? 1 : 0)) ** 2;
    }
    return { brier, log, crps };
  };
  return {
    date: each.target_date,
    station_id: each.station_id,
    scores: {
      mixture: scores('mixture'),
      normal_2f: scores('normal_2f'),
      network: scores('network'),
      station: scores('station'),
    },
    mixture: ranges.map(([from, to], at) => ({
      probability: methods.mixture.range(from, to),
      happened: happened[at] ?? false,
    })),
  };
}

/** The reliability term of forecasts in twenty bins, with what chance adds taken away, and the bins. */
export function binned(cases: readonly Scored[]): {
  reliability: number;
  bins: { forecasts: number; mean: number; observed: number }[];
} {
  const all = cases.flatMap(({ mixture }) => mixture);
  let reliability = 0;
  const bins = Array.from({ length: 20 }, (_, bin) => {
    const inside = all.filter(({ probability }) => Math.floor(probability * 20) === bin);
    const forecasts = inside.length;
    const mean = inside.reduce((sum, { probability }) => sum + probability, 0) / forecasts;
    const observed = inside.filter(({ happened }) => happened).length / forecasts;
    if (forecasts > 0) {
      const chance = forecasts > 1 ? (observed * (1 - observed)) / (forecasts - 1) : 0;
      reliability += (forecasts / all.length) * ((mean - observed) ** 2 - chance);
    }
    return { forecasts, mean, observed };
  });
  return { reliability, bins };
}
