import { UserError } from '../../lib/user-error.js';
import { decodeBase64 } from './signed-note.js';
import { HASH_BYTES } from './tree.js';

// A checkpoint (c2sp.org/tlog-checkpoint): the size and root of a log at a moment, three lines that are signed as a note.

/** The state of a log that its signer vouches for. */
export interface Checkpoint {
  /** The name of the log. */
  origin: string;
  /** The number of its entries. */
  size: number;
  /** The root of the tree over them (`tree.ts`), 32 bytes. */
  root: Buffer;
}

/** The text of a checkpoint, as it is signed. */
export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/**
 * Reads a checkpoint, with or without signatures below it: these are not verified here, but by `openNote`.
 * @throws UserError if the text has another form
 */
export function parseCheckpoint(note: string): Checkpoint {
  const text = note.split('\n\n', 1)[0] ?? '';
  const [origin = '', digits = '', base64 = ''] = text.split('\n');
  const root = decodeBase64(base64);
  const size = /^(?:0|[1-9]\d*)$/.test(digits) ? Number(digits) : NaN;
  if (origin !== '' && Number.isSafeInteger(size) && root?.length === HASH_BYTES && note.endsWith('\n'))
    return { origin, size, root };
  throw new UserError('checkpoint: not of this form, expected lines of origin, size and root in base64');
}
