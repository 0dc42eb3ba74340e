import { Random } from '../random.js';

// Chances of a wet day and amounts of precipitation, and what the service has to say of them, worked out a second time: plain loops
// in whole numbers and fractions of whole numbers. It shares no code with src/.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIRST_DAY = Date.UTC(2098, 0, 1);

export interface Place {
  station_id: string;
  country: string;
  timezone: string;
  /** Local midnight is so many hours after that of UTC, all year. */
  offset: number;
}

const ZONES: Omit<Place, 'station_id'>[] = [
  { country: 'US', timezone: 'America/Phoenix', offset: 7 },
  { country: 'IS', timezone: 'Atlantic/Reykjavik', offset: 0 },
  { country: 'JP', timezone: 'Asia/Tokyo', offset: -9 },
];

interface Chance {
  provider: string;
  station_id: string;
  issued_at: number;
  day: number;
  /** %; undefined where the row takes it back. */
  chance: number | undefined;
}

interface Amount {
  station_id: string;
  day: number;
  /** As feeds have it, and in hundredths of an inch; undefined: not known. */
  text: string;
  amount: number | undefined;
}

export interface WetWorld {
  places: Place[];
  days: number;
  /** By load. */
  loads: { chances: Chance[]; amounts: Amount[] }[];
}

const CHANCES = [0, 1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100];
const DRY: [text: string, amount: number | undefined][] = [
  ['T', 0],
  ['0', 0],
  ['0.00', 0],
  ['0.004', 0],
  ['0.005', 0], // a trace in some archives
  ['0.0078', 0],
  ['', undefined],
];
const WET: [text: string, amount: number][] = [
  ['0.0079', 1],
  ['0.01', 1],
  ['0.03', 3],
  ['0.04', 4],
  ['0.09', 9],
  ['0.1', 10],
  ['0.2', 20],
  ['1.37', 137],
  ['12', 1200],
];

export const PROVIDERS = ['default', 'coarse', 'fine'] as const;

/** Three providers, some issuances a day, and a second load that corrects and takes back some of the first. */
export function wetWorld(seed: number, stations: number, days: number): WetWorld {
  const random = new Random(seed);
  const places = Array.from({ length: stations }, (_, at) => ({
    station_id: `W${`${at}`.padStart(3, '0')}`,
    ...ZONES[at % ZONES.length]!,
  }));
  const [first, second]: WetWorld['loads'] = [
    { chances: [], amounts: [] },
    { chances: [], amounts: [] },
  ];
  const drawAmount = (p: number): Pick<Amount, 'text' | 'amount'> => {
    const [text, amount] = random.of(random.next() < p ? WET : DRY);
    return { text, amount };
  };
  for (const { station_id, offset } of places)
    for (let day = 0; day < days; day += 1) {
      const p = random.of(CHANCES) / 100;
      first!.amounts.push({ station_id, day, ...drawAmount(p) });
      if (random.next() < 0.05) {
        const corrected = drawAmount(p);
        if (corrected.amount !== undefined) second!.amounts.push({ station_id, day, ...corrected });
      }
      for (const provider of PROVIDERS)
        for (const lead of [3, 20, 60]) {
          if (random.next() < 0.3) continue;
          const forecast = {
            provider,
            station_id,
            day,
            issued_at: FIRST_DAY + day * DAY + (offset - lead) * HOUR,
          };
          const chance = random.next() < 0.5 ? random.of(CHANCES) : Math.round(p * 100);
          first!.chances.push({ ...forecast, chance });
          if (random.next() < 0.03)
            second!.chances.push({ ...forecast, chance: random.of([undefined, ...CHANCES]) });
        }
    }
  return { places, days, loads: [first!, second!] };
}

export const dateOf = (day: number): string => new Date(FIRST_DAY + day * DAY).toISOString().slice(0, 10);
const utc = (instant: number): string => new Date(instant).toISOString().replace('.000Z', 'Z');

/** The day on which an amount is reported. */
const daysUntilReport = (day: number, load: number): number => day + 3 + load;

