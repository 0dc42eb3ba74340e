import { curve } from './curve.js';
import { bars, map, overTime, type Panel, stat, table } from './panels.js';
import {
  byCity,
  byDate,
  byLeadHour,
  byLeadTime,
  brierByLeadTime,
  byLeadTimeKnown,
  COVERAGE,
  coverage,
  degreesOfDay,
  departuresToCome,
  divergence,
  events,
  intervalsHeld,
  LEAD_TIME_DESCRIPTION,
  probabilityByShare,
  probabilityOfDay,
  probabilityScore,
  type Of,
  pit,
  providersCompared,
  quantilesHeld,
  rainByChance,
  sampleRecords,
  scorecard,
  skillByLeadTime,
  stationPlaces,
  stations,
  summary,
  suspects,
} from './queries.js';
import type { Json, Source } from './sources.js';
import {
  ANY_STATION,
  CHANCE,
  LEAD_TIME,
  METRIC,
  PROBABILITY_DAY,
  PROBABILITY_DAYS,
  oneProvider,
  oneStation,
  REGION,
  THRESHOLD,
  UNITS,
  VARIABLE,
} from './variables.js';

export interface Dashboard {
  name: string;
  title: string;
  description: string;
  variables: (source: Source) => Json[];
  panels: Panel[];
  /** The parameters that the link to the page of the service hands over, beside metric and provider. */
  linked?: string;
}

const numbers = (of: Of): Panel[] => [
  stat({
    title: 'MAE',
    description: 'Mean absolute error: how far off a forecast is on average, whichever way.',
    params: summary(of, 'mae'),
  }),
  stat({
    title: 'Bias',
    description:
      'Mean error, forecast − actual. Negative (blue): forecasts are too cold. Positive (orange): too warm. Grey: within half a degree.',
    params: summary(of, 'bias'),
  }),
  stat({
    title: 'RMSE',
    description: 'Root mean square error: like MAE, but large errors weigh more.',
    params: summary(of, 'rmse'),
  }),
  stat({
    title: '90th percentile',
    description: 'Nine forecasts in ten are off by no more than this.',
    params: summary(of, 'p90'),
  }),
  stat({
    title: 'Pairs',
    description: 'Verification pairs behind the numbers: one forecast and the observation of its day.',
    params: summary(of, 'pairs'),
  }),
];

const errorByDay = (of: Of): Panel =>
  overTime({
    title: 'Error by day',
    description: 'MAE, RMSE and the 90th percentile of the absolute error, per target date.',
    params: byDate(of, ['mae', 'rmse', 'p90']),
  });

const biasByDay = (of: Of): Panel =>
  overTime({
    title: 'Bias by day',
    description:
      'Mean error per target date. Below zero (blue): forecasts were too cold; above (orange): too warm.',
    params: byDate(of, ['bias']),
  });

const errorByLeadTime = (of: Of): Panel =>
  curve({
    title: 'Error by lead time',
    description:
      'MAE and RMSE by hours from issuance to the start of the target date at the station. The band: the 95% interval of the MAE.',
    params: byLeadTimeKnown(of, ['mae'], ['rmse']),
  });

const biasByLeadTime = (of: Of): Panel =>
  curve({
    title: 'Bias by lead time',
    description:
      'Mean error by lead time. Below zero: too cold; above: too warm. Not significant where the 95% interval (the band) includes zero.',
    params: byLeadTimeKnown(of, ['bias']),
  });

const toStation = (source: Source) => ({
  Station: {
    title: 'This station',
    url: `/d/${source.uidOf('station')}?var-station=\${__data.fields.Station}&var-metric=\${metric}&var-provider=\${provider}&var-units=\${units}&var-lead_time_bucket=\${lead_time_bucket}${source.linked}&\${__url_time_range}`,
  },
});

const network: Dashboard = {
  name: 'network',
  title: 'Forecast accuracy: network',
  description:
    'How good the temperature forecasts are, over all stations, or those of a country or climate zone.',
  variables: (source) => [oneProvider(source), VARIABLE, UNITS, LEAD_TIME, ...REGION],
  linked: '&country=${country}&climate_zone=${climate_zone}',
  panels: [
    ...numbers('region'),
    stat({
      title: 'Stations',
      description: 'Stations with a pair in the window.',
      params: byCity('region', ['pairs'], 'mae'),
      calc: 'count',
    }),
    errorByDay('region'),
    biasByDay('region'),
    map({
      title: 'Bias by station',
      description:
        'Where forecasts are too cold (blue), too warm (orange) or within half a degree (grey) on average.',
      queries: [byCity('region', ['bias', 'mae', 'pairs'], 'mae'), stationPlaces],
      by: 'Station',
      colour: 'Bias',
    }),
    { ...errorByLeadTime('region'), height: 12 },
    table({
      title: 'Stations, smallest error first',
      description: 'Every station with a pair in the window. A station id leads to its own dashboard.',
      params: byCity('region', ['mae', 'bias', 'rmse', 'median', 'p90', 'p95', 'pairs', 'days'], 'mae'),
      links: toStation,
    }),
  ],
};

