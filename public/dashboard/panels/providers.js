/** @import { Comparison, Page, Provider, Reliability } from '../types.js' */
import { pairParameters, parameters } from '../address.js';
import { ApiFault } from '../api.js';
import { below, colours, keyOf } from './chart.js';
import { h, table } from '../dom.js';
import { charts } from '../libraries.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { bucketWords, counted, hours, number, percent, pointAt, signed, unit, whole } from '../words.js';
import { ageWords, finding, intervalWords, verdictOf } from './intervals.js';
import { dotsByLead } from './lead-dots.js';
import { USUAL_LEAD } from './odds.js';

/**
 * How another provider compares with the chosen one by lead time, on the days that both have.
 * @param {HTMLElement} place
 * @param {Page} page
 */
export async function showProviders(place, page) {
  const { question, get, signal } = page;
  const { reference, others, compared } = await sidesOf(page);
  if (compared === undefined) {
    place.replaceChildren(
      empty(
        'All forecasts are of one provider. With a second one, this compares them on the days that both have.',
      ),
    );
    return;
  }
  const subject = parameters({ ...question, provider: '' });
  const asked = { ...subject, providers: `${reference},${compared}`, group_by: 'lead_time_bucket' };
  const [{ data }] = await Promise.all([
    /** @type {Promise<Comparison>} */ (get('accuracy/compare', asked)),
    charts(),
  ]);
  if (signal.aborted) return;
  const save = page.save('the comparison', 'accuracy/compare', () => asked);
  draw(place, data, choiceOf(reference, others, compared, page), save);
  const blended = await blendOf(page, [reference, compared]);
  if (!signal.aborted && blended !== undefined) place.append(blended);
}

/**
 * The worth of the two as one forecast, on past days; undefined where they cannot be blended.
 * @param {Page} page
 * @param {string[]} names
 */
async function blendOf({ question, get }, names) {
  // Probabilities are of whole degrees Fahrenheit, at one lead time.
  if (question.temp_unit !== '' || question.lead_time_bucket.includes(',')) return undefined;
  const lead_time_bucket = question.lead_time_bucket || USUAL_LEAD;
  const { station_id } = question;
  const asked = {
    ...pairParameters(question),
    provider: '',
    providers: names.join(),
    lead_time_bucket,
    station_id,
  };
  try {
    const { data } = /** @type {Reliability} */ (await get('probability/reliability', asked));
    const { blend } = data;
    if (blend === undefined || blend.mae_f === null) return undefined;
    const members = Object.entries(blend.members).map(([name, { mae_f }]) => `${number(mae_f)} (${name})`);
    return h(
      'p',
      { class: 'basis blend' },
      h(
        'strong',
        {},
        `Both as one, ${bucketWords(lead_time_bucket)} ahead: MAE ${number(blend.mae_f)} ${unit()}`,
      ),
      ` beside ${members.join(' and ')}. ${blend.note}.`,
    );
  } catch (error) {
    // The comparison stands without it.
    if (error instanceof ApiFault && error.code !== 'UNAUTHORIZED') return undefined;
    throw error;
  }
}

/**
 * Who is compared with whom: the provider of the page with one of the others.
 * @param {Page} page
 */
export async function sidesOf(page) {
  const { question, get } = page;
  const { data: providers } = /** @type {{ data: Provider[] }} */ (await get('providers', {}));
  const reference = question.provider || providers.find(({ is_default }) => is_default)?.provider || '';
  const others = providers.map(({ provider }) => provider).filter((each) => each !== reference);
  if (others.length === 0) return { reference, others, compared: undefined };
  const isNamed = others.includes(question.compare);
  const compared = isNamed ? question.compare : await mostInCommon(page, reference, others);
  return { reference, others, compared };
}

/** The most providers that one comparison takes. */
const MOST_COMPARED = 8;

/**
 * The one that has most station days in common with the reference.
 * @param {Page} page
 * @param {string} reference
 * @param {string[]} others
 */
