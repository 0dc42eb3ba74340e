// Probabilities of an event, and whether it came: the Brier score and its parts.

/** By chance, in hundredths of a percent: the chances that were forecast, their pairs, and those of them with the event. */
export type ProbabilityCounts = readonly [
  chances: readonly number[],
  pairs: readonly number[],
  events: readonly number[],
];

/** The chance of a certain event, hundredths of a percent. */
export const CERTAIN = 10_000;

export const BRIER_SCORES = [
  'brier_score',
  'brier_skill_score',
  'reliability',
  'resolution',
  'base_rate',
] as const;

/** In units of 1, where a certain event is 1; the skill is null where the event always came, or never. */
export type BrierScores = Record<(typeof BRIER_SCORES)[number], number | null>;

/** The scores without pairs. */
export const NO_SCORES: BrierScores = {
  brier_score: null,
  brier_skill_score: null,
  reliability: null,
  resolution: null,
  base_rate: null,
};

/**
 * The Brier score (Brier 1950), with the parts of Murphy (1973, Journal of Applied Meteorology 12:595) over all different chances:
 * `brier_score = reliability - resolution + base_rate (1 - base_rate)`. The skill is against a forecast of base_rate on every day.
 * @returns undefined without pairs
 */
export function scoreProbabilities([probabilities, pairs, events]: ProbabilityCounts):
  BrierScores | undefined {
  const all = pairs.reduce((total, count) => total + count, 0);
  if (all === 0) return undefined;
  const base_rate = events.reduce((total, count) => total + count, 0) / all;
  let [brier, reliability, resolution] = [0, 0, 0];
  for (const [at, hundredths] of probabilities.entries()) {
    const [count, came] = [pairs[at]!, events[at]!];
    if (count === 0) continue;
    const [chance, share] = [hundredths / CERTAIN, came / count];
    brier += came * (1 - chance) ** 2 + (count - came) * chance ** 2;
    reliability += count * (chance - share) ** 2;
    resolution += count * (share - base_rate) ** 2;
  }
  const uncertainty = base_rate * (1 - base_rate);
  return {
    brier_score: brier / all,
    brier_skill_score: uncertainty === 0 ? null : 1 - brier / all / uncertainty,
    reliability: reliability / all,
    resolution: resolution / all,
    base_rate,
  };
}
