# Written by npm run clients from the OpenAPI document; a change belongs there. What fields mean: /docs of a server.
from __future__ import annotations

from http.client import HTTPResponse
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, TypedDict, Union

if TYPE_CHECKING:
    # Checkers of types bring this module; a program does not need it.
    from typing_extensions import NotRequired, Unpack

class Statistic(TypedDict):
    orientation: Literal["lower_is_better", "higher_is_better", "zero_is_best", "one_is_best"]
    perfect_score: Union[float, None]


class CommonParameters(TypedDict):
    """What most have in common."""
    days: NotRequired[int]
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    station_id: NotRequired[str]
    stations: NotRequired[str]
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    near: NotRequired[str]
    radius_km: NotRequired[float]
    bbox: NotRequired[str]
    lead_time_bucket: NotRequired[str]
    as_of: NotRequired[str]
    known_at: NotRequired[str]
    provider: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    min_coverage: NotRequired[float]


class CommonMetadata(TypedDict):
    """What most have in common."""
    generated_at: str
    days_analyzed: int
    period_start: str
    period_end: str
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    provider: str
    lead_time_buckets: NotRequired[List[LeadTimeBucket]]
    issued_hours: NotRequired[List[int]]
    accuracy_metric: Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]
    variable: NotRequired[AccuracyByBucketMetadataVariable]
    error_convention: Literal["forecast_minus_actual"]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    as_of: NotRequired[AsOf]
    known_at: NotRequired[str]
    late_reports: NotRequired[int]
    data_version: int
    timeline: str
    query_time_ms: int
    min_coverage: NotRequired[MinCoverage]


class AccuracyByBucketMetadataVariable(TypedDict):
    """What the variable is, unless it is high or low"""
    name: Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]
    unit: str
    period: Literal["day", "hour"]
    derived_from: NotRequired[List[Literal["high", "low"]]]
    definition: str
    base_f: NotRequired[float]
    base_c: NotRequired[float]
    cap_f: NotRequired[float]
    cap_c: NotRequired[float]
    method: NotRequired[Literal["exact", "nws"]]
    wet_at_in: NotRequired[float]


class AccuracyByBucketMetadata(TypedDict):
    generated_at: str
    days_analyzed: int
    period_start: str
    period_end: str
    total_records: int
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    provider: str
    lead_time_buckets: NotRequired[List[LeadTimeBucket]]
    issued_hours: NotRequired[List[int]]
    accuracy_metric: Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]
    variable: NotRequired[AccuracyByBucketMetadataVariable]
    error_convention: Literal["forecast_minus_actual"]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    as_of: NotRequired[AsOf]
    known_at: NotRequired[str]
    late_reports: NotRequired[int]
    data_version: int
    timeline: str
    query_time_ms: int


class AccuracyByBucketResponse(TypedDict):
    success: Literal[True]
    data: List[BucketAccuracy]
    metadata: AccuracyByBucketMetadata


class AccuracyByCityMetadata(CommonMetadata):
    total_records: int


class AccuracyByCityResponse(TypedDict):
    success: Literal[True]
    data: List[CityAccuracy]
    metadata: AccuracyByCityMetadata


class AccuracyByDateMetadata(CommonMetadata):
    total_records: int
    group_by: NotRequired[Literal["week", "month", "season", "year"]]


class AccuracyByDateResponse(TypedDict):
    success: Literal[True]
    data: List[DateAccuracy]
    metadata: AccuracyByDateMetadata


class AccuracyByHourMetadata(CommonMetadata):
    total_records: int


class AccuracyByHourResponse(TypedDict):
    success: Literal[True]
    data: List[HourAccuracy]
    metadata: AccuracyByHourMetadata


class AccuracyByLeadTimeMetadata(CommonMetadata):
    total_records: int
    aligned_buckets: NotRequired[List[LeadTimeBucket]]
    cases_matched: NotRequired[int]
    cases_dropped: NotRequired[Dict[str, int]]


class AccuracyByLeadTimeResponse(TypedDict):
    success: Literal[True]
    data: List[LeadTimeAccuracy]
    metadata: AccuracyByLeadTimeMetadata


class AccuracyByStationMetadata(TypedDict):
    generated_at: str
    days_analyzed: int
    period_start: str
    period_end: str
    local_generated_at: str
    station_timezone: str
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    provider: str
    lead_time_buckets: NotRequired[List[LeadTimeBucket]]
    issued_hours: NotRequired[List[int]]
    accuracy_metric: Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]
    variable: NotRequired[AccuracyByBucketMetadataVariable]
    error_convention: Literal["forecast_minus_actual"]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    as_of: NotRequired[AsOf]
    known_at: NotRequired[str]
    late_reports: NotRequired[int]
    data_version: int
    timeline: str
    query_time_ms: int


class AccuracyByStationResponse(TypedDict):
    success: Literal[True]
    data: StationAccuracy
    metadata: AccuracyByStationMetadata


class AccuracyByWeatherRegimeMetadata(TypedDict):
    generated_at: str
    days_analyzed: int
    period_start: str
    period_end: str
    total_records: int
    min_coverage: NotRequired[MinCoverage]
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    provider: str
    lead_time_buckets: NotRequired[List[LeadTimeBucket]]
    issued_hours: NotRequired[List[int]]
    accuracy_metric: Literal["high", "low"]
    error_convention: Literal["forecast_minus_actual"]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    as_of: NotRequired[AsOf]
    known_at: NotRequired[str]
    late_reports: NotRequired[int]
    data_version: int
    timeline: str
    query_time_ms: int


class AccuracyByWeatherRegimeResponse(TypedDict):
    success: Literal[True]
    data: List[WeatherAccuracy]
    metadata: AccuracyByWeatherRegimeMetadata


class AccuracySummaryMetadata(CommonMetadata):
    total_records: int
    verification_coverage: VerificationCoverage


class AccuracySummaryResponse(TypedDict):
    success: Literal[True]
    data: Summary
    metadata: AccuracySummaryMetadata


class AsOf(TypedDict):
    """The version of the data that the request names, if any"""
    requested: str
    version: int
    recorded_at: Union[str, None]


class BiasCorrection(TypedDict):
    station_id: str
    city_name: str
    forecast_for_date: str
    lead_time_bucket: Literal["0-6h", "6-12h", "12-24h", "24-48h", "48-72h", "72h+"]
    lead_range: LeadRange
    forecast_f: float
    forecast_c: NotRequired[float]
    bias_f: Union[float, None]
    bias_c: NotRequired[Union[float, None]]
    corrected_forecast_f: Union[float, None]
    corrected_forecast_c: NotRequired[Union[float, None]]
    expected_low_f: Union[float, None]
    expected_low_c: NotRequired[Union[float, None]]
    expected_high_f: Union[float, None]
    expected_high_c: NotRequired[Union[float, None]]
    std_dev_f: Union[float, None]
    std_dev_c: NotRequired[Union[float, None]]
    sample_size: int
    network_days: int
    training_from: str
    training_to: str
    out_of_sample: OutOfSample
    level: float


class BiasCorrectionMetadata(TypedDict):
    generated_at: str
    days_analyzed: int
    period_start: str
    period_end: str
    total_records: int
    training_window: NotRequired[int]
    hint: NotRequired[str]
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    provider: str
    lead_time_buckets: NotRequired[List[LeadTimeBucket]]
    issued_hours: NotRequired[List[int]]
    accuracy_metric: Literal["high", "low"]
    error_convention: Literal["forecast_minus_actual"]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    as_of: NotRequired[AsOf]
    known_at: NotRequired[str]
    late_reports: NotRequired[int]
    data_version: int
    timeline: str
    query_time_ms: int


class BiasCorrectionResponse(TypedDict):
    success: Literal[True]
    data: BiasCorrection
    metadata: BiasCorrectionMetadata


class BucketAccuracy(TypedDict):
    temperature_range: str
    range_low_f: NotRequired[float]
    range_low_c: NotRequired[float]
    range_low: NotRequired[float]
    range_high_f: NotRequired[Union[float, None]]
    range_high_c: NotRequired[Union[float, None]]
    range_high: NotRequired[Union[float, None]]
    times_actual_in_range: int
    times_forecast_in_range: int
    times_both_in_range: int
    accuracy_when_forecast_in_range: Union[float, None]
    accuracy_when_forecast_in_range_low: Union[float, None]
    accuracy_when_forecast_in_range_high: Union[float, None]
    frequency_pct: float
    detection_rate: Union[float, None]
    mean_error_when_forecast_in_range: Union[float, None]
    mae_when_forecast_in_range: Union[float, None]


class ChanceReliability(TypedDict):
    chance_low: float
    chance_high: float
    cases: int
    wet_days: int
    mean_chance: float
    observed_share: Union[float, None]
    observed_share_low: Union[float, None]
    observed_share_high: Union[float, None]
    consistency_low: NotRequired[float]
    consistency_high: NotRequired[float]


class CityAccuracy(TypedDict):
    station_id: str
    city_name: str
    distance_km: NotRequired[float]
    sample_size: int
    stats: Stats
    uncertainty: NotRequired[Uncertainty]


class CollectedSourceRequests(TypedDict):
    """Since the first pass of the collector"""
    ok: int
    no_answer: int
    refused: int
    failed: int


class CollectedSource(TypedDict):
    source: str
    feed: Literal["forecasts", "observations", "hours", "hourly_forecasts"]
    provider: Union[str, None]
    stations: int
    last_success_at: Union[str, None]
    gaps: int
    permanent_gaps: int
    requests: CollectedSourceRequests
    minutes_since_success: Union[float, None]
    attribution: Union[str, None]


class ComparisonMetadata(CommonMetadata):
    total_records: int
    cells: int
    significant_cells: int
    reason: Union[str, None]


class ComparisonResponse(TypedDict):
    success: Literal[True]
    data: List[ProviderComparison]
    metadata: ComparisonMetadata


Consistency = TypedDict(
    "Consistency",
    {
        "from": "int",
        "to": "int",
        "proof": "List[str]",
    },
)


class ConsistencyResponse(TypedDict):
    success: Literal[True]
    data: Consistency


class DateAccuracy(TypedDict):
    date: str
    station_id: str
    city_name: str
    stats: Stats
    sample_size: int
    sum_forecast: NotRequired[Union[float, None]]
    sum_actual: NotRequired[Union[float, None]]
    preliminary_pairs: NotRequired[int]


