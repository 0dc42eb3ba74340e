import type { ComponentChildren } from 'preact';
import { addDays, formatSearch, type PageParams, parameters } from '../address.js';
import { isCoarse } from '../figure.js';
import { describeSuspect } from '../findings.js';
import { NO_PAIRS } from '../needs.js';
import { opensElsewhere, type Page, usePage } from '../page.js';
import { Lack, makeBody } from '../body.js';
import { published } from '../published.js';
import { score } from '../score.js';
import { biasWords, counted, weekday } from '../words.js';
import { byDateParameters } from './by-date.js';
import { getStep } from './declarations.js';

const SHOWN = 8;

async function loadMisses({ params, load }: Page) {
  const { data, metadata } = await load.get('accuracy/by-date', byDateParameters(params));
  const { read } = score();
  const known = data.filter(({ stats }) => typeof read(stats) === 'number');
  const ordered = known.toSorted((a, b) => read(b.stats)! - read(a.stats)!).slice(0, SHOWN);
  if (ordered.length === 0) throw new Lack(NO_PAIRS);
  return { ordered, metadata };
}

/** A link to some days, of a station or of all, which a copy does not have. */
function Days({ to, children }: { to: Partial<PageParams>; children: ComponentChildren }) {
  const { params, change } = usePage();
  if (published) return children;
  const follow = (event: MouseEvent): void => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    change(to);
    scrollTo(0, 0);
  };
  return (
    <a href={formatSearch({ ...params, ...to })} onClick={follow}>
      {children}
    </a>
  );
}

/** The days, or weeks, on which forecasts missed most, each with a link to them alone. */
export const misses = makeBody({
  load: loadMisses,
  view({ ordered, metadata }, { params }) {
    const isWeekly = getStep(params) === 'week';
    return {
      caveat: !published && `${isCoarse() ? 'Tap' : 'Click'} a ${isWeekly ? 'week' : 'day'} to see it alone.`,
      content: (
        <ol class="misses">
          {ordered.map(({ date, stats, sample_size }) => {
            const last = isWeekly ? addDays(date, 6) : date;
            const window = {
              date_from: date < metadata.period_start ? metadata.period_start : date,
              date_to: last > metadata.period_end ? metadata.period_end : last,
            };
            return (
              <li>
                <Days to={window}>{`${isWeekly ? 'Week of ' : ''}${weekday(date)}`}</Days>
                <span class="number">
                  {score().format(score().read(stats))}
                  {score().unit()}
                </span>
                <span class="quiet">
                  {biasWords(stats.mean_error)} · {counted(sample_size, 'forecast')}
                </span>
              </li>
            );
          })}
        </ol>
      ),
    };
  },
});

/** The latest observations that look wrong, and why. */
export const suspects = makeBody({
  async load({ params, load }) {
    const requested = parameters({ ...params, provider: '', lead_time_bucket: '' });
    const { data } = await load.get('data/suspects', requested);
    if (data.length === 0) throw new Lack('has no observation in doubt');
    return data;
  },
  view: (found) => ({
    verdict: `${counted(found.length, 'observation')} of these days may be wrong.`,
    caveat: 'They count as they are; nothing is left out.',
    content: (
      <ol class="misses">
        {found
          .slice(-SHOWN)
          .toReversed()
          .map((each) => (
            <li>
              <Days to={{ station_id: each.station_id, date_from: each.date, date_to: each.date }}>
                {each.city_name}, {weekday(each.date)}
              </Days>
              <span class="quiet">{describeSuspect(each)}</span>
            </li>
          ))}
      </ol>
    ),
  }),
});
