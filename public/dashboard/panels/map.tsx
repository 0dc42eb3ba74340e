import { useState } from 'preact/hooks';
import type { CityAccuracy, Station } from '../../../clients/typescript/src/generated.js';
import { EVERYWHERE, networkParameters, regionOf, regionText } from '../address.js';
import { ApiFault } from '../api.js';
import { pointAt } from '../figure.js';
import { intervalWords } from '../intervals.js';
import { stationOf, stationsOf, usePage, useSize } from '../page.js';
import { biasLabels, biasMark } from '../palette.js';
import { Nothing, Panel, type View } from '../panel.js';
import { Term } from '../term.js';
import { biasWords, number, signed, unit, whole } from '../words.js';
import { library, Picture, type Topology, type WorldView } from './map-picture.js';
import { citiesOf } from './ranking.js';

/** A station with its errors. */
export interface Place {
  city: CityAccuracy;
  station: Station;
}

const loaded = new globalThis.Map<string, Promise<Topology>>();

/** Outlines as TopoJSON, in the folder of this version. @throws ApiFault */
function outlines(name: 'countries' | 'states'): Promise<Topology> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const loading = fetch(new URL(`./${name}.json`, import.meta.url))
    .then((response): Promise<Topology> => (response.ok ? response.json() : Promise.reject(new Error())))
    .catch(() => {
      loaded.delete(name);
      throw new ApiFault('OUTDATED');
    });
  loaded.set(name, loading);
  return loading;
}

/** The bias of each station where it is. */
export function Map() {
  const page = usePage();
  const { question } = page;
  const isRegion = regionText(regionOf(question)) !== '';
  return (
    <Panel
      id="map"
      title="Bias on the map"
      on={[networkParameters(question), question.station_id, question.map]}
      ask={async () => {
        const [{ data: cities }, all, chosen, geo] = await Promise.all([
          citiesOf(page),
          stationsOf(page),
          stationOf(page),
          library(),
        ]);
        const byId = new globalThis.Map(all.map((each) => [each.station_id, each]));
        const places = cities.flatMap((city): Place[] => {
          const station = byId.get(city.station_id);
          return station === undefined ? [] : [{ city, station }];
        });
        if (places.length === 0)
          throw new Nothing('No station has a forecast of these days that can be compared.');
        const american = places.filter(({ station }) => station.country === 'US');
        const onlyAmerican = american.length === places.length;
        const isAmerican = onlyAmerican || (question.map === 'us' && american.length > 0);
        const view: WorldView = isRegion ? 'region' : isAmerican ? 'us' : 'world';
        const topology = await outlines(isAmerican ? 'states' : 'countries');
        return {
          ...{ chosen, geo, topology, shown: isAmerican ? american : places },
          view,
          hasChoice: american.length > 1 && !onlyAmerican && !isRegion,
          isAmerican,
        };
      }}
      view={({ chosen, hasChoice, isAmerican, ...drawn }): View => ({
        content: (
          <>
            <p class="basis">
              <Term of="bias">Bias</Term> of each station. A colour means that its{' '}
              <Term of="interval">95 % interval</Term> is on one side of 0.
            </p>
            {(hasChoice || chosen) && (
              <div class="fields">
                {hasChoice && <Toggle isAmerican={isAmerican} />}
                {chosen && <Around {...chosen} />}
              </div>
            )}
            <Drawn {...drawn} chosen={chosen?.station_id ?? ''} />
          </>
        ),
      })}
    />
  );
}

function Toggle({ isAmerican }: { isAmerican: boolean }) {
  const { change } = usePage();
  return (
    <div class="toggle" role="group" aria-label="Map">
      <button type="button" data-map="" aria-pressed={!isAmerican} onClick={() => change({ map: '' })}>
        World
      </button>
      <button type="button" data-map="us" aria-pressed={isAmerican} onClick={() => change({ map: 'us' })}>
        United States
      </button>
    </div>
  );
}

/** How far stations around another may be, km. */
const RADII = [50, 100, 250, 500];

/** Chooses the stations around one. */
function Around({ city_name, latitude, longitude }: Station) {
  const { change } = usePage();
  const choose = (radius_km: string): void =>
    change({ ...EVERYWHERE, near: `${latitude},${longitude}`, radius_km, station_id: '' });
  return (
    <label class="basis">
      Only the stations within{' '}
      <select name="radius_km" value="" onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">…</option>
        {RADII.map((km) => (
          <option value={km}>{km} km</option>
        ))}
      </select>{' '}
      of {city_name}
    </label>
  );
}

type DrawnProps = Omit<Parameters<typeof Picture>[0], 'tell' | 'pick' | 'width'>;

function Drawn(drawn: DrawnProps) {
  const { change } = usePage();
  const { place, width } = useSize<HTMLDivElement>();
  const [told, setTold] = useState<Place>();
  const pick = (id: string): void => change({ station_id: id === drawn.chosen ? '' : id });
  const { city_name, stats, uncertainty, sample_size } = told?.city ?? {};
  return (
    <>
      <div class="map" ref={place}>
        {width > 0 && <Picture {...drawn} {...{ width, pick, tell: setTold }} />}
      </div>
      <p class="readout">
        {stats === undefined ? (
          pointAt('a station')
        ) : (
          <>
            <b>{city_name}</b> {biasWords(stats.mean_error)} (95 %:{' '}
            {intervalWords(uncertainty?.mean_error, signed) ?? 'not known'}) · MAE {number(stats.mae)}{' '}
            {unit()} · {whole(sample_size ?? 0)} forecasts
          </>
        )}
      </p>
      <ul class="bias-legend" aria-label="Colours of the bias">
        {biasLabels().map((label, index) => (
          <li>
            <span class={`chip bias-${index}`} aria-hidden="true">
              {biasMark(index)}
            </span>{' '}
            {label}
          </li>
        ))}
      </ul>
    </>
  );
}
