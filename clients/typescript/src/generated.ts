// Written by npm run clients from the OpenAPI document; a change belongs there.

export type ErrorCode =
  | 'INVALID_PARAMETER'
  | 'AMBIGUOUS_CITY'
  | 'UNAUTHORIZED'
  | 'ORIGIN_NOT_ALLOWED'
  | 'STATION_NOT_FOUND'
  | 'PROVIDER_NOT_FOUND'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'PRECONDITION_FAILED'
  | 'RANGE_NOT_SATISFIABLE'
  | 'QUERY_TOO_LARGE'
  | 'RATE_LIMITED'
  | 'INTERNAL'
  | 'OVERLOADED'
  | 'STORE_UNAVAILABLE'
  | 'QUERY_TIMEOUT';

/** Lead-time bucket: hours from issuance to the start of the target date at the station, half open; same-day (forecasts issued later) only if the request names it */
export type LeadTimeBucket = 'same-day' | '0-6h' | '6-12h' | '12-24h' | '24-48h' | '48-72h' | '72h+';

/** What most have in common. */
export interface CommonParameters {
  /** Length of the window in days; not used if the request has both bounds */
  days?: number | undefined;
  /** First day of the window */
  date_from?: string | undefined;
  /** Last day of the window */
  date_to?: string | undefined;
  /** Restrict to one station: identifier, IATA code, city name or alias */
  station_id?: string | undefined;
  /** Restrict to these stations, at most 200, separated by commas: identifiers, IATA codes, city names or aliases without a comma; one named twice counts once */
  stations?: string | undefined;
  /** Restrict to the stations of a country: its code of two letters */
  country?: string | undefined;
  /** Restrict to the stations of a climate zone (Köppen), such as Dfa */
  climate_zone?: string | undefined;
  /** Restrict to the stations within radius_km of this point: latitude,longitude in degrees, such as 41.88,-87.63 */
  near?: string | undefined;
  /** With near: how far away stations may be, 1 to 500 km; default: 50 */
  radius_km?: number | undefined;
  /** Restrict to the stations in this box: west,south,east,north in degrees, such as -90,40,-80,45; a west above east crosses the antimeridian */
  bbox?: string | undefined;
  /** Only these lead times, separated by commas: same-day, 0-6h, 6-12h, 12-24h, 24-48h, 48-72h, 72h+; default: all but same-day */
  lead_time_bucket?: string | undefined;
  /** The data as they were at a version (v412: `metadata.data_version` of a response, or one of /api/v1/loads), or at an instant (the last load finished by then; a date is 00:00Z of it). Within one timeline, a version always gives the same response. v412.k7q2 adds `metadata.timeline`: caches may keep its response, and it is refused once a restored backup has begun another timeline. A window without bounds ends on that day. Station names and the default provider are those of the version; a station that it does not have yet has no pairs */
  as_of?: string | undefined;
  /** Uses only what had been reported by this instant: forecasts issued by then, against the best observation reported by then, whenever they were loaded. A date is 00:00Z of it. A window without bounds ends on that day. For one station, for several over at most 62,000 station days, or for all over at most 31 days. Only as good as observed_at in the feeds: see metadata.late_reports */
  known_at?: string | undefined;
  /** The provider that issued the forecasts; default: the one that /api/v1/providers marks */
  provider?: string | undefined;
  /** Unit of the response's degrees, each rounded once. In Celsius, differences are multiplied by 5/9, each field that ends in _f has one that ends in _c beside it (JSON and CSV), and metadata.temp_unit is celsius */
  temp_unit?: 'fahrenheit' | 'celsius' | undefined;
  /** Units of the response, each number rounded once: us (°F, mph, inches), metric (°C, km/h, mm, snow in cm), si (°C, m/s, mm, snow in cm), or some of temperature=f|c, speed=kt|mph|ms|kmh, length=in|mm|cm. Default: °F, kt, inches */
  units?: string | undefined;
  /** Only stations with pairs on at least this share of the days of the window, of every provider that the request compares: a constant sample */
  min_coverage?: number | undefined;
}

/** What most have in common. */
export interface CommonMetadata {
  /** When the response was generated, UTC; `Age` is the seconds since, where it comes from the cache */
  generated_at: string;
  /** Days in the window, both ends included */
  days_analyzed: number;
  /** First day of the window */
  period_start: string;
  /** Last day of the window */
  period_end: string;
  /** The station asked about, several separated by commas, ALL, or SELECTED for none, or more than 200, that conditions choose */
  station_id: string;
  /** How many stations the request chooses, if it may choose several */
  stations?: number;
  /** Which day is today (with known_at, the day of that instant) where a request leaves the date out: `utc`, the UTC day, for several stations or all. Absent for one station, whose own day it is; with as_of every day left out is in UTC */
  today_basis?: 'utc';
  /** The provider that issued the forecasts */
  provider: string;
  /** The lead times asked for, if the request names any */
  lead_time_buckets?: LeadTimeBucket[];
  /** issued_hour of the request, if given: hours of issuance that count, UTC */
  issued_hours?: number[];
  accuracy_metric:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust';
  /** What the variable is, unless it is high or low */
  variable?: AccuracyByBucketMetadataVariable;
  /** Error = forecast - actual: a negative mean error means that forecasts were too low */
  error_convention: 'forecast_minus_actual';
  /** The unit of the response, if it is not Fahrenheit */
  temp_unit?: 'fahrenheit' | 'celsius';
  as_of?: AsOf;
  /** known_at of the request, UTC, if given */
  known_at?: string;
  /** With known_at: observations of the window reported more than 7 days after their date began. If they are many, the feeds do not say when a value was first known */
  late_reports?: number;
  /** The last load that had finished before the response was made; 0 before the first. The response includes all data up to that load. While another load is running, it may include part of that one too */
  data_version: number;
  /** The history that data_version counts in; a restored backup begins a new one. `as_of` takes both (v412.k7q2), and caches may keep that response for ever */
  timeline: string;
  /** Milliseconds that generating the response took */
  query_time_ms: number;
  min_coverage?: MinCoverage;
}

/** What the variable is, unless it is high or low */
export interface AccuracyByBucketMetadataVariable {
  name:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust';
  /** The unit of its values and errors, which units and temp_unit choose; % is always % */
  unit: string;
  /** What one value is of */
  period: 'day' | 'hour';
  /** What it is made of */
  derived_from?: ('high' | 'low')[];
  definition: string;
  /** The base of degree days, °F */
  base_f?: number;
  /** With temp_unit=celsius: The base of degree days, °C */
  base_c?: number;
  /** The cap of growing degree days, °F */
  cap_f?: number;
  /** With temp_unit=celsius: The cap of growing degree days, °C */
  cap_c?: number;
  /** method of the request, if it is nws */
  method?: 'exact' | 'nws';
  /** The least amount of a wet day, inches, if the request chooses one */
  wet_at_in?: number;
}

export interface AccuracyByBucketMetadata extends Omit<CommonMetadata, 'min_coverage'> {
  /** Station days behind the response */
  total_records: number;
}

export interface AccuracyByBucketResponse {
  success: true;
  data: BucketAccuracy[];
  metadata: AccuracyByBucketMetadata;
}

export interface AccuracyByCityMetadata extends CommonMetadata {
  /** Verification pairs behind the response */
  total_records: number;
}

export interface AccuracyByCityResponse {
  success: true;
  data: CityAccuracy[];
  metadata: AccuracyByCityMetadata;
}

export interface AccuracyByDateMetadata extends CommonMetadata {
  /** Verification pairs behind the response */
  total_records: number;
  /** group_by of the request, if given */
  group_by?: 'week' | 'month' | 'season' | 'year';
}

export interface AccuracyByDateResponse {
  success: true;
  data: DateAccuracy[];
  metadata: AccuracyByDateMetadata;
}

export interface AccuracyByHourMetadata extends CommonMetadata {
  /** Verification pairs behind the response */
  total_records: number;
}

export interface AccuracyByHourResponse {
  success: true;
  data: HourAccuracy[];
  metadata: AccuracyByHourMetadata;
}

export interface AccuracyByLeadTimeMetadata extends CommonMetadata {
  /** Verification pairs behind the response */
  total_records: number;
  /** With align=matched: the buckets compared; none if no two share enough cases */
  aligned_buckets?: LeadTimeBucket[];
  /** Station days with a forecast in all of them */
  cases_matched?: number;
  /** Station days not compared, for each bucket with any station days */
  cases_dropped?: Record<string, number>;
}

export interface AccuracyByLeadTimeResponse {
  success: true;
  data: LeadTimeAccuracy[];
  metadata: AccuracyByLeadTimeMetadata;
}

export interface AccuracyByStationMetadata extends Omit<CommonMetadata, 'min_coverage'> {
  /** generated_at in the station's local time, with its UTC offset */
  local_generated_at: string;
  station_timezone: string;
}

export interface AccuracyByStationResponse {
  success: true;
  data: StationAccuracy;
  metadata: AccuracyByStationMetadata;
}

export interface AccuracyByWeatherRegimeMetadata extends Omit<
  CommonMetadata,
  'accuracy_metric' | 'variable'
> {
  /** Verification pairs behind the response */
  total_records: number;
  accuracy_metric: 'high' | 'low';
}

export interface AccuracyByWeatherRegimeResponse {
  success: true;
  data: WeatherAccuracy[];
  metadata: AccuracyByWeatherRegimeMetadata;
}

export interface AccuracySummaryMetadata extends CommonMetadata {
  /** Verification pairs behind the response */
  total_records: number;
  verification_coverage: VerificationCoverage;
}

export interface AccuracySummaryResponse {
  success: true;
  data: Summary;
  metadata: AccuracySummaryMetadata;
}

/** The version of the data that the request names, if any */
export interface AsOf {
  /** as_of of the request */
  requested: string;
  /** The last load that had finished by then; 0 before the first */
  version: number;
  /** When that load finished, UTC; null before the first */
  recorded_at: string | null;
}

export interface BiasCorrection {
  /** Station identifier, or ALL */
  station_id: string;
  /** Display name, or All stations */
  city_name: string;
  forecast_for_date: string;
  /** Lead time of the training forecasts */
  lead_time_bucket: '0-6h' | '6-12h' | '12-24h' | '24-48h' | '48-72h' | '72h+';
  lead_range: LeadRange;
  /** The forecast of the request, °F */
  forecast_f: number;
  /** With temp_unit=celsius: The forecast of the request, °C */
  forecast_c?: number;
  /** Mean error of such forecasts: the station's days, and 40 more like the network's, °F; null without training */
  bias_f: number | null;
  /** With temp_unit=celsius: Mean error of such forecasts: the station's days, and 40 more like the network's, °C; null without training */
  bias_c?: number | null;
  /** forecast_f - bias_f, °F; null without training */
  corrected_forecast_f: number | null;
  /** With temp_unit=celsius: forecast_f - bias_f, °C; null without training */
  corrected_forecast_c?: number | null;
  /** The 10% quantile of /probability, a whole degree, °F; null without training */
  expected_low_f: number | null;
  /** With temp_unit=celsius: The 10% quantile of /probability, a whole degree, °C; null without training */
  expected_low_c?: number | null;
  /** Its 90% quantile, °F; null without training */
  expected_high_f: number | null;
  /** With temp_unit=celsius: Its 90% quantile, °C; null without training */
  expected_high_c?: number | null;
  /** Population standard deviation of the station's errors, °F; null without training */
  std_dev_f: number | null;
  /** With temp_unit=celsius: Population standard deviation of the station's errors, °C; null without training */
  std_dev_c?: number | null;
  /** The station's training days */
  sample_size: number;
  /** The network's training days */
  network_days: number;
  /** First possible training day */
  training_from: string;
  /** Last possible training day */
  training_to: string;
  out_of_sample: OutOfSample;
  /** Confidence level of the interval */
  level: number;
}

export interface BiasCorrectionMetadata extends Omit<
  CommonMetadata,
  'accuracy_metric' | 'variable' | 'min_coverage'
> {
  /** Station days behind the response */
  total_records: number;
  /** Days learned from, where few stations need more than 60 and the request names no window */
  training_window?: number;
  /** What to know of the response, such as that the day has ended, that nothing of it is reported, that few own days count, or that the window or the lead is another than usual */
  hint?: string;
  accuracy_metric: 'high' | 'low';
}

export interface BiasCorrectionResponse {
  success: true;
  data: BiasCorrection;
  metadata: BiasCorrectionMetadata;
}

export interface BucketAccuracy {
  /** The bounds of the range, with their unit */
  temperature_range: string;
  /** First whole number of the range, °F; absent with metric=humidity or cloud_cover or wind_speed or wind_gust or wet_day or wet_12h or wet_6h or wet_1h or precip or snowfall or max_wind or max_gust */
  range_low_f?: number;
  /** With temp_unit=celsius: First whole number of the range, °C */
  range_low_c?: number;
  /** With metric=humidity or cloud_cover or wind_speed or wind_gust or wet_day or wet_12h or wet_6h or wet_1h or precip or snowfall or max_wind or max_gust: First whole number of the range, % or kt or inches */
  range_low?: number;
  /** First one above it, °F; null of the highest class of amounts; absent with metric=humidity or cloud_cover or wind_speed or wind_gust or wet_day or wet_12h or wet_6h or wet_1h or precip or snowfall or max_wind or max_gust */
  range_high_f?: number | null;
  /** With temp_unit=celsius: First one above it, °C; null of the highest class of amounts */
  range_high_c?: number | null;
  /** With metric=humidity or cloud_cover or wind_speed or wind_gust or wet_day or wet_12h or wet_6h or wet_1h or precip or snowfall or max_wind or max_gust: First one above it, % or kt or inches; null of the highest class of amounts */
  range_high?: number | null;
  /** Days whose actual is in the range */
  times_actual_in_range: number;
  /** Days whose forecast is in the range */
  times_forecast_in_range: number;
  /** Days with both in it */
  times_both_in_range: number;
  /** times_both_in_range of times_forecast_in_range, to 0.0001; null without days */
  accuracy_when_forecast_in_range: number | null;
  /** Lower bound of accuracy_when_forecast_in_range; null with fewer than 14 days */
  accuracy_when_forecast_in_range_low: number | null;
  /** Upper bound of accuracy_when_forecast_in_range; null with fewer than 14 days */
  accuracy_when_forecast_in_range_high: number | null;
  /** times_actual_in_range of all days, 0 to 100, to 0.01 */
  frequency_pct: number;
  /** times_both_in_range of times_actual_in_range, to 0.0001; null without days */
  detection_rate: number | null;
  /** Mean error of the days whose forecast is in the range, °F; null without such days */
  mean_error_when_forecast_in_range: number | null;
  /** Mean absolute error of the days whose forecast is in the range, °F; null without such days */
  mae_when_forecast_in_range: number | null;
}

export interface ChanceReliability {
  /** The lowest chance of the bin, % */
  chance_low: number;
  /** The first chance above it, %; of the last bin 100, which is in it */
  chance_high: number;
  /** Station days with a chance in the bin; with a variable of hours, windows */
  cases: number;
  /** Those of them that were wet; with a variable of hours, windows too */
  wet_days: number;
  /** Mean of the chances, %, to 0.01 */
  mean_chance: number;
  /** wet_days of cases, to 0.0001; null without days */
  observed_share: number | null;
  /** Lower bound of observed_share; null with fewer than 14 days */
  observed_share_low: number | null;
  /** Upper bound of observed_share; null with fewer than 14 days */
  observed_share_high: number | null;
  /** With ci: lower end of the consistency bar (Bröcker and Smith 2007), the range of observed_share if the chances are reliable and cases do not depend on each other. Hours and neighbouring stations do: then the bar is too short, and the interval is right */
  consistency_low?: number;
  /** With ci: upper end of the consistency bar (Bröcker and Smith 2007), the range of observed_share if the chances are reliable and cases do not depend on each other. Hours and neighbouring stations do: then the bar is too short, and the interval is right */
  consistency_high?: number;
}

export interface CityAccuracy {
  station_id: string;
  city_name: string;
  /** With near: the distance from its point, km, to 0.1 */
  distance_km?: number;
  /** Verification pairs of this city */
  sample_size: number;
  stats: Stats;
  uncertainty?: Uncertainty;
}

/** Since the first pass of the collector */
export interface CollectedSourceRequests {
  /** Answered */
  ok: number;
  /** Answered without the requested data */
  no_answer: number;
  /** Refused, by a status from 400 to 499 */
  refused: number;
  /** Failed: a status from 500 on, the network, or time */
  failed: number;
}

export interface CollectedSource {
  source: string;
  feed: 'forecasts' | 'observations' | 'hours' | 'hourly_forecasts';
  /** Of forecasts; null for observations */
  provider: string | null;
  /** Stations that are requested */
  stations: number;
  /** When it last gave a usable response, UTC; null if it never has */
  last_success_at: string | null;
  /** What is missing and is requested again */
  gaps: number;
  /** What is missing and is no longer requested */
  permanent_gaps: number;
  /** Since the first pass of the collector */
  requests: CollectedSourceRequests;
  /** null if there was none */
  minutes_since_success: number | null;
  /** Attribution to show with the data, and its terms */
  attribution: string | null;
}

export interface ComparisonMetadata extends CommonMetadata {
  /** Station days behind the response: those of all records */
  total_records: number;
  /** Records with a test, for which p-values are adjusted */
  cells: number;
  /** Those of them that are `significant` */
  significant_cells: number;
  /** Why no station day is compared; null if any is */
  reason: string | null;
}

export interface ComparisonResponse {
  success: true;
  data: ProviderComparison[];
  metadata: ComparisonMetadata;
}

export interface Consistency {
  /** Versions in the earlier log */
  from: number;
  /** Versions in the later log */
  to: number;
  /** The consistency proof of RFC 9162, each 32 bytes in base64 */
  proof: string[];
}

export interface ConsistencyResponse {
  success: true;
  data: Consistency;
}

export interface DateAccuracy {
  /** The day; with group_by the first day of the week, month, season or year, which may lie before the window: a period at an edge of the window holds only its days in the window */
  date: string;
  /** Station identifier, or ALL */
  station_id: string;
  /** Display name, or All stations */
  city_name: string;
  stats: Stats;
  /** Verification pairs of this date, or period */
  sample_size: number;
  /** With degree days and amounts: the sum of the latest forecasts of the lead times over the station days that have both, each once; null without pairs */
  sum_forecast?: number | null;
  /** With degree days and amounts: the sum of what was observed over the station days that have both, each once; null without pairs */
  sum_actual?: number | null;
  /** With include_preliminary=true: those of them based on a preliminary observation */
  preliminary_pairs?: number;
}

export interface DepartureOther {
  other_provider: string;
  /** °F; absent with metric=precip or snowfall or max_wind or max_gust */
  other_forecast_f?: number;
  /** With temp_unit=celsius: °C */
  other_forecast_c?: number;
  /** With metric=precip or snowfall or max_wind or max_gust: inches or kt */
  other_forecast?: number;
  /** When it was issued, UTC */
  other_issued_at: string;
}

export interface Departure {
  station_id: string;
  city_name: string;
  target_date: string;
  /** The provider that departs */
  provider: string;
  /** Its latest forecast, °F; absent with metric=precip or snowfall or max_wind or max_gust */
  forecast_f?: number;
  /** With temp_unit=celsius: Its latest forecast, °C */
  forecast_c?: number;
  /** With metric=precip or snowfall or max_wind or max_gust: Its latest forecast, inches or kt */
  forecast?: number;
  /** The median of the others' latest forecasts, °F; absent with metric=precip or snowfall or max_wind or max_gust */
  others_f?: number;
  /** With temp_unit=celsius: The median of the others' latest forecasts, °C */
  others_c?: number;
  /** With metric=precip or snowfall or max_wind or max_gust: The median of the others' latest forecasts, inches or kt */
  others_median?: number;
  /** forecast less others, °F: above 0 it is warmer than they */
  departure: number;
  /** When it was issued, UTC */
  issued_at: string;
  /** Hours from issuance to the start of target_date at the station */
  lead_time_hours: number;
  lead_time_bucket: LeadTimeBucket;
  /** How far the observation went from the others towards the provider: Σ d(y - c) / Σ d² of departures d from the median c of the others, and observations y: 1 the provider is right, 0 the others are, 0.4 it went 40% of the way; null without departures, to 0.0001 */
  share_true: number | null;
  /** Lower bound of share_true, by a jackknife over weeks; null with departures in fewer than 6 weeks, to 0.0001 */
  share_true_low: number | null;
  /** Upper bound of it, to 0.0001 */
  share_true_high: number | null;
  /** Where share_true was learned, from departures of the provider at this lead time: at the station, or with fewer than 30 of them at all stations; null without any */
  share_true_of: 'station' | 'network' | null;
  /** How many of them there were */
  departures: number;
  /** the median of the others + share_true · departure, °F; null without share_true; absent with metric=precip or snowfall or max_wind or max_gust */
  expected_f?: number | null;
  /** With temp_unit=celsius: the median of the others + share_true · departure, °C; null without share_true */
  expected_c?: number | null;
  /** With metric=precip or snowfall or max_wind or max_gust: the median of the others + share_true · departure, inches or kt; null without share_true */
  expected?: number | null;
  /** The latest forecasts of the others, by provider */
  others: DepartureOther[];
}

