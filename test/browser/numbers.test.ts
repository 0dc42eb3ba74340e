import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { ByCity, ByDate, ByLeadTime, Summary } from '../../public/dashboard/types.js';
import { startChromium, stopChromium, Visit } from '../support/browser.js';
import { HOSTILE_NAME, type Listening, listen, sampleWorld } from '../support/dashboard.js';

const API = '/api/v1/accuracy';
const written = (value: number | null): string => (value ?? NaN).toFixed(2).replace('-', '−');

describe('the dashboard, given data', function () {
  this.timeout(300_000);
  let service: Listening;
  let visit: Visit;

  before(startChromium);
  before(async () => {
    service = await listen(await sampleWorld());
  });
  after(() => service?.stop());
  after(stopChromium);

  beforeEach(async () => {
    visit = await Visit.begin(service.url);
  });
  afterEach(async () => {
    const { faults } = visit;
    await visit.end();
    expect(faults).to.deep.equal([]);
  });

  describe('when it is opened', () => {
    it('then it says in one sentence and in cards what the summary of 90 days says', async () => {
      await visit.open('', service.key);
      const { data } = await service.get<Summary>(`${API}/summary`);
      const bias = `${Math.abs(data.mean_error ?? NaN).toFixed(1)} °F too ${(data.mean_error ?? 0) > 0 ? 'warm' : 'cold'}`;
      expect(await visit.text('#headline-title')).to.equal(
        `In the last 90 days, forecasts of the daily high at all stations missed by ${data.mae?.toFixed(1)} °F on average and ran ${bias}.`,
      );
      const cards = await visit.text('#cards');
      expect(cards).to.contain(`${written(data.mae)} °F`);
      expect(cards).to.contain(`over ${data.verification_pairs.toLocaleString('en-US')} forecasts`);
      expect(cards).to.contain(`runs ${bias}`);
    });

    it('then each number stands beside that of the 90 days before', async () => {
      await visit.open('', service.key);
      const now = await service.get<Summary>(`${API}/summary`);
      const before = await service.get<Summary>(`${API}/summary?date_to=2026-03-17&days=90`);
      expect(now.metadata.period_start).to.equal('2026-03-18');
      const difference = Math.abs((now.data.mae ?? 0) - (before.data.mae ?? 0)).toFixed(1);
      const cards = await visit.text('#cards');
      expect(cards).to.contain(`the 90 days before (${written(before.data.mae)})`);
      expect(cards).to.contain(difference === '0.0' ? 'about the same as' : `${difference} °F`);
    });

    it('then it tells how fresh the data are, and how many days may still change', async () => {
      await visit.open('', service.key);
      const { metadata } = await service.get<Summary>(`${API}/summary`);
      const { verified_days, preliminary_days } = metadata.verification_coverage;
      const cards = await visit.text('#cards');
      expect(cards).to.contain('Yesterday Sun, Jun 14, 2026');
      expect(cards).to.contain(`${preliminary_days} of ${verified_days + preliminary_days} days`);
      expect(cards).to.contain('answered at 12:00 UTC');
    });

    it('then the days are there as a table, the preliminary ones marked: as many as the summary counts', async () => {
      await visit.open('?days=30', service.key);
      const days = await service.get<ByDate>(`${API}/by-date?days=30`);
      const rows = await visit.rows('#by-date table');
      expect(rows.map(([, mae]) => mae)).to.deep.equal(
        [...days.data].reverse().map(({ stats }) => written(stats.mae)),
      );
      const { metadata } = await service.get<Summary>(`${API}/summary?days=30`);
      const marked = rows.filter(([, , , , , status]) => status !== 'verified');
      expect(marked).to.have.length(metadata.verification_coverage.preliminary_days).greaterThan(0);
      // The last three days have no verified observation in the sample.
      expect(rows.slice(0, 3).map((row) => row[5])).to.deep.equal([
        'preliminary',
        'preliminary',
        'preliminary',
      ]);
    });

    it('then the lead times are there as a table of six rows', async () => {
      await visit.open('', service.key);
      const { data } = await service.get<ByLeadTime>(`${API}/by-lead-time`);
      expect((await visit.rows('#by-lead-time table')).map(([hours, mae]) => [hours, mae])).to.deep.equal(
        data.map(({ lead_time_bucket, stats }) => [
          lead_time_bucket.replace('-', '–').replace('h+', ' h +').replace(/h$/, ' h'),
          written(stats.mae),
        ]),
      );
    });

    it('then the stations are ranked by MAE, each with its bias and its sign', async () => {
      await visit.open('', service.key);
      const { data } = await service.get<ByCity>(`${API}/by-city?sort_by=mae`);
      const rows = await visit.rows('#ranking table');
      expect(rows.map(([rank, , mae]) => [rank, mae])).to.deep.equal(
        data.map(({ stats }, index) => [String(index + 1), written(stats.mae)]),
      );
      expect(rows.map((row) => row[3])).to.deep.equal(
        data.map(({ stats }) => `${(stats.mean_error ?? 0) > 0 ? '+' : ''}${written(stats.mean_error)}`),
      );
      expect(rows.find(([, name]) => name?.includes('KIND'))?.[1]).to.contain('inactive');
    });

    it('then the map has a marker for every station, with the sign of its bias, and those of the USA closer', async () => {
      await visit.open('', service.key);
      const { data } = await service.get<ByCity>(`${API}/by-city`);
      const signs = async (): Promise<Record<string, string>> =>
        visit.page.evaluate(
          `Object.fromEntries([...document.querySelectorAll('.marker')].map((m) => [m.dataset.station, m.querySelector('text').textContent]))`,
        );
      expect(await signs()).to.deep.equal(
        Object.fromEntries(
          data.map(({ station_id, stats }) => {
            const error = stats.mean_error ?? 0;
            return [station_id, Math.abs(error) < 0.05 ? '0' : error > 0 ? '+' : '−'];
          }),
        ),
      );
      await visit.page.click('#map >> text=United States');
      await visit.settled();
      expect(Object.keys(await signs()).sort()).to.deep.equal(['KIND', 'KJFK', 'KORD', 'KSEA', 'PANC']);
      expect(visit.page.url()).to.contain('map=us');
    });

    it('then a name with markup in it is text and nothing else', async () => {
      await visit.open('?days=30', service.key);
      expect(await visit.text('#ranking table')).to.contain(HOSTILE_NAME);
      expect(await visit.page.locator('#controls option[value=XXSS]').textContent()).to.contain(HOSTILE_NAME);
      await visit.page.selectOption('select[name=station_id]', 'XXSS');
      await visit.settled();
      expect(await visit.text('#headline-title')).to.contain(`for ${HOSTILE_NAME} missed by`);
      expect(await visit.page.locator('main img, main b:text-is("Nice")').count()).to.equal(0);
    });
  });

  describe('when something is saved as CSV', () => {
    for (const [panel, path] of [
      ['by-date', 'by-date?metric=low&days=30&station_id=KORD&include_preliminary=true'],
      ['by-lead-time', 'by-lead-time?metric=low&days=30&station_id=KORD'],
      ['ranking', 'by-city?metric=low&days=30&sort_by=mae'],
    ] as const) {
      it(`then that of ${panel} is what the API gives for what is shown, under its name`, async () => {
        await visit.open('?metric=low&days=30&station_id=KORD', service.key);
        const [download] = await Promise.all([
          visit.page.waitForEvent('download'),
          visit.page.click(`#${panel} .save`),
        ]);
        const api = await service.service.get(`${API}/${path}&format=csv`);
        expect(api.status).to.equal(200);
        expect(await readFile(await download.path(), 'utf8')).to.equal(api.text);
        expect(api.headers['content-disposition']).to.contain(`"${download.suggestedFilename()}"`);
      });
    }
  });
});
