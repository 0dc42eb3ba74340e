import type { ProviderComparison } from '../../../clients/typescript/src/generated.js';
import { type PageParams, windowLength } from '../address.js';
import { finding } from '../intervals.js';
import { type Page, usePage } from '../page.js';
import { DataTable, Legend, NO_COMMON_DAY, Nothing, Panel, type View } from '../panel.js';
import { Term } from '../term.js';
import { counted, hours, monthName, signed, valueUnit, whole } from '../words.js';
import { loadComparison } from './sides.js';

/** Seasons of a longer window are compared, because its months would be many columns. */
const MAX_DAYS_BY_MONTH = 366;

const SEASONS: Record<string, string> = { DJF: 'Dec–Feb', MAM: 'Mar–May', JJA: 'Jun–Aug', SON: 'Sep–Nov' };
const seasonName = (season: string): string => SEASONS[season] ?? season;

/** A colour, of those of the bias, and a sign for each outcome, so that neither is needed. */
const OUTCOMES = { better: [1, '▼'], worse: [3, '▲'], none: [2, '·'] } as const;

const getColumn = (params: PageParams) => (windowLength(params) > MAX_DAYS_BY_MONTH ? 'season' : 'month');

export async function loadScorecard(page: Page) {
  const comparison = await loadComparison(page, `lead_time_bucket,${getColumn(page.params)}`);
  if (comparison.known.length === 0) throw new Nothing(NO_COMMON_DAY);
  return comparison;
}

/** Which of two providers has the smaller error at which lead time and when, as a table in colours. */
export function Scorecard() {
  const { params } = usePage();
  const column = getColumn(params);
  return (
    <Panel
      id="scorecard"
      title="Which provider, when?"
      on={params.compare}
      ask={loadScorecard}
      view={({ known, reference, compared, requested }): View => {
        const columns = [...new Set(known.map((each) => each[column] ?? ''))];
        if (column === 'month') columns.sort();
        const leads = [...new Set(known.map(({ lead_time_bucket }) => lead_time_bucket))];
        const makeCell = (lead: string | undefined, when: string) =>
          known.find((cell) => cell.lead_time_bucket === lead && cell[column] === when);
        return {
          verdict: countCells(known, reference, compared),
          caveat: (
            <>
              MAE of {compared} − MAE of {reference}, {valueUnit()}. Significant cells are coloured,{' '}
              <Term of="fdr">allowing for their number</Term>; “Which provider?” has each lead time by itself,
              over all days.
            </>
          ),
          content: (
            <>
              <DataTable
                class="scroll-x scorecard"
                caption={`${compared} against ${reference} by lead time and ${column}`}
                columns={['Lead time', ...columns.map(column === 'month' ? monthName : seasonName)]}
                rows={leads.map((lead) => [
                  hours(lead),
                  ...columns.map((each) => <Cell cell={makeCell(lead, each)} />),
                ])}
              />
              <Legend
                marks={[
                  [...OUTCOMES.better, compared],
                  [...OUTCOMES.worse, reference],
                  [...OUTCOMES.none, 'could be chance'],
                ]}
              />
            </>
          ),
          csv: { what: 'the scorecard', path: 'accuracy/compare', query: requested },
        };
      }}
    />
  );
}

/** How many cells each of the two has the smaller error in. */
function countCells(known: ProviderComparison[], reference: string, compared: string): string {
  const [better = 0, worse = 0] = [true, false].map(
    (isBetter) =>
      known.filter(({ significant, verdict }) => significant && (verdict === 'better') === isBetter).length,
  );
  const all = counted(known.length, 'cell');
  const rest = known.length - better - worse;
  const open = rest === 0 ? '' : `; ${whole(rest)} could be chance`;
  if (better + worse === 0) return `None of ${all} shows a better provider, allowing for their number.`;
  const [first, second] = better > worse ? [compared, reference] : [reference, compared];
  const smaller = Math.min(better, worse);
  return `${first} is better in ${whole(Math.max(better, worse))} of ${all}${smaller === 0 ? '' : `, ${second} in ${whole(smaller)}`}${open}.`;
}

function Cell({ cell }: { cell: ProviderComparison | undefined }) {
  if (cell === undefined) return <>–</>;
  const { significant, mae_difference, verdict, cases, hint } = cell;
  const isChance = !significant && (verdict === 'better' || verdict === 'worse');
  const [colour, sign] = OUTCOMES[!significant ? 'none' : verdict === 'better' ? 'better' : 'worse'];
  const chance = isChance ? ', could be chance among so many cells' : '';
  const reported = `${finding(cell)}${chance}, ${counted(cases, 'station-day')}`;
  return (
    <span class={`chip bias-${colour}`} title={hint === null ? reported : `${reported}. ${hint}`}>
      <span aria-hidden="true">{sign} </span>
      {signed(mae_difference.value)}
    </span>
  );
}
