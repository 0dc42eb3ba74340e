import type { Reliability as ReliabilityData } from '../../../clients/typescript/src/generated.js';
import { locate, MIN_DAYS } from '../../../src/statistics/uncertainty/judge.js';
import { EVERYWHERE, getRegion, type PageParams, parameters, USUAL_LEAD } from '../address.js';
import { type Area, Bar, Line, Plot, Whisker } from '../figure.js';
import { formatInterval, type Interval, intervalWords } from '../intervals.js';
import { NO_PAIRS } from '../needs.js';
import { findStation, type Page, toChanceRequest } from '../page.js';
import { twoFahrenheit } from '../palette.js';
import { Lack, makeBody } from '../body.js';
import { describeMissingTraining, judgeProbabilities } from '../sentences.js';
import { Term } from '../term.js';
import { makeTicks } from '../ticks.js';
import { getChance } from '../variables.js';
import {
  aheadWords,
  capitalize,
  compact,
  getSpan,
  NOT_YET,
  number,
  percent,
  regionWords,
  whole,
} from '../words.js';

type Bin = ReliabilityData['bins'][number];
type DrawnBin = Pick<Bin, 'mean_probability' | 'observed' | 'low' | 'high' | 'forecasts'> & {
  /** Where the share of reliable forecasts would be, if cases did not depend on each other. */
  consistent?: Interval;
};

const toRequest = (params: PageParams) => ({
  ...parameters({ ...params, ...EVERYWHERE }),
  lead_time_bucket: params.forecast_lead || USUAL_LEAD,
});

/** How often it rained, by the chance that was forecast, as bins of the panel. */
async function loadRain(page: Page) {
  const { data } = await page.load.get('accuracy/by-bucket', toChanceRequest(page.params));
  if (data.length === 0) throw new Lack(NO_PAIRS);
  const bins = data.map(
    ({ mean_chance, observed_share, observed_share_low, observed_share_high, cases, ...bar }): DrawnBin => ({
      mean_probability: mean_chance / 100,
      observed: observed_share,
      low: observed_share_low,
      high: observed_share_high,
      forecasts: cases,
      consistent: { low: bar.consistency_low ?? null, high: bar.consistency_high ?? null },
    }),
  );
  const region = regionWords(getRegion(page.params));
  const places = region === '' ? 'all stations' : `stations ${region}`;
  return { bins, where: (await findStation(page))?.city_name ?? places };
}

async function loadReliability(page: Page) {
  if (getChance(page.params)) return { data: undefined, ...(await loadRain(page)) };
  const requested = toRequest(page.params);
  const response = page.load.get('probability/reliability', requested);
  const [{ data }, station] = await Promise.all([response, findStation(page)]);
  const bins = data.bins.filter(({ forecasts }) => forecasts > 0);
  if (bins.length === 0) throw new Lack(describeMissingTraining(data, requested.lead_time_bucket));
  return { data, bins: bins as DrawnBin[], where: station?.city_name ?? 'all stations' };
}

/** Whether past odds were reliable: the forecast probability against how often it happened. */
export const reliability = makeBody({
  load: loadReliability,
  view({ data, bins, where }, { params }) {
    const isChance = getChance(params) !== undefined;
    const event = isChance ? 'it rained' : 'happened';
    return {
      verdict: judgeProbabilities(bins, isChance ? 'chances' : undefined),
      caveat:
        data === undefined ? (
          `A ${getSpan().one} counts once, with its latest forecast, at ${where}. Shaded: 95% of shares, if chances are reliable and cases unrelated.`
        ) : (
          <Caveat {...{ data, where }} />
        ),
      content: <Diagram {...{ bins, event }} />,
      table: {
        caption: `${isChance ? 'Chances and how often it rained' : 'Past odds and how often it happened'}, ${where}`,
        columns: [
          ...['Forecast', capitalize(event), '95% interval', 'Forecasts'],
          ...(isChance ? ['If reliable'] : []),
        ],
        rows: bins.map((bin) => [
          percent(bin.mean_probability),
          percent(bin.observed),
          intervalWords(bin, percent, bin.mean_probability ?? 0) ?? NOT_YET,
          whole(bin.forecasts),
          ...(isChance ? [intervalWords(bin.consistent, percent) ?? '–'] : []),
        ]),
      },
      csv: isChance
        ? { what: 'rain by chance', path: 'accuracy/by-bucket', query: toChanceRequest(params) }
        : { what: 'past odds', path: 'probability/reliability', query: toRequest(params) },
    };
  },
});

