import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { OPERATIONS } from '../../../clients/typescript/src/generated.js';
import { ERRORS } from '../../../src/api/errors/api-error.js';
import { forecastAccuracy } from '../../../src/mcp/tools/forecast-accuracy.js';
import { FEED_NAMES, getRequiredNames } from '../../../src/feeds/feeds.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

const { scripts: SCRIPTS } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };

/** The text of every file of these folders and files, by path. */
function texts(...paths: string[]): Map<string, string> {
  const files = paths.flatMap((path) =>
    path.includes('.')
      ? [path]
      : readdirSync(join(root, path), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && /\.(ts|js|sql|md|css|html)$/.test(entry.name))
          .map((entry) => join(entry.parentPath, entry.name).slice(root.length)),
  );
  return new Map(files.map((file) => [file, text(file)]));
}

/** Decisions as files cite them; the white of CIELAB is not one. */
const cited = (files: Map<string, string>): Set<string> =>
  new Set([...files.values()].flatMap((content) => content.match(/(?<!white )\bD[1-9]\d?\b/g) ?? []));

/** The paragraphs, items and rows of tables of a document, without code and headings. */
const paragraphs = (content: string): string[] =>
  content
    .replaceAll(/^ *```[^]*?^ *```/gm, '')
    .split(/\n(?=\n|\||#| *(?:-|\d+\.) )/)
    .map((text) =>
      text
        .trim()
        .replace(/^(?:-|\d+\.) /, '')
        .replaceAll(/\s+/g, ' '),
    )
    .filter((text) => !text.startsWith('#'));

/** The first cells of the rows of the table below a heading, without backticks. */
function table(file: string, heading: string): string[][] {
  const [, section = ''] = text(file).split(`\n## ${heading}\n`);
  return (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/[`|]/g, '').trim()));
}

describe('docs/decisions.md', () => {
  const [top = '', ...parts] = text('docs/decisions.md').split('\n### ');
  const codes = parts.map((part) => /^D\d+/.exec(part)?.[0] ?? part);
  const numbers = codes.map((code) => Number(code.slice(1)));
  const old = cited(new Map([['top', top]]));

  it('given its headings, then their numbers ascend, and none is an old number', () => {
    expect(numbers).to.deep.equal([...numbers].sort((a, b) => a - b));
    expect(codes.filter((code, index) => old.has(code) || codes.indexOf(code) !== index)).to.be.empty;
  });

  it('given a code in the repository, then it has a heading; one of a schema file may be an old number', () => {
    const folders = ['src', 'clickhouse/server', 'scripts', 'public', 'test', 'docs', 'examples'];
    const files = texts(...folders, 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md');
    files.set('docs/decisions.md', parts.join('\n'));
    expect(codes).to.include.members([...cited(files)]);
    // The checksum of a schema file is recorded in each store, comments included.
    expect([...codes, ...old]).to.include.members([...cited(texts('clickhouse/schema'))]);
  });

  it('given a decision, then code cites it, and the files that it names are there', () => {
    expect([...cited(texts('src', 'clickhouse', 'public', 'scripts'))]).to.include.members(codes);
    for (const part of parts) expect(part).to.match(/`(src|clickhouse|public)\/[^`]+`/);
  });
});

describe('docs/mcp.md', () => {
  it('given the groups of forecast_accuracy, then each stands in the table, and each there is a group', () => {
    const groups = forecastAccuracy.parameters.by?.schema.enum as string[];
    expect(groups).to.include('lead_hour');
    const [, section = ''] = text('docs/mcp.md').split('\n### Groups\n');
    const rows = (section.split('\n### ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((line) => (line.split(' | ')[0] ?? '').match(/\w+/g) ?? []);
    expect(named.filter((name) => name !== 'by')).to.have.members(groups);
  });
});

describe('docs/settings.md', () => {
  it('given the settings of src/config.ts, then each has a row, and each row is a setting', () => {
    const [, schema = ''] = text('src/config.ts').split('const environment = z');
    const settings = [...schema.matchAll(/^ {4}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
    expect(settings).to.include.members(['HOST', 'CACHE_MB']);
    const rows = table('docs/settings.md', 'Settings').map(([name]) => name);
    expect(rows).to.have.members(settings);
  });
});

describe('docs/operating.md', () => {
  it('given the commands of the program, then each has a row, and is an npm script of that name', () => {
    const [, list = ''] = /const COMMANDS = \{([^}]*)\}/.exec(text('src/cli/main.ts')) ?? [];
    const commands = [...list.matchAll(/(\w+): \(\)/g)].map(([, name = '']) => name);
    expect(commands).to.include('serve');
    expect(table('docs/operating.md', 'Start').map(([name]) => name)).to.have.members(commands);
    // npm runs a script `publish` itself, at the end of `npm publish`.
    expect(SCRIPTS).not.to.have.property('publish');
    for (const name of commands) {
      const script = name === 'publish' ? 'publish-copy' : name;
      expect(SCRIPTS[script]).to.equal(`exec node dist/src/main.cjs ${name}`);
    }
  });
});

describe('docs/api.md', () => {
  it('given the error codes, then each has a row with its status, and each row is a code', () => {
    const rows = table('docs/api.md', 'Error codes').map(([code, status]) => [code, Number(status)]);
    expect(rows).to.have.deep.members(Object.entries(ERRORS).map(([code, { status }]) => [code, status]));
  });
});

describe('docs/clients.md', () => {
  it('given the operations of the clients, then each has a row with its URL and its methods', () => {
    const python = text('clients/python/forecast_accuracy_client/generated.py');
    const methods = [...python.matchAll(/ def (\w+)\(self.*\n.*\n +return self\._\w+\("([^"]+)"/g)].map(
      ([, name, path = '']): [string, unknown] => [path, name],
    );
    expect(methods).to.have.length.above(30);
    const expected = Object.entries(OPERATIONS).map(([name, { path }]) => [
      path.replace(/\{(\w+)\}/, ':$1'),
      name,
      new Map(methods).get(path),
    ]);
    expect(table('docs/clients.md', 'Methods')).to.have.deep.members(expected);
  });

  it('given the URL of a method, then its words make its name', () => {
    for (const [name, { path }] of Object.entries(OPERATIONS)) {
      const words = path.replace(/^\/api\/v1\/?|\/\{\w+\}$/g, '').replaceAll(/[/-]/g, '');
      expect(name.toLowerCase().replace(/of(station|forecast|version)$/, ''), path).to.equal(
        words || 'index',
      );
    }
  });
});

describe('the documents', () => {
  const beside = ['examples/README.md', 'examples/feeds/README.md', 'clickhouse/server/README.md'];
  const documents = texts(
    'docs',
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CODE_OF_CONDUCT.md',
    'CHANGELOG.md',
    ...beside,
  );

  for (const [file, content] of documents) {
    it(`given the links of ${file}, then what they name is there`, () => {
      const links = [...content.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
      for (const link of links.filter((name) => !/^(https?|mailto):/.test(name))) {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? file : join(file, '..', path);
        const isFolder = target.endsWith('/');
        const there = isFolder ? readdirSync(join(root, target)).length > 0 : text(target);
        expect(there, link).to.be.ok;
        if (anchor === undefined || isFolder) continue;
        const headings = [...text(target).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
          const words = heading.toLowerCase().replaceAll(/[^\w\s-]/g, '');
          return words.trim().replaceAll(/\s/g, '-');
        });
        expect(headings, link).to.include(anchor);
      }
    });

    it(`given the sentences of ${file}, then each names its thing first, and no thing "is none"`, () => {
      // The same rules as conventions/prose in eslint.config.js; a question may begin with What.
      const vague = /(?:^|[.!] )[*_]*(?:What|That|Those|Of)\b(?![^.]*\?)|\b(?:is|are|of) none\b/;
      expect(paragraphs(content).filter((text) => vague.test(text))).to.deep.equal([]);
    });

    it(`given the scripts that ${file} names, then package.json has them`, () => {
      const named = [...content.matchAll(/\bnpm run (?:-s |--silent )?([\w:-]+)/g)].map(([, name]) => name);
      const lacking = named.filter((name = '') => name !== 'COMMAND' && !(name in SCRIPTS));
      expect(lacking).to.deep.equal([]);
    });

    it(`given the paths of src, clickhouse, scripts and test that ${file} names, then they are there`, () => {
      // In code and in prose, also below a quoted folder; a link of a site has them behind a slash or a colon.
      const paths =
        content.match(
          /(?<![\w./:-])(src|clickhouse|scripts|test|docs|examples|public|grafana)\/[\w./-]*[\w/]/g,
        ) ?? [];
      for (const path of paths.filter((name) => !/NAME|ROOM/.test(name))) {
        const folder = path.endsWith('/') ? path : join(path, '..');
        const name = path.endsWith('/') ? undefined : path.split('/').at(-1);
        const entries = readdirSync(join(root, folder));
        if (name !== undefined) expect(entries, path).to.include(name);
      }
    });
  }
});

describe('README.md', () => {
  const readme = text('README.md');

  it('given a clone of which nothing is published, then the first two commands are its own', () => {
    const [, commands = ''] = /^```sh\n([^]*?)^```$/m.exec(readme) ?? [];
    expect(commands.split('\n').map((line) => line.split('  ')[0])).to.deep.equal([
      'make demo',
      'make test',
      '',
    ]);
    const released = /npx|ghcr\.io/.exec(readme)?.index ?? NaN;
    expect(readme.lastIndexOf('a release', released)).to.be.above(readme.indexOf('docker build'));
    const steps = execFileSync('make', ['--dry-run', '--always-make', 'demo'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(steps).to.match(/^echo .*Installing.*\nnpm ci/m);
    expect(steps).to.match(/^echo .*Compiling.*\nnpm run --silent build/m);
  });

  it('given the feeds, then each has its columns there', () => {
    for (const feed of FEED_NAMES)
      expect(readme).to.include(`| ${feed} | \`${getRequiredNames(feed).join(',')}`);
  });
});
