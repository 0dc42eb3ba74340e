import { addDays, formatSearch } from '../address.js';
import { type Page, usePage } from '../page.js';
import { published } from '../published.js';
import { NO_PAIRS, Lack, Panel, type View } from '../panel.js';
import { score } from '../score.js';
import { SuspectMark } from '../suspects.js';
import { isCoarse } from '../figure.js';
import { biasWords, counted, weekday } from '../words.js';
import { byDateParameters, getStep } from './by-date.js';

const SHOWN = 8;

async function loadMisses({ params, load }: Page) {
  const { data, metadata } = await load.get('accuracy/by-date', byDateParameters(params));
  const { read } = score();
  const known = data.filter(({ stats }) => typeof read(stats) === 'number');
  const ordered = known.toSorted((a, b) => read(b.stats)! - read(a.stats)!).slice(0, SHOWN);
  if (ordered.length === 0) throw new Lack(NO_PAIRS);
  return { ordered, metadata };
}

/** The days, or weeks, on which forecasts missed most, each with a link to them alone, which a copy does not have. */
export function Misses() {
  const { params, change } = usePage();
  const isWeekly = getStep(params) === 'week';
  return (
    <Panel
      id="misses"
      title="The largest misses"
      ask={loadMisses}
      view={({ ordered, metadata }): View => ({
        caveat:
          !published &&
          `${isCoarse() ? 'Tap' : 'Click'} a ${isWeekly ? 'week' : 'day'} to see it alone${params.station_id === '' ? ', station by station' : ''}.`,
        content: (
          <ol class="misses">
            {ordered.map(({ date, stats, sample_size }) => {
              const last = isWeekly ? addDays(date, 6) : date;
              const window = {
                date_from: date < metadata.period_start ? metadata.period_start : date,
                date_to: last > metadata.period_end ? metadata.period_end : last,
              };
              const follow = (event: MouseEvent): void => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                change(window);
                scrollTo(0, 0);
              };
              const name = `${isWeekly ? 'Week of ' : ''}${weekday(date)}`;
              return (
                <li>
                  {!published ? (
                    <a href={formatSearch({ ...params, ...window })} onClick={follow}>
                      {name}
                    </a>
                  ) : (
                    name
                  )}
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
      })}
    />
  );
}