class DepartureOther(TypedDict):
    other_provider: str
    other_forecast_f: NotRequired[float]
    other_forecast_c: NotRequired[float]
    other_forecast: NotRequired[float]
    other_issued_at: str


class Departure(TypedDict):
    station_id: str
    city_name: str
    target_date: str
    provider: str
    forecast_f: NotRequired[float]
    forecast_c: NotRequired[float]
    forecast: NotRequired[float]
    others_f: NotRequired[float]
    others_c: NotRequired[float]
    others_median: NotRequired[float]
    departure: float
    issued_at: str
    lead_time_hours: float
    lead_time_bucket: LeadTimeBucket
    share_true: Union[float, None]
    share_true_low: Union[float, None]
    share_true_high: Union[float, None]
    share_true_of: Union[Literal["station", "network"], None]
    departures: int
    expected_f: NotRequired[Union[float, None]]
    expected_c: NotRequired[Union[float, None]]
    expected: NotRequired[Union[float, None]]
    others: List[DepartureOther]


class DeparturesMetadata(TypedDict):
    generated_at: str
    truncated: bool
    next_cursor: Union[str, None]
    learned_from: str
    learned_to: str
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    provider: str
    accuracy_metric: Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]
    variable: NotRequired[AccuracyByBucketMetadataVariable]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    as_of: NotRequired[AsOf]
    known_at: NotRequired[str]
    data_version: int
    timeline: str
    query_time_ms: int


class DeparturesResponse(TypedDict):
    success: Literal[True]
    data: List[Departure]
    metadata: DeparturesMetadata


class DistributionMetadata(TypedDict):
    generated_at: str
    days_analyzed: int
    period_start: str
    period_end: str
    total_records: int
    cases_without_distribution: int
    cases_of_other_levels: int
    reason: Union[str, None]
    min_coverage: NotRequired[MinCoverage]
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    provider: str
    lead_time_buckets: NotRequired[List[LeadTimeBucket]]
    issued_hours: NotRequired[List[int]]
    accuracy_metric: Literal["high", "low"]
    error_convention: Literal["forecast_minus_actual"]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    as_of: NotRequired[AsOf]
    known_at: NotRequired[str]
    late_reports: NotRequired[int]
    data_version: int
    timeline: str
    query_time_ms: int


class DistributionResponse(TypedDict):
    success: Literal[True]
    data: List[DistributionScores]
    metadata: DistributionMetadata


class DistributionScoresCoverage(TypedDict):
    level: int
    observed: Union[float, None]
    low: Union[float, None]
    high: Union[float, None]
    verdict: Union[Literal["holds", "too_low", "too_high"], None]
    pinball: float


class DistributionScoresInterval(TypedDict):
    nominal: int
    covered: Union[float, None]
    covered_low: Union[float, None]
    covered_high: Union[float, None]
    mean_width: float


class DistributionScoresPit(TypedDict):
    counts: List[float]
    expected: List[float]


class DistributionScoresAgainstNormalDifference(TypedDict):
    """The provider's CRPS less its own; negative: the provider is better"""
    value: float
    low: Union[float, None]
    high: Union[float, None]
    p_value: Union[float, None]


class DistributionScoresAgainstNormal(TypedDict):
    """The forecast dressed by a normal of the mean and standard deviation of the errors of these very days"""
    cases: int
    crps_from_quantiles: float
    difference: DistributionScoresAgainstNormalDifference


class DistributionScoresAgainst(TypedDict):
    """Another distribution for the same forecasts"""
    normal: DistributionScoresAgainstNormal


class DistributionScores(TypedDict):
    provider: str
    lead_time_bucket: NotRequired[LeadTimeBucket]
    station_id: NotRequired[str]
    city_name: NotRequired[str]
    month: NotRequired[str]
    cases: int
    days: int
    levels: List[int]
    coverage: List[DistributionScoresCoverage]
    intervals: List[DistributionScoresInterval]
    pit: DistributionScoresPit
    shape: Union[Literal["flat", "too_narrow", "too_wide", "too_warm", "too_cold"], None]
    crps_from_quantiles: Union[float, None]
    spread_to_error: Union[float, None]
    against: DistributionScoresAgainst


class DivergenceMaeDifference(TypedDict):
    """mae minus mae_of_others, with its interval; negative: the provider errs less"""
    value: Union[float, None]
    low: Union[float, None]
    high: Union[float, None]
    std_error: Union[float, None]
    p_value: Union[float, None]


class DivergenceWarmer(TypedDict):
    """Of the departures those that are warmer than the others"""
    departures: int
    nearer: int
    equal: int
    farther: int
    nearer_rate: Union[float, None]
    nearer_rate_low: Union[float, None]
    nearer_rate_high: Union[float, None]
    mae: Union[float, None]
    mae_of_others: Union[float, None]
    mae_difference: DivergenceMaeDifference
    share_true: Union[float, None]
    share_true_low: Union[float, None]
    share_true_high: Union[float, None]


class DivergenceOtherwise(TypedDict):
    """The same on the other station days, for comparison"""
    station_days: int
    nearer: int
    equal: int
    farther: int
    nearer_rate: Union[float, None]
    nearer_rate_low: Union[float, None]
    nearer_rate_high: Union[float, None]
    mae: Union[float, None]
    mae_of_others: Union[float, None]
    mae_difference: DivergenceMaeDifference


class Divergence(TypedDict):
    provider: NotRequired[str]
    lead_time_bucket: NotRequired[LeadTimeBucket]
    month: NotRequired[str]
    station_id: NotRequired[str]
    city_name: NotRequired[str]
    threshold_f: NotRequired[float]
    threshold_c: NotRequired[float]
    threshold: NotRequired[float]
    days: int
    station_days: int
    departures: int
    departure_rate: Union[float, None]
    departure_rate_low: Union[float, None]
    departure_rate_high: Union[float, None]
    nearer: int
    equal: int
    farther: int
    nearer_rate: Union[float, None]
    nearer_rate_low: Union[float, None]
    nearer_rate_high: Union[float, None]
    mae: Union[float, None]
    mae_of_others: Union[float, None]
    mae_difference: DivergenceMaeDifference
    share_true: Union[float, None]
    share_true_low: Union[float, None]
    share_true_high: Union[float, None]
    verdict: Literal["provider", "others", "between", "cannot_tell", "too_few_days", "too_few_weeks"]
    warmer: DivergenceWarmer
    colder: DivergenceWarmer
    otherwise: DivergenceOtherwise
    mean_lead_hours: Union[float, None]
    mean_lead_hours_of_others: Union[float, None]
    hint: Union[str, None]


class DivergenceMetadata(CommonMetadata):
    total_records: int
    reason: Union[str, None]


class DivergenceResponse(TypedDict):
    success: Literal[True]
    data: List[Divergence]
    metadata: DivergenceMetadata


ErrorDistributionBucket = TypedDict(
    "ErrorDistributionBucket",
    {
        "range": "str",
        "count": "int",
        "pct": "float",
        "share": "float",
        "from_f": "NotRequired[float]",
        "from_c": "NotRequired[float]",
        "from": "NotRequired[float]",
        "to_f": "NotRequired[Union[float, None]]",
        "to_c": "NotRequired[Union[float, None]]",
        "to": "NotRequired[Union[float, None]]",
    },
)


class ErrorDistribution(TypedDict):
    station_id: str
    city_name: str
    buckets: List[ErrorDistributionBucket]
    verification_pairs: int
    unique_days: int


class ErrorDistributionMetadata(CommonMetadata):
    total_records: int


class ErrorDistributionResponse(TypedDict):
    success: Literal[True]
    data: ErrorDistribution
    metadata: ErrorDistributionMetadata


class ErrorResponseErrorDetail(TypedDict):
    parameter: str
    message: str


class ErrorResponseError(TypedDict):
    code: ErrorCode
    message: str
    details: NotRequired[List[ErrorResponseErrorDetail]]


class ErrorResponseMetadata(TypedDict):
    generated_at: str
    endpoint: str
    request_id: str


class ErrorResponse(TypedDict):
    success: Literal[False]
    error: ErrorResponseError
    metadata: ErrorResponseMetadata


class EventScores(TypedDict):
    lead_time_bucket: NotRequired[LeadTimeBucket]
    station_id: NotRequired[str]
    city_name: NotRequired[str]
    month: NotRequired[str]
    threshold_f: NotRequired[float]
    threshold_c: NotRequired[float]
    threshold: NotRequired[float]
    direction: Literal["at_or_above", "at_or_below"]
    cases: int
    hits: int
    false_alarms: int
    misses: int
    correct_negatives: int
    base_rate: Union[float, None]
    forecast_rate: Union[float, None]
    frequency_bias: Union[float, None]
    pod: Union[float, None]
    far: Union[float, None]
    pofd: Union[float, None]
    success_ratio: Union[float, None]
    csi: Union[float, None]
    ets: Union[float, None]
    hss: Union[float, None]
    sedi: Union[float, None]
    cost_loss: NotRequired[float]
    economic_value: NotRequired[Union[float, None]]
    base_rate_low: Union[float, None]
    base_rate_high: Union[float, None]
    forecast_rate_low: Union[float, None]
    forecast_rate_high: Union[float, None]
    pod_low: Union[float, None]
    pod_high: Union[float, None]
    far_low: Union[float, None]
    far_high: Union[float, None]
    pofd_low: Union[float, None]
    pofd_high: Union[float, None]
    success_ratio_low: Union[float, None]
    success_ratio_high: Union[float, None]
    csi_low: Union[float, None]
    csi_high: Union[float, None]
    frequency_bias_low: Union[float, None]
    frequency_bias_high: Union[float, None]
    ets_low: Union[float, None]
    ets_high: Union[float, None]
    hss_low: Union[float, None]
    hss_high: Union[float, None]
    economic_value_low: NotRequired[Union[float, None]]
    economic_value_high: NotRequired[Union[float, None]]


class EventsMetadata(CommonMetadata):
    total_records: int
    verification_coverage: VerificationCoverage


class EventsResponse(TypedDict):
    success: Literal[True]
    data: List[EventScores]
    metadata: EventsMetadata


class ExceedanceThreshold(TypedDict):
    threshold_f: NotRequired[float]
    threshold_c: NotRequired[float]
    threshold: NotRequired[float]
    exceedance_rate: Union[float, None]
    within_rate: Union[float, None]
    low: Union[float, None]
    high: Union[float, None]
    n_eff: Union[float, None]


class Exceedance(TypedDict):
    station_id: str
    thresholds: List[ExceedanceThreshold]
    verification_pairs: int
    unique_days: int
    city_name: str
    level: float


