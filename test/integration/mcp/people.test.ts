import { expect } from 'chai';
import { rounded, sum } from '../../../src/statistics/statistics.js';
import {
  dayClusters,
  meanInterval,
  type Uncertainty,
} from '../../../src/statistics/uncertainty/intervals.js';
import { studentT } from '../../../src/statistics/uncertainty/student-t.js';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Listening } from '../../support/listen.js';
import { Assistant, type ToolAnswer } from '../../support/mcp/assistant.js';
import { assistantsWorld, NOW, TOMORROW } from '../../support/mcp/world.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// What people ask, as the one call that an assistant makes for it: eleven questions of a trader, and those of others. Each
// row names the questions of the HTTP API behind the call, and holds its numbers against their answers (D37).

/** 22:30 of the 10th in Chicago, and the 11th in UTC. */
const NIGHT = '2025-08-11T03:30:00Z';

type Data = Record<string, unknown>;
type Interval = Record<'value' | 'low' | 'high', number>;
type Means = Record<'mean_error' | 'mae', number>;

/** What is read of a record of the API: each has some of it. */
interface ApiRecord extends Means, Data {
  station_id: string;
  lead_time_bucket: string;
  stats: Means;
  uncertainty: Uncertainty;
  skill_mae: Interval;
  thresholds: unknown;
  error: number;
  forecast_f: number;
  actual_f: number;
  bias_f: number;
  cases: number;
  cases_without_reference: number;
  bins: Record<'mean_probability' | 'low' | 'high', number>[];
  out_of_sample: { note: string };
}

type Answered = ApiRecord & [ApiRecord, ApiRecord, ApiRecord, ...ApiRecord[]];

interface Question {
  asked: string;
  tool: string;
  given: Data;
  /** Below /api/v1. */
  paths: string[];
  /** The time at which it is asked; NOW without it. */
  at?: string;
  /** @param data of the HTTP API for each path: a record, or a list of them */
  holds: (answer: ToolAnswer, ...data: Answered[]) => void;
}

const verdictsOf = ({ rows }: ToolAnswer): unknown[] => rows.map(({ verdict }) => verdict);
const intervalOf = (row: Data | undefined, name: string): Interval => row?.[name] as Interval;
const without = (name: string, row: Data): Data => ({ ...row, [name]: undefined });
const AUGUST = { date_from: '2025-08-01', date_to: '2025-08-10' };

/** Welch's interval of the difference of two records with uncertainty. */
function welch(sides: readonly (Means & Pick<ApiRecord, 'uncertainty'>)[], name: keyof Means) {
  const variances = sides.map(({ uncertainty }) => (uncertainty[name].std_error ?? NaN) ** 2);
  const variance = sum(variances);
  const squares = sides.map(({ uncertainty }, at) => variances[at]! ** 2 / uncertainty.degrees_of_freedom);
  const reach = studentT(0.95, Math.floor(variance ** 2 / sum(squares))) * Math.sqrt(variance);
  const [one = NaN, other = NaN] = sides.map((side) => side[name]);
  return { low: rounded(other - one - reach), high: rounded(other - one + reach) };
}

/** Temperatures of two stations by the hour, of seventy days and of the one that has begun. */
const HOURS = ['KPHX', 'KSEA'].flatMap((id) =>
  Array.from({ length: 70 * 24 + 15 }, (_, hour) => {
    const at = new Date(Date.parse('2025-06-02T00:53:00Z') + hour * 3_600_000).toISOString();
    return `${id},${at},${75 + 8 * Math.sin((hour - 14) / 3.82)}`;
  }),
);

