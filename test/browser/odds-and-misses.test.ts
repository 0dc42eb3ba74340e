import { expect } from 'chai';
import type {
  AccuracyByDateResponse,
  ForecastActualResponse as Pairs,
  ProbabilityResponse,
} from '../../clients/typescript/src/generated.js';
import { Visit } from '../support/browser.js';
import { eachVisit, type Listening, listen, sampleWorld } from '../support/dashboard.js';
import { plusDays } from '../support/plain/oracle.js';

const TODAY = '2026-06-15';

describe('the dashboard, from one day to another', function () {
  this.timeout(300_000);
  let service: Listening;
  let visit: Visit;

  eachVisit((begun) => ({ service, visit } = begun));

  const DAY = '#odds select[name=target_date]';
  const percent = (share: number | null | undefined): string => `${Math.round(100 * (share ?? NaN))}%`;

  it('given a station, then today and each of six days more are there, each for one request', async () => {
    const asked: string[] = [];
    visit.page.on('request', (request) => {
      if (request.url().includes('/data/forecasts')) asked.push(request.url());
    });
    await visit.open('?station_id=KORD&view=likely', service.key);
    const options = visit.page.locator(`${DAY} option`);
    expect((await options.allInnerTexts()).slice(0, 3)).to.deep.equal([
      'Today',
      'Tomorrow, Tue',
      'Wed, Jun 17',
    ]);
    expect(await options.last().getAttribute('value')).to.equal(plusDays(TODAY, 6));
    expect(asked).to.have.lengthOf(1);
  });

  it('given °C, then the odds are those of the API in whole °C, and no panel of the station has °F', async () => {
    await visit.open('?station_id=EGLL&temp_unit=celsius&view=likely', service.key);
    for (const panel of ['#odds', '#reliability', '#events'])
      expect(await visit.text(panel), panel).not.to.contain('°F');
    await visit.open('?station_id=EGLL&temp_unit=celsius&forecast=21&forecast_lead=12-24h', service.key);
    const query =
      'station_id=EGLL&temp_unit=celsius&forecast=21&lead_time_bucket=12-24h&thresholds=21&so_far=ignore';
    const { data } = await service.get<ProbabilityResponse>(`/api/v1/probability?${query}`);
    expect(await visit.text('#odds .chance')).to.equal(percent(data.thresholds?.[0]?.at_or_above));
    expect(await visit.text('#odds .odds-sentence')).to.contain(
      'reaches 21 °C, given a forecast of 21 °C issued 12–24 h ahead',
    );
    expect((await visit.rows('#odds table'))[0]?.[0]).to.match(/^\d\d or less$/);
  });

  it('when another day is chosen, then the odds are those of the API for it, and the URL says so', async () => {
    await visit.open('?station_id=KORD&threshold=70&forecast=75', service.key);
    await visit.page.selectOption(DAY, plusDays(TODAY, 1));
    await visit.settled();
    const day = plusDays(TODAY, 1);
    expect(new URL(visit.page.url()).search).to.equal(`?station_id=KORD&target_date=${day}`);
    const threshold = await visit.page.inputValue('#odds input[name=threshold]');
    const query = `station_id=KORD&target_date=${day}&thresholds=${threshold}`;
    const { data } = await service.get<ProbabilityResponse>(`/api/v1/probability?${query}`);
    expect(await visit.page.inputValue('#odds input[name=forecast]')).to.equal(`${data.forecast_f}`);
    expect(await visit.text('#odds .chance')).to.equal(percent(data.thresholds?.[0]?.at_or_above));
    expect(await visit.text('#odds .odds-sentence')).to.contain('tomorrow’s high');
    await visit.page.reload();
    await visit.settled();
    expect(await visit.page.inputValue(DAY)).to.equal(day);
    await visit.page.selectOption(DAY, TODAY);
    await visit.settled();
    expect(new URL(visit.page.url()).search).to.equal('?station_id=KORD&view=likely');
    expect(await visit.text('#odds .odds-sentence')).to.contain('today’s high');
  });

  it('given a day that has ended, in a link, then it is there to choose, and its odds are shown', async () => {
    await visit.open('?station_id=KORD&target_date=2026-06-10', service.key);
    expect(await visit.page.inputValue(DAY)).to.equal('2026-06-10');
    expect(await visit.text('#odds .odds-sentence')).to.contain('the high of Wed, Jun 10, 2026');
  });

  it('given a station where it is another day, then today is the day there', async () => {
    const late = await listen(await sampleWorld(), { now: '2026-06-14T20:00:00Z' });
    const there = await Visit.begin(late.url);
    await there.page.clock.install({ time: '2026-06-14T20:00:00Z' });
    await there.open('?station_id=YSSY&view=likely', late.key);
    const today = there.page.locator(`${DAY} option`).first();
    expect(await today.getAttribute('value')).to.equal(TODAY);
    expect(await today.innerText()).to.equal('Today');
    expect(await there.text('#odds form')).to.contain('Day (local time there: 06:00)');
    expect(there.faults).to.deep.equal([]);
    await there.end();
    await late.stop();
  });

  it('then the largest misses are the days with the greatest MAE, and a link shows one alone', async () => {
    await visit.open('?station_id=KORD&days=30&view=happened', service.key);
    const path = '/api/v1/accuracy/by-date?station_id=KORD&days=30&include_preliminary=true';
    const { data } = await service.get<AccuracyByDateResponse>(path);
    const [most, ...others] = data.toSorted((a, b) => (b.stats.mae ?? 0) - (a.stats.mae ?? 0));
    const links = visit.page.locator('#misses').getByRole('link');
    expect(await links.count()).to.equal(Math.min(8, others.length + 1));
    expect(await visit.text('#misses li')).to.contain(`${most?.stats.mae?.toFixed(2)} °F`);
    const to = `?date_from=${most?.date}&date_to=${most?.date}&station_id=KORD&view=happened`;
    expect(await links.first().getAttribute('href')).to.equal(to);
    await links.first().click();
    await visit.settled();
    expect(new URL(visit.page.url()).search).to.equal(to);
    expect(await visit.text('#headline-title')).to.contain(`${most?.stats.mae?.toFixed(2)} °F`);
  });

  it('given all stations, then the largest single misses are those of the API, each day of a station once', async () => {
    await visit.open('?view=happened', service.key);
    const query = 'metric=high&lead_time_bucket=12-24h&sort_by=abs_error&limit=40';
    const { data } = await service.get<Pairs>(`/api/v1/data/forecast-actual?days=90&${query}`);
    const isFirst = ({ station_id, target_date }: Pairs['data'][number], at: number): boolean =>
      data.findIndex((each) => each.station_id === station_id && each.target_date === target_date) === at;
    const largest = data.filter(isFirst).slice(0, 8);
    const rows = await visit.rows('#pairs table');
    expect(rows.map((cells) => [cells[0], cells.at(-1)])).to.deep.equal(
      largest.map(({ city_name, error }) => [
        city_name,
        `${error > 0 ? '+' : '−'}${Math.abs(error).toFixed(1)}`,
      ]),
    );
  });
});
