import { getProviders } from './api.js';
import { useRef } from 'preact/hooks';
import type { Suspect } from '../../clients/typescript/src/generated.js';
import { formatSearch, parameters } from './address.js';
import { describeSuspect } from './findings.js';
import { type Page, usePage, useResponse, useSeen } from './page.js';
import { needHighOrLow } from './panel.js';
import { published } from './published.js';
import { shortDay } from './words.js';

// Alarms of providers and observations that look wrong: in the foot of the page, and at the days that they concern.

const SHOWN = 5;

/** The observations of a request that look wrong, by date. */
export async function loadSuspects({ params, load }: Page): Promise<Suspect[]> {
  needHighOrLow(params);
  const requested = parameters({ ...params, provider: '', lead_time_bucket: '' });
  return (await load.get('data/suspects', requested)).data;
}

/** One line for each alarm, and for each of the latest observations in doubt; requested when it is in view. */
export function Alerts() {
  const page = usePage();
  const { params, load, isReady } = page;
  const place = useRef<HTMLUListElement>(null);
  const isSeen = useSeen(place);
  const { response: providers } = useResponse(() => getProviders(load), isReady && isSeen);
  // Values in another unit are gone until the next are there.
  const { response, isBusy } = useResponse(() => loadSuspects(page), isReady && isSeen);
  const suspects = (!isBusy && response) || [];
  const alarms = providers?.data.flatMap(({ provider, alarms }) =>
    alarms.map((alarm) => ({ provider, alarm })),
  );
  return (
    <ul id="alerts" ref={place}>
      {alarms?.map(({ provider, alarm }) => (
        <li class="alarm" key={alarm}>
          <a href={formatSearch({ ...params, provider })}>{alarm}</a>
        </li>
      ))}
      {suspects
        .slice(-SHOWN)
        .toReversed()
        .map((each) => {
          const { station_id, date, city_name } = each;
          const where = `In doubt: ${city_name}, ${shortDay(date)}`;
          return (
            <li key={`${station_id} ${date}`}>
              {!published ? (
                <a href={formatSearch({ ...params, station_id, date_from: date, date_to: date })}>{where}</a>
              ) : (
                where
              )}
              {`, ${describeSuspect(each)}`}
            </li>
          );
        })}
      {suspects.length > SHOWN && <li>{suspects.length - SHOWN} more observations in doubt</li>}
    </ul>
  );
}

/** Which observations of some days are in doubt. */
export function SuspectMark({ from, to }: { from: string; to: string }) {
  const page = usePage();
  const { response: suspects = [] } = useResponse(() => loadSuspects(page));
  const found = suspects.filter(({ date }) => from <= date && date <= to);
  if (found.length === 0) return null;
  const names = [...new Set(found.map(({ city_name }) => city_name))];
  return <span class="doubt"> · in doubt: {names.join(', ')}</span>;
}