class ExceedanceMetadata(CommonMetadata):
    total_records: int


class ExceedanceResponse(TypedDict):
    success: Literal[True]
    data: Exceedance
    metadata: ExceedanceMetadata


class ExceedanceSummaryThreshold(TypedDict):
    threshold_f: NotRequired[float]
    threshold_c: NotRequired[float]
    threshold: NotRequired[float]
    exceedance_rate: Union[float, None]


class ExceedanceSummary(TypedDict):
    thresholds: List[ExceedanceSummaryThreshold]
    verification_pairs: int
    unique_days: int


class ExceedanceSummaryMetadata(CommonMetadata):
    total_records: int


class ExceedanceSummaryResponse(TypedDict):
    success: Literal[True]
    data: ExceedanceSummary
    metadata: ExceedanceSummaryMetadata


class ExportedFact(TypedDict):
    """One fact"""
    feed: Literal["forecasts", "distributions", "observations", "hourly_forecasts", "hours", "sealed_odds", "normals", "stations"]
    day: str
    line: str


class ExportedPair(TypedDict):
    """One verification pair"""
    metric: Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]
    station_id: str
    target_date: str
    valid_at: NotRequired[str]
    issued_at: str
    lead_time_hours: float
    lead_time_bucket: LeadTimeBucket
    forecast: float
    actual: float
    error: float
    observation_status: Literal["verified", "preliminary"]
    sd: NotRequired[Union[float, None]]
    p05: NotRequired[Union[float, None]]
    p10: NotRequired[Union[float, None]]
    p20: NotRequired[Union[float, None]]
    p25: NotRequired[Union[float, None]]
    p30: NotRequired[Union[float, None]]
    p40: NotRequired[Union[float, None]]
    p50: NotRequired[Union[float, None]]
    p60: NotRequired[Union[float, None]]
    p70: NotRequired[Union[float, None]]
    p75: NotRequired[Union[float, None]]
    p80: NotRequired[Union[float, None]]
    p90: NotRequired[Union[float, None]]
    p95: NotRequired[Union[float, None]]
    provider: NotRequired[str]


class Forecast(TypedDict):
    station_id: str
    city_name: str
    metric: Literal["high", "low"]
    target_date: str
    issued_at: str
    lead_time_hours: float
    lead_time_bucket: Union[LeadTimeBucket, None]
    forecast_f: Union[float, None]
    forecast_c: NotRequired[Union[float, None]]
    load_id: int
    superseded: bool


class ForecastActual(TypedDict):
    """One verification pair"""
    station_id: str
    city_name: str
    target_date: str
    valid_at: NotRequired[str]
    issued_at: str
    lead_time_hours: float
    lead_time_bucket: LeadTimeBucket
    forecast: float
    actual: float
    error: float
    observation_status: Literal["verified", "preliminary"]


class ForecastActualMetadata(CommonMetadata):
    total_records: int
    truncated: bool
    next_cursor: Union[str, None]


class ForecastActualResponse(TypedDict):
    success: Literal[True]
    data: List[ForecastActual]
    metadata: ForecastActualMetadata


class ForecastsMetadata(TypedDict):
    generated_at: str
    forecast_for_date: str
    truncated: bool
    next_cursor: Union[str, None]
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    provider: str
    issued_hours: NotRequired[List[int]]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    data_version: int
    timeline: str
    query_time_ms: int


class ForecastsResponse(TypedDict):
    success: Literal[True]
    data: List[Forecast]
    metadata: ForecastsMetadata


class Freshness(TypedDict):
    data_type: Literal["weather_forecasts"]
    records_last_24h: int
    stations_updated: int
    earliest_recent: Union[str, None]
    latest_recent: Union[str, None]
    minutes_since_latest: Union[float, None]
    latest_issued_at: Union[str, None]
    latest_target_date: Union[str, None]
    latest_verified_date: Union[str, None]
    last_load_id: int
    sources: List[CollectedSource]


class FreshnessMetadata(TypedDict):
    generated_at: str
    data_version: int
    timeline: str
    query_time_ms: int


class FreshnessResponse(TypedDict):
    success: Literal[True]
    data: Freshness
    metadata: FreshnessMetadata


class Health(TypedDict):
    status: Literal["ok", "degraded"]
    timestamp: str
    database: Literal["ok", "unavailable"]
    version: str


class HitRate(TypedDict):
    station_id: str
    city_name: str
    total_days: int
    exact_hits: int
    within_1: int
    within_2: int
    within_3: int
    misses_10: int
    exact_rate: Union[float, None]
    exact_rate_low: Union[float, None]
    exact_rate_high: Union[float, None]
    within_1_rate: Union[float, None]
    within_1_rate_low: Union[float, None]
    within_1_rate_high: Union[float, None]
    within_2_rate: Union[float, None]
    within_2_rate_low: Union[float, None]
    within_2_rate_high: Union[float, None]
    within_3_rate: Union[float, None]
    within_3_rate_low: Union[float, None]
    within_3_rate_high: Union[float, None]
    misses_10_rate: Union[float, None]
    misses_10_rate_low: Union[float, None]
    misses_10_rate_high: Union[float, None]
    mean_lead_hours: Union[float, None]


class HitRateMetadata(CommonMetadata):
    total_records: int
    network: HitRateTotals
    verification_coverage: VerificationCoverage


class HitRateResponse(TypedDict):
    success: Literal[True]
    data: List[HitRate]
    metadata: HitRateMetadata


class HitRateTotals(TypedDict):
    """The days of all records together"""
    total_days: int
    exact_hits: int
    within_1: int
    within_2: int
    within_3: int
    misses_10: int
    exact_rate: Union[float, None]
    exact_rate_low: Union[float, None]
    exact_rate_high: Union[float, None]
    within_1_rate: Union[float, None]
    within_1_rate_low: Union[float, None]
    within_1_rate_high: Union[float, None]
    within_2_rate: Union[float, None]
    within_2_rate_low: Union[float, None]
    within_2_rate_high: Union[float, None]
    within_3_rate: Union[float, None]
    within_3_rate_low: Union[float, None]
    within_3_rate_high: Union[float, None]
    misses_10_rate: Union[float, None]
    misses_10_rate_low: Union[float, None]
    misses_10_rate_high: Union[float, None]
    mean_lead_hours: Union[float, None]


class HourAccuracy(TypedDict):
    hour: int
    stats: Stats
    uncertainty: NotRequired[Uncertainty]


class HourlyReport(TypedDict):
    station_id: str
    city_name: str
    at: str
    temp_f: Union[float, None]
    temp_c: NotRequired[Union[float, None]]
    max_6h_f: Union[float, None]
    max_6h_c: NotRequired[Union[float, None]]
    min_6h_f: Union[float, None]
    min_6h_c: NotRequired[Union[float, None]]
    precip_in: Union[float, None]
    sky: Union[Literal["CLR", "FEW", "SCT", "BKN", "OVC", "VV"], None]


class HoursMetadata(TypedDict):
    generated_at: str
    start_time: str
    end_time: str
    truncated: bool
    next_cursor: Union[str, None]
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    data_version: int
    timeline: str
    query_time_ms: int


class HoursResponse(TypedDict):
    success: Literal[True]
    data: List[HourlyReport]
    metadata: HoursMetadata


class IndexEntry(TypedDict):
    path: str
    summary: str
    parameters: List[str]


class IndexMetadata(TypedDict):
    generated_at: str
    documentation: str
    openapi: str
    data_version: int
    timeline: str
    query_time_ms: int


class IndexResponse(TypedDict):
    success: Literal[True]
    data: List[IndexEntry]
    metadata: IndexMetadata


class LeadRange(TypedDict):
    """The leads of the forecasts that count, in hours"""
    nearest_lead_hours: Union[float, None]
    from_lead_hours: int
    to_lead_hours: int


class LeadTimeAccuracyMatchedMaeDifference(TypedDict):
    """MAE minus that of the first bucket compared, on the same cases, °F; null for the first"""
    value: float
    low: Union[float, None]
    high: Union[float, None]


class LeadTimeAccuracyMatched(TypedDict):
    """With align=matched: over the cases that all compared buckets have; null for a bucket not compared"""
    cases: int
    days: int
    mean_error: Union[float, None]
    mae: Union[float, None]
    rmse: Union[float, None]
    uncertainty: Uncertainty
    mae_difference: Union[LeadTimeAccuracyMatchedMaeDifference, None]


class LeadTimeAccuracy(TypedDict):
    lead_time_bucket: LeadTimeBucket
    label: str
    description: str
    stats: Stats
    uncertainty: NotRequired[Uncertainty]
    sum_forecast: NotRequired[Union[float, None]]
    sum_actual: NotRequired[Union[float, None]]
    matched: NotRequired[Union[LeadTimeAccuracyMatched, None]]


class LoadFeed(TypedDict):
    feed: Literal["stations", "forecasts", "observations", "normals", "hours", "hourly_forecasts"]
    rows_read: int
    rows_new: int
    rows_corrected: int
    rows_unchanged: int
    rows_rejected: int


class Load(TypedDict):
    version: int
    outcome: Literal["complete", "some_rows_rejected", "leftovers_settled", "repaired", "failed", "unfinished"]
    reason: Union[str, None]
    started_at: str
    finished_at: Union[str, None]
    providers: List[str]
    pairs_added: Union[int, None]
    pairs_withdrawn: Union[int, None]
    alarms_raised: List[str]
    alarms_cleared: List[str]
    feeds: List[LoadFeed]


class LoadsMetadata(TypedDict):
    generated_at: str
    next_before: Union[int, None]
    data_version: int
    timeline: str
    query_time_ms: int


class LoadsResponse(TypedDict):
    success: Literal[True]
    data: List[Load]
    metadata: LoadsMetadata


class MinCoverage(TypedDict):
    """With min_coverage: the stations that it leaves out"""
    share: float
    stations_left_out: int


class Observation(TypedDict):
    station_id: str
    city_name: str
    date: str
    metric: Literal["high", "low"]
    actual_f: Union[float, None]
    actual_c: NotRequired[Union[float, None]]
    status: Literal["preliminary", "verified"]
    observed_at: str
    load_id: int
    current: bool


class ObservationsMetadata(TypedDict):
    generated_at: str
    days_analyzed: int
    period_start: str
    period_end: str
    truncated: bool
    next_cursor: Union[str, None]
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    data_version: int
    timeline: str
    query_time_ms: int


