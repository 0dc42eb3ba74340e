import type { Station } from '../../../clients/typescript/src/generated.js';
import { addDays } from '../address.js';
import { type Options, Segments } from '../fields.js';
import { type Page, usePage } from '../page.js';
import { inUnit, number, timeThere, unit, weekday } from '../words.js';

/** Days after today that may have a forecast to show. */
const DAYS_AHEAD = 6;

/** More than a provider issues for a day. */
const MAX_ISSUED = '1000';

export interface Choices {
  /** By the clock of the station, YYYY-MM-DD. */
  today: string;
  /** The time there. */
  time: string;
  days: { date: string; forecast: number | null }[];
}

/** Today at a station, and each day after it that has a forecast. */
export async function loadChoices({ params, load }: Page, station: Station): Promise<Choices> {
  const { metric, provider, units } = params;
  const subject = { station_id: station.station_id, metric, provider, units, limit: MAX_ISSUED };
  const forecastsFor = (forecast_for_date: string) =>
    load.get('data/forecasts', { ...subject, forecast_for_date });
  const first = await forecastsFor('');
  const today = first.metadata.forecast_for_date;
  const dates = Array.from({ length: DAYS_AHEAD }, (_each, index) => addDays(today, index + 1));
  const responses = [first, ...(await Promise.all(dates.map(forecastsFor)))];
  const days = [today, ...dates].map((date, index) => {
    const last = responses[index]?.data.at(-1);
    return { date, forecast: last === undefined ? null : inUnit(last, 'forecast') };
  });
  // A link may name any day, such as one that has ended.
  const named = params.target_date;
  const isNamed = named === '' || days.some(({ date }) => date === named);
  return {
    today,
    time: timeThere(new Date().toISOString(), station.timezone),
    days: [
      ...(isNamed ? [] : [{ date: named, forecast: null }]),
      ...days.filter(({ date, forecast }) => date === today || forecast !== null || date === named),
    ],
  };
}

/** Chooses the day of the odds. */
export function DayPicker({ today, time, days }: Choices) {
  const { params, keep } = usePage();
  const makeName = (date: string): string =>
    date === today
      ? 'Today'
      : date === addDays(today, 1)
        ? `Tomorrow, ${weekday(date).split(',')[0]}`
        : weekday(date);
  return (
    <Segments
      {...{ name: 'target_date', value: params.target_date || today }}
      legend={`Day (local time there: ${time})`}
      options={days.map(({ date, forecast }): Options[0] => [
        date,
        <>
          {makeName(date)}
          <small>{forecast === null ? '–' : `${number(forecast, 1).replace(/\.0$/, '')} ${unit()}`}</small>
        </>,
      ])}
      // Another day has a forecast, a lead and a threshold of its own.
      choose={(date) =>
        keep({ target_date: date === today ? '' : date, forecast: '', forecast_lead: '', threshold: '' })
      }
    />
  );
}
