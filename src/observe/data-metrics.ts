import { METRICS } from '../variables/variables.js';
import { Counter, Gauge } from 'prom-client';
import type { Alarm } from '../monitoring/alarm.js';
import { type DataState, latestDay } from './data-state.js';

// The metrics of the data: how far they reach, what loads have done, what the collector has said.

/** All kinds of alarms: the compiler names one that is missing. */
const ALARM_KINDS = Object.keys({ stale: 0, identical: 0, leak: 0, suspect: 0 } satisfies Record<
  Alarm['kind'],
  0
>) as Alarm['kind'][];

/** For what both have: reset, remove, inc. */
export const KEPT_COUNTER = Counter as unknown as typeof Gauge;

export type Series<Label extends string> = [labels: Record<Label, string>, value: number];

/** Shows a gauge, or a counter that is kept elsewhere, whose series are read at each scrape. */
type ShowSeries = <Label extends string>(
  Kind: typeof Gauge,
  name: string,
  help: string,
  labelNames: Label[],
  read: () => Series<Label>[],
) => void;

/** The state of the data at the last read; undefined before the first. */
type Known = () => DataState | undefined;

export function showData(show: ShowSeries, known: Known): void {
  showPairs(show, known);
  showLoads(show, known);
  showCollected(show, known);
}

function showPairs(show: ShowSeries, known: Known): void {
  const reach = () => known()?.reach ?? [];
  const pairs = 'Pairs in the store, by metric and status of their observation';
  // Pairs of several providers add up.
  show(Gauge, 'verification_pairs', pairs, ['metric', 'observation_status'], () =>
    reach().flatMap(({ metric, verified_pairs, preliminary_pairs }) => [
      [{ metric, observation_status: 'verified' }, verified_pairs],
      [{ metric, observation_status: 'preliminary' }, preliminary_pairs],
    ]),
  );
  const latest = 'Midnight UTC of the last day with a pair, Unix time';
  show(Gauge, 'data_latest_target_date_timestamp_seconds', latest, ['metric'], () =>
    METRICS.flatMap((metric) => {
      const day = latestDay(reach().filter((each) => each.metric === metric));
      return day === undefined ? [] : [[{ metric }, Date.parse(day) / 1000]];
    }),
  );
  const providers = () => known()?.providers ?? [];
  const byProvider = 'Midnight UTC of the last day with a pair of a provider, Unix time';
  show(Gauge, 'data_provider_latest_target_date_timestamp_seconds', byProvider, ['provider'], () =>
    providers().flatMap(({ provider, latest_target_date: day }) =>
      day === undefined ? [] : [[{ provider }, Date.parse(day) / 1000]],
    ),
  );
  const brought = 'When a load last brought forecasts of a provider, Unix time';
  show(Gauge, 'data_provider_last_load_timestamp_seconds', brought, ['provider'], () =>
    providers().flatMap(({ provider, last_loaded_ms: ms }) =>
      ms === undefined ? [] : [[{ provider }, ms / 1000]],
    ),
  );
  const alarmed = `Current alarms, as of the last load, by kind: ${ALARM_KINDS.join(', ')}; provider is blank for observations`;
  show(Gauge, 'watch_alarms', alarmed, ['kind', 'provider'], () => {
    const alarms = known()?.alarms ?? [];
    const names = ['', ...providers().map(({ provider }) => provider)];
    return ALARM_KINDS.flatMap((kind) =>
      names
        .filter((name) => (name === '') === (kind === 'suspect'))
        .map((name): Series<'kind' | 'provider'> => [
          { kind, provider: name },
          alarms.filter((each) => each.kind === kind && (each.provider ?? '') === name).length,
        ]),
    );
  });
  const reconciled = 'When a load last changed the data, Unix time; 0 if none ever has';
  show(Gauge, 'data_last_reconciled_timestamp_seconds', reconciled, [], () => {
    const last_reconciled_ms = known()?.last_reconciled_ms;
    return last_reconciled_ms === undefined ? [] : [[{}, last_reconciled_ms / 1000]];
  });
}

function showLoads(show: ShowSeries, known: Known): void {
  /** The loads, once they have been read. */
  const loads = () => [known()?.loads].filter((each) => each !== undefined);
  const ended = 'Loads that have ended, since the first, by outcome: finished, failed';
  show(KEPT_COUNTER, 'loads_total', ended, ['outcome'], () =>
    loads().flatMap(({ finished, failed }) => [
      [{ outcome: 'finished' }, finished],
      [{ outcome: 'failed' }, failed],
    ]),
  );
  const last = 'When a load last finished or failed, Unix time; 0 if none ever has';
  show(Gauge, 'loads_last_ended_timestamp_seconds', last, ['outcome'], () =>
    loads().flatMap(({ last_finished_ms, last_failed_ms }) => [
      [{ outcome: 'finished' }, last_finished_ms / 1000],
      [{ outcome: 'failed' }, last_failed_ms / 1000],
    ]),
  );
  const unsealed = 'Versions without a seal: those of an older service, which the next load seals';
  show(Gauge, 'versions_unsealed', unsealed, [], () => {
    const state = known();
    return state === undefined ? [] : [[{}, state.unsealed]];
  });
  const read = 'Rows that loads have read, since the first';
  show(KEPT_COUNTER, 'load_rows_read_total', read, [], () => loads().map(({ rows_read }) => [{}, rows_read]));
  const rejected = 'Rows that loads have rejected, since the first';
  show(KEPT_COUNTER, 'load_rows_rejected_total', rejected, [], () =>
    loads().map(({ rows_rejected }) => [{}, rows_rejected]),
  );
}

/** Shows the state of the collector by the reports of its loads; nothing without one. */
function showCollected(show: ShowSeries, known: Known): void {
  const sources = () => known()?.sources ?? [];
  const success = 'When a source of the collector last gave a usable response, Unix time; 0 if it never has';
  show(Gauge, 'collect_last_success_timestamp_seconds', success, ['source'], () =>
    sources().map(({ source, last_success_at }) => [
      { source },
      last_success_at === null ? 0 : Date.parse(last_success_at) / 1000,
    ]),
  );
  const gaps = 'What the collector misses of a source: retried, or permanent, which it asks for no more';
  show(Gauge, 'collect_gaps', gaps, ['source', 'state'], () =>
    sources().flatMap(({ source, gaps, permanent_gaps }) => [
      [{ source, state: 'retried' }, gaps],
      [{ source, state: 'permanent' }, permanent_gaps],
    ]),
  );
  const help = 'Requests of the collector since its first pass, by outcome: ok, no_answer, refused, failed';
  show(KEPT_COUNTER, 'collect_requests_total', help, ['source', 'outcome'], () =>
    sources().flatMap(({ source, requests }) =>
      Object.entries(requests).map(([outcome, value]): Series<'source' | 'outcome'> => [
        { source, outcome },
        value,
      ]),
    ),
  );
}