class ObservationsResponse(TypedDict):
    success: Literal[True]
    data: List[Observation]
    metadata: ObservationsMetadata


class OutOfSampleGain(TypedDict):
    """To 0.001"""
    value: Union[float, None]
    low: Union[float, None]
    high: Union[float, None]


class OutOfSample(TypedDict):
    cases: int
    days: int
    mae_raw: Union[float, None]
    mae_corrected: Union[float, None]
    gain: OutOfSampleGain
    verdict: Literal["improves", "not_significant", "worsens"]
    note: str


class PeakTimingShareByHour(TypedDict):
    hour: int
    days: int
    share_reached: Union[float, None]
    mean_rise_f: Union[float, None]
    mean_rise_c: NotRequired[Union[float, None]]


class PeakTimingByMonth(TypedDict):
    month: str
    sample_count: int
    median_peak_hour: Union[int, None]
    median_peak_time_local: Union[str, None]
    peak_time_distribution: Dict[str, float]
    share_by_hour: List[PeakTimingShareByHour]


class PeakTiming(TypedDict):
    station_id: str
    city_name: str
    station_timezone: str
    sample_count: int
    median_peak_hour: Union[int, None]
    median_peak_time_local: Union[str, None]
    peak_time_distribution: Dict[str, float]
    share_by_hour: List[PeakTimingShareByHour]
    by_month: NotRequired[List[PeakTimingByMonth]]


class PeakTimingMetadata(TypedDict):
    generated_at: str
    days_analyzed: int
    period_start: str
    period_end: str
    total_records: int
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    accuracy_metric: Literal["high", "low"]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    as_of: NotRequired[AsOf]
    known_at: NotRequired[str]
    data_version: int
    timeline: str
    query_time_ms: int


class PeakTimingResponse(TypedDict):
    success: Literal[True]
    data: PeakTiming
    metadata: PeakTimingMetadata


class ProbabilityMembers(TypedDict):
    forecast_f: float
    forecast_c: NotRequired[float]
    issued_at: str
    bias_f: Union[float, None]
    bias_c: NotRequired[Union[float, None]]


class ProbabilitySettlement(TypedDict):
    """The settled value that the probabilities are about: a whole degree, as in climate reports"""
    unit: Literal["whole_f", "whole_c"]
    rounding: Literal["half_up"]
    day: Literal["civil", "standard"]


class ProbabilityThreshold(TypedDict):
    threshold_f: float
    threshold_c: NotRequired[float]
    at_or_above: Union[float, None]
    below: Union[float, None]
    low: Union[float, None]
    high: Union[float, None]
    station_days_at_or_above: int
    network_days_at_or_above: int


class ProbabilityBracket(TypedDict):
    from_f: Union[float, None]
    from_c: NotRequired[Union[float, None]]
    to_f: Union[float, None]
    to_c: NotRequired[Union[float, None]]
    probability: Union[float, None]
    low: Union[float, None]
    high: Union[float, None]
    station_days: int
    network_days: int


class ProbabilitySoFar(TypedDict):
    """What has been measured of the day, by day_so_far; null by mixture"""
    m: Union[int, None]
    at: str
    day_begins_at: str
    hour: int
    gap: Union[int, None]
    slope: float
    cases: int
    hours_reported: int
    from_6h_groups: int


class Probability(TypedDict):
    station_id: str
    city_name: str
    target_date: str
    forecast_f: Union[float, None]
    forecast_c: NotRequired[Union[float, None]]
    weights: NotRequired[Dict[str, float]]
    excluded: NotRequired[Dict[str, str]]
    members: NotRequired[Dict[str, ProbabilityMembers]]
    issued_at: Union[str, None]
    lead_time_bucket: Union[Literal["0-6h", "6-12h", "12-24h", "24-48h", "48-72h", "72h+"], None]
    lead_range: Union[LeadRange, None]
    settlement: ProbabilitySettlement
    training: ProbabilityTraining
    quantiles: TemperatureQuantiles
    thresholds: NotRequired[List[ProbabilityThreshold]]
    brackets: NotRequired[List[ProbabilityBracket]]
    level: float
    reason: Union[str, None]
    method: NotRequired[Literal["mixture", "day_so_far"]]
    so_far: NotRequired[Union[ProbabilitySoFar, None]]
    hint: NotRequired[Union[str, None]]


class ProbabilityMetadata(TypedDict):
    generated_at: str
    station_id: str
    provider: str
    accuracy_metric: Literal["high", "low"]
    today_basis: NotRequired[Literal["utc"]]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    as_of: NotRequired[AsOf]
    known_at: NotRequired[str]
    training_window: NotRequired[int]
    hint: NotRequired[str]
    data_version: int
    timeline: str
    query_time_ms: int


class ProbabilityReliabilityMetadata(TypedDict):
    generated_at: str
    days_analyzed: int
    period_start: str
    period_end: str
    total_records: int
    training_window: NotRequired[int]
    hint: NotRequired[str]
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    provider: str
    lead_time_buckets: NotRequired[List[LeadTimeBucket]]
    issued_hours: NotRequired[List[int]]
    accuracy_metric: Literal["high", "low"]
    error_convention: Literal["forecast_minus_actual"]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    as_of: NotRequired[AsOf]
    known_at: NotRequired[str]
    late_reports: NotRequired[int]
    data_version: int
    timeline: str
    query_time_ms: int


class ProbabilityReliabilityResponse(TypedDict):
    success: Literal[True]
    data: Reliability
    metadata: ProbabilityReliabilityMetadata


class ProbabilityResponse(TypedDict):
    success: Literal[True]
    data: Probability
    metadata: ProbabilityMetadata


ProbabilityTraining = TypedDict(
    "ProbabilityTraining",
    {
        "from": "str",
        "to": "str",
        "station_days": "int",
        "network_days": "int",
        "weight_station": "float",
        "mean_lead_hours": "Union[float, None]",
        "min_lead_hours": "Union[float, None]",
        "max_lead_hours": "Union[float, None]",
        "bias_f": "Union[float, None]",
        "bias_c": "NotRequired[Union[float, None]]",
        "std_dev_f": "Union[float, None]",
        "std_dev_c": "NotRequired[Union[float, None]]",
    },
)


class Provider(TypedDict):
    provider: str
    is_default: bool
    stations: int
    first_target_date: Union[str, None]
    last_target_date: Union[str, None]
    verification_pairs: int
    variables: NotRequired[List[str]]
    alarms: List[str]


class ProviderBesideBlend(TypedDict):
    crps_f: Union[float, None]
    crps_c: NotRequired[Union[float, None]]
    mae_f: Union[float, None]
    mae_c: NotRequired[Union[float, None]]
    crps_difference_f: OutOfSampleGain
    crps_difference_c: NotRequired[OutOfSampleGain]
    mae_difference_f: OutOfSampleGain
    mae_difference_c: NotRequired[OutOfSampleGain]


class ProviderComparisonMaeDifference(TypedDict):
    """The provider's MAE minus the reference's, with its interval; negative: the provider errs less"""
    value: Union[float, None]
    low: Union[float, None]
    high: Union[float, None]
    std_error: Union[float, None]
    n_eff: Union[float, None]


class ProviderComparison(TypedDict):
    lead_time_bucket: NotRequired[LeadTimeBucket]
    lead_hour: NotRequired[int]
    month: NotRequired[str]
    season: NotRequired[Literal["DJF", "MAM", "JJA", "SON"]]
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    station_id: NotRequired[str]
    city_name: NotRequired[str]
    provider: str
    reference: str
    verdict: Literal["better", "worse", "not_significant", "no_common_days"]
    identical: bool
    cases: int
    days: int
    mae_difference: ProviderComparisonMaeDifference
    mse_difference: ProviderComparisonMaeDifference
    brier_difference: NotRequired[ProviderComparisonMaeDifference]
    brier_score: NotRequired[Union[float, None]]
    reference_brier_score: NotRequired[Union[float, None]]
    mean_error: Union[float, None]
    reference_mean_error: Union[float, None]
    mae: Union[float, None]
    reference_mae: Union[float, None]
    rmse: Union[float, None]
    reference_rmse: Union[float, None]
    mean_lead_hours: Union[float, None]
    reference_mean_lead_hours: Union[float, None]
    wins: int
    losses: int
    ties: int
    win_rate: Union[float, None]
    win_rate_low: Union[float, None]
    win_rate_high: Union[float, None]
    dm_statistic: Union[float, None]
    dm_degrees_of_freedom: int
    dm_p_value: Union[float, None]
    dm_p_value_fdr: Union[float, None]
    significant: bool
    provider_only_cases: int
    reference_only_cases: int
    hint: Union[str, None]


class ProvidersMetadata(TypedDict):
    generated_at: str
    data_version: int
    timeline: str
    query_time_ms: int


class ProvidersResponse(TypedDict):
    success: Literal[True]
    data: List[Provider]
    metadata: ProvidersMetadata


class ReliabilityNormal2f(TypedDict):
    """A normal distribution with 2 °F around the forecast, a common choice"""
    brier: Union[float, None]
    crps_f: Union[float, None]
    crps_c: NotRequired[Union[float, None]]
    log_score: Union[float, None]
    reliability: Union[float, None]
    brier_skill: Union[float, None]
    crps_skill: Union[float, None]
    brier_difference: OutOfSampleGain
    crps_difference_f: OutOfSampleGain
    crps_difference_c: NotRequired[OutOfSampleGain]


class ReliabilityMixture(TypedDict):
    brier: Union[float, None]
    crps_f: Union[float, None]
    crps_c: NotRequired[Union[float, None]]
    log_score: Union[float, None]
    reliability: Union[float, None]
    brier_skill: Union[float, None]
    crps_skill: Union[float, None]
    brier_difference: OutOfSampleGain
    crps_difference_f: OutOfSampleGain
    crps_difference_c: NotRequired[OutOfSampleGain]
    cases: int


ReliabilityBin = TypedDict(
    "ReliabilityBin",
    {
        "from": "float",
        "to": "float",
        "forecasts": "int",
        "mean_probability": "Union[float, None]",
        "observed": "Union[float, None]",
        "low": "Union[float, None]",
        "high": "Union[float, None]",
    },
)


class ReliabilityBlend(TypedDict):
    """With several providers: their blend beside each of them, on the station days that all forecast"""
    mae_f: Union[float, None]
    mae_c: NotRequired[Union[float, None]]
    members: Dict[str, ProviderBesideBlend]
    best: ProviderBesideBlend
    compared_days: int
    verdict: Literal["better", "not_significant", "worse", "too_few_days"]
    note: str


