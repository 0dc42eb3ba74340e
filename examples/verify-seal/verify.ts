// Checks one sealed version of the data with nothing but exports (docs/seals.md). Node.js 22.18 or later, no packages.
//   BASE_URL=https://forecasts.example.org node verify.ts v7 [NAME+ID+BASE64]
// It makes the digests anew from /export/facts, then checks their leaf, its place in the log, and the checkpoint's signature by the
// verifier key if that is given.
import { createHash, createPublicKey, verify } from 'node:crypto';

interface Month {
  feed: string;
  month: string;
  root: string;
  rows: number;
}

/** A line of /export/facts. */
interface Fact {
  feed: string;
  day: string;
  line: string;
}

/** The data of /seals/v7. */
interface Seal {
  leaf: string;
  months: Month[];
  index: number;
  proof: string[];
  checkpoint: string;
}

const { BASE_URL = 'http://127.0.0.1:8080', API_KEY } = process.env;
const [version = '', verifierKey] = process.argv.slice(2);

const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

async function get(path: string): Promise<Response> {
  const headers: Record<string, string> = API_KEY === undefined ? {} : { Authorization: `Bearer ${API_KEY}` };
  const response = await fetch(`${BASE_URL}/api/v1/${path}`, { headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** The months of an export: a day has the SHA-256 of the sorted SHA-256 of its lines, a month that of its days. */
function makeMonths(facts: readonly Fact[]): Month[] {
  const days = new Map<string, Buffer[]>();
  for (const { feed, day, line } of facts) {
    const lines = days.get(`${feed} ${day}`) ?? [];
    lines.push(sha256(line));
    days.set(`${feed} ${day}`, lines);
  }
  const months = new Map<string, { rows: number; digests: Buffer[] }>();
  for (const [key, lines] of [...days].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [feed = '', day = ''] = key.split(' ');
    const name = `${feed} ${day.slice(0, 7) || 'all'}`;
    const month = months.get(name) ?? { rows: 0, digests: [] };
    month.rows += lines.length;
    month.digests.push(sha256(...lines.sort((a, b) => a.compare(b))));
    months.set(name, month);
  }
  return [...months].map(([name, { rows, digests }]) => {
    const [feed = '', month = ''] = name.split(' ');
    return { feed, month, root: sha256(...digests).toString('hex'), rows };
  });
}

/** Whether a key NAME+ID+BASE64 signed a note: c2sp.org/signed-note. */
function isSigned(note: string, verifierKey: string): boolean {
  const [name = '', id, ...rest] = verifierKey.split('+');
  const bytes = Buffer.from(rest.join('+'), 'base64');
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1);
  const lines = note
    .slice(text.length + 1)
    .split('\n')
    .filter((line) => line.startsWith(`— ${name} `));
  const signatures = lines.map((line) => Buffer.from(line.split(' ')[2] ?? '', 'base64'));
  const found = signatures.find((signature) => signature.toString('hex', 0, 4) === id);
  if (sha256(`${name}\n`, bytes).toString('hex', 0, 4) !== id || bytes[0] !== 1 || found === undefined)
    return false;
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(1)]);
  return verify(
    null,
    Buffer.from(text),
    createPublicKey({ key: der, format: 'der', type: 'spki' }),
    found.subarray(4),
  );
}

/** The root that an inclusion proof leads to (RFC 9162, 2.1.3). It takes the hashes off the end of the proof. */
function rootOfLeaf(index: number, size: number, leaf: Buffer, proof: Buffer[]): Buffer {
  if (size === 1) return leaf;
  let left = 1;
  while (left * 2 < size) left *= 2;
  const sibling = proof.pop() ?? Buffer.alloc(0);
  return index < left
    ? sha256(Buffer.of(1), rootOfLeaf(index, left, leaf, proof), sibling)
    : sha256(Buffer.of(1), sibling, rootOfLeaf(index - left, size - left, leaf, proof));
}

function assert(isTrue: boolean, problem: string): void {
  if (isTrue) return;
  console.error(`${version}: ${problem}`);
  process.exit(1);
}

const { data: seal } = (await (await get(`seals/${version}`)).json()) as { data: Seal };
const leaf = JSON.parse(seal.leaf) as { recorded_at: string; facts: { rows: number; sha256: string } };
const exported = await (await get(`export/facts?version=${version}&format=ndjson`)).text();
const facts = exported
  .split('\n')
  .filter(Boolean)
  .map((row) => JSON.parse(row) as Fact);

// Canonical JSON has the names in order, as they are written here, and no spaces.
const toText = (months: readonly Month[]): string =>
  JSON.stringify(months.map(({ feed, month, root, rows }) => ({ feed, month, root, rows })));
assert(
  sha256(toText(seal.months)).toString('hex') === leaf.facts.sha256,
  'the months of the seal are not those of its leaf',
);
assert(toText(makeMonths(facts)) === toText(seal.months), 'the facts are not as sealed');

const [, size = '', root = ''] = seal.checkpoint.split('\n');
const proof = seal.proof.map((hash) => Buffer.from(hash, 'base64'));
const reached = rootOfLeaf(seal.index, Number(size), sha256(Buffer.of(0), seal.leaf), proof);
assert(
  reached.toString('base64') === root && proof.length === 0,
  'its leaf is not in the log of the checkpoint',
);
assert(
  !verifierKey || isSigned(seal.checkpoint, verifierKey),
  'the checkpoint has no good signature of the key',
);
console.log(`${version}: ${leaf.facts.rows} facts are as sealed at ${leaf.recorded_at}`);
console.log(seal.checkpoint);
