import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { dashboardFiles, importFiles } from '../../scripts/grafana/files.js';
import { DEFAULT_PARAMS } from '../../public/dashboard/address.js';
import type { Store } from '../../src/store/store.js';
import {
  type Dashboard,
  GRAFANA,
  type Panel,
  readDashboards,
  type Target,
} from '../support/grafana/dashboards.js';
import { type Field, interpolate, type Moment, PLUGINS } from '../support/grafana/plugins.js';
import { sent } from '../support/contract/contract.js';
import { PARAMETERS } from '../support/contract/interface.js';
import { loadLines } from '../support/ingest/feeds.js';
import { readStations } from '../../src/sample/generate.js';
import { hourlyForecastRows } from '../../src/sample/sample-hours.js';
import { sampleSince } from '../support/ingest/sample.js';
import { BUCKETS } from '../support/plain/oracle.js';
import { startTestService, type TestService } from '../support/service.js';
import { openTestStore } from '../support/store.js';

// Grafana itself is not to be had here; this does what it and the plugins do with each target.

const TODAY = '2026-03-20';
const NOW = Date.parse(`${TODAY}T21:30:00Z`);
const DAY_MS = 86_400_000;
/** Providers of the sample: the default one, then by name, which it would not be the first by. */
const PROVIDERS = ['made-up-fine', 'made-up-coarse'];
/** Forecasts of hours, of one of them. */
const HOURLY = { name: 'made-up-fine', seed: 'hours', everyMs: DAY_MS / 2, spread: 1, stepHours: 3 };
/** 95 of the sample's 400 days: the dashboards open with 90. */
const SAMPLE_SINCE = '2025-12-15';

interface DataSource {
  name: string;
  uid: string;
  type: string;
  url: string;
  jsonData: Record<string, unknown>;
  secureJsonData?: Record<string, string>;
}

interface AlertRule {
  uid: string;
  title: string;
  condition: string;
  data: { refId: string; datasourceUid: string; model: Target }[];
}

const DASHBOARDS = readDashboards();
const PANELS = DASHBOARDS.flatMap((dashboard) => dashboard.panels.map((panel) => ({ dashboard, panel })));
const API_PANELS = PANELS.filter(({ panel }) => panel.datasource.type in PLUGINS);

function dataSources(): DataSource[] {
  const folder = join(GRAFANA, 'provisioning/datasources');
  return readdirSync(folder).flatMap(
    (file) => (parse(readFileSync(join(folder, file), 'utf8')) as { datasources: DataSource[] }).datasources,
  );
}

const isWhole = (value: unknown): boolean => value === null || Number.isInteger(value);

const nameOf = ({ path }: Dashboard, { title }: Panel): string => `${path}: ${title}`;

