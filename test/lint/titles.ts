import ts from 'typescript';
import { listFiles, readText } from './files.js';

// A title that has more is cut in the lists of runners and of CI. A test is found by its file, its describe and its title.

const MOST_CHARACTERS = 100;
/** Functions that take a title; those of this repository begin with one of these. */
const TITLED = /^(it|describe)([A-Z]\w*)?$/;

/** The titles of tests and suites that are too long, one line each. Values in a title do not count. */
export function findLongTitles(): string[] {
  return listFiles('test')
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const source = ts.createSourceFile(file, readText(file), ts.ScriptTarget.Latest, true);
      return titlesIn(source).flatMap(({ title, at }) => {
        const { line } = source.getLineAndCharacterOfPosition(at);
        const length = [...title].length;
        return length > MOST_CHARACTERS
          ? [`${file}:${line + 1}: a title of ${length} characters: say it in ${MOST_CHARACTERS}`]
          : [];
      });
    });
}

function titlesIn(node: ts.Node): { title: string; at: number }[] {
  const own = ts.isCallExpression(node) ? titleOf(node) : undefined;
  const inner: { title: string; at: number }[] = [];
  ts.forEachChild(node, (child) => void inner.push(...titlesIn(child)));
  return [...(own === undefined ? [] : [own]), ...inner];
}

function titleOf({
  expression,
  arguments: [first],
}: ts.CallExpression): { title: string; at: number } | undefined {
  let called = expression;
  while (ts.isPropertyAccessExpression(called) || ts.isCallExpression(called)) called = called.expression;
  if (first === undefined || !ts.isIdentifier(called) || !TITLED.test(called.text)) return undefined;
  if (ts.isStringLiteralLike(first)) return { title: first.text, at: first.getStart() };
  if (!ts.isTemplateExpression(first)) return undefined;
  const parts = [first.head.text, ...first.templateSpans.map(({ literal }) => literal.text)];
  return { title: parts.join(''), at: first.getStart() };
}
