import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** The unit tests of a file that are nearest by imports, and the integration tests that are nearest by name. */
const MAX_UNIT_TESTS = 4;
const MAX_INTEGRATION_TESTS = 2;

export const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** The files of this repository that a file imports, by file. */
const imported = new Map<string, string[]>();

function listImports(file: string): string[] {
  const known = imported.get(file);
  if (known !== undefined) return known;
  const found = ts
    .preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.filter(({ fileName }) => /^\..*\.js$/.test(fileName))
    .map(({ fileName }) => relative('.', join(dirname(file), fileName.replace(/js$/, 'ts'))))
    .filter((name) => ts.sys.fileExists(name));
  imported.set(file, found);
  return found;
}

/** How many imports lead from a file to each one that it reaches. */
function measureDistances(from: string): Map<string, number> {
  const distances = new Map([[from, 0]]);
  for (const [file, distance] of distances)
    for (const next of listImports(file)) if (!distances.has(next)) distances.set(next, distance + 1);
  return distances;
}

/** Makes a function that lists the runs of tests for a file: its unit tests, nearest first; then each integration test. */
export function planRuns(isUnit: boolean): (file: string) => string[][] {
  const tests = ['test/unit', 'test/integration']
    .flatMap(listFiles)
    .filter((file) => file.endsWith('.test.ts'))
    .map((test) => ({ test, distances: measureDistances(test) }));
  return (file) => {
    const names = [basename(file, '.ts'), ...dirname(file).split('/').slice(1).reverse()];
    const found = tests
      .map(({ test, distances }) => ({
        test,
        distance: distances.get(file) ?? Infinity,
        rank: names.findIndex((name) => test.includes(`/${name}/`) || basename(test, '.test.ts') === name),
      }))
      .filter(({ distance }) => distance < Infinity);
    const unit = found
      .filter(({ test }) => /^test\/unit\/(?!conventions)/.test(test))
      .sort((a, b) => a.distance - b.distance || b.rank - a.rank);
    const other = found
      .filter(({ test, rank }) => test.startsWith('test/integration/') && rank !== -1)
      .sort((a, b) => a.rank - b.rank || a.distance - b.distance);
    return [
      unit.slice(0, MAX_UNIT_TESTS).map(({ test }) => test),
      ...other.slice(0, isUnit ? 0 : MAX_INTEGRATION_TESTS).map(({ test }) => [test]),
    ].filter((run) => run.length > 0);
  };
}