class ReliabilitySealedSince(TypedDict):
    """With sealed: the first sealed odds of the subject, of any lead time; null without any"""
    version: int
    recorded_at: str


class Reliability(TypedDict):
    station_id: str
    city_name: str
    lead_time_bucket: Union[Literal["0-6h", "6-12h", "12-24h", "24-48h", "48-72h", "72h+"], None]
    lead_range: Union[LeadRange, None]
    hour: NotRequired[int]
    cases: int
    days: int
    cases_without_training: int
    brier: OutOfSampleGain
    crps_f: OutOfSampleGain
    crps_c: NotRequired[OutOfSampleGain]
    log_score: OutOfSampleGain
    reliability: Union[float, None]
    resolution: Union[float, None]
    uncertainty: Union[float, None]
    within_bins: Union[float, None]
    normal_2f: NotRequired[ReliabilityNormal2f]
    network: NotRequired[ReliabilityNormal2f]
    station: NotRequired[ReliabilityNormal2f]
    rise: NotRequired[ReliabilityNormal2f]
    mixture: NotRequired[ReliabilityMixture]
    pit: List[float]
    bins: List[ReliabilityBin]
    level: float
    blend: NotRequired[ReliabilityBlend]
    sealed_since: NotRequired[Union[ReliabilitySealedSince, None]]


class ReliabilityOfChancesMetadata(CommonMetadata):
    total_records: int


class ReliabilityOfChancesResponse(TypedDict):
    success: Literal[True]
    data: List[ChanceReliability]
    metadata: ReliabilityOfChancesMetadata


class RevisionStats(TypedDict):
    station_id: str
    city_name: str
    station_days: int
    forecasts: int
    revisions_per_day: float
    changes_per_day: float
    mean_abs_change_f: NotRequired[Union[float, None]]
    mean_abs_change_c: NotRequired[Union[float, None]]
    mean_abs_change: NotRequired[Union[float, None]]
    mean_drift_f: NotRequired[float]
    mean_drift_c: NotRequired[float]
    mean_drift: NotRequired[float]
    flip_flop_index: Union[float, None]
    days_with_revisions: int
    improved_rate: Union[float, None]
    improved_rate_low: Union[float, None]
    improved_rate_high: Union[float, None]
    unchanged_rate: Union[float, None]
    unchanged_rate_low: Union[float, None]
    unchanged_rate_high: Union[float, None]
    miss_rate: Union[float, None]
    miss_rate_low: Union[float, None]
    miss_rate_high: Union[float, None]
    mae_first: float
    mae_last: float


class RevisionStatsMetadata(CommonMetadata):
    total_records: int


class RevisionStatsResponse(TypedDict):
    success: Literal[True]
    data: List[RevisionStats]
    metadata: RevisionStatsMetadata


class RunStats(TypedDict):
    city: str
    station_id: str
    forecast_count: int
    oldest_forecast: str
    max_hours: Union[float, None]
    avg_hours: Union[float, None]
    median_hours: Union[float, None]


class RunStatsMetadata(TypedDict):
    generated_at: str
    start_time: str
    end_time: str
    total_records: int
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    provider: str
    issued_hours: NotRequired[List[int]]
    data_version: int
    timeline: str
    query_time_ms: int


class RunStatsResponse(TypedDict):
    success: Literal[True]
    data: List[RunStats]
    metadata: RunStatsMetadata


class SampleRecord(TypedDict):
    """One verification pair"""
    target_date: str
    valid_at: NotRequired[str]
    issued_at: str
    lead_time_hours: float
    lead_time_bucket: LeadTimeBucket
    forecast: float
    actual: float
    error: float
    observation_status: Literal["verified", "preliminary"]


class SampleSize(TypedDict):
    station_id: str
    city_name: str
    verification_pairs: int
    unique_days: int
    preliminary_pairs: int
    first_date: Union[str, None]
    last_date: Union[str, None]
    days_expected: int
    coverage: float
    n_eff_mae: Union[float, None]
    windows_forecast: NotRequired[int]
    windows_without_report: NotRequired[int]
    windows_without_amount: NotRequired[int]
    sufficient: bool


class SampleSizeMetadata(CommonMetadata):
    total_records: int


class SampleSizeResponse(TypedDict):
    success: Literal[True]
    data: List[SampleSize]
    metadata: SampleSizeMetadata


class SealMonth(TypedDict):
    feed: str
    month: str
    rows: int
    root: str


class Seal(TypedDict):
    version: int
    leaf: str
    months: List[SealMonth]
    index: int
    proof: List[str]
    checkpoint: str
    verifier_key: Union[str, None]


class SealResponse(TypedDict):
    success: Literal[True]
    data: Seal


class Skill(TypedDict):
    lead_time_bucket: NotRequired[LeadTimeBucket]
    station_id: NotRequired[str]
    city_name: NotRequired[str]
    reference: Literal["persistence", "climatology"]
    cases_with_normals: NotRequired[int]
    cases: int
    cases_without_reference: int
    days: int
    mae: Union[float, None]
    reference_mae: Union[float, None]
    skill_mae: OutOfSampleGain
    msess: OutOfSampleGain
    within_3_rate: Union[float, None]
    reference_within_3_rate: Union[float, None]
    mean_reference_lag_days: Union[float, None]
    brier_score: NotRequired[Union[float, None]]
    reference_brier_score: NotRequired[Union[float, None]]
    brier_skill_score: NotRequired[OutOfSampleGain]


class SkillMetadata(CommonMetadata):
    total_records: int
    reason: NotRequired[Union[str, None]]


class SkillResponse(TypedDict):
    success: Literal[True]
    data: List[Skill]
    metadata: SkillMetadata


class StationExternalIds(TypedDict):
    """Identifiers on other platforms"""
    icao: str
    iata: str


class Station(TypedDict):
    station_id: str
    city_name: str
    country: str
    latitude: float
    longitude: float
    timezone: str
    climate_zone: str
    data_active: bool
    aliases: List[str]
    external_ids: StationExternalIds
    reported_in: Literal["", "whole_fahrenheit", "whole_celsius"]
    distance_km: NotRequired[float]


class StationAccuracy(TypedDict):
    station_id: str
    city_name: str
    stats: Stats
    sample_size: int
    uncertainty: NotRequired[Uncertainty]
    sample_records: NotRequired[List[SampleRecord]]


class StationsMetadataResponse(TypedDict):
    success: Literal[True]
    data: List[Station]


class StatisticInterval(TypedDict):
    """The interval of a statistic; all null below 14 days with pairs, or without spread"""
    low: Union[float, None]
    high: Union[float, None]
    std_error: Union[float, None]
    n_eff: Union[float, None]


class Stats(TypedDict):
    """Error statistics over the pairs, rounded to 0.01"""
    verification_pairs: int
    unique_days: int
    mean_error: Union[float, None]
    std_dev: Union[float, None]
    mae: Union[float, None]
    rmse: Union[float, None]
    abs_error_p50: Union[float, None]
    abs_error_p90: Union[float, None]
    abs_error_p95: Union[float, None]
    brier_score: NotRequired[Union[float, None]]
    brier_skill_score: NotRequired[Union[float, None]]
    reliability: NotRequired[Union[float, None]]
    resolution: NotRequired[Union[float, None]]
    base_rate: NotRequired[Union[float, None]]


class Summary(TypedDict):
    verification_pairs: int
    unique_days: int
    mean_error: Union[float, None]
    std_dev: Union[float, None]
    mae: Union[float, None]
    rmse: Union[float, None]
    abs_error_p50: Union[float, None]
    abs_error_p90: Union[float, None]
    abs_error_p95: Union[float, None]
    brier_score: NotRequired[Union[float, None]]
    brier_skill_score: NotRequired[Union[float, None]]
    reliability: NotRequired[Union[float, None]]
    resolution: NotRequired[Union[float, None]]
    base_rate: NotRequired[Union[float, None]]
    uncertainty: NotRequired[Uncertainty]
    sum_forecast: NotRequired[Union[float, None]]
    sum_actual: NotRequired[Union[float, None]]


class Suspect(TypedDict):
    station_id: str
    city_name: str
    date: str
    metric: Literal["high", "low"]
    actual_f: float
    actual_c: NotRequired[float]
    status: Literal["preliminary", "verified"]
    observed_at: str
    reasons: List[Literal["repeated", "hours", "all_providers", "neighbours"]]
    run_days: Union[float, None]
    run_since: Union[str, None]
    longest_run_before: Union[float, None]
    hours_extreme_f: Union[float, None]
    hours_extreme_c: NotRequired[Union[float, None]]
    off_all_providers: Union[float, None]
    error_std_dev: Union[float, None]
    jump: Union[float, None]
    usual_jump: Union[float, None]
    neighbours: List[str]
    neighbours_km: List[float]


class SuspectsMetadata(TypedDict):
    generated_at: str
    days_analyzed: int
    period_start: str
    period_end: str
    truncated: bool
    next_cursor: Union[str, None]
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    data_version: int
    timeline: str
    query_time_ms: int


class SuspectsResponse(TypedDict):
    success: Literal[True]
    data: List[Suspect]
    metadata: SuspectsMetadata


class TemperatureQuantiles(TypedDict):
    """The smallest whole degree of the request with at least this probability at or below it: for p10 it is 10%, so a threshold one degree higher has `below` of 0.1 or more. If null, reason says why"""
    p05: Union[int, None]
    p10: Union[int, None]
    p25: Union[int, None]
    p50: Union[int, None]
    p75: Union[int, None]
    p90: Union[int, None]
    p95: Union[int, None]


class Uncertainty(TypedDict):
    """With `ci`: confidence intervals of the statistics"""
    level: float
    method: Literal["day_ewc", "week_batches"]
    days: int
    degrees_of_freedom: int
    mean_error: StatisticInterval
    mae: StatisticInterval
    rmse: StatisticInterval


class UpdateFrequency(TypedDict):
    station_id: str
    city_name: str
    issuances: int
    issuances_per_day: float
    median_gap_hours: Union[float, None]
    max_gap_hours: Union[float, None]
    avg_gap_hours: Union[float, None]
    last_issued_at: str


