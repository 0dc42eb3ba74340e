import { basename } from 'node:path';
import ts from 'typescript';
import { listFiles, readText } from './files.js';

// Names and sentences that an engineer of the field recognises.

/** The files of the service, its page and its scripts. */
const files = listFiles('src', 'public', 'scripts').filter((file) => /\.c?tsx?$/.test(file));

/** The documents that a user, an operator or a contributor reads. */
const documents = listFiles('docs', 'examples', '*.md').filter(
  (file) => file.endsWith('.md') && !/^(test|public|CODE_OF_CONDUCT)/.test(file),
);

/** Words that the field does not use in names, and its own. */
const FOREIGN: Readonly<Record<string, string>> = {
  question: 'params, query, request',
  questions: 'params, queries, requests',
  answer: 'response, result',
  answers: 'responses, results',
  answered: 'responded',
  asked: 'requested',
  fault: 'error, issue',
  faults: 'errors, issues',
  refuse: 'validate, reject',
  lane: 'fast path',
  lanes: 'fast paths',
  told: 'reported',
  settle: 'reconcile',
  settled: 'reconciled',
  unsettled: 'pending',
  lineage: 'timeline',
  learner: 'trainer',
  learned: 'trained',
  outlook: 'distribution',
  prospect: 'distribution',
  chances: 'probabilities',
  odds: 'probability',
  doubt: 'suspect',
  doubtful: 'suspect',
  doubts: 'flags',
  apart: 'distance, spike, buddy check',
  begun: 'started, intraday',
  far: 'outlier',
  most: 'max',
  least: 'min',
  few: 'small',
};

// Fields of the API (D57).
const ALLOWED = new Set<string>(['so_far', 'soFar', 'isSoFar']);

const splitWords = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .split(' ');

const DECLARATIONS = new Set([
  ts.SyntaxKind.VariableDeclaration,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.MethodSignature,
  ts.SyntaxKind.PropertySignature,
  ts.SyntaxKind.Parameter,
  ts.SyntaxKind.PropertyDeclaration,
  ts.SyntaxKind.BindingElement,
  ts.SyntaxKind.TypeParameter,
]);

/** The names that a file declares. */
function readNames(file: string): string[] {
  const text = readText(file);
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const { name } = node as { name?: ts.Node };
    if (DECLARATIONS.has(node.kind) && name !== undefined && ts.isIdentifier(name)) names.push(name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind));
  return names;
}

/** Words that stand before an answer where it is a noun: a server may answer, and then it answers. */
const BEFORE_NOUN =
  'an?|the|its|this|these|those|their|your|whose|each|every|no|any|some|all|both|such|same|many|few|enough|two|' +
  'of|in|for|by|with|without|between|beside|into|cached|other|another|public|small|large|first|last|wrong|usable|' +
  'recorded|whole|empty|late|long|hot';
const ANSWER = String.raw`(?:${BEFORE_NOUN})[\s*/]+answers?|answers? (?:of|is|are|was|were|go|goes|have|that|which)`;

/** Words that the prose of code does not have. Faults that a test injects are not in src. */
const FOREIGN_IN_CODE = new RegExp(String.raw`\b(?:questions?|faults?|lanes?|outlook|${ANSWER})\b`, 'gi');
const FOREIGN_IN_DOCUMENTS = new RegExp(String.raw`\b(?:questions?|lanes?|${ANSWER})\b`, 'gi');

/** Phrases of people who ask, and of punctuation. */
const ALLOWED_PHRASES = [
  'question marks',
  'Questions it answers',
  'leaves a question open, write the answer',
  'named like a question',
  '| Question | URL |',
  'a person with a question',
  'questions from Claude',
  'Questions, bugs and wishes',
  'You get an answer within a week',
  'answer questions like',
  'before the first question',
];

/** The path of a file and its text, without the phrases that may stay. */
const readProse = (file: string): string =>
  ALLOWED_PHRASES.reduce((text, phrase) => text.replaceAll(phrase, ''), `${file}\n${readText(file)}`);

const findWords = (paths: readonly string[], words: RegExp): string[] =>
  paths.flatMap((file) => Array.from(readProse(file).matchAll(words), ([word]) => `${file}: ${word}`));

/** Words of a sentence of a doc comment, at most. */
const MAX_WORDS = 25;

/** The sentences of the doc comments of a file. */
const readSentences = (file: string): string[] =>
  (readText(file).match(/\/\*\*[^]*?\*\//g) ?? []).flatMap((comment) =>
    comment.replaceAll(/[*/]/g, ' ').split(/(?<=[.;:])\s/),
  );

/** The problems of names, sentences and words, one line each. */
export function findForeignWords(): string[] {
  const ofNames = files.flatMap((file) =>
    [...new Set(readNames(file))].flatMap((name) =>
      splitWords(name)
        .filter((word) => Object.hasOwn(FOREIGN, word) && !ALLOWED.has(name))
        .map((word) => `${file}: ${name}: say ${FOREIGN[word]}`),
    ),
  );
  const ofSentences = files.flatMap((file) =>
    readSentences(file)
      .filter((sentence) => sentence.trim().split(/\s+/).length > MAX_WORDS)
      .map((sentence) => `${file}: more than ${MAX_WORDS} words: ${sentence.trim().replaceAll(/\s+/g, ' ')}`),
  );
  const texts = [...files, ...documents].map(readText);
  const unused = ALLOWED_PHRASES.filter((phrase) => !texts.some((text) => text.includes(phrase)));
  const names = files.filter((file) => file.startsWith('src/')).map((file) => basename(file));
  const doubled = names.filter((name, at) => name !== 'index.ts' && names.indexOf(name) !== at);
  return [
    ...ofNames,
    ...ofSentences,
    ...findWords(files, FOREIGN_IN_CODE),
    ...findWords(documents, FOREIGN_IN_DOCUMENTS),
    ...unused.map((phrase) => `test/lint/words.ts: no file has "${phrase}" any more: delete it`),
    ...doubled.map((name) => `src: two files are named ${name}: rename one`),
  ];
}
