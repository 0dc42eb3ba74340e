import { getProviders } from './api.js';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Provider, Station } from '../../clients/typescript/src/generated.js';
import { VARIABLE_NAMES, type VariableName, VARIABLES } from '../../src/variables/variables.js';
import { BUCKETS, EVERYWHERE, DEFAULT_PARAMS, toPlaceParams, getRegion, regionText } from './address.js';
import { Combobox } from './combobox.js';
import { type Options, Picker, Segments } from './fields.js';
import type { Choice } from './matching.js';
import { findStation, loadStations, loadSummary, useResponse, usePage } from './page.js';
import { findNearest } from './place.js';
import { changesUnit, isOffered, keepOffered, published } from './published.js';
import { getChance } from './variables.js';
import { bucketWords, climateName, counted, countryName, getSystem, regionWords, whole } from './words.js';

const WINDOWS: Options = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
  ['dates', 'Dates…'],
];

const VARIABLE_OPTIONS = VARIABLE_NAMES.map((name): Options[0] => [name, VARIABLES[name].label]);

/** The name of a variable, also of one that a copy has no views of. */
const getLabel = (name: string): string => (isVariable(name) ? VARIABLES[name].label : name);
const isVariable = (name: string): name is VariableName => (VARIABLE_NAMES as string[]).includes(name);

const PERIODS = { day: 'Of a day', hour: 'Of an hour' };

/** The heading of a variable: chances of a day stand with those of a window of hours. */
const nameGroup = (metric: string): string =>
  getChance({ metric }) ? 'Chance of rain' : PERIODS[VARIABLES[metric as VariableName].period];

/** The options of variables with pairs; all until it is known which have any. */
function keepWithPairs(options: Options, providers: Provider[] | undefined): Options {
  const known = new Set(providers?.flatMap(({ variables = [] }) => variables));
  return providers === undefined ? options : options.filter(([name]) => known.has(name));
}

const LEADS: Options = [
  ['', 'All'],
  ...BUCKETS.map((bucket): Options[0] => [bucket, bucketWords(bucket)]),
  ['same-day', 'After the day began'],
];

/** The choice of everything that the page shows. */
export function Controls() {
  const page = usePage();
  const { params, load, change, isReady } = page;
  const all = useResponse(() => loadStations(page), isReady);
  const one = useResponse(() => findStation(page), isReady);
  const providers = useResponse(() => getProviders(load), isReady);
  const summary = useResponse(() => loadSummary(page), isReady);
  const byDates = params.date_from !== '' || params.date_to !== '';
  const [wantsDates, setWantsDates] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setWantsDates(false), [load]);
  const showsDates = byDates || wantsDates;
  const isBusy = all.isBusy || one.isBusy || providers.isBusy;
  // The window that a response was about is where choosing dates begins.
  const { period_start = '', period_end = '' } = summary.response?.metadata ?? {};
  const [from, to] = byDates ? [params.date_from, params.date_to] : [period_start, period_end];
  const variables = keepWithPairs(keepOffered('metric', VARIABLE_OPTIONS), providers.response?.data);
  return (
    <form
      id="controls"
      class={isOpen ? 'controls row open' : 'controls row'}
      aria-label="What to show"
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault();
        const given = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
        const { date_from = '', date_to = '' } = given;
        if (showsDates) change({ date_from, date_to, days: DEFAULT_PARAMS.days });
      }}
    >
      {variables.some(([name]) => name !== params.metric) && (
        <Picker
          {...{ label: 'Variable', name: 'metric', value: params.metric, options: variables }}
          {...{ groupOf: nameGroup, unlisted: getLabel(params.metric) }}
          choose={(metric) => change({ metric })}
        />
      )}
      {changesUnit('metric', params.metric) && (
        <Segments
          {...{ name: 'units', legend: 'Units', value: getSystem() }}
          options={keepOffered('units', [
            ['us', 'US'],
            ['metric', 'Metric'],
            ['si', 'SI'],
          ])}
          choose={(units) => change({ units })}
        />
      )}
      <Segments
        // A number of days that has no button, or a single bound, is shown by its words only.
        {...{ name: 'window', legend: 'Period', value: showsDates ? 'dates' : params.days }}
        options={keepOffered('days', WINDOWS)}
        choose={(days) =>
          days === 'dates' ? setWantsDates(true) : change({ days, date_from: '', date_to: '' })
        }
      />
      {showsDates && <Dates key={`${from} ${to}`} {...{ from, to }} />}
      <Stations all={all.response} chosen={(!one.isBusy && one.response?.station_id) || params.station_id} />
      {!published && (
        <Picker
          {...{ label: 'Lead time', more: true, name: 'lead_time_bucket', options: LEADS }}
          {...{ value: params.lead_time_bucket, unlisted: bucketWords(params.lead_time_bucket) }}
          choose={(lead_time_bucket) => change({ lead_time_bucket })}
        />
      )}
      <Providers all={providers.response?.data} />
      <button type="button" class="opener" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Less' : 'More'}
      </button>
    </form>
  );
}

