import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  formatVerifierKey,
  type NoteSigner,
  signatureLine,
} from '../../../../src/seals/formats/checkpoint.js';
import { openNote, parseVerifierKey } from '../../../support/seals/notes.js';

// Keys and signatures of golang.org/x/mod, sumdb/note/note_test.go, and the example of c2sp.org/signed-note.

const PETER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
/** The base64 of its private key: the type, and the seed of RFC 8032. */
const PETER_SEED = 'AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
const ENOCH = 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop';
const TEXT =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const PETER_LINE =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const ENOCH_LINE =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n';
const NOTE = `${TEXT}\n${PETER_LINE}`;

/** A private key of its seed, as RFC 8410 writes it. */
const privateKey = (seed: Buffer): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
const peter = { name: 'PeterNeumann', key: privateKey(Buffer.from(PETER_SEED, 'base64').subarray(1)) };

const signNote = (text: string, signer: NoteSigner): string => `${text}\n${signatureLine(text, signer)}`;

const names = (note: string, ...keys: readonly string[]): string[] =>
  openNote(note, keys.map(parseVerifierKey)).verified.map(({ name }) => name);

describe('signed notes', () => {
  it('given the published private key and text, then key and note are the published ones, byte for byte', () => {
    expect(formatVerifierKey(peter)).to.equal(PETER);
    expect(signNote(TEXT, peter)).to.equal(NOTE);
  });

  it('given notes of others, then a signature of a known key verifies, and unknown ones are ignored', () => {
    expect(openNote(NOTE, [parseVerifierKey(PETER)]).text).to.equal(TEXT);
    expect(names(NOTE + ENOCH_LINE, PETER)).to.deep.equal(['PeterNeumann']);
    expect(names(NOTE + ENOCH_LINE, ENOCH)).to.deep.equal(['EnochRoot']);
    expect(names(NOTE + PETER_LINE + ENOCH_LINE, ENOCH, PETER)).to.deep.equal(['PeterNeumann', 'EnochRoot']);
    const example =
      'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
    expect(
      names(example, 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'),
    ).to.deep.equal(['example.com/foo']);
  });

  it('given as many signatures as a note may have, then it is read', () => {
    expect(names(TEXT + '\n' + PETER_LINE.repeat(100), PETER)).to.deep.equal(['PeterNeumann']);
  });

  it('given the checkpoint of docs/seals.md, then the verifier key beside it verifies it', () => {
    const page = readFileSync(new URL('../../../../docs/seals.md', import.meta.url), 'utf8');
    const [, key = '', note = ''] = /verifier key is `([^`]+)`:\n\n```\n([^`]+)```/.exec(page) ?? [];
    expect(names(note, key)).to.deep.equal(['example.org/forecasts/k7q2']);
  });

  it('given empty lines in the text, then the last one separates the signatures', () => {
    const text = 'one\n\n— not a signature\n\ntwo\n';
    expect(openNote(signNote(text, peter), [parseVerifierKey(PETER)]).text).to.equal(text);
  });

  it('given any change of one character of text or signature, then the note is rejected', () => {
    const start = NOTE.indexOf('— PeterNeumann ') + '— PeterNeumann '.length;
    for (const at of NOTE.slice(0, -1).split('').keys()) {
      if (at > TEXT.length - 1 && at < start) continue; // the separator and the name have tests of their own
      const changed = NOTE.slice(0, at) + (NOTE[at] === 'A' ? 'B' : 'A') + NOTE.slice(at + 1);
      expect(() => names(changed, PETER), changed).to.throw(Error);
    }
  });

  it('given a note that is none, or has too many signatures, then it is rejected', () => {
    for (const bad of [
      '',
      TEXT,
      `${TEXT}\n`,
      NOTE.slice(0, -1),
      `\u0001${NOTE}`,
      `\ud800${NOTE}`,
      `${TEXT}\n— Bad Name ${PETER_LINE.slice(15)}`,
      `${TEXT}\n— Bad+Name ${PETER_LINE.slice(15)}`,
      `${NOTE}Unexpected line.\n`,
      `${TEXT}\n${PETER_LINE.repeat(101)}`,
      `${TEXT}\n— PeterNeumann x08gow==\n`,
    ])
      expect(() => names(bad, PETER), bad).to.throw(Error, 'not of this form');
  });

  it('given a wrong signature of a known key beside a good one, or only unknown keys, then it is rejected', () => {
    const wrong = PETER_LINE.replace('ZJku', 'ZJkv');
    expect(() => names(`${TEXT}\n${ENOCH_LINE}${wrong}`, ENOCH, PETER)).to.throw(
      Error,
      'PeterNeumann+c74f20a3 is wrong',
    );
    expect(() => names(NOTE, ENOCH)).to.throw(Error, 'signed by PeterNeumann+c74f20a3, give');
  });

  it('given a part of a verifier key, a changed one, or another type, then it is rejected', () => {
    const isRejected = (key: string) =>
      expect(() => parseVerifierKey(key), key).to.throw(Error, 'verifier key');
    for (let start = 0; start <= PETER.length; start++)
      for (let end = start; end <= PETER.length; end++)
        if (end - start < PETER.length) isRejected(PETER.slice(start, end));
    for (const at of PETER.split('').keys())
      isRejected(PETER.slice(0, at) + String.fromCharCode(PETER.charCodeAt(at) + 1) + PETER.slice(at + 1));
    // A key of another length, and one of an unknown type, with an id that is right for them.
    isRejected('PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==');
    isRejected('PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
  });
});
