import type { Probability, ProbabilitySoFar, Station } from '../../../clients/typescript/src/generated.js';
import { type Area, Line, Plot } from '../figure.js';
import { type Page, usePage } from '../page.js';
import { inUnit, number, percent, timeThere, unit } from '../words.js';

const HOUR_MS = 3_600_000;

type IntradayProbability = Probability & { so_far: ProbabilitySoFar };

/** Whether these odds start from readings of the day. */
export const isSoFar = (probabilities: Probability): probabilities is IntradayProbability =>
  (probabilities.so_far ?? null) !== null;

/** The readings of the day, and on which share of days its high or low has come by now. */
export async function loadMeasured({ params, load }: Page, { station_id, so_far }: IntradayProbability) {
  const { metric, units } = params;
  const [hours, timing] = await Promise.all([
    load.get('data/hours', { station_id, units, start_time: so_far.day_begins_at, end_time: so_far.at }),
    load.get(`accuracy/peak-timing/${station_id}`, { metric }),
  ]);
  const reports = hours.data.flatMap((each) => {
    const degrees = inUnit(each, 'temp');
    return degrees === null ? [] : [{ at: each.at, degrees }];
  });
  const reached = timing.data.share_by_hour.find(({ hour }) => hour === so_far.hour)?.share_reached ?? null;
  return { reports, reached };
}

interface IntradayProps {
  probabilities: IntradayProbability;
  measured: Awaited<ReturnType<typeof loadMeasured>>;
  station: Station;
}

/** The day so far: its readings, the forecast, and the band of what may still come. */
export function Intraday({ probabilities, measured: { reports, reached }, station }: IntradayProps) {
  const extreme = usePage().params.metric === 'low' ? 'low' : 'high';
  const { so_far, quantiles, city_name } = probabilities;
  const forecast = inUnit(probabilities, 'forecast');
  const { p05, p25, p75, p95 } = quantiles;
  const begins = Date.parse(so_far.day_begins_at);
  const toHour = (at: string): number => (Date.parse(at) - begins) / HOUR_MS;
  const shown = [...reports.map(({ degrees }) => degrees), forecast, p05, p95].filter(
    (each) => each !== null,
  );
  const [low, high] = [Math.min(...shown) - 2, Math.max(...shown) + 2];
  const draw = ({ x, y, left, width }: Area) => {
    const now = x(toHour(so_far.at));
    return [
      ...[
        [p05, p95],
        [p25, p75],
      ].map(([from = null, to = null]) => {
        if (from === null || to === null) return null;
        const [top, foot] = [y(to + 0.5), y(from - 0.5)];
        return <rect {...{ class: 'band', x: now, y: top, width: width - now, height: foot - top }} />;
      }),
      forecast !== null && <path class="diagonal" d={`M${left} ${y(forecast)}H${width}`} />,
      <Line {...{ x, y, class: 'mae', points: reports.map(({ at, degrees }) => [toHour(at), degrees]) }} />,
      forecast !== null && (
        <text class="direct" x={left + 6} y={y(forecast) - 6}>
          forecast
        </text>
      ),
    ];
  };
  const by = timeThere(so_far.at, station.timezone);
  const share = reached === null ? '' : ` The ${extreme} has come by then on ${percent(reached)} of days.`;
  return (
    <div class="so-far">
      <h3>The day so far</h3>
      <p class="basis">Shaded: where the {extreme} will end up, with 50% and 90% probability.</p>
      <Plot
        label={`The temperatures of the day so far at ${city_name}, the forecast, and where the ${extreme} may end. Arrow keys read it one by one.`}
        across={{ range: [0, 24], values: reports.map(({ at }) => toHour(at)) }}
        marks={() => [0, 6, 12, 18, 24].map((hour) => [hour, `${hour}:00`])}
        title="local time"
        parts={[
          {
            name: 'readings',
            class: 'mae',
            range: [low, high],
            format: (value) => `${number(value, 0)} ${unit()}`,
            draw,
          },
        ]}
        hint={[
          so_far.m === null ? 'No reading' : `${so_far.m} ${unit()}`,
          `${so_far.m === null ? '' : `is the ${extreme === 'low' ? 'lowest' : 'highest'} `}up to ${by}.${share}`,
        ]}
        reading={(index) => {
          const { at, degrees } = reports[index]!;
          return [timeThere(at, station.timezone), `${number(degrees, 1)} ${unit()}`];
        }}
      />
    </div>
  );
}
