import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { listFiles, readText, ROOT } from './files.js';

// One name means one thing, and no file reaches itself through its imports. eslint.config.js has which folder may import which.

/** One module of eslint.config.js. */
interface Allowed {
  from?: string[];
  types?: string[];
}

/** The rule of the files of one module, at one depth. */
interface DependencyRule {
  files: string[];
  rules: { '@typescript-eslint/no-restricted-imports': [string, { patterns: { regex: string }[] }] };
}

/** The problems of names, imports and the table of modules, one line each. */
export async function findTangles(): Promise<string[]> {
  const { MODULES, dependencyRules } = (await import(pathToFileURL(join(ROOT, 'eslint.config.js')).href)) as {
    MODULES: Record<string, Allowed>;
    dependencyRules: DependencyRule[];
  };
  return [
    ...findDoubledNames(),
    ...findCircles(),
    ...findLongFunctions(),
    ...findFaultsOfTable(MODULES),
    ...findOpenDoors(dependencyRules),
  ];
}

function findDoubledNames(): string[] {
  const EXPORT =
    /^export (?:default )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
  const where = new Map<string, Set<string>>();
  for (const file of listFiles('src').filter((file) => file.endsWith('.ts')))
    for (const [, name = ''] of readText(file).matchAll(EXPORT))
      where.set(name, (where.get(name) ?? new Set()).add(file));
  return [...where]
    .filter(([, files]) => files.size > 1)
    .map(([name, files]) => `${name}: several files export it: ${[...files].join(', ')}: rename one`);
}

/** The names that reach themselves, or one that does. */
function findUnordered(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const ordered = new Set<string>();
  for (let before = -1; before < ordered.size;) {
    before = ordered.size;
    for (const [name, others] of edges) if (others.every((other) => ordered.has(other))) ordered.add(name);
  }
  return [...edges.keys()].filter((name) => !ordered.has(name));
}

/** Files, and folders of src, that reach themselves through their imports, those of types included. */
function findCircles(): string[] {
  const files = new Set(listFiles('src', 'public', 'scripts').filter((file) => /\.tsx?$/.test(file)));
  const ofFiles = new Map(Array.from(files, (file) => [file, findImports(file, files)]));
  const ofFolders = new Map<string, string[]>();
  const getFolder = (file: string): string => file.split('/').slice(0, 2).join('/');
  for (const [file, targets] of ofFiles) {
    if (!file.startsWith('src/')) continue;
    const folder = getFolder(file);
    const others = targets.map(getFolder).filter((other) => other !== folder);
    ofFolders.set(folder, [...(ofFolders.get(folder) ?? []), ...others]);
  }
  return [...findUnordered(ofFiles), ...findUnordered(ofFolders)].map(
    (name) => `${name}: it, or what it imports, reaches itself, imports of types included`,
  );
}

/** The files that a file imports, in its own part of the repository. */
function findImports(file: string, files: ReadonlySet<string>): string[] {
  return ts.preProcessFile(readText(file)).importedFiles.flatMap(({ fileName }) => {
    if (!fileName.startsWith('.')) return []; // a package may have the name of a file
    const target = join(file, '..', fileName).replace(/\.js$/, '');
    return [`${target}.ts`, `${target}.tsx`].filter((each) => files.has(each));
  });
}

const MAX_LINES_OF_FUNCTION = 60;

/** Longer functions of src that read better whole, each with the reason. */
const WHOLE: Readonly<Record<string, string>> = {
  'src/collect/sources/iem-pfm.ts read': 'one reading of a bulletin, in the order of its parts',
};

function findLongFunctions(): string[] {
  const long = new Set<string>();
  for (const file of listFiles('src').filter((file) => file.endsWith('.ts'))) {
    const source = ts.createSourceFile(file, readText(file), ts.ScriptTarget.Latest, true);
    const getLine = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) && getLine(node.end) - getLine(node.getStart()) >= MAX_LINES_OF_FUNCTION) {
        const name = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
        long.add(`${file} ${name?.getText() ?? 'without a name'}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [
    ...[...long]
      .filter((name) => !(name in WHOLE))
      .map((name) => `${name}: more than ${MAX_LINES_OF_FUNCTION} lines: take it apart into named steps`),
    ...Object.keys(WHOLE)
      .filter((name) => !long.has(name))
      .map((name) => `${name}: it is short by now: take it off the list of test/lint/structure.ts`),
  ];
}

function findFaultsOfTable(modules: Record<string, Allowed>): string[] {
  const folders = new Set(listFiles('src').flatMap((file) => file.split('/').slice(1, -1).slice(0, 1)));
  const named = new Set(Object.keys(modules).map((module) => module.split('/')[0] ?? ''));
  const edges = Object.entries(modules).map(([module, { from = [], types = [] }]) => {
    return [module, [...from, ...types].filter((name) => name in modules)] as const;
  });
  return [
    ...[...folders]
      .filter((name) => !named.has(name))
      .map((name) => `src/${name}: eslint.config.js lacks it`),
    ...Object.keys(modules)
      .filter((name) => !existsSync(join(ROOT, 'src', name)))
      .map((name) => `eslint.config.js: src/${name} is not there`),
    ...findUnordered(new Map(edges)).map((name) => `eslint.config.js: ${name} reaches itself through others`),
  ];
}

/** Imports that the rules of eslint.config.js have to refuse or to let pass: its patterns are written by a program. */
const IMPORTS: readonly [file: string, path: string, isRefused: boolean][] = [
  ['src/statistics/*.ts', '../queries/facts.js', true],
  ['src/statistics/*.ts', '../lib/text.js', false],
  ['src/statistics/*.ts', '../queries/sql.js', true],
  ['src/store/*.ts', '../queries/sql.js', false],
  ['src/store/*.ts', '../queries/facts.js', true],
  ['src/statistics/*/*.ts', '../../queries/facts.js', true],
  ['src/statistics/*/*.ts', '../quantiles.js', false],
  ['src/statistics/*.ts', 'zod', true],
  ['src/queries/*.ts', '../variables/units.js', false],
  ['src/queries/*.ts', 'zod', false],
  ['src/queries/*.ts', '../store/store.js', true],
  ['src/ingest/read/*.ts', '../stage/stage.js', true],
  ['src/ingest/read/*.ts', '../load.js', true],
  ['src/ingest/stage/*.ts', '../read/cells.js', false],
  ['src/http/*.ts', 'express', false],
  ['src/api/*.ts', 'express', true],
  ['src/cli/*.ts', '../app.js', true],
];

function findOpenDoors(rules: readonly DependencyRule[]): string[] {
  return IMPORTS.flatMap(([file, path, isRefused]) => {
    const found = rules.filter(({ files }) => files.includes(file));
    const patterns = found.flatMap(
      ({ rules }) => rules['@typescript-eslint/no-restricted-imports'][1].patterns,
    );
    const refuses = patterns.some(({ regex }) => new RegExp(regex).test(path));
    return refuses === isRefused
      ? []
      : [`eslint.config.js: ${file} ${isRefused ? 'may' : 'may not'} import ${path}`];
  });
}
