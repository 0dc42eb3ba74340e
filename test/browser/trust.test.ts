import { expect } from 'chai';
import type {
  ComparisonResponse as Comparison,
  DistributionResponse as Distributions,
  DeparturesResponse as Departures,
  DivergenceResponse as Divergence,
  PeakTimingResponse as PeakTiming,
  ProbabilityReliabilityResponse as Reliability,
  ProbabilityResponse as Odds,
} from '../../clients/typescript/src/generated.js';
import type { Visit } from '../support/browser.js';
import { eachVisit, type Listening } from '../support/dashboard.js';

// Guards that what the page says of odds and of providers is what the API answers.

const API = '/api/v1';
const NONE = 'no significant difference';
const signed = (value: number | null): string =>
  ((value ?? NaN) > 0 ? '+' : '') + (value ?? NaN).toFixed(2).replace('-', '−');
const percent = (share: number | null): string => {
  if (share === null) return '–';
  if (share > 0 && share < 0.005) return '<1%';
  return share < 1 && share >= 0.995 ? '>99%' : `${Math.round(share * 100)}%`;
};

describe('the dashboard, on whom to trust', function () {
  this.timeout(300_000);
  let service: Listening;
  let visit: Visit;

  eachVisit((begun) => ({ service, visit } = begun));

  it("given two providers, then each lead time has its difference, its interval and the API's verdict", async () => {
    await visit.open('?view=provider', service.key);
    const path = `${API}/accuracy/compare?providers=made-up-fine,made-up-coarse&group_by=lead_time_bucket`;
    const { data } = await service.get<Comparison>(path);
    expect(data).to.have.lengthOf(6);
    const rows = await visit.rows('#providers table');
    expect(rows.map((cells) => cells.slice(1, 5))).to.deep.equal(
      data.map(({ mae_difference: { value, low, high }, wins, losses, cases }) => [
        signed(value),
        `${signed(low)} to ${signed(high)}`,
        percent(wins / cases),
        percent(losses / cases),
      ]),
    );
    const none = data.filter(({ verdict }) => verdict === 'not_significant');
    const label = (await visit.page.locator('#providers .plot').getAttribute('aria-label')) ?? '';
    expect(label.split(NONE)).to.have.lengthOf(none.length + 1);
    await visit.open('?days=7&view=provider', service.key);
    const few = (await visit.page.locator('#providers .plot').getAttribute('aria-label')) ?? '';
    expect(few).to.contain('cannot be told yet');
  });

  it('given collected data, then the page names whose they are, with links; without, it has no such line', async () => {
    await visit.open('', service.key);
    expect(await visit.page.locator('#attribution').isVisible()).to.equal(false);
    const attributions = [
      'Reports of somebody (public domain)',
      'Data of others, https://example.org (CC BY 4.0)',
    ];
    const sources = [
      ...[...attributions, attributions[0], null].map((attribution) => ({
        attribution,
        last_success_at: '',
      })),
      { attribution: 'Nothing has come of them yet', last_success_at: null },
    ];
    await visit.page.route('**/api/v1/accuracy/freshness', (route) =>
      route.fulfill({ json: { success: true, data: { sources } } }),
    );
    await visit.page.reload();
    await visit.page.locator('#attribution').waitFor();
    expect(await visit.text('#attribution')).to.equal(`Data: ${attributions.join('; ')}.`);
    expect(await visit.page.locator('#attribution a').getAttribute('href')).to.equal('https://example.org');
  });

  it('given one provider, then which is better is not offered, and it says so', async () => {
    await visit.page.route('**/api/v1/providers?*', (route) =>
      route.fulfill({
        json: { success: true, data: [{ provider: 'default', is_default: true, alarms: [] }] },
      }),
    );
    await visit.open('', service.key);
    expect(await visit.text('#lacks')).to.equal('“Which provider?” needs a second provider.');
    expect(await visit.page.locator('[role=tab]').count()).to.equal(4);
  });

  it("given no station, then it asks for one; given one, then threshold and brackets are the API's", async () => {
    await visit.open('?view=likely', service.key);
    expect(await visit.text('#odds')).to.contain('Choose a station above for the odds of a day there.');
    await visit.open('?station_id=KORD&forecast=83.4&forecast_lead=24-48h&threshold=85', service.key);
    const subject = 'station_id=KORD&forecast=83.4&lead_time_bucket=24-48h';
    const degrees = Array.from({ length: 25 }, (_each, at) => `${71 + at}-${71 + at}`).join();
    const odds = await service.get<Odds>(`${API}/probability?${subject}&thresholds=85&brackets=${degrees}`);
    const [asked] = odds.data.thresholds ?? [];
    expect(await visit.text('#odds .chance')).to.equal(percent(asked?.at_or_above ?? null));
    expect(await visit.text('#odds .odds-sentence')).to.equal(
      'chance that today’s high reaches 85 °F, given a forecast of 83.4 °F issued 24–48 h ahead.',
    );
    expect(await visit.text('#odds .basis')).to.contain(
      `95% interval: ${Math.round(100 * (asked?.low ?? NaN))}–${percent(asked?.high ?? null)}.`,
    );
    const words = (from: number | null, to: number | null): string =>
      from === null ? `${to} or less` : to === null ? `${from} or more` : `${from}`;
    expect((await visit.rows('#odds table')).map(([where, share]) => [where, share])).to.deep.equal(
      odds.data.brackets?.map(({ from_f, to_f, probability }) => [words(from_f, to_f), percent(probability)]),
    );
    await visit.page.fill('#odds input[name=threshold]', '70');
    await visit.page.keyboard.press('Enter');
    await visit.page.waitForSelector('#odds .odds-sentence >> text=70 °F');
    expect(visit.page.url()).to.contain('threshold=70').and.contain('forecast=83.4');
    expect(await visit.page.evaluate('document.activeElement.name')).to.equal('threshold');
    await visit.page.fill('#odds input[name=forecast]', '999');
    await visit.page.keyboard.press('Enter');
    expect(visit.page.url()).to.contain('forecast=83.4'); // the field tells its bounds
    await visit.open('?station_id=KORD&threshold=72.5', service.key);
    expect(await visit.text('#odds .empty')).to.equal('No odds: 72.5 is not a whole degree.');
  });

  it('given a station whose day has begun, then odds start from what is measured, and the day is drawn', async () => {
    await visit.open('?station_id=EGLL&threshold=70', service.key);
    const { data } = await service.get<Odds>(`${API}/probability?station_id=EGLL&thresholds=70`);
    const { m = null, at = '', hour, cases } = data.so_far ?? {};
    // In London it is an hour later than in UTC.
    const there = `${Number(at.slice(11, 13)) + 1}${at.slice(13, 16)}`;
    expect(await visit.text('#odds .chance')).to.equal(percent(data.thresholds?.[0]?.at_or_above ?? null));
    expect(await visit.text('#odds .odds-sentence')).to.equal(
      `chance that today’s high reaches 70 °F, given readings up to ${there} local time.`,
    );
    expect(await visit.text('#odds .basis >> nth=1')).to.contain(
      `Based on ${cases?.toLocaleString('en-US')} station-days`,
    );
    const timing = await service.get<PeakTiming>(`${API}/accuracy/peak-timing/EGLL`);
    const reached = timing.data.share_by_hour.find((each) => each.hour === hour)?.share_reached ?? null;
    expect(await visit.text('#odds .so-far .readout')).to.equal(
      `${m} °F is the highest up to ${there}. The high has come by then on ${percent(reached)} of days.`,
    );
    await visit.page.locator('#odds .so-far .plot').press('Home');
    expect(await visit.text('#odds .so-far .readout')).to.match(/^\d\d:53 [\d.]+ °F$/);
    await visit.page.selectOption('#odds select[name=forecast_lead]', '12-24h');
    await visit.page.waitForSelector('#odds .odds-sentence >> text=issued 12–24 h ahead');
    expect(await visit.page.locator('#odds .so-far').count()).to.equal(0);
  });

  it('then past odds are there with what came of them', async () => {
    await visit.open('?days=30&view=likely', service.key);
    const { data } = await service.get<Reliability>(
      `${API}/probability/reliability?days=30&lead_time_bucket=12-24h`,
    );
    const bins = data.bins.filter(({ forecasts }) => forecasts > 0);
    expect(bins).to.have.length.above(4);
    expect((await visit.rows('#reliability table')).map((cells) => cells.slice(0, 2))).to.deep.equal(
      bins.map(({ mean_probability, observed }) => [percent(mean_probability), percent(observed)]),
    );
  });

  it('given a provider that says how sure it is, then its band has a panel; given another, none', async () => {
    await visit.open('?view=likely', service.key);
    const { data } = await service.get<Distributions>(`${API}/accuracy/distribution?days=90`);
    const { cases, intervals, coverage, levels, pit, shape } = data[0]!;
    const band = intervals.find(({ nominal }) => nominal === 80)!;
    expect(band.covered_high).to.be.below(0.8);
    expect(await visit.text('#distribution .verdict')).to.equal(
      `${percent(band.covered)} of days fell inside the 80% band: too narrow.`,
    );
    expect(await visit.text('#distribution .caveat')).to.equal(
      `95% interval: ${Math.round(100 * band.covered_low!)}–${percent(band.covered_high)}, ` +
        `${cases.toLocaleString('en-US')} station-days of the latest forecasts of made-up-fine.`,
    );
    expect(shape).to.equal('too_narrow');
    expect((await visit.rows('#distribution table')).map((cells) => cells.slice(0, 2))).to.deep.equal(
      coverage.map(({ level, observed }) => [`${level}%`, percent(observed)]),
    );
    expect(await visit.page.locator('#distribution rect').count()).to.equal(levels.length + 1);
    await visit.page.locator('#distribution .plot').press('Home');
    expect(await visit.text('#distribution .readout')).to.equal(
      `Below 5% ${Math.round(pit.counts[0]!)} days; ${Math.round(pit.expected[0]!)} would be right`,
    );
    await visit.open('?provider=made-up-coarse&view=likely', service.key);
    expect(await visit.page.isVisible('#distribution')).to.equal(false);
  });

  it('given providers that differ, then the days to come are told first, and what came of such differences', async () => {
    await visit.open('?view=provider', service.key);
    const past = await service.get<Divergence>(`${API}/accuracy/divergence?days=90&group_by=provider`);
    expect((await visit.rows('#departures details table')).map((cells) => cells.slice(0, 4))).to.deep.equal(
      past.data.map(({ provider, departures, nearer_rate, share_true }) => [
        ...[provider, `${departures}`, percent(nearer_rate), percent(share_true)],
      ]),
    );
    const { data } = await service.get<Departures>(`${API}/data/departures?limit=12`);
    expect(data).to.have.lengthOf(12);
    const [most] = data;
    const shown = await visit.rows('#departures .departures table');
    expect(shown).to.have.lengthOf(6);
    const [own, others] = [most?.forecast_f?.toFixed(1), most?.others_f?.toFixed(1)];
    const sides = most?.provider === past.data[0]?.provider ? [own, others] : [others, own];
    expect([shown[0]?.[0], ...shown[0]!.slice(2)]).to.deep.equal([
      ...[most?.city_name, ...sides, most?.expected_f?.toFixed(1)],
    ]);
    const [best] = past.data.toSorted((a, b) => (b.share_true ?? 0) - (a.share_true ?? 0));
    expect(await visit.text('#departures .verdict')).to.equal(
      `${percent(best?.share_true ?? null)} of the gap proved right for ${best?.provider}.`,
    );
  });
});
