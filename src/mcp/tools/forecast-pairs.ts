import { type ApiAnswer, urlOf } from '../../answers/questions.js';
import { flag } from '../../api/parameters.js';
import { FILTERS, limit, METRIC, own, PLACE_OR_ALL, TEMP_UNIT, WINDOW_DAYS } from '../parameters.js';
import { whyEmpty, questionOf } from '../rows.js';
import { queryOf, questionFor, same, type Tool, type Values } from '../tool.js';

const MOST_ROWS = 200;

/** The most pairs among which the worst are looked for: 3 MB of JSON, which are read in one piece. */
const MOST_LOOKED_AT = 10_000;

const NAMES = {
  place: 'station_id',
  ...same('metric', 'days', 'date_from', 'date_to', ...Object.keys(FILTERS)),
};

const isRanked = ({ worst_first }: Values): boolean => worst_first === true;

export const forecastPairs: Tool = {
  name: 'forecast_pairs',
  title: 'Single forecasts with what was observed',
  description:
    'Lists verification pairs: each forecast with the observation of its day, and its error, by date. worst_first=true ' +
    'lists the largest errors of the window. `file` is the path of an export that has all of them.',
  parameters: {
    place: PLACE_OR_ALL,
    metric: METRIC,
    ...WINDOW_DAYS,
    ...FILTERS,
    temp_unit: TEMP_UNIT,
    worst_first: own(flag(false, '')),
    limit: limit(MOST_ROWS, 20),
  },
  more: { file: { type: 'string' } },
  row: 'One for each pair.',

  plan(values) {
    const limit = String(isRanked(values) ? MOST_LOOKED_AT : values.limit);
    return [questionFor('/data/forecast-actual', values, { ...NAMES, temp_unit: 'temp_unit' }, { limit })];
  },

  async answer(values, [answer], ask, place) {
    const found = answer as ApiAnswer;
    const { metadata = {} } = found;
    const total = Number(metadata.total_records);
    const pairs = found.data as { error: number }[];
    const hints: string[] = [];
    if (total === 0) hints.push(await whyEmpty(ask, found, place));
    if (isRanked(values) && metadata.truncated === true) {
      hints.push(
        `The worst of the first ${pairs.length} of ${total} pairs only, by date: name a place or a shorter window for the worst of all`,
      );
    }
    const shown = isRanked(values)
      ? pairs.toSorted((a, b) => Math.abs(b.error) - Math.abs(a.error)).slice(0, values.limit as number)
      : pairs;
    if (shown.length < total) hints.push(`${shown.length} of ${total} pairs: the file has all of them`);
    return {
      question: questionOf(found),
      rows: shown,
      total_rows: total,
      hints,
      file: urlOf('', '/export/pairs', { metric: 'high', ...queryOf(values, NAMES) }),
    };
  },
};
