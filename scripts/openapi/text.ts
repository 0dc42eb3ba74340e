// The prose of the OpenAPI document, as Markdown; the docs page shows it.

export const INTRODUCTION = `How accurate temperature forecasts are against observed values: per station, city, date and
lead time. Values and errors are in °F, kt, inches or %, or in the units of \`units=us\`, \`metric\` or \`si\`; in °C each field
that ends in \`_f\` has one that ends in \`_c\` beside it. A value without degrees, such as a chance, has a field without ending.

Send \`Authorization: Bearer <API_KEY>\` with every request. On this page, click **Authorize** and enter only the key. Every
response has an \`X-Request-Id\` and an \`ETag\` (\`If-None-Match\` gets \`304\` until the data change).

## The statistics

A **verification pair** is one forecast value (station, issuance, target date, daily high or low) with the observation of
that day. If there are several observations, a verified one beats a preliminary one, then the latest report counts. The
**error** of a pair is \`e = forecast − actual\`: negative if the forecast was too low. Over the \`n\` pairs of a request:

| Statistic | Definition |
|---|---|
| \`verification_pairs\` | \`n\`, the number of pairs |
| \`unique_days\` | the number of distinct target dates with a pair |
| \`mean_error\` | the bias, \`Σe / n\`: how much too high forecasts were on average; negative if too low |
| \`std_dev\` | the population standard deviation of the errors, \`√(Σ(e − mean_error)² / n)\`: their spread around the bias |
| \`mae\` | the mean absolute error, \`Σ abs(e) / n\`: how far forecasts were off on average |
| \`rmse\` | the root mean square error, \`√(Σe² / n)\`: like \`mae\`, but large errors weigh more; \`rmse² = mean_error² + std_dev²\` |
| \`abs_error_p50\` | the median of \`abs(e)\`: half of the forecasts were off by at most this |
| \`abs_error_p90\`, \`abs_error_p95\` | the 90th and 95th percentile of \`abs(e)\`: one forecast in ten, or in twenty, was off by more |

Percentiles interpolate linearly between order statistics (type 7, numpy's default). Statistics are exact, never sampled. They are computed
at full precision and rounded once to 0.01 °F, half away from zero. Without pairs, counts are 0 and the others \`null\`.

**Lead time** runs from issuance to local midnight, when the target date begins at the station, in real hours: a day with
a clock change has 23 or 25. Buckets are half open, so exactly 6 h is in \`6-12h\`. \`lead_time_bucket=0-6h,6-12h\` restricts
any response to those buckets, and \`metadata.lead_time_buckets\` then lists them. A forecast issued after its day began and before
the day ended is in the bucket \`same-day\`, which counts only on request: with
\`lead_time_bucket=same-day\`, or with \`include_same_day=true\` by lead time and in exports.

**verification_coverage**: a day is *preliminary* while any of its pairs rests on a preliminary observation, otherwise
*verified*. \`verified_pct\` is the verified share of the days. Without preliminary days, the numbers are final.

## Providers

A provider issues forecasts. Statistics never mix providers: \`provider=\` selects one, and \`/api/v1/providers\`
lists all and marks the default. \`metadata.provider\` (for an export, \`X-Provider\`) always names the provider of a
response.

## Windows

Give \`date_from\` and \`date_to\`, one of them and \`days\`, or neither: the window then has \`days\` days and ends today.
Where a request is about one station, today is the day at that station; otherwise it is the UTC day, and \`metadata.today_basis\` says so.
Both ends are included, and a window spans at most 3,660 days.

## Versions of the data

Each load of data has a number. \`metadata.data_version\` is the last load that a response includes.
\`as_of=v412\` returns the response from the data of that load again, digit for digit, whatever was corrected or withdrawn since.
\`as_of\` also takes an instant or a date (its 00:00Z): the last load that had finished by then. \`metadata.as_of\` says which.
A restored backup begins another timeline (\`metadata.timeline\`), in which the same numbers mean other data. It refuses
\`as_of=v412.k7q2\` of the old timeline, so caches may keep that response for ever.

\`known_at=<instant>\` uses only what had been reported by that instant: forecasts issued by then,
against the best observation reported by then, whenever they were loaded. Use it for backtests that must not look ahead.

## Errors

A request with a mistake returns an error that lists every error; the service never guesses. The body always has
\`success: false\`, \`error.code\`, \`error.message\`, \`error.details\` with the parameters in error, and
\`metadata.request_id\`, which identifies the request in the log. For \`429\` and \`503\`, \`Retry-After\` says when to try again.`;

/** The meaning of each error status. */
export const ERROR_TEXT: Partial<Record<number, string>> = {
  400: 'A parameter is unknown, repeated or invalid, or a city has more than one station',
  401: 'The API key is missing or invalid',
  404: 'No station or provider has this name, or the path does not exist',
  405: 'Only GET and HEAD are allowed',
  412: 'The file of this export has another ETag than the one in If-Match',
  416: 'The file of this export has no byte in this Range; see Content-Range',
  422: 'The query needs more memory than it may use; narrow the window, or name a station',
  429: 'The key has reached its limit of requests or rows per minute, or too many requests came without a valid key; see Retry-After',
  500: 'An internal error',
  503: 'Too many queries are waiting, memory is short, or the data are unavailable; see Retry-After',
  504: 'The query exceeds its limit of time; see Retry-After',
};
