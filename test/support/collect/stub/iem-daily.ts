import { formatDate, dayNumber } from '../../../../src/statistics/time/calendar.js';
import { localDay } from '../../../../src/statistics/time/local-midnight.js';
import type { StationPlace } from '../../../../src/collect/source.js';
import { observed, type StubSource, USUAL, windOf } from '../world.js';

// The daily summaries of IEM, without gusts. The day that runs has a row too: what was reported so far.

export const iemDaily: StubSource = (url, now_ms, places, lateness = USUAL) => {
  if (url.pathname !== '/cgi-bin/request/daily.py') return undefined;
  const asked = (name: string): string => url.searchParams.get(name) ?? '';
  const text = (
    body: string,
    status = 200,
  ): { status: number; body: string; headers: Record<string, string> } => ({
    status,
    body,
    headers: { 'content-type': 'text/plain' },
  });
  const fixed = {
    var: 'max_temp_f,min_temp_f,max_wind_speed_kts,max_wind_gust_kts',
    na: 'blank',
    format: 'csv',
  };
  if (Object.entries(fixed).some(([name, value]) => asked(name) !== value)) return text('not served', 422);
  const [first, last] = [dayNumber(asked('sts')), dayNumber(asked('ets'))];
  if (!(first <= last)) return text('bad sts and ets', 422);
  if (asked('sts').slice(0, 4) !== asked('ets').slice(0, 4)) {
    return text('ERROR: server over capacity, please try later', 503);
  }
  const network = places.filter(({ daily_network }) => daily_network === asked('network'));
  if (network.length === 0) return text('ERROR: Invalid network specified');
  const stations = asked('stations').split(',').sort();
  const unknown = stations.find((id) => !network.some(({ station_id }) => station_id === id));
  if (unknown !== undefined) {
    return text(`ERROR: station: ${unknown} not found in network: ${asked('network')}`);
  }
  const lines = stations.flatMap((id) => {
    const place = network.find(({ station_id }) => station_id === id) as StationPlace;
    return Array.from({ length: last - first + 1 }, (_, at) => formatDate(first + at)).flatMap((date) => {
      const { begins_ms, ends_ms } = localDay(date, place.timezone, place.day_boundary);
      const late_ms = lateness('iem-daily', id, Date.parse(date));
      if (now_ms < begins_ms || (late_ms > 0 && now_ms < ends_ms + late_ms)) return [];
      const { high_f, low_f } = observed(id, date);
      const high = now_ms < ends_ms ? low_f + 1 : high_f;
      return [`${id},${date},${high.toFixed(1)},${low_f.toFixed(1)},${windOf(id, date)}.0,\n`];
    });
  });
  return text(`station,day,${fixed.var}\n${lines.join('')}`);
};