class UpdateFrequencyMetadata(TypedDict):
    generated_at: str
    days_analyzed: int
    period_start: str
    period_end: str
    total_records: int
    min_coverage: NotRequired[MinCoverage]
    station_id: str
    stations: NotRequired[int]
    today_basis: NotRequired[Literal["utc"]]
    provider: str
    lead_time_buckets: NotRequired[List[LeadTimeBucket]]
    issued_hours: NotRequired[List[int]]
    accuracy_metric: Literal["high", "low"]
    error_convention: Literal["forecast_minus_actual"]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    as_of: NotRequired[AsOf]
    known_at: NotRequired[str]
    late_reports: NotRequired[int]
    data_version: int
    timeline: str
    query_time_ms: int


class UpdateFrequencyResponse(TypedDict):
    success: Literal[True]
    data: List[UpdateFrequency]
    metadata: UpdateFrequencyMetadata


class UsageMetadata(TypedDict):
    generated_at: str
    key_id: str
    key_name: str
    counted_since: str
    requests_per_minute: Union[int, None]
    requests_left: Union[int, None]
    rows_per_minute: Union[int, None]
    rows_left: Union[int, None]
    data_version: int
    timeline: str
    query_time_ms: int


class UsageOfDay(TypedDict):
    date: str
    requests: int
    rate_limited: int
    responses: int
    responses_cached: int
    cached_pct: Union[float, None]
    rows_read: int


class UsageResponse(TypedDict):
    success: Literal[True]
    data: List[UsageOfDay]
    metadata: UsageMetadata


class VerificationCoverage(TypedDict):
    """How far the numbers are final; they are without preliminary days"""
    verified_days: int
    preliminary_days: int
    verified_pct: Union[float, None]


class VersionData(TypedDict):
    data_version: int
    finished_at: str
    outcome: Literal["complete", "some_rows_rejected", "leftovers_settled", "repaired"]
    pairs_added: Union[int, None]
    pairs_withdrawn: Union[int, None]
    alarms: List[str]


class VersionEvent(TypedDict):
    """The latest load that has finished"""
    id: str
    event: Literal["version"]
    data: VersionData


class WeatherAccuracy(TypedDict):
    weather_regime: Literal["precipitation", "cloudy", "clear", "unknown"]
    label: str
    description: str
    stats: Stats
    uncertainty: NotRequired[Uncertainty]


class ExportPairsParameters(TypedDict):
    days: NotRequired[int]
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    station_id: NotRequired[str]
    city: NotRequired[str]
    stations: NotRequired[str]
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    near: NotRequired[str]
    radius_km: NotRequired[float]
    bbox: NotRequired[str]
    provider: NotRequired[str]
    lead_time_bucket: NotRequired[str]
    include_same_day: NotRequired[bool]
    issued_hour: NotRequired[str]
    distribution: NotRequired[bool]
    as_of: NotRequired[str]
    format: NotRequired[Literal["csv", "ndjson", "parquet"]]
    cursor: NotRequired[str]


class ExportFactsParameters(TypedDict):
    version: NotRequired[str]
    format: NotRequired[Literal["csv", "ndjson", "parquet"]]
    cursor: NotRequired[str]


class AccuracyByDateParameters(CommonParameters):
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    city: NotRequired[str]
    include_preliminary: NotRequired[bool]
    group_by: NotRequired[Literal["week", "month", "season", "year"]]


class AccuracyByDateOfStationParameters(TypedDict):
    station_id: str
    days: NotRequired[int]
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    known_at: NotRequired[str]
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    provider: NotRequired[str]
    lead_time_bucket: NotRequired[str]
    as_of: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    min_coverage: NotRequired[float]
    city: NotRequired[str]
    stations: NotRequired[str]
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    near: NotRequired[str]
    radius_km: NotRequired[float]
    bbox: NotRequired[str]
    include_preliminary: NotRequired[bool]
    group_by: NotRequired[Literal["week", "month", "season", "year"]]


class AccuracyByHourParameters(CommonParameters):
    metric: NotRequired[Literal["temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_12h", "wet_6h", "wet_1h"]]
    wet_at: NotRequired[str]
    city: NotRequired[str]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    group_by: NotRequired[Literal["lead_hour", "valid_hour", "local_hour"]]


class AccuracyByStationParameters(TypedDict):
    station_id: str
    days: NotRequired[int]
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    known_at: NotRequired[str]
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    provider: NotRequired[str]
    lead_time_bucket: NotRequired[str]
    as_of: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    include_raw: NotRequired[bool]


class AccuracySummaryParameters(CommonParameters):
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    city: NotRequired[str]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]


class AccuracyByLeadTimeParameters(CommonParameters):
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    include_same_day: NotRequired[bool]
    city: NotRequired[str]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    align: NotRequired[Literal["none", "matched"]]


class AccuracyByCityParameters(CommonParameters):
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    city: NotRequired[str]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    min_samples: NotRequired[int]
    sort_by: NotRequired[Literal["mae", "count", "mean_error", "city", "rmse", "distance"]]


class AccuracyByWeatherRegimeParameters(CommonParameters):
    metric: NotRequired[Literal["high", "low"]]
    include_same_day: NotRequired[bool]
    city: NotRequired[str]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]


class AccuracyHitRateParameters(CommonParameters):
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    lead: NotRequired[Literal["0", "6", "12", "24", "48", "72"]]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    city: NotRequired[str]
    issued_hour: NotRequired[str]


class AccuracyByBucketParameters(TypedDict):
    station_id: str
    days: NotRequired[int]
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    known_at: NotRequired[str]
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    provider: NotRequired[str]
    lead_time_bucket: NotRequired[str]
    lead: NotRequired[Literal["0", "6", "12", "24", "48", "72"]]
    as_of: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    issued_hour: NotRequired[str]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    range_width: NotRequired[int]
    range_offset: NotRequired[int]


class AccuracyByBucketOfForecastParameters(CommonParameters):
    metric: NotRequired[Literal["wet_day", "wet_12h", "wet_6h", "wet_1h"]]
    wet_at: NotRequired[str]
    lead: NotRequired[Literal["0", "6", "12", "24", "48", "72"]]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    city: NotRequired[str]
    issued_hour: NotRequired[str]
    bucket: NotRequired[Literal["forecast"]]


class AccuracyRevisionStatsParameters(TypedDict):
    days: NotRequired[int]
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    known_at: NotRequired[str]
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "precip", "snowfall", "max_wind", "max_gust"]]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    provider: NotRequired[str]
    as_of: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    min_coverage: NotRequired[float]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    station_id: NotRequired[str]
    city: NotRequired[str]
    stations: NotRequired[str]
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    near: NotRequired[str]
    radius_km: NotRequired[float]
    bbox: NotRequired[str]
    issued_hour: NotRequired[str]


class AccuracyExceedanceParameters(CommonParameters):
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    city: NotRequired[str]
    thresholds: NotRequired[str]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]


class AccuracyExceedanceSummaryParameters(CommonParameters):
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    city: NotRequired[str]
    thresholds: NotRequired[str]


class AccuracyEventsParameters(CommonParameters):
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    lead: NotRequired[Literal["0", "6", "12", "24", "48", "72"]]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    city: NotRequired[str]
    issued_hour: NotRequired[str]
    thresholds: NotRequired[str]
    direction: NotRequired[Literal["at_or_above", "at_or_below"]]
    group_by: NotRequired[Literal["none", "lead_time_bucket", "station", "month"]]
    cost_loss: NotRequired[str]


class AccuracyErrorDistributionParameters(CommonParameters):
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    city: NotRequired[str]
    bin_width: NotRequired[Literal["1", "2", "5", "0.5"]]
    signed: NotRequired[bool]


class AccuracyDistributionParameters(CommonParameters):
    metric: NotRequired[Literal["high", "low"]]
    providers: NotRequired[str]
    lead: NotRequired[Literal["0", "6", "12", "24", "48", "72"]]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    city: NotRequired[str]
    issued_hour: NotRequired[str]
    group_by: NotRequired[Literal["none", "lead_time_bucket", "station", "month"]]


class AccuracyPeakTimingParameters(TypedDict):
    station_id: str
    days: NotRequired[int]
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    known_at: NotRequired[str]
    metric: NotRequired[Literal["high", "low"]]
    as_of: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    group_by: NotRequired[Literal["none", "month"]]


class AccuracyBiasCorrectionParameters(TypedDict):
    days: NotRequired[int]
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    known_at: NotRequired[str]
    metric: NotRequired[Literal["high", "low"]]
    provider: NotRequired[str]
    lead_time_bucket: NotRequired[Literal["0-6h", "6-12h", "12-24h", "24-48h", "48-72h", "72h+"]]
    lead_hours: NotRequired[float]
    as_of: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    station_id: NotRequired[str]
    city: NotRequired[str]
    forecast_for_date: NotRequired[str]
    forecast_temp: NotRequired[float]
    window: NotRequired[int]
    verified_only: NotRequired[bool]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]


class ProbabilityParameters(TypedDict):
    station_id: NotRequired[str]
    city: NotRequired[str]
    forecast: NotRequired[float]
    target_date: NotRequired[str]
    known_at: NotRequired[str]
    metric: NotRequired[Literal["high", "low"]]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    provider: NotRequired[str]
    providers: NotRequired[str]
    lead_time_bucket: NotRequired[Literal["0-6h", "6-12h", "12-24h", "24-48h", "48-72h", "72h+"]]
    lead_hours: NotRequired[float]
    window: NotRequired[int]
    verified_only: NotRequired[bool]
    thresholds: NotRequired[str]
    brackets: NotRequired[str]
    so_far: NotRequired[Literal["use", "ignore"]]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    as_of: NotRequired[str]


class ProbabilityReliabilityParameters(TypedDict):
    days: NotRequired[int]
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    known_at: NotRequired[str]
    metric: NotRequired[Literal["high", "low"]]
    provider: NotRequired[str]
    providers: NotRequired[str]
    lead_time_bucket: NotRequired[Literal["0-6h", "6-12h", "12-24h", "24-48h", "48-72h", "72h+"]]
    lead_hours: NotRequired[float]
    as_of: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    station_id: NotRequired[str]
    city: NotRequired[str]
    hour: NotRequired[int]
    sealed: NotRequired[bool]
    window: NotRequired[int]
    verified_only: NotRequired[bool]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]


class AccuracySampleSizeParameters(CommonParameters):
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    city: NotRequired[str]
    min_samples: NotRequired[int]


