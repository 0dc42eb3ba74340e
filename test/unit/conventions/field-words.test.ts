import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The files of the service, its page and its scripts. */
const files = execFileSync('git', ['ls-files', '-z', '--', 'src', 'public', 'scripts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => /\.c?tsx?$/.test(file));

/** Words that the field does not use in names, and its own. */
const FOREIGN: Readonly<Record<string, string>> = {
  question: 'params, query, request',
  answer: 'response, result',
  answered: 'responded',
  asked: 'requested',
  fault: 'error, issue',
  faults: 'errors, issues',
  refuse: 'validate, reject',
  lane: 'fast path',
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
]);

/** The names that a file declares. */
function readNames(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
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

/** Words that the prose of src does not have; `answer` may be the verb of a server. */
const FOREIGN_PROSE = /\b(?:questions?|faults?|lanes?|outlook|(?:an|the|its|this|each) answers?)\b/gi;

/** The sentences of the doc comments of a file. */
const readSentences = (file: string): string[] =>
  (readFileSync(join(root, file), 'utf8').match(/\/\*\*[^]*?\*\//g) ?? []).flatMap((comment) =>
    comment.replaceAll(/[*/]/g, ' ').split(/(?<=[.;:])\s/),
  );

// No other test keeps names and sentences that an engineer of the field does not recognise from coming back.
describe('the words of the field', () => {
  it('given the names that files declare, then none has a word of our own where the field has one', () => {
    const found = files.flatMap((file) =>
      [...new Set(readNames(file))].flatMap((name) =>
        splitWords(name)
          .filter((word) => Object.hasOwn(FOREIGN, word) && !ALLOWED.has(name))
          .map((word) => `${file}: ${name}, say ${FOREIGN[word]}`),
      ),
    );
    expect(found).to.deep.equal([]);
  });

  it('given doc comments, then no sentence has more than 25 words', () => {
    const found = files.flatMap((file) =>
      readSentences(file)
        .filter((sentence) => sentence.trim().split(/\s+/).length > 25)
        .map((sentence) => `${file}: ${sentence.trim().replaceAll(/\s+/g, ' ')}`),
    );
    expect(found).to.deep.equal([]);
  });

  it('given comments and texts of src, then none says question, answer or fault for request, response or error', () => {
    const found = files
      .filter((file) => file.startsWith('src/'))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), 'utf8');
        return Array.from(text.matchAll(FOREIGN_PROSE), ([word]) => `${file}: ${word}`);
      });
    expect(found).to.deep.equal([]);
  });

  it('given the files of src, then no two have one name, but for index.ts', () => {
    const names = files.filter((file) => file.startsWith('src/')).map((file) => basename(file));
    const doubled = names.filter((name, at) => name !== 'index.ts' && names.indexOf(name) !== at);
    expect(doubled).to.deep.equal([]);
  });
});
