import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ESLint, Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { PACKAGES, MODULES } from '../../../eslint.config.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const eslint = new ESLint({ cwd: root });
const RULE = '@typescript-eslint/no-restricted-imports';

const modules = Object.entries(MODULES as Record<string, { from?: string[]; types?: string[] }>);
const packages = Object.entries(PACKAGES as Record<string, string[]>);

/** Which of these statements the lint refuses in a file, by the rules that eslint.config.js has for it. */
async function refused(file: string, statements: readonly string[]): Promise<string[]> {
  const { rules } = (await eslint.calculateConfigForFile(`${root}${file}`)) as Linter.Config;
  const config: Linter.Config = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    plugins: { '@typescript-eslint': tseslint.plugin as unknown as ESLint.Plugin },
    // The other rules need the types of the whole program, which take seconds.
    rules: { [RULE]: rules?.[RULE] ?? 'off' },
  };
  const faults = new Linter().verify(statements.join('\n'), config, file);
  expect(faults.map(({ ruleId }) => ruleId)).to.deep.equal(faults.map(() => RULE));
  return faults.map(({ line }) => statements[line - 1] ?? '');
}

describe('the dependency rules of the modules of src', () => {
  it('given the folders of src, then each is in the table', () => {
    const folders = readdirSync(`${root}src`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const named = new Set(modules.map(([module]) => module.split('/')[0]));
    expect([...named]).to.have.members(folders.map(({ name }) => name));
  });

  it('given the table, then no module reaches itself through others', () => {
    const reached = new Set<string>();
    for (let before = -1; before < reached.size;) {
      before = reached.size;
      for (const [module, { from = [], types = [] }] of modules) {
        const others = [...from, ...types].filter((name) => name in MODULES);
        if (others.every((other) => reached.has(other))) reached.add(module);
      }
    }
    expect([...reached]).to.have.members(Object.keys(MODULES));
  });

  for (const [module, { from = [], types = [] }] of modules) {
    const [ownFolder = ''] = module.split('/');
    const others = new Set(
      modules.map(([name]) => name.split('/')[0] ?? '').filter((name) => name !== ownFolder),
    );
    const strangers = [...others, 'app', 'server', '../test', '../scripts'];

    for (const depth of [0, 1, 2]) {
      const file = `src/${module}/${'deeper/'.repeat(depth)}some.ts`;
      const out = '../'.repeat(module.split('/').length + depth);
      const value = (name: string): string => `import { some } from '${out}${name}/some.js';`;
      const type = (name: string): string => `import type { Some } from '${out}${name}/some.js';`;

      it(`given ${file}, then of other modules it may import those of the table; its own, what stands below all, and Node pass`, async () => {
        const own = ['./other.js', './deeper/other.js', `${out}user-error.js`, 'node:path', 'luxon'];
        const passing = own.map((name) => `import { some } from '${name}';`);
        expect(
          await refused(file, [...passing, ...strangers.map(value), ...strangers.map(type)]),
        ).to.deep.equal([
          ...strangers.filter((name) => !from.includes(name)).map(value),
          ...strangers.filter((name) => !from.includes(name) && !types.includes(name)).map(type),
        ]);
      });
    }

    const [, part] = module.split('/');
    if (part !== undefined) {
      it(`given src/${module}, when it imports from the module around it, then that is refused`, async () => {
        const around = ["import { some } from '../load.js';", "import { some } from '../other/some.js';"];
        expect(await refused(`src/${module}/some.ts`, around)).to.deep.equal(around);
        const further = around.map((statement) => statement.replace('../', '../../'));
        expect(await refused(`src/${module}/deeper/some.ts`, further)).to.deep.equal(further);
      });
    }

    it(`given src/${module}, when it imports packages or passes them on, then only its own pass`, async () => {
      for (const [name, owners] of packages) {
        const statements = [
          `import some from '${name}';`,
          `import type { Some } from '${name}/deep';`,
          `export { some } from '${name}';`,
        ];
        const expected = owners.includes(module) ? [] : statements;
        expect(await refused(`src/${module}/some.ts`, statements), name).to.deep.equal(expected);
      }
    });
  }
});

/** The files that a file imports values from, in its own part of the repository. */
function findImports(file: string, files: ReadonlySet<string>): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return Array.from(text.matchAll(/^(?:import|export) (?!type )([^;']*?)(?:from )?'(\.[^']+)'/gm)).flatMap(
    ([, names = '', path = '']) => {
      if (/^\{(?:\s*type \w+(?: as \w+)?,?)+\s*\} $/.test(names)) return [];
      const target = join(file, '..', path).replace(/\.js$/, '');
      return [`${target}.ts`, `${target}.tsx`].filter((each) => files.has(each));
    },
  );
}

describe('the files of src, public and scripts', () => {
  it('given their imports of values, then none reaches itself through others', () => {
    const files = new Set(
      ['src', 'public', 'scripts'].flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.tsx?$/.test(name))
          .map((name) => `${folder}/${name}`),
      ),
    );
    const imports = new Map(Array.from(files, (file) => [file, findImports(file, files)]));
    const reached = new Set<string>();
    for (let before = -1; before < reached.size;) {
      before = reached.size;
      for (const [file, others] of imports)
        if (others.every((other) => reached.has(other))) reached.add(file);
    }
    expect([...files].filter((file) => !reached.has(file))).to.deep.equal([]);
  });
});
