import { totalmem } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { ZodError } from 'zod';
import { UserError } from '../../lib/user-error.js';
import { errorCode, firstLine, isFromClickHouse, StoreNotOpened, StoreUnavailable } from '../store-errors.js';
import { endLoadLocks } from '../lock/lock.js';
import { migrate } from '../schema/migrate.js';
import type { Store, StoreLimits } from '../store.js';
import { createStore, type Engine } from './connect.js';
import { queriesAtOnce } from './embedded.js';
import {
  confirmMended,
  confirmRoom,
  emptyDefinition,
  hasRoom,
  keepDefinitions,
  lockFolder,
  mendDefinitions,
  noRoomText,
  rejectFollowedLinks,
} from './folder.js';
import { FolderInUse, type Holder, locateEngine, type StoreSettings } from './locate.js';
import { shareEngine } from './sharing.js';

export { connect, createStore, type Engine } from './connect.js';
export { throughSocket } from './locate.js';

/** For requests: each is small, and its client does not wait long. */
export const SERVING: StoreLimits = { concurrency: 8, maxWaiting: 256, queryTimeoutSeconds: 10 };

/** For an operator's command, which may take its time. */
export const WORKING: StoreLimits = { concurrency: 2, maxWaiting: Infinity, queryTimeoutSeconds: 3600 };

/** The most memory that a query may use where no setting says it. */
const QUERY_MEMORY_BYTES = 2 * 1024 ** 3;

/** Memory for a query, bytes. Queries at once on the embedded engine take half of this process's memory together. */
export function computeQueryMemory({ clickhouse }: StoreSettings): number {
  if (clickhouse.url !== undefined) return QUERY_MEMORY_BYTES;
  const limit = process.constrainedMemory(); // of a container; 0, or more than there is, without one
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.min(QUERY_MEMORY_BYTES, Math.floor(memory / 2 / queriesAtOnce()));
}

export interface OpenedStore {
  store: Store;
  /** Migrations applied while opening. */
  migrated: string[];
  close: () => Promise<void>;
}

export interface OpenOptions {
  /** Receives one line when this process has to wait for another; without it, stderr does. */
  onWait?: (line: string) => void;
  /** Receives one line for each file or part that it mends; without it, stderr does. */
  onMended?: (line: string) => void;
  /** Called when other processes have run statements on this engine, and then none for `quietMs`. */
  onQuiet?: (store: Store) => void;
  quietMs?: number;
}

/** How long one waits for a command that has the folder open. */
const FOLDER_WAIT_MS = 600_000;

/** How long a command waits for a process that has the folder open and does not say what it is. */
const UNKNOWN_HOLDER_WAIT_MS = 15_000;

const FOLDER_LOOK_EVERY_MS = 300;

/** How long the end of a process waits for the lock of the folder. */
const CLOSE_LOCK_WAIT_MS = 5000;

/**
 * Opens the store and brings its tables up to date. Without CLICKHOUSE_URL the engine runs in this process on
 * DATA_DIR and is shared with the other processes of this user. A command uses a running server's engine that way;
 * servers and commands wait up to ten minutes for a command that has the folder open.
 * @throws StoreNotOpened, with one line that names the setting to look at
 */
export async function openStore(
  config: StoreSettings,
  holder: Holder,
  limits: StoreLimits = holder === 'server' ? SERVING : WORKING,
  options: OpenOptions = {},
): Promise<OpenedStore> {
  const { onWait = console.error } = options;
  const started = performance.now();
  for (let isLogged = false; ; isLogged = true) {
    try {
      return await open(config, holder, limits, options);
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      if (performance.now() - started > patienceWith(error, holder)) throw error;
      if (!isLogged) onWait(`${error.message.split(';')[0]}; waiting for it`);
    }
    await setTimeout(FOLDER_LOOK_EVERY_MS);
  }
}

/** Opens the store for a command, and closes it after the work. @throws as openStore() */
export async function withStore<Result>(
  config: StoreSettings,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { store, close } = await openStore(config, 'command');
  try {
    return await work(store);
  } finally {
    await close();
  }
}

/** How long to wait for the process that has the folder, ms: a command ends by itself, another server does not. */
function patienceWith({ by }: FolderInUse, holder: Holder): number {
  if (by === 'command') return FOLDER_WAIT_MS;
  return holder === 'command' ? UNKNOWN_HOLDER_WAIT_MS : 0;
}

