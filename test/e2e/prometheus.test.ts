import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';
import type { Store } from '../../src/store/store.js';
import { recordCollected, SOURCE } from '../support/collect/collected.js';
import { FEEDS, WINDOW } from '../support/contract/data.js';
import { GRAFANA, readDashboards } from '../support/grafana/dashboards.js';
import { Listening } from '../support/listen.js';
import { until } from '../support/process.js';
import { findPrometheus, type Prometheus } from '../support/prometheus.js';
import { startTestService, type TestService } from '../support/service.js';
import { temporaryFolder } from '../support/store.js';
import { skip } from '../support/runner/skip.js';
import { openWorld } from '../support/worlds.js';

const run = promisify(execFile);

interface Config {
  global: Record<string, string>;
  scrape_configs: {
    job_name: string;
    authorization: { credentials_file: string };
    static_configs: { targets: string[] }[];
  }[];
}

interface Rule {
  alert: string;
  expr: string;
  for: string;
}

describe('Prometheus', function () {
  this.timeout(900_000);
  let programs: Prometheus;
  let store: Store;
  let service: TestService;
  /** prometheus.yml and alerts.yml as they are delivered, and the key beside them. */
  let folder: string;

  before(async function () {
    try {
      programs = findPrometheus();
    } catch (error) {
      skip(this, `no Prometheus: ${(error as Error).message}`);
    }
    store = await openWorld([FEEDS]);
    await recordCollected(store, 2, [SOURCE]);
    service = await startTestService(store, { rateLimitPerMinute: 100_000 });
    folder = temporaryFolder();
    for (const name of ['prometheus.yml', 'alerts.yml']) cpSync(join(GRAFANA, name), join(folder, name));
    writeFileSync(join(folder, 'api-key'), `${service.key}\n`);
  });
  after(async () => {
    await (store as Store | undefined)?.close();
  });

  const promtool = async (...args: string[]): Promise<string> => {
    try {
      const { stdout, stderr } = await run(programs.promtool, args, { cwd: folder, timeout: 120_000 });
      return stdout + stderr;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`promtool ${args.join(' ')}: ${stdout}${stderr}`, { cause: error });
    }
  };

  describe('promtool', () => {
    it('given /metrics after requests, then it has nothing to say against them', async () => {
      await service.get(`/api/v1/accuracy/summary?${WINDOW}`);
      const { text } = await service.get('/metrics');
      const checking = run(programs.promtool, ['check', 'metrics'], { timeout: 60_000 });
      checking.child.stdin?.end(text);
      const { stdout, stderr } = await checking;
      expect(stdout + stderr).to.equal('');
    });

    it('given prometheus.yml and alerts.yml, then it accepts both', async () => {
      expect(await promtool('check', 'config', 'prometheus.yml')).to.match(/prometheus\.yml is valid/);
      expect(await promtool('check', 'rules', 'alerts.yml')).to.match(/SUCCESS: \d+ rules found/);
    });

    it('given each trouble that an alert is about, then that alert fires, and in quiet times none does', async () => {
      const alerts = rulesOf(folder).map(({ alert }) => alert);
      const troubles = Object.keys({ ...AT_ONCE, ...AFTER_A_DAY, ...AFTER_DAYS }).map(alertOf);
      expect([...new Set(troubles)].sort()).to.deep.equal(alerts.sort());
      // Where rates are of five minutes, minutes are needed; days of them would take promtool minutes.
      await fires(AT_ONCE, '1m', '30m', [
        ['up{job="forecast-accuracy"}', '1'],
        ['store_up', '1'],
        ['store_damaged_parts', '0'],
        ['store_parts_taken_back_total', '3'],
        [answers('200'), '0+100x'],
        [answers('500'), '0+1x'],
        [buckets('1'), '0+100x'],
        [buckets('+Inf'), '0+101x'],
        ['store_queries_waiting', '3'],
        ['nodejs_eventloop_lag_p99_seconds{job="forecast-accuracy"}', '0.01'],
        ['http_requests_rate_limited_total', '0+1x'],
        [lastLoad('failed'), '0'],
        [lastLoad('finished'), '60'],
      ]);
      await fires(AFTER_DAYS, '30m', '6d', [
        ['data_last_reconciled_timestamp_seconds', '0+1800x'],
        ['data_latest_target_date_timestamp_seconds{metric="high"}', '0+1800x'],
        // Once long ago, and two providers of which one is a day behind.
        [lastLoad('failed'), '60'],
        [brought('ahead'), '0+1800x'],
        [brought('behind'), '-86400+1800x'],
        [lastDay('ahead'), '0+1800x'],
        [lastDay('behind'), '-86400+1800x'],
        [alarmed('stale', 'ahead'), '0'],
        [alarmed('suspect'), '0'],
      ]);
      await fires(AFTER_A_DAY, '30m', '36h', [
        // A source is late by its own schedule.
        [success('iem-cli'), '-14400+1800x'],
        [success('iem-nbm'), '-43200+1800x'],
        [success('noaa-nbp'), '-144000+1800x'],
        [gaps('retried'), '3'],
        [requested('ok'), '0+10x'],
        [requested('refused'), '0+1x'],
        ['load_rows_read_total', '0+1000x'],
        ['load_rows_rejected_total', '0+5x'],
      ]);
    });

    /** Runs the rules on the series of each trouble, then on quiet ones; the clock begins at 1970. */
    const fires = async (
      troubles: Record<string, Series[]>,
      interval: string,
      eval_time: string,
      quiet: Series[],
    ): Promise<void> => {
      const test = (given: Series[], expr: string, value?: number): object => ({
        interval,
        input_series: given.map(([series, values]) => ({
          series,
          values: values.endsWith('x') ? `${values}300` : `${values}+0x300`,
        })),
        promql_expr_test: [
          { expr, eval_time, exp_samples: value === undefined ? [] : [{ labels: '{}', value }] },
        ],
      });
      const firing = Object.entries(troubles).map(([trouble, given]) =>
        test(given, `count(ALERTS{alertname="${alertOf(trouble)}", alertstate="firing"})`, 1),
      );
      const tests = [...firing, test(quiet, 'count(ALERTS)')];
      const file = `alerts-${eval_time}.test.yml`;
      writeFileSync(
        join(folder, file),
        stringify({ rule_files: ['alerts.yml'], evaluation_interval: interval, tests }),
      );
      expect(await promtool('test', 'rules', file)).to.include('SUCCESS');
    };
  });

  describe('a server that scrapes the service with an API key', () => {
    let http: Listening;
    let prometheus: ChildProcess | undefined;
    let log = '';
    let base: string;
    let traffic: NodeJS.Timeout;

    before(async () => {
      http = await Listening.start(service);
      const target = new URL(http.url).host;
      const config = parse(readFileSync(join(folder, 'prometheus.yml'), 'utf8')) as Config;
      config.global = { scrape_interval: '1s', evaluation_interval: '1s' };
      const [job] = config.scrape_configs;
      const aimed = { ...job!, static_configs: [{ targets: [target] }] };
      writeFileSync(join(folder, 'wrong-key'), 'fas_aaaaaaaa_wrong');
      const wrong = { ...aimed, job_name: 'wrong-key', authorization: { credentials_file: 'wrong-key' } };
      writeFileSync(join(folder, 'here.yml'), stringify({ ...config, scrape_configs: [aimed, wrong] }));

      const free = createServer();
      await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
      const listen = `127.0.0.1:${(free.address() as AddressInfo).port}`;
      await new Promise((resolve) => free.close(resolve));
      base = `http://${listen}`;
      prometheus = spawn(
        programs.prometheus,
        [
          `--config.file=${join(folder, 'here.yml')}`,
          `--storage.tsdb.path=${join(folder, 'tsdb')}`,
          `--web.listen-address=${listen}`,
        ],
        { stdio: ['ignore', 'ignore', 'pipe'] },
      );
      prometheus.stderr?.setEncoding('utf8').on('data', (text: string) => (log += text));
      // No test run leaves it behind, not even one that is stopped.
      process.once('exit', () => prometheus?.kill('SIGKILL'));

      // Requests all the time, so that rates are not of nothing.
      let sent = 0;
      traffic = setInterval(() => {
        sent += 1;
        for (const path of [`summary?${WINDOW}`, `by-date?${WINDOW}`, `by-city?days=${(sent % 365) + 1}`]) {
          void service.get(`/api/v1/accuracy/${path}`).then(
            () => {},
            () => {},
          );
        }
      }, 500);
      await until(
        async () => ((await query('up{job="forecast-accuracy"} == 1')).length > 0 ? true : undefined),
        60_000,
      );
    });
    after(async () => {
      clearInterval(traffic);
      if (prometheus?.exitCode === null) {
        const ended = once(prometheus, 'exit');
        prometheus.kill('SIGTERM');
        await ended;
      }
      await http.stop();
    });

    const query = async (expr: string): Promise<{ value: [number, string] }[]> => {
      if (prometheus?.exitCode !== null) throw new Error(`prometheus ended: ${log}`);
      let response: Response;
      try {
        response = await fetch(`${base}/api/v1/query?${new URLSearchParams({ query: expr }).toString()}`);
      } catch {
        return []; // it does not listen yet
      }
      if (response.status === 503) return []; // nor is it ready
      const { status, data, error } = (await response.json()) as {
        status: string;
        error?: string;
        data?: { result: { value: [number, string] }[] };
      };
      if (status !== 'success') throw new Error(`${expr}: ${error}`);
      return data?.result ?? [];
    };

    it('given a wrong key, then that target is down, and the other is up', async () => {
      await until(
        async () => ((await query('up{job="wrong-key"} == 0')).length > 0 ? true : undefined),
        60_000,
      );
      expect(await query('up{job="forecast-accuracy"} == 1')).to.have.length(1);
    });

    const operations = readDashboards().find(({ path }) => path === 'prometheus/operations.json')!;
    for (const { title, targets } of operations.panels) {
      it(`given the operations dashboard, then "${title}" has numbers`, async () => {
        for (const { expr } of targets as unknown as { expr: string }[]) {
          const filled = expr
            .replaceAll('$job', 'forecast-accuracy')
            .replaceAll('$provider', '.*')
            .replaceAll('$__rate_interval', '10s');
          expect(filled).not.to.include('$');
          const rows = await until(async () => {
            const found = await query(filled);
            return found.some(({ value }) => Number.isFinite(Number(value[1]))) ? found : undefined;
          }, 60_000);
          if (title === 'Service' || title === 'Store') expect(Number(rows[0]?.value[1])).to.equal(1);
          if (title === 'Requests') expect(Number(rows[0]?.value[1])).to.be.greaterThan(0);
        }
      });
    }

    it('given its variables, then job and provider can be chosen, and the address is that of the page', async () => {
      const chosen: Record<string, string> = { job: 'forecast-accuracy', provider: 'default' };
      const { list } = operations.templating;
      const queries = list.filter(({ type }) => type === 'query');
      expect(queries.map(({ name }) => name)).to.deep.equal(Object.keys(chosen));
      const others = list.filter((each) => !queries.includes(each));
      expect(others.map(({ name, type, query }) => [name, type, query])).to.deep.equal([
        ['service', 'constant', 'http://127.0.0.1:8080'],
      ]);
      for (const { name, query } of queries) {
        const written = (query as { query: string }).query.replaceAll('$job', 'forecast-accuracy');
        const [, series = '', label = ''] = /^label_values\((.*), (\w+)\)$/.exec(written) ?? [];
        const match = new URLSearchParams({ 'match[]': series }).toString();
        const answer = await fetch(`${base}/api/v1/label/${label}/values?${match}`);
        const { data } = (await answer.json()) as { data: string[] };
        expect(data, written).to.deep.equal([chosen[name]]);
      }
    });
  });
});

