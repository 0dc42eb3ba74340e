import type { EventScores } from '../../../clients/typescript/src/generated.js';
import { parameters, USUAL_LEAD } from '../address.js';
import { ifInvalid } from '../api.js';
import { Degrees } from '../fields.js';
import { formatInterval, type Interval, intervalWords } from '../intervals.js';
import { findStation, type Page, usePage, useResponse } from '../page.js';
import { DataTable, NO_PAIRS, Nothing, Panel, type View } from '../panel.js';
import { Term } from '../term.js';
import { aheadWords, counted, hours, inUnit, percent, unit, whole } from '../words.js';

/** The first thresholds for all stations: a frost, a hot day. */
const USUAL = { low: { '°F': '32', '°C': '0' }, high: { '°F': '90', '°C': '32' } };

/** More than the days of most windows. */
const MAX_OBSERVATIONS = '1000';

/** The threshold of the visitor; else that of the tenth of the station's days that are the hottest, or of lows the coldest. */
async function loadThreshold(page: Page): Promise<string> {
  const { event, metric, days, date_from, date_to, temp_unit } = page.params;
  const station = event === '' ? await findStation(page) : undefined;
  if (station === undefined) return event || USUAL[metric === 'low' ? 'low' : 'high'][unit()];
  const { station_id } = station;
  const { data } = await page.load.get('data/observations', {
    ...{ station_id, metric, days, date_from, date_to, temp_unit, limit: MAX_OBSERVATIONS },
  });
  const degrees = data.flatMap((each) => inUnit(each, 'actual') ?? []).sort((a, b) => a - b);
  if (degrees.length === 0) throw new Nothing(NO_PAIRS);
  return String(Math.round(degrees[Math.floor((metric === 'low' ? 0.1 : 0.9) * degrees.length)]!));
}

/** How well forecasts predict temperatures at or beyond a threshold, by lead time. */
export function Events() {
  const page = usePage();
  const { params, load, keep, isReady } = page;
  const isLow = params.metric === 'low';
  const subject = { ...parameters(params), group_by: 'lead_time_bucket' };
  const { response: threshold = '' } = useResponse(() => loadThreshold(page), isReady, params.event);
  return (
    <Panel
      id="events"
      title="Are extremes seen coming?"
      on={params.event}
      head={
        <form class="fields row" onSubmit={(event) => event.preventDefault()}>
          <Degrees
            label={`Days at or ${isLow ? 'below' : 'above'}, ${unit()}`}
            {...{ name: 'event', value: threshold }}
            choose={(event) => keep({ event })}
          />
        </form>
      }
      ask={async () => {
        const requested = { ...subject, thresholds: await loadThreshold(page) };
        const { data } = await load.get('accuracy/events', requested).catch(ifInvalid(() => ({ data: [] })));
        return { data, requested };
      }}
      view={({ data, requested }): View => {
        const what = `${requested.thresholds} ${unit()}`;
        const reported = data.find(({ lead_time_bucket }) => lead_time_bucket === USUAL_LEAD) ?? data[0];
        if (reported === undefined)
          return { verdict: `Nothing to count at ${what}: enter another.`, content: null };
        if (data.every(({ hits, misses, false_alarms }) => hits + misses + false_alarms === 0))
          return {
            verdict: `Of ${counted(reported.cases, 'station-day')}, none ${isLow ? 'fell to' : 'reached'} ${what}, and none was forecast to.`,
            content: null,
          };
        return {
          ...describeEvents(reported, isLow ? `at or below ${what}` : `at or above ${what}`),
          content: (
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
          ),
          csv: { what: 'the events', path: 'accuracy/events', query: requested },
        };
      }}
    />
  );
}

/** How many of them were forecast, and how many forecasts were false alarms. */
function describeEvents(scores: EventScores, what: string) {
  const { hits, misses, false_alarms, pod, pod_low: low, pod_high: high, lead_time_bucket } = scores;
  const forecast = hits + false_alarms;
  const alarms =
    forecast === 0
      ? 'None was forecast.'
      : `${whole(false_alarms)} of the ${whole(forecast)} forecast were false alarms.`;
  const ahead = aheadWords(lead_time_bucket ?? '');
  return pod === null
    ? { verdict: `No day was ${what}.`, caveat: alarms }
    : {
        verdict: `${percent(pod)} of days ${what} were forecast ${ahead}.`,
        caveat: `${whole(hits)} of ${counted(hits + misses, 'station-day')}${formatInterval({ low, high }, percent)}. ${alarms}`,
      };
}

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
