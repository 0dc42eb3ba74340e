import type { Sources } from '../../api/endpoint.js';
import { besideMeasured, measuredArrays } from './hour-cases.js';
import { NO_MOMENT_MS } from '../learning/training-cases.js';
import { historiesOf } from '../learning/history.js';
import { MIN_CASES } from './line.js';
import { type HourHistory, hourOrigins } from './hour-origins.js';
import { HourScores, saidByHour, saidByMixture } from './hour-scores.js';
import { origins } from '../learning/origins.js';
import { reliabilityOf } from '../learning/reliability.js';
import { rangeByHour } from '../learning/training.js';
import { DAY_MS, dayNumber } from '../../statistics/time/calendar.js';
import { reliabilityFields, rivalFields } from '../reliability-record.js';
import {
  learnsFrom,
  type Learner,
  readOrigins,
  windowFor,
  windowOf,
  withinReach,
} from '../learning/learn.js';
import { inSlices } from '../../slices.js';
import { SCALES, type Unit } from '../../statistics/units.js';

/** A question that judges the odds of a window's days. */
interface HourQuestion extends Learner {
  window: { period_start: string; period_end: string; days_analyzed: number };
  level: number;
  unit: Unit;
}

/** How good the odds of days that had begun were at an hour of theirs (D57), beside the rise by hour and the mixture. */
export async function hourReliability(question: HourQuestion, hour: number, sources: Pick<Sources, 'query'>) {
  const { metric, level, station, training, unit, knownAt: known_ms } = question;
  const scale = SCALES[unit];
  const { period_start, period_end, days_analyzed } = question.window;
  withinReach(question.window);
  const [first, last] = [dayNumber(period_start), dayNumber(period_end)];
  const range = rangeByHour(hour);
  const until = { first, last: last - 1 };
  const cases = { ...learnsFrom(question, range, until, known_ms ?? last * DAY_MS), metric, hour, unit };
  const ofLine = await windowFor(training, cases, MIN_CASES, sources.query, besideMeasured);
  const ofMixtures = await windowOf(question, range, last, sources);
  const window = Math.max(ofLine, ofMixtures);
  const learned = { first: Math.max(0, first - window), last };
  const hours = { ...learnsFrom(question, range, learned, known_ms ?? NO_MOMENT_MS), metric, hour, unit };
  const [{ histories, dayBegins }, rows] = await Promise.all([
    readOrigins({ ...question, training: { ...training, window } }, range, { first, last }, sources),
    sources.query(measuredArrays(hours), 'long'),
  ]);
  const measured = new Map(rows.map((row) => [row.station_id, row]));
  const byHour = historiesOf(histories, 0).map((history): HourHistory => {
    const { days = [], measured: degrees = [] } = measured.get(history.station_id) ?? {};
    const byDay = new Float64Array(history.forecasts.length).fill(NaN);
    for (const [at, day] of days.entries()) byDay[day - history.first] = degrees[at]!;
    return { ...history, measured: byDay };
  });
  const asked = { ...range, metric, hour, scale, window: ofLine, first, last, known_ms };
  const target = { ...asked, station_id: station?.station_id };
  const ofMixture = new Map<string, ReturnType<typeof saidByMixture>>();
  await inSlices(origins(byHour, { ...target, window: ofMixtures }, dayBegins), (each) =>
    each((found) => ofMixture.set(`${found.station_id} ${found.day}`, saidByMixture(found, scale))),
  );
  const rise = new HourScores(first, days_analyzed, 'rise', scale);
  const mixture = new HourScores(first, days_analyzed, 'mixture', scale);
  await inSlices(hourOrigins(byHour, target, dayBegins), (each) =>
    each((found) => {
      if (found === undefined) {
        rise.untrained += 1;
        return;
      }
      const line = saidByHour('line', found, metric, scale);
      rise.add(found, line, saidByHour('rise', found, metric, scale));
      mixture.add(found, line, ofMixture.get(`${found.station_id} ${found.day}`));
    }),
  );
  const found = reliabilityOf(rise, level);
  const beside = reliabilityOf(mixture, level);
  const rivals = {
    rise: rivalFields(found, 'rise'),
    mixture: { ...rivalFields(beside, 'mixture'), cases: beside?.cases ?? 0 },
  };
  return {
    window: ofLine,
    cases: found?.cases ?? 0,
    fields: reliabilityFields(found, 'line', rivals, rise.untrained, level),
  };
}
