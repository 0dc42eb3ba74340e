import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSourceKeys } from '../../../src/collect/files/find-files.js';
import { parseSourceFile } from '../../../src/collect/files/source-file.js';
import { UserError } from '../../../src/lib/user-error.js';
import { temporaryFolder } from '../../support/store.js';

const SECRET = 'very-secret-key';
const FILE = parseSourceFile(
  'name: own\nattribution: Me\nkind: hours\nurl: https://a.example/?k={key:OWN_KEY}\ncolumns: { at: t, temp_c: v }\n',
  'own.yaml',
);

/** The keys, or the error, which is one line without them. */
function read(
  folder: string,
  env: NodeJS.ProcessEnv = {},
  settings: string[] = [],
): Record<string, string> | string {
  try {
    return readSourceKeys([FILE], folder, env, settings);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    expect(error.message).to.match(/^.+$/).and.not.include(SECRET);
    return error.message.replaceAll(folder, '');
  }
}

describe('the keys of source files', () => {
  /** A data folder with keys of this mode. */
  function withKeys(text: string, mode = 0o600): string {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'source-keys'), text);
    chmodSync(join(folder, 'source-keys'), mode);
    return folder;
  }

  it('given a key in the environment and a file of mode 600, then the environment holds, else the file', () => {
    const folder = withKeys(`OTHER=x\nOWN_KEY = ${SECRET}=\n`);
    expect(read(folder)).to.deep.equal({ OWN_KEY: `${SECRET}=` });
    expect(read(folder, { OWN_KEY: 'of-the-environment' })).to.deep.equal({ OWN_KEY: 'of-the-environment' });
  });

  it('given a file that others may read, or a link to one, then no key of it is read', () => {
    const folder = withKeys(`OWN_KEY=${SECRET}\n`, 0o640);
    expect(read(folder)).to.equal('/source-keys: others may read it; chmod 600 /source-keys');
    const linked = temporaryFolder();
    symlinkSync(join(folder, 'source-keys'), join(linked, 'source-keys'));
    expect(read(linked)).to.match(/others may read it/);
  });

  it('given a link to itself, no key, a short one, or a setting of the service, then a line says so', () => {
    const folder = temporaryFolder();
    expect(read(folder)).to.match(/^\{key:OWN_KEY\}: is not in the environment, nor in /);
    expect(read(folder, { OWN_KEY: 'short' })).to.match(/must be 8 to 1000 visible ASCII characters$/);
    expect(read(folder, { OWN_KEY: SECRET }, ['OWN_KEY'])).to.match(/is a setting of this service/);
    symlinkSync(join(folder, 'source-keys'), join(folder, 'source-keys'));
    expect(read(folder)).to.equal('/source-keys: cannot be read (ELOOP)');
  });
});
