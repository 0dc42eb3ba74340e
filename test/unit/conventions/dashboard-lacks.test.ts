import { expect } from 'chai';
import { getPeriod, getScore, isHighOrLow } from '../../../public/dashboard/variables.js';
import { CHANCE_NAMES, HOURLY_NAMES, METRICS, VARIABLE_NAMES } from '../../../src/variables/variables.js';
import {
  describeCases,
  describeMissingTraining,
  describeRain,
  describeWetShare,
  findUsualBin,
  makeHeadline,
} from '../../../public/dashboard/sentences.js';
import { DEFAULT_PARAMS } from '../../../public/dashboard/address.js';
import { setUnits } from '../../../public/dashboard/words.js';
import type { Known } from '../../../public/dashboard/needs.js';
import { TABS } from '../../../public/dashboard/address.js';
import { findTabOf, findTabs } from '../../../public/dashboard/tab-list.js';

// Guards that a panel without anything to show says what is missing, and never that what is not there agrees.

describe('why no odds of the past are shown', () => {
  it('given no forecasts so far ahead, then they are what is missing', () => {
    expect(describeMissingTraining({ cases_without_training: 0 }, '12-24h')).to.equal(
      'needs past forecasts 12–24 h ahead, with their observations',
    );
  });

  it('given forecasts without days to learn from, then their count, and how many days before are needed', () => {
    expect(describeMissingTraining({ cases_without_training: 105 }, '12-24h')).to.equal(
      'needs 200 station-days before a day to learn from; 105 station-days with a forecast 12–24 h ahead, none with so many before',
    );
    expect(describeMissingTraining({ cases_without_training: 1 }, '24-48h')).to.contain(
      '; 1 station-day with',
    );
  });
});

describe('the questions of a variable', () => {
  const namesOf = (isSo: (view: { metric: string }) => boolean): string[] =>
    VARIABLE_NAMES.filter((metric) => isSo({ metric }));
  const one = [{}];
  const known = (metric: string, more: Partial<Known> = {}): Known => ({
    ...{ params: { metric, station_id: '' }, providers: [...one, ...one], hasPairs: true, isCopy: false },
    ...more,
  });
  const lacksOf = (of: Known): Record<string, string | undefined> =>
    Object.fromEntries(
      findTabs(of).flatMap(({ name, panels, lack }) => (panels.length > 0 ? [] : [[name, lack]])),
    );

  it('given each variable, then its score and its period are those that it declares', () => {
    expect(namesOf(isHighOrLow)).to.deep.equal(METRICS);
    expect(namesOf((view) => getScore(view) === 'brier_score')).to.deep.equal(CHANCE_NAMES);
    expect(namesOf((view) => getPeriod(view) === 'hour')).to.deep.equal(HOURLY_NAMES);
  });

  it('given each variable, then odds alone are a question that it may not have, and it says why', () => {
    for (const metric of VARIABLE_NAMES)
      expect(lacksOf(known(metric)), metric).to.deep.equal(
        isHighOrLow({ metric }) ? {} : { likely: 'is about daily highs and lows' },
      );
  });

  it('given one provider of the variable, or none, then who is better is not offered', () => {
    for (const metric of VARIABLE_NAMES)
      expect(lacksOf(known(metric, { providers: one })).provider, metric).to.equal('needs a second provider');
    expect(
      lacksOf(known('high', { providers: [{ variables: ['low'] }, { variables: ['high'] }] })),
    ).to.have.keys(['provider']);
    expect(lacksOf(known('high', { providers: [] })).provider).to.equal('needs forecasts: none are loaded');
    expect(lacksOf(known('high', { providers: undefined }))).to.deep.equal({});
  });

  it('given no pairs, then nothing is offered, and of a station that of all', () => {
    const none = { hasPairs: false };
    expect(Object.keys(lacksOf(known('high', none)))).to.have.lengthOf(5);
    const station = { params: { metric: 'high', station_id: 'KORD' }, ...none };
    expect(lacksOf(known('high', station))).to.have.keys(['good', 'happened']);
    expect(lacksOf(known('high', { ...station, providers: [{ variables: ['low'] }] }))).to.have.keys(
      Object.keys(TABS),
    );
  });

  it('given the name of a panel in a link of before, then the tab that has it for the variable', () => {
    const ids = (metric: string) =>
      findTabs(known(metric)).flatMap(({ name, panels }) =>
        panels.map(({ id }) => [id, findTabOf(id, { metric, station_id: '' }) === name]),
      );
    for (const metric of VARIABLE_NAMES)
      expect(ids(metric).filter(([, isFound]) => !isFound)).to.deep.equal([]);
    expect(findTabOf('cards', { metric: 'high', station_id: '' })).to.equal(undefined);
  });

  it('given a copy, then it has no odds of a day', () => {
    const ids = (isCopy: boolean) =>
      findTabs(known('high', { isCopy })).flatMap(({ panels }) => panels.map(({ id }) => id));
    expect(ids(false).filter((id) => !ids(true).includes(id))).to.deep.equal(['odds']);
  });

  it('given a name that no variable has, then it is asked for, and the API tells what is wrong', () => {
    const view = { metric: 'medium' };
    expect([isHighOrLow(view), getPeriod(view), getScore(view)]).to.deep.equal([true, 'day', 'mae']);
  });
});

