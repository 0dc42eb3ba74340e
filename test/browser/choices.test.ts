import { expect } from 'chai';
import type {
  AccuracyByDateResponse as ByDate,
  AccuracySummaryResponse as Summary,
} from '../../clients/typescript/src/generated.js';
import { findViolations, Visit } from '../support/browser.js';
import { eachVisit, type Listening } from '../support/dashboard.js';

const API = '/api/v1/accuracy';

describe('the dashboard, when something is chosen', function () {
  this.timeout(300_000);
  let service: Listening;
  let visit: Visit;

  eachVisit((begun) => ({ service, visit } = begun));

  const search = (): string => new URL(visit.page.url()).search;
  /** The pairs of the headline, which tell one question from another. */
  const shownPairs = async (): Promise<number> =>
    Number(/over ([\d,]+) forecasts/.exec(await visit.wholeText('#leads'))?.[1]?.replaceAll(',', ''));
  const expectPairsOf = async (query: string): Promise<void> => {
    await visit.show('good');
    const { data } = await service.get<Summary>(`${API}/summary?${query}`);
    expect(await shownPairs())
      .to.equal(data.verification_pairs)
      .greaterThan(0);
  };

  it('low, then everything is about lows, and the URL says so', async () => {
    await visit.open('', service.key);
    await visit.page.selectOption('select[name=metric]', 'low');
    await expectPairsOf('metric=low');
    expect(search()).to.equal('?metric=low');
    expect(await visit.text('#headline-title')).to.contain('forecasts of the daily low');
    await visit.page.selectOption('select[name=metric]', 'high');
    await expectPairsOf('metric=high');
    expect(search()).to.equal('');
  });

  it('degree days, then numbers have their unit, and the question of highs and lows alone is not offered', async () => {
    await visit.open('?station_id=KORD&days=30&view=likely', service.key);
    await visit.page.selectOption('select[name=metric]', 'hdd');
    await expectPairsOf('metric=hdd&days=30&station_id=KORD');
    expect(await visit.text('#headline-title')).to.contain('forecasts of heating degree days');
    expect(await visit.text('#headline-title')).to.contain('°F·day');
    expect(await visit.page.locator('[role=tab]').allInnerTexts()).to.not.include('How likely?');
    expect(await visit.text('#lacks')).to.equal('“How likely?” is about daily highs and lows.');
  });

  it('another window, then it is that of the API', async () => {
    await visit.open('', service.key);
    for (const days of ['7', '30', '365']) {
      await visit.page.check(`input[name=window][value="${days}"]`, { force: true });
      await expectPairsOf(`days=${days}`);
      expect(search()).to.equal(`?days=${days}`);
      expect(await visit.text('#headline-title')).to.contain(`In the last ${days} days`);
    }
  });

  it('a provider, a lead time and a unit, then everything is about them, and the URL says so', async () => {
    await visit.open('', service.key);
    await visit.page.selectOption('select[name=provider]', 'made-up-coarse');
    await expectPairsOf('provider=made-up-coarse');
    expect(await visit.text('#headline-title')).to.contain('made-up-coarse forecasts');
    await visit.show('provider');
    expect(await visit.text('#providers .verdict')).to.match(/^made-up-fine misses by /);
    await visit.page.selectOption('select[name=lead_time_bucket]', '24-48h');
    await expectPairsOf('provider=made-up-coarse&lead_time_bucket=24-48h');
    expect(await visit.wholeText('#leads')).to.contain(' issued 24–48 h ahead.');
    await visit.page.check('input[value=metric]', { force: true });
    await expectPairsOf('provider=made-up-coarse&lead_time_bucket=24-48h');
    expect(search()).to.equal('?provider=made-up-coarse&lead_time_bucket=24-48h&units=metric');
    const { data } = await service.get<Summary>(
      `${API}/summary?provider=made-up-coarse&lead_time_bucket=24-48h&units=metric`,
    );
    expect(await visit.text('#headline-title')).to.contain(`${data.mae?.toFixed(2)} °C`);
    const address = search();
    for (const question of ['good', 'where', 'provider', 'likely', 'happened']) {
      await visit.show(question);
      expect(await visit.wholeText('main'), question).not.to.contain('°F');
    }
    while (search() !== address) await visit.page.goBack();
    await visit.page.goBack();
    await visit.settled();
    expect(await visit.text('#meaning')).to.contain('°F');
  });

  it('a region, then everything is about its stations, and the map shows where they are', async () => {
    await visit.open('', service.key);
    await visit.chooseStation('Dfa');
    await expectPairsOf('climate_zone=Dfa');
    expect(search()).to.equal('?climate_zone=Dfa');
    const { metadata } = await service.get<Summary>(`${API}/summary?climate_zone=Dfa`);
    expect(await visit.text('#headline-title')).to.contain(
      `at ${metadata.stations} stations in climate zone Dfa`,
    );
    await visit.show('where');
    expect(await visit.page.locator('#map [data-station]').count()).to.equal(metadata.stations);
    await visit.screenshot('region');
    // The odds, and with them the blend, are of all stations.
    await visit.show('provider');
    expect(await visit.text('#blend .caveat')).to.match(/ 12–24 h ahead over \d+ days at all stations, /);

    await visit.chooseStation('KORD');
    await expectPairsOf('station_id=KORD');
    await visit.show('where');
    await visit.page.selectOption('#map select[name=radius_km]', '500');
    await visit.show('good');
    expect(search()).to.match(/^\?near=41\.\d+%2C-87\.\d+&radius_km=500$/);
    await expectPairsOf(search().slice(1));
    expect(await visit.text('#headline-title')).to.match(/at \d+ stations within 500 km of 41\./);
    expect(await visit.stations.inputValue()).to.contain('within 500 km of');
    await visit.screenshot('near');
    await visit.chooseStation('All');
    await expectPairsOf('');
  });

  it('a region and then a station outside of it, then the region goes, and the ranking is about all', async () => {
    await visit.open('?country=GB&view=where', service.key);
    expect(await visit.rows('#ranking table')).to.have.length.below(3);
    await visit.chooseStation('KORD');
    await expectPairsOf('station_id=KORD');
    expect(search()).to.equal('?station_id=KORD');
    await visit.show('where');
    expect(await visit.rows('#ranking table')).to.have.length.above(5);
    // Inside of it, it stays.
    await visit.open('?near=41.9,-87.7&radius_km=100', service.key);
    await visit.chooseStation('KORD');
    await expectPairsOf('station_id=KORD');
    expect(search()).to.contain('near=').and.to.contain('station_id=KORD');
  });

  it('dates, then they begin with the window that was shown, and both bounds are in the URL', async () => {
    await visit.open('?days=30', service.key);
    await visit.page.check('input[value=dates]', { force: true });
    expect(await visit.page.inputValue('input[name=date_from]')).to.equal('2026-05-17');
    await visit.page.fill('input[name=date_from]', '2026-03-01');
    await visit.page.fill('input[name=date_to]', '2026-03-31');
    await visit.page.click('#dates button');
    await expectPairsOf('date_from=2026-03-01&date_to=2026-03-31');
    expect(search()).to.equal('?date_from=2026-03-01&date_to=2026-03-31');
    expect(await visit.text('#headline-title')).to.contain('In Mar 1 – 31, 2026, made-up-fine forecasts');
    // The freshness is that of the data, not of the window.
    expect(await visit.text('#meaning')).to.contain('Latest day: yesterday');
  });

  for (const [way, choose] of [
    ['in the list', () => visit.chooseStation('EGLL')],
    ['in the ranking', () => visit.page.click('#ranking [data-station=EGLL]')],
    ['on the map', () => visit.page.locator('#map [data-station=EGLL] circle').click({ force: true })],
  ] as const) {
    it(`a station ${way}, then the page is about it, and the ranking still about all`, async () => {
      await visit.open('?view=where', service.key);
      const ranked = (await visit.rows('#ranking table')).length;
      await choose();
      await visit.settled();
      expect(search()).to.equal('?station_id=EGLL&view=where');
      expect(await visit.text('#headline-title')).to.contain('for London missed by');
      expect(await visit.page.title()).to.contain('London, daily high');
      expect(await visit.rows('#ranking table')).to.have.length(ranked);
      expect(await visit.text('#ranking tr:has([aria-pressed=true])')).to.contain('London');
      if (way !== 'in the list') return;
      await visit.page.goBack();
      await visit.settled();
      expect(await visit.text('#headline-title')).to.contain('at all stations');
      expect(await visit.stations.inputValue()).to.match(/^All \d+ stations$/);
      await visit.page.goForward();
      await expectPairsOf('station_id=EGLL');
    });
  }

  it('much, then the URL alone brings all of it back, in another tab, too', async () => {
    await visit.open('', service.key);
    await visit.page.selectOption('select[name=metric]', 'low');
    await visit.page.check('input[name=window][value="30"]', { force: true });
    await visit.settled();
    await visit.chooseStation('KSEA');
    await visit.show('where');
    await visit.page.getByRole('radio', { name: 'United States' }).check({ force: true });
    await visit.settled();
    expect(search()).to.equal('?metric=low&days=30&station_id=KSEA&map=us');
    const url = visit.page.url();
    const sentence = await visit.text('#headline-title');
    const other = await Visit.begin(service.url);
    await other.open(new URL(url).search, service.key);
    expect(other.page.url()).to.equal(url);
    expect(await other.text('#headline-title')).to.equal(sentence);
    expect(await other.page.inputValue('select[name=metric]')).to.equal('low');
    expect(await other.page.isChecked('input[name=window][value="30"]')).to.be.true;
    expect(await other.stations.inputValue()).to.equal('Seattle (KSEA)');
    expect(await other.page.getByRole('radio', { name: 'United States' }).isChecked()).to.be.true;
    expect(other.faults).to.deep.equal([]);
    await other.end();
  });

  it('a station that reports whole °C, then the page is metric, until it is to be in units of the USA', async () => {
    await visit.page.route('**/api/v1/stations/metadata', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { station_id: string; reported_in: string }[] };
      for (const station of body.data)
        if (station.station_id === 'EGLL') station.reported_in = 'whole_celsius';
      await route.fulfill({ response, json: body });
    });
    await visit.open('?station_id=EGLL', service.key);
    await expectPairsOf('station_id=EGLL');
    expect(await visit.text('#headline-title')).to.contain('°C on average');
    expect(await visit.page.isChecked('input[value=metric]')).to.be.true;
    await visit.page.check('input[value=us]', { force: true });
    await expectPairsOf('station_id=EGLL');
    expect(await visit.text('#headline-title')).to.contain('°F on average');
    expect(search()).to.equal('?station_id=EGLL&units=us');
    await visit.chooseStation('KORD');
    await visit.settled();
    await visit.page.goBack();
    await visit.settled();
    expect(await visit.text('#headline-title')).to.contain('°F on average');
  });

  it('a station by another of its names, in a link, then it is found', async () => {
    await visit.open('?station_id=windy%20city', service.key);
    await expectPairsOf('station_id=KORD');
    expect(await visit.text('#headline-title')).to.contain('for Chicago missed by');
    expect(await visit.stations.inputValue()).to.equal('Chicago (KORD)');
  });

  it('another order of the stations, then the table has it and says so', async () => {
    await visit.open('?view=where', service.key);
    const biases = async (): Promise<number[]> =>
      (await visit.rows('#ranking table'))
        .filter(([rank]) => rank !== '–')
        .map((row) => Number(row[4]?.replace('−', '-')));
    const header = visit.page.getByRole('columnheader', { name: 'Bias' });
    await header.getByRole('button').click();
    const ascending = await biases();
    expect(ascending).to.deep.equal([...ascending].sort((a, b) => a - b));
    expect(await header.getAttribute('aria-sort')).to.equal('ascending');
    await header.getByRole('button').click();
    expect(await biases()).to.deep.equal([...ascending].reverse());
    expect(await header.getAttribute('aria-sort')).to.equal('descending');
    expect(await visit.page.locator('th[aria-sort]').count()).to.equal(1);
  });

  describe('with the keyboard alone', () => {
    it('then Tab reaches the controls first, and the arrow keys choose', async () => {
      await visit.open('', service.key);
      await visit.page.locator('body').press('Tab');
      expect(await visit.page.evaluate(`document.activeElement.className`)).to.equal('skip');
      const stops: string[] = [];
      for (let tabs = 1; tabs < 9; tabs += 1) {
        await visit.page.keyboard.press('Tab');
        stops.push(await visit.page.evaluate<string>(`document.activeElement.name ?? ''`));
      }
      expect(stops.slice(1)).to.deep.equal([
        ...['metric', 'units', 'window', 'station_id', '', 'lead_time_bucket', 'provider'],
      ]);
      await visit.page.focus('select[name=metric]');
      await visit.page.keyboard.press('ArrowDown');
      await visit.settled();
      expect(search()).to.equal('?metric=low');
      expect(await visit.page.evaluate(`document.activeElement.value`)).to.equal('low');
    });

    it('then a station is chosen by typing another of its names, and the focus stays in the field', async () => {
      await visit.open('', service.key);
      await visit.stations.focus();
      await visit.page.keyboard.type('windy c');
      await visit.page.getByText('1 match. Enter takes Chicago (KORD).').waitFor();
      await visit.page.keyboard.press('Enter');
      await visit.settled();
      expect(search()).to.equal('?station_id=KORD');
      expect(await visit.page.evaluate(`document.activeElement.value`)).to.equal('Chicago (KORD)');
    });

    it('then the list of stations keeps to the ARIA practices of a combobox, and axe finds nothing', async () => {
      await visit.open('', service.key);
      const { page, stations } = visit;
      const expanded = () => stations.getAttribute('aria-expanded');
      const marked = async () => {
        const id = await stations.getAttribute('aria-activedescendant');
        const all = await page.evaluate<string[]>(
          `[...document.querySelectorAll('[role=option][aria-selected=true]')].map(({ id }) => id)`,
        );
        expect(all).to.deep.equal(id === null ? [] : [id]);
        return id && (await page.locator(`#${id}`).innerText());
      };
      await stations.focus();
      expect(await expanded()).to.equal('false');
      await page.keyboard.press('ArrowUp');
      const last = await marked();
      expect(last).to.match(/\([A-Z]{4}\)/);
      await page.keyboard.press('ArrowDown');
      expect(await marked(), 'the field itself').to.equal(null);
      await page.keyboard.press('ArrowDown');
      expect(await marked()).to.match(/^All \d+ stations/);
      expect(await findViolations(page)).to.deep.equal([]);
      const list = await stations.getAttribute('aria-controls');
      expect(await page.getAttribute(`#${list}`, 'role')).to.equal('listbox');
      await page.keyboard.press('Home');
      expect(await marked()).to.equal(null);
      await page.keyboard.press('Escape');
      expect(await expanded()).to.equal('false');

      // Escape and leaving the field bring back what is chosen; so does Enter where nothing is called so.
      for (const key of ['Escape', 'Tab', 'Enter']) {
        await stations.fill('nowhere');
        expect(await expanded()).to.equal('false');
        await page.getByText('Nothing here is called nowhere.').waitFor();
        await page.keyboard.press(key);
        expect(await stations.inputValue(), key).to.match(/^All \d+ stations$/);
        await stations.focus();
      }
      await stations.fill('united');
      expect(await page.getByRole('listbox').getByRole('option').first().innerText()).to.match(
        /^United Kingdom country, 1 station$/,
      );
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      expect(await marked()).to.match(/^United States country/);
      await page.keyboard.press('Enter');
      await expectPairsOf('country=US');
      expect(search()).to.equal('?country=US');
    });

    it('then the arrow keys read a chart day by day', async () => {
      await visit.open('?days=30', service.key);
      const { data } = await service.get<ByDate>(`${API}/by-date?days=30`);
      await visit.page.getByRole('group', { name: 'Line chart of the mean absolute error' }).focus();
      await visit.page.keyboard.press('Home');
      const readout = (): Promise<string> => visit.text('#by-date .readout');
      expect(await readout()).to.contain(`MAE ${data[0]?.stats.mae?.toFixed(2)} °F`);
      await visit.page.keyboard.press('ArrowRight');
      expect(await readout()).to.contain(`MAE ${data[1]?.stats.mae?.toFixed(2)} °F`);
      expect(await visit.page.getAttribute('#by-date .readout', 'aria-live')).to.equal('polite');
      await visit.page.keyboard.press('Tab');
      expect(await readout()).to.equal('Point for numbers.');
    });

    it('then a definition comes with the focus and goes with Escape', async () => {
      await visit.open('', service.key);
      const tip = visit.page.locator('#meaning [role=tooltip]').first();
      expect(await tip.isVisible()).to.be.false;
      await visit.page.locator('#meaning button').first().focus();
      expect(await tip.isVisible()).to.be.true;
      expect(await tip.textContent()).to.contain('95 of 100');
      await visit.page.keyboard.press('Escape');
      expect(await tip.isVisible()).to.be.false;
    });

    it('then Enter chooses a station of the ranking, and the focus stays on it', async () => {
      await visit.open('?view=where', service.key);
      await visit.page.focus('#ranking [data-station=KSEA]');
      await visit.page.keyboard.press('Enter');
      await visit.settled();
      expect(search()).to.equal('?station_id=KSEA&view=where');
      expect(await visit.page.evaluate(`document.activeElement.dataset.station`)).to.equal('KSEA');
    });
  });
});