export interface DeparturesMetadata extends Omit<
  CommonMetadata,
  | 'days_analyzed'
  | 'period_start'
  | 'period_end'
  | 'lead_time_buckets'
  | 'issued_hours'
  | 'error_convention'
  | 'late_reports'
  | 'min_coverage'
> {
  /** Whether there are more rows than limit */
  truncated: boolean;
  /** `cursor` of the next page; null on the last one */
  next_cursor: string | null;
  /** First day from which share_true is known */
  learned_from: string;
  /** Last such day */
  learned_to: string;
}

export interface DeparturesResponse {
  success: true;
  data: Departure[];
  metadata: DeparturesMetadata;
}

export interface DistributionMetadata extends Omit<CommonMetadata, 'accuracy_metric' | 'variable'> {
  /** Station days behind the response */
  total_records: number;
  /** Station days left out because their forecast has no distribution */
  cases_without_distribution: number;
  /** Station days left out because their distribution has other levels than most */
  cases_of_other_levels: number;
  /** Why no station day counts; null if any does */
  reason: string | null;
  accuracy_metric: 'high' | 'low';
}

export interface DistributionResponse {
  success: true;
  data: DistributionScores[];
  metadata: DistributionMetadata;
}

export interface DistributionScoresCoverage {
  /** The level of the quantile, % */
  level: number;
  /** Share of the observations below the quantile, to 0.0001; one that is equal counts in part */
  observed: number | null;
  /** Lower bound of it; null with fewer than 14 days */
  low: number | null;
  /** Upper bound of it; null with fewer than 14 days */
  high: number | null;
  /** holds: right, the interval includes the level and is narrow enough to say so (15 points at most to either side); too_low, too_high: the quantile is so; null where it cannot be told yet */
  verdict: 'holds' | 'too_low' | 'too_high' | null;
  /** Mean quantile loss, in degrees of the request, to 0.000001; 0 is best */
  pinball: number;
}

export interface DistributionScoresInterval {
  /** Nominal probability of the central interval, % */
  nominal: number;
  /** Share of the observations inside, to 0.0001; one at an end counts in part */
  covered: number | null;
  /** Lower bound of covered; null with fewer than 14 days */
  covered_low: number | null;
  /** Upper bound of covered; null with fewer than 14 days */
  covered_high: number | null;
  /** Mean width, in degrees of the request */
  mean_width: number;
}

export interface DistributionScoresPit {
  /** Cases below the first level, between neighbouring ones and above the last, to 0.01; a tie counts for each of these that it touches, in parts */
  counts: number[];
  /** How many there would be if the distribution were right */
  expected: number[];
}

/** The provider's CRPS less its own; negative: the provider is better */
export interface DistributionScoresAgainstNormalDifference {
  /** In degrees of the request */
  value: number;
  /** Lower bound; null with fewer than 14 days, or without spread */
  low: number | null;
  /** Upper bound; likewise */
  high: number | null;
  /** Probability of a difference so large if both were equally good, to 0.0001; likewise */
  p_value: number | null;
}

/** The forecast dressed by a normal of the mean and standard deviation of the errors of these very days */
export interface DistributionScoresAgainstNormal {
  /** All cases of the record */
  cases: number;
  /** Its CRPS */
  crps_from_quantiles: number;
  /** The provider's CRPS less its own; negative: the provider is better */
  difference: DistributionScoresAgainstNormalDifference;
}

/** Another distribution for the same forecasts */
export interface DistributionScoresAgainst {
  /** The forecast dressed by a normal of the mean and standard deviation of the errors of these very days */
  normal: DistributionScoresAgainstNormal;
}

export interface DistributionScores {
  /** The provider that issued the forecasts */
  provider: string;
  /** With group_by=lead_time_bucket */
  lead_time_bucket?: LeadTimeBucket;
  /** With group_by=station */
  station_id?: string;
  /** With group_by=station */
  city_name?: string;
  /** With group_by=month: its first day, which may lie before the window */
  month?: string;
  /** Station days whose forecast has a distribution of these levels, and an observation */
  cases: number;
  /** Calendar days with such a case */
  days: number;
  /** The levels of the quantiles, %: those that most cases have; all 13 for a standard deviation alone */
  levels: number[];
  /** By level, ascending */
  coverage: DistributionScoresCoverage[];
  /** Those of 50, 80 and 90% that the levels allow */
  intervals: DistributionScoresInterval[];
  pit: DistributionScoresPit;
  /** Its shape: flat, or the significant problem at the level of confidence: too_narrow (U), too_wide, too_warm, too_cold; null with fewer than 14 days */
  shape: 'flat' | 'too_narrow' | 'too_wide' | 'too_warm' | 'too_cold' | null;
  /** Continuous ranked probability score, in degrees of the request, to 0.000001: 2 times the mean of pinball over the levels. Compare it between equal levels only */
  crps_from_quantiles: number | null;
  /** Root of the mean variance over the root of the mean squared error, bias removed: 1 is right, below 1 the provider is overconfident. Quantiles have the variance of a normal through the outermost ones; null with one level */
  spread_to_error: number | null;
  /** Another distribution for the same forecasts */
  against: DistributionScoresAgainst;
}

/** mae minus mae_of_others, with its interval; negative: the provider errs less */
export interface DivergenceMaeDifference {
  /** °F; null without cases */
  value: number | null;
  /** °F; null with fewer than 14 days, or without spread */
  low: number | null;
  /** °F; likewise */
  high: number | null;
  /** Standard error, °F; likewise */
  std_error: number | null;
  /** Probability of a difference at least this far from 0 if the two were equally good, to 0.0001; likewise */
  p_value: number | null;
}

/** Of the departures those that are warmer than the others */
export interface DivergenceWarmer {
  /** Departures to this side */
  departures: number;
  /** Those where the provider's forecast came nearer to the observation than the others' median */
  nearer: number;
  /** Those where both came equally near */
  equal: number;
  /** Those where it came less near */
  farther: number;
  /** nearer / (nearer + farther), to 0.0001; null without days */
  nearer_rate: number | null;
  /** Lower bound of nearer_rate; null with fewer than 14 days */
  nearer_rate_low: number | null;
  /** Upper bound of nearer_rate; null with fewer than 14 days */
  nearer_rate_high: number | null;
  /** The provider's MAE on them, °F; null without any */
  mae: number | null;
  /** MAE of the others' median on them, °F */
  mae_of_others: number | null;
  /** mae minus mae_of_others, with its interval; negative: the provider errs less */
  mae_difference: DivergenceMaeDifference;
  /** How far the observation went from the others towards the provider: Σ d(y - c) / Σ d² of departures d from the median c of the others, and observations y: 1 the provider is right, 0 the others are, 0.4 it went 40% of the way; null without departures, to 0.0001 */
  share_true: number | null;
  /** Lower bound of share_true, by a jackknife over weeks; null with departures in fewer than 6 weeks, to 0.0001 */
  share_true_low: number | null;
  /** Upper bound of it, to 0.0001 */
  share_true_high: number | null;
}

/** The same on the other station days, for comparison */
export interface DivergenceOtherwise {
  /** Station days without a departure */
  station_days: number;
  /** Those where the provider's forecast came nearer to the observation than the others' median */
  nearer: number;
  /** Those where both came equally near */
  equal: number;
  /** Those where it came less near */
  farther: number;
  /** nearer / (nearer + farther), to 0.0001; null without days */
  nearer_rate: number | null;
  /** Lower bound of nearer_rate; null with fewer than 14 days */
  nearer_rate_low: number | null;
  /** Upper bound of nearer_rate; null with fewer than 14 days */
  nearer_rate_high: number | null;
  /** The provider's MAE on them, °F; null without any */
  mae: number | null;
  /** MAE of the others' median on them, °F */
  mae_of_others: number | null;
  /** mae minus mae_of_others, with its interval; negative: the provider errs less */
  mae_difference: DivergenceMaeDifference;
}

export interface Divergence {
  /** With provider in group_by: the provider; otherwise the record is of each of them in turn */
  provider?: string;
  /** With lead_time_bucket in group_by */
  lead_time_bucket?: LeadTimeBucket;
  /** With month in group_by: its first day */
  month?: string;
  /** With station in group_by */
  station_id?: string;
  /** With station in group_by */
  city_name?: string;
  /** The threshold, °F; absent with metric=precip or snowfall or max_wind or max_gust */
  threshold_f?: number;
  /** With temp_unit=celsius: The threshold, °C */
  threshold_c?: number;
  /** With metric=precip or snowfall or max_wind or max_gust: The threshold, inches or kt */
  threshold?: number;
  /** Calendar days with one of these station days */
  days: number;
  /** Station days with a forecast of the provider and of another; without provider in group_by, of each provider */
  station_days: number;
  /** Those of them on which the provider departs: its forecast is at least the threshold from the median of the others */
  departures: number;
  /** departures / station_days, to 0.0001; null without days */
  departure_rate: number | null;
  /** Lower bound of departure_rate; null with fewer than 14 days */
  departure_rate_low: number | null;
  /** Upper bound of departure_rate; null with fewer than 14 days */
  departure_rate_high: number | null;
  /** Those where the provider's forecast came nearer to the observation than the others' median */
  nearer: number;
  /** Those where both came equally near */
  equal: number;
  /** Those where it came less near */
  farther: number;
  /** nearer / (nearer + farther), to 0.0001; null without days */
  nearer_rate: number | null;
  /** Lower bound of nearer_rate; null with fewer than 14 days */
  nearer_rate_low: number | null;
  /** Upper bound of nearer_rate; null with fewer than 14 days */
  nearer_rate_high: number | null;
  /** The provider's MAE on them, °F; null without any */
  mae: number | null;
  /** MAE of the others' median on them, °F */
  mae_of_others: number | null;
  /** mae minus mae_of_others, with its interval; negative: the provider errs less */
  mae_difference: DivergenceMaeDifference;
  /** How far the observation went from the others towards the provider: Σ d(y - c) / Σ d² of departures d from the median c of the others, and observations y: 1 the provider is right, 0 the others are, 0.4 it went 40% of the way; null without departures, to 0.0001 */
  share_true: number | null;
  /** Lower bound of share_true, by a jackknife over weeks; null with departures in fewer than 6 weeks, to 0.0001 */
  share_true_low: number | null;
  /** Upper bound of it, to 0.0001 */
  share_true_high: number | null;
  /** Whom to believe in a departure, by the interval of share_true before rounding: between, if it is between 0 and 1; provider, if it is above 0.5; others, if it is below 0.5; cannot_tell; too_few_days, with fewer than 14 days with a departure; too_few_weeks, with fewer than 6 weeks with one, as always by month: there is no interval */
  verdict: 'provider' | 'others' | 'between' | 'cannot_tell' | 'too_few_days' | 'too_few_weeks';
  /** Of the departures those that are warmer than the others */
  warmer: DivergenceWarmer;
  /** Those that are colder */
  colder: DivergenceWarmer;
  /** The same on the other station days, for comparison */
  otherwise: DivergenceOtherwise;
  /** Mean lead time of the provider's forecasts, hours; null without station days */
  mean_lead_hours: number | null;
  /** Mean lead time of the others', hours */
  mean_lead_hours_of_others: number | null;
  /** With mean lead times that differ by 3 h or more: who has older forecasts, because part of the difference is then age, not skill; or that two providers together always have a share of 0.5; else null */
  hint: string | null;
}

export interface DivergenceMetadata extends CommonMetadata {
  /** Station days behind the response, of each provider: those of all records */
  total_records: number;
  /** Why no station day is counted; null if any is */
  reason: string | null;
}

export interface DivergenceResponse {
  success: true;
  data: Divergence[];
  metadata: DivergenceMetadata;
}

export interface ErrorDistributionBucket {
  range: string;
  /** Pairs in this range */
  count: number;
  /** Percentage of all pairs, 0 to 100, to 0.01 */
  pct: number;
  /** Share of all pairs, 0 to 1, to 0.0001 */
  share: number;
  /** Lower bound, °F, in the range; absent with metric=humidity or cloud_cover or wind_speed or wind_gust or wet_day or wet_12h or wet_6h or wet_1h or precip or snowfall or max_wind or max_gust */
  from_f?: number;
  /** With temp_unit=celsius: Lower bound, °C, in the range */
  from_c?: number;
  /** With metric=humidity or cloud_cover or wind_speed or wind_gust or wet_day or wet_12h or wet_6h or wet_1h or precip or snowfall or max_wind or max_gust: Lower bound, % or kt or inches, in the range */
  from?: number;
  /** Upper bound, °F, not in it; null: the range has no upper bound; absent with metric=humidity or cloud_cover or wind_speed or wind_gust or wet_day or wet_12h or wet_6h or wet_1h or precip or snowfall or max_wind or max_gust */
  to_f?: number | null;
  /** With temp_unit=celsius: Upper bound, °C, not in it; null: the range has no upper bound */
  to_c?: number | null;
  /** With metric=humidity or cloud_cover or wind_speed or wind_gust or wet_day or wet_12h or wet_6h or wet_1h or precip or snowfall or max_wind or max_gust: Upper bound, % or kt or inches, not in it; null: the range has no upper bound */
  to?: number | null;
}

export interface ErrorDistribution {
  /** Station identifier, or ALL */
  station_id: string;
  /** Display name, or All stations */
  city_name: string;
  /** Ascending, empty ones included; none without pairs */
  buckets: ErrorDistributionBucket[];
  /** Forecast-actual pairs */
  verification_pairs: number;
  /** Distinct calendar days with a pair */
  unique_days: number;
}

export interface ErrorDistributionMetadata extends CommonMetadata {
  /** Verification pairs behind the response */
  total_records: number;
}

export interface ErrorDistributionResponse {
  success: true;
  data: ErrorDistribution;
  metadata: ErrorDistributionMetadata;
}

export interface ErrorResponseErrorDetail {
  parameter: string;
  message: string;
}

export interface ErrorResponseError {
  code: ErrorCode;
  message: string;
  /** All errors of the request */
  details?: ErrorResponseErrorDetail[];
}

export interface ErrorResponseMetadata {
  generated_at: string;
  endpoint: string;
  request_id: string;
}

export interface ErrorResponse {
  success: false;
  error: ErrorResponseError;
  metadata: ErrorResponseMetadata;
}

export interface EventScores {
  /** With group_by=lead_time_bucket */
  lead_time_bucket?: LeadTimeBucket;
  /** With group_by=station */
  station_id?: string;
  /** With group_by=station */
  city_name?: string;
  /** With group_by=month: its first day, which may lie before the window */
  month?: string;
  /** The threshold, °F; absent with metric=humidity or cloud_cover or wind_speed or wind_gust or wet_day or wet_12h or wet_6h or wet_1h or precip or snowfall or max_wind or max_gust */
  threshold_f?: number;
  /** With temp_unit=celsius: The threshold, °C */
  threshold_c?: number;
  /** With metric=humidity or cloud_cover or wind_speed or wind_gust or wet_day or wet_12h or wet_6h or wet_1h or precip or snowfall or max_wind or max_gust: The threshold, % or kt or inches */
  threshold?: number;
  /** Which side of the threshold is the event */
  direction: 'at_or_above' | 'at_or_below';
  /** Station days with a forecast of these lead times and an observation (n) */
  cases: number;
  /** Those on which the event was forecast and observed (a) */
  hits: number;
  /** Those on which it was forecast alone (b) */
  false_alarms: number;
  /** Those on which it was observed alone (c) */
  misses: number;
  /** Those on which it was neither (d) */
  correct_negatives: number;
  /** How often the event was observed: (a+c)/n, to 0.0001; null without days */
  base_rate: number | null;
  /** How often it was forecast: (a+b)/n, to 0.0001; null without days */
  forecast_rate: number | null;
  /** How many times as often it was forecast as observed: (a+b)/(a+c), to 0.0001; null as a ratio of nothing */
  frequency_bias: number | null;
  /** Probability of detection: hits of the events observed, a/(a+c), to 0.0001; null without days */
  pod: number | null;
  /** False alarm ratio: false alarms of the events forecast, b/(a+b), to 0.0001; null without days */
  far: number | null;
  /** Probability of false detection: false alarms of the days without the event, b/(b+d), to 0.0001; null without days */
  pofd: number | null;
  /** Hits of the events forecast: a/(a+b), to 0.0001; null without days */
  success_ratio: number | null;
  /** Critical success index: hits of the events forecast or observed, a/(a+b+c), to 0.0001; null without days */
  csi: number | null;
  /** Equitable threat score: csi without the hits of chance (r), (a-r)/(a+b+c-r) with r = (a+b)(a+c)/n: 1 is perfect, 0 is chance, to 0.0001; null as a ratio of nothing */
  ets: number | null;
  /** Heidke skill score: 2(ad-bc)/((a+c)(c+d)+(a+b)(b+d)): 1 is perfect, 0 is chance, to 0.0001; null as a ratio of nothing */
  hss: number | null;
  /** Symmetric extremal dependence index (Ferro and Stephenson 2011), which stays comparable as events become rare: 1 is perfect, 0 is chance, to 0.0001; null if a, b, c or d is 0 */
  sedi: number | null;
  /** With cost_loss: the cost of protection over the loss that it prevents */
  cost_loss?: number;
  /** With cost_loss: relative economic value (Richardson 2000), the part of the possible saving that the forecasts bring: 1 is perfect, 0 or less is no better than to protect always or never, to 0.0001; null as a ratio of nothing */
  economic_value?: number | null;
  /** Lower bound of base_rate; null with fewer than 14 days */
  base_rate_low: number | null;
  /** Upper bound of base_rate; null with fewer than 14 days */
  base_rate_high: number | null;
  /** Lower bound of forecast_rate; null with fewer than 14 days */
  forecast_rate_low: number | null;
  /** Upper bound of forecast_rate; null with fewer than 14 days */
  forecast_rate_high: number | null;
  /** Lower bound of pod; null with fewer than 14 days */
  pod_low: number | null;
  /** Upper bound of pod; null with fewer than 14 days */
  pod_high: number | null;
  /** Lower bound of far; null with fewer than 14 days */
  far_low: number | null;
  /** Upper bound of far; null with fewer than 14 days */
  far_high: number | null;
  /** Lower bound of pofd; null with fewer than 14 days */
  pofd_low: number | null;
  /** Upper bound of pofd; null with fewer than 14 days */
  pofd_high: number | null;
  /** Lower bound of success_ratio; null with fewer than 14 days */
  success_ratio_low: number | null;
  /** Upper bound of success_ratio; null with fewer than 14 days */
  success_ratio_high: number | null;
  /** Lower bound of csi; null with fewer than 14 days */
  csi_low: number | null;
  /** Upper bound of csi; null with fewer than 14 days */
  csi_high: number | null;
  /** Lower bound of frequency_bias; null with days in fewer than 6 weeks, where it hangs on one of them, or without spread */
  frequency_bias_low: number | null;
  /** Upper bound of frequency_bias; null with days in fewer than 6 weeks, where it hangs on one of them, or without spread */
  frequency_bias_high: number | null;
  /** Lower bound of ets; null with days in fewer than 6 weeks, where it hangs on one of them, or without spread */
  ets_low: number | null;
  /** Upper bound of ets; null with days in fewer than 6 weeks, where it hangs on one of them, or without spread */
  ets_high: number | null;
  /** Lower bound of hss; null with days in fewer than 6 weeks, where it hangs on one of them, or without spread */
  hss_low: number | null;
  /** Upper bound of hss; null with days in fewer than 6 weeks, where it hangs on one of them, or without spread */
  hss_high: number | null;
  /** With cost_loss: lower bound of economic_value, by days; null below 14 days, or without spread */
  economic_value_low?: number | null;
  /** With cost_loss: upper bound of economic_value, by days; null below 14 days, or without spread */
  economic_value_high?: number | null;
}

