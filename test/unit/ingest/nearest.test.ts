import { expect } from 'chai';
import { nearest } from '../../../src/lib/nearest.js';
import { clip } from '../../../src/lib/text.js';

const PARAMETERS = ['days', 'date_from', 'date_to', 'metric', 'station_id', 'city', 'sort_by', 'format'];

describe('the names that a text may have meant', () => {
  for (const [text, meant] of [
    ['date_form', 'date_from'],
    ['dateTo', 'date_to'],
    ['day', 'days'],
    ['sta', 'station_id'], // three letters that begin it
    ['sort', 'sort_by'],
    ['cities', 'city'],
    ['DAYS', 'days'],
    ['ctiy', 'city'], // two letters that have changed places are one slip
    ['icty', 'city'],
    ['dyas', 'days'],
    ['staiton_di', 'station_id'],
  ] as const) {
    it(`given ${text}, then ${meant} comes first`, () => {
      expect(nearest(text, PARAMETERS, 3)[0]).to.equal(meant);
    });
  }

  for (const text of ['units', 'ci', 'tz', 'limit', 'x', '', 'api_key', 'x'.repeat(10_000)]) {
    it(`given ${text.slice(0, 20)}, then it has no nearest name`, () => {
      expect(nearest(text, PARAMETERS, 3)).to.deep.equal([]);
    });
  }

  it('given many, then the nearest come first, and no more than wanted', () => {
    expect(nearest('springfeld', ['Springfield', 'Springdale', 'Springfeld Lake', 'Salem'], 2)).to.deep.equal(
      ['Springfeld Lake', 'Springfield'],
    );
  });
});

describe('clip', () => {
  it('given a text that fits, then it stays; a longer one is cut and marked, and no character is halved', () => {
    expect([clip('Chicago', 7), clip('Chicago', 3), clip('😀😀', 3)]).to.deep.equal([
      'Chicago',
      'Chi…',
      '😀…',
    ]);
  });
});
