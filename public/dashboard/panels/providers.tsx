import type { ProviderComparison, Reliability } from '../../../clients/typescript/src/generated.js';
import { MIN_BLEND_DAYS } from '../../../src/statistics/uncertainty/judge.js';
import { EVERYWHERE, parameters, USUAL_LEAD, windowLength } from '../address.js';
import { type Options, Select } from '../fields.js';
import { Dots, getEnds, type LeadDot, ofLeads, Plot, computeRange } from '../figure.js';
import { ageWords, finding, intervalWords, makeVerdict } from '../intervals.js';
import { type Page, useResponse, usePage } from '../page.js';
import { NO_COMMON_DAY, Lack, Panel, type View } from '../panel.js';
import { published } from '../published.js';
import { score } from '../score.js';
import { isHighOrLow } from '../variables.js';
import {
  aheadWords,
  capitalize,
  caseWord,
  counted,
  hours,
  inUnit,
  NOT_YET,
  number,
  percent,
  valueUnit,
  whole,
} from '../words.js';
import { loadComparison, type Sides } from './sides.js';

export async function loadProviders(page: Page) {
  const comparison = await loadComparison(page, 'lead_time_bucket');
  // The choice of another provider stays.
  if (comparison.others.length < 2 && comparison.known.length === 0) throw new Lack(NO_COMMON_DAY);
  return comparison;
}

/** How another provider compares with the chosen one by lead time, on the days that both have. */
export function Providers() {
  const { params } = usePage();
  return (
    <Panel
      id="providers"
      title="Which provider?"
      on={params.compare}
      ask={loadProviders}
      view={({ data, known, requested, ...sides }): View => {
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
              <Blended key={`${reference} ${compared}`} names={[reference, compared]} />
            </>
          ),
          table: {
            caption: `${compared} against ${reference}${score().unit() && `,${score().unit()}`}`,
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
      }}
    />
  );
}

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
          ...(score().tick && { format: score().tick }),
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

/** The two as one forecast: requested by itself, as a year of it takes seconds; the comparison stands without it. */
function Blended({ names }: { names: string[] }) {
  const page = usePage();
  const { response: blend, isBusy } = useResponse(() => loadBlend(page, names));
  if (isBusy)
    return (
      <p class="basis blend" aria-busy="true">
        Both as one: loading…
      </p>
    );
  if (blend === undefined) return null;
  const members = Object.entries(blend.members)
    .map(([name, member]) => `${number(inUnit(member, 'mae'))} (${name})`)
    .join(' and ');
  return (
    <p class="basis blend">
      <strong>
        {number(inUnit(blend, 'mae'))} {valueUnit()} with both as one
      </strong>
      , beside {members}, {aheadWords(blend.lead)} over {counted(blend.compared_days, 'day')}
      {blend.isLonger && `, more than the ${whole(windowLength(page.params))} of this page`}.{' '}
      {describeGainOfBlend(blend)}
    </p>
  );
}

/** The verdict of the API on the blend, in a sentence. */
function describeGainOfBlend({ verdict }: Blend): string {
  if (verdict === 'better') return 'Both do better.';
  if (verdict === 'worse') return 'Both do worse.';
  if (verdict === 'not_significant') return 'No significant difference.';
  return `Which is better ${NOT_YET}: needs ${MIN_BLEND_DAYS} days.`;
}

type Blend = NonNullable<Reliability['blend']> & { lead: string; isLonger: boolean };

/** With less than half a year, the API says nothing of a blend. */
const BLEND_DAYS = 365;

/** The worth of the two as one forecast over a year; undefined where they cannot be blended. */
export async function loadBlend({ params, load }: Page, names: string[]): Promise<Blend | undefined> {
  // Probabilities are of one lead time, and of highs and lows.
  if (params.lead_time_bucket.includes(',') || !isHighOrLow(params)) return undefined;
  const lead = params.lead_time_bucket || USUAL_LEAD;
  const isLonger = windowLength(params) < BLEND_DAYS;
  const { data } = await load.get('probability/reliability', {
    ...parameters({ ...params, ...EVERYWHERE, provider: '', lead_time_bucket: lead }),
    ...(isLonger && { date_from: '', days: `${BLEND_DAYS}` }),
    // In one order, so that the two have one response, whichever of them is chosen.
    providers: names.toSorted().join(),
  });
  return data.blend && inUnit(data.blend, 'mae') !== null ? { ...data.blend, lead, isLonger } : undefined;
}
