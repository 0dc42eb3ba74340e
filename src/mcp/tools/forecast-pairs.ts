import { type ApiResponse, makeUrl } from '../../responses/local-client.js';
import { flag } from '../../api/parameters.js';
import { FILTERS, limit, own, PLACE_OR_ALL, UNITS, VARIABLE, WINDOW_DAYS } from '../tool-parameters.js';
import { getRequestFields, readRows, whyEmpty } from '../tool-rows.js';
import { makeQuery, makeRequest, same, type Tool } from '../tool.js';

const MAX_ROWS = 200;

const NAMES = {
  place: 'station_id',
  ...same('metric', 'days', 'date_from', 'date_to', ...Object.keys(FILTERS)),
};

export const forecastPairs: Tool = {
  name: 'forecast_pairs',
  title: 'Single forecasts with what was observed',
  description:
    'Lists verification pairs: each forecast with the observation of its day, and its error, by date. worst_first=true ' +
    'lists the largest errors of the window. `file` is an export of all of them.',
  parameters: {
    place: PLACE_OR_ALL,
    metric: VARIABLE,
    ...WINDOW_DAYS,
    ...FILTERS,
    units: UNITS,
    worst_first: own(flag(false, '')),
    limit: limit(MAX_ROWS, 20),
  },
  more: { file: { type: 'string' } },
  row: 'One for each pair.',

  plan(values) {
    const always: Record<string, string> = { limit: String(values.limit) };
    if (values.worst_first === true) always.sort_by = 'abs_error';
    return [makeRequest('/data/forecast-actual', values, { ...NAMES, units: 'units' }, always)];
  },

  async handle(values, [response], ask, place) {
    const found = response as ApiResponse;
    const { metadata = {} } = found;
    const total = Number(metadata.total_records);
    const shown = readRows(found);
    const hints: string[] = [];
    if (total === 0) hints.push(await whyEmpty(ask, found, place));
    if (shown.length < total) hints.push(`${shown.length} of ${total} pairs: the file has all of them`);
    return {
      params: getRequestFields(found),
      rows: shown,
      total_rows: total,
      hints,
      file: makeUrl('', '/export/pairs', { metric: 'high', ...makeQuery(values, NAMES) }),
    };
  },
};
