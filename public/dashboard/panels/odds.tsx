import type { Probability, Station } from '../../../clients/typescript/src/generated.js';
import { addDays, BUCKETS, type PageParams, USUAL_LEAD } from '../address.js';
import { ifInvalid } from '../api.js';
import { convertedFrom } from '../degrees.js';
import { Degrees, type Options, Select } from '../fields.js';
import { type Area, Bar, Plot } from '../figure.js';
import { intervalWords } from '../intervals.js';
import { type Page, findStation, usePage } from '../page.js';
import { makeBody, type View } from '../body.js';
import { remarkThere } from '../sentences.js';
import { Term } from '../term.js';
import {
  counted,
  day,
  hours,
  inUnit,
  momentThere,
  number,
  percent,
  period,
  tick,
  timeThere,
  unit,
  weekday,
  whole,
} from '../words.js';
import { Intraday, isSoFar, loadMeasured } from './day-so-far.js';

/** Where no forecast is stored, the visitor begins with this one. */
const EXAMPLES = { '°F': { high: '75', low: '55' }, '°C': { high: '24', low: '13' } };

/** Degrees on each side of the forecast that the bars show: errors beyond are rarer than one in a thousand. */
const REACH = { '°F': 12, '°C': 7 };

async function loadDay(page: Page) {
  const station = await findStation(page);
  if (station === undefined) return undefined;
  const [today, requested] = await Promise.all([loadToday(page, station), loadProbabilities(page, station)]);
  return { station, today, ...requested };
}

/** The present day by the clock of a station, YYYY-MM-DD. */
async function loadToday({ params: { metric }, load }: Page, { station_id }: Station): Promise<string> {
  const { metadata } = await load.get('data/forecasts', { station_id, metric, limit: '1' });
  return metadata.forecast_for_date;
}

/** The odds of a visitor's forecast or of a day's latest stored one: of a threshold, and of each whole degree. */
export const probabilities = makeBody({
  load: loadDay,
  view(found): View {
    if (found === undefined)
      return { content: <p class="empty">Choose a station above for the odds of a day there.</p> };
    const { probabilities, request } = found;
    return {
      title: `The odds in ${found.station.city_name}`,
      content: <LoadedProbabilities {...found} />,
      ...(probabilities && {
        table: {
          caption: 'The chance of each temperature, in whole degrees',
          columns: [unit(), 'Chance', '95% interval'],
          rows: (probabilities.brackets ?? []).map((each) => [
            bracketWords(inUnit(each, 'from'), inUnit(each, 'to')),
            percent(each.probability),
            intervalWords(each, percent) ?? '–',
          ]),
        },
        csv: { what: 'the odds', path: 'probability', query: request },
      }),
    };
  },
});

/** The fields of the form. */
type Fields = Pick<PageParams, 'forecast' | 'forecast_lead' | 'threshold'>;

interface ProbabilityOfDay {
  fields: Fields;
  source: string;
  request: Record<string, string>;
  probabilities?: Probability;
  hint?: string | undefined;
  measured?: Awaited<ReturnType<typeof loadMeasured>> | undefined;
  /** Why there are no odds. */
  refusal?: string;
}

async function loadProbabilities(page: Page, station: Station): Promise<ProbabilityOfDay> {
  const { params, load } = page;
  const { metric, provider, target_date, units } = params;
  const subject = { station_id: station.station_id, metric, provider, target_date, units, so_far: '' };
  const ofLead = { lead_time_bucket: params.forecast_lead };
  /** Gets the odds of the latest forecast of the day; undefined where none is stored. */
  const get = (): Promise<Probability | undefined> =>
    load.get('probability', { ...subject, ...ofLead }).then(
      ({ data }) => data,
      ifInvalid(() => undefined),
    );
  let found = params.forecast === '' ? await get() : undefined;
  // Where the hours of the day say too little, the errors of past forecasts have odds all the same.
  let left_out = '';
  if (found && isSoFar(found) && found.reason !== null) {
    left_out = ` It uses neither readings nor forecasts of the day itself: ${remarkThere(found.reason, station.timezone)}.`;
    subject.so_far = 'ignore';
    found = await get();
  }
  const example = EXAMPLES[unit()][metric === 'low' ? 'low' : 'high'];
  const known = (found && inUnit(found, 'forecast')) ?? found?.so_far?.m ?? example;
  const forecast = params.forecast || String(known);
  const usualLead = found && isSoFar(found) ? '' : (found?.lead_time_bucket ?? USUAL_LEAD);
  const forecast_lead = params.forecast_lead || usualLead;
  const threshold = params.threshold || String(chooseThreshold(Number(forecast), found, metric));
  const request = {
    ...{ ...subject, ...(found ? ofLead : { forecast, lead_time_bucket: forecast_lead }) },
    ...{ thresholds: threshold, brackets: degreesAround(Number(forecast)) },
  };
  const source = describeSource(found, params.forecast, station) + left_out;
  const shared = { fields: { forecast, forecast_lead, threshold }, source, request };
  if (!/^-?\d{1,3}$/.test(threshold)) return { ...shared, refusal: `${threshold} is not a whole degree` };
  try {
    const { data, metadata } = await load.get('probability', request);
    const measured = isSoFar(data) ? await loadMeasured(page, data) : undefined;
    return { ...shared, probabilities: data, hint: metadata.hint, measured };
  } catch (error) {
    return ifInvalid((refusal) => ({ ...shared, refusal }))(error);
  }
}

