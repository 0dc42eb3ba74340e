import type { HourAccuracy } from '../../../clients/typescript/src/generated.js';
import { VARIABLES } from '../../../src/variables/variables.js';
import { type PageParams, parameters } from '../address.js';
import { Line, makeParts, Plot } from '../figure.js';
import type { Page } from '../page.js';
import { Lack, makeBody } from '../body.js';
import { describeHours, hourName, type HourGroup } from '../sentences.js';
import { score, scoreWithUnit } from '../score.js';
import { biasWords, getVariable, signed, valueUnit, whole } from '../words.js';

const toRequest = (params: PageParams, group_by: HourGroup) => ({
  ...parameters(params),
  group_by,
});

async function loadByHour({ params, load }: Page) {
  const [leads, hours] = await Promise.all(
    (['lead_hour', 'local_hour'] as const).map((group) =>
      load.get('accuracy/by-hour', toRequest(params, group)),
    ),
  );
  if (leads === undefined || hours === undefined || leads.data.length === 0)
    throw new Lack(`needs forecasts of ${VARIABLES[getVariable()].plural}, with reports`);
  return { leads: leads.data, hours: hours.data };
}

/** The score and the bias of values of hours, by lead hour and by hour of the day. */
export const byHour = makeBody({
  load: loadByHour,
  view: ({ leads, hours }, { params }) => ({
    ...describeHours(leads, hours),
    content: (
      <div class="by-hours">
        <Hours records={leads} group="lead_hour" title="hours ahead" />
        <Hours records={hours} group="local_hour" title="hour of the day at the station" />
      </div>
    ),
    table: {
      caption: scoreWithUnit(`${score().title} of ${VARIABLES[getVariable()].plural}`),
      columns: ['Hour', score().name, `Bias, ${valueUnit()}`, score().spread.name, 'Forecasts'],
      rows: [...leads.map(makeRow('lead_hour')), ...hours.map(makeRow('local_hour'))],
    },
    csv: { what: 'the lead hours', path: 'accuracy/by-hour', query: toRequest(params, 'lead_hour') },
  }),
});

const makeRow =
  (group: HourGroup) =>
  ({ hour, stats }: HourAccuracy): string[] => [
    hourName(hour, group),
    score().format(score().read(stats)),
    signed(stats.mean_error),
    score().spread.write(stats),
    whole(stats.verification_pairs),
  ];

/** Every so many hours a label; windows of 12 hours end at few, and each has one. */
const LABEL_EVERY = 6;
const MAX_LABELS = 8;

function Hours({ records, group, title }: { records: HourAccuracy[]; group: HourGroup; title: string }) {
  const { name, words, read, unit } = score();
  const listed = records
    .map(({ hour, stats }) => `${hourName(hour, group)} ${score().short(read(stats))}${unit()}`)
    .join(', ');
  return (
    <Plot
      label={`Line chart of the ${words}, by ${title}: ${listed}. Arrow keys read it hour by hour.`}
      across={records.length}
      title={title}
      marks={() =>
        records.flatMap(({ hour }, index): [number, string][] =>
          records.length <= MAX_LABELS || hour % LABEL_EVERY === 0 ? [[index, String(hour)]] : [],
        )
      }
      parts={makeParts(
        records.map(({ stats }) => stats),
        'Bias',
        (values, colour) => (area) => <Line {...{ ...area, class: colour }} points={[...values.entries()]} />,
      )}
      reading={(index) => {
        const { hour, stats } = records[index]!;
        const pairs = `${whole(stats.verification_pairs)} forecasts`;
        return [
          hourName(hour, group),
          `${name} ${score().format(read(stats))}${unit()} · ${biasWords(stats.mean_error)} · ${pairs}`,
        ];
      }}
    />
  );
}