describe('The dashboards of grafana/, as files', () => {
  it('given the descriptions of the panels, then the files are what they make', () => {
    const made = dashboardFiles();
    expect(DASHBOARDS.map(({ path }) => path)).to.deep.equal([...made.keys()].sort());
    for (const { path, ...dashboard } of DASHBOARDS) {
      expect(dashboard, `${path}: run npm run grafana`).to.deep.equal(
        JSON.parse(JSON.stringify(made.get(path))),
      );
    }
  });

  it('given the files to be imported, then each is what Grafana makes of the provisioned one', () => {
    const files = readDashboards('import');
    expect(files.map(({ path }) => path)).to.deep.equal([...importFiles().keys()].sort());
    const provisioned = DASHBOARDS.filter(({ path }) => !path.startsWith('json-api/'));
    expect(files.map(({ path }) => path)).to.deep.equal(provisioned.map(({ path }) => path));
    for (const [at, { path, ...file }] of files.entries()) {
      expect(file, `${path}: run npm run grafana`).to.deep.equal(
        JSON.parse(JSON.stringify(importFiles().get(path))),
      );
      const { __inputs, __elements, __requires, id, ...dashboard } = file as typeof file & {
        __inputs: { name: string; type: string; pluginId?: string; value?: string }[];
        __elements: object;
        __requires: { id: string; version: string }[];
        id: null;
      };
      expect([__elements, id]).to.deep.equal([{}, null]);
      // As Grafana does: each ${NAME} of an input becomes what is chosen for it.
      const source = provisioned[at]!.panels[0]!.datasource;
      const chosen: Record<string, string> = {};
      for (const { name, type, pluginId, value } of __inputs) {
        if (type === 'datasource') expect(pluginId, path).to.equal(source.type);
        chosen[name] = type === 'datasource' ? source.uid : value!;
      }
      const text = JSON.stringify(dashboard).replaceAll(
        /\$\{(\w+)\}/g,
        (whole, name: string) => chosen[name] ?? whole,
      );
      expect({ path, ...(JSON.parse(text) as object) }).to.deep.equal(provisioned[at]);
      expect(text).not.to.contain('DS_').and.not.to.contain('VAR_');
      expect(JSON.stringify(dashboard)).not.to.contain(source.uid);
      expect(__requires.map((each) => each.id)).to.deep.equal(['grafana', source.type]);
    }
  });

  it('given the versions of the plugins, then compose pins them, and the page names them', () => {
    const compose = parse(readFileSync(join(GRAFANA, '../docker-compose.yml'), 'utf8')) as {
      services: { grafana: { environment: Record<string, string>; image: string } };
    };
    const { environment, image } = compose.services.grafana;
    const pins = environment.GF_PLUGINS_PREINSTALL_SYNC!.split(',');
    expect(pins.map((pin) => pin.replace(/@.*/, ''))).to.have.members(Object.keys(PLUGINS));
    const page = readFileSync(join(GRAFANA, '../docs/grafana.md'), 'utf8');
    for (const pin of pins) {
      const [, version] = /^[\w-]+@(\d+\.\d+\.\d+)$/.exec(pin) ?? [];
      expect(version, pin).to.be.a('string');
      expect(page).to.contain(pin.replace('@', ' ')).and.to.contain(pin);
    }
    expect(page).to.contain(image.split(':')[1]!);
    const [file] = readDashboards('import') as unknown as { __requires: { id: string; version: string }[] }[];
    for (const { id, version } of file!.__requires)
      expect(id === 'grafana' ? page : pins.join(), id).to.contain(version);
  });

  it('then each links to the page of the service, by words that the page knows and variables of its own', () => {
    for (const { path, links, templating } of DASHBOARDS) {
      const [{ url } = { url: '' }] = links.filter(({ type }) => type === 'link');
      expect(url, path).to.match(/^\$\{service\}\/(\?|$)/);
      const names = templating.list.map(({ name }) => name);
      for (const [, name] of url.matchAll(/\$\{(\w+)\}/g)) expect(names, path).to.include(name);
      for (const [, word] of url.matchAll(/[?&](\w+)=/g))
        expect(DEFAULT_PARAMS, path).to.have.property(word!);
    }
  });

  it('given a choice of some values, then the query of its variable says the same as its options', () => {
    for (const { path, templating } of DASHBOARDS) {
      for (const { name, query, options } of templating.list.filter(({ type }) => type === 'custom')) {
        // As Grafana reads it: commas between choices, and a backslash before one that is part of a value.
        const values = (query as string)
          .match(/(?:\\,|[^,])+/g)!
          .map((choice) => choice.replaceAll('\\,', ',').split(' : ').at(-1)!.trim());
        expect(values, `${path}: ${name}`).to.deep.equal(options.map(({ value }) => value));
      }
    }
  });

  it('then each is in UTC, has its own uid and title, and panels with ids of their own and words on them', () => {
    expect(new Set(DASHBOARDS.map(({ uid }) => uid)).size).to.equal(DASHBOARDS.length);
    expect(new Set(DASHBOARDS.map(({ title }) => title)).size).to.equal(DASHBOARDS.length);
    for (const { path, timezone, panels, uid } of DASHBOARDS) {
      expect(timezone, path).to.equal('utc');
      expect(uid.length, path).to.be.lessThan(41); // Grafana's bound
      expect(new Set(panels.map(({ id }) => id)).size, path).to.equal(panels.length);
      expect(new Set(panels.map(({ title }) => title)).size, path).to.equal(panels.length);
      for (const { title, description } of panels) expect(description, title).to.match(/\.$/);
    }
  });

  it('then no two panels lie on one place, and none beyond the grid', () => {
    for (const { path, panels } of DASHBOARDS) {
      const taken = new Map<string, string>();
      for (const { title, gridPos } of panels) {
        expect(gridPos.x + gridPos.w, `${path}: ${title}`).to.be.at.most(24);
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
          for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
            expect(taken.get(`${x} ${y}`), `${path}: ${title} over`).to.equal(undefined);
            taken.set(`${x} ${y}`, title);
          }
        }
      }
    }
  });

  it('then every panel, target and variable names a data source that is provisioned, with its type', () => {
    const known = new Map(dataSources().map(({ uid, type }) => [uid, type]));
    for (const { path, panels, templating } of DASHBOARDS) {
      const named = [
        ...panels.flatMap(({ datasource, targets }) => [
          datasource,
          ...targets.map((target) => target.datasource),
        ]),
        ...templating.list.flatMap(({ datasource }) => (datasource === undefined ? [] : [datasource])),
      ];
      for (const { uid, type } of named) expect([uid, known.get(uid)], path).to.deep.equal([uid, type]);
    }
  });

  it('then every question that can be about a provider is about the one chosen', () => {
    const asked = { provider: 0, reference: 0, none: 0 };
    for (const { dashboard, panel } of API_PANELS) {
      for (const target of panel.targets) {
        const { path, params } = PLUGINS[target.datasource.type]!.questionOf(target);
        const taken = PARAMETERS[`/api/v1${path.replace('${station}', '{station_id}')}`]!;
        // The chosen one of two providers is the one that the others are compared with.
        const name = 'provider' in taken ? 'provider' : 'reference' in taken ? 'reference' : 'none';
        asked[name] += 1;
        if (name === 'none') continue;
        expect(params[name], nameOf(dashboard, panel)).to.equal('${provider}');
        const variable = dashboard.templating.list.find((each) => each.name === 'provider');
        expect(variable?.type, dashboard.path).to.equal('query');
      }
    }
    expect(asked).to.deep.include({ reference: 2, none: 6 }); // two maps' places, the table of stations, and all providers beside each other
    expect(asked.provider).to.be.greaterThan(40);
  });

  it('then every question that can follow the unit or the lead time that is chosen does', () => {
    for (const { dashboard, panel } of API_PANELS) {
      const names = dashboard.templating.list.map(({ name }) => name);
      for (const target of panel.targets) {
        const { path, params } = PLUGINS[target.datasource.type]!.questionOf(target);
        const taken = PARAMETERS[`/api/v1${path.replace('${station}', '{station_id}')}`]!;
        // By lead time, and with a lead of their own, questions have all lead times.
        for (const [name, others] of [
          ['units', /^$/],
          ['lead_time_bucket', /by-lead-time|compare|divergence|skill|events|probability/],
        ] as const) {
          if (!names.includes(name)) continue;
          const follows = name in taken && !others.test(path);
          expect(params[name], nameOf(dashboard, panel)).to.equal(follows ? `\${${name}}` : undefined);
        }
      }
    }
  });

  it('given the operations dashboard, then what is counted by provider is of those chosen', () => {
    const [operations] = DASHBOARDS.filter(({ path }) => path.startsWith('prometheus/'));
    expect(operations?.templating.list.map(({ name }) => name)).to.deep.equal(['job', 'provider', 'service']);
    const expressions = (operations?.panels ?? []).flatMap(({ targets }) =>
      targets.map(({ expr }) => String(expr)),
    );
    const ofProviders = expressions.filter((expr) => expr.includes('data_provider_'));
    expect(ofProviders).to.have.length(2);
    for (const expr of ofProviders) {
      expect(expr).to.match(/max by \(provider\) \(\w+\{job="\$job", provider=~"\$provider"\}\)/);
    }
  });

  it('then every link leads to a dashboard of the same source, by columns and variables that there are', () => {
    let links = 0;
    for (const { dashboard, panel } of PANELS) {
      const columns = new Set(panel.targets.flatMap(columnsOf));
      for (const { properties } of panel.fieldConfig.overrides) {
        for (const { value } of properties.filter(({ id }) => id === 'links')) {
          for (const { url } of value as { url: string }[]) {
            links += 1;
            const [, uid] = /^\/d\/([\w-]+)\?/.exec(url) ?? [];
            const aim = DASHBOARDS.find((each) => each.uid === uid);
            expect(aim?.panels[0]?.datasource, `${nameOf(dashboard, panel)}: ${url}`).to.deep.equal(
              panel.datasource,
            );
            for (const [, name] of url.matchAll(/var-(\w+)=/g)) {
              expect(aim?.templating.list.map((each) => each.name)).to.include(name);
            }
            for (const [, name] of url.matchAll(/\$\{__data\.fields\.(\w+)\}/g))
              expect(columns).to.include(name);
          }
        }
      }
    }
    expect(links).to.be.greaterThan(0);
  });

  it('then what overrides, axes, markers, joins and reductions name are columns of the panel', () => {
    for (const { dashboard, panel } of API_PANELS) {
      const columns = [...panel.targets.flatMap(columnsOf), ...countedRows(panel)];
      for (const name of namesIn(panel)) expect(columns, nameOf(dashboard, panel)).to.include(name);
    }
  });
});

