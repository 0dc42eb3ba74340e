import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const src = fileURLToPath(new URL('../../../src/', import.meta.url));

// No other test guards that one word means one thing. A name that two files export is a name with two meanings, and an
// editor that completes it takes either.
describe('the exported names of src', () => {
  it('given all files, then each name is declared in one of them', () => {
    const files = new Map<string, Set<string>>();
    const all = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    for (const file of all) {
      const declared = readFileSync(src + file, 'utf8').matchAll(
        /^export (?:default )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm,
      );
      for (const [, name = ''] of declared) files.set(name, (files.get(name) ?? new Set()).add(file));
    }
    const doubled = [...files].filter(([, where]) => where.size > 1);
    expect(files.size).to.be.above(500);
    expect(doubled.map(([name, where]) => `${name}: ${[...where].join(', ')}`)).to.deep.equal([]);
  });
});
