import type { Reliability as Answer } from '../../../clients/typescript/src/generated.js';
import { pairParameters, USUAL_LEAD } from '../address.js';
import { type Area, makeLine, Plot, pointAt, makeScale, makeTicks } from '../figure.js';
import { intervalWords } from '../intervals.js';
import { findStation, usePage } from '../page.js';
import { twoFahrenheit } from '../palette.js';
import { Nothing, Panel, type View } from '../panel.js';
import { Term } from '../term.js';
import { hours, number, percent, whole } from '../words.js';

type Bin = Answer['bins'][number];

/** Whether the odds of past days came true: the forecast share against how often it happened. */
export function Reliability() {
  const page = usePage();
  const { params, load } = page;
  const requested = {
    ...pairParameters(params),
    lead_time_bucket: params.forecast_lead || USUAL_LEAD,
    station_id: params.station_id,
    temp_unit: params.temp_unit,
  };
  return (
    <Panel
      id="reliability"
      title="Do such odds come true?"
      on={requested}
      ask={async () => {
        const [{ data }, station] = await Promise.all([
          load.get('probability/reliability', requested),
          findStation(page),
        ]);
        const bins = data.bins.filter(({ forecasts }) => forecasts > 0);
        if (bins.length === 0) throw new Nothing('No odds of these days can be checked yet.');
        return { data, bins, where: station?.city_name ?? 'all stations' };
      }}
      view={({ data, bins, where }): View => ({
        content: <Diagram {...{ data, bins, where }} />,
        table: {
          caption: `Odds of past days and how often they came true, ${where}`,
          columns: ['Forecast', 'Happened', '95 %', 'Forecasts'],
          rows: bins.map((bin) => [
            percent(bin.mean_probability),
            percent(bin.observed),
            intervalWords(bin, percent) ?? '–',
            whole(bin.forecasts),
          ]),
        },
        csv: { what: 'past odds', path: 'probability/reliability', query: requested },
      })}
    />
  );
}

function Diagram({ data, bins, where }: { data: Answer; bins: Bin[]; where: string }) {
  // A share of too few days to know anything of is in the table alone.
  const drawn = bins.filter(({ low }) => low !== null);
  const max = Math.max(...drawn.map(({ forecasts }) => forecasts));
  const values = drawn.flatMap(({ mean_probability, observed }) => [mean_probability ?? 0, observed ?? 0]);
  // In fifths, as the labels are.
  const end = Math.min(1, Math.ceil(Math.max(0.2, ...values) * 5) / 5);
  const ticks = makeTicks(0, end, 1.0001 * end * 5);
  const toX = (left: number, right: number) => makeScale([0, end], [left, right - 22]);
  const draw = ({ at, y, left, width }: Area) => {
    const x = toX(left, width);
    const path = (shares: (number | null)[]): string[] =>
      shares.map((share, index) => `${at[index]} ${y(Math.min(end, share ?? 0))}`);
    const edge = [...path(drawn.map(({ high }) => high)), ...path(drawn.map(({ low }) => low)).toReversed()];
    return [
      <path class="band" d={`M${edge.join('L')}Z`} />,
      <path class="diagonal" d={`M${x(0)} ${y(0)}L${x(end)} ${y(end)}`} />,
      <path
        class="joined mae"
        d={makeLine(
          drawn.map(({ observed }) => observed),
          { at, y },
        )}
      />,
      ...drawn.map(({ observed, forecasts }, index) => (
        <circle
          class="dot mae"
          cx={at[index]}
          cy={y(observed ?? 0)}
          r={2.5 + 5.5 * Math.sqrt(forecasts / max)}
        />
      )),
    ];
  };
  const { crps_skill = null } = data.normal_2f ?? {};
  const reported = drawn.map(
    (bin) => `forecast ${percent(bin.mean_probability)}, happened ${percent(bin.observed)}`,
  );
  return (
    <>
      <p class="basis">
        {hours(data.lead_time_bucket)} before the day, {verdict(bins)}: {whole(data.cases)}{' '}
        <Term of="cases">station days</Term> of {where}.
      </p>
      {drawn.length === 0 ? (
        <p class="empty">Too few days are known for a picture of them; the table has each share.</p>
      ) : (
        <Plot
          label={`Reliability diagram: ${reported.join('; ')}. Arrow keys read it point by point.`}
          count={drawn.length}
          at={(left, right) => drawn.map(({ mean_probability }) => toX(left, right)(mean_probability ?? 0))}
          marks={({ left, width }) => ticks.map((share) => [toX(left, width)(share), percent(share)])}
          title="Forecast probability"
          parts={[
            {
              name: 'Happened; dashed: as forecast',
              range: [0, end],
              ticks,
              format: percent,
              draw,
            },
          ]}
          hint={pointAt('a dot')}
          reading={(index) => {
            const { mean_probability, observed, forecasts } = drawn[index]!;
            return [
              `Forecast ${percent(mean_probability)}`,
              `happened ${percent(observed)} of ${whole(forecasts)} times`,
            ];
          }}
        />
      )}
      <p class="basis note">
        Larger dots rest on more forecasts; the band is their <Term of="interval">95 % interval</Term>. Each
        day is judged by the days before it alone.
        {crps_skill !== null &&
          ` Against a normal curve of ${twoFahrenheit()} around each forecast, their error (CRPS) is ${number(Math.abs(crps_skill * 100), 1)} % ${crps_skill < 0 ? 'larger' : 'smaller'}.`}
      </p>
    </>
  );
}

function verdict(bins: Bin[]): string {
  const off = bins.filter(
    ({ mean_probability, low, high }) =>
      low !== null && high !== null && ((mean_probability ?? 0) < low || (mean_probability ?? 0) > high),
  );
  return off.length === 0
    ? 'the odds were reliable'
    : `the odds were reliable, except those around ${off.map((bin) => percent(bin.mean_probability)).join(', ')}`;
}