const TRADER: Question[] = [
  {
    asked: 'What are the odds of 85 or more in Chicago tomorrow?',
    tool: 'odds',
    given: { place: 'Chicago', target_date: TOMORROW, thresholds: [85] },
    paths: ['/probability', '/probability/reliability'],
    holds({ rows, question, calibration, hints }, odds, { bins }) {
      expect(rows).to.deep.equal(odds.thresholds);
      const { target_date, forecast_f, issued_at, lead_time_bucket } = odds;
      expect(question).to.deep.include({ target_date, forecast_f, issued_at, lead_time_bucket, lead_hours: 14, provider: 'default' }); // prettier-ignore
      expect(question?.station).to.deep.equal({
        station_id: 'KORD',
        city_name: 'Chicago',
        timezone: 'America/Chicago',
        local_time: '2025-08-11T10:30',
        today: '2025-08-11',
      });
      const off = bins.filter(({ mean_probability: said, low, high }) => low !== null && (said < low || said > high)); // prettier-ignore
      const except = off.map((bin) => `${Math.round(100 * bin.mean_probability)} %`).join(', ');
      expect((calibration as Data).verdict).to.equal(
        `The odds were reliable${except && `, except those around ${except}`}`,
      );
      expect(hints, 'tomorrow has not begun').to.deep.equal([]);
    },
  },
  {
    asked: 'And with my own forecast of 90?',
    tool: 'odds',
    given: { place: 'ORD', target_date: TOMORROW, forecast: 90, brackets: '84-85,86-87' },
    paths: ['/probability', '/probability/reliability'],
    holds({ rows, question }, odds) {
      expect(rows).to.deep.equal(odds.brackets);
      expect(question).to.include({ forecast_f: 90, issued_at: null, lead_hours: 13.5 });
    },
  },
  {
    asked: 'Is the bias of Chicago real?',
    tool: 'forecast_accuracy',
    given: { place: 'Chicago' },
    paths: ['/accuracy/summary'],
    holds(answer, summary) {
      const { low, high } = summary.uncertainty.mean_error;
      expect(answer.rows[0]).to.deep.include({ mean_error: summary.mean_error, mean_error_95: [low, high] });
      expect(verdictsOf(answer)).to.deep.equal(['too_warm']);
      expect(answer.question?.lead_time_buckets).to.have.length(6);
    },
  },
  {
    asked: 'Which provider should I trust?',
    tool: 'compare',
    given: { of: 'providers', days: 60 },
    paths: ['/accuracy/compare'],
    holds({ rows }, compared) {
      expect(rows).to.deep.equal(compared);
      expect(rows[0]).to.include({ provider: 'rival', verdict: 'worse' });
    },
  },
  {
    asked: 'Is it better than persistence?',
    tool: 'compare',
    given: { of: 'reference', place: 'Miami' },
    paths: ['/accuracy/skill'],
    holds(answer, [skill]) {
      expect(answer.rows.map((row) => without('verdict', row))).to.deep.equal([without('verdict', skill)]);
      expect(skill.skill_mae.low).to.be.above(0);
      expect(verdictsOf(answer)).to.deep.equal(['better']);
    },
  },
  {
    asked: 'Which city was worst this month?',
    tool: 'forecast_accuracy',
    given: { ...AUGUST, by: 'station', worst_first: true, limit: 3 },
    paths: ['/accuracy/by-city'],
    holds({ rows }, cities) {
      const worst = cities.toSorted((a, b) => b.stats.mae - a.stats.mae).slice(0, 3);
      expect(rows.map(({ station_id, mae }) => ({ station_id, mae }))).to.deep.equal(
        worst.map((each) => ({ station_id: each.station_id, mae: each.stats.mae })),
      );
    },
  },
  {
    asked: 'Denver or Seattle?',
    tool: 'compare',
    given: { of: 'places', place: 'Denver', other_place: 'KSEA', days: 70 },
    paths: ['/accuracy/summary', '/accuracy/summary', '/accuracy/by-date', '/accuracy/by-date'],
    holds(answer, _denver, _seattle, days, otherDays) {
      expect(days).to.have.length(69); // none is observed yet on the 11th
      const sums = days.map(({ stats }, day) => otherDays[day]!.stats.mae - stats.mae);
      const counts = sums.map(() => 1);
      const { value, low, high } = meanInterval(dayClusters(counts), sums, 0.95)!;
      const found = intervalOf(answer.rows[0], 'mae_difference');
      expect(found.value).to.be.closeTo(value, 0.005);
      expect(found.low).to.be.closeTo(low, 0.005);
      expect(found.high).to.be.closeTo(high, 0.005);
      expect(answer.question?.test).to.equal('paired_by_day');
      expect(verdictsOf(answer)).to.deep.equal(['better']);
    },
  },
  {
    asked: 'How does it get worse with the lead?',
    tool: 'forecast_accuracy',
    given: { place: 'BOS', by: 'lead_time' },
    paths: ['/accuracy/by-lead-time'],
    holds({ rows }, leads) {
      expect(rows.map(({ mae }) => mae)).to.deep.equal(leads.map((each) => each.stats.mae));
    },
  },
  {
    asked: 'How often is it 5 °F off in Phoenix?',
    tool: 'forecast_accuracy',
    given: { place: 'KPHX', by: 'threshold', thresholds: '5' },
    paths: ['/accuracy/exceedance'],
    holds({ rows }, { thresholds }) {
      expect(rows[0]?.thresholds).to.deep.equal(thresholds);
    },
  },
  {
    asked: 'Show me the ten worst misses in Denver.',
    tool: 'forecast_pairs',
    given: { place: 'Denver', worst_first: true, limit: 10 },
    paths: ['/data/forecast-actual'],
    holds({ rows }, pairs) {
      const sizes = pairs.map(({ error }) => Math.abs(error)).sort((a, b) => b - a);
      expect(rows.map(({ error }) => Math.abs(error as number))).to.deep.equal(sizes.slice(0, 10));
    },
  },
  {
    asked: 'What of last spring?',
    tool: 'forecast_accuracy',
    given: { date_from: '2025-03-01', date_to: '2025-03-31' },
    paths: ['/accuracy/summary', '/providers'],
    holds(answer) {
      expect(answer.hints[0]).to.match(/reach from 2024-07-20 to 2025-08-10/);
      expect(verdictsOf(answer)).to.deep.equal(['not_shown']);
    },
  },
];

