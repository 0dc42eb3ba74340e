import { useState } from 'preact/hooks';
import type { CityAccuracy } from '../../../clients/typescript/src/generated.js';
import { parameters } from '../address.js';
import { Unlinked } from '../copy.js';
import { describeStations } from '../findings.js';
import { LEVEL } from '../intervals.js';
import { NO_PAIRS } from '../needs.js';
import { type Page, findStation, loadStations, loadSummary, usePage } from '../page.js';
import { biasClass, biasLabels } from '../palette.js';
import { Lack, makeBody } from '../body.js';
import { DataTable } from '../table.js';
import { isOffered } from '../published.js';
import { score, scoreWithUnit } from '../score.js';
import { Term } from '../term.js';
import { type Maybe, signed, valueUnit, whole } from '../words.js';
import { Track } from './events.js';

const FIRST_ROWS = 10;

/** The stations of the page with their errors, those that report no more behind the others. */
export async function loadCities(page: Page): Promise<CityAccuracy[]> {
  const { params, load } = page;
  // The days of one station end today there, those of all in UTC: take the same days for both.
  const isOfOne = params.station_id !== '';
  const { data: own, metadata } = (isOfOne && (await loadSummary(page).catch(() => undefined))) || {};
  const { data } = await load.get('accuracy/by-city', {
    ...parameters({ ...params, station_id: '' }),
    ...(metadata && { days: '', date_from: metadata.period_start, date_to: metadata.period_end }),
    ...{ sort_by: score().sortBy, ci: LEVEL },
  });
  // Nor may one number have two intervals, as the endpoints make them in two ways.
  return data.map((city) =>
    own?.uncertainty && city.station_id === metadata?.station_id
      ? { ...city, uncertainty: own.uncertainty }
      : city,
  );
}

/** The orders by the words of the API, each with its column. */
const ORDERS = {
  city: { at: 1, value: ({ city_name }: CityAccuracy) => city_name.toLowerCase() },
  score: { at: 2, value: ({ stats }: CityAccuracy) => score().read(stats) ?? Infinity },
  mean_error: { at: 4, value: ({ stats }: CityAccuracy) => stats.mean_error ?? Infinity },
  count: { at: 5, value: ({ sample_size }: CityAccuracy) => sample_size },
};

type SortBy = keyof typeof ORDERS;

async function loadRanking(page: Page) {
  const [data, all, found] = await Promise.all([loadCities(page), loadStations(page), findStation(page)]);
  if (data.length === 0) throw new Lack(NO_PAIRS);
  const inactive = all.filter(({ data_active }) => !data_active).map(({ station_id }) => station_id);
  return { cities: data, inactive: new Set(inactive), chosen: found?.station_id ?? '' };
}

/** The stations by their error. */
export const ranking = makeBody({
  load: loadRanking,
  view: (found, { params }) => ({
    verdict: describeStations(found.cities),
    caveat: (
      <>
        <Term of={score().term[0]}>{score().term[1]}</Term>. Choose a station to see its days.
      </>
    ),
    content: <Ranking {...found} />,
    csv: {
      what: 'the stations',
      path: 'accuracy/by-city',
      query: { ...parameters({ ...params, station_id: '' }), sort_by: score().sortBy },
    },
  }),
});

function Ranking({ cities, inactive, chosen }: Awaited<ReturnType<typeof loadRanking>>) {
  const [{ by, isDescending }, setOrder] = useState({ by: 'score' as SortBy, isDescending: false });
  const [isWhole, setWhole] = useState(false);
  const sort = (name: SortBy, text: string) => (
    <button
      type="button"
      class="plain"
      onClick={() => setOrder({ by: name, isDescending: by === name ? !isDescending : name === 'count' })}
    >
      {text}
    </button>
  );
  const { at, value } = ORDERS[by];
  const sorted = cities.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === right) return a.station_id.localeCompare(b.station_id);
    return left < right === isDescending ? 1 : -1;
  });
  // A station that reports no more has no rank.
  const active = sorted.filter(({ station_id }) => !inactive.has(station_id));
  const ranked = [...active, ...sorted.filter(({ station_id }) => inactive.has(station_id))];
  const shown = ranked.filter(
    ({ station_id }, index) => isWhole || index < FIRST_ROWS || station_id === chosen,
  );
  const errors = cities.flatMap(({ stats }) => score().read(stats) ?? []);
  const [min, max] = [Math.min(...errors), Math.max(...errors)];
  const share = (error: Maybe): number | null => {
    if (typeof error !== 'number') return null;
    return max === min ? 0.5 : (error - min) / (max - min);
  };
  return (
    <>
      <DataTable
        class="scroll-x ranking"
        caption="Stations with their score and bias"
        columns={[
          <span aria-label="Rank">#</span>,
          sort('city', 'Station'),
          sort('score', scoreWithUnit()),
          [min, max].map((end) => <span>{score().format(end)}</span>),
          sort('mean_error', `Bias, ${valueUnit()}`),
          sort('count', 'Forecasts'),
        ]}
        sorted={{ at, isDescending }}
        head={1}
        rows={shown.map((city) => {
          const { station_id, stats, uncertainty, sample_size } = city;
          const { low, high } = score().interval(uncertainty) ?? {};
          const colour = biasClass(stats, uncertainty);
          const isInactive = inactive.has(station_id);
          return [
            isInactive ? '–' : active.indexOf(city) + 1,
            <Name {...{ city, isInactive, isChosen: station_id === chosen }} />,
            score().format(score().read(stats)),
            <Track value={share(score().read(stats)) ?? 0} low={share(low)} high={share(high)} />,
            <span class={`chip bias-${colour}`} title={biasLabels()[colour]}>
              {signed(stats.mean_error)}
            </span>,
            whole(sample_size),
          ];
        })}
      />
      {cities.length > FIRST_ROWS && (
        <button type="button" class="whole" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show the first ${FIRST_ROWS}` : `Show all ${cities.length} stations`}
        </button>
      )}
      <Unlinked ids={cities.map(({ station_id }) => station_id)} />
    </>
  );
}

interface NameProps {
  city: CityAccuracy;
  isInactive: boolean;
  isChosen: boolean;
}

/** The name of a station, which chooses it. */
function Name({ city: { station_id, city_name }, isInactive, isChosen }: NameProps) {
  const { change } = usePage();
  return (
    <>
      <button
        type="button"
        class="plain"
        disabled={!isOffered('station_id', station_id)}
        data-station={station_id}
        aria-pressed={isChosen}
        onClick={() => change({ station_id: isChosen ? '' : station_id })}
      >
        {city_name}
      </button>
      <span class="quiet id"> {station_id}</span>
      {isInactive && <span class="quiet"> inactive</span>}
    </>
  );
}