class AccuracyUpdateFrequencyParameters(TypedDict):
    days: NotRequired[int]
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    known_at: NotRequired[str]
    metric: NotRequired[Literal["high", "low"]]
    provider: NotRequired[str]
    as_of: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    min_coverage: NotRequired[float]
    station_id: NotRequired[str]
    city: NotRequired[str]
    stations: NotRequired[str]
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    near: NotRequired[str]
    radius_km: NotRequired[float]
    bbox: NotRequired[str]


class AccuracyCompareParameters(TypedDict):
    days: NotRequired[int]
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    known_at: NotRequired[str]
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    providers: NotRequired[str]
    reference: NotRequired[str]
    lead_time_bucket: NotRequired[str]
    lead: NotRequired[Literal["0", "6", "12", "24", "48", "72"]]
    group_by: NotRequired[str]
    as_of: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    min_coverage: NotRequired[float]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    station_id: NotRequired[str]
    city: NotRequired[str]
    stations: NotRequired[str]
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    near: NotRequired[str]
    radius_km: NotRequired[float]
    bbox: NotRequired[str]
    issued_hour: NotRequired[str]


class AccuracyDivergenceParameters(TypedDict):
    days: NotRequired[int]
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    known_at: NotRequired[str]
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "precip", "snowfall", "max_wind", "max_gust"]]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    providers: NotRequired[str]
    lead_time_bucket: NotRequired[str]
    lead: NotRequired[Literal["0", "6", "12", "24", "48", "72"]]
    group_by: NotRequired[str]
    as_of: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    min_coverage: NotRequired[float]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    station_id: NotRequired[str]
    city: NotRequired[str]
    stations: NotRequired[str]
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    near: NotRequired[str]
    radius_km: NotRequired[float]
    bbox: NotRequired[str]
    issued_hour: NotRequired[str]
    threshold: NotRequired[float]


class AccuracySkillParameters(CommonParameters):
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "precip", "snowfall", "max_wind", "max_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    lead: NotRequired[Literal["0", "6", "12", "24", "48", "72"]]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    city: NotRequired[str]
    reference: NotRequired[Literal["persistence", "climatology"]]
    group_by: NotRequired[Literal["lead_time_bucket", "station", "none"]]


class DataForecastActualParameters(CommonParameters):
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "temperature", "dew_point", "humidity", "cloud_cover", "wind_speed", "wind_gust", "wet_day", "wet_12h", "wet_6h", "wet_1h", "precip", "snowfall", "max_wind", "max_gust"]]
    wet_at: NotRequired[str]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    city: NotRequired[str]
    issued_hour: NotRequired[str]
    sort_by: NotRequired[Literal["target_date", "abs_error"]]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class DataForecastsParameters(TypedDict):
    station_id: NotRequired[str]
    city: NotRequired[str]
    stations: NotRequired[str]
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    near: NotRequired[str]
    radius_km: NotRequired[float]
    bbox: NotRequired[str]
    forecast_for_date: NotRequired[str]
    metric: NotRequired[Literal["high", "low"]]
    provider: NotRequired[str]
    issued_hour: NotRequired[str]
    versions: NotRequired[Literal["latest", "all"]]
    as_of: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class DataObservationsParameters(TypedDict):
    station_id: NotRequired[str]
    city: NotRequired[str]
    stations: NotRequired[str]
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    near: NotRequired[str]
    radius_km: NotRequired[float]
    bbox: NotRequired[str]
    days: NotRequired[int]
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    metric: NotRequired[Literal["high", "low"]]
    versions: NotRequired[Literal["latest", "all"]]
    as_of: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class DataHoursParameters(TypedDict):
    station_id: NotRequired[str]
    city: NotRequired[str]
    stations: NotRequired[str]
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    near: NotRequired[str]
    radius_km: NotRequired[float]
    bbox: NotRequired[str]
    start_time: NotRequired[str]
    end_time: NotRequired[str]
    as_of: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class DataDeparturesParameters(TypedDict):
    station_id: NotRequired[str]
    city: NotRequired[str]
    stations: NotRequired[str]
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    near: NotRequired[str]
    radius_km: NotRequired[float]
    bbox: NotRequired[str]
    metric: NotRequired[Literal["high", "low", "mean", "range", "hdd", "cdd", "gdd", "precip", "snowfall", "max_wind", "max_gust"]]
    base: NotRequired[str]
    cap: NotRequired[str]
    method: NotRequired[Literal["exact", "nws"]]
    providers: NotRequired[str]
    threshold: NotRequired[float]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    ci: NotRequired[Literal["0.8", "0.9", "0.95", "0.99"]]
    as_of: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class DataSuspectsParameters(TypedDict):
    station_id: NotRequired[str]
    city: NotRequired[str]
    stations: NotRequired[str]
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    near: NotRequired[str]
    radius_km: NotRequired[float]
    bbox: NotRequired[str]
    days: NotRequired[int]
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    metric: NotRequired[Literal["high", "low"]]
    as_of: NotRequired[str]
    temp_unit: NotRequired[Literal["fahrenheit", "celsius"]]
    units: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class DataRunStatsParameters(TypedDict):
    as_of: NotRequired[str]
    station_id: NotRequired[str]
    city: NotRequired[str]
    stations: NotRequired[str]
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    near: NotRequired[str]
    radius_km: NotRequired[float]
    bbox: NotRequired[str]
    provider: NotRequired[str]
    issued_hour: NotRequired[str]
    start_time: NotRequired[str]
    end_time: NotRequired[str]


class StationsMetadataParameters(TypedDict):
    country: NotRequired[str]
    climate_zone: NotRequired[str]
    near: NotRequired[str]
    radius_km: NotRequired[float]
    bbox: NotRequired[str]


class ProvidersParameters(TypedDict):
    variables: NotRequired[bool]


class LoadsParameters(TypedDict):
    after: NotRequired[str]
    limit: NotRequired[int]
    before: NotRequired[int]


SealsConsistencyParameters = TypedDict(
    "SealsConsistencyParameters",
    {
        "from": "NotRequired[int]",
        "to": "NotRequired[int]",
    },
)


class SealsOfVersionParameters(TypedDict):
    version: str


ErrorCode = Literal["INVALID_PARAMETER", "AMBIGUOUS_CITY", "UNAUTHORIZED", "ORIGIN_NOT_ALLOWED", "STATION_NOT_FOUND", "PROVIDER_NOT_FOUND", "NOT_FOUND", "METHOD_NOT_ALLOWED", "PRECONDITION_FAILED", "RANGE_NOT_SATISFIABLE", "QUERY_TOO_LARGE", "RATE_LIMITED", "INTERNAL", "OVERLOADED", "STORE_UNAVAILABLE", "QUERY_TIMEOUT"]
LeadTimeBucket = Literal["same-day", "0-6h", "6-12h", "12-24h", "24-48h", "48-72h", "72h+"]

# Which values of a statistic are better, and which is perfect (None: no value is), by the name of its field.
STATISTICS: Dict[str, Statistic] = {
    "accuracy_when_forecast_in_range": {"orientation": "higher_is_better", "perfect_score": 1},
    "detection_rate": {"orientation": "higher_is_better", "perfect_score": 1},
    "mean_error_when_forecast_in_range": {"orientation": "zero_is_best", "perfect_score": 0},
    "mae_when_forecast_in_range": {"orientation": "lower_is_better", "perfect_score": 0},
    "crps_from_quantiles": {"orientation": "lower_is_better", "perfect_score": 0},
    "spread_to_error": {"orientation": "one_is_best", "perfect_score": 1},
    "pinball": {"orientation": "lower_is_better", "perfect_score": 0},
    "mae": {"orientation": "lower_is_better", "perfect_score": 0},
    "mae_of_others": {"orientation": "lower_is_better", "perfect_score": 0},
    "frequency_bias": {"orientation": "one_is_best", "perfect_score": 1},
    "pod": {"orientation": "higher_is_better", "perfect_score": 1},
    "far": {"orientation": "lower_is_better", "perfect_score": 0},
    "pofd": {"orientation": "lower_is_better", "perfect_score": 0},
    "success_ratio": {"orientation": "higher_is_better", "perfect_score": 1},
    "csi": {"orientation": "higher_is_better", "perfect_score": 1},
    "ets": {"orientation": "higher_is_better", "perfect_score": 1},
    "hss": {"orientation": "higher_is_better", "perfect_score": 1},
    "sedi": {"orientation": "higher_is_better", "perfect_score": 1},
    "economic_value": {"orientation": "higher_is_better", "perfect_score": 1},
    "exceedance_rate": {"orientation": "lower_is_better", "perfect_score": 0},
    "within_rate": {"orientation": "higher_is_better", "perfect_score": 1},
    "exact_rate": {"orientation": "higher_is_better", "perfect_score": 1},
    "within_1_rate": {"orientation": "higher_is_better", "perfect_score": 1},
    "within_2_rate": {"orientation": "higher_is_better", "perfect_score": 1},
    "within_3_rate": {"orientation": "higher_is_better", "perfect_score": 1},
    "misses_10_rate": {"orientation": "lower_is_better", "perfect_score": 0},
    "mean_error": {"orientation": "zero_is_best", "perfect_score": 0},
    "rmse": {"orientation": "lower_is_better", "perfect_score": 0},
    "mae_raw": {"orientation": "lower_is_better", "perfect_score": 0},
    "mae_corrected": {"orientation": "lower_is_better", "perfect_score": 0},
    "crps_f": {"orientation": "lower_is_better", "perfect_score": 0},
    "crps_c": {"orientation": "lower_is_better", "perfect_score": 0},
    "mae_f": {"orientation": "lower_is_better", "perfect_score": 0},
    "mae_c": {"orientation": "lower_is_better", "perfect_score": 0},
    "reference_mean_error": {"orientation": "zero_is_best", "perfect_score": 0},
    "reference_mae": {"orientation": "lower_is_better", "perfect_score": 0},
    "reference_rmse": {"orientation": "lower_is_better", "perfect_score": 0},
    "brier": {"orientation": "lower_is_better", "perfect_score": 0},
    "log_score": {"orientation": "lower_is_better", "perfect_score": 0},
    "reliability": {"orientation": "lower_is_better", "perfect_score": 0},
    "resolution": {"orientation": "higher_is_better", "perfect_score": None},
    "brier_skill": {"orientation": "higher_is_better", "perfect_score": 1},
    "crps_skill": {"orientation": "higher_is_better", "perfect_score": 1},
    "flip_flop_index": {"orientation": "lower_is_better", "perfect_score": 0},
    "miss_rate": {"orientation": "lower_is_better", "perfect_score": 0},
    "mae_first": {"orientation": "lower_is_better", "perfect_score": 0},
    "mae_last": {"orientation": "lower_is_better", "perfect_score": 0},
    "skill_mae": {"orientation": "higher_is_better", "perfect_score": 1},
    "msess": {"orientation": "higher_is_better", "perfect_score": 1},
    "reference_within_3_rate": {"orientation": "higher_is_better", "perfect_score": 1},
    "std_dev": {"orientation": "lower_is_better", "perfect_score": 0},
    "abs_error_p50": {"orientation": "lower_is_better", "perfect_score": 0},
    "abs_error_p90": {"orientation": "lower_is_better", "perfect_score": 0},
    "abs_error_p95": {"orientation": "lower_is_better", "perfect_score": 0},
}


