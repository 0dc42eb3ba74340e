import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const cli = new URL('../../../src/cli/', import.meta.url);

/** The addresses of modules and the names of packages that a module loads before it runs, without imports of types. */
function loaded(module: URL, found = new Set<string>()): Set<string> {
  if (found.has(module.href)) return found;
  found.add(module.href);
  const imports = /^(?:im|ex)port (?!type\b)(?:[^;']* from )?'([^']+)';/gm;
  for (const [, name = ''] of readFileSync(module, 'utf8').matchAll(imports)) {
    if (name.startsWith('.')) loaded(new URL(name.replace(/\.js$/, '.ts'), module), found);
    else found.add(name);
  }
  return found;
}

/** The commands that begin a server. */
const SERVERS = ['serve.ts', 'demo.ts', 'here.ts', 'publish-command.ts', 'seal-command.ts'];

describe('what commands load', () => {
  it('given a command that begins a server, then it loads express', () => {
    for (const file of SERVERS) expect(loaded(new URL(file, cli)), file).to.include('express');
  });

  for (const file of readdirSync(cli).filter((name) => !SERVERS.includes(name))) {
    it(`given src/cli/${file}, then it loads no express`, () => {
      expect(loaded(new URL(file, cli))).not.to.include('express');
    });
  }
});

describe('the scripts of package.json', () => {
  it('given two of one name, of which the first would be lost, then this test fails', () => {
    const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
    const scripts = /"scripts": \{([^}]*)\}/.exec(text)?.[1] ?? '';
    const names = [...scripts.matchAll(/^ {4}"([^"]+)":/gm)].map(([, name]) => name);
    expect(names).to.include.members(['build', 'start', 'sql']);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).to.deep.equal([]);
  });
});
