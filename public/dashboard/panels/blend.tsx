import type { Reliability } from '../../../clients/typescript/src/generated.js';
import { MIN_BLEND_DAYS } from '../../../src/statistics/uncertainty/judge.js';
import { EVERYWHERE, getRegion, parameters, regionText, USUAL_LEAD, windowLength } from '../address.js';
import type { Page } from '../page.js';
import { Plot, ValueBars } from '../figure.js';
import { Lack, makeBody } from '../body.js';
import { aheadWords, counted, inUnit, type Maybe, NOT_YET, number, valueUnit } from '../words.js';
import { loadSides } from './sides.js';

type Blend = NonNullable<Reliability['blend']>;

/** With less than half a year, the API says nothing of a blend. */
const BLEND_DAYS = 365;

/** The worth of two providers as one forecast, over a year. */
async function loadBlend(page: Page) {
  const { params, load } = page;
  // Probabilities are of one lead time.
  const lead = params.lead_time_bucket || USUAL_LEAD;
  if (lead.includes(',')) throw new Lack('needs a single lead time');
  const { reference, compared } = await loadSides(page);
  const isLonger = windowLength(params) < BLEND_DAYS;
  const { data } = await load.get('probability/reliability', {
    ...parameters({ ...params, ...EVERYWHERE, provider: '', lead_time_bucket: lead }),
    ...(isLonger && { date_from: '', days: `${BLEND_DAYS}` }),
    // In one order, so that the two have one response, whichever of them is chosen.
    providers: [reference, compared].toSorted().join(),
  });
  if (!data.blend || inUnit(data.blend, 'mae') === null) throw new Lack('needs a year of two providers');
  return {
    ...data.blend,
    lead,
    isLonger,
    isWider: params.station_id === '' && regionText(getRegion(params)) !== '',
  };
}

/** Two providers as one forecast, beside each of them. */
export const blend = makeBody({
  load: loadBlend,
  view(found) {
    const bars = [['Both as one', found] as const, ...Object.entries(found.members)].map(([name, each]) => ({
      name,
      value: inUnit(each, 'mae'),
      low: null,
      high: null,
    }));
    const write = (value: Maybe): string => `${number(value)} ${valueUnit()}`;
    const max = Math.max(...bars.map(({ value }) => value ?? 0));
    return {
      verdict: `${write(inUnit(found, 'mae'))} with both as one. ${describeGain(found)}`,
      caveat: `Average miss ${aheadWords(found.lead)} over ${counted(found.compared_days, 'day')}${found.isWider ? ' at all stations' : ''}${found.isLonger ? ', more than the period of this page' : ''}.`,
      content: (
        <Plot
          label={`Bar chart of the average miss: ${bars.map(({ name, value }) => `${name} ${write(value)}`).join(', ')}.`}
          across={bars.length}
          marks={() => bars.map(({ name }, at) => [at, name])}
          parts={[
            {
              ...{ name: `MAE, ${valueUnit()}`, class: 'mae', range: [0, 1.12 * max], ticks: [0] },
              format: () => '',
              draw: ({ x, y, foot }) => <ValueBars {...{ values: bars, format: number, x, y, foot }} />,
            },
          ]}
          reading={(at) => [bars[at]!.name, write(bars[at]!.value)]}
        />
      ),
    };
  },
});

/** The verdict of the API on the blend, in a sentence. */
function describeGain({ verdict }: Blend): string {
  if (verdict === 'better') return 'Both do better.';
  if (verdict === 'worse') return 'Both do worse.';
  if (verdict === 'not_significant') return 'No significant difference.';
  return `Which is better ${NOT_YET}: needs ${MIN_BLEND_DAYS} days.`;
}