export interface EventsMetadata extends CommonMetadata {
  /** Station days behind the response, with group_by those of all groups */
  total_records: number;
  verification_coverage: VerificationCoverage;
}

export interface EventsResponse {
  success: true;
  data: EventScores[];
  metadata: EventsMetadata;
}

export interface ExceedanceThreshold {
  /** A size of errors, °F; absent with metric=humidity or cloud_cover or wind_speed or wind_gust or wet_day or wet_12h or wet_6h or wet_1h or precip or snowfall or max_wind or max_gust */
  threshold_f?: number;
  /** With temp_unit=celsius: A size of errors, °C */
  threshold_c?: number;
  /** With metric=humidity or cloud_cover or wind_speed or wind_gust or wet_day or wet_12h or wet_6h or wet_1h or precip or snowfall or max_wind or max_gust: A size of errors, % or kt or inches */
  threshold?: number;
  /** Share of pairs with a larger absolute error, 0 to 1 (a percentage in exceedance-summary); null without pairs */
  exceedance_rate: number | null;
  /** Share of pairs with at most this absolute error; the two add up to 1 */
  within_rate: number | null;
  /** Lower end of the interval of exceedance_rate; null below 14 days with pairs */
  low: number | null;
  /** Upper end of it */
  high: number | null;
  /** Effective sample size: this many independent pairs would leave it equally uncertain */
  n_eff: number | null;
}

export interface Exceedance {
  /** Station identifier, or ALL */
  station_id: string;
  /** Ascending */
  thresholds: ExceedanceThreshold[];
  /** Forecast-actual pairs */
  verification_pairs: number;
  /** Distinct calendar days with a pair */
  unique_days: number;
  /** Display name, or All stations */
  city_name: string;
  /** Confidence level of the intervals */
  level: number;
}

export interface ExceedanceMetadata extends CommonMetadata {
  /** Verification pairs behind the response */
  total_records: number;
}

export interface ExceedanceResponse {
  success: true;
  data: Exceedance;
  metadata: ExceedanceMetadata;
}

export interface ExceedanceSummaryThreshold {
  /** A size of errors, °F; absent with metric=humidity or cloud_cover or wind_speed or wind_gust or wet_day or wet_12h or wet_6h or wet_1h or precip or snowfall or max_wind or max_gust */
  threshold_f?: number;
  /** With temp_unit=celsius: A size of errors, °C */
  threshold_c?: number;
  /** With metric=humidity or cloud_cover or wind_speed or wind_gust or wet_day or wet_12h or wet_6h or wet_1h or precip or snowfall or max_wind or max_gust: A size of errors, % or kt or inches */
  threshold?: number;
  /** Percentage of pairs with a larger absolute error, 0 to 100, to 0.01 (a share from 0 to 1 in exceedance); null without pairs */
  exceedance_rate: number | null;
}

export interface ExceedanceSummary {
  /** Ascending */
  thresholds: ExceedanceSummaryThreshold[];
  /** Forecast-actual pairs */
  verification_pairs: number;
  /** Distinct calendar days with a pair */
  unique_days: number;
}

export interface ExceedanceSummaryMetadata extends CommonMetadata {
  /** Verification pairs behind the response */
  total_records: number;
}

export interface ExceedanceSummaryResponse {
  success: true;
  data: ExceedanceSummary;
  metadata: ExceedanceSummaryMetadata;
}

/** One fact */
export interface ExportedFact {
  /** The table of the fact */
  feed:
    | 'forecasts'
    | 'distributions'
    | 'observations'
    | 'hourly_forecasts'
    | 'hours'
    | 'sealed_odds'
    | 'normals'
    | 'stations';
  /** The date that the fact is of; blank for stations and normals */
  day: string;
  /** The fact as it is sealed */
  line: string;
}

/** One verification pair */
export interface ExportedPair {
  metric:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust';
  station_id: string;
  target_date: string;
  /** With metric=temperature: the hour, UTC; target_date is the day of the station in which it lies */
  valid_at?: string;
  /** When the forecast was issued, UTC */
  issued_at: string;
  /** Hours from issuance to local midnight of target_date, or to valid_at; negative for same-day */
  lead_time_hours: number;
  lead_time_bucket: LeadTimeBucket;
  /** °F */
  forecast: number;
  /** °F */
  actual: number;
  /** forecast - actual, °F */
  error: number;
  observation_status: 'verified' | 'preliminary';
  /** With distribution=true: the standard deviation that the provider states, °F; null where it states none */
  sd?: number | null;
  /** With distribution=true: the quantile of 5% that the provider states, °F; null where it states none */
  p05?: number | null;
  /** With distribution=true: the quantile of 10% that the provider states, °F; null where it states none */
  p10?: number | null;
  /** With distribution=true: the quantile of 20% that the provider states, °F; null where it states none */
  p20?: number | null;
  /** With distribution=true: the quantile of 25% that the provider states, °F; null where it states none */
  p25?: number | null;
  /** With distribution=true: the quantile of 30% that the provider states, °F; null where it states none */
  p30?: number | null;
  /** With distribution=true: the quantile of 40% that the provider states, °F; null where it states none */
  p40?: number | null;
  /** With distribution=true: the quantile of 50% that the provider states, °F; null where it states none */
  p50?: number | null;
  /** With distribution=true: the quantile of 60% that the provider states, °F; null where it states none */
  p60?: number | null;
  /** With distribution=true: the quantile of 70% that the provider states, °F; null where it states none */
  p70?: number | null;
  /** With distribution=true: the quantile of 75% that the provider states, °F; null where it states none */
  p75?: number | null;
  /** With distribution=true: the quantile of 80% that the provider states, °F; null where it states none */
  p80?: number | null;
  /** With distribution=true: the quantile of 90% that the provider states, °F; null where it states none */
  p90?: number | null;
  /** With distribution=true: the quantile of 95% that the provider states, °F; null where it states none */
  p95?: number | null;
  /** The provider that issued the forecast; with provider=all */
  provider?: string;
}

export interface Forecast {
  station_id: string;
  city_name: string;
  metric: 'high' | 'low';
  target_date: string;
  /** When the forecast was issued, UTC */
  issued_at: string;
  /** Hours from issuance to the start of target_date at the station */
  lead_time_hours: number;
  /** Lead-time bucket; same-day once the day has begun, null once it has ended */
  lead_time_bucket: LeadTimeBucket | null;
  /** °F; null if the load withdrew it */
  forecast_f: number | null;
  /** With temp_unit=celsius: °C; null if the load withdrew it */
  forecast_c?: number | null;
  /** The load that brought it */
  load_id: number;
  /** Whether a later load corrected or withdrew it */
  superseded: boolean;
}

/** One verification pair */
export interface ForecastActual {
  station_id: string;
  city_name: string;
  target_date: string;
  /** With metric=temperature: the hour, UTC; target_date is the day of the station in which it lies */
  valid_at?: string;
  /** When the forecast was issued, UTC */
  issued_at: string;
  /** Hours from issuance to local midnight of target_date, or to valid_at; negative for same-day */
  lead_time_hours: number;
  lead_time_bucket: LeadTimeBucket;
  /** °F */
  forecast: number;
  /** °F */
  actual: number;
  /** forecast - actual, °F */
  error: number;
  observation_status: 'verified' | 'preliminary';
}

export interface ForecastActualMetadata extends CommonMetadata {
  /** Verification pairs behind the response */
  total_records: number;
  /** Whether there are more rows than limit */
  truncated: boolean;
  /** `cursor` of the next page; null on the last one */
  next_cursor: string | null;
}

export interface ForecastActualResponse {
  success: true;
  data: ForecastActual[];
  metadata: ForecastActualMetadata;
}

export interface ForecastsMetadata {
  /** When the response was generated, UTC; `Age` is the seconds since, where it comes from the cache */
  generated_at: string;
  forecast_for_date: string;
  /** Whether there are more rows than limit */
  truncated: boolean;
  /** `cursor` of the next page; null on the last one */
  next_cursor: string | null;
  /** The station asked about, several separated by commas, ALL, or SELECTED for none, or more than 200, that conditions choose */
  station_id: string;
  /** How many stations the request chooses, if it may choose several */
  stations?: number;
  /** Which day is today (with known_at, the day of that instant) where a request leaves the date out: `utc`, the UTC day, for several stations or all. Absent for one station, whose own day it is; with as_of every day left out is in UTC */
  today_basis?: 'utc';
  /** The provider that issued the forecasts */
  provider: string;
  /** issued_hour of the request, if given: hours of issuance that count, UTC */
  issued_hours?: number[];
  /** The unit of the response, if it is not Fahrenheit */
  temp_unit?: 'fahrenheit' | 'celsius';
  /** The last load that had finished before the response was made; 0 before the first. The response includes all data up to that load. While another load is running, it may include part of that one too */
  data_version: number;
  /** The history that data_version counts in; a restored backup begins a new one. `as_of` takes both (v412.k7q2), and caches may keep that response for ever */
  timeline: string;
  /** Milliseconds that generating the response took */
  query_time_ms: number;
}

export interface ForecastsResponse {
  success: true;
  data: Forecast[];
  metadata: ForecastsMetadata;
}

export interface Freshness {
  data_type: 'weather_forecasts';
  /** Forecast values, highs and lows, from loads that finished in the last 24 hours */
  records_last_24h: number;
  /** Stations of these values */
  stations_updated: number;
  /** When the first of these loads finished, UTC; null without any */
  earliest_recent: string | null;
  /** When the last of them finished, UTC; null without any */
  latest_recent: string | null;
  /** Since the last load with a forecast, however long ago; null before the first */
  minutes_since_latest: number | null;
  /** Latest issuance of a forecast, UTC; null without any */
  latest_issued_at: string | null;
  /** Last day with a verification pair; null without any */
  latest_target_date: string | null;
  /** Last day with a pair based on a verified observation */
  latest_verified_date: string | null;
  /** The last load that has finished; 0 before the first */
  last_load_id: number;
  /** The public sources collected from, as of the collector's last load; none without a collector. CSV leaves them out */
  sources: CollectedSource[];
}

export interface FreshnessMetadata {
  /** When the response was generated, UTC; `Age` is the seconds since, where it comes from the cache */
  generated_at: string;
  /** The last load that had finished before the response was made; 0 before the first. The response includes all data up to that load. While another load is running, it may include part of that one too */
  data_version: number;
  /** The history that data_version counts in; a restored backup begins a new one. `as_of` takes both (v412.k7q2), and caches may keep that response for ever */
  timeline: string;
  /** Milliseconds that generating the response took */
  query_time_ms: number;
}

export interface FreshnessResponse {
  success: true;
  data: Freshness;
  metadata: FreshnessMetadata;
}

export interface Health {
  status: 'ok' | 'degraded';
  timestamp: string;
  database: 'ok' | 'unavailable';
  version: string;
}

export interface HitRate {
  station_id: string;
  city_name: string;
  /** Days of a station with a forecast of these lead times and an observation */
  total_days: number;
  /** Days whose forecast and actual are the same whole degree, rounded half up */
  exact_hits: number;
  /** Days whose forecast was off by at most 1, in degrees of the request's unit */
  within_1: number;
  /** Days whose forecast was off by at most 2, in degrees of the request's unit */
  within_2: number;
  /** Days whose forecast was off by at most 3, in degrees of the request's unit */
  within_3: number;
  /** Days whose forecast was off by 10 or more, in degrees of the request's unit */
  misses_10: number;
  /** exact_hits of total_days, to 0.0001; null without days */
  exact_rate: number | null;
  /** Lower bound of exact_rate; null with fewer than 14 days */
  exact_rate_low: number | null;
  /** Upper bound of exact_rate; null with fewer than 14 days */
  exact_rate_high: number | null;
  /** within_1 of total_days, to 0.0001; null without days */
  within_1_rate: number | null;
  /** Lower bound of within_1_rate; null with fewer than 14 days */
  within_1_rate_low: number | null;
  /** Upper bound of within_1_rate; null with fewer than 14 days */
  within_1_rate_high: number | null;
  /** within_2 of total_days, to 0.0001; null without days */
  within_2_rate: number | null;
  /** Lower bound of within_2_rate; null with fewer than 14 days */
  within_2_rate_low: number | null;
  /** Upper bound of within_2_rate; null with fewer than 14 days */
  within_2_rate_high: number | null;
  /** within_3 of total_days, to 0.0001; null without days */
  within_3_rate: number | null;
  /** Lower bound of within_3_rate; null with fewer than 14 days */
  within_3_rate_low: number | null;
  /** Upper bound of within_3_rate; null with fewer than 14 days */
  within_3_rate_high: number | null;
  /** misses_10 of total_days, to 0.0001; null without days */
  misses_10_rate: number | null;
  /** Lower bound of misses_10_rate; null with fewer than 14 days */
  misses_10_rate_low: number | null;
  /** Upper bound of misses_10_rate; null with fewer than 14 days */
  misses_10_rate_high: number | null;
  /** Mean lead time of the forecasts, hours; null without days */
  mean_lead_hours: number | null;
}

export interface HitRateMetadata extends CommonMetadata {
  /** Station days behind the response */
  total_records: number;
  network: HitRateTotals;
  verification_coverage: VerificationCoverage;
}

export interface HitRateResponse {
  success: true;
  data: HitRate[];
  metadata: HitRateMetadata;
}

/** The days of all records together */
export interface HitRateTotals {
  /** Days of a station with a forecast of these lead times and an observation */
  total_days: number;
  /** Days whose forecast and actual are the same whole degree, rounded half up */
  exact_hits: number;
  /** Days whose forecast was off by at most 1, in degrees of the request's unit */
  within_1: number;
  /** Days whose forecast was off by at most 2, in degrees of the request's unit */
  within_2: number;
  /** Days whose forecast was off by at most 3, in degrees of the request's unit */
  within_3: number;
  /** Days whose forecast was off by 10 or more, in degrees of the request's unit */
  misses_10: number;
  /** exact_hits of total_days, to 0.0001; null without days */
  exact_rate: number | null;
  /** Lower bound of exact_rate; null with fewer than 14 days */
  exact_rate_low: number | null;
  /** Upper bound of exact_rate; null with fewer than 14 days */
  exact_rate_high: number | null;
  /** within_1 of total_days, to 0.0001; null without days */
  within_1_rate: number | null;
  /** Lower bound of within_1_rate; null with fewer than 14 days */
  within_1_rate_low: number | null;
  /** Upper bound of within_1_rate; null with fewer than 14 days */
  within_1_rate_high: number | null;
  /** within_2 of total_days, to 0.0001; null without days */
  within_2_rate: number | null;
  /** Lower bound of within_2_rate; null with fewer than 14 days */
  within_2_rate_low: number | null;
  /** Upper bound of within_2_rate; null with fewer than 14 days */
  within_2_rate_high: number | null;
  /** within_3 of total_days, to 0.0001; null without days */
  within_3_rate: number | null;
  /** Lower bound of within_3_rate; null with fewer than 14 days */
  within_3_rate_low: number | null;
  /** Upper bound of within_3_rate; null with fewer than 14 days */
  within_3_rate_high: number | null;
  /** misses_10 of total_days, to 0.0001; null without days */
  misses_10_rate: number | null;
  /** Lower bound of misses_10_rate; null with fewer than 14 days */
  misses_10_rate_low: number | null;
  /** Upper bound of misses_10_rate; null with fewer than 14 days */
  misses_10_rate_high: number | null;
  /** Mean lead time of the forecasts, hours; null without days */
  mean_lead_hours: number | null;
}

export interface HourAccuracy {
  /** Of lead time, or of the day, 0 to 23 */
  hour: number;
  stats: Stats;
  uncertainty?: Uncertainty;
}

export interface HourlyReport {
  station_id: string;
  city_name: string;
  /** When it was measured, UTC */
  at: string;
  /** °F; null if the report has none */
  temp_f: number | null;
  /** With temp_unit=celsius: °C; null if the report has none */
  temp_c?: number | null;
  /** Highest of the six hours before, °F; null if the report has none. Reported at midnight, it is of the day that ends then */
  max_6h_f: number | null;
  /** With temp_unit=celsius: Highest of the six hours before, °C; null if the report has none. Reported at midnight, it is of the day that ends then */
  max_6h_c?: number | null;
  /** Lowest of them */
  min_6h_f: number | null;
  /** With temp_unit=celsius: Lowest of them */
  min_6h_c?: number | null;
  /** Precipitation of the hour, inches; null if the report has none */
  precip_in: number | null;
  /** Cover of the sky: clear, few, scattered, broken, overcast, or vertical visibility; null if not reported */
  sky: 'CLR' | 'FEW' | 'SCT' | 'BKN' | 'OVC' | 'VV' | null;
}

export interface HoursMetadata {
  /** When the response was generated, UTC; `Age` is the seconds since, where it comes from the cache */
  generated_at: string;
  start_time: string;
  end_time: string;
  /** Whether there are more rows than limit */
  truncated: boolean;
  /** `cursor` of the next page; null on the last one */
  next_cursor: string | null;
  /** The station asked about, several separated by commas, ALL, or SELECTED for none, or more than 200, that conditions choose */
  station_id: string;
  /** How many stations the request chooses, if it may choose several */
  stations?: number;
  /** Which day is today (with known_at, the day of that instant) where a request leaves the date out: `utc`, the UTC day, for several stations or all. Absent for one station, whose own day it is; with as_of every day left out is in UTC */
  today_basis?: 'utc';
  /** The unit of the response, if it is not Fahrenheit */
  temp_unit?: 'fahrenheit' | 'celsius';
  /** The last load that had finished before the response was made; 0 before the first. The response includes all data up to that load. While another load is running, it may include part of that one too */
  data_version: number;
  /** The history that data_version counts in; a restored backup begins a new one. `as_of` takes both (v412.k7q2), and caches may keep that response for ever */
  timeline: string;
  /** Milliseconds that generating the response took */
  query_time_ms: number;
}

export interface HoursResponse {
  success: true;
  data: HourlyReport[];
  metadata: HoursMetadata;
}

export interface IndexEntry {
  path: string;
  summary: string;
  /** Query parameters, all optional */
  parameters: string[];
}

export interface IndexMetadata {
  /** When the response was generated, UTC; `Age` is the seconds since, where it comes from the cache */
  generated_at: string;
  documentation: string;
  openapi: string;
  /** The last load that had finished before the response was made; 0 before the first. The response includes all data up to that load. While another load is running, it may include part of that one too */
  data_version: number;
  /** The history that data_version counts in; a restored backup begins a new one. `as_of` takes both (v412.k7q2), and caches may keep that response for ever */
  timeline: string;
  /** Milliseconds that generating the response took */
  query_time_ms: number;
}

export interface IndexResponse {
  success: true;
  data: IndexEntry[];
  metadata: IndexMetadata;
}

/** The leads of the forecasts that count, in hours */
export interface LeadRange {
  /** Each day counts with the forecast nearest to this lead; null if the request names only a bucket: then the latest forecast counts */
  nearest_lead_hours: number | null;
  /** Lower end of the range of leads */
  from_lead_hours: number;
  /** Upper end. A bucket includes its lower end; a day of lead, from 24 hours on, its upper end */
  to_lead_hours: number;
}

/** MAE minus that of the first bucket compared, on the same cases, °F; null for the first */
export interface LeadTimeAccuracyMatchedMaeDifference {
  value: number;
  low: number | null;
  high: number | null;
}

/** With align=matched: over the cases that all compared buckets have; null for a bucket not compared */
export interface LeadTimeAccuracyMatched {
  /** Station days with a forecast in every bucket compared */
  cases: number;
  /** Calendar days with such a case */
  days: number;
  /** Over cases; each counts with its latest forecast in the bucket, °F */
  mean_error: number | null;
  /** °F */
  mae: number | null;
  /** °F */
  rmse: number | null;
  uncertainty: Uncertainty;
  /** MAE minus that of the first bucket compared, on the same cases, °F; null for the first */
  mae_difference: LeadTimeAccuracyMatchedMaeDifference | null;
}

export interface LeadTimeAccuracy {
  lead_time_bucket: LeadTimeBucket;
  label: string;
  description: string;
  stats: Stats;
  uncertainty?: Uncertainty;
  /** With degree days and amounts: the sum of the latest forecasts of the lead times over the station days that have both, each once; null without pairs */
  sum_forecast?: number | null;
  /** With degree days and amounts: the sum of what was observed over the station days that have both, each once; null without pairs */
  sum_actual?: number | null;
  /** With align=matched: over the cases that all compared buckets have; null for a bucket not compared */
  matched?: LeadTimeAccuracyMatched | null;
}

