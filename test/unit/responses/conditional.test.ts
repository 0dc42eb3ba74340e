import { expect } from 'chai';
import fc from 'fast-check';
import { cacheControl, entityTag, isClosed, matchesIfNoneMatch } from '../../../src/http/conditional.js';
import { forAny } from '../../support/property.js';

const TAG = entityTag('key');
const OPAQUE = TAG.slice(2);

describe('the tag of an answer', () => {
  it('then it is weak and has the form of RFC 9110', () => {
    expect(TAG).to.match(/^W\/"[\w-]{22}"$/);
  });

  it('given two keys, then the tags are equal if the keys are, and only then', () => {
    forAny(fc.string(), fc.string(), (a, b) => {
      expect(entityTag(a) === entityTag(b)).to.equal(a === b);
    });
  });
});

describe('If-None-Match', () => {
  it('given the tag, weak or strong, alone or in a list, or any, then the client has it', () => {
    const lists = [`, ,${TAG},`, `"other", W/"another",${TAG}`, `"a",${OPAQUE},"b"`, `"a,b", ${TAG}`];
    for (const header of [TAG, OPAQUE, '*', ' * ', ...lists])
      expect(matchesIfNoneMatch(header, TAG), header).to.be.true;
  });

  it('given none, another tag, or what only resembles it, then the client does not have it', () => {
    const otherCase = TAG.toLowerCase() === TAG ? TAG.toUpperCase() : TAG.toLowerCase();
    const alike = [OPAQUE.slice(1, -1), otherCase, `${TAG.slice(0, -1)}x"`, `"x${OPAQUE.slice(1)}`];
    for (const header of [undefined, '', entityTag('other'), ...alike, '"*"', '"other", *'])
      expect(matchesIfNoneMatch(header, TAG), header).to.be.false;
  });

  it('given a list of any tags, then it matters only whether the tag is among them', () => {
    const tag = fc.stringMatching(/^(W\/)?"[!#-~]*"$/);
    forAny(fc.array(tag), fc.boolean(), fc.nat(), (tags, has, at) => {
      const listed = has ? tags.toSpliced(at % (tags.length + 1), 0, TAG) : tags;
      expect(matchesIfNoneMatch(listed.join(', '), TAG)).to.equal(has);
    });
  });
});

describe('Cache-Control', () => {
  it('given final numbers, then an hour; given others, then none', () => {
    expect(cacheControl(true)).to.equal('private, max-age=3600');
    expect(cacheControl(false)).to.equal('private, max-age=0, must-revalidate');
  });

  it('given no key, then a shared cache may keep it: for ever with a timeline, else until a load', () => {
    const pinned = { requested: 'v4.k7q2', load_id: 4, timeline: 'k7q2' };
    expect(cacheControl(true, pinned, true)).to.equal('public, max-age=31536000, immutable');
    for (const named of [undefined, { ...pinned, timeline: undefined }])
      expect(cacheControl(true, named, true)).to.equal(
        'public, max-age=0, s-maxage=10, stale-while-revalidate=30',
      );
  });

  it('given a window that ended before yesterday, then it is closed, and only then', () => {
    const days = ['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02'];
    expect(days.map((day) => isClosed(day, '2024-03-01'))).to.deep.equal([true, false, false, false]);
    expect(isClosed('2023-12-30', '2024-01-01')).to.equal(true);
  });
});
