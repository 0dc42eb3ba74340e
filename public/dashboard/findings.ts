import type {
  CityAccuracy,
  DateAccuracy,
  DistributionScores,
  Divergence,
  EventScores,
  LeadTimeAccuracy,
  ProviderComparison,
  Suspect,
  Uncertainty,
} from '../../clients/typescript/src/generated.js';
import { locate, MIN_DAYS, MIN_WEEKS } from '../../src/statistics/uncertainty/judge.js';
import { formatInterval, getSide, type Interval, intervalWords, isTested } from './intervals.js';
import { biasClass, NEUTRAL, UNKNOWN } from './palette.js';
import { score } from './score.js';
import { judgeBand } from './sentences.js';
import {
  aheadWords,
  biasWords,
  caseWord,
  counted,
  inUnit,
  NO_BIAS,
  NOT_YET,
  number,
  percent,
  shortDay,
  sideWords,
  signed,
  unit,
  valueUnit,
  whole,
} from './words.js';

// The sentences of panels. A null is a value that is not known: it is neither no nor none nor 0.

/** The records of which one comes first and one last by the score of the page; those without a score are neither. */
export function findEnds<Each extends Pick<CityAccuracy, 'stats'>>(
  records: readonly Each[],
): [smallest: Each, largest: Each] | undefined {
  const { read } = score();
  const known = records.filter(({ stats }) => typeof read(stats) === 'number');
  const sorted = known.toSorted((a, b) => read(a.stats)! - read(b.stats)!);
  return sorted.length === 0 ? undefined : [sorted[0]!, sorted.at(-1)!];
}

/** The largest and the smallest score of days, or weeks, each with when it was. */
export function describeDays(data: readonly DateAccuracy[], step: 'day' | 'week'): string {
  const [best, worst] = findEnds(data) ?? [];
  const describe = ({ date, stats }: DateAccuracy): End => [
    `${score().short(score().read(stats))}${score().unit()}`,
    `${step === 'week' ? 'in the week of' : 'on'} ${shortDay(date)}`,
  ];
  const every = step === 'week' ? 'in each week' : 'on each day';
  return worst && best ? joinEnds(describe(worst), describe(best), ['largest', 'smallest'], every) : '';
}

type End = [value: string, where: string];

/** The two ends in one sentence; one alone where they are the same, and neither where their values read alike. */
function joinEnds(first: End, second: End, [ofFirst, ofSecond]: [string, string], every: string): string {
  const [one, other] = [first.join(' '), second.join(' ')];
  if (one === other) return `${one}.`;
  return first[0] === second[0]
    ? `${first[0]} ${every}.`
    : `${one}, the ${ofFirst}; ${other}, the ${ofSecond}.`;
}

/** The status of a day in words: it may rest on a few preliminary observations or on nothing else. */
export function getStatus({ preliminary_pairs, sample_size }: DateAccuracy): string {
  if (preliminary_pairs === undefined) return `final or not ${NOT_YET}`;
  if (preliminary_pairs === 0) return 'verified';
  return preliminary_pairs === sample_size
    ? 'preliminary'
    : `${percent(preliminary_pairs / sample_size)} preliminary`;
}

/** The stations with the smallest and the largest score. Neighbours in the list may differ by chance. */
export function describeStations(cities: readonly CityAccuracy[]): string {
  const [best, worst] = findEnds(cities) ?? [];
  const describe = ({ stats, city_name }: CityAccuracy): End => [
    `${score().format(score().read(stats))}${score().unit()}`,
    `in ${city_name}`,
  ];
  return best && worst
    ? joinEnds(describe(best), describe(worst), ['smallest', 'largest'], 'at each station')
    : '';
}

type Known = Pick<CityAccuracy, 'stats' | 'uncertainty'>;

/** How many stations have a bias, each way, and of how many it is not known. */
export function countBiases(cities: readonly Known[]): string {
  const kinds = cities.map(({ stats, uncertainty }) => biasClass(stats, uncertainty));
  const count = (isSo: (kind: number) => boolean): number => kinds.filter(isSo).length;
  const unknown = count((kind) => kind === UNKNOWN);
  const cold = count((kind) => kind < NEUTRAL);
  const warm = count((kind) => kind > NEUTRAL && kind !== UNKNOWN);
  const all = counted(cities.length, 'station');
  const open = unknown === 0 ? '' : `; ${whole(unknown)} ${NOT_YET}`;
  if (unknown === cities.length) {
    const needs = describeNeed(cities[0]?.uncertainty);
    return cities.length === 1
      ? `Whether it has a bias ${NOT_YET}${needs}.`
      : `Whether any of ${all} has a bias ${NOT_YET}${needs}.`;
  }
  if (cold === 0 && warm === 0)
    return unknown === 0
      ? `None of ${all} has a significant bias.`
      : `${whole(cities.length - unknown)} of ${all} without a significant bias${open}.`;
  return `${whole(cold)} of ${all} ${cold === 1 ? 'runs' : 'run'} ${sideWords(-1)}, ${whole(warm)} ${sideWords(1)}${open}.`;
}