/** The whole degree of a forecast; of a day that has begun the first that is still open. */
function chooseThreshold(forecast: number, found: Probability | undefined, metric: string): number {
  const degree = Math.floor(forecast + 0.5);
  const reading = found?.so_far?.m ?? null;
  if (reading === null) return degree;
  return metric === 'low' ? Math.min(degree, Math.floor(reading)) : Math.max(degree, Math.floor(reading) + 1);
}

/** Where the forecast comes from. */
function describeSource(found: Probability | undefined, given: string, { timezone }: Station): string {
  if (found?.issued_at) return `Latest forecast: issued ${momentThere(found.issued_at, timezone)}.`;
  return given === '' ? 'An example, as no forecast is stored for this day: enter yours.' : 'Your forecast.';
}

/** The whole degrees around a forecast, as the API takes them. */
const degreesAround = (forecast: number): string =>
  Array.from(
    { length: 2 * REACH[unit()] + 1 },
    (_each, at) => Math.floor(forecast + 0.5) - REACH[unit()] + at,
  )
    .map((degree) => `${degree}-${degree}`)
    .join(',');

type Loaded = ProbabilityOfDay & { station: Station; today: string };

function LoadedProbabilities(props: Loaded) {
  const page = usePage();
  const { station, today, fields, probabilities, refusal, measured } = props;
  const [requested] = probabilities?.thresholds ?? [];
  const interval = intervalWords(requested, percent);
  const converted = convertedFrom(fields.threshold, unit());
  const isKnown = probabilities !== undefined && typeof requested?.at_or_above === 'number';
  return (
    <>
      <ProbabilityForm {...{ ...fields, today, station }} />
      {isKnown ? (
        <div class="odds">
          <div>
            <p class="chance">{percent(requested.at_or_above)}</p>
            <p class="odds-sentence">{describeChance(probabilities, station, today, page.params.metric)}</p>
            <p class="basis">
              {describeBeyond(probabilities) ?? (interval && `95% interval: ${interval}. `)}
              {props.source}
            </p>
            <p class="basis">
              <Basis probabilities={probabilities} />
            </p>
            {converted !== undefined && (
              <p class="basis">
                {fields.threshold} {unit()} is the whole degree nearest to {converted}.
              </p>
            )}
            {props.hint !== undefined && (
              <p class="basis hint">{remarkThere(props.hint, station.timezone)}.</p>
            )}
          </div>
          <WholeDegrees {...{ probabilities, from: inUnit(requested, 'threshold') ?? 0 }} />
        </div>
      ) : (
        <p class="empty">No odds: {refusal ?? probabilities?.reason ?? 'none are known'}.</p>
      )}
      {isKnown && isSoFar(probabilities) && measured && (
        <Intraday {...{ probabilities, measured, station }} />
      )}
    </>
  );
}

type FormProps = Fields & Pick<Loaded, 'today' | 'station'>;

/** Days after today that may have a forecast. */
const DAYS_AHEAD = 6;

const nameDay = (date: string, today: string): string =>
  date === today
    ? 'Today'
    : date === addDays(today, 1)
      ? `Tomorrow, ${weekday(date).split(',')[0]}`
      : weekday(date);

/** The form of a visitor: a day, a threshold, a forecast and its lead time. */
function ProbabilityForm({ forecast, forecast_lead, threshold, today, station }: FormProps) {
  const { params, keep } = usePage();
  const days = Array.from({ length: 1 + DAYS_AHEAD }, (_each, at) => addDays(today, at));
  return (
    <form class="fields row" aria-label="Odds" onSubmit={(event) => event.preventDefault()}>
      <label>
        Day (local time there: {timeThere(new Date().toISOString(), station.timezone)}){' '}
        <Select
          {...{ name: 'target_date', value: params.target_date || today }}
          options={days.map((date): Options[0] => [date, nameDay(date, today)])}
          // Another day has a forecast, a lead and a threshold of its own.
          choose={(date) =>
            keep({ target_date: date === today ? '' : date, forecast: '', forecast_lead: '', threshold: '' })
          }
        />
      </label>
      <Degrees
        {...{ name: 'threshold', label: `At or above, ${unit()}`, value: threshold }}
        choose={(threshold) => keep({ threshold })}
      />
      <Degrees
        {...{ name: 'forecast', label: `given a forecast, ${unit()}`, value: forecast, step: 'any' }}
        // A new forecast has a threshold of its own.
        choose={(forecast) => keep({ forecast, threshold: '' })}
      />
      <label>
        issued{' '}
        <Select
          {...{ name: 'forecast_lead', value: forecast_lead }}
          options={BUCKETS.map((bucket): Options[0] => [bucket, `${hours(bucket)} ahead`])}
          unlisted="latest, using today’s readings"
          choose={(forecast_lead) => keep({ forecast_lead })}
        />
      </label>
    </form>
  );
}

