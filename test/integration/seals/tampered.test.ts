import { expect } from 'chai';
import { ANY_PARTITIONS, type Store } from '../../../src/store/store.js';
import { bind, raw, sql } from '../../../src/queries/sql.js';
import { checkSeals } from '../../../src/seals/compare-seals.js';
import { dayOf, lineOf, type SealedFeed } from '../../../src/seals/lines.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';
import { dayOfRow, makeLine, readRows, TABLES } from '../../support/seals/digests.js';
import { SEALED_LOADS, sealMadeUpOdds } from '../../support/seals/world.js';
import { openTestStore } from '../../support/store.js';

type Row = Record<string, unknown>;

/** A row of a version that somebody may tamper with. */
interface Place {
  feed: string;
  month: string;
  version: number;
  row: Row;
}

const hundredth = (value: unknown): number => Math.round(Number(value) * 100 + 1) / 100;
const later = (instant: unknown): string =>
  new Date(Date.parse(`${String(instant).replace(' ', 'T')}Z`) + 1)
    .toISOString()
    .replace('T', ' ')
    .slice(0, -1);

/** The least change of a value, and of what stands beside it: a status, an issuance, a zone, a withdrawal. */
const CHANGES: Record<string, readonly ((row: Row) => Row)[]> = {
  forecasts: [
    (row) => ({ ...row, forecast: hundredth(row.forecast) }),
    (row) => ({ ...row, issued_at: later(row.issued_at) }),
  ],
  distributions: [
    (row) => ({
      ...row,
      distribution: (row.distribution as Row[]).map((each, at) =>
        at === 0 ? { ...each, value: hundredth(each.value) } : each,
      ),
    }),
    (row) => ({ ...row, issued_at: later(row.issued_at) }),
  ],
  observations: [
    (row) => ({ ...row, actual: hundredth(row.actual) }),
    (row) => ({
      ...row,
      observation_status: row.observation_status === 'verified' ? 'preliminary' : 'verified',
    }),
    (row) => ({ ...row, observed_at: later(row.observed_at) }),
  ],
  hourly_forecasts: [
    (row) => ({ ...row, forecast: hundredth(row.forecast) }),
    (row) => ({ ...row, issued_at: later(row.issued_at) }),
  ],
  hours: [
    ({ reading, ...row }) => ({
      ...row,
      reading: { ...(reading as Row), temp_f: hundredth((reading as Row).temp_f) },
    }),
    ({ reading, ...row }) => ({ ...row, reading: { ...(reading as Row), status: 'verified', sky: 'FEW' } }),
    ({ reading, ...row }) => ({ ...row, reading: { ...(reading as Row), others: { wind_gust: 31.25 } } }),
  ],
  sealed_odds: [
    (row) => ({
      ...row,
      odds: (row.odds as { millionths: number }[]).map((each, at) =>
        at === 0 ? { ...each, millionths: each.millionths + 1 } : each,
      ),
    }),
    (row) => ({ ...row, unit: 'celsius' }),
    (row) => ({ ...row, issued_at: later(row.issued_at) }),
  ],
  normals: [
    (row) => ({ ...row, normal: hundredth(row.normal) }),
    (row) => ({ ...row, withdrawn: row.withdrawn !== true }),
  ],
  stations: [
    (row) => ({ ...row, latitude: Number(row.latitude) + Number.EPSILON * 32 }),
    (row) => ({ ...row, timezone: 'America/Denver' }),
    (row) => ({ ...row, aliases: [...(row.aliases as string[]), 'x'] }),
  ],
};

const VALUES: Record<string, string> = {
  forecasts: 'forecast',
  distributions: 'distribution',
  observations: 'actual',
  hourly_forecasts: 'forecast',
  hours: 'reading',
  sealed_odds: 'odds',
  normals: 'normal',
  stations: 'timezone',
};

const KINDS = ['changed', 'put in', 'taken out', 'swapped'] as const;

/** The rows that go and those that come in their place. */
interface Damage {
  feed: string;
  gone: Row[];
  come: Row[];
}

