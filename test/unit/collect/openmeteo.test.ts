import { expect } from 'chai';
import { DAY_MS, HOUR_MS } from '../../../src/statistics/time/calendar.js';
import { localDay } from '../../../src/statistics/time/local-midnight.js';
import {
  type Need,
  type StationPlace,
  type Reading,
  type Request,
  type PublicSource,
  GapError,
} from '../../../src/collect/source.js';
import { findSourceFiles } from '../../../src/collect/files/find-files.js';
import type { SourceFile } from '../../../src/collect/files/source-file.js';
import { toSource } from '../../../src/collect/files/file-source.js';
import { fixture } from '../../support/collect/fixtures.js';
import { isLostRun, openMeteo as stub } from '../../support/collect/stub/openmeteo.js';
import { spanOf } from '../../support/collect/reading.js';
import { EGLL, forecastOf, KNYC, LFPG, PLACES, RJTT } from '../../support/collect/world.js';

const OPEN_METEO = ['ecmwf', 'gfs', 'icon', 'gem'].map((provider) =>
  toSource(findSourceFiles('').files.find(({ name }) => name === `openmeteo-${provider}`) as SourceFile),
);
const at = (text: string): number => Date.parse(text);
const [openmeteoEcmwf] = OPEN_METEO as [PublicSource];
const RUN = '2026-09-01T00:00';
const RUN_MS = at(`${RUN}Z`);

const request = (places: readonly StationPlace[], run_ms = RUN_MS): Request => {
  const needs = places.map((place) => ({ place, span: { from_ms: run_ms, to_ms: run_ms + 6 * HOUR_MS } }));
  return openmeteoEcmwf.plan(needs, run_ms + DAY_MS)[0] as Request;
};

const RECORDED = JSON.parse(fixture('openmeteo-ecmwf-egll.json')) as { hourly: Record<string, unknown[]> };

/** As recorded: hours from the run's on, with these values. */
const answer = (place: StationPlace, values: (number | null)[], run_ms = RUN_MS): typeof RECORDED => ({
  ...RECORDED,
  ...{ latitude: place.latitude + 0.25, longitude: place.longitude - 0.25 },
  hourly: {
    ...Object.fromEntries(Object.keys(RECORDED.hourly).map((name) => [name, values.map(() => null)])),
    time: values.map((_, hour) => new Date(run_ms + hour * HOUR_MS).toISOString().slice(0, 16)),
    temperature_2m: values,
  },
});
/** The error of what cannot be read. */
const errorOf = async (reading: Reading | Promise<Reading>): Promise<unknown> =>
  Promise.resolve(reading).then(
    () => undefined,
    (error: unknown) => error,
  );
/** 0.25 °F warmer each hour, from 50 °F on. */
const rising = (hours: number): number[] => Array.from({ length: hours }, (_, hour) => 50 + hour / 4);

const read = async (
  body: unknown,
  places: readonly StationPlace[] = [EGLL],
  run_ms = RUN_MS,
): Promise<Reading> =>
  openmeteoEcmwf.read([typeof body === 'string' ? body : JSON.stringify(body)], request(places, run_ms));
const short = ({ rows }: Reading): string[] =>
  rows.map(
    ({ station_id, target_date, low_f, high_f }) =>
      `${station_id} ${target_date?.slice(5)} ${low_f} ${high_f}`,
  );