export interface LoadFeed {
  feed: 'stations' | 'forecasts' | 'observations' | 'normals' | 'hours' | 'hourly_forecasts';
  rows_read: number;
  /** Rows with a value that the store did not have */
  rows_new: number;
  /** Rows that replace or withdraw a value */
  rows_corrected: number;
  /** Rows without anything new */
  rows_unchanged: number;
  /** Rows that cannot be used */
  rows_rejected: number;
}

export interface Load {
  /** The number of the load. If it finished, as_of=v with this number returns its data; a failed load keeps its number */
  version: number;
  /** complete, some_rows_rejected: its rows were loaded; leftovers_settled: it completed an interrupted load; repaired: it repaired tables; failed: it made no version; unfinished: it is running, or was interrupted */
  outcome: 'complete' | 'some_rows_rejected' | 'leftovers_settled' | 'repaired' | 'failed' | 'unfinished';
  /** Why it failed; null if it did not, or does not say */
  reason: string | null;
  /** UTC */
  started_at: string;
  /** When it finished or failed, UTC; null while unfinished */
  finished_at: string | null;
  /** Providers whose forecasts it brought, by name */
  providers: string[];
  /** null if the load does not say */
  pairs_added: number | null;
  /** null if the load does not say */
  pairs_withdrawn: number | null;
  /** Alarms that begin with it, each in a sentence */
  alarms_raised: string[];
  /** Alarms that end with it */
  alarms_cleared: string[];
  /** Rows of each feed */
  feeds: LoadFeed[];
}

export interface LoadsMetadata {
  /** When the response was generated, UTC; `Age` is the seconds since, where it comes from the cache */
  generated_at: string;
  /** `before` of the next page; null on the last */
  next_before: number | null;
  /** The last load that had finished before the response was made; 0 before the first. The response includes all data up to that load. While another load is running, it may include part of that one too */
  data_version: number;
  /** The history that data_version counts in; a restored backup begins a new one. `as_of` takes both (v412.k7q2), and caches may keep that response for ever */
  timeline: string;
  /** Milliseconds that generating the response took */
  query_time_ms: number;
}

export interface LoadsResponse {
  success: true;
  data: Load[];
  metadata: LoadsMetadata;
}

/** With min_coverage: the stations that it leaves out */
export interface MinCoverage {
  /** min_coverage of the request */
  share: number;
  /** Stations with pairs on fewer days */
  stations_left_out: number;
}

export interface Observation {
  station_id: string;
  city_name: string;
  date: string;
  metric: 'high' | 'low';
  /** °F; null if the load withdrew it */
  actual_f: number | null;
  /** With temp_unit=celsius: °C; null if the load withdrew it */
  actual_c?: number | null;
  status: 'preliminary' | 'verified';
  /** When it was reported, UTC */
  observed_at: string;
  /** The load that brought it */
  load_id: number;
  /** Whether forecasts are compared with this value */
  current: boolean;
}

export interface ObservationsMetadata {
  /** When the response was generated, UTC; `Age` is the seconds since, where it comes from the cache */
  generated_at: string;
  /** Days in the window, both ends included */
  days_analyzed: number;
  period_start: string;
  period_end: string;
  /** Whether there are more rows than limit */
  truncated: boolean;
  /** `cursor` of the next page; null on the last one */
  next_cursor: string | null;
  /** The station asked about, several separated by commas, ALL, or SELECTED for none, or more than 200, that conditions choose */
  station_id: string;
  /** How many stations the request chooses, if it may choose several */
  stations?: number;
  /** Which day is today (with known_at, the day of that instant) where a request leaves the date out: `utc`, the UTC day, for several stations or all. Absent for one station, whose own day it is; with as_of every day left out is in UTC */
  today_basis?: 'utc';
  /** The unit of the response, if it is not Fahrenheit */
  temp_unit?: 'fahrenheit' | 'celsius';
  /** The last load that had finished before the response was made; 0 before the first. The response includes all data up to that load. While another load is running, it may include part of that one too */
  data_version: number;
  /** The history that data_version counts in; a restored backup begins a new one. `as_of` takes both (v412.k7q2), and caches may keep that response for ever */
  timeline: string;
  /** Milliseconds that generating the response took */
  query_time_ms: number;
}

export interface ObservationsResponse {
  success: true;
  data: Observation[];
  metadata: ObservationsMetadata;
}

/** To 0.001 */
export interface OutOfSampleGain {
  /** mae_raw - mae_corrected: below 0 if the correction made forecasts worse, °F */
  value: number | null;
  /** Lower end of its interval, by target day; null below 14 days, °F */
  low: number | null;
  /** Upper end of it, °F */
  high: number | null;
}

export interface OutOfSample {
  /** Station days of the window with a forecast of the lead time */
  cases: number;
  /** Target dates with a case */
  days: number;
  /** Mean absolute error of the forecasts; null without cases, °F */
  mae_raw: number | null;
  /** Mean absolute error of the corrected forecasts, °F */
  mae_corrected: number | null;
  /** To 0.001 */
  gain: OutOfSampleGain;
  /** improves: The correction improves the forecasts: the interval of the gain is above 0. not_significant: The correction makes no significant difference: the interval of the gain includes 0, or there are too few days. worsens: The correction worsens the forecasts: the interval of the gain is below 0 */
  verdict: 'improves' | 'not_significant' | 'worsens';
  /** The verdict as a sentence */
  note: string;
}

export interface PeakTimingShareByHour {
  /** Hours since the day of the station began; 24 is its end, also of a day of 23 or 25 hours */
  hour: number;
  /** Days with enough reports by then */
  days: number;
  /** Share of them on which the high (low), as a whole degree, had been reached by then, to 0.0001 */
  share_reached: number | null;
  /** Mean rise still to come, °F; of lows the fall, at most 0 */
  mean_rise_f: number | null;
  /** With temp_unit=celsius: Mean rise still to come, °C; of lows the fall, at most 0 */
  mean_rise_c?: number | null;
}

export interface PeakTimingByMonth {
  /** Its first day */
  month: string;
  /** Days with enough reports: those behind the numbers */
  sample_count: number;
  /** Hour of median_peak_time_local, 0 to 23; null without days */
  median_peak_hour: number | null;
  /** Median time of the high (low), in local standard time all year; of two in the middle the earlier */
  median_peak_time_local: string | null;
  /** Percentage of the days, 0 to 100, to 0.01, by the hour of local standard time in which it came, as 14:00; CSV has it as JSON in one cell */
  peak_time_distribution: Record<string, number>;
  /** What had come by the end of each hour of the day */
  share_by_hour: PeakTimingShareByHour[];
}

export interface PeakTiming {
  station_id: string;
  city_name: string;
  station_timezone: string;
  /** Days with enough reports: those behind the numbers */
  sample_count: number;
  /** Hour of median_peak_time_local, 0 to 23; null without days */
  median_peak_hour: number | null;
  /** Median time of the high (low), in local standard time all year; of two in the middle the earlier */
  median_peak_time_local: string | null;
  /** Percentage of the days, 0 to 100, to 0.01, by the hour of local standard time in which it came, as 14:00; CSV has it as JSON in one cell */
  peak_time_distribution: Record<string, number>;
  /** What had come by the end of each hour of the day */
  share_by_hour: PeakTimingShareByHour[];
  /** With group_by=month: the same of each calendar month that has a day */
  by_month?: PeakTimingByMonth[];
}

export interface PeakTimingMetadata extends Omit<
  CommonMetadata,
  | 'provider'
  | 'lead_time_buckets'
  | 'issued_hours'
  | 'accuracy_metric'
  | 'variable'
  | 'error_convention'
  | 'late_reports'
  | 'min_coverage'
> {
  /** Station days behind the response */
  total_records: number;
  accuracy_metric: 'high' | 'low';
}

export interface PeakTimingResponse {
  success: true;
  data: PeakTiming;
  metadata: PeakTimingMetadata;
}

export interface ProbabilityMembers {
  /** Its forecast, °F */
  forecast_f: number;
  /** With temp_unit=celsius: Its forecast, °C */
  forecast_c?: number;
  /** When it was issued, UTC */
  issued_at: string;
  /** Its usual error at the station, which is taken off, °F; null for a provider that is left alone: its forecast counts as it is */
  bias_f: number | null;
  /** With temp_unit=celsius: Its usual error at the station, which is taken off, °C; null for a provider that is left alone: its forecast counts as it is */
  bias_c?: number | null;
}

/** The settled value that the probabilities are about: a whole degree, as in climate reports */
export interface ProbabilitySettlement {
  unit: 'whole_f' | 'whole_c';
  /** 82.5 is 83, and -82.5 is -82 */
  rounding: 'half_up';
  /** The station's day: by local clocks, or by standard time */
  day: 'civil' | 'standard';
}

export interface ProbabilityThreshold {
  /** The whole degree, °F */
  threshold_f: number;
  /** With temp_unit=celsius: The whole degree, °C */
  threshold_c?: number;
  /** Probability of this degree or more, to 0.000001, never 0 or 1; if null, reason says why */
  at_or_above: number | null;
  /** Probability of less: the two add up to 1 */
  below: number | null;
  /** Lower end of the interval; null over all stations with fewer than 14 days, and by day_so_far */
  low: number | null;
  /** Upper end of it */
  high: number | null;
  /** Days among training.station_days whose error would end this forecast there */
  station_days_at_or_above: number;
  /** Days among training.network_days whose error would do so */
  network_days_at_or_above: number;
}

export interface ProbabilityBracket {
  /** First whole degree of the bracket, °F; null if it has no lower end */
  from_f: number | null;
  /** With temp_unit=celsius: First whole degree of the bracket, °C; null if it has no lower end */
  from_c?: number | null;
  /** Last whole degree of the bracket, °F; null if it has no upper end */
  to_f: number | null;
  /** With temp_unit=celsius: Last whole degree of the bracket, °C; null if it has no upper end */
  to_c?: number | null;
  /** Probability, to 0.000001, never 0 or 1; if null, reason says why; all brackets add up to 1 */
  probability: number | null;
  /** Lower end of the interval; null over all stations with fewer than 14 days, and by day_so_far */
  low: number | null;
  /** Upper end of it */
  high: number | null;
  /** Days among training.station_days whose error would end this forecast there */
  station_days: number;
  /** Days among training.network_days whose error would do so */
  network_days: number;
}

/** What has been measured of the day, by day_so_far; null by mixture */
export interface ProbabilitySoFar {
  /** The highest temperature of the day by then, a whole degree of the request; for lows the lowest. null without one */
  m: number | null;
  /** When the newest report was made, UTC; at the end of the day where an extreme of six hours closes it */
  at: string;
  /** When the day began at the station, UTC */
  day_begins_at: string;
  /** The hour of earlier days at which they are compared: whole hours since then, or up to the newest temperature if that is older than 70 minutes; 24 once the day has ended */
  hour: number;
  /** The forecast less m, for lows m less the forecast, in the same degrees; -12 to 40, with temp_unit=celsius -7 to 22; null without a forecast */
  gap: number | null;
  /** How much of each degree of the gap still comes: 0 to 1, to 0.000001; 0 without a forecast */
  slope: number;
  /** Earlier station days at the same hour */
  cases: number;
  /** Hours of the day that have a temperature */
  hours_reported: number;
  /** Extremes of six hours that count beside the temperatures */
  from_6h_groups: number;
}

export interface Probability {
  /** Station identifier, or ALL */
  station_id: string;
  /** Display name, or All stations */
  city_name: string;
  target_date: string;
  /** The forecast, °F; of several providers their blend, to 0.1; null for a day that has begun without one */
  forecast_f: number | null;
  /** With temp_unit=celsius: The forecast, °C; of several providers their blend, to 0.1; null for a day that has begun without one */
  forecast_c?: number | null;
  /** With several providers: the weight of each that is blended, to 0.0001; they add up to 1 */
  weights?: Record<string, number>;
  /** With several providers: why others are not blended */
  excluded?: Record<string, string>;
  /** With several providers: what is blended */
  members?: Record<string, ProbabilityMembers>;
  /** When it was issued, UTC, of a blend the last of its forecasts; null for a forecast in the request */
  issued_at: string | null;
  /** Lead time of the forecast; null by day_so_far, which takes the latest of each day */
  lead_time_bucket: '0-6h' | '6-12h' | '12-24h' | '24-48h' | '48-72h' | '72h+' | null;
  /** The leads that count, in hours; null by day_so_far */
  lead_range: LeadRange | null;
  /** The settled value that the probabilities are about: a whole degree, as in climate reports */
  settlement: ProbabilitySettlement;
  training: ProbabilityTraining;
  quantiles: TemperatureQuantiles;
  /** If the request names thresholds: in ascending order */
  thresholds?: ProbabilityThreshold[];
  /** Ascending, without gaps; both ends are included */
  brackets?: ProbabilityBracket[];
  /** Confidence level of the intervals */
  level: number;
  /** Why there are no probabilities; null if there are */
  reason: string | null;
  /** If target_date may have begun: mixture by the errors of past forecasts, day_so_far by what has been measured of the day */
  method?: 'mixture' | 'day_so_far';
  /** What has been measured of the day, by day_so_far; null by mixture */
  so_far?: ProbabilitySoFar | null;
  /** metadata.hint, or null */
  hint?: string | null;
}

export interface ProbabilityMetadata {
  /** When the response was generated, UTC; `Age` is the seconds since, where it comes from the cache */
  generated_at: string;
  /** The station asked about, or ALL */
  station_id: string;
  /** The provider that issued the forecasts */
  provider: string;
  accuracy_metric: 'high' | 'low';
  /** Which day is today (with known_at, the day of that instant) where a request leaves the date out: `utc`, the UTC day, for several stations or all. Absent for one station, whose own day it is; with as_of every day left out is in UTC */
  today_basis?: 'utc';
  /** The unit of the response, if it is not Fahrenheit */
  temp_unit?: 'fahrenheit' | 'celsius';
  as_of?: AsOf;
  /** known_at of the request, UTC, if given */
  known_at?: string;
  /** Days learned from, where few stations need more than 60 and the request names no window */
  training_window?: number;
  /** What to know of the response, such as that the day has ended, that nothing of it is reported, that few own days count, or that the window or the lead is another than usual */
  hint?: string;
  /** The last load that had finished before the response was made; 0 before the first. The response includes all data up to that load. While another load is running, it may include part of that one too */
  data_version: number;
  /** The history that data_version counts in; a restored backup begins a new one. `as_of` takes both (v412.k7q2), and caches may keep that response for ever */
  timeline: string;
  /** Milliseconds that generating the response took */
  query_time_ms: number;
}

export interface ProbabilityReliabilityMetadata extends Omit<
  CommonMetadata,
  'accuracy_metric' | 'variable' | 'min_coverage'
> {
  /** Station days behind the response */
  total_records: number;
  /** Days learned from, where few stations need more than 60 and the request names no window */
  training_window?: number;
  /** What to know of the response, such as that the day has ended, that nothing of it is reported, that few own days count, or that the window or the lead is another than usual */
  hint?: string;
  accuracy_metric: 'high' | 'low';
}

export interface ProbabilityReliabilityResponse {
  success: true;
  data: Reliability;
  metadata: ProbabilityReliabilityMetadata;
}

export interface ProbabilityResponse {
  success: true;
  data: Probability;
  metadata: ProbabilityMetadata;
}

export interface ProbabilityTraining {
  /** First possible training day */
  from: string;
  /** Last possible training day: later days cannot be known at issuance */
  to: string;
  /** The station's days with a forecast at the lead time and a reported observation */
  station_days: number;
  /** The same for all stations; rare events rest on these days */
  network_days: number;
  /** Weight of the station's days in the mixture, 0 to 1; the rest is the network's */
  weight_station: number;
  /** Mean lead time of the training forecasts, weighted like their days, hours; null without any */
  mean_lead_hours: number | null;
  /** The shortest lead time of them, hours */
  min_lead_hours: number | null;
  /** The longest lead time of them, hours */
  max_lead_hours: number | null;
  /** Mean error of the station's days, °F; null without any */
  bias_f: number | null;
  /** With temp_unit=celsius: Mean error of the station's days, °C; null without any */
  bias_c?: number | null;
  /** Population standard deviation of their errors, °F; null without any */
  std_dev_f: number | null;
  /** With temp_unit=celsius: Population standard deviation of their errors, °C; null without any */
  std_dev_c?: number | null;
}

export interface Provider {
  provider: string;
  /** Whether requests without a provider use this one */
  is_default: boolean;
  /** Stations with a verification pair */
  stations: number;
  /** First day with a pair; null without pairs */
  first_target_date: string | null;
  /** Last day with a pair; null without pairs */
  last_target_date: string | null;
  /** Forecast-actual pairs, highs and lows */
  verification_pairs: number;
  /** With variables=true: values of `metric` with a pair: variables of the feeds, and those that follow from them */
  variables?: string[];
  /** Current alarms, as of the last load, each in a sentence */
  alarms: string[];
}

export interface ProviderBesideBlend {
  /** The CRPS of its own probabilities, °F; null without cases */
  crps_f: number | null;
  /** With temp_unit=celsius: The CRPS of its own probabilities, °C; null without cases */
  crps_c?: number | null;
  /** Mean absolute error of its forecasts as they were issued, °F */
  mae_f: number | null;
  /** With temp_unit=celsius: Mean absolute error of its forecasts as they were issued, °C */
  mae_c?: number | null;
  /** crps_f of the blend less its own, °F: below 0 if the blend is better */
  crps_difference_f: OutOfSampleGain;
  /** With temp_unit=celsius: crps_f of the blend less its own, °C: below 0 if the blend is better */
  crps_difference_c?: OutOfSampleGain;
  /** The same for mae_f, °F */
  mae_difference_f: OutOfSampleGain;
  /** With temp_unit=celsius: The same for mae_f, °C */
  mae_difference_c?: OutOfSampleGain;
}

/** The provider's MAE minus the reference's, with its interval; negative: the provider errs less */
export interface ProviderComparisonMaeDifference {
  /** °F; null without cases */
  value: number | null;
  /** °F; null with fewer than 14 days, or without spread */
  low: number | null;
  /** °F; likewise */
  high: number | null;
  /** Standard error, °F; likewise */
  std_error: number | null;
  /** Effective sample size: this many independent cases would leave it equally uncertain; likewise */
  n_eff: number | null;
}

