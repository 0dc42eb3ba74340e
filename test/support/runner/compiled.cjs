const { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { dirname, join, relative, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const { buildSync } = require('esbuild');

// Mocha runs what this makes of the sources, one file of JavaScript for each in build/js: a transpiler in each process takes
// 3 s of it. A file keeps the URL of its source, where the files are that it reads.

const ROOT = join(__dirname, '../../..');
const OUT = join(ROOT, 'build/js');
const FOLDERS = ['src', 'scripts', 'public', 'test', 'clients/typescript/src'];

/** The compiled file of a source; both are absolute. */
const compiledPath = (source) => join(OUT, relative(ROOT, source).replace(/\.tsx?$/, '.js'));

const listFiles = (folder, pattern) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

/** When a file was written, or put in place: one that is moved back keeps its old time of writing. */
function changedAt(file) {
  const { mtimeMs = 0, ctimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return Math.max(mtimeMs, ctimeMs);
}

/** Compiles the sources that are newer than what was made of them, and removes what has no source any more. */
function compile() {
  mkdirSync(OUT, { recursive: true });
  const sources = FOLDERS.flatMap((folder) => listFiles(join(ROOT, folder), /(?<!\.d)\.tsx?$/));
  const kept = new Set(sources.map(compiledPath));
  for (const file of listFiles(OUT, /\.js$/)) if (!kept.has(file)) rmSync(file);
  const stale = sources.filter((source) => changedAt(source) > changedAt(compiledPath(source)));
  if (stale.length === 0) return;
  const { outputFiles } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: stale,
    ...{ outdir: OUT, outbase: ROOT, write: false },
    ...{ format: 'esm', platform: 'node', target: 'node20', jsx: 'automatic', jsxImportSource: 'preact' },
    ...{ sourcemap: true, sourcesContent: false, logLevel: 'warning' },
  });
  // The map before its file, whose time says that both are there.
  for (const { path, text } of outputFiles.toSorted(
    (a, b) => Number(b.path.endsWith('.map')) - Number(a.path.endsWith('.map')),
  )) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, path.endsWith('.js') ? withSourceUrl(path, text) : text);
    renameSync(`${path}.${process.pid}`, path);
  }
}

function withSourceUrl(path, text) {
  if (!text.includes('import.meta.url')) return text;
  const url = pathToFileURL(join(ROOT, sourcePath(path))).href;
  return text.replaceAll('import.meta.url', JSON.stringify(url));
}

/** The source of a compiled file, from the root. */
function sourcePath(path) {
  const bare = relative(OUT, path).replace(/\.js$/, '');
  return changedAt(join(ROOT, `${bare}.ts`)) > 0 ? `${bare}.ts` : `${bare}.tsx`;
}

// Mocha requires a file and waits for what that gives.
require.extensions['.ts'] = (module, filename) => {
  module.exports = import(pathToFileURL(compiledPath(filename)).href);
};

compile();

// node test/support/runner/compiled.cjs FILE ARGUMENT...: runs a script of the tests.
if (require.main === module) {
  process.argv.splice(1, 1);
  void import(pathToFileURL(compiledPath(resolve(process.argv[1]))).href);
}
