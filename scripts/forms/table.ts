import { type FeedColumn, type FeedName, FEED_NAMES, getColumns } from '../../src/feeds/columns.js';
import { CELLS, type RowContext, stationFact } from '../../src/ingest/read/feed-rows.js';
import { FORMS } from '../../src/feeds/forms.js';
import { LoadClock } from '../../src/ingest/read/load-clock.js';

// The table of docs/feeds.md: what a cell of each column may be, and what is kept of some cells, by the code that reads them.

/** A good row of each feed. */
const GOOD_ROWS: Record<FeedName, Partial<Record<FeedColumn | 'high_c' | 'low_c', string>>> = {
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
const EXAMPLES: Partial<Record<FeedColumn, readonly string[]>> = {
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

function rowOf(feed: FeedName, cells: Partial<Record<FeedColumn, string>>): Record<FeedColumn, string> {
  const blank = Object.fromEntries(getColumns(feed).map((column) => [column, '']));
  return { ...blank, ...GOOD_ROWS[feed], ...cells } as Record<FeedColumn, string>;
}

/** The value that is kept of a cell. @throws Rejection */
function keptOf(feed: FeedName, column: FeedColumn, text: string): string {
  const row = rowOf(feed, { [column]: text });
  const kept: Partial<Record<FeedColumn, unknown>> =
    feed === 'stations' ? { ...stationFact(row, () => undefined) } : CELLS[feed](row, CONTEXT);
  const value = kept[column];
  return Array.isArray(value) ? value.join('|') : String(value);
}

const code = (text: string): string => (text === '' ? 'blank' : `\`${text.replaceAll('|', '\\|')}\``);

/** The table in Markdown, a row for each form. */
export function makeFormsTable(): string {
  const forms = new Map<string, { columns: Set<string>; examples: string[] }>();
  for (const feed of FEED_NAMES)
    for (const column of getColumns(feed).filter((each) => each in FORMS)) {
      const form = FORMS[column as keyof typeof FORMS];
      const { columns, examples } = forms.get(form) ?? { columns: new Set(), examples: [] };
      const isNew = !columns.has(column);
      columns.add(column);
      forms.set(form, { columns, examples });
      for (const text of isNew ? (EXAMPLES[column] ?? []) : [])
        examples.push(`${code(text)} is ${code(keptOf(feed, column, text))}`);
    }
  const rows = [...forms].map(
    ([form, { columns, examples }]) =>
      `| ${[...columns].map((column) => code(column)).join(', ')} | ${form} | ${examples.join(', ')} |`,
  );
  return [HEADER, '|---|---|---|', ...rows].join('\n');
}

const HEADER = '| Columns | A cell is | Such as |';

/** A page with the table as it is now. */
export const withFormsTable = (page: string): string =>
  page.replace(/^\| Columns \| A cell is \|.*\n(?:\|.*\n)*/m, () => `${makeFormsTable()}\n`);
