import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import lockfile from 'proper-lockfile';
import { z } from 'zod';
import { UserError } from '../lib/user-error.js';
import { replaceFile } from '../lib/replace-file.js';
import { foldedName } from '../lib/text.js';
import { WatchedFile } from './watched-file.js';

/** The highest number of requests or rows a minute that a limit may be. */
export const MAX_RATE_LIMIT = 9_999_999;
export const MAX_ROWS_LIMIT = 9_999_999_999;

const keyRecord = z.object({
  id: z.string().regex(/^[a-z0-9]{8}$/),
  name: z.string(),
  /** SHA-256 of the whole key, hex: the key itself is nowhere. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  created_at: z.iso.datetime(),
  revoked_at: z.iso.datetime().optional(),
  /** Requests a minute, where the key has a limit of its own; 0 is no limit. */
  rate_limit_per_minute: z.int().min(0).max(MAX_RATE_LIMIT).optional(),
  /** Rows read a minute, likewise. */
  rows_per_minute: z.int().min(0).max(MAX_ROWS_LIMIT).optional(),
  /** Streams of events that are open at a time, likewise. */
  event_streams: z.int().min(0).max(MAX_RATE_LIMIT).optional(),
});

const keysFile = z.object({ keys: z.array(keyRecord) });

export type KeyRecord = z.infer<typeof keyRecord>;

const KEY_FORM = /^fas_([a-z0-9]{8})_[A-Za-z0-9_-]{43}$/;

/** The records of a keys file; a missing file has no records. @throws UserError */
export function readKeys(file: string): KeyRecord[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return [];
    throw new UserError(`API_KEYS_FILE: cannot read ${file} (${code})`, { cause: error });
  }
  try {
    return keysFile.parse(JSON.parse(text)).keys;
  } catch (error) {
    throw new UserError(
      `API_KEYS_FILE: ${file} is not a keys file; restore it, or remove it and create new keys`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Creates a key, and returns it: the only time that it can be seen.
 * @param limits of its own: without one, that of the server holds; 0 is no limit
 * @throws UserError, also when a valid key has this name
 */
export async function createKey(
  file: string,
  name: string,
  limits: Pick<KeyRecord, 'rate_limit_per_minute' | 'rows_per_minute' | 'event_streams'> = {},
): Promise<{ key: string; record: KeyRecord }> {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const id = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('');
  const key = `fas_${id}_${randomBytes(32).toString('base64url')}`;
  const record = {
    id,
    name,
    sha256: sha256(key).toString('hex'),
    created_at: new Date().toISOString(),
    ...limits,
  };
  await changeKeys(file, (keys) => {
    const same = keys.find(
      (each) => each.revoked_at === undefined && foldedName(each.name) === foldedName(name),
    );
    if (same === undefined) return [...keys, record];
    throw new UserError(
      `--name: key ${same.id} already has this name; choose another, because usage and metrics are counted by name, or revoke that key first`,
    );
  });
  return { key, record };
}

/** Revokes a key; its record stays. @returns false when there is no such key, or it was revoked before */
export async function revokeKey(file: string, id: string): Promise<boolean> {
  let found = false;
  await changeKeys(file, (keys) =>
    keys.map((record) => {
      if (record.id !== id || record.revoked_at !== undefined) return record;
      found = true;
      return { ...record, revoked_at: new Date().toISOString() };
    }),
  );
  return found;
}

/** Makes one change at a time and replaces the whole file: no key is lost, and no reader sees half a file. */
async function changeKeys(file: string, change: (keys: KeyRecord[]) => KeyRecord[]): Promise<void> {
  const unlock = await lock(file);
  try {
    const keys = change(readKeys(file));
    await replaceFile(file, `${JSON.stringify({ keys }, null, 2)}\n`, 0o600).catch(cannotWrite(file));
  } finally {
    await unlock();
  }
}

async function lock(file: string): Promise<() => Promise<void>> {
  try {
    await mkdir(dirname(file), { recursive: true });
    const retries = { retries: 200, factor: 1, minTimeout: 10, maxTimeout: 50, randomize: true };
    return await lockfile.lock(file, { realpath: false, retries });
  } catch (error) {
    return cannotWrite(file)(error);
  }
}

const cannotWrite =
  (file: string) =>
  (error: unknown): never => {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(`API_KEYS_FILE: cannot write ${file} (${code})`, { cause: error });
  };

/** The keys that a server accepts; a revoked one is refused at once. */
export class Keyring {
  readonly #records: WatchedFile<ReadonlyMap<string, KeyRecord>>;
  /** The valid keys that have come since the file changed, so at most those in it: their hashes are not made again. */
  #seen = new Map<string, KeyRecord>();
  #seenIn: ReadonlyMap<string, KeyRecord> | undefined;

  constructor(file: string, onUnreadable?: (error: unknown) => void) {
    const read = (path: string) => new Map(readKeys(path).map((record) => [record.id, record]));
    this.#records = new WatchedFile(file, read, onUnreadable);
  }

  /** Reads the file for the first time. @throws UserError */
  open(): void {
    this.#records.open();
  }

  get size(): number {
    return [...this.#records.content.values()].filter(({ revoked_at }) => revoked_at === undefined).length;
  }

  /** The record of a valid key; compared in constant time when it comes first. */
  find(key: string): KeyRecord | undefined {
    const records = this.#records.content;
    if (records !== this.#seenIn) this.#seen = new Map();
    this.#seenIn = records;
    const seen = this.#seen.get(key);
    if (seen !== undefined) return seen;
    const record = this.#compare(key, records);
    if (record !== undefined) this.#seen.set(key, record);
    return record;
  }

  #compare(key: string, records: ReadonlyMap<string, KeyRecord>): KeyRecord | undefined {
    const id = KEY_FORM.exec(key)?.[1];
    const record = id === undefined ? undefined : records.get(id);
    // An unknown id costs the same comparison as a known one.
    const expected = Buffer.from(record?.sha256 ?? '0'.repeat(64), 'hex');
    const same = timingSafeEqual(sha256(key), expected);
    return same && record?.revoked_at === undefined ? record : undefined;
  }
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
