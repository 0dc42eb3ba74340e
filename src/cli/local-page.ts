import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKey, Keyring, readKeys, revokeKey } from '../auth/keys.js';
import type { Config } from '../config.js';

// The page of a server that somebody starts for themselves: its key is made, kept, and in the link.

/**
 * The key of such a command, the same at each start so that saved links go on working; a new one where that is gone or
 * revoked. The keys file has its hash alone, so the key itself is in a file beside it, for its owner only.
 */
export async function keepLocalKey(
  { apiKeysFile, dataDir }: Pick<Config, 'apiKeysFile' | 'dataDir'>,
  name: string,
): Promise<string> {
  const file = join(dataDir, `${name}-key`);
  const saved = (await readFile(file, 'utf8').catch(() => '')).trim();
  const keyring = new Keyring(apiKeysFile);
  keyring.open();
  if (keyring.find(saved) !== undefined) return saved;
  for (const known of readKeys(apiKeysFile)) if (known.name === name) await revokeKey(apiKeysFile, known.id);
  const { key } = await createKey(apiKeysFile, name);
  await rm(file, { force: true }); // a file that is there keeps its mode
  await writeFile(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
  return key;
}

/** Opens a page in the desktop's browser, where there is one and a person looks; the link has been printed anyway. */
export function openPage(page: string): void {
  if (!process.stdout.isTTY || process.env.BROWSER === 'none') return;
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const opener = process.platform === 'darwin' ? 'open' : (DISPLAY ?? WAYLAND_DISPLAY) && 'xdg-open';
  if (opener === undefined) return;
  const opening = spawn(opener, [page], { stdio: 'ignore', detached: true });
  opening.on('error', () => {}); // no such program
  opening.unref();
}
