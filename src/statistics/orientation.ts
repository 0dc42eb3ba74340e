import { makeVerdict } from './uncertainty/intervals.js';

// Which values of a statistic are better, and which is perfect, by the name of its field. The OpenAPI document, the
// clients, the dashboards and the verdicts of comparisons take it from here.

export interface Orientation {
  orientation: 'lower_is_better' | 'higher_is_better' | 'zero_is_best' | 'one_is_best';
  /** The value of perfect forecasts; undefined if it depends on the observations. */
  perfect_score: number | undefined;
  /** The paper or book that defines it. */
  reference: string;
}

const describe =
  (orientation: Orientation['orientation'], perfect_score: number | undefined) =>
  <Name extends string>(reference: string, ...fields: Name[]): Record<Name, Orientation> =>
    Object.fromEntries(fields.map((field) => [field, { orientation, perfect_score, reference }])) as Record<
      Name,
      Orientation
    >;

const lower = describe('lower_is_better', 0);
const higher = describe('higher_is_better', 1);

// Wilks 2019: Statistical Methods in the Atmospheric Sciences, 4th edition. Jolliffe and Stephenson 2012: Forecast
// Verification, 2nd edition. Chapters are given, as sections differ between editions.
const CONTINUOUS = 'Wilks 2019, chapter 9';
const CONTINGENCY = 'Jolliffe and Stephenson 2012, chapter 3';
const PROPORTION_CORRECT = 'Finley 1884, Am. Meteorol. J. 1:85';
const QUANTILE = 'Hyndman and Fan 1996, Am. Stat. 50:361';
const SKILL = 'Murphy 1988, Mon. Weather Rev. 116:2417';
const BRIER = 'Brier 1950, Mon. Weather Rev. 78:1';
const CRPS = 'Matheson and Winkler 1976, Manage. Sci. 22:1087';
const DECOMPOSITION = 'Murphy 1973, J. Appl. Meteorol. 12:595; Ferro and Fricker 2012';

/** Statistics of which one end is better, so that a difference of two values has a verdict. */
const DIRECTED = {
  ...lower(CONTINUOUS, 'mae', 'rmse', 'std_dev', 'reference_mae', 'reference_rmse', 'mae_of_others'),
  ...lower(CONTINUOUS, 'mae_f', 'mae_c', 'mae_raw', 'mae_corrected', 'mae_first', 'mae_last'),
  ...lower(CONTINUOUS, 'mae_when_forecast_in_range'),
  ...lower(QUANTILE, 'abs_error_p50', 'abs_error_p90', 'abs_error_p95'),
  ...lower(PROPORTION_CORRECT, 'exceedance_rate', 'misses_10_rate', 'miss_rate'),
  ...higher(PROPORTION_CORRECT, 'exact_rate', 'within_1_rate', 'within_2_rate', 'within_3_rate'),
  ...higher(PROPORTION_CORRECT, 'within_rate', 'reference_within_3_rate'),
  ...lower(CONTINGENCY, 'far', 'pofd'),
  ...higher(CONTINGENCY, 'pod', 'success_ratio', 'accuracy_when_forecast_in_range', 'detection_rate'),
  ...higher('Schaefer 1990, Weather Forecast. 5:570', 'csi', 'ets'),
  ...higher('Richardson 2000, Q. J. R. Meteorol. Soc. 126:649', 'economic_value'),
  ...higher('Heidke 1926, Geogr. Ann. 8:301', 'hss'),
  ...higher('Ferro and Stephenson 2011, Weather Forecast. 26:699', 'sedi'),
  ...higher(SKILL, 'skill_mae', 'msess', 'brier_skill', 'crps_skill'),
  ...lower(BRIER, 'brier'),
  ...lower('Good 1952, J. R. Stat. Soc. B 14:107', 'log_score'),
  ...lower(CRPS, 'crps_f', 'crps_c', 'crps_from_quantiles'),
  ...lower(DECOMPOSITION, 'reliability'),
  ...describe('higher_is_better', undefined)(DECOMPOSITION, 'resolution'),
  ...lower('Koenker and Bassett 1978, Econometrica 46:33', 'pinball'),
  ...lower('Griffiths et al. 2019, Meteorol. Appl. 26:30', 'flip_flop_index'),
};

export const ORIENTATIONS = {
  ...DIRECTED,
  ...describe('zero_is_best', 0)(
    CONTINUOUS,
    ...(['mean_error', 'reference_mean_error', 'mean_error_when_forecast_in_range'] as const),
  ),
  ...describe('one_is_best', 1)(CONTINGENCY, 'frequency_bias'),
  ...describe('one_is_best', 1)('Fortin et al. 2014, J. Hydrometeorol. 15:1708', 'spread_to_error'),
};

/** Whether a value is better than another, by the interval of their difference (the value less the other). */
export const judgeDifference = (
  name: keyof typeof DIRECTED,
  difference: { low: number | null; high: number | null },
): 'better' | 'worse' | 'not_significant' =>
  DIRECTED[name].orientation === 'lower_is_better'
    ? makeVerdict(difference, 'better', 'worse')
    : makeVerdict(difference, 'worse', 'better');
