import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { hashBytes } from '../../../src/seals/formats/tree.js';

// How a reader verifies a signed note (c2sp.org/signed-note): a text, an empty line, and a line for each signature. Ed25519 alone.

/** The type of a signature and its key: Ed25519. */
const ED25519 = Buffer.of(1);
/** In DER, the bytes before the 32 of an Ed25519 public key (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;
/** The format asks for 16 or more; a limit keeps the work of a hostile note small. */
const MAX_SIGNATURES = 100;

/** A name that a key may have: no spaces, no plus. (U+0085 is a space of Unicode, and not of \s.) */
const NAME = /^[^\s\u0085+]+$/u;
const SIGNATURE_LINE = /^— (?<name>[^\s\u0085+]+) (?<base64>[A-Za-z0-9+/]+={0,2})$/u;
/** ASCII control characters that no note may have. */
// eslint-disable-next-line no-control-regex -- these are what the format forbids
const CONTROLS = /[\0-\t\v-\u001f]/;

/** A key that a reader trusts, as {@link parseVerifierKey} reads it. */
export interface NoteVerifier {
  name: string;
  /** The first four bytes of a hash of name and key, in hex. */
  id: string;
  key: KeyObject;
}

/** Bytes of base64, undefined if another text stands for the same bytes. */
function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

const keyId = (name: string, publicKey: Buffer): Buffer =>
  hashBytes(Buffer.from(`${name}\n`), ED25519, publicKey).subarray(0, 4);

/** Reads `name+id+base64`. @throws Error if it is no key, or of another type than Ed25519 */
export function parseVerifierKey(text: string): NoteVerifier {
  const [name = '', id, ...rest] = text.split('+');
  const bytes = decodeBase64(rest.join('+'));
  if (NAME.test(name) && bytes?.length === KEY_BYTES + 1 && bytes[0] === ED25519[0]) {
    const publicKey = bytes.subarray(1);
    if (keyId(name, publicKey).toString('hex') === id) {
      const der = Buffer.concat([SPKI_HEAD, publicKey]);
      return { name, id, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
    }
  }
  throw new Error(`verifier key: ${JSON.stringify(text)} is none, copy NAME+ID+BASE64 of the log whole`);
}

/** A note that one of the keys, or more, has signed. */
export interface OpenedNote {
  text: string;
  /** The verifiers with a good signature, in the order of the note. */
  verified: NoteVerifier[];
}

/**
 * Reads a note, and verifies its signatures of known keys; those of others are ignored.
 * @throws Error if the text has another form, a signature of a known key is wrong, or no known key signed it
 */
export function openNote(note: string, verifiers: readonly NoteVerifier[]): OpenedNote {
  const { text, signatures } = splitNote(note);
  const verified = new Set<NoteVerifier>();
  for (const { name, id, signature } of signatures) {
    const known = verifiers.find((verifier) => verifier.name === name && verifier.id === id);
    if (known === undefined || verified.has(known)) continue;
    if (!verify(null, Buffer.from(text), known.key, signature))
      throw new Error(`signed note: the signature of ${name}+${id} is wrong, the text is not what it signed`);
    verified.add(known);
  }
  if (verified.size > 0) return { text, verified: [...verified] };
  const names = signatures.map(({ name, id }) => `${name}+${id}`).join(', ');
  throw new Error(`signed note: signed by ${names}, give the verifier key of one of these`);
}

interface NoteSignature {
  name: string;
  id: string;
  signature: Buffer;
}

function splitNote(note: string): { text: string; signatures: NoteSignature[] } {
  const end = note.lastIndexOf('\n\n') + 1;
  const [text, lines] = [note.slice(0, end), note.slice(end + 1)];
  const signatures = lines.split('\n').slice(0, -1).map(parseSignature);
  const known = signatures.filter((signature) => signature !== undefined);
  const isWhole = known.length === signatures.length && known.length > 0 && lines.endsWith('\n');
  if (isNoteText(text) && !CONTROLS.test(note) && isWhole && known.length <= MAX_SIGNATURES)
    return { text, signatures: known };
  throw new Error('signed note: not of this form, expected text, an empty line and lines of signatures');
}

function parseSignature(line: string): NoteSignature | undefined {
  const { name, base64 = '' } = SIGNATURE_LINE.exec(line)?.groups ?? {};
  const bytes = decodeBase64(base64);
  if (name === undefined || bytes === undefined || bytes.length <= 4) return undefined;
  return { name, id: bytes.toString('hex', 0, 4), signature: bytes.subarray(4) };
}

/** Whether a text can be signed: it ends with a line break, and every reader sees the same bytes in it. */
const isNoteText = (text: string): boolean =>
  text.endsWith('\n') && !CONTROLS.test(text) && Buffer.from(text).toString() === text;
