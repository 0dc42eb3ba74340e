import type { Station } from '../../../clients/typescript/src/generated.js';
import { addDays, countDays, formatSearch, type Parameters, parameters, USUAL_LEAD } from '../address.js';
import type { Responses } from '../api.js';
import { type Area, Bar, Line, Plot } from '../figure.js';
import { NO_PAIRS } from '../needs.js';
import { findStation, loadStations, loadSummary, type Page, usePage } from '../page.js';
import { Lack, makeBody } from '../body.js';
import { DataTable } from '../table.js';
import { isOffered } from '../published.js';
import { describeLeads } from '../sentences.js';
import { getPeriod } from '../variables.js';
import {
  counted,
  getSpan,
  isOfChance,
  momentThere,
  number,
  shortDay,
  sideWords,
  signed,
  tick,
  valueUnit,
} from '../words.js';

type Pair = Responses['data/forecast-actual']['data'][number];

/** The largest misses of all stations that are shown, of so many pairs: a day may be among them with several forecasts. */
const SHOWN = 8;
const MAX_SINGLE = '40';

/** A station has a picture of its last days, so that the latest forecast of each is among the pairs that a response has. */
const MAX_DAYS = { day: 60, hour: 3 };
const MAX_PAIRS = '1000';

/** A day or an hour at a station. */
const keyOf = ({ station_id, target_date, valid_at }: Pair): string =>
  `${station_id} ${valid_at ?? target_date}`;

async function loadPairs(page: Page) {
  const { params, load } = page;
  const [station, stations] = await Promise.all([findStation(page), loadStations(page)]);
  const shape: Parameters = station
    ? { ...(await findLastDays(page)), limit: MAX_PAIRS }
    : { sort_by: 'abs_error', limit: MAX_SINGLE };
  const ask = async (lead: string) => {
    const requested = { ...parameters({ ...params, lead_time_bucket: lead }), ...shape };
    return { lead, requested, data: (await load.get('data/forecast-actual', requested)).data };
  };
  const usual = await ask(params.lead_time_bucket || USUAL_LEAD);
  // A provider may issue none so far ahead.
  const { data, ...own } = usual.data.length > 0 ? usual : await ask(params.lead_time_bucket);
  if (data.length === 0) throw new Lack(NO_PAIRS);
  // A day has several forecasts: a picture takes the latest one, and the list that of the largest miss, which comes first.
  const cases = [...Map.groupBy(data, keyOf).values()];
  const shown = station ? cases.map((each) => each.at(-1)!) : cases.slice(0, SHOWN).map(([first]) => first!);
  const zones = new Map(stations.map(({ station_id, timezone }) => [station_id, timezone]));
  return { station, shown, zones, ...own };
}

/** The last days of the window of a request, as words of the API. */
async function findLastDays(page: Page) {
  const { period_start, period_end } = (await loadSummary(page)).metadata;
  const last = MAX_DAYS[getPeriod(page.params)];
  const isShort = countDays(period_start, period_end) <= last;
  return { days: '', date_from: isShort ? period_start : addDays(period_end, 1 - last), date_to: period_end };
}

/** A forecast and what came, in words. */
const describeForecast = ({ forecast }: Pair): string =>
  isOfChance() ? `${tick(forecast)}%` : tick(forecast);
const describeActual = ({ actual }: Pair): string =>
  !isOfChance() ? tick(actual) : actual > 0 ? 'rain' : 'dry';

type Found = Awaited<ReturnType<typeof loadPairs>>;

/** The day of a pair, or its hour by the clock of its station. */
const describeTime = ({ station_id, target_date, valid_at }: Pair, { zones }: Found): string =>
  valid_at === undefined ? shortDay(target_date) : momentThere(valid_at, zones.get(station_id) ?? 'UTC');

/** The cells of a pair in a table: when, forecast, observed, error. */
const listCells = (pair: Pair, found: Found): string[] => [
  describeTime(pair, found),
  describeForecast(pair),
  describeActual(pair),
  signed(pair.error, 1),
];

