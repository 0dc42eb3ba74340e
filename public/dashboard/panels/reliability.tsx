import type { Reliability as ReliabilityData } from '../../../clients/typescript/src/generated.js';
import { locate, MIN_DAYS } from '../../../src/statistics/uncertainty/judge.js';
import { EVERYWHERE, type PageParams, parameters, USUAL_LEAD } from '../address.js';
import { type Area, Line, Plot } from '../figure.js';
import { intervalWords } from '../intervals.js';
import { findStation, type Page, usePage } from '../page.js';
import { twoFahrenheit } from '../palette.js';
import { needHighOrLow, NO_PAIRS, Lack, Panel, type View } from '../panel.js';
import { describeMissingTraining, judgeProbabilities } from '../sentences.js';
import { Term } from '../term.js';
import { makeTicks } from '../ticks.js';
import { getScore } from '../variables.js';
import { aheadWords, NOT_YET, number, percent, whole } from '../words.js';

type Bin = ReliabilityData['bins'][number];
type WetBin = Pick<Bin, 'mean_probability' | 'observed' | 'low' | 'high' | 'forecasts'>;

const toRequest = (params: PageParams) => ({
  ...parameters({ ...params, ...EVERYWHERE }),
  lead_time_bucket: params.forecast_lead || USUAL_LEAD,
});

/** How often it was wet, by the chance that was forecast, as bins of the panel. */
async function loadWetDays(page: Page) {
  const requested = parameters(page.params);
  const { data } = await page.load.get('accuracy/by-bucket', requested);
  if (data.length === 0) throw new Lack(NO_PAIRS);
  const bins = data.map(
    ({ mean_chance, observed_share, observed_share_low, observed_share_high, cases }): WetBin => ({
      mean_probability: mean_chance / 100,
      observed: observed_share,
      low: observed_share_low,
      high: observed_share_high,
      forecasts: cases,
    }),
  );
  return { bins, where: (await findStation(page))?.city_name ?? 'all stations' };
}

export async function loadReliability(page: Page) {
  if (getScore(page.params) === 'brier_score') return { data: undefined, ...(await loadWetDays(page)) };
  needHighOrLow(page.params);
  const requested = toRequest(page.params);
  const response = page.load.get('probability/reliability', requested);
  const [{ data }, station] = await Promise.all([response, findStation(page)]);
  const bins = data.bins.filter(({ forecasts }) => forecasts > 0);
  if (bins.length === 0) throw new Lack(describeMissingTraining(data, requested.lead_time_bucket));
  return { data, bins, where: station?.city_name ?? 'all stations' };
}

/** Whether past odds were reliable: the forecast probability against how often it happened. */
export function Reliability() {
  const { params } = usePage();
  return (
    <Panel
      id="reliability"
      title="Are the odds reliable?"
      on={params.forecast_lead}
      ask={loadReliability}
      view={({ data, bins, where }): View => ({
        verdict: judgeProbabilities(bins),
        caveat:
          data === undefined ? (
            `A day counts once, with its latest forecast, ${where}.`
          ) : (
            <Caveat {...{ data, where }} />
          ),
        content: <Diagram bins={bins} />,
        table: {
          caption: `Past odds and how often it happened, ${where}`,
          columns: ['Forecast', 'Happened', '95% interval', 'Forecasts'],
          rows: bins.map((bin) => [
            percent(bin.mean_probability),
            percent(bin.observed),
            intervalWords(bin, percent, bin.mean_probability ?? 0) ?? NOT_YET,
            whole(bin.forecasts),
          ]),
        },
        csv:
          getScore(params) === 'brier_score'
            ? { what: 'wet days by chance', path: 'accuracy/by-bucket', query: parameters(params) }
            : { what: 'past odds', path: 'probability/reliability', query: toRequest(params) },
      })}
    />
  );
}

function Diagram({ bins }: { bins: WetBin[] }) {
  // A share of too few days to know anything of is in the table alone.
  const drawn = bins.filter(({ low }) => low !== null);
  if (drawn.length === 0) return <p class="empty">Needs {MIN_DAYS} days for a picture.</p>;
  const max = Math.max(...drawn.map(({ forecasts }) => forecasts));
  const places = drawn.map(({ mean_probability }) => mean_probability ?? 0);
  // In fifths, as the labels are.
  const maxShare = Math.max(0.2, ...places, ...drawn.map(({ observed }) => observed ?? 0));
  const end = Math.min(1, Math.ceil(maxShare * 5) / 5);
  const ticks = makeTicks(0, end, 1.0001 * end * 5);
  const draw = ({ x, y }: Area) => {
    const path = (shares: (number | null)[]): string[] =>
      shares.map((share, index) => `${x(places[index]!)} ${y(Math.min(end, share ?? 0))}`);
    const edge = [...path(drawn.map(({ high }) => high)), ...path(drawn.map(({ low }) => low)).toReversed()];
    return [
      <path class="band" d={`M${edge.join('L')}Z`} />,
      <path class="diagonal" d={`M${x(0)} ${y(0)}L${x(end)} ${y(end)}`} />,
      <Line
        {...{ x, y, class: 'mae', points: drawn.map(({ observed }, index) => [places[index]!, observed]) }}
        radius={(index) => 2.5 + 5.5 * Math.sqrt(drawn[index]!.forecasts / max)}
      />,
    ];
  };
  const reported = drawn.map(
    (bin) => `forecast ${percent(bin.mean_probability)}, happened ${percent(bin.observed)}`,
  );
  return (
    <Plot
      label={`Reliability diagram: ${reported.join('; ')}. Arrow keys read it point by point.`}
      across={{ range: [0, end], values: places }}
      marks={() => ticks.map((share) => [share, percent(share)])}
      title="Forecast probability"
      parts={[
        {
          name: 'How often it happened; dashed: perfect',
          range: [0, end],
          ticks,
          format: percent,
          draw,
        },
      ]}
      reading={(index) => {
        const { mean_probability, observed, forecasts } = drawn[index]!;
        return [
          `Forecast ${percent(mean_probability)}`,
          `happened ${percent(observed)} of ${whole(forecasts)} times`,
        ];
      }}
    />
  );
}

/** The error of the odds beside that of a normal curve, as far as the interval of the difference shows one. */
function describeSkill({ normal_2f }: ReliabilityData): string {
  const { crps_skill: skill = null } = normal_2f ?? {};
  if (normal_2f === undefined || skill === null) return '';
  const curve = `that of a normal curve of ${twoFahrenheit()}`;
  const place = locate(normal_2f.crps_difference_c ?? normal_2f.crps_difference_f);
  if (place === 'unknown') return `; whether their error (CRPS) differs from ${curve} ${NOT_YET}`;
  if (place === 'around') return `; no significant difference of their error (CRPS) from ${curve}`;
  return `; their error (CRPS) is ${number(Math.abs(skill * 100), 1)}% ${skill < 0 ? 'larger' : 'smaller'} than ${curve}`;
}

/** The days of the odds, and how their error compares. */
function Caveat({ data, where }: { data: ReliabilityData; where: string }) {
  return (
    <>
      {whole(data.cases)} <Term of="cases">station-days</Term> at {where},{' '}
      {aheadWords(data.lead_time_bucket ?? '')}
      {describeSkill(data)}.
    </>
  );
}
