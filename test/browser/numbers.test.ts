import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type {
  AccuracyByCityResponse as ByCity,
  AccuracyByDateResponse as ByDate,
  AccuracyByLeadTimeResponse as ByLeadTime,
  AccuracySummaryResponse as Summary,
  ComparisonResponse as Comparison,
  EventsResponse as Events,
  ProbabilityReliabilityResponse as Reliability,
} from '../../clients/typescript/src/generated.js';
import { biasWords } from '../../public/dashboard/words.js';
import type { Visit } from '../support/browser.js';
import { eachVisit, HOSTILE_NAME, type Listening, withViews } from '../support/dashboard.js';

const API = '/api/v1/accuracy';
const NO_BIAS = 'no significant bias';
const written = (value: number | null): string => (value ?? NaN).toFixed(2).replace('-', '−');

describe('the dashboard, given data', function () {
  this.timeout(300_000);
  let service: Listening;
  let visit: Visit;

  eachVisit((begun) => ({ service, visit } = begun));
  const view = withViews(() => service);

  describe('when it is opened', () => {
    it('then it says in one sentence, and what it means, what the summary of 90 days says', async () => {
      const visit = await view('');
      const { data } = await service.get<Summary>(`${API}/summary`);
      expect(await visit.text('#headline-title')).to.equal(
        `In the last 90 days, made-up-fine forecasts of the daily high at all stations missed by ${written(data.mae)} °F on average.`,
      );
      expect(await visit.wholeText('#leads')).to.contain(
        `over ${data.verification_pairs.toLocaleString('en-US')} forecasts`,
      );
      expect(await visit.text('#meaning'))
        .to.contain(`nine in ten within ${data.abs_error_p90?.toFixed(1)} °F.`)
        .and.contain(NO_BIAS);
    });

    it('then MAE and bias have their intervals, and a bias whose interval holds 0 is not called one', async () => {
      for (const [station, isShown] of [
        ['', false],
        ['KORD', true],
      ] as const) {
        const search = station === '' ? '' : `?station_id=${station}`;
        await visit.open(search, service.key);
        const { data } = await service.get<Summary>(`${API}/summary?ci=0.95&${search.slice(1)}`);
        const { mae, mean_error } = data.uncertainty ?? {};
        const sign = (value = NaN): string => (value > 0 ? '+' : '') + written(value);
        const [low, high] = [mean_error?.low ?? NaN, mean_error?.high ?? NaN];
        const meaning = await visit.text('#meaning');
        expect(meaning).to.contain(`95% interval: ${written(mae?.low ?? NaN)}–${written(mae?.high ?? NaN)}`);
        expect(await visit.wholeText('#leads')).to.contain(`95% interval: ${sign(low)} to ${sign(high)}`);
        expect(low > 0 || high < 0).to.equal(isShown);
        if (isShown)
          expect(meaning)
            .to.contain('too cold')
            .and.not.match(/no significant bias/i);
        else
          expect(meaning)
            .to.match(/no significant bias/i)
            .and.not.match(/\btoo (cold|warm)/i);
      }
    });

    it('then a scorecard has each cell of the API, with a sign for what is significant', async () => {
      await visit.open('?days=365&view=provider', service.key);
      const query = 'days=365&providers=made-up-fine,made-up-coarse&group_by=lead_time_bucket,month';
      const { data, metadata } = await service.get<Comparison>(`${API}/compare?${query}`);
      const cells = await visit.page.locator('#scorecard td .chip').allInnerTexts();
      const wanted = data
        .filter(({ cases }) => cases > 0)
        .map(({ significant, verdict, mae_difference: { value } }) => {
          const sign = !significant ? '·' : verdict === 'better' ? '▼' : '▲';
          return `${sign} ${(value ?? 0) > 0 ? '+' : ''}${written(value)}`;
        });
      expect(cells.map((text) => text.replaceAll(/\s+/g, ' '))).to.have.members(wanted);
      expect(metadata.significant_cells).to.be.greaterThan(5);
      const better = data.filter(({ significant, verdict }) => significant && verdict === 'worse').length;
      expect(await visit.text('#scorecard .verdict'))
        .to.contain(`made-up-fine is better in ${better} of ${wanted.length} cells`)
        .and.contain(`${wanted.length - metadata.significant_cells} could be chance`);
    });

    it('then two providers as one stand beside each of them, by what the API says of past days', async () => {
      await visit.open('?days=365&lead_time_bucket=24-48h&view=provider', service.key);
      const query = 'days=365&lead_time_bucket=24-48h&providers=made-up-fine,made-up-coarse';
      const { data } = await service.get<Reliability>(`/api/v1/probability/reliability?${query}`);
      const { mae_f, members, compared_days, verdict } = data.blend!;
      expect(verdict).to.equal('better');
      expect(await visit.text('#blend .verdict')).to.equal(
        `${written(mae_f)} °F with both as one. Both do better.`,
      );
      expect(await visit.text('#blend .caveat')).to.contain(`24–48 h ahead over ${compared_days} days`);
      const label = await visit.page.getAttribute('#blend .plot', 'aria-label');
      for (const [name, each] of Object.entries(members))
        expect(label).to.contain(`${name} ${written(each.mae_f)} °F`);
    });

    it('then events have the shares of the API, and another threshold is in the address', async () => {
      await visit.open('?days=365&view=likely', service.key);
      const expectEvents = async (metric: string, thresholds: number): Promise<void> => {
        const query = `days=365&metric=${metric}&thresholds=${thresholds}&group_by=lead_time_bucket`;
        const { data } = await service.get<Events>(`${API}/events?${query}`);
        const rows = await visit.page.locator('#events tbody tr').allInnerTexts();
        expect(rows.length).to.equal(data.length).greaterThan(0);
        for (const [at, { pod, far, csi }] of data.entries())
          for (const share of [pod, far, csi])
            expect(rows[at]).to.contain(share === null ? '–' : `${Math.round(100 * share)}%`);
      };
      await expectEvents('high', 90);
      await visit.page.fill('#events input[name=event]', '80');
      await visit.page.press('#events input[name=event]', 'Tab');
      await visit.settled();
      expect(new URL(visit.page.url()).search).to.equal('?days=365&event=80');
      await expectEvents('high', 80);
      await visit.open('?days=365&metric=low&event=1e9', service.key);
      expect(await visit.text('#events .verdict')).to.equal('Nothing to count at 1e9 °F: enter another.');
      await visit.open('?days=365&event=140', service.key);
      expect(await visit.text('#events')).to.contain('none reached 140 °F, and none was forecast to.');
    });

    it('then it tells how fresh the data are, and how many days may still change', async () => {
      const visit = await view('');
      const { metadata } = await service.get<Summary>(`${API}/summary`);
      const { verified_days, preliminary_days } = metadata.verification_coverage;
      expect(await visit.text('#meaning')).to.contain('Latest day: yesterday, Sun, Jun 14, 2026.');
      expect(await visit.wholeText('#leads')).to.contain(
        `${preliminary_days} of ${verified_days + preliminary_days} days partly preliminary`,
      );
    });

    it('then the days are there as a table, the preliminary ones marked: as many as the summary counts', async () => {
      const visit = await view('?days=30');
      const days = await service.get<ByDate>(`${API}/by-date?days=30`);
      const rows = await visit.rows('#by-date table');
      expect(rows.map(([, mae]) => mae)).to.deep.equal(
        [...days.data].reverse().map(({ stats }) => written(stats.mae)),
      );
      const { metadata } = await service.get<Summary>(`${API}/summary?days=30`);
      const marked = rows.filter((row) => row[4] !== '');
      expect(marked).to.have.length(metadata.verification_coverage.preliminary_days).greaterThan(0);
      // The last three days have no verified observation in the sample.
      expect(rows.slice(0, 3).map((row) => row[4])).to.deep.equal(['100%', '100%', '100%']);
    });

    it('then the lead times are there as a table of six rows', async () => {
      const visit = await view('');
      const { data } = await service.get<ByLeadTime>(`${API}/by-lead-time`);
      expect((await visit.rows('#by-lead-time table')).map(([hours, mae]) => [hours, mae])).to.deep.equal(
        data.map(({ lead_time_bucket, stats }) => [
          lead_time_bucket.replace('-', '–').replace('h+', '+h').replace(/h$/, ' h'),
          written(stats.mae),
        ]),
      );
    });

    it('then the bars of the lead times are about the same station days, with their intervals', async () => {
      const visit = await view('');
      const { data, metadata } = await service.get<ByLeadTime>(`${API}/by-lead-time?align=matched&ci=0.95`);
      const shared = data.map(({ matched }) => [
        written(matched?.mae ?? null),
        `${written(matched?.uncertainty.mae.low ?? null)}–${written(matched?.uncertainty.mae.high ?? null)}`,
      ]);
      expect(await visit.text('#by-lead-time .caveat')).to.contain(
        `The same ${metadata.cases_matched} station-days in each bar.`,
      );
      expect(await visit.text('#by-lead-time .verdict')).to.equal(
        `${data[0]?.matched?.mae?.toFixed(1)} °F 0–6 h ahead, ${data[5]?.matched?.mae?.toFixed(1)} °F 72 h or more ahead.`,
      );
      expect((await visit.rows('#by-lead-time table')).map((cells) => cells.slice(6))).to.deep.equal(shared);
      const chart = visit.page.locator('#by-lead-time .plot');
      const [first] = shared;
      expect(await chart.getAttribute('aria-label'))
        .to.match(/: 0–6 h \d\.\d °F \(\d/)
        .and.contain(first?.[1]);
      await chart.focus();
      await chart.press('End');
      const bias = data[5]!.uncertainty!.mean_error;
      const isBias = (bias.low ?? 0) > 0 || (bias.high ?? 0) < 0;
      const biasInWords = isBias ? biasWords(data[5]!.stats.mean_error) : NO_BIAS;
      const { value, low, high } = data[5]?.matched?.mae_difference ?? { value: NaN, low: NaN, high: NaN };
      expect(await visit.text('#by-lead-time .readout')).to.equal(
        `72+ h MAE ${shared[5]?.[0]} °F (${shared[5]?.[1]}) · all forecasts: ${biasInWords} · ` +
          `+${written(value)} °F against 0–6 h (+${written(low)} to +${written(high)})`,
      );
    });

    it('then the bias of a lead time is that of all its forecasts, as the headline and the table have it', async () => {
      const visit = await view('');
      const { data } = await service.get<ByLeadTime>(`${API}/by-lead-time?align=matched&ci=0.95`);
      const said = await visit.page.locator('#by-lead-time .plot').getAttribute('aria-label');
      for (const { uncertainty } of data) {
        const { low, high } = uncertainty!.mean_error;
        const signed = (value: number | null, digits = 2): string => `${(value ?? 0) > 0 ? '+' : ''}${(value ?? NaN).toFixed(digits).replace('-', '−')}`; // prettier-ignore
        expect(said).to.contain(`(${signed(low)} to ${signed(high)})`);
      }
      expect(data.some(({ stats, matched }) => matched?.mean_error !== stats.mean_error)).to.equal(true);
    });

    it('given lead times that share no station days, then the bars are of all forecasts, and it says so', async () => {
      await visit.open('?station_id=XXSS&days=30', service.key);
      expect(await visit.text('#by-lead-time .caveat')).to.contain(' of its own.');
      const { data } = await service.get<Summary>(`${API}/summary?station_id=XXSS&days=30`);
      expect(await visit.page.locator('#by-lead-time .plot').getAttribute('aria-label')).to.contain(
        `24–48 h ${data.mae?.toFixed(1)} °F,`,
      );
    });

    it('given a lead time that is not compared, then it has no bar but a word, and stays in the table', async () => {
      await visit.page.route('**/by-lead-time?*', async (route) => {
        const response = await route.fetch();
        const answer = (await response.json()) as ByLeadTime;
        await route.fulfill({
          response,
          json: {
            ...answer,
            data: answer.data.map((each, at) => (at === 1 ? { ...each, matched: null } : each)),
          },
        });
      });
      await visit.open('', service.key);
      expect(await visit.text('#by-lead-time .caveat')).to.match(/Too few for 6–12 h\.$/);
      const label = await visit.page.locator('#by-lead-time .plot').getAttribute('aria-label');
      expect(label).to.contain(' 12–24 h ').and.not.contain(' 6–12 h ');
      expect((await visit.rows('#by-lead-time table')).map((cells) => cells[6] === '–')).to.deep.equal(
        [0, 1, 2, 3, 4, 5].map((at) => at === 1),
      );
    });

    it('then the stations are ranked by MAE, each with its bias and its sign', async () => {
      const visit = await view('?view=where');
      const { data } = await service.get<ByCity>(`${API}/by-city?sort_by=mae`);
      const rows = await visit.rows('#ranking table');
      // Indianapolis reports no more: it stands behind the others, without a rank.
      const active = data.filter(({ station_id }) => station_id !== 'KIND');
      const ordered = [...active, ...data.filter(({ station_id }) => station_id === 'KIND')];
      expect(rows.map(([rank, , mae]) => [rank, mae])).to.deep.equal(
        ordered.map(({ stats }, index) => [
          index < active.length ? String(index + 1) : '–',
          written(stats.mae),
        ]),
      );
      expect(rows.map((row) => row[4])).to.deep.equal(
        ordered.map(({ stats }) => `${(stats.mean_error ?? 0) > 0 ? '+' : ''}${written(stats.mean_error)}`),
      );
      expect(rows.find(([, name]) => name?.includes('KIND'))?.[1]).to.contain('inactive');
    });

    it('then the map has a marker for every station, with the sign of a significant bias', async () => {
      await visit.open('?view=where', service.key);
      const { data } = await service.get<ByCity>(`${API}/by-city?ci=0.95`);
      const signs = async (): Promise<Record<string, string>> =>
        visit.page.evaluate(
          `Object.fromEntries([...document.querySelectorAll('#map [data-station]')].map((m) => [m.dataset.station, m.querySelector('text').textContent]))`,
        );
      expect(await signs()).to.deep.equal(
        Object.fromEntries(
          data.map(({ station_id, uncertainty }) => {
            const { low, high } = uncertainty!.mean_error;
            if (low === null || high === null) return [station_id, '?'];
            return [station_id, low > 0 ? '+' : high < 0 ? '−' : '±'];
          }),
        ),
      );
      await visit.page.getByRole('radio', { name: 'United States' }).check({ force: true });
      await visit.settled();
      expect(Object.keys(await signs()).sort()).to.deep.equal(['KIND', 'KJFK', 'KORD', 'KSEA', 'PANC']);
      expect(visit.page.url()).to.contain('map=us');
    });

    it('then a name with markup in it is text and nothing else', async () => {
      await visit.open('?days=30&view=where', service.key);
      expect(await visit.text('#ranking table')).to.contain(HOSTILE_NAME);
      await visit.chooseStation(HOSTILE_NAME);
      expect(await visit.stations.inputValue()).to.equal(`${HOSTILE_NAME} (XXSS)`);
      await visit.settled();
      expect(await visit.text('#headline-title')).to.contain(`for ${HOSTILE_NAME} missed by`);
      expect(await visit.page.locator('main img, main b:text-is("Nice")').count()).to.equal(0);
    });
  });

  describe('when something is saved as CSV', () => {
    for (const [panel, path, question = 'good'] of [
      ['by-date', 'by-date?metric=low&days=30&station_id=KORD&include_preliminary=true'],
      ['by-lead-time', 'by-lead-time?metric=low&days=30&station_id=KORD&align=matched&ci=0.95'],
      ['distribution', 'distribution?metric=low&days=30&station_id=KORD', 'likely'],
      ['ranking', 'by-city?metric=low&days=30&sort_by=mae', 'where'],
    ] as const) {
      it(`then that of ${panel} is what the API gives for what is shown, under its name`, async () => {
        await visit.open(`?metric=low&days=30&station_id=KORD&view=${question}`, service.key);
        const [download] = await Promise.all([
          visit.page.waitForEvent('download'),
          visit.page.locator(`#${panel}`).getByRole('button', { name: 'Download CSV' }).click(),
        ]);
        const api = await service.service.get(`${API}/${path}&format=csv`);
        expect(api.status).to.equal(200);
        expect(await readFile(await download.path(), 'utf8')).to.equal(api.text);
        expect(api.headers['content-disposition']).to.contain(`"${download.suggestedFilename()}"`);
      });
    }
  });
});