describe('The data sources of grafana/provisioning', () => {
  const byUid = new Map(dataSources().map((each) => [each.uid, each]));
  const base = 'http://forecast-accuracy-service:8080';

  it('then Infinity sends its key to the service alone, and its health check needs one', () => {
    const { url, jsonData, secureJsonData } = byUid.get('forecast-accuracy-infinity')!;
    expect(url).to.equal(base);
    expect(jsonData).to.deep.include({
      auth_method: 'bearerToken',
      allowedHosts: [`${base}/api/v1`],
      customHealthCheckEnabled: true,
      customHealthCheckUrl: `${base}/api/v1`,
    });
    expect(secureJsonData).to.deep.equal({ bearerToken: '$API_KEY' });
  });

  it('then JSON API sends the key as a header, and its base is the index of the API', () => {
    const { url, jsonData, secureJsonData } = byUid.get('forecast-accuracy-json-api')!;
    expect(url).to.equal(`${base}/api/v1`);
    expect(jsonData).to.deep.equal({ httpHeaderName1: 'Authorization' });
    expect(secureJsonData).to.deep.equal({ httpHeaderValue1: 'Bearer $API_KEY' });
  });

  it('then Prometheus scrapes the same service, and Grafana knows how often', () => {
    const { global, scrape_configs } = parse(readFileSync(join(GRAFANA, 'prometheus.yml'), 'utf8')) as {
      global: { scrape_interval: string };
      scrape_configs: { static_configs: { targets: string[] }[] }[];
    };
    expect(`http://${scrape_configs[0]?.static_configs[0]?.targets[0]}`).to.equal(base);
    const { jsonData } = byUid.get('forecast-accuracy-prometheus')!;
    expect(jsonData.timeInterval).to.equal(global.scrape_interval);
  });

  it('then each has dashboards, and each folder of dashboards a provider', () => {
    const { providers } = parse(
      readFileSync(join(GRAFANA, 'provisioning/dashboards/dashboards.yml'), 'utf8'),
    ) as {
      providers: { options: { path: string } }[];
    };
    const folders = [...new Set(DASHBOARDS.map(({ path }) => path.split('/')[0]))];
    expect(providers.map(({ options }) => options.path)).to.deep.equal(
      folders.map((folder) => `/var/lib/grafana/dashboards/${folder}`),
    );
    const used = new Set(PANELS.map(({ panel }) => panel.datasource.uid));
    expect([...used].sort()).to.deep.equal([...byUid.keys()].sort());
  });
});