function rulesOf(folder: string): Rule[] {
  const { groups } = parse(readFileSync(join(folder, 'alerts.yml'), 'utf8')) as {
    groups: { rules: Rule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

const ROUTE = 'route="/api/v1/accuracy/summary"';
const answers = (status: string): string =>
  `http_request_duration_seconds_count{${ROUTE}, status_code="${status}"}`;
const buckets = (le: string): string => `http_request_duration_seconds_bucket{${ROUTE}, le="${le}"}`;

const success = (source: string): string => `collect_last_success_timestamp_seconds{source="${source}"}`;
const lastLoad = (outcome: string): string => `loads_last_ended_timestamp_seconds{outcome="${outcome}"}`;
const brought = (provider: string): string =>
  `data_provider_last_load_timestamp_seconds{provider="${provider}"}`;
const lastDay = (provider: string): string =>
  `data_provider_latest_target_date_timestamp_seconds{provider="${provider}"}`;
const gaps = (state: string): string => `collect_gaps{source="iem-cli", state="${state}"}`;
const requested = (outcome: string): string =>
  `collect_requests_total{source="iem-nbm", outcome="${outcome}"}`;

/** The alert that a trouble is of: its name, without what tells two troubles of one alert apart. */
const alertOf = (trouble: string): string => trouble.split(' ')[0] ?? '';

/** A series, and its values as promtool writes them: one for all times, or a start and steps without an end. */
type Series = [series: string, values: string];

/** Series that make each alert fire within half an hour, by minutes. */
const AT_ONCE: Record<string, Series[]> = {
  ForecastAccuracyDown: [['up{job="forecast-accuracy"}', '0']],
  ForecastAccuracyStoreDown: [['store_up', '0']],
  ForecastAccuracyDamaged: [['store_damaged_parts', '1']],
  ForecastAccuracyDiskFull: [['store_parts_taken_back_total', '0+1x']],
  ForecastAccuracyErrors: [
    [answers('200'), '0+90x'],
    [answers('503'), '0+10x'],
  ],
  ForecastAccuracySlow: [
    [buckets('1'), '0+50x'],
    [buckets('2.5'), '0+100x'],
    [buckets('+Inf'), '0+100x'],
  ],
  ForecastAccuracyQueue: [['store_queries_waiting', '200']],
  ForecastAccuracyEventLoopLate: [['nodejs_eventloop_lag_p99_seconds{job="forecast-accuracy"}', '0.4']],
  ForecastAccuracyRateLimited: [['http_requests_rate_limited_total', '0+600x']],
  // Another load has gone well since.
  ForecastAccuracyLoadFailed: [
    [lastLoad('failed'), '60'],
    [lastLoad('finished'), '600'],
  ],
};

const alarmed = (kind: string, provider = '') => `watch_alarms{kind="${kind}",provider="${provider}"}`;

/** Within six days, by half hours. */
const AFTER_DAYS: Record<string, Series[]> = {
  ForecastAccuracyNoLoad: [['data_last_reconciled_timestamp_seconds', '60']],
  ForecastAccuracyStale: [['data_latest_target_date_timestamp_seconds{metric="high"}', '60']],
  // One alert each: the other provider goes on.
  ForecastAccuracyProviderSilent: [
    [brought('stopped'), '60'],
    [brought('alive'), '0+1800x'],
  ],
  ForecastAccuracyProviderBehind: [
    [lastDay('stopped'), '0'],
    [lastDay('alive'), '0+1800x'],
  ],
  // One alert each: the other provider is quiet.
  ForecastAccuracyProviderStale: [
    [alarmed('stale', 'stopped'), '40'],
    [alarmed('stale', 'alive'), '0'],
  ],
  ForecastAccuracySuspectObservations: [[alarmed('suspect'), '2']],
};

/** Within a day and a half, by half hours. */
const AFTER_A_DAY: Record<string, Series[]> = {
  // Two sources each: the other one is within its schedule.
  'ForecastAccuracySourceSilent each hour': [
    [success('iem-cli'), '-28800+1800x'],
    [success('iem-nbm'), '-43200+1800x'],
  ],
  'ForecastAccuracySourceSilent each six hours': [
    [success('iem-cli'), '-14400+1800x'],
    [success('iem-nbm'), '-86400+1800x'],
  ],
  'ForecastAccuracySourceSilent each day': [
    [success('iem-nbm'), '-43200+1800x'],
    [success('noaa-nbp'), '-172800+1800x'],
  ],
  'ForecastAccuracySourceSilent from the start': [[success('iem-nbm'), '0']],
  'ForecastAccuracyGaps retried': [[gaps('retried'), '0+1x']],
  'ForecastAccuracyGaps permanent': [[gaps('permanent'), '0+1x']],
  ForecastAccuracyRefused: [
    [requested('ok'), '0+10x'],
    [requested('refused'), '0+10x'],
  ],
  ForecastAccuracyRowsRejected: [
    ['load_rows_read_total', '0+1000x'],
    ['load_rows_rejected_total', '0+50x'],
  ],
};