/** The providers; where there is one, there is nothing to choose. */
function Providers({ all }: { all: Provider[] | undefined }) {
  const { params, change } = usePage();
  if ((all?.length ?? 2) < 2) return null;
  const isDefault = all?.some(({ provider, is_default }) => is_default && provider === params.provider);
  const options = (all ?? []).map(({ provider, is_default }): Options[0] => [
    is_default ? '' : provider,
    provider,
  ]);
  return (
    <Picker
      {...{ label: 'Provider', more: true, name: 'provider', options }}
      {...{ value: isDefault ? '' : params.provider, unlisted: params.provider || '…' }}
      choose={(provider) => change({ provider })}
    />
  );
}

function Dates({ from, to }: { from: string; to: string }) {
  const bounds = { type: 'date' as const, min: '1970-01-01', max: '2149-06-06' };
  return (
    <div id="dates" class="dates row">
      <label class="picker">
        From <input {...bounds} name="date_from" defaultValue={from} />
      </label>
      <label class="picker">
        to <input {...bounds} name="date_to" defaultValue={to} />
      </label>
      <button type="submit">Show</button>
    </div>
  );
}

const NO_STATIONS: Station[] = [];

/** All stations, those of a region, and each, in one field to search. */
function Stations({ all = NO_STATIONS, chosen }: { all: Station[] | undefined; chosen: string }) {
  const { params, change } = usePage();
  const region = getRegion(params);
  const choices = useMemo(() => toChoices(all), [all]);
  const choose = (value: string): void => change(toPlaceParams(value, region, all));
  return (
    <>
      <Combobox
        {...{ name: 'station_id', label: 'Stations', choices, choose }}
        value={all.length === 1 ? (all[0]?.station_id ?? '') : chosen || regionText(region)}
        unlisted={chosen || regionWords(region)}
      />
      {all.length !== 1 && 'geolocation' in navigator && <NearMe {...{ all, choose }} />}
    </>
  );
}

/** Chooses the station nearest to the device, which the browser asks about on a click alone. */
function NearMe({ all, choose }: { all: Station[]; choose: (station_id: string) => void }) {
  const { announce } = usePage();
  const [text, setText] = useState('Near me');
  const find = (): void => {
    setText('Looking…');
    findNearest(all.filter(({ station_id }) => isOffered('station_id', station_id))).then(
      ({ station, km }) => {
        setText('Near me');
        announce(`${station.city_name}, ${whole(Math.round(km))} km away`);
        choose(station.station_id);
      },
      (error: Error) => {
        setText('Not found');
        announce(error.message);
      },
    );
  };
  return (
    // Before the list of stations is there it waits, so that nothing moves.
    <button
      {...{ type: 'button', class: 'near', disabled: all.length === 0, onClick: find }}
      title="The station nearest to this device"
    >
      {text}
    </button>
  );
}

/** The words that choose a region, each with its kind and its names. */
const REGIONS = [
  ['country', 'country', countryName],
  ['climate_zone', 'climate zone', climateName],
] as const;

/** A region is a choice where there is more than one, and so are all stations. */
function toChoices(all: Station[]): Choice[] {
  const regions = REGIONS.flatMap(([name, kind, toWords]) => {
    const byValue = Map.groupBy(all, (station) => station[name]);
    byValue.delete('');
    if (byValue.size < 2 || published) return [];
    const choices = [...byValue].map(([each, stations]): Choice => {
      const note = `${kind}, ${counted(stations.length, 'station')}`;
      const value = regionText({ ...EVERYWHERE, [name]: each });
      return { value, words: toWords(each), note, codes: [each], names: [] };
    });
    return choices.sort((a, b) => a.words.localeCompare(b.words, 'en'));
  });
  const every = { value: '', note: '', codes: [], names: ['All stations'] };
  return [
    ...(all.length === 1
      ? []
      : [{ ...every, words: all.length === 0 ? 'All stations' : `All ${all.length} stations` }]),
    ...regions,
    ...all
      .filter(({ station_id }) => isOffered('station_id', station_id))
      .sort(byName)
      .map(toChoice),
  ];
}

function toChoice({ station_id, city_name, country, data_active, aliases, external_ids }: Station): Choice {
  const iata = external_ids.iata === '' ? [] : [external_ids.iata];
  return {
    value: station_id,
    words: `${city_name} (${station_id})${data_active ? '' : ', inactive'}`,
    note: [countryName(country), ...iata].join(', '),
    codes: [station_id, ...iata],
    names: [city_name, ...aliases],
  };
}

const byName = (a: Station, b: Station): number => a.city_name.localeCompare(b.city_name, 'en');