/** The days that an interval of its method needs. */
const describeNeed = (uncertainty: Pick<Uncertainty, 'method'> | undefined): string =>
  uncertainty === undefined
    ? ''
    : `: needs ${MIN_DAYS} days${uncertainty.method === 'week_batches' ? ` in ${MIN_WEEKS} weeks` : ''}`;

/** The bias of a record, as far as its interval shows one. */
export function describeBiasOf({
  stats,
  uncertainty,
}: Pick<LeadTimeAccuracy, 'stats' | 'uncertainty'>): string {
  const side = getSide(uncertainty?.mean_error);
  if (side === undefined) return `bias ${signed(stats.mean_error)} ${valueUnit()}, ${NOT_YET}`;
  return side === 0 ? NO_BIAS : biasWords(stats.mean_error);
}

/** How many cells each of two providers is better in; a cell without a test is no tie. */
export function countCells(
  known: readonly ProviderComparison[],
  reference: string,
  compared: string,
): string {
  const count = (isSo: (cell: ProviderComparison) => boolean): number => known.filter(isSo).length;
  const better = count(({ significant, verdict }) => significant && verdict === 'better');
  const worse = count(({ significant, verdict }) => significant && verdict === 'worse');
  const same = count(({ identical }) => identical);
  const untested = count((cell) => !cell.identical && !isTested(cell));
  const chance = known.length - better - worse - same - untested;
  const all = counted(known.length, 'cell');
  const rest = [
    ...(same === 0 ? [] : [`${whole(same)} ${same === 1 ? 'has' : 'have'} the same forecasts`]),
    ...(untested === 0 ? [] : [`${whole(untested)} ${NOT_YET}`]),
  ];
  if (better + worse > 0) {
    const [first, second] = better > worse ? [compared, reference] : [reference, compared];
    const smaller = Math.min(better, worse);
    const also = smaller === 0 ? '' : `, ${second} in ${whole(smaller)}`;
    const open = chance === 0 ? [] : [`${whole(chance)} could be chance`];
    return `${[`${first} is better in ${whole(Math.max(better, worse))} of ${all}${also}`, ...open, ...rest].join('; ')}.`;
  }
  if (untested === known.length) return `Which provider is better ${NOT_YET} in any of ${all}.`;
  if (same === known.length) return `The same forecasts in ${all}.`;
  return rest.length === 0
    ? `None of ${all} shows a better provider, allowing for their number.`
    : `${[`${whole(chance)} of ${all} could be chance, allowing for their number`, ...rest].join('; ')}.`;
}

/** The share of days in the band of 80%, or in another one if quantiles of it are missing; and whether that is right. */
export function describeBand(scores: DistributionScores) {
  const { provider, cases, intervals, shape } = scores;
  const days = counted(cases, 'station-day');
  const band = intervals.find(({ nominal }) => nominal === 80) ?? intervals[0];
  const of = provider === 'default' ? '' : ` of ${provider}`;
  if (band === undefined) return { verdict: `No range of two quantiles${of}.`, caveat: `${days}.` };
  const { nominal, covered, covered_low: low, covered_high: high } = band;
  const interval = intervalWords({ low, high }, percent, nominal / 100);
  return {
    verdict:
      covered === null
        ? `The share of days inside the ${nominal}% band ${NOT_YET}.`
        : `${percent(covered)} of days fell inside the ${nominal}% band: ${judgeBand(nominal / 100, { low, high }, shape)}.`,
    caveat:
      interval === undefined
        ? `Needs ${MIN_DAYS} days of the latest forecasts${of}; ${counted(scores.days, 'day')} so far.`
        : `95% interval: ${interval}, ${days} of the latest forecasts${of}.`,
  };
}

