import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import {
  computeRoot,
  hashLeaf,
  proveConsistency,
  proveInclusion,
} from '../../../../src/seals/formats/tree.js';
import { range } from '../../../support/runner/range.js';
import {
  type Consistency,
  type Inclusion,
  verifyConsistency,
  verifyInclusion,
} from '../../../support/seals/proofs.js';

const fromHex = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** Entries and roots of Certificate Transparency's reference trees: transparency-dev/merkle, testonly/constants.go. */
const ENTRIES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
/** Proofs of these trees: the same repository, testonly/reference_test.go. */
const INCLUSIONS: readonly [index: number, size: number, proof: string[]][] = [
  [0, 1, []],
  [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
  [
    1,
    5,
    [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
  [
    5,
    8,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
];
const CONSISTENCIES: readonly [from: number, size: number, proof: string[]][] = [
  [1, 1, []],
  [
    2,
    5,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
  [
    6,
    8,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
];

const LEAVES = ENTRIES.map((entry) => hashLeaf(fromHex(entry)));
const toHex = (hashes: readonly Buffer[]): string[] => hashes.map((hash) => hash.toString('hex'));

describe('the tree of RFC 9162', () => {
  it('given the reference entries, then the roots of all sizes are the published ones', () => {
    expect(toHex(ROOTS.map((_, size) => computeRoot(LEAVES.slice(0, size))))).to.deep.equal(ROOTS);
  });

  it('given the reference trees, then proofs of inclusion are the published ones', () => {
    for (const [index, size, proof] of INCLUSIONS)
      expect(toHex(proveInclusion(index, LEAVES.slice(0, size))), `${index} of ${size}`).to.deep.equal(proof);
  });

  it('given the reference trees, then proofs of consistency are the published ones', () => {
    for (const [from, size, proof] of CONSISTENCIES)
      expect(toHex(proveConsistency(from, LEAVES.slice(0, size))), `${from} to ${size}`).to.deep.equal(proof);
  });

  const sizes = range({ test: 17, ci: 70 });
  const leaves = Array.from({ length: sizes }, (_, at) => hashLeaf(Buffer.from(`entry ${at}`)));
  const roots = leaves.map((_, at) => computeRoot(leaves.slice(0, at + 1)));
  const other = randomBytes(32);

  it('given a leaf of any small tree, then its proof holds, and no other does', () => {
    for (let size = 1; size <= sizes; size++)
      for (let index = 0; index < size; index++) {
        const proof = proveInclusion(index, leaves.slice(0, size));
        const shown = { index, size, leaf: leaves[index]!, root: roots[size - 1]!, proof };
        expect(verifyInclusion(shown), `${index} of ${size}`).to.equal(true);
        for (const [what, wrong] of breakInclusion(shown))
          expect(verifyInclusion(wrong), `${index} of ${size}, ${what}`).to.equal(false);
      }
  });

  it('given two sizes of any small tree, then their proof holds, and no other does', () => {
    for (let size = 1; size <= sizes; size++)
      for (let from = 1; from <= size; from++) {
        const proof = proveConsistency(from, leaves.slice(0, size));
        const shown = { from, size, fromRoot: roots[from - 1]!, root: roots[size - 1]!, proof };
        expect(verifyConsistency(shown), `${from} to ${size}`).to.equal(true);
        for (const [what, wrong] of breakConsistency(shown))
          expect(verifyConsistency(wrong), `${from} to ${size}, ${what}`).to.equal(false);
      }
  });

  function* breakInclusion(shown: Inclusion): Generator<[what: string, wrong: Inclusion]> {
    yield ['another leaf', { ...shown, leaf: other }];
    yield ['another root', { ...shown, root: other }];
    yield ['a hash more', { ...shown, proof: [...shown.proof, other] }];
    if (shown.index + 1 < shown.size) yield ['the next index', { ...shown, index: shown.index + 1 }];
    for (const [what, proof] of breakProof(shown.proof)) yield [what, { ...shown, proof }];
  }

  function* breakConsistency(shown: Consistency): Generator<[what: string, wrong: Consistency]> {
    yield ['another earlier root', { ...shown, fromRoot: other }];
    yield ['another root', { ...shown, root: other }];
    yield ['a hash more', { ...shown, proof: [...shown.proof, other] }];
    for (const [what, proof] of breakProof(shown.proof)) yield [what, { ...shown, proof }];
  }

  function* breakProof(proof: readonly Buffer[]): Generator<[what: string, proof: Buffer[]]> {
    for (const at of proof.keys()) {
      yield [`without hash ${at}`, proof.filter((_, index) => index !== at)];
      yield [`another hash ${at}`, proof.with(at, other)];
    }
  }
});
