import type { Probability, ProbabilitySoFar, Station } from '../../../clients/typescript/src/generated.js';
import type { Load } from '../api.js';
import { Figure, Foot, Grid, LEFT, pointAt, scaleOf, type Size, ticksOf, TITLED_FOOT } from '../figure.js';
import { usePage } from '../page.js';
import { number, percent, timeThere } from '../words.js';

const HOUR_MS = 3_600_000;
const HEAD = 24;

type OddsSoFar = Probability & { so_far: ProbabilitySoFar };

/** Whether these odds start from what has been measured of the day. */
export const isSoFar = (odds: Probability): odds is OddsSoFar => (odds.so_far ?? null) !== null;

/** The reports of the day, and on which share of days its high or low has come by now. */
export async function measuredOf(load: Load, { station_id, so_far }: OddsSoFar, metric: string) {
  const [hours, timing] = await Promise.all([
    load.get('data/hours', { station_id, start_time: so_far.day_begins_at, end_time: so_far.at }),
    load.get(`accuracy/peak-timing/${station_id}`, { metric }),
  ]);
  const reports = hours.data.flatMap(({ at, temp_f }) => (temp_f === null ? [] : [{ at, temp_f }]));
  const reached = timing.data.share_by_hour.find(({ hour }) => hour === so_far.hour)?.share_reached ?? null;
  return { reports, reached };
}

interface DaySoFarProps {
  odds: OddsSoFar;
  measured: Awaited<ReturnType<typeof measuredOf>>;
  station: Station;
}

/** The day so far: what has been measured of it, the forecast, and the band of what may still come. */
export function DaySoFar({ odds, measured: { reports, reached }, station }: DaySoFarProps) {
  const extreme = usePage().question.metric === 'low' ? 'low' : 'high';
  const { so_far, forecast_f, quantiles, city_name } = odds;
  const { p05, p25, p75, p95 } = quantiles;
  const begins = Date.parse(so_far.day_begins_at);
  const hourOf = (at: string): number => (Date.parse(at) - begins) / HOUR_MS;
  const shown = [...reports.map(({ temp_f }) => temp_f), forecast_f, p05, p95].filter(
    (each) => each !== null,
  );
  const [low, high] = [Math.min(...shown) - 2, Math.max(...shown) + 2];
  const draw = ({ width, height }: Size) => {
    const x = scaleOf([0, 24], [LEFT, width - 14]);
    const y = scaleOf([low, high], [height - TITLED_FOOT, HEAD]);
    const at = reports.map((each) => x(hourOf(each.at)));
    const now = x(hourOf(so_far.at));
    const every = width < 500 ? 6 : 3;
    const marks = Array.from({ length: 24 / every + 1 }, (_each, index) => every * index);
    return {
      at,
      content: (
        <>
          <Grid
            {...{ y, width, ticks: ticksOf(low, high, height / 44) }}
            format={(each) => `${number(each, 0)} °F`}
          />
          {(
            [
              ['outer', p05, p95],
              ['inner', p25, p75],
            ] as const
          ).map(
            ([name, from, to]) =>
              from !== null &&
              to !== null && (
                <rect
                  class={`band ${name}`}
                  {...{ x: now, y: y(to + 0.5), width: width - now, height: y(from - 0.5) - y(to + 0.5) }}
                />
              ),
          )}
          {forecast_f !== null && <path class="diagonal" d={`M${LEFT} ${y(forecast_f)}H${width}`} />}
          <path
            class="joined mae"
            d={`M${reports.map(({ temp_f }, index) => `${at[index]} ${y(temp_f)}`).join('L')}`}
          />
          {reports.map(({ temp_f }, index) => (
            <circle class="dot mae" cx={at[index]} cy={y(temp_f)} r="2.5" />
          ))}
          <text class="direct mae" x={LEFT} y={13}>
            measured
          </text>
          <text class="direct quiet" x={width} y={13} text-anchor="end">
            where the {extreme} may end: 50 % and 90 %
          </text>
          {forecast_f !== null && (
            <text class="direct" x={LEFT + 6} y={y(forecast_f) - 6}>
              forecast
            </text>
          )}
          <Foot
            {...{ width, height, at: marks.map(x), labels: marks.map((hour) => `${hour}:00`) }}
            title="hour of the day at the station"
          />
        </>
      ),
    };
  };
  return (
    <div class="so-far">
      <h3>The day so far</h3>
      <Figure
        label={`The temperatures of the day so far at ${city_name}, the forecast, and where the ${extreme} may end. Arrow keys read it report by report.`}
        draw={draw}
        reading={(index) => {
          const report = index === undefined ? undefined : reports[index];
          if (report !== undefined)
            return (
              <>
                <b>{timeThere(report.at, station.timezone)}</b> {number(report.temp_f, 1)} °F
              </>
            );
          return (
            <>
              <b>{so_far.m === null ? 'Nothing' : `${so_far.m} °F`}</b> is the{' '}
              {extreme === 'high' ? 'highest' : 'lowest'} so far, by {timeThere(so_far.at, station.timezone)}.
              {reached !== null && ` By now the ${extreme} has been reached on ${percent(reached)} of days.`}{' '}
              {pointAt('a report').replace(' for its numbers', '')}
            </>
          );
        }}
      />
    </div>
  );
}
