// The prose of the OpenAPI document, as Markdown; the docs page shows it.

export const INTRODUCTION = `How accurate temperature forecasts are against observed values: per station, city, date and
lead time. Temperatures and errors are in °F, or with \`temp_unit=celsius\` in °C: a field
that ends in \`_f\` then has one that ends in \`_c\` beside it.

Send \`Authorization: Bearer <API_KEY>\` with every request; here, the button **Authorize** takes the key alone. Every
answer has an \`ETag\` (\`If-None-Match\` gets \`304\` while the data are the same) and an \`X-Request-Id\`.

## The statistics

A **verification pair** is one forecast value (station, issuance, target date, daily high or low) with the observation of
that day. Of several observations a verified one beats a preliminary one, and among equals the latest report counts. Its
**error** is \`e = forecast − actual\`: a negative error means that the forecast was too low. Over the \`n\` pairs of a question:

| Statistic | Definition |
|---|---|
| \`verification_pairs\` | \`n\`, the number of pairs |
| \`unique_days\` | the number of different target dates that have a pair |
| \`mean_error\` | the bias, \`Σe / n\`: how far forecasts were too high on average; negative when too low |
| \`std_dev\` | the population standard deviation of the errors, \`√(Σ(e − mean_error)² / n)\`: their spread around the bias |
| \`mae\` | the mean absolute error, \`Σ abs(e) / n\`: how far forecasts were off on average |
| \`rmse\` | the root mean square error, \`√(Σe² / n)\`: as \`mae\`, but large errors weigh more; \`rmse² = mean_error² + std_dev²\` |
| \`abs_error_p50\` | the median of \`abs(e)\`: half of the forecasts were off by no more |
| \`abs_error_p90\`, \`abs_error_p95\` | the 90th and 95th percentile of \`abs(e)\`: one forecast in ten, or in twenty, was off by more |

Percentiles interpolate linearly between order statistics (type 7, numpy's default). All are exact, never sampled, computed
at full precision and rounded once to 0.01 °F, half away from zero. Without pairs the counts are 0 and the others \`null\`.

**Lead time** runs from the issuance to local midnight, when the target date begins at the station, in real hours: a day of
a clock change has 23 or 25. Buckets are half open, so 6 h exactly is in \`6-12h\`. \`lead_time_bucket=0-6h,6-12h\` restricts
any answer to those buckets; \`metadata.lead_time_buckets\` then says so. A forecast issued after its day began, and before
the day ended, is in the bucket \`same-day\`, which counts only where a request asks for it: with
\`lead_time_bucket=same-day\`, or \`include_same_day=true\` by lead time and in exports.

**verification_coverage**: a day is *preliminary* while any of its pairs rests on a preliminary observation, and else
*verified*; \`verified_pct\` is the verified share of the days. Without preliminary days the numbers are final.

## Providers

A provider is the issuer of a forecast. Statistics never mix providers: \`provider=\` chooses one, \`/api/v1/providers\`
lists all and marks the default, and \`metadata.provider\` (of an export, \`X-Provider\`) always names the provider of an
answer.

## Windows

\`date_from\` and \`date_to\` together are the window; one of them alone anchors a window of \`days\`; without either, the
window ends today (UTC).
Both ends are included, and a window spans at most 3,660 days.

## Versions of the data

Each load of data has a number, and \`metadata.data_version\` says up to which load an answer holds the data.
\`as_of=v412\` asks for the data of that load again: the same digits, whatever was corrected or withdrawn since. A restored
backup begins another lineage (\`metadata.lineage\`), in which numbers mean other data: \`as_of=v412.k7q2\` is refused there,
and its answer may be kept for ever. An instant or a date (00:00Z of it) means the last load that had finished then. \`metadata.as_of\` says which.

\`known_at\` asks another question: what could the world know at an instant? It counts the forecasts issued by then,
against the best observation reported by then, whenever they were loaded: for backtests that must not look ahead.

## Errors

A request with a mistake is an error that lists every fault, never a guess. The body is always the same:
\`success: false\`, \`error.code\`, \`error.message\`, \`error.details\` with the parameters at fault, and
\`metadata.request_id\`, which finds the request in the log. \`429\` and \`503\` say in \`Retry-After\` when to try again.`;

/** The meaning of each error status. */
export const ERROR_TEXT: Partial<Record<number, string>> = {
  400: 'A parameter is unknown, repeated or bad, or a city means more than one station',
  401: 'The API key is missing or not valid',
  404: 'No station or provider answers to the name, or there is no such path',
  405: 'Only GET and HEAD are allowed',
  429: 'More requests or rows in a minute than the key may have, or too many requests without a valid one; see Retry-After',
  500: 'An error of the service',
  503: 'Too many queries are waiting, or the data cannot be reached; see Retry-After',
  504: 'The query takes longer, or more memory, than it may; see Retry-After',
};