async function mostInCommon({ question, get }, reference, others) {
  if (others.length === 1) return others[0] ?? '';
  const subject = parameters({ ...question, provider: '' });
  const providers = [reference, ...others].slice(0, MOST_COMPARED).join();
  const { data } = /** @type {Comparison} */ (
    await get('accuracy/compare', { ...subject, providers, reference })
  );
  const ordered = data.toSorted((a, b) => b.cases - a.cases);
  return ordered[0]?.provider ?? others[0] ?? '';
}

/**
 * @param {string} reference
 * @param {string[]} others
 * @param {string} chosen
 * @param {Page} page
 */
function choiceOf(reference, others, chosen, page) {
  if (others.length < 2) return '';
  /** @param {{ target: HTMLSelectElement }} event */
  const changed = ({ target }) => page.keep({ compare: target.value }, 'providers', 'scorecard');
  const options = others.map((provider) =>
    h('option', { value: provider, selected: provider === chosen }, provider),
  );
  return h(
    'label',
    { class: 'basis' },
    `${reference} against `,
    h('select', { name: 'compare', change: changed }, ...options),
  );
}

/**
 * @param {HTMLElement} place
 * @param {Comparison['data']} data
 * @param {HTMLElement | string} choice of the provider, where there are several
 * @param {HTMLElement} save
 */
function draw(place, data, choice, save) {
  const known = data.filter(({ cases }) => cases > 0);
  const [first] = known;
  if (first === undefined) {
    place.replaceChildren(choice, empty('No day of this period has a forecast of both.'));
    return;
  }
  const without = data
    .filter(({ cases }) => cases === 0)
    .map(({ lead_time_bucket }) => hours(lead_time_bucket));
  const { provider, reference } = first;
  const drawing = h('div');
  place.replaceChildren(
    choice,
    h(
      'p',
      { class: 'basis' },
      h('strong', {}, verdictOf(known, without.length === 0)),
      ageWords(known),
      without.length === 0 ? '' : ` No days in common at ${without.join(', ')}.`,
    ),
    h(
      'p',
      { class: 'legend' },
      keyOf(
        'mae',
        `MAE of ${provider} − MAE of ${reference}, ${unit()}: below 0, ${provider} has the smaller error`,
      ),
      keyOf('whisker', term('interval', '95 % interval')),
    ),
    drawing,
    below(
      table(
        `${provider} against ${reference} by lead time, ${unit()}, over the same station days`,
        [
          'Hours before the day',
          'MAE difference',
          '95 %',
          `${provider} closer`,
          `${reference} closer`,
          'Station days',
        ],
        known.map(({ lead_time_bucket, mae_difference, wins, losses, cases }) => [
          hours(lead_time_bucket),
          signed(mae_difference.value),
          intervalWords(mae_difference, signed) ?? '–',
          percent(wins / cases),
          percent(losses / cases),
          whole(cases),
        ]),
      ),
      save,
    ),
  );
  dotsByLead(
    drawing,
    `Difference of the mean absolute error by lead time, ${provider} against ${reference}: ${known
      .map((each) => `${hours(each.lead_time_bucket)}: ${finding(each)}`)
      .join('; ')}. Arrow keys read it one by one.`,
    known.map(({ lead_time_bucket, mae_difference }) => ({ bucket: lead_time_bucket, ...mae_difference })),
    () => colours().mae,
    (index) => {
      const each = index === null ? undefined : known[index];
      if (each === undefined) return [pointAt('a lead time')];
      const { wins, losses, cases } = each;
      return [
        h('b', {}, hours(each.lead_time_bucket)),
        ` ${finding(each)}${each.hint === null ? '' : ` · ${each.hint}`} · closer: ${provider} ${percent(wins / cases)}, ${reference} ${percent(losses / cases)} · ${counted(cases, 'station day')}`,
      ];
    },
  );
}