const OTHERS: Question[] = [
  {
    asked: 'Which provider is best for my city?',
    tool: 'compare',
    given: { of: 'providers', place: 'Boston', by: 'lead_time' },
    paths: ['/accuracy/compare'],
    holds(answer, compared) {
      expect(answer.rows).to.deep.equal(compared);
      const ofBoth = answer.rows.filter(({ cases }) => cases !== 0);
      expect(ofBoth.map(({ verdict }) => verdict)).to.deep.equal(['worse', 'worse']);
    },
  },
  {
    asked: 'How much do forecasts for Miami change until the day begins?',
    tool: 'forecast_accuracy',
    given: { place: 'Miami', by: 'revisions' },
    paths: ['/accuracy/revision-stats'],
    holds({ rows, total_rows, hints }, [stats]) {
      const { mean_abs_change_f, mae_first, mae_last, improved_rate } = stats;
      expect(rows[0]).to.include({ mean_abs_change_f, mae_first, mae_last, improved_rate });
      expect([total_rows, hints]).to.deep.equal([1, []]);
    },
  },
  {
    asked: 'Was the forecast of July worse than that of June?',
    tool: 'compare',
    given: {
      of: 'windows',
      date_from: '2025-06-02',
      date_to: '2025-06-30',
      other_date_from: '2025-07-01',
      other_date_to: '2025-07-31',
    },
    paths: ['/accuracy/summary', '/accuracy/summary'],
    holds(answer, ...summaries) {
      expect(answer.question?.test).to.equal('welch');
      for (const name of ['mae', 'mean_error'] as const)
        expect(answer.rows[0]?.[`${name}_difference`]).to.deep.include(welch(summaries, name));
      const { low, high } = welch(summaries, 'mae');
      expect(verdictsOf(answer)).to.deep.equal([high < 0 ? 'better' : low > 0 ? 'worse' : 'not_shown']);
    },
  },
  {
    asked: 'Was the model of last week worse than that of the week before?',
    tool: 'compare',
    given: {
      of: 'windows',
      date_from: '2025-07-28',
      date_to: '2025-08-03',
      other_date_from: '2025-08-04',
      other_date_to: '2025-08-10',
    },
    paths: ['/accuracy/summary', '/accuracy/summary'],
    holds(answer, before, last) {
      const { value, low } = intervalOf(answer.rows[0], 'mae_difference');
      expect(value).to.be.closeTo(last.mae - before.mae, 1e-9);
      expect([low, ...verdictsOf(answer)], 'a week tells nothing').to.deep.equal([null, 'not_shown']);
    },
  },
  {
    asked: 'Was this summer worse than its last month?',
    tool: 'compare',
    given: { of: 'windows', days: 90, other_date_from: '2025-07-12', other_date_to: '2025-08-10' },
    paths: ['/accuracy/summary', '/accuracy/summary'],
    holds(answer) {
      expect([answer.question?.test, ...verdictsOf(answer)]).to.deep.equal(['none', 'not_shown']);
      expect(answer.hints.join()).to.match(/windows share days, so no test fits/);
    },
  },
  {
    asked: 'What was said on Monday for Saturday?',
    tool: 'forecasts_for_day',
    given: { place: 'Chicago', target_date: '2025-08-09' },
    paths: ['/data/forecasts', '/data/observations', '/accuracy/bias-correction'],
    holds({ rows, question, observed }, forecasts, [observation]) {
      expect(rows.map(({ forecast_f }) => forecast_f)).to.deep.equal(
        forecasts.map((each) => each.forecast_f).reverse(),
      );
      const monday = rows.find(({ issued_local }) => String(issued_local).startsWith('2025-08-04'));
      expect(monday).to.include({ forecast_f: 80, change_f: null, issued_local: '2025-08-04T10:00' });
      expect(monday?.error_f).to.be.closeTo(80 - observation.actual_f, 1e-9);
      expect(rows[0]?.change_f).to.be.closeTo(forecasts[2].forecast_f - forecasts[1].forecast_f, 0.005);
      expect(observed).to.deep.equal(observation);
      expect(question).to.include({ target_date: '2025-08-09', provider: 'default' });
    },
  },
  {
    asked: 'What is the forecast for tomorrow without its bias, and is that better?',
    tool: 'forecasts_for_day',
    given: { place: 'Chicago', target_date: TOMORROW },
    paths: ['/data/forecasts', '/data/observations', '/accuracy/bias-correction'],
    holds({ corrected, observed, hints }, [forecast], _none, { out_of_sample, ...correction }) {
      expect(corrected).to.deep.equal({ ...correction, ...out_of_sample });
      expect(correction.forecast_f).to.equal(forecast.forecast_f);
      expect(correction.bias_f, 'Chicago is too warm').to.be.above(1);
      expect([observed, hints.join()]).to.deep.equal([null, `Of \`corrected\`: ${out_of_sample.note}`]);
    },
  },
  {
    asked: 'How warm has it been in Miami today?',
    tool: 'forecasts_for_day',
    given: { place: 'Miami' },
    paths: ['/data/forecasts', '/data/observations'],
    holds({ rows, observed, corrected, hints, question }, _none, [observation]) {
      expect(observed).to.deep.equal(observation);
      expect(observation).to.include({ actual_f: 91, date: '2025-08-11', status: 'preliminary' });
      expect([rows, corrected, question?.target_date]).to.deep.equal([[], null, '2025-08-11']);
      expect(hints[0]).to.equal(
        '2025-08-11 has begun at the station, where it is 2025-08-11T11:30: nothing that is reported of it is final',
      );
      expect(hints[1]).to.match(/No forecast for this day/);
    },
  },
  {
    asked: 'What are the odds of 85 today? (asked in the evening, when UTC has tomorrow)',
    tool: 'odds',
    given: { place: 'Chicago', thresholds: '85' },
    at: NIGHT,
    paths: ['/probability', '/probability/reliability'],
    holds({ rows, question, hints }, odds) {
      expect(rows).to.deep.equal(odds.thresholds);
      expect(question).to.include({ target_date: '2025-08-10', issued_at: '2025-08-09T15:00:00Z' });
      expect(hints[0]).to.match(/^2025-08-10 has begun at the station.* nothing that was measured on it/);
    },
  },
  {
    asked: 'It has begun: does Phoenix reach 90 today?',
    tool: 'odds',
    given: { place: 'Phoenix', target_date: '2025-08-11', forecast: 88, thresholds: '90' },
    paths: ['/probability', '/probability/reliability'],
    holds({ rows, odds: told, hints }, odds) {
      expect(rows).to.deep.equal(odds.thresholds);
      expect(odds.method).to.equal('day_so_far');
      expect((told as Data).so_far).to.deep.equal(odds.so_far);
      expect(hints.join()).not.to.match(/nothing that was measured/);
    },
  },
  {
    asked: 'And Miami, which has reported once today?',
    tool: 'odds',
    given: { place: 'Miami', thresholds: '85' },
    at: NIGHT,
    paths: ['/probability', '/probability', '/probability/reliability'],
    holds({ rows, odds: told, hints }, measured, ofForecast) {
      expect(measured.reason).to.match(/^Too few hours/);
      expect(hints[0]).to.equal(
        `What has been measured of the day does not count: ${String(measured.reason)}`,
      );
      expect(rows).to.deep.equal(ofForecast.thresholds);
      expect(told).not.to.have.property('method');
    },
  },
  {
    asked: 'How good were the last two days?',
    tool: 'forecast_accuracy',
    given: { place: 'ORD', days: 2 },
    at: NIGHT,
    paths: ['/accuracy/summary'],
    holds({ rows, question }, { verification_pairs, mae }) {
      expect(question).to.include({ period_start: '2025-08-09', period_end: '2025-08-10' });
      expect(rows[0]).to.include({ verification_pairs, mae });
    },
  },
  {
    asked: 'How good is the forecast of today?',
    tool: 'forecast_accuracy',
    given: { place: 'Seattle', days: 1 },
    paths: ['/accuracy/summary'],
    holds({ hints }) {
      expect(hints).to.deep.equal([
        'No day of the window is over at the station, where it is 2025-08-11T08:30: forecasts_for_day has its forecasts',
      ]);
    },
  },
  {
    asked: 'How often is a cold night missed?',
    tool: 'forecast_accuracy',
    given: { place: 'Denver', metric: 'low', by: 'threshold', thresholds: [2, 5] },
    paths: ['/accuracy/exceedance'],
    holds({ rows, question }, { thresholds }) {
      expect(rows[0]?.thresholds).to.deep.equal(thresholds);
      expect(question).to.include({ accuracy_metric: 'low' });
    },
  },
  {
    asked: 'How likely is a night below 66 in Denver tomorrow?',
    tool: 'odds',
    given: { place: 'Denver', metric: 'low', target_date: TOMORROW, thresholds: '66' },
    paths: ['/probability', '/probability/reliability'],
    holds({ rows, question }, { thresholds }) {
      expect(rows).to.deep.equal(thresholds);
      expect(question).to.include({ accuracy_metric: 'low', forecast_f: 66.1 });
    },
  },
  {
    asked: 'Are they better than the climate of Denver?',
    tool: 'compare',
    given: { of: 'reference', reference: 'climatology', place: 'Denver' },
    paths: ['/accuracy/skill'],
    holds(answer, [{ cases, cases_without_reference }]) {
      expect([cases, ...verdictsOf(answer)]).to.deep.equal([0, 'not_shown']);
      expect(answer.hints).to.have.length(1);
      expect(answer.hints[0]).to.match(
        new RegExp(`^${cases_without_reference} of ${cases_without_reference} station days have no reference.* no normal .*earlier years`),
      ); // prettier-ignore
    },
  },
  {
    asked: 'Denver or Seattle, at each lead time?',
    tool: 'compare',
    given: { of: 'places', place: 'Denver', other_place: 'SEA', by: 'lead_time' },
    paths: ['/accuracy/by-lead-time', '/accuracy/by-lead-time'],
    holds(answer, ...sides) {
      const ofLead = sides.map((side) => side.find((each) => each.lead_time_bucket === '12-24h')!);
      const known = ofLead.map(({ stats, uncertainty }) => ({ ...stats, uncertainty }));
      const row = answer.rows.find(({ lead_time_bucket }) => lead_time_bucket === '12-24h');
      expect(row?.mae_difference).to.deep.include(welch(known, 'mae'));
      expect(answer.hints.join()).to.match(/takes the places as unrelated/);
    },
  },
  {
    asked: 'How old are the data?',
    tool: 'data_status',
    given: {},
    paths: ['/accuracy/freshness', '/providers', '/loads', '/stations/metadata'],
    holds({ rows, freshness }, fresh, providers) {
      expect([rows, freshness]).to.deep.equal([providers, fresh]);
    },
  },
];

