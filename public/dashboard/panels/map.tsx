import { useState } from 'preact/hooks';
import type { Station } from '../../../clients/typescript/src/generated.js';
import { EVERYWHERE, getRegion, regionText } from '../address.js';
import { late } from '../api.js';
import { type Options, Segments, Select } from '../fields.js';
import { inviteToRead } from '../figure.js';
import { NO_PAIRS } from '../needs.js';
import { findStation, loadStations, type Page, usePage, useSize } from '../page.js';
import { biasLabels, biasMark } from '../palette.js';
import { Unlinked } from '../copy.js';
import { isOffered, published } from '../published.js';
import { Lack, makeBody } from '../body.js';
import { Legend } from '../table.js';
import { countBiases } from '../findings.js';
import { score } from '../score.js';
import { Term } from '../term.js';
import { describeBias } from '../sentences.js';
import { counted, signed, valueUnit } from '../words.js';
import { Picture, type Place, type Topology, type WorldView } from './map-picture.js';
import { loadCities } from './ranking.js';

/** Outlines as TopoJSON, in the folder of this version. */
async function outlines(name: 'countries' | 'states'): Promise<Topology> {
  const response = await fetch(new URL(`./${name}.json`, import.meta.url));
  if (!response.ok) throw new Error(response.statusText);
  return (await response.json()) as Topology;
}

async function loadMap(page: Page) {
  const { params } = page;
  const isRegion = regionText(getRegion(params)) !== '';
  const [cities, all, chosen, geo] = await Promise.all([
    loadCities(page),
    loadStations(page),
    findStation(page),
    late(import('./geography.js')),
  ]);
  const byId = new Map(all.map((each) => [each.station_id, each]));
  const places = cities.flatMap((city): Place[] => {
    const station = byId.get(city.station_id);
    return station === undefined ? [] : [{ city, station }];
  });
  if (places.length === 0) throw new Lack(NO_PAIRS);
  const american = places.filter(({ station }) => station.country === 'US');
  const onlyAmerican = american.length === places.length;
  const isAmerican = onlyAmerican || (params.map === 'us' && american.length > 0);
  const view: WorldView = isRegion ? 'region' : isAmerican ? 'us' : 'world';
  const topology = await late(outlines(isAmerican ? 'states' : 'countries'));
  return {
    ...{ chosen, geo, topology, shown: isAmerican ? american : places, view, isAmerican },
    hasChoice: american.length > 1 && !onlyAmerican && !isRegion,
  };
}

/** The bias of each station where it is. */
export const map = makeBody({
  load: loadMap,
  view: ({ chosen, hasChoice, isAmerican, ...drawn }, { keep }) => ({
    verdict: countBiases(drawn.shown.map(({ city }) => city)),
    caveat: (
      <>
        Coloured: a significant <Term of="bias">bias</Term>, each station by itself. About one in twenty looks
        so by chance.
      </>
    ),
    content: (
      <>
        {(hasChoice || (chosen && !published)) && (
          <div class="fields row">
            {hasChoice && (
              <Segments
                {...{ name: 'map', legend: 'Map', value: isAmerican ? 'us' : '' }}
                options={[
                  ['', 'World'],
                  ['us', 'United States'],
                ]}
                choose={(map) => keep({ map })}
              />
            )}
            {chosen && !published && <Around {...chosen} />}
          </div>
        )}
        <Drawn {...drawn} chosen={chosen?.station_id ?? ''} />
        <Unlinked ids={drawn.shown.map(({ city }) => city.station_id)} />
      </>
    ),
  }),
});

/** How far stations around another may be, km. */
const RADII = ['50', '100', '250', '500'];

/** Chooses the stations around one. */
function Around({ city_name, latitude, longitude }: Station) {
  const { change } = usePage();
  const choose = (radius_km: string): void =>
    change({ ...EVERYWHERE, near: `${latitude},${longitude}`, radius_km, station_id: '' });
  return (
    <label class="basis">
      Only the stations within{' '}
      <Select
        {...{ name: 'radius_km', value: '', choose }}
        options={['', ...RADII].map((km): Options[0] => [km, km === '' ? '…' : `${km} km`])}
      />{' '}
      of {city_name}
    </label>
  );
}

type DrawnProps = Omit<Parameters<typeof Picture>[0], 'report' | 'pick' | 'width'>;

function Drawn(drawn: DrawnProps) {
  const { change } = usePage();
  const { place, width } = useSize<HTMLDivElement>();
  const [reported, setReported] = useState<Place>();
  const pick = (id: string): void => {
    if (isOffered('station_id', id)) change({ station_id: id === drawn.chosen ? '' : id });
  };
  const { city_name, stats, uncertainty, sample_size } = reported?.city ?? {};
  return (
    <>
      <div class="map" ref={place}>
        {width > 0 && <Picture {...drawn} {...{ width, pick, report: setReported }} />}
      </div>
      <p class="readout">
        {stats === undefined ? (
          inviteToRead()
        ) : (
          <>
            <b>{city_name}</b> {describeBias({ ...stats, uncertainty })} ({signed(stats.mean_error)}{' '}
            {valueUnit()}) · {score().name} {score().format(score().read(stats))}
            {score().unit()} · {counted(sample_size ?? 0, 'forecast')}
          </>
        )}
      </p>
      <Legend marks={biasLabels().map((label, kind) => [kind, biasMark(kind), label])} />
    </>
  );
}
