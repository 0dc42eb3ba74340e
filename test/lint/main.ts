import { findHidden } from './findable.js';
import { findPhrases } from './phrases.js';
import { findTangles } from './structure.js';
import { findLongTitles } from './titles.js';
import { findForeignWords } from './words.js';

// Checks of the text of the sources, which run no code of the service: part of `make lint`.

const problems = [
  ...findForeignWords(),
  ...findPhrases(),
  ...findHidden(),
  ...findLongTitles(),
  ...(await findTangles()),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