describe('forecasts of ECMWF, from single runs of Open-Meteo', () => {
  it('are of the local days all of whose hours are there', async () => {
    const datesOf = async (hours: number): Promise<string[]> =>
      short(await read(answer(EGLL, rising(hours))));
    expect(await datesOf(71)).to.deep.equal(['EGLL 09-02 55.75 61.5', 'EGLL 09-03 61.75 67.5']);
    expect(await datesOf(70)).to.deep.equal(['EGLL 09-02 55.75 61.5']);
  });

  it('have the hours from issuance, 8 hours after the run, to 72 hours after it, beside the days', async () => {
    const { hourly_forecasts = [] } = await read(answer(EGLL, [...rising(12), null, ...rising(100)]));
    const issued_at = '2026-09-01T08:00:00.000Z';
    const hour = (valid: string, temp_f: string) => ({
      ...{
        station_id: 'EGLL',
        issued_at,
        valid_at: `2026-09-${valid}:00:00.000Z`,
        temp_f,
        provider: 'ecmwf',
        ...{ dew_point_f: '', humidity_pct: '', cloud_pct: '', wind_ms: '', gust_ms: '' },
      },
    });
    expect(hourly_forecasts).to.have.length(72); // the 13th is not there
    expect(hourly_forecasts.slice(0, 5)).to.deep.equal(
      ['01T08 52', '01T09 52.25', '01T10 52.5', '01T11 52.75', '01T13 50'].map((text) =>
        hour(...(text.split(' ') as [string, string])),
      ),
    );
    expect(hourly_forecasts.at(-1)).to.deep.equal(hour('04T08', '66.75'));
  });

  it('of three places stand in the order in which these are asked', async () => {
    const places = [EGLL, LFPG, RJTT];
    const [england, france, japan] = places.map((place) => answer(place, rising(48)));
    expect(short(await read([england, france, japan], places))).to.deep.equal([
      'EGLL 09-02 55.75 61.5',
      'LFPG 09-02 55.5 61.25',
      // Tokyo's day begins at 15Z.
      'RJTT 09-02 53.75 59.5',
    ]);
    const reading = await read([france, england, japan], places);
    expect(short(reading)).to.deep.equal(['RJTT 09-02 53.75 59.5']);
    expect(reading.gaps.map(({ place, reason }) => [place, reason])).to.deep.equal([
      [EGLL, 'it is for another place'],
      [LFPG, 'it is for another place'],
    ]);
  });

  it('of a day on which clocks change need its 23 or 25 hours, and one of no whole offset its whole hours', async () => {
    const LORD_HOWE = { ...EGLL, latitude: -31.5, longitude: 159.1, timezone: 'Australia/Lord_Howe' };
    const standard: StationPlace = { ...KNYC, day_boundary: 'standard' };
    const civil: StationPlace = { ...KNYC, day_boundary: 'civil' };
    for (const [place, date, hours] of [
      [civil, '2026-03-08', 23],
      [civil, '2026-11-01', 25],
      [standard, '2026-11-01', 24],
      [{ ...EGLL, timezone: 'Asia/Kolkata' }, '2026-09-02', 24],
      [LORD_HOWE, '2026-04-05', 25],
    ] as const) {
      const { begins_ms, ends_ms } = localDay(date, place.timezone, place.day_boundary);
      const run_ms = Math.floor(begins_ms / (6 * HOUR_MS)) * 6 * HOUR_MS;
      const first = Math.ceil((begins_ms - run_ms) / HOUR_MS);
      const all = Math.ceil((ends_ms - run_ms) / HOUR_MS);
      expect(all - first, date).to.equal(hours);
      const values = rising(all);
      const of = async (some: number[]): Promise<(string | undefined)[][]> =>
        (await read(answer(place, some, run_ms), [place], run_ms)).rows
          .filter((row) => row.target_date === date)
          .map(({ low_f, high_f }) => [low_f, high_f]);
      expect(await of(values), date).to.deep.equal([[`${values[first]}`, `${values[all - 1]}`]]);
      expect(await of(values.slice(0, -1)), date).to.deep.equal([]);
    }
  });

  it('without any value, or of another run than was asked for, are none', async () => {
    for (const body of [
      answer(EGLL, Array<null>(48).fill(null)),
      answer(EGLL, rising(48), RUN_MS + 6 * HOUR_MS),
    ])
      expect(await errorOf(read(body)))
        .to.be.instanceOf(GapError)
        .with.property('kind', 'absent');
  });

  it('are refused for ever when there is no such run; any other refusal is a fault of the request', () => {
    const reason = `The requested model run is not available. Model: ecmwf_ifs, run: ${RUN}Z`;
    const refused = (status: number, body: string) => openmeteoEcmwf.refusal?.(status, body);
    const missing = JSON.stringify({ error: true, reason });
    expect(refused(400, missing))
      .to.be.instanceOf(GapError)
      .and.to.include({ kind: 'final', message: reason });
    for (const body of ['{"error":true,"reason":"Invalid run"}', '<html>'])
      expect(refused(400, body)).to.equal(undefined);
  });

  describe('the plan', () => {
    const needs = (places: readonly StationPlace[], from: string, to: string): Need[] =>
      places.map((place) => ({ place, span: spanOf(from, to) }));

    it('is a request for each run that is out, the newest first, which together cover its needs up to there', () => {
      const requests = openmeteoEcmwf.plan(
        needs([EGLL, LFPG], '2026-08-31T15:00Z', '2026-09-01T15:30Z'),
        at('2026-09-01T14:00Z'),
      );
      const rest =
        'latitude=51.4775,48.9694&longitude=-0.4614,2.4414&elevation=20,20&hourly=temperature_2m,dew_point_2m,' +
        'relative_humidity_2m,cloud_cover,wind_speed_10m,wind_gusts_10m,precipitation,snowfall&models=ecmwf_ifs';
      expect(requests.flatMap(({ paths }) => paths)).to.deep.equal(
        ['2026-09-01T06:00', '2026-09-01T00:00', '2026-08-31T18:00'].map(
          (run) =>
            `/v1/forecast?${rest}&run=${run}&forecast_days=10&timezone=GMT&temperature_unit=fahrenheit` +
            '&wind_speed_unit=ms&precipitation_unit=mm',
        ),
      );
      expect(requests.map(({ covers }) => covers[1]?.span)).to.deep.equal([
        spanOf('2026-09-01T06:00Z', '2026-09-01T12:00Z'),
        spanOf('2026-09-01T00:00Z', '2026-09-01T06:00Z'),
        spanOf('2026-08-31T15:00Z', '2026-09-01T00:00Z'),
      ]);
      const span = spanOf('2026-08-31T15:00Z', '2026-09-01T12:00Z');
      expect(openmeteoEcmwf.expected(span, at('2026-09-01T14:00Z'))).to.equal(3);
      expect(openmeteoEcmwf.expected(span, at('2026-09-01T13:59Z'))).to.equal(2);
    });

    it('has at most 50 places in a request, and those without an elevation apart', () => {
      const places = Array.from({ length: 120 }, (_, at) => {
        return { ...EGLL, station_id: `X${at}`, elevation_m: at < 60 ? undefined : at };
      });
      const requests = openmeteoEcmwf.plan(needs(places, `${RUN}Z`, '2026-09-01T06:00Z'), at('2026-09-02'));
      expect(requests.map(({ covers }) => covers.length)).to.deep.equal([50, 10, 50, 10]);
      const isElevated = requests.map(({ paths }) => paths[0]?.includes('elevation='));
      expect(isElevated).to.deep.equal([false, false, true, true]);
    });
  });

  const published: Readonly<Record<string, number>> = { ecmwf: 8, gfs: 6, icon: 5, gem: 7 };
  for (const source of OPEN_METEO)
    it(`of ${source.provider} are what the world says, each day that a run has, over a change of clocks`, async () => {
      const places = [EGLL, LFPG, RJTT, KNYC];
      const provider = source.provider ?? '';
      const span = spanOf('2026-10-24T00:00Z', '2026-10-25T06:00Z');
      const now = span.to_ms + DAY_MS;
      const requests = source.plan(
        places.map((place) => ({ place, span })),
        now,
      );
      expect(requests).to.have.length(source.expected(span, now) ?? 0);
      expect(requests).to.have.length(provider === 'gem' ? 3 : 5);
      for (const asked of requests) {
        const run_ms = asked.covers[0]?.span.from_ms ?? NaN;
        const body = stub(new URL(asked.paths[0] ?? '', 'http://open-meteo'), now, PLACES)?.body ?? '';
        if (isLostRun(run_ms, provider)) {
          expect(await errorOf(source.read([body], asked))).to.be.instanceOf(GapError);
          continue;
        }
        const { rows, unusable, gaps } = await source.read([body], asked);
        expect([...unusable, ...gaps]).to.deep.equal([]);
        // A run of ICON has 180 hours, at 06Z and 18Z 120, others 240: a whole day less, and the day of the run.
        const days = provider !== 'icon' ? 10 : run_ms % (12 * HOUR_MS) === 0 ? 7 : 5;
        expect(rows.length).to.be.within(places.length * (days - 1), places.length * days);
        for (const { station_id = '', issued_at = '', target_date = '', high_f, low_f } of rows) {
          const truth = forecastOf(provider, station_id, at(issued_at), target_date);
          expect({ high_f, low_f }).to.deep.equal({ high_f: `${truth.high_f}`, low_f: `${truth.low_f}` });
          expect(at(issued_at)).to.equal(run_ms + (published[provider] ?? NaN) * HOUR_MS);
        }
      }
    });

  it('are asked for ten minutes after a run is there, from the first day on that its model is kept', () => {
    expect(
      OPEN_METEO.map(({ name, provider, earliest, schedule }) => [
        `${name} ${provider} ${earliest}`,
        ...schedule.map(({ cron, overlap_ms }) => `${cron}, ${overlap_ms / HOUR_MS} hours`),
      ]),
    ).to.deep.equal([
      ['openmeteo-ecmwf ecmwf 2024-03-14', '10 2,8,14,20 * * *, 12 hours'],
      ['openmeteo-gfs gfs 2026-04-02', '10 0,6,12,18 * * *, 12 hours'],
      ['openmeteo-icon icon 2026-04-02', '10 5,11,17,23 * * *, 12 hours'],
      ['openmeteo-gem gem 2026-08-19', '10 7,19 * * *, 24 hours'],
    ]);
    const models = OPEN_METEO.map((source) => {
      const span = { from_ms: RUN_MS, to_ms: RUN_MS + 12 * HOUR_MS };
      const [asked] = source.plan([{ place: EGLL, span }], RUN_MS + DAY_MS);
      return new URLSearchParams(asked?.paths[0]?.split('?')[1]).get('models');
    });
    expect(models).to.deep.equal(['ecmwf_ifs', 'ncep_gfs_global', 'dwd_icon_global', 'cmc_gem_gdps']);
    for (const { attribution } of OPEN_METEO)
      expect(attribution).to.match(
        /^Weather data by Open-Meteo, https:\/\/open-meteo\.com \(CC BY 4\.0\), from /,
      );
  });

  it('that the world lacks, of one place and of several, are lost for ever', async () => {
    const runs = Array.from({ length: 200 }, (_, run) => RUN_MS + run * 6 * HOUR_MS).filter((run) =>
      isLostRun(run),
    );
    expect(runs.length).to.be.within(2, 10);
    const [run_ms = NaN] = runs;
    for (const places of [[EGLL], [EGLL, LFPG]]) {
      const asked = request(places, run_ms);
      const { status, body = '' } =
        stub(new URL(asked.paths[0] ?? '', 'http://open-meteo'), run_ms + DAY_MS, PLACES) ?? {};
      expect(status).to.equal(places.length === 1 ? 400 : 200);
      expect(await errorOf(openmeteoEcmwf.read([body], asked)))
        .to.be.instanceOf(GapError)
        .with.property('kind', 'final');
    }
  });
});
