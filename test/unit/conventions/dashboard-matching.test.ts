import { expect } from 'chai';
import { findMatches, fold, type Choice } from '../../../public/dashboard/matching.js';

// Guards that a person finds a station by what they call it, and that the likeliest comes first.

const station = (city: string, icao: string, iata: string, note: string, names: string[] = []): Choice => ({
  ...{ value: icao, words: `${city} (${icao})`, note, codes: [icao, iata], names: [city, ...names] },
});

const CHOICES: Choice[] = [
  { value: '', words: 'All 8 stations', note: '', codes: [], names: ['All stations'] },
  { value: 'country=US', words: 'United States', note: 'country, 4 stations', codes: ['US'], names: [] },
  {
    value: 'climate_zone=Dfa',
    words: 'Dfa, humid, cold winters',
    note: 'climate zone',
    codes: ['Dfa'],
    names: [],
  },
  station('Austin', 'KAUS', 'AUS', 'United States'),
  station('Big Apple Valley', 'CBAV', 'BAV', 'Canada'),
  station('Ordos', 'ZBDS', 'DSN', 'China'),
  station('Chicago', 'KORD', 'ORD', 'United States', ['Windy City', "O'Hare"]),
  station('New York', 'KJFK', 'JFK', 'United States', ['Big Apple']),
  station('São Paulo', 'SBGR', 'GRU', 'Brazil'),
  station('Tromsø', 'ENTC', 'TOS', 'Norway'),
  station('York', 'EGXE', 'YRK', 'United Kingdom'),
  station('Yorkton', 'CYQV', 'YQV', 'Canada'),
  station('Kansas City', 'KMCI', 'MCI', 'United States'),
];

const find = (typed: string): string[] => findMatches(CHOICES, typed).map(({ value }) => value);

describe('the search of a station', () => {
  it('given nothing, then all are there as they were; given signs alone, then none', () => {
    expect(find(' ')).to.deep.equal(CHOICES.map(({ value }) => value));
    expect(find('??')).to.deep.equal([]);
  });

  for (const [kind, typed, expected] of [
    ['an ICAO code', 'kord', ['KORD']],
    ['an IATA code before a name that begins so', 'ord', ['KORD', 'ZBDS']],
    ['a country code before what only has it in a name', 'US', ['country=US', 'KAUS']],
    ['a climate code', 'dfa', ['climate_zone=Dfa']],
    ['a whole alias before a name that begins so', 'big apple', ['KJFK', 'CBAV']],
    ['an alias', 'windy', ['KORD']],
    ['an alias without its apostrophe', 'o hare', ['KORD']],
    ['a city without its accents', 'sao p', ['SBGR']],
    ['a city with accents that it has not', 'Chìcagö', ['KORD']],
    ['a letter that has no accent to lose', 'tromso', ['ENTC']],
    ['a whole name, then its beginning, then a later word', 'york', ['EGXE', 'CYQV', 'KJFK']],
    ['a beginning before a part', 'ork', ['KJFK', 'EGXE', 'CYQV']],
    ['a country, then its stations', 'united states', ['country=US', 'KAUS', 'KORD', 'KJFK', 'KMCI']],
    ['a city and its country', 'york canada', ['CYQV']],
    ['the words that stand in the field', 'Chicago (KORD)', ['KORD']],
    [
      'names, then codes, that begin so, then what has it within',
      'k',
      ['KMCI', 'KAUS', 'KORD', 'KJFK', 'EGXE', 'CYQV'],
    ],
    ['what nothing is called', 'atlantis', []],
  ] as const)
    it(`given ${kind}: ${typed}`, () => expect(find(typed)).to.deep.equal(expected));

  it('given any case, accents and punctuation, then a text is the same', () => {
    expect(fold(' ST.-Łukasz  Straße, ÆRØ ')).to.equal('st lukasz strasse aero');
  });
});
