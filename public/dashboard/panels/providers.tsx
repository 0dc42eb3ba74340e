import type { ProviderComparison, Reliability } from '../../../clients/typescript/src/generated.js';
import { pairParameters, parameters, USUAL_LEAD } from '../address.js';
import { ApiError } from '../api.js';
import { type Options, Select } from '../fields.js';
import { Dots, getEnds, type LeadDot, ofLeads, Plot, computeRange } from '../figure.js';
import { ageWords, finding, intervalWords, makeVerdict } from '../intervals.js';
import { type Page, usePage } from '../page.js';
import { Nothing, Panel, type View } from '../panel.js';
import { bucketWords, counted, hours, inUnit, number, percent, signed, unit, whole } from '../words.js';
import { type Sides, loadSides } from './sides.js';

/** How another provider compares with the chosen one by lead time, on the days that both have. */
export function Providers() {
  const page = usePage();
  const { params, load } = page;
  return (
    <Panel
      id="providers"
      title="Which provider?"
      on={[parameters(params), params.compare]}
      ask={async () => {
        const sides = await loadSides(page);
        const { reference, compared } = sides;
        if (compared === undefined)
          throw new Nothing(
            'All forecasts are of one provider. With a second one, this compares them on the days that both have.',
          );
        const subject = parameters({ ...params, provider: '' });
        const requested = { ...subject, providers: `${reference},${compared}`, group_by: 'lead_time_bucket' };
        const [{ data }, blend] = await Promise.all([
          load.get('accuracy/compare', requested),
          loadBlend(page, [reference, compared]),
        ]);
        return { data, blend, sides, asked: requested };
      }}
      view={({ data, blend, sides, asked: requested }): View => {
        const known = data.filter(({ cases }) => cases > 0);
        const { reference, compared = '' } = sides;
        if (known.length === 0)
          return {
            content: (
              <>
                <Choice {...sides} />
                <p class="empty">No day of this period has a forecast of both.</p>
              </>
            ),
          };
        return {
          content: (
            <>
              <Choice {...sides} />
              <Differences {...{ data, known, reference, compared, blend }} />
            </>
          ),
          table: {
            caption: `${compared} against ${reference} by lead time, ${unit()}, over the same station days`,
            columns: [
              ...['Hours before the day', 'MAE difference', '95 %'],
              ...[`${compared} closer`, `${reference} closer`, 'Station days'],
            ],
            rows: known.map(({ lead_time_bucket, mae_difference, wins, losses, cases }) => [
              hours(lead_time_bucket),
              signed(mae_difference.value),
              intervalWords(mae_difference, signed) ?? '–',
              percent(wins / cases),
              percent(losses / cases),
              whole(cases),
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
  if (others.length < 2) return null;
  return (
    <label class="basis">
      {reference} against{' '}
      <Select
        {...{ name: 'compare', value: compared ?? '' }}
        options={others.map((provider): Options[0] => [provider, provider])}
        choose={(compare) => keep({ compare })}
      />
    </label>
  );
}

interface DifferencesProps {
  data: ProviderComparison[];
  known: ProviderComparison[];
  reference: string;
  compared: string;
  blend: Blend | undefined;
}

function Differences({ data, known, reference, compared, blend }: DifferencesProps) {
  const without = data.filter(({ cases }) => cases === 0).map((each) => hours(each.lead_time_bucket));
  const dots = known.map(({ lead_time_bucket = '', mae_difference }): LeadDot => ({
    ...mae_difference,
    bucket: lead_time_bucket,
  }));
  const reported = known.map((each) => `${hours(each.lead_time_bucket)}: ${finding(each)}`).join('; ');
  return (
    <>
      <p class="basis">
        <strong>{makeVerdict(known, without.length === 0)}</strong>
      </p>
      <Plot
        label={`Difference of the mean absolute error by lead time, ${compared} against ${reference}: ${reported}. Arrow keys read it one by one.`}
        {...ofLeads(dots)}
        parts={[
          {
            name: 'MAE difference, 95 % intervals',
            range: computeRange(getEnds(dots)),
            draw: ({ at, y }) => <Dots {...{ dots, at, y, class: 'mae' }} />,
          },
        ]}
        hint={`MAE of ${compared} − MAE of ${reference}: below 0, ${compared} has the smaller error.`}
        reading={(index) => {
          const each = known[index]!;
          const { wins, losses, cases, hint } = each;
          const closer = `closer: ${compared} ${percent(wins / cases)}, ${reference} ${percent(losses / cases)}`;
          const reported = [
            finding(each),
            ...(hint === null ? [] : [hint]),
            closer,
            counted(cases, 'station day'),
          ];
          return [hours(each.lead_time_bucket), reported.join(' · ')];
        }}
      />
      <p class="basis note">
        {without.length > 0 && `No days in common at ${without.join(', ')}.`}
        {ageWords(known)}
      </p>
      {blend && (
        <p class="basis blend">
          <strong>
            Both as one, {bucketWords(blend.lead)} ahead: MAE {number(inUnit(blend, 'mae'))} {unit()}
          </strong>{' '}
          beside{' '}
          {Object.entries(blend.members)
            .map(([name, member]) => `${number(inUnit(member, 'mae'))} (${name})`)
            .join(' and ')}
          . {blend.note}.
        </p>
      )}
    </>
  );
}

type Blend = NonNullable<Reliability['blend']> & { lead: string };

/** The worth of the two as one forecast, on past days; undefined where they cannot be blended. */
async function loadBlend({ params, load }: Page, names: string[]): Promise<Blend | undefined> {
  // Probabilities are of one lead time.
  if (params.lead_time_bucket.includes(',')) return undefined;
  const lead = params.lead_time_bucket || USUAL_LEAD;
  try {
    const { data } = await load.get('probability/reliability', {
      ...pairParameters(params),
      provider: '',
      providers: names.join(),
      lead_time_bucket: lead,
      station_id: params.station_id,
      temp_unit: params.temp_unit,
    });
    return data.blend && inUnit(data.blend, 'mae') !== null ? { ...data.blend, lead } : undefined;
  } catch (error) {
    // The comparison stands without it.
    if (error instanceof ApiError && error.code !== 'UNAUTHORIZED') return undefined;
    throw error;
  }
}
