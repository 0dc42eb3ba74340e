import {
  type ChanceReliability,
  type AccuracyByLeadTimeResponse,
  type AccuracySummaryResponse,
  type DistributionScores,
  type HourAccuracy,
  type Reliability,
  type Summary,
} from '../../clients/typescript/src/generated.js';
import {
  describeReliability,
  judgeShare,
  MIN_NETWORK_DAYS,
  type ProbabilityBin,
} from '../../src/statistics/uncertainty/judge.js';
import { VARIABLE_NAMES, VARIABLES } from '../../src/variables/variables.js';
import { type PageParams, getRegion } from './address.js';
import { getScore } from './variables.js';
import { formatInterval, getSide, type Interval, intervalWords } from './intervals.js';
import { published } from './published.js';
import { score } from './score.js';
import {
  ago,
  aheadWords,
  biasWords,
  bucketWords,
  capitalize,
  caseWord,
  counted,
  day,
  getSpan,
  getVariable,
  type Maybe,
  momentThere,
  NO_BIAS,
  NOT_YET,
  number,
  percent,
  period,
  regionWords,
  shortDay,
  sideWords,
  signed,
  valueUnit,
} from './words.js';

/** Lead times with a bias that the whole does not show, or shows the other way round; blank without any. */
export function hiddenBias(
  { uncertainty }: Pick<Summary, 'uncertainty'>,
  { data }: Pick<AccuracyByLeadTimeResponse, 'data'>,
): string {
  const all = getSide(uncertainty?.mean_error) ?? 0;
  const clauses = ([1, -1] as const).flatMap((sign) => {
    const ofSign = data.filter(
      ({ uncertainty }) => sign !== all && getSide(uncertainty?.mean_error) === sign,
    );
    const names = ofSign.map(({ lead_time_bucket }) => bucketWords(lead_time_bucket));
    const max = sign * Math.max(...ofSign.map(({ stats }) => Math.abs(stats.mean_error ?? 0)));
    if (names.length === 0) return [];
    if (names.length > 1)
      return [`${names.slice(0, -1).join(', ')} and ${names.at(-1)} ahead run up to ${biasWords(max)}`];
    const interval = formatInterval(ofSign[0]?.uncertainty?.mean_error, signed, 0);
    return [`${names[0]} ahead run ${biasWords(max)}${interval}`];
  });
  return clauses.length === 0 ? '' : `Forecasts ${clauses.join('; those ')}.`;
}

/** The count of the hours of a response: from issuance, or of the day by the clock of each station. */
export type HourGroup = 'lead_hour' | 'local_hour';

export function hourName(hour: number, group: HourGroup): string {
  if (group === 'lead_hour') return `${counted(hour, 'hour')} ahead`;
  return `${String(hour).padStart(2, '0')}:00`;
}

/** Hours with fewer forecasts than this are neither best nor worst: chance would choose them. */
const MIN_HOUR_PAIRS = 30;

/** The score of the first and the last lead hour, and the best and the worst hour of the day. */
export function describeHours(
  leads: readonly HourAccuracy[],
  hours: readonly HourAccuracy[],
): { verdict: string; caveat: string } {
  const { read, short, unit } = score();
  const write = ({ stats }: HourAccuracy): string => `${short(read(stats))}${unit()}`;
  const isKnown = ({ stats }: HourAccuracy): boolean => typeof read(stats) === 'number';
  const known = leads.filter(isKnown);
  const [first, last] = [known[0], known.at(-1)].map(
    (each) => each && `${write(each)} ${hourName(each.hour, 'lead_hour')}`,
  );
  const ordered = hours
    .filter((each) => isKnown(each) && each.stats.verification_pairs >= MIN_HOUR_PAIRS)
    .toSorted((a, b) => read(a.stats)! - read(b.stats)!);
  const [best, worst] = [ordered[0], ordered.at(-1)];
  const verdict = first === undefined ? '' : `${[...new Set([first, last])].join(', ')}.`;
  if (best === undefined || worst === undefined || best === worst)
    return { verdict, caveat: 'Too few forecasts of each hour of the day.' };
  const at = (each: HourAccuracy): string => `${hourName(each.hour, 'local_hour')} (${write(each)})`;
  // Where it seldom rains, a Brier score is small: such an hour is no better.
  const caveat =
    VARIABLES[getVariable()].score === 'mae'
      ? `At full hours, local time. Best at ${at(best)}, worst at ${at(worst)}.`
      : `By the local time at which the ${getSpan().one} ends. Smallest at ${at(best)}, largest at ${at(worst)}.`;
  return { verdict, caveat };
}

