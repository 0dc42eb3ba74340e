// Finds the stations and regions that a typed text may mean.

/** A station or a region that may be chosen. */
export interface Choice {
  value: string;
  words: string;
  /** Its kind, or where it lies. */
  note: string;
  /** ICAO, IATA, country or climate code. */
  codes: string[];
  /** Its other names. */
  names: string[];
}

/** Letters that Unicode does not take apart. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** A text without case, accents and punctuation. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => PLAIN[letter]!)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

interface Folded {
  choice: Choice;
  codes: string[];
  names: string[];
  /** All its texts, word by word. */
  words: string[];
}

function foldChoice(choice: Choice): Folded {
  const [codes, names] = [choice.codes.map(fold), [choice.words, ...choice.names].map(fold)];
  return { choice, codes, names, words: [...codes, ...names, fold(choice.note)].join(' ').split(' ') };
}

/** The ways to match, best first. */
const WAYS: ((folded: Folded, typed: string) => boolean)[] = [
  ({ codes }, typed) => codes.includes(typed),
  ({ names }, typed) => names.includes(typed),
  ({ names }, typed) => names.some((name) => name.startsWith(typed)),
  ({ codes, names }, typed) =>
    codes.some((code) => code.startsWith(typed)) || names.some((name) => name.includes(` ${typed}`)),
  ({ names }, typed) => names.some((name) => name.includes(typed)),
  ({ words }, typed) => typed.split(' ').every((part) => words.some((word) => word.startsWith(part))),
];

/** The choices that a typed text may mean, the likeliest first, else as given; all for a blank one. */
export function findMatches(choices: readonly Choice[], text: string): Choice[] {
  const typed = fold(text);
  if (typed === '') return text.trim() === '' ? [...choices] : [];
  return choices
    .map((choice) => {
      const folded = foldChoice(choice);
      return { choice, rank: WAYS.findIndex((matches) => matches(folded, typed)) };
    })
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice);
}
