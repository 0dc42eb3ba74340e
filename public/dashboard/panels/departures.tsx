import { formatSearch, type PageParams, parameters, placeParameters } from '../address.js';
import type { Responses } from '../api.js';
import { describePast, describeThreshold, gapShare } from '../findings.js';
import type { Page } from '../page.js';
import { Lack, makeBody, NO_COMMON_DAY } from '../body.js';
import { DataTable } from '../table.js';
import { isOffered, published } from '../published.js';
import { today } from '../sentences.js';
import { inUnit, number, percent, shortDay, signed, valueUnit } from '../words.js';

const SHOWN = 6;

/** The columns that name who differs, where there are more than two. */
const OF_MANY = ['Provider', 'Forecast', 'Others'];

type Departure = Responses['data/departures']['data'][number];

/** Two providers depart from each other: one row says it. */
const onePerDay = (departures: readonly Departure[]): Departure[] =>
  [...Map.groupBy(departures, ({ station_id, target_date }) => `${station_id} ${target_date}`).values()].map(
    ([first]) => first!,
  );

/** The list of the others has the short name. */
const getOthers = (each: Departure) => each.others_median ?? inUnit(each, 'others');

const toRequest = (params: PageParams) => ({
  ...parameters({ ...params, provider: '' }),
  group_by: 'provider',
});

async function loadDepartures(page: Page) {
  const { params, load } = page;
  const { metric, units } = params;
  const [past, next] = await Promise.all([
    load.get('accuracy/divergence', toRequest(params)),
    load.get('data/departures', { ...placeParameters(params), metric, units, limit: `${2 * SHOWN}` }),
  ]);
  if (past.data.length === 0) throw new Lack(NO_COMMON_DAY);
  return { past: past.data, next: onePerDay(next.data).slice(0, SHOWN) };
}

/** Where the providers differ today and on the days to come, and who of them proved right before. */
export const departures = makeBody({
  load: loadDepartures,
  view({ past, next }, { params }) {
    const names = past.map(({ provider }) => provider);
    const isPair = names.length === 2;
    return {
      ...describePast(past),
      content:
        next.length === 0 ? (
          <p class="basis">
            No forecasts of {today()} or later differ by {describeThreshold(past)}: they agree, or too few
            providers have any.
          </p>
        ) : (
          <DataTable
            class="scroll-x departures"
            caption={`Largest differences of ${today()} and later, ${valueUnit()}`}
            columns={['Where', 'When', ...(isPair ? names : OF_MANY), 'Expect']}
            rows={next.map((each) => {
              const { station_id, target_date, city_name, provider } = each;
              const place = { ...params, station_id, view: 'likely', ...(!published && { target_date }) };
              return [
                // A copy has no odds of a day, and not each station.
                isOffered('station_id', station_id) ? (
                  <a href={formatSearch(place)}>{city_name}</a>
                ) : (
                  city_name
                ),
                shortDay(target_date),
                ...(isPair ? [] : [provider]),
                ...(isPair ? names : [provider, '']).map((name) =>
                  number(name === provider ? inUnit(each, 'forecast') : getOthers(each), 1),
                ),
                number(inUnit(each, 'expected'), 1),
              ];
            })}
          />
        ),
      table: {
        caption: `Forecasts ${describeThreshold(past)} or more away from the median of the others`,
        columns: ['Provider', 'Differences', 'Nearer', 'Proved right', 'MAE', "Others' MAE"],
        rows: past.map((each) => [
          each.provider,
          each.departures,
          percent(each.nearer_rate),
          gapShare(each.share_true),
          number(each.mae),
          `${number(each.mae_of_others)} (${signed(each.mae_difference.value)})`,
        ]),
      },
      csv: { what: 'differences of providers', path: 'accuracy/divergence', query: toRequest(params) },
    };
  },
});
