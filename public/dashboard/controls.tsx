import { useEffect, useState } from 'preact/hooks';
import type { Provider, Station } from '../../clients/typescript/src/generated.js';
import { EVERYWHERE, FIRST_QUESTION, type Question, regionOf, regionText } from './address.js';
import { stationOf, stationsOf, summaryOf, useAnswer, usePage } from './page.js';
import { bucketWords, countryName, regionWords } from './words.js';

const WINDOWS = { 7: '7 days', 30: '30 days', 90: '90 days', 365: '1 year' };

const LEADS = {
  '': 'All, 0 h and more',
  '0-6h': '0–6 h',
  '6-12h': '6–12 h',
  '12-24h': '12–24 h',
  '24-48h': '24–48 h',
  '48-72h': '48–72 h',
  '72h+': '72 h or more',
  'same-day': 'After the day began',
};

/** The choice of everything that the page shows. */
export function Controls() {
  const page = usePage();
  const { question, load, change, isReady } = page;
  const all = useAnswer(() => stationsOf(page), null, isReady);
  const one = useAnswer(() => stationOf(page), question.station_id, isReady);
  const providers = useAnswer(() => load.get('providers'), null, isReady);
  const summary = useAnswer(() => summaryOf(page), null, isReady);
  const byDates = question.date_from !== '' || question.date_to !== '';
  const [wantsDates, setWantsDates] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setWantsDates(false), [load]);
  const showsDates = byDates || wantsDates;
  const isBusy = all.isBusy || one.isBusy || providers.isBusy;
  // The window that an answer was about is where choosing dates begins.
  const { period_start = '', period_end = '' } = summary.answer?.metadata ?? {};
  const [from, to] = byDates ? [question.date_from, question.date_to] : [period_start, period_end];
  return (
    <form
      id="controls"
      class={isOpen ? 'controls open' : 'controls'}
      aria-label="Question"
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault();
        const { date_from, date_to } = Object.fromEntries(new FormData(event.currentTarget)) as Record<
          string,
          string
        >;
        if (showsDates)
          change({ date_from: date_from ?? '', date_to: date_to ?? '', days: FIRST_QUESTION.days });
      }}
    >
      <Segments
        {...{ name: 'metric', legend: 'Temperature', value: question.metric }}
        options={{ high: 'Daily high', low: 'Daily low' }}
        choose={(metric) => change({ metric })}
      />
      <Segments
        {...{ name: 'temp_unit', legend: 'Unit', value: question.temp_unit }}
        options={{ '': '°F', celsius: '°C' }}
        choose={(temp_unit) => change({ temp_unit })}
      />
      <Segments
        // A number of days that has no button, or a single bound, is shown by its words only.
        {...{ name: 'window', legend: 'Period', value: showsDates ? 'dates' : question.days }}
        options={{ ...WINDOWS, dates: 'Dates…' }}
        choose={(days) =>
          days === 'dates' ? setWantsDates(true) : change({ days, date_from: '', date_to: '' })
        }
      />
      {showsDates && <Dates key={`${from} ${to}`} {...{ from, to }} />}
      <label class="picker stations">
        <span>Stations</span>
        <Stations all={all.answer} chosen={(!one.isBusy && one.answer?.station_id) || question.station_id} />
      </label>
      <label class="picker more">
        <span>Lead time</span>
        <Select
          {...{ name: 'lead_time_bucket', value: question.lead_time_bucket, options: LEADS }}
          unlisted={bucketWords(question.lead_time_bucket)}
          choose={(lead_time_bucket) => change({ lead_time_bucket })}
        />
      </label>
      <Providers all={providers.answer?.data} />
      <button type="button" class="opener" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Less' : 'More'}
      </button>
    </form>
  );
}

interface ChoiceProps {
  name: string;
  value: string;
  options: Record<string, string>;
  choose: (value: string) => void;
}

const Segments = ({ name, legend, value, options, choose }: ChoiceProps & { legend: string }) => (
  <fieldset class={`segments ${name}`}>
    <legend>{legend}</legend>
    {Object.entries(options).map(([option, words]) => (
      <label>
        <input
          {...{ type: 'radio', name, value: option, checked: value === option }}
          onChange={() => choose(option)}
        />
        <span>{words}</span>
      </label>
    ))}
  </fieldset>
);

