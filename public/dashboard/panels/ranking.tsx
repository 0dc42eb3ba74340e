import { useState } from 'preact/hooks';
import type { CityAccuracy } from '../../../clients/typescript/src/generated.js';
import { networkParameters } from '../address.js';
import type { Answers } from '../api.js';
import { LEVEL } from '../intervals.js';
import { type Page, stationOf, stationsOf, usePage } from '../page.js';
import { biasClass, biasLabels } from '../palette.js';
import { Nothing, Panel, type View } from '../panel.js';
import { Term } from '../term.js';
import { number, signed, unit, whole } from '../words.js';
import { Track } from './events.js';

const FIRST_ROWS = 10;

/** The words of the API for an order. */
type SortBy = 'mae' | 'mean_error' | 'count' | 'city';

const VALUE: Record<SortBy, (city: CityAccuracy) => number | string> = {
  mae: ({ stats }) => stats.mae ?? 0,
  mean_error: ({ stats }) => stats.mean_error ?? 0,
  count: ({ sample_size }) => sample_size,
  city: ({ city_name }) => city_name.toLowerCase(),
};

/** The stations of the page with their errors, those that report no more behind the others. */
export const citiesOf = ({ question, load }: Page): Promise<Answers['accuracy/by-city']> =>
  load.get('accuracy/by-city', { ...networkParameters(question), sort_by: 'mae', ci: LEVEL });

/** The stations by their error. */
export function Ranking() {
  const page = usePage();
  const { question } = page;
  const [order, setOrder] = useState<{ by: SortBy; isDescending: boolean }>({
    by: 'mae',
    isDescending: false,
  });
  const [isWhole, setWhole] = useState(false);
  const asked = networkParameters(question);
  return (
    <Panel
      id="ranking"
      title="Stations, ranked"
      on={[asked, question.station_id]}
      ask={async () => {
        const [{ data }, all, found] = await Promise.all([citiesOf(page), stationsOf(page), stationOf(page)]);
        if (data.length === 0)
          throw new Nothing('No station has a forecast of these days that can be compared.');
        const inactive = all.filter(({ data_active }) => !data_active).map(({ station_id }) => station_id);
        return { cities: data, inactive: new Set(inactive), chosen: found?.station_id ?? '' };
      }}
      view={({ cities, inactive, chosen }): View => {
        const value = VALUE[order.by];
        const direction = order.isDescending ? -1 : 1;
        const sorted = cities.toSorted((a, b) => {
          const [left, right] = [value(a), value(b)];
          return left === right
            ? a.station_id.localeCompare(b.station_id)
            : direction * (left < right ? -1 : 1);
        });
        const ranked = [
          ...sorted
            .filter(({ station_id }) => !inactive.has(station_id))
            .map((city, at) => ({ city, rank: at + 1 })),
          ...sorted
            .filter(({ station_id }) => inactive.has(station_id))
            .map((city) => ({ city, rank: undefined })),
        ];
        const shown =
          isWhole || ranked.length <= FIRST_ROWS
            ? ranked
            : ranked.filter(({ city, rank = Infinity }) => rank <= FIRST_ROWS || city.station_id === chosen);
        const errors = cities.map(({ stats }) => stats.mae ?? 0);
        const [least, most] = [Math.min(...errors), Math.max(...errors)];
        const column = (by: SortBy, text: string) => {
          const isActive = order.by === by;
          const sort = (): void =>
            setOrder({ by, isDescending: isActive ? !order.isDescending : by === 'count' });
          return (
            <th
              scope="col"
              class={`column-${by}`}
              aria-sort={isActive ? (order.isDescending ? 'descending' : 'ascending') : undefined}
            >
              <button type="button" onClick={sort}>
                {text}
              </button>
            </th>
          );
        };
        return {
          content: (
            <>
              <p class="basis">
                By <Term of="mae">average miss</Term>, best first. Choose a station to see its days.
              </p>
              <div class="scroll-x">
                <table class="ranking">
                  <caption class="visually-hidden">Stations with their mean absolute error and bias</caption>
                  <thead>
                    <tr>
                      <th scope="col" class="rank">
                        <span aria-label="Rank">#</span>
                      </th>
                      {column('city', 'Station')}
                      {column('mae', `MAE, ${unit()}`)}
                      <td class="scale" aria-hidden="true">
                        <span>{number(least)}</span>
                        <span>{number(most)}</span>
                      </td>
                      {column('mean_error', `Bias, ${unit()}`)}
                      {column('count', 'Forecasts')}
                    </tr>
                  </thead>
                  <tbody>
                    {shown.map(({ city, rank }) => (
                      <Row
                        key={city.station_id}
                        {...{ city, rank, least, most }}
                        isInactive={inactive.has(city.station_id)}
                        isChosen={city.station_id === chosen}
                      />
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          ),
          beside: (ranked.length > shown.length || isWhole) && (
            <button type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? `Show the first ${FIRST_ROWS}` : `Show all ${ranked.length} stations`}
            </button>
          ),
          csv: { what: 'the stations', path: 'accuracy/by-city', query: { ...asked, sort_by: order.by } },
        };
      }}
    />
  );
}

interface RowProps {
  city: CityAccuracy;
  /** Undefined where the station reports no more. */
  rank: number | undefined;
  /** The ends of the scale. */
  least: number;
  most: number;
  isInactive: boolean;
  isChosen: boolean;
}

function Row({ city, rank, least, most, isInactive, isChosen }: RowProps) {
  const { change } = usePage();
  const { station_id, city_name, stats, sample_size, uncertainty } = city;
  const share = (value: number | null): number | null =>
    value === null ? null : most === least ? 0.5 : (value - least) / (most - least);
  const colour = biasClass(stats, uncertainty);
  return (
    <tr class={isChosen ? 'chosen' : ''}>
      <td class="rank">{rank ?? '–'}</td>
      <th scope="row">
        <button
          type="button"
          class="station"
          data-station={station_id}
          aria-pressed={isChosen}
          onClick={() => change({ station_id: isChosen ? '' : station_id })}
        >
          {city_name}
        </button>
        <span class="quiet id"> {station_id}</span>
        {isInactive && <span class="quiet"> inactive</span>}
      </th>
      <td>{number(stats.mae)}</td>
      <td class="mae" aria-hidden="true">
        <Track
          value={share(stats.mae) ?? 0}
          low={share(uncertainty?.mae.low ?? null)}
          high={share(uncertainty?.mae.high ?? null)}
        />
      </td>
      <td>
        <span class={`chip bias-${colour}`} title={biasLabels()[colour]}>
          {signed(stats.mean_error)}
        </span>
      </td>
      <td class="column-count">{whole(sample_size)}</td>
    </tr>
  );
}
