import type { Sources } from '../../api/endpoint.js';
import { getHistories } from '../training/history.js';
import { eachHourOrigin } from './hour-origins.js';
import { readHourArchive } from './hour-archive.js';
import { makePredictive } from './remaining-rise.js';
import { type Predictive, rangesAround, shifted } from '../training/predictive.js';
import { mixtureOfCase } from '../training/score-case.js';
import { ScoreTable } from '../training/probability-scores.js';
import { wholeBelow } from '../training/degree-counts.js';
import { eachOrigin } from '../training/forecast-origins.js';
import { rangeByHour } from '../training/training.js';
import { DAY_MS, dayNumber } from '../../statistics/time/calendar.js';
import { reliabilityFields, rivalFields } from '../reliability-record.js';
import { type TrainingQuery, readArchive, withinReach } from '../training/archive.js';
import { SCALES, type Unit, wholeDegree } from '../../variables/units.js';

/** A request that scores the probabilities of a window's days. */
interface HourQuery extends TrainingQuery {
  window: { period_start: string; period_end: string; days_analyzed: number };
  level: number;
  unit: Unit;
}

/** How good the probabilities of days that had begun were at an hour of theirs (D57), beside the rise by hour and the mixture. */
export async function hourReliability(params: HourQuery, hour: number, sources: Pick<Sources, 'query'>) {
  const { metric, level, station, unit, knownAt: known_ms } = params;
  const scale = SCALES[unit];
  const { period_start, period_end, days_analyzed } = params.window;
  withinReach(params.window);
  const [first, last] = [dayNumber(period_start), dayNumber(period_end)];
  const range = rangeByHour(hour);
  const days = { first, last };
  const [{ byHour, dayBegins, window: ofLine }, mixtures] = await Promise.all([
    readHourArchive(params, hour, days, known_ms ?? last * DAY_MS, sources),
    readArchive(params, range, days, sources),
  ]);
  const target = {
    ...range,
    ...days,
    metric,
    hour,
    scale,
    window: ofLine,
    known_ms,
    station_id: station?.station_id,
  };
  const ofMixture = new Map<string, Predictive>();
  const ofWindow = { ...target, window: mixtures.window };
  eachOrigin(getHistories(mixtures.histories, 0), ofWindow, dayBegins, (found) => {
    const predicted = mixtureOfCase(found, scale);
    if (predicted)
      ofMixture.set(getKey(found), shifted(predicted.mixture, wholeBelow(found.forecast, scale)));
  });
  const rises = new ScoreTable(first, days_analyzed, ['line', 'rise']);
  const mixed = new ScoreTable(first, days_analyzed, ['line', 'mixture']);
  eachHourOrigin(byHour, target, dayBegins, (found) => {
    if (found === undefined) {
      rises.untrained += 1;
      return;
    }
    const { day, forecast, actual, measured } = found;
    // Around what has been measured, where there is no forecast.
    const ranges = rangesAround(Number.isNaN(forecast) ? measured : wholeDegree(forecast, scale), scale);
    const [line, rise] = [found.line, found.rise].map((each) => makePredictive(each, metric, measured)) as [
      Predictive,
      Predictive,
    ];
    const mixture = ofMixture.get(getKey(found));
    rises.add(day, wholeDegree(actual, scale), ranges, { line, rise });
    if (mixture) mixed.add(day, wholeDegree(actual, scale), ranges, { line, mixture });
  });
  const rivals = {
    rise: rivalFields(rises, 'rise', level),
    mixture: { ...rivalFields(mixed, 'mixture', level), cases: mixed.sums.line.count },
  };
  return {
    window: ofLine,
    cases: rises.sums.line.count,
    fields: reliabilityFields(rises, rivals, level),
  };
}

const getKey = ({ station_id, day }: { station_id: string; day: number }): string => `${station_id} ${day}`;