const station: Dashboard = {
  name: 'station',
  title: 'Forecast accuracy: one station',
  description: 'How good the temperature forecasts for one station are.',
  variables: (source) => [oneProvider(source), oneStation(source), METRIC, UNITS, LEAD_TIME, PROBABILITY_DAY],
  linked: '&station_id=${station}',
  panels: [
    ...numbers('station'),
    stat({
      title: 'Days',
      description: 'Days of the window with a pair.',
      params: summary('station', 'days'),
    }),
    errorByDay('station'),
    biasByDay('station'),
    errorByLeadTime('station'),
    biasByLeadTime('station'),
    table({
      title: 'Odds of the day',
      description:
        'The chance of each range of whole degrees, from the latest forecast and its past errors, and on a day that has begun from its readings. A blank end is open.',
      params: probabilityOfDay,
      width: 12,
    }),
    table({
      title: 'Degrees of the day',
      description: "The day's value is at or below this degree with the given probability.",
      params: degreesOfDay,
      width: 12,
    }),
    table({
      title: 'Single forecasts',
      description:
        'The pairs behind the numbers, the latest day first: at most 50,000. For more, choose a shorter window.',
      params: sampleRecords,
      height: 12,
      sortBy: 'Target date',
      descending: true,
    }),
  ],
};

const leadTime: Dashboard = {
  name: 'lead-time',
  title: 'Forecast accuracy: lead time',
  description: 'How the error grows with the time between issuance and target date.',
  variables: (source) => [oneProvider(source), ANY_STATION, VARIABLE, UNITS],
  panels: [
    errorByLeadTime('station'),
    biasByLeadTime('station'),
    bars({
      title: 'Spread by lead time',
      description: 'Half of the forecasts, nine in ten and nineteen in twenty are off by no more than this.',
      params: byLeadTime('station', ['median', 'p90', 'p95']),
    }),
    curve({
      title: 'Error by lead time, all stations',
      description: 'The whole network, to compare a station with. The band: the 95% interval of the MAE.',
      params: byLeadTimeKnown('network', ['mae'], ['rmse']),
    }),
    table({
      title: 'Error by lead hour',
      description:
        'Temperatures at hours, whatever variable is chosen, by whole hours from issuance to the hour. Empty without hourly forecasts.',
      params: byLeadHour('station', ['mae', 'bias', 'rmse', 'pairs']),
      width: 12,
    }),
    table({
      title: 'All statistics by lead time',
      description: 'One row per lead-time bucket; buckets are half open, so 6 h exactly is 6-12h.',
      params: byLeadTime(
        'station',
        ['mae', 'bias', 'rmse', 'stdDev', 'median', 'p90', 'p95', 'pairs', 'days'],
        [LEAD_TIME_DESCRIPTION],
      ),
      height: 9,
    }),
  ],
};

const dataCoverage: Dashboard = {
  name: 'coverage',
  title: 'Forecast accuracy: data coverage',
  description: 'What the numbers rest on: days, pairs and stations.',
  variables: (source) => [oneProvider(source), ANY_STATION, METRIC, UNITS, LEAD_TIME],
  panels: [
    stat({
      title: 'Days in the window',
      description: 'Days asked for, both ends included.',
      params: coverage(COVERAGE.days),
    }),
    stat({
      title: 'Days with pairs',
      description: 'Days of the window on which a forecast could be compared with an observation.',
      params: summary('station', 'days'),
    }),
    stat({
      title: 'Verified days',
      description: 'Days whose pairs all rest on verified observations: their numbers are final.',
      params: coverage(COVERAGE.verified),
    }),
    stat({
      title: 'Preliminary days',
      description: 'Days with a pair that rests on a preliminary observation: their numbers may change.',
      params: coverage(COVERAGE.preliminary),
    }),
    stat({
      title: 'Verified share',
      description: 'Verified days of the days with pairs.',
      params: coverage(COVERAGE.share),
    }),
    stat({
      title: 'Last day with a pair',
      description: 'The latest target date that has been observed, within the window.',
      params: byDate('station', ['pairs']),
    }),
    overTime({
      title: 'Pairs by day',
      description: 'Verification pairs per target date. A gap is a day without any.',
      params: byDate('station', ['pairs']),
      width: 24,
      bars: true,
    }),
    table({
      title: 'Pairs by station',
      description: 'Stations with a pair in the window, the most first.',
      params: byCity('station', ['pairs', 'days'], 'count'),
      width: 10,
      height: 12,
      links: toStation,
    }),
    table({
      title: 'Observations in doubt',
      description:
        'Observations of the window that look wrong, with the reason: repeated (the same value for days), hours (beyond what the hourly readings allow), all_providers (far from all forecasts), neighbours (a jump that they do not have). They count until you withdraw them.',
      params: suspects,
      height: 8,
      sortBy: 'Date',
      descending: true,
      links: toStation,
    }),
    table({
      title: 'Stations',
      description: 'All stations that the service knows, active or not, whatever the window.',
      params: stations,
      width: 14,
      height: 12,
      links: toStation,
    }),
  ],
};