describe('chances in words', () => {
  const bin = (
    mean_chance: number,
    cases: number,
    observed_share: number | null,
    low: number | null = 0.1,
  ) => ({
    ...{ chance_low: 0, chance_high: 10, wet_days: 0, observed_share_high: low },
    ...{ mean_chance, cases, observed_share, observed_share_low: low },
  });
  afterEach(() => setUnits('', ''));

  it('given bins, then the one with most cases that was called neither dry nor wet for sure', () => {
    const bins = [bin(0, 900, 0.02), bin(30.4, 80, 0.271), bin(70, 60, 0.7), bin(100, 800, 0.99)];
    expect(findUsualBin(bins)).to.equal(bins[1]);
  });

  it('given too few days for an interval, or certain forecasts alone, then none', () => {
    expect(findUsualBin([bin(30, 10, 0.3, null)])).to.equal(undefined);
    expect(findUsualBin([bin(0, 900, 0.02)])).to.equal(undefined);
    expect(findUsualBin([])).to.equal(undefined);
  });

  it('given a day, an hour or a window, then each is called what it is', () => {
    const said = (metric: string): string[] => {
      setUnits('', metric);
      const found = bin(30, 1, 0.271, 0.2);
      return [
        describeRain(found.observed_share),
        describeWetShare({ base_rate: 0.12 }),
        describeCases(found),
      ];
    };
    expect(said('wet_day')).to.deep.equal([
      'on 27 of 100 days',
      '12% of the days were wet',
      'Said for 1 station-day, and it rained in 20–20% of them (95% interval).',
    ]);
    expect(said('wet_1h').slice(0, 2)).to.deep.equal(['27 of 100 times', '12% of the hours were wet']);
    expect(said('wet_12h')).to.deep.equal([
      '27 of 100 times',
      '12% of the windows of 12 hours were wet',
      'Said for 1 station-window, and it rained in 20–20% of them (95% interval).',
    ]);
  });

  it('given a chance, then the headline has it as it was said, or about so', () => {
    const params = { ...DEFAULT_PARAMS, metric: 'wet_6h' };
    const metadata = { provider: 'default', days_analyzed: 90 };
    const headline = (mean_chance: number): string =>
      makeHeadline(params, { data: { mae: 1 }, metadata } as never, 'Chicago', bin(mean_chance, 1, 0.3));
    expect(headline(30)).to.equal(
      'In the last 90 days, when forecasts of the chance of rain in 6 hours for Chicago said 30%, it rained ',
    );
    expect(headline(33.6)).to.contain('said about 34%, it');
    const whole = { data: { mae: 1, base_rate: 0.29, mean_error: 2 }, metadata } as never;
    expect(makeHeadline(params, whole, 'Chicago')).to.contain(
      'for Chicago said 31% on average, and it rained ',
    );
  });
});
