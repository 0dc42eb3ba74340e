import type { DateAccuracy } from '../../../clients/typescript/src/generated.js';
import { addDays, parameters, windowLength } from '../address.js';
import type { Answers } from '../api.js';
import {
  Figure,
  FOOT,
  Grid,
  LEFT,
  pointAt,
  rangeOf,
  type Scale,
  scaleOf,
  type Size,
  ticksOf,
} from '../figure.js';
import { usePage } from '../page.js';
import { Nothing, Panel, type View } from '../panel.js';
import { Term } from '../term.js';
import { biasWords, counted, day, number, shortDay, signed, unit, whole } from '../words.js';
import { Line, lines } from './lines.js';

/** Days of more than these are one line of noise; weeks are exact as well. */
const MOST_DAYS = 120;

/** The parameters for the days of a question, or for the weeks of a long window. */
export function byDateParameters(question: Parameters<typeof parameters>[0]) {
  const isWeekly = windowLength(question) > MOST_DAYS;
  return {
    isWeekly,
    asked: { ...parameters(question), include_preliminary: 'true', group_by: isWeekly ? 'week' : '' },
  };
}

/** The mean absolute error and the bias of each day, or of each week of a long window. */
export function ByDate() {
  const { question, load } = usePage();
  const { isWeekly, asked } = byDateParameters(question);
  return (
    <Panel
      id="by-date"
      title={`Error by ${isWeekly ? 'week' : 'day'}`}
      on={asked}
      ask={async () => {
        const [answer, library] = await Promise.all([load.get('accuracy/by-date', asked), lines()]);
        if (answer.data.length === 0)
          throw new Nothing('No day of this period has a forecast that can be compared with an observation.');
        return { answer, library };
      }}
      view={({ answer, library }): View => ({
        content: <Days {...{ answer, library, isWeekly }} />,
        table: {
          caption: `Error by ${isWeekly ? 'week' : 'day'}, ${unit()}`,
          columns: [
            ...[isWeekly ? 'Week of' : 'Day', 'MAE', 'Bias', '9 in 10 within', 'Forecasts', 'Observations'],
          ],
          rows: answer.data
            .toReversed()
            .map((record) => [
              day(record.date),
              number(record.stats.mae),
              signed(record.stats.mean_error),
              number(record.stats.abs_error_p90),
              whole(record.sample_size),
              statusOf(record),
            ]),
        },
        csv: { what: `the ${isWeekly ? 'week' : 'day'}s`, path: 'accuracy/by-date', query: asked },
      })}
    />
  );
}

interface DaysProps {
  answer: Answers['accuracy/by-date'];
  library: Awaited<ReturnType<typeof lines>>;
  isWeekly: boolean;
}

