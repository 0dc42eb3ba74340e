import type { Store } from '../store/store.js';
import { parseCheckpoint } from '../seals/formats/checkpoint.js';
import { makeLogFiles } from '../seals/formats/tiles.js';
import { readSealed } from '../seals/log.js';
import type { CopyFolder } from './copy-folder.js';
import type { Ask } from './local-service.js';

/** The log of a copy has this URL below that of the copy. */
const LOG = 'seals/';

/**
 * Writes the log of sealed versions as the static files that clients and witnesses of transparency logs read: checkpoint, tiles
 * and entries (D81). Partial tiles of earlier copies stay until there are full ones, for readers of their checkpoints.
 */
export async function copyLog(ask: Ask, folder: CopyFolder, store: Pick<Store, 'query'>): Promise<void> {
  const { body } = await ask('/api/v1/seals');
  const { size } = parseCheckpoint(body.toString());
  await folder.write(`${LOG}checkpoint`, body);
  // A load may have finished since: its entry is not of this checkpoint.
  const sealed = (await readSealed(store)).slice(0, size);
  const written = new Set<string>();
  for (const { path, bytes } of makeLogFiles(sealed.map(({ leaf }) => Buffer.from(leaf)))) {
    await folder.write(`${LOG}${path}`, bytes);
    written.add(`${LOG}${path}`);
  }
  for (const name of folder.listOwned(`${LOG}tile/`)) {
    const [full, width] = name.split('.p/');
    if (width !== undefined && !written.has(full!) && !written.has(name)) await folder.keep(name);
  }
}