function tamper(kind: (typeof KINDS)[number], { feed, row }: Place, other: Row, nth: number): Damage {
  const changes = CHANGES[feed] ?? [];
  const changed = changes[nth % changes.length]?.(row) ?? row;
  if (kind === 'taken out') return { feed, gone: [row], come: [] };
  if (kind === 'put in') return { feed, gone: [], come: [changed] };
  const value = VALUES[feed] ?? '';
  const canSwap = kind === 'swapped' && JSON.stringify(row[value]) !== JSON.stringify(other[value]);
  if (!canSwap) return { feed, gone: [row], come: [changed] };
  const come = [
    { ...row, [value]: other[value] },
    { ...other, [value]: row[value] },
  ];
  return { feed, gone: [row, other], come };
}

// Rows that somebody changes in the engine itself, at random places of past versions. Nothing but the seals sees most of them: an audit
// looks at what follows from facts, and a forecast without an observation has no pair.
describe('facts that somebody has tampered with', () => {
  let store: Store;
  const places: Place[] = [];
  const random = new Random(79);

  before(async () => {
    store = await openTestStore();
    for (const lines of SEALED_LOADS) await loadLines(store, lines);
    await sealMadeUpOdds(store, 'fahrenheit');
    for (const feed of TABLES) {
      for (const row of await readRows(store, feed))
        places.push({
          feed,
          month: dayOfRow(feed, row).slice(0, 7) || 'all',
          version: Number(row.load_id),
          row,
        });
    }
  });
  after(() => store.close());

  const remove = async (feed: string, rows: readonly Row[]): Promise<void> => {
    if (rows.length === 0) return;
    const lines = rows.map((row) => `${dayOfRow(feed, row)} ${makeLine(feed, row)}`);
    await store.command(sql`ALTER TABLE ${raw(feed)} DELETE
      WHERE concat(${dayOf(feed as SealedFeed)}, ' ', ${lineOf(feed as SealedFeed)}) IN ${bind({ lines }, 'Array(String)')} AND load_id = ${raw(`${String(rows[0]?.load_id)}`)}
      SETTINGS mutations_sync = 1`);
  };
  const insert = async (feed: string, rows: readonly Row[]): Promise<void> => {
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    if (rows.length > 0)
      await store.insertText(sql`INSERT INTO ${raw(feed)}`.with(ANY_PARTITIONS), 'JSONEachRow', text);
  };
  const nameOf = ({ version, feed, month }: Pick<Place, 'version' | 'feed' | 'month'>): string =>
    `v${version} ${feed} ${month}`;

  /** Places of versions, feeds and months that differ from each other. */
  const pick = (count: number): Place[] => {
    const picked = new Map<string, Place>();
    for (let tries = 0; picked.size < count && tries < 1000; tries++) {
      const feed = random.of(TABLES);
      const place = random.of(places.filter((each) => each.feed === feed));
      if (!picked.has(nameOf(place))) picked.set(nameOf(place), place);
    }
    return [...picked.values()];
  };

  const count = range({ test: 10, ci: 200 });
  it(`given ${count} random places, then the version, feed and month of each is named, and no other`, async () => {
    let tampered = 0;
    for (let batch = 0; tampered < count; batch++) {
      const damages = new Map<string, Damage>();
      for (const [at, place] of pick(10).entries()) {
        const likes = places.filter((each) => nameOf(each) === nameOf(place));
        const kind = KINDS[(batch + at) % KINDS.length] ?? 'changed';
        damages.set(nameOf(place), tamper(kind, place, random.of(likes).row, batch + at));
      }
      for (const { feed, gone, come } of damages.values()) {
        await remove(feed, gone);
        await insert(feed, come);
      }
      expect((await checkSeals(store)).map(nameOf), `batch ${batch}`).to.have.members([...damages.keys()]);
      for (const { feed, gone, come } of damages.values()) {
        await remove(feed, come);
        await insert(feed, gone);
      }
      tampered += damages.size;
    }
    expect(await checkSeals(store)).to.deep.equal([]);
  });

  it('given a fact of a load that never was, then its number is named', async () => {
    const [row] = await readRows(store, 'observations');
    await insert('observations', [
      { ...row, load_id: 0 },
      { ...row, load_id: 77 },
    ]);
    const month = String(row?.target_date).slice(0, 7);
    expect((await checkSeals(store)).map(nameOf)).to.deep.equal([
      `v0 observations ${month}`,
      `v77 observations ${month}`,
    ]);
  });
});
