// Checks one sealed version of the data with nothing but exports (docs/seals.md). Node.js 22.18 or later, no packages.
//   BASE_URL=https://forecasts.example.org node verify.ts v7 [NAME+ID+BASE64] [kept-checkpoint.txt ...]
// It makes the digests anew from /export/facts, then checks their leaf, its place in the log, the checkpoint's signature by the
// verifier key if that is given, and that the log still begins with the one of each kept checkpoint.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

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
const [version = '', ...others] = process.argv.slice(2);
const verifierKey = others.find((word) => word.split('+').length > 2);

const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Ends the program: with 1 where the seal does not hold, with 2 where the service gave no answer. */
function stop(code: 1 | 2, problem: string): never {
  console.error(`${version}: ${problem}`);
  process.exit(code);
}

async function get(path: string): Promise<Response> {
  const headers: Record<string, string> = API_KEY === undefined ? {} : { Authorization: `Bearer ${API_KEY}` };
  const response = await fetch(`${BASE_URL}/api/v1/${path}`, { headers }).catch((error: Error) =>
    stop(2, `${path}: ${String(error.cause)}`),
  );
  if (!response.ok) stop(2, `${path}: ${await response.text()}`);
  return response;
}

/** The lines of an export, by feed and day. */
async function readLines(exported: Response): Promise<Map<string, string[]>> {
  const days = new Map<string, string[]>();
  let rest = '';
  for await (const chunk of exported.body!.pipeThrough(new TextDecoderStream())) {
    const rows = (rest + chunk).split('\n');
    rest = rows.pop()!;
    for (const row of rows) {
      const { feed, day, line } = JSON.parse(row) as Fact;
      const lines = days.get(`${feed} ${day}`) ?? [];
      lines.push(line);
      days.set(`${feed} ${day}`, lines);
    }
  }
  return days;
}

/** The months of these days: a day has the SHA-256 of its sorted lines, a month that of its dates and days. */
function makeMonths(days: ReadonlyMap<string, string[]>): Month[] {
  const months = new Map<string, { rows: number; digests: (string | Buffer)[] }>();
  for (const [key, lines] of [...days].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [feed = '', day = ''] = key.split(' ');
    const name = `${feed} ${day.slice(0, 7) || 'all'}`;
    const month = months.get(name) ?? { rows: 0, digests: [] };
    month.rows += lines.length;
    month.digests.push(day, sha256(lines.sort().join('\n')));
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

/** Origin, size and root of a checkpoint, which has to be signed if there is a key. */
function readCheckpoint(note: string): { origin: string; size: number; root: Buffer } {
  assert(!verifierKey || isSigned(note, verifierKey), 'the checkpoint has no good signature of the key');
  const [origin = '', size, root = ''] = note.split('\n');
  return { origin, size: Number(size), root: Buffer.from(root, 'base64') };
}

const toNode = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);
const toHashes = (proof: readonly string[]): Buffer[] => proof.map((hash) => Buffer.from(hash, 'base64'));

/** The largest power of two below a size: that many leaves are on the left. */
function split(size: number): number {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

/** The root that an inclusion proof leads to (RFC 9162, 2.1.3). It takes the hashes off the end of the proof. */
function rootOfLeaf(index: number, size: number, leaf: Buffer, proof: Buffer[]): Buffer {
  if (size === 1) return leaf;
  const left = split(size);
  const sibling = proof.pop() ?? Buffer.alloc(0);
  return index < left
    ? toNode(rootOfLeaf(index, left, leaf, proof), sibling)
    : toNode(sibling, rootOfLeaf(index - left, size - left, leaf, proof));
}

/** The roots of the first leaves and of all that a consistency proof leads to (2.1.4). @param known the root of the first ones, if kept */
function rootsOfGrowth(first: number, size: number, proof: Buffer[], known?: Buffer): [Buffer, Buffer] {
  const sibling = first === size && known ? known : (proof.pop() ?? Buffer.alloc(0));
  if (first === size) return [sibling, sibling];
  const left = split(size);
  if (first <= left) {
    const [begun, all] = rootsOfGrowth(first, left, proof, known);
    return [begun, toNode(all, sibling)];
  }
  const [begun, all] = rootsOfGrowth(first - left, size - left, proof);
  return [toNode(sibling, begun), toNode(sibling, all)];
}

function assert(isTrue: boolean, problem: string): void {
  if (!isTrue) stop(1, problem);
}

const { data: seal } = (await (await get(`seals/${version}`)).json()) as { data: Seal };
const leaf = JSON.parse(seal.leaf) as { recorded_at: string; facts: { rows: number; sha256: string } };
const days = await readLines(await get(`export/facts?version=${version}&format=ndjson`));

// Canonical JSON has the names in order, as they are written here, and no spaces.
const toText = (months: readonly Month[]): string =>
  JSON.stringify(months.map(({ feed, month, root, rows }) => ({ feed, month, root, rows })));
assert(
  sha256(toText(seal.months)).toString('hex') === leaf.facts.sha256,
  'the months of the seal are not those of its leaf',
);
assert(toText(makeMonths(days)) === toText(seal.months), 'the facts are not as sealed');

const { origin, size, root } = readCheckpoint(seal.checkpoint);
const proof = toHashes(seal.proof);
const reached = rootOfLeaf(seal.index, size, sha256(Buffer.of(0), seal.leaf), proof);
assert(reached.equals(root) && proof.length === 0, 'its leaf is not in the log of the checkpoint');
for (const file of others.filter((word) => word !== verifierKey)) {
  const kept = readCheckpoint(readFileSync(file, 'utf8'));
  assert(kept.origin === origin && kept.size <= size, `the log is another than that of ${file}`);
  if (kept.size === 0) continue; // every log begins with none
  const path = `seals/consistency?from=${kept.size}&to=${size}`;
  const { data } = (await (await get(path)).json()) as { data: { proof: string[] } };
  const growth = toHashes(data.proof);
  const [begun, all] = rootsOfGrowth(kept.size, size, growth, kept.root);
  const isGrown = begun.equals(kept.root) && all.equals(root) && growth.length === 0;
  assert(isGrown, `the log was rewritten: it does not begin with that of ${file}`);
}
console.log(`${version}: ${leaf.facts.rows} facts are as sealed at ${leaf.recorded_at}`);
process.stdout.write(seal.checkpoint);