/** The lines of the feeds of a load. */
export function wetLines(
  { places }: WetWorld,
  { chances, amounts }: WetWorld['loads'][number],
  load: number,
) {
  return {
    columns: 'all' as const,
    stations: places.map(
      ({ station_id, country, timezone }) =>
        `${station_id},${station_id} City,${country},40.5,${timezone === 'Asia/Tokyo' ? 139.5 : timezone === 'America/Phoenix' ? -112 : -22},${timezone},Cfa,true,,,,,`,
    ),
    forecasts: chances.map(
      ({ provider, station_id, issued_at, day, chance }) =>
        `${station_id},${utc(issued_at)},${dateOf(day)},,,${provider},${chance === undefined},,,${','.repeat(26)}${chance ?? ''}`,
    ),
    observations: amounts.map(
      ({ station_id, day, text }) =>
        `${station_id},${dateOf(day)},,,verified,${utc(FIRST_DAY + daysUntilReport(day, load) * DAY)},,${text}`,
    ),
  };
}

export interface WetPair {
  provider: string;
  station_id: string;
  country: string;
  day: number;
  lead_hours: number;
  /** UTC. */
  issued_hour: number;
  chance: number;
  wet: boolean;
}

/**
 * The pairs as of some loads: the latest word of each key counts.
 * @param wetAt the least amount of a wet day, hundredths of an inch
 * @param until the day at 00:00Z by which all that counts was reported
 */
export function wetPairs({ places, loads }: WetWorld, known: number, wetAt = 1, until = Infinity): WetPair[] {
  const chances = new Map<string, Chance>();
  const amounts = new Map<string, number>();
  for (const [at, load] of loads.slice(0, known).entries()) {
    for (const each of load.chances)
      chances.set(`${each.provider} ${each.station_id} ${each.day} ${each.issued_at}`, each);
    for (const { station_id, day, amount } of load.amounts)
      if (amount !== undefined && daysUntilReport(day, at) <= until)
        amounts.set(`${station_id} ${day}`, amount);
  }
  const at = new Map(places.map((place) => [place.station_id, place]));
  const all = [...chances.values()].filter(({ issued_at }) => issued_at <= FIRST_DAY + until * DAY);
  return all.flatMap(({ chance, station_id, day, provider, issued_at }) => {
    const amount = amounts.get(`${station_id} ${day}`);
    if (chance === undefined || amount === undefined) return [];
    const { offset, country } = at.get(station_id)!;
    const lead_hours = (FIRST_DAY + day * DAY + offset * HOUR - issued_at) / HOUR;
    const issued_hour = new Date(issued_at).getUTCHours();
    return [{ provider, station_id, country, day, lead_hours, issued_hour, chance, wet: amount >= wetAt }];
  });
}

/** A fraction of whole numbers, rounded half up to so many digits. */
function roundUp(part: bigint, whole: bigint, digits: number): number {
  const scale = 10n ** BigInt(digits);
  const doubled = 2n * part * scale + whole;
  const down =
    doubled >= 0n || doubled % (2n * whole) === 0n ? doubled / (2n * whole) : doubled / (2n * whole) - 1n;
  return Number(down) / Number(scale) + 0;
}

/** A sum of fractions. */
class Fraction {
  part = 0n;
  whole = 1n;

  add(part: bigint, whole: bigint): void {
    this.part = this.part * whole + part * this.whole;
    this.whole *= whole;
    let [a, b] = [this.part < 0n ? -this.part : this.part, this.whole];
    while (b > 0n) [a, b] = [b, a % b];
    if (a > 1n) [this.part, this.whole] = [this.part / a, this.whole / a];
  }
}

