import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { DOWNLOADS, ENDPOINTS } from '../../../src/endpoints.js';

// Needs of a new endpoint beside its own file (docs/architecture.md, "How to add an endpoint"). Each check names what is missing.

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The TypeScript of a folder, by path from the package's folder. */
const sources = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [join(folder, file), text(join(folder, file))]),
  );

const PATHS = [...ENDPOINTS.flatMap(({ paths }) => paths), ...DOWNLOADS.map(({ path }) => path)].filter(
  (path) => path !== '',
);

describe('an endpoint', () => {
  it('given a file of src that defines one, then src/endpoints.ts lists it', () => {
    const defining = [...sources('src')].filter(([, content]) =>
      / = (defineEndpoint|defineDownload|accuracyEndpoint)\(/.test(content),
    );
    const written = defining.flatMap(([file, content]) =>
      [...content.matchAll(/^ {2}paths?: .*?'(\/[^']*)'/gm)].map(([, path = '']) => ({ file, path })),
    );
    expect(written).to.have.length.above(20);
    const lacking = written.filter(({ path }) => !PATHS.includes(path));
    expect(lacking, 'not in src/endpoints.ts').to.deep.equal([]);
  });

  it('given its path, then the table of endpoints in README.md has it', () => {
    const readme = text('README.md');
    const lacking = PATHS.filter((path) => !readme.includes(`\`${path}\``));
    expect(lacking, 'not in the table of README.md').to.deep.equal([]);
  });

  it('given the parameters that README.md shows with a value, then endpoints take them', () => {
    const taken = new Set([...ENDPOINTS, ...DOWNLOADS].flatMap(({ parameters }) => Object.keys(parameters)));
    const shown = [...text('README.md').matchAll(/`(\w+)=[\w<]/g)].map(([, name]) => name);
    expect(shown).to.include.members(['metric', 'as_of', 'known_at', 'units']);
    expect([...taken]).to.include.members(shown);
  });

  it('given its path, then a test of test/integration asks for it, beside the one of the document', () => {
    const asked = [...sources('test/integration')]
      .filter(([file]) => !file.endsWith('openapi.test.ts'))
      .map(([, content]) => content);
    const lacking = PATHS.filter((path) => {
      const url = `${path.split('/:')[0]?.slice(1)}`.replaceAll('/', '\\/');
      return !asked.some((content) => new RegExp(`${url}\\b`).test(content));
    });
    expect(lacking, 'without a contract test').to.deep.equal([]);
  });
});

describe('npm run generate', () => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
  const steps = (scripts.generate ?? '').split(' && ').map((step) => step.replace('npm run -s ', ''));

  it('builds first, and makes the examples before the document that shows them', () => {
    expect(steps[0]).to.equal('build');
    expect(steps.indexOf('examples')).to.be.within(1, steps.indexOf('openapi') - 1);
  });

  it('given the programs in scripts/, then it runs each that writes files of the repository', () => {
    const programs = readdirSync(join(ROOT, 'scripts')).filter((file) => file.endsWith('.ts'));
    const names = programs
      .map((file) => file.replace('.ts', ''))
      .filter((name) => !['bench', 'sql', 'mutants', 'publish-demo'].includes(name));
    expect(steps).to.have.members(['build', ...names]);
  });
});