/** Two days of a station that has no others. */
const NAIROBI = {
  forecasts: [20, 21].map((day) => `HKJK,2025-06-${day - 1}T12:00:00Z,2025-06-${day},75.0,55.0,default,`),
  observations: [20, 21].map((day) => `HKJK,2025-06-${day},76,55,verified,2025-06-${day + 1}T13:00:00Z,`),
};

describe('what people ask at /mcp (D37)', () => {
  let store: Store;
  const asked = new Map<string, { service: TestService; listening: Listening; assistant: Assistant }>();
  const hostAt = (at = NOW) => asked.get(at)!;

  before(async () => {
    store = await openTestStore();
    const { stations = [], forecasts = [], observations = [], ...world } = assistantsWorld();
    const { rejections } = await loadLines(store, {
      ...world,
      stations: [...stations, 'HKJK,Nairobi,KE,-1.32,36.93,Africa/Nairobi,Cfb,true,,NBO,,'],
      // A Monday's forecast for the Saturday, and a day without a forecast that is not over.
      forecasts: [
        ...forecasts,
        'KORD,2025-08-04T15:00:00Z,2025-08-09,80.0,60.0,default,',
        ...NAIROBI.forecasts,
      ],
      observations: [
        ...observations,
        ...NAIROBI.observations,
        'KMIA,2025-08-11,91,,preliminary,2025-08-11T15:00:00Z,',
      ],
      hours: [...HOURS, 'KMIA,2025-08-10T12:53:00Z,80'],
    });
    expect(rejections).to.deep.equal([]);
    for (const now of [NOW, NIGHT]) {
      const service = await startTestService(store, { now });
      const listening = await Listening.start(service);
      const assistant = await Assistant.connect(listening.url, service.key);
      await assistant.client.listTools(); // from here on it holds answers to their schemas
      asked.set(now, { service, listening, assistant });
    }
  });
  after(async () => {
    for (const { assistant, listening } of asked.values()) {
      await assistant.close();
      await listening.stop();
    }
    await store.close();
  });

  const all = [...range({ test: 2, ci: Infinity }, TRADER), ...range({ test: 8, ci: Infinity }, OTHERS)];
  for (const { asked: title, tool, given, paths, at, holds } of all) {
    it(`"${title}": ${tool}, with the numbers of ${paths.join(', ')}`, async () => {
      const { service, assistant } = hostAt(at);
      const answer = await assistant.ask(tool, given);
      expect(answer.http.map((url) => url.split('?')[0])).to.deep.equal(
        paths.map((path) => `/api/v1${path}`),
      );
      const data: Answered[] = [];
      for (const url of answer.http) {
        const { status, text } = await service.get(url);
        expect(status, `${url}: ${text}`).to.equal(200);
        data.push((JSON.parse(text) as { data: Answered }).data);
      }
      holds(answer, ...data);
    });
  }

  it('given words for days, then they are days of the station, without one of UTC, in every tool', async () => {
    const { assistant } = hostAt(NIGHT); // 2025-08-10, 22:30, in Chicago
    for (const [tool, given, dates] of [
      [
        'forecast_accuracy',
        { place: 'ORD', date_from: 'Yesterday', date_to: 'today' },
        ['2025-08-09', '2025-08-10'],
      ],
      ['forecast_accuracy', { date_from: 'yesterday', date_to: 'today' }, ['2025-08-10', '2025-08-11']],
      [
        'forecast_pairs',
        { place: 'ORD', date_from: 'yesterday', date_to: 'yesterday' },
        ['2025-08-09', '2025-08-09'],
      ],
      ['odds', { place: 'ORD', target_date: 'tomorrow', forecast: 80 }, ['2025-08-11']],
      ['forecasts_for_day', { place: 'ORD', target_date: 'yesterday' }, ['2025-08-09']],
      [
        'compare',
        {
          of: 'windows',
          place: 'ORD',
          date_from: 'yesterday',
          date_to: 'today',
          other_date_from: '2025-08-01',
          other_date_to: 'yesterday',
        },
        ['2025-08-09', '2025-08-10'],
      ],
      [
        'forecast_accuracy',
        { place: 'ORD', as_of: 'yesterday', date_from: '2025-08-01', date_to: '2025-08-02' },
        ['2025-08-10', '2025-08-01', '2025-08-02'],
      ],
    ] as const) {
      const { http } = await assistant.ask(tool, given);
      const found = [
        ...decodeURIComponent(http[0]!).matchAll(/(?:as_of|date_from|date_to|_date)=(\d{4}-\d\d-\d\d)/g),
      ];
      expect(found.map(([, date]) => date).sort(), `${tool} ${http[0]}`).to.deep.equal([...dates].sort());
    }
  });

  it('given odds of a day that has ended at the station, then a hint says so, and where its temperature is', async () => {
    const { hints } = await hostAt(NIGHT).assistant.ask('odds', { place: 'ORD', target_date: 'yesterday' });
    expect(hints).to.include('2025-08-09 has ended at the station, where it is 2025-08-10T22:30: forecasts_for_day has what was observed'); // prettier-ignore
  });

  it('given one window of of=windows, then the other is as long and ends the day before', async () => {
    const { assistant } = hostAt();
    const { question, http } = await assistant.ask('compare', { of: 'windows', place: 'ORD', ...AUGUST });
    expect(http).to.have.length(2);
    expect(question).to.have.nested.include({
      'first.period_start': '2025-08-01',
      'second.period_start': '2025-07-22',
      'second.period_end': '2025-07-31',
      test: 'welch',
    });
    const { question: usual } = await assistant.ask('compare', { of: 'windows', place: 'ORD', days: 7 });
    expect(usual).to.have.nested.include({ 'first.period_end': '2025-08-11', 'second.period_end': '2025-08-04', 'second.days_analyzed': 7 }); // prettier-ignore
  });

  it('given a region or a season, then it is the one of the API, in accuracy and in comparisons', async () => {
    const { assistant, service } = hostAt();
    for (const [tool, given, path] of [
      [
        'forecast_accuracy',
        { country: 'US', climate_zone: 'Cfa' },
        '/accuracy/summary?country=US&climate_zone=Cfa&ci=0.95',
      ],
      [
        'forecast_accuracy',
        { by: 'lead_time', near: '40.5, -90.25', radius_km: 80 },
        '/accuracy/by-lead-time?near=40.5,-90.25&radius_km=80&ci=0.95',
      ],
      [
        'forecast_accuracy',
        { by: 'station', bbox: [-91, 40, -90, 41] },
        '/accuracy/by-city?bbox=-91,40,-90,41&ci=0.95',
      ],
      [
        'forecast_accuracy',
        { by: 'season', place: 'KORD', date_from: '2024-06-01', date_to: '2025-08-10' },
        '/accuracy/by-date?group_by=season&station_id=KORD&date_from=2024-06-01&date_to=2025-08-10',
      ],
      [
        'compare',
        { of: 'providers', by: 'season', country: 'US' },
        '/accuracy/compare?group_by=season&country=US',
      ],
      [
        'compare',
        { of: 'providers', by: 'climate_zone', bbox: '-91, 40, -90, 41' },
        '/accuracy/compare?group_by=climate_zone&bbox=-91,40,-90,41',
      ],
      ['compare', { of: 'reference', climate_zone: 'Cfa' }, '/accuracy/skill?group_by=none&climate_zone=Cfa'],
    ] as const) {
      const { http, rows } = await assistant.ask(tool, given);
      const { text } = await service.get(`/api/v1${path}`);
      const { data } = JSON.parse(text) as { data: unknown };
      expect(rows.length, `${tool} ${JSON.stringify(given)}`)
        .to.equal([data].flat().length)
        .and.above(0);
      const [asked] = http.map((url) => Object.fromEntries(new URL(url, 'http://any').searchParams));
      const wanted = Object.fromEntries(new URL(path, 'http://any').searchParams);
      expect(asked).to.deep.include(wanted);
    }
  });

  it('given nothing in the answer, then the hint says how far the station itself reaches, or which leads there are', async () => {
    const { assistant } = hostAt();
    const at = { date_from: '2024-08-15', date_to: '2024-08-20' };
    const hintOf = async (given: Data) => (await assistant.ask('forecast_accuracy', given)).hints[0];
    expect(await hintOf({ place: 'ORD', ...at })).to.match(
      /default at KORD reach from 2024-07-20 to 2025-08-10/,
    );
    // Nairobi's alone: the network has pairs before and after.
    expect(await hintOf({ place: 'Nairobi', days: 30 })).to.match(
      /default at HKJK reach from 2025-06-20 to 2025-06-21/,
    );
    expect(await hintOf({ place: 'Nairobi', provider: 'rival' })).to.match(
      /No pairs of provider rival at HKJK/,
    );
    expect(await hintOf({ place: 'ORD', lead_time_bucket: '48-72h' })).to.match(
      /Leads of provider default: 12-24h, 24-48h, 72h\+ \(the longest\)/,
    );
    const compared = { of: 'providers', lead_time_bucket: '48-72h' };
    const { hints } = await assistant.ask('compare', compared);
    expect(hints.join()).to.match(/Leads of provider default: 6-12h, 12-24h, 24-48h, 72h\+ \(the longest\)/);
  });

  it('given a name that no station has, then the fault names the tool that finds one, and no URL', async () => {
    const { assistant } = hostAt();
    for (const [tool, given] of [
      ['odds', { place: 'Atlantis' }],
      ['forecast_accuracy', { as_of: 'v99' }],
    ] as const) {
      const fault = await assistant.refused(tool, given);
      expect(JSON.stringify(fault)).to.match(/find_stations|data_status/).and.not.to.match(/\/api\/|station_id|GET /); // prettier-ignore
    }
  });
});
