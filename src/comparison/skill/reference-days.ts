import type { RowsQuestion } from '../../relations/conditions.js';
import { bind, NOTHING, raw, sql, type Statement } from '../../sql.js';
import { type ReferenceName, reachOf } from './references.js';
import { dayNumber } from '../../statistics/time/calendar.js';

/** The days whose reports a reference needs for those of a window. */
export function daysOfReference(name: ReferenceName, window: RowsQuestion['window']): Statement {
  const { reports_from, reports_to, season_margin } = reachOf(name, window);
  const inSeason = (margin: number): Statement => {
    const first_day = dayNumber(window.period_start);
    const reach = dayNumber(window.period_end) + 1 - first_day + 2 * margin;
    return sql` AND positiveModulo(toInt32(toUInt16(target_date)) - ${bind({ first_day }, 'Int32')} + ${raw(`${margin}`)}, 365.2425)
      <= ${bind({ reach }, 'Int32')}`;
  };
  return sql`target_date BETWEEN ${bind({ reports_from }, 'Date')} AND ${bind({ reports_to }, 'Date')}${
    season_margin === undefined ? NOTHING : inSeason(season_margin)
  }`;
}
