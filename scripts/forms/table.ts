import { type FeedName, FEED_NAMES, getColumns } from '../../src/feeds/feeds.js';
import { makeReader, type RowContext, stationFact } from '../../src/ingest/read/feed-rows.js';
import { LoadClock } from '../../src/ingest/read/load-clock.js';

// The table of docs/feeds.md: what a cell of each column may be, and what is kept of some cells, by the code that reads them.

/** A good row of each feed. */
const GOOD_ROWS: Record<FeedName, Readonly<Record<string, string>>> = {
  stations: {
    station_id: 'KORD',
    city_name: 'Chicago',
    country: 'US',
    latitude: '41.96',
    longitude: '-87.93',
    timezone: 'America/Chicago',
  },
  forecasts: {
    station_id: 'KORD',
    issued_at: '2026-01-04T18:00Z',
    target_date: '2026-01-05',
    high_f: '31',
    low_f: '18',
  },
  observations: {
    station_id: 'KORD',
    date: '2026-01-05',
    status: 'preliminary',
    observed_at: '2026-01-06T18:00Z',
  },
  normals: { station_id: 'KORD', month_day: '01-05' },
  hours: { station_id: 'KORD', at: '2026-01-05T18:00Z' },
  hourly_forecasts: { station_id: 'KORD', issued_at: '2026-01-04T18:00Z', valid_at: '2026-01-05T18:00Z' },
};

/** Cells whose value is written otherwise. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  station_id: ['kord'],
  city_name: ['Saint  Louis'],
  country: ['us'],
  timezone: ['america/chicago'],
  data_active: ['', 'FALSE'],
  aliases: ['Windy City | Chi'],
  iata: ['ord'],
  day_boundary: ['', 'Standard'],
  issued_at: ['2026-01-04T18:00-06:00', '2026-01-05 06:00:00.5Z', '2026-01-05t00:00+0530'],
  valid_at: ['2026-01-05T12:00-06:00'],
  high_f: ['+71.235', '-71.235', '.5', '-0.001'],
  high_sd_f: ['1.235'],
  precip_in: ['0.005', '0.0079'],
  sky: ['ovc'],
};

const CONTEXT: RowContext = {
  station: (id) => (id === 'KORD' ? stationFact(rowOf('stations', {}), () => undefined) : undefined),
  clock: new LoadClock(new Date('2026-02-01T12:00:00Z')),
  warn: () => {},
};

function rowOf(feed: FeedName, cells: Readonly<Record<string, string>>): Record<string, string> {
  const blank = Object.fromEntries(getColumns(feed).map(({ name }) => [name, '']));
  return { ...blank, ...GOOD_ROWS[feed], ...cells };
}

/** The value that is kept of a cell. @throws Rejection */
function keptOf(feed: FeedName, column: string, text: string): string {
  const row = rowOf(feed, { [column]: text });
  const kept: Readonly<Record<string, unknown>> =
    feed === 'stations'
      ? { ...stationFact(row, () => undefined) }
      : makeReader(feed, Object.keys(row))(row, CONTEXT);
  const value = kept[column];
  return Array.isArray(value) ? value.join('|') : String(value);
}

const code = (text: string): string => (text === '' ? 'blank' : `\`${text.replaceAll('|', '\\|')}\``);

/** The name of a column, and its feed where another feed has other cells in it. */
function labelOf(feed: FeedName, name: string, form: string): string {
  const isOneForm = FEED_NAMES.every((other) =>
    getColumns(other).every((column) => column.name !== name || column.form === form),
  );
  return isOneForm ? code(name) : `${code(name)} of ${feed}`;
}

/** Quantiles are as the first of them. */
const isShown = ({ name, level }: { name: string; level?: number }): boolean =>
  level === undefined || name === 'high_p10_f';

/** The table in Markdown, a row for each form. */
export function makeFormsTable(): string {
  const forms = new Map<string, { columns: Set<string>; examples: string[] }>();
  for (const feed of FEED_NAMES)
    for (const { name, form } of getColumns(feed).filter(isShown)) {
      const { columns, examples } = forms.get(form) ?? { columns: new Set(), examples: [] };
      const label = labelOf(feed, name, form);
      const isNew = !columns.has(label);
      columns.add(label);
      forms.set(form, { columns, examples });
      for (const text of isNew ? (EXAMPLES[name] ?? []) : [])
        examples.push(`${code(text)} is ${code(keptOf(feed, name, text))}`);
    }
  const rows = [...forms].map(
    ([form, { columns, examples }]) => `| ${[...columns].join(', ')} | ${form} | ${examples.join(', ')} |`,
  );
  return [HEADER, '|---|---|---|', ...rows].join('\n');
}

const HEADER = '| Columns | A cell is | Such as |';

/** A page with the table as it is now. */
export const withFormsTable = (page: string): string =>
  page.replace(/^\| Columns \| A cell is \|.*\n(?:\|.*\n)*/m, () => `${makeFormsTable()}\n`);
