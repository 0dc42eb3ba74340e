import type { ProviderComparison } from '../../../clients/typescript/src/generated.js';
import { type PageParams, windowLength } from '../address.js';
import { countCells } from '../findings.js';
import { finding, isTested } from '../intervals.js';
import type { Page } from '../page.js';
import { Lack, makeBody, NO_COMMON_DAY } from '../body.js';
import { DataTable, Legend } from '../table.js';
import { score } from '../score.js';
import { Term } from '../term.js';
import { caseWord, counted, hours, monthName, NOT_YET } from '../words.js';
import { loadComparison } from './sides.js';

/** Seasons of a longer window are compared, because its months would be many columns. */
const MAX_DAYS_BY_MONTH = 366;

const SEASONS: Record<string, string> = { DJF: 'Dec–Feb', MAM: 'Mar–May', JJA: 'Jun–Aug', SON: 'Sep–Nov' };
const seasonName = (season: string): string => SEASONS[season] ?? season;

/** A colour, of those of the bias, and a sign for each outcome, so that neither is needed. */
const OUTCOMES = { better: [1, '▼'], worse: [3, '▲'], none: [2, '·'], unknown: [5, '?'] } as const;

const getColumn = (params: PageParams) => (windowLength(params) > MAX_DAYS_BY_MONTH ? 'season' : 'month');

async function loadScorecard(page: Page) {
  const comparison = await loadComparison(page, `lead_time_bucket,${getColumn(page.params)}`);
  if (comparison.known.length === 0) throw new Lack(NO_COMMON_DAY);
  return comparison;
}

/** Which of two providers has the smaller error at which lead time and when, as a table in colours. */
export const scorecard = makeBody({
  load: loadScorecard,
  view({ known, reference, compared, requested }, { params }) {
    const column = getColumn(params);
    const columns = [...new Set(known.map((each) => each[column] ?? ''))];
    if (column === 'month') columns.sort();
    const leads = [...new Set(known.map(({ lead_time_bucket }) => lead_time_bucket))];
    const makeCell = (lead: string | undefined, when: string) =>
      known.find((cell) => cell.lead_time_bucket === lead && cell[column] === when);
    return {
      verdict: countCells(known, reference, compared),
      caveat: (
        <>
          {score().name} of {compared} − {score().name} of {reference}
          {score().unit() && `,${score().unit()}`}. Significant cells are coloured,{' '}
          <Term of="fdr">allowing for their number</Term>.
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
              [...OUTCOMES.unknown, NOT_YET],
            ]}
          />
        </>
      ),
      csv: { what: 'the scorecard', path: 'accuracy/compare', query: requested },
    };
  },
});

function getOutcome(cell: ProviderComparison): keyof typeof OUTCOMES {
  if (!cell.identical && !isTested(cell)) return 'unknown';
  if (!cell.significant) return 'none';
  return cell.verdict === 'better' ? 'better' : 'worse';
}

function Cell({ cell }: { cell: ProviderComparison | undefined }) {
  if (cell === undefined) return <>–</>;
  const { significant, verdict, cases, hint } = cell;
  const isUncertain = !significant && (verdict === 'better' || verdict === 'worse');
  const [colour, sign] = OUTCOMES[getOutcome(cell)];
  const chance = isUncertain ? ', could be chance among so many cells' : '';
  const reported = `${finding(cell)}${chance}, ${counted(cases, caseWord())}`;
  return (
    <span class={`chip bias-${colour}`} title={hint === null ? reported : `${reported}. ${hint}`}>
      <span aria-hidden="true">{sign} </span>
      {score().signed(score().difference(cell).value)}
    </span>
  );
}