class Operations:
    """A method for each operation of the document."""

    def _json(self, path: str, parameters: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    def _file(self, path: str, parameters: Mapping[str, Any]) -> HTTPResponse:
        raise NotImplementedError

    def export_pairs(self, **parameters: Unpack[ExportPairsParameters]) -> HTTPResponse:
        """All verification pairs of a window, as a file"""
        return self._file("/api/v1/export/pairs", parameters)

    def export_facts(self, **parameters: Unpack[ExportFactsParameters]) -> HTTPResponse:
        """The facts that a version added, as a file"""
        return self._file("/api/v1/export/facts", parameters)

    def accuracy_by_date(self, **parameters: Unpack[AccuracyByDateParameters]) -> AccuracyByDateResponse:
        """Accuracy by date"""
        return self._json("/api/v1/accuracy/by-date", parameters)

    def accuracy_by_date_of_station(self, **parameters: Unpack[AccuracyByDateOfStationParameters]) -> AccuracyByDateResponse:
        """Accuracy by date, of one station"""
        return self._json("/api/v1/accuracy/by-date/{station_id}", parameters)

    def accuracy_by_hour(self, **parameters: Unpack[AccuracyByHourParameters]) -> AccuracyByHourResponse:
        """Accuracy by hour"""
        return self._json("/api/v1/accuracy/by-hour", parameters)

    def accuracy_by_station(self, **parameters: Unpack[AccuracyByStationParameters]) -> AccuracyByStationResponse:
        """Accuracy of one station"""
        return self._json("/api/v1/accuracy/by-station/{station_id}", parameters)

    def accuracy_summary(self, **parameters: Unpack[AccuracySummaryParameters]) -> AccuracySummaryResponse:
        """Accuracy over a window"""
        return self._json("/api/v1/accuracy/summary", parameters)

    def accuracy_by_lead_time(self, **parameters: Unpack[AccuracyByLeadTimeParameters]) -> AccuracyByLeadTimeResponse:
        """Accuracy by lead time"""
        return self._json("/api/v1/accuracy/by-lead-time", parameters)

    def accuracy_by_city(self, **parameters: Unpack[AccuracyByCityParameters]) -> AccuracyByCityResponse:
        """Accuracy by city"""
        return self._json("/api/v1/accuracy/by-city", parameters)

    def accuracy_by_weather_regime(self, **parameters: Unpack[AccuracyByWeatherRegimeParameters]) -> AccuracyByWeatherRegimeResponse:
        """Accuracy by the weather of the day"""
        return self._json("/api/v1/accuracy/by-weather-regime", parameters)

    def accuracy_hit_rate(self, **parameters: Unpack[AccuracyHitRateParameters]) -> HitRateResponse:
        """Hit rate"""
        return self._json("/api/v1/accuracy/hit-rate", parameters)

    def accuracy_by_bucket(self, **parameters: Unpack[AccuracyByBucketParameters]) -> AccuracyByBucketResponse:
        """Accuracy by temperature range"""
        return self._json("/api/v1/accuracy/by-bucket/{station_id}", parameters)

    def accuracy_by_bucket_of_forecast(self, **parameters: Unpack[AccuracyByBucketOfForecastParameters]) -> ReliabilityOfChancesResponse:
        """How often it was wet, by the chance that was forecast"""
        return self._json("/api/v1/accuracy/by-bucket", parameters)

    def accuracy_revision_stats(self, **parameters: Unpack[AccuracyRevisionStatsParameters]) -> RevisionStatsResponse:
        """Revisions of forecasts"""
        return self._json("/api/v1/accuracy/revision-stats", parameters)

    def accuracy_exceedance(self, **parameters: Unpack[AccuracyExceedanceParameters]) -> ExceedanceResponse:
        """How often errors exceed thresholds"""
        return self._json("/api/v1/accuracy/exceedance", parameters)

    def accuracy_exceedance_summary(self, **parameters: Unpack[AccuracyExceedanceSummaryParameters]) -> ExceedanceSummaryResponse:
        """How often errors exceed thresholds, over the network, in percent"""
        return self._json("/api/v1/accuracy/exceedance-summary", parameters)

    def accuracy_events(self, **parameters: Unpack[AccuracyEventsParameters]) -> EventsResponse:
        """Events forecast and observed"""
        return self._json("/api/v1/accuracy/events", parameters)

    def accuracy_error_distribution(self, **parameters: Unpack[AccuracyErrorDistributionParameters]) -> ErrorDistributionResponse:
        """Distribution of errors"""
        return self._json("/api/v1/accuracy/error-distribution", parameters)

    def accuracy_distribution(self, **parameters: Unpack[AccuracyDistributionParameters]) -> DistributionResponse:
        """Distributions of forecasts"""
        return self._json("/api/v1/accuracy/distribution", parameters)

    def accuracy_peak_timing(self, **parameters: Unpack[AccuracyPeakTimingParameters]) -> PeakTimingResponse:
        """When the high or the low comes"""
        return self._json("/api/v1/accuracy/peak-timing/{station_id}", parameters)

    def accuracy_bias_correction(self, **parameters: Unpack[AccuracyBiasCorrectionParameters]) -> BiasCorrectionResponse:
        """Bias correction of a forecast"""
        return self._json("/api/v1/accuracy/bias-correction", parameters)

    def probability(self, **parameters: Unpack[ProbabilityParameters]) -> ProbabilityResponse:
        """Probability of temperatures"""
        return self._json("/api/v1/probability", parameters)

    def probability_reliability(self, **parameters: Unpack[ProbabilityReliabilityParameters]) -> ProbabilityReliabilityResponse:
        """Reliability of the probabilities"""
        return self._json("/api/v1/probability/reliability", parameters)

    def accuracy_sample_size(self, **parameters: Unpack[AccuracySampleSizeParameters]) -> SampleSizeResponse:
        """Pairs and days per station"""
        return self._json("/api/v1/accuracy/sample-size", parameters)

    def accuracy_update_frequency(self, **parameters: Unpack[AccuracyUpdateFrequencyParameters]) -> UpdateFrequencyResponse:
        """How often forecasts are issued"""
        return self._json("/api/v1/accuracy/update-frequency", parameters)

    def accuracy_freshness(self) -> FreshnessResponse:
        """How recent the data are"""
        return self._json("/api/v1/accuracy/freshness", {})

    def accuracy_compare(self, **parameters: Unpack[AccuracyCompareParameters]) -> ComparisonResponse:
        """Providers compared"""
        return self._json("/api/v1/accuracy/compare", parameters)

    def accuracy_divergence(self, **parameters: Unpack[AccuracyDivergenceParameters]) -> DivergenceResponse:
        """Whom to trust when providers differ"""
        return self._json("/api/v1/accuracy/divergence", parameters)

    def accuracy_skill(self, **parameters: Unpack[AccuracySkillParameters]) -> SkillResponse:
        """Skill against a simple reference"""
        return self._json("/api/v1/accuracy/skill", parameters)

    def data_forecast_actual(self, **parameters: Unpack[DataForecastActualParameters]) -> ForecastActualResponse:
        """Forecasts with their observations"""
        return self._json("/api/v1/data/forecast-actual", parameters)

    def data_forecasts(self, **parameters: Unpack[DataForecastsParameters]) -> ForecastsResponse:
        """Forecasts for a day"""
        return self._json("/api/v1/data/forecasts", parameters)

    def data_observations(self, **parameters: Unpack[DataObservationsParameters]) -> ObservationsResponse:
        """Observations of a window"""
        return self._json("/api/v1/data/observations", parameters)

    def data_hours(self, **parameters: Unpack[DataHoursParameters]) -> HoursResponse:
        """Temperatures within the day"""
        return self._json("/api/v1/data/hours", parameters)

    def data_departures(self, **parameters: Unpack[DataDeparturesParameters]) -> DeparturesResponse:
        """Departures of days to come"""
        return self._json("/api/v1/data/departures", parameters)

    def data_suspects(self, **parameters: Unpack[DataSuspectsParameters]) -> SuspectsResponse:
        """Observations worth a second look"""
        return self._json("/api/v1/data/suspects", parameters)

    def data_run_stats(self, **parameters: Unpack[DataRunStatsParameters]) -> RunStatsResponse:
        """Issuances of forecasts between two instants"""
        return self._json("/api/v1/data/run-stats", parameters)

    def stations_metadata(self, **parameters: Unpack[StationsMetadataParameters]) -> StationsMetadataResponse:
        """Station metadata"""
        return self._json("/api/v1/stations/metadata", parameters)

    def providers(self, **parameters: Unpack[ProvidersParameters]) -> ProvidersResponse:
        """Providers of forecasts"""
        return self._json("/api/v1/providers", parameters)

    def loads(self, **parameters: Unpack[LoadsParameters]) -> LoadsResponse:
        """Loads of data"""
        return self._json("/api/v1/loads", parameters)

    def usage(self) -> UsageResponse:
        """Usage of your key"""
        return self._json("/api/v1/usage", {})

    def index(self) -> IndexResponse:
        """Index of the endpoints"""
        return self._json("/api/v1", {})

    def seals(self) -> HTTPResponse:
        """The latest checkpoint of the log of versions"""
        return self._file("/api/v1/seals", {})

    def seals_consistency(self, **parameters: Unpack[SealsConsistencyParameters]) -> ConsistencyResponse:
        """Proof that the log only grew"""
        return self._json("/api/v1/seals/consistency", parameters)

    def seals_of_version(self, **parameters: Unpack[SealsOfVersionParameters]) -> SealResponse:
        """The seal of a version"""
        return self._json("/api/v1/seals/{version}", parameters)

    def health(self) -> Health:
        """Health of the service"""
        return self._json("/api/v1/health", {})
