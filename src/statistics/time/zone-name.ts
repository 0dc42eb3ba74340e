import { IANAZone } from 'luxon';
/** The words in names of the IANA database that do not begin with a capital, or have more than one. */
const ODD_WORDS = new Map(
  [
    ...['of', 'au', 'es', 'ComodRivadavia', 'DeNoronha', 'DumontDUrville', 'McMurdo', 'EasterIsland'],
    ...[
      'BajaNorte',
      'BajaSur',
      'ACT',
      'CHAT',
      'IN',
      'LHI',
      'NSW',
      'SU',
      'US',
      'GB',
      'NZ',
      'PRC',
      'ROC',
      'ROK',
    ],
    ...['UTC', 'UCT', 'GMT', 'CET', 'EET', 'MET', 'WET', 'HST', 'EST', 'EDT', 'CST', 'CDT', 'MST', 'MDT'],
    ...['PST', 'PDT'],
  ].map((word) => [word.toLowerCase(), word]),
);

/**
 * A time zone in the letters of the IANA database, such as America/New_York for america/new_york: readers on Linux find
 * no other file. An alias stays one, where `Intl` would give another zone's name: America/New_York for US/Eastern.
 */
export const zoneName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[a-z]+/g, (word) => ODD_WORDS.get(word) ?? `${word.charAt(0).toUpperCase()}${word.slice(1)}`);

/** Whether a text is a zone of the database. Newer runtimes take an offset such as +05:00 for one; that has no rules. */
export const isZone = (text: string): boolean => /^[A-Za-z]/.test(text) && IANAZone.isValidZone(text);