const trust: Dashboard = {
  name: 'trust',
  title: 'Forecast accuracy: whom to trust',
  description: 'Providers against each other, forecasts against persistence, and how reliable the odds are.',
  variables: (source) => [
    ...[oneProvider(source), ANY_STATION, METRIC, UNITS, THRESHOLD, PROBABILITY_DAYS],
    CHANCE,
  ],
  panels: [
    table({
      title: 'Providers against the one chosen',
      description:
        'On the station days that both have. Below zero: the provider has the smaller error. Low below zero and high above: no significant difference. Unequal age: whose forecasts are older by 3 h or more; part of the difference is then age, not skill.',
      params: providersCompared,
    }),
    table({
      title: 'Providers by season',
      description:
        'The same by lead time and season. Significant: allowing for the number of cells. Unequal age: whose forecasts are older by 3 h or more.',
      params: scorecard,
    }),
    table({
      title: 'When providers differ',
      description:
        'Forecasts 3 °F (2 °C) or more away from the median of the others: how often they were nearer, and how far the observation went from the others towards the provider. 100%: the provider was right; 0%: the others were.',
      params: divergence,
    }),
    table({
      title: 'Providers that differ today and later',
      description:
        'The latest forecasts that differ by as much, the largest difference first, and the temperature to expect from the last 90 days with such a difference.',
      params: departuresToCome,
    }),
    table({
      title: 'Extremes forecast',
      description:
        'Temperatures at or above the threshold (at or below it for lows): POD, the share of those observed that were forecast; FAR, the share of those forecast that were not observed; CSI, hits among both.',
      params: events,
      width: 24,
    }),
    table({
      title: 'Skill against persistence',
      description:
        'How much smaller the error is than if the latest reported day were the forecast: 100% is perfect, 0% no better. That day is older at longer leads, so read its MAE as well.',
      params: skillByLeadTime,
    }),
    stat({
      title: 'Odds against a normal curve',
      description:
        'How much smaller the error of the odds (CRPS) is than that of a normal curve of 2 °F, on the days chosen, up to the end of the time range.',
      params: probabilityScore,
    }),
    table({
      title: 'Are the odds reliable?',
      description:
        'Odds given 12–24 h ahead on the days chosen, up to the end of the time range: the forecast probability, and how often it happened. Each day is judged by earlier days only. At most 365 days.',
      params: probabilityByShare,
      width: 20,
    }),
    table({
      title: 'Is 30% really 30%?',
      description:
        'The chance of rain that was forecast, and how often it rained. If reliable: where that share would lie, if cases did not depend on each other. Empty without chances.',
      params: rainByChance,
      width: 12,
    }),
    table({
      title: 'Brier score by lead time',
      description:
        'Of the chance of rain: 0 is perfect, always saying 50% has 0.25. Skill: against always saying how often it rained.',
      params: brierByLeadTime,
      width: 12,
    }),
    bars({
      title: 'Are the stated ranges right?',
      description:
        'Observations between neighbouring quantiles of the provider, and how many there would be if these were right. Too many at both ends: it is overconfident. Needs quantiles or standard deviations in the feed.',
      params: pit,
      width: 24,
    }),
    table({
      title: 'Are its quantiles right?',
      description:
        'The share of observations below each quantile. It is right if it equals the level; otherwise the verdict is too_low or too_high.',
      params: quantilesHeld,
      width: 12,
    }),
    table({
      title: 'Are its intervals right?',
      description:
        'The share of observations within the central intervals of the provider, and how wide these are. An 80% interval should have 80% of them.',
      params: intervalsHeld,
      width: 12,
    }),
  ],
};

export const ACCURACY_DASHBOARDS: readonly Dashboard[] = [network, station, leadTime, trust, dataCoverage];