async function open(
  config: StoreSettings,
  holder: Holder,
  limits: StoreLimits,
  { onMended = console.error, onQuiet, quietMs = 0 }: OpenOptions,
): Promise<OpenedStore> {
  const { dataDir } = config;
  const { database, cluster } = config.clickhouse;
  let engine = await locateEngine(config, holder);
  const unlock = 'folder' in engine ? await lockFolder(dataDir, FOLDER_WAIT_MS) : undefined;
  let opened: Store | undefined;
  try {
    if (unlock !== undefined) engine = await locateEngine(config, holder); // who had the lock before may share it by now
    if ('folder' in engine) {
      await rejectFollowedLinks(engine.folder, database);
      await mendDefinitions(engine.folder, database, onMended);
    }
    const store = (opened = await createStore(engine, database, limits, { cluster, log: onMended }));
    if (!('folder' in engine)) {
      return { store, migrated: await migrate(store, cluster), close: () => store.close() };
    }
    await endLoadLocks(store); // before anything that waits for them: nobody else can be at work in this folder
    const { folder } = engine;
    const migrated = await migrate(store, cluster, {
      isAlone: true,
      disk: {
        confirmRoom: () => confirmRoom(folder, database),
        keepDefinitions: () => keepDefinitions(folder, database),
      },
    });
    await confirmMended(folder, database);
    const stopSharing = await shareEngine(store, dataDir, {
      database,
      holder,
      quietMs,
      onQuiet: () => onQuiet?.(store),
    });
    const close = async (): Promise<void> => {
      const unlock = await lockFolder(dataDir, CLOSE_LOCK_WAIT_MS);
      await stopSharing();
      await store.close();
      await unlock?.();
    };
    return { store, migrated, close };
  } catch (error) {
    await opened?.close().catch(() => {});
    throw await toOpeningError(error, engine, config);
  } finally {
    await unlock?.();
  }
}

/** Errors of this program: their stack says more than any setting. */
const BUGS = [TypeError, RangeError, ReferenceError, ZodError];

/** The message for an operator of an error on opening; an error that no operator can mend comes back as it is. */
async function toOpeningError(error: unknown, engine: Engine, config: StoreSettings): Promise<unknown> {
  if (error instanceof StoreNotOpened || BUGS.some((kind) => error instanceof kind)) return error;
  const code = errorCode(error);
  const message = firstLine(error);
  const cause = { cause: error };
  if ('folder' in engine) {
    const { dataDir } = config;
    const empty = await emptyDefinition(engine.folder, config.clickhouse.database);
    if (empty !== undefined && !(await hasRoom(dataDir)))
      return new StoreNotOpened(`DATA_DIR: ${noRoomText(dataDir)}`, cause);
    if (empty !== undefined) {
      return new StoreNotOpened(
        `DATA_DIR is damaged: ${empty} is empty; restore a backup, or load all feeds into a new folder`,
        cause,
      );
    }
    return code === 'CHDB_CONNECTION'
      ? new FolderInUse(
          `DATA_DIR: cannot open ${dataDir}: another process has it open, or it cannot be written`,
          'unknown',
          cause,
        )
      : new StoreNotOpened(`DATA_DIR: cannot open ${dataDir}: ${message}`, cause);
  }
  if (error instanceof UserError && !(error instanceof StoreUnavailable)) return error;
  const { database } = config.clickhouse;
  const address = engine.socket ?? withoutSecrets(engine.url);
  // 516 AUTHENTICATION_FAILED, 497 ACCESS_DENIED, 164 READONLY
  if (code === '516') {
    return new StoreNotOpened('CLICKHOUSE_USER, CLICKHOUSE_PASSWORD: refused by the server', cause);
  }
  if (code === '497' || code === '164') {
    return new StoreNotOpened(
      `CLICKHOUSE_USER: has too few rights on database ${database}; if its tables are not made yet, run migrate as a user who may make them: ${message}`,
      cause,
    );
  }
  if (isFromClickHouse(error)) {
    return new StoreNotOpened(
      `${engine.setting}: ClickHouse at ${address} refused a statement (code ${code}): ${message}`,
      cause,
    );
  }
  return new StoreNotOpened(
    `${engine.setting}: no ClickHouse answers at ${address} (${code || message})`,
    cause,
  );
}

function withoutSecrets(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
