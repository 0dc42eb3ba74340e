import { locate, MIN_DAYS, MIN_WEEKS } from '../../../src/statistics/uncertainty/judge.js';
import { addDays, formatSearch, type PageParams, parameters, placeParameters } from '../address.js';
import type { Responses } from '../api.js';
import { type Interval, intervalWords } from '../intervals.js';
import { type Page, usePage } from '../page.js';
import {
  DataTable,
  needDays,
  NO_COMMON_DAY,
  NO_PROVIDER,
  Nothing,
  ONE_PROVIDER,
  Panel,
  type View,
} from '../panel.js';
import { isOffered, published } from '../published.js';
import { describeMissingProviders, today } from '../sentences.js';
import { counted, inUnit, NOT_YET, number, percent, shortDay, signed, valueUnit } from '../words.js';

const SHOWN = 6;

/** The columns that name who differs, where there are more than two. */
const OF_MANY = ['Provider', 'Forecast', 'Others'];

type Departure = Responses['data/departures']['data'][number];
type Divergence = Responses['accuracy/divergence']['data'][number];

/** Two providers depart from each other: one row says it. */
const onePerDay = (departures: readonly Departure[]): Departure[] =>
  [...Map.groupBy(departures, ({ station_id, target_date }) => `${station_id} ${target_date}`).values()].map(
    ([first]) => first!,
  );

const toRequest = (params: PageParams) => ({
  ...parameters({ ...params, provider: '' }),
  group_by: 'provider',
});

export async function loadDepartures(page: Page) {
  const { params, load } = page;
  needDays(params);
  const { metric, temp_unit } = params;
  const [past, next, providers] = await Promise.all([
    load.get('accuracy/divergence', toRequest(params)),
    load.get('data/departures', { ...placeParameters(params), metric, temp_unit, limit: `${2 * SHOWN}` }),
    load.get('providers').catch(() => undefined),
  ]);
  if (providers?.data.length === 0) throw new Nothing(NO_PROVIDER);
  if (providers?.data.length === 1) throw new Nothing(ONE_PROVIDER);
  if (past.data.length === 0) throw new Nothing(NO_COMMON_DAY);
  const shown = onePerDay(next.data).slice(0, SHOWN);
  const none =
    shown.length > 0 ? '' : await describeNone(page, past.data, addDays(next.metadata.learned_to, 1));
  return { past: past.data, next: shown, none };
}

/** Where the providers differ today and on the days to come, and who of them proved right before. */
export function Departures() {
  const { params } = usePage();
  return (
    <Panel
      id="departures"
      title="When providers differ"
      ask={loadDepartures}
      view={({ past, next, none }): View => {
        const names = past.map(({ provider }) => provider);
        const isPair = names.length === 2;
        return {
          ...describePast(past),
          content:
            next.length === 0 ? (
              <p class="basis">{none}</p>
            ) : (
              <DataTable
                class="scroll-x departures"
                caption={`Largest differences of ${today()} and later, ${valueUnit()}`}
                columns={['Where', 'When', ...(isPair ? names : OF_MANY), 'Expect']}
                rows={next.map((each) => {
                  const { station_id, target_date, city_name, provider } = each;
                  return [
                    // A copy has no odds of a day, and not each station.
                    isOffered('station_id', station_id) ? (
                      <a href={formatSearch({ ...params, station_id, ...(!published && { target_date }) })}>
                        {city_name}
                      </a>
                    ) : (
                      city_name
                    ),
                    shortDay(target_date),
                    ...(isPair ? [] : [provider]),
                    ...(isPair ? names : [provider, '']).map((name) =>
                      number(inUnit(each, name === provider ? 'forecast' : 'others'), 1),
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
      }}
    />
  );
}

const describeThreshold = ([first]: Divergence[]): string =>
  `${number(inUnit(first ?? {}, 'threshold'), 0)} ${valueUnit()}`;

/** The smallest difference that the API looks for, in either unit. */
const MIN_DIFFERENCE = '0.5';

/** Why no forecasts of today and later are far apart: two that agree, or fewer than two. */
async function describeNone({ params, load }: Page, past: Divergence[], date: string): Promise<string> {
  const { data: providers } = await load.get('providers');
  const missing = describeMissingProviders(providers, date);
  if (missing !== undefined) return missing;
  const { metric, temp_unit } = params;
  const requested = { ...placeParameters(params), metric, temp_unit, limit: '1', threshold: MIN_DIFFERENCE };
  const { data } = await load.get('data/departures', requested);
  return data.length > 0
    ? `Their forecasts of ${today()} and later agree within ${describeThreshold(past)}.`
    : `No forecasts of ${today()} or later differ by ${MIN_DIFFERENCE} ${valueUnit()}: they agree, or only one provider has any here.`;
}

/** A share of a gap: the observation may go beyond the one forecast, or away from it. */
const gapShare = (share: number | null): string =>
  share === null || (share >= 0 && share <= 1) ? percent(share) : share > 1 ? '>100%' : '<0%';

/** Its interval within the gap: what is beyond either forecast says no more than that. */
function gapInterval({ low, high }: Interval): string {
  const [from, to] = [Math.max(0, low ?? 0), Math.min(1, high ?? 1)];
  if (from === 0 && to === 1) return '0–100%';
  if (to === 1) return `at least ${percent(from)}`;
  return from === 0 ? `at most ${percent(to)}` : (intervalWords({ low, high }, percent, 0.5) ?? '–');
}

/** Who proved right when they differed. With two providers one sentence says it of both. */
function describePast(past: Divergence[]) {
  const [best] = past.toSorted((a, b) => (b.share_true ?? -1) - (a.share_true ?? -1));
  if (best === undefined || best.share_true === null)
    return { verdict: `No day with a difference of ${describeThreshold(past)} or more.` };
  const { provider, departures, share_true, share_true_low: low, share_true_high: high, hint } = best;
  const { mean_lead_hours, mean_lead_hours_of_others } = best;
  const place = locate({ low, high }, 0.5);
  const caution = place === 'unknown' ? `: ${NOT_YET}` : place === 'around' ? ': could be chance' : '';
  return {
    verdict: `${gapShare(share_true)} of the gap proved right for ${provider}${caution}.`,
    caveat: [
      `When it was ${describeThreshold(past)} or more away from ${past.length === 2 ? 'the other' : 'the others'}: `,
      `${counted(departures, 'station-day')}${low === null ? `; needs ${MIN_DAYS} days in ${MIN_WEEKS} weeks` : ` (${gapInterval({ low, high })})`}.`,
      hint !== null &&
        ` Part of that is age: issued ${number(mean_lead_hours, 0)} h ahead on average, others ${number(mean_lead_hours_of_others, 0)} h.`,
    ],
  };
}