/** Both lines over one axis of time. */
function Days({ answer: { data, metadata }, library, isWeekly }: DaysProps) {
  const step = isWeekly ? 7 : 1;
  const name = isWeekly ? 'week' : 'day';
  const { period_start, period_end } = metadata;
  // A week begins on Monday, before the window where that begins within it.
  const first = isWeekly ? mondayOf(period_start) : period_start;
  const count = Math.ceil((Date.parse(period_end) - Date.parse(first) + DAY_MS) / DAY_MS / step);
  const dates = Array.from({ length: count }, (_each, index) => addDays(first, step * index));
  const found = new Map(data.map((record) => [record.date, record]));
  const days = dates.map((date) => found.get(date));
  const errors = days.map((each) => each?.stats.mae ?? null);
  const biases = days.map((each) => each?.stats.mean_error ?? null);
  const [errorRange, biasRange] = [rangeOf(errors), rangeOf(biases, 2)];
  const mostly = data.filter(isMostlyPreliminary).length;
  const nameOf = (date: string): string => (isWeekly ? `Week of ${day(date)}` : day(date));
  const last = data.at(-1);
  const layout = ({ width, height }: Size) => {
    const half = Math.floor((height - FOOT - GAP) / 2) - HEAD;
    const slot = (width - LEFT) / count;
    const at = dates.map((_date, index) => LEFT + (index + 0.5) * slot);
    const foot = HEAD + half;
    return {
      ...{ half, slot, at, biasTop: foot + GAP + HEAD },
      error: scaleOf(errorRange, [foot, HEAD]),
      bias: scaleOf(biasRange, [foot + GAP + HEAD + half, foot + GAP + HEAD]),
    };
  };
  const draw = (size: Size) => {
    const { width, height } = size;
    const { half, slot, at, error, bias, biasTop } = layout(size);
    const every = tickEvery((72 * count) / (width - LEFT), step);
    const marked = dates.map((_date, index) => index).filter((index) => (count - 1 - index) % every === 0);
    return {
      at,
      content: (
        <>
          {days.map(
            (each, index) =>
              each &&
              isMostlyPreliminary(each) &&
              [HEAD, biasTop].map((y) => (
                <rect class="tint" x={(at[index] ?? 0) - slot / 2} y={y} width={slot} height={half} />
              )),
          )}
          {marked.map((index) => (
            <path class="tick" d={`M${at[index]} ${HEAD}v${half}M${at[index]} ${biasTop}v${half}`} />
          ))}
          <Part {...{ y: error, range: errorRange, width, top: HEAD, half, name: 'MAE' }} />
          <Part
            {...{ y: bias, range: biasRange, width, top: biasTop, half }}
            name="Bias: above 0 too warm, below too cold"
          />
          <g class="foot">
            {marked.map((index, nth) => (
              <text x={Math.min(at[index] ?? 0, width - 24)} y={height - 7} text-anchor="middle">
                {shortDay(dates[index] ?? '')}
                {nth === 0 &&
                  !dates[index]?.startsWith(period_end.slice(0, 4)) &&
                  `, ${dates[index]?.slice(0, 4)}`}
              </text>
            ))}
          </g>
        </>
      ),
    };
  };
  const ending =
    last &&
    `, last ${nameOf(last.date)} with ${number(last.stats.mae, 1)} and ${signed(last.stats.mean_error, 1)} ${unit()}`;
  return (
    <>
      <p class="basis">
        <Term of="mae">MAE</Term> and <Term of="bias">bias</Term> of each {name}
        {mostly > 0 && (
          <>
            ; tinted: <Term of="preliminary">preliminary</Term> ({counted(mostly, name)})
          </>
        )}
        .
      </p>
      <Figure
        class="two"
        label={`Line chart of the mean absolute error and of the bias of ${counted(data.length, name)}${ending}. Arrow keys read it ${name} by ${name}.`}
        draw={draw}
        over={(size) => {
          const { at, half, biasTop } = layout(size);
          const ends = { library, from: at[0] ?? 0, to: at.at(-1) ?? 0, height: half };
          return (
            <>
              <Line {...{ ...ends, values: errors, top: HEAD, range: errorRange, colour: '--mae' }} />
              <Line {...{ ...ends, values: biases, top: biasTop, range: biasRange, colour: '--bias' }} />
            </>
          );
        }}
        reading={(index) => {
          const date = index === undefined ? undefined : dates[index];
          if (date === undefined) return pointAt(`a ${name}`);
          const record = found.get(date);
          return (
            <>
              <b>{nameOf(date)}</b>{' '}
              {record === undefined
                ? 'no comparison'
                : `MAE ${number(record.stats.mae)} ${unit()} · ${biasWords(record.stats.mean_error)} · ${whole(record.sample_size)} forecasts · ${statusOf(record)}`}
            </>
          );
        }}
      />
    </>
  );
}

const DAY_MS = 86_400_000;

/** Room between the two parts, and above each for its name, px. */
const GAP = 14;
const HEAD = 22;

interface PartProps {
  y: Scale;
  range: readonly [number, number];
  width: number;
  top: number;
  half: number;
  name: string;
}

const Part = ({ y, range, width, top, half, name }: PartProps) => (
  <>
    <Grid {...{ y, width, ticks: ticksOf(range[0], range[1], Math.max(2, half / 36)) }} />
    <text class={`direct ${name === 'MAE' ? 'mae' : 'bias'}`} x={width} y={top - 8} text-anchor="end">
      {name}
    </text>
  </>
);

/** Days or weeks between two labels: at least so many, and a round number. */
const tickEvery = (least: number, step: number): number =>
  [1, 2, 7, 14, 28, 56, 91, 182, 364].map((days) => Math.ceil(days / step)).find((each) => each >= least) ??
  52;

const mondayOf = (date: string): string => addDays(date, -((new Date(date).getUTCDay() + 6) % 7));

/** Over many stations, most days have an observation somewhere that is never verified: they are not marked. */
const isMostlyPreliminary = ({ preliminary_pairs = 0, sample_size }: DateAccuracy): boolean =>
  preliminary_pairs > sample_size / 2;

/** The status of a day in words: it may rest on a few preliminary observations or on nothing else. */
function statusOf({ preliminary_pairs = 0, sample_size }: DateAccuracy): string {
  if (preliminary_pairs === 0) return 'verified';
  const percent = (100 * preliminary_pairs) / sample_size;
  return percent === 100 ? 'preliminary' : `${percent < 1 ? 'under 1' : Math.floor(percent)}% preliminary`;
}