/** Counts closer to each other would overlap, px: the details have all. */
const MIN_ROOM = 28;

interface DiagramProps {
  bins: DrawnBin[];
  /** As a heading has it. */
  event: string;
}

/** The share of each bin beside its chance, and below how many forecasts it has. */
function Diagram({ bins, event }: DiagramProps) {
  // A share of too few days to know anything of has no point.
  const shares = bins.map(({ low, observed }) => (low === null ? null : observed));
  if (shares.every((share) => share === null))
    return <p class="empty">Needs {MIN_DAYS} days for a picture.</p>;
  const counts = bins.map(({ forecasts }) => forecasts);
  const places = bins.map(({ mean_probability }) => mean_probability ?? 0);
  // In fifths, as the labels are.
  const end = Math.min(1, Math.ceil(Math.max(0.2, ...places, ...shares.map((share) => share ?? 0)) * 5) / 5);
  const ticks = makeTicks(0, end, 1.0001 * end * 5);
  const draw = ({ x, y }: Area) => [
    bins.map(({ consistent: { low = null, high = null } = {} }, index) => {
      if (low === null || high === null) return null;
      const [top, foot] = [y(Math.min(end, high)), y(Math.min(end, low))];
      return <rect class="band" {...{ x: x(places[index]!) - 9, y: top, width: 18, height: foot - top }} />;
    }),
    <path class="diagonal" d={`M${x(0)} ${y(0)}L${x(end)} ${y(end)}`} />,
    bins.map(({ low, high }, index) => (
      <Whisker {...{ x: x(places[index]!), y: (share) => y(Math.min(end, share)), low, high }} />
    )),
    <Line
      {...{ x, y, class: 'mae', points: shares.map((share, index) => [places[index]!, share]) }}
      radius={() => 4}
    />,
  ];
  const drawCounts = ({ x, y, foot }: Area) => {
    let labelled = -Infinity;
    return counts.map((count, index) => {
      const place = x(places[index]!);
      const hasRoom = place - labelled >= MIN_ROOM;
      if (hasRoom) labelled = place;
      return [
        <Bar {...{ x: place, y: y(count), width: 14, foot }} class="rest" />,
        hasRoom && <text {...{ x: place, y: y(count) - 5, 'text-anchor': 'middle' }}>{compact(count)}</text>,
      ];
    });
  };
  const reported = bins.map(
    ({ mean_probability, observed, forecasts }) =>
      `forecast ${percent(mean_probability)}, ${event} ${percent(observed)} of ${whole(forecasts)} times`,
  );
  return (
    <Plot
      label={`Reliability diagram: ${reported.join('; ')}. Arrow keys read it point by point.`}
      across={{ range: [0, end], values: places }}
      marks={() => ticks.map((share) => [share, percent(share)])}
      title="Forecast probability"
      parts={[
        {
          name: `How often ${event === 'happened' ? 'it happened' : event}; dashed: perfect`,
          range: [0, end],
          ticks,
          format: percent,
          draw,
        },
        {
          name: 'Forecasts',
          range: [0, 1.25 * Math.max(...counts)],
          ticks: [0],
          format: () => '',
          draw: drawCounts,
        },
      ]}
      reading={(index) => {
        const { mean_probability, observed, forecasts, low, high } = bins[index]!;
        return [
          `Forecast ${percent(mean_probability)}`,
          `${event} ${percent(observed)} of ${whole(forecasts)} times${formatInterval({ low, high }, percent)}`,
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
