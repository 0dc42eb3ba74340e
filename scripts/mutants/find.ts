import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** One change of a file, from `start` to `end` of its text. */
export interface Mutant {
  file: string;
  start: number;
  end: number;
  text: string;
}

const SWAPS: Readonly<Record<string, string>> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '=': '!=', '!=': '=' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '&&': '||', '||': '&&', AND: 'OR', OR: 'AND' },
  ...{ true: 'false', false: 'true' },
};

/** In a statement: numbers that are values, and operators between blanks. */
const IN_SQL =
  /(?<=[\s,]|(?<!64)\()\d+(?:\.\d+)?(?=[\s),;]|$)|(?<= )(?:[<>]=?|!?=|[+/-]|(?<!SELECT )\*|AND|OR)(?= )/gm;

/** A number a tenth larger, and at least by 1 where it is whole. */
function growNumber(text: string): string {
  const value = Number(text.replaceAll('_', ''));
  return Number.isInteger(value) ? `${value + Math.max(1, Math.round(value / 10))}` : `${value * 1.1}`;
}

/** All mutants of a file, in the order of its text: of its code, and of the SQL in it. */
export function findMutants(file: string): Mutant[] {
  const text = readFileSync(file, 'utf8');
  const found: Mutant[] = [];
  const add = (start: number, end: number): void => {
    const old = text.slice(start, end);
    found.push({ file, start, end, text: SWAPS[old] ?? growNumber(old) });
  };
  const addInSql = (part: ts.Node): void => {
    for (const { index, 0: match } of part.getText().matchAll(IN_SQL)) {
      const start = part.getStart() + index;
      const isComment = text.slice(text.lastIndexOf('\n', start) + 1, start).includes('--');
      if (!isComment) add(start, start + match.length);
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isTaggedTemplateExpression(node) && /^(sql|raw)\b/.test(node.tag.getText())) {
      if (ts.isTemplateExpression(node.template))
        for (const part of [node.template.head, ...node.template.templateSpans.map(({ literal }) => literal)])
          addInSql(part);
      else addInSql(node.template);
    }
    const isBoolean = node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword;
    if (isBoolean || ts.isNumericLiteral(node)) add(node.getStart(), node.end);
    if (ts.isBinaryExpression(node)) {
      const { left, operatorToken, right } = node;
      const operator = operatorToken.getText();
      const isText = [left, right].some((one) => ts.isStringLiteralLike(one) || ts.isTemplateExpression(one));
      if (operator in SWAPS && operator !== '=' && !isText) add(operatorToken.getStart(), operatorToken.end);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found.sort((a, b) => a.start - b.start);
}

/** The line of a mutant, from 1, and its text. */
export function locate({ file, start }: Mutant): { line: number; lineText: string; column: number } {
  const text = readFileSync(file, 'utf8');
  const before = text.slice(0, start).split('\n');
  return {
    line: before.length,
    lineText: text.split('\n')[before.length - 1]?.trim() ?? '',
    column: before.at(-1)?.trimStart().length ?? 0,
  };
}

/** A sample that is the same for a seed, also when other lines change: the mutants whose hash comes first. */
export function drawSample(mutants: readonly Mutant[], size: number, seed: string): Mutant[] {
  const rank = (mutant: Mutant): string => {
    const { lineText, column } = locate(mutant);
    return hash('sha256', `${seed} ${mutant.file} ${column} ${lineText} ${mutant.text}`);
  };
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant);
}
