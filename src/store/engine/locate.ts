import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, StoreNotOpened } from '../store-errors.js';
import type { Engine } from './connect.js';
import { findSharedEngine, type SharedEngine } from './sharing.js';

/** A server stays and shares its engine; a command holds it until it is done, or uses that of a running server. */
export type Holder = SharedEngine['holder'];

/** The settings of an operator that say where the data are. */
export interface StoreSettings {
  dataDir: string;
  clickhouse: {
    /** Without it, the engine runs on `dataDir`. */
    url: string | undefined;
    user: string;
    password: string;
    database: string;
    cluster: string | undefined;
  };
}

/** Another process has the data directory open. */
export class FolderInUse extends StoreNotOpened {
  /** @param by what it says that it is; unknown while it opens or closes the directory, and of any other program */
  constructor(
    message: string,
    readonly by: Holder | 'unknown',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Where the engine of these settings is; makes the data directory.
 * @throws StoreNotOpened, FolderInUse
 */
export async function locateEngine(config: StoreSettings, holder: Holder): Promise<Engine> {
  const { url, user, password, database } = config.clickhouse;
  if (url !== undefined) return { url, user, password, setting: 'CLICKHOUSE_URL' };
  const { dataDir } = config;
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK);
  } catch (error) {
    throw new StoreNotOpened(`DATA_DIR: cannot write ${dataDir} (${errorCode(error)})`, { cause: error });
  }
  const shared = await findSharedEngine(dataDir);
  if (shared === undefined) return { folder: join(dataDir, 'clickhouse') };
  if (holder === 'server' || shared.holder === 'command') {
    throw new FolderInUse(
      `DATA_DIR: ${dataDir} is in use by process ${shared.pid} (a ${shared.holder}); let it end, or choose another folder`,
      shared.holder,
    );
  }
  if (shared.database !== database) {
    throw new StoreNotOpened(
      `CLICKHOUSE_DATABASE: the server on ${dataDir} has database ${shared.database} open; name that one, or stop it`,
    );
  }
  return throughSocket(shared);
}

/** The engine that another process of this machine shares. */
export function throughSocket({ socket, password }: SharedEngine): Engine {
  return { url: 'http://localhost', socket, user: 'default', password, setting: 'DATA_DIR' };
}