export interface ProviderComparison {
  /** With lead_time_bucket in group_by */
  lead_time_bucket?: LeadTimeBucket;
  /** With lead_hour in group_by: whole hours from issuance to the hour */
  lead_hour?: number;
  /** With month in group_by: its first day */
  month?: string;
  /** With season in group_by: the months of target dates, of all years together */
  season?: 'DJF' | 'MAM' | 'JJA' | 'SON';
  /** With country in group_by: that of the stations */
  country?: string;
  /** With climate_zone in group_by: that of the stations, blank without one */
  climate_zone?: string;
  /** With station in group_by */
  station_id?: string;
  /** With station in group_by */
  city_name?: string;
  provider: string;
  /** The provider that it is compared with */
  reference: string;
  /** better or worse: the provider's MAE is significantly smaller or larger than the reference's (the interval of mae_difference, before rounding, is on one side of 0); not_significant: the interval includes 0, or there are too few days for one */
  verdict: 'better' | 'worse' | 'not_significant' | 'no_common_days';
  /** All forecasts of the two are within 0.1 °F of each other, as in °F and in tenths of °C: one source under two names. Nothing is tested: there are no intervals, and all cases are ties */
  identical: boolean;
  /** Station days with a forecast of both */
  cases: number;
  /** Calendar days with such a case */
  days: number;
  /** The provider's MAE minus the reference's, with its interval; negative: the provider errs less */
  mae_difference: ProviderComparisonMaeDifference;
  /** The provider's mean square error minus the reference's, with its interval; negative: the provider errs less */
  mse_difference: ProviderComparisonMaeDifference;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h; `verdict` and the test are of this difference then */
  brier_difference?: ProviderComparisonMaeDifference;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: the provider's Brier score */
  brier_score?: number | null;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: the reference's */
  reference_brier_score?: number | null;
  /** The provider's mean error, °F; without cases this and the next seven are null */
  mean_error: number | null;
  /** The reference's mean error, on the same cases */
  reference_mean_error: number | null;
  /** The provider's MAE, °F */
  mae: number | null;
  /** The reference's MAE, °F */
  reference_mae: number | null;
  /** The provider's RMSE, °F */
  rmse: number | null;
  /** The reference's RMSE, °F */
  reference_rmse: number | null;
  /** Mean lead time of the provider's forecasts, hours */
  mean_lead_hours: number | null;
  /** Mean lead time of the reference's forecasts, hours */
  reference_mean_lead_hours: number | null;
  /** Cases in which the provider has the smaller error */
  wins: number;
  /** Cases in which it has the larger error */
  losses: number;
  /** Cases in which both have the same error; all of them where identical */
  ties: number;
  /** wins / (wins + losses), to 0.0001; null without either */
  win_rate: number | null;
  /** Lower bound of win_rate; null with fewer than 14 days */
  win_rate_low: number | null;
  /** Upper bound of win_rate; null with fewer than 14 days */
  win_rate_high: number | null;
  /** Diebold-Mariano: mae_difference / its standard error; null if it has no interval */
  dm_statistic: number | null;
  /** Degrees of freedom of Student's t, for the statistic and the intervals; 0 with too few days */
  dm_degrees_of_freedom: number;
  /** Probability of a statistic at least this far from 0 if the two were equally good, to 0.0001 */
  dm_p_value: number | null;
  /** dm_p_value adjusted for all tests of the response, so that of the records called significant at most that share is expected to be false alarms (Benjamini and Hochberg), to 0.0001 */
  dm_p_value_fdr: number | null;
  /** dm_p_value_fdr, before rounding, is at most 1 - ci: significant also when all tests of the response are counted */
  significant: boolean;
  /** Station days left out because only the provider has a forecast */
  provider_only_cases: number;
  /** Station days left out because only the reference has a forecast */
  reference_only_cases: number;
  /** With mean lead times that differ by 3 h or more: which of the two has older forecasts, because part of the difference is then age, not skill; else null */
  hint: string | null;
}

export interface ProvidersMetadata {
  /** When the response was generated, UTC; `Age` is the seconds since, where it comes from the cache */
  generated_at: string;
  /** The last load that had finished before the response was made; 0 before the first. The response includes all data up to that load. While another load is running, it may include part of that one too */
  data_version: number;
  /** The history that data_version counts in; a restored backup begins a new one. `as_of` takes both (v412.k7q2), and caches may keep that response for ever */
  timeline: string;
  /** Milliseconds that generating the response took */
  query_time_ms: number;
}

export interface ProvidersResponse {
  success: true;
  data: Provider[];
  metadata: ProvidersMetadata;
}

/** A normal distribution with 2 °F around the forecast, a common choice */
export interface ReliabilityNormal2f {
  /** Its Brier score */
  brier: number | null;
  /** Its CRPS, °F */
  crps_f: number | null;
  /** With temp_unit=celsius: Its CRPS, °C */
  crps_c?: number | null;
  /** Its log score */
  log_score: number | null;
  /** Its reliability term */
  reliability: number | null;
  /** 1 - brier / its brier: above 0 if the service is better */
  brier_skill: number | null;
  /** The same for the CRPS */
  crps_skill: number | null;
  /** brier - its brier: below 0 if the service is better */
  brier_difference: OutOfSampleGain;
  /** The same for the CRPS, °F */
  crps_difference_f: OutOfSampleGain;
  /** With temp_unit=celsius: The same for the CRPS, °C */
  crps_difference_c?: OutOfSampleGain;
}

export interface ReliabilityMixture {
  /** Its Brier score */
  brier: number | null;
  /** Its CRPS, °F */
  crps_f: number | null;
  /** With temp_unit=celsius: Its CRPS, °C */
  crps_c?: number | null;
  /** Its log score */
  log_score: number | null;
  /** Its reliability term */
  reliability: number | null;
  /** 1 - brier / its brier: above 0 if the service is better */
  brier_skill: number | null;
  /** The same for the CRPS */
  crps_skill: number | null;
  /** brier - its brier: below 0 if the service is better */
  brier_difference: OutOfSampleGain;
  /** The same for the CRPS, °F */
  crps_difference_f: OutOfSampleGain;
  /** With temp_unit=celsius: The same for the CRPS, °C */
  crps_difference_c?: OutOfSampleGain;
  /** Cases that the mixture has enough station days for; all of its scores are of these */
  cases: number;
}

export interface ReliabilityBin {
  /** Lower end of the probabilities, included */
  from: number;
  /** Upper end, not included */
  to: number;
  /** Brackets with such a probability */
  forecasts: number;
  /** Their mean probability; null without any */
  mean_probability: number | null;
  /** Share of them that happened */
  observed: number | null;
  /** Lower end of the interval of observed, by target day; null below 14 days */
  low: number | null;
  /** Upper end of it */
  high: number | null;
}

/** With several providers: their blend beside each of them, on the station days that all forecast */
export interface ReliabilityBlend {
  /** Mean absolute error of the blend's forecasts, °F; null without cases */
  mae_f: number | null;
  /** With temp_unit=celsius: Mean absolute error of the blend's forecasts, °C; null without cases */
  mae_c?: number | null;
  /** Each provider, on the same station days */
  members: Record<string, ProviderBesideBlend>;
  /** For each target day, the provider with the least mean absolute error on its training days, each error less the provider's bias at the station: what one would have chosen without a blend */
  best: ProviderBesideBlend;
  /** Target days compared */
  compared_days: number;
  /** better: The blend was better than the best provider: the interval of the difference in CRPS is below 0. not_significant: No significant difference from the best provider: the interval includes 0, or is missing. worse: The blend was worse than the best provider: the interval is above 0. too_few_days: Too few days (under 180) to say which is better */
  verdict: 'better' | 'not_significant' | 'worse' | 'too_few_days';
  /** The verdict as a sentence */
  note: string;
}

/** With sealed: the first sealed odds of the subject, of any lead time; null without any */
export interface ReliabilitySealedSince {
  /** The version that has them */
  version: number;
  /** When its seal was made, UTC */
  recorded_at: string;
}

export interface Reliability {
  /** Station identifier, or ALL */
  station_id: string;
  /** Display name, or All stations */
  city_name: string;
  /** Lead time of the forecasts; null with hour */
  lead_time_bucket: '0-6h' | '6-12h' | '12-24h' | '24-48h' | '48-72h' | '72h+' | null;
  /** The leads that count, in hours; null with hour */
  lead_range: LeadRange | null;
  /** With hour: the odds are those that day_so_far gave so many hours after a day began */
  hour?: number;
  /** Station days with a forecast of the lead time that were predicted */
  cases: number;
  /** Target days with a case */
  days: number;
  /** Station days left out because the network had fewer than 200 station days to learn from */
  cases_without_training: number;
  /** Brier score: the mean of (probability - outcome)² over six brackets of each forecast; 0 is best */
  brier: OutOfSampleGain;
  /** Continuous ranked probability score over whole degrees, °F; 0 is best */
  crps_f: OutOfSampleGain;
  /** With temp_unit=celsius: Continuous ranked probability score over whole degrees, °C; 0 is best */
  crps_c?: OutOfSampleGain;
  /** Mean of -ln(probability of the bracket that happened); 0 is best */
  log_score: OutOfSampleGain;
  /** Part of brier: the cost of miscalibration (Ferro and Fricker 2012); it may fall below 0 by chance */
  reliability: number | null;
  /** Part of brier: the gain from telling cases apart */
  resolution: number | null;
  /** Part of brier: the uncertainty of a forecaster who knows only the mean share */
  uncertainty: number | null;
  /** The rest: brier = reliability - resolution + uncertainty + within_bins */
  within_bins: number | null;
  /** A normal distribution with 2 °F around the forecast, a common choice */
  normal_2f?: ReliabilityNormal2f;
  /** The network's errors alone: its climatology */
  network?: ReliabilityNormal2f;
  /** The station's errors alone; the network's if it has none */
  station?: ReliabilityNormal2f;
  /** With hour: the rise by that hour on earlier days, without the forecast */
  rise?: ReliabilityNormal2f;
  mixture?: ReliabilityMixture;
  /** Share of the cases in each tenth of the predicted distribution, from the lowest; 0.1 each is best */
  pit: number[];
  /** The probabilities of all brackets in 20 bins, with how often they happened */
  bins: ReliabilityBin[];
  /** Confidence level of the intervals */
  level: number;
  /** With several providers: their blend beside each of them, on the station days that all forecast */
  blend?: ReliabilityBlend;
  /** With sealed: the first sealed odds of the subject, of any lead time; null without any */
  sealed_since?: ReliabilitySealedSince | null;
}

export interface ReliabilityOfChancesMetadata extends CommonMetadata {
  /** Station days behind the response */
  total_records: number;
}

export interface ReliabilityOfChancesResponse {
  success: true;
  data: ChanceReliability[];
  metadata: ReliabilityOfChancesMetadata;
}

export interface RevisionStats {
  station_id: string;
  city_name: string;
  /** Days with a forecast and an observation */
  station_days: number;
  /** Forecasts of those days, issued before the day began */
  forecasts: number;
  /** Forecasts after the first, mean over days */
  revisions_per_day: number;
  /** Forecasts that differ from the previous one, mean over days */
  changes_per_day: number;
  /** Mean size of the steps from one forecast to the next, °F, mean over days with at least 2 forecasts; null without them; absent with metric=precip or snowfall or max_wind or max_gust */
  mean_abs_change_f?: number | null;
  /** With temp_unit=celsius: Mean size of the steps from one forecast to the next, °C, mean over days with at least 2 forecasts; null without them */
  mean_abs_change_c?: number | null;
  /** With metric=precip or snowfall or max_wind or max_gust: Mean size of the steps from one forecast to the next, inches or kt, mean over days with at least 2 forecasts; null without them */
  mean_abs_change?: number | null;
  /** Last forecast - first forecast, °F, mean over days; absent with metric=precip or snowfall or max_wind or max_gust */
  mean_drift_f?: number;
  /** With temp_unit=celsius: Last forecast - first forecast, °C, mean over days */
  mean_drift_c?: number;
  /** With metric=precip or snowfall or max_wind or max_gust: Last forecast - first forecast, inches or kt, mean over days */
  mean_drift?: number;
  /** Steps there and back, for each step but one: (sum of their sizes - range) / (forecasts - 2) (Griffiths et al. 2019), °F, mean over days with at least 3 forecasts; null without them */
  flip_flop_index: number | null;
  /** Days with two or more forecasts */
  days_with_revisions: number;
  /** Share of days_with_revisions whose last forecast is nearer to the actual than the first, to 0.0001; null without days */
  improved_rate: number | null;
  /** Lower bound of improved_rate; null with fewer than 14 days */
  improved_rate_low: number | null;
  /** Upper bound of improved_rate; null with fewer than 14 days */
  improved_rate_high: number | null;
  /** Share of days_with_revisions whose first and last forecasts are equally near, to 0.0001; null without days */
  unchanged_rate: number | null;
  /** Lower bound of unchanged_rate; null with fewer than 14 days */
  unchanged_rate_low: number | null;
  /** Upper bound of unchanged_rate; null with fewer than 14 days */
  unchanged_rate_high: number | null;
  /** Share of days whose last forecast is off by more than 2 °F, to 0.0001; null without days */
  miss_rate: number | null;
  /** Lower bound of miss_rate; null with fewer than 14 days */
  miss_rate_low: number | null;
  /** Upper bound of miss_rate; null with fewer than 14 days */
  miss_rate_high: number | null;
  /** Absolute error of the first forecast, °F, mean over days */
  mae_first: number;
  /** Absolute error of the last forecast, °F, mean over days */
  mae_last: number;
}

export interface RevisionStatsMetadata extends CommonMetadata {
  /** Station days behind the response */
  total_records: number;
}

export interface RevisionStatsResponse {
  success: true;
  data: RevisionStats[];
  metadata: RevisionStatsMetadata;
}

export interface RunStats {
  city: string;
  station_id: string;
  /** Issuances */
  forecast_count: number;
  /** The first issuance, UTC */
  oldest_forecast: string;
  /** Longest time between successive issuances, hours; null with a single issuance */
  max_hours: number | null;
  /** Mean of these times, hours; null with a single issuance */
  avg_hours: number | null;
  /** Median of these times, hours; null with a single issuance */
  median_hours: number | null;
}

export interface RunStatsMetadata {
  /** When the response was generated, UTC; `Age` is the seconds since, where it comes from the cache */
  generated_at: string;
  start_time: string;
  end_time: string;
  /** Issuances of all records */
  total_records: number;
  /** The station asked about, several separated by commas, ALL, or SELECTED for none, or more than 200, that conditions choose */
  station_id: string;
  /** How many stations the request chooses, if it may choose several */
  stations?: number;
  /** Which day is today (with known_at, the day of that instant) where a request leaves the date out: `utc`, the UTC day, for several stations or all. Absent for one station, whose own day it is; with as_of every day left out is in UTC */
  today_basis?: 'utc';
  /** The provider that issued the forecasts */
  provider: string;
  /** issued_hour of the request, if given: hours of issuance that count, UTC */
  issued_hours?: number[];
  /** The last load that had finished before the response was made; 0 before the first. The response includes all data up to that load. While another load is running, it may include part of that one too */
  data_version: number;
  /** The history that data_version counts in; a restored backup begins a new one. `as_of` takes both (v412.k7q2), and caches may keep that response for ever */
  timeline: string;
  /** Milliseconds that generating the response took */
  query_time_ms: number;
}

export interface RunStatsResponse {
  success: true;
  data: RunStats[];
  metadata: RunStatsMetadata;
}

/** One verification pair */
export interface SampleRecord {
  target_date: string;
  /** With metric=temperature: the hour, UTC; target_date is the day of the station in which it lies */
  valid_at?: string;
  /** When the forecast was issued, UTC */
  issued_at: string;
  /** Hours from issuance to local midnight of target_date, or to valid_at; negative for same-day */
  lead_time_hours: number;
  lead_time_bucket: LeadTimeBucket;
  /** °F */
  forecast: number;
  /** °F */
  actual: number;
  /** forecast - actual, °F */
  error: number;
  observation_status: 'verified' | 'preliminary';
}

export interface SampleSize {
  station_id: string;
  city_name: string;
  /** Forecast-actual pairs */
  verification_pairs: number;
  /** Distinct calendar days with a pair */
  unique_days: number;
  /** Pairs based on a preliminary observation */
  preliminary_pairs: number;
  /** First day of the window with a pair; null without pairs */
  first_date: string | null;
  /** Last day of the window with a pair; null without pairs */
  last_date: string | null;
  /** Days of the window */
  days_expected: number;
  /** unique_days / days_expected, to 0.0001 */
  coverage: number;
  /** Effective sample size of the MAE, by weeks; null with fewer than six weeks */
  n_eff_mae: number | null;
  /** With a chance of a window of hours: windows with a forecast of any lead time that ended by the latest report of all stations */
  windows_forecast?: number;
  /** With a chance of a window of hours: those without a pair, and without a report in the last 15 minutes of one of their hours */
  windows_without_report?: number;
  /** With a chance of a window of hours: the others without a pair: each hour has such a report, and one of these has no amount */
  windows_without_amount?: number;
  /** Completeness only: at least 30 days, and a coverage of at least 0.9. Use intervals (ci) to judge whether the days are enough to tell one number from another */
  sufficient: boolean;
}

export interface SampleSizeMetadata extends CommonMetadata {
  /** Verification pairs behind the response */
  total_records: number;
}

export interface SampleSizeResponse {
  success: true;
  data: SampleSize[];
  metadata: SampleSizeMetadata;
}

export interface SealMonth {
  feed: string;
  /** Month of its dates; all for a feed without dates */
  month: string;
  /** Facts that the version added */
  rows: number;
  /** The digest of these facts, 32 bytes in hex */
  root: string;
}

export interface Seal {
  /** The number of the version */
  version: number;
  /** The entry of the version in the log, canonical JSON (RFC 8785), as it is hashed */
  leaf: string;
  /** The list of which the leaf has the SHA-256, as canonical JSON */
  months: SealMonth[];
  /** Its place in the log, from 0 */
  index: number;
  /** The inclusion proof of RFC 9162, each 32 bytes in base64 */
  proof: string[];
  /** The checkpoint that the proof leads to */
  checkpoint: string;
  /** The key that verifies the checkpoint, as signed notes write it; null if it is not signed */
  verifier_key: string | null;
}

export interface SealResponse {
  success: true;
  data: Seal;
}

export interface Skill {
  /** With group_by=lead_time_bucket */
  lead_time_bucket?: LeadTimeBucket;
  /** With group_by=station */
  station_id?: string;
  /** With group_by=station */
  city_name?: string;
  reference: 'persistence' | 'climatology';
  /** With reference=climatology: cases whose reference is the station's normal; the others use its own earlier years */
  cases_with_normals?: number;
  /** Station days with a forecast, an observation and a reference */
  cases: number;
  /** Cases left out because too little had been reported when the forecast was issued */
  cases_without_reference: number;
  /** Calendar days with a case */
  days: number;
  /** MAE of the forecasts, °F; null without cases */
  mae: number | null;
  /** MAE of the reference on the same cases, °F */
  reference_mae: number | null;
  /** 1 - the sum of absolute errors / that of the reference: 1 is perfect, 0 as good as the reference, below 0 worse; with its interval */
  skill_mae: OutOfSampleGain;
  /** 1 - the sum of squared errors / that of the reference: 1 is perfect, 0 as good as the reference, below 0 worse; with its interval */
  msess: OutOfSampleGain;
  /** Forecasts off by at most 3 °F of the cases, to 0.0001; null without days */
  within_3_rate: number | null;
  /** References off by at most 3 °F of the cases, to 0.0001; null without days */
  reference_within_3_rate: number | null;
  /** Mean distance of the reference's days from the target date, in days; null without cases, and for climatology, which uses other years */
  mean_reference_lag_days: number | null;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: the Brier score of the forecasts */
  brier_score?: number | null;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: that of the reference on the same cases */
  reference_brier_score?: number | null;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: 1 - the Brier score / that of the reference: 1 is perfect, 0 as good as the reference, below 0 worse; with its interval */
  brier_skill_score?: OutOfSampleGain;
}

export interface SkillMetadata extends CommonMetadata {
  /** Station days of all records, with and without reference */
  total_records: number;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: why no case has a reference; null if any has, or without cases */
  reason?: string | null;
}

export interface SkillResponse {
  success: true;
  data: Skill[];
  metadata: SkillMetadata;
}

/** Identifiers on other platforms */
export interface StationExternalIds {
  /** station_id, blank if it has not four characters */
  icao: string;
  /** Blank if the station has none */
  iata: string;
}

export interface Station {
  /** ICAO identifier, or another of 3 to 24 of A-Z, 0-9 and - */
  station_id: string;
  /** Display name of the station */
  city_name: string;
  /** ISO 3166-1 country code */
  country: string;
  /** Degrees north */
  latitude: number;
  /** Degrees east */
  longitude: number;
  /** IANA time zone */
  timezone: string;
  /** Köppen climate classification */
  climate_zone: string;
  /** Whether the station is actively collecting data */
  data_active: boolean;
  /** Alternate names that a request may use */
  aliases: string[];
  /** Identifiers on other platforms */
  external_ids: StationExternalIds;
  /** The degrees in which highs and lows are observed; blank if they are finer, or nobody has said */
  reported_in: '' | 'whole_fahrenheit' | 'whole_celsius';
  /** With near: the distance from its point, km, to 0.1 */
  distance_km?: number;
}

export interface StationAccuracy {
  station_id: string;
  city_name: string;
  stats: Stats;
  /** Verification pairs in the window */
  sample_size: number;
  uncertainty?: Uncertainty;
  /** With include_raw=true: the pairs, by target_date and issued_at, and pairs of hours then by valid_at */
  sample_records?: SampleRecord[];
}

export interface StationsMetadataResponse {
  success: true;
  data: Station[];
}

/** The interval of a statistic; all null below 14 days with pairs, or without spread */
export interface StatisticInterval {
  /** °F */
  low: number | null;
  /** °F */
  high: number | null;
  /** Standard error, °F */
  std_error: number | null;
  /** Effective sample size: this many independent pairs would leave it equally uncertain */
  n_eff: number | null;
}