/** The window as a sentence says it: a run of days that ends now, or its dates. */
function windowWords(
  { date_from, date_to }: PageParams,
  metadata: AccuracySummaryResponse['metadata'],
): string {
  if (date_from !== '' || date_to !== '') return period(metadata.period_start, metadata.period_end);
  return `the last ${counted(metadata.days_analyzed, 'day')}`;
}

/** The variable of a request within a sentence; an unknown one keeps its name. */
export function describeVariable({ metric }: Pick<PageParams, 'metric'>): string {
  const name = VARIABLE_NAMES.find((each) => each === metric);
  if (name === undefined) return `the daily ${metric}`;
  const { label, plural, score } = VARIABLES[name];
  if (score === 'brier_score') return `the ${plural.replace('chances', 'chance')}`;
  const words = label.toLowerCase();
  return words === plural ? words : `the ${words}`;
}

/**
 * The headline around its number: what stands before it, and all of it where there are no pairs.
 * @param bin of a chance, the one that it speaks of, if any
 */
export function makeHeadline(
  params: PageParams,
  { data, metadata }: AccuracySummaryResponse,
  stationName: string,
  bin?: ChanceReliability,
): string {
  const leads = params.lead_time_bucket === '' ? '' : `, issued ${aheadWords(params.lead_time_bucket)},`;
  // The name `default` is of forecasts whose feed names nobody (D27).
  const whose = metadata.provider === 'default' ? 'forecasts' : `${metadata.provider} forecasts`;
  const what = `${whose} of ${describeVariable(params)}${leads}`;
  const places =
    metadata.stations === undefined
      ? 'at all stations'
      : `at ${counted(metadata.stations, 'station')} ${regionWords(getRegion(params))}`;
  const where = stationName === '' ? places : `for ${stationName}`;
  const when = windowWords(params, metadata);
  if (data.mae === null) return `There are no ${what} ${where} to compare in ${when}.`;
  if (getScore(params) === 'mae') return `In ${when}, ${what} ${where} missed by `;
  if (bin !== undefined) return `In ${when}, when ${what} ${where} said ${describeChance(bin)}, it rained `;
  if (typeof data.base_rate !== 'number' || typeof data.mean_error !== 'number')
    return `How often it rained in ${when}, when there were ${what} ${where}, `;
  const mean = percent(data.base_rate + data.mean_error / 100);
  return `In ${when}, ${what} ${where} said ${mean} on average, and it rained `;
}

/** Why nothing at all can be compared; of a copy, nothing that it has. */
export function describeLack(params: PageParams): string {
  const { station_id, provider, lead_time_bucket } = params;
  const region = Object.values(getRegion(params)).join('');
  return `${station_id}${provider}${lead_time_bucket}${region}` === ''
    ? 'No variable has days to compare yet. The operator loads forecasts with their observations.'
    : 'No variable has days to compare here. Choose another station, provider or lead time.';
}

/** The bin with most cases among those that called it neither dry nor wet for sure; undefined if its share has no interval. */
export function findUsualBin(bins: readonly ChanceReliability[]): ChanceReliability | undefined {
  const usual = bins.filter(({ mean_chance }) => mean_chance >= 5 && mean_chance <= 95);
  const [largest] = usual.toSorted((a, b) => b.cases - a.cases);
  return largest === undefined || largest.observed_share_low === null ? undefined : largest;
}

/** The chance of a bin: one for all of it, or about so much. */
const describeChance = ({ mean_chance }: ChanceReliability): string =>
  Number.isInteger(mean_chance) ? `${mean_chance}%` : `about ${Math.round(mean_chance)}%`;

/** How often it rained, of a hundred days or times. */
export function describeRain(share: Maybe): string {
  if (typeof share !== 'number') return NOT_YET;
  const times = `${Math.round(100 * share)} of 100`;
  return getSpan().one === 'day' ? `on ${times} days` : `${times} times`;
}

/** How often a chance was forecast, and how far its share is known. */
export function describeCases({ cases, observed_share_low, observed_share_high }: ChanceReliability): string {
  const share = { low: observed_share_low, high: observed_share_high };
  return `Said for ${counted(cases, caseWord())}, and it rained in ${intervalWords(share, percent)} of them (95% interval).`;
}