/** The forecast that was furthest from what came. */
function describeLargest(found: Found): string {
  const [largest] = found.shown.toSorted((a, b) => Math.abs(b.error) - Math.abs(a.error));
  if (largest === undefined) return '';
  const where = `${found.station ? '' : `in ${largest.city_name}, `}${describeTime(largest, found)}`;
  if (isOfChance())
    return `${describeForecast(largest)} said ${where}, and it ${largest.actual > 0 ? 'rained' : 'stayed dry'}.`;
  return `${number(Math.abs(largest.error), 1)} ${valueUnit()} ${sideWords(largest.error)} ${where}, the largest miss: forecast ${describeForecast(largest)}, observed ${describeActual(largest)}.`;
}

/** Forecasts with what came: of a station day by day, of all the largest misses. */
export const pairs = makeBody({
  load: loadPairs,
  view(found) {
    const { station, shown, lead, requested } = found;
    return {
      title: station ? `Forecast and observed in ${station.city_name}` : 'The largest single misses',
      verdict: describeLargest(found),
      caveat: station
        ? `The latest forecast of each ${getSpan().one}, the last ${counted(shown.length, getSpan().one, getSpan().many)}, ${describeLeads({ lead_time_bucket: lead })}.`
        : `Forecasts ${describeLeads({ lead_time_bucket: lead })}. Choose a station to see its days.`,
      content: station ? <Course {...{ found, station }} /> : <Largest {...found} />,
      ...(station && {
        table: {
          caption: 'Forecasts with what came',
          columns: ['When', 'Forecast', 'Observed', 'Error'],
          rows: shown.toReversed().map((pair) => listCells(pair, found)),
        },
      }),
      csv: { what: 'these forecasts', path: 'data/forecast-actual', query: requested },
    };
  },
});

function Largest(found: Found) {
  const { params } = usePage();
  return (
    <DataTable
      class="scroll-x"
      caption="Forecasts furthest from what came"
      columns={['Where', 'When', 'Forecast', 'Observed', `Error, ${valueUnit()}`]}
      rows={found.shown.map((pair) => [
        isOffered('station_id', pair.station_id) ? (
          <a href={formatSearch({ ...params, station_id: pair.station_id })}>{pair.city_name}</a>
        ) : (
          pair.city_name
        ),
        ...listCells(pair, found),
      ])}
    />
  );
}

/** Two lines, of what was forecast and of what came; of chances bars in the colours of what came. */
function Course({ found, station }: { found: Found; station: Station }) {
  const { shown } = found;
  const values = shown.flatMap(({ forecast, actual }) => [forecast, actual]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = 0.06 * (high - low) || 1;
  const drawLines = ({ x, y }: Area) => [
    <Line {...{ x, y, class: 'came', points: shown.map(({ actual }, at) => [at, actual]) }} />,
    <Line {...{ x, y, class: 'mae', points: shown.map(({ forecast }, at) => [at, forecast]) }} />,
  ];
  const drawRain = ({ x, y, foot }: Area) =>
    shown.map(({ forecast, actual }, at) => (
      <Bar
        {...{ x: x(at), y: y(Math.max(2, forecast)), width: 0.7 * (x(1) - x(0)), foot }}
        class={actual > 0 ? 'mae' : 'rest'}
      />
    ));
  return (
    <Plot
      label={`Chart of forecasts and what came in ${station.city_name}. ${describeLargest(found)} Arrow keys read it one by one.`}
      across={shown.length}
      marks={(slot) => {
        const every = Math.ceil(72 / slot);
        return shown.flatMap((pair, at): [number, string][] =>
          (shown.length - 1 - at) % every === 0
            ? [[Math.min(at, shown.length - 0.5 - 22 / slot), shortDay(pair.target_date)]]
            : [],
        );
      }}
      parts={[
        isOfChance()
          ? {
              name: ['chance, ', <tspan class="mae">it rained</tspan>, <tspan class="quiet"> · dry</tspan>],
              range: [0, 100],
              format: (value) => `${value}%`,
              draw: drawRain,
            }
          : {
              name: [<tspan class="mae">forecast</tspan>, ' · ', <tspan class="came">observed</tspan>],
              range: [low - room, high + room],
              draw: drawLines,
            },
      ]}
      reading={(at) => {
        const pair = shown[at]!;
        const error = isOfChance() ? '' : ` · ${signed(pair.error, 1)} ${valueUnit()}`;
        return [
          describeTime(pair, found),
          `forecast ${describeForecast(pair)} · observed ${describeActual(pair)}${error}`,
        ];
      }}
    />
  );
}
