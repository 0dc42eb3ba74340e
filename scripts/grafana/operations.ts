import { graph, number, PROMETHEUS } from './prometheus-panels.js';
import type { Json } from './sources.js';
import { chooseOne } from './variables.js';

const JOB = 'job="$job"';
const JOBS = 'label_values(forecast_accuracy_build_info, job)';
const PROVIDER = `${JOB}, provider=~"$provider"`;
const PROVIDERS = `label_values(data_provider_last_load_timestamp_seconds{${JOB}}, provider)`;
// Scrapes and health checks are as many as they are quick: they would hide what users get.
const API = `${JOB}, route=~"/api/.*", route!~".*/health"`;

const quantile = (q: number, metric: string, selector: string, by = 'le'): string =>
  `histogram_quantile(${q}, sum by (${by}) (rate(${metric}_bucket{${selector}}[$__rate_interval])))`;

export const OPERATIONS = {
  name: 'operations',
  title: 'Forecast accuracy: operations',
  description: 'The service itself, as Prometheus sees it.',
  variables: [
    chooseOne({
      name: 'job',
      label: 'Job',
      datasource: PROMETHEUS,
      definition: JOBS,
      query: { qryType: 1, query: JOBS, refId: 'PrometheusVariableQueryEditor-VariableQuery' },
    }),
    {
      ...chooseOne({
        name: 'provider',
        label: 'Provider',
        datasource: PROMETHEUS,
        definition: PROVIDERS,
        query: { qryType: 1, query: PROVIDERS, refId: 'PrometheusVariableQueryEditor-VariableQuery' },
      }),
      includeAll: true,
      allValue: '.*',
      current: { text: 'All', value: '$__all' },
    },
  ] satisfies Json[],
  panels: [
    number({
      title: 'Service',
      description: 'Whether the last scrape succeeded.',
      unit: 'bool_on_off',
      series: [[`min(up{${JOB}})`, 'up']],
      warning: 1,
      lowIsBad: true,
    }),
    number({
      title: 'Store',
      description: 'Whether ClickHouse answers: down once a ping failed, or had no response for 15 s.',
      unit: 'bool_on_off',
      series: [[`min(store_up{${JOB}})`, 'up']],
      warning: 1,
      lowIsBad: true,
    }),
    number({
      title: 'Latest target date',
      description: 'How long ago the last day with a pair began, for the metric that lags most.',
      unit: 's',
      series: [[`time() - min(max by (metric) (data_latest_target_date_timestamp_seconds{${JOB}}))`, 'age']],
      warning: 3 * 86_400,
    }),
    number({
      title: 'Last change of the data',
      description: 'Since a load last changed the data.',
      unit: 's',
      series: [[`time() - max(data_last_reconciled_timestamp_seconds{${JOB}})`, 'age']],
      warning: 36 * 3600,
    }),
    number({
      title: 'Pairs',
      description: 'Verification pairs in the store, by metric.',
      unit: 'locale',
      // Instances on one store tell the same.
      series: [
        [`sum by (metric) (max by (metric, observation_status) (verification_pairs{${JOB}}))`, '{{metric}}'],
      ],
    }),
    number({
      title: 'Version',
      description: 'Instances by the version that they run.',
      unit: 'locale',
      series: [[`count by (version) (forecast_accuracy_build_info{${JOB}})`, '{{version}}']],
    }),
    graph({
      title: 'Requests',
      description: 'API requests per second, by route.',
      unit: 'reqps',
      series: [
        [`sum by (route) (rate(http_request_duration_seconds_count{${API}}[$__rate_interval]))`, '{{route}}'],
      ],
    }),
    graph({
      title: 'Response time',
      description: 'Median, 95th and 99th percentile over all API requests.',
      unit: 's',
      series: [
        [quantile(0.5, 'http_request_duration_seconds', API), 'p50'],
        [quantile(0.95, 'http_request_duration_seconds', API), 'p95'],
        [quantile(0.99, 'http_request_duration_seconds', API), 'p99'],
      ],
    }),
    graph({
      title: 'Statuses',
      description: 'Requests per second by status; refused ones have no route and are here as well.',
      unit: 'reqps',
      series: [
        [
          `sum by (status_code) (rate(http_request_duration_seconds_count{${JOB}, route!="/metrics"}[$__rate_interval]))`,
          '{{status_code}}',
        ],
      ],
    }),
    graph({
      title: 'Where responses come from',
      description:
        'From the cache (hit), computed (miss), with the same request under way (coalesced), or a 304 (not_modified).',
      unit: 'reqps',
      series: [[`sum by (source) (rate(responses_total{${JOB}}[$__rate_interval]))`, '{{source}}']],
    }),
    graph({
      title: 'Queries by operation, p95',
      description: '95th percentile of the time in the store, waiting included, by operationId.',
      unit: 's',
      series: [[quantile(0.95, 'store_query_duration_seconds', JOB, 'le, operation'), '{{operation}}']],
    }),
    graph({
      title: 'In flight and waiting',
      description: 'Requests without a response yet, and queries that wait for their turn; 256 may wait.',
      unit: 'short',
      series: [
        [`sum(http_requests_in_flight{${JOB}})`, 'requests in flight'],
        [`sum(store_queries_waiting{${JOB}})`, 'queries waiting'],
      ],
    }),
    graph({
      title: 'Rate-limited',
      description: 'Requests per second refused with 429.',
      unit: 'reqps',
      series: [[`sum(rate(http_requests_rate_limited_total{${JOB}}[$__rate_interval]))`, '429']],
    }),
    graph({
      title: 'Event loop',
      description: 'How late the event loop runs: mean and 99th percentile.',
      unit: 's',
      series: [
        [`max(nodejs_eventloop_lag_mean_seconds{${JOB}})`, 'mean'],
        [`max(nodejs_eventloop_lag_p99_seconds{${JOB}})`, 'p99'],
      ],
    }),
    graph({
      title: 'Last forecasts',
      description: 'How long ago a load last brought forecasts of each provider.',
      unit: 's',
      series: [
        [
          `time() - max by (provider) (data_provider_last_load_timestamp_seconds{${PROVIDER}})`,
          '{{provider}}',
        ],
      ],
    }),
    graph({
      title: 'Latest target date by provider',
      description:
        'How long ago the last day with a pair of each provider began. If one rises alone, its forecasts have stopped; if all do, observations have.',
      unit: 's',
      series: [
        [
          `time() - max by (provider) (data_provider_latest_target_date_timestamp_seconds{${PROVIDER}})`,
          '{{provider}}',
        ],
      ],
    }),
    graph({
      title: 'Alarms of the data',
      description:
        'Current alarms: providers that repeat old values (stale) or those of another (identical) or know the observations (leak), and observations of the last days that look wrong (suspect).',
      unit: 'locale',
      series: [[`max by (kind, provider) (watch_alarms{${JOB}})`, '{{kind}} {{provider}}']],
    }),
    graph({
      title: 'Loads',
      description: 'Loads that ended within an hour, by outcome, and rows that they rejected.',
      unit: 'locale',
      series: [
        [`max by (outcome) (increase(loads_total{${JOB}}[1h]))`, '{{outcome}}'],
        [`max(increase(load_rows_rejected_total{${JOB}}[1h]))`, 'rows rejected'],
      ],
    }),
    graph({
      title: 'Sources',
      description:
        'How long ago each public source of the collector last gave a usable response; empty without one.',
      unit: 's',
      series: [[`time() - max by (source) (collect_last_success_timestamp_seconds{${JOB}})`, '{{source}}']],
    }),
    graph({
      title: 'Gaps',
      description: 'What the collector misses: retried, or permanent, which it asks for no more.',
      unit: 'locale',
      series: [[`max by (source, state) (collect_gaps{${JOB}})`, '{{source}} {{state}}']],
    }),
    graph({
      title: 'Memory',
      description:
        'Resident memory of the process, with the embedded engine if there is one, and cached responses.',
      unit: 'bytes',
      series: [
        [`sum(process_resident_memory_bytes{${JOB}})`, 'resident'],
        [`sum(cache_bytes{${JOB}})`, 'cached responses'],
      ],
    }),
  ],
};
