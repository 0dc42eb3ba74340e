import { expect } from 'chai';
import { clip } from '../../../src/text.js';

describe('clip', () => {
  it('given a text that fits, then it stays', () => {
    expect(clip('Chicago', 7)).to.equal('Chicago');
  });

  it('given a longer one, then it is cut and marked, and no character is halved', () => {
    expect(clip('Chicago', 3)).to.equal('Chi…');
    expect(clip('😀😀', 3)).to.equal('😀…');
  });
});
