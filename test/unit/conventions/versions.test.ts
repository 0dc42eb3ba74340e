import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { filesWithVersion } from '../../../scripts/versions/places.js';
import { VERSION } from '../../../src/lib/version.js';

const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

describe('the version', () => {
  it("given package.json, then the lock, openapi.json and CHANGELOG.md's newest entry have its version", () => {
    expect(VERSION).to.match(/^\d+\.\d+\.\d+$/);
    expect(json('package-lock.json')).to.have.property('version', VERSION);
    expect(json('openapi.json')).to.have.nested.property('info.version', VERSION);
    const [, newest] = /^## (\d\S*)/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
    expect(newest).to.equal(VERSION);
  });

  it('given a file that npm run versions writes, then it has it already', () => {
    for (const [file, text] of filesWithVersion(VERSION))
      expect(readFileSync(file, 'utf8'), file).to.equal(text);
  });

  it('given any other file, then it names no other version of the service or of a client', () => {
    const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
    const named = files
      .filter((file) => /\.(md|ts|js|py|json|ya?ml|toml|sh|service)$|Dockerfile/.test(file))
      .flatMap((file) => [
        ...readFileSync(file, 'utf8').matchAll(/forecast[-_]accuracy[-_]\w+[-:@/](\d+\.\d+\.\d+)/g),
      ])
      .map(([, version]) => version);
    expect(named).to.have.length.above(3);
    expect(new Set(named)).to.deep.equal(new Set([VERSION]));
  });
});
