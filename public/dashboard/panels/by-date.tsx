import type { DateAccuracy } from '../../../clients/typescript/src/generated.js';
import { addDays, countDays, parameters, type PageParams } from '../address.js';
import type { Responses } from '../api.js';
import { type Area, Line, makeParts, Plot } from '../figure.js';
import { describeDays, readDay } from '../findings.js';
import { NO_PAIRS } from '../needs.js';
import type { Page } from '../page.js';
import { Lack, makeBody } from '../body.js';
import { score, scoreWithUnit } from '../score.js';
import { Term } from '../term.js';
import { counted, day, percent, shortDay, signed, valueUnit, whole, sideWords } from '../words.js';
import { getStep, type Step } from './declarations.js';

export const byDateParameters = (params: PageParams) => ({
  ...parameters(params),
  include_preliminary: 'true',
  group_by: getStep(params) === 'week' ? 'week' : '',
});

async function loadByDate({ params, load }: Page) {
  const response = await load.get('accuracy/by-date', byDateParameters(params));
  if (response.data.length === 0) throw new Lack(NO_PAIRS);
  return response;
}

/** The mean absolute error and the bias of each day, or of each week. */
export const byDate = makeBody({
  load: loadByDate,
  view(response, { params }) {
    const [step, query] = [getStep(params), byDateParameters(params)];
    return {
      verdict: describeDays(response.data, step),
      caveat: <Caveat data={response.data} step={step} />,
      content: <Days {...response} step={step} />,
      table: {
        caption: `${score().name} by ${step}`,
        columns: [
          step === 'week' ? 'Week of' : 'Day',
          scoreWithUnit(),
          `Bias, ${valueUnit()}`,
          'Forecasts',
          'Preliminary',
        ],
        rows: response.data
          .toReversed()
          .map(({ date, stats, sample_size, preliminary_pairs }) => [
            shortDay(date),
            score().format(score().read(stats)),
            signed(stats.mean_error),
            whole(sample_size),
            preliminary_pairs === 0 ? '' : percent(preliminary_pairs && preliminary_pairs / sample_size),
          ]),
      },
      csv: { what: `the ${step}s`, path: 'accuracy/by-date', query },
    };
  },
});

/** So few values that each gets a point. */
const MAX_SMALL = 45;

/** Both lines over one axis of time. */
function Days({ data, metadata, step }: Responses['accuracy/by-date'] & { step: Step }) {
  const length = step === 'week' ? 7 : 1;
  const { period_start, period_end } = metadata;
  // A week begins on Monday, before the window where that begins within it.
  const first = step === 'week' ? toMonday(period_start) : period_start;
  const count = Math.ceil(countDays(first, period_end) / length);
  const dates = Array.from({ length: count }, (_each, index) => addDays(first, length * index));
  const found = new Map(data.map((record) => [record.date, record]));
  const days = dates.map((date) => found.get(date));
  const makeName = (date: string): string => (step === 'week' ? `Week of ${day(date)}` : day(date));
  const steps = [1, 2, 7, 14, 28, 56, 91, 182, 364].map((each) => Math.ceil(each / length));
  /** The dates with a label, counted from the last, none closer than a label is wide. */
  const marked = (slot: number): number[] => {
    const every = steps.find((each) => each * slot >= 72) ?? count;
    return dates.flatMap((_date, index) => ((count - 1 - index) % every === 0 ? [index] : []));
  };
  const makeDraw = (values: (number | null)[], colour: string) => {
    /** A value between two missing ones has no line, so it has a point. */
    const hasPoint = (at: number): boolean =>
      count <= MAX_SMALL || (values[at - 1] ?? values[at + 1] ?? null) === null;
    return ({ x, y, top, foot }: Area) => {
      const slot = x(1) - x(0);
      return [
        ...days.map((each, index) => {
          const place = { x: x(index - 0.5), y: top, width: slot, height: foot - top };
          return each && isMostlyPreliminary(each) && <rect class="tint" {...place} />;
        }),
        ...marked(slot).map((index) => <path class="tick" d={`M${x(index)} ${top}V${foot}`} />),
        <Line
          {...{ points: [...values.entries()], x, y, class: colour }}
          radius={(index) => (hasPoint(index) ? 2.5 : 0)}
        />,
      ];
    };
  };
  const last = data.at(-1)!;
  const ending = `, last ${makeName(last.date)} with ${score().short(score().read(last.stats))}${score().unit()} and ${signed(last.stats.mean_error, 1)} ${valueUnit()}`;
  return (
    <Plot
      label={`Line chart of the ${score().words} and of the bias of ${counted(data.length, step)}${ending}. Arrow keys read it ${step} by ${step}.`}
      across={count}
      parts={makeParts(
        days.map((each) => each?.stats),
        `Bias: above 0 ${sideWords(1)}, below ${sideWords(-1)}`,
        makeDraw,
      )}
      marks={(slot) =>
        marked(slot).map((index, nth) => {
          const date = dates[index] ?? '';
          const year =
            nth === 0 && date.slice(0, 4) !== period_end.slice(0, 4) ? `, ${date.slice(0, 4)}` : '';
          // The label of the last day has room on its right.
          return [Math.min(index, count - 0.5 - 22 / slot), shortDay(date) + year];
        })
      }
      reading={(index) => {
        const date = dates[index] ?? '';
        const record = found.get(date);
        if (record === undefined) return [makeName(date), 'no comparison'];
        return [makeName(date), readDay(record)];
      }}
    />
  );
}

/** The lines of a plot, and what may still change. */
function Caveat({ data, step }: { data: DateAccuracy[]; step: Step }) {
  const mostly = data.filter(isMostlyPreliminary).length;
  const [of, text] = score().term;
  return (
    <>
      <Term of={of}>{text}</Term> and <Term of="bias">bias</Term> of each {step}
      {mostly > 0 && (
        <>
          ; tinted: <Term of="preliminary">preliminary</Term> ({counted(mostly, step)})
        </>
      )}
    </>
  );
}

const toMonday = (date: string): string => addDays(date, -((new Date(date).getUTCDay() + 6) % 7));

/** Over many stations, most days have an observation somewhere that is never verified: they are not marked. */
const isMostlyPreliminary = ({ preliminary_pairs = 0, sample_size }: DateAccuracy): boolean =>
  preliminary_pairs > sample_size / 2;
