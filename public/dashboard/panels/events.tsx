import type { EventScores } from '../../../clients/typescript/src/generated.js';
import { sum } from '../../../src/statistics/statistics.js';
import { parameters, USUAL_LEAD } from '../address.js';
import { ifInvalid } from '../api.js';
import { Degrees } from '../fields.js';
import { describeEvents } from '../findings.js';
import { type Interval, intervalWords } from '../intervals.js';
import { NO_PAIRS } from '../needs.js';
import type { Page } from '../page.js';
import { Lack, makeBody } from '../body.js';
import { DataTable } from '../table.js';
import { published } from '../published.js';
import { Term } from '../term.js';
import { hours, inUnit, percent, unit } from '../words.js';

/** The degrees among which one is chosen, in the unit of the page; the first is a frost or a hot day. */
const CANDIDATES = {
  low: { '°F': [32, -20, -10, 0, 10, 20, 40, 50, 60, 70], '°C': [0, -30, -20, -15, -10, -5, 5, 10, 15, 20] },
  high: { '°F': [90, 20, 30, 40, 50, 60, 70, 80, 100, 110], '°C': [32, -10, -5, 0, 5, 10, 15, 20, 25, 38] },
};

/** The first candidate, unless hardly a day had it, or most had: then the one that is closest to a day in ten. */
function chooseThreshold(data: readonly EventScores[], [usual = 0, ...others]: number[]): number {
  const getDistance = (threshold: number): number => {
    const records = data.filter((each) => inUnit(each, 'threshold') === threshold);
    const count = (read: (each: EventScores) => number): number => sum(records.map(read));
    const share = count(({ hits, misses }) => hits + misses) / count(({ cases }) => cases);
    if (threshold === usual && share >= 0.01 && share <= 0.4) return 0;
    return Math.abs(share - 0.1);
  };
  return [usual, ...others].toSorted((a, b) => getDistance(a) - getDistance(b))[0]!;
}

async function loadEvents({ params, load }: Page) {
  const { event, metric } = params;
  const candidates = CANDIDATES[metric === 'low' ? 'low' : 'high'][unit()];
  const requested = {
    ...parameters(params),
    group_by: 'lead_time_bucket',
    thresholds: event || candidates.join(),
  };
  const { data } = await load.get('accuracy/events', requested).catch(ifInvalid(() => ({ data: [] })));
  if (event !== '') return { data, requested };
  if (data.length === 0) throw new Lack(NO_PAIRS);
  const chosen = chooseThreshold(data, candidates);
  return {
    data: data.filter((each) => inUnit(each, 'threshold') === chosen),
    requested: { ...requested, thresholds: String(chosen) },
  };
}

/** How well forecasts predict temperatures at or beyond a threshold, by lead time. */
export const events = makeBody({
  load: loadEvents,
  view({ data, requested }, { params, keep }) {
    const isLow = params.metric === 'low';
    const what = `${requested.thresholds} ${unit()}`;
    const { isEmpty, ...found } = { isEmpty: false, ...describeEvents(data, USUAL_LEAD, what, isLow) };
    return {
      ...found,
      content: (
        <>
          {!published && (
            <form class="fields row" onSubmit={(event) => event.preventDefault()}>
              <Degrees
                label={`Days at or ${isLow ? 'below' : 'above'}, ${unit()}`}
                {...{ name: 'event', value: requested.thresholds, step: 'any' }}
                choose={(event) => keep({ event })}
              />
            </form>
          )}
          {data.length > 0 && !isEmpty && (
            <DataTable
              class="scroll-x events"
              caption={`Forecasts of ${what}, by lead time`}
              columns={[
                'Lead time',
                <Term of="pod">Detected</Term>,
                <Term of="far">False alarms</Term>,
                <Term of="csi">CSI</Term>,
              ]}
              rows={data.map((each) => [
                hours(each.lead_time_bucket),
                <Rate value={each.pod} low={each.pod_low} high={each.pod_high} />,
                <Rate value={each.far} low={each.far_low} high={each.far_high} />,
                <Rate value={each.csi} low={each.csi_low} high={each.csi_high} />,
              ])}
            />
          )}
        </>
      ),
      csv: { what: 'the events', path: 'accuracy/events', query: requested },
    };
  },
});

/** A share with its interval, as text and as a line. */
function Rate({ value, low, high }: Interval & { value: number | null }) {
  if (value === null) return '–';
  return (
    <>
      <span class="number">{percent(value)}</span>
      {low !== null && <Track {...{ low, high, value }} />}
      {low !== null && <span class="quiet">{intervalWords({ low, high }, percent)}</span>}
    </>
  );
}

/** Shares of a range from 0 to 1: a dot, and its interval where that is known. */
export function Track({ low, high, value }: Interval & { value: number }) {
  const at = (share: number): string => `${100 * Math.min(1, Math.max(0, share))}%`;
  return (
    <span class="track" aria-hidden="true">
      {low !== null && high !== null && <span style={{ left: at(low), right: at(1 - high) }} />}
      <span class="mark" style={{ left: at(value) }} />
    </span>
  );
}
