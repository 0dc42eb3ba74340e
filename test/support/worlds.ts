import { expect } from 'chai';
import { z } from 'zod';
import { raw, sql } from '../../src/queries/sql.js';
import type { Store, StoreLimits } from '../../src/store/store.js';
import { type FeedLines, loadLines } from './ingest/feeds.js';
import { emptyStore } from './plain/oracle.js';
import { forAll } from './runner/statements.js';
import { openTestStore } from './store.js';

// Data that tests share: loaded once a process. Who only reads takes the store that has them; who writes takes a copy, which
// has all that the loads made, their numbers and times too, in a seventh of the time.

/** Feeds, one load each. */
export type World = readonly FeedLines[];

interface Loaded {
  store: Store;
  /** The count of writes of that store, when all was loaded. */
  writes: number;
  database: string;
  tables: readonly string[];
}

const tableRow = z.object({ database: z.string(), name: z.string() });

const worlds = new Map<string, Promise<Loaded>>();

/** The store that has a world, for tests that only read: it stays open. */
export async function sharedWorld(world: World): Promise<Store> {
  return (await loadedOnce(world)).store;
}

/** A store of its own that has a world. */
export async function openWorld(world: World, limits?: StoreLimits): Promise<Store> {
  return openTestStore(limits, { name: nameOf(world), put: (store) => copy(world, store) });
}

/** Puts a world into a store, in place of all that it has. */
export async function resetTo(store: Store, world: World): Promise<void> {
  await emptyStore(store);
  await copy(world, store);
}

async function copy(world: World, into: Store): Promise<void> {
  const { store, writes, database, tables } = await loadedOnce(world);
  expect(store.writes, 'writes into a store that tests share').to.equal(writes);
  for (const table of tables) {
    await into.command(raw(`ALTER TABLE ${table} ATTACH PARTITION ALL FROM ${database}.${table}`));
  }
}

function loadedOnce(world: World): Promise<Loaded> {
  const name = nameOf(world);
  const found = worlds.get(name) ?? load(world);
  worlds.set(name, found);
  return found;
}

async function load(world: World): Promise<Loaded> {
  const store = await openTestStore();
  return forAll(async () => {
    for (const feeds of world) {
      const { rejections } = await loadLines(store, feeds);
      expect(rejections, 'rejected rows of the test data').to.deep.equal([]);
    }
    const filled = await store.query(
      sql.rows(tableRow)`SELECT database, name FROM system.tables
        WHERE database = currentDatabase() AND total_rows > 0 AND name NOT IN ('migrations', 'lineages')`,
    );
    const tables = filled.map(({ name }) => name);
    return { store, writes: store.writes, database: filled[0]?.database ?? '', tables };
  });
}

const nameOf = (world: World): string => JSON.stringify(world);