/** The event that the percentage is about, and the readings or the forecast that it rests on. */
function describeChance(probabilities: Probability, station: Station, today: string, metric: string): string {
  const [requested] = probabilities.thresholds ?? [];
  const { target_date: date } = probabilities;
  const when = date === today ? 'today’s' : date === addDays(today, 1) ? 'tomorrow’s' : undefined;
  const subject = when === undefined ? `the ${metric} of ${day(date)}` : `${when} ${metric}`;
  const degree = requested && inUnit(requested, 'threshold');
  const event = metric === 'low' ? `stays at ${degree} ${unit()} or above` : `reaches ${degree} ${unit()}`;
  const given = isSoFar(probabilities)
    ? `readings up to ${timeThere(probabilities.so_far.at, station.timezone)} local time`
    : `a forecast of ${number(inUnit(probabilities, 'forecast'), 1).replace(/\.0$/, '')} ${unit()} issued ${hours(probabilities.lead_time_bucket)} ahead`;
  return `chance that ${subject} ${event}, given ${given}.`;
}

/** Beyond all past errors the number of days alone makes an interval: it would give 6% to any degree. */
function describeBeyond({ thresholds, training: { network_days } }: Probability): string | undefined {
  const reached = thresholds?.[0]?.network_days_at_or_above ?? null;
  if (network_days === 0 || (reached !== 0 && reached !== network_days)) return undefined;
  return `${reached === 0 ? 'None' : 'Each'} of ${counted(network_days, 'past error')} would reach it. `;
}

function Basis({ probabilities: { training, so_far, city_name } }: { probabilities: Probability }) {
  const { from, to, station_days, network_days, weight_station } = training;
  const days = <Term of="cases">station-days</Term>;
  return so_far ? (
    <>
      Based on {whole(so_far.cases)} {days} from {period(from, to)} at the same hour, {whole(station_days)} of
      them in {city_name}. This is not advice.
    </>
  ) : (
    <>
      Based on errors from {period(from, to)}: {percent(weight_station)} from {whole(station_days)} days in{' '}
      {city_name}, the rest from {whole(network_days)} {days} everywhere. The odds assume the forecasts are as
      good as they were then. This is not advice.
    </>
  );
}

/** The chance of each whole degree, in two colours that meet at the threshold. */
function WholeDegrees({ probabilities, from }: { probabilities: Probability; from: number }) {
  const bins = (probabilities.brackets ?? []).flatMap((each) => {
    const [degree, to] = [inUnit(each, 'from'), inUnit(each, 'to')];
    return degree !== null && degree === to && typeof each.probability === 'number'
      ? [{ degree, share: each.probability }]
      : [];
  });
  const max = Math.max(0.05, ...bins.map(({ share }) => share));
  const draw = ({ x, y, left, width, top, foot }: Area) => {
    const edge = x(bins.filter(({ degree }) => degree < from).length - 0.5);
    return [
      ...bins.map(({ degree, share }, index) => (
        <Bar
          {...{ x: x(index), y: y(share), width: 0.8 * (x(1) - x(0)), foot }}
          class={degree >= from ? 'mae' : 'rest'}
        />
      )),
      edge > left && edge < width && <path class="tick" d={`M${edge} ${top}V${foot}`} />,
    ];
  };
  const forecast = inUnit(probabilities, 'forecast');
  const around = forecast === null ? 'the readings' : `the forecast of ${number(forecast, 1)} ${unit()}`;
  return (
    <Plot
      label={`Bar chart of the chance of each whole degree around ${around}. Arrow keys read it degree by degree.`}
      across={bins.length}
      marks={(slot) => {
        const every = [1, 2, 5, 10].find((each) => each * slot >= 36) ?? 10;
        return bins.flatMap(({ degree }, index) => (degree % every ? [] : [[index, tick(degree)]]));
      }}
      parts={[
        {
          name: [
            <tspan class="quiet">
              below {tick(from)} {unit()}
            </tspan>,
            ' · ',
            <tspan class="mae">
              {tick(from)} {unit()} or more
            </tspan>,
          ],
          range: [0, max],
          format: percent,
          draw,
        },
      ]}
      reading={(index) => [`${tick(bins[index]!.degree)} ${unit()}`, percent(bins[index]!.share)]}
    />
  );
}

function bracketWords(from: number | null, to: number | null): string {
  if (from === null) return `${to} or less`;
  if (to === null) return `${from} or more`;
  return from === to ? tick(from) : intervalWords({ low: from, high: to }, (each) => tick(each ?? 0))!;
}
