import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UserError } from '../lib/user-error.js';
import type { DataVersion, Version } from '../store/data-version.js';
import type { Store } from '../store/store.js';
import { formatCheckpoint, formatVerifierKey, signatureLine } from './formats/checkpoint.js';
import { computeRoot } from './formats/tree.js';
import { hashLeaves, type LoggedVersion, readSealed } from './log.js';

/** Who vouches for the log. */
export interface SealSigner {
  /** The name of the service; the log of a timeline has its own below it. */
  origin: string;
  /** Ed25519; without a key checkpoints are not signed. */
  key?: KeyObject | undefined;
}

/** Settings of the operator. */
interface SealSettings {
  origin: string;
  keyFile: string | undefined;
}

/** @throws UserError where the file has no private Ed25519 key */
export function readSigner({ origin, keyFile }: SealSettings): SealSigner {
  if (keyFile === undefined) return { origin };
  try {
    const key = createPrivateKey(readFileSync(keyFile));
    if (key.asymmetricKeyType === 'ed25519') return { origin, key };
    throw new Error(`the key is of type ${key.asymmetricKeyType}`);
  } catch (cause) {
    const message = `SEAL_KEY_FILE: ${keyFile} cannot be read as an Ed25519 key; make one with seal init`;
    throw new UserError(message, { cause });
  }
}

/** The name of the log of a timeline, and of its key: two services of one key, or a restored one, are not one log. */
export const originOf = ({ origin }: SealSigner, timeline: string): string => `${origin}/${timeline}`;

/** The log at a version of the data. */
export interface LogState {
  version: Version;
  /** The versions with a seal, and the hashes of their leaves. */
  sealed: readonly LoggedVersion[];
  hashes: readonly Buffer[];
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
    const { key } = this.signer;
    // A load that has finished meanwhile is of the next version.
    const sealed = (await readSealed(this.store)).filter((each) => each.version <= version.finishedLoad);
    const hashes = hashLeaves(sealed);
    const origin = originOf(this.signer, version.timeline);
    const text = formatCheckpoint({ origin, size: hashes.length, root: computeRoot(hashes) });
    const signer = key && { name: origin, key };
    return {
      version,
      sealed,
      hashes,
      checkpoint: signer === undefined ? text : `${text}\n${signatureLine(text, signer)}`,
      verifier_key: signer === undefined ? null : formatVerifierKey(signer),
    };
  }
}
