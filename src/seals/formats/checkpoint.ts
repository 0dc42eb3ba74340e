import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { UserError } from '../../lib/user-error.js';
import { HASH_BYTES, hashBytes } from './tree.js';

// A checkpoint (c2sp.org/tlog-checkpoint): the size and root of a log at a moment, three lines that are signed as a note
// (c2sp.org/signed-note): text, an empty line, and a line for each signature, here of Ed25519 alone.

/** The state of a log that its signer vouches for. */
export interface Checkpoint {
  /** The name of the log. */
  origin: string;
  /** The number of its entries. */
  size: number;
  /** The root of the tree over them (`tree.ts`), 32 bytes. */
  root: Buffer;
}

/** Who signs: the name of the log, without spaces and plus signs, with its private key. */
export interface NoteSigner {
  name: string;
  key: KeyObject;
}

/** The type of a signature and its key: Ed25519. */
const ED25519 = Buffer.of(1);
const KEY_BYTES = 32;

/** The public key, with its type before it. */
const typedKey = (key: KeyObject): Buffer =>
  Buffer.concat([ED25519, createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-KEY_BYTES)]);

const keyId = ({ name, key }: NoteSigner): Buffer =>
  hashBytes(Buffer.from(`${name}\n`), typedKey(key)).subarray(0, 4);

/** The text by which others know a key: `name+id+base64`. */
export const formatVerifierKey = (signer: NoteSigner): string =>
  `${signer.name}+${keyId(signer).toString('hex')}+${typedKey(signer.key).toString('base64')}`;

/** The line of a signature. Ed25519 signs a text always alike. @param text ends with a line break */
export const signatureLine = (text: string, signer: NoteSigner): string =>
  `— ${signer.name} ${Buffer.concat([keyId(signer), sign(null, Buffer.from(text), signer.key)]).toString('base64')}\n`;

/** The text of a checkpoint, as it is signed. */
export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/**
 * Reads a checkpoint, with or without signatures below it, which are not verified here.
 * @throws UserError if the text has another form
 */
export function parseCheckpoint(note: string): Checkpoint {
  const text = note.split('\n\n', 1)[0] ?? '';
  const [origin = '', digits = '', base64 = ''] = text.split('\n');
  const root = Buffer.from(base64, 'base64');
  const size = /^(?:0|[1-9]\d*)$/.test(digits) ? Number(digits) : NaN;
  const isRoot = root.length === HASH_BYTES && root.toString('base64') === base64;
  if (origin !== '' && Number.isSafeInteger(size) && isRoot && note.endsWith('\n'))
    return { origin, size, root };
  throw new UserError('checkpoint: not of this form, expected lines of origin, size and root in base64');
}