/** How well the days of an event were forecast, of one lead time, and how many forecasts were false alarms. */
export function describeEvents(
  data: readonly EventScores[],
  usualLead: string,
  what: string,
  isLow: boolean,
) {
  const counts = data.filter(({ cases }) => cases > 0);
  const shown = counts.find(({ lead_time_bucket }) => lead_time_bucket === usualLead) ?? counts[0];
  if (shown === undefined) return { verdict: `Nothing to count at ${what}: enter another.` };
  const event = `at or ${isLow ? 'below' : 'above'} ${what}`;
  const { hits, misses, false_alarms, pod, pod_low: low, pod_high: high } = shown;
  const ahead = aheadWords(shown.lead_time_bucket ?? '');
  if (counts.every((each) => each.hits + each.misses + each.false_alarms === 0))
    return {
      verdict: `Of ${counted(shown.cases, caseWord())}, none ${isLow ? 'fell to' : 'reached'} ${what}, and none was forecast to.`,
      isEmpty: true,
    };
  const forecast = hits + false_alarms;
  const alarms =
    forecast === 0
      ? 'None was forecast.'
      : `${whole(false_alarms)} of the ${whole(forecast)} forecast were false alarms.`;
  if (hits + misses === 0)
    return {
      verdict: `None of ${counted(shown.cases, caseWord())} with a forecast ${ahead} was ${event}.`,
      caveat: alarms,
    };
  const unit = caseWord().replace('station-', '');
  return {
    verdict:
      pod === null
        ? `How many ${unit}s ${event} were forecast ${ahead} ${NOT_YET}.`
        : `${percent(pod)} of ${unit}s ${event} were forecast ${ahead}.`,
    caveat: `${whole(hits)} of ${counted(hits + misses, caseWord())}${formatInterval({ low, high }, percent)}. ${alarms}`,
  };
}

/** How far forecasts have to be apart, in the unit of the page. */
export const describeThreshold = ([first]: readonly Divergence[]): string =>
  `${number(inUnit(first ?? {}, 'threshold'), 0)} ${valueUnit()}`;

/** A share of a gap: the observation may go beyond the one forecast, or away from it. */
export const gapShare = (share: number | null): string =>
  share === null || (share >= 0 && share <= 1) ? percent(share) : share > 1 ? 'All' : 'None';

/** Its interval within the gap: what is beyond either forecast says no more than that. */
function gapInterval({ low, high }: Interval): string {
  if (low === null || high === null) return NOT_YET;
  const [from, to] = [Math.max(0, low), Math.min(1, high)];
  if (from === 0 && to === 1) return '0–100%';
  if (to === 1) return `at least ${percent(from)}`;
  return from === 0 ? `at most ${percent(to)}` : (intervalWords({ low, high }, percent, 0.5) ?? '–');
}

/** Who proved right when providers differed. With two of them one sentence says it of both. */
export function describePast(past: readonly Divergence[]) {
  const known = past.filter(({ share_true }) => share_true !== null);
  const [best] = known.toSorted((a, b) => b.share_true! - a.share_true!);
  if (best === undefined)
    return {
      verdict: past.every(({ departures }) => departures === 0)
        ? `No day with a difference of ${describeThreshold(past)} or more.`
        : `Who proved right ${NOT_YET}.`,
    };
  const { provider, departures, share_true, share_true_low: low, share_true_high: high, hint } = best;
  const { mean_lead_hours, mean_lead_hours_of_others } = best;
  const place = locate({ low, high }, 0.5);
  const caution = place === 'around' ? ': could be chance' : '';
  const others = past.length === 2 ? 'the other' : 'the others';
  const beyond = share_true! > 1 ? ', and observations went further still' : '';
  return {
    verdict:
      place === 'unknown'
        ? `Who proved right ${NOT_YET}: so far ${gapShare(share_true).toLowerCase()} of the gap for ${provider}.`
        : `${gapShare(share_true)} of the gap proved right for ${provider}${beyond}${caution}.`,
    caveat: [
      `When it was ${describeThreshold(past)} or more away from ${others}: `,
      `${counted(departures, 'station-day')}${place === 'unknown' ? `; needs ${MIN_DAYS} days in ${MIN_WEEKS} weeks` : ` (${gapInterval({ low, high })})`}.`,
      hint !== null &&
        ` Part of that is age: issued ${number(mean_lead_hours, 0)} h ahead on average, others ${number(mean_lead_hours_of_others, 0)} h.`,
    ],
  };
}

/** Why an observation is in doubt. */
const REASONS: Record<Suspect['reasons'][number], (each: Suspect) => string> = {
  repeated: ({ run_days }) =>
    run_days === null
      ? 'the same value on several days'
      : `the same value ${counted(run_days, 'day')} in a row`,
  hours: (each) => {
    const extreme = inUnit(each, 'hours_extreme');
    return extreme === null ? 'unlike hourly readings' : `hourly readings: ${number(extreme, 0)} ${unit()}`;
  },
  all_providers: () => 'far from all forecasts',
  neighbours: () => 'unlike its neighbours',
};

export const describeSuspect = (each: Suspect): string =>
  `${number(inUnit(each, 'actual'), 0)} ${unit()} (${each.reasons.map((name) => REASONS[name](each)).join('; ')})`;

/** A day of a plot, read. */
export const readDay = (record: DateAccuracy): string => {
  const { stats, sample_size } = record;
  const { name, format, read } = score();
  return `${name} ${format(read(stats))}${score().unit()} · ${biasWords(stats.mean_error)} · ${whole(sample_size)} forecasts · ${getStatus(record)}`;
};