/** Error statistics over the pairs, rounded to 0.01 */
export interface Stats {
  /** Forecast-actual pairs */
  verification_pairs: number;
  /** Distinct calendar days with a pair */
  unique_days: number;
  /** Mean error (bias): the mean of forecast - actual; negative: forecasts were too low, °F; null without pairs */
  mean_error: number | null;
  /** Population standard deviation of the errors: their spread around mean_error, °F; null without pairs */
  std_dev: number | null;
  /** Mean absolute error: the mean of |forecast - actual|, °F; null without pairs */
  mae: number | null;
  /** Root mean square error: the root of the mean of (forecast - actual)², °F; null without pairs */
  rmse: number | null;
  /** Median absolute error: half of the forecasts were off by no more, °F; null without pairs */
  abs_error_p50: number | null;
  /** 90th percentile of the absolute error: one forecast in ten was off by more, °F; null without pairs */
  abs_error_p90: number | null;
  /** 95th percentile of the absolute error: one forecast in twenty was off by more, °F; null without pairs */
  abs_error_p95: number | null;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: Brier score, the mean square of the error in units of 1: 0 is perfect; (rmse / 100)² before rounding, to 0.000001; null without pairs */
  brier_score?: number | null;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: the part of the Brier score of a forecast of base_rate every time that these save: 1 is perfect, 0 is no skill. Null, too, if it was always wet, or never, to 0.000001; null without pairs */
  brier_skill_score?: number | null;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: how far the observed shares are from the chances (Murphy 1973), a part of the Brier score: 0 is perfect, to 0.000001; null without pairs */
  reliability?: number | null;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: how far the observed shares are from base_rate (Murphy 1973); brier_score = reliability - resolution + base_rate (1 - base_rate), to 0.000001; null without pairs */
  resolution?: number | null;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: share of the pairs in which it was wet, to 0.000001; null without pairs */
  base_rate?: number | null;
}

export interface Summary {
  /** Forecast-actual pairs */
  verification_pairs: number;
  /** Distinct calendar days with a pair */
  unique_days: number;
  /** Mean error (bias): the mean of forecast - actual; negative: forecasts were too low, °F; null without pairs */
  mean_error: number | null;
  /** Population standard deviation of the errors: their spread around mean_error, °F; null without pairs */
  std_dev: number | null;
  /** Mean absolute error: the mean of |forecast - actual|, °F; null without pairs */
  mae: number | null;
  /** Root mean square error: the root of the mean of (forecast - actual)², °F; null without pairs */
  rmse: number | null;
  /** Median absolute error: half of the forecasts were off by no more, °F; null without pairs */
  abs_error_p50: number | null;
  /** 90th percentile of the absolute error: one forecast in ten was off by more, °F; null without pairs */
  abs_error_p90: number | null;
  /** 95th percentile of the absolute error: one forecast in twenty was off by more, °F; null without pairs */
  abs_error_p95: number | null;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: Brier score, the mean square of the error in units of 1: 0 is perfect; (rmse / 100)² before rounding, to 0.000001; null without pairs */
  brier_score?: number | null;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: the part of the Brier score of a forecast of base_rate every time that these save: 1 is perfect, 0 is no skill. Null, too, if it was always wet, or never, to 0.000001; null without pairs */
  brier_skill_score?: number | null;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: how far the observed shares are from the chances (Murphy 1973), a part of the Brier score: 0 is perfect, to 0.000001; null without pairs */
  reliability?: number | null;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: how far the observed shares are from base_rate (Murphy 1973); brier_score = reliability - resolution + base_rate (1 - base_rate), to 0.000001; null without pairs */
  resolution?: number | null;
  /** With metric=wet_day, wet_12h, wet_6h, wet_1h: share of the pairs in which it was wet, to 0.000001; null without pairs */
  base_rate?: number | null;
  uncertainty?: Uncertainty;
  /** With degree days and amounts: the sum of the latest forecasts of the lead times over the station days that have both, each once; null without pairs */
  sum_forecast?: number | null;
  /** With degree days and amounts: the sum of what was observed over the station days that have both, each once; null without pairs */
  sum_actual?: number | null;
}

export interface Suspect {
  station_id: string;
  city_name: string;
  date: string;
  metric: 'high' | 'low';
  /** The observation, °F */
  actual_f: number;
  /** With temp_unit=celsius: The observation, °C */
  actual_c?: number;
  status: 'preliminary' | 'verified';
  /** When it was reported, UTC */
  observed_at: string;
  /** repeated: the same value for days; hours: beyond what the hourly readings allow; all_providers: far above or below all forecasts; neighbours: a jump that they do not have. Each has the fields below, which are null without it */
  reasons: ('repeated' | 'hours' | 'all_providers' | 'neighbours')[];
  /** Days in a row up to this one with the value */
  run_days: number | null;
  /** First of them */
  run_since: string | null;
  /** Longest such run of the year before it, days, without those that were in doubt themselves */
  longest_run_before: number | null;
  /** Highest of the hours, or lowest, °F */
  hours_extreme_f: number | null;
  /** With temp_unit=celsius: Highest of the hours, or lowest, °C */
  hours_extreme_c?: number | null;
  /** Observation less the forecast that is nearest to it, °F */
  off_all_providers: number | null;
  /** Standard deviation of the errors of the forecasts' median in the days around, °F: 1.4826 times the median distance from their median */
  error_std_dev: number | null;
  /** Observation less the forecasts' median, from its median in the days around, less the same of the neighbours, °F */
  jump: number | null;
  /** Standard deviation of such jumps in the days around, as of error_std_dev, °F */
  usual_jump: number | null;
  /** station_id of the neighbours with a value on that day, the nearest first */
  neighbours: string[];
  /** Their distances, km, to 0.1 */
  neighbours_km: number[];
}

export interface SuspectsMetadata {
  /** When the response was generated, UTC; `Age` is the seconds since, where it comes from the cache */
  generated_at: string;
  /** Days in the window, both ends included */
  days_analyzed: number;
  period_start: string;
  period_end: string;
  /** Whether there are more rows than limit */
  truncated: boolean;
  /** `cursor` of the next page; null on the last one */
  next_cursor: string | null;
  /** The station asked about, several separated by commas, ALL, or SELECTED for none, or more than 200, that conditions choose */
  station_id: string;
  /** How many stations the request chooses, if it may choose several */
  stations?: number;
  /** Which day is today (with known_at, the day of that instant) where a request leaves the date out: `utc`, the UTC day, for several stations or all. Absent for one station, whose own day it is; with as_of every day left out is in UTC */
  today_basis?: 'utc';
  /** The unit of the response, if it is not Fahrenheit */
  temp_unit?: 'fahrenheit' | 'celsius';
  /** The last load that had finished before the response was made; 0 before the first. The response includes all data up to that load. While another load is running, it may include part of that one too */
  data_version: number;
  /** The history that data_version counts in; a restored backup begins a new one. `as_of` takes both (v412.k7q2), and caches may keep that response for ever */
  timeline: string;
  /** Milliseconds that generating the response took */
  query_time_ms: number;
}

export interface SuspectsResponse {
  success: true;
  data: Suspect[];
  metadata: SuspectsMetadata;
}

/** The smallest whole degree of the request with at least this probability at or below it: for p10 it is 10%, so a threshold one degree higher has `below` of 0.1 or more. If null, reason says why */
export interface TemperatureQuantiles {
  p05: number | null;
  p10: number | null;
  p25: number | null;
  p50: number | null;
  p75: number | null;
  p90: number | null;
  p95: number | null;
}

/** With `ci`: confidence intervals of the statistics */
export interface Uncertainty {
  /** Confidence level of the intervals */
  level: number;
  /** The unit of the method: days, with their day-to-day correlation, or weeks */
  method: 'day_ewc' | 'week_batches';
  /** Days with a pair */
  days: number;
  /** Degrees of freedom of Student's t; 0 with too few days */
  degrees_of_freedom: number;
  mean_error: StatisticInterval;
  mae: StatisticInterval;
  rmse: StatisticInterval;
}

export interface UpdateFrequency {
  station_id: string;
  city_name: string;
  issuances: number;
  /** Over all days of the window */
  issuances_per_day: number;
  /** Median time between successive issuances, hours; null with a single issuance */
  median_gap_hours: number | null;
  /** Longest such time, hours; null with a single issuance */
  max_gap_hours: number | null;
  /** Mean of these times, hours; null with a single issuance */
  avg_gap_hours: number | null;
  /** The last issuance of the window, UTC */
  last_issued_at: string;
}

export interface UpdateFrequencyMetadata extends Omit<CommonMetadata, 'accuracy_metric' | 'variable'> {
  /** Issuances of all records */
  total_records: number;
  accuracy_metric: 'high' | 'low';
}

export interface UpdateFrequencyResponse {
  success: true;
  data: UpdateFrequency[];
  metadata: UpdateFrequencyMetadata;
}

export interface UsageMetadata {
  /** When the response was generated, UTC; `Age` is the seconds since, where it comes from the cache */
  generated_at: string;
  key_id: string;
  key_name: string;
  /** The first request with this key, UTC */
  counted_since: string;
  /** Requests per minute that the key may make; null without a limit */
  requests_per_minute: number | null;
  /** How many of them are left; null without a limit */
  requests_left: number | null;
  /** Rows per minute that the key may read; null without a limit */
  rows_per_minute: number | null;
  /** How many of them are left; null without a limit */
  rows_left: number | null;
  /** The last load that had finished before the response was made; 0 before the first. The response includes all data up to that load. While another load is running, it may include part of that one too */
  data_version: number;
  /** The history that data_version counts in; a restored backup begins a new one. `as_of` takes both (v412.k7q2), and caches may keep that response for ever */
  timeline: string;
  /** Milliseconds that generating the response took */
  query_time_ms: number;
}

export interface UsageOfDay {
  /** UTC */
  date: string;
  /** Requests with this key, including refused ones and this one */
  requests: number;
  /** Requests refused for exceeding a limit */
  rate_limited: number;
  /** Responses, without exports */
  responses: number;
  /** Responses that read nothing: cached, shared, or 304 */
  responses_cached: number;
  /** Percentage of cached responses, 0 to 100, to 0.01; null without responses */
  cached_pct: number | null;
  /** Rows that the engine read for responses, plus rows of exports */
  rows_read: number;
}

export interface UsageResponse {
  success: true;
  data: UsageOfDay[];
  metadata: UsageMetadata;
}

/** How far the numbers are final; they are without preliminary days */
export interface VerificationCoverage {
  /** Days on which all pairs rest on verified observations */
  verified_days: number;
  /** Days with a pair that rests on a preliminary one */
  preliminary_days: number;
  /** Verified share of the days, to 0.0001; null without days */
  verified_pct: number | null;
}

export interface VersionData {
  /** As metadata.data_version of the responses that have its data */
  data_version: number;
  /** When the load finished, UTC */
  finished_at: string;
  /** As in /api/v1/loads */
  outcome: 'complete' | 'some_rows_rejected' | 'leftovers_settled' | 'repaired';
  /** null if the load does not say */
  pairs_added: number | null;
  /** null if the load does not say */
  pairs_withdrawn: number | null;
  /** Current alarms after the load, each in a sentence */
  alarms: string[];
}

/** The latest load that has finished */
export interface VersionEvent {
  /** Version and timeline: Last-Event-ID, `as_of`, and `after` of /api/v1/loads take it */
  id: string;
  event: 'version';
  data: VersionData;
}

export interface WeatherAccuracy {
  weather_regime: 'precipitation' | 'cloudy' | 'clear' | 'unknown';
  label: string;
  description: string;
  stats: Stats;
  uncertainty?: Uncertainty;
}

export interface ExportPairsParameters extends Omit<
  CommonParameters,
  'known_at' | 'provider' | 'temp_unit' | 'units' | 'min_coverage'
> {
  /** One variable, as /accuracy/summary has them; default: high and low; each row names its metric */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** The provider that issued the forecasts; default: the one that /api/v1/providers marks. `all`: all providers, with a last column `provider` in each row */
  provider?: string | undefined;
  /** Include forecasts issued after their target date began, in the bucket same-day */
  include_same_day?: boolean | undefined;
  /** Only forecasts issued in these hours, UTC, 0 to 23, separated by commas: 6,18 are 06:00 to 06:59 and 18:00 to 18:59 */
  issued_hour?: string | undefined;
  /** Add what the provider states beside each forecast: `sd`, and its quantiles `p05` to `p95`, °F */
  distribution?: boolean | undefined;
  /** File format; default: what the Accept header prefers, csv first */
  format?: 'csv' | 'ndjson' | 'parquet' | undefined;
  /** Resumes a download: its X-Export-Cursor, with the number of received rows added to the number after the dot. Unchanged, it requests the same version of the data again */
  cursor?: string | undefined;
}

export interface ExportFactsParameters {
  /** The version that added the facts; default: the latest */
  version?: string | undefined;
  /** File format; default: what the Accept header prefers, csv first */
  format?: 'csv' | 'ndjson' | 'parquet' | undefined;
  /** Resumes a download: its X-Export-Cursor, with the number of received rows added to the number after the dot. Unchanged, it requests the same version of the data again */
  cursor?: string | undefined;
}

export interface AccuracyByDateParameters extends CommonParameters {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** Adds the field preliminary_pairs. Not a filter: preliminary pairs always count in all statistics, and the numbers of their days may still change */
  include_preliminary?: boolean | undefined;
  /** One record per week (from Monday), month, season (from December, March, June or September) or year instead of per day; at the edges of the window, a record covers only the days inside */
  group_by?: 'week' | 'month' | 'season' | 'year' | undefined;
}

export interface AccuracyByDateOfStationParameters extends Omit<CommonParameters, 'station_id'> {
  /** Station identifier, IATA code, city name or alias */
  station_id: string;
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** Adds the field preliminary_pairs. Not a filter: preliminary pairs always count in all statistics, and the numbers of their days may still change */
  include_preliminary?: boolean | undefined;
  /** One record per week (from Monday), month, season (from December, March, June or September) or year instead of per day; at the edges of the window, a record covers only the days inside */
  group_by?: 'week' | 'month' | 'season' | 'year' | undefined;
}

export interface AccuracyByHourParameters extends CommonParameters {
  /** What is forecast: temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0 */
  metric?:
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** Add uncertainty: confidence intervals of the statistics at this level */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** lead_hour: whole hours from issuance to the hour; valid_hour: the hour of the day, UTC; local_hour: on the clock of the station, at +05:30 the hour that has begun */
  group_by?: 'lead_hour' | 'valid_hour' | 'local_hour' | undefined;
}

export interface AccuracyByStationParameters extends Omit<
  CommonParameters,
  'station_id' | 'stations' | 'country' | 'climate_zone' | 'near' | 'radius_km' | 'bbox' | 'min_coverage'
> {
  /** Station identifier, IATA code, city name or alias */
  station_id: string;
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Add uncertainty: confidence intervals of the statistics at this level */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** Include sample_records, the single verification pairs */
  include_raw?: boolean | undefined;
}

export interface AccuracySummaryParameters extends CommonParameters {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** Add uncertainty: confidence intervals of the statistics at this level */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
}

export interface AccuracyByLeadTimeParameters extends CommonParameters {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Include forecasts issued after their target date began, in the bucket same-day */
  include_same_day?: boolean | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** Add uncertainty: confidence intervals of the statistics at this level */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** matched: add the curve over the cases (station days) with a forecast in every bucket compared: those of lead_time_bucket, or as many buckets as leave half of the cases. A case counts with its latest forecast in a bucket */
  align?: 'none' | 'matched' | undefined;
}

export interface AccuracyByCityParameters extends CommonParameters {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Restrict to the stations of a city: city name or alias */
  city?: string | undefined;
  /** Add uncertainty: confidence intervals of the statistics at this level */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** Leave out cities with fewer verification pairs than this */
  min_samples?: number | undefined;
  /** mae, rmse, mean_error, city and distance (with near) sort ascending, count descending; ties by station_id; default: city, or with near distance */
  sort_by?: 'mae' | 'count' | 'mean_error' | 'city' | 'rmse' | 'distance' | undefined;
}

export interface AccuracyByWeatherRegimeParameters extends CommonParameters {
  /** Daily high or daily low */
  metric?: 'high' | 'low' | undefined;
  /** Include forecasts issued after their target date began, in the bucket same-day */
  include_same_day?: boolean | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** Add uncertainty: confidence intervals of the statistics at this level */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
}

export interface AccuracyHitRateParameters extends CommonParameters {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Only forecasts issued at least this many hours before the start of the target date */
  lead?: '0' | '6' | '12' | '24' | '48' | '72' | undefined;
  /** Confidence level of the intervals */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** Restrict to the stations of a city: city name or alias */
  city?: string | undefined;
  /** Only forecasts issued in these hours, UTC, 0 to 23, separated by commas: 6,18 are 06:00 to 06:59 and 18:00 to 18:59 */
  issued_hour?: string | undefined;
}

export interface AccuracyByBucketParameters extends Omit<
  CommonParameters,
  'station_id' | 'stations' | 'country' | 'climate_zone' | 'near' | 'radius_km' | 'bbox' | 'min_coverage'
> {
  /** Station identifier, IATA code, city name or alias */
  station_id: string;
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Only forecasts issued at least this many hours before the start of the target date */
  lead?: '0' | '6' | '12' | '24' | '48' | '72' | undefined;
  /** Only forecasts issued in these hours, UTC, 0 to 23, separated by commas: 6,18 are 06:00 to 06:59 and 18:00 to 18:59 */
  issued_hour?: string | undefined;
  /** Confidence level of the intervals */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** Width of a range, in whole degrees */
  range_width?: number | undefined;
  /** Degree that the ranges are aligned to: one begins here, others at whole widths from it; 1 for odd degrees */
  range_offset?: number | undefined;
}

export interface AccuracyByBucketOfForecastParameters extends CommonParameters {
  /** The variable: chances alone have such a table */
  metric?: 'wet_day' | 'wet_12h' | 'wet_6h' | 'wet_1h' | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** Only forecasts issued at least this many hours before the start of the target date */
  lead?: '0' | '6' | '12' | '24' | '48' | '72' | undefined;
  /** Confidence level of the intervals, default 0.95; if it is given, consistency bars are added */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** Only forecasts issued in these hours, UTC, 0 to 23, separated by commas: 6,18 are 06:00 to 06:59 and 18:00 to 18:59 */
  issued_hour?: string | undefined;
  /** What the bins are of: the chance that was forecast */
  bucket?: 'forecast' | undefined;
}

export interface AccuracyRevisionStatsParameters extends Omit<CommonParameters, 'lead_time_bucket'> {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Confidence level of the intervals */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** Restrict to the stations of a city: city name or alias */
  city?: string | undefined;
  /** Only forecasts issued in these hours, UTC, 0 to 23, separated by commas: 6,18 are 06:00 to 06:59 and 18:00 to 18:59 */
  issued_hour?: string | undefined;
}

export interface AccuracyExceedanceParameters extends CommonParameters {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** Sizes of errors, °F, or in the unit of the request: 1 to 10 numbers from 0 to 50, separated by commas; of relative humidities at hours 0 to 100%; of cloud covers at hours 0 to 100%; of wind speeds at hours 0 to 100 kt; of gusts at hours 0 to 100 kt; of chances of a wet day 0 to 100%; of chances of rain in 12 hours 0 to 100%; of chances of rain in 6 hours 0 to 100%; of chances of rain in an hour 0 to 100%; of amounts of precipitation 0 to 50 inches; of snowfalls of days 0 to 50 inches; of highest winds of days 0 to 100 kt; of highest gusts of days 0 to 100 kt */
  thresholds?: string | undefined;
  /** Confidence level of the intervals */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
}

export interface AccuracyExceedanceSummaryParameters extends CommonParameters {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** Sizes of errors, °F, or in the unit of the request: 1 to 10 numbers from 0 to 50, separated by commas; of relative humidities at hours 0 to 100%; of cloud covers at hours 0 to 100%; of wind speeds at hours 0 to 100 kt; of gusts at hours 0 to 100 kt; of chances of a wet day 0 to 100%; of chances of rain in 12 hours 0 to 100%; of chances of rain in 6 hours 0 to 100%; of chances of rain in an hour 0 to 100%; of amounts of precipitation 0 to 50 inches; of snowfalls of days 0 to 50 inches; of highest winds of days 0 to 100 kt; of highest gusts of days 0 to 100 kt */
  thresholds?: string | undefined;
}