describe('The dashboards of grafana/, on a service with the sample data', function () {
  let store: Store;
  let service: TestService;
  const walked = { panels: 0, targets: 0, variables: new Set<string>() };
  const timezone = process.env.TZ;

  before(async () => {
    // Whoever reads a date as local time is a day early here.
    process.env.TZ = 'Asia/Tokyo';
    store = await openTestStore();
    const hours = hourlyForecastRows(readStations(), Date.parse(TODAY), [HOURLY], 10);
    const report = await loadLines(store, {
      ...sampleSince(SAMPLE_SINCE, TODAY),
      hourly_forecasts: [...hours],
    });
    expect(report.outcome).to.equal('complete');
    service = await startTestService(store, { now: new Date(NOW).toISOString() });
  });
  after(async () => {
    if (timezone === undefined) delete process.env.TZ;
    else process.env.TZ = timezone;
    console.log(
      `      walked: ${walked.panels} panels, ${walked.targets} targets, ${walked.variables.size} variable queries`,
    );
    await store.close();
  });

  /** As a user who has just opened it finds it. */
  const opened = async (dashboard: Dashboard): Promise<Moment> => {
    expect(dashboard.time).to.deep.equal({ from: 'now-89d/d', to: 'now' });
    const from = Math.floor(NOW / DAY_MS) * DAY_MS - 89 * DAY_MS;
    const moment: Moment = { variables: {}, from, to: NOW };
    for (const { name, type, current, query, datasource } of dashboard.templating.list) {
      let value = current.value;
      if (type === 'query') {
        const plugin = PLUGINS[datasource?.type ?? '']!;
        const fields = await ask({ ...plugin.choiceOf(query), datasource: datasource! }, moment);
        expect(fields.map((field) => field.name)).to.deep.equal(['__text', '__value']);
        const [texts, values] = fields.map((field) => field.values as string[]);
        if (name === 'provider') expect(values).to.deep.equal(PROVIDERS);
        else expect(texts).to.have.length(48).and.include('Chicago');
        // Grafana takes the first.
        value = values?.[name === 'provider' ? 0 : (texts?.indexOf('Chicago') ?? 0)];
        walked.variables.add(`${dashboard.path} ${name}`);
      }
      expect(value, `${dashboard.path}: ${name}`).to.be.a('string');
      moment.variables[name] = value ?? '';
    }
    return moment;
  };

  const answered = async (target: Target, moment: Moment, at: TestService = service) => {
    const plugin = PLUGINS[target.datasource.type]!;
    const { url: base, jsonData } = dataSources().find(({ uid }) => uid === target.datasource.uid)!;
    const { allowedHosts = [] } = jsonData as { allowedHosts?: string[] };
    const url = new URL(plugin.urlOf(target, moment, base));
    expect(url.href, 'nothing is left to fill in').not.to.match(/\$|%24|%7B/);
    for (const allowed of allowedHosts) expect(url.href.startsWith(allowed), url.href).to.equal(true);
    const said = await sent(at.get(url.pathname + url.search).set('Accept', plugin.accept));
    return { url, said, read: () => plugin.read(target, said.body) };
  };

  const ask = async (target: Target, moment: Moment, at?: TestService): Promise<Field[]> => {
    const { url, said, read } = await answered(target, moment, at);
    expect(said.status, `${url.href}: ${said.text}`).to.equal(200);
    return read();
  };

  const check = (panel: Panel, fields: Field[]): void => {
    const rows = fields[0]?.values.length ?? 0;
    expect(rows, 'rows').to.be.greaterThan(0);
    for (const { name, type, values } of fields) {
      expect(values, `length of ${name}`).to.have.length(rows);
      const expected = { string: 'string', number: 'number', boolean: 'boolean', time: 'number' }[type];
      const fits = (value: unknown): boolean =>
        (typeof value === expected && (expected !== 'number' || Number.isFinite(value))) ||
        // Seven days have no interval, and no band; nobody said 90 %; a provider may lack the days; ages are mostly equal; chances of
        // days are said from the evening before on.
        (value === null &&
          / (low|high)$|^(From|To|Said|Happened|MAE difference|Nearer|Unequal age|POD|FAR|CSI|Brier score|Skill|It rained)$/.test(
            name,
          ));
      expect(
        values.filter((value) => !fits(value)),
        `not a ${type}: ${name}`,
      ).to.deep.equal([]);
      if (/\bdate$/i.test(name)) {
        const late = values.filter((value) => Number(value) % DAY_MS !== 0);
        expect(late, `not midnight UTC: ${name}`).to.deep.equal([]);
      }
      if (type !== 'number') continue; // Grafana gives a default unit to numbers alone
      const unit = unitOf(panel, name);
      const inDegrees =
        /^((MAE|Bias|MAE difference)( low| high)?|Reference MAE|RMSE|Standard deviation|Median error|9\dth percentile|Forecast|Actual|Error|Latitude|Longitude|Threshold|Others|Departure|Expected|Mean width|From|To|\d+%)$/;
      expect(unit === 'degree', `unit of ${name}: ${unit}`).to.equal(inDegrees.test(name));
    }
  };

  for (const dashboard of DASHBOARDS.filter(({ panels }) => panels[0]!.datasource.type in PLUGINS)) {
    describe(`given ${dashboard.path}`, () => {
      let moment: Moment;
      before(async () => {
        moment = await opened(dashboard);
      });

      it('when the time range is longer than the service takes, then each empty panel says what to do', async () => {
        const long = { ...moment, from: NOW - 4000 * DAY_MS };
        for (const panel of dashboard.panels) {
          for (const target of panel.targets) {
            const { said } = await answered(target, long);
            if (said.status === 200) continue;
            expect(said.status, said.text).to.equal(400);
            expect(panel.fieldConfig.defaults.noValue, panel.title)
              .to.be.a('string')
              .that.contains('more than 3660 days: choose a shorter one');
          }
        }
      });

      for (const panel of dashboard.panels) {
        it(`when it is opened, then "${panel.title}" has rows of its types and units`, async () => {
          for (const target of panel.targets) {
            check(panel, await ask(target, moment));
            walked.targets += 1;
          }
          walked.panels += 1;
        });
      }

      it('when Celsius is chosen, then every column of degrees is in it', async () => {
        const chosen = { ...moment, variables: { ...moment.variables, units: 'metric' } };
        for (const panel of dashboard.panels) {
          for (const target of panel.targets) {
            if (PLUGINS[target.datasource.type]!.questionOf(target).params.units === undefined) continue;
            const [before, after] = [await ask(target, moment), await ask(target, chosen)];
            for (const [at, { name: column, type, values }] of before.entries()) {
              // In Celsius it rests on fewer departures: 2 °C are more than 3 °F.
              if (column === 'Expected' || type !== 'number' || unitOf(panel, column) !== 'degree') continue;
              const isTemperature = /^(Forecast|Actual|Others)$/.test(column);
              // Whole °C are counted apart: none of these is a whole °F converted. A hot day is 90 °F, or 32 °C.
              if (/^(Threshold|From|To|\d+%)$/.test(column)) {
                expect(after[at]!.values.every(isWhole), `${panel.title}: ${column}`).to.equal(true);
                expect(Math.max(...(after[at]!.values as number[])), column).to.be.below(40);
                expect(Math.max(...(values as number[])), column).to.be.above(40);
                continue;
              }
              values.forEach((each, row) => {
                if (each === null) return;
                const celsius = (((each as number) - (isTemperature ? 32 : 0)) * 5) / 9;
                expect(after[at]!.values[row], `${panel.title}: ${column}`).to.be.closeTo(celsius, 0.0081);
              });
            }
          }
        }
      });
    });
  }

  it('given a band, then it lies around its statistic, and rows are counted in the order of buckets', async () => {
    let bands = 0;
    for (const { dashboard, panel } of API_PANELS.filter(({ panel }) => panel.type === 'trend')) {
      const [fields] = await Promise.all(
        panel.targets.map(async (target) => ask(target, await opened(dashboard))),
      );
      const valuesOf = (name: string): number[] =>
        (fields?.find((field) => field.name === name)?.values ?? []) as number[];
      expect(valuesOf('MAE').length + valuesOf('Bias').length, nameOf(dashboard, panel)).to.equal(
        BUCKETS.length,
      );
      const labels = panel.fieldConfig.overrides.flatMap(({ properties }) =>
        properties.filter(({ id }) => id === 'mappings').map(({ value }) => value),
      );
      const [[{ options }]] = labels as [[{ options: Record<number, { text: string }> }]];
      expect(Object.values(options).map(({ text }) => text)).to.deep.equal(BUCKETS);
      for (const { matcher, properties } of panel.fieldConfig.overrides) {
        const below = properties.find(({ id }) => id === 'custom.fillBelowTo')?.value as string | undefined;
        if (below === undefined) continue;
        bands += 1;
        const [low, value, high] = [below, below.replace(/ low$/, ''), matcher.options].map(valuesOf);
        value?.forEach((each, at) => {
          expect(each, nameOf(dashboard, panel)).to.be.within(low?.[at] ?? NaN, high?.[at] ?? NaN);
        });
      }
    }
    expect(bands).to.equal(9);
  });

  it('given the alert rules, then each asks for one number that there is, and holds it against a bound', async () => {
    const file = readFileSync(join(GRAFANA, 'provisioning/alerting/forecast-accuracy.yml'), 'utf8');
    // Grafana fills in variables of its environment, so no query has a lone $; $values is of the messages.
    expect(file.replaceAll('{{ $values.A.Value | humanize }}', '')).not.to.contain('$');
    const { groups } = parse(file) as { groups: { rules: AlertRule[] }[] };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules).to.have.length(2);
    expect(new Set(rules.map(({ uid }) => uid)).size).to.equal(2);
    for (const { title, condition, data } of rules) {
      const [query, threshold] = data;
      expect([condition, query!.refId, query!.model.refId], title).to.deep.equal(['B', 'A', 'A']);
      expect(query!.datasourceUid).to.equal(query!.model.datasource.uid);
      expect([threshold!.refId, threshold!.datasourceUid]).to.deep.equal(['B', '__expr__']);
      const { type, expression, conditions } = threshold!.model as unknown as {
        type: string;
        expression: string;
        conditions: { evaluator: { type: string; params: number[] } }[];
      };
      expect([type, expression, conditions[0]!.evaluator.type]).to.deep.equal(['threshold', 'A', 'gt']);
      // One row of one number: an alert takes no other table without a time.
      const fields = await ask(query!.model, { variables: {}, from: 0, to: NOW });
      expect(
        fields.map(({ type, values }) => [type, values.length]),
        title,
      ).to.deep.equal([['number', 1]]);
      expect(fields[0]!.values[0], title).to.be.a('number');
    }
  });

  it('given the two data sources, then their panels show the same numbers', async () => {
    const panelsOf = (folder: string): { dashboard: Dashboard; panel: Panel }[] =>
      PANELS.filter(({ dashboard }) => dashboard.path.startsWith(`${folder}/`));
    const twins = panelsOf('json-api');
    expect([...new Set(twins.map(({ dashboard }) => dashboard.path))]).to.deep.equal([
      'json-api/network.json',
      'json-api/station.json',
    ]);
    const both = panelsOf('infinity').filter(({ dashboard }) =>
      /^infinity\/(network|station)\.json$/.test(dashboard.path),
    );
    expect(both).to.have.length(twins.length);
    for (const [index, { dashboard, panel }] of both.entries()) {
      const twin = twins[index]!;
      expect(twin.panel.title).to.equal(panel.title);
      const [here, there] = [await opened(dashboard), await opened(twin.dashboard)];
      for (const [at, target] of panel.targets.entries()) {
        const mine = await ask(target, here);
        const theirs = await ask(twin.panel.targets[at]!, there);
        expect(byName(mine), nameOf(dashboard, panel)).to.deep.equal(byName(theirs));
      }
    }
  });

  it('given panels over time of JSON API, then their axis is the window that they ask for', () => {
    for (const { dashboard, panel } of API_PANELS.filter(({ panel }) => panel.type === 'timeseries')) {
      const expected = dashboard.path.startsWith('json-api/') ? '90d' : undefined;
      const axis =
        panel.timeFrom && interpolate(panel.timeFrom, { variables: { window: '90' }, from: 0, to: 0 });
      expect(axis, nameOf(dashboard, panel)).to.equal(expected);
    }
  });
});