/** The share of a window that was wet. */
export const describeWetShare = ({ base_rate }: Pick<Summary, 'base_rate'>): string =>
  typeof base_rate === 'number'
    ? `${percent(base_rate)} of the ${getSpan().many} were wet`
    : `How many ${getSpan().many} were wet ${NOT_YET}`;

/** Which way forecasts lean on the whole, as far as the interval shows it. */
export function describeLean({
  mean_error,
  uncertainty,
}: Pick<Summary, 'mean_error' | 'uncertainty'>): string {
  const side = getSide(uncertainty?.mean_error);
  if (side === undefined) return `Whether they lean to one side ${NOT_YET}.`;
  return side === 0
    ? `They lean neither way: ${NO_BIAS}.`
    : `They ran ${sideWords(side)}, by ${number(Math.abs(mean_error ?? 0))} ${valueUnit()} on average.`;
}

/** The bias of a window in words, as far as its interval shows one. */
export function describeBias({ uncertainty }: Pick<Summary, 'uncertainty'>): string {
  const side = getSide(uncertainty?.mean_error);
  if (side === undefined) return NOT_YET;
  return side === 0 ? NO_BIAS : sideWords(side);
}

/** Which lead times a request is about. */
export const describeLeads = ({ lead_time_bucket }: Pick<PageParams, 'lead_time_bucket'>): string =>
  lead_time_bucket === '' ? 'issued up to several days ahead' : `issued ${aheadWords(lead_time_bucket)}`;

/** The latest day with data as of a response; undefined before it is known. */
export type LatestDay = { latest: string; today: string } | undefined;

/** The present day in words. A copy is read on later days, so it names the day. */
export const today = (): string => (!published ? 'today' : shortDay(published.generated_at.slice(0, 10)));

export function describeFreshness(found: LatestDay): string {
  if (found === undefined) return '';
  if (published) return `Latest day: ${day(found.latest)}.`;
  return `Latest day: ${ago(found.latest, found.today)}, ${day(found.latest)}.`;
}

/** A remark of the API without its advice to operators and programs, which stands behind a semicolon. */
export const withoutAdvice = (remark: string): string =>
  remark
    .split('. ')
    .map((sentence) => sentence.split(';')[0])
    .join('. ');

/** Such a remark with its instants, RFC 3339 in UTC, by the clock of a station. */
export const remarkThere = (remark: string, timezone: string): string =>
  withoutAdvice(remark).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (moment) => momentThere(moment, timezone));

/** Where the range sits, by the shape of the histogram. */
const PLACES: Partial<Record<string, string>> = { too_warm: 'too high', too_cold: 'too low' };

/** The finding about the tails of the histogram, where it differs from that about the band. */
const TAILS: Partial<Record<string, string>> = {
  too_narrow: 'but too many days fall outside the whole range',
  too_wide: 'but too few days fall outside the whole range',
};

/** Width and place of the band in one clause. */
export function judgeBand(
  nominal: number,
  { low, high }: Interval,
  shape: DistributionScores['shape'],
): string {
  const place = shape === null ? undefined : PLACES[shape];
  const verdict = judgeShare({ low, high }, nominal);
  const width = verdict === 'below' ? 'too narrow' : verdict === 'above' ? 'too wide' : undefined;
  const tail = shape === null || shape === width?.replace(' ', '_') ? undefined : TAILS[shape];
  if (verdict === 'unknown') {
    const known = place === undefined ? tail : `but it sits ${place}`;
    return known === undefined ? NOT_YET : `its width ${NOT_YET}, ${known}`;
  }
  if (width === undefined) {
    if (place !== undefined) return `the right width, but it sits ${place}`;
    return tail === undefined ? 'as it should be' : `as it should be, ${tail}`;
  }
  return place === undefined ? [width, tail].filter(Boolean).join(', ') : `${width}, and it sits ${place}`;
}

/** Whether the probabilities match how often it happened. */
export const judgeProbabilities = (bins: readonly ProbabilityBin[], what?: string): string =>
  `${describeReliability(bins, percent, what) ?? capitalize(NOT_YET)}.`;

/** Which of the two is missing: forecasts whose odds could be computed, or earlier days to learn from. */
export function describeMissingTraining(
  { cases_without_training: untrained }: Pick<Reliability, 'cases_without_training'>,
  lead: string,
): string {
  if (untrained === 0) return `needs past forecasts ${aheadWords(lead)}, with their observations`;
  const there = `${counted(untrained, 'station-day')} with a forecast ${aheadWords(lead)}`;
  return `needs ${MIN_NETWORK_DAYS} station-days before a day to learn from; ${there}, none with so many before`;
}
