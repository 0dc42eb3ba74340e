import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UserError } from '../lib/user-error.js';
import type { DataVersion, Version } from '../store/data-version.js';
import type { Store } from '../store/store.js';
import { formatCheckpoint } from './formats/checkpoint.js';
import { formatVerifierKey, signNote } from './formats/signed-note.js';
import { computeRoot } from './formats/tree.js';
import { hashLeaves, type LoggedVersion, readVersions } from './log.js';

/** Who vouches for the log. */
export interface SealSigner {
  /** The name of the service; the log of a timeline has its own below it. */
  origin: string;
  /** Ed25519; without a key checkpoints are not signed. */
  key?: KeyObject | undefined;
}

/** @throws UserError where the file has no private Ed25519 key */
function readSealKey(file: string): KeyObject {
  try {
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    throw new UserError(`SEAL_KEY_FILE: ${file} cannot be read as a key; make one with seal init`, {
      cause: error,
    });
  }
  throw new UserError(
    `SEAL_KEY_FILE: ${file} has a key of another type than Ed25519; make one with seal init`,
  );
}

/** @throws UserError where the key cannot be read */
export const readSigner = ({
  origin,
  keyFile,
}: {
  origin: string;
  keyFile: string | undefined;
}): SealSigner => ({
  origin,
  key: keyFile === undefined ? undefined : readSealKey(keyFile),
});

/** The name of the log of a timeline, and of its key: two services of one key, or a restored one, are not one log. */
export const originOf = ({ origin }: SealSigner, timeline: string): string => `${origin}/${timeline}`;

/** The checkpoint of a log, signed where there is a key. */
function makeCheckpoint(hashes: readonly Buffer[], timeline: string, signer: SealSigner): string {
  const origin = originOf(signer, timeline);
  const text = formatCheckpoint({ origin, size: hashes.length, root: computeRoot(hashes) });
  return signer.key === undefined ? text : signNote(text, { name: origin, key: signer.key });
}

/** The log at a version of the data. */
export interface LogState {
  version: Version;
  /** The versions with a seal, and the hashes of their leaves. */
  sealed: readonly LoggedVersion[];
  hashes: readonly Buffer[];
  /** Finished versions of an older service that the next load will seal. */
  unsealed: readonly LoggedVersion[];
  checkpoint: string;
  /** By which others verify the signature; null without a key. */
  verifier_key: string | null;
}

/** The log, read again only after the data have changed. */
export class SealLog {
  #state: Promise<LogState> | undefined;
  #key = '';

  constructor(
    private readonly store: Pick<Store, 'query'>,
    private readonly dataVersion: Pick<DataVersion, 'current'>,
    private readonly signer: SealSigner,
  ) {}

  /** @throws what the store throws */
  async current(): Promise<LogState> {
    const version = await this.dataVersion.current();
    if (this.#state === undefined || this.#key !== version.key) {
      this.#key = version.key;
      const state = this.#read(version);
      this.#state = state;
      state.catch(() => {
        if (this.#state === state) this.#state = undefined;
      });
    }
    return this.#state;
  }

  async #read(version: Version): Promise<LogState> {
    const { signer } = this;
    // A load that has finished meanwhile is of the next version.
    const versions = (await readVersions(this.store)).filter(
      ({ version: each }) => each <= version.finishedLoad,
    );
    const sealed = versions.filter(({ leaf }) => leaf !== '');
    const hashes = hashLeaves(sealed);
    const name = originOf(signer, version.timeline);
    return {
      version,
      sealed,
      hashes,
      unsealed: versions.filter(({ leaf }) => leaf === ''),
      checkpoint: makeCheckpoint(hashes, version.timeline, signer),
      verifier_key: signer.key === undefined ? null : formatVerifierKey({ name, key: signer.key }),
    };
  }
}