export interface AccuracyEventsParameters extends CommonParameters {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Only forecasts issued at least this many hours before the start of the target date */
  lead?: '0' | '6' | '12' | '24' | '48' | '72' | undefined;
  /** Confidence level of the intervals */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** Restrict to the stations of a city: city name or alias */
  city?: string | undefined;
  /** Only forecasts issued in these hours, UTC, 0 to 23, separated by commas: 6,18 are 06:00 to 06:59 and 18:00 to 18:59 */
  issued_hour?: string | undefined;
  /** Values of the metric, °F, or in the unit of the request: 1 to 10 numbers, separated by commas, within the limits of the metric: -130 to 140 °F for highs, -130 to 140 °F for lows, -130 to 140 °F for means, 0 to 270 °F for ranges, 0 to 195 °F·day for heating degree days, 0 to 75 °F·day for cooling degree days, 0 to 36 °F·day for growing degree days, -130 to 140 °F for temperatures at hours, -130 to 140 °F for dew points at hours, 0 to 100% for relative humidities at hours, 0 to 100% for cloud covers at hours, 0 to 200 kt for wind speeds at hours, 0 to 250 kt for gusts at hours, 0 to 100% for chances of a wet day, 0 to 100% for chances of rain in 12 hours, 0 to 100% for chances of rain in 6 hours, 0 to 100% for chances of rain in an hour, 0 to 80 inches for amounts of precipitation, 0 to 120 inches for snowfalls of days, 0 to 200 kt for highest winds of days, 0 to 250 kt for highest gusts of days; default: 90 °F or 32 °C for highs, 32 °F or 0 °C for lows, 65 °F or 18 °C for means, 25 °F or 14 °C for ranges, 20 °F·day or 11 °C·day for heating degree days, 10 °F·day or 5 °C·day for cooling degree days, 20 °F·day or 11 °C·day for growing degree days, 32 °F or 0 °C for temperatures at hours, 65 °F or 18 °C for dew points at hours, 90% for relative humidities at hours, 75% for cloud covers at hours, 15 kt for wind speeds at hours, 25 kt for gusts at hours, 50% for chances of a wet day, 50% for chances of rain in 12 hours, 50% for chances of rain in 6 hours, 50% for chances of rain in an hour, 0.1 inches for amounts of precipitation, 1 inches for snowfalls of days, 20 kt for highest winds of days, 30 kt for highest gusts of days */
  thresholds?: string | undefined;
  /** Which side of a threshold is the event; default: at_or_below for lows, else at_or_above */
  direction?: 'at_or_above' | 'at_or_below' | undefined;
  /** none: all days together; lead_time_bucket: the days of each lead time, with the latest forecast in it; station; month: calendar months, of which the window may cut the first and the last */
  group_by?: 'none' | 'lead_time_bucket' | 'station' | 'month' | undefined;
  /** Ratios of the cost of protection to the loss that it prevents, above 0 and below 1, separated by commas: each record then has the relative economic value for one of them */
  cost_loss?: string | undefined;
}

export interface AccuracyErrorDistributionParameters extends CommonParameters {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** Width of a range, °F, or °C with temp_unit=celsius */
  bin_width?: '1' | '2' | '5' | '0.5' | undefined;
  /** Ranges of forecast - actual, the middle one around 0, instead of the absolute error */
  signed?: boolean | undefined;
}

export interface AccuracyDistributionParameters extends CommonParameters {
  /** Daily high or daily low */
  metric?: 'high' | 'low' | undefined;
  /** 2 to 5 providers, separated by commas, with a record for each. In place of provider */
  providers?: string | undefined;
  /** Only forecasts issued at least this many hours before the start of the target date */
  lead?: '0' | '6' | '12' | '24' | '48' | '72' | undefined;
  /** Confidence level of the intervals */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** Restrict to the stations of a city: city name or alias */
  city?: string | undefined;
  /** Only forecasts issued in these hours, UTC, 0 to 23, separated by commas: 6,18 are 06:00 to 06:59 and 18:00 to 18:59 */
  issued_hour?: string | undefined;
  /** none: all days together; lead_time_bucket: the days of each lead time, with the latest forecast in it; station; month: calendar months, of which the window may cut the first and the last */
  group_by?: 'none' | 'lead_time_bucket' | 'station' | 'month' | undefined;
}

export interface AccuracyPeakTimingParameters {
  /** Station identifier, IATA code, city name or alias */
  station_id: string;
  /** Length of the window in days; not used if the request has both bounds */
  days?: number | undefined;
  /** First day of the window */
  date_from?: string | undefined;
  /** Last day of the window */
  date_to?: string | undefined;
  /** Uses only what had been reported by this instant: forecasts issued by then, against the best observation reported by then, whenever they were loaded. A date is 00:00Z of it. A window without bounds ends on that day. For one station, for several over at most 62,000 station days, or for all over at most 31 days. Only as good as observed_at in the feeds: see metadata.late_reports */
  known_at?: string | undefined;
  /** Daily high or daily low */
  metric?: 'high' | 'low' | undefined;
  /** The data as they were at a version (v412: `metadata.data_version` of a response, or one of /api/v1/loads), or at an instant (the last load finished by then; a date is 00:00Z of it). Within one timeline, a version always gives the same response. v412.k7q2 adds `metadata.timeline`: caches may keep its response, and it is refused once a restored backup has begun another timeline. A window without bounds ends on that day. Station names and the default provider are those of the version; a station that it does not have yet has no pairs */
  as_of?: string | undefined;
  /** Unit of the response's degrees, each rounded once. In Celsius, differences are multiplied by 5/9, each field that ends in _f has one that ends in _c beside it (JSON and CSV), and metadata.temp_unit is celsius */
  temp_unit?: 'fahrenheit' | 'celsius' | undefined;
  /** Units of the response, each number rounded once: us (°F, mph, inches), metric (°C, km/h, mm, snow in cm), si (°C, m/s, mm, snow in cm), or some of temperature=f|c, speed=kt|mph|ms|kmh, length=in|mm|cm. Default: °F, kt, inches */
  units?: string | undefined;
  /** month: add by_month, of each calendar month; CSV has it instead of the whole window */
  group_by?: 'none' | 'month' | undefined;
}

export interface AccuracyBiasCorrectionParameters extends Omit<
  CommonParameters,
  | 'stations'
  | 'country'
  | 'climate_zone'
  | 'near'
  | 'radius_km'
  | 'bbox'
  | 'lead_time_bucket'
  | 'min_coverage'
> {
  /** Daily high or daily low */
  metric?: 'high' | 'low' | undefined;
  /** The lead time of the forecasts; each day counts with its latest, for 72h+ the latest from 72 to 96 hours */
  lead_time_bucket?: '0-6h' | '6-12h' | '12-24h' | '24-48h' | '48-72h' | '72h+' | undefined;
  /** The lead time in hours: each day counts with the forecast nearest to it, from the same bucket below 24 hours, or from the same day of lead beyond (more than 24 to 48, more than 48 to 72, and so on) */
  lead_hours?: number | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** The target date of the forecast; default: today (with known_at, the day of that instant) at the station, without one in UTC; with as_of its day */
  forecast_for_date?: string | undefined;
  /** The forecast to correct, °F, or °C with temp_unit=celsius: its default is then 24 */
  forecast_temp?: number | undefined;
  /** Number of days to learn from; the last is the latest whose observation can be known at issuance. Without it 60, or as many more, up to 365, as few stations need for enough station days */
  window?: number | undefined;
  /** Learn only from verified observations, and judge by them; default: true for lows, because a preliminary low may be that of another night, false for highs */
  verified_only?: boolean | undefined;
  /** Confidence level of the intervals */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
}

export interface ProbabilityParameters {
  /** Restrict to one station: identifier, IATA code, city name or alias */
  station_id?: string | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** The forecast, °F, or °C with temp_unit=celsius; default: the latest stored one for the target date */
  forecast?: number | undefined;
  /** The target date of the forecast; default: today (with known_at, the day of that instant) at the station, without one in UTC; with as_of its day */
  target_date?: string | undefined;
  /** Uses only what had been reported by this instant: forecasts issued by then, against the best observation reported by then, whenever they were loaded. A date is 00:00Z of it. A window without bounds ends on that day. For one station, for several over at most 62,000 station days, or for all over at most 31 days. Only as good as observed_at in the feeds: see metadata.late_reports */
  known_at?: string | undefined;
  /** Daily high or daily low */
  metric?: 'high' | 'low' | undefined;
  /** Unit of the response's degrees, each rounded once. In Celsius, differences are multiplied by 5/9, each field that ends in _f has one that ends in _c beside it (JSON and CSV), and metadata.temp_unit is celsius */
  temp_unit?: 'fahrenheit' | 'celsius' | undefined;
  /** Units of the response, each number rounded once: us (°F, mph, inches), metric (°C, km/h, mm, snow in cm), si (°C, m/s, mm, snow in cm), or some of temperature=f|c, speed=kt|mph|ms|kmh, length=in|mm|cm. Default: °F, kt, inches */
  units?: string | undefined;
  /** The provider that issued the forecasts; default: the one that /api/v1/providers marks */
  provider?: string | undefined;
  /** 2 to 5 providers, separated by commas, as one: the weighted mean of their forecasts, each less its usual error at the station, with the weights that fitted the training days best. In place of provider */
  providers?: string | undefined;
  /** The lead time of the forecast; without it and lead_hours: that of the stored forecast, or, with forecast or several providers, the time from known_at, as_of or now to the start of target_date at the station */
  lead_time_bucket?: '0-6h' | '6-12h' | '12-24h' | '24-48h' | '48-72h' | '72h+' | undefined;
  /** The lead time in hours, from issuance to the start of the target date at the station; of the stored forecasts in its range of leads (lead_range), the nearest counts; from 72 hours on, where that has none, the nearest of all such */
  lead_hours?: number | undefined;
  /** Number of days to learn from; the last is the latest whose observation can be known at issuance. Without it 60, or as many more, up to 365, as few stations need for enough station days */
  window?: number | undefined;
  /** Learn only from verified observations, and judge by them; default: true for lows, because a preliminary low may be that of another night, false for highs */
  verified_only?: boolean | undefined;
  /** Ask for the probability of each of these degrees or more: whole °F, or °C with temp_unit=celsius, separated by commas. Without brackets, the response has only thresholds */
  thresholds?: string | undefined;
  /** Ask for the probability of each of these ranges: whole °F, or °C with temp_unit=celsius, both ends included, such as 80-81,82-83; -5--4 for negative ones, ..79 for 79 or less, 90.. for 90 or more. Gaps, and what is left below and above, become ranges of their own. Without brackets and thresholds: six ranges around the forecast */
  brackets?: string | undefined;
  /** use: for a day that has begun, at a station that reports hours, start from what has been measured; ignore: from the errors of past forecasts alone, as for other days and with lead_hours, lead_time_bucket or several providers */
  so_far?: 'use' | 'ignore' | undefined;
  /** Confidence level of the intervals */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** The data as they were at a version (v412: `metadata.data_version` of a response, or one of /api/v1/loads), or at an instant (the last load finished by then; a date is 00:00Z of it). Within one timeline, a version always gives the same response. v412.k7q2 adds `metadata.timeline`: caches may keep its response, and it is refused once a restored backup has begun another timeline. A window without bounds ends on that day. Station names and the default provider are those of the version; a station that it does not have yet has no pairs */
  as_of?: string | undefined;
}

export interface ProbabilityReliabilityParameters extends Omit<
  CommonParameters,
  | 'stations'
  | 'country'
  | 'climate_zone'
  | 'near'
  | 'radius_km'
  | 'bbox'
  | 'lead_time_bucket'
  | 'min_coverage'
> {
  /** Daily high or daily low */
  metric?: 'high' | 'low' | undefined;
  /** 2 to 5 providers, separated by commas, as one: the weighted mean of their forecasts, each less its usual error at the station, with the weights that fitted the training days best. In place of provider */
  providers?: string | undefined;
  /** The lead time of the forecasts; each day counts with its latest, for 72h+ the latest from 72 to 96 hours */
  lead_time_bucket?: '0-6h' | '6-12h' | '12-24h' | '24-48h' | '48-72h' | '72h+' | undefined;
  /** The lead time in hours: each day counts with the forecast nearest to it, from the same bucket below 24 hours, or from the same day of lead beyond (more than 24 to 48, more than 48 to 72, and so on) */
  lead_hours?: number | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** Judges the odds of days that had begun, so many whole hours after their beginning; 24: after their end */
  hour?: number | undefined;
  /** true: scores only odds that were sealed before their day began, as they were said then; of a station day those of the latest forecast in lead_time_bucket, as said last. crps_f, pit and the other methods need more than was said */
  sealed?: boolean | undefined;
  /** Number of days to learn from; the last is the latest whose observation can be known at issuance. Without it 60, or as many more, up to 365, as few stations need for enough station days */
  window?: number | undefined;
  /** Learn only from verified observations, and judge by them; default: true for lows, because a preliminary low may be that of another night, false for highs */
  verified_only?: boolean | undefined;
  /** Confidence level of the intervals */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
}

export interface AccuracySampleSizeParameters extends CommonParameters {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Restrict to the stations of a city: city name or alias */
  city?: string | undefined;
  /** Leave out stations with fewer verification pairs than this */
  min_samples?: number | undefined;
}

export interface AccuracyUpdateFrequencyParameters extends Omit<CommonParameters, 'lead_time_bucket'> {
  /** Daily high or daily low */
  metric?: 'high' | 'low' | undefined;
  /** Restrict to the stations of a city: city name or alias */
  city?: string | undefined;
}

export interface AccuracyCompareParameters extends Omit<CommonParameters, 'provider'> {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** 2 to 8 providers, separated by commas; default: all of /api/v1/providers, the default provider first */
  providers?: string | undefined;
  /** The provider that the others are compared with; default: the first one */
  reference?: string | undefined;
  /** Only forecasts issued at least this many hours before the start of the target date; without it and lead_time_bucket: 24, or with a lead time in group_by all */
  lead?: '0' | '6' | '12' | '24' | '48' | '72' | undefined;
  /** A record for each of one or two of lead_time_bucket, lead_hour, month, season, country, climate_zone, station, separated by a comma: months and seasons are of the target date, a season of all years together. With lead_time_bucket, or of hours lead_hour, a station day or hour counts once in each lead time, otherwise once, with the latest forecast of each provider */
  group_by?: string | undefined;
  /** Confidence level of the intervals */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** Restrict to the stations of a city: city name or alias */
  city?: string | undefined;
  /** Only forecasts issued in these hours, UTC, 0 to 23, separated by commas: 6,18 are 06:00 to 06:59 and 18:00 to 18:59 */
  issued_hour?: string | undefined;
}

export interface AccuracyDivergenceParameters extends Omit<CommonParameters, 'provider'> {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** 2 to 8 providers, separated by commas; default: all of /api/v1/providers, the default provider first */
  providers?: string | undefined;
  /** Only forecasts issued at least this many hours before the start of the target date; without it and lead_time_bucket: 24, or with a lead time in group_by all */
  lead?: '0' | '6' | '12' | '24' | '48' | '72' | undefined;
  /** A record for each of one or two of provider, station, lead_time_bucket, month, separated by a comma: without provider those of all together, months are of the target date. With lead_time_bucket a station day counts once in each lead time, otherwise once, with the latest forecast of each provider */
  group_by?: string | undefined;
  /** Confidence level of the intervals */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** Restrict to the stations of a city: city name or alias */
  city?: string | undefined;
  /** Only forecasts issued in these hours, UTC, 0 to 23, separated by commas: 6,18 are 06:00 to 06:59 and 18:00 to 18:59 */
  issued_hour?: string | undefined;
  /** The difference from the median of the other providers' forecasts at which a forecast departs from them, °F, or °C with temp_unit=celsius; default: 3 °F or 2 °C */
  threshold?: number | undefined;
}

export interface AccuracySkillParameters extends CommonParameters {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0 */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Only forecasts issued at least this many hours before the start of the target date */
  lead?: '0' | '6' | '12' | '24' | '48' | '72' | undefined;
  /** Confidence level of the intervals */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** Restrict to the stations of a city: city name or alias */
  city?: string | undefined;
  /** persistence: the latest reported of the 60 days before the target date; climatology: the station's normal of the day if one is loaded, else the mean of its own days within 7 of the same day in the 30 years before (at least 30 days in at least three years), of chances how often it was wet */
  reference?: 'persistence' | 'climatology' | undefined;
  /** One record per lead time, one per station, or a single one */
  group_by?: 'lead_time_bucket' | 'station' | 'none' | undefined;
}

export interface DataForecastActualParameters extends CommonParameters {
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; temperature: the temperature at a full hour, UTC, by the nearest report within half an hour; dew_point: the dew point at a full hour, UTC, by the nearest report within half an hour; humidity: the relative humidity at a full hour, UTC, by the nearest report within half an hour; cloud_cover: the share of the sky with clouds at a full hour, UTC, by the nearest report within half an hour; where it says a word, clear is 0%, few 19, scattered 44, broken 75, overcast and obscured 100; wind_speed: the wind speed at a full hour, UTC, by the nearest report within half an hour; calm is 0; wind_gust: the highest gust of the reports in the hour that ends at a full hour, UTC; an hour without a reported gust has no pair; wet_day: the chance of a wet day, one with 0.01 inch (0.2 mm) of precipitation or more; a wet day is observed as 100, any other as 0; wet_12h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 12 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_6h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the 6 hours that end at a full hour, UTC; a wet one is observed as 100, any other as 0; wet_1h: the chance that 0.01 inch (0.2 mm) of precipitation or more falls in the hour that ends at a full hour, UTC; a wet one is observed as 100, any other as 0; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'temperature'
    | 'dew_point'
    | 'humidity'
    | 'cloud_cover'
    | 'wind_speed'
    | 'wind_gust'
    | 'wet_day'
    | 'wet_12h'
    | 'wet_6h'
    | 'wet_1h'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm: 0.01in to 20in or 0.2mm to 500mm */
  wet_at?: string | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** Only forecasts issued in these hours, UTC, 0 to 23, separated by commas: 6,18 are 06:00 to 06:59 and 18:00 to 18:59 */
  issued_hour?: string | undefined;
  /** target_date, then station_id and issued_at; or abs_error, the largest first, then as by target_date */
  sort_by?: 'target_date' | 'abs_error' | undefined;
  /** Maximum number of rows; metadata.truncated says whether there are more */
  limit?: number | undefined;
  /** Where the page begins: metadata.next_cursor of the previous page */
  cursor?: string | undefined;
}

export interface DataForecastsParameters extends Omit<
  CommonParameters,
  'days' | 'date_from' | 'date_to' | 'lead_time_bucket' | 'known_at' | 'min_coverage'
> {
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** The target date; default: today at the station asked about, else in UTC, or the day of as_of */
  forecast_for_date?: string | undefined;
  /** Daily high or daily low; default: both; each row names its metric */
  metric?: 'high' | 'low' | undefined;
  /** Only forecasts issued in these hours, UTC, 0 to 23, separated by commas: 6,18 are 06:00 to 06:59 and 18:00 to 18:59 */
  issued_hour?: string | undefined;
  /** latest: the values that hold now; all: also those that a later load corrected or withdrew */
  versions?: 'latest' | 'all' | undefined;
  /** Maximum number of rows; metadata.truncated says whether there are more */
  limit?: number | undefined;
  /** Where the page begins: metadata.next_cursor of the previous page */
  cursor?: string | undefined;
}

export interface DataObservationsParameters extends Omit<
  CommonParameters,
  'lead_time_bucket' | 'known_at' | 'provider' | 'min_coverage'
> {
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** Daily high or daily low; default: both; each row names its metric */
  metric?: 'high' | 'low' | undefined;
  /** latest: the values that hold now; all: also those that a later load corrected or withdrew */
  versions?: 'latest' | 'all' | undefined;
  /** Maximum number of rows; metadata.truncated says whether there are more */
  limit?: number | undefined;
  /** Where the page begins: metadata.next_cursor of the previous page */
  cursor?: string | undefined;
}

export interface DataHoursParameters extends Omit<
  CommonParameters,
  'days' | 'date_from' | 'date_to' | 'lead_time_bucket' | 'known_at' | 'provider' | 'min_coverage'
> {
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** The first instant; default: 2 days before end_time */
  start_time?: string | undefined;
  /** The last instant; default: the end of today at the station asked about, else in UTC, or of the day of as_of */
  end_time?: string | undefined;
  /** Maximum number of rows; metadata.truncated says whether there are more */
  limit?: number | undefined;
  /** Where the page begins: metadata.next_cursor of the previous page */
  cursor?: string | undefined;
}

