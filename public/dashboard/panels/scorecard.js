/** @import { Compared, Comparison, Page } from '../types.js' */
import { parameters, windowLength } from '../address.js';
import { h } from '../dom.js';
import { empty } from '../states.js';
import { term } from '../terms.js';
import { counted, hours, monthName, signed, unit } from '../words.js';
import { ageWords, finding } from './intervals.js';
import { sidesOf } from './providers.js';

/** A longer window compares seasons, because months would be many columns. */
const MOST_DAYS_BY_MONTH = 366;

/**
 * Which of two providers has the smaller error at which lead time and when, as a table in colours.
 * @param {HTMLElement} place
 * @param {Page} page
 */
export async function showScorecard(place, page) {
  const { question, get, signal } = page;
  const { reference, compared } = await sidesOf(page);
  if (compared === undefined) {
    place.replaceChildren(empty('All forecasts are of one provider: there is nothing to compare.'));
    return;
  }
  const column = windowLength(question) > MOST_DAYS_BY_MONTH ? 'season' : 'month';
  const asked = {
    ...parameters({ ...question, provider: '' }),
    providers: `${reference},${compared}`,
    group_by: `lead_time_bucket,${column}`,
  };
  const { data, metadata } = /** @type {Comparison} */ (await get('accuracy/compare', asked));
  if (signal.aborted) return;
  const known = data.filter(({ cases }) => cases > 0);
  if (known.length === 0) {
    place.replaceChildren(empty('No day of this period has a forecast of both.'));
    return;
  }
  const columns = [...new Set(known.map((each) => each[column] ?? ''))];
  if (column === 'month') columns.sort();
  const leads = [...new Set(known.map(({ lead_time_bucket }) => lead_time_bucket))];
  place.replaceChildren(
    h(
      'p',
      { class: 'basis' },
      `MAE of ${compared} − MAE of ${reference}, ${unit()}: `,
      h('strong', {}, `${metadata.significant_cells} of ${counted(metadata.cells, 'cell')} are significant`),
      ', ',
      term('fdr', 'allowing for their number'),
      '.',
      ageWords(known),
    ),
    legend(compared, reference),
    h(
      'div',
      { class: 'scroll-x', tabindex: '0', role: 'region', 'aria-label': 'Scorecard' },
      h(
        'table',
        { class: 'scorecard' },
        h(
          'caption',
          { class: 'visually-hidden' },
          `${compared} against ${reference} by lead time and ${column}`,
        ),
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, 'Hours before'),
            ...columns.map((each) =>
              h('th', { scope: 'col' }, column === 'month' ? monthName(each) : (SEASONS[each] ?? each)),
            ),
          ),
        ),
        h(
          'tbody',
          {},
          ...leads.map((lead) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, hours(lead)),
              ...columns.map((each) =>
                cellOf(known.find((cell) => cell.lead_time_bucket === lead && cell[column] === each)),
              ),
            ),
          ),
        ),
      ),
    ),
    h(
      'div',
      { class: 'below' },
      h('span'),
      page.save('the scorecard', 'accuracy/compare', () => asked),
    ),
  );
}

/** @type {Record<string, string>} */
const SEASONS = { DJF: 'Dec–Feb', MAM: 'Mar–May', JJA: 'Jun–Aug', SON: 'Sep–Nov' };

/** A sign and a colour for each outcome, so that none of them is needed. */
const OUTCOMES = {
  better: { sign: '▼', style: 'bias-1' },
  worse: { sign: '▲', style: 'bias-5' },
  none: { sign: '·', style: 'bias-3' },
};

/** @param {Compared | undefined} cell */
function cellOf(cell) {
  if (cell === undefined) return h('td', { class: 'quiet' }, '–');
  const { significant, mae_difference, verdict } = cell;
  const isChance = !significant && ['better', 'worse'].includes(verdict);
  const isLess = (mae_difference.value ?? 0) < 0;
  const { sign, style } = OUTCOMES[!significant ? 'none' : isLess ? 'better' : 'worse'];
  return h(
    'td',
    {
      title: [
        `${finding(cell)}${isChance ? ', which may be chance among so many cells' : ''}, over ${counted(cell.cases, 'station day')}`,
        cell.hint,
      ]
        .filter(Boolean)
        .join('. '),
    },
    h(
      'span',
      { class: `chip ${style}` },
      h('span', { 'aria-hidden': 'true' }, `${sign} `),
      signed(mae_difference.value),
      significant && h('span', { class: 'visually-hidden' }, ' significant'),
    ),
  );
}

/** @param {string} compared @param {string} reference */
const legend = (compared, reference) =>
  h(
    'p',
    { class: 'legend' },
    ...[
      { of: OUTCOMES.better, words: `${compared} has the smaller error` },
      { of: OUTCOMES.worse, words: `${reference} has the smaller error` },
      { of: OUTCOMES.none, words: 'not shown: it may be chance' },
    ].map(({ of, words }) => h('span', {}, h('span', { class: `chip ${of.style}` }, of.sign), ` ${words}`)),
  );