/** A list to choose from. A value that it lacks is added: the API will tell what is wrong with it. */
const Select = ({ name, value, options, unlisted = value, choose }: ChoiceProps & { unlisted?: string }) => (
  <select name={name} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
    {Object.entries(value in options ? options : { ...options, [value]: unlisted }).map(([option, words]) => (
      <option value={option} selected={option === value}>
        {words}
      </option>
    ))}
  </select>
);

/** The providers; where there is one, there is nothing to choose. */
function Providers({ all }: { all: Provider[] | undefined }) {
  const { question, change } = usePage();
  if ((all?.length ?? 2) < 2) return null;
  const isDefault = all?.some(({ provider, is_default }) => is_default && provider === question.provider);
  const options = Object.fromEntries(
    (all ?? []).map(({ provider, is_default }) => [is_default ? '' : provider, provider]),
  );
  return (
    <label class="picker more">
      <span>Provider</span>
      <Select
        {...{ name: 'provider', value: isDefault ? '' : question.provider, options }}
        unlisted={question.provider || '…'}
        choose={(provider) => change({ provider })}
      />
    </label>
  );
}

function Dates({ from, to }: { from: string; to: string }) {
  const [[date_from, date_to], set] = useState([from, to]);
  const bounds = { type: 'date' as const, min: '1970-01-01', max: '2149-06-06' };
  return (
    <div id="dates" class="dates">
      <label>
        From{' '}
        <input
          {...{ name: 'date_from', value: date_from, ...bounds }}
          onInput={({ currentTarget }) => set([currentTarget.value, date_to])}
        />
      </label>
      <label>
        to{' '}
        <input
          {...{ name: 'date_to', value: date_to, ...bounds }}
          onInput={({ currentTarget }) => set([date_from, currentTarget.value])}
        />
      </label>
      <button type="submit">Show</button>
    </div>
  );
}

/** What a choice of the list of stations changes: a station, or where all shown ones are. */
export const placeOf = (value: string): Partial<Question> =>
  value === '' || value.includes('=')
    ? { ...EVERYWHERE, ...Object.fromEntries(new URLSearchParams(value)), station_id: '' }
    : { station_id: value };

/** All stations, those of a region (where there is more than one), and each, by country. */
function Stations({ all = [], chosen }: { all: Station[] | undefined; chosen: string }) {
  const { question, change } = usePage();
  const region = regionOf(question);
  const value = all.length === 1 ? (all[0]?.station_id ?? '') : chosen || regionText(region);
  const regions = (name: 'country' | 'climate_zone', label: string) => {
    const values = [...new Set(all.map((each) => each[name]))].filter((each) => each !== '').sort();
    const words = (each: string): string => (name === 'country' ? countryName(each) : each);
    return values.length < 2
      ? []
      : [
          {
            label,
            options: values.map((each) => [regionText({ ...EVERYWHERE, [name]: each }), words(each)]),
          },
        ];
  };
  const countries = new Map<string, Station[]>();
  for (const station of all.toSorted((a, b) => a.city_name.localeCompare(b.city_name, 'en'))) {
    const name = countryName(station.country);
    countries.set(name, [...(countries.get(name) ?? []), station]);
  }
  const ordered = [...countries].sort(([a], [b]) => a.localeCompare(b, 'en'));
  const groups = [
    ...regions('country', 'A country'),
    ...regions('climate_zone', 'A climate zone'),
    ...ordered.map(([country, stations]) => ({
      label: countries.size === 1 ? 'A station' : country,
      options: stations.map(({ station_id, city_name, data_active }) => [
        station_id,
        `${city_name} (${station_id})${data_active ? '' : ', inactive'}`,
      ]),
    })),
  ];
  const isListed = value === '' || groups.some(({ options }) => options.some(([each]) => each === value));
  return (
    <select
      name="station_id"
      value={value}
      onChange={({ currentTarget }) => change(placeOf(currentTarget.value))}
    >
      {all.length !== 1 && (
        <option value="" selected={value === ''}>
          {all.length === 0 ? 'All stations' : `All ${all.length} stations`}
        </option>
      )}
      {!isListed && (
        <option value={value} selected>
          {chosen || regionWords(region)}
        </option>
      )}
      {groups.map(({ label, options }) => (
        <optgroup label={label}>
          {options.map(([each, words]) => (
            <option value={each} selected={each === value}>
              {words}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
