import type { ProviderComparison } from '../../../clients/typescript/src/generated.js';
import { type Options, Select } from '../fields.js';
import { Dots, getEnds, type LeadDot, ofLeads, Plot, computeRange } from '../figure.js';
import { ageWords, finding, intervalWords, makeVerdict } from '../intervals.js';
import { type Page, usePage } from '../page.js';
import { Lack, makeBody, NO_COMMON_DAY } from '../body.js';
import { published } from '../published.js';
import { score, scoreWithUnit } from '../score.js';
import { capitalize, caseWord, counted, hours, NOT_YET, percent, whole } from '../words.js';
import { loadComparison, type Sides } from './sides.js';

async function loadProviders(page: Page) {
  const comparison = await loadComparison(page, 'lead_time_bucket');
  // The choice of another provider stays.
  if (comparison.others.length < 2 && comparison.known.length === 0) throw new Lack(NO_COMMON_DAY);
  return comparison;
}

/** How another provider compares with the chosen one by lead time, on the days that both have. */
export const providers = makeBody({
  load: loadProviders,
  view({ data, known, requested, ...sides }) {
    const { reference, compared } = sides;
    if (known.length === 0)
      return { verdict: 'No day with a forecast of both.', content: <Choice {...sides} /> };
    const without = data.filter(({ cases }) => cases === 0).map((each) => hours(each.lead_time_bucket));
    return {
      verdict: makeVerdict(known),
      caveat: [
        `Same ${caseWord()}s for both${without.length === 0 ? '' : `, none at ${without.join(', ')}`}. `,
        ageWords(known),
      ],
      content: (
        <>
          <Choice {...sides} />
          <Differences {...{ known, ...sides }} />
        </>
      ),
      table: {
        caption: scoreWithUnit(`${compared} against ${reference}`),
        columns: [
          ...['Lead time', `${score().name} difference`, '95% interval'],
          ...[`${compared} closer`, `${reference} closer`, capitalize(`${caseWord()}s`)],
        ],
        rows: known.map((each) => [
          hours(each.lead_time_bucket),
          score().signed(score().difference(each).value),
          intervalWords(score().difference(each), score().signed, 0) ?? NOT_YET,
          percent(each.wins / each.cases),
          percent(each.losses / each.cases),
          whole(each.cases),
        ]),
      },
      csv: { what: 'the comparison', path: 'accuracy/compare', query: requested },
    };
  },
});

/** Chooses the other provider, where there are several. */
function Choice({ reference, others, compared }: Sides) {
  const { keep } = usePage();
  if (others.length < 2 || published) return null;
  return (
    <label class="basis">
      {reference} against{' '}
      <Select
        {...{ name: 'compare', value: compared }}
        options={others.map((provider): Options[0] => [provider, provider])}
        choose={(compare) => keep({ compare })}
      />
    </label>
  );
}

function Differences({ known, reference, compared }: Sides & { known: ProviderComparison[] }) {
  const dots = known.map((each): LeadDot => ({
    ...score().difference(each),
    bucket: each.lead_time_bucket ?? '',
  }));
  const reported = known.map((each) => `${hours(each.lead_time_bucket)}: ${finding(each)}`).join('; ');
  return (
    <Plot
      label={`Difference of the ${score().words} by lead time, ${compared} against ${reference}: ${reported}. Arrow keys read it one by one.`}
      {...ofLeads(dots)}
      parts={[
        {
          name: describeSide(dots, reference, compared),
          range: computeRange(getEnds(dots), score().minRange),
          format: score().tick,
          draw: ({ x, y }) => <Dots {...{ dots, x, y, class: 'mae' }} />,
        },
      ]}
      reading={(index) => {
        const each = known[index]!;
        const { wins, losses, cases, hint } = each;
        const closer = `closer: ${compared} ${percent(wins / cases)}, ${reference} ${percent(losses / cases)}`;
        const reported = [
          finding(each),
          ...(hint === null ? [] : [hint]),
          closer,
          counted(cases, caseWord()),
        ];
        return [hours(each.lead_time_bucket), reported.join(' · ')];
      }}
    />
  );
}

/** The meaning of one side of zero that has a point; it says the other side's too. Both in one line are too wide for a phone. */
const describeSide = (dots: LeadDot[], reference: string, compared: string): string =>
  dots.some(({ value }) => value !== null && value < 0) &&
  !dots.some(({ value }) => value !== null && value > 0)
    ? `below 0: ${compared} is better`
    : `above 0: ${reference} is better`;
