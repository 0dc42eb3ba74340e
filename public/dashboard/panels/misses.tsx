import type { ComponentChildren } from 'preact';
import type { Suspect } from '../../../clients/typescript/src/generated.js';
import { addDays, formatSearch, type PageParams, parameters } from '../address.js';
import { isCoarse } from '../figure.js';
import { describeSuspect } from '../findings.js';
import { NO_PAIRS } from '../needs.js';
import { type Page, usePage, useResponse } from '../page.js';
import { Lack, makeBody } from '../body.js';
import { published } from '../published.js';
import { score } from '../score.js';
import { isHighOrLow } from '../variables.js';
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
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
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
                  <SuspectMark from={window.date_from} to={window.date_to} />
                </span>
              </li>
            );
          })}
        </ol>
      ),
    };
  },
});

/** The observations of a request that look wrong, by date; of variables that are not checked, none. */
async function loadSuspects({ params, load }: Page): Promise<Suspect[]> {
  if (!isHighOrLow(params)) return [];
  const requested = parameters({ ...params, provider: '', lead_time_bucket: '' });
  return (await load.get('data/suspects', requested)).data;
}

/** Which observations of some days are in doubt. */
function SuspectMark({ from, to }: { from: string; to: string }) {
  const page = usePage();
  const { response: suspects = [] } = useResponse(() => loadSuspects(page));
  const found = suspects.filter(({ date }) => from <= date && date <= to);
  if (found.length === 0) return null;
  const names = [...new Set(found.map(({ city_name }) => city_name))];
  return <span class="doubt"> · in doubt: {names.join(', ')}</span>;
}

/** The latest observations that look wrong, and why. */
export const suspects = makeBody({
  async load(page) {
    const found = await loadSuspects(page);
    if (found.length === 0) throw new Lack('has no observation in doubt');
    return found;
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