export interface DataDeparturesParameters extends Omit<
  CommonParameters,
  'days' | 'date_from' | 'date_to' | 'lead_time_bucket' | 'known_at' | 'provider' | 'min_coverage'
> {
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** What is forecast: high: the highest temperature of the day; low: the lowest temperature of the day; mean: (high + low) / 2, to 0.01 °F, halves up; range: high - low, the diurnal range; hdd: max(0, 65 °F - mean), heating degree days, of the mean to 0.01 °F, not of whole degrees; cdd: max(0, mean - 65 °F), cooling degree days, of the mean to 0.01 °F, not of whole degrees; gdd: max(0, mean - 50 °F), growing degree days, with high and low cut to 50 to 86 °F, of the mean to 0.01 °F, not of whole degrees; precip: the precipitation of the day; a trace, and all below 0.2 mm, is 0; snowfall: the depth of the snow that fell in the day; a trace is 0; max_wind: the highest wind speed of the day, a mean of two or ten minutes as its service has it; max_gust: the highest wind gust of the day */
  metric?:
    | 'high'
    | 'low'
    | 'mean'
    | 'range'
    | 'hdd'
    | 'cdd'
    | 'gdd'
    | 'precip'
    | 'snowfall'
    | 'max_wind'
    | 'max_gust'
    | undefined;
  /** The base of degree days; default: 65f, of growing degree days 50f: 32f to 104f or 0c to 40c */
  base?: string | undefined;
  /** Highs and lows above it count as it in growing degree days; default: 86f: 32f to 104f or 0c to 40c */
  cap?: string | undefined;
  /** The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it */
  method?: 'exact' | 'nws' | undefined;
  /** 2 to 8 providers, separated by commas; default: all of /api/v1/providers, the default provider first */
  providers?: string | undefined;
  /** The difference from the median of the other providers' forecasts at which a forecast departs from them, °F, or °C with temp_unit=celsius; default: 3 °F or 2 °C */
  threshold?: number | undefined;
  /** Confidence level of the intervals */
  ci?: '0.8' | '0.9' | '0.95' | '0.99' | undefined;
  /** Maximum number of rows; metadata.truncated says whether there are more */
  limit?: number | undefined;
  /** Where the page begins: metadata.next_cursor of the previous page */
  cursor?: string | undefined;
}

export interface DataSuspectsParameters extends Omit<
  CommonParameters,
  'lead_time_bucket' | 'known_at' | 'provider' | 'min_coverage'
> {
  /** Restrict to the station of a city: city name or alias */
  city?: string | undefined;
  /** Daily high or daily low; default: both; each row names its metric */
  metric?: 'high' | 'low' | undefined;
  /** Maximum number of rows; metadata.truncated says whether there are more */
  limit?: number | undefined;
  /** Where the page begins: metadata.next_cursor of the previous page */
  cursor?: string | undefined;
}

export interface DataRunStatsParameters extends Omit<
  CommonParameters,
  'days' | 'date_from' | 'date_to' | 'lead_time_bucket' | 'known_at' | 'temp_unit' | 'units' | 'min_coverage'
> {
  /** Restrict to the stations of a city: city name or alias */
  city?: string | undefined;
  /** Only forecasts issued in these hours, UTC, 0 to 23, separated by commas: 6,18 are 06:00 to 06:59 and 18:00 to 18:59 */
  issued_hour?: string | undefined;
  /** The first instant; default: 90 days before end_time */
  start_time?: string | undefined;
  /** The last instant; default: the end of today at the station asked about, else in UTC, or of the day of as_of */
  end_time?: string | undefined;
}

export interface StationsMetadataParameters {
  /** Restrict to the stations of a country: its code of two letters */
  country?: string | undefined;
  /** Restrict to the stations of a climate zone (Köppen), such as Dfa */
  climate_zone?: string | undefined;
  /** Restrict to the stations within radius_km of this point: latitude,longitude in degrees, such as 41.88,-87.63 */
  near?: string | undefined;
  /** With near: how far away stations may be, 1 to 500 km; default: 50 */
  radius_km?: number | undefined;
  /** Restrict to the stations in this box: west,south,east,north in degrees, such as -90,40,-80,45; a west above east crosses the antimeridian */
  bbox?: string | undefined;
}

export interface ProvidersParameters {
  /** Whether to list the variables with pairs of each provider */
  variables?: boolean | undefined;
}

export interface LoadsParameters {
  /** Only loads after this version, such as the id of the last event of /api/v1/events */
  after?: string | undefined;
  /** Maximum number of loads to list */
  limit?: number | undefined;
  /** Only loads before this version */
  before?: number | undefined;
}

export interface SealsConsistencyParameters {
  /** The size in the earlier checkpoint */
  from?: number | undefined;
  /** The size in the later checkpoint; default: the whole log */
  to?: number | undefined;
}

export interface SealsOfVersionParameters {
  /** A version of the data, such as v412 or v412.k7q2 */
  version: string;
}

/** A method for each operation of the document. */
export interface Operations<Call> {
  /** All verification pairs of a window, as a file */
  exportPairs: (parameters?: ExportPairsParameters, call?: Call) => Promise<Response>;
  /** The facts that a version added, as a file */
  exportFacts: (parameters?: ExportFactsParameters, call?: Call) => Promise<Response>;
  /** Accuracy by date */
  accuracyByDate: (parameters?: AccuracyByDateParameters, call?: Call) => Promise<AccuracyByDateResponse>;
  /** Accuracy by date, of one station */
  accuracyByDateOfStation: (
    parameters: AccuracyByDateOfStationParameters,
    call?: Call,
  ) => Promise<AccuracyByDateResponse>;
  /** Accuracy by hour */
  accuracyByHour: (parameters?: AccuracyByHourParameters, call?: Call) => Promise<AccuracyByHourResponse>;
  /** Accuracy of one station */
  accuracyByStation: (
    parameters: AccuracyByStationParameters,
    call?: Call,
  ) => Promise<AccuracyByStationResponse>;
  /** Accuracy over a window */
  accuracySummary: (parameters?: AccuracySummaryParameters, call?: Call) => Promise<AccuracySummaryResponse>;
  /** Accuracy by lead time */
  accuracyByLeadTime: (
    parameters?: AccuracyByLeadTimeParameters,
    call?: Call,
  ) => Promise<AccuracyByLeadTimeResponse>;
  /** Accuracy by city */
  accuracyByCity: (parameters?: AccuracyByCityParameters, call?: Call) => Promise<AccuracyByCityResponse>;
  /** Accuracy by the weather of the day */
  accuracyByWeatherRegime: (
    parameters?: AccuracyByWeatherRegimeParameters,
    call?: Call,
  ) => Promise<AccuracyByWeatherRegimeResponse>;
  /** Hit rate */
  accuracyHitRate: (parameters?: AccuracyHitRateParameters, call?: Call) => Promise<HitRateResponse>;
  /** Accuracy by temperature range */
  accuracyByBucket: (
    parameters: AccuracyByBucketParameters,
    call?: Call,
  ) => Promise<AccuracyByBucketResponse>;
  /** How often it was wet, by the chance that was forecast */
  accuracyByBucketOfForecast: (
    parameters?: AccuracyByBucketOfForecastParameters,
    call?: Call,
  ) => Promise<ReliabilityOfChancesResponse>;
  /** Revisions of forecasts */
  accuracyRevisionStats: (
    parameters?: AccuracyRevisionStatsParameters,
    call?: Call,
  ) => Promise<RevisionStatsResponse>;
  /** How often errors exceed thresholds */
  accuracyExceedance: (parameters?: AccuracyExceedanceParameters, call?: Call) => Promise<ExceedanceResponse>;
  /** How often errors exceed thresholds, over the network, in percent */
  accuracyExceedanceSummary: (
    parameters?: AccuracyExceedanceSummaryParameters,
    call?: Call,
  ) => Promise<ExceedanceSummaryResponse>;
  /** Events forecast and observed */
  accuracyEvents: (parameters?: AccuracyEventsParameters, call?: Call) => Promise<EventsResponse>;
  /** Distribution of errors */
  accuracyErrorDistribution: (
    parameters?: AccuracyErrorDistributionParameters,
    call?: Call,
  ) => Promise<ErrorDistributionResponse>;
  /** Distributions of forecasts */
  accuracyDistribution: (
    parameters?: AccuracyDistributionParameters,
    call?: Call,
  ) => Promise<DistributionResponse>;
  /** When the high or the low comes */
  accuracyPeakTiming: (parameters: AccuracyPeakTimingParameters, call?: Call) => Promise<PeakTimingResponse>;
  /** Bias correction of a forecast */
  accuracyBiasCorrection: (
    parameters?: AccuracyBiasCorrectionParameters,
    call?: Call,
  ) => Promise<BiasCorrectionResponse>;
  /** Probability of temperatures */
  probability: (parameters?: ProbabilityParameters, call?: Call) => Promise<ProbabilityResponse>;
  /** Reliability of the probabilities */
  probabilityReliability: (
    parameters?: ProbabilityReliabilityParameters,
    call?: Call,
  ) => Promise<ProbabilityReliabilityResponse>;
  /** Pairs and days per station */
  accuracySampleSize: (parameters?: AccuracySampleSizeParameters, call?: Call) => Promise<SampleSizeResponse>;
  /** How often forecasts are issued */
  accuracyUpdateFrequency: (
    parameters?: AccuracyUpdateFrequencyParameters,
    call?: Call,
  ) => Promise<UpdateFrequencyResponse>;
  /** How recent the data are */
  accuracyFreshness: (parameters?: Record<string, never>, call?: Call) => Promise<FreshnessResponse>;
  /** Providers compared */
  accuracyCompare: (parameters?: AccuracyCompareParameters, call?: Call) => Promise<ComparisonResponse>;
  /** Whom to trust when providers differ */
  accuracyDivergence: (parameters?: AccuracyDivergenceParameters, call?: Call) => Promise<DivergenceResponse>;
  /** Skill against a simple reference */
  accuracySkill: (parameters?: AccuracySkillParameters, call?: Call) => Promise<SkillResponse>;
  /** Forecasts with their observations */
  dataForecastActual: (
    parameters?: DataForecastActualParameters,
    call?: Call,
  ) => Promise<ForecastActualResponse>;
  /** Forecasts for a day */
  dataForecasts: (parameters?: DataForecastsParameters, call?: Call) => Promise<ForecastsResponse>;
  /** Observations of a window */
  dataObservations: (parameters?: DataObservationsParameters, call?: Call) => Promise<ObservationsResponse>;
  /** Temperatures within the day */
  dataHours: (parameters?: DataHoursParameters, call?: Call) => Promise<HoursResponse>;
  /** Departures of days to come */
  dataDepartures: (parameters?: DataDeparturesParameters, call?: Call) => Promise<DeparturesResponse>;
  /** Observations worth a second look */
  dataSuspects: (parameters?: DataSuspectsParameters, call?: Call) => Promise<SuspectsResponse>;
  /** Issuances of forecasts between two instants */
  dataRunStats: (parameters?: DataRunStatsParameters, call?: Call) => Promise<RunStatsResponse>;
  /** Station metadata */
  stationsMetadata: (
    parameters?: StationsMetadataParameters,
    call?: Call,
  ) => Promise<StationsMetadataResponse>;
  /** Providers of forecasts */
  providers: (parameters?: ProvidersParameters, call?: Call) => Promise<ProvidersResponse>;
  /** Loads of data */
  loads: (parameters?: LoadsParameters, call?: Call) => Promise<LoadsResponse>;
  /** Usage of your key */
  usage: (parameters?: Record<string, never>, call?: Call) => Promise<UsageResponse>;
  /** Index of the endpoints */
  index: (parameters?: Record<string, never>, call?: Call) => Promise<IndexResponse>;
  /** The latest checkpoint of the log of versions */
  seals: (parameters?: Record<string, never>, call?: Call) => Promise<Response>;
  /** Proof that the log only grew */
  sealsConsistency: (parameters?: SealsConsistencyParameters, call?: Call) => Promise<ConsistencyResponse>;
  /** The seal of a version */
  sealsOfVersion: (parameters: SealsOfVersionParameters, call?: Call) => Promise<SealResponse>;
  /** Health of the service */
  health: (parameters?: Record<string, never>, call?: Call) => Promise<Health>;
}

export const OPERATIONS = {
  exportPairs: { path: '/api/v1/export/pairs', isFile: true },
  exportFacts: { path: '/api/v1/export/facts', isFile: true },
  accuracyByDate: { path: '/api/v1/accuracy/by-date', isFile: false },
  accuracyByDateOfStation: { path: '/api/v1/accuracy/by-date/{station_id}', isFile: false },
  accuracyByHour: { path: '/api/v1/accuracy/by-hour', isFile: false },
  accuracyByStation: { path: '/api/v1/accuracy/by-station/{station_id}', isFile: false },
  accuracySummary: { path: '/api/v1/accuracy/summary', isFile: false },
  accuracyByLeadTime: { path: '/api/v1/accuracy/by-lead-time', isFile: false },
  accuracyByCity: { path: '/api/v1/accuracy/by-city', isFile: false },
  accuracyByWeatherRegime: { path: '/api/v1/accuracy/by-weather-regime', isFile: false },
  accuracyHitRate: { path: '/api/v1/accuracy/hit-rate', isFile: false },
  accuracyByBucket: { path: '/api/v1/accuracy/by-bucket/{station_id}', isFile: false },
  accuracyByBucketOfForecast: { path: '/api/v1/accuracy/by-bucket', isFile: false },
  accuracyRevisionStats: { path: '/api/v1/accuracy/revision-stats', isFile: false },
  accuracyExceedance: { path: '/api/v1/accuracy/exceedance', isFile: false },
  accuracyExceedanceSummary: { path: '/api/v1/accuracy/exceedance-summary', isFile: false },
  accuracyEvents: { path: '/api/v1/accuracy/events', isFile: false },
  accuracyErrorDistribution: { path: '/api/v1/accuracy/error-distribution', isFile: false },
  accuracyDistribution: { path: '/api/v1/accuracy/distribution', isFile: false },
  accuracyPeakTiming: { path: '/api/v1/accuracy/peak-timing/{station_id}', isFile: false },
  accuracyBiasCorrection: { path: '/api/v1/accuracy/bias-correction', isFile: false },
  probability: { path: '/api/v1/probability', isFile: false },
  probabilityReliability: { path: '/api/v1/probability/reliability', isFile: false },
  accuracySampleSize: { path: '/api/v1/accuracy/sample-size', isFile: false },
  accuracyUpdateFrequency: { path: '/api/v1/accuracy/update-frequency', isFile: false },
  accuracyFreshness: { path: '/api/v1/accuracy/freshness', isFile: false },
  accuracyCompare: { path: '/api/v1/accuracy/compare', isFile: false },
  accuracyDivergence: { path: '/api/v1/accuracy/divergence', isFile: false },
  accuracySkill: { path: '/api/v1/accuracy/skill', isFile: false },
  dataForecastActual: { path: '/api/v1/data/forecast-actual', isFile: false },
  dataForecasts: { path: '/api/v1/data/forecasts', isFile: false },
  dataObservations: { path: '/api/v1/data/observations', isFile: false },
  dataHours: { path: '/api/v1/data/hours', isFile: false },
  dataDepartures: { path: '/api/v1/data/departures', isFile: false },
  dataSuspects: { path: '/api/v1/data/suspects', isFile: false },
  dataRunStats: { path: '/api/v1/data/run-stats', isFile: false },
  stationsMetadata: { path: '/api/v1/stations/metadata', isFile: false },
  providers: { path: '/api/v1/providers', isFile: false },
  loads: { path: '/api/v1/loads', isFile: false },
  usage: { path: '/api/v1/usage', isFile: false },
  index: { path: '/api/v1', isFile: false },
  seals: { path: '/api/v1/seals', isFile: true },
  sealsConsistency: { path: '/api/v1/seals/consistency', isFile: false },
  sealsOfVersion: { path: '/api/v1/seals/{version}', isFile: false },
  health: { path: '/api/v1/health', isFile: false },
} as const satisfies Record<keyof Operations<unknown>, { path: string; isFile: boolean }>;

/** Which values of a statistic are better, and which is perfect, by the name of its field. */
export const STATISTICS = {
  accuracy_when_forecast_in_range: { orientation: 'higher_is_better', perfectScore: 1 },
  detection_rate: { orientation: 'higher_is_better', perfectScore: 1 },
  mean_error_when_forecast_in_range: { orientation: 'zero_is_best', perfectScore: 0 },
  mae_when_forecast_in_range: { orientation: 'lower_is_better', perfectScore: 0 },
  crps_from_quantiles: { orientation: 'lower_is_better', perfectScore: 0 },
  spread_to_error: { orientation: 'one_is_best', perfectScore: 1 },
  pinball: { orientation: 'lower_is_better', perfectScore: 0 },
  mae: { orientation: 'lower_is_better', perfectScore: 0 },
  mae_of_others: { orientation: 'lower_is_better', perfectScore: 0 },
  frequency_bias: { orientation: 'one_is_best', perfectScore: 1 },
  pod: { orientation: 'higher_is_better', perfectScore: 1 },
  far: { orientation: 'lower_is_better', perfectScore: 0 },
  pofd: { orientation: 'lower_is_better', perfectScore: 0 },
  success_ratio: { orientation: 'higher_is_better', perfectScore: 1 },
  csi: { orientation: 'higher_is_better', perfectScore: 1 },
  ets: { orientation: 'higher_is_better', perfectScore: 1 },
  hss: { orientation: 'higher_is_better', perfectScore: 1 },
  sedi: { orientation: 'higher_is_better', perfectScore: 1 },
  economic_value: { orientation: 'higher_is_better', perfectScore: 1 },
  exceedance_rate: { orientation: 'lower_is_better', perfectScore: 0 },
  within_rate: { orientation: 'higher_is_better', perfectScore: 1 },
  exact_rate: { orientation: 'higher_is_better', perfectScore: 1 },
  within_1_rate: { orientation: 'higher_is_better', perfectScore: 1 },
  within_2_rate: { orientation: 'higher_is_better', perfectScore: 1 },
  within_3_rate: { orientation: 'higher_is_better', perfectScore: 1 },
  misses_10_rate: { orientation: 'lower_is_better', perfectScore: 0 },
  mean_error: { orientation: 'zero_is_best', perfectScore: 0 },
  rmse: { orientation: 'lower_is_better', perfectScore: 0 },
  mae_raw: { orientation: 'lower_is_better', perfectScore: 0 },
  mae_corrected: { orientation: 'lower_is_better', perfectScore: 0 },
  crps_f: { orientation: 'lower_is_better', perfectScore: 0 },
  crps_c: { orientation: 'lower_is_better', perfectScore: 0 },
  mae_f: { orientation: 'lower_is_better', perfectScore: 0 },
  mae_c: { orientation: 'lower_is_better', perfectScore: 0 },
  reference_mean_error: { orientation: 'zero_is_best', perfectScore: 0 },
  reference_mae: { orientation: 'lower_is_better', perfectScore: 0 },
  reference_rmse: { orientation: 'lower_is_better', perfectScore: 0 },
  brier: { orientation: 'lower_is_better', perfectScore: 0 },
  log_score: { orientation: 'lower_is_better', perfectScore: 0 },
  reliability: { orientation: 'lower_is_better', perfectScore: 0 },
  resolution: { orientation: 'higher_is_better', perfectScore: null },
  brier_skill: { orientation: 'higher_is_better', perfectScore: 1 },
  crps_skill: { orientation: 'higher_is_better', perfectScore: 1 },
  flip_flop_index: { orientation: 'lower_is_better', perfectScore: 0 },
  miss_rate: { orientation: 'lower_is_better', perfectScore: 0 },
  mae_first: { orientation: 'lower_is_better', perfectScore: 0 },
  mae_last: { orientation: 'lower_is_better', perfectScore: 0 },
  skill_mae: { orientation: 'higher_is_better', perfectScore: 1 },
  msess: { orientation: 'higher_is_better', perfectScore: 1 },
  reference_within_3_rate: { orientation: 'higher_is_better', perfectScore: 1 },
  std_dev: { orientation: 'lower_is_better', perfectScore: 0 },
  abs_error_p50: { orientation: 'lower_is_better', perfectScore: 0 },
  abs_error_p90: { orientation: 'lower_is_better', perfectScore: 0 },
  abs_error_p95: { orientation: 'lower_is_better', perfectScore: 0 },
} as const;
