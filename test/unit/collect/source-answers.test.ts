import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { type FeedLine, GapError } from '../../../src/collect/source.js';
import { expectLines, type Recorded, STORED, toChanged } from '../../support/collect/recorded.js';
import { allowSlowExpressions } from '../../support/collect/reading.js';

// Source files read the stored responses of their hosts: all columns of their rows.

const SHOWN = 4;
const CUTS = 12;
const TIMES = [
  'station_id',
  'at',
  'valid_at',
  'date',
  'target_date',
  'issued_at',
  'observed_at',
  'status',
  'provider',
];
const instant = (time = ''): string =>
  /T\d\d:\d\d:00\.000Z$/.test(time) ? time.replace(':00.000Z', 'Z') : time;

/** A row by its time and its values. */
function toLine(row: FeedLine): string {
  const values = Object.entries(row).filter(([column, cell]) => cell !== '' && !TIMES.includes(column));
  return [
    instant(row.at ?? row.valid_at ?? row.date ?? row.target_date),
    ...values.map(([column, cell]) => `${column}=${cell}`),
    ...(row.status === undefined ? [] : [row.status]),
    ...(row.issued_at === undefined ? [] : [`of ${instant(row.issued_at)}`]),
  ].join(' ');
}

/** The first rows of a feed, and how many there are. */
const toLines = (feed: string, rows: readonly FeedLine[] = []): string[] => {
  const lines = rows.map((row) => `${feed} ${toLine(row)}`);
  return lines.length > SHOWN ? [...lines.slice(0, SHOWN), `${feed}: ${lines.length} rows`] : lines;
};

async function linesOf({ source, request }: Recorded, body: string): Promise<string[]> {
  try {
    const reading = await source.read([body], request);
    const keys = [...reading.rows, ...(reading.hourly_forecasts ?? [])].map((row) =>
      JSON.stringify([row.at, row.valid_at, row.date, row.target_date, row.issued_at]),
    );
    expect(new Set(keys).size, 'rows that come twice').to.equal(keys.length);
    return [
      ...toLines('', reading.rows),
      ...toLines('hour', reading.hourly_forecasts),
      ...toLines('day', reading.observations),
      ...reading.unusable.map(({ unit, reason }) => `unusable ${unit}: ${reason}`),
      ...reading.gaps.map(({ reason }) => `gap: ${reason}`),
    ].map((line) => line.trim());
  } catch (error) {
    if (error instanceof GapError) return [`no answer: ${error.message}`];
    throw error;
  }
}

describe('the stored responses of source files', () => {
  allowSlowExpressions();

  it('given all files that come with the service, then each has one', () => {
    const shipped = readdirSync('sources')
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => name.slice(0, -5));
    const tested = Object.values(STORED).map(({ source }) => source.name);
    expect(shipped.filter((name) => !tested.includes(name) && !name.startsWith('openmeteo-'))).to.deep.equal(
      [],
    );
  });

  for (const [name, stored] of Object.entries(STORED)) {
    it(`given ${name}, then its rows`, async () =>
      expectLines(await linesOf(stored, stored.body), stored.lines));

    it(`given ${name}, cut off anywhere, then no row that the whole does not have`, async () => {
      const listAll = async (body: string): Promise<string[]> => {
        const {
          rows,
          hourly_forecasts = [],
          observations = [],
        } = await stored.source.read([body], stored.request);
        return [...rows, ...hourly_forecasts, ...observations].map((row) => JSON.stringify(row));
      };
      const all = await listAll(stored.body);
      for (let part = 0; part < CUTS; part += 1) {
        const cut = stored.body.slice(0, Math.floor((stored.body.length * part) / CUTS));
        const rows = await listAll(cut).catch((error: unknown) => {
          expect(error).to.be.instanceOf(GapError);
          return [];
        });
        expect(all).to.include.members(rows);
      }
    });

    for (const change of stored.changes)
      it(`given ${name} and ${change.title}`, async () => {
        const { body, lines } = toChanged(stored, change);
        expectLines(await linesOf(stored, body), lines);
      });
  }

  it('given a source with a body, then its request is a POST of it with the values of its placeholders', () => {
    const { source, request } = STORED['the statistics of Home Assistant']!;
    const [{ body = '' } = {}] = source.plan(request.covers, request.requested_ms);
    expect(JSON.parse(body)).to.deep.equal({
      statistic_ids: ['sensor.outside_temperature'],
      start_time: '2026-11-20T05:00:00Z',
      end_time: '2026-11-23T00:00:00Z',
      period: 'hour',
      types: ['min', 'max'],
      units: { temperature: '°C' },
    });
  });

  it('given a source of what is ahead, then its request has the time of asking, and ten days more', () => {
    const { source, request } = STORED['the forecasts of DWD']!;
    const [{ paths } = {}] = source.plan(request.covers, request.requested_ms);
    expect(paths?.[0]).to.include('&date=2026-11-22T00:00Z&last_date=2026-12-02T00:00Z&');
    expect(source.isConditional).to.equal(false);
  });
});