function byName(fields: Field[]): Field[] {
  return [...fields].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function columnsOf(target: Target): string[] {
  const { columns = [], fields = [] } = target as unknown as {
    columns?: { text: string }[];
    fields?: { name: string }[];
  };
  return [...columns.map(({ text }) => text), ...fields.map(({ name }) => name)];
}

/** The fields that a panel adds to its columns, to number their rows. */
const countedRows = ({ transformations = [] }: Panel): string[] =>
  transformations.filter(({ id }) => id === 'calculateField').map(({ options }) => options.alias as string);

/** The unit that a column is shown in: an override's, else the panel's. */
function unitOf({ fieldConfig }: Panel, name: string): string | undefined {
  const own = fieldConfig.overrides.find(({ matcher }) => matcher.options === name);
  const unit = own?.properties.find(({ id }) => id === 'unit')?.value as string | undefined;
  return unit ?? fieldConfig.defaults.unit;
}

/** The columns that a panel's settings name. */
function namesIn({ fieldConfig, options, transformations = [] }: Panel): string[] {
  const { xField, reduceOptions, layers, sortBy } = options as {
    xField?: string;
    reduceOptions?: { fields: string };
    layers?: {
      location: { latitude: string; longitude: string };
      config: { style: { color: { field: string } } };
    }[];
    sortBy?: { displayName: string }[];
  };
  return [
    ...fieldConfig.overrides.map(({ matcher }) => matcher.options),
    ...(xField === undefined ? [] : [xField]),
    ...(reduceOptions === undefined ? [] : [reduceOptions.fields.replace(/^\/\^|\$\/$/g, '')]),
    ...(layers ?? []).flatMap(({ location, config }) => [
      location.latitude,
      location.longitude,
      config.style.color.field,
    ]),
    ...(sortBy ?? []).map(({ displayName }) => displayName),
    ...transformations.flatMap(({ options: { byField, indexByName } }) => [
      ...(byField === undefined ? [] : [byField as string]),
      ...Object.keys((indexByName as object | undefined) ?? {}),
    ]),
  ];
}
