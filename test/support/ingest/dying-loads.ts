import { expect } from 'chai';
import { sqlFile, statements } from '../../../src/store/schema/migrate.js';
import type { Store } from '../../../src/store/store.js';
import { raw, type Statement } from '../../../src/queries/sql.js';
import { loadLines } from './feeds.js';
import { linesOf, type Load } from '../plain/oracle.js';

// Loads that die in this process, at a write of theirs.

class Died extends Error {}

/** Whether a write is to be the last; one of rows sent has the name of its table, and no statement. */
type Matches = (write: string, statement: Statement) => boolean;

/** `torn`: a write that puts in many rows has put in some of them. */
type Death = 'before' | 'torn';

/** Loads with a process that dies at a write; returns whether it came to that. */
export async function dieLoading(store: Store, load: Load, write: number, how: Death): Promise<boolean> {
  let writes = 0;
  const { store: mortal, isDead } = dyingAt(store, () => (writes += 1) === write, how);
  const loading = loadLines(mortal, linesOf(load));
  await loading.catch((error: unknown) => {
    if (!(error instanceof Died)) throw error;
  });
  return isDead();
}

export async function expectDeath(loading: Promise<unknown>): Promise<void> {
  let fate: unknown;
  await loading.catch((error: unknown) => (fate = error));
  expect(fate).to.be.instanceOf(Died);
}

/** Matches the statement that settles the ledger. */
export function isSettlement(write: string): boolean {
  return /^\s*INSERT INTO station_days\b/.test(write);
}

/** A store whose process dies at the first write that matches; after it, nothing reaches the engine. */
export function dyingAt(store: Store, matches: Matches, how: Death): { store: Store; isDead: () => boolean } {
  return mortal(store, matches, async (method, args) => {
    if (how === 'before') return;
    if (method === 'command') {
      const [{ text, params, settings }] = args as Parameters<Store['command']>;
      const [, head, rows] = /^(\s*INSERT INTO \w+\s*(?:\([^)]*\))?)\s(.*)$/s.exec(text) ?? [];
      if (head !== undefined) {
        await store.command(raw(`${head} SELECT * FROM (${rows}) LIMIT 2`, params).with(settings));
      }
    } else {
      const [table, columns, rows] = args as Parameters<Store['insert']>;
      if (rows.length > 1) await store.insert(table, columns, rows.slice(0, 1));
    }
  });
}

/** A store whose process dies when the ledger has been settled and some of its views have not seen it. */
export function dyingAfterLedger(store: Store, views: readonly string[]): Store {
  return mortal(store, isSettlement, async (_method, args) => {
    const [statement] = args as Parameters<Store['command']>;
    for (const view of views) await store.command(raw(`DROP VIEW ${view}`));
    await store.command(statement);
    for (const view of (await latestViews()).filter((text) =>
      views.some((name) => text.includes(` ${name} TO `)),
    ))
      await store.command(raw(view));
  }).store;
}

/** The definitions of the histograms' views; a later file may have made one anew. */
async function latestViews(): Promise<string[]> {
  const latest = new Map<string, string>();
  for (const file of ['009_histograms.sql', '011_hourly_forecasts.sql'])
    for (const statement of statements(await sqlFile(`schema/${file}`))) {
      const [, name] = /^CREATE MATERIALIZED VIEW IF NOT EXISTS (\w+) /.exec(statement) ?? [];
      if (name !== undefined) latest.set(name, statement);
    }
  return [...latest.values()];
}

function mortal(
  store: Store,
  matches: Matches,
  lastAct: (method: 'command' | 'insert', args: unknown[]) => Promise<void>,
): { store: Store; isDead: () => boolean } {
  let dead = false;
  const dying = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]): Promise<unknown> => {
        if (dead) throw new Died();
        const writes = name === 'command' || name === 'insert';
        if (writes && matches(String(args[0]), args[0] as Statement)) {
          dead = true;
          await lastAct(name, args);
          throw new Died();
        }
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
  return { store: dying, isDead: () => dead };
}
