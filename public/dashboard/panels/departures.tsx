import { parameters, getRegion } from '../address.js';
import type { Answers } from '../api.js';
import { usePage } from '../page.js';
import { Nothing, Panel, type View } from '../panel.js';
import { counted, day, inUnit, number, percent, signed, unit } from '../words.js';

const SHOWN = 6;

type Departure = Answers['data/departures']['data'][number];

/** A departure in a sentence, and what such ones were worth. */
function makeSentence(departure: Departure): string {
  const { provider, city_name, target_date, share_true: share, others } = departure;
  const [low, high] = [departure.share_true_low, departure.share_true_high];
  const side = departure.departure > 0 ? 'warmer' : 'colder';
  const than = others.length === 1 ? others[0]?.other_provider : 'the others';
  const said = `${city_name}, ${day(target_date)}: ${provider} is ${number(Math.abs(departure.departure), 1)} ${unit()} ${side} than ${than}`;
  if (share === null) return `${said}.`;
  const reach = low === null || high === null ? '' : ` (${percent(low)} to ${percent(high)})`;
  return `${said}; of such differences ${percent(share)}${reach} came true, which gives ${number(inUnit(departure, 'expected'), 1)} ${unit()}.`;
}

/** Two providers depart from each other: one sentence says it. */
const onePerDay = (departures: readonly Departure[]): Departure[] =>
  departures.filter(
    (each, at) =>
      at ===
      departures.findIndex(
        ({ station_id, target_date }) => station_id === each.station_id && target_date === each.target_date,
      ),
  );

/** Where the providers differ today and on the days to come, and whom such differences proved right. */
export function Departures() {
  const { params, load } = usePage();
  const { metric, temp_unit, station_id } = params;
  const place = station_id === '' ? getRegion(params) : { station_id };
  const requested = { ...parameters({ ...params, provider: '' }), group_by: 'provider' };
  return (
    <Panel
      id="departures"
      title="When providers differ"
      on={[requested, place]}
      ask={async () => {
        const [past, toCome] = await Promise.all([
          load.get('accuracy/divergence', requested),
          load.get('data/departures', { ...place, metric, temp_unit, limit: `${2 * SHOWN}` }),
        ]);
        if (past.data.length === 0)
          throw new Nothing('No day of this period has forecasts of two providers.');
        return { past: past.data, toCome: onePerDay(toCome.data).slice(0, SHOWN) };
      }}
      view={({ past, toCome }): View => ({
        content: (
          <>
            <p class="basis">
              {toCome.length === 0
                ? 'The latest forecasts of today and the days to come do not differ so much.'
                : 'Today and the days to come, the greatest difference first:'}
            </p>
            <ol class="misses">
              {toCome.map((each) => (
                <li>{makeSentence(each)}</li>
              ))}
            </ol>
            {past.map(({ provider, departures, share_true, share_true_low, share_true_high, hint }) => (
              <p>
                {provider} differed on {counted(departures, 'station day')}
                {share_true !== null && `: ${percent(share_true)} of the difference came true`}
                {share_true_low !== null && ` (${percent(share_true_low)} to ${percent(share_true_high)})`}.
                {hint !== null && ` ${hint}.`}
              </p>
            ))}
          </>
        ),
        table: {
          caption: `Providers that differ by ${number(inUnit(past[0] ?? {}, 'threshold'), 0)} ${unit()} or more from the median of the others`,
          columns: ['Provider', 'Differences', 'Nearer', 'Came true', 'MAE', "Others' MAE"],
          rows: past.map((each) => [
            each.provider,
            each.departures,
            percent(each.nearer_rate),
            percent(each.share_true),
            number(each.mae),
            `${number(each.mae_of_others)} (${signed(each.mae_difference.value)})`,
          ]),
        },
        csv: { what: 'differences of providers', path: 'accuracy/divergence', query: requested },
      })}
    />
  );
}
