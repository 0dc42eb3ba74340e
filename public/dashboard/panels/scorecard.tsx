import type { ProviderComparison } from '../../../clients/typescript/src/generated.js';
import { parameters, windowLength } from '../address.js';
import { ageWords, finding } from '../intervals.js';
import { usePage } from '../page.js';
import { DataTable, Legend, Nothing, Panel, type View } from '../panel.js';
import { Term } from '../term.js';
import { counted, hours, monthName, signed, unit } from '../words.js';
import { loadSides } from './sides.js';

/** Seasons of a longer window are compared, because its months would be many columns. */
const MAX_DAYS_BY_MONTH = 366;

const SEASONS: Record<string, string> = { DJF: 'Dec–Feb', MAM: 'Mar–May', JJA: 'Jun–Aug', SON: 'Sep–Nov' };
const seasonName = (season: string): string => SEASONS[season] ?? season;

/** A colour, of those of the bias, and a sign for each outcome, so that neither is needed. */
const OUTCOMES = { better: [1, '▼'], worse: [3, '▲'], none: [2, '·'] } as const;

/** Which of two providers has the smaller error at which lead time and when, as a table in colours. */
export function Scorecard() {
  const page = usePage();
  const { params, load } = page;
  const column = windowLength(params) > MAX_DAYS_BY_MONTH ? 'season' : 'month';
  return (
    <Panel
      id="scorecard"
      title="Which provider, when?"
      on={[parameters(params), params.compare]}
      ask={async () => {
        const { reference, compared } = await loadSides(page);
        if (compared === undefined)
          throw new Nothing('All forecasts are of one provider: there is nothing to compare.');
        const requested = {
          ...parameters({ ...params, provider: '' }),
          providers: `${reference},${compared}`,
          group_by: `lead_time_bucket,${column}`,
        };
        const { data, metadata } = await load.get('accuracy/compare', requested);
        const known = data.filter(({ cases }) => cases > 0);
        if (known.length === 0) throw new Nothing('No day of this period has a forecast of both.');
        return { known, metadata, reference, compared, asked: requested };
      }}
      view={({ known, metadata, reference, compared, asked: requested }): View => {
        const columns = [...new Set(known.map((each) => each[column] ?? ''))];
        if (column === 'month') columns.sort();
        const leads = [...new Set(known.map(({ lead_time_bucket }) => lead_time_bucket))];
        const makeCell = (lead: string | undefined, when: string) =>
          known.find((cell) => cell.lead_time_bucket === lead && cell[column] === when);
        return {
          content: (
            <>
              <p class="basis">
                MAE of {compared} − MAE of {reference}, {unit()}:{' '}
                <strong>
                  {metadata.significant_cells} of {counted(metadata.cells, 'cell')} are significant
                </strong>
                , <Term of="fdr">allowing for their number</Term>.
              </p>
              <DataTable
                class="scroll-x scorecard"
                caption={`${compared} against ${reference} by lead time and ${column}`}
                columns={['Hours before', ...columns.map(column === 'month' ? monthName : seasonName)]}
                rows={leads.map((lead) => [
                  hours(lead),
                  ...columns.map((each) => <Cell cell={makeCell(lead, each)} />),
                ])}
              />
              <Legend
                marks={[
                  [...OUTCOMES.better, `${compared} closer`],
                  [...OUTCOMES.worse, `${reference} closer`],
                  [...OUTCOMES.none, 'may be chance'],
                ]}
              />
              <p class="basis note">{ageWords(known)}</p>
            </>
          ),
          csv: { what: 'the scorecard', path: 'accuracy/compare', query: requested },
        };
      }}
    />
  );
}

function Cell({ cell }: { cell: ProviderComparison | undefined }) {
  if (cell === undefined) return <>–</>;
  const { significant, mae_difference, verdict, cases, hint } = cell;
  const isChance = !significant && (verdict === 'better' || verdict === 'worse');
  const [colour, sign] = OUTCOMES[!significant ? 'none' : verdict === 'better' ? 'better' : 'worse'];
  const chance = isChance ? ', which may be chance among so many cells' : '';
  const reported = `${finding(cell)}${chance}, over ${counted(cases, 'station day')}`;
  return (
    <span class={`chip bias-${colour}`} title={hint === null ? reported : `${reported}. ${hint}`}>
      <span aria-hidden="true">{sign} </span>
      {signed(mae_difference.value)}
      {significant && <span class="visually-hidden"> significant</span>}
    </span>
  );
}
