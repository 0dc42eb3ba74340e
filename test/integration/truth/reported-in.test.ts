import { expect } from 'chai';
import { type LoadReport, reportText } from '../../../src/ingest/load-report.js';
import type { Store } from '../../../src/store/store.js';
import { dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { plusDays } from '../../support/plain/oracle.js';
import { Random } from '../../support/random.js';
import { describeInCi, itInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// Guards D63: what is observed in whole degrees is that in every answer, whatever unit it came in. KORD and KMDW have the same
// forecasts and the same whole degrees Fahrenheit; those of KMDW come in tenths of a degree Celsius, as GHCN-Daily prints them.

const HOUR = 3_600_000;
const FIRST = '2026-03-01';
const DAYS = 130;
const LAST = plusDays(FIRST, DAYS - 1);
/** From here on 93 °F is forecast, and 90 °F observed. */
const HOT = plusDays(LAST, -59);
const HOT_WINDOW = `date_from=${HOT}&date_to=${LAST}`;
const WINDOW = `date_from=${FIRST}&date_to=${LAST}`;

const place = (id: string, zone: string, reported_in?: string): string =>
  `${id},${id} City,US,41.97,-87.9,${zone},Dfa,true,,${id.slice(1)},standard` +
  (reported_in === undefined ? '' : `,,${reported_in}`);
const stations = (reported_in?: string): string[] =>
  ['KORD', 'KMDW'].map((id) => place(id, 'America/Chicago', reported_in));

/** The highs and lows that were observed, whole °F, and each forecast of them, °F. */
const random = new Random(20_261_130);
const days = Array.from({ length: DAYS }, (_, day) => {
  const date = plusDays(FIRST, day);
  const high = date >= HOT ? 90 : 45 + random.below(50);
  const low = high - 8 - random.below(20);
  const forecasts = [-2, 3, 8, 20, 30, 54, 80].map((hours) => {
    const off = date >= HOT ? 3 : random.below(90) / 10 - 4.5;
    const issued_at = new Date(Date.parse(date) + 6 * HOUR - hours * HOUR).toISOString();
    return { issued_at, high: (high + off).toFixed(1), low: (low + off).toFixed(1) };
  });
  return { date, high, low, forecasts };
});
const tenths = (fahrenheit: number): string => (((fahrenheit - 32) * 5) / 9).toFixed(1);

const forecastsOf = (id: string): string[] =>
  days.flatMap(({ date, forecasts }) =>
    forecasts.flatMap(({ issued_at, high, low }) => [
      `${id},${issued_at},${date},${high},${low},a,,,`,
      `${id},${issued_at},${date},${Number(high) + 1},${low},b,,,`,
    ]),
  );
/** First a value that is 2 °F too low, and verified three days later. */
const observationsOf = (id: string, shown: (fahrenheit: number) => string): string[] =>
  days.flatMap(({ date, high, low }) => [
    `${id},${date},${shown(high - 2)},${shown(low)},preliminary,${plusDays(date, 1)}T07:00:00Z`,
    `${id},${date},${shown(high)},${shown(low)},verified,${plusDays(date, 3)}T12:00:00Z`,
  ]);
const hoursOf = (id: string): string[] =>
  days.slice(-70).flatMap(({ date, high, low }) =>
    Array.from({ length: 24 }, (_, hour) => {
      const at = new Date(Date.parse(date) + (6 + hour) * HOUR).toISOString();
      return `${id},${at},${(low + (high - low) * Math.sin((hour * Math.PI) / 24)).toFixed(1)},,,,CLR`;
    }),
  );

const KNOWN = `known_at=${plusDays(LAST, -5)}T18:00:00Z`;
const ON_A_PAST_DAY = `target_date=${plusDays(LAST, -5)}`;
const ON_A_DAY_AHEAD = `target_date=${plusDays(LAST, 1)}`;
const SCORED = `date_from=${plusDays(LAST, -30)}&date_to=${LAST}`;

/** URLs that tell of observed values, of each kind, for a station in place of ID. */
const QUESTIONS = range(
  { test: 9, ci: Infinity },
  `data/observations?station_id=ID&${WINDOW}&versions=all
data/observations?station_id=ID&${WINDOW}&temp_unit=celsius
data/forecast-actual?station_id=ID&${HOT_WINDOW}
accuracy/summary?station_id=ID&${WINDOW}
accuracy/summary?station_id=ID&${WINDOW}&temp_unit=celsius
accuracy/summary?station_id=ID&${WINDOW}&metric=low&${KNOWN}
accuracy/by-date/ID?${WINDOW}
accuracy/by-date?station_id=ID&${WINDOW}&group_by=month
accuracy/by-lead-time?station_id=ID&${WINDOW}&align=matched
accuracy/by-weather-regime?station_id=ID&${WINDOW}
accuracy/by-station/ID?${HOT_WINDOW}&include_raw=true
accuracy/by-bucket/ID?${WINDOW}
accuracy/hit-rate?station_id=ID&${WINDOW}
accuracy/hit-rate?station_id=ID&${WINDOW}&lead=24&${KNOWN}
accuracy/exceedance?station_id=ID&${WINDOW}&thresholds=3
accuracy/exceedance-summary?station_id=ID&${WINDOW}
accuracy/error-distribution?station_id=ID&${WINDOW}
accuracy/events?station_id=ID&${WINDOW}
accuracy/events?station_id=ID&${WINDOW}&thresholds=32.2&temp_unit=celsius
accuracy/events?station_id=ID&${WINDOW}&metric=low&thresholds=50,60&${KNOWN}
accuracy/revision-stats?station_id=ID&${WINDOW}
accuracy/compare?station_id=ID&${WINDOW}&providers=a,b&group_by=month
accuracy/skill?station_id=ID&${WINDOW}
accuracy/skill?station_id=ID&${WINDOW}&${KNOWN}
accuracy/peak-timing/ID?${WINDOW}
accuracy/bias-correction?station_id=ID&days=90&${KNOWN}
probability?station_id=ID&window=100&${ON_A_DAY_AHEAD}&forecast=90&lead_hours=20
probability?station_id=ID&window=100&${ON_A_DAY_AHEAD}&metric=low&forecast=60&lead_hours=30
probability?station_id=ID&window=100&${ON_A_PAST_DAY}&${KNOWN}
probability/reliability?station_id=ID&${SCORED}
probability/reliability?station_id=ID&${SCORED}&hour=20
probability/reliability?station_id=ID&${SCORED}&${KNOWN}
export/pairs?station_id=ID&${HOT_WINDOW}`.split('\n'),
);

describeInCi('observations of whole degrees', function () {
  let store: Store;
  let service: TestService;
  const reports: LoadReport[] = [];
  const now = `${plusDays(LAST, 1)}T20:00:00Z`;

  /** The data of each answer, as text without what tells one station or load from another. */
  const answers = async (id: string, more = ''): Promise<string[]> => {
    const found: string[] = [];
    for (const question of QUESTIONS) {
      const path = question.replaceAll('ID', id) + more;
      const { status, text } = await service.get(`/api/v1/${path}`);
      expect(status, `${path}: ${text}`).to.equal(200);
      const data = text.startsWith('{') ? JSON.stringify((JSON.parse(text) as { data: unknown }).data) : text;
      found.push(`${question}: ${data.replaceAll(id, 'ID').replace(/"(load_id|iata)":"?\w+/g, '')}`);
    }
    return found;
  };
  const firstRecord = async (id: string, path: string): Promise<Record<string, unknown>> => {
    const data = await dataOf(service, `accuracy/${path}station_id=${id}&provider=a&${HOT_WINDOW}`);
    return (Array.isArray(data) ? data[0] : data) as Record<string, unknown>;
  };
  let then: string[];

  before(async () => {
    store = await openTestStore();
    const load = async (
      ...of: Parameters<typeof loadLines> extends [unknown, ...infer Rest] ? Rest : never
    ) => reports.push(await loadLines(store, ...of));
    const both = ['KORD', 'KMDW'];
    await load({
      columns: 'all',
      stations: stations(),
      forecasts: both.flatMap(forecastsOf),
    });
    await load(
      { observations: observationsOf('KORD', String), hours: both.flatMap(hoursOf) },
      { strict: true },
    );
    await load({ observations: observationsOf('KMDW', tenths), unit: 'celsius' }, { strict: true });
    service = await startTestService(store, { now, cacheBytes: 0 });
    then = await answers('KMDW');
  });
  after(() => store.close());

  it('given tenths of °C from a station that does not say so, then the load names column and value', async () => {
    const [, ofWhole, ofTenths] = reports;
    expect([ofWhole?.outcome, ofWhole?.notes, ofTenths?.outcome, ofTenths?.warnings]).to.deep.equal([
      'complete',
      [],
      'complete',
      [],
    ]);
    expect(reportText(ofTenths as LoadReport)).to.match(
      /\n {2}note on observations: 260 × whole °F in tenths of °C, [^\n]*set reported_in of the station to whole_fahrenheit, first at \S+observations\.csv:2 \(260 of 260 rows of KMDW; stations in all: 1\)\n/,
    );
    expect(await firstRecord('KMDW', 'events?')).to.include({ base_rate: 0, false_alarms: 60 });
  });

  describe('when the station says so later', () => {
    before(async () => {
      reports.push(
        await loadLines(store, { columns: 'all', stations: stations('whole_fahrenheit') }, { strict: true }),
      );
    });

    it('then every answer is that of the station whose feed has whole °F', async () => {
      const [ofTenths, ofWhole] = [await answers('KMDW'), await answers('KORD')];
      for (const [at, text] of ofTenths.entries()) expect(text).to.equal(ofWhole[at]);
      expect(ofTenths).not.to.deep.equal(then);
    });

    it('then 90 °F is an event at 90 °F and 3 °F below a forecast of 93, and 32.22 °C', async () => {
      for (const id of ['KORD', 'KMDW']) {
        for (const thresholds of ['', 'thresholds=90&'])
          expect(await firstRecord(id, `events?${thresholds}`)).to.include({
            base_rate: 1,
            hits: 60,
            false_alarms: 0,
          });
        expect(JSON.stringify(await firstRecord(id, 'exceedance?thresholds=3&'))).to.match(
          /"exceedance_rate":0\b/,
        );
        expect(await firstRecord(id, 'hit-rate?')).to.include({ within_3: 60 });
        const [, { actual_f, actual_c }] = await dataOf<[unknown, Record<string, number>]>(
          service,
          `data/observations?station_id=${id}&metric=high&${HOT_WINDOW}&temp_unit=celsius`,
        );
        expect([actual_f, actual_c]).to.deep.equal([90, 32.22]);
      }
    });

    it('then an answer as of the load before is what it was, to the byte', async () => {
      const now = await answers('KMDW', '&as_of=v3');
      for (const [at, text] of now.entries()) expect(text).to.equal(then[at]);
    });

    it('then /stations/metadata says so, in JSON and CSV', async () => {
      const found = await dataOf<{ reported_in: string }[]>(service, 'stations/metadata');
      expect(found.map(({ reported_in }) => reported_in)).to.deep.equal([
        'whole_fahrenheit',
        'whole_fahrenheit',
      ]);
      const { text } = await service.get('/api/v1/stations/metadata?format=csv');
      expect(text).to.match(/^[^\r\n]*,reported_in\r\n[^\r\n]*,whole_fahrenheit\r\n/);
    });
  });

  describe('when a feed has finer values than its station says', () => {
    // The note on tenths of °C stands for it in `make test`.
    itInCi('then they stay, and the load tells the first of them', async () => {
      const date = plusDays(LAST, 1);
      const observed = (high: string, low: string) => ({
        observations: [`KLDN,${date},${high},${low},preliminary,${plusDays(date, 2)}T00:00:00Z`],
      });
      const station = {
        columns: 'all' as const,
        stations: [place('KLDN', 'Europe/London', 'whole_celsius')],
      };
      const forecasts = [`KLDN,${LAST}T00:00:00Z,${date},70,60,a,`];
      await loadLines(store, { ...station, forecasts });
      for (const [high, low, actuals, detail] of [
        ['69.8', '59.1', [69.8, 59], undefined], // 21 and 15 °C
        ['69.7', '59.2', [69.8, 59.2], '59.2 °F (15.11 °C) of KLDN, which has reported_in whole_celsius'],
        ['68.9', '', [68.9, 59.2], '68.9 °F (20.5 °C) of KLDN, which has reported_in whole_celsius'],
      ] as const) {
        const report = await loadLines(store, observed(high, low));
        expect(report.warnings.map(({ reason, first }) => [reason, first.detail])).to.deep.equal(
          detail === undefined ? [] : [['finer than the degrees of its station', detail]],
        );
        const found = await dataOf<{ actual_f: number }[]>(
          service,
          `data/observations?station_id=KLDN&${WINDOW.replace(LAST, date)}`,
        );
        expect(found.map(({ actual_f }) => actual_f)).to.deep.equal(actuals);
      }
      const strict = await loadLines(store, observed('68.5', '59'), { strict: true });
      expect(strict.reason).to.match(/^--strict: nothing is loaded because/);
    });
  });
});
