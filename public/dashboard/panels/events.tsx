import { parameters, USUAL_LEAD } from '../address.js';
import { ifInvalid } from '../api.js';
import { Degrees } from '../fields.js';
import { describeEvents } from '../findings.js';
import { type Interval, intervalWords } from '../intervals.js';
import { NO_PAIRS } from '../needs.js';
import { findStation, type Page } from '../page.js';
import { Lack, makeBody } from '../body.js';
import { DataTable } from '../table.js';
import { published } from '../published.js';
import { Term } from '../term.js';
import { hours, inUnit, percent, unit } from '../words.js';

/** The first thresholds for all stations: a frost, a hot day. */
const USUAL = { low: { '°F': '32', '°C': '0' }, high: { '°F': '90', '°C': '32' } };

/** More than the days of most windows. */
const MAX_OBSERVATIONS = '1000';

/** The threshold of the visitor; else that of the tenth of the station's days that are the hottest, or of lows the coldest. */
async function loadThreshold(page: Page): Promise<string> {
  const { event, metric, days, date_from, date_to, units } = page.params;
  if (event !== '') return event;
  const station = await findStation(page);
  if (station === undefined) return chooseThreshold(page);
  const { station_id } = station;
  const { data } = await page.load.get('data/observations', {
    ...{ station_id, metric, days, date_from, date_to, units, limit: MAX_OBSERVATIONS },
  });
  const degrees = data.flatMap((each) => inUnit(each, 'actual') ?? []).sort((a, b) => a - b);
  if (degrees.length === 0) throw new Lack(NO_PAIRS);
  return String(Math.round(degrees[Math.floor((metric === 'low' ? 0.1 : 0.9) * degrees.length)]!));
}

/** The degrees among which one is chosen for all stations, in the unit of the page. */
const CANDIDATES = {
  low: { '°F': [-20, -10, 0, 10, 20, 40, 50, 60, 70], '°C': [-30, -20, -15, -10, -5, 5, 10, 15, 20] },
  high: { '°F': [20, 30, 40, 50, 60, 70, 80, 100, 110], '°C': [-10, 0, 5, 10, 15, 20, 25, 38, 43] },
};

/** A frost or a hot day, unless hardly a day had one, or most had: then what one day in ten had. */
async function chooseThreshold({ params, load }: Page): Promise<string> {
  const kind = params.metric === 'low' ? 'low' : 'high';
  const usual = USUAL[kind][unit()];
  const thresholds = [usual, ...CANDIDATES[kind][unit()]].join();
  const { data } = await load.get('accuracy/events', { ...parameters(params), thresholds });
  const shares = data.flatMap((each) => {
    const threshold = inUnit(each, 'threshold');
    return threshold === null || each.cases === 0
      ? []
      : [{ threshold, share: (each.hits + each.misses) / each.cases }];
  });
  const own = shares.find(({ threshold }) => threshold === Number(usual));
  if (own === undefined || (own.share >= 0.01 && own.share <= 0.4)) return usual;
  const [best] = shares.sort((a, b) => Math.abs(a.share - 0.1) - Math.abs(b.share - 0.1));
  return String(best?.threshold ?? usual);
}

async function loadEvents(page: Page) {
  const { params, load } = page;
  const thresholds = await loadThreshold(page);
  const requested = { ...parameters(params), group_by: 'lead_time_bucket', thresholds };
  const { data } = await load.get('accuracy/events', requested).catch(ifInvalid(() => ({ data: [] })));
  return { data, requested };
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