/** The Brier score of pairs with its parts, by Murphy (1973): percents are whole, so everything is a fraction of whole numbers. */
export function brierOf(pairs: readonly Pick<WetPair, 'chance' | 'wet'>[]) {
  const n = BigInt(pairs.length);
  const wet = BigInt(pairs.filter((pair) => pair.wet).length);
  const squares = pairs.reduce((total, pair) => total + (pair.chance - (pair.wet ? 100 : 0)) ** 2, 0);
  const [reliability, resolution] = [new Fraction(), new Fraction()];
  for (const chance of new Set(pairs.map((pair) => pair.chance))) {
    const same = pairs.filter((pair) => pair.chance === chance);
    const [k, came] = [BigInt(same.length), BigInt(same.filter((pair) => pair.wet).length)];
    reliability.add((k * BigInt(chance) - 100n * came) ** 2n, k * 10_000n * n);
    resolution.add((came * n - wet * k) ** 2n, k * n * n * n);
  }
  const uncertainty = wet * (n - wet);
  return {
    brier_score: roundUp(BigInt(squares), n * 10_000n, 6),
    // 1 - (squares / (n 10,000)) / (wet (n - wet) / n²)
    brier_skill_score:
      uncertainty === 0n
        ? null
        : roundUp(10_000n * uncertainty - BigInt(squares) * n, 10_000n * uncertainty, 6),
    reliability: roundUp(reliability.part, reliability.whole, 6),
    resolution: roundUp(resolution.part, resolution.whole, 6),
    base_rate: roundUp(wet, n, 6),
  };
}

/** Half away from 0, to 0.01. */
const hundredths = (sum: number, n: number): number => {
  const size = roundUp(BigInt(Math.abs(sum)), BigInt(n), 2);
  return size === 0 ? 0 : Math.sign(sum) * size;
};

/** The stats object of pairs, but for its spread and percentiles. */
export function wetStats(pairs: readonly WetPair[]) {
  const errors = pairs.map(({ chance, wet }) => chance - (wet ? 100 : 0));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    verification_pairs: pairs.length,
    unique_days: new Set(pairs.map(({ day }) => day)).size,
    mean_error: hundredths(sum(errors), errors.length),
    mae: hundredths(sum(errors.map(Math.abs)), errors.length),
    ...brierOf(pairs),
  };
}

/** The pair of each provider, station and day that was forecast last. */
export function latestOf(pairs: readonly WetPair[]): WetPair[] {
  const latest = new Map<string, WetPair>();
  for (const pair of pairs) {
    const key = `${pair.provider} ${pair.station_id} ${pair.day}`;
    if ((latest.get(key)?.lead_hours ?? Infinity) > pair.lead_hours) latest.set(key, pair);
  }
  return [...latest.values()];
}

/** The range of the share of wet days of reliable forecasts: the distribution of how many are wet, a pair at a time. */
export function barOf(pairs: readonly WetPair[], level: number) {
  let chances = [1];
  for (const { chance } of pairs) {
    const p = chance / 100;
    chances = [...chances, 0].map((of, wet) => of * (1 - p) + (chances[wet - 1] ?? 0) * p);
  }
  const quantile = (probability: number): number => {
    let total = 0;
    const wet = chances.findIndex((of) => (total += of) >= probability - 1e-9);
    return roundUp(BigInt(wet), BigInt(pairs.length), 4);
  };
  return { consistency_low: quantile((1 - level) / 2), consistency_high: quantile((1 + level) / 2) };
}

/** Relative economic value (Richardson 2000) at a ratio of cost to loss, in hundredths. */
export function valueAt(
  pairs: readonly WetPair[],
  threshold: number,
  hundredthsOfLoss: number,
): number | null {
  const count = (isForecast: boolean, wet: boolean): bigint =>
    BigInt(pairs.filter((pair) => pair.chance >= threshold === isForecast && pair.wet === wet).length);
  const [a, b, c, d] = [count(true, true), count(true, false), count(false, true), count(false, false)];
  const [n, cost] = [a + b + c + d, BigInt(hundredthsOfLoss)];
  const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
  const climate = least(cost * n, 100n * (a + c));
  const saved = climate - (cost * (a + b) + 100n * c);
  const most = climate - cost * (a + c);
  return most === 0n ? null : roundUp(saved, most, 4);
}
