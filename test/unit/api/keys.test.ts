import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { createKey, Keyring, readKeys, revokeKey } from '../../../src/auth/keys.js';
import { UserError } from '../../../src/lib/user-error.js';
import { laterRefusalOf, refusalOf } from '../../support/refusal.js';
import { forAny } from '../../support/property.js';

describe('API keys', () => {
  let folder: string;
  let file: string;
  let count = 0;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'keys-'));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    count += 1;
    file = join(folder, `${count}`, 'api-keys.json');
  });

  const keyring = (onUnreadable?: (error: unknown) => void): Keyring => {
    const opened = new Keyring(file, onUnreadable);
    opened.open();
    return opened;
  };
  const saidOf = (work: () => Promise<unknown>): Promise<string> => laterRefusalOf(UserError, work());

  describe('when one is created', () => {
    it('then it has the form fas_<8 id>_<43 secret>, and its record says its id, name and time', async () => {
      const before = Date.now();
      const { key, record } = await createKey(file, 'Grafana');
      expect(key).to.match(/^fas_[a-z0-9]{8}_[A-Za-z0-9_-]{43}$/);
      expect(key.slice(4, 12)).to.equal(record.id);
      expect(record.name).to.equal('Grafana');
      expect(Date.parse(record.created_at)).to.be.within(before, Date.now());
      expect(record.revoked_at).to.equal(undefined);
    });

    it('with a limit of its own, 0 for none, then its record says it; without one it does not', async () => {
      for (const limit of [600, 0, undefined]) {
        const limits = limit === undefined ? {} : { rate_limit_per_minute: limit };
        const { record } = await createKey(file, `Grafana ${limit}`, limits);
        expect(record.rate_limit_per_minute).to.equal(limit);
        expect(readKeys(file).at(-1)).to.deep.equal(record);
      }
    });

    it('then the file holds the SHA-256 of the key and neither the key nor its secret', async () => {
      const { key, record } = await createKey(file, 'Grafana');
      const text = readFileSync(file, 'utf8');
      expect(text).to.contain(createHash('sha256').update(key).digest('hex'));
      expect(text).not.to.contain(key);
      expect(text).not.to.contain(key.slice(13));
      expect(readKeys(file)).to.deep.equal([record]);
    });

    it('then only its owner may read the file, whatever it was before, and nothing else is left', async () => {
      await createKey(file, 'one');
      expect(statSync(file).mode & 0o777).to.equal(0o600);
      await chmod(file, 0o644);
      await createKey(file, 'two');
      expect(statSync(file).mode & 0o777).to.equal(0o600);
      expect(readdirSync(join(file, '..'))).to.deep.equal(['api-keys.json']);
    });

    it('and a valid one has its name, in any case or blanks, then it is refused; a revoked one, then not', async () => {
      await createKey(file, 'Ü "x" \\ \u2028 </script> 🌡');
      const { record } = await createKey(file, 'Team A');
      for (const name of ['Team A', ' team\u00a0 a '])
        expect(await saidOf(() => createKey(file, name))).to.equal(
          `--name: key ${record.id} already has this name; choose another, because usage and metrics are counted by name, or revoke that key first`,
        );
      expect(readKeys(file).map(({ name }) => name)).to.deep.equal(['Ü "x" \\ \u2028 </script> 🌡', 'Team A']);
      await revokeKey(file, record.id);
      await createKey(file, 'Team A');
    });

    it('and the file has two of one name, as earlier versions made them, then both are valid', async () => {
      const { key, record } = await createKey(file, 'one');
      const second = await createKey(file, 'two');
      const records = [record, { ...second.record, name: 'one' }];
      writeFileSync(file, JSON.stringify({ keys: records }));
      for (const each of [key, second.key]) expect(keyring().find(each)).to.include({ name: 'one' });
      await createKey(file, 'three');
    });

    it('and 20 are created at the same time, then none is lost and all are different', async () => {
      const created = await Promise.all(
        Array.from({ length: 20 }, (_, index) => createKey(file, `client ${index}`)),
      );
      const records = readKeys(file);
      expect(records).to.have.lengthOf(20);
      expect(new Set(records.map(({ id }) => id)).size).to.equal(20);
      const ring = keyring();
      for (const { key, record } of created) expect(ring.find(key)).to.deep.equal(record);
    });

    it('and the file is broken, then it is refused by name and the file stays as it is', async () => {
      await createKey(file, 'one');
      writeFileSync(file, '{"keys": [');
      expect(await saidOf(() => createKey(file, 'two'))).to.match(/^API_KEYS_FILE: [^\n]+$/);
      expect(readFileSync(file, 'utf8')).to.equal('{"keys": [');
    });

    it('and a file stands where its folder should be, then it is refused by name', async () => {
      const blocked = join(folder, `${count}-file`);
      writeFileSync(blocked, '');
      expect(await saidOf(() => createKey(join(blocked, 'api-keys.json'), 'one'))).to.match(
        /^API_KEYS_FILE: [^\n]+$/,
      );
    });
  });

  describe('when one is revoked', () => {
    it('then its record stays, with the time, and the others are untouched', async () => {
      const { record } = await createKey(file, 'one');
      const other = await createKey(file, 'two');
      expect(await revokeKey(file, record.id)).to.be.true;
      const [revoked, kept] = readKeys(file);
      expect(revoked).to.include(record);
      expect(revoked?.revoked_at).to.be.a('string');
      expect(kept).to.deep.equal(other.record);
    });

    it('and it is unknown, or was revoked before, then that is told and nothing changes', async () => {
      const { record } = await createKey(file, 'one');
      await revokeKey(file, record.id);
      const text = readFileSync(file, 'utf8');
      expect(await revokeKey(file, record.id)).to.be.false;
      expect(await revokeKey(file, 'zzzzzzzz')).to.be.false;
      expect(readFileSync(file, 'utf8')).to.equal(text);
    });
  });

  describe('when a keys file is read', () => {
    it('and it is not there, then there are no keys', () => {
      expect(readKeys(file)).to.deep.equal([]);
      expect(keyring().size).to.equal(0);
      expect(existsSync(file)).to.be.false;
    });

    const fileWith = (wrong: object): string => {
      const good = { id: 'abcdefgh', name: 'x', sha256: 'a'.repeat(64), created_at: '2026-01-01T00:00:00Z' };
      return JSON.stringify({ keys: [{ ...good, ...wrong }] });
    };
    const BROKEN: [what: string, text: string][] = [
      ['is empty', ''],
      ['is no JSON', '{"keys": ['],
      ['is JSON of another kind', '[]'],
      ['has a key without a hash', fileWith({ sha256: undefined })],
      ['has an invalid hash', fileWith({ sha256: 'a'.repeat(65) })],
      ['has an invalid id', fileWith({ id: '__proto__' })],
      ['has an invalid time', fileWith({ created_at: 'yesterday' })],
    ];
    for (const [what, text] of BROKEN) {
      it(`and it ${what}, then it is refused in one line that names API_KEYS_FILE and the file`, async () => {
        await createKey(file, 'one');
        writeFileSync(file, text);
        const message = refusalOf(UserError, () => keyring());
        expect(message).to.match(/^API_KEYS_FILE: [^\n]+$/);
        expect(message).to.contain(file);
      });
    }

    it('and it is a folder, then it is refused in one line that names API_KEYS_FILE', () => {
      file = folder;
      expect(refusalOf(UserError, () => keyring())).to.match(/^API_KEYS_FILE: [^\n]+\(EISDIR\)$/);
    });
  });

  describe('when a request brings a key', () => {
    it('then it is found if it is valid, and only then', async () => {
      const { key, record } = await createKey(file, 'one');
      const ring = keyring();
      expect(ring.find(key)).to.deep.equal(record);
      for (const other of [
        ...[`${key} `, ` ${key}`, `${key}A`, `${key}\n`, key.toUpperCase(), record.sha256, record.id],
        ...[`fas_${record.id}_${'A'.repeat(43)}`, `fas_aaaaaaaa_${key.slice(13)}`, 'x'.repeat(100_000)],
      ])
        expect(ring.find(other), other.slice(0, 80)).to.equal(undefined);
      const text = fc.oneof(
        fc.string(),
        fc.nat(key.length - 1).map((at) => `${key.slice(0, at)}~${key.slice(at + 1)}`),
        fc.nat(key.length - 1).map((at) => key.slice(0, at)),
      );
      forAny(text, (other) => ring.find(other) === undefined);
    });

    it('then one that was created, revoked or removed a moment ago counts as such', async () => {
      const ring = keyring();
      const { key, record } = await createKey(file, 'one');
      expect(ring.find(key)).to.deep.equal(record);
      expect(ring.size).to.equal(1);
      await revokeKey(file, record.id);
      expect(ring.find(key)).to.equal(undefined);
      expect(ring.size).to.equal(0);
      const other = await createKey(file, 'two');
      expect(ring.find(other.key)).to.deep.equal(other.record);
      await rm(file);
      expect(ring.find(other.key)).to.equal(undefined);
    });

    it('and the file was just broken, then the keys as they were go on, and it is told once', async () => {
      const { key, record } = await createKey(file, 'one');
      const told: unknown[] = [];
      const ring = keyring((error) => told.push(error));
      const good = readFileSync(file, 'utf8');
      await writeFile(file, '{"keys": [');
      expect(ring.find(key)).to.deep.equal(record);
      expect(ring.find(key)).to.deep.equal(record);
      expect(told).to.have.lengthOf(1);
      expect(told[0]).to.be.instanceOf(UserError);
      await writeFile(`${file}.good`, good.replace('"one"', '"renamed"'));
      await rename(`${file}.good`, file);
      expect(ring.find(key)?.name).to.equal('renamed');
      expect(told).to.have.lengthOf(1);
    });
  });
});
