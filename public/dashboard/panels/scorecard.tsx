import type { ProviderComparison } from '../../../clients/typescript/src/generated.js';
import { parameters, windowLength } from '../address.js';
import { ageWords, finding } from '../intervals.js';
import { usePage } from '../page.js';
import { DataTable, Nothing, Panel, type View } from '../panel.js';
import { Term } from '../term.js';
import { counted, hours, monthName, signed, unit } from '../words.js';
import { sidesOf } from './sides.js';

/** Of a longer window, seasons are compared: months would be many columns. */
const MOST_DAYS_BY_MONTH = 366;

const SEASONS: Record<string, string> = { DJF: 'Dec–Feb', MAM: 'Mar–May', JJA: 'Jun–Aug', SON: 'Sep–Nov' };
const seasonName = (season: string): string => SEASONS[season] ?? season;

/** A sign and a colour for each outcome, so that neither is needed. */
const OUTCOMES = {
  better: { sign: '▼', style: 'chip bias-1' },
  worse: { sign: '▲', style: 'chip bias-3' },
  none: { sign: '·', style: 'chip bias-2' },
};

/** Which of two providers has the smaller error at which lead time and when, as a table in colours. */
export function Scorecard() {
  const page = usePage();
  const { question, load } = page;
  const column = windowLength(question) > MOST_DAYS_BY_MONTH ? 'season' : 'month';
  return (
    <Panel
      id="scorecard"
      title="Which provider, when?"
      on={[parameters(question), question.compare]}
      ask={async () => {
        const { reference, compared } = await sidesOf(page);
        if (compared === undefined)
          throw new Nothing('All forecasts are of one provider: there is nothing to compare.');
        const asked = {
          ...parameters({ ...question, provider: '' }),
          providers: `${reference},${compared}`,
          group_by: `lead_time_bucket,${column}`,
        };
        const { data, metadata } = await load.get('accuracy/compare', asked);
        const known = data.filter(({ cases }) => cases > 0);
        if (known.length === 0) throw new Nothing('No day of this period has a forecast of both.');
        return { known, metadata, reference, compared, asked };
      }}
      view={({ known, metadata, reference, compared, asked }): View => {
        const columns = [...new Set(known.map((each) => each[column] ?? ''))];
        if (column === 'month') columns.sort();
        const leads = [...new Set(known.map(({ lead_time_bucket }) => lead_time_bucket))];
        const cellOf = (lead: string | undefined, when: string) =>
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
                  ...columns.map((each) => <Cell cell={cellOf(lead, each)} />),
                ])}
              />
              <p class="legend">
                {[
                  { of: OUTCOMES.better, words: `${compared} closer` },
                  { of: OUTCOMES.worse, words: `${reference} closer` },
                  { of: OUTCOMES.none, words: 'may be chance' },
                ].map(({ of, words }) => (
                  <span>
                    <span class={of.style}>{of.sign}</span> {words}
                  </span>
                ))}
              </p>
              <p class="basis note">{ageWords(known)}</p>
            </>
          ),
          csv: { what: 'the scorecard', path: 'accuracy/compare', query: asked },
        };
      }}
    />
  );
}

function Cell({ cell }: { cell: ProviderComparison | undefined }) {
  if (cell === undefined) return <>–</>;
  const { significant, mae_difference, verdict, cases, hint } = cell;
  const isChance = !significant && (verdict === 'better' || verdict === 'worse');
  const isLess = (mae_difference.value ?? 0) < 0;
  const { sign, style } = OUTCOMES[!significant ? 'none' : isLess ? 'better' : 'worse'];
  const chance = isChance ? ', which may be chance among so many cells' : '';
  const told = `${finding(cell)}${chance}, over ${counted(cases, 'station day')}`;
  return (
    <span class={style} title={hint === null ? told : `${told}. ${hint}`}>
      <span aria-hidden="true">{sign} </span>
      {signed(mae_difference.value)}
      {significant && <span class="visually-hidden"> significant</span>}
    </span>
  );
}
