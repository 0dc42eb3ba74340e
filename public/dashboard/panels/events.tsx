import type { EventScores } from '../../../clients/typescript/src/generated.js';
import { parameters, USUAL_LEAD } from '../address.js';
import { ApiError } from '../api.js';
import { Degrees } from '../fields.js';
import { type Interval, intervalWords } from '../intervals.js';
import { usePage } from '../page.js';
import { DataTable, NO_PAIRS, Nothing, Panel, type View } from '../panel.js';
import { Term } from '../term.js';
import { bucketWords, counted, hours, percent, unit, whole } from '../words.js';

/** A visitor begins with these: a frost, a hot day. */
const USUAL = { low: { '°F': '32', '°C': '0' }, high: { '°F': '90', '°C': '32' } };

/** How well forecasts tell of temperatures at or beyond a threshold, by lead time. */
export function Events() {
  const { params, load, keep } = usePage();
  const isLow = params.metric === 'low';
  const threshold = params.event || USUAL[isLow ? 'low' : 'high'][unit() === '°C' ? '°C' : '°F'];
  const side = isLow ? 'at or below' : 'at or above';
  const requested = { ...parameters(params), thresholds: threshold, group_by: 'lead_time_bucket' };
  return (
    <Panel
      id="events"
      title="Are extremes seen coming?"
      on={requested}
      head={
        <form class="fields row" onSubmit={(event) => event.preventDefault()}>
          <Degrees
            {...{ name: 'event', label: `Days ${side}, ${unit()}`, value: threshold }}
            choose={(event) => keep({ event })}
          />
        </form>
      }
      ask={async () => {
        const what = `${side} ${threshold} ${unit()}`;
        const { data } = await load.get('accuracy/events', requested).catch((error: unknown) => {
          if (!(error instanceof ApiError) || error.code !== 'INVALID_PARAMETER') throw error;
          throw new Nothing(`No such events: ${error.message}.`);
        });
        const reported = data.find(({ lead_time_bucket }) => lead_time_bucket === USUAL_LEAD) ?? data[0];
        if (reported === undefined) throw new Nothing(NO_PAIRS);
        if (data.every(({ hits, misses, false_alarms }) => hits + misses + false_alarms === 0))
          throw new Nothing(
            `Of ${counted(reported.cases, 'station day')}, none was ${what}, nor forecast so.`,
          );
        return { data, told: reported, what };
      }}
      view={({ data, told: reported, what }): View => ({
        content: (
          <>
            <Sentence {...{ reported, what }} />
            <DataTable
              class="scroll-x events"
              caption={`Forecasts of days ${what}, by lead time`}
              columns={[
                'Hours before',
                <Term of="pod">Detected</Term>,
                <Term of="far">False alarms</Term>,
                <Term of="csi">CSI</Term>,
                'Observed',
              ]}
              rows={data.map((each) => [
                hours(each.lead_time_bucket),
                <Rate value={each.pod} low={each.pod_low} high={each.pod_high} />,
                <Rate value={each.far} low={each.far_low} high={each.far_high} />,
                <Rate value={each.csi} low={each.csi_low} high={each.csi_high} />,
                whole(each.hits + each.misses),
              ])}
            />
          </>
        ),
        csv: { what: 'the events', path: 'accuracy/events', query: requested },
      })}
    />
  );
}

function Sentence({ reported, what }: { reported: EventScores; what: string }) {
  const { hits, misses, false_alarms, pod, far: falseAlarmRatio } = reported;
  const lead = `${bucketWords(reported.lead_time_bucket ?? '')} ahead`;
  const were = hits === 1 ? 'was' : 'were';
  return (
    <p class="basis">
      <strong>
        {pod === null
          ? `No station day was ${what}`
          : `Of ${counted(hits + misses, 'station day')} ${what}, ${whole(hits)} ${were} forecast ${lead}`}
      </strong>
      {falseAlarmRatio === null
        ? '; none was forecast.'
        : `; of ${whole(hits + false_alarms)} forecast, ${whole(false_alarms)} did not come.`}
    </p>
  );
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
