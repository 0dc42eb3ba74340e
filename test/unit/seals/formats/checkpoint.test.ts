import { expect } from 'chai';
import { formatCheckpoint, parseCheckpoint } from '../../../../src/seals/formats/checkpoint.js';
import { hashLeaf } from '../../../../src/seals/formats/tree.js';
import { UserError } from '../../../../src/lib/user-error.js';

/** golang.org/x/mod, sumdb/tlog/note_test.go: the tree of go.sum, with the hash of an entry as its root. */
const GO_TEXT = 'go.sum database tree\n123456789012\nTszzRgjTG6xce+z2AG31kAXYKBgQVtCSCE40HmuwBb0=\n';
/** The example of c2sp.org/tlog-checkpoint. */
const SIGNED =
  'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n' +
  '— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n';

describe('checkpoints', () => {
  it('given the published tree, then its text is the published one, and reads back', () => {
    const tree = {
      origin: 'go.sum database tree',
      size: 123_456_789_012,
      root: hashLeaf(Buffer.from('hello world')),
    };
    expect(formatCheckpoint(tree)).to.equal(GO_TEXT);
    expect(parseCheckpoint(GO_TEXT)).to.deep.equal(tree);
  });

  it('given signatures or extension lines, then origin, size and root are read', () => {
    const { origin, size, root } = parseCheckpoint(SIGNED);
    expect([origin, size, root.toString('hex', 0, 4)]).to.deep.equal([
      'example.com/behind-the-sofa',
      20_852_163,
      '0ac5186a',
    ]);
    expect(parseCheckpoint(SIGNED.replace('\n\n', '\nextension\n\n'))).to.deep.equal({ origin, size, root });
  });

  it('given what is no checkpoint, then it is rejected', () => {
    for (const bad of [
      '',
      `\n${GO_TEXT}`,
      GO_TEXT.slice(0, -1),
      GO_TEXT.replace('123456789012', '0xabcdef'),
      GO_TEXT.replace('123456789012', '0123456789012'),
      GO_TEXT.replace('123456789012', '-1'),
      GO_TEXT.replace('123456789012', ''),
      GO_TEXT.replace('123456789012', '9007199254740993'),
      GO_TEXT.replace('b0=', 'TOOBIG='),
      GO_TEXT.replace('b0=', 'b1='), // other characters of the same bytes
      GO_TEXT.replace('\n123456789012', ''),
    ])
      expect(() => parseCheckpoint(bad), bad).to.throw(UserError, 'checkpoint: not of this form');
  });
});
