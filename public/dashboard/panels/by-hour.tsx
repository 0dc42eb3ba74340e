import type { HourAccuracy } from '../../../clients/typescript/src/generated.js';
import { HOURLY_NAMES, VARIABLES } from '../../../src/variables/variables.js';
import { type PageParams, parameters } from '../address.js';
import { type Area, computeRange, Line, Plot } from '../figure.js';
import { type Page, usePage } from '../page.js';
import { Lack, Panel, type View } from '../panel.js';
import { describeHours, hourName, type HourGroup } from '../sentences.js';
import { getPeriod } from '../variables.js';
import { biasWords, getVariable, number, signed, valueUnit, whole } from '../words.js';

const toRequest = (params: PageParams, group_by: HourGroup) => ({
  ...parameters(params),
  group_by,
});

export async function loadByHour({ params, load }: Page) {
  if (getPeriod(params) !== 'hour')
    throw new Lack(`is about ${HOURLY_NAMES.map((name) => VARIABLES[name].plural).join(' or ')}`);
  const [leads, hours] = await Promise.all(
    (['lead_hour', 'local_hour'] as const).map((group) =>
      load.get('accuracy/by-hour', toRequest(params, group)),
    ),
  );
  if (leads === undefined || hours === undefined || leads.data.length === 0)
    throw new Lack(`needs forecasts of ${VARIABLES[getVariable()].plural}, with reports`);
  return { leads: leads.data, hours: hours.data };
}

/** The mean absolute error and the bias of temperatures at hours, by lead hour and by hour of the day. */
export function ByHour() {
  const { params } = usePage();
  return (
    <Panel
      id="by-hour"
      title="Error by hour"
      ask={loadByHour}
      view={({ leads, hours }): View => ({
        ...describeHours(leads, hours),
        content: (
          <div class="by-hours">
            <Hours records={leads} group="lead_hour" title="hours ahead" />
            <Hours records={hours} group="local_hour" title="hour of the day at the station" />
          </div>
        ),
        table: {
          caption: `Error of ${VARIABLES[getVariable()].plural}, ${valueUnit()}`,
          columns: ['Hour', 'MAE', 'Bias', '9 in 10 within', 'Forecasts'],
          rows: [...leads.map(makeRow('lead_hour')), ...hours.map(makeRow('local_hour'))],
        },
        csv: { what: 'the lead hours', path: 'accuracy/by-hour', query: toRequest(params, 'lead_hour') },
      })}
    />
  );
}

const makeRow =
  (group: HourGroup) =>
  ({ hour, stats }: HourAccuracy): string[] => [
    hourName(hour, group),
    number(stats.mae),
    signed(stats.mean_error),
    number(stats.abs_error_p90),
    whole(stats.verification_pairs),
  ];

/** Every so many hours a label. */
const LABEL_EVERY = 6;

function Hours({ records, group, title }: { records: HourAccuracy[]; group: HourGroup; title: string }) {
  const lineOf =
    (name: 'mae' | 'mean_error', colour: string) =>
    ({ x, y }: Area) => (
      <Line
        {...{ x, y, class: colour }}
        points={records.map(({ stats }, index) => [index, stats[name]] as const)}
      />
    );
  const values = (name: 'mae' | 'mean_error') => records.map(({ stats }) => stats[name]);
  const listed = records
    .map(({ hour, stats }) => `${hourName(hour, group)} ${number(stats.mae, 1)} ${valueUnit()}`)
    .join(', ');
  return (
    <Plot
      label={`Line chart of the mean absolute error, by ${title}: ${listed}. Arrow keys read it hour by hour.`}
      across={records.length}
      title={title}
      marks={() =>
        records.flatMap(({ hour }, index): [number, string][] =>
          hour % LABEL_EVERY === 0 ? [[index, String(hour)]] : [],
        )
      }
      parts={[
        { name: 'MAE', class: 'mae', range: computeRange(values('mae')), draw: lineOf('mae', 'mae') },
        {
          name: 'Bias',
          class: 'bias',
          range: computeRange(values('mean_error'), 2),
          draw: lineOf('mean_error', 'bias'),
        },
      ]}
      reading={(index) => {
        const { hour, stats } = records[index]!;
        const pairs = `${whole(stats.verification_pairs)} forecasts`;
        return [
          hourName(hour, group),
          `MAE ${number(stats.mae)} ${valueUnit()} · ${biasWords(stats.mean_error)} · ${pairs}`,
        ];
      }}
    />
  );
}
