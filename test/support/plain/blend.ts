import { plusDays, type Load } from './oracle.js';
import { type Chosen, Facts, leadsOf, type ProbabilityQuestion } from './probability.js';

// Several providers as one, worked out a second time: nested loops over the facts of a small world, shares by Cramer's
// rule, and nothing kept from one forecast to the next. Temperatures are in hundredths of °F.

const HOUR = 3_600_000;

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** Half up, where doubles may leave a half a little less. */
const half = (value: number): number => Math.floor(value + 0.5 + 1e-7);

function determinant(matrix: readonly (readonly number[])[]): number {
  if (matrix.length === 0) return 1;
  const [first = [], ...others] = matrix;
  return sum(
    first.map((each, at) => {
      const minor = others.map((row) => row.filter((_, column) => column !== at));
      return (at % 2 === 0 ? 1 : -1) * each * determinant(minor);
    }),
  );
}

/** The shares with the least w'Sw, of every choice of members. */
function plainWeights(matrix: readonly (readonly number[])[]): number[] {
  let best: number[] = [];
  let least = Infinity;
  for (let chosen = 1; chosen < 2 ** matrix.length; chosen += 1) {
    const members = [...matrix.keys()].filter((k) => Math.floor(chosen / 2 ** k) % 2 === 1);
    const part = members.map((k) => members.map((l) => matrix[k]![l]!));
    const solved = members.map((_, at) =>
      determinant(part.map((row) => row.map((each, l) => (l === at ? 1 : each)))),
    );
    const shares = members.length === 1 ? [1] : solved.map((each) => each / sum(solved));
    if (!shares.every((share) => share >= 0)) continue;
    const weights = [...matrix.keys()].map((k) => (members.includes(k) ? shares[members.indexOf(k)]! : 0));
    const variance = sum(weights.map((a, k) => sum(weights.map((b, l) => a * b * matrix[k]![l]!))));
    if (variance < least * (1 - 1e-12)) [best, least] = [weights, variance];
  }
  return best;
}

/** A training day of a station that all members have: the error of each. */
interface Day {
  station_id: string;
  date: string;
  errors: number[];
}

/** A blend of one target day, found by an instant. */
export interface PlainBlend {
  members: readonly string[];
  /** Providers that are left out, in this order, and how many days they had. */
  dropped: { provider: string; days: number }[];
  weights: number[];
  best: string;
  network: number[];
  meanErrors: number[];
}

/** The facts of several providers. */
export class Blended {
  readonly #facts: ReadonlyMap<string, Facts>;
  readonly #chosen = new Map<string, Chosen>();
  readonly #blends = new Map<string, PlainBlend>();

  constructor(
    loads: readonly Load[],
    private readonly question: ProbabilityQuestion,
    readonly names: readonly string[],
  ) {
    this.#facts = new Map(names.map((provider) => [provider, new Facts(loads, { ...question, provider })]));
    for (const [provider, { forecasts }] of this.#facts) {
      for (const each of forecasts)
        this.#chosen.set(`${provider} ${each.station_id} ${each.target_date}`, each);
    }
  }

  facts(provider: string): Facts {
    return this.#facts.get(provider)!;
  }

  forecast(provider: string, station_id: string, date: string): Chosen | undefined {
    return this.#chosen.get(`${provider} ${station_id} ${date}`);
  }

  known(station_id: string, date: string, instant: number): number | undefined {
    return this.facts(this.names[0]!).known(station_id, date, instant);
  }

  #days(members: readonly string[], date: string, instant: number, of?: string): Day[] {
    const { reach } = leadsOf(this.question);
    const last = plusDays(date, -(reach <= 24 ? 2 : reach / 24 + 1));
    const days: Day[] = [];
    for (const { station_id, target_date } of this.facts(members[0]!).forecasts) {
      if (target_date > last || target_date < plusDays(last, 1 - this.question.window)) continue;
      if (of !== undefined && station_id !== of) continue;
      const actual = this.known(station_id, target_date, instant);
      const forecasts = members.map((name) => this.forecast(name, station_id, target_date)?.forecast);
      if (actual === undefined || forecasts.includes(undefined)) continue;
      days.push({ station_id, date: target_date, errors: forecasts.map((each) => each! - actual) });
    }
    return days;
  }

  /** The blend of a target day among providers that have a forecast. */
  blend(present: readonly string[], date: string): PlainBlend {
    const key = `${present.join()} ${date}`;
    const kept = this.#blends.get(key);
    if (kept !== undefined) return kept;
    const { reach } = leadsOf(this.question);
    const instant = Date.parse(date) - (14 + reach) * HOUR;
    const dropped: PlainBlend['dropped'] = [];
    let members = [...present];
    let days = this.#days(members, date, instant);
    while (members.length > 1 && (days.length < 200 || new Set(days.map((each) => each.date)).size < 30)) {
      const counts = members.map((provider) => ({
        provider,
        days: this.#days([provider], date, instant).length,
      }));
      const fewest = counts.sort((a, b) => a.days - b.days || (a.provider < b.provider ? 1 : -1))[0]!;
      dropped.push(fewest);
      members = members.filter((name) => name !== fewest.provider);
      days = this.#days(members, date, instant);
    }
    const meanErrors = members.map((_, k) => sum(days.map(({ errors }) => errors[k]!)) / days.length);
    const rests = days.map(({ station_id, errors }) => {
      const own = days.filter((each) => each.station_id === station_id);
      const biases = this.#biases(own, meanErrors);
      return errors.map((error, k) => error - biases[k]!);
    });
    const matrix = members.map((_, k) =>
      members.map((__, l) => sum(rests.map((rest) => rest[k]! * rest[l]!)) / days.length),
    );
    const sizes = members.map((_, k) => sum(rests.map((rest) => Math.abs(rest[k]!))));
    const weights = plainWeights(matrix);
    const found = {
      ...{ members, dropped, weights, meanErrors },
      best: members[sizes.indexOf(Math.min(...sizes))]!,
      network: rests.map((rest) => half(sum(rest.map((each, k) => weights[k]! * each)))),
    };
    this.#blends.set(key, found);
    return found;
  }

  #biases(own: readonly Day[], meanErrors: readonly number[]): number[] {
    return meanErrors.map(
      (mean, k) => (sum(own.map(({ errors }) => errors[k]!)) + 40 * mean) / (own.length + 40),
    );
  }

  /** The blended forecast of a station's day, and the errors to dress it with, as known at an instant. */
  predicted(
    { members, weights, meanErrors, network }: PlainBlend,
    station_id: string,
    date: string,
    instant: number,
  ): { forecast: number; biases: number[]; station: number[]; network: number[] } {
    const own = this.#days(members, date, instant, station_id);
    const biases = this.#biases(own, meanErrors);
    const blended = (values: readonly number[]): number =>
      half(sum(values.map((value, k) => weights[k]! * (value - biases[k]!))));
    return {
      biases,
      network,
      forecast: blended(members.map((name) => this.forecast(name, station_id, date)!.forecast)),
      station: own.map(({ errors }) => blended(errors)),
    };
  }
}
